//! The definitions of `graph.nonzero` and `graph.unique`: tensors of the largest size, and the number of elements in use.
//!
//! The place of an element in the result is the number of elements before it that are in the result. A scatter moves the
//! element there.

use super::super::decompose_composite_ops::{scan::scanned, sort::sorted};
use super::super::linalg_builder::{
    ResultSize, collapse, element_of, empty, filled, loop_index, rank, sizes_of,
};
use super::builder::{Read, map_elements, reduce_dims, static_sizes, zero};
use super::movement::{dim_value, extract_element};
use super::ordered::is_ascending;
use super::scalar::Scalars;
use crate::dialect::graph_op::{Comparison, ScatterKind};
use crate::ir::affine::Expr;
use crate::ir::{Attribute, Builder, Op, Type, Value};

fn i64_type<'c>(b: &Builder<'c>) -> Type<'c> {
    Type::integer(b.context(), 64)
}

/// A tensor of i64 with the sizes of another tensor.
fn i64_like<'c>(
    b: &Builder<'c>,
    like: Value<'c>,
    reads: &[Read<'c>],
    body: impl FnOnce(&Scalars<'_, 'c>, &[Value<'c>]) -> Value<'c>,
) -> Value<'c> {
    let ty = Type::tensor(&static_sizes(like), i64_type(b));
    map_elements(b, ty, &sizes_of(like), reads, body)
}

/// For each element of a list, the sum of those up to it.
fn running_sums<'c>(b: &Builder<'c>, list: Value<'c>) -> Value<'c> {
    let start = filled(b, Type::tensor(&[], i64_type(b)), &[], b.number(i64_type(b), 0));
    let outputs = [empty(b, list.ty(), &sizes_of(list)), start];
    scanned(b, list, &outputs, (0, true), |b, so_far, x| Scalars(b).add(so_far, x))[0]
}

fn total<'c>(b: &Builder<'c>, list: Value<'c>) -> Value<'c> {
    reduce_dims(b, list, &[0], vec![], zero(i64_type(b)), |s, v| s.add(v[1], v[0]))
}

/// For each element of a list of 0 and 1: the number of ones before it, or the length of the list if it is 0.
fn places<'c>(b: &Builder<'c>, flags: Value<'c>, sums: Value<'c>) -> Value<'c> {
    let len = dim_value(b, flags, 0);
    i64_like(b, flags, &[Read::same(flags), Read::same(sums)], |s, v| {
        let is_in = s.compare(Comparison::Ne, v[0], s.like(v[0], 0), false);
        let beyond = s.cast(len, i64_type(b), false);
        s.select(is_in, s.sub(v[1], s.like(v[1], 1)), beyond)
    })
}

/// A scatter into a tensor: of elements of a list, or of rows of a matrix.
fn scattered<'c>(
    b: &Builder<'c>,
    kind: ScatterKind,
    [x, indices, updates]: [Value<'c>; 3],
) -> Value<'c> {
    let is_list = rank(indices) == 1;
    let name = if is_list { "graph.scatter_elements" } else { "graph.scatter_nd" };
    let kind = Attribute::integer(Type::integer(b.context(), 32), kind as i64);
    let mut spec = b.spec(name).operands(&[x, indices, updates]).attribute("kind", kind);
    if is_list {
        spec = spec.attribute("dim", Attribute::integer(i64_type(b), 0));
    }
    b.value(spec.results(&[x.ty()]))
}

/// The value of a column of a matrix, of the last loop.
fn of_column<'c>(s: &Scalars<'_, 'c>, last: usize, values: Vec<Value<'c>>) -> Value<'c> {
    let column = loop_index(s.0, last);
    let chosen = values.into_iter().enumerate().reduce(|(_, found), (i, value)| {
        let is_here = s.compare(Comparison::Eq, column, s.0.index(i as i64), false);
        (i, s.select(is_here, value, found))
    });
    s.cast(chosen.expect("the verifier demands a dimension").1, i64_type(s.0), false)
}

pub(super) fn nonzero<'c>(b: &Builder<'c>, op: Op<'c>) -> Vec<Value<'c>> {
    let x = op.operand(0);
    let rank = rank(x);
    let is_nonzero = i64_like(b, x, &[Read::same(x)], |s, v| {
        s.cast(s.cast(v[0], Type::integer(b.context(), 1), false), i64_type(b), false)
    });
    let flags = collapse(b, is_nonzero, &[(0..rank).collect()]);
    let mut dims = static_sizes(x);
    dims.push(Some(rank as i64));
    let mut sizes = sizes_of(x);
    sizes.push(ResultSize::One);
    let lists = map_elements(b, Type::tensor(&dims, i64_type(b)), &sizes, &[], |s, _| {
        of_column(s, rank, (0..rank).map(|i| loop_index(s.0, i)).collect())
    });
    let lists = collapse(b, lists, &[(0..rank).collect(), vec![rank]]);
    let sizes: Vec<_> = (0..rank).map(|i| dim_value(b, x, i)).collect();
    let beyond = map_elements(b, lists.ty(), &sizes_of(lists), &[], |s, _| of_column(s, 1, sizes));
    let list = places(b, flags, running_sums(b, flags));
    let ty = Type::tensor(&[static_sizes(list)[0], Some(1)], i64_type(b));
    let read = Read::new(list, vec![Expr::Dim(0)]);
    let indices = map_elements(b, ty, &sizes_of(list), &[read], |_, v| v[0]);
    let places = scattered(b, ScatterKind::Replace, [beyond, indices, lists]);
    vec![places, total(b, flags)]
}

pub(super) fn unique<'c>(b: &Builder<'c>, op: Op<'c>) -> Vec<Value<'c>> {
    let x = op.operand(0);
    let is_unsigned = op.attribute("is_unsigned").is_some();
    let in_order = |b: &Builder<'c>, first: &[Value<'c>], second: &[Value<'c>]| {
        is_ascending(&Scalars(b), first[0], second[0], is_unsigned)
    };
    let [values, order] = sorted(b, x, 0, None, &in_order);
    // 1 for each element that differs from the one before it.
    let begins = i64_like(b, x, &[Read::same(values)], |s, v| {
        let (place, zero) = (loop_index(s.0, 0), s.0.index(0));
        let before = s.max(s.sub(place, s.0.index(1)), zero);
        let before = extract_element(s, values, &[before]);
        let is_first = s.compare(Comparison::Eq, place, zero, false);
        let is_equal = is_ascending(s, v[0], before, is_unsigned);
        let one = s.0.number(i64_type(b), 1);
        let differs = s.select(is_equal, s.like(one, 0), one);
        s.select(is_first, one, differs)
    });
    let sums = running_sums(b, begins);
    let firsts = places(b, begins, sums);
    let groups = i64_like(b, x, &[Read::same(sums)], |s, v| s.sub(v[0], s.like(v[0], 1)));
    let full = |element: Type<'c>, value: i64| {
        let ty = Type::tensor(&static_sizes(x), element);
        filled(b, ty, &sizes_of(x), b.number(element, value))
    };
    let list = |value: i64| full(i64_type(b), value);
    let replace = |x, indices, updates| scattered(b, ScatterKind::Replace, [x, indices, updates]);
    vec![
        replace(full(element_of(x), 0), firsts, values),
        replace(list(0), firsts, order),
        replace(list(0), order, groups),
        scattered(b, ScatterKind::Add, [list(0), groups, list(1)]),
        total(b, begins),
    ]
}
