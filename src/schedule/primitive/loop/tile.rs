//! `tile`: divide several loops into tiles, and go through the tiles one by one.
//!
//! ```text
//! loop.for serial %i in 32 { loop.for serial %j in 64 { .. = (%i, %j) } }
//!   ->  tile ["B:i", "B:j"] factors [8, 16]
//! loop.for serial %i.0 in 4 { loop.for serial %j.0 in 4 {
//!   loop.for serial %i.1 in 8 { loop.for serial %j.1 in 16 { .. = (%i.0 * 8 + %i.1, %j.0 * 16 + %j.1) } }
//! } }
//! ```
//! This is a `split` of each loop with the first factor inferred, and a `reorder` of the parts, in one step: it
//! does all of them or nothing. The loops over tiles and those in a tile come in the order in which the loops
//! are given. `tail` says what becomes of tiles that are not whole, as in
//! [`split`](crate::schedule::primitive::r#loop::split); with `peel` the rest of a loop stands beside its tiles, in the
//! tiles of the loops before it.
//!
//! Requires
//! - (C1) two or more different loops
//! - (C2) directly in each other, in any order, and nothing else in them but in the innermost
//! - (C3) a positive factor for each
//! - (C4) extents that do not depend on others of the loops
//! - (C5) loops that may change places: no instance needs another one of the same iteration around that is
//!   earlier in one of the loops and later in another. Updates of one cell are as free as
//!   [`fp`](crate::schedule::legality::fp) says. Where that is not so, and for the tails `shift_inwards` and `pad`, a new
//!   order that is proved to mean the same: see [`reorder`](crate::schedule::primitive::r#loop::reorder)
//! - (C6) what `split` asks of each loop, and `reorder` of the parts, but for its order
//!
//! The loops over tiles take the places of the loops in handles. Axes are those of `split`.

use crate::ir::Copied;
use crate::nest::rewriter::Direct;
use crate::nest::state::State;
use crate::nest::summary::{NodeId, Summary, mentions};
use crate::schedule::error::loops::LoopsReason;
use crate::schedule::error::{Reason, ScheduleError};
use crate::schedule::legality::proof::{PROOF, Proofs, Verdict};
use crate::schedule::legality::{exact, quick};
use crate::schedule::name;
use crate::schedule::primitive::r#loop::{reorder, split};
use crate::schedule::primitive::several;
use crate::schedule::table::{LOOPS, Parameter, ParameterKind, Primitive};

pub const PRIMITIVE: Primitive = Primitive {
    name: "tile",
    pass: "sched-tile",
    summary: "Divide several loops into tiles, and go through the tiles one by one",
    parameters: &[
        LOOPS,
        Parameter {
            name: "factors",
            kind: ParameterKind::Integers,
            summary: "How many iterations of each loop a tile has",
        },
        Parameter {
            name: "tail",
            kind: ParameterKind::OptionalWord,
            summary: "What becomes of the rest: guard (default), peel, shift_inwards, pad",
        },
        PROOF,
    ],
    apply: |state, arguments| {
        let mut proofs = Proofs::of(state, &arguments[3]);
        let (factors, tail) = (arguments[1].integers(), arguments[2].optional_text());
        tile(state, arguments[0].texts(), factors, tail, &mut proofs)
    },
};

/// What the check has found.
pub struct Plan<'a> {
    /// A schedule block in all of the loops, by which they are named.
    block: String,
    /// The names of the loops, in the order given, and how many iterations of each are in a tile.
    loops: Vec<(String, i64)>,
    /// The loops stand in another order.
    is_out_of_order: bool,
    tail: Option<&'a str>,
    /// Some iterations run again, or are added.
    repeats: bool,
    /// That any order means the same; otherwise that of the parts is to be proved.
    free: Result<(), NotFree>,
}

/// So many loops may have an order that is only legal for these tiles: with more, it takes too long to prove it.
pub(crate) const SHORT: usize = 2;

/// Several steps on a function; gives the names of what they have made.
pub(crate) type Steps<'a> =
    dyn for<'c> Fn(&mut State<'c>, &mut Proofs) -> Result<Vec<String>, ScheduleError> + 'a;

/// Why loops are not known to be free to change places.
pub(crate) type NotFree = (ScheduleError, Verdict);

/// Divides `loops` into tiles; gives the names of the loops over tiles, of those in a tile, and of the rests. On
/// an error the IR is unchanged.
pub fn tile(
    state: &mut State,
    loops: &[String],
    factors: &[i64],
    tail: Option<&str>,
    proofs: &mut Proofs,
) -> Result<Vec<String>, ScheduleError> {
    let plan = check(state.summary(), loops, factors, tail, proofs)?;
    // What the check cannot foresee is tried on a copy.
    if !plan.is_free() || plan.is_peeled() {
        let at = name::loop_of(state.summary(), &loops[0])?;
        tried(state, at, plan.free.as_ref().err(), proofs, &|trial, proofs| {
            plan.run(trial, plan.is_free(), proofs)
        })?;
    }
    plan.run(state, true, proofs)
}

/// Tries steps on a copy. What is refused there is refused at a loop, or for the reason why an order is not free.
pub(crate) fn tried(
    state: &State,
    at: NodeId,
    not_free: Option<&NotFree>,
    proofs: &mut Proofs,
    run: &Steps<'_>,
) -> Result<(), ScheduleError> {
    let copy = Copied::of(state.function);
    let mut trial = State::new(copy.op(), Box::new(Direct)).expect("a copy of a valid function");
    trial.force = state.force;
    match (run(&mut trial, proofs), not_free) {
        (Ok(_), _) => Ok(()),
        // In the words of the loops that there are.
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
    // Loops over tiles come between loops that reduce, so their order is another one wherever there are two.
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

/// (C2): the loops, outermost first
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

/// (C5): may loops come to stand in those inside of them? So many from the outside, of a chain that would have the
/// order `after`.
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
    /// Instances that run again are none of which the undivided loops tell an order.
    fn is_free(&self) -> bool {
        self.free.is_ok() && !self.repeats
    }

    fn is_peeled(&self) -> bool {
        self.tail == Some("peel")
    }

    /// Does all the steps; `is_proved`: it is known that the order means the same.
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
            // What is left over of the next loop is to stand beside its tiles alone.
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
