//! Tensor ops that access slices at indices that are data: `tensor.gather` and `tensor.scatter`.

use super::operand;
use crate::interpreter::env::Env;
use crate::interpreter::scalar::Scalar;
use crate::interpreter::value::{Array, Datum};
use crate::ir::{Attribute, Error, Op, Value};

/// Calls `each` with the place of each element in the tensor of slices, and its place in the sliced tensor.
fn places<'c>(
    op: Op<'c>,
    [indices, slices, sliced]: [&Array; 3],
    dims: &str,
    mut each: impl FnMut(usize, usize),
) -> Result<(), Error<'c>> {
    let dims = op.attribute(dims).and_then(Attribute::as_integers).unwrap_or_default();
    let leading = indices.shape.len() - 1;
    let rank = sliced.shape.len();
    let keeps_all = slices.shape.len() == leading + rank;
    let mut all = slices.indices();
    for from in 0..slices.cells.len() {
        let Some(at) = all.advance() else { break };
        let mut of_slice = at[leading..].iter();
        let mut place = vec![0; rank];
        for (d, index) in place.iter_mut().enumerate() {
            let column = dims.iter().position(|dim| *dim == d as i64);
            if column.is_none() || keeps_all {
                *index = of_slice.next().copied().unwrap_or(0);
            }
            let Some(column) = column else { continue };
            let start: Vec<_> = at[..leading].iter().copied().chain([column as i64]).collect();
            let start = indices.checked_offset(&start).map_err(|message| Error::on(op, message))?;
            match indices.cells[start] {
                Scalar::Int(start) => *index += start,
                _ => return Err(Error::on(op, "uses an undefined value as an index")),
            }
        }
        let place = sliced.checked_offset(&place).map_err(|message| Error::on(op, message))?;
        each(from, place);
    }
    Ok(())
}

pub fn gather<'c>(op: Op<'c>, env: &Env<'c>, operands: &[Value<'c>]) -> Result<Datum, Error<'c>> {
    let source = env.tensor(op, operand(op, operands, 0)?)?;
    let indices = env.tensor(op, operand(op, operands, 1)?)?;
    let (dims, _) = op.result(0).ty().shaped().ok_or_else(|| Error::on(op, "is not ranked"))?;
    let mut shape = indices.shape.clone();
    shape.pop();
    let gathered = op.attribute("gather_dims").and_then(Attribute::as_integers).unwrap_or_default();
    let keeps_all = dims.len() == shape.len() + source.shape.len();
    for (d, size) in source.shape.iter().enumerate() {
        match (gathered.contains(&(d as i64)), keeps_all) {
            (true, true) => shape.push(1),
            (true, false) => {}
            (false, _) => shape.push(*size),
        }
    }
    let mut array = Array::for_type(op, op.result(0).ty(), shape)?;
    let mut cells = array.cells.clone();
    places(op, [&indices, &array, &source], "gather_dims", |to, from| {
        cells[to] = source.cells[from]
    })?;
    array.cells = cells;
    Ok(Datum::tensor(array))
}

pub fn scatter<'c>(op: Op<'c>, env: &Env<'c>, operands: &[Value<'c>]) -> Result<Datum, Error<'c>> {
    let updates = env.tensor(op, operand(op, operands, 0)?)?;
    let dest = env.tensor(op, operand(op, operands, 1)?)?;
    let indices = env.tensor(op, operand(op, operands, 2)?)?;
    let mut array = (*dest).clone();
    let cells = &mut array.cells;
    places(op, [&indices, &updates, &dest], "scatter_dims", |from, to| {
        cells[to] = updates.cells[from]
    })?;
    Ok(Datum::tensor(array))
}
