//! Arith and math ops on tensors: the scalar op on each cell.

use super::elements;
use crate::interpreter::scalar_op::ScalarOp;
use crate::interpreter::value::{Array, Datum, Env};
use crate::ir::{Error, Op, TypeKind};

/// The result of an arith or math op on scalars or tensors; `None` for an op that is not known.
pub(in crate::interpreter) fn run<'c>(
    op: Op<'c>,
    env: &Env<'c>,
) -> Result<Option<Vec<Datum>>, Error<'c>> {
    let [result] = op.results()[..] else { return Ok(None) };
    let ty = result.ty();
    let is_tensor = matches!(ty.kind(), TypeKind::Tensor { .. });
    if is_tensor && op.is("arith.constant") {
        let value = op.attribute("value").ok_or_else(|| Error::on(op, "has no value"))?;
        return Ok(Some(vec![Datum::tensor(elements(op, value, ty)?)]));
    }
    let Some(scalar_op) = ScalarOp::of(op)? else { return Ok(None) };
    let operands = op.operands();
    if !is_tensor {
        let operands = operands.iter().map(|value| env.scalar(op, *value));
        let operands = operands.collect::<Result<Vec<_>, _>>()?;
        let result = scalar_op.apply(&operands).map_err(|message| Error::on(op, message))?;
        return Ok(Some(vec![Datum::Scalar(result)]));
    }

    // The condition of a select may be one scalar for all cells.
    let operands = operands.iter().map(|value| env.get(op, *value));
    let operands = operands.collect::<Result<Vec<_>, _>>()?;
    let shapes = operands.iter().filter_map(|datum| match datum {
        Datum::Tensor(array) => Some(&array.shape),
        _ => None,
    });
    let shapes: Vec<_> = shapes.collect();
    let shape = *shapes.first().ok_or_else(|| Error::on(op, "makes a tensor from scalars"))?;
    if let Some(other) = shapes.iter().find(|other| **other != shape) {
        let message = format!("has operands of different sizes: {shape:?} and {other:?}");
        return Err(Error::on(op, message));
    }
    let mut array = Array::for_type(op, ty, shape.clone())?;
    let mut indices = array.indices();
    let mut scalars = vec![];
    for (i, cell) in array.cells.iter_mut().enumerate() {
        let Some(at) = indices.advance() else { break };
        scalars.clear();
        for operand in &operands {
            scalars.push(match operand {
                Datum::Scalar(scalar) => *scalar,
                Datum::Tensor(array) => array.cells[i],
                Datum::Buffer(_) => return Err(Error::on(op, "has a memref as operand")),
            });
        }
        let result = scalar_op.apply(&scalars);
        *cell = result.map_err(|message| Error::on(op, format!("at {at:?}: {message}")))?;
    }
    Ok(Some(vec![Datum::tensor(array)]))
}
