//! The C API: compiles models, loads the code and runs it. `include/loopwright-c` declares and documents it.
//!
//! ```text
//! C ─► ffi: pointers, lengths, panics ─► loopwright-bindings: compile, load, run
//! ```
//! Must not depend on: what passes do.

mod ffi;
