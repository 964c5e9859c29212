//! `libcuda.so.1` without a GPU: the functions of the CUDA driver that run kernels, on the PTX emulator.
//!
//! A program that loads the driver at run time loads this library instead, unchanged:
//! `LD_LIBRARY_PATH=<folder of libcuda.so.1> program`. All work is done at once, in the order of the calls, so streams
//! and events need no waiting; a kernel at fault is told at the next synchronisation, as on hardware, and printed
//! to stderr. See the crate's README for what there is.

mod attribute;
mod driver;
mod ffi;
mod status;
