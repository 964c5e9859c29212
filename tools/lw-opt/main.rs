//! `lw-opt`: mlir-opt with everything of Loopwright.

use melior::dialect::DialectRegistry;
use melior::utility::{register_all_dialects, register_all_passes};

fn main() {
    loopwright::ffi::catch_crashes("lw-opt");
    let registry = DialectRegistry::new();
    register_all_dialects(&registry);
    register_all_passes();
    loopwright::register_dialects(&registry);
    loopwright::register_passes();
    std::process::exit(loopwright::ffi::opt_main(&registry, std::env::args_os()));
}
