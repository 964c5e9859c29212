//! `tile`: tile a nest of several loops (split each, then reorder the parts).
//!
//! ```text
//! loop.for serial %i in 32 { loop.for serial %j in 64 { .. = (%i, %j) } }
//!   ->  tile ["B:i", "B:j"] factors [8, 16]
//! loop.for serial %i.0 in 4 { loop.for serial %j.0 in 4 {
//!   loop.for serial %i.1 in 8 { loop.for serial %j.1 in 16 { .. = (%i.0 * 8 + %i.1, %j.0 * 16 + %j.1) } }
//! } }
//! ```
//! This is a `split` of each loop with the first factor inferred, and a `reorder` of the parts, in one step: if one of
//! them is refused, none is done. The loops over tiles, and those within a tile, are in the order in which the loops
//! are given. `tail` selects how partial tiles are handled, as in `split`. With `peel`, the remainder loop of each loop
//! follows its loop over tiles. Both are inside the loops over tiles of the loops that are given before it.
//!
//! Requires
//! - (C1) two or more different loops
//! - (C2) the loops are directly nested, given in any order; all but the innermost contain nothing else
//! - (C3) there is one positive factor for each loop
//! - (C4) the extents do not depend on the other loops
//! - (C5) the loops are permutable: within one iteration of the enclosing loops, no instance depends on another
//!   instance that is earlier in one of the loops and later in another. Whether updates of one element may be reordered
//!   depends on the contract: see [`src/schedule/legality/fp.rs`](crate::schedule::legality::fp). Otherwise, and for
//!   the tails `shift_inwards` and `pad`, the new order is proved to preserve the results: see (C5) of `reorder`
//! - (C6) the conditions of `split` hold for each loop, and those of `reorder`, except (C5), hold for the parts
//!
//! Handles to the loops become handles to the loops over tiles. The axis attributes of the new loops are those of
//! `split`.

use crate::ir::CopiedOp;
use crate::nest::rewriter::Direct;
use crate::nest::state::State;
use crate::nest::summary::{NodeId, Summary, mentions};
use crate::schedule::error::loops::LoopsReason;
use crate::schedule::error::{Reason, ScheduleError};
use crate::schedule::legality::form::several;
use crate::schedule::legality::proof::Proofs;
use crate::schedule::legality::{exact, quick};
use crate::schedule::name;
use crate::schedule::primitive::declaration::primitive;
use crate::schedule::primitive::r#loop::split::TAIL;
use crate::schedule::primitive::r#loop::{reorder, split};
use crate::schedule::verdict::Verdict;

primitive! {
    "Split several loops and reorder them into tiles"
    /// Returns the names of the new loops.
    tile(
        loops: Loops,
        factors: Integers = "The extent of a tile in each loop",
        tail: OptionalWord = TAIL;
        proof
    ) -> Vec<String>;
    near_atomic;
    |state| tile(state, loops, factors, tail, proof)
}

/// The result of the check.
pub struct Plan<'a> {
    /// A schedule block nested in all of the loops, which qualifies their names.
    block: String,
    /// The names of the loops, in the given order, with the number of iterations in a tile.
    loops: Vec<(String, i64)>,
    /// True if the given order differs from the nesting order.
    is_out_of_order: bool,
    tail: Option<&'a str>,
    /// True if some iterations run again or are added.
    repeats: bool,
    /// Ok if any order of the loops preserves the meaning; otherwise the order of the parts must be proved.
    free: Result<(), NotFree>,
}

/// Up to this many loops, an order that is legal only for these tiles is tried. With more loops the proof takes too
/// long.
pub(crate) const SHORT: usize = 2;

/// Several steps on a function; returns the names of what they create.
pub(crate) type Steps<'a> =
    dyn for<'c> Fn(&mut State<'c>, &mut Proofs) -> Result<Vec<String>, ScheduleError> + 'a;

/// Why loops are not known to be permutable.
pub(crate) type NotFree = (ScheduleError, Verdict);

/// Tiles `loops`; returns the names of the loops over tiles, of the loops within a tile, and of the remainders. On an
/// error the IR is unchanged.
pub fn tile(
    state: &mut State,
    loops: &[String],
    factors: &[i64],
    tail: Option<&str>,
    proofs: &mut Proofs,
) -> Result<Vec<String>, ScheduleError> {
    let plan = check(state.summary(), loops, factors, tail, proofs)?;
    // What the check cannot predict is tried on a copy.
    if !plan.is_free() || plan.is_peeled() {
        let at = name::loop_of(state.summary(), &loops[0])?;
        tried(state, at, plan.free.as_ref().err(), proofs, &|trial, proofs| {
            plan.run(trial, plan.is_free(), proofs)
        })?;
    }
    plan.run(state, true, proofs)
}

/// Tries steps on a copy. A refusal is reported at a loop, or as the reason why the loops are not permutable.
pub(crate) fn tried(
    state: &State,
    at: NodeId,
    not_free: Option<&NotFree>,
    proofs: &mut Proofs,
    run: &Steps<'_>,
) -> Result<(), ScheduleError> {
    let copy = CopiedOp::of(state.function);
    let mut trial = State::new(copy.op(), Box::new(Direct)).expect("a copy of a valid function");
    trial.force = state.force;
    match (run(&mut trial, proofs), not_free) {
        (Ok(_), _) => Ok(()),
        // Report it in terms of the existing loops.
        (Err(_), Some((refusal, verdict))) => {
            Proofs::default().settle(Err(refusal.clone()), || verdict.clone())
        }
        (Err(error), None) => Err(ScheduleError { at, related: vec![], condition: 6, ..error }),
    }
}

pub fn check<'a>(
    summary: &Summary,
    loops: &[String],
    factors: &[i64],
    tail: Option<&'a str>,
    proofs: &mut Proofs,
) -> Result<Plan<'a>, ScheduleError> {
    let nodes = several(summary, loops)?;
    let chain = band(summary, &nodes)?;
    if factors.len() != nodes.len() {
        let reason = LoopsReason::TileSizes { loops: nodes.len(), sizes: factors.len() };
        return Err(Reason::from(reason).at(nodes[0], 3));
    }
    for (node, factor) in nodes.iter().zip(factors) {
        if *factor < 1 {
            return Err(Reason::from(LoopsReason::BadTile(*factor)).at(*node, 3));
        }
    }
    check_extents(summary, &chain)?;
    for (name, factor) in loops.iter().zip(factors) {
        let split = split::check(summary, name, &[-1, *factor], tail, proofs);
        split.map_err(|error| ScheduleError { condition: 6, ..error })?;
    }
    let mut plan = Plan {
        block: summary.name(summary.blocks_under(chain[0])[0]),
        loops: nodes
            .iter()
            .map(|node| name_of(summary, *node))
            .zip(factors.iter().copied())
            .collect(),
        is_out_of_order: nodes != chain,
        tail,
        repeats: matches!(tail, Some("shift_inwards" | "pad")),
        free: Ok(()),
    };
    // Loops over tiles move between loops that reduce, so with two such loops the order always changes.
    let backwards: Vec<NodeId> = chain.iter().rev().copied().collect();
    if !plan.repeats {
        plan.free = free(summary, &chain, &backwards, chain.len());
    }
    if chain.len() > SHORT
        && let Err((refusal, verdict)) = plan.free
    {
        proofs.settle(Err(refusal), || verdict)?;
        plan.free = Ok(());
    }
    Ok(plan)
}

/// (C2): the loops, outermost first.
fn band(summary: &Summary, nodes: &[NodeId]) -> Result<Vec<NodeId>, ScheduleError> {
    let mut chain = nodes.to_vec();
    chain.sort_by_key(|node| summary.loops_around(*node).count());
    for pair in chain.windows(2) {
        if summary.nodes[pair[0]].children != [pair[1]] {
            let [outer, inner] = [pair[0], pair[1]].map(|node| summary.name(node));
            let reason = Reason::from(LoopsReason::NotABand { outer, inner });
            return Err(reason.at(pair[1], 2).note(pair[0], "the other loop is here"));
        }
    }
    Ok(chain)
}

/// (C4)
fn check_extents(summary: &Summary, chain: &[NodeId]) -> Result<(), ScheduleError> {
    for (i, node) in chain.iter().enumerate() {
        let this = summary.as_loop(*node).expect("a loop");
        let depends = |outer: &&NodeId| {
            let variable = summary.as_loop(**outer).expect("a loop").variable;
            this.extent.iter().any(|extent| mentions(extent, variable))
        };
        if let Some(outer) = chain[..i].iter().find(depends) {
            let (inner, outer) = (name_of(summary, *node), name_of(summary, *outer));
            return Err(Reason::DependentExtent { inner, outer }.at(*node, 4));
        }
    }
    Ok(())
}

/// (C5): requires that the first `moved` loops of a chain can become nested in the loops inside them; the new order of
/// the chain would be `after`.
pub(crate) fn free(
    summary: &Summary,
    chain: &[NodeId],
    after: &[NodeId],
    moved: usize,
) -> Result<(), NotFree> {
    let Err(refusal) = quick::check_order(summary, chain, after, 5) else { return Ok(()) };
    match exact::check_permutable(summary, chain, moved) {
        Verdict::Proved if !matches!(*refusal.reason, Reason::Strict { .. }) => Ok(()),
        verdict => Err((refusal, verdict)),
    }
}

pub(crate) fn name_of(summary: &Summary, node: NodeId) -> String {
    summary.as_loop(node).expect("a loop").name.clone()
}

impl Plan<'_> {
    /// The undivided loops determine no order for instances that run again.
    fn is_free(&self) -> bool {
        self.free.is_ok() && !self.repeats
    }

    fn is_peeled(&self) -> bool {
        self.tail == Some("peel")
    }

    /// Does all the steps; `is_proved` if the order is known to preserve the meaning.
    fn run(
        &self,
        state: &mut State,
        is_proved: bool,
        proofs: &mut Proofs,
    ) -> Result<Vec<String>, ScheduleError> {
        let (mut tiles, mut points, mut rests) = (vec![], vec![], vec![]);
        let mut left: Vec<String> = self.loops.iter().map(|(name, _)| name.clone()).collect();
        if self.is_peeled() && self.is_out_of_order {
            self.reorder(state, &left, is_proved, proofs)?;
            self.refresh(state);
        }
        for (name, factor) in &self.loops {
            let target = format!("{}:{name}", self.block);
            let mut parts = split::split(state, &target, &[-1, *factor], self.tail, proofs)?;
            self.refresh(state);
            rests.extend(parts.drain(2..));
            points.extend(parts.pop());
            tiles.extend(parts);
            left.remove(0);
            // The remainder of the next loop must be beside the tiles of that loop only.
            if self.is_peeled() {
                self.reorder(state, &[&left[..], &points].concat(), is_proved, proofs)?;
                if !left.is_empty() {
                    self.refresh(state);
                }
            }
        }
        if !self.is_peeled() {
            self.reorder(state, &[&tiles[..], &points].concat(), is_proved, proofs)?;
        }
        Ok([tiles, points, rests].concat())
    }

    fn refresh(&self, state: &mut State) {
        let block = name::block(state.summary(), &self.block).expect("it keeps its name");
        // Padding changes buffers.
        let done = if self.repeats { state.refresh() } else { state.refresh_nest(block) };
        done.expect("a nest in parts is valid");
    }

    fn reorder(
        &self,
        state: &mut State,
        loops: &[String],
        is_proved: bool,
        proofs: &mut Proofs,
    ) -> Result<(), ScheduleError> {
        let named: Vec<String> =
            loops.iter().map(|name| format!("{}:{name}", self.block)).collect();
        match is_proved {
            true => reorder::reorder_free(state, &named, proofs),
            false => reorder::reorder(state, &named, proofs),
        }
    }
}
