//! Emission of nests as scf, vector and memref ops, which the lowerings for CPUs and GPUs share.

pub(crate) mod atomic;
pub(crate) mod bound;
pub(crate) mod buffer;
pub(crate) mod collective;
pub(crate) mod emitter;
pub(crate) mod index;
pub(crate) mod init;
pub(crate) mod intrinsic;
pub(crate) mod leaf;
pub(crate) mod prefetch;
pub(crate) mod vector;
