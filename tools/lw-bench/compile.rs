//! Compiles a workload's text to a kernel in this process, and measures the time.

use crate::data::draw_weights;
use crate::ffi;
use crate::workloads::Workload;
use loopwright::ir::receive_errors;
use loopwright::pipeline::{self, ModuleSchedule, Phase, Settings};
use loopwright_runtime::kernel::Kernel;
use melior::Context;
use melior::ir::Module;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::env;
use std::process::Command;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// The seed of weights.
pub const WEIGHTS: u64 = 100;

/// An MLIR context, and the diagnostics that it reports.
pub struct Compiler {
    context: Context,
    errors: Rc<RefCell<Vec<String>>>,
    /// The floating-point contract of functions that state none.
    contract: String,
    /// The time to create the context.
    pub start: Duration,
}

/// The seconds to compile a workload, from its text to a function that can be called.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct CompileTimes {
    /// In a process with a context that has compiled nothing.
    pub first: f64,
    /// In a process that has just compiled the same workload.
    pub warm: f64,
}

impl Compiler {
    pub fn new(contract: &str) -> Compiler {
        let start = Instant::now();
        let context = pipeline::context();
        let errors = Rc::new(RefCell::new(vec![]));
        let reported = errors.clone();
        receive_errors(&context, move |error| {
            reported.borrow_mut().push(error.message.replace('\n', " "));
        });
        Compiler { context, errors, contract: contract.to_owned(), start: start.elapsed() }
    }

    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Compiles the kernel `main` of a module that is in the phase `from`.
    ///
    /// # Errors
    /// The first error that MLIR has reported, in one line.
    pub fn compile(&self, text: &str, from: Phase) -> Result<(Kernel, Duration), String> {
        self.errors.borrow_mut().clear();
        let settings = Settings {
            contract: Some(&self.contract),
            schedule: Some(ModuleSchedule::Strategies),
            lift_weight_transforms: true,
            ..Settings::default()
        };
        let start = Instant::now();
        let kernel = compile(&self.context, text, from, &settings);
        let time = start.elapsed();
        let reported = self.errors.borrow().first().cloned();
        kernel.map(|kernel| (kernel, time)).map_err(|error| reported.unwrap_or(error))
    }

    /// Compiles a workload twice.
    ///
    /// # Errors
    /// The first error that MLIR has reported, in one line.
    pub fn times(&self, workload: &Workload) -> Result<CompileTimes, String> {
        let shapes = workload.shapes(&self.context)?;
        let text = workload.text(&shapes, &draw_weights(&shapes, WEIGHTS)?);
        let seconds = || {
            let (_, time) = self.compile(&text, Phase::Input)?;
            Ok::<_, String>(time.as_secs_f64())
        };
        Ok(CompileTimes { first: seconds()?, warm: seconds()? })
    }
}

fn compile(
    context: &Context,
    text: &str,
    from: Phase,
    settings: &Settings,
) -> Result<Kernel, String> {
    let parsed = Module::parse(context, text);
    let mut module = parsed.ok_or_else(|| "the module does not parse".to_owned())?;
    pipeline::lower(context, &mut module, from, Phase::Llvm, settings)
        .map_err(|error| error.to_string())?;
    pipeline::object(&module, settings)
        .and_then(|object| ffi::load(&object))
        .and_then(|code| Ok(code.kernel("main")?))
        .map_err(|error| error.to_string())
}

/// The times that `lw-bench --compile` prints in a process of its own.
///
/// # Errors
/// If the process does not start, or fails.
pub fn times_in_new_process(workload: &Workload, contract: &str) -> Result<CompileTimes, String> {
    let error = |what: &dyn std::fmt::Display| format!("cannot measure compilation: {what}");
    let program = env::current_exe().map_err(|it| error(&it))?;
    let mut command = Command::new(program);
    let output = command.args(["--compile", workload.id, "--fp", contract]).output();
    let output = output.map_err(|it| error(&it))?;
    if !output.status.success() {
        return Err(error(&String::from_utf8_lossy(&output.stderr).trim()));
    }
    serde_json::from_slice(&output.stdout).map_err(|it| error(&it))
}
