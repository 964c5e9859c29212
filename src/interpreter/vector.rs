//! Runs vector ops on vectors of one dimension, and ops on tile registers.
//!
//! Each lane may be undefined separately: it may be moved, and computing with it is an error. A lane that is masked
//! off accesses no memory, so its index may be out of bounds.

mod access;
mod intrinsic;
mod lane;
mod reduction;
mod tile;

use super::env::Env;
use super::scalar::{Scalar, ScalarType};
use super::value::{Array, Datum, array_type};
use crate::ir::{Error, Op, Type, Value};
use access::VectorAccess;
use intrinsic::DotProduct;
use lane::LaneOp;
use reduction::VectorReduction;
use tile::TileOp;

/// A decoded op of the vector dialect.
pub(super) struct VectorOp(VectorOpKind);

enum VectorOpKind {
    Constant(Datum),
    Access(VectorAccess),
    Lanes(LaneOp),
    Reduction(VectorReduction),
    Intrinsic(DotProduct),
    Tile(TileOp),
}

impl VectorOp {
    /// Decodes an op; `None` if it is not supported.
    pub fn of<'c>(op: Op<'c>) -> Result<Option<VectorOp>, Error<'c>> {
        let kind = match op.name() {
            "vector.step" => Some(VectorOpKind::Constant(step(op)?)),
            "vector.constant_mask" => Some(VectorOpKind::Constant(constant_mask(op)?)),
            "llvm.call_intrinsic" => DotProduct::of(op)?.map(VectorOpKind::Intrinsic),
            name if name.starts_with("amx.") => TileOp::of(op)?.map(VectorOpKind::Tile),
            "vector.reduction" => VectorReduction::of(op)?.map(VectorOpKind::Reduction),
            _ => match VectorAccess::of(op)? {
                Some(access) => Some(VectorOpKind::Access(access)),
                None => LaneOp::of(op)?.map(VectorOpKind::Lanes),
            },
        };
        Ok(kind.map(VectorOp))
    }

    /// Runs it on these operands of `op`; returns its result, if it has one.
    pub fn run<'c>(
        &self,
        op: Op<'c>,
        operands: &[Value<'c>],
        env: &Env<'c>,
    ) -> Result<Option<Datum>, Error<'c>> {
        match &self.0 {
            VectorOpKind::Constant(datum) => Ok(Some(datum.clone())),
            VectorOpKind::Access(access) => access.run(op, operands, env),
            VectorOpKind::Lanes(action) => action.run(op, operands, env).map(Some),
            VectorOpKind::Intrinsic(action) => action.run(op, operands, env).map(Some),
            VectorOpKind::Tile(action) => action.run(op, operands, env),
            VectorOpKind::Reduction(action) => action.run(op, operands, env).map(Some),
        }
    }
}

/// The element type and the number of lanes of a vector.
#[derive(Clone, Copy)]
struct VectorForm {
    ty: ScalarType,
    lanes: usize,
}

/// More lanes are refused, because such a size is a mistake.
const MAX_LANES: usize = 1 << 16;

impl VectorForm {
    /// The form of a vector type `ty` of `op`.
    fn of<'c>(op: Op<'c>, ty: Type<'c>) -> Result<VectorForm, Error<'c>> {
        match (array_type(op, ty)?, ty.lanes()) {
            ((_, element), Some((lanes, _))) if lanes <= MAX_LANES => {
                Ok(VectorForm { ty: element, lanes })
            }
            (_, Some((lanes, _))) => {
                Err(Error::on(op, format!("has {lanes} lanes, expected at most {MAX_LANES}")))
            }
            (_, None) => Err(Error::on(op, format!("has type {ty}, expected a vector"))),
        }
    }

    /// The form of the one result.
    fn of_result(op: Op<'_>) -> Result<VectorForm, Error<'_>> {
        VectorForm::of(op, op.result(0).ty())
    }

    fn vector(self, cells: Vec<Scalar>) -> Datum {
        Datum::tensor(Array { ty: self.ty, shape: vec![self.lanes], cells })
    }

    /// A vector with the value of `value` in each lane.
    fn each(self, value: impl FnMut(usize) -> Scalar) -> Datum {
        self.vector((0..self.lanes).map(value).collect())
    }

    /// A mask whose first `count` lanes are on.
    fn mask(self, count: i64) -> Datum {
        self.each(|lane| Scalar::Int(((lane as i64) < count).into()))
    }
}

fn step(op: Op<'_>) -> Result<Datum, Error<'_>> {
    Ok(VectorForm::of_result(op)?.each(|lane| Scalar::Int(lane as i64)))
}

fn constant_mask(op: Op<'_>) -> Result<Datum, Error<'_>> {
    let form = VectorForm::of_result(op)?;
    let sizes = op.attribute("mask_dim_sizes").and_then(|sizes| sizes.as_integers());
    match sizes.as_deref() {
        Some([count]) => Ok(form.mask(*count)),
        _ => Err(Error::on(op, "does not have one size for its one dimension")),
    }
}

/// Operand `i`.
fn operand<'c>(op: Op<'c>, operands: &[Value<'c>], i: usize) -> Result<Value<'c>, Error<'c>> {
    operands.get(i).copied().ok_or_else(|| Error::on(op, format!("has no operand {i}")))
}

#[cfg(test)]
#[path = "../../test/interpreter/vector.rs"]
mod tests;
