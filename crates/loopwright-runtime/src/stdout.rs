//! Prints the output of a command-line tool.

use std::io::{self, Write};

/// Prints to stdout. A closed pipe is no error: a reader such as `head` has what it wants.
///
/// # Errors
/// The message, if stdout cannot be written.
pub fn print(text: &str) -> Result<(), String> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(format!("cannot write to stdout: {error}"))
        }
        _ => Ok(()),
    }
}
