//! `lw-import`: writes the module of an ONNX model.

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
#[path = "../outputs.rs"]
mod outputs;
#[cfg(test)]
#[path = "../pages.rs"]
mod pages;
#[path = "../progress.rs"]
mod progress;
#[path = "../version.rs"]
mod version;

use clap::Parser;
use import::dim;
use log::LogOptions;
use loopwright::pipeline::{self, Input};
use loopwright_onnx::{is_onnx, ops};
use loopwright_runtime::stderr;
use loopwright_runtime::{replace, stdout};
use melior::ir::operation::OperationLike;
use outputs::{Named, check_distinct};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use version::version;

/// Import an ONNX model as a module of linalg, tensor, arith and math ops.
///
/// The module has one function, main, whose attributes input_names and output_names have the names of the model. Shapes
/// that the model computes are evaluated. Each op has the name of its node as its location (see --locations).
#[derive(Debug, Parser)]
#[command(name = "lw-import", version = version())]
pub struct Options {
    /// The model: .onnx, or .onnxtxt for ONNX's text form.
    #[arg(required_unless_present = "list_ops")]
    model: Option<PathBuf>,
    /// The file for the module: .mlirbc is MLIR bytecode, all others are text (default: text on stdout).
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The size of the dimensions that have this name in the model. May be given several times.
    #[arg(long, value_name = "NAME=SIZE", value_parser = dim)]
    dim: Vec<(String, u64)>,
    /// Print locations, which are the names of the nodes, in the text.
    #[arg(long)]
    locations: bool,
    /// Print the ops that are supported, and stop.
    #[arg(long, conflicts_with_all = ["output", "dim", "locations"])]
    list_ops: bool,
    #[command(flatten)]
    log: LogOptions,
}

impl Options {
    /// Checks the options together.
    fn check(&self) -> Result<(), String> {
        let Some(model) = self.model.as_deref().filter(|_| !self.list_ops) else { return Ok(()) };
        if !is_onnx(model) {
            return Err(format!(
                "the model '{}' is not named like an ONNX model, expected .onnx or .onnxtxt",
                model.display()
            ));
        }
        let outputs = self.output.iter().map(|path| Named { what: "--output", path });
        let trace = self.log.trace_out.iter().map(|path| Named { what: "--trace-out", path });
        let outputs: Vec<_> = outputs.chain(trace).collect();
        check_distinct(&outputs, &[Named { what: "the model", path: model }])
    }
}

fn main() -> ExitCode {
    loopwright::tool::catch_crashes("lw-import");
    let options = match command_line::parse("lw-import", Options::check) {
        Ok(options) => options,
        Err(code) => return code,
    };
    options.log.around("lw-import", ExitCode::FAILURE, || {
        match progress::during("imports the model", || run(&options)) {
            Ok(()) => ExitCode::SUCCESS,
            Err(message) => {
                stderr::print(format_args!("{message}\n"));
                ExitCode::FAILURE
            }
        }
    })
}

/// Imports and writes the module. The error is the message to print.
fn run(options: &Options) -> Result<(), String> {
    let Some(model) = options.model.as_deref().filter(|_| !options.list_ops) else {
        let lines = ops::list()
            .into_iter()
            .flat_map(|(domain, ops)| ops.into_iter().map(move |op| format!("{domain}.{op}\n")));
        return stdout::print(&lines.collect::<String>())
            .map_err(|error| format!("lw-import: error: {error}"));
    };
    let context = pipeline::context();
    let input = Input::new(&context, "lw-import");
    let module = input.finish(input.model(model, &import::options(&options.dim)))?;
    let op = module.as_operation();
    let is_bytecode = |path: &Path| path.extension().is_some_and(|it| it == "mlirbc");
    let bytes = match &options.output {
        Some(path) if is_bytecode(path) => op.write_bytecode(),
        _ => {
            let flags = melior::ir::operation::OperationPrintingFlags::new();
            let flags =
                if options.locations { flags.enable_debug_info(true, false) } else { flags };
            let text = op.to_string_with_flags(flags);
            text.map_err(|error| format!("lw-import: error: cannot print: {error}"))?.into_bytes()
        }
    };
    match &options.output {
        Some(path) => replace::file(path, |mut file| file.write_all(&bytes)).map_err(|error| {
            format!("lw-import: error: {}: cannot be written: {error}", path.display())
        }),
        None => stdout::print(&String::from_utf8_lossy(&bytes))
            .map_err(|error| format!("lw-import: error: {error}")),
    }
}
