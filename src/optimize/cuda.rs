//! Passes on the loop dialect and on kernels for GPUs: threads, barriers, shared memory.

pub mod lower_vthread;
pub mod merge_shared_memory;
pub mod replace_cross_block_reduction;
pub mod replace_cross_thread_reduction;
pub mod skip_carried_barriers;
pub mod swizzle_shared_buffers;
pub mod thread_sync;
pub mod workgroup_buffers;
