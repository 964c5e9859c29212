//! Optimisation: the same form in and out, one file a pass.

pub mod form_fma;
pub mod promote_buffers;
