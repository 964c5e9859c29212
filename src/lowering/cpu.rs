//! Lowering to code for a CPU: vector form, then pointers and tasks of threads. GPU modules share
//! the passes on memrefs and pointers.

pub(crate) mod compare_exchange;
pub mod expand_atomics;
pub mod instrument_bounds;
pub mod instrument_kernels;
pub mod line_info;
pub mod longlong2int;
pub mod loop_to_scf;
pub mod memref_to_pointer;
pub mod outline_parallel_loops;
