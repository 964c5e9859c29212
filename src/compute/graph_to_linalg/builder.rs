//! What the definitions of graph ops share: structured ops over the elements of a result.

use super::super::linalg_builder::{
    ResultSize, element_of, empty, filled, generic, rank, sizes_of, tensor_dim,
};
use super::scalar::Scalars;
use crate::ir::affine::{Expr, Map};
use crate::ir::{Attribute, Builder, IteratorKind, Op, Type, TypeKind, Value};

/// An operand of a structured op, and the index in each of its dimensions as an expression over the loops.
pub(super) struct Read<'c> {
    pub tensor: Value<'c>,
    pub indices: Vec<Expr>,
}

impl<'c> Read<'c> {
    pub fn new(tensor: Value<'c>, indices: Vec<Expr>) -> Self {
        Self { tensor, indices }
    }

    /// Reads at the indices of the first loops.
    pub fn same(tensor: Value<'c>) -> Self {
        Self::new(tensor, loops(0..rank(tensor)))
    }

    /// Reads at the indices of these loops.
    pub fn at(tensor: Value<'c>, dims: impl IntoIterator<Item = usize>) -> Self {
        Self::new(tensor, loops(dims))
    }
}

/// Loops as expressions.
pub(super) fn loops(dims: impl IntoIterator<Item = usize>) -> Vec<Expr> {
    dims.into_iter().map(Expr::Dim).collect()
}

/// The integers of an attribute that every verified op has.
pub(super) fn integers(op: Op, name: &str) -> Vec<i64> {
    op.attribute(name).and_then(Attribute::as_integers).unwrap_or_default()
}

/// A list of dimensions that every verified op has.
pub(super) fn dims_of(op: Op, name: &str) -> Vec<usize> {
    integers(op, name).into_iter().map(|dim| dim as usize).collect()
}

/// The dimension `dim` of a verified op.
pub(super) fn dim_of(op: Op) -> usize {
    op.attribute("dim").and_then(Attribute::as_i64).expect("ODS demands a dimension") as usize
}

/// The sizes of a tensor, `None` if dynamic.
pub(super) fn static_sizes(tensor: Value) -> Vec<Option<i64>> {
    tensor.ty().shaped().map(|(dims, _)| dims).unwrap_or_default()
}

/// The value with a type that may know other sizes.
pub(super) fn with_type<'c>(b: &Builder<'c>, value: Value<'c>, ty: Type<'c>) -> Value<'c> {
    if value.ty() == ty { value } else { b.op("tensor.cast", &[value], ty) }
}

/// The maps of reads, and of the indices of the output, over this number of loops.
fn maps(reads: &[Read], output: Vec<Expr>, count: usize) -> Vec<Map> {
    let map = |results: Vec<Expr>| Map { dims: count, symbols: 0, results };
    reads.iter().map(|read| map(read.indices.clone())).chain([map(output)]).collect()
}

fn tensors<'c>(reads: &[Read<'c>]) -> Vec<Value<'c>> {
    reads.iter().map(|read| read.tensor).collect()
}

/// A tensor of type `ty`, whose elements `body` computes from elements of other tensors. There is one loop for each
/// dimension. `sizes` are used for dynamic dimensions.
pub(super) fn map_elements<'c>(
    b: &Builder<'c>,
    ty: Type<'c>,
    sizes: &[ResultSize<'c>],
    reads: &[Read<'c>],
    body: impl FnOnce(&Scalars<'_, 'c>, &[Value<'c>]) -> Value<'c>,
) -> Value<'c> {
    let outs = empty(b, ty, sizes);
    let count = rank(outs);
    let maps = maps(reads, loops(0..count), count);
    let iterators = vec![IteratorKind::Parallel; count];
    generic(b, &tensors(reads), outs, &maps, &iterators, |b, x| {
        body(&Scalars(b), &x[..reads.len()])
    })
}

/// The output of a reduction.
pub(super) struct ReducedOutput<'c> {
    pub ty: Type<'c>,
    /// For its dynamic dimensions.
    pub sizes: Vec<ResultSize<'c>>,
    /// The loop of each dimension.
    pub loops: Vec<usize>,
    pub start: Attribute<'c>,
}

/// A reduction over `count` loops, those that do not belong to the output. `body` gets the elements that are read, and then the
/// value so far.
pub(super) fn reduce_elements<'c>(
    b: &Builder<'c>,
    output: &ReducedOutput<'c>,
    count: usize,
    reads: &[Read<'c>],
    body: impl FnOnce(&Scalars<'_, 'c>, &[Value<'c>]) -> Value<'c>,
) -> Value<'c> {
    let outs = filled(b, output.ty, &output.sizes, b.constant(output.start));
    let maps = maps(reads, loops(output.loops.iter().copied()), count);
    let iterator = |i: usize| match output.loops.contains(&i) {
        true => IteratorKind::Parallel,
        false => IteratorKind::Reduction,
    };
    let iterators: Vec<_> = (0..count).map(iterator).collect();
    generic(b, &tensors(reads), outs, &maps, &iterators, |b, x| body(&Scalars(b), x))
}

/// The elements along some dimensions of a tensor, reduced; the result has the other dimensions only.
pub(super) fn reduce_dims<'c>(
    b: &Builder<'c>,
    x: Value<'c>,
    reduced: &[usize],
    more: Vec<Read<'c>>,
    start: Attribute<'c>,
    body: impl FnOnce(&Scalars<'_, 'c>, &[Value<'c>]) -> Value<'c>,
) -> Value<'c> {
    let kept = kept_dims(x, reduced);
    let sizes = static_sizes(x);
    let output = ReducedOutput {
        ty: Type::tensor(&kept.iter().map(|i| sizes[*i]).collect::<Vec<_>>(), start.ty()),
        sizes: kept.iter().map(|i| ResultSize::Of(x, *i)).collect(),
        loops: kept,
        start,
    };
    let reads: Vec<_> = [Read::same(x)].into_iter().chain(more).collect();
    reduce_elements(b, &output, rank(x), &reads, body)
}

/// The dimensions that are not reduced.
pub(super) fn kept_dims(x: Value, reduced: &[usize]) -> Vec<usize> {
    (0..rank(x)).filter(|i| !reduced.contains(i)).collect()
}

/// The number zero of a type.
pub(super) fn zero(ty: Type) -> Attribute {
    match ty.kind() {
        TypeKind::Float(_) => Attribute::float(ty, 0.0),
        _ => Attribute::integer(ty, 0),
    }
}

/// The number of elements along some dimensions, as a float.
pub(super) fn count_of<'c>(
    b: &Builder<'c>,
    x: Value<'c>,
    dims: &[usize],
    element: Type<'c>,
) -> Value<'c> {
    let sizes = static_sizes(x);
    let known = dims.iter().try_fold(1i64, |n, i| sizes[*i].and_then(|size| n.checked_mul(size)));
    if let Some(count) = known {
        return b.constant(Attribute::float(element, count as f64));
    }
    let size = |i: &usize| tensor_dim(b, x, *i);
    let count = dims.iter().map(size).reduce(|n, size| b.op("arith.muli", &[n, size], n.ty()));
    Scalars(b).cast(count.unwrap_or_else(|| b.index(1)), element, false)
}

/// A tensor with the elements converted to another type, or the tensor itself.
pub(super) fn converted<'c>(b: &Builder<'c>, x: Value<'c>, to: Type<'c>) -> Value<'c> {
    if element_of(x) == to {
        return x;
    }
    let ty = Type::tensor(&static_sizes(x), to);
    map_elements(b, ty, &sizes_of(x), &[Read::same(x)], |s, v| s.cast(v[0], to, false))
}
