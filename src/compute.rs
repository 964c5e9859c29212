//! Definitions of ops: lowers graph ops to linalg, and linalg and tensor ops to loop nests.
//!
//! Must not depend on: fusion, schedules, targets.

pub mod graph_elementwise;
pub mod graph_to_linalg;
pub mod linalg_to_loop;
