//! Facts about nests that no single op states.
//!
//! Must not know: the IR as ops; it works on expressions.

pub mod digits;
