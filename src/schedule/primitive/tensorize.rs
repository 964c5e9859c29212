//! TODO head of schedule/primitive/tensorize

pub mod blockize;
pub mod decompose_padding;
pub mod pad_einsum;
pub mod tensorize;
