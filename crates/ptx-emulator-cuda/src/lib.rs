//! A `libcuda.so.1` for machines without a GPU: the functions of the CUDA driver API that run kernels, implemented by
//! the PTX emulator.
//!
//! A program that loads the driver at run time loads this library instead, unchanged: `LD_LIBRARY_PATH=<folder of
//! libcuda.so.1> program`. All work is done synchronously, in the order of the calls, so streams and events never wait.
//! A fault of a kernel is reported at the next synchronisation, as on hardware, and printed to stderr. The crate's
//! README lists the supported functions.

mod attribute;
mod driver;
mod ffi;
mod status;
