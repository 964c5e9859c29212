//! `unroll`: unroll a loop, completely or by a factor.
//!
//! ```text
//! loop.for serial %j in 2 { .. }   ->  unroll "B:j"   loop.for unroll %j in 2 { .. }
//! loop.for serial %j in 32 { .. }
//!   ->  unroll "B:j" factor 4
//! loop.for serial %j.0 in 8 { loop.for unroll %j.1 in 4 { .. } }
//! ```
//! Without a factor, or with one that is at least the extent, the loop is unrolled completely. Otherwise it is split
//! first. If the factor does not divide the extent, the last iterations get a predicate, as with the tail `guard` of
//! `split`.
//!
//! Requires
//! - (C1) the target is a loop
//! - (C2) the loop is serial
//! - (C3) the factor is positive; without a factor the extent is constant
//! - (C4) if the loop is split, it meets the conditions of `split`; for example, it has no annotations
//!
//! Lowering copies the body once per iteration; the order of the instances stays the same.

use crate::dialect::loop_enums::LoopKind;
use crate::dialect::loop_op::For;
use crate::nest::state::State;
use crate::nest::summary::{NodeId, Summary};
use crate::schedule::error::{Reason, ScheduleError};
use crate::schedule::legality::form::serial;
use crate::schedule::legality::proof::Proofs;
use crate::schedule::name;
use crate::schedule::primitive::declaration::primitive;
use crate::schedule::primitive::r#loop::split;

primitive! {
    "Unroll a loop"
    unroll(
        r#loop: Loop,
        factor: OptionalInteger = "The number of iterations that are unrolled together (default: all)"
    ) -> Vec<String>;
    near_atomic;
    |state| unroll(state, r#loop, factor)
}

/// The result of the check.
pub struct Plan {
    node: NodeId,
    /// The split that is done first, if any.
    split: Option<split::Plan>,
}

/// Unrolls `target`; returns the names of the parts if it was split. On an error the IR is unchanged.
pub fn unroll(
    state: &mut State,
    target: &str,
    factor: Option<i64>,
) -> Result<Vec<String>, ScheduleError> {
    let plan = check(state.summary(), target, factor)?;
    let Some(split) = plan.split else {
        For::set_kind(state.op(plan.node), LoopKind::Unroll, None);
        return Ok(vec![]);
    };
    let parts = split::rewrite(state, &split);
    For::set_kind(parts.innermost, LoopKind::Unroll, None);
    Ok(parts.names)
}

pub fn check(summary: &Summary, target: &str, factor: Option<i64>) -> Result<Plan, ScheduleError> {
    let node = name::loop_of(summary, target)?;
    let this = serial(summary, node, 2)?;
    let factor = match (factor, this.constant_extent()) {
        (Some(factor), _) if factor < 1 => return Err(Reason::BadWidth(factor).at(node, 3)),
        (Some(1), _) => return Err(Reason::NoEffect.at(node, 0)),
        (Some(factor), Some(extent)) => (factor < extent).then_some(factor),
        (Some(factor), None) => Some(factor),
        (None, Some(_)) => None,
        (None, None) => return Err(Reason::NotConstant(this.name.clone()).at(node, 3)),
    };
    let mut proofs = Proofs::default();
    let split = |factor| split::check(summary, target, &[-1, factor], None, &mut proofs);
    let split = factor.map(split).transpose();
    let split = split.map_err(|error| ScheduleError { condition: 4, ..error })?;
    Ok(Plan { node, split })
}
