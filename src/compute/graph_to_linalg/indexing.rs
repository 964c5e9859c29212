//! The definitions of ops with indices that are data: `graph.take`, `gather_elements`, `gather_nd` and `one_hot`.

use super::super::linalg_builder::{
    ResultSize, is_grouped, loop_index, rank, sizes_of, tensor_dim,
};
use super::builder::{Read, dim_of, map_elements, static_sizes};
use super::movement::{dim_value, extract_element};
use super::scalar::Scalars;
use crate::dialect::graph_op::Comparison;
use crate::ir::{Attribute, Builder, Op, Type, Value};

/// The index of a slice or element: negative ones count from the end, and all are moved into the dimension.
fn index_inside<'c>(s: &Scalars<'_, 'c>, index: Value<'c>, size: Value<'c>) -> Value<'c> {
    let zero = s.0.index(0);
    let index = s.cast(index, size.ty(), false);
    let is_negative = s.compare(Comparison::Lt, index, zero, false);
    let index = s.select(is_negative, s.add(index, size), index);
    let last = s.sub(size, s.0.index(1));
    s.max(s.min(index, last), zero)
}

/// Asserts that a dimension whose size is known at run time has elements. In a fusion group, that is up to the caller.
fn assert_elements<'c>(b: &Builder<'c>, op: Op<'c>, dim: usize) {
    let message = format!("{} takes elements of dimension {dim}, which has none", op.name());
    assert_size(b, op, dim, 1, &message);
}

/// Asserts that a dimension of the first operand whose size is known at run time has this size or a larger one. In a fusion
/// group, that is up to the caller.
pub(super) fn assert_size<'c>(b: &Builder<'c>, op: Op<'c>, dim: usize, least: i64, message: &str) {
    if static_sizes(op.operand(0))[dim].is_some() || is_grouped(b) {
        return;
    }
    let size = tensor_dim(b, op.operand(0), dim);
    let has_elements = Scalars(b).compare(Comparison::Ge, size, b.index(least), false);
    let spec = b.spec("cf.assert").operands(&[has_elements]);
    b.insert(spec.attribute("msg", Attribute::string(b.context(), message)));
}

pub(super) fn take<'c>(b: &Builder<'c>, op: Op<'c>) -> Value<'c> {
    let (x, indices, dim) = (op.operand(0), op.operand(1), dim_of(op));
    assert_elements(b, op, dim);
    let count = rank(indices);
    let mut sizes = sizes_of(x);
    sizes.splice(dim..=dim, sizes_of(indices));
    let size = dim_value(b, x, dim);
    let read = Read::at(indices, dim..dim + count);
    map_elements(b, op.result(0).ty(), &sizes, &[read], |s, v| {
        let outer = (0..dim).map(|i| loop_index(s.0, i));
        let mut at: Vec<_> = outer.collect();
        at.push(index_inside(s, v[0], size));
        at.extend((dim + 1..rank(x)).map(|i| loop_index(s.0, i - 1 + count)));
        extract_element(s, x, &at)
    })
}

pub(super) fn gather_elements<'c>(b: &Builder<'c>, op: Op<'c>) -> Value<'c> {
    let (x, indices, dim) = (op.operand(0), op.operand(1), dim_of(op));
    assert_elements(b, op, dim);
    let size = dim_value(b, x, dim);
    let read = Read::same(indices);
    map_elements(b, op.result(0).ty(), &sizes_of(indices), &[read], |s, v| {
        let at = |i: usize| match i == dim {
            true => index_inside(s, v[0], size),
            false => loop_index(s.0, i),
        };
        extract_element(s, x, &(0..rank(x)).map(at).collect::<Vec<_>>())
    })
}

/// The number of indices in each list: the static last size of the indices.
fn list_len(indices: Value) -> usize {
    static_sizes(indices).last().copied().flatten().map_or(0, |len| len as usize)
}

pub(super) fn gather_nd<'c>(b: &Builder<'c>, op: Op<'c>) -> Value<'c> {
    let (x, indices) = (op.operand(0), op.operand(1));
    let batches = op.attribute("batch_dims").and_then(Attribute::as_i64).unwrap_or(0) as usize;
    let (leading, len) = (rank(indices) - 1, list_len(indices));
    let sizes_of_lists: Vec<Value> = (batches..batches + len)
        .map(|dim| {
            assert_elements(b, op, dim);
            dim_value(b, x, dim)
        })
        .collect();
    let mut sizes = sizes_of(indices);
    sizes.truncate(leading);
    sizes.extend(sizes_of(x).into_iter().skip(batches + len));
    map_elements(b, op.result(0).ty(), &sizes, &[], |s, _| {
        let mut at: Vec<_> = (0..batches).map(|i| loop_index(s.0, i)).collect();
        for (column, size) in sizes_of_lists.iter().enumerate() {
            let mut place: Vec<_> = (0..leading).map(|i| loop_index(s.0, i)).collect();
            place.push(s.0.index(column as i64));
            at.push(index_inside(s, extract_element(s, indices, &place), *size));
        }
        let slice = batches + len..rank(x);
        at.extend(slice.map(|i| loop_index(s.0, leading + i - batches - len)));
        extract_element(s, x, &at)
    })
}

pub(super) fn one_hot<'c>(b: &Builder<'c>, op: Op<'c>) -> Value<'c> {
    let operands = op.operands();
    let [indices, on, off] = operands[..] else { unreachable!("ODS demands three operands") };
    let dim = dim_of(op);
    let depth = op.attribute("depth").and_then(Attribute::as_i64).unwrap_or(0);
    let mut sizes = sizes_of(indices);
    sizes.insert(dim, ResultSize::One);
    let read = Read::at(indices, (0..sizes.len()).filter(|i| *i != dim));
    map_elements(b, op.result(0).ty(), &sizes, &[read], |s, v| {
        let index = s.cast(v[0], Type::integer(b.context(), 64), false);
        let is_negative = s.compare(Comparison::Lt, index, s.like(index, 0), false);
        let index = s.select(is_negative, s.add(index, s.like(index, depth)), index);
        let place = s.cast(loop_index(s.0, dim), index.ty(), false);
        s.select(s.compare(Comparison::Eq, index, place, false), on, off)
    })
}
