//! Compiles functions in vector form, runs them on this machine, and compares with independently computed
//! results.

#[path = "codegen/atomic.rs"]
mod atomic;
#[path = "codegen/harness.rs"]
mod harness;
#[path = "codegen/intrinsic.rs"]
mod intrinsic;
#[path = "codegen/masked.rs"]
mod masked;
#[path = "codegen/math.rs"]
mod math;
#[path = "codegen/memory.rs"]
mod memory;
#[path = "codegen/output.rs"]
mod output;
#[path = "codegen/registers.rs"]
mod registers;
