//! `lw-compile`: compiles a model to a library, an archive or an object file and a C header, or to a bundle of programs
//! for GPUs.

#[path = "../allocator.rs"]
mod allocator;
#[path = "../command_line.rs"]
mod command_line;
#[cfg(test)]
#[path = "../committed.rs"]
mod committed;
#[path = "../import.rs"]
mod import;
#[path = "../log.rs"]
mod log;
mod options;
#[path = "../outputs.rs"]
mod outputs;
#[cfg(test)]
#[path = "../pages.rs"]
mod pages;
#[path = "../progress.rs"]
mod progress;
#[path = "../version.rs"]
mod version;

use loopwright::machine::x86::{CpuTarget, Description};
use loopwright::pipeline::{
    self, CompileError, ErrorCode, Input, ModuleSchedule, OutputKind, Settings,
};
use loopwright_runtime::gpu::Bundle;
use loopwright_runtime::stderr;
use options::Options;
use std::process::ExitCode;

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
            Some(OutputKind::Bundle) => bundle(&options, &input),
            _ => run(&options, &input),
        })
    };
    options.log.around("lw-compile", ExitCode::FAILURE, || {
        match progress::during("compiles the model", work) {
            Ok(()) => ExitCode::SUCCESS,
            Err(message) => {
                stderr::print(format_args!("{message}\n"));
                ExitCode::FAILURE
            }
        }
    })
}

/// Writes a bundle.
fn bundle<'c>(options: &Options, input: &Input<'c>) -> Result<(), CompileError> {
    let path = options.model.to_string_lossy();
    let schedule = options.schedule.as_deref().map(|path| input.schedule(path)).transpose()?;
    let mut bundle = Bundle::default();
    for device in options.gpus() {
        let module = input.model(&options.model, &import::options(&options.dim))?;
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
        bundle.programs.push(input.device_program(module, &path, &settings)?);
    }
    let output = &options.output;
    bundle.write(output).map_err(|error| {
        CompileError::of_file(ErrorCode::Write, &output.to_string_lossy(), error.to_string())
    })
}

/// Writes a library, an archive or an object file, and its header.
fn run<'c>(options: &Options, input: &Input<'c>) -> Result<(), CompileError> {
    let path = options.model.to_string_lossy();
    let of_tool = |message| CompileError::of(ErrorCode::Option, "lw-compile", message);
    let mut module = input.model(&options.model, &import::options(&options.dim))?;
    // In C, the name main is the program's.
    pipeline::rename_function(&mut module, "main", &options.name())
        .map_err(|error| of_tool(format!("{error}: give another --name")))?;
    pipeline::check_c_names(&module)?;
    let schedule = options.schedule.as_deref().map(|path| input.schedule(path)).transpose()?;
    let settings = Settings {
        target: processor(options).map_err(of_tool)?,
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
    let code = input.machine_code(module, &path, &settings)?;
    code.write(&options.output, &options.header())
}

/// The processor to generate code for.
fn processor(options: &Options) -> Result<CpuTarget, String> {
    match (&options.cpu, &options.machine) {
        (Some(cpu), _) => Ok(CpuTarget::named(cpu)),
        (None, Some(path)) => Description::read(path)
            .map(CpuTarget::described)
            .map_err(|error| format!("--machine: {error}")),
        (None, None) => Ok(CpuTarget::host()),
    }
}
