//! Threads and their lanes: the values that they hold, and what is computed from them.

use super::program::*;
use super::shadow::{Coordinates, Iteration};
use crate::interpreter::scalar::Scalar;
use crate::ir::Error;
use crate::ir::affine::Expr;

/// A unit of execution: one or more lanes in lockstep.
#[derive(Clone)]
pub struct LockstepThread {
    pub lanes: Vec<ThreadLane>,
    pub block_at: Coordinates,
    pub thread_at: Coordinates,
    /// The current iterations of the enclosing parallel loops and `vthread` loops.
    pub parallel: Vec<(usize, i64)>,
}

#[derive(Clone)]
pub struct ThreadLane {
    pub ints: Vec<i64>,
    pub scalars: Vec<Scalar>,
    /// The current iterations of the enclosing loops; recorded only in nests that have unordered loops.
    pub path: Vec<Iteration>,
    /// True if the lane does not take part at present.
    pub is_idle: bool,
}

pub fn evaluate(expr: &Expr, ints: &[i64]) -> Option<i64> {
    match expr {
        Expr::Dim(slot) => Some(ints[*slot]),
        Expr::Constant(value) => Some(*value),
        expr => expr.evaluate(ints, &[]),
    }
}

pub(super) fn minimum(exprs: &[Expr], ints: &[i64]) -> Option<i64> {
    let mut least = i64::MAX;
    for expr in exprs {
        least = least.min(evaluate(expr, ints)?);
    }
    Some(least)
}

/// The iters of an instance as text: `(vi=0, vk=3)`.
pub fn describe(block: &ProgramBlock, ints: &[i64]) -> String {
    let iters: Vec<_> =
        block.iters.iter().map(|iter| format!("{}={}", iter.name, ints[iter.slot])).collect();
    format!("({})", iters.join(", "))
}

/// True if the condition of a branch holds in a lane.
pub fn condition<'c, B>(
    branch: &ProgramBranch<'c, B>,
    lane: &ThreadLane,
) -> Result<bool, Error<'c>> {
    let values: Option<Vec<i64>> = branch.operands.iter().map(|o| int(lane, *o)).collect();
    values
        .and_then(|values| {
            let (dims, symbols) = values.split_at(branch.condition.dims);
            branch.condition.contains(dims, symbols)
        })
        .ok_or_else(|| Error::on(branch.op, "has a condition that overflows or is undefined"))
}

pub fn scalar(lane: &ThreadLane, operand: ProgramOperand) -> Scalar {
    match operand {
        ProgramOperand::Int(slot) => Scalar::Int(lane.ints[slot]),
        ProgramOperand::Scalar(slot) => lane.scalars[slot],
    }
}

pub fn int(lane: &ThreadLane, operand: ProgramOperand) -> Option<i64> {
    match scalar(lane, operand) {
        Scalar::Int(value) => Some(value),
        _ => None,
    }
}

pub fn set(lane: &mut ThreadLane, to: ResultSlot, value: Scalar) {
    match (to, value) {
        (ProgramOperand::Int(slot), Scalar::Int(value)) => lane.ints[slot] = value,
        (ProgramOperand::Scalar(slot), value) => lane.scalars[slot] = value,
        // Only `affine.apply` has integer results.
        (ProgramOperand::Int(_), _) => {}
    }
}
