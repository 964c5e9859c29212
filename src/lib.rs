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
//! An error of a model or a schedule is a [`pipeline::CompileError`], with a code and a position in a file. The kernel has no
//! lifetime: it needs neither the context nor the module. `examples/run_model.rs` runs any model on `.npy` files. In the
//! place of a [`Pool`](loopwright_runtime::pool::Pool), a program can give the threads that it has
//! ([`Workers`](loopwright_runtime::pool::Workers)).
//!
//! # Compile in the background
//!
//! A [`pipeline::BackgroundModel`] is callable at once. A thread with a context of its own compiles the model: first without a
//! schedule, which is quick, and then with it. Calls run the best code so far. It has no lifetime, and threads can share it.
//!
//! ```no_run
//! # use loopwright::codegen::LoadPromise;
//! # use loopwright::pipeline::{BackgroundJob, BackgroundModel, JobModel};
//! # fn run(pool: &loopwright_runtime::pool::Pool, arguments: &mut [loopwright_runtime::kernel::Argument])
//! # -> Result<(), Box<dyn std::error::Error>> {
//! let job = BackgroundJob::new(JobModel::File("model.onnx".into()));
//! // SAFETY: the model has no indices that are data.
//! let model = BackgroundModel::start(job, unsafe { LoadPromise::new() })?;
//! model.call("main", pool, arguments)?; // unscheduled code, unless the other is ready
//! model.wait()?;
//! model.call("main", pool, arguments)?; // scheduled code
//! # Ok(())
//! # }
//! ```
//!
//! # Write a schedule
//!
//! A [`Schedule`](schedule::Schedule) applies steps to a function in loop form. Each method is one primitive
//! (`docs/primitives.md` has the conditions of each). A step is refused unless it is proved that the function computes the
//! same, and a refused step changes nothing. `examples/write_schedule.rs` also runs the result, and compares it with a plain
//! loop.
//!
//! ```
//! use loopwright::pipeline::{self, Phase, Settings};
//! use loopwright::schedule::Schedule;
//! use melior::ir::Module;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let text = std::fs::read_to_string("examples/matmul.mlir")?;
//! let context = pipeline::context();
//! let mut module = Module::parse(&context, &text).ok_or("not valid")?; // the text of examples/matmul.mlir
//! let settings = Settings::default();
//! pipeline::lower(&context, &mut module, Phase::Input, Phase::Loop, &settings)?;
//!
//! let mut schedule = Schedule::of(&mut module, "main").map_err(|error| error.to_string())?;
//! assert!(schedule.parallel("matmul:k").is_err()); // its iterations write one element
//! let parts = schedule.split("matmul:j", &[-1, 64], None)?;
//! assert_eq!(parts, ["j.0", "j.1"]);
//! schedule.reorder(&["matmul:j.0", "matmul:i", "matmul:k", "matmul:j.1"])?;
//! schedule.vectorize("matmul:j.1", None)?;
//! schedule.parallel("matmul:j.0")?;
//! println!("{}", schedule.trace().script()); // the steps, for `lw-run --schedule`
//! drop(schedule);
//!
//! pipeline::lower(&context, &mut module, Phase::Schedule, Phase::Llvm, &settings)?;
//! let object = pipeline::object(&module, &settings)?;
//! # assert!(!object.bytes().is_empty());
//! # Ok(())
//! # }
//! ```
//!
//! # Add a strategy
//!
//! Without a schedule, the compiler chooses a [strategy] for each group of loop nests. A program adds its own to
//! those of the package. They compete by priority, and those of the package have 1 to 50. `examples/custom_strategy` adds
//! strategies for certain sizes, which are tested at run time. A transform script can declare strategies, too.
//!
//! ```
//! use loopwright::machine::x86::Processor;
//! use loopwright::pipeline::{self, ImportOptions, Input, ModuleSchedule, Settings};
//! use loopwright::schedule::{Schedule, ScheduleError};
//! use loopwright::strategy::group::{NestGroup, alone};
//! use loopwright::strategy::space::Space;
//! use loopwright::strategy::{Strategies, Strategy};
//! use std::{path::Path, sync::Arc};
//!
//! struct ParallelRows;
//!
//! impl Strategy<Processor> for ParallelRows {
//!     fn name(&self) -> &str {
//!         "example.parallel_rows"
//!     }
//!     fn summary(&self) -> &str {
//!         "Runs the outermost loop in parallel"
//!     }
//!     fn priority(&self) -> u32 {
//!         60
//!     }
//!     fn applies(&self, group: &NestGroup, _: &Processor) -> Result<(), String> {
//!         match alone(group)?.loops.first() {
//!             Some(rows) if !rows.is_reduction => Ok(()),
//!             _ => Err("its outermost loop is a reduction".into()),
//!         }
//!     }
//!     fn schedule(
//!         &self,
//!         schedule: &mut Schedule,
//!         group: &NestGroup,
//!         _: &Processor,
//!         _: &Space,
//!     ) -> Result<(), ScheduleError> {
//!         schedule.parallel(&group.nests[0].at(0))
//!     }
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut strategies = Strategies::default();
//! strategies.x86.add(ParallelRows)?;
//! let settings = Settings {
//!     schedule: Some(ModuleSchedule::Strategies),
//!     strategies: Arc::new(strategies),
//!     ..Settings::default()
//! };
//! let context = pipeline::context();
//! let input = Input::new(&context, "example");
//! let path = "examples/row_sum.mlir";
//! let module = input.model(Path::new(path), &ImportOptions::default())?;
//! input.machine_code(module, path, &settings)?;
//! let reports = settings.session.reports.borrow(); // which strategy was chosen for each group, and why
//! assert!(reports[0].to_string().contains("example.parallel_rows"));
//! # Ok(())
//! # }
//! ```
//!
//! # Embed in your MLIR pipeline
//!
//! [`register_dialects`] and [`register_passes`] add the dialects and passes of the package to a program that has its own
//! context, dialects and passes. The whole pipeline is the pass `lw-x86-pipeline` (or `lw-nvptx-pipeline`). It can start and
//! stop at each [phase](pipeline::Phase), so that other passes run in between. `docs/passes.md` lists all passes.
//! `examples/embed_in_pipeline.rs` adds a pass of its own, and runs the code. Programs in C and C++ use
//! `include/loopwright-c/mlir.h`, and stock `mlir-opt` loads the plugin.
//!
//! ```
//! use melior::Context;
//! use melior::dialect::DialectRegistry;
//! use melior::ir::Module;
//! use melior::pass::PassManager;
//! use melior::utility::{parse_pass_pipeline, register_all_dialects, register_all_passes};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let text = std::fs::read_to_string("examples/row_sum.mlir")?;
//! let registry = DialectRegistry::new();
//! register_all_dialects(&registry);
//! loopwright::register_dialects(&registry);
//! register_all_passes();
//! loopwright::register_passes();
//! let context = Context::new();
//! context.append_dialect_registry(&registry);
//! context.load_all_available_dialects();
//!
//! let mut module = Module::parse(&context, &text).ok_or("not valid")?; // the text of examples/row_sum.mlir
//! let manager = PassManager::new(&context);
//! let passes = "builtin.module(canonicalize,lw-x86-pipeline{to=loop},cse)";
//! parse_pass_pipeline(manager.as_operation_pass_manager(), passes)?;
//! manager.run(&mut module)?;
//! assert!(module.as_operation().to_string().contains("loop.block \"reduce_add\""));
//! # Ok(())
//! # }
//! ```

pub mod analysis;
pub mod auto_schedule;
pub mod codegen;
pub(crate) mod compute;
pub mod dialect;
mod ffi;
pub(crate) mod fusion;
pub(crate) mod graph;
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
