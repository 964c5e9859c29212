//! Models that are callable while they are compiled.
//!
//! ```text
//! thread: model ─ lower without a schedule ─► unscheduled code ─ lower with the schedule ─► scheduled code
//! call:   waits for the unscheduled code, then runs it ........ runs the scheduled code as soon as it is there
//! ```
//! The thread has an MLIR context of its own. Nothing of it leaves the thread: kernels have no lifetime.
//!
//! Meanwhile unscheduled code runs, and not the interpreter. Measured with the network of `examples/resnet.rs`, in the test
//! profile on two cores, without a cache of code: `lw-run resnet.onnx --target x86 --no-schedule` compiles and runs in 0.8 s,
//! and a call takes 5 ms (`--time 0.5`). The interpreter takes 2.5 s for one call of the model as given
//! (`lw-run resnet.onnx --execute input`), and 9 s in loop form. The scheduled code takes 1.8 s to compile and run. With a
//! model as small as `examples/row_sum.mlir`, each takes less than 0.1 s.
//!
//! A drop waits for the thread, because a thread that runs in LLVM when the process exits may crash: the exit destroys LLVM's
//! global state.

use super::error::{CompileError, Diagnostic, ErrorCode, SourcePosition};
use super::{Input, ModuleSchedule, Phase, Settings, context, object};
use crate::auto_schedule::ScheduleBy;
use crate::codegen::{CodeCache, LoadPromise, x86};
use crate::machine::x86::CpuTarget;
use crate::strategy::Strategies;
use loopwright_onnx::{ImportOptions, ModelFile};
use loopwright_runtime::kernel::{Argument, CallError, Kernel};
use loopwright_runtime::pool::ParallelFor;
use melior::ir::Module;
use melior::ir::operation::Operation;
use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

/// The name of the thread, and of the tool in messages.
const NAME: &str = "loopwright";

/// The stack of the thread: LLVM recurses over long chains of values.
const STACK_BYTES: usize = 64 << 20;

/// The model of a [`BackgroundJob`].
#[derive(Clone, Debug)]
pub enum JobModel {
    /// A file: a module as text or bytecode, or an ONNX model.
    File(PathBuf),
    /// A module as text or bytecode, and the file in its locations.
    Module {
        /// The text or bytecode.
        bytes: Vec<u8>,
        /// The file in locations; it need not exist.
        name: String,
    },
    /// An ONNX model in its binary form. External data is beside the file.
    Onnx {
        /// The encoded `ModelProto`.
        bytes: Vec<u8>,
        /// The file in messages; it need not exist.
        path: PathBuf,
    },
}

/// The schedule of a [`BackgroundJob`].
#[derive(Clone, Debug, Default)]
pub enum JobSchedule {
    /// The default schedules.
    #[default]
    Strategies,
    /// A transform script, or a trace as JSON.
    Text {
        /// The text.
        bytes: Vec<u8>,
        /// The file in locations; it need not exist.
        name: String,
    },
    /// No schedule: the unscheduled code is the only one.
    None,
}

/// What is compiled in the background, and how. Unlike [`Settings`], it borrows nothing.
pub struct BackgroundJob {
    /// The model.
    pub model: JobModel,
    /// The choices of the import, for an ONNX model only.
    pub import: ImportOptions,
    /// The schedule.
    pub schedule: JobSchedule,
    /// The strategies that default schedules are chosen from.
    pub strategies: Arc<Strategies>,
    /// How one of several strategies is chosen; `None` is the default of the target.
    pub schedule_by: Option<ScheduleBy>,
    /// The floating-point contract of functions that state none: strict, reassoc or fast. The unscheduled code has it too.
    pub contract: Option<String>,
    /// True if code ends with a located error before it accesses memory out of bounds.
    pub check_bounds: bool,
    /// The cache of the code of parts of modules.
    pub cache: Option<CodeCache>,
}

impl BackgroundJob {
    /// A job with default schedules and without a cache.
    pub fn new(model: JobModel) -> BackgroundJob {
        BackgroundJob {
            model,
            import: ImportOptions::default(),
            schedule: JobSchedule::default(),
            strategies: Arc::default(),
            schedule_by: None,
            contract: None,
            check_bounds: false,
            cache: None,
        }
    }
}

/// Which code has run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeStage {
    /// The code without a schedule.
    Unscheduled,
    /// The code with the schedule of the job, if it has one.
    Scheduled,
}

/// Why a call of a [`BackgroundModel`] did not run.
#[derive(Debug, thiserror::Error)]
pub enum BackgroundError {
    /// The model cannot be compiled.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// The model has no such function.
    #[error("found no function '{name}', expected one of {expected}")]
    Function {
        /// The name in the call.
        name: String,
        /// The names of the functions.
        expected: String,
    },
    /// The arguments do not fit.
    #[error(transparent)]
    Call(#[from] CallError),
}

impl BackgroundError {
    /// The code of an error of the compilation.
    pub fn code(&self) -> Option<ErrorCode> {
        match self {
            BackgroundError::Compile(error) => Some(error.code),
            BackgroundError::Function { .. } | BackgroundError::Call(_) => None,
        }
    }

    /// The position in a file, if it is known.
    pub fn position(&self) -> Option<&SourcePosition> {
        match self {
            BackgroundError::Compile(error) => error.position(),
            BackgroundError::Function { .. } | BackgroundError::Call(_) => None,
        }
    }
}

/// A model whose functions can be called at once, while a thread compiles it.
///
/// - The thread first compiles the model without a schedule, which takes a fraction of the time. The first call waits for
///   this code. Calls run it until the scheduled code is ready.
/// - If the contract of a function is `strict`, both codes compute the same bits.
/// - An error of the compilation is returned by [`wait`](Self::wait) and by each call after it, also if the unscheduled code
///   would run. So is a panic of the thread.
/// - Dropping the model cancels the compilation, and waits until the thread has ended. The thread stops at the end of the
///   current phase, so the wait takes at most as long as LLVM needs to generate code for the model: up to 1.2 s for a network of
///   15 convolutions, on two busy cores.
///
/// ```
/// use loopwright::codegen::LoadPromise;
/// use loopwright::pipeline::{BackgroundJob, BackgroundModel, CodeStage, JobModel};
/// use loopwright_runtime::kernel::Argument::{Input, Output};
/// use loopwright_runtime::pool::Pool;
/// use loopwright_runtime::tensor::{ElementType::F32, Tensor};
/// use std::num::NonZeroUsize;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let job = BackgroundJob::new(JobModel::File("examples/row_sum.mlir".into()));
/// // SAFETY: the model has no indices that are data.
/// let model = BackgroundModel::start(job, unsafe { LoadPromise::new() })?;
///
/// let x = Tensor::from_f64s(F32, &[2, 3], &[1.0; 6])?;
/// let y = Tensor::from_f64s(F32, &[2, 3], &[1.0; 6])?;
/// let mut sums = Tensor::zeros(F32, &[2])?;
/// let pool = Pool::new(NonZeroUsize::MIN)?;
/// model.call("main", &pool, &mut [Input(&x), Input(&y), Output(&mut sums)])?; // either code
/// assert_eq!(sums.get_f64(0), 3.0);
/// model.wait()?;
/// let stage = model.call("main", &pool, &mut [Input(&x), Input(&y), Output(&mut sums)])?;
/// assert_eq!((stage, sums.get_f64(1)), (CodeStage::Scheduled, 3.0));
/// # Ok(())
/// # }
/// ```
pub struct BackgroundModel {
    shared: Arc<Compilation>,
    /// None after the drop has begun.
    thread: Option<JoinHandle<()>>,
}

/// What the thread and the callers share.
#[derive(Default)]
struct Compilation {
    progress: Mutex<Progress>,
    has_changed: Condvar,
    is_cancelled: AtomicBool,
}

#[derive(Default)]
struct Progress {
    /// The kernels of the unscheduled code, until there is an outcome.
    unscheduled: Option<Arc<[Kernel]>>,
    /// The kernels of the scheduled code.
    outcome: Option<Result<Arc<[Kernel]>, CompileError>>,
    /// Warnings and remarks.
    reported: Vec<Diagnostic>,
}

impl BackgroundModel {
    /// Starts the compilation for the processor of this machine.
    ///
    /// # Errors
    /// If the system cannot start a thread. Errors of the model are those of [`wait`](Self::wait) and of calls.
    pub fn start(
        job: BackgroundJob,
        promise: LoadPromise,
    ) -> Result<BackgroundModel, CompileError> {
        let shared = Arc::new(Compilation::default());
        let builder = thread::Builder::new().name(NAME.to_owned()).stack_size(STACK_BYTES);
        let of_thread = shared.clone();
        let thread = builder.spawn(move || of_thread.run(&job, promise)).map_err(|error| {
            let message = format!("cannot start the thread of the compilation: {error}");
            CompileError::of(ErrorCode::Compile, NAME, message)
        })?;
        Ok(BackgroundModel { shared, thread: Some(thread) })
    }

    /// True if calls run the scheduled code. False while it is compiled, and if the compilation has failed.
    pub fn is_ready(&self) -> bool {
        matches!(self.shared.progress().outcome, Some(Ok(_)))
    }

    /// Waits for the end of the compilation.
    ///
    /// # Errors
    /// Those of [`Input::model`], [`Input::schedule_bytes`] and [`Input::machine_code`], and [`ErrorCode::Compile`] if the
    /// code cannot be loaded.
    pub fn wait(&self) -> Result<(), CompileError> {
        let mut progress = self.shared.progress();
        loop {
            match &progress.outcome {
                Some(outcome) => return outcome.as_ref().map(drop).map_err(Clone::clone),
                None => progress = self.shared.changed(progress),
            }
        }
    }

    /// The best code for a function so far. Waits for the unscheduled code if there is none yet.
    ///
    /// # Errors
    /// [`BackgroundError::Compile`] if the compilation has failed, and [`BackgroundError::Function`].
    pub fn kernel(&self, function: &str) -> Result<(CodeStage, Kernel), BackgroundError> {
        let (stage, kernels) = self.shared.code()?;
        Ok((stage, named(&kernels, function)?.clone()))
    }

    /// Calls a function, with the best code so far: [`Kernel::call`]. Waits for the unscheduled code if there is none yet.
    ///
    /// # Errors
    /// Those of [`kernel`](Self::kernel), and [`BackgroundError::Call`].
    pub fn call(
        &self,
        function: &str,
        pool: &dyn ParallelFor,
        arguments: &mut [Argument],
    ) -> Result<CodeStage, BackgroundError> {
        let (stage, kernels) = self.shared.code()?;
        named(&kernels, function)?.call(pool, arguments)?;
        Ok(stage)
    }

    /// Removes the warnings and remarks of the compilation so far, and returns them.
    pub fn take_reported(&self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.shared.progress().reported)
    }
}

impl fmt::Debug for BackgroundModel {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("BackgroundModel").field("is_ready", &self.is_ready()).finish()
    }
}

impl Drop for BackgroundModel {
    fn drop(&mut self) {
        self.shared.is_cancelled.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // It catches its panics.
            let _ = thread.join();
        }
    }
}

fn named<'k>(kernels: &'k [Kernel], function: &str) -> Result<&'k Kernel, BackgroundError> {
    kernels.iter().find(|kernel| kernel.name() == function).ok_or_else(|| {
        let names: Vec<&str> = kernels.iter().map(Kernel::name).collect();
        BackgroundError::Function { name: function.to_owned(), expected: names.join(", ") }
    })
}

impl Compilation {
    fn progress(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn changed<'g>(&self, progress: MutexGuard<'g, Progress>) -> MutexGuard<'g, Progress> {
        self.has_changed.wait(progress).unwrap_or_else(PoisonError::into_inner)
    }

    fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
    }

    /// The best code so far. Waits for the first one.
    fn code(&self) -> Result<(CodeStage, Arc<[Kernel]>), CompileError> {
        let mut progress = self.progress();
        loop {
            match (&progress.outcome, &progress.unscheduled) {
                (Some(Ok(kernels)), _) => return Ok((CodeStage::Scheduled, kernels.clone())),
                (Some(Err(error)), _) => return Err(error.clone()),
                (None, Some(kernels)) => return Ok((CodeStage::Unscheduled, kernels.clone())),
                (None, None) => progress = self.changed(progress),
            }
        }
    }

    /// The thread.
    fn run(&self, job: &BackgroundJob, promise: LoadPromise) {
        let compile = || {
            let context = context();
            let input = Input::new(&context, NAME);
            let outcome = self.compile(&input, job, promise);
            self.progress().reported.extend(input.take_reported());
            outcome
        };
        let outcome = match catch_unwind(AssertUnwindSafe(compile)) {
            Ok(Ok(kernels)) => kernels.map(Ok),
            Ok(Err(error)) => Some(Err(error)),
            Err(panic) => Some(Err(of_panic(&*panic))),
        };
        // There is no outcome only if the model is being dropped. No call can wait for it then.
        if let Some(outcome) = outcome {
            let mut progress = self.progress();
            progress.outcome = Some(outcome);
            progress.unscheduled = None;
            drop(progress);
            self.has_changed.notify_all();
        }
    }

    /// The kernels of the scheduled code; `None` if the compilation is cancelled.
    fn compile<'c>(
        &self,
        input: &Input<'c>,
        job: &BackgroundJob,
        promise: LoadPromise,
    ) -> Result<Option<Arc<[Kernel]>>, CompileError> {
        let (module, path) = read(input, job)?;
        let stage = |schedule| JobStage { job, path: &path, promise, schedule };
        let text = match &job.schedule {
            JobSchedule::None => return self.kernels(input, module, &stage(None)),
            JobSchedule::Strategies => None,
            JobSchedule::Text { bytes, name } => Some(input.schedule_bytes(bytes, name)?),
        };
        let copy = Module::from_operation(Operation::clone(&module.as_operation()));
        let copy = copy.expect("the copy of a module is a module");
        match self.kernels(input, copy, &stage(None)) {
            Ok(kernels) => {
                self.progress().unscheduled = kernels;
                self.has_changed.notify_all();
            }
            // The schedule may be what makes it possible to compile the model. Otherwise the error comes again.
            Err(_) => input.forget_errors(),
        }
        let schedule = text.as_ref().map_or(ModuleSchedule::Strategies, |it| it.schedule());
        self.kernels(input, module, &stage(Some(schedule)))
    }

    /// Compiles and loads a module; `None` if the compilation is cancelled.
    fn kernels<'c>(
        &self,
        input: &Input<'c>,
        mut module: Module<'c>,
        stage: &JobStage,
    ) -> Result<Option<Arc<[Kernel]>>, CompileError> {
        let JobStage { job, path, .. } = *stage;
        let settings = Settings {
            schedule: stage.schedule,
            strategies: job.strategies.clone(),
            schedule_by: job.schedule_by,
            contract: job.contract.as_deref(),
            check_bounds: job.check_bounds,
            target: CpuTarget::host(),
            cache: job.cache.clone(),
            ..Settings::default()
        };
        let refused = |message: String| CompileError::of(ErrorCode::Compile, path, message);
        for phases in PHASES.windows(2) {
            if self.is_cancelled() {
                return Ok(None);
            }
            input.lowered(&mut module, path, phases[0], phases[1], &settings)?;
        }
        let names = x86::kernels(&module);
        if self.is_cancelled() {
            return Ok(None);
        }
        let object = object(&module, &settings).map_err(|error| refused(error.to_string()))?;
        drop(module);
        let code = stage.promise.load(&object).map_err(|error| refused(error.to_string()))?;
        let kernels = names.iter().map(|(name, _)| code.kernel(name));
        let kernels = kernels.collect::<Result<Arc<[Kernel]>, _>>();
        kernels.map(Some).map_err(|error| refused(error.to_string()))
    }
}

/// The phases of the pipeline for x86.
const PHASES: [Phase; 6] =
    [Phase::Input, Phase::Linalg, Phase::Loop, Phase::Schedule, Phase::Vector, Phase::Llvm];

/// How one of the two codes is compiled.
struct JobStage<'j> {
    job: &'j BackgroundJob,
    /// The file of the model, for messages.
    path: &'j str,
    promise: LoadPromise,
    schedule: Option<ModuleSchedule<'j>>,
}

/// The module of a job, and its file in messages.
fn read<'c>(input: &Input<'c>, job: &BackgroundJob) -> Result<(Module<'c>, String), CompileError> {
    match &job.model {
        JobModel::File(path) => {
            Ok((input.model(path, &job.import)?, path.to_string_lossy().into_owned()))
        }
        JobModel::Module { bytes, name } => match job.import.dims.first() {
            None => Ok((input.module_bytes(bytes, name)?, name.clone())),
            Some((dimension, _)) => {
                let message = format!(
                    "is a module, expected an ONNX model for the size of dimension {dimension}"
                );
                Err(CompileError::of_file(ErrorCode::Option, name, message))
            }
        },
        JobModel::Onnx { bytes, path } => {
            let file = ModelFile::of_bytes(path, bytes)?;
            Ok((input.imported(&file, &job.import)?, path.to_string_lossy().into_owned()))
        }
    }
}

/// The error of a panic, which is a fault of this package, or of a strategy of the program.
fn of_panic(panic: &(dyn Any + Send)) -> CompileError {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    let text = text.unwrap_or("a panic without a message");
    CompileError::of(ErrorCode::Compile, NAME, format!("internal error: {text}"))
}
