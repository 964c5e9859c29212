//! Decomposes `tm_tensor.scan` to a `linalg.generic` with two outputs: all partial results, and the last one.

use super::{inline, operand_groups};
use crate::compute::linalg_builder::{generic_of_several, loop_index, rank, tensor_dim};
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
    let rank = rank(inputs[0]);
    let others = (0..rank).filter(|d| *d != along).map(Expr::Dim).collect();
    let all = Map::identity(rank);
    let maps = [all.clone(), all, Map { dims: rank, symbols: 0, results: others }];
    let mut iterators = vec![IteratorKind::Parallel; rank];
    iterators[along] = IteratorKind::Reduction;
    let results = generic_of_several(b, &inputs[..1], &outputs, &maps, &iterators, |b, values| {
        let (x, so_far) = (values[0], values[2]);
        let next = inline(b, body, &[so_far, x]);
        if !is_inclusive {
            return vec![so_far, next];
        }
        let next = first_or(b, along, x, next);
        vec![next, next]
    });
    if is_inclusive || op.result(1).is_unused() {
        return results;
    }
    vec![results[0], last(b, results[0], along, op.result(1).ty())]
}

/// `first` in the first iteration of a loop, else `other`.
fn first_or<'c>(b: &Builder<'c>, along: usize, first: Value<'c>, other: Value<'c>) -> Value<'c> {
    const EQUAL: i64 = 0;
    let is_first = b.compare(EQUAL, loop_index(b, along), b.index(0));
    b.op("arith.select", &[is_first, first, other], first.ty())
}

/// The last elements of a tensor along a dimension.
fn last<'c>(b: &Builder<'c>, tensor: Value<'c>, along: usize, ty: Type<'c>) -> Value<'c> {
    const DYNAMIC: i64 = i64::MIN;
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
    let list = |items: &[i64]| Attribute::dense_i64(context, items);
    b.value(
        b.spec("tensor.extract_slice")
            .operands(&[tensor])
            .operands(&values)
            .segments(&[1, dynamic_offsets, values.len() - dynamic_offsets, 0])
            .attribute("static_offsets", list(&offsets))
            .attribute("static_sizes", list(&sizes))
            .attribute("static_strides", list(&vec![1; dims.len()]))
            .results(&[ty]),
    )
}
