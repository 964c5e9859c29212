//! What a program needs that runs Loopwright's kernels: tensors, their files, comparison.
//!
//! Must not know: LLVM, MLIR, and how a kernel came about.

pub mod compare;
pub mod npy;
pub mod tensor;
