//! `vector.reduction`: combines the accumulator, if there is one, with the lanes in order from lane 0.

use super::{VectorForm, operand};
use crate::interpreter::env::Env;
use crate::interpreter::scalar::ScalarType;
use crate::interpreter::scalar_op::ScalarOp;
use crate::interpreter::value::Datum;
use crate::ir::{Error, Op, Value};

/// A decoded reduction: the op that combines two values.
pub struct VectorReduction(ScalarOp);

impl VectorReduction {
    /// Decodes an op; `None` if its kind is not supported.
    pub fn of<'c>(op: Op<'c>) -> Result<Option<VectorReduction>, Error<'c>> {
        let form = VectorForm::of(op, operand(op, &op.operands(), 0)?.ty())?;
        let kind = op.attribute("kind").map(|kind| kind.to_string()).unwrap_or_default();
        let kind = kind.trim_start_matches("#vector.kind<").trim_end_matches('>');
        let suffix = match (kind, form.ty) {
            ("add" | "mul", ScalarType::Float(_)) => "f",
            ("add" | "mul" | "and" | "or" | "xor", _) => "i",
            ("minimumf" | "maximumf" | "minnumf" | "maxnumf", ScalarType::Float(_)) => "",
            ("minsi" | "minui" | "maxsi" | "maxui", ScalarType::Int(_) | ScalarType::Index) => "",
            _ => return Ok(None),
        };
        Ok(ScalarOp::named(&format!("arith.{kind}{suffix}"), form.ty).map(VectorReduction))
    }

    pub fn run<'c>(
        &self,
        op: Op<'c>,
        operands: &[Value<'c>],
        env: &Env<'c>,
    ) -> Result<Datum, Error<'c>> {
        let vector = env.tensor(op, operand(op, operands, 0)?)?;
        let mut total = match operands.get(1) {
            Some(start) => Some(env.scalar(op, *start)?),
            None => None,
        };
        for (lane, cell) in vector.cells.iter().enumerate() {
            total = Some(match total {
                None => *cell,
                Some(total) => self
                    .0
                    .apply(&[total, *cell])
                    .map_err(|message| Error::on(op, format!("lane {lane}: {message}")))?,
            });
        }
        total.map(Datum::Scalar).ok_or_else(|| Error::on(op, "reduces a vector without lanes"))
    }
}
