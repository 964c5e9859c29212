//! Tensor ops that change the shape and keep the elements in row-major order.

use super::{mixed, operand, shape_of};
use crate::interpreter::env::Env;
use crate::interpreter::scalar::Scalar;
use crate::interpreter::value::{Array, Datum, check_type};
use crate::ir::{Error, Op, Value};
use std::rc::Rc;

pub fn cast<'c>(op: Op<'c>, env: &Env<'c>, operands: &[Value<'c>]) -> Result<Datum, Error<'c>> {
    let source = env.tensor(op, operand(op, operands, 0)?)?;
    check_type(op, op.result(0).ty(), &source.shape)?;
    Ok(Datum::Tensor(source))
}

pub fn expand_shape<'c>(
    op: Op<'c>,
    env: &Env<'c>,
    operands: &[Value<'c>],
) -> Result<Datum, Error<'c>> {
    let source = env.tensor(op, operand(op, operands, 0)?)?;
    let sizes = mixed(op, env, "static_output_shape", &mut operands.iter().skip(1).copied())?;
    let shape = shape_of(op, &sizes)?;
    let groups = groups(op, shape.len())?;
    if products(&groups, &shape).as_ref() != Some(&source.shape) {
        let message = format!(
            "expands sizes {:?} to {shape:?} in groups {groups:?}, whose products do \
             not match",
            source.shape
        );
        return Err(Error::on(op, message));
    }
    reshaped(op, &source, shape)
}

pub fn collapse_shape<'c>(
    op: Op<'c>,
    env: &Env<'c>,
    operands: &[Value<'c>],
) -> Result<Datum, Error<'c>> {
    let source = env.tensor(op, operand(op, operands, 0)?)?;
    let groups = groups(op, source.shape.len())?;
    let shape = products(&groups, &source.shape);
    reshaped(
        op,
        &source,
        shape.ok_or_else(|| Error::on(op, "has a result with a size that overflows"))?,
    )
}

pub fn reshape<'c>(op: Op<'c>, env: &Env<'c>, operands: &[Value<'c>]) -> Result<Datum, Error<'c>> {
    let source = env.tensor(op, operand(op, operands, 0)?)?;
    let sizes = env.tensor(op, operand(op, operands, 1)?)?;
    let sizes = sizes.cells.iter().map(|size| match size {
        Scalar::Int(size) => Ok(*size),
        _ => Err(Error::on(op, "has an undefined size")),
    });
    let sizes = sizes.collect::<Result<Vec<_>, _>>()?;
    reshaped(op, &source, shape_of(op, &sizes)?)
}

/// The reassociation of an op: lists of dimensions of the shape of higher rank, which is `rank`.
fn groups<'c>(op: Op<'c>, rank: usize) -> Result<Vec<Vec<usize>>, Error<'c>> {
    let list = op.attribute("reassociation").and_then(|groups| groups.as_array());
    let group = |group: crate::ir::Attribute| -> Option<Vec<usize>> {
        let place =
            |i: crate::ir::Attribute| usize::try_from(i.as_i64()?).ok().filter(|i| *i < rank);
        group.as_array()?.into_iter().map(place).collect()
    };
    list.and_then(|list| list.into_iter().map(group).collect())
        .ok_or_else(|| Error::on(op, "has a reassociation that does not match its operand"))
}

/// The size of each group of dimensions; `None` on overflow.
fn products(groups: &[Vec<usize>], shape: &[usize]) -> Option<Vec<usize>> {
    let product =
        |group: &Vec<usize>| group.iter().try_fold(1usize, |n, i| n.checked_mul(shape[*i]));
    groups.iter().map(product).collect()
}

fn reshaped<'c>(op: Op<'c>, source: &Rc<Array>, shape: Vec<usize>) -> Result<Datum, Error<'c>> {
    check_type(op, op.result(0).ty(), &shape)?;
    let count = shape.iter().try_fold(1usize, |n, size| n.checked_mul(*size));
    if count != Some(source.cells.len()) {
        let message = format!(
            "reshapes sizes {:?} to {shape:?}, which has another number of elements",
            source.shape
        );
        return Err(Error::on(op, message));
    }
    Ok(Datum::tensor(Array { ty: source.ty, shape, cells: source.cells.clone() }))
}
