//! Definitions of ops: lowers graph ops and composite ops to linalg, and linalg and tensor ops to loop nests.
//!
//! Must not depend on: fusion, schedules, targets.

pub mod decompose;
pub mod graph_elementwise;
pub mod graph_to_linalg;
pub(crate) mod linalg_builder;
pub mod linalg_to_loop;
pub mod read_only_globals;
