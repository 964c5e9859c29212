//! Runs the pipeline: lowers modules through the phases in this process.

use super::{Parameters, Phase, tosa};
use crate::analysis::kernels::{self, Kernel};
use crate::auto_schedule::{self, ScheduleBy};
use crate::codegen;
use crate::codegen::cuda;
use crate::codegen::x86::Object;
use crate::codegen::{CacheKey, CodeCache, x86};
use crate::dialect::contract;
use crate::ffi::instrument::{instrument, log};
use crate::ir::{Attribute, Error, ModuleRef, Op, handle_of, op_of, top};
use crate::lowering::cpu::instrument_kernels;
use crate::machine::cuda::Gpu;
use crate::machine::table::MachineTable;
use crate::machine::x86::CpuTarget;
use crate::schedule::trace::MachineKind;
use crate::schedule::trace::observer::Observer;
use crate::schedule::{apply_script, trace};
use crate::strategy::{Report, Strategies};
use crate::verify::numeric;
use melior::ir::Module;
use melior::pass::PassManager;
use melior::utility::{
    parse_pass_pipeline, register_all_dialects, register_all_llvm_translations, register_all_passes,
};
use melior::{Context, dialect::DialectRegistry};
use std::cell::RefCell;
use std::sync::Arc;
use tracing::info;

/// The settings of lowering.
#[derive(Default)]
pub struct Settings<'s> {
    /// The schedule that is applied to the module in loop form.
    pub schedule: Option<ModuleSchedule<'s>>,
    /// The strategies that default schedules are chosen from.
    pub strategies: Arc<Strategies>,
    /// How one of several strategies is chosen; `None` is the default of the target.
    pub schedule_by: Option<ScheduleBy>,
    /// True if a vectorized loop that has no vector form is an error.
    pub require_vector: bool,
    /// True if compiled code ends with a located error before it accesses memory out of bounds.
    pub check_bounds: bool,
    /// True if what depends on weights alone, such as their packed form, is computed when the code is loaded, and not in
    /// each call. On x86 only. The code then has a function [`TRANSFORM`](crate::dialect::weight::TRANSFORM), which must
    /// run before all others: [`Jit::load_with`](codegen::Jit::load_with) calls it.
    /// [`fold_weight_transforms`](super::fold_weight_transforms) replaces it by its results.
    pub lift_weight_transforms: bool,
    /// What the session receives about the [`kernels`](crate::analysis::kernels) of the module.
    pub kernels: KernelReport,
    /// The floating-point contract of functions that state none: strict, reassoc or fast.
    pub contract: Option<&'s str>,
    /// The processor to generate code for.
    pub target: CpuTarget,
    /// The GPU to generate code for.
    pub device: cuda::GpuTarget,
    /// Names of passes to leave out.
    pub without: Vec<String>,
    /// The cache of the code of parts of modules: what two modules have in common is compiled once. On x86 only.
    pub cache: Option<CodeCache>,
    /// What observes the compilation, and what it reports.
    pub session: Session,
}

/// What a compilation reports about kernels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KernelReport {
    /// Nothing.
    #[default]
    None,
    /// The kernels, with their work and buffers.
    Listed,
    /// Listed, and the code marks where each kernel begins and ends: see [`profile`](loopwright_runtime::profile). On x86
    /// only.
    Marked,
}

/// What observes a compilation, and what it has reported. It is passed with the [`Settings`]; by default it observes
/// nothing.
#[derive(Default)]
pub struct Session {
    /// Observes schedule steps, and passes of this package.
    pub observer: Observer,
    /// Checks the results of functions after each pass.
    pub numerics: Option<numeric::SharedChecker>,
    /// The reports of default schedules, one for each function.
    pub reports: RefCell<Vec<Report>>,
    /// The kernels of the module, if the settings ask for them.
    pub kernels: RefCell<Vec<Kernel>>,
}

/// The schedule of a module in loop form.
#[derive(Clone, Copy, Debug)]
pub enum ModuleSchedule<'s> {
    /// A transform script.
    Script(&'s Module<'s>),
    /// A trace, which is applied to its function.
    Trace(&'s trace::TraceSource<'s>),
    /// The default schedules for the processor; the session receives a report about each function.
    Strategies,
    /// The default schedules for the device; likewise.
    DeviceStrategies,
}

impl<'s> ModuleSchedule<'s> {
    fn is_by_strategies(self) -> bool {
        matches!(self, ModuleSchedule::Strategies | ModuleSchedule::DeviceStrategies)
    }

    /// For what the schedule is, if it is the default schedules of fusion groups, or a script that was printed of them.
    ///
    /// # Errors
    /// If a script is for an unknown machine, or for another one than a module in the phase `to`.
    fn of_groups(self, to: Phase) -> Result<Option<MachineKind>, Error<'s>> {
        let script = match self {
            ModuleSchedule::Strategies => return Ok(Some(MachineKind::Cpu)),
            ModuleSchedule::DeviceStrategies => return Ok(Some(MachineKind::Gpu)),
            ModuleSchedule::Trace(_) => return Ok(None),
            ModuleSchedule::Script(script) => script,
        };
        let found = MachineKind::of_script(script)?;
        match (found, to.machine()) {
            (Some(of), Some(machine)) if of != machine => {
                let message = format!(
                    "has default schedules for a {of}, but the module is lowered for a {machine}: print those of this \
                     target (--print-schedule)"
                );
                Err(Error::on(top(script), message))
            }
            _ => Ok(found),
        }
    }

    /// The word in a log.
    fn word(self) -> &'static str {
        match self {
            ModuleSchedule::Script(_) => "script",
            ModuleSchedule::Trace(_) => "trace",
            ModuleSchedule::Strategies => "strategies",
            ModuleSchedule::DeviceStrategies => "device strategies",
        }
    }
}

/// The dialects of ops that schedules and strategies create, which no pass loads for them. `canonicalize` tries the
/// patterns of every loaded dialect, so other dialects are loaded only when a module or a pass needs them.
const DIALECTS: [&str; 11] = [
    "affine", "arith", "func", "graph", "linalg", "loop", "math", "memref", "scf", "tensor",
    "vector",
];

/// A context with all dialects of MLIR and of this package, and with its passes registered.
pub fn context() -> Context {
    let registry = DialectRegistry::new();
    register_all_dialects(&registry);
    crate::pass::register_dialects(&registry);
    register_upstream_passes();
    super::register_passes();
    let context = Context::new();
    context.append_dialect_registry(&registry);
    register_all_llvm_translations(&context);
    for dialect in DIALECTS {
        context.get_or_load_dialect(dialect);
    }
    context
}

fn register_upstream_passes() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(register_all_passes);
}

/// Lowers a module from one phase to a later one.
///
/// # Errors
/// If there is no path between the phases, LLVM does not support the processor, or a pass or the schedule fails. The
/// reason is reported to the context's diagnostic handlers.
///
/// # Panics
/// If the module is of another context.
pub fn lower(
    context: &Context,
    module: &mut Module,
    from: Phase,
    to: Phase,
    settings: &Settings,
) -> Result<(), melior::Error> {
    check_context(context, module);
    let refuse = |message: String| refused(top(module), &message);
    let vectors = settings.target.vectors().map_err(refuse)?;
    let has = |intrinsic| settings.target.has_intrinsic(intrinsic).map_err(refuse);
    let has_unsigned = has("x86.vpdpbusd")? && !has("x86.tdpbssd")?;
    let groups = settings.schedule.map(|schedule| schedule.of_groups(to)).transpose();
    let fuse_ops = groups.map(Option::flatten).map_err(|error| {
        error.emit();
        melior::Error::RunPass
    })?;
    let is_by_user = settings.schedule.is_none_or(|schedule| !schedule.is_by_strategies());
    let mut cache_bytes = Parameters::default().cache_bytes;
    if fuse_ops == Some(MachineKind::Cpu) {
        let processor = settings.target.processor().map_err(refuse)?;
        let l3 = processor.caches.l3.min(processor.streaming_from);
        cache_bytes = [processor.caches.l2, l3].map(|bytes| bytes.try_into().unwrap_or(i64::MAX));
    }
    let parameters = Parameters {
        vector_bits: vectors.bits.into(),
        vector_registers: vectors.registers.into(),
        cache_bytes,
        has_fma: vectors.has_fma,
        require_vector: settings.require_vector,
        check_bounds: settings.check_bounds,
        remarks: is_by_user,
        fuse_ops,
        compensate_signed_bytes: fuse_ops == Some(MachineKind::Cpu) && has_unsigned,
        lift_weight_transforms: settings.lift_weight_transforms,
        device: settings.device.clone(),
        without: settings.without.clone(),
    };
    // For passes, and for the transform ops of a script.
    let _attached = settings.session.observer.attach(handle_of(context));
    let Some(phases) = from.to(to) else {
        let (from, to) = (from.word(), to.word());
        Error::on(
            top(module),
            format!("is in phase {from}, from which no path leads to phase {to}"),
        )
        .emit();
        return Err(melior::Error::RunPass);
    };
    for phase in phases {
        let _span = phase.span().entered();
        context.enable_multi_threading(is_worth_threads(module));
        if phase == Phase::Linalg {
            tosa::convert(context, module)?;
        }
        if phase == Phase::Loop {
            state_contract(top(module), settings);
        }
        let passes = parameters.passes_to(phase);
        run_unverified(context, module, &passes, settings.session.numerics.as_ref())?;
        // A function in loop form, which a pass may have made, is scheduled by the schedule of the settings, or by a caller
        // whose lowering ends here.
        if matches!(phase, Phase::Loop | Phase::Schedule) {
            state_contract(top(module), settings);
        }
        if phase != Phase::Schedule {
            continue;
        }
        let module = top(module);
        match &settings.session.numerics {
            None => schedule(module, settings)?,
            Some(numerics) => {
                numerics.0.borrow_mut().expect(&text_of(settings.schedule));
                let done =
                    numerics.checked("schedule", module, || schedule(module, settings).is_ok());
                done.map_err(|()| melior::Error::RunPass)?;
            }
        }
        report_kernels(module, settings).map_err(|error| {
            error.emit();
            melior::Error::RunPass
        })?;
    }
    verified(module, settings.session.numerics.is_some())
}

/// Reports why a module cannot be lowered for a processor.
fn refused(module: Op, message: &str) -> melior::Error {
    Error::on(module, format!("cannot be lowered for the given processor: {message}")).emit();
    melior::Error::RunPass
}

/// Panics if a module is of another context: its passes would create ops that the context does not know.
fn check_context(context: &Context, module: &Module) {
    assert!(top(module).context() == handle_of(context), "the module is of another context");
}

/// True if there are so many functions that running passes on several at once saves more time than threads cost.
fn is_worth_threads(module: &Module) -> bool {
    const FUNCTIONS: usize = 16;
    let ops = top(module).body(0).map(|body| body.ops()).unwrap_or_default();
    ops.len() >= FUNCTIONS
}

/// A schedule as text; the numbers in it determine the sizes that numeric checks try.
fn text_of(schedule: Option<ModuleSchedule>) -> String {
    match schedule {
        None => String::new(),
        Some(ModuleSchedule::Script(script)) => top(script).to_string(),
        Some(ModuleSchedule::Trace(source)) => source.trace.spelt(trace::Spelling::Script),
        Some(ModuleSchedule::Strategies | ModuleSchedule::DeviceStrategies) => String::new(),
    }
}

/// Runs passes on a module, given as text inside of `builtin.module(..)`.
pub fn run(context: &Context, module: &mut Module, passes: &str) -> Result<(), melior::Error> {
    run_checked(context, module, passes, None)
}

/// As [`run`], but interprets the functions before and after each pass if `numerics` is given.
pub fn run_checked(
    context: &Context,
    module: &mut Module,
    passes: &str,
    numerics: Option<&numeric::SharedChecker>,
) -> Result<(), melior::Error> {
    run_unverified(context, module, passes, numerics)?;
    verified(module, numerics.is_some())
}

/// True if the module is verified after each pass. Verification takes two fifths of the time of short passes, so a build
/// without assertions verifies once, after the last, if no numbers are checked.
fn verifies_each(is_checked: bool) -> bool {
    cfg!(debug_assertions) || is_checked
}

/// Verifies the module, if that was not done after each pass.
fn verified(module: &Module, is_checked: bool) -> Result<(), melior::Error> {
    let is_valid = verifies_each(is_checked) || top(module).verify();
    is_valid.then_some(()).ok_or(melior::Error::RunPass)
}

fn run_unverified(
    context: &Context,
    module: &mut Module,
    passes: &str,
    numerics: Option<&numeric::SharedChecker>,
) -> Result<(), melior::Error> {
    check_context(context, module);
    let manager = PassManager::new(context);
    manager.enable_verifier(verifies_each(numerics.is_some()));
    let text = format!("builtin.module({passes})");
    parse_pass_pipeline(manager.as_operation_pass_manager(), &text)?;
    if let Some(numerics) = numerics {
        numerics.0.borrow_mut().expect(&text);
        instrument(&manager, Box::new(numerics.clone()));
    }
    log(&manager);
    manager.run(module)
}

/// Gives the session the kernels of a scheduled module, and marks them if the settings say so.
fn report_kernels<'c>(module: Op<'c>, settings: &Settings) -> Result<(), Error<'c>> {
    if settings.kernels == KernelReport::None {
        return Ok(());
    }
    let (ops, kernels): (Vec<Op>, _) = kernels::kernels(module)?.into_iter().unzip();
    if settings.kernels == KernelReport::Marked {
        instrument_kernels::instrument(module, &ops)?;
    }
    *settings.session.kernels.borrow_mut() = kernels;
    Ok(())
}

/// Gives the contract of the settings to the functions that state none.
fn state_contract(module: Op, settings: &Settings) {
    let Some(contract) = settings.contract else { return };
    let functions = module.body(0).map(|body| body.ops()).unwrap_or_default();
    let states_none = |op: &Op| op.is("func.func") && op.attribute(contract::ATTRIBUTE).is_none();
    for function in functions.into_iter().filter(states_none) {
        let contract = Attribute::string(module.context(), contract);
        function.set_attribute(contract::ATTRIBUTE, contract);
    }
}

/// Applies the schedule, which respects the contract of each function.
fn schedule(module: Op, settings: &Settings) -> Result<(), melior::Error> {
    let Session { observer, reports, .. } = &settings.session;
    let chosen = settings.schedule.map_or("none", ModuleSchedule::word);
    info!(target: "loopwright::pipeline", schedule = %chosen, "the schedule of the module");
    let by_time = |default| settings.schedule_by.unwrap_or(default) == ScheduleBy::Auto;
    let applied = match settings.schedule {
        None => return Ok(()),
        Some(ModuleSchedule::Script(script)) => apply_script(module, top(script)),
        Some(ModuleSchedule::Trace(source)) => {
            trace::replay_observed(module, source, false, observer).map_err(|error| error.emit())
        }
        Some(ModuleSchedule::Strategies) => {
            let processor =
                settings.target.processor().map_err(|message| refused(module, &message))?;
            let table =
                by_time(ScheduleBy::OF_PROCESSORS).then(|| settings.target.table()).transpose();
            let table = table.map_err(|message| refused(module, &message))?;
            let strategies = &settings.strategies.x86;
            auto_schedule::apply_to_all(module, strategies, &processor, table.as_ref(), observer)
                .map(|made| reports.borrow_mut().extend(made))
                .map_err(|error| error.emit())
        }
        Some(ModuleSchedule::DeviceStrategies) => {
            let gpu =
                Gpu::named(settings.device.chip()).map_err(|message| refused(module, &message))?;
            let table = by_time(ScheduleBy::OF_GPUS).then(|| MachineTable::of_gpu(&gpu));
            let strategies = &settings.strategies.nvptx;
            auto_schedule::apply_to_all(module, strategies, &gpu, table.as_ref(), observer)
                .map(|made| reports.borrow_mut().extend(made))
                .map_err(|error| error.emit())
        }
    };
    let done = applied.is_ok() && module.verify();
    done.then_some(()).ok_or(melior::Error::RunPass)
}

/// Compiles a module in [`Phase::Llvm`] to machine code.
pub fn object<'c>(
    module: impl ModuleRef<'c>,
    settings: &Settings,
) -> Result<Object, codegen::CodegenError> {
    let options = x86::CodegenOptions {
        target: settings.target.clone(),
        parts: settings.cache.clone(),
        ..x86::CodegenOptions::default()
    };
    x86::compile(module, &options)
}

/// The cache key of the machine code of a module that starts in a phase: its text, the settings of lowering, the
/// processor, and the compiler.
///
/// # Errors
/// If LLVM does not support the processor.
pub fn key<'c>(
    module: impl ModuleRef<'c>,
    from: Phase,
    settings: &Settings,
) -> Result<CacheKey, String> {
    let Settings {
        schedule,
        strategies,
        schedule_by,
        require_vector,
        check_bounds,
        lift_weight_transforms,
        kernels,
        contract,
        target,
        device: _,
        without,
        cache: _,
        session: _,
    } = settings;
    let CpuTarget { triple, cpu, features, machine: _ } = target;
    let options = format!(
        "{require_vector} {check_bounds} {lift_weight_transforms} {kernels:?} {contract:?} {without:?} {triple} {cpu} {features}"
    );
    let schedule = match schedule {
        Some(ModuleSchedule::Strategies) => {
            let by = schedule_by.unwrap_or(ScheduleBy::OF_PROCESSORS);
            let times = (by == ScheduleBy::Auto).then(|| target.table()).transpose()?;
            format!("strategies {:?} {times:?} {}", target.processor()?, strategies.x86.identity())
        }
        other => text_of(*other),
    };
    // Errors of checked code name locations.
    let text = match check_bounds {
        true => op_of(module).text_with_locations(),
        false => op_of(module).to_string(),
    };
    Ok(CacheKey::of([text.as_str(), from.word(), &schedule, &options]))
}
