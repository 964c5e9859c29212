//! What the graph ops share: attributes, and results that are computed cell by cell.

use crate::interpreter::scalar::{Scalar, ScalarType};
use crate::interpreter::value::{Array, RowMajorIndices};
use crate::ir::{Attribute, Error, Op, Type};

/// An array of this shape whose cells are functions of their indices. An error of the function is about its cell.
pub(super) fn computed<'c>(
    op: Op<'c>,
    ty: Type<'c>,
    shape: Vec<usize>,
    mut cell: impl FnMut(&[i64]) -> Result<Scalar, String>,
) -> Result<Array, Error<'c>> {
    let mut result = Array::for_type(op, ty, shape)?;
    let mut indices = result.indices();
    for place in 0..result.cells.len() {
        let Some(at) = indices.advance() else { break };
        let value =
            cell(at).map_err(|message| Error::on(op, format!("result {at:?} {message}")))?;
        result.cells[place] = value;
    }
    Ok(result)
}

/// Calls a function with each index of a shape, in row-major order.
pub(super) fn each_index(
    shape: &[usize],
    mut function: impl FnMut(&[i64]) -> Result<(), String>,
) -> Result<(), String> {
    let mut indices = RowMajorIndices::of(shape);
    while let Some(at) = indices.advance() {
        function(at)?;
    }
    Ok(())
}

/// A cell of an array.
pub(super) fn cell(array: &Array, indices: &[i64]) -> Result<Scalar, String> {
    array.checked_offset(indices).map(|place| array.cells[place])
}

pub(super) fn integer<'c>(op: Op<'c>, name: &str) -> Result<i64, Error<'c>> {
    let value = op.attribute(name).and_then(Attribute::as_i64);
    value.ok_or_else(|| Error::on(op, format!("has no {name}")))
}

pub(super) fn integers<'c>(op: Op<'c>, name: &str) -> Result<Vec<i64>, Error<'c>> {
    let list = op.attribute(name).and_then(Attribute::as_integers);
    list.ok_or_else(|| Error::on(op, format!("has no {name}")))
}

/// The dimension `dim` of an array of this rank.
pub(super) fn dimension<'c>(op: Op<'c>, rank: usize) -> Result<usize, Error<'c>> {
    let dim = usize::try_from(integer(op, "dim")?).ok().filter(|dim| *dim < rank);
    dim.ok_or_else(|| Error::on(op, "has a dim that is out of range"))
}

/// The distinct dimensions, each below `rank`, in attribute `name`.
pub(super) fn dimensions<'c>(op: Op<'c>, name: &str, rank: usize) -> Result<Vec<usize>, Error<'c>> {
    let mut dims = vec![];
    for dim in integers(op, name)? {
        let dim = usize::try_from(dim).ok().filter(|dim| *dim < rank && !dims.contains(dim));
        let message = || format!("has {name} with entries that are repeated or out of range");
        dims.push(dim.ok_or_else(|| Error::on(op, message()))?);
    }
    Ok(dims)
}

/// The element type of a result.
pub(super) fn element_of<'c>(op: Op<'c>, ty: Type<'c>) -> Result<ScalarType, Error<'c>> {
    crate::interpreter::value::array_type(op, ty).map(|(_, element)| element)
}

/// A size that a value gives.
pub(super) fn size_of<'c>(op: Op<'c>, size: i64) -> Result<usize, Error<'c>> {
    usize::try_from(size).map_err(|_| {
        Error::on(op, format!("has size {size}, expected a size that is not negative"))
    })
}
