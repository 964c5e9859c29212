//! What the bindings of other languages share: compiles models, loads the code, runs it on tensors of a caller, and schedules
//! functions step by step. `loopwright-capi`, `loopwright-python` and `loopwright-ort` are the bindings.
//!
//! ```text
//! compile: Model, CompileOptions ─► Artifact ─► module: Module, Function ─► run
//! schedule: ScheduleThread, which applies steps to one function
//! ```
//! Each compilation has a context of MLIR of its own and runs on a thread of its own, so that compilations are independent, and
//! the stack is large enough for LLVM.
//!
//! Without the feature `compile`, which is on by default, the crate loads and runs compiled files, and needs no LLVM.
//!
//! Must not depend on: what passes do; the language of a caller.

#[cfg(feature = "compile")]
pub mod compile;
pub mod device;
pub mod error;
mod ffi;
#[cfg(feature = "compile")]
pub mod log;
pub mod module;
pub mod run;
#[cfg(feature = "compile")]
pub mod schedule;
