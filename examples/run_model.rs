//! Compiles a model for the processor of this machine, and runs it:
//!
//! ```text
//! cargo run --example run_model -- MODEL INPUT.npy...      MODEL is a module (.mlir) or an ONNX model
//! ```
//! The first function of the model is called. Its results must have static shapes: the signature gives the shape of the tensor
//! that receives a result. The program prints each result.

use loopwright::codegen::Jit;
use loopwright::pipeline::{self, ImportOptions, Input, ModuleSchedule, Settings};
use loopwright_runtime::kernel::{Argument, ArgumentType, BufferType};
use loopwright_runtime::npy;
use loopwright_runtime::pool::Pool;
use loopwright_runtime::tensor::Tensor;
use std::error::Error;
use std::num::NonZeroUsize;
use std::path::Path;
use std::{env, process, thread};

fn main() {
    if let Err(error) = run() {
        eprintln!("run_model: {error}");
        process::exit(1);
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let model = arguments.next().ok_or("expected a model, and a file for each input")?;
    let inputs = arguments.map(npy::read).collect::<Result<Vec<Tensor>, _>>()?;

    // An error of the model or of a pass is a `CompileError`, which has a code and a position in the file.
    let context = pipeline::context();
    let input = Input::new(&context, "run_model");
    let module = input.model(Path::new(&model), &ImportOptions::default())?;
    let settings = Settings { schedule: Some(ModuleSchedule::Strategies), ..Settings::default() };
    let code = input.machine_code(module, &model, &settings)?;

    // SAFETY: this compiler has made the code for this processor, and the schedules are its own. The caller gives a model
    // without indices that are data, or with such indices in bounds.
    let jit = unsafe { Jit::load(&code.object) }?;
    let (name, signature) = &code.kernels[0];
    let kernel = jit.kernel(name)?;
    let mut results = vec![];
    for argument in &signature.arguments {
        if let ArgumentType::Buffer(buffer) = argument
            && buffer.is_result
        {
            results.push(zeros(buffer)?);
        }
    }
    let mut passed: Vec<Argument> = inputs.iter().map(Argument::Input).collect();
    passed.extend(results.iter_mut().map(Argument::Output));
    let threads = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    kernel.call(&Pool::new(threads)?, &mut passed)?;

    for (number, result) in results.iter().enumerate() {
        let elements: Vec<f64> = (0..result.len()).map(|i| result.get_f64(i)).collect();
        println!("{name}: result {number} of shape {:?}: {elements:.4?}", result.shape());
    }
    Ok(())
}

/// A tensor for a result.
fn zeros(buffer: &BufferType) -> Result<Tensor, Box<dyn Error>> {
    let sizes = buffer.shape.iter().map(|size| size.and_then(|it| usize::try_from(it).ok()));
    let shape: Option<Vec<usize>> = sizes.collect();
    let shape = shape.ok_or("the shape of a result is dynamic, expected a static one")?;
    Ok(Tensor::zeros(buffer.element_type, &shape)?)
}
