//! Primitives that change loops: their number, order, extent and kind.

pub mod add_unit_loop;
pub mod bind;
pub mod fission;
pub mod fuse;
pub mod join;
pub mod loop_partition;
pub mod merge;
pub mod parallel;
pub mod remove_loop;
pub mod reorder;
pub mod reorder_statements;
pub mod shift;
pub mod software_pipeline;
pub mod specialize;
pub mod split;
pub mod sync_threads;
pub mod tile;
pub mod unroll;
pub mod unroll_and_jam;
pub mod vectorize;
