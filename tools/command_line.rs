//! Parses the command line of a tool.

use clap::Parser;
use loopwright_runtime::stderr;
use loopwright_runtime::stdout;
use std::process::ExitCode;

/// Parses the command line, and checks the options together. Prints help, or one line that states the error; `Err` is
/// the exit code of the process.
pub fn parse<T: Parser>(
    tool: &str,
    check: impl FnOnce(&T) -> Result<(), String>,
) -> Result<T, ExitCode> {
    let failed = |message: String| {
        stderr::print(format_args!("{tool}: {message}\n"));
        ExitCode::FAILURE
    };
    let options = T::try_parse().map_err(|error| {
        if !error.use_stderr() {
            return match stdout::print(&error.to_string()) {
                Ok(()) => ExitCode::SUCCESS,
                Err(message) => failed(format!("error: {message}")),
            };
        }
        // clap prints the error in its first paragraph; hints and usage follow it.
        let text = error.to_string();
        let first = text.split("\n\n").next().unwrap_or(&text);
        let line: Vec<_> = first.lines().map(str::trim).collect();
        failed(format!("{} (see --help)", line.join(" ")))
    })?;
    check(&options).map_err(|message| failed(format!("error: {message} (see --help)")))?;
    Ok(options)
}
