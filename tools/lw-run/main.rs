//! `lw-run`: compile a model and run it.

mod arguments;
mod options;
mod report;

use loopwright::interpreter::{self, Datum};
use loopwright::ir::{Op, parse_file, receive_errors, top};
use loopwright::pipeline::{self, Phase};
use loopwright_runtime::tensor::Tensor;
use melior::Context;
use options::{Device, Options};
use report::Report;
use std::cell::RefCell;
use std::process::ExitCode;
use std::rc::Rc;
use std::time::Instant;

fn main() -> ExitCode {
    loopwright::ffi::catch_crashes("lw-run");
    let options = match Options::parse() {
        Ok(options) => options,
        Err(code) => return code,
    };
    match run(&options) {
        Ok(passed) if passed => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// Does all that the options ask for; says whether all checks passed. The error is what to print.
fn run(options: &Options) -> Result<bool, String> {
    let context = pipeline::context();
    let errors = collect_errors(&context);
    let explained = |otherwise: &str| {
        let collected = errors.borrow();
        collected.first().cloned().unwrap_or_else(|| format!("lw-run: error: {otherwise}"))
    };
    let path = options.model.to_string_lossy();
    if let Err(error) = std::fs::File::open(&options.model) {
        return Err(format!("{path}: error: cannot be read: {error}"));
    }
    let mut module = parse_file(&context, &path)
        .ok_or_else(|| explained(&format!("{path} is not a valid module")))?;
    let signature = match options.compile_to {
        Some(_) => None,
        None => Some(arguments::Signature::of(top(&module), &options.entry, &path)?),
    };
    let phase = options.compile_to.unwrap_or(options.execute);
    pipeline::lower(&context, &mut module, phase)
        .map_err(|error| explained(&format!("{path}: {error}")))?;
    let Some(signature) = signature else {
        print!("{}", top(&module));
        return Ok(true);
    };
    let inputs = signature.read_inputs(&options.input)?;
    let arguments = arguments::bind(top(&module), &options.entry, &signature, &inputs)?;
    let start = Instant::now();
    let results = match options.device {
        Device::Interpreter => interpret(top(&module), options, arguments)?,
    };
    let milliseconds = start.elapsed().as_secs_f64() * 1e3;
    let outputs = signature.outputs(results)?;
    finish(options, phase, &outputs, milliseconds)
}

/// Interprets the function; gives its results and then the contents of its destination arguments.
fn interpret(
    module: Op,
    options: &Options,
    arguments: arguments::Bound,
) -> Result<Vec<Datum>, String> {
    let limits =
        interpreter::Options { seed: options.seed, max_iterations: options.max_iterations };
    let results = interpreter::run(module, &options.entry, arguments.data, limits)
        .map_err(|error| format!("{}: error: {}", place(&error.location), error.message))?;
    Ok(results.into_iter().chain(arguments.destinations).collect())
}

/// Writes and checks the outputs, and prints the report.
fn finish(
    options: &Options,
    phase: Phase,
    outputs: &[Tensor],
    milliseconds: f64,
) -> Result<bool, String> {
    let report = Report::new(options, phase, outputs, milliseconds)?;
    for (path, output) in options.output.iter().zip(outputs) {
        loopwright_runtime::npy::write(path, output).map_err(|e| format!("lw-run: error: {e}"))?;
    }
    report.print(options.json);
    Ok(report.passed())
}

/// Collects errors instead of printing them, each on one line: "file:line:col: error: message".
fn collect_errors(context: &Context) -> Rc<RefCell<Vec<String>>> {
    let errors = Rc::new(RefCell::new(vec![]));
    let collected = errors.clone();
    receive_errors(context, move |location, message| {
        let message = message.replace('\n', " ");
        collected.borrow_mut().push(format!("{}: error: {message}", place(&location)));
    });
    errors
}

/// A location as editors know it: `loc("f.mlir":3:5)` is `f.mlir:3:5`.
fn place(location: &impl std::fmt::Display) -> String {
    let text = location.to_string();
    let inner = text.strip_prefix("loc(").and_then(|t| t.strip_suffix(')')).unwrap_or(&text);
    inner.replace('"', "")
}
