//! The effect of a pass on a kernel: the kernel is lowered by the whole pipeline, and again without the pass.
//!
//! All figures are counts, which are equal on all machines: instructions of the code for a stated
//! processor, ops that the interpreter executes after the passes of the loop dialect, and bytes of buffers.

use loopwright::codegen::{cuda, x86};
use loopwright::interpreter::value::Array;
use loopwright::interpreter::{self, Datum};
use loopwright::ir::{Op, Reported, Type, receive_errors, walk};
use loopwright::machine::x86::CpuTarget;
use loopwright::pipeline::{self, Phase, Settings};
use loopwright_runtime::tensor::{ElementType, Tensor};
use loopwright_testing::top;
use melior::ir::Module;
use std::cell::RefCell;
use std::rc::Rc;

/// The value of a size that the kernel does not state.
const SIZE: usize = 40;

/// The figures, in the order of the report.
pub const FIGURES: &[&str] = &[
    "ops executed",
    "instructions",
    "bytes of memory",
    "bytes shared",
    "bytes local",
    "barriers in the code",
    "64-bit registers",
    "shared wavefronts",
];

/// The figures of a kernel, in the order of [`FIGURES`]; or the reason why it has none.
pub type Figures = Result<Vec<u64>, String>;

/// Lowers a kernel for a target, `x86` or `nvptx`, without some passes.
pub fn figures(text: &str, target: &str, without: &[&str]) -> Figures {
    let context = pipeline::context();
    let errors = Rc::new(RefCell::new(String::new()));
    let collected = errors.clone();
    receive_errors(&context, move |Reported { message, .. }| {
        if collected.borrow().is_empty() {
            *collected.borrow_mut() = message.lines().next().unwrap_or_default().to_owned();
        }
    });
    let mut module = Module::parse(&context, text).ok_or_else(|| errors.borrow().clone())?;
    let processor = CpuTarget {
        triple: "x86_64-unknown-linux-gnu".into(),
        cpu: "x86-64-v4".into(),
        features: "+avx512f".into(),
        machine: None,
    };
    let settings = Settings {
        target: processor.clone(),
        without: without.iter().map(|name| name.to_string()).collect(),
        ..Settings::default()
    };
    let lower = |module: &mut Module, from, to| {
        let lowered = pipeline::lower(&context, module, from, to, &settings);
        lowered.map_err(|_| errors.borrow().clone())
    };
    let is_device = target == "nvptx";
    let (form, code) = match is_device {
        true => (Phase::Gpu, Phase::Ptx),
        false => (Phase::Vector, Phase::Llvm),
    };
    lower(&mut module, Phase::Schedule, form)?;
    let (steps, wavefronts) = executed(top(&module), is_device)?;
    let memory = bytes(top(&module), &["memref.alloc", "memref.alloca"]);
    lower(&mut module, form, code)?;
    if is_device {
        let ptx = cuda::ptx(&module).ok_or("has no kernel")?;
        let instructions = ptx.lines().filter(|line| is_ptx_instruction(line)).count();
        let [shared, local] = [".shared", ".local"].map(|space| declared(ptx, space));
        let barriers = ptx.lines().filter(|line| line.contains("bar.sync")).count() as u64;
        let registers = ptx.lines().filter_map(wide_registers).sum();
        let instructions = instructions as u64;
        return Ok(vec![
            steps,
            instructions,
            memory,
            shared,
            local,
            barriers,
            registers,
            wavefronts,
        ]);
    }
    let options = x86::CodegenOptions { target: processor, ..x86::CodegenOptions::default() };
    let assembly = x86::optimize(&module, &options).and_then(|it| it.assembly());
    let assembly = assembly.map_err(|error| error.to_string())?;
    let is_instruction =
        |line: &&str| line.strip_prefix('\t').is_some_and(|it| !it.starts_with(['.', '#', '\t']));
    Ok(vec![steps, assembly.lines().filter(is_instruction).count() as u64, memory, 0, 0, 0, 0, 0])
}

fn is_ptx_instruction(line: &str) -> bool {
    let text = line.trim();
    text.ends_with(';') && !text.starts_with('.')
}

/// The number of 64-bit registers that PTX declares, before NVIDIA's assembler allocates them: `.reg .b64 %rd<23>;`.
fn wide_registers(line: &str) -> Option<u64> {
    line.trim().strip_prefix(".reg .b64")?.split_once('<')?.1.split_once('>')?.0.parse().ok()
}

/// The bytes that PTX declares in a memory space: `.shared .align 16 .b8 name[1024];`.
fn declared(ptx: &str, space: &str) -> u64 {
    let lines = ptx.lines().filter(|line| line.trim_start().starts_with(space));
    let size =
        |line: &str| -> Option<u64> { line.split_once('[')?.1.split_once(']')?.0.parse().ok() };
    lines.filter_map(size).sum()
}

/// The bytes that these ops allocate, if static.
fn bytes(module: Op, names: &[&str]) -> u64 {
    let allocations = walk(module).into_iter().filter(|op| names.contains(&op.name()));
    let size = |ty: Type| -> Option<u64> {
        let (dims, element) = ty.in_any_space()?;
        let width = element.to_string().parse::<ElementType>().ok()?.size_in_bytes() as u64;
        dims.into_iter().try_fold(width, |size, dim| Some(size * u64::try_from(dim?).ok()?))
    };
    allocations.filter_map(|op| size(op.result(0).ty())).sum()
}

/// The number of ops that the interpreter executes in all public functions that are no kernels, and the number of
/// wavefronts of the accesses of kernels to shared memory.
fn executed(module: Op, is_device: bool) -> Result<(u64, u64), String> {
    let (mut sum, mut wavefronts) = (0, 0);
    for function in module.body(0).into_iter().flat_map(|body| body.ops()) {
        let is_private = function.attribute("sym_visibility").is_some();
        let is_run = function.is("func.func") && !is_private;
        let Some(body) = function.body(0).filter(|_| is_run) else { continue };
        let name = function.symbol_name();
        let arguments = || body.arguments().into_iter().map(|it| datum(it.ty())).collect();
        let options = interpreter::RunOptions { seed: 0, max_iterations: u64::MAX };
        let name = name.unwrap_or_default();
        let (outcome, steps) =
            interpreter::run_limited(module, name, arguments(), options, u64::MAX);
        outcome.map_err(|error| error.message.to_string())?;
        sum += steps;
        if is_device {
            let counted = interpreter::run_banks(module, name, arguments(), options);
            wavefronts += counted.map_err(|error| error.message.to_string())?.1;
        }
    }
    Ok((sum, wavefronts))
}

/// An argument whose elements are 1.
fn datum(ty: Type) -> Datum {
    let Some((dims, element)) = ty.shaped() else { return Datum::index(SIZE) };
    let shape: Vec<usize> =
        dims.into_iter().map(|dim| dim.map_or(SIZE, |dim| dim as usize)).collect();
    let element: ElementType = element.to_string().parse().expect("memory holds it");
    let ones = vec![1.0; shape.iter().product()];
    let tensor = Tensor::from_f64s(element, &shape, &ones).expect("its size is its shape's");
    Datum::buffer(Array::from_tensor(&tensor))
}
