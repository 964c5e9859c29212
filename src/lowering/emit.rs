//! Emission of nests as scf, vector and memref ops, which the lowerings for CPUs and GPUs share.
//!
//! - `plan`: what is decided once about a function, and does not change
//! - `cursor`: the state at the point where ops are emitted, and the emission of what depends on values alone
//! - the other files: the emission of one construct each. They read the plan and move the cursor

pub(crate) mod access;
pub(crate) mod any_loop;
pub(crate) mod atomic;
pub(crate) mod bound;
pub(crate) mod buffer;
pub(crate) mod collective;
pub(crate) mod counted_loop;
pub(crate) mod cursor;
pub(crate) mod init;
pub(crate) mod intrinsic;
pub(crate) mod leaf;
pub(crate) mod nest;
pub(crate) mod ops;
pub(crate) mod plan;
pub(crate) mod prefetch;
pub(crate) mod vector;
