//! The definitions of reductions: `graph.reduce`, `mean`, `variance`, `std`, `argmax` and `argmin`.

use super::super::linalg_builder::{
    ResultSize, element_of, filled, generic_of_several, loop_index, rank,
};
use super::builder::{
    Read, count_of, dim_of, dims_of, kept_dims, loops, map_elements, reduce_dims, static_sizes,
    zero,
};
use super::scalar::{Scalars, wide_type};
use crate::dialect::graph_op::{Comparison, ReduceKind};
use crate::dialect::loop_enums::Combiner;
use crate::ir::affine::{Expr, Map};
use crate::ir::{Attribute, Builder, Error, IteratorKind, Op, Type, Value};

/// A tensor with the dimensions `kept` of `x`, as the result of an op that may keep reduced dimensions with size 1.
/// `body` computes each element of the result from that of the tensor.
fn finished<'c>(
    b: &Builder<'c>,
    op: Op<'c>,
    (x, kept): (Value<'c>, &[usize]),
    reduced: Value<'c>,
    body: impl FnOnce(&Scalars<'_, 'c>, Value<'c>) -> Value<'c>,
) -> Value<'c> {
    let keeps = op.attribute("keep_dims").is_some();
    let size = |i: usize| match kept.contains(&i) {
        true => Some(ResultSize::Of(x, i)),
        false => keeps.then_some(ResultSize::One),
    };
    let sizes: Vec<_> = (0..rank(x)).filter_map(size).collect();
    let read = match keeps {
        true => Read::at(reduced, kept.iter().copied()),
        false => Read::same(reduced),
    };
    map_elements(b, op.result(0).ty(), &sizes, &[read], |s, v| body(s, v[0]))
}

/// How an op combines two elements: the ops for floats and for integers, and the result for no elements.
pub(super) struct Reduction<'c> {
    float: &'static str,
    int: &'static str,
    pub start: Attribute<'c>,
}

impl<'c> Reduction<'c> {
    pub fn of(op: Op<'c>) -> Result<Self, Error<'c>> {
        let kind = op.attribute("kind").and_then(Attribute::as_i64);
        let kind = kind.and_then(ReduceKind::from_value);
        let kind = kind.ok_or_else(|| Error::on(op, "has no valid 'kind'"))?;
        let is_unsigned = op.attribute("is_unsigned").is_some();
        let combiner = match (kind, is_unsigned) {
            (ReduceKind::Add, _) => Combiner::Add,
            (ReduceKind::Mul, _) => Combiner::Mul,
            (ReduceKind::Max, false) => Combiner::Max,
            (ReduceKind::Min, false) => Combiner::Min,
            (ReduceKind::Max, true) => Combiner::MaxU,
            (ReduceKind::Min, true) => Combiner::MinU,
            (ReduceKind::And, _) => Combiner::And,
            (ReduceKind::Or, _) => Combiner::Or,
        };
        let [float, int] = kind.arith_ops(is_unsigned);
        let start = combiner.identities(&[element_of(op.operand(0))])[0];
        Ok(Self { float, int, start })
    }

    pub fn combine(&self, s: &Scalars<'_, 'c>, so_far: Value<'c>, x: Value<'c>) -> Value<'c> {
        s.either(self.float, self.int, &[so_far, x])
    }
}

pub(super) fn reduce<'c>(b: &Builder<'c>, op: Op<'c>) -> Result<Value<'c>, Error<'c>> {
    let x = op.operand(0);
    let reduction = Reduction::of(op)?;
    let start = reduction.start;
    let dims = dims_of(op, "dims");
    if op.attribute("keep_dims").is_none() {
        return Ok(reduce_dims(b, x, &dims, vec![], start, |s, v| {
            reduction.combine(s, v[1], v[0])
        }));
    }
    // Reduced dimensions are those of constant index 0.
    let (mut results, mut sizes) = (vec![], vec![]);
    for i in 0..rank(x) {
        let is_reduced = dims.contains(&i);
        results.push(if is_reduced { Expr::Constant(0) } else { Expr::Dim(i) });
        sizes.push(if is_reduced { ResultSize::One } else { ResultSize::Of(x, i) });
    }
    let outs = filled(b, op.result(0).ty(), &sizes, b.constant(start));
    let maps = [Map::identity(rank(x)), Map { dims: rank(x), symbols: 0, results }];
    let iterators = iterators(rank(x), &dims);
    Ok(generic_of_several(b, &[x], &[outs], &maps, &iterators, |b, v| {
        vec![reduction.combine(&Scalars(b), v[1], v[0])]
    })[0])
}

fn iterators(rank: usize, reduced: &[usize]) -> Vec<IteratorKind> {
    let iterator = |i: usize| match reduced.contains(&i) {
        true => IteratorKind::Reduction,
        false => IteratorKind::Parallel,
    };
    (0..rank).map(iterator).collect()
}

/// The sums along some dimensions, in the type of formulas.
pub(super) fn sums<'c>(b: &Builder<'c>, x: Value<'c>, dims: &[usize]) -> Value<'c> {
    let start = zero(wide_type(element_of(x)));
    reduce_dims(b, x, dims, vec![], start, |s, v| s.add(v[1], s.widened(v[0])))
}

/// The means along some dimensions, in the type of formulas, without these dimensions.
pub(super) fn means<'c>(b: &Builder<'c>, x: Value<'c>, dims: &[usize]) -> Value<'c> {
    let sums = sums(b, x, dims);
    let count = count_of(b, x, dims, element_of(sums));
    let sizes: Vec<_> = kept_dims(x, dims).iter().map(|i| ResultSize::Of(x, *i)).collect();
    map_elements(b, sums.ty(), &sizes, &[Read::same(sums)], |s, v| s.div(v[0], count))
}

/// The sums of (x - mean) * (x - mean) along some dimensions.
pub(super) fn squares<'c>(
    b: &Builder<'c>,
    x: Value<'c>,
    means: Value<'c>,
    dims: &[usize],
) -> Value<'c> {
    let mean = Read::at(means, kept_dims(x, dims));
    reduce_dims(b, x, dims, vec![mean], zero(element_of(means)), |s, v| {
        let distance = s.sub(s.widened(v[0]), v[1]);
        s.add(v[2], s.mul(distance, distance))
    })
}

pub(super) fn mean<'c>(b: &Builder<'c>, op: Op<'c>) -> Value<'c> {
    let (x, dims) = (op.operand(0), dims_of(op, "dims"));
    let sums = sums(b, x, &dims);
    let count = count_of(b, x, &dims, element_of(sums));
    finished(b, op, (x, &kept_dims(x, &dims)), sums, |s, sum| {
        s.cast(s.div(sum, count), element_of(x), false)
    })
}

pub(super) fn logsumexp<'c>(b: &Builder<'c>, op: Op<'c>) -> Value<'c> {
    let (x, dims) = (op.operand(0), dims_of(op, "dims"));
    let kept = kept_dims(x, &dims);
    let wide = wide_type(element_of(x));
    let start = Combiner::Max.identities(&[wide])[0];
    let most = reduce_dims(b, x, &dims, vec![], start, |s, v| s.max(v[1], s.widened(v[0])));
    let sizes: Vec<_> = kept.iter().map(|i| ResultSize::Of(x, *i)).collect();
    let shift = map_elements(b, most.ty(), &sizes, &[Read::same(most)], |s, v| {
        let infinity = s.float(v[0], f64::INFINITY);
        let size = s.op("math.absf", &[v[0]]);
        let is_infinite = s.compare(Comparison::Eq, size, infinity, false);
        s.select(is_infinite, s.like(v[0], 0), v[0])
    });
    let of_group = Read::at(shift, kept.iter().copied());
    let sums = reduce_dims(b, x, &dims, vec![of_group], zero(wide), |s, v| {
        let shifted = s.sub(s.widened(v[0]), v[1]);
        s.add(v[2], s.op("math.exp", &[shifted]))
    });
    let reads = [Read::same(sums), Read::same(shift)];
    let result =
        map_elements(b, sums.ty(), &sizes, &reads, |s, v| s.add(s.op("math.log", &[v[0]]), v[1]));
    finished(b, op, (x, &kept), result, |s, result| s.cast(result, element_of(x), false))
}

/// The variance, or its square root.
pub(super) fn variance<'c>(b: &Builder<'c>, op: Op<'c>, is_root: bool) -> Value<'c> {
    let (x, dims) = (op.operand(0), dims_of(op, "dims"));
    let squares = squares(b, x, means(b, x, &dims), &dims);
    let count = count_of(b, x, &dims, element_of(squares));
    let correction = op.attribute("correction").and_then(Attribute::as_i64).unwrap_or(0);
    let divisor = match correction {
        0 => count,
        _ => Scalars(b).sub(count, Scalars(b).float(count, correction as f64)),
    };
    finished(b, op, (x, &kept_dims(x, &dims)), squares, |s, sum| {
        let variance = s.div(sum, divisor);
        let result = if is_root { s.op("math.sqrt", &[variance]) } else { variance };
        s.cast(result, element_of(x), false)
    })
}

/// The index of the largest element, or of the smallest.
pub(super) fn arg<'c>(b: &Builder<'c>, op: Op<'c>, is_max: bool) -> Value<'c> {
    let (x, dim) = (op.operand(0), dim_of(op));
    let element = element_of(x);
    let is_unsigned = op.attribute("is_unsigned").is_some();
    let (combiner, by) = match (is_max, is_unsigned) {
        (true, false) => (Combiner::Max, Comparison::Gt),
        (true, true) => (Combiner::MaxU, Comparison::Gt),
        (false, false) => (Combiner::Min, Comparison::Lt),
        (false, true) => (Combiner::MinU, Comparison::Lt),
    };
    let kept = kept_dims(x, &[dim]);
    let sizes: Vec<_> = kept.iter().map(|i| ResultSize::Of(x, *i)).collect();
    let dims: Vec<_> = kept.iter().map(|i| static_sizes(x)[*i]).collect();
    let to = element_of(op.result(0));
    let start = b.constant(combiner.identities(&[element])[0]);
    let values = filled(b, Type::tensor(&dims, element), &sizes, start);
    let indices = filled(b, Type::tensor(&dims, to), &sizes, b.number(to, 0));
    let output = Map { dims: rank(x), symbols: 0, results: loops(kept.iter().copied()) };
    let maps = [Map::identity(rank(x)), output.clone(), output];
    let outs = [values, indices];
    let results = generic_of_several(b, &[x], &outs, &maps, &iterators(rank(x), &[dim]), |b, v| {
        let s = Scalars(b);
        let index = s.cast(loop_index(b, dim), to, false);
        let is_better = s.compare(by, v[0], v[1], is_unsigned);
        vec![s.select(is_better, v[0], v[1]), s.select(is_better, index, v[2])]
    });
    if op.attribute("keep_dims").is_none() {
        return results[1];
    }
    finished(b, op, (x, &kept), results[1], |_, index| index)
}
