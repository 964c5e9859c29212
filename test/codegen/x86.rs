//! Compiles functions in vector form, runs them on this machine, and compares with independently computed
//! results.

#[path = "x86/atomic.rs"]
mod atomic;
#[path = "x86/harness.rs"]
mod harness;
#[path = "x86/intrinsic.rs"]
mod intrinsic;
#[path = "x86/library.rs"]
mod library;
#[path = "x86/masked.rs"]
mod masked;
#[path = "x86/math.rs"]
mod math;
#[path = "x86/memory.rs"]
mod memory;
#[path = "x86/output.rs"]
mod output;
#[path = "x86/parts.rs"]
mod parts;
#[path = "x86/registers.rs"]
mod registers;
#[path = "x86/weights.rs"]
mod weights;
