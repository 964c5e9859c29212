//! Primitives that make one block of a nest, for an intrinsic of a machine, and the padding that it needs.

pub mod blockize;
pub mod decompose_padding;
pub mod pad_einsum;
pub mod tensorize;
