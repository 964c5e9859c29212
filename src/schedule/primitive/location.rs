//! Primitives that change where a schedule block is computed.

pub mod compute_at;
pub mod compute_inline;
pub mod reverse_compute_at;
pub mod reverse_compute_inline;
pub mod simple_compute_at;
