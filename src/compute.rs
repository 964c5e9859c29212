//! Definitions of ops: lowers graph ops and composite ops to linalg, and linalg and tensor ops to loop nests.
//!
//! Must not depend on: fusion, schedules, targets.

pub(crate) mod decompose_composite_ops;
pub(crate) mod emulate_narrow_types;
pub(crate) mod graph_to_linalg;
pub(crate) mod inline_data_sized_tensors;
pub(crate) mod inline_read_only_globals;
pub(crate) mod linalg_builder;
pub(crate) mod linalg_to_loop;
pub(crate) mod names;
pub(crate) mod outline_control_flow;
pub(crate) mod resolve_declared_sizes;
pub(crate) mod split_complex;
pub(crate) mod symbolic_sizes;
