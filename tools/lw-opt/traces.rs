//! The commands of `lw-opt` on traces, except applying them.

use crate::command::{Convert, Diff, Minimize, Redraw, Space};
use loopwright::ir::{handle_of, parse_file, receive_errors};
use loopwright::pipeline::{self, place};
use loopwright::schedule::trace::observer::Observer;
use loopwright::schedule::trace::{self, Spelling};
use loopwright_runtime::replace;
use loopwright_runtime::stderr;
use melior::Context;
use std::io::{self, Write};
use std::path::Path;

/// A context that prints errors only: one line each, and one line a note.
fn context() -> Context {
    let context = pipeline::context();
    receive_errors(&context, |error| {
        stderr::print(format_args!("{}: error: {}\n", place(&error.place), error.message));
        for (at, note) in &error.notes {
            stderr::print(format_args!("{}: note: {}\n", place(at), note.trim_end()));
        }
    });
    context
}

/// Prints a trace in a spelling.
pub fn convert(command: &Convert) -> i32 {
    let context = context();
    let Ok(source) = trace::read(handle_of(&context), &command.trace) else { return 1 };
    write(command.output.as_deref(), &source.trace.spelt(command.spelling))
}

/// Prints a trace without steps that have no effect.
pub fn minimize(command: &Minimize) -> i32 {
    let context = context();
    let handle = handle_of(&context);
    let Ok(source) = trace::read(handle, &command.trace) else { return 1 };
    let Some(module) = parse_file(&context, &command.module) else { return 1 };
    match trace::minimize(&module, &source) {
        Ok(trace) => write(command.output.as_deref(), &trace.spelt(source.spelling)),
        Err(error) => {
            error.emit();
            1
        }
    }
}

/// Prints the sets from which the decisions of a trace are drawn.
pub fn space(command: &Space) -> i32 {
    let context = context();
    let Ok(source) = trace::read(handle_of(&context), &command.trace) else { return 1 };
    let Some(mut module) = parse_file(&context, &command.module) else { return 1 };
    match trace::space(&mut module, &source) {
        Ok(choices) => {
            let lines: String = choices.iter().map(|choice| format!("{choice}\n")).collect();
            write(None, &lines)
        }
        Err(error) => {
            error.emit();
            1
        }
    }
}

/// Prints a trace with other decisions.
pub fn redraw(command: &Redraw) -> i32 {
    let context = context();
    let Ok(source) = trace::read(handle_of(&context), &command.trace) else { return 1 };
    let Some(mut module) = parse_file(&context, &command.module) else { return 1 };
    match trace::redraw(&mut module, &source, command.seed) {
        Ok(trace) => write(command.output.as_deref(), &trace.spelt(source.spelling)),
        Err(error) => {
            error.emit();
            1
        }
    }
}

/// Prints the differences of two traces.
pub fn diff(command: &Diff) -> i32 {
    const TROUBLE: i32 = 2;
    let context = context();
    let read = |path: &String| trace::read(handle_of(&context), path);
    let [first, second] = &command.traces;
    let (Ok(first), Ok(second)) = (read(first), read(second)) else { return TROUBLE };
    let steps = trace::diff::describe_steps(&first.trace, &second.trace);
    let shown = |text: &str, code: i32| if write(None, text) == 0 { code } else { TROUBLE };
    let Some(path) = &command.module else { return shown(&steps, i32::from(!steps.is_empty())) };
    let Some(module) = parse_file(&context, path) else { return TROUBLE };
    match trace::diff::describe_results(&module, &first, &second) {
        Err(error) => {
            error.emit();
            TROUBLE
        }
        Ok(None) if steps.is_empty() => 0,
        Ok(None) => shown(&format!("{steps}the results are the same\n"), 0),
        Ok(Some(results)) => shown(&format!("{steps}{results}"), 1),
    }
}

/// Prints the trace of all steps that were done; returns the exit code.
pub fn print_recorded(observer: &Observer, spelling: Spelling) -> i32 {
    match &observer.recorded()[..] {
        [trace] => write(None, &trace.spelt(spelling)),
        traces => {
            let functions: Vec<_> = traces.iter().map(|it| format!("@{}", it.function)).collect();
            let functions = functions.join(", ");
            let found = if traces.is_empty() { "none" } else { &functions };
            stderr::print(format_args!(
                "lw-opt: error: a trace is of one function, but steps were applied in {found}\n"
            ));
            1
        }
    }
}

/// Writes a text to the output file, or to stdout; returns the exit code.
fn write(output: Option<&str>, text: &str) -> i32 {
    let (path, outcome) = match output.filter(|path| *path != "-") {
        None => ("<stdout>", io::stdout().write_all(text.as_bytes())),
        Some(path) => {
            (path, replace::file(Path::new(path), |mut file| file.write_all(text.as_bytes())))
        }
    };
    match outcome {
        Ok(()) => 0,
        Err(error) => {
            stderr::print(format_args!("{path}: error: cannot be written: {error}\n"));
            1
        }
    }
}
