//! `lw-run`: compiles a model and runs it.

#[path = "../allocator.rs"]
mod allocator;
mod arguments;
#[path = "../command_line.rs"]
mod command_line;
#[cfg(test)]
#[path = "../committed.rs"]
mod committed;
#[path = "../ffi/device.rs"]
mod device;
mod graph;
#[path = "../import.rs"]
mod import;
mod inputs;
#[path = "../ffi/linked.rs"]
mod linked;
#[path = "../log.rs"]
mod log;
mod options;
#[path = "../outputs.rs"]
mod outputs;
#[cfg(test)]
#[path = "../pages.rs"]
mod pages;
mod profile;
#[path = "../progress.rs"]
mod progress;
mod report;
mod run;
#[path = "../version.rs"]
mod version;

use arguments::{GeneratedInput, Inputs};
use inputs::Generator;
use loopwright::analysis::work;
use loopwright::codegen;
use loopwright::codegen::x86::Object;
use loopwright::codegen::{CacheKey, CodeCache, Jit, cuda, x86};
use loopwright::interpreter::{self, Datum};
use loopwright::ir::Severity;
use loopwright::machine::cuda::Gpu;
use loopwright::machine::table::MachineTable;
use loopwright::machine::x86::{CpuTarget, Description, describe_host, why_lacking};
use loopwright::pipeline::{
    self, Diagnostic, ErrorCode, Input, KernelReport, ModuleSchedule, Phase, Session, Settings,
    Weights, place,
};
use loopwright::schedule::trace::{self, MachineKind};
use loopwright::verify::numeric;
use loopwright_runtime::device::{Place, Program};
use loopwright_runtime::npy;
use loopwright_runtime::stderr;
use melior::Context;
use melior::ir::Module;
use options::{Options, Stop};
use profile::Profiled;
use report::Report;
use run::Outcome;
use std::process::ExitCode;
use std::time::Instant;
use tracing::debug;
use tracing::level_filters::LevelFilter;

fn main() -> ExitCode {
    loopwright::tool::catch_crashes("lw-run");
    let options = match Options::parse() {
        Ok(options) => options,
        Err(code) => return code,
    };
    options.log.around("lw-run", ExitCode::FAILURE, || match run(&options) {
        Ok(passed) if passed => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(message) => {
            stderr::print(format_args!("{message}\n"));
            ExitCode::FAILURE
        }
    })
}

/// Runs the commands of the options; returns whether all checks passed. The error is the message to print.
fn run(options: &Options) -> Result<bool, String> {
    if options.prints_machine() {
        return print_machine(options).map(|()| true);
    }
    let context = pipeline::context();
    let input = Input::new(&context, "lw-run");
    input.finish(run_model(options, &context, &input))
}

/// Prints the description of this machine, or the table of a GPU.
fn print_machine(options: &Options) -> Result<(), String> {
    let error = |error: String| format!("lw-run: error: {error}");
    if let Some(gpu) = options.gpu() {
        let gpu = Gpu::named(gpu.chip()).map_err(error)?;
        return report::show(&MachineTable::of_gpu(&gpu).to_string());
    }
    report::show(&describe_host().map_err(error)?.text())?;
    stderr::print(format_args!("{}", CpuTarget::host().table().map_err(error)?));
    Ok(())
}

/// Runs the commands of the options that need a model.
fn run_model<'c>(
    options: &Options,
    context: &'c Context,
    input: &Input<'c>,
) -> Result<bool, String> {
    let path = options.model().to_string_lossy();
    let mut module = input.model(options.model(), &import::options(&options.dim))?;
    let schedule = options.schedule.as_deref().map(|path| input.schedule(path)).transpose()?;
    let cache = options.code_cache();
    // A log shows the compiler at work, unless the user has asked for the cache.
    let is_read = options.cache.is_some() || LevelFilter::current() < LevelFilter::INFO;
    let settings = Settings {
        target: processor(options)?,
        cache: cache.clone().filter(|_| is_read),
        schedule: match &schedule {
            Some(read) => Some(read.schedule()),
            None if !options.uses_strategies() => None,
            None if options.is_for_gpu() => Some(ModuleSchedule::DeviceStrategies),
            None => Some(ModuleSchedule::Strategies),
        },
        strategies: input.strategies(&options.strategies)?,
        schedule_by: options.schedule_by,
        require_vector: options.require_vector,
        // The interpreter checks all.
        check_bounds: options.check_bounds || options.only_interprets(),
        contract: options.fp.as_deref(),
        lift_weight_transforms: !options.is_for_gpu(),
        kernels: match options.profile && !options.is_for_gpu() {
            true => KernelReport::Marked,
            false if options.dump_graph.is_some() => KernelReport::Listed,
            false => KernelReport::None,
        },
        device: options.gpu().cloned().unwrap_or_default(),
        without: options.without.clone(),
        session: Session {
            numerics: options.verify_each.as_ref().map(|_| numeric::SharedChecker::default()),
            ..Session::default()
        },
    };
    let reported = |outcome: Result<(), melior::Error>| {
        if let Some(numerics) = &settings.session.numerics {
            let remarks = numerics.0.borrow_mut().take_remarks();
            for remark in remarks {
                input.report(Diagnostic::of(Severity::Remark, &path, remark));
            }
        }
        outcome.map_err(|error| {
            String::from(input.explained(ErrorCode::Compile, &format!("{path}: {error}")))
        })
    };
    let lower = |module: &mut Module, from, to| {
        let lower = || pipeline::lower(context, module, from, to, &settings);
        let done = reported(progress::during("lowers the module", lower));
        if options.dump_strategy {
            settings
                .session
                .reports
                .borrow()
                .iter()
                .for_each(|report| stderr::print(format_args!("{report}")));
        }
        done
    };
    let first = options.compile_from;
    let is_shown = options.print_schedule || options.compile_to.is_some();
    if !is_shown || options.entry.is_some() {
        arguments::entry(&module, options.entry(), &path)?;
        // A schedule may name any function.
        if options.schedule.is_none() {
            reported(pipeline::keep_only(context, &mut module, options.entry()))?;
        }
    }
    if options.print_schedule {
        lower(&mut module, first, options.last())?;
        let reports = settings.session.reports.take();
        let traces: Vec<_> = reports.iter().map(|report| &report.trace).collect();
        let machine = if options.is_for_gpu() { MachineKind::Gpu } else { MachineKind::Cpu };
        report::show(&trace::default_script(&traces, machine))?;
        return Ok(true);
    }
    if let Some(stop) = options.compile_to {
        lower(&mut module, first, options.last())?;
        graph::draw(options, &settings.session.kernels.borrow(), None)?;
        report::show(&code(&module, stop, &settings)?)?;
        return Ok(true);
    }
    let signature = arguments::Signature::of(&module, options.entry(), &path)?;
    let Some(target) = options.place() else {
        lower(&mut module, first, options.executed())?;
        let Inputs { tensors, generated } = signature.inputs(&options.input, None)?;
        let arguments = arguments::bind(&module, options.entry(), &signature, &tensors)?;
        let start = Instant::now();
        let results =
            progress::during("interprets the function", || interpret(&module, options, arguments))?;
        let milliseconds = start.elapsed().as_secs_f64() * 1e3;
        let outputs = signature.outputs(results)?;
        graph::draw(options, &settings.session.kernels.borrow(), None)?;
        let outcome =
            Outcome { outputs, milliseconds, measurement: None, profiles: vec![], kernels: None };
        return finish(options, generated, outcome, &signature.are_complex());
    };
    let device = device::open(target, options.device_settings())
        .map_err(|error| format!("lw-run: error: {error}"))?;
    let called = first.max(Phase::Loop);
    lower(&mut module, first, called)?;
    let is_repeated = options.time.is_some() || settings.kernels == KernelReport::Marked;
    let fallback = is_repeated.then_some(Generator::Random { seed: 0 });
    let Inputs { tensors, generated } = signature.inputs(&options.input, fallback)?;
    let passed = arguments::pass(&module, options.entry(), &signature, &tensors)?;
    let work = work_of(&module, options.entry(), &passed)?;
    if target != Place::Cpu {
        lower(&mut module, called, Phase::Ptx)?;
        let program = cuda::program(&module, &settings.device)
            .map_err(|error| format!("{}: error: {}", place(&error.location), error.message))?;
        graph::draw(options, &settings.session.kernels.borrow(), None)?;
        let outcome = run::run(Program::Ptx(&program), &device, options, passed, work, None)?;
        return finish(options, generated, outcome, &signature.are_complex());
    }
    let error = |error: codegen::CodegenError| format!("{path}: error: {error}");
    // The interpreter, which checks numbers, needs them in the module.
    let weights = match settings.session.numerics {
        None => Weights::detach(context, &mut module),
        Some(_) => Weights::default(),
    };
    let entry = cache.map(|cache| {
        let key = pipeline::key(&module, called, &settings);
        key.map(|key| (cache, key)).map_err(|message| format!("{path}: error: {message}"))
    });
    let entry = entry.transpose()?;
    let found = entry.as_ref().filter(|_| is_read).and_then(|(cache, key)| cache.get(key));
    let object = match found {
        Some(object) => object,
        None => {
            let reported = input.reported();
            lower(&mut module, called, Phase::Llvm)?;
            let compile = || pipeline::object(&module, &settings);
            let object = progress::during("compiles to machine code", compile).map_err(error)?;
            // The next run must report the same warnings and remarks.
            if let Some((cache, key)) = entry.filter(|_| input.reported() == reported) {
                keep(options, &cache, &key, &object);
            }
            object
        }
    };
    let run = |code: &Jit| {
        let kernel = code.kernel(options.entry())?;
        let profiled = options.profile.then(|| Profiled {
            kernels: settings.session.kernels.borrow().clone(),
            machine: settings.target.machine.clone(),
        });
        Ok(run::run(Program::Kernels(&[kernel]), &device, options, passed, work, profiled.as_ref()))
    };
    let outcome = linked::with_linked(&object, weights, run).map_err(error)??;
    graph::draw(options, &settings.session.kernels.borrow(), outcome.kernels.as_ref())?;
    finish(options, generated, outcome, &signature.are_complex())
}

/// Writes an entry of the cache. It saves time only: the run does not depend on it.
fn keep(options: &Options, cache: &CodeCache, key: &CacheKey, object: &Object) {
    match cache.put(key, object) {
        Err(error) if options.cache.is_some() => {
            stderr::print(format_args!(
                "lw-run: warning: --cache: {error}, so the code is not kept\n"
            ));
        }
        Err(error) => debug!(target: "loopwright::codegen", %error, "the code is not kept"),
        Ok(()) => {}
    }
}

/// The processor to generate code for: this machine's, one by name, or that of a machine in a file. To run here, the code
/// must use only instructions that this machine has.
fn processor(options: &Options) -> Result<CpuTarget, String> {
    let host = CpuTarget::host();
    let (option, target) = match (&options.cpu, &options.machine) {
        (Some(cpu), _) => ("--cpu", CpuTarget::named(cpu)),
        (None, Some(Some(path))) => {
            let described = Description::read(path);
            let described =
                described.map_err(|error| format!("lw-run: error: --machine: {error}"))?;
            ("--machine", CpuTarget::described(described))
        }
        (None, None | Some(None)) => return Ok(host),
    };
    let error = |message| format!("lw-run: error: {option}: {message}");
    let lacks = target.lacks(&host).map_err(error)?;
    let prints = options.compile_to.is_some() || options.print_schedule;
    let runs = !prints && options.place() == Some(Place::Cpu);
    match lacks.filter(|_| runs) {
        Some(feature) => Err(format!(
            "lw-run: error: code for {} may use {feature}, {}: print it with --compile-to, or run it \
             without {option}",
            target.cpu,
            why_lacking(feature)
        )),
        None => Ok(target),
    }
}

/// The text of the module at the phase where compilation stops.
fn code(module: &Module, stop: Stop, settings: &Settings) -> Result<String, String> {
    let options =
        x86::CodegenOptions { target: settings.target.clone(), ..x86::CodegenOptions::default() };
    let error = |error: codegen::CodegenError| format!("lw-run: error: {error}");
    match stop {
        Stop::Phase(Phase::Ptx) => {
            let none = "lw-run: error: there is no kernel: expected a nest with bound loops";
            cuda::ptx(module).map(str::to_owned).ok_or_else(|| none.to_owned())
        }
        Stop::Phase(_) => Ok(module.as_operation().to_string()),
        Stop::LlvmIr => x86::optimize(module, &options).map(|it| it.llvm_ir()).map_err(error),
        Stop::Assembly => {
            x86::optimize(module, &options).and_then(|it| it.assembly()).map_err(error)
        }
    }
}

/// The work of the call, if it stays within its buffers.
fn work_of(
    module: &Module,
    entry: &str,
    passed: &arguments::Passed,
) -> Result<Option<work::Work>, String> {
    let sizes = passed.sizes();
    work::check_bounds(module, entry, &sizes)
        .map_err(|error| format!("{}: error: {}", place(&error.location), error.message))?;
    Ok(work::count(module, entry, &sizes))
}

/// Interprets the function; returns its results and then the contents of its destination arguments.
fn interpret(
    module: &Module,
    options: &Options,
    arguments: arguments::Bound,
) -> Result<Vec<Datum>, String> {
    let limits =
        interpreter::RunOptions { seed: options.seed, max_iterations: options.max_iterations };
    let results = interpreter::run(module, options.entry(), arguments.data, limits)
        .map_err(|error| format!("{}: error: {}", place(&error.location), error.message))?;
    Ok(results.into_iter().chain(arguments.destinations).collect())
}

/// Writes and checks the outputs, and prints the report.
fn finish(
    options: &Options,
    generated: Vec<GeneratedInput>,
    outcome: Outcome,
    are_complex: &[bool],
) -> Result<bool, String> {
    let Outcome { outputs, .. } = &outcome;
    let report = Report::new(options, generated, &outcome, are_complex)?;
    for ((path, output), is_complex) in options.output.iter().zip(outputs).zip(are_complex) {
        let write = if *is_complex { npy::write_complex } else { npy::write };
        write(path, output).map_err(|e| format!("lw-run: error: {e}"))?;
    }
    report::show(&report.text(options.json)?)?;
    Ok(report.passed())
}
