//! Runs ops on tensors and memrefs by their definition.

mod buffer;
mod constant;
mod elementwise;
mod gather;
mod generate;
mod reshape;
mod slice;

pub(super) use buffer::BufferOp;
pub(super) use constant::elements;
pub(super) use elementwise::Elementwise;

use super::env::Env;
use super::scalar::Scalar;
use super::structured::dimension;
use super::value::{Array, Datum, array_type};
use crate::ir::{Error, Op, Value};

/// The results of a tensor op; `None` for an unsupported op.
pub(super) fn run<'c>(op: Op<'c>, env: &Env<'c>) -> Result<Option<Vec<Datum>>, Error<'c>> {
    let operands = op.operands();
    let result = match op.name() {
        "tensor.empty" => Datum::tensor(new_array(op, env, &operands)?),
        "tensor.from_elements" => from_elements(op, env, &operands)?,
        "tensor.splat" => splat(op, env, &operands)?,
        "tensor.generate" => generate::generate(op, env, &operands)?,
        "tensor.pad" => generate::pad(op, env, &operands)?,
        "tensor.gather" => gather::gather(op, env, &operands)?,
        "tensor.scatter" => gather::scatter(op, env, &operands)?,
        "tensor.extract" => extract(op, env, &operands)?,
        "tensor.insert" => insert(op, env, &operands)?,
        "tensor.dim" => {
            let i = env.index(op, operand(op, &operands, 1)?)?;
            let source = env.tensor(op, operand(op, &operands, 0)?)?;
            let size = dimension(&source.shape, i).map_err(|message| Error::on(op, message))?;
            Datum::Scalar(Scalar::Int(size))
        }
        "tensor.rank" => Datum::index(env.tensor(op, operand(op, &operands, 0)?)?.shape.len()),
        "tensor.cast" => reshape::cast(op, env, &operands)?,
        "tensor.expand_shape" => reshape::expand_shape(op, env, &operands)?,
        "tensor.collapse_shape" => reshape::collapse_shape(op, env, &operands)?,
        "tensor.reshape" => reshape::reshape(op, env, &operands)?,
        "tensor.extract_slice" => slice::extract_slice(op, env, &operands)?,
        "tensor.insert_slice" => slice::insert_slice(op, env, &operands)?,
        "tensor.concat" => slice::concat(op, env, &operands)?,
        _ => return Ok(None),
    };
    Ok(Some(vec![result]))
}

/// Operand `i`.
fn operand<'c>(op: Op<'c>, operands: &[Value<'c>], i: usize) -> Result<Value<'c>, Error<'c>> {
    operands.get(i).copied().ok_or_else(|| Error::on(op, format!("has no operand {i}")))
}

/// An array of undefined elements for the one result of `op`; `sizes` are its dynamic sizes.
fn new_array<'c>(op: Op<'c>, env: &Env<'c>, sizes: &[Value<'c>]) -> Result<Array, Error<'c>> {
    let ty = op.result(0).ty();
    let (dims, _) = array_type(op, ty)?;
    let mut sizes = env.indices(op, sizes)?.into_iter();
    let missing = || Error::on(op, "has fewer sizes than its result has dynamic dimensions");
    let shape: Vec<i64> = dims
        .into_iter()
        .map(|dim| dim.or_else(|| sizes.next()).ok_or_else(missing))
        .collect::<Result<_, _>>()?;
    Array::for_type(op, ty, shape_of(op, &shape)?)
}

/// Sizes as a shape; negative ones are an error.
fn shape_of<'c>(op: Op<'c>, sizes: &[i64]) -> Result<Vec<usize>, Error<'c>> {
    let each = sizes.iter().enumerate().map(|(i, size)| {
        usize::try_from(*size).map_err(|_| {
            Error::on(
                op,
                format!(
                    "size {i} is {size}, expected a size \
                     that is not negative"
                ),
            )
        })
    });
    each.collect()
}

/// The static and dynamic numbers of a list: static ones are in attribute `name`, and where the attribute has the
/// dynamic marker, the number is the next operand.
fn mixed<'c>(
    op: Op<'c>,
    env: &Env<'c>,
    name: &str,
    operands: &mut impl Iterator<Item = Value<'c>>,
) -> Result<Vec<i64>, Error<'c>> {
    let fixed = op.attribute(name).and_then(|list| list.as_integers());
    let fixed = fixed.ok_or_else(|| Error::on(op, format!("has no attribute {name}")))?;
    let each = fixed.into_iter().map(|value| match value {
        DYNAMIC => match operands.next() {
            Some(operand) => env.index(op, operand),
            None => Err(Error::on(op, format!("has too few operands for its {name}"))),
        },
        value => Ok(value),
    });
    each.collect()
}

/// The marker in attributes for a number that is an operand.
const DYNAMIC: i64 = i64::MIN;

fn from_elements<'c>(
    op: Op<'c>,
    env: &Env<'c>,
    operands: &[Value<'c>],
) -> Result<Datum, Error<'c>> {
    let mut array = new_array(op, env, &[])?;
    if array.cells.len() != operands.len() {
        return Err(Error::on(op, "does not have one operand for each element"));
    }
    for (cell, value) in array.cells.iter_mut().zip(operands) {
        *cell = env.scalar(op, *value)?;
    }
    Ok(Datum::tensor(array))
}

fn splat<'c>(op: Op<'c>, env: &Env<'c>, operands: &[Value<'c>]) -> Result<Datum, Error<'c>> {
    let value = env.scalar(op, operand(op, operands, 0)?)?;
    let mut array = new_array(op, env, &operands[1..])?;
    array.cells.fill(value);
    Ok(Datum::tensor(array))
}

fn extract<'c>(op: Op<'c>, env: &Env<'c>, operands: &[Value<'c>]) -> Result<Datum, Error<'c>> {
    let source = env.tensor(op, operand(op, operands, 0)?)?;
    let indices = env.indices(op, &operands[1..])?;
    let offset = source.checked_offset(&indices).map_err(|message| Error::on(op, message))?;
    Ok(Datum::Scalar(source.cells[offset]))
}

fn insert<'c>(op: Op<'c>, env: &Env<'c>, operands: &[Value<'c>]) -> Result<Datum, Error<'c>> {
    let value = env.scalar(op, operand(op, operands, 0)?)?;
    let mut array = (*env.tensor(op, operand(op, operands, 1)?)?).clone();
    let indices = env.indices(op, &operands[2..])?;
    let offset = array.checked_offset(&indices).map_err(|message| Error::on(op, message))?;
    array.cells[offset] = value;
    Ok(Datum::tensor(array))
}

#[cfg(test)]
#[path = "../../test/interpreter/tensor.rs"]
mod tests;
