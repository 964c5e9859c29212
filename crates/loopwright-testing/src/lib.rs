//! The unsafe functions of Loopwright for the tests and benchmarks of this workspace: handles to IR, passes and compiled
//! code.

mod ffi;

pub use ffi::{link, load, register, top};
