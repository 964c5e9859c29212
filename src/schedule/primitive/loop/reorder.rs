//! `reorder`: interchange nested loops.
//!
//! ```text
//! loop.for serial %i in 32 { loop.for serial %j in 64 { .. = (%i, %j) } }
//!   ->  reorder ["B:j", "B:i"]
//! loop.for serial %j in 64 { loop.for serial %i in 32 { .. = (%i, %j) } }
//! ```
//! The given loops exchange places: together they have the same positions in the nest as before, in the given order.
//! Other loops keep their positions.
//!
//! Requires
//! - (C1) two or more different loops
//! - (C2) the loops are nested in one another
//! - (C3) from the outermost to the innermost of them there are only loops, directly nested; or the statements between
//!   the loops can be sunk into the innermost loop: see [`src/schedule/primitive/loop/reorder/sink.rs`](sink)
//! - (C4) the extent of a loop does not depend on loops that become nested in it
//! - (C5) the new order of the instances is proved to preserve the results: see
//!   [`src/schedule/legality/exact.rs`](crate::schedule::legality::exact). This includes instances in different
//!   iterations of parallel, vectorized or bound loops, which have no order. Updates of one element change their order
//!   only if that gives the same bits, or the function's contract allows it: see
//!   [`src/schedule/legality/fp.rs`](crate::schedule::legality::fp)
//! - (C6) no loop of a `blockIdx` axis becomes nested in a loop of a `threadIdx` axis
//! - (C7) the lanes of vectorized loops can still run as one vector: see (C8) of `vectorize`
//!
//! Handles to the loops stay valid.

pub(crate) mod sink;

use crate::dialect::loop_enums::{LoopKind, ThreadAxis};
use crate::dialect::loop_op::For;
use crate::nest::edit::widen_regions;
use crate::nest::facts::scope::is_owner;
use crate::nest::state::State;
use crate::nest::summary::{NodeId, Summary, mentions};
use crate::schedule::error::{Reason, ScheduleError, ThreadsReason};
use crate::schedule::legality::form::several;
use crate::schedule::legality::proof::Proofs;
use crate::schedule::legality::{exact, lanes, quick};
use crate::schedule::primitive::declaration::primitive;

primitive! {
    "Interchange nested loops; statements between them are sunk into the innermost loop"
    reorder(loops: Loops; proof) -> ();
    near_atomic;
    |state| reorder(state, loops, proof)
}

/// The result of the check: all loops of the chain, from the outermost given loop to the innermost.
pub struct Plan {
    before: Vec<NodeId>,
    after: Vec<NodeId>,
    /// The statements between the loops, which are sunk.
    sunk: Option<sink::Sunk>,
}

/// Reorders `loops`, given in the new order, outermost first. On an error the IR is unchanged.
pub fn reorder(
    state: &mut State,
    loops: &[String],
    proofs: &mut Proofs,
) -> Result<(), ScheduleError> {
    let plan = check(state.summary(), loops, proofs)?;
    rewrite(state, &plan);
    Ok(())
}

/// Like `reorder`, where any order of the loops is known to preserve the meaning. On an error the IR is unchanged.
pub fn reorder_free(
    state: &mut State,
    loops: &[String],
    proofs: &mut Proofs,
) -> Result<(), ScheduleError> {
    let plan = check_form(state.summary(), loops, proofs)?;
    plan.check_kinds(state.summary())?;
    rewrite(state, &plan);
    Ok(())
}

pub fn check(
    summary: &Summary,
    loops: &[String],
    proofs: &mut Proofs,
) -> Result<Plan, ScheduleError> {
    let plan = check_form(summary, loops, proofs)?;
    check_meaning(summary, (&plan.before, &plan.after), plan.sunk.as_ref(), proofs)?;
    plan.check_kinds(summary)?;
    Ok(plan)
}

/// (C1) to (C4), (C7)
fn check_form(
    summary: &Summary,
    loops: &[String],
    proofs: &mut Proofs,
) -> Result<Plan, ScheduleError> {
    let nodes = several(summary, loops)?;
    let name_of = |node: NodeId| summary.as_loop(node).expect("a loop").name.clone();
    let before = chain(summary, &nodes)?;
    let mut given = nodes.iter();
    let after: Vec<NodeId> = before
        .iter()
        .map(
            |node| {
                if nodes.contains(node) { given.next().copied().unwrap_or(*node) } else { *node }
            },
        )
        .collect();
    for (i, node) in after.iter().enumerate() {
        let this = summary.as_loop(*node).expect("a loop");
        let depends = |inner: &&NodeId| {
            let variable = summary.as_loop(**inner).expect("a loop").variable;
            this.extent.iter().any(|e| mentions(e, variable))
        };
        if let Some(outer) = after[i..].iter().find(depends) {
            let (inner, outer) = (this.name.clone(), name_of(*outer));
            return Err(Reason::DependentExtent { inner, outer }.at(*node, 4));
        }
    }
    if before == after {
        return Err(Reason::NoEffect.at(before[0], 0));
    }
    let sunk = sink::check(summary, &before, proofs)?;
    Ok(Plan { before, after, sunk })
}

impl Plan {
    /// Conditions on loops that are not serial
    fn check_kinds(&self, summary: &Summary) -> Result<(), ScheduleError> {
        let (before, after) = (&self.before, &self.after);
        check_kinds(summary, after)?;
        check_instances(summary, before)?;
        if lanes::is_in_vectorized(summary, before[before.len() - 1]) {
            let new = summary_after(summary, (before, after), self.sunk.as_ref());
            lanes::check_around(&new, after[after.len() - 1], 7)?;
        }
        Ok(())
    }
}

/// (C5)
fn check_meaning(
    summary: &Summary,
    (before, after): (&[NodeId], &[NodeId]),
    sunk: Option<&sink::Sunk>,
    proofs: &mut Proofs,
) -> Result<(), ScheduleError> {
    let by_roles = quick::check_order(summary, before, after, 5);
    let by_roles = by_roles.and_then(|()| check_serial_or_injective(summary, after));
    proofs.settle(by_roles, || {
        let blocks = summary.blocks_under(before[0]).into_iter();
        let names: Vec<&str> =
            blocks.filter_map(|id| Some(summary.as_block(id)?.name.as_str())).collect();
        exact::check_order(summary, &summary_after(summary, (before, after), sunk), &names)
    })
}

fn summary_after(
    summary: &Summary,
    (before, after): (&[NodeId], &[NodeId]),
    sunk: Option<&sink::Sunk>,
) -> Summary {
    sunk.unwrap_or(&sink::Sunk::default()).summary(summary, before, after)
}

/// Part of (C5): no loop of the chain gives its iterations their own buffers; at another position these would be other
/// instances.
fn check_instances(summary: &Summary, chain: &[NodeId]) -> Result<(), ScheduleError> {
    for id in summary.blocks_under(chain[0]) {
        let block = summary.as_block(id).expect("a block");
        for access in block.accesses() {
            let buffer = &summary.buffers[access.buffer];
            let Some(scope) = buffer.scope else { continue };
            let owns = |node: &&NodeId| summary.as_loop(**node).is_some_and(|l| is_owner(scope, l));
            if let Some(node) = chain.iter().find(owns) {
                let (block, buffer) = (block.name.clone(), buffer.name.clone());
                let reason = Reason::PrivateBuffer { block, buffer, scope };
                return Err(reason.at(id, 5).note(*node, "the loop is here"));
            }
        }
    }
    Ok(())
}

/// Part of (C5): loops that are not serial
fn check_serial_or_injective(summary: &Summary, after: &[NodeId]) -> Result<(), ScheduleError> {
    let in_turn = |node: &&NodeId| {
        let this = summary.as_loop(**node).expect("a loop");
        matches!(this.kind, LoopKind::Serial | LoopKind::Unroll)
    };
    after
        .iter()
        .filter(|node| !in_turn(node))
        .try_for_each(|n| quick::check_injective(summary, *n, 5))
}

/// (C6)
fn check_kinds(summary: &Summary, after: &[NodeId]) -> Result<(), ScheduleError> {
    for (i, node) in after.iter().enumerate() {
        let this = summary.as_loop(*node).expect("a loop");
        let Some(inner_axis) = this.thread.filter(|axis| axis.is_block()) else { continue };
        let axis = |outer: &NodeId| summary.as_loop(*outer).and_then(|this| this.thread);
        let is_thread = |outer: &&NodeId| axis(outer).is_some_and(ThreadAxis::is_thread);
        if let Some(outer) = after[..i].iter().find(is_thread) {
            let outer_axis = axis(outer).expect("it is a thread");
            let name = summary.as_loop(*outer).expect("a loop").name.clone();
            let reason = ThreadsReason::AxisOrder {
                inner: this.name.clone(),
                inner_axis,
                outer: name,
                outer_axis,
            };
            return Err(reason.at(*node, 6).note(*outer, "the other loop is here"));
        }
    }
    Ok(())
}

/// The loops from the outermost of `nodes` to the innermost; all nodes must be in this chain.
fn chain(summary: &Summary, nodes: &[NodeId]) -> Result<Vec<NodeId>, ScheduleError> {
    // The innermost loop has the most enclosing loops.
    let depth = |node: &NodeId| summary.loops_around(*node).count();
    let innermost = nodes.iter().copied().max_by_key(depth).expect("two or more");
    let outermost = nodes.iter().copied().min_by_key(depth).expect("two or more");
    let mut chain: Vec<NodeId> = vec![innermost];
    chain.extend(summary.ancestors(innermost));
    if let Some(stray) = nodes.iter().find(|node| !chain.contains(node)) {
        let name = |node: NodeId| summary.as_loop(node).expect("a loop").name.clone();
        let reason = Reason::NotAChain(name(innermost), name(*stray));
        return Err(reason.at(*stray, 2).note(innermost, "the other loop is here"));
    }
    let end = chain.iter().position(|node| *node == outermost).expect("it is in the chain");
    chain.truncate(end + 1);
    chain.reverse();
    if let Some(other) = chain.iter().find(|node| summary.as_loop(**node).is_none()) {
        let name = |node: NodeId| summary.as_loop(node).expect("a loop").name.clone();
        let reason = Reason::NotAChain(name(outermost), name(innermost));
        return Err(reason.at(innermost, 2).note(*other, "this is between them"));
    }
    Ok(chain)
}

fn rewrite(state: &mut State, plan: &Plan) {
    let view = |node: &NodeId| For::of(state.op(*node)).expect("the node is a loop");
    let (before, after): (Vec<For>, Vec<For>) =
        (plan.before.iter().map(view).collect(), plan.after.iter().map(view).collect());
    let (outermost, innermost) = (&before[0], before.last().expect("two or more"));
    // The position of the new outermost loop, and the innermost body, which stays innermost.
    let place = outermost.op.block().expect("a loop stands in a block");
    let next = outermost.op.next();
    let mut inside = sink::body(innermost);
    if let Some(sunk) = &plan.sunk {
        sunk.detach(state);
        inside = sunk.wrapped(inside, |node| state.op(node));
    }
    sink::body(innermost).iter().for_each(|op| op.detach());
    before.iter().for_each(|this| this.op.detach());
    match next {
        Some(next) => place.insert_before(next, after[0].op),
        None => place.append(after[0].op),
    }
    for pair in after.windows(2) {
        let end = pair[0].body.end();
        pair[0].body.insert_before(end, pair[1].op);
    }
    let last = after.last().expect("two or more").body;
    let end = last.end();
    inside.iter().for_each(|op| last.insert_before(end, *op));
    if plan.sunk.is_some() {
        widen_regions(after[0].op);
    }
}
