//! Primitives that change how a reduction is computed.

pub mod atomic;
pub mod decompose_reduction;
pub mod rfactor;
