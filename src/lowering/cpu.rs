//! Lowering to code for a CPU: vector form, then pointers and tasks of threads. GPU modules share
//! the passes on memrefs and pointers.

pub(crate) mod compare_exchange;
pub(crate) mod expand_atomics;
pub(crate) mod forbid_unrolling;
pub(crate) mod instrument_bounds;
pub(crate) mod instrument_kernels;
pub(crate) mod line_info;
pub(crate) mod longlong2int;
pub(crate) mod loop_to_scf;
pub(crate) mod memref_to_pointer;
pub(crate) mod outline_parallel_loops;
