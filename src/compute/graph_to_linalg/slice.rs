//! `graph.slice` and `graph.split`: parts of dimensions, whose sizes are known or not.

use super::super::linalg_builder::{ResultSize, element_of, empty, extract_slice, tensor_dim};
use super::builder::{dim_of, dims_of, integers, static_sizes};
use super::scalar::Scalars;
use crate::compute::symbolic_sizes::DYNAMIC;
use crate::dialect::graph_op::slice_bounds;
use crate::ir::affine::Expr;
use crate::ir::{Attribute, Builder, Op, Type, Value};

/// A number, or an index that is known at run time.
#[derive(Clone, Copy)]
pub(super) enum Extent<'c> {
    Known(i64),
    Value(Value<'c>),
}

/// The entries of a list that may have dynamic ones, and their values.
pub(super) fn mixed<'c>(
    b: &Builder<'c>,
    list: impl IntoIterator<Item = Extent<'c>>,
) -> (Attribute<'c>, Vec<Value<'c>>) {
    let mut values = vec![];
    let mut entry = |extent| match extent {
        Extent::Known(size) => size,
        Extent::Value(value) => {
            values.push(value);
            DYNAMIC
        }
    };
    let entries: Vec<i64> = list.into_iter().map(&mut entry).collect();
    (Attribute::dense_i64(b.context(), &entries), values)
}

/// The sizes of a tensor.
pub(super) fn extents<'c>(b: &Builder<'c>, tensor: Value<'c>) -> Vec<Extent<'c>> {
    let extent = |(i, size): (usize, Option<i64>)| match size {
        Some(size) => Extent::Known(size),
        None => Extent::Value(tensor_dim(b, tensor, i)),
    };
    static_sizes(tensor).into_iter().enumerate().map(extent).collect()
}

pub(super) fn type_of<'c>(extents: &[Extent<'c>], element: Type<'c>) -> Type<'c> {
    let size = |extent: &Extent| match extent {
        Extent::Known(size) => Some(*size),
        Extent::Value(_) => None,
    };
    Type::tensor(&extents.iter().map(size).collect::<Vec<_>>(), element)
}

/// A part of each dimension.
pub(super) fn extract<'c>(
    b: &Builder<'c>,
    x: Value<'c>,
    starts: &[Extent<'c>],
    sizes: &[Extent<'c>],
    steps: &[i64],
) -> Value<'c> {
    let ty = type_of(sizes, element_of(x));
    if sizes.iter().any(|size| matches!(size, Extent::Known(0))) {
        // A start at the end of a dimension is not within the bounds that MLIR checks.
        let size = |extent: &Extent<'c>| match extent {
            Extent::Known(_) => ResultSize::One,
            Extent::Value(value) => ResultSize::Value(*value),
        };
        return empty(b, ty, &sizes.iter().map(size).collect::<Vec<_>>());
    }
    let (offsets, start_values) = mixed(b, starts.iter().copied());
    let (lengths, size_values) = mixed(b, sizes.iter().copied());
    extract_slice(b, x, (offsets, &start_values), (lengths, &size_values), steps, ty)
}

pub(super) fn slice<'c>(b: &Builder<'c>, op: Op<'c>) -> Value<'c> {
    let x = op.operand(0);
    let [from, to, by] = ["starts", "ends", "steps"].map(|name| integers(op, name));
    let mut sizes = extents(b, x);
    let mut starts = vec![Extent::Known(0); sizes.len()];
    let mut steps = vec![1; sizes.len()];
    for (i, dim) in dims_of(op, "dims").into_iter().enumerate() {
        // A step beyond each size takes one element at most.
        steps[dim] = if by[i] < MOST_SIZE { by[i] } else { 1 };
        (starts[dim], sizes[dim]) = match sizes[dim] {
            Extent::Known(size) => {
                let (start, len) = slice_bounds(size, from[i], to[i], by[i]);
                (Extent::Known(start), Extent::Known(len))
            }
            Extent::Value(size) => {
                let (start, len) = dynamic_bounds(b, size, from[i], to[i]);
                let len = match by[i] {
                    MOST_SIZE.. => Scalars(b).min(b.index(1), len),
                    by => b.apply(&divided(Expr::Dim(0), by), &[len], &[]),
                };
                (Extent::Value(start), Extent::Value(len))
            }
        };
    }
    extract(b, x, &starts, &sizes, &steps)
}

/// The start of a slice of a dynamic size, and the number of elements from there to its end. Their form is short, because the sizes
/// of all that is computed from the slice are expressions over it.
fn dynamic_bounds<'c>(
    b: &Builder<'c>,
    size: Value<'c>,
    from: i64,
    to: i64,
) -> (Value<'c>, Value<'c>) {
    let s = Scalars(b);
    let zero = || b.index(0);
    // Exporters state the end of a dimension by the greatest number, and its start by the smallest.
    let from = if from <= LEAST_START { 0 } else { from };
    let inside = |at: i64| match at {
        0 => zero(),
        MOST_SIZE.. => size,
        1..MOST_SIZE => s.min(b.index(at), size),
        _ => s.max(s.add(size, b.index(at)), zero()),
    };
    let start = inside(from);
    let len = match (from, to) {
        (_, ..=LEAST_START) | (MOST_SIZE.., _) => zero(),
        (0, _) => inside(to),
        (0.., MOST_SIZE..) => s.max(s.sub(size, b.index(from)), zero()),
        (0.., 0..) | (..0, ..0) if from >= to => zero(),
        (0.., 0..) | (..0, ..0) => s.sub(inside(to), start),
        (0.., ..0) => s.max(s.sub(s.add(size, b.index(to)), b.index(from)), zero()),
        (..0, MOST_SIZE..) => s.min(b.index(-from), size),
        (..0, 0..) => s.max(s.sub(inside(to), start), zero()),
    };
    (start, len)
}

/// Sizes are less than this.
const MOST_SIZE: i64 = 1 << 62;

/// A position from the end that is before the start of each dimension.
const LEAST_START: i64 = -MOST_SIZE;

/// The quotient, rounded up.
pub(super) fn divided(x: Expr, by: i64) -> Expr {
    // Not (x + by - 1) / by, which may exceed 64 bits.
    (x - 1.into()).floor_div(by.into()) + 1.into()
}

pub(super) fn split<'c>(b: &Builder<'c>, op: Op<'c>) -> Vec<Value<'c>> {
    let (x, dim) = (op.operand(0), dim_of(op));
    let mut sizes = extents(b, x);
    let mut starts = vec![Extent::Known(0); sizes.len()];
    let mut start = 0;
    let part = |size: i64| {
        (starts[dim], sizes[dim]) = (Extent::Known(start), Extent::Known(size));
        start += size;
        extract(b, x, &starts, &sizes, &vec![1; sizes.len()])
    };
    integers(op, "sizes").into_iter().map(part).collect()
}
