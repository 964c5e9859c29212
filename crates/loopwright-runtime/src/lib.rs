//! What a program needs that runs Loopwright's kernels: tensors, their files, their way to other
//! libraries, comparison, threads, calls, timing.
//!
//! Must not know: LLVM, MLIR, and how a kernel came about. Nothing of them is in the dependency tree, so
//! that a program can ship kernels without a compiler.

mod ffi;

mod sync;

pub mod tensor;

pub mod npy;

pub mod dlpack;

pub mod replace;

pub mod compare;

pub mod pool;

pub mod kernel;

pub mod gpu;

pub mod timing;

pub mod device;
