//! Facts about nests that no single op states.
//!
//! Must not know: schedules, targets.

pub mod digits;
pub mod span;
pub mod work;
