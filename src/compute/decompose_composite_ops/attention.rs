//! Decomposes `tm_tensor.attention` to the products and the softmax of rows that it stands for.

use super::operand_groups;
use crate::compute::linalg_builder::{
    ResultSize, element_of, empty, filled, generic, rank, tensor_dim,
};
use crate::ir::affine::{Expr, Map};
use crate::ir::{Attribute, Builder, IteratorKind, Op, Type, TypeKind, Value};

/// A predicate of `arith.cmpf`: ordered and equal.
const ORDERED_AND_EQUAL: i64 = 1;

pub(super) fn decompose<'c>(b: &Builder<'c>, op: Op<'c>) -> Vec<Value<'c>> {
    let (inputs, outputs) = operand_groups(op);
    let (query, key, value) = (inputs[0], inputs[1], inputs[2]);
    let scale = match op.attribute("scale").and_then(Attribute::as_f64) {
        Some(scale) => b.constant(Attribute::float(element_of(query), scale)),
        None => default_scale(b, query),
    };
    let products = product(b, [query, key], true, None);
    let weights = scaled(b, products, scale, inputs.get(3).copied());
    let weights = softmax(b, weights);
    vec![product(b, [weights, value], false, Some(outputs[0].ty()))]
}

/// 1 / sqrt(K), for the last dimension K.
fn default_scale<'c>(b: &Builder<'c>, query: Value<'c>) -> Value<'c> {
    let element = element_of(query);
    let (dims, _) = query.ty().shaped().expect("a verified tensor");
    if let Some(Some(size)) = dims.last() {
        return b.constant(Attribute::float(element, 1.0 / (*size as f64).sqrt()));
    }
    let size = tensor_dim(b, query, dims.len() - 1);
    let size = b.op("arith.index_cast", &[size], Type::integer(b.context(), 64));
    let root = b.op("math.sqrt", &[b.op("arith.sitofp", &[size], element)], element);
    b.op("arith.divf", &[b.number(element, 1), root], element)
}

/// The product of matrices in the last two dimensions; the other dimensions are a batch. The second matrix may be
/// transposed.
fn product<'c>(
    b: &Builder<'c>,
    [left, right]: [Value<'c>; 2],
    is_transposed: bool,
    ty: Option<Type<'c>>,
) -> Value<'c> {
    let rank = rank(left);
    let batch = rank - 2;
    let columns = if is_transposed { batch } else { batch + 1 };
    let (dims, element) = left.ty().shaped().expect("a verified tensor");
    let (of_right, _) = right.ty().shaped().expect("a verified tensor");
    let mut shape = dims;
    shape[batch + 1] = of_right[columns];
    let mut sizes: Vec<_> = (0..rank).map(|d| ResultSize::Of(left, d)).collect();
    sizes[batch + 1] = ResultSize::Of(right, columns);
    let ty = ty.unwrap_or_else(|| Type::tensor(&shape, element));
    let outs = filled(b, ty, &sizes, b.number(element, 0));
    let (row, column, k) = (Expr::Dim(batch), Expr::Dim(batch + 1), Expr::Dim(rank));
    let map = |last: [&Expr; 2]| {
        let results = (0..batch).map(Expr::Dim).chain(last.map(Expr::clone)).collect();
        Map { dims: rank + 1, symbols: 0, results }
    };
    let of_right = if is_transposed { [&column, &k] } else { [&k, &column] };
    let maps = [map([&row, &k]), map(of_right), map([&row, &column])];
    let mut iterators = vec![IteratorKind::Parallel; rank + 1];
    iterators[rank] = IteratorKind::Reduction;
    generic(b, &[left, right], outs, &maps, &iterators, |b, values| {
        let product = b.op("arith.mulf", &values[..2], element);
        b.op("arith.addf", &[values[2], product], element)
    })
}

/// An element-wise op on tensors of one shape, and on tensors without their last dimension.
fn rows<'c>(
    b: &Builder<'c>,
    inputs: &[Value<'c>],
    body: impl FnOnce(&Builder<'c>, &[Value<'c>]) -> Value<'c>,
) -> Value<'c> {
    let n = rank(inputs[0]);
    let sizes: Vec<_> = (0..n).map(|d| ResultSize::Of(inputs[0], d)).collect();
    let outs = empty(b, inputs[0].ty(), &sizes);
    let map = |value: &Value| Map {
        dims: n,
        symbols: 0,
        results: (0..rank(*value)).map(Expr::Dim).collect(),
    };
    let maps: Vec<_> = inputs.iter().chain([&outs]).map(map).collect();
    generic(b, inputs, outs, &maps, &vec![IteratorKind::Parallel; n], body)
}

/// weights * scale + mask
fn scaled<'c>(
    b: &Builder<'c>,
    weights: Value<'c>,
    scale: Value<'c>,
    mask: Option<Value<'c>>,
) -> Value<'c> {
    let element = element_of(weights);
    let inputs: Vec<_> = [weights].into_iter().chain(mask).collect();
    rows(b, &inputs, |b, values| {
        let scaled = b.op("arith.mulf", &[values[0], scale], element);
        let Some(mask) = mask.map(|_| values[1]) else { return scaled };
        let added = match mask.ty().kind() {
            TypeKind::Integer(_) => {
                let least = b.constant(Attribute::float(element, f64::NEG_INFINITY));
                b.op("arith.select", &[mask, b.number(element, 0), least], element)
            }
            _ => mask,
        };
        b.op("arith.addf", &[scaled, added], element)
    })
}

/// Reduces the last dimension.
fn reduce<'c>(b: &Builder<'c>, x: Value<'c>, combine: &str, start: f64) -> Value<'c> {
    let (mut dims, element) = x.ty().shaped().expect("a tensor");
    dims.pop();
    let n = dims.len();
    let sizes: Vec<_> = (0..n).map(|d| ResultSize::Of(x, d)).collect();
    let start = b.constant(Attribute::float(element, start));
    let outs = filled(b, Type::tensor(&dims, element), &sizes, start);
    let results = (0..n).map(Expr::Dim).collect();
    let maps = [Map::identity(n + 1), Map { dims: n + 1, symbols: 0, results }];
    let mut iterators = vec![IteratorKind::Parallel; n + 1];
    iterators[n] = IteratorKind::Reduction;
    generic(b, &[x], outs, &maps, &iterators, |b, v| b.op(combine, &[v[1], v[0]], element))
}

/// The softmax of each row; 0 for a row whose weights are all -infinity, which a mask may cause.
fn softmax<'c>(b: &Builder<'c>, x: Value<'c>) -> Value<'c> {
    let element = element_of(x);
    let choose = |b: &Builder<'c>, value, equals: Value<'c>, then: Value<'c>, other: Value<'c>| {
        let is_equal = b.compare(ORDERED_AND_EQUAL, value, equals);
        b.op("arith.select", &[is_equal, then, other], element)
    };
    let max = reduce(b, x, "arith.maximumf", f64::NEG_INFINITY);
    let powers = rows(b, &[x, max], |b, values| {
        let least = b.constant(Attribute::float(element, f64::NEG_INFINITY));
        let max = choose(b, values[1], least, b.number(element, 0), values[1]);
        let difference = b.op("arith.subf", &[values[0], max], element);
        b.op("math.exp", &[difference], element)
    });
    let sum = reduce(b, powers, "arith.addf", 0.0);
    rows(b, &[powers, sum], |b, values| {
        let zero = b.number(element, 0);
        let quotient = b.op("arith.divf", &values[..2], element);
        choose(b, values[1], zero, zero, quotient)
    })
}
