//! Runs reductions and normalisations.

use super::at;
use super::cells::{cell, computed, dimension, dimensions, integer};
use super::number::Number;
use crate::dialect::graph_op::ReduceKind;
use crate::interpreter::scalar::{Scalar, ScalarType};
use crate::interpreter::value::{Array, Datum};
use crate::ir::{Attribute, Error, Op};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// The numbers of an array in groups: those whose indices in some dimensions are equal.
struct ReducedGroups {
    /// The indices of each group in the dimensions that are not reduced.
    shape: Vec<usize>,
    kept: Vec<usize>,
    members: Vec<Vec<Number>>,
}

impl ReducedGroups {
    fn of(x: &Array, dims: &[usize]) -> Self {
        let kept: Vec<usize> = (0..x.shape.len()).filter(|i| !dims.contains(i)).collect();
        let shape: Vec<usize> = kept.iter().map(|i| x.shape[*i]).collect();
        let mut members = vec![vec![]; shape.iter().product()];
        for place in 0..x.cells.len() {
            let indices = x.indices_of(place);
            members[group_of(&shape, &kept, &indices)].push(Number::of(x, place));
        }
        Self { shape, kept, members }
    }

    /// The group of a cell of the array.
    fn group(&self, indices: &[i64]) -> usize {
        group_of(&self.shape, &self.kept, indices)
    }
}

fn group_of(shape: &[usize], kept: &[usize], indices: &[i64]) -> usize {
    kept.iter().zip(shape).fold(0, |place, (i, size)| place * size + indices[*i] as usize)
}

/// One number for each group, as the result of an op that may keep reduced dimensions with size 1.
fn one_each<'c>(
    op: Op<'c>,
    x: &Array,
    dims: &[usize],
    of_group: impl Fn(&[Number]) -> Result<Number, String>,
) -> Result<Datum, Error<'c>> {
    let groups = ReducedGroups::of(x, dims);
    let shape = match op.attribute("keep_dims").is_some() {
        false => groups.shape.clone(),
        true => {
            (0..x.shape.len()).map(|i| if dims.contains(&i) { 1 } else { x.shape[i] }).collect()
        }
    };
    let mut result = Array::for_type(op, op.result(0).ty(), shape)?;
    for (place, members) in groups.members.iter().enumerate() {
        let value = of_group(members);
        result.cells[place] = value.map_err(|message| at(op, &result, place, &message))?.value;
    }
    Ok(Datum::tensor(result))
}

/// The result of a reduction over no elements.
pub(super) fn identity(kind: ReduceKind, is_unsigned: bool, ty: ScalarType) -> Number {
    let zero = Number::zero(ty);
    match (kind, is_unsigned) {
        (ReduceKind::Add | ReduceKind::Or, _) | (ReduceKind::Max, true) => zero,
        (ReduceKind::And, _) | (ReduceKind::Min, true) => zero.like(-1),
        (ReduceKind::Mul, _) => zero.like(1),
        (ReduceKind::Max, false) => Number::smallest(ty),
        (ReduceKind::Min, false) => Number::largest(ty),
    }
}

/// Two elements, combined.
pub(super) fn combined(
    kind: ReduceKind,
    is_unsigned: bool,
    so_far: Number,
    x: Number,
) -> Result<Number, String> {
    match (kind, is_unsigned) {
        (ReduceKind::Add, _) => so_far.add(x),
        (ReduceKind::Mul, _) => so_far.mul(x),
        (ReduceKind::Max, false) => so_far.max(x),
        (ReduceKind::Min, false) => so_far.min(x),
        (ReduceKind::Max, true) => so_far.of_unsigned(x, |a, b| Some(a.max(b))),
        (ReduceKind::Min, true) => so_far.of_unsigned(x, |a, b| Some(a.min(b))),
        (ReduceKind::And, _) => so_far.bitwise(x, |a, b| a & b),
        (ReduceKind::Or, _) => so_far.bitwise(x, |a, b| a | b),
    }
}

pub(super) fn reduce<'c>(op: Op<'c>, x: &Array) -> Result<Datum, Error<'c>> {
    let kind = ReduceKind::from_value(integer(op, "kind")?);
    let kind = kind.ok_or_else(|| Error::on(op, "has no kind"))?;
    let dims = dimensions(op, "dims", x.shape.len())?;
    let is_unsigned = op.attribute("is_unsigned").is_some();
    one_each(op, x, &dims, |members| {
        let start = identity(kind, is_unsigned, x.ty);
        members.iter().try_fold(start, |so_far, x| combined(kind, is_unsigned, so_far, *x))
    })
}

fn sum_of(ty: ScalarType, members: impl IntoIterator<Item = Number>) -> Result<Number, String> {
    members.into_iter().try_fold(Number::zero(Number::wide_type(ty)), |sum, x| sum.add(x.widened()))
}

/// The mean in the type of formulas.
fn mean_of(ty: ScalarType, members: &[Number]) -> Result<Number, String> {
    let sum = sum_of(ty, members.iter().copied())?;
    sum.div(sum.like(members.len() as i64))
}

/// The sum of squared distances to the mean.
fn squares_of(ty: ScalarType, members: &[Number], mean: Number) -> Result<Number, String> {
    let squares: Result<Vec<_>, String> = members
        .iter()
        .map(|x| {
            let distance = x.widened().sub(mean)?;
            distance.mul(distance)
        })
        .collect();
    sum_of(ty, squares?)
}

pub(super) fn mean<'c>(op: Op<'c>, x: &Array) -> Result<Datum, Error<'c>> {
    let dims = dimensions(op, "dims", x.shape.len())?;
    one_each(op, x, &dims, |members| mean_of(x.ty, members)?.cast(x.ty, false))
}

pub(super) fn variance<'c>(op: Op<'c>, x: &Array, is_root: bool) -> Result<Datum, Error<'c>> {
    let dims = dimensions(op, "dims", x.shape.len())?;
    let correction = op.attribute("correction").and_then(Attribute::as_i64).unwrap_or(0);
    one_each(op, x, &dims, |members| {
        let squares = squares_of(x.ty, members, mean_of(x.ty, members)?)?;
        let count = squares.like(members.len() as i64);
        let variance = squares.div(count.sub(squares.like(correction))?)?;
        let result = if is_root { variance.of_float(f64::sqrt)? } else { variance };
        result.cast(x.ty, false)
    })
}

pub(super) fn arg<'c>(op: Op<'c>, x: &Array, wanted: Ordering) -> Result<Datum, Error<'c>> {
    let dim = dimension(op, x.shape.len())?;
    let is_unsigned = op.attribute("is_unsigned").is_some();
    let to = super::cells::element_of(op, op.result(0).ty())?;
    let worst = match (wanted, is_unsigned) {
        (Ordering::Greater, false) => Number::smallest(x.ty),
        (Ordering::Greater, true) => Number::zero(x.ty),
        (_, false) => Number::largest(x.ty),
        (_, true) => Number::zero(x.ty).like(-1),
    };
    one_each(op, x, &[dim], |members| {
        let mut best = (worst, 0);
        for (i, x) in members.iter().enumerate() {
            if x.order(best.0, is_unsigned)? == Some(wanted) {
                best = (*x, i as i64);
            }
        }
        Number { ty: ScalarType::Index, value: Scalar::Int(best.1) }.cast(to, false)
    })
}

/// A result with the shape of `x`: `of_group` computes what the elements of a group share, and `of_element` the element from that.
fn of_groups<'c, T>(
    op: Op<'c>,
    x: &Array,
    dims: &[usize],
    of_group: impl Fn(&[Number]) -> Result<T, String>,
    of_element: impl Fn(Number, &T, &[i64]) -> Result<Number, String>,
) -> Result<Datum, Error<'c>> {
    let groups = ReducedGroups::of(x, dims);
    let shared =
        groups.members.iter().map(|members| of_group(members)).collect::<Result<Vec<_>, _>>();
    let shared = shared.map_err(|message| Error::on(op, message))?;
    let result = computed(op, op.result(0).ty(), x.shape.clone(), |indices| {
        let number = Number { ty: x.ty, value: cell(x, indices)? }.widened();
        Ok(of_element(number, &shared[groups.group(indices)], indices)?.cast(x.ty, false)?.value)
    });
    result.map(Datum::tensor)
}

/// The largest number of a group, and the sum of exp(x - largest), in the type of formulas.
fn exponentials(ty: ScalarType, members: &[Number]) -> Result<(Number, Number), String> {
    let wide = Number::wide_type(ty);
    let most = members.iter().try_fold(Number::smallest(wide), |most, x| most.max(x.widened()))?;
    let powers: Result<Vec<_>, String> =
        members.iter().map(|x| x.widened().sub(most)?.exp()).collect();
    Ok((most, sum_of(ty, powers?)?))
}

pub(super) fn softmax<'c>(op: Op<'c>, x: &Array) -> Result<Datum, Error<'c>> {
    let dim = dimension(op, x.shape.len())?;
    of_groups(
        op,
        x,
        &[dim],
        |members| exponentials(x.ty, members),
        |x, (most, sum), _| x.sub(*most)?.exp()?.div(*sum),
    )
}

pub(super) fn log_softmax<'c>(op: Op<'c>, x: &Array) -> Result<Datum, Error<'c>> {
    let dim = dimension(op, x.shape.len())?;
    of_groups(
        op,
        x,
        &[dim],
        |members| exponentials(x.ty, members),
        |x, (most, sum), _| x.sub(*most)?.sub(sum.of_float(f64::ln)?),
    )
}

pub(super) fn logsumexp<'c>(op: Op<'c>, x: &Array) -> Result<Datum, Error<'c>> {
    let dims = dimensions(op, "dims", x.shape.len())?;
    one_each(op, x, &dims, |members| {
        let wide = Number::wide_type(x.ty);
        let most =
            members.iter().try_fold(Number::smallest(wide), |most, x| most.max(x.widened()))?;
        let shift = if most.float_value()?.is_infinite() { most.like(0) } else { most };
        let powers: Result<Vec<_>, String> =
            members.iter().map(|x| x.widened().sub(shift)?.exp()).collect();
        sum_of(x.ty, powers?)?.of_float(f64::ln)?.add(shift)?.cast(x.ty, false)
    })
}

pub(super) fn group_norm<'c>(
    op: Op<'c>,
    x: &Array,
    scale: &Array,
    bias: &Array,
) -> Result<Datum, Error<'c>> {
    let epsilon = epsilon(op)?;
    let groups = integer(op, "groups")?;
    let channels = x.shape.get(1).copied().unwrap_or(0) as i64;
    if groups < 1 || channels % groups != 0 {
        return Err(Error::on(op, format!("divides {channels} channels into {groups} groups")));
    }
    let group_of = |at: &[i64]| (at[0], at[1] / (channels / groups).max(1));
    let mut members = BTreeMap::<(i64, i64), Vec<Number>>::new();
    for place in 0..x.cells.len() {
        members.entry(group_of(&x.indices_of(place))).or_default().push(Number::of(x, place));
    }
    let mut shared = BTreeMap::new();
    for (group, members) in members {
        shared.insert(group, deviation(x.ty, &members, epsilon).map_err(|it| Error::on(op, it))?);
    }
    let result = computed(op, op.result(0).ty(), x.shape.clone(), |at| {
        let (mean, factor) = shared.get(&group_of(at)).ok_or("is in no group")?;
        let of_channel = |list: &Array| chosen(list, &at[1..2]);
        let x = Number { ty: x.ty, value: cell(x, at)? };
        let scaled = x.widened().sub(*mean)?.mul(*factor)?.mul(of_channel(scale)?)?;
        Ok(scaled.add(of_channel(bias)?)?.cast(x.ty, false)?.value)
    });
    result.map(Datum::tensor)
}

/// The mean and 1 / sqrt(variance + epsilon), in the type of formulas.
fn deviation(ty: ScalarType, members: &[Number], epsilon: f64) -> Result<(Number, Number), String> {
    let mean = mean_of(ty, members)?;
    let squares = squares_of(ty, members, mean)?;
    let variance = squares.div(squares.like(members.len() as i64))?;
    Ok((mean, variance.add(mean.real(epsilon))?.of_float(|x| 1.0 / x.sqrt())?))
}

fn epsilon<'c>(op: Op<'c>) -> Result<f64, Error<'c>> {
    let value = op.attribute("epsilon").and_then(Attribute::as_f64);
    value.ok_or_else(|| Error::on(op, "has no epsilon"))
}

/// A number of a list that the last indices of an element choose.
fn chosen(list: &Array, indices: &[i64]) -> Result<Number, String> {
    let first =
        indices.len().checked_sub(list.shape.len()).ok_or("has an operand of higher rank")?;
    Ok(Number { ty: list.ty, value: cell(list, &indices[first..])? }.widened())
}

/// The last dimensions of an array, as many as another has.
fn trailing(x: &Array, scale: &Array) -> Vec<usize> {
    (x.shape.len().saturating_sub(scale.shape.len())..x.shape.len()).collect()
}

pub(super) fn layer_norm<'c>(
    op: Op<'c>,
    x: &Array,
    scale: &Array,
    bias: &Array,
) -> Result<Datum, Error<'c>> {
    let epsilon = epsilon(op)?;
    let of_group = |members: &[Number]| deviation(x.ty, members, epsilon);
    of_groups(op, x, &trailing(x, scale), of_group, |x, (mean, factor), indices| {
        let scaled = x.sub(*mean)?.mul(*factor)?.mul(chosen(scale, indices)?)?;
        scaled.add(chosen(bias, indices)?)
    })
}

pub(super) fn rms_norm<'c>(op: Op<'c>, x: &Array, scale: &Array) -> Result<Datum, Error<'c>> {
    let epsilon = epsilon(op)?;
    let of_group = |members: &[Number]| {
        let zero = Number::zero(Number::wide_type(x.ty));
        let squares = squares_of(x.ty, members, zero)?;
        let mean = squares.div(squares.like(members.len() as i64))?;
        mean.add(zero.real(epsilon))?.of_float(|x| 1.0 / x.sqrt())
    };
    of_groups(op, x, &trailing(x, scale), of_group, |x, factor, indices| {
        x.mul(*factor)?.mul(chosen(scale, indices)?)
    })
}

pub(super) fn batch_norm<'c>(
    op: Op<'c>,
    x: &Array,
    [scale, bias, mean, variance]: [&Array; 4],
) -> Result<Datum, Error<'c>> {
    let (dim, epsilon) = (dimension(op, x.shape.len())?, epsilon(op)?);
    let result = computed(op, op.result(0).ty(), x.shape.clone(), |indices| {
        let of_channel = |list: &Array| chosen(list, &indices[dim..=dim]);
        let deviation = of_channel(variance)?;
        let factor = deviation.add(deviation.real(epsilon))?.of_float(|x| 1.0 / x.sqrt())?;
        let x = Number { ty: x.ty, value: cell(x, indices)? };
        let normal = x.widened().sub(of_channel(mean)?)?.mul(factor)?;
        let result = normal.mul(of_channel(scale)?)?.add(of_channel(bias)?)?;
        Ok(result.cast(x.ty, false)?.value)
    });
    result.map(Datum::tensor)
}

pub(super) fn prelu<'c>(op: Op<'c>, x: &Array, slopes: &Array) -> Result<Datum, Error<'c>> {
    let dim = dimension(op, x.shape.len())?;
    let result = computed(op, op.result(0).ty(), x.shape.clone(), |indices| {
        let slope = Number { ty: slopes.ty, value: cell(slopes, &indices[dim..=dim])? }.widened();
        let x = Number { ty: x.ty, value: cell(x, indices)? };
        match x.is_above(0) {
            true => Ok(x.value),
            false => Ok(x.in_wide(|x| slope.mul(x))?.value),
        }
    });
    result.map(Datum::tensor)
}

pub(super) fn bias_add<'c>(op: Op<'c>, x: &Array, bias: &Array) -> Result<Datum, Error<'c>> {
    let dim = dimension(op, x.shape.len())?;
    let result = computed(op, op.result(0).ty(), x.shape.clone(), |indices| {
        let bias = Number { ty: bias.ty, value: cell(bias, &indices[dim..=dim])? };
        Ok(Number { ty: x.ty, value: cell(x, indices)? }.add(bias)?.value)
    });
    result.map(Datum::tensor)
}
