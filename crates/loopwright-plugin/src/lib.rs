//! The shared library that stock `mlir-opt` loads. Its entry points are in `src/ffi/plugin.rs` of the compiler.

extern crate loopwright as _;
