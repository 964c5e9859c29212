//! Decomposes `tm_tensor.sort` and `tm_tensor.topk` to a merge sort whose steps are structured ops.
//!
//! The sort finds an order first: element d of the result is element `order[d]` of the tensors. It starts with sequences
//! of one element, and each step merges pairs of sequences of `run` elements. Element d of a merged pair has `diagonal`
//! elements before it. A binary search finds how many of these are from the first sequence: the element i of the first
//! sequence is among them if it may stand before element `diagonal - 1 - i` of the second one. All elements of a step are
//! independent of each other, and there are log2(n) steps of at most log2(n) + 1 comparisons.
//!
//! ```text
//! %found = linalg.generic {.., "reduction"} { one step of each binary search }
//! %order = linalg.generic { the element of the first or the second sequence }
//! ```
//! If the number of elements is dynamic, there are as many steps as 2^31 elements need, and an assertion that there are
//! fewer.

use super::{inline, operand_groups};
use crate::compute::linalg_builder::{
    ResultSize, element_of, empty, filled, generic, is_grouped, loop_index, rank, sizes_of,
    tensor_dim,
};
use crate::ir::affine::{Expr, Map};
use crate::ir::{Attribute, Block, Builder, IteratorKind, Op, Type, Value};

/// Predicates of `arith.cmpi`.
const EQUAL: i64 = 0;
const LESS: i64 = 2;
const LESS_OR_EQUAL: i64 = 3;
const GREATER_OR_EQUAL: i64 = 5;

/// The steps for a dynamic number of elements.
const MAX_STEPS: u32 = 31;

/// True if the elements at the first place may stand before those at the second place.
pub(crate) type InOrder<'s, 'c> =
    dyn Fn(&Builder<'c>, &[Value<'c>], &[Value<'c>]) -> Value<'c> + 's;

pub(super) fn sort<'c>(b: &Builder<'c>, op: Op<'c>) -> Vec<Value<'c>> {
    let (_, tensors) = operand_groups(op);
    let body = op.body(0).expect("a verified sort has a body");
    let in_order = |b: &Builder<'c>, first: &[Value<'c>], second: &[Value<'c>]| {
        let pairs = first.iter().zip(second).flat_map(|(first, second)| [*first, *second]);
        inline(b, body, &pairs.collect::<Vec<_>>())
    };
    let along = dimension(op);
    let sorting = Sorting { b, tensors: &tensors, along, in_order: &in_order };
    let order = sorting.order();
    let types: Vec<_> = tensors.iter().map(|tensor| tensor.ty()).collect();
    sorting.ordered(order, &types, &tensors)
}

pub(super) fn topk<'c>(b: &Builder<'c>, op: Op<'c>) -> Vec<Value<'c>> {
    let (inputs, outputs) = operand_groups(op);
    let along = dimension(op);
    let places = match inputs.get(1) {
        Some(places) => *places,
        None => iota(b, inputs[0], along, element_of(outputs[1])),
    };
    // The elements of the outputs take part. They are first, so they keep their places before equal ones.
    let tensors = [[outputs[0], inputs[0]], [outputs[1], places]];
    let tensors = tensors.map(|parts| concatenated(b, parts, along));
    let body = op.body(0).expect("a verified topk has a body");
    let in_order = |b: &Builder<'c>, first: &[Value<'c>], second: &[Value<'c>]| {
        strictly_after(b, body, first, second)
    };
    let sorting = Sorting { b, tensors: &tensors, along, in_order: &in_order };
    let order = sorting.order();
    let types: Vec<_> = outputs.iter().map(|output| output.ty()).collect();
    sorting.ordered(order, &types, &outputs)
}

/// The first `count` elements, or all, of a tensor that is sorted along a dimension, and their indices in it as i64.
pub(crate) fn sorted<'c>(
    b: &Builder<'c>,
    x: Value<'c>,
    along: usize,
    count: Option<i64>,
    in_order: &InOrder<'_, 'c>,
) -> [Value<'c>; 2] {
    let sorting = Sorting { b, tensors: &[x], along, in_order };
    let order = sorting.order();
    let (mut dims, element) = x.ty().shaped().expect("a verified tensor");
    dims[along] = count.or(dims[along]);
    let i64_type = Type::integer(b.context(), 64);
    let maps = [Map::identity(dims.len())];
    let iterators = vec![IteratorKind::Parallel; dims.len()];
    let each = |element: Type<'c>, of_place: &dyn Fn(&Builder<'c>, Value<'c>) -> Value<'c>| {
        let outs = empty(b, Type::tensor(&dims, element), &sizes_of(x));
        generic(b, &[], outs, &maps, &iterators, |b, _| {
            of_place(b, sorting.ordered_place(b, order, loop_index(b, along)))
        })
    };
    let values = each(element, &|b, place| sorting.extract(b, x, place));
    [values, each(i64_type, &|b, place| cast(b, place, i64_type))]
}

/// The sorted dimension; a verified op has one.
fn dimension(op: Op) -> usize {
    op.attribute("dimension").and_then(Attribute::as_i64).unwrap_or(0) as usize
}

/// True unless the second value is strictly before the first one, or is equal and has a smaller index.
fn strictly_after<'c>(
    b: &Builder<'c>,
    body: Block<'c>,
    first: &[Value<'c>],
    second: &[Value<'c>],
) -> Value<'c> {
    let bool_type = Type::integer(b.context(), 1);
    let is_after = inline(b, body, &[second[0], first[0]]);
    let is_before = inline(b, body, &[first[0], second[0]]);
    let is_equal = b.compare(EQUAL, is_after, is_before);
    let is_smaller = b.compare(LESS, second[1], first[1]);
    let is_earlier = b.op("arith.andi", &[is_equal, is_smaller], bool_type);
    let must_swap = b.op("arith.ori", &[is_after, is_earlier], bool_type);
    b.op("arith.xori", &[must_swap, b.number(bool_type, 1)], bool_type)
}

/// A tensor of the sizes of another one, with the index along a dimension as its elements.
fn iota<'c>(b: &Builder<'c>, like: Value<'c>, along: usize, element: Type<'c>) -> Value<'c> {
    let (dims, _) = like.ty().shaped().expect("a verified tensor");
    let sizes: Vec<_> = (0..dims.len()).map(|d| ResultSize::Of(like, d)).collect();
    let outs = empty(b, Type::tensor(&dims, element), &sizes);
    let iterators = vec![IteratorKind::Parallel; dims.len()];
    generic(b, &[], outs, &[Map::identity(dims.len())], &iterators, |b, _| {
        cast(b, loop_index(b, along), element)
    })
}

/// Two tensors, one after the other along a dimension.
fn concatenated<'c>(b: &Builder<'c>, parts: [Value<'c>; 2], along: usize) -> Value<'c> {
    let (mut dims, element) = parts[0].ty().shaped().expect("a verified tensor");
    let (others, _) = parts[1].ty().shaped().expect("a verified tensor");
    dims[along] = dims[along].zip(others[along]).map(|(one, other)| one + other);
    let dim = Attribute::integer(Type::integer(b.context(), 64), along as i64);
    let spec = b.spec("tensor.concat").operands(&parts).attribute("dim", dim);
    b.value(spec.results(&[Type::tensor(&dims, element)]))
}

/// Converts between index and an integer type.
fn cast<'c>(b: &Builder<'c>, value: Value<'c>, to: Type<'c>) -> Value<'c> {
    match value.ty() == to {
        true => value,
        false => b.op("arith.index_cast", &[value], to),
    }
}

/// Tensors that are sorted together along a dimension.
struct Sorting<'s, 'c> {
    b: &'s Builder<'c>,
    tensors: &'s [Value<'c>],
    along: usize,
    in_order: &'s InOrder<'s, 'c>,
}

/// One merge of pairs of sequences, for one element of the result.
struct MergeStep<'c> {
    /// The place of the first element of the pair of sequences.
    base: Value<'c>,
    /// The number of elements of the pair before this one.
    diagonal: Value<'c>,
    /// The number of elements of the first sequence.
    first: Value<'c>,
    /// The number of elements of the second sequence.
    second: Value<'c>,
    /// The least number of elements before this one that are from the first sequence.
    least: Value<'c>,
    run: i64,
}

impl<'c> Sorting<'_, 'c> {
    fn rank(&self) -> usize {
        rank(self.tensors[0])
    }

    /// A tensor type with the sizes of the tensors.
    fn like(&self, element: Type<'c>) -> (Type<'c>, Vec<ResultSize<'c>>) {
        let tensor = self.tensors[0];
        let (dims, _) = tensor.ty().shaped().expect("a verified tensor");
        let sizes = (0..dims.len()).map(|d| ResultSize::Of(tensor, d)).collect();
        (Type::tensor(&dims, element), sizes)
    }

    /// The order of the elements; `None` if it is that of the tensors.
    fn order(&self) -> Option<Value<'c>> {
        let (dims, _) = self.tensors[0].ty().shaped().expect("a verified tensor");
        let steps = match dims[self.along] {
            Some(size) => size.max(1).unsigned_abs().next_power_of_two().ilog2(),
            None => {
                self.assert_few();
                MAX_STEPS
            }
        };
        (0..steps).fold(None, |order, step| Some(self.merged(order, step)))
    }

    /// Asserts that [`MAX_STEPS`] steps are enough. In a fusion group, that is up to the caller.
    fn assert_few(&self) {
        if is_grouped(self.b) {
            return;
        }
        let size = tensor_dim(self.b, self.tensors[0], self.along);
        let is_few = self.b.compare(LESS, size, self.b.index(1 << MAX_STEPS));
        let message = "sorts 2^31 or more elements of a dynamic dimension";
        let message = Attribute::string(self.b.context(), message);
        self.b.insert(self.b.spec("cf.assert").operands(&[is_few]).attribute("msg", message));
    }

    /// The type of places in the order.
    fn number(&self) -> Type<'c> {
        let (dims, _) = self.tensors[0].ty().shaped().expect("a verified tensor");
        let is_large = dims[self.along].is_some_and(|size| size > 1 << MAX_STEPS);
        Type::integer(self.b.context(), if is_large { 64 } else { 32 })
    }

    /// The order after a step.
    fn merged(&self, order: Option<Value<'c>>, step: u32) -> Value<'c> {
        let number = self.number();
        let (ty, sizes) = self.like(number);
        let n = self.rank();
        let run = 1i64 << step;

        let searches = Type::tensor(&[Some(i64::from(step) + 1)], number);
        let searches = empty(self.b, searches, &[]);
        let outs = filled(self.b, ty, &sizes, self.b.number(number, 0));
        let results = (0..n).map(Expr::Dim).collect();
        let maps = [
            Map { dims: n + 1, symbols: 0, results: vec![Expr::Dim(n)] },
            Map { dims: n + 1, symbols: 0, results },
        ];
        let mut iterators = vec![IteratorKind::Parallel; n + 1];
        iterators[n] = IteratorKind::Reduction;
        let found = generic(self.b, &[searches], outs, &maps, &iterators, |b, values| {
            let found = cast(b, values[1], Type::index(b.context()));
            let found = self.search(b, order, run, found);
            cast(b, found, number)
        });

        let outs = empty(self.b, ty, &sizes);
        let maps = [Map::identity(n), Map::identity(n)];
        let iterators = vec![IteratorKind::Parallel; n];
        generic(self.b, &[found], outs, &maps, &iterators, |b, values| {
            let found = cast(b, values[0], Type::index(b.context()));
            let place = self.source(b, order, run, found);
            cast(b, self.ordered_place(b, order, place), number)
        })
    }

    /// Merges sequences of `run` elements, for the element of the running iteration.
    fn merge(&self, b: &Builder<'c>, run: i64) -> MergeStep<'c> {
        let index = Type::index(b.context());
        let size = tensor_dim(b, self.tensors[0], self.along);
        let place = loop_index(b, self.along);
        let pair = b.index(2 * run);
        let number = b.op("arith.divui", &[place, pair], index);
        let base = b.op("arith.muli", &[number, pair], index);
        let diagonal = b.op("arith.subi", &[place, base], index);
        let rest = b.op("arith.subi", &[size, base], index);
        let first = b.op("arith.minsi", &[rest, b.index(run)], index);
        let rest = b.op("arith.subi", &[rest, first], index);
        let second = b.op("arith.minsi", &[rest, b.index(run)], index);
        let least = b.op("arith.subi", &[diagonal, second], index);
        let least = b.op("arith.maxsi", &[least, b.index(0)], index);
        MergeStep { base, diagonal, first, second, least, run }
    }

    /// One step of the binary search: adds a power of two to the number that was found, if that many more elements are
    /// from the first sequence.
    fn search(
        &self,
        b: &Builder<'c>,
        order: Option<Value<'c>>,
        run: i64,
        found: Value<'c>,
    ) -> Value<'c> {
        let index = Type::index(b.context());
        let merge = self.merge(b, run);
        let step = b.op("arith.shrui", &[b.index(run), loop_index(b, self.rank())], index);
        let candidate = b.op("arith.addi", &[found, step], index);
        let taken = b.op("arith.addi", &[merge.least, candidate], index);
        let most = b.op("arith.minsi", &[merge.diagonal, merge.first], index);
        let is_possible = b.compare(LESS_OR_EQUAL, taken, most);
        // The last of them, and the element of the second sequence that would be left out.
        let last = b.op("arith.subi", &[taken, b.index(1)], index);
        let other = b.op("arith.subi", &[merge.diagonal, taken], index);
        let is_before = self.is_before(b, order, &merge, last, other);
        let is_found = b.op("arith.andi", &[is_possible, is_before], Type::integer(b.context(), 1));
        b.op("arith.select", &[is_found, candidate, found], index)
    }

    /// The place of an element of the result before the step.
    fn source(
        &self,
        b: &Builder<'c>,
        order: Option<Value<'c>>,
        run: i64,
        found: Value<'c>,
    ) -> Value<'c> {
        let index = Type::index(b.context());
        let bool_type = Type::integer(b.context(), 1);
        let merge = self.merge(b, run);
        let taken = b.op("arith.addi", &[merge.least, found], index);
        let other = b.op("arith.subi", &[merge.diagonal, taken], index);
        let is_left = b.compare(LESS, taken, merge.first);
        let is_other_over = b.compare(GREATER_OR_EQUAL, other, merge.second);
        let is_before = self.is_before(b, order, &merge, taken, other);
        let is_next = b.op("arith.ori", &[is_other_over, is_before], bool_type);
        let is_first = b.op("arith.andi", &[is_left, is_next], bool_type);
        let of_second = b.op("arith.addi", &[other, b.index(merge.run)], index);
        let offset = b.op("arith.select", &[is_first, taken, of_second], index);
        b.op("arith.addi", &[merge.base, offset], index)
    }

    /// True if element `i` of the first sequence may stand before element `j` of the second one. Numbers beyond the
    /// sequences give any result, without an access out of bounds.
    fn is_before(
        &self,
        b: &Builder<'c>,
        order: Option<Value<'c>>,
        merge: &MergeStep<'c>,
        i: Value<'c>,
        j: Value<'c>,
    ) -> Value<'c> {
        let index = Type::index(b.context());
        let size = tensor_dim(b, self.tensors[0], self.along);
        let last = b.op("arith.subi", &[size, b.index(1)], index);
        let elements = |offset: Value<'c>| {
            let place = b.op("arith.addi", &[merge.base, offset], index);
            let place = b.op("arith.maxsi", &[place, b.index(0)], index);
            let place = b.op("arith.minsi", &[place, last], index);
            let place = self.ordered_place(b, order, place);
            let element = |tensor: &Value<'c>| self.extract(b, *tensor, place);
            self.tensors.iter().map(element).collect::<Vec<_>>()
        };
        let first = elements(i);
        let second = elements(b.op("arith.addi", &[j, b.index(merge.run)], index));
        (self.in_order)(b, &first, &second)
    }

    /// The place in the tensors of a place in the order.
    fn ordered_place(
        &self,
        b: &Builder<'c>,
        order: Option<Value<'c>>,
        place: Value<'c>,
    ) -> Value<'c> {
        match order {
            Some(order) => cast(b, self.extract(b, order, place), Type::index(b.context())),
            None => place,
        }
    }

    /// The element of a tensor at a place along the dimension, and at the running iteration in the others.
    fn extract(&self, b: &Builder<'c>, tensor: Value<'c>, place: Value<'c>) -> Value<'c> {
        let at = |d: usize| if d == self.along { place } else { loop_index(b, d) };
        let operands: Vec<_> = [tensor].into_iter().chain((0..self.rank()).map(at)).collect();
        b.op("tensor.extract", &operands, element_of(tensor))
    }

    /// The first elements of the tensors in an order: as many as fit into the types. `like` has their sizes.
    fn ordered(
        &self,
        order: Option<Value<'c>>,
        types: &[Type<'c>],
        like: &[Value<'c>],
    ) -> Vec<Value<'c>> {
        let n = self.rank();
        let each = self.tensors.iter().zip(types).zip(like).map(|((tensor, ty), like)| {
            let sizes: Vec<_> = (0..n).map(|d| ResultSize::Of(*like, d)).collect();
            let outs = empty(self.b, *ty, &sizes);
            let iterators = vec![IteratorKind::Parallel; n];
            generic(self.b, &[], outs, &[Map::identity(n)], &iterators, |b, _| {
                let place = self.ordered_place(b, order, loop_index(b, self.along));
                self.extract(b, *tensor, place)
            })
        });
        each.collect()
    }
}
