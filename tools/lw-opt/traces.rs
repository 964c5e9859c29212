//! What `lw-opt` does with traces beside applying them.

use crate::command::Convert;
use loopwright::ir::handle_of;
use loopwright::pipeline;
use loopwright::schedule::trace;

/// Prints a trace in a spelling.
pub fn convert(command: &Convert) -> i32 {
    let context = pipeline::context();
    let Ok(source) = trace::read(handle_of(&context), &command.trace) else { return 1 };
    write(command.output.as_deref(), &source.trace.spelt(command.spelling))
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
