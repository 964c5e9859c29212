//! Runs ops with indices that are data: gathers, scatters and `graph.one_hot`.

use super::cells::{cell, computed, dimension, integer, size_of};
use super::number::Number;
use super::reduce::combined;
use crate::dialect::graph_op::ScatterKind;
use crate::interpreter::env::Env;
use crate::interpreter::scalar::Scalar;
use crate::interpreter::structured::unknown;
use crate::interpreter::value::{Array, Datum};
use crate::ir::{Attribute, Error, Op};

/// An index as it is, or counted from the end if it is negative.
fn counted(number: Scalar, size: usize) -> Result<i64, String> {
    let index = number.int().ok_or("has an undefined index")?;
    match size {
        0 => Err(format!("has index {index} in a dimension without elements")),
        _ => Ok(if index < 0 { index.saturating_add(size as i64) } else { index }),
    }
}

/// The index in a dimension of this size that a number stands for.
fn index_inside(number: Scalar, size: usize) -> Result<i64, String> {
    counted(number, size).map(|index| index.clamp(0, size as i64 - 1))
}

pub(super) fn take<'c>(op: Op<'c>, x: &Array, indices: &Array) -> Result<Datum, Error<'c>> {
    let dim = dimension(op, x.shape.len())?;
    let count = indices.shape.len();
    let shape = [&x.shape[..dim], &indices.shape, &x.shape[dim + 1..]].concat();
    let result = computed(op, op.result(0).ty(), shape, |at| {
        let index = index_inside(cell(indices, &at[dim..dim + count])?, x.shape[dim])?;
        cell(x, &[&at[..dim], &[index], &at[dim + count..]].concat())
    });
    result.map(Datum::tensor)
}

pub(super) fn gather_elements<'c>(
    op: Op<'c>,
    x: &Array,
    indices: &Array,
) -> Result<Datum, Error<'c>> {
    let dim = dimension(op, x.shape.len())?;
    let result = computed(op, op.result(0).ty(), indices.shape.clone(), |at| {
        let mut from = at.to_vec();
        from[dim] = index_inside(cell(indices, at)?, x.shape[dim])?;
        cell(x, &from)
    });
    result.map(Datum::tensor)
}

/// The sizes of an array of lists without that of the lists, and that one.
fn lists<'c, 'a>(op: Op<'c>, indices: &'a Array) -> Result<(&'a [usize], usize), Error<'c>> {
    let split = indices.shape.split_last();
    let (len, leading) = split.ok_or_else(|| Error::on(op, "has indices of rank 0"))?;
    Ok((leading, *len))
}

pub(super) fn gather_nd<'c>(op: Op<'c>, x: &Array, indices: &Array) -> Result<Datum, Error<'c>> {
    let batches = op.attribute("batch_dims").and_then(Attribute::as_i64).unwrap_or(0);
    let batches = size_of(op, batches)?;
    let (leading, len) = lists(op, indices)?;
    if leading.get(..batches).is_none_or(|sizes| !x.shape.starts_with(sizes)) {
        let message = format!(
            "has indices of sizes {:?} for sizes {:?}, expected {batches} equal ones",
            indices.shape, x.shape
        );
        return Err(Error::on(op, message));
    }
    let slice = x.shape.get(batches + len..).ok_or_else(|| Error::on(op, "has too long lists"))?;
    let shape = [leading, slice].concat();
    let count = leading.len();
    let result = computed(op, op.result(0).ty(), shape, |at| {
        let mut from = at[..batches].to_vec();
        for column in 0..len {
            let number = cell(indices, &[&at[..count], &[column as i64]].concat())?;
            from.push(index_inside(number, x.shape[batches + column])?);
        }
        from.extend(&at[count..]);
        cell(x, &from)
    });
    result.map(Datum::tensor)
}

pub(super) fn scatter<'c>(
    op: Op<'c>,
    x: &Array,
    indices: &Array,
    updates: &Array,
) -> Result<Datum, Error<'c>> {
    let kind = ScatterKind::from_value(integer(op, "kind")?);
    let kind = kind.ok_or_else(|| Error::on(op, "has no kind"))?;
    let is_unsigned = op.attribute("is_unsigned").is_some();
    let of_elements = op.is("graph.scatter_elements");
    let dim = if of_elements { Some(dimension(op, x.shape.len())?) } else { None };
    let expected = match dim {
        Some(_) => indices.shape.clone(),
        None => {
            let (leading, len) = lists(op, indices)?;
            let slice = x.shape.get(len..).ok_or_else(|| Error::on(op, "has too long lists"))?;
            [leading, slice].concat()
        }
    };
    if updates.shape != expected {
        let message = format!("has updates of sizes {:?}, expected {expected:?}", updates.shape);
        return Err(Error::on(op, message));
    }
    let mut result = Array::for_type(op, op.result(0).ty(), x.shape.clone())?;
    result.cells.clone_from(&x.cells);
    let mut all = updates.indices();
    for from in 0..updates.cells.len() {
        let Some(at) = all.advance() else { break };
        let to = match dim {
            Some(dim) => element_place(x, indices, at, dim),
            None => slice_place(x, indices, at),
        };
        let about = |message: String| Error::on(op, format!("update {at:?} {message}"));
        let to = to.map_err(about)?;
        // An update beyond the array is left out.
        let Some(place) = x.offset(&to) else { continue };
        let (old, update) = (Number::of(&result, place), Number::of(updates, from));
        let new = match kind.combiner() {
            None => Ok(update),
            Some(kind) => combined(kind, is_unsigned, old, update),
        };
        result.cells[place] = new.map_err(about)?.value;
    }
    Ok(Datum::tensor(result))
}

/// The indices of the element that an update of `graph.scatter_elements` changes.
fn element_place(x: &Array, indices: &Array, at: &[i64], dim: usize) -> Result<Vec<i64>, String> {
    let mut to = at.to_vec();
    to[dim] = counted(cell(indices, at)?, x.shape[dim])?;
    // The other indices are those of the update.
    match (0..to.len()).find(|i| *i != dim && at[*i] >= x.shape[*i] as i64) {
        Some(i) => Err(format!("is beyond dimension {i} of sizes {:?}", x.shape)),
        None => Ok(to),
    }
}

/// The indices of the element that an update of `graph.scatter_nd` changes.
fn slice_place(x: &Array, indices: &Array, at: &[i64]) -> Result<Vec<i64>, String> {
    let (leading, len) = (indices.shape.len() - 1, indices.shape[indices.shape.len() - 1]);
    let mut to = vec![];
    for column in 0..len {
        let number = cell(indices, &[&at[..leading], &[column as i64]].concat())?;
        to.push(counted(number, x.shape[column])?);
    }
    to.extend(&at[leading..]);
    Ok(to)
}

pub(super) fn one_hot<'c>(op: Op<'c>, env: &Env<'c>) -> Result<Datum, Error<'c>> {
    let [indices, on, off] = op.operands()[..] else { return Err(unknown(op)) };
    let indices = env.tensor(op, indices)?;
    let scalar = |value| match env.get(op, value)? {
        Datum::Scalar(value) => Ok(*value),
        _ => Err(Error::on(op, "uses an array where a scalar is expected")),
    };
    let (on, off) = (scalar(on)?, scalar(off)?);
    let depth = integer(op, "depth")?;
    let dim = dimension(op, indices.shape.len() + 1)?;
    let mut shape = indices.shape.clone();
    shape.insert(dim, size_of(op, depth)?);
    let result = computed(op, op.result(0).ty(), shape, |at| {
        let mut from = at.to_vec();
        let place = from.remove(dim);
        let index = cell(&indices, &from)?.int().ok_or("has an undefined index")?;
        Ok(if index == place || index == place - depth { on } else { off })
    });
    result.map(Datum::tensor)
}
