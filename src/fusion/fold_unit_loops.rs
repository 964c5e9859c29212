//! `fold-unit-loops`: remove unit loops (loops of one iteration) from linalg ops.
//!
//! ```text
//! linalg.generic (i, j, k) over 1x12x8  ->  tensor.collapse_shape, linalg.generic (j, k) over 12x8, tensor.expand_shape
//! ```
//! Unit loops hide that two ops loop over the same sizes. The pass `linalg-fold-unit-extent-dims` of upstream MLIR
//! removes them.
//!
//! A function is unchanged if one of these holds:
//! - (C1) it has several blocks, or ops on memory: the upstream pass would add ops on memrefs that have no loops;
//! - (C2) all parallel loops of a reduction are unit loops. Rule R4 of `graph-fuse-ops` needs one of them, as the loop
//!   over rows that the reduction and its reader share;
//! - (C3) a `linalg.generic` has an index that is a sum of loop variables: without one of these loops, the sizes of its
//!   operands may no longer match.

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
