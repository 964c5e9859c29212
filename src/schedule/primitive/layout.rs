//! Primitives that change where data lies: scope, layout and size of buffers, and the iters of a block.

pub mod fold_storage;
pub mod reorder_block_iter_var;
pub mod set_scope;
pub mod storage_align;
pub mod transform_block_layout;
pub mod transform_layout;
