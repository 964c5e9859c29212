//! All `unsafe` and `extern` of the crate: what it cannot say in safe Rust, behind types that are safe to use.
//!
//! Must not know: tensors, signatures, and what a kernel computes.

pub(crate) mod board;
pub(crate) mod memory;
