//! The C API: compiles models, loads the code and runs it. `include/loopwright-c` declares and documents it.
//!
//! ```text
//! ffi: pointers, lengths, panics ─► compile: Model, CompileOptions ─► Artifact ─► module: Module, Function ─► run
//! ```
//! Each compilation has a context of MLIR of its own and runs on a thread of its own, so that compilations are independent, and
//! the stack is large enough for LLVM.
//!
//! Must not depend on: what passes do.

mod compile;
mod device;
mod error;
mod ffi;
mod log;
mod module;
mod run;
