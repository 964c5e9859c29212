//! Lowering: from the loop dialect to vector form, and from vector form to the LLVM dialect.
//!
//! For a GPU, nests bound to threads become kernels of the gpu dialect (`loop_to_gpu`). MLIR lowers them to the
//! NVVM dialect.
//!
//! *Vector form* is the CPU form of the loop dialect: functions over row-major memrefs, whose bodies are arith,
//! math, scf and 1-D vectors. `scf.parallel` marks loops whose iterations are distributed over threads.
//! Lowering changes neither the order of computation nor the layout of buffers.
//!
//! Must not depend on: strategies, LLVM-C.

pub(crate) mod cpu;
pub mod cuda;
pub(crate) mod emit;
pub(crate) mod math;

use crate::ir::{Op, Type, Value, fresh_name};
use std::collections::HashSet;

/// The name of a function or global; empty if it has none.
fn symbol<'c>(op: Op<'c>) -> &'c str {
    op.symbol_name().unwrap_or_default()
}

/// True if the op can be cloned to any point where its value is needed: it has no operands, no regions and no
/// effects.
fn is_free(op: Op) -> bool {
    op.operands().is_empty() && op.regions().is_empty() && op.has_no_effects()
}

/// The value of an integer constant.
fn constant(value: Value) -> Option<i64> {
    let op = value.defining_op().filter(|op| op.is("arith.constant"))?;
    op.attribute("value")?.as_i64()
}

/// The size of an element in bytes; an index takes 8.
fn element_bytes(element: Type) -> i64 {
    element.element_bytes().unwrap_or(8)
}

/// The first free name of `base`, `base_1`, `base_2`, ...; reserves it in `names`.
fn take_name(names: &mut HashSet<String>, base: &str) -> String {
    let name = fresh_name(base, &|name| names.contains(name));
    names.insert(name.clone());
    name
}
