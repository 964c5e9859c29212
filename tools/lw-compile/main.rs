//! `lw-compile`: compiles a model to a library or an object file and a C header, or to a bundle of programs for GPUs.

#[path = "../log.rs"]
mod log;
mod options;

use loopwright::codegen::cuda;
use loopwright::codegen::header;
use loopwright::codegen::x86::{self, Object};
use loopwright::ir::{Attribute, Op, top};
use loopwright::machine::x86::CpuTarget;
use loopwright::pipeline::{self, Input, ModuleSchedule, Phase, Settings, place};
use loopwright_runtime::gpu::Bundle;
use loopwright_runtime::replace;
use options::Options;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    loopwright::ffi::catch_crashes("lw-compile");
    let options = match Options::parse() {
        Ok(options) => options,
        Err(code) => return code,
    };
    let compile = if options.target.is_empty() { run } else { bundle };
    options.log.around("lw-compile", ExitCode::FAILURE, || match compile(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    })
}

/// Writes a bundle. The error is the message to print.
fn bundle(options: &Options) -> Result<(), String> {
    let context = pipeline::context();
    let input = Input::new(&context, "lw-compile");
    let path = options.model.to_string_lossy();
    let schedule = options.schedule.as_deref().map(|path| input.schedule(path)).transpose()?;
    let mut bundle = Bundle::default();
    for device in &options.target {
        let mut module = input.module(&options.model)?;
        let settings = Settings {
            device: device.clone(),
            schedule: Some(match &schedule {
                Some(read) => read.schedule(),
                None => ModuleSchedule::DeviceStrategies,
            }),
            require_vector: options.require_vector,
            contract: options.fp.as_deref(),
            ..Settings::default()
        };
        pipeline::lower(&context, &mut module, Phase::Input, Phase::Ptx, &settings)
            .map_err(|error| input.explained(&format!("{path}: {error}")))?;
        let program = cuda::program(top(&module), device)
            .map_err(|error| format!("{}: error: {}", place(&error.location), error.message))?;
        bundle.programs.push(program);
    }
    let output = &options.output;
    bundle
        .write(output)
        .map_err(|error| format!("lw-compile: error: {}: {error}", output.display()))
}

/// Writes a library or an object file. The error is the message to print.
fn run(options: &Options) -> Result<(), String> {
    let context = pipeline::context();
    let input = Input::new(&context, "lw-compile");
    let path = options.model.to_string_lossy();
    let mut module = input.module(&options.model)?;
    rename_main(top(&module), &options.name())?;
    let schedule = options.schedule.as_deref().map(|path| input.schedule(path)).transpose()?;
    let settings = Settings {
        target: options.cpu.as_deref().map_or_else(CpuTarget::host, CpuTarget::named),
        schedule: Some(match &schedule {
            Some(read) => read.schedule(),
            None => ModuleSchedule::Strategies,
        }),
        require_vector: options.require_vector,
        contract: options.fp.as_deref(),
        ..Settings::default()
    };
    pipeline::lower(&context, &mut module, Phase::Input, Phase::Llvm, &settings)
        .map_err(|error| input.explained(&format!("{path}: {error}")))?;
    let kernels = x86::kernels(top(&module));
    if kernels.is_empty() {
        return Err(format!(
            "{path}: error: has no public function, expected one that becomes a kernel"
        ));
    }
    let object = pipeline::object(top(&module), &settings)
        .map_err(|error| format!("{path}: error: {error}"))?;
    let cannot = |path: &Path, error: &dyn std::fmt::Display| {
        format!("lw-compile: error: {}: cannot be written: {error}", path.display())
    };
    let bytes = match options.is_object() {
        true => object.bytes().to_vec(),
        false => linked(&object).map_err(|error| format!("lw-compile: error: {error}"))?,
    };
    let header_path = options.header();
    let header_name = header_path.file_name().unwrap_or_default().to_string_lossy();
    let text = header(&header_name, &kernels);
    replace::file(&header_path, |mut file| file.write_all(text.as_bytes()))
        .map_err(|error| cannot(&header_path, &error))?;
    replace::file(&options.output, |mut file| file.write_all(&bytes)).map_err(|error| {
        // A header without code is useless.
        let _ = fs::remove_file(&header_path);
        cannot(&options.output, &error)
    })
}

/// Renames the function `main`: in C, that name is the program's.
fn rename_main(module: Op, name: &str) -> Result<(), String> {
    let functions = module.body(0).map(|body| body.ops()).unwrap_or_default();
    let named = |wanted: &str| {
        let is = |op: &&Op| op.symbol_name() == Some(wanted);
        functions.iter().find(is).copied()
    };
    match (named("main"), named(name)) {
        (Some(_), Some(_)) => Err(format!(
            "lw-compile: error: main would be named {name}, but another function has that name: give \
             another --name"
        )),
        (Some(main), None) => {
            main.set_attribute("sym_name", Attribute::string(module.context(), name));
            Ok(())
        }
        (None, _) => Ok(()),
    }
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
