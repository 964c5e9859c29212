//! `lw-opt`: mlir-opt with the dialects and passes of Loopwright.

#[path = "../allocator.rs"]
mod allocator;
mod command;
#[cfg(test)]
#[path = "../committed.rs"]
mod committed;
mod help;
#[path = "../log.rs"]
mod log;
mod traces;
#[path = "../version.rs"]
mod version;

use command::{Command, Optimize};
use loopwright::schedule::trace::observer::Observer;
use loopwright::tool::{Manager, are_passes_logged};
use loopwright::verify::numeric::Checker;
use loopwright_runtime::stderr;
use loopwright_runtime::stdout;
use melior::dialect::DialectRegistry;
use melior::utility::{register_all_dialects, register_all_passes};

fn main() {
    loopwright::tool::catch_crashes("lw-opt");
    // MLIR's driver reports a write to a closed pipe as a crash.
    loopwright::tool::end_at_closed_pipe();
    let (command, log) = Command::parse(std::env::args_os().collect()).unwrap_or_else(|message| {
        stderr::print(format_args!("lw-opt: error: {message} (see --help)\n"));
        std::process::exit(1);
    });
    std::process::exit(log.around("lw-opt", 1, || match command {
        Command::Print(text) => print(&text),
        Command::Optimize(command) => optimize(command),
        Command::Convert(command) => traces::convert(&command),
        Command::Minimize(command) => traces::minimize(&command),
        Command::Space(command) => traces::space(&command),
        Command::Redraw(command) => traces::redraw(&command),
        Command::Diff(command) => traces::diff(&command),
    }));
}

/// Prints a text; returns the exit code.
fn print(text: &str) -> i32 {
    match stdout::print(text) {
        Ok(()) => 0,
        Err(message) => {
            stderr::print(format_args!("lw-opt: error: {message}\n"));
            1
        }
    }
}

/// Runs MLIR's driver; returns its exit code.
fn optimize(command: Optimize) -> i32 {
    let registry = DialectRegistry::new();
    register_all_dialects(&registry);
    register_all_passes();
    loopwright::register_dialects(&registry);
    loopwright::register_passes();
    let observer = Observer::new(command.duties);
    let set_up = |manager: Manager| {
        if let Some(attached) = observer.attach(manager.context()) {
            attached.keep();
        }
        if command.numeric {
            Checker::install(manager);
        }
        manager.log();
    };
    let is_observed = observer.is_on() || command.numeric || are_passes_logged();
    let set_up = is_observed.then_some(&set_up as &dyn Fn(Manager));
    let code = loopwright::tool::opt_main(&registry, command.arguments.into_iter(), set_up);
    if let Some(runs) = observer.runs() {
        stderr::print(format_args!("{}", runs.table()));
    }
    match command.print_trace {
        Some(spelling) if code == 0 => traces::print_recorded(&observer, spelling),
        _ => code,
    }
}
