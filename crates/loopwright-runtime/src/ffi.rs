//! All `unsafe` and `extern` code of the crate, behind types that are safe to use.
//!
//! Must not depend on: what a kernel computes, and whether arguments fit it; `kernel` checks that.

pub(crate) mod abi;

pub(crate) mod clock;

pub(crate) mod cuda;

pub(crate) mod dlpack;

pub(crate) mod library;

pub(crate) mod memory;

pub(crate) mod raw_buffer;
