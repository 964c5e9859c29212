//! The definitions of ops that move elements: `graph.reshape`, `slice`, `concat`, `pad` and others.

use super::super::linalg_builder::{
    ResultSize, collapse, element_of, filled, loop_index, pad_tensor, rank, reassociation,
    sizes_of, tensor_dim,
};
use super::builder::{
    Read, dim_of, dims_of, integers, loops, map_elements, static_sizes, with_type,
};
use super::scalar::Scalars;
use super::slice::{Extent, extents, extract, mixed, type_of};
use crate::ir::affine::Expr;
use crate::ir::{Attribute, Builder, Op, Type, Value};

/// Splits each dimension into those of a group of the result.
fn expand<'c>(
    b: &Builder<'c>,
    x: Value<'c>,
    groups: &[Vec<usize>],
    sizes: &[Extent<'c>],
) -> Value<'c> {
    if sizes.len() == rank(x) {
        return x;
    }
    let (list, values) = mixed(b, sizes.iter().copied());
    let spec = b.spec("tensor.expand_shape").operands(&[x]).operands(&values);
    let spec = spec.attribute("reassociation", reassociation(b, groups));
    let spec = spec.attribute("static_output_shape", list);
    b.value(spec.results(&[type_of(sizes, element_of(x))]))
}

/// Splits one dimension into two, the first of this static size.
pub(super) fn split_dim<'c>(b: &Builder<'c>, x: Value<'c>, dim: usize, first: i64) -> Value<'c> {
    let mut sizes = extents(b, x);
    let Extent::Known(all) = sizes[dim] else { unreachable!("the verifier demands a static size") };
    sizes.splice(dim..=dim, [Extent::Known(first), Extent::Known(all / first)]);
    expand(b, x, &pairs(dim, sizes.len()), &sizes)
}

/// Joins a dimension and the next.
pub(super) fn join_dim<'c>(b: &Builder<'c>, x: Value<'c>, dim: usize) -> Value<'c> {
    collapse(b, x, &pairs(dim, rank(x)))
}

/// Groups of one dimension each, except for a dimension and the next.
fn pairs(dim: usize, rank: usize) -> Vec<Vec<usize>> {
    let firsts = (0..rank).filter(|i| *i != dim + 1);
    firsts.map(|i| if i == dim { vec![i, i + 1] } else { vec![i] }).collect()
}

/// The shortest lists of dimensions with as many elements; `None` if only whole shapes have. All sizes are known.
fn common_groups(from: &[i64], to: &[i64]) -> Option<[Vec<Vec<usize>>; 2]> {
    if from.is_empty() || to.is_empty() || from.iter().chain(to).any(|size| *size == 0) {
        return None;
    }
    let (mut i, mut j) = (0, 0);
    let mut groups: [Vec<Vec<usize>>; 2] = Default::default();
    while i < from.len() && j < to.len() {
        let (start, first) = (i, j);
        let (mut left, mut right) = (from[i], to[j]);
        (i, j) = (i + 1, j + 1);
        while left != right {
            if left < right {
                left = left.checked_mul(*from.get(i)?)?;
                i += 1;
            } else {
                right = right.checked_mul(*to.get(j)?)?;
                j += 1;
            }
        }
        groups[0].push((start..i).collect());
        groups[1].push((first..j).collect());
    }
    // What is left are dimensions of size 1.
    groups[0].last_mut()?.extend(i..from.len());
    groups[1].last_mut()?.extend(j..to.len());
    Some(groups)
}

pub(super) fn reshape<'c>(b: &Builder<'c>, op: Op<'c>) -> Value<'c> {
    let operands = op.operands();
    let (x, ty) = (operands[0], op.result(0).ty());
    if x.ty() == ty && operands.len() == 1 {
        return x;
    }
    let (from, to) = (static_sizes(x), static_sizes(op.result(0)));
    let known = |dims: &[Option<i64>]| dims.iter().copied().collect::<Option<Vec<i64>>>();
    if let Some((from, to)) = known(&from).zip(known(&to)) {
        let sizes: Vec<_> = to.iter().map(|size| Extent::Known(*size)).collect();
        let [before, after] = match common_groups(&from, &to) {
            Some(groups) => groups,
            None if from.is_empty() || to.is_empty() => Default::default(),
            None => [from.len(), to.len()].map(|count| vec![(0..count).collect()]),
        };
        return expand(b, collapse(b, x, &before), &after, &sizes);
    }
    let mut given = operands[1..].iter();
    let size = |size: &Option<i64>| match size {
        Some(size) => b.index(*size),
        None => *given.next().expect("the verifier counts the sizes"),
    };
    let sizes: Vec<_> = to.iter().map(size).collect();
    let list = Type::tensor(&[Some(sizes.len() as i64)], Type::index(b.context()));
    let list = b.value(b.spec("tensor.from_elements").operands(&sizes).results(&[list]));
    b.op("tensor.reshape", &[x, list], ty)
}

/// Adds dimensions of size 1.
fn expand_at<'c>(b: &Builder<'c>, x: Value<'c>, dims: &[usize]) -> Value<'c> {
    let count = rank(x) + dims.len();
    let mut rest = extents(b, x).into_iter();
    let size = |i| match dims.contains(&i) {
        true => Extent::Known(1),
        false => rest.next().expect("one size for each dimension of x"),
    };
    let sizes: Vec<_> = (0..count).map(size).collect();
    expand(b, x, &groups_without(dims, count), &sizes)
}

/// The dimensions of a shape in groups, each with one dimension that is not in the list.
fn groups_without(dims: &[usize], count: usize) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = vec![];
    let mut leading = vec![];
    for i in 0..count {
        match (dims.contains(&i), groups.last_mut()) {
            (true, Some(group)) => group.push(i),
            (true, None) => leading.push(i),
            (false, _) => {
                leading.push(i);
                groups.push(std::mem::take(&mut leading));
            }
        }
    }
    groups
}

pub(super) fn expand_dims<'c>(b: &Builder<'c>, op: Op<'c>) -> Value<'c> {
    expand_at(b, op.operand(0), &dims_of(op, "dims"))
}

pub(super) fn squeeze<'c>(b: &Builder<'c>, op: Op<'c>) -> Value<'c> {
    let x = op.operand(0);
    let dims = dims_of(op, "dims");
    let mut sizes = static_sizes(x);
    dims.iter().for_each(|dim| sizes[*dim] = Some(1));
    let x = with_type(b, x, Type::tensor(&sizes, element_of(x)));
    collapse(b, x, &groups_without(&dims, rank(x)))
}

pub(super) fn concat<'c>(b: &Builder<'c>, op: Op<'c>) -> Value<'c> {
    join(b, op.operands(), dim_of(op))
}

pub(super) fn stack<'c>(b: &Builder<'c>, op: Op<'c>) -> Value<'c> {
    let dim = dim_of(op);
    let parts = op.operands().into_iter().map(|part| expand_at(b, part, &[dim])).collect();
    join(b, parts, dim)
}

fn join<'c>(b: &Builder<'c>, parts: Vec<Value<'c>>, dim: usize) -> Value<'c> {
    if let [part] = parts[..] {
        return part;
    }
    // MLIR wants a size of the result to be static if it is so in a part.
    let mut sizes = static_sizes(parts[0]);
    for part in &parts[1..] {
        let more = static_sizes(*part);
        sizes = sizes.iter().zip(&more).map(|(one, other)| one.or(*other)).collect();
    }
    sizes[dim] = parts.iter().try_fold(0, |sum, part| Some(sum + static_sizes(*part)[dim]?));
    let dim = Attribute::integer(Type::integer(b.context(), 64), dim as i64);
    let spec = b.spec("tensor.concat").operands(&parts).attribute("dim", dim);
    b.value(spec.results(&[Type::tensor(&sizes, element_of(parts[0]))]))
}

pub(super) fn pad<'c>(b: &Builder<'c>, op: Op<'c>) -> Value<'c> {
    pad_tensor(b, op.operand(0), &integers(op, "low"), &integers(op, "high"), op.operand(1))
}

pub(super) fn flip<'c>(b: &Builder<'c>, op: Op<'c>) -> Value<'c> {
    flipped(b, op.operand(0), &dims_of(op, "dims"))
}

/// The tensor with the elements in reverse order along some dimensions.
pub(super) fn flipped<'c>(b: &Builder<'c>, x: Value<'c>, dims: &[usize]) -> Value<'c> {
    let sizes: Vec<Value> = (0..rank(x)).map(|i| dim_value(b, x, i)).collect();
    map_elements(b, x.ty(), &sizes_of(x), &[], |s, _| {
        let index = |i: usize| {
            let index = loop_index(s.0, i);
            match dims.contains(&i) {
                true => s.sub(s.sub(sizes[i], s.0.index(1)), index),
                false => index,
            }
        };
        extract_element(s, x, &(0..rank(x)).map(index).collect::<Vec<_>>())
    })
}

/// The size of a dimension as an index.
pub(super) fn dim_value<'c>(b: &Builder<'c>, x: Value<'c>, i: usize) -> Value<'c> {
    match static_sizes(x)[i] {
        Some(size) => b.index(size),
        None => tensor_dim(b, x, i),
    }
}

pub(super) fn extract_element<'c>(
    s: &Scalars<'_, 'c>,
    x: Value<'c>,
    indices: &[Value<'c>],
) -> Value<'c> {
    let operands: Vec<_> = [x].into_iter().chain(indices.iter().copied()).collect();
    s.0.op("tensor.extract", &operands, element_of(x))
}

/// Each dimension with another one of `counts[i]` copies, before it or behind it, and then both joined.
fn repeated<'c>(b: &Builder<'c>, op: Op<'c>, counts: &[i64], copies_first: bool) -> Value<'c> {
    let x = op.operand(0);
    let (mut ty, mut sizes, mut read, mut groups) = (vec![], vec![], vec![], vec![]);
    for (i, count) in counts.iter().enumerate() {
        let own = (static_sizes(x)[i], ResultSize::Of(x, i));
        let copies = (Some(*count), ResultSize::One);
        let first = ty.len();
        let (dims, place) = match (*count, copies_first) {
            (1, _) => (vec![own], first),
            (_, true) => (vec![copies, own], first + 1),
            (_, false) => (vec![own, copies], first),
        };
        groups.push((first..first + dims.len()).collect::<Vec<_>>());
        read.push(Expr::Dim(place));
        for (size, source) in dims {
            ty.push(size);
            sizes.push(source);
        }
    }
    let ty = Type::tensor(&ty, element_of(x));
    let copied = map_elements(b, ty, &sizes, &[Read::new(x, read)], |_, v| v[0]);
    collapse(b, copied, &groups)
}

pub(super) fn tile<'c>(b: &Builder<'c>, op: Op<'c>) -> Value<'c> {
    repeated(b, op, &integers(op, "repeats"), true)
}

pub(super) fn repeat<'c>(b: &Builder<'c>, op: Op<'c>) -> Value<'c> {
    let mut counts = vec![1; rank(op.operand(0))];
    counts[dim_of(op)] = op.attribute("count").and_then(Attribute::as_i64).unwrap_or(1);
    repeated(b, op, &counts, false)
}

/// By padding, splitting and transposing, or the inverse of these.
pub(super) fn layout_transform<'c>(b: &Builder<'c>, op: Op<'c>) -> Value<'c> {
    let x = op.operand(0);
    let (dims, tiles) = (dims_of(op, "dims"), integers(op, "tiles"));
    let is_inverse = op.attribute("inverse").is_some();
    let (plain, tiled) = match is_inverse {
        true => (static_sizes(op.result(0)), static_sizes(x)),
        false => (static_sizes(x), static_sizes(op.result(0))),
    };
    let sizes = |list: &[Option<i64>]| list.iter().copied().flatten().collect::<Vec<i64>>();
    let (plain, tiled) = (sizes(&plain), sizes(&tiled));
    // The dimensions with the tiles apart: each plain one, and behind it that inside its tiles.
    let (mut split, mut order, mut groups) = (vec![], vec![], vec![]);
    for (i, outer) in tiled[..plain.len()].iter().enumerate() {
        let first = split.len();
        split.push(*outer);
        order.push(i);
        if let Some(place) = dims.iter().position(|dim| *dim == i) {
            split.push(tiles[place]);
            order.push(plain.len() + place);
        }
        groups.push((first..split.len()).collect::<Vec<_>>());
    }
    let grown: Vec<i64> =
        groups.iter().map(|group| group.iter().map(|i| split[*i]).product()).collect();
    let element = element_of(x);
    let known = |sizes: &[i64]| sizes.iter().map(|size| Extent::Known(*size)).collect::<Vec<_>>();
    if is_inverse {
        // Element [split] of the transposed tensor is that of x with each index at its place in `order`.
        let mut indices = vec![Expr::Constant(0); split.len()];
        for (at, place) in order.iter().enumerate() {
            indices[*place] = Expr::Dim(at);
        }
        let ty = type_of(&known(&split), element);
        let apart = map_elements(b, ty, &[], &[Read::new(x, indices)], |_, v| v[0]);
        let all = collapse(b, apart, &groups);
        if grown == plain {
            return all;
        }
        return extract(
            b,
            all,
            &known(&vec![0; plain.len()]),
            &known(&plain),
            &vec![1; plain.len()],
        );
    }
    let high: Vec<i64> = grown.iter().zip(&plain).map(|(grown, size)| grown - size).collect();
    let padded = pad_tensor(b, x, &vec![0; plain.len()], &high, b.number(element, 0));
    let apart = expand(b, padded, &groups, &known(&split));
    let read = Read::new(apart, loops(order));
    map_elements(b, op.result(0).ty(), &[], &[read], |_, v| v[0])
}

/// The sizes of a new tensor, of which operands give the dynamic ones.
fn given_sizes<'c>(result: Value<'c>, given: &[Value<'c>]) -> Vec<ResultSize<'c>> {
    let mut given = given.iter();
    let size = |size: Option<i64>| match size {
        Some(_) => ResultSize::One,
        None => ResultSize::Value(*given.next().expect("the verifier counts the sizes")),
    };
    static_sizes(result).into_iter().map(size).collect()
}

pub(super) fn full<'c>(b: &Builder<'c>, op: Op<'c>) -> Value<'c> {
    let sizes = given_sizes(op.result(0), &op.operands()[1..]);
    filled(b, op.result(0).ty(), &sizes, op.operand(0))
}

pub(super) fn iota<'c>(b: &Builder<'c>, op: Op<'c>) -> Value<'c> {
    let sizes = given_sizes(op.result(0), &op.operands());
    let to = element_of(op.result(0));
    map_elements(b, op.result(0).ty(), &sizes, &[], |s, _| {
        s.cast(loop_index(s.0, dim_of(op)), to, false)
    })
}

pub(super) fn broadcast<'c>(b: &Builder<'c>, op: Op<'c>) -> Value<'c> {
    let operands = op.operands();
    let x = operands[0];
    let dims = dims_of(op, "dims");
    let (from, to) = (static_sizes(x), static_sizes(op.result(0)));
    let mut given = operands[1..].iter();
    let size = |i: usize| match dims.iter().position(|d| *d == i) {
        Some(place) if from[place] != Some(1) => ResultSize::Of(x, place),
        _ if to[i].is_some() => ResultSize::One,
        _ => given.next().map_or(ResultSize::One, |value| ResultSize::Value(*value)),
    };
    let sizes: Vec<_> = (0..to.len()).map(size).collect();
    let place = |(place, dim): (usize, &usize)| match from[place] {
        Some(1) => Expr::Constant(0),
        _ => Expr::Dim(*dim),
    };
    let read = dims.iter().enumerate().map(place).collect();
    map_elements(b, op.result(0).ty(), &sizes, &[Read::new(x, read)], |_, v| v[0])
}

pub(super) fn transpose<'c>(b: &Builder<'c>, op: Op<'c>) -> Value<'c> {
    let x = op.operand(0);
    let perm = dims_of(op, "perm");
    let sizes: Vec<_> = perm.iter().map(|i| ResultSize::Of(x, *i)).collect();
    let place = |i| perm.iter().position(|p| *p == i).expect("a permutation, by the verifier");
    let read = Read::at(x, (0..perm.len()).map(place));
    map_elements(b, op.result(0).ty(), &sizes, &[read], |_, v| v[0])
}
