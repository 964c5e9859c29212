//! Lowering to kernels for GPUs of NVIDIA: the gpu dialect and what NVVM needs.

pub mod bare_kernel_arguments;
pub mod dynamic_shared_memory;
pub mod inject_async_copy;
pub mod loop_to_gpu;
pub mod verify_gpu_code;
pub mod verify_kernel_calls;
