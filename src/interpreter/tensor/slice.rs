//! Tensor ops that extract or insert a slice of a tensor.

use super::{DYNAMIC, mixed, operand, shape_of};
use crate::interpreter::env::Env;
use crate::interpreter::value::{Array, Datum, RowMajorIndices, array_type};
use crate::ir::{Error, Op, Type, Value};

/// A slice of a tensor.
struct TensorSlice {
    offsets: Vec<i64>,
    sizes: Vec<usize>,
    strides: Vec<i64>,
    /// The sizes without the unit dimensions that the rank-reduced tensor does not have.
    small: Vec<usize>,
}

impl TensorSlice {
    /// The slice of `op`. `operands` are those after the tensors; `small` is the type of the slice.
    fn of<'c>(
        op: Op<'c>,
        env: &Env<'c>,
        operands: &[Value<'c>],
        small: Type<'c>,
    ) -> Result<TensorSlice, Error<'c>> {
        let mut operands = operands.iter().copied();
        let offsets = mixed(op, env, "static_offsets", &mut operands)?;
        let sizes = shape_of(op, &mixed(op, env, "static_sizes", &mut operands)?)?;
        let strides = mixed(op, env, "static_strides", &mut operands)?;
        if offsets.len() != sizes.len() || strides.len() != sizes.len() {
            return Err(Error::on(op, "has lists of offsets, sizes and strides of unequal length"));
        }
        let fixed = op.attribute("static_sizes").and_then(|list| list.as_integers());
        let (dims, _) = array_type(op, small)?;
        match without_unit_dims(&sizes, &fixed.unwrap_or_default(), &dims) {
            Some(small) => Ok(TensorSlice { offsets, sizes, strides, small }),
            None => {
                let message = format!("has sizes {sizes:?}, which cannot be reduced to {small}");
                Err(Error::on(op, message))
            }
        }
    }

    /// Calls `each` with the row-major offset in `large` of each element of the slice, in row-major order.
    fn for_each_place(&self, large: &Array, mut each: impl FnMut(usize)) -> Result<(), String> {
        let mut place = vec![0; self.sizes.len()];
        let mut indices = RowMajorIndices::of(&self.sizes);
        while let Some(at) = indices.advance() {
            for (i, index) in at.iter().enumerate() {
                place[i] = (index.checked_mul(self.strides[i]))
                    .and_then(|distance| distance.checked_add(self.offsets[i]))
                    .ok_or("has an index that overflows")?;
            }
            each(large.checked_offset(&place)?);
        }
        Ok(())
    }
}

/// Removes the static sizes 1 that `dims` does not have; `None` if the result does not have the rank of `dims`.
fn without_unit_dims(sizes: &[usize], fixed: &[i64], dims: &[Option<i64>]) -> Option<Vec<usize>> {
    let mut dims = dims.iter().peekable();
    let mut small = vec![];
    for (size, fixed) in sizes.iter().zip(fixed) {
        let is_kept = match dims.peek() {
            Some(Some(dim)) => dim == fixed,
            Some(None) => *fixed == DYNAMIC,
            None => false,
        };
        if is_kept {
            small.push(*size);
            dims.next();
        } else if *fixed != 1 {
            return None;
        }
    }
    dims.next().is_none().then_some(small)
}

pub fn extract_slice<'c>(
    op: Op<'c>,
    env: &Env<'c>,
    operands: &[Value<'c>],
) -> Result<Datum, Error<'c>> {
    let source = env.tensor(op, operand(op, operands, 0)?)?;
    let ty = op.result(0).ty();
    let slice = TensorSlice::of(op, env, &operands[1..], ty)?;
    let mut result = Array::for_type(op, ty, slice.small.clone())?;
    let mut cells = result.cells.iter_mut();
    let copied = slice.for_each_place(&source, |place| {
        if let Some(cell) = cells.next() {
            *cell = source.cells[place];
        }
    });
    copied.map_err(|message| Error::on(op, message))?;
    Ok(Datum::tensor(result))
}

pub fn insert_slice<'c>(
    op: Op<'c>,
    env: &Env<'c>,
    operands: &[Value<'c>],
) -> Result<Datum, Error<'c>> {
    let part = operand(op, operands, 0)?;
    let source = env.tensor(op, part)?;
    let target = env.tensor(op, operand(op, operands, 1)?)?;
    let slice = TensorSlice::of(op, env, &operands[2..], part.ty())?;
    if slice.small != source.shape {
        let message =
            format!("inserts sizes {:?}, but its source has {:?}", slice.small, source.shape);
        return Err(Error::on(op, message));
    }
    let mut result = (*target).clone();
    let mut cells = source.cells.iter();
    let copied = slice.for_each_place(&target, |place| {
        if let Some(cell) = cells.next() {
            result.cells[place] = *cell;
        }
    });
    copied.map_err(|message| Error::on(op, message))?;
    Ok(Datum::tensor(result))
}

pub fn concat<'c>(op: Op<'c>, env: &Env<'c>, operands: &[Value<'c>]) -> Result<Datum, Error<'c>> {
    let parts = operands.iter().map(|value| env.tensor(op, *value));
    let parts = parts.collect::<Result<Vec<_>, _>>()?;
    let first = parts.first().ok_or_else(|| Error::on(op, "has no operands"))?;
    let along = op.attribute("dim").and_then(|dim| dim.as_i64());
    let along = along.and_then(|dim| usize::try_from(dim).ok());
    let along = along.filter(|dim| *dim < first.shape.len());
    let along = along.ok_or_else(|| Error::on(op, "has a dim that its operands do not have"))?;

    let mut shape = first.shape.clone();
    shape[along] = 0;
    for (i, part) in parts.iter().enumerate() {
        let mut expected = part.shape.clone();
        let size = expected.get_mut(along).map(|size| std::mem::replace(size, shape[along]));
        let (Some(size), true) = (size, expected == shape) else {
            let (this, other) = (&part.shape, &first.shape);
            return Err(Error::on(
                op,
                format!("operand {i} has sizes {this:?}, but operand 0 has {other:?}"),
            ));
        };
        shape[along] += size;
    }
    let mut result = Array::for_type(op, op.result(0).ty(), shape)?;
    let mut start = 0;
    for part in &parts {
        let mut indices = part.indices();
        for cell in &part.cells {
            let Some(at) = indices.advance() else { break };
            let mut at = at.to_vec();
            at[along] += start;
            let place = result.checked_offset(&at).map_err(|message| Error::on(op, message))?;
            result.cells[place] = *cell;
        }
        start += part.shape[along] as i64;
    }
    Ok(Datum::tensor(result))
}
