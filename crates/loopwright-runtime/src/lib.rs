//! The runtime library for programs that run Loopwright's kernels: tensors, tensor files, exchange with other
//! libraries, comparison, threads, calls, timing, profiles.
//!
//! Must not depend on: LLVM, MLIR, and how a kernel was compiled. The dependency tree contains none of them, so that a
//! program can ship kernels without a compiler.

mod ffi;

pub mod tensor;

pub mod npy;

pub mod dlpack;

pub mod replace;

pub mod user_cache;

pub mod stdout;

pub mod stderr;

pub mod compare;

/// Threads for the parallel loops of kernels: a [`Pool`](pool::Pool), or [`Workers`](pool::Workers) of the caller.
pub use loopwright_pool as pool;

pub use ffi::memory::replace_by_huge_pages;

pub mod kernel;

pub mod gpu;

pub mod timing;

pub mod profile;

pub mod device;
