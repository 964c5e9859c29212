//! Loopwright: a schedule compiler for tensor programs, in which users can inspect and control each step from
//! program to fast code.

pub mod analysis;
pub mod auto_schedule;
pub mod codegen;
pub mod compute;
pub mod dialect;
mod ffi;
pub mod fusion;
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

/// For tools: the driver of opt tools, its instruments, crashes and closed pipes, and the version of LLVM.
pub mod tool {
    pub use crate::ffi::instrument::{Manager, are_passes_logged};
    pub use crate::ffi::llvm::version as llvm_version;
    pub use crate::ffi::{catch_crashes, end_at_closed_pipe, opt_main};
}

pub use pass::register_dialects;
pub use pipeline::register_passes;

/// Used by the plugin's entry point, which has a registry of the C API.
pub(crate) use pass::register_dialects_in;
