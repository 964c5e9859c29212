//! Prints the messages of a command-line tool.

use std::fmt::Arguments;
use std::io::{self, Write};

/// Prints to stderr. If it cannot be written, for example because the disk is full, the text is lost: there is no other place to say
/// so, and a tool should still end with its exit code.
pub fn print(text: Arguments) {
    let mut err = io::stderr().lock();
    let _ = err.write_fmt(text);
}
