//! What `lw-opt` does with traces beside applying them.

use crate::command::Convert;
use loopwright::ir::handle_of;
use loopwright::pipeline;
use loopwright::schedule::trace::{self, Spelling};
use loopwright::schedule::watch;

/// Prints a trace in a spelling.
pub fn convert(command: &Convert) -> i32 {
    let context = pipeline::context();
    let Ok(source) = trace::read(handle_of(&context), &command.trace) else { return 1 };
    write(command.output.as_deref(), &source.trace.spelt(command.spelling))
}

/// Prints the trace of all steps that were done; gives the exit code.
pub fn print_recorded(spelling: Spelling) -> i32 {
    match &watch::recorded()[..] {
        [trace] => write(None, &trace.spelt(spelling)),
        traces => {
            let functions: Vec<_> = traces.iter().map(|it| format!("@{}", it.function)).collect();
            let functions = functions.join(", ");
            let found = if traces.is_empty() { "none" } else { &functions };
            eprintln!("lw-opt: error: a trace is of one function, steps were done in {found}");
            1
        }
    }
}

/// Writes a text where it is asked for; gives the exit code.
fn write(output: Option<&str>, text: &str) -> i32 {
    let Some(path) = output.filter(|path| *path != "-") else {
        print!("{text}");
        return 0;
    };
    match std::fs::write(path, text) {
        Ok(()) => 0,
        Err(error) => {
            eprintln!("{path}: error: cannot be written: {error}");
            1
        }
    }
}
