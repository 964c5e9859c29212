//! `lw-compile`: compiles a model to a library, an archive or an object file and a C header, or to a bundle of programs
//! for GPUs.

#[path = "../allocator.rs"]
mod allocator;
#[path = "../command_line.rs"]
mod command_line;
#[path = "../import.rs"]
mod import;
#[path = "../log.rs"]
mod log;
mod options;
#[path = "../outputs.rs"]
mod outputs;
#[path = "../progress.rs"]
mod progress;
#[path = "../target.rs"]
mod target;
#[path = "../version.rs"]
mod version;

use loopwright::codegen::x86::{self, Object};
use loopwright::codegen::{check_c_name, cuda, header, symbols};
use loopwright::machine::x86::{CpuTarget, Description};
use loopwright::pipeline::{
    self, FunctionInterface, Input, ModuleSchedule, Phase, Settings, place,
};
use loopwright_runtime::gpu::Bundle;
use loopwright_runtime::replace;
use melior::Context;
use melior::ir::Module;
use options::{Options, OutputKind};
use std::fs;
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    loopwright::tool::catch_crashes("lw-compile");
    let options = match Options::parse() {
        Ok(options) => options,
        Err(code) => return code,
    };
    let work = || {
        let context = pipeline::context();
        let input = Input::new(&context, "lw-compile");
        input.finish(match options.kind() {
            Some(OutputKind::Bundle) => bundle(&options, &context, &input),
            _ => run(&options, &context, &input),
        })
    };
    options.log.around("lw-compile", ExitCode::FAILURE, || {
        match progress::during("compiles the model", work) {
            Ok(()) => ExitCode::SUCCESS,
            Err(message) => {
                eprintln!("{message}");
                ExitCode::FAILURE
            }
        }
    })
}

/// Writes a bundle. The error is the message to print.
fn bundle<'c>(options: &Options, context: &'c Context, input: &Input<'c>) -> Result<(), String> {
    let path = options.model.to_string_lossy();
    let schedule = options.schedule.as_deref().map(|path| input.schedule(path)).transpose()?;
    let mut bundle = Bundle::default();
    for device in options.gpus() {
        let mut module = input.model(&options.model, &import::options(&options.dim))?;
        let settings = Settings {
            device: device.clone(),
            schedule: Some(match &schedule {
                Some(read) => read.schedule(),
                None => ModuleSchedule::DeviceStrategies,
            }),
            strategies: input.strategies(&options.strategies)?,
            schedule_by: options.schedule_by,
            require_vector: options.require_vector,
            contract: options.fp.as_deref(),
            ..Settings::default()
        };
        pipeline::lower(context, &mut module, Phase::Input, Phase::Ptx, &settings)
            .map_err(|error| input.explained(&format!("{path}: {error}")))?;
        let program = cuda::program(&module, device)
            .map_err(|error| format!("{}: error: {}", place(&error.location), error.message))?;
        bundle.programs.push(program);
    }
    let output = &options.output;
    bundle
        .write(output)
        .map_err(|error| format!("lw-compile: error: {}: {error}", output.display()))
}

/// Writes a library, an archive or an object file, and its header. The error is the message to print.
fn run<'c>(options: &Options, context: &'c Context, input: &Input<'c>) -> Result<(), String> {
    let path = options.model.to_string_lossy();
    let mut module = input.model(&options.model, &import::options(&options.dim))?;
    // In C, the name main is the program's.
    pipeline::rename_function(&mut module, "main", &options.name())
        .map_err(|error| format!("lw-compile: error: {error}: give another --name"))?;
    check_names(&module)?;
    let schedule = options.schedule.as_deref().map(|path| input.schedule(path)).transpose()?;
    let settings = Settings {
        target: processor(options)?,
        schedule: Some(match &schedule {
            Some(read) => read.schedule(),
            None => ModuleSchedule::Strategies,
        }),
        strategies: input.strategies(&options.strategies)?,
        schedule_by: options.schedule_by,
        require_vector: options.require_vector,
        contract: options.fp.as_deref(),
        lift_weight_transforms: true,
        ..Settings::default()
    };
    let lower = |module: &mut Module, from, to| {
        pipeline::lower(context, module, from, to, &settings)
            .map_err(|error| input.explained(&format!("{path}: {error}")))
    };
    lower(&mut module, Phase::Input, Phase::Vector)?;
    pipeline::fold_weight_transforms(context, &mut module, &settings)
        .map_err(|error| format!("{path}: error: {error}"))?;
    lower(&mut module, Phase::Vector, Phase::Llvm)?;
    let kernels = x86::kernels(&module);
    if kernels.is_empty() {
        return Err(format!(
            "{path}: error: has no public function, expected one that becomes a kernel"
        ));
    }
    let object =
        pipeline::object(&module, &settings).map_err(|error| format!("{path}: error: {error}"))?;
    let stem = options.output.file_stem().unwrap_or_default().to_string_lossy();
    let bytes = match options.kind() {
        Some(OutputKind::Object) => object.bytes().to_vec(),
        Some(OutputKind::Archive) => object
            .archive(&format!("{stem}.o"))
            .map_err(|error| format!("lw-compile: error: {error}"))?,
        _ => linked(&object).map_err(|error| format!("lw-compile: error: {error}"))?,
    };
    let header_path = options.header();
    let header_name = header_path.file_name().unwrap_or_default().to_string_lossy();
    let text = header(&header_name, &kernels);
    replace::files(&[(&header_path, text.as_bytes()), (&options.output, &bytes)]).map_err(
        |(path, error)| {
            format!("lw-compile: error: {}: cannot be written: {error}", path.display())
        },
    )
}

/// The processor to generate code for.
fn processor(options: &Options) -> Result<CpuTarget, String> {
    match (&options.cpu, &options.machine) {
        (Some(cpu), _) => Ok(CpuTarget::named(cpu)),
        (None, Some(path)) => Description::read(path)
            .map(CpuTarget::described)
            .map_err(|error| format!("lw-compile: error: --machine: {error}")),
        (None, None) => Ok(CpuTarget::host()),
    }
}

/// Checks that a header can declare the kernels, and that their symbols are distinct.
fn check_names(module: &Module) -> Result<(), String> {
    let mut declared: Vec<(String, String)> = vec![];
    let functions = pipeline::functions(module).into_iter();
    for FunctionInterface { name, location, .. } in
        functions.filter(|it| it.is_public && it.is_defined)
    {
        let error = |message: String| format!("{}: error: {message}", place(&location));
        check_c_name(&name)
            .map_err(|it| error(format!("a function cannot be exported to C: {it}")))?;
        for symbol in symbols(&name) {
            if let Some((_, other)) = declared.iter().find(|(it, _)| *it == symbol) {
                return Err(error(format!(
                    "functions '{other}' and '{name}' would both declare '{symbol}' in the header, expected \
                     names that differ by more than _workspace or _signature"
                )));
            }
            declared.push((symbol, name.clone()));
        }
    }
    Ok(())
}

/// Links an object to a shared library with the system's C compiler, `$CC` or `cc`.
fn linked(object: &Object) -> Result<Vec<u8>, String> {
    let folder = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    let (input, output) = (folder.path().join("kernels.o"), folder.path().join("kernels.so"));
    object.write(&input).map_err(|error| error.to_string())?;
    let linker = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let outcome =
        Command::new(&linker).args(["-shared", "-o"]).args([&output, &input]).arg("-lm").output();
    let outcome = outcome.map_err(|error| format!("cannot run the linker {linker}: {error}"))?;
    if !outcome.status.success() {
        let said = String::from_utf8_lossy(&outcome.stderr);
        let said = said.lines().next().unwrap_or("it printed no message");
        return Err(format!("the linker {linker} failed: {said}"));
    }
    fs::read(&output)
        .map_err(|error| format!("the linker {linker} has written no library: {error}"))
}
