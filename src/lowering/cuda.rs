//! Lowering to kernels for GPUs of NVIDIA: the gpu dialect and what NVVM needs.

pub(crate) mod bare_kernel_arguments;
pub(crate) mod dynamic_shared_memory;
pub(crate) mod inject_async_copy;
pub(crate) mod loop_to_gpu;
pub(crate) mod verify_gpu_code;
pub(crate) mod verify_kernel_calls;
