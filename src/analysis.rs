//! Analyses of loop nests: facts that no single op states.
//!
//! Must not depend on: schedules, targets.

pub(crate) mod dependence;
pub(crate) mod digits;
pub mod finite_domain;
pub(crate) mod implication;
pub mod kernels;
pub mod loop_cost;
pub(crate) mod mixed_radix;
pub(crate) mod op_cost;
pub(crate) mod require_bounds;
pub(crate) mod span;
pub(crate) mod system;
pub mod work;
