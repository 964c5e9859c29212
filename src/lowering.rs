//! Lowering: out of the loop dialect to vector form, and from that to the LLVM dialect.
//!
//! For a GPU, bound nests become kernels of the gpu dialect (`loop_to_gpu`), of which MLIR makes the NVVM
//! dialect.
//!
//! *Vector form* is what the loop dialect becomes for a CPU: functions over row-major memrefs whose
//! bodies are arith, math, scf and 1-D vectors, with `scf.parallel` where threads share the work.
//! Changes no order of computation and no layout.
//!
//! Must not know: strategies, LLVM-C.

pub mod cpu;
pub mod cuda;
pub mod emit;
pub mod math;

use crate::ir::{Attribute, Op, Value};
use std::collections::HashSet;

/// The name of a function or global.
fn symbol<'c>(op: Op<'c>) -> &'c str {
    op.attribute("sym_name").and_then(Attribute::as_str).unwrap_or_default()
}

/// Can be cloned to wherever its value is needed: computed from nothing, without effects.
fn is_free(op: Op) -> bool {
    op.operands().is_empty() && op.regions().is_empty() && op.has_no_effects()
}

/// The value of an integer constant.
fn constant(value: Value) -> Option<i64> {
    let op = value.defining_op().filter(|op| op.is("arith.constant"))?;
    op.attribute("value")?.as_i64()
}

/// `name`, or `name_1`, `name_2`, ..., whichever is free first.
fn fresh_name(names: &mut HashSet<String>, name: &str) -> String {
    let candidates = (1..).map(|i| format!("{name}_{i}"));
    let found = std::iter::once(name.to_owned())
        .chain(candidates)
        .find(|name| !names.contains(name))
        .expect("the candidates do not end");
    names.insert(found.clone());
    found
}
