//! Decomposes `tm_tensor.scan` to a `linalg.generic` with two outputs: all partial results, and the last one.

use super::{inline, operand_groups};
use crate::compute::linalg_builder::{
    extract_slice, generic_of_several, loop_index, rank, tensor_dim,
};
use crate::compute::symbolic_sizes::DYNAMIC;
use crate::ir::affine::{Expr, Map};
use crate::ir::{Attribute, Builder, IteratorKind, Op, Type, Value};

/// The scanned dimension; a verified op has one.
fn dimension(op: Op) -> usize {
    op.attribute("dimension").and_then(Attribute::as_i64).unwrap_or(0) as usize
}

pub(super) fn decompose<'c>(b: &Builder<'c>, op: Op<'c>) -> Vec<Value<'c>> {
    let (inputs, outputs) = operand_groups(op);
    let along = dimension(op);
    let is_inclusive = op.attribute("inclusive").and_then(Attribute::as_i64) != Some(0);
    let body = op.body(0).expect("a verified scan has a body");
    let results = scanned(b, inputs[0], &outputs, (along, is_inclusive), |b, so_far, x| {
        inline(b, body, &[so_far, x])
    });
    if is_inclusive || op.result(1).is_unused() {
        return results;
    }
    vec![results[0], last(b, results[0], along, op.result(1).ty())]
}

/// The partial results along a dimension of `x`, and the result of all elements. `combine` gets the result so far and the next
/// element. The scan is inclusive if that is true; an exclusive one starts with the second output.
pub(crate) fn scanned<'c>(
    b: &Builder<'c>,
    x: Value<'c>,
    outputs: &[Value<'c>],
    (along, is_inclusive): (usize, bool),
    combine: impl FnOnce(&Builder<'c>, Value<'c>, Value<'c>) -> Value<'c>,
) -> Vec<Value<'c>> {
    let rank = rank(x);
    let others = (0..rank).filter(|d| *d != along).map(Expr::Dim).collect();
    let all = Map::identity(rank);
    let maps = [all.clone(), all, Map { dims: rank, symbols: 0, results: others }];
    let mut iterators = vec![IteratorKind::Parallel; rank];
    iterators[along] = IteratorKind::Reduction;
    generic_of_several(b, &[x], outputs, &maps, &iterators, |b, values| {
        let (x, so_far) = (values[0], values[2]);
        let next = combine(b, so_far, x);
        if !is_inclusive {
            return vec![so_far, next];
        }
        let next = first_or(b, along, x, next);
        vec![next, next]
    })
}

/// `first` in the first iteration of a loop, else `other`.
fn first_or<'c>(b: &Builder<'c>, along: usize, first: Value<'c>, other: Value<'c>) -> Value<'c> {
    const EQUAL: i64 = 0;
    let is_first = b.compare(EQUAL, loop_index(b, along), b.index(0));
    b.op("arith.select", &[is_first, first, other], first.ty())
}

/// The last elements of a tensor along a dimension.
fn last<'c>(b: &Builder<'c>, tensor: Value<'c>, along: usize, ty: Type<'c>) -> Value<'c> {
    let (dims, _) = tensor.ty().shaped().expect("a tensor");
    let context = b.context();
    let (mut offsets, mut sizes) = (vec![0; dims.len()], vec![1; dims.len()]);
    let mut values = vec![];
    match dims[along] {
        Some(size) => offsets[along] = size - 1,
        None => {
            let size = tensor_dim(b, tensor, along);
            offsets[along] = DYNAMIC;
            values.push(b.op("arith.subi", &[size, b.index(1)], Type::index(context)));
        }
    }
    let dynamic_offsets = values.len();
    for (d, dim) in dims.iter().enumerate().filter(|(d, _)| *d != along) {
        sizes[d] = dim.unwrap_or(DYNAMIC);
        if dim.is_none() {
            values.push(tensor_dim(b, tensor, d));
        }
    }
    let (of_offsets, of_sizes) = values.split_at(dynamic_offsets);
    let list = |items: &[i64]| Attribute::dense_i64(context, items);
    let ones = vec![1; dims.len()];
    extract_slice(b, tensor, (list(&offsets), of_offsets), (list(&sizes), of_sizes), &ones, ty)
}
