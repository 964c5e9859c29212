//! Passes on the loop dialect and on kernels for GPUs: threads, barriers, shared memory.

pub(crate) mod lower_vthread;
pub(crate) mod merge_shared_memory;
pub(crate) mod replace_cross_block_reduction;
pub(crate) mod replace_cross_thread_reduction;
pub(crate) mod skip_carried_barriers;
pub mod swizzle_shared_buffers;
pub(crate) mod thread_sync;
pub(crate) mod workgroup_buffers;
