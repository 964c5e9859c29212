//! `reorder_statements`: move a statement before an earlier statement of the same body.
//!
//! ```text
//! loop.for serial %i in 32 { loop.block "P" .. }
//! loop.for serial %i in 32 { loop.block "C" .. }
//!   ->  reorder_statements "C:i" before "P:i"
//! loop.for serial %i in 32 { loop.block "C" .. }
//! loop.for serial %i in 32 { loop.block "P" .. }
//! ```
//! The statements between the two keep their order and follow the moved one.
//!
//! Requires
//! - (C1) the arguments are loops or schedule blocks
//! - (C2) both are in the same loop, branch or schedule block, or at function level, and the first follows the second
//! - (C3) neither they nor the statements between them contain a barrier, and no op between them has unknown effects
//! - (C4) the moved statement, and each statement before which it is moved, access no common element that one of them
//!   writes: see [`src/schedule/legality/exact.rs`](crate::schedule::legality::exact)
//!
//! All handles stay valid.

use crate::nest::state::State;
use crate::nest::summary::{NodeId, NodeKind, Summary};
use crate::schedule::error::loops::LoopsReason;
use crate::schedule::error::{Reason, ScheduleError};
use crate::schedule::legality::exact;
use crate::schedule::legality::proof::Proofs;
use crate::schedule::name;
use crate::schedule::primitive::declaration::primitive;

primitive! {
    "Move a statement before an earlier one of the same body"
    reorder_statements(
        target: Target,
        before: Target = "The loop, as block:loop, or the schedule block before which it moves";
        proof
    ) -> ();
    |state| reorder_statements(state, target, before, proof)
}

/// The result of the check.
pub struct Plan {
    target: NodeId,
    /// The statements that the target passes, in order.
    passed: Vec<NodeId>,
}

/// Moves `target` before `before`. On an error the IR is unchanged.
pub fn reorder_statements(
    state: &mut State,
    target: &str,
    before: &str,
    proofs: &mut Proofs,
) -> Result<(), ScheduleError> {
    let plan = check(state.summary(), target, before, proofs)?;
    // The passed statements move, so that function-level ops that the target needs stay before it.
    let mut last = state.op(plan.target);
    let next = last.next().expect("a terminator comes after a statement");
    for node in &plan.passed {
        last = state.op(*node);
        last.move_before(next);
    }
    Ok(())
}

pub fn check(
    summary: &Summary,
    target: &str,
    before: &str,
    proofs: &mut Proofs,
) -> Result<Plan, ScheduleError> {
    let (node, first) = (name::target(summary, target)?, name::target(summary, before)?);
    let parent = summary.nodes[node].parent.expect("it stands in the function");
    let branch = |node: NodeId| summary.otherwise.contains(&node);
    let beside = summary.nodes[first].parent == Some(parent) && branch(first) == branch(node);
    if !beside || node <= first {
        let (name, first_name) = (summary.name(node), summary.name(first));
        let reason = LoopsReason::NotBehind { name, first: first_name };
        return Err(Reason::from(reason).at(node, 2).note(first, "the other one is here"));
    }
    let children = &summary.nodes[parent].children;
    let place = |node: NodeId| children.iter().position(|child| *child == node);
    let (from, to) = (place(first).expect("a child"), place(node).expect("a child"));
    let passed: Vec<NodeId> = children[from..to].to_vec();
    let all = passed.iter().chain([&node]).flat_map(|node| summary.under(*node));
    let stops =
        |node: &NodeId| matches!(summary.nodes[*node].kind, NodeKind::Sync | NodeKind::Effects(_));
    let stop = all.into_iter().find(stops);
    if let Some(stop) = stop {
        let (name, what) = (summary.name(node), summary.name(stop));
        let reason = Reason::from(LoopsReason::StopsAt { name, what });
        return Err(reason.at(node, 3).note(stop, "it is here"));
    }
    let mut after = summary.clone();
    let order = &mut after.nodes[parent].children;
    order.remove(to);
    order.insert(from, node);
    let names: Vec<String> =
        summary.blocks_under(node).into_iter().map(|block| summary.name(block)).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let verdict = exact::check_order(summary, &after.in_text_order(), &names);
    proofs.require(&verdict, || {
        let (name, first_name) = (summary.name(node), summary.name(first));
        let reason = Reason::from(LoopsReason::OrderOfStatements { name, first: first_name });
        reason.at(node, 4).note(first, "the other one is here")
    })?;
    Ok(Plan { target: node, passed })
}
