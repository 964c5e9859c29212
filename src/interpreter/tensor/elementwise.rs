//! Arith and math ops on scalars, tensors and vectors: applies the scalar op to each element.

use super::elements;
use crate::interpreter::env::Env;
use crate::interpreter::scalar::{Scalar, ScalarType};
use crate::interpreter::scalar_op::ScalarOp;
use crate::interpreter::value::{Array, Datum};
use crate::ir::{Error, Op, Type, Value};

/// A decoded arith or math op, `vector.fma` or `tensor.bitcast`.
pub struct Elementwise<'c> {
    kind: ElementwiseKind<'c>,
}

enum ElementwiseKind<'c> {
    Constant(Datum),
    Scalar(ScalarOp),
    /// An op on arrays; the type is that of the result.
    Cells(ScalarOp, Type<'c>),
}

impl<'c> Elementwise<'c> {
    /// Decodes an op, for each of its results; `None` if it is not supported.
    pub fn each(op: Op<'c>) -> Result<Option<Vec<Self>>, Error<'c>> {
        let types: Vec<Type> = op.results().into_iter().map(|result| result.ty()).collect();
        if let [ty] = types[..]
            && op.is("arith.constant")
            && ScalarType::of(ty).is_none()
        {
            let value = op.attribute("value").ok_or_else(|| Error::on(op, "has no value"))?;
            let kind = ElementwiseKind::Constant(Datum::tensor(elements(op, value, ty)?));
            return Ok(Some(vec![Elementwise { kind }]));
        }
        let Some(scalar_ops) = ScalarOp::each(op)? else { return Ok(None) };
        let each = scalar_ops.into_iter().zip(types).map(|(scalar_op, ty)| {
            let kind = match ScalarType::of(ty) {
                Some(_) => ElementwiseKind::Scalar(scalar_op),
                None => ElementwiseKind::Cells(scalar_op, ty),
            };
            Elementwise { kind }
        });
        Ok(Some(each.collect()))
    }

    /// The result for these operands of the op.
    pub fn run(
        &self,
        op: Op<'c>,
        operands: &[Value<'c>],
        env: &Env<'c>,
    ) -> Result<Datum, Error<'c>> {
        match &self.kind {
            ElementwiseKind::Constant(datum) => Ok(datum.clone()),
            ElementwiseKind::Scalar(scalar_op) => {
                let mut scalars = [Scalar::Undefined; 3];
                let Some(scalars) = scalars.get_mut(..operands.len()) else {
                    return Err(Error::on(op, "has more than three operands"));
                };
                for (scalar, value) in scalars.iter_mut().zip(operands) {
                    *scalar = env.scalar(op, *value)?;
                }
                let result = scalar_op.apply(scalars).map_err(|message| Error::on(op, message))?;
                Ok(Datum::Scalar(result))
            }
            ElementwiseKind::Cells(scalar_op, ty) => {
                let operands = operands.iter().map(|value| env.get(op, *value));
                let operands = operands.collect::<Result<Vec<_>, _>>()?;
                cells(op, scalar_op, *ty, &operands)
            }
        }
    }
}

/// Applies the scalar op to each element; a scalar operand (the condition of a select) is used for all elements.
fn cells<'c>(
    op: Op<'c>,
    scalar_op: &ScalarOp,
    ty: Type<'c>,
    operands: &[&Datum],
) -> Result<Datum, Error<'c>> {
    let mut shapes = operands.iter().filter_map(|datum| match datum {
        Datum::Tensor(array) => Some(&array.shape),
        _ => None,
    });
    let shape = shapes.next().ok_or_else(|| Error::on(op, "creates an array from scalars"))?;
    if let Some(other) = shapes.find(|other| *other != shape) {
        let message = format!("has operands of different sizes: {shape:?} and {other:?}");
        return Err(Error::on(op, message));
    }
    let mut array = Array::for_type(op, ty, shape.clone())?;
    let mut scalars = Vec::with_capacity(operands.len());
    for i in 0..array.cells.len() {
        scalars.clear();
        for operand in operands {
            scalars.push(match operand {
                Datum::Scalar(scalar) => *scalar,
                Datum::Tensor(array) => array.cells[i],
                Datum::Buffer(_) => return Err(Error::on(op, "has a memref as operand")),
            });
        }
        array.cells[i] = scalar_op
            .apply(&scalars)
            .map_err(|message| Error::on(op, format!("at {:?}: {message}", array.indices_of(i))))?;
    }
    Ok(Datum::tensor(array))
}
