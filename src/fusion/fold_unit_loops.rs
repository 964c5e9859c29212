//! `fold-unit-loops`: remove unit loops (loops of one iteration) from linalg ops.
//!
//! ```text
//! linalg.generic (i, j, k) over 1x12x8  ->  tensor.collapse_shape, linalg.generic (j, k) over 12x8, tensor.expand_shape
//! ```
//! Unit loops hide that two ops loop over the same sizes. The pass `linalg-fold-unit-extent-dims` of upstream MLIR
//! removes them.
//!
//! Before that, reductions lose their unit loops that reduce, such as those over the window of a 1 x 1 convolution:
//! ```text
//! linalg.generic (h, w, f, c, i, j) ins(%x[h + i, w + j, c])  ->  linalg.generic (h, w, f, c) ins(%x[h, w, c])
//! ```
//! Apart from them, a function is unchanged if one of these holds:
//! - (C1) it has several blocks, or ops on memory: the upstream pass would add ops on memrefs that have no loops;
//! - (C2) all parallel loops of a reduction are unit loops. Rule R4 of `graph-fuse-ops` needs one of them, as the loop
//!   over rows that the reduction and its reader share;
//! - (C3) a `linalg.generic` has an index that is a sum of loop variables: without one of these loops, the sizes of its
//!   operands may no longer match.

use super::graph_fuse_ops::is_on_tensors;
use super::kind::{OpFacts, PatternKind, is_one};
use crate::compute::linalg_builder::rebuilt;
use crate::compute::symbolic_sizes::SymbolicSizes;
use crate::ir::affine::Expr;
use crate::ir::{IteratorKind, Op, Structured, walk};

/// The pass of upstream that removes the loops.
pub const PIPELINE: &str = "linalg-fold-unit-extent-dims";

/// Removes the unit loops that reduce from the reductions of a function that have other ones.
pub fn without_unit_reductions(function: Op) {
    if !is_on_tensors(function) {
        return;
    }
    for op in walk(function) {
        let Some(loops) = Structured::of(op) else { continue };
        let is_unit =
            |d: &usize| loops.iterators[*d] == IteratorKind::Reduction && is_unit(op, &loops, *d);
        let (units, kept): (Vec<usize>, Vec<usize>) = (0..loops.iterators.len()).partition(is_unit);
        let has_others = kept.iter().any(|d| loops.iterators[*d] == IteratorKind::Reduction);
        let has_index = || walk(op).into_iter().any(|it| it.is("linalg.index"));
        if units.is_empty() || !has_others || has_index() {
            continue;
        }
        let place =
            |d: usize| kept.iter().position(|it| *it == d).map_or(Expr::Constant(0), Expr::Dim);
        let mut fewer = loops.clone();
        for map in &mut fewer.maps {
            map.dims = kept.len();
            let indices =
                map.results.iter().map(|it| it.substitute(&place, &Expr::Symbol).simplified());
            map.results = indices.collect();
        }
        fewer.iterators = kept.iter().map(|d| loops.iterators[*d]).collect();
        rebuilt(op, &op.operands(), &fewer);
    }
}

/// True if an operand shows that a loop has one iteration.
fn is_unit(op: Op, loops: &Structured, d: usize) -> bool {
    op.operands().iter().zip(&loops.maps).any(|(operand, map)| {
        let sizes = operand.ty().shaped().map(|(sizes, _)| sizes).unwrap_or_default();
        map.results.iter().zip(sizes).any(|(index, size)| *index == Expr::Dim(d) && size == Some(1))
    })
}

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
