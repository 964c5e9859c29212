//! `llvm.call_intrinsic`: x86 dot product instructions, as Intel's manual defines them.

use super::{VectorForm, operand};
use crate::interpreter::env::Env;
use crate::interpreter::scalar::{Scalar, ScalarType, round};
use crate::interpreter::value::Datum;
use crate::ir::{Attribute, Error, FloatKind, Op, Value};

/// Dot products of each lane, added to the lanes of the first operand.
pub enum DotProduct {
    /// Four products of an unsigned and a signed byte a lane.
    Bytes(VectorForm),
    /// Two products of i16 a lane.
    Words(VectorForm),
    /// Two products of bf16 a lane, the second one first; subnormal numbers count as 0.
    Halves(VectorForm),
}

impl DotProduct {
    /// Decodes an op; `None` if it calls another function.
    pub fn of<'c>(op: Op<'c>) -> Result<Option<DotProduct>, Error<'c>> {
        let name = op.attribute("intrin").and_then(Attribute::as_str);
        Ok(match name {
            Some("llvm.x86.avx512.vpdpbusd.512") => {
                Some(DotProduct::Bytes(VectorForm::of_result(op)?))
            }
            Some("llvm.x86.avx512.vpdpwssd.512") => {
                Some(DotProduct::Words(VectorForm::of_result(op)?))
            }
            Some("llvm.x86.avx512bf16.dpbf16ps.512") => {
                Some(DotProduct::Halves(VectorForm::of_result(op)?))
            }
            _ => None,
        })
    }

    pub fn run<'c>(
        &self,
        op: Op<'c>,
        operands: &[Value<'c>],
        env: &Env<'c>,
    ) -> Result<Datum, Error<'c>> {
        let [sum, left, right] =
            [0, 1, 2].map(|i| operand(op, operands, i).and_then(|value| env.tensor(op, value)));
        let (sum, left, right) = (sum?, left?, right?);
        let (form, width) = match self {
            DotProduct::Bytes(form) => (*form, 4),
            DotProduct::Words(form) | DotProduct::Halves(form) => (*form, 2),
        };
        let is_whole = |cells: &[Scalar], n: usize| cells.len() == n * form.lanes;
        if !is_whole(&sum.cells, 1)
            || !is_whole(&left.cells, width)
            || !is_whole(&right.cells, width)
        {
            return Err(Error::on(op, "has operands with another number of lanes than its result"));
        }
        let mut cells = vec![];
        for (lane, old) in sum.cells.iter().enumerate() {
            let at = lane * width..(lane + 1) * width;
            let pairs = left.cells[at.clone()].iter().zip(&right.cells[at]);
            let new = match self {
                DotProduct::Bytes(_) => integers(
                    *old,
                    pairs,
                    |left| left & 0xff,
                    |right| ScalarType::Int(8).wrap(right),
                ),
                DotProduct::Words(_) => {
                    let word = |value| ScalarType::Int(16).wrap(value);
                    integers(*old, pairs, word, word)
                }
                DotProduct::Halves(_) => halves(*old, pairs.rev()),
            };
            cells.push(new.ok_or_else(|| Error::on(op, "computes with an undefined value"))?);
        }
        Ok(form.vector(cells))
    }
}

/// The sum of the products, each factor as `left` or `right` of its bits.
fn integers<'s>(
    old: Scalar,
    pairs: impl Iterator<Item = (&'s Scalar, &'s Scalar)>,
    left: impl Fn(i64) -> i64,
    right: impl Fn(i64) -> i64,
) -> Option<Scalar> {
    let mut sum = old.int()?;
    for (one, other) in pairs {
        sum += left(one.int()?) * right(other.int()?);
    }
    Some(Scalar::Int(ScalarType::Int(32).wrap(sum)))
}

fn halves<'s>(
    old: Scalar,
    pairs: impl Iterator<Item = (&'s Scalar, &'s Scalar)>,
) -> Option<Scalar> {
    let normal = |value: f64| if value.abs() < f64::from(f32::MIN_POSITIVE) { 0.0 } else { value };
    let mut sum = normal(old.float()?);
    for (left, right) in pairs {
        let product = normal(left.float()?) * normal(right.float()?);
        // A product of two bf16 is exact in f64.
        sum = normal(round(FloatKind::F32, product + sum));
    }
    Some(Scalar::Float(sum))
}
