//! `lw-opt`: mlir-opt with the dialects and passes of Loopwright.

mod command;
mod traces;

use command::{Command, Optimize};
use loopwright::ffi::instrument::Manager;
use loopwright::ffi::pass_report;
use loopwright::schedule::step::observer;
use loopwright::verify::numeric::Checker;
use melior::dialect::DialectRegistry;
use melior::utility::{register_all_dialects, register_all_passes};

fn main() {
    loopwright::ffi::catch_crashes("lw-opt");
    let command = Command::parse(std::env::args_os().collect()).unwrap_or_else(|message| {
        eprintln!("lw-opt: error: {message} (see --help)");
        std::process::exit(1);
    });
    std::process::exit(match command {
        Command::Optimize(command) => optimize(command),
        Command::Convert(command) => traces::convert(&command),
        Command::Minimize(command) => traces::minimize(&command),
        Command::Space(command) => traces::space(&command),
        Command::Redraw(command) => traces::redraw(&command),
        Command::Diff(command) => traces::diff(&command),
    });
}

/// Runs MLIR's driver; returns its exit code.
fn optimize(command: Optimize) -> i32 {
    let registry = DialectRegistry::new();
    register_all_dialects(&registry);
    register_all_passes();
    loopwright::register_dialects(&registry);
    loopwright::register_passes();
    if command.verify {
        observer::verify_all();
    }
    if command.pass_report {
        pass_report::enable();
    }
    if command.cost_changes {
        loopwright::pass::print_cost_changes();
    }
    if command.print_trace.is_some() {
        observer::record_all();
    }
    let setup = command.numeric.then_some(Checker::install as fn(Manager));
    let code = loopwright::ffi::opt_main(&registry, command.arguments.into_iter(), setup);
    if command.pass_report {
        eprint!("{}", pass_report::table());
    }
    match command.print_trace {
        Some(spelling) if code == 0 => traces::print_recorded(spelling),
        _ => code,
    }
}
