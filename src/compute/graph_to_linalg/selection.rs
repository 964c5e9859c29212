//! The definition of `graph.topk` for a few elements: they are found one after the other, without a sort.
//!
//! ```text
//! key[d] = an integer in the order of x[d]
//! best = max of key[d], place = min of d where key[d] = best
//! next best = max of key[d] where key[d] < best, or key[d] = best and d > place
//! ```
//! All of these are reductions of rows, which vectors compute.

use super::super::linalg_builder::{element_of, loop_index, rank, sizes_of};
use super::builder::{Read, kept_dims, map_elements, reduce_dims, static_sizes};
use super::movement::extract_element;
use super::scalar::{Scalars, is_float};
use crate::dialect::graph_op::Comparison;
use crate::ir::{Attribute, Builder, FloatKind, Type, TypeKind, Value};

/// The most elements that are found in this way. There is code for each of them.
pub(super) const MOST: i64 = 16;

/// How elements are ordered.
#[derive(Clone, Copy)]
pub(super) struct ElementOrder {
    pub descends: bool,
    pub is_unsigned: bool,
}

/// A tensor whose rows are searched.
struct Selection<'a, 'c> {
    b: &'a Builder<'c>,
    dim: usize,
    /// Integers in the order of the elements, the largest first.
    keys: Value<'c>,
    /// The type of the places along the dimension, and the largest number of this type.
    place: Type<'c>,
    behind: i64,
}

/// An element of each row that has been found.
#[derive(Clone, Copy)]
struct FoundElement<'c> {
    key: Value<'c>,
    place: Value<'c>,
}

/// The first `count` elements of a tensor along a dimension, and their indices as i64. The tensor has as many.
pub(super) fn selected<'c>(
    b: &Builder<'c>,
    x: Value<'c>,
    dim: usize,
    count: i64,
    order: ElementOrder,
) -> [Value<'c>; 2] {
    let key = key_type(element_of(x));
    let ty = Type::tensor(&static_sizes(x), key);
    let keys =
        map_elements(b, ty, &sizes_of(x), &[Read::same(x)], |s, v| key_of(s, v[0], key, order));
    let is_short = static_sizes(x)[dim].is_some_and(|size| i32::try_from(size).is_ok());
    let (bits, behind) = if is_short { (32, i32::MAX.into()) } else { (64, i64::MAX) };
    let place = Type::integer(b.context(), bits);
    let selection = Selection { b, dim, keys, place, behind };
    let mut all: Vec<FoundElement> = vec![];
    for _ in 0..count {
        all.push(selection.after(all.last().copied()));
    }
    let mut sizes = static_sizes(x);
    sizes[dim] = Some(count);
    let outer = kept_dims(x, &[dim]);
    let reads: Vec<_> = all.iter().map(|found| Read::at(found.place, outer.clone())).collect();
    let i64_type = Type::integer(b.context(), 64);
    let indices = Type::tensor(&sizes, i64_type);
    let indices = map_elements(b, indices, &sizes_of(x), &reads, |s, places| {
        let at = loop_index(s.0, dim);
        let chosen = places.iter().enumerate().skip(1).fold(places[0], |chosen, (i, place)| {
            let is_here = s.compare(Comparison::Eq, at, s.0.index(i as i64), false);
            s.select(is_here, *place, chosen)
        });
        s.cast(chosen, i64_type, false)
    });
    let values = Type::tensor(&sizes, element_of(x));
    let values = map_elements(b, values, &sizes_of(x), &[Read::same(indices)], |s, v| {
        let index = |i: usize| match i == dim {
            true => s.cast(v[0], Type::index(s.0.context()), false),
            false => loop_index(s.0, i),
        };
        extract_element(s, x, &(0..rank(x)).map(index).collect::<Vec<_>>())
    });
    [values, indices]
}

impl<'c> Selection<'_, 'c> {
    /// The first element of each row after another one, or of all.
    fn after(&self, last: Option<FoundElement<'c>>) -> FoundElement<'c> {
        let key = element_of(self.keys);
        let least = i64::MIN >> (64 - key.integer_bits().unwrap_or(64));
        let outer = kept_dims(self.keys, &[self.dim]);
        let row = |value: Value<'c>| Read::at(value, outer.clone());
        let of_last: Vec<_> =
            last.into_iter().flat_map(|it| [row(it.key), row(it.place)]).collect();
        let start = Attribute::integer(key, least);
        let best = reduce_dims(self.b, self.keys, &[self.dim], of_last, start, |s, v| {
            let key = match &v[1..v.len() - 1] {
                [last, place] => {
                    let follows = self.follows(s, v[0], (*last, *place));
                    s.select(follows, v[0], s.like(v[0], least))
                }
                _ => v[0],
            };
            s.op("arith.maxsi", &[v[v.len() - 1], key])
        });
        let more = [Some(best), last.map(|it| it.key), last.map(|it| it.place)];
        let more: Vec<_> = more.into_iter().flatten().map(row).collect();
        let start = Attribute::integer(self.place, self.behind);
        let place = reduce_dims(self.b, self.keys, &[self.dim], more, start, |s, v| {
            let is_best = s.compare(Comparison::Eq, v[0], v[1], false);
            let is_it = match &v[2..v.len() - 1] {
                [last, place] => s.and(is_best, self.follows(s, v[0], (*last, *place))),
                _ => is_best,
            };
            let place = s.select(is_it, self.place(s), s.0.number(self.place, self.behind));
            s.op("arith.minsi", &[v[v.len() - 1], place])
        });
        FoundElement { key: best, place }
    }

    /// The place of the element along the dimension.
    fn place(&self, s: &Scalars<'_, 'c>) -> Value<'c> {
        s.cast(loop_index(s.0, self.dim), self.place, false)
    }

    /// True if the element comes after one with this key and place.
    fn follows(
        &self,
        s: &Scalars<'_, 'c>,
        key: Value<'c>,
        (last, place): (Value<'c>, Value<'c>),
    ) -> Value<'c> {
        let is_less = s.compare(Comparison::Lt, key, last, false);
        let is_equal = s.compare(Comparison::Eq, key, last, false);
        let is_behind = s.compare(Comparison::Gt, self.place(s), place, false);
        s.op("arith.ori", &[is_less, s.and(is_equal, is_behind)])
    }
}

/// An integer type with as many numbers as an element type.
fn key_type(element: Type) -> Type {
    let bits = match element.kind() {
        TypeKind::Float(FloatKind::F64) | TypeKind::Index | TypeKind::Integer(33..) => 64,
        _ => 32,
    };
    Type::integer(element.context(), bits)
}

/// A signed integer that is larger if the element comes earlier. NaN is larger than all numbers, and -0 equal to 0.
fn key_of<'c>(s: &Scalars<'_, 'c>, x: Value<'c>, ty: Type<'c>, order: ElementOrder) -> Value<'c> {
    let bits = ty.integer_bits().expect("keys are integers");
    let most = i64::MAX >> (64 - bits);
    let key = if is_float(x.ty()) {
        let infinity = if bits == 64 {
            f64::INFINITY.to_bits() as i64
        } else {
            f32::INFINITY.to_bits().into()
        };
        let pattern = s.0.op("arith.bitcast", &[s.widened(x)], ty);
        let magnitude = s.and(pattern, s.0.number(ty, most));
        let is_negative = s.compare(Comparison::Lt, pattern, s.like(pattern, 0), false);
        let number = s.select(is_negative, s.neg(magnitude), magnitude);
        let is_nan = s.compare(Comparison::Gt, magnitude, s.like(magnitude, infinity), false);
        s.select(is_nan, s.like(number, most), number)
    } else {
        let key = s.cast(x, ty, order.is_unsigned);
        match order.is_unsigned && x.ty() == ty {
            true => s.op("arith.xori", &[key, s.like(key, !most)]),
            false => key,
        }
    };
    match order.descends {
        true => key,
        false => s.op("arith.xori", &[key, s.like(key, -1)]),
    }
}
