//! Runs sorts and scans.

use super::cells::{cell, dimension, integer, size_of};
use super::number::Number;
use super::reduce::{combined, identity};
use crate::dialect::graph_op::ReduceKind;
use crate::interpreter::scalar::Scalar;
use crate::interpreter::value::{Array, Datum, RowMajorIndices};
use crate::ir::{Error, Op};
use std::cmp::Ordering;

/// Calls a function with the indices of the first element of each row of a dimension.
fn each_row<'c>(
    shape: &[usize],
    dim: usize,
    mut function: impl FnMut(&[i64]) -> Result<(), Error<'c>>,
) -> Result<(), Error<'c>> {
    let mut shape = shape.to_vec();
    shape[dim] = 1;
    let mut rows = RowMajorIndices::of(&shape);
    while let Some(at) = rows.advance() {
        function(at)?;
    }
    Ok(())
}

/// The numbers of a row.
fn row<'c>(op: Op<'c>, x: &Array, first: &[i64], dim: usize) -> Result<Vec<Number>, Error<'c>> {
    let number = |i: usize| {
        let mut at = first.to_vec();
        at[dim] = i as i64;
        let value = cell(x, &at).map_err(|message| Error::on(op, message))?;
        Ok(Number { ty: x.ty, value })
    };
    (0..x.shape[dim]).map(number).collect()
}

/// Stores the first elements of a row, as many as it has in the result.
fn set_row(result: &mut Array, first: &[i64], dim: usize, values: impl Iterator<Item = Scalar>) {
    let mut at = first.to_vec();
    for (i, value) in values.take(result.shape[dim]).enumerate() {
        at[dim] = i as i64;
        if let Some(place) = result.offset(&at) {
            result.cells[place] = value;
        }
    }
}

/// The order of two numbers; NaN is larger than all others, and equal to NaN.
pub(super) fn total_order(x: Number, y: Number, is_unsigned: bool) -> Result<Ordering, String> {
    let is_nan = |number: Number| matches!(number.value, Scalar::Float(value) if value.is_nan());
    let order = x.order(y, is_unsigned)?;
    Ok(order.unwrap_or_else(|| is_nan(x).cmp(&is_nan(y))))
}

pub(super) fn sort<'c>(op: Op<'c>, x: &Array) -> Result<Vec<Datum>, Error<'c>> {
    ordered(op, x, None, op.attribute("descending").is_some())
}

pub(super) fn topk<'c>(op: Op<'c>, x: &Array) -> Result<Vec<Datum>, Error<'c>> {
    let count = size_of(op, integer(op, "k")?)?;
    let size = x.shape[dimension(op, x.shape.len())?];
    if count > size {
        return Err(Error::on(op, format!("takes {count} elements of a dimension with {size}")));
    }
    ordered(op, x, Some(count), op.attribute("smallest").is_none())
}

/// The first `count` elements of each row in order, or all, and their indices.
fn ordered<'c>(
    op: Op<'c>,
    x: &Array,
    count: Option<usize>,
    descends: bool,
) -> Result<Vec<Datum>, Error<'c>> {
    let dim = dimension(op, x.shape.len())?;
    let is_unsigned = op.attribute("is_unsigned").is_some();
    let mut shape = x.shape.clone();
    shape[dim] = count.unwrap_or(shape[dim]);
    let mut values = Array::for_type(op, op.result(0).ty(), shape.clone())?;
    let mut indices = Array::for_type(op, op.result(1).ty(), shape)?;
    each_row(&x.shape, dim, |first| {
        let mut pairs: Vec<(usize, Number)> =
            row(op, x, first, dim)?.into_iter().enumerate().collect();
        let mut failure = None;
        pairs.sort_by(|(_, a), (_, b)| {
            let order = total_order(*a, *b, is_unsigned).unwrap_or_else(|message| {
                failure = Some(message);
                Ordering::Equal
            });
            if descends { order.reverse() } else { order }
        });
        if let Some(message) = failure {
            return Err(Error::on(op, message));
        }
        set_row(&mut values, first, dim, pairs.iter().map(|(_, number)| number.value));
        set_row(&mut indices, first, dim, pairs.iter().map(|(i, _)| Scalar::Int(*i as i64)));
        Ok(())
    })?;
    Ok(vec![Datum::tensor(values), Datum::tensor(indices)])
}

pub(super) fn scan<'c>(op: Op<'c>, x: &Array) -> Result<Datum, Error<'c>> {
    let kind = ReduceKind::from_value(integer(op, "kind")?);
    let kind = kind.ok_or_else(|| Error::on(op, "has no kind"))?;
    let dim = dimension(op, x.shape.len())?;
    let is_unsigned = op.attribute("is_unsigned").is_some();
    let is_reverse = op.attribute("reverse").is_some();
    let is_exclusive = op.attribute("exclusive").is_some();
    let mut result = Array::for_type(op, op.result(0).ty(), x.shape.clone())?;
    each_row(&x.shape, dim, |first| {
        let mut numbers = row(op, x, first, dim)?;
        if is_reverse {
            numbers.reverse();
        }
        let mut sums = vec![];
        let mut so_far = is_exclusive.then(|| identity(kind, is_unsigned, x.ty));
        for number in numbers {
            let next = so_far.map_or(Ok(number), |it| combined(kind, is_unsigned, it, number));
            let next = next.map_err(|message| Error::on(op, message))?;
            sums.push(if is_exclusive { so_far.unwrap_or(next) } else { next }.value);
            so_far = Some(next);
        }
        if is_reverse {
            sums.reverse();
        }
        set_row(&mut result, first, dim, sums.into_iter());
        Ok(())
    })?;
    Ok(Datum::tensor(result))
}
