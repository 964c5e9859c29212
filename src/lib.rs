//! Loopwright: a compiler in which people see and steer how tensor programs become fast code.

pub mod codegen;
pub mod compute;
pub mod dialect;
pub mod ffi;
pub mod interpreter;
pub mod ir;
pub mod lowering;
pub mod pass;
pub mod pipeline;

pub use dialect::register_dialects;
pub use pass::register_passes;

/// For the plugin's entry point, which has a registry of the C API.
pub(crate) use dialect::register_dialects_in;
