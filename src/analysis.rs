//! Analyses of loop nests: facts that no single op states.
//!
//! Must not depend on: schedules, targets.

pub mod dependence;
pub mod digits;
pub mod implication;
pub mod kernels;
pub mod loop_cost;
pub mod mixed_radix;
pub(crate) mod op_cost;
pub mod require_bounds;
pub mod span;
pub mod system;
pub mod work;
