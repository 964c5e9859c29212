//! Runs PTX on the emulator, like a program on a device.

use crate::kernels::Case;
use loopwright::codegen::cuda;
use loopwright::codegen::cuda::GpuTarget;
use loopwright::interpreter::scalar::{Scalar, ScalarType};
use loopwright::interpreter::value::Array;
use loopwright::ir::{FloatKind, Op};
use loopwright_runtime::gpu::{Emulator, Executable, GpuError, Program};
use loopwright_runtime::kernel::{Argument, ArgumentType};
use loopwright_runtime::tensor::{ElementType, Tensor};

/// The program of a module in phase `ptx`.
pub fn program(module: Op, device: &GpuTarget) -> Program {
    cuda::program(module, device)
        .unwrap_or_else(|error| panic!("{}: {}", error.location, error.message))
}

/// The contents of all arguments after a call; inputs keep their contents.
pub fn run(program: &Program, case: &Case, seed: u64) -> Vec<Array> {
    try_run(program, case, seed).unwrap_or_else(|error| panic!("{}: {error}", case.function))
}

/// Like [`run`], but an error that the emulator finds is returned. Where there is a GPU, its results must be the same bits.
pub fn try_run(program: &Program, case: &Case, seed: u64) -> Result<Vec<Array>, GpuError> {
    let device = Emulator::new(seed);
    let emulated = call(program, &Executable::load(program, &device)?, case)?;
    let on_gpu =
        loopwright_testing::on_gpu(|gpu| call(program, &Executable::load(program, gpu)?, case));
    if let Some(found) = on_gpu {
        for (argument, (found, expected)) in found?.iter().zip(&emulated).enumerate() {
            let differs =
                found.cells.iter().zip(&expected.cells).position(|(a, b)| !are_equal(*a, *b));
            if let Some(place) = differs {
                let [found, expected] = [found, expected].map(|it| it.cells[place]);
                panic!(
                    "{}: {found} in argument {argument} on the GPU, expected {expected}",
                    case.function
                );
            }
        }
    }
    Ok(emulated)
}

/// Like [`try_run`], for a program that is already loaded.
pub fn call(
    program: &Program,
    executable: &Executable,
    case: &Case,
) -> Result<Vec<Array>, GpuError> {
    let function = program.function(case.function).expect("the program has the function");
    let mut tensors: Vec<Tensor> = case.arguments.iter().map(tensor).collect();
    let is_result = |argument: usize| match &function.signature.arguments[argument] {
        ArgumentType::Buffer(buffer) => buffer.is_result,
        ArgumentType::Index => false,
    };
    let pass = |(i, tensor)| match is_result(i) {
        true => Argument::Output(tensor),
        false => Argument::Input(tensor),
    };
    let mut arguments: Vec<Argument> = tensors.iter_mut().enumerate().map(pass).collect();
    let call = executable.prepare(case.function, &mut arguments)?;
    call.run()?;
    call.results(&mut arguments)?;
    drop(arguments);
    Ok(case.arguments.iter().zip(&tensors).map(|(array, tensor)| read(array, tensor)).collect())
}

fn element_type(ty: ScalarType) -> ElementType {
    match ty {
        ScalarType::Int(8) => ElementType::I8,
        ScalarType::Int(16) => ElementType::I16,
        ScalarType::Int(32) => ElementType::I32,
        ScalarType::Float(FloatKind::F16) => ElementType::F16,
        ScalarType::Float(FloatKind::BF16) => ElementType::BF16,
        ScalarType::Float(FloatKind::F32) => ElementType::F32,
        ScalarType::Float(FloatKind::F64) => ElementType::F64,
        _ => ElementType::I64,
    }
}

/// Undefined elements are not left 0, which might be correct by chance.
fn tensor(array: &Array) -> Tensor {
    let mut tensor = Tensor::zeros(element_type(array.ty), &array.shape).expect("it is small");
    for (i, cell) in array.cells.iter().enumerate() {
        match cell {
            Scalar::Int(value) => tensor.set_i64(i, *value),
            Scalar::Float(value) => tensor.set_f64(i, *value),
            Scalar::Undefined => tensor.set_i64(i, 77),
        }
    }
    tensor
}

fn read(array: &Array, tensor: &Tensor) -> Array {
    let cell = |i| match array.ty {
        ScalarType::Float(_) => Scalar::Float(tensor.get_f64(i)),
        _ => Scalar::Int(tensor.get_i64(i)),
    };
    Array { ty: array.ty, shape: array.shape.clone(), cells: (0..tensor.len()).map(cell).collect() }
}

fn are_equal(a: Scalar, b: Scalar) -> bool {
    match (a, b) {
        (Scalar::Float(a), Scalar::Float(b)) => {
            a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
        }
        _ => a == b,
    }
}
