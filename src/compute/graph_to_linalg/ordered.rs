//! The definitions of `graph.sort`, `topk` and `scan`.

use super::super::decompose_composite_ops::{scan::scanned, sort::sorted};
use super::super::linalg_builder::{element_of, empty, filled, sizes_of};
use super::builder::{dim_of, static_sizes};
use super::indexing::assert_size;
use super::movement::flipped;
use super::reduce::Reduction;
use super::scalar::{Scalars, is_float};
use super::selection::{self, ElementOrder, selected};
use crate::dialect::graph_op::Comparison;
use crate::ir::{Attribute, Builder, Error, Op, Type, Value};

pub(super) fn sort<'c>(b: &Builder<'c>, op: Op<'c>) -> Vec<Value<'c>> {
    ordered(b, op, None, op.attribute("descending").is_some())
}

pub(super) fn topk<'c>(b: &Builder<'c>, op: Op<'c>) -> Vec<Value<'c>> {
    let count = op.attribute("k").and_then(Attribute::as_i64).unwrap_or(0);
    let dim = dim_of(op);
    let message = format!("graph.topk takes {count} elements of dimension {dim}, which has fewer");
    assert_size(b, op, dim, count, &message);
    if (1..=selection::MOST).contains(&count) {
        let order = ElementOrder {
            descends: op.attribute("smallest").is_none(),
            is_unsigned: op.attribute("is_unsigned").is_some(),
        };
        return selected(b, op.operand(0), dim, count, order).to_vec();
    }
    ordered(b, op, Some(count), op.attribute("smallest").is_none())
}

/// The first elements in order, and their indices.
fn ordered<'c>(b: &Builder<'c>, op: Op<'c>, count: Option<i64>, descends: bool) -> Vec<Value<'c>> {
    let is_unsigned = op.attribute("is_unsigned").is_some();
    let in_order = |b: &Builder<'c>, first: &[Value<'c>], second: &[Value<'c>]| match descends {
        true => is_ascending(&Scalars(b), second[0], first[0], is_unsigned),
        false => is_ascending(&Scalars(b), first[0], second[0], is_unsigned),
    };
    sorted(b, op.operand(0), dim_of(op), count, &in_order).to_vec()
}

/// True if the second element is equal to the first one, or larger. NaN is larger than all numbers.
pub(super) fn is_ascending<'c>(
    s: &Scalars<'_, 'c>,
    first: Value<'c>,
    second: Value<'c>,
    is_unsigned: bool,
) -> Value<'c> {
    let holds = s.compare(Comparison::Le, first, second, is_unsigned);
    match is_float(first.ty()) {
        true => s.op("arith.ori", &[holds, s.is_nan(second)]),
        false => holds,
    }
}

pub(super) fn scan<'c>(b: &Builder<'c>, op: Op<'c>) -> Result<Value<'c>, Error<'c>> {
    let dim = dim_of(op);
    let is_reverse = op.attribute("reverse").is_some();
    let reduction = Reduction::of(op)?;
    let directed = |x| if is_reverse { flipped(b, x, &[dim]) } else { x };
    let x = directed(op.operand(0));
    let (mut dims, mut sizes) = (static_sizes(x), sizes_of(x));
    dims.remove(dim);
    sizes.remove(dim);
    let start = b.constant(reduction.start);
    let outputs = [
        empty(b, x.ty(), &sizes_of(x)),
        filled(b, Type::tensor(&dims, element_of(x)), &sizes, start),
    ];
    let is_inclusive = op.attribute("exclusive").is_none();
    let results = scanned(b, x, &outputs, (dim, is_inclusive), |b, so_far, x| {
        reduction.combine(&Scalars(b), so_far, x)
    });
    Ok(directed(results[0]))
}
