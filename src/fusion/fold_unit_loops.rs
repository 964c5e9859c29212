//! `fold-unit-loops`: remove the loops of one iteration of linalg ops.
//!
//! ```text
//! linalg.generic (i, j, k) over 1x12x8  ->  tensor.collapse_shape, linalg.generic (j, k) over 12x8, tensor.expand_shape
//! ```
//! Such loops hide that two ops loop over the same sizes. Upstream's `linalg-fold-unit-extent-dims` removes them.
//!
//! A function stays as it is if
//! - (C1) it has several blocks, or works on memory: upstream's pass would add ops on memrefs that have no loops;
//! - (C2) a reduction has only loops of one iteration over its results. This loop is its row, in which it is computed together
//!   with what reads it;
//! - (C3) a `linalg.generic` reads at a sum of loops: without one of them, the sizes of its operands may no longer fit.

use super::graph_fuse_ops::is_on_tensors;
use super::kind::{OpFacts, PatternKind, is_one};
use crate::compute::symbolic_sizes::SymbolicSizes;
use crate::ir::affine::Expr;
use crate::ir::{Op, Structured, walk};

/// The pass of upstream that removes the loops.
pub const PIPELINE: &str = "linalg-fold-unit-extent-dims";

/// True if [`PIPELINE`] may run on a function.
pub fn applies(function: Op) -> bool {
    let has_one_row = |op: &Op| {
        let facts = OpFacts::of(*op, &SymbolicSizes::default());
        facts.kind == PatternKind::Reduction
            && !facts.results.is_empty()
            && facts.results.iter().all(is_one)
    };
    let reads_at_sums = |op: &Op| {
        let maps = Structured::of(*op).filter(|_| op.is("linalg.generic")).map(|it| it.maps);
        let mut exprs = maps.into_iter().flatten().flat_map(|map| map.results);
        exprs.any(|expr| matches!(expr, Expr::Binary(..)))
    };
    let ops = walk(function);
    is_on_tensors(function) && !ops.iter().any(|op| has_one_row(op) || reads_at_sums(op))
}
