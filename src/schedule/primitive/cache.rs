//! Primitives that add copies of buffers or of parts of them.

pub mod cache_inplace;
pub mod cache_read;
pub mod cache_write;
pub mod double_buffer;
pub mod prefetch;
pub mod reindex;
pub mod rolling_buffer;
