//! Definitions of ops: lowers graph ops and composite ops to linalg, and linalg and tensor ops to loop nests.
//!
//! Must not depend on: fusion, schedules, targets.

pub mod compensate_signed_bytes;
pub mod decompose_composite_ops;
pub mod graph_elementwise;
pub mod graph_to_linalg;
pub mod inline_read_only_globals;
pub(crate) mod linalg_builder;
pub mod linalg_to_loop;
pub(crate) mod names;
pub mod outline_control_flow;
pub(crate) mod predicate;
pub mod resolve_declared_sizes;
pub mod split_complex;
pub mod symbolic_sizes;
