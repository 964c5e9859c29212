//! Loopwright: a schedule compiler for tensor programs, in which users can inspect and control each step from
//! program to fast code.
//!
//! # Compile and run a model
//!
//! ```
//! use loopwright::codegen::Jit;
//! use loopwright::pipeline::{self, ImportOptions, Input, ModuleSchedule, Settings};
//! use loopwright_runtime::kernel::Argument::{Input as Read, Output};
//! use loopwright_runtime::pool::Pool;
//! use loopwright_runtime::tensor::{ElementType::F32, Tensor};
//! use std::{num::NonZeroUsize, path::Path};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let context = pipeline::context();
//! let input = Input::new(&context, "example");
//! let path = "examples/row_sum.mlir"; // the sums of the rows of exp(x - y), for matrices of 2 x 3; or an ONNX model
//! let module = input.model(Path::new(path), &ImportOptions::default())?;
//! let settings = Settings { schedule: Some(ModuleSchedule::Strategies), ..Settings::default() };
//! let code = input.machine_code(module, path, &settings)?;
//! // SAFETY: this compiler made the code for this processor, of a model without indices that are data.
//! let kernel = unsafe { Jit::load(&code.object) }?.kernel("main")?;
//!
//! let x = Tensor::from_f64s(F32, &[2, 3], &[0.0, 1.0, 2.0, 4.0, 5.0, 6.0])?;
//! let y = Tensor::from_f64s(F32, &[2, 3], &[0.0, 0.0, 0.0, 3.0, 4.0, 5.0])?;
//! let mut sums = Tensor::zeros(F32, &[2])?;
//! let pool = Pool::new(NonZeroUsize::new(2).expect("not 0"))?;
//! kernel.call(&pool, &mut [Read(&x), Read(&y), Output(&mut sums)])?;
//! assert!((sums.get_f64(1) - 3.0 * 1f64.exp()).abs() < 1e-5);
//! # Ok(())
//! # }
//! ```
//! An error of a model or a schedule is a [`pipeline::CompileError`], with a code and a position in a file.
//! [`ir`] shows how to schedule a module of a program by steps.

pub mod analysis;
pub mod auto_schedule;
pub mod codegen;
pub(crate) mod compute;
pub mod dialect;
mod ffi;
pub(crate) mod fusion;
pub mod interpreter;
pub mod ir;
pub(crate) mod lowering;
pub mod machine;
pub mod nest;
pub mod optimize;
pub mod pass;
pub mod pipeline;
pub mod schedule;
pub mod strategy;
pub mod verify;

/// For tools: the driver of opt tools, its instruments, crashes and closed pipes, and the version of LLVM.
pub mod tool {
    pub use crate::ffi::instrument::{Manager, are_passes_logged};
    pub use crate::ffi::llvm::version as llvm_version;
    pub use crate::ffi::{catch_crashes, end_at_closed_pipe, opt_main};
}

pub use ffi::register_dialects_of_plugin;
pub use pass::register_dialects;
pub use pipeline::register_passes;

/// Used by the plugin's entry point, which has a registry of the C API.
pub(crate) use pass::register_dialects_in;
