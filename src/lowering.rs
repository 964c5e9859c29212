//! From vector form to the LLVM dialect: parallel loops become functions, memrefs become pointers.
//!
//! *Vector form* is what the loop dialect becomes for a CPU: functions over row-major memrefs whose
//! bodies are arith, math, scf and 1-D vectors, with `scf.parallel` where threads share the work.
//! Changes no order of computation and no layout.
//!
//! Must not know: schedules, the loop dialect's blocks, LLVM-C.

pub mod outline_parallel_loops;

use crate::ir::{Attribute, Op};

/// The name of a function or global.
fn symbol<'c>(op: Op<'c>) -> &'c str {
    op.attribute("sym_name").and_then(Attribute::as_str).unwrap_or_default()
}

/// Can be cloned to wherever its value is needed: computed from nothing, without effects.
fn is_free(op: Op) -> bool {
    op.operands().is_empty() && op.regions().is_empty() && op.has_no_effects()
}
