//! Loopwright: a compiler in which people see and steer how tensor programs become fast code.

pub mod compute;
pub mod dialect;
pub mod ffi;
pub mod interpreter;
pub mod ir;
pub mod pass;
pub mod pipeline;

pub use pass::register_passes;

use melior::dialect::DialectRegistry;
use mlir_sys::MlirDialectRegistry;

/// Adds the dialects of this package to a registry.
pub fn register_dialects(registry: &DialectRegistry) {
    register_dialects_in(registry.to_raw());
}

pub(crate) fn register_dialects_in(registry: MlirDialectRegistry) {
    dialect::register_verifiers();
    ffi::register_dialects_in(registry);
}
