//! `remove_loop`: remove a loop whose iterations all have the same effect, so that its body runs once.
//!
//! ```text
//! loop.for serial %t in %n { loop.for serial %i in 8 { loop.block "B" .. = (%i) { B[vi] = A[vi] } } }
//!   ->  remove_loop "B:t"
//! loop.if (%n - 1 >= 0) { loop.for serial %i in 8 { loop.block "B" .. = (%i) { B[vi] = A[vi] } } }
//! ```
//! The `loop.if` is emitted unless the loop is proved to have at least one iteration.
//!
//! Requires
//! - (C1) the target is a loop
//! - (C2) the loop is serial or unrolled and has no annotations
//! - (C3) nothing uses its variable
//! - (C4) the loop has at most one iteration, or its body is idempotent: schedule blocks in it read no element that a
//!   block in it writes, except elements that were written earlier in the same iteration; and reductions start and end
//!   within the body
//! - (C5) the loop contains no barrier and, if it is at function level, no loops that are bound to threads
//!
//! The pass `eliminate-invariant-loop` does the same for all loops for which it is proved legal. Handles to the loop
//! are invalidated.

use crate::dialect::loop_enums::{IterRole, LoopKind};
use crate::dialect::loop_op::{For, If, yield_op};
use crate::ir::Block as Braces;
use crate::ir::affine::{Constraint, IntegerSet};
use crate::nest::edit::{move_ops, move_ops_before};
use crate::nest::facts::reduction::Roles;
use crate::nest::facts::value_flow;
use crate::nest::state::State;
use crate::nest::summary::{Access, Block, Body, NodeId, NodeKind, Summary, VariableId, mentions};
use crate::schedule::error::loops::LoopsReason;
use crate::schedule::error::{Reason, ScheduleError};
use crate::schedule::legality::form::not_annotated;
use crate::schedule::legality::proof::Proofs;
use crate::schedule::legality::quick;
use crate::schedule::name;
use crate::schedule::primitive::declaration::primitive;
use crate::schedule::verdict::Verdict;

primitive! {
    "Remove a loop whose iterations all have the same effect"
    remove_loop(r#loop: Loop; proof) -> ();
    |state| remove_loop(state, r#loop, proof)
}

/// Removes `target`. On an error the IR is unchanged.
pub fn remove_loop(
    state: &mut State,
    target: &str,
    proofs: &mut Proofs,
) -> Result<(), ScheduleError> {
    let node = check(state.summary(), target, proofs)?;
    rewrite(state, node);
    Ok(())
}

pub fn check(
    summary: &Summary,
    target: &str,
    proofs: &mut Proofs,
) -> Result<NodeId, ScheduleError> {
    let node = name::loop_of(summary, target)?;
    let this = summary.as_loop(node).expect("a loop");
    if !matches!(this.kind, LoopKind::Serial | LoopKind::Unroll) {
        let (name, kind) = (this.name.clone(), this.kind);
        return Err(Reason::NotSerial { name, kind }.at(node, 2));
    }
    not_annotated(this, node, 2)?;
    if let Some(user) = user(summary, node) {
        let name = this.name.clone();
        let error = Reason::from(LoopsReason::Used(name)).at(node, 3);
        return Err(error.note(user, "this uses it"));
    }
    quick::check_no_barrier(summary, node, 5)?;
    let is_bound = |node: &NodeId| summary.as_loop(*node).is_some_and(|this| this.thread.is_some());
    let is_kernel = summary.nodes[node].parent == Some(NodeId::FUNCTION);
    if let Some(bound) = summary.under(node).into_iter().find(is_bound).filter(|_| is_kernel) {
        let error = Reason::from(LoopsReason::Kernel(this.name.clone())).at(node, 5);
        return Err(error.note(bound, "this loop is bound"));
    }
    let runs_once = this.runs_at_most_once();
    let verdict = match runs_once || is_idempotent(summary, node) {
        true => Verdict::Proved,
        false => Verdict::Unknown("it may read values of the previous iteration".into()),
    };
    let name = this.name.clone();
    proofs.require(&verdict, || Reason::from(LoopsReason::Repeats(name)).at(node, 4))?;
    Ok(node)
}

/// The first node that uses the variable of a loop.
fn user(summary: &Summary, node: NodeId) -> Option<NodeId> {
    let variable: VariableId = summary.as_loop(node)?.variable;
    let inside = summary.under(node).into_iter();
    inside.filter(|inner| *inner != node).find(|inner| match &summary.nodes[*inner].kind {
        NodeKind::Loop(this) => this.extent.iter().any(|e| mentions(e, variable)),
        NodeKind::Block(this) => {
            this.binding.iter().any(|e| mentions(e, variable))
                || this.predicate.iter().any(|c| mentions(c.expr(), variable))
        }
        NodeKind::If(conditions) => conditions.iter().any(|c| mentions(c.expr(), variable)),
        NodeKind::Function | NodeKind::Sync | NodeKind::Effects(_) => false,
    })
}

/// True if running the body of a loop again changes nothing.
pub fn is_idempotent(summary: &Summary, node: NodeId) -> bool {
    let inner = summary.under(node);
    if inner.iter().any(|n| matches!(summary.nodes[*n].kind, NodeKind::Sync | NodeKind::Effects(_)))
    {
        return false;
    }
    let blocks = summary.blocks_under(node);
    blocks.iter().all(|reader| {
        let block = summary.as_block(*reader).expect("a block");
        if matches!(block.body, Body::Leaf { calls: true, .. }) {
            return false;
        }
        block.loads().all(|load| {
            let writes = |n: &&NodeId| {
                summary.as_block(**n).is_some_and(|b| b.written().contains(&load.buffer))
            };
            let writers: Vec<NodeId> = blocks.iter().filter(writes).copied().collect();
            match writers[..] {
                [] => true,
                [writer] if writer == *reader => {
                    accumulates(block, load) && reduces_inside(summary, node, *reader)
                }
                [writer] => value_flow::writes_before(summary, node, writer, *reader, load),
                _ => false,
            }
        })
    })
}

/// True if a load reads the accumulator of its block.
fn accumulates(block: &Block, load: &Access) -> bool {
    block.has_init && block.stores().any(|s| (s.buffer, &s.indices) == (load.buffer, &load.indices))
}

/// True if all loops that a block reduces over are in the loop, and the reduction starts in them.
fn reduces_inside(summary: &Summary, node: NodeId, id: NodeId) -> bool {
    let block = summary.as_block(id).expect("a block");
    let mut outside = summary.ancestors(node).filter_map(|n| summary.as_loop(n));
    let roles = Roles::of(summary, id);
    block.predicate.iter().all(|condition| roles.lets_start(condition))
        && !outside.any(|this| {
            let mut iters = block.iters.iter().zip(&block.binding);
            iters.any(|(iter, bound)| {
                iter.role != IterRole::Spatial && mentions(bound, this.variable)
            })
        })
        && summary.ancestors(id).take_while(|n| *n != node).all(|n| summary.as_block(n).is_none())
}

/// Replaces a loop by its body, under the condition that the loop runs if that is not known.
pub fn rewrite(state: &mut State, node: NodeId) {
    let op = state.op(node);
    let view = For::of(op).expect("the node is a loop");
    if view.constant_extent().is_some_and(|extent| extent > 0) {
        move_ops_before(view.body, op);
        state.rewriter.erase(op);
        return;
    }
    let then_body = Braces::new(&[]);
    then_body.append(yield_op(op.location(), &[]));
    move_ops(view.body, then_body);
    let at_least_one = view
        .extent
        .results
        .iter()
        .map(|extent| Constraint::NonNegative((extent.clone() - 1.into()).simplified()));
    let condition = IntegerSet {
        dims: view.extent.dims,
        symbols: view.extent.symbols,
        constraints: at_least_one.collect(),
    };
    let branch = If::create(op.location(), &condition, &view.operands, &[], then_body, None);
    op.block().expect("a loop stands in a block").insert_before(op, branch);
    state.rewriter.erase(op);
}
