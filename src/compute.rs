//! What the ops compute: graph ops as linalg, linalg and tensor ops as loop nests.
//!
//! Must not know: fusion, schedules, targets.

pub mod graph_elementwise;
pub mod graph_to_linalg;
pub mod linalg_to_loop;
