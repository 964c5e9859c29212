//! Loopwright: a schedule compiler for tensor programs, in which users can inspect and control each step from
//! program to fast code.

pub mod analysis;
pub mod codegen;
pub mod compute;
pub mod dialect;
pub mod ffi;
pub mod interpreter;
pub mod ir;
pub mod lowering;
pub mod machine;
pub mod nest;
pub mod optimize;
pub mod pass;
pub mod pipeline;
pub mod schedule;
pub mod strategy;
pub mod verify;

pub use pass::register_dialects;
pub use pipeline::register_passes;

/// Used by the plugin's entry point, which has a registry of the C API.
pub(crate) use pass::register_dialects_in;
