//! The unsafe functions of Loopwright for the tests and benchmarks of this workspace: handles to IR, passes, compiled
//! code and devices.

mod ffi;

pub use ffi::{link, link_with, load, on_gpu, open, open_library, register, start, top};
