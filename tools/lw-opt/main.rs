//! `lw-opt`: mlir-opt with everything of Loopwright.

mod command;
mod traces;

use command::Command;
use melior::dialect::DialectRegistry;
use melior::utility::{register_all_dialects, register_all_passes};
use std::ffi::OsString;

fn main() {
    loopwright::ffi::catch_crashes("lw-opt");
    let command = Command::parse(std::env::args_os().collect()).unwrap_or_else(|message| {
        eprintln!("lw-opt: error: {message} (see --help)");
        std::process::exit(1);
    });
    std::process::exit(match command {
        Command::Optimize(arguments) => optimize(arguments),
        Command::Convert(convert) => traces::convert(&convert),
    });
}

/// MLIR's driver.
fn optimize(arguments: Vec<OsString>) -> i32 {
    let registry = DialectRegistry::new();
    register_all_dialects(&registry);
    register_all_passes();
    loopwright::register_dialects(&registry);
    loopwright::register_passes();
    loopwright::ffi::opt_main(&registry, arguments.into_iter())
}
