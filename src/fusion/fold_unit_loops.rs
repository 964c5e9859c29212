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
//! And a constant that has one dimension of several elements is read as that dimension, if the index in each other one is 0.
//! So the bias of a convolution is contiguous along channels wherever they are in the result:
//! ```text
//! linalg.generic (h, w, c) ins(%bias[c, 0, 0]), 8x1x1  ->  linalg.generic (h, w, c) ins(%bias[c]), 8
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
use crate::ir::{Attribute, Builder, IteratorKind, Op, Structured, Value, walk};
use std::collections::HashMap;

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

/// Removes the unit dimensions of the constants that `linalg.generic` ops read as described above.
pub fn without_unit_dimensions(function: Op) {
    if !is_on_tensors(function) {
        return;
    }
    let mut flat: HashMap<Value, Value> = HashMap::new();
    for op in walk(function).into_iter().filter(|op| op.is("linalg.generic")) {
        let Some(mut loops) = Structured::of(op) else { continue };
        let mut operands = op.operands();
        for (operand, map) in operands.iter_mut().zip(&mut loops.maps).take(loops.inputs) {
            let Some((constant, dimension)) = only_dimension(*operand) else { continue };
            let mut others = map.results.iter().enumerate().filter(|(d, _)| *d != dimension);
            if others.any(|(_, index)| *index != Expr::Constant(0)) {
                continue;
            }
            map.results = vec![map.results.swap_remove(dimension)];
            let at = Builder::before(constant, constant.location());
            let value = constant.attribute("value").and_then(Attribute::flattened);
            let value = value.expect("a constant tensor has elements");
            *operand = *flat.entry(*operand).or_insert_with(|| at.constant(value));
        }
        if operands != op.operands() {
            rebuilt(op, &operands, &loops);
        }
    }
    let unused = flat.into_keys().filter(|value| value.is_unused());
    unused.filter_map(Value::defining_op).for_each(Op::erase);
}

/// The constant of a tensor of several dimensions, and the only dimension whose size is not 1.
fn only_dimension<'c>(value: Value<'c>) -> Option<(Op<'c>, usize)> {
    let constant = value.defining_op().filter(|op| op.is("arith.constant"))?;
    constant.attribute("value")?.has_elements().then_some(())?;
    let (sizes, _) = value.ty().shaped().filter(|(sizes, _)| sizes.len() > 1)?;
    let mut large = (0..sizes.len()).filter(|d| sizes[*d] != Some(1));
    let dimension = large.next()?;
    large.next().is_none().then_some((constant, dimension))
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
