//! `unroll_and_jam`: unroll a loop and jam the copies of its body into the loops nested in it.
//!
//! ```text
//! loop.for serial %i in 30 { loop.for serial %j in 64 { loop.block "B" .. = (%i, %j) } }
//!   ->  unroll_and_jam "B:i" factor 4
//! loop.for serial %i.0 in 8 {
//!   loop.for serial %j in 64 {
//!     loop.for unroll %i.1 in 4 { loop.block "B" .. = (%i.0 * 4 + %i.1, %j) where(%i.0 * -4 - %i.1 + 29 >= 0) }
//! } }
//! ```
//! Computations that the unrolled iterations have in common, such as a load that depends on `%j` only, are done once
//! for all of them. This is a `split` with the first factor inferred, a `reorder` of the inner part into the loops that
//! are perfectly nested in the loop, and an `unroll` of it, in one step: if one of them is refused, none is done.
//! `tail` is that of `split`.
//!
//! Requires
//! - (C1) the target is a loop
//! - (C2) the loop is serial and has no annotations
//! - (C3) it contains exactly one loop and nothing else; that loop is serial or unrolled, and its extent does not
//!   depend on the target
//! - (C4) the factor is 2 or more
//! - (C5) no instance depends on another instance that is in an earlier iteration of the loop and in a later iteration
//!   of a loop nested in it. Or, as in `tile`, the new order is proved to preserve the results
//! - (C6) the other conditions of `split` and `reorder` hold
//!
//! Handles to the loop become handles to the outer part.

use crate::dialect::loop_enums::LoopKind;
use crate::dialect::loop_op::For;
use crate::nest::state::State;
use crate::nest::summary::{NodeId, Summary, mentions};
use crate::schedule::error::loops::LoopsReason;
use crate::schedule::error::{Reason, ScheduleError};
use crate::schedule::legality::form::{not_annotated, serial};
use crate::schedule::legality::proof::Proofs;
use crate::schedule::name;
use crate::schedule::primitive::declaration::primitive;
use crate::schedule::primitive::r#loop::split::TAIL;
use crate::schedule::primitive::r#loop::tile;
use crate::schedule::primitive::r#loop::tile::{NotFree, SHORT, name_of};
use crate::schedule::primitive::r#loop::{reorder, split};

primitive! {
    "Unroll a loop inside its inner loops"
    unroll_and_jam(
        r#loop: Loop,
        factor: OptionalInteger = "The number of iterations that are unrolled together (default: 2)",
        tail: OptionalWord = TAIL;
        proof
    ) -> Vec<String>;
    |state| unroll_and_jam(state, r#loop, factor, tail, proof)
}

/// The result of the check.
pub struct Plan<'a> {
    target: &'a str,
    factor: i64,
    tail: Option<&'a str>,
    /// The names of the loops that the inner part becomes nested in.
    inside: Vec<String>,
    /// True if some iterations run again or are added.
    repeats: bool,
    /// Ok if the new order is known to preserve the meaning; otherwise that must be proved for the parts.
    free: Result<(), NotFree>,
}

/// Unrolls `factor` iterations of `target` inside the loops nested in it; returns the names of the parts, and of the
/// remainder if it is a separate loop. On an error the IR is unchanged.
pub fn unroll_and_jam(
    state: &mut State,
    target: &str,
    factor: Option<i64>,
    tail: Option<&str>,
    proofs: &mut Proofs,
) -> Result<Vec<String>, ScheduleError> {
    let plan = check(state.summary(), target, factor.unwrap_or(2), tail, proofs)?;
    if !plan.is_free() {
        let at = name::loop_of(state.summary(), target)?;
        tile::tried(state, at, plan.free.as_ref().err(), proofs, &|trial, proofs| {
            plan.run(trial, false, proofs)
        })?;
    }
    plan.run(state, true, proofs)
}

pub fn check<'a>(
    summary: &Summary,
    target: &'a str,
    factor: i64,
    tail: Option<&'a str>,
    proofs: &mut Proofs,
) -> Result<Plan<'a>, ScheduleError> {
    let node = name::loop_of(summary, target)?;
    let this = serial(summary, node, 2)?;
    not_annotated(this, node, 2)?;
    let chain = chain(summary, node)?;
    if factor < 2 {
        return Err(Reason::from(LoopsReason::BadJam(factor)).at(node, 4));
    }
    let split = split::check(summary, target, &[-1, factor], tail, proofs);
    split.map_err(|error| ScheduleError { condition: 6, ..error })?;
    let mut plan = Plan {
        target,
        factor,
        tail,
        inside: chain[1..].iter().map(|node| name_of(summary, *node)).collect(),
        repeats: matches!(tail, Some("shift_inwards" | "pad")),
        free: Ok(()),
    };
    if !plan.repeats {
        plan.free = tile::free(summary, &chain, &[&chain[1..], &chain[..1]].concat(), 1);
    }
    if chain.len() > SHORT
        && let Err((refusal, verdict)) = plan.free
    {
        proofs.settle(Err(refusal), || verdict)?;
        plan.free = Ok(());
    }
    Ok(plan)
}

/// (C3): the loop, and those that its inner part becomes nested in
fn chain(summary: &Summary, node: NodeId) -> Result<Vec<NodeId>, ScheduleError> {
    let variable = summary.as_loop(node).expect("a loop").variable;
    let mut chain = vec![node];
    let mut last = node;
    while let [inner] = summary.nodes[last].children[..] {
        let fits = summary.as_loop(inner).is_some_and(|this| {
            matches!(this.kind, LoopKind::Serial | LoopKind::Unroll)
                && !this.extent.iter().any(|extent| mentions(extent, variable))
        });
        if !fits {
            break;
        }
        chain.push(inner);
        last = inner;
    }
    match chain.len() {
        1 => Err(Reason::from(LoopsReason::NothingToJam(name_of(summary, node))).at(node, 3)),
        _ => Ok(chain),
    }
}

impl Plan<'_> {
    /// The undivided loops determine no order for instances that run again.
    fn is_free(&self) -> bool {
        self.free.is_ok() && !self.repeats
    }

    /// Does all the steps; `is_proved` if the order is known to preserve the meaning.
    fn run(
        &self,
        state: &mut State,
        is_proved: bool,
        proofs: &mut Proofs,
    ) -> Result<Vec<String>, ScheduleError> {
        let parts = split::split(state, self.target, &[-1, self.factor], self.tail, proofs)?;
        let block = self.target.split_once(':').map_or(self.target, |(block, _)| block);
        let inside = name::block(state.summary(), block)?;
        // Padding changes buffers.
        let done = if self.repeats { state.refresh() } else { state.refresh_nest(inside) };
        done.expect("a split nest is valid");
        let named = |name: &String| format!("{block}:{name}");
        let inner = name::loop_of(state.summary(), &named(&parts[1]))?;
        For::set_kind(state.op(inner), LoopKind::Unroll, None);
        let order: Vec<String> = self.inside.iter().chain([&parts[1]]).map(named).collect();
        match is_proved {
            true => reorder::reorder_free(state, &order, proofs)?,
            false => reorder::reorder(state, &order, proofs)?,
        }
        Ok(parts)
    }
}
