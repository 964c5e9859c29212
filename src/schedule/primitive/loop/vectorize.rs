//! `vectorize`: vectorize a loop: run its iterations as the lanes of vectors.
//!
//! ```text
//! loop.for serial %j in 32 { .. = (%j) }
//!   ->  vectorize "B:j" factor 16
//! loop.for serial %j.0 in 2 { loop.for vectorize %j.1 in 16 { .. = (%j.0 * 16 + %j.1) } }
//! ```
//! Without a factor, or with one that is at least the extent, all iterations are lanes of one vector. Otherwise the
//! loop is split first. If the factor does not divide the extent, the last vector gets a predicate, as with the tail
//! `guard` of `split`.
//!
//! Requires
//! - (C1) the target is a loop
//! - (C2) the loop is serial
//! - (C3) the factor is positive; without a factor the extent is constant
//! - (C4) it is proved that instances keep their order if the lanes of one vector run in lockstep (each statement reads
//!   in all lanes before it writes in any lane), and that no two lanes write the same element: see
//!   [`src/schedule/legality/exact.rs`](crate::schedule::legality::exact)
//! - (C5) the loop contains no barrier
//! - (C6) if the loop is split, it meets the conditions of `split`; for example, it has no annotations
//! - (C7) the loop is not a reduction loop: no reduce iter of a schedule block in the loop is bound to it, because
//!   lanes have no order in which they could update one element
//! - (C8) the lanes can run as one vector: nested parallel and bound loops have the same extent in all lanes. If lanes
//!   depend on each other, moreover: there are at most 1024 of them; the loop contains no parallel or bound loop, and
//!   no schedule block with a nest as its body; the extents of nested loops, and the conditions of each `loop.if`
//!   outside of schedule blocks, are the same in all lanes; the lanes of enclosing and nested vectorized loops are
//!   independent

use crate::dialect::loop_enums::LoopKind;
use crate::dialect::loop_op::For;
use crate::nest::state::State;
use crate::nest::summary::{NodeId, Summary};
use crate::schedule::error::{Reason, ScheduleError};
use crate::schedule::legality::form::serial;
use crate::schedule::legality::proof::Proofs;
use crate::schedule::legality::{exact, lanes, quick};
use crate::schedule::name;
use crate::schedule::primitive::declaration::primitive;
use crate::schedule::primitive::r#loop::split;

primitive! {
    "Run the iterations of a loop as vector lanes"
    vectorize(
        r#loop: Loop,
        factor: OptionalInteger = "The number of lanes (default: all iterations)";
        proof
    ) -> Vec<String>;
    near_atomic;
    |state| vectorize(state, r#loop, factor, proof)
}

/// The result of the check.
pub struct Plan {
    node: NodeId,
    /// The split that is done first, if any.
    split: Option<split::Plan>,
}

/// Vectorizes `target`; returns the names of the parts if it was split. On an error the IR is unchanged.
pub fn vectorize(
    state: &mut State,
    target: &str,
    factor: Option<i64>,
    proofs: &mut Proofs,
) -> Result<Vec<String>, ScheduleError> {
    let plan = check(state.summary(), target, factor, proofs)?;
    let Some(split) = plan.split else {
        For::set_kind(state.op(plan.node), LoopKind::Vectorize, None);
        return Ok(vec![]);
    };
    let parts = split::rewrite(state, &split);
    For::set_kind(parts.innermost, LoopKind::Vectorize, None);
    Ok(parts.names)
}

pub fn check(
    summary: &Summary,
    target: &str,
    factor: Option<i64>,
    proofs: &mut Proofs,
) -> Result<Plan, ScheduleError> {
    let node = name::loop_of(summary, target)?;
    let this = serial(summary, node, 2)?;
    let extent = this.constant_extent();
    let factor = match (factor, extent) {
        (Some(factor), _) if factor < 1 => return Err(Reason::BadWidth(factor).at(node, 3)),
        (Some(1), _) => return Err(Reason::NoEffect.at(node, 0)),
        (Some(factor), Some(extent)) => (factor < extent).then_some(factor),
        (Some(factor), None) => Some(factor),
        (None, Some(_)) => None,
        (None, None) => return Err(Reason::NotConstant(this.name.clone()).at(node, 3)),
    };
    check_no_reduction(summary, node)?;
    proofs.settle(quick::check_unordered_within(summary, node, 4), || {
        exact::check_lockstep(summary, node, factor)
    })?;
    quick::check_no_barrier(summary, node, 5)?;
    lanes::check(summary, node, factor.or(extent), 8)?;
    let mut split = |factor| split::check(summary, target, &[-1, factor], None, proofs);
    let split = factor.map(&mut split).transpose();
    let split = split.map_err(|error| ScheduleError { condition: 6, ..error })?;
    Ok(Plan { node, split })
}

/// (C7): no executor supports such lanes, so a caller cannot assume it.
fn check_no_reduction(summary: &Summary, node: NodeId) -> Result<(), ScheduleError> {
    match quick::reduces_over(summary, node) {
        Some((id, block, iter)) => {
            let (block, iter) = (block.name.clone(), iter.name.clone());
            Err(Reason::LanesReduce { block, iter }.at(id, 7))
        }
        None => Ok(()),
    }
}
