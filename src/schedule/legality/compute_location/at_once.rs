//! Concurrency at a new position: iterations, threads, and the buffers that they own.

use crate::analysis::digits;
use crate::dialect::loop_enums::{IterRole, LoopKind, ThreadAxis};
use crate::ir::affine::Expr;
use crate::nest::facts::scope;
use crate::nest::summary::VariableId;
use crate::nest::summary::{Block, BufferId, Loop, NodeId, NodeKind, Summary};
use crate::schedule::error::{LocationReason, Reason, ScheduleError};
use crate::schedule::legality::exact;
use crate::schedule::legality::proof::Proofs;
use crate::schedule::verdict::Verdict;
use std::collections::BTreeSet;

/// Checks that the block reads the same instances of its input buffers: the loops around it whose
/// iterations own an instance are the same.
pub fn check_instances_of_buffers(
    summary: &Summary,
    after: &Summary,
    (node, inputs): (NodeId, &[BufferId]),
    condition: u8,
    proofs: &mut Proofs,
) -> Result<(), ScheduleError> {
    let name = summary.name(node);
    let (moved, _) = after.blocks().find(|(_, block)| block.name == name).expect("it is there");
    for id in inputs {
        let buffer = &summary.buffers[*id];
        let Some(scope) = buffer.scope else { continue };
        let loops = |summary: &Summary, node| -> Vec<VariableId> {
            let loops = summary.loops_around(node).filter_map(|n| summary.as_loop(n));
            loops.filter(|this| scope::is_owner(scope, this)).map(|this| this.variable).collect()
        };
        let verdict = match loops(summary, node) == loops(after, moved) {
            true => Verdict::Proved,
            false => Verdict::Unknown("the loops that own it would change".into()),
        };
        let (block, buffer) = (name.clone(), buffer.name.clone());
        let reason = Reason::PrivateBuffer { block, buffer, scope };
        proofs.require(&verdict, || reason.at(node, condition))?;
    }
    Ok(())
}

/// Checks that concurrent iterations of loops around a block, at its new position in `after`, write
/// different elements. `node` is the block before the move.
pub fn check_races(
    after: &Summary,
    (name, node): (&str, NodeId),
    condition: u8,
    proofs: &mut Proofs,
) -> Result<(), ScheduleError> {
    let (id, block) = after.blocks().find(|(_, block)| block.name == name).expect("it is there");
    let iters = block.iters.iter().zip(&block.binding);
    let spatial = iters.filter(|(iter, _)| iter.role == IterRole::Spatial);
    let bound: Vec<Expr> = spatial.map(|(_, bound)| bound.clone()).collect();
    let written: BTreeSet<BufferId> = block.stores().map(|store| store.buffer).collect();
    for loop_id in after.loops_around(id) {
        let this = after.as_loop(loop_id).expect("a loop");
        if matches!(this.kind, LoopKind::Serial | LoopKind::Unroll) || this.runs_at_most_once() {
            continue;
        }
        for buffer in written.iter().copied().filter(|b| !has_own(after, *b, this)) {
            let injective =
                digits::determines(&bound, this.variable.index(), after, &block.predicate);
            let verdict = match (injective, this.thread) {
                (true, _) => Verdict::Proved,
                (false, Some(ThreadAxis::VThread)) => {
                    exact::check_interleaved(&alone(after, id, loop_id, buffer), loop_id)
                }
                (false, Some(axis)) => {
                    exact::check_threads(&alone(after, id, loop_id, buffer), loop_id, axis)
                }
                (false, None) => {
                    exact::check_concurrent(&alone(after, id, loop_id, buffer), loop_id)
                }
            };
            let reason = LocationReason::SameCells {
                block: block.name.clone(),
                buffer: after.buffers[buffer].name.clone(),
                name: this.name.clone(),
                kind: this.kind,
            };
            proofs.require(&verdict, || reason.at(node, condition))?;
        }
    }
    Ok(())
}

/// A summary with only the stores of one block to a buffer. Of the bound loops only `this` stays bound, and
/// those whose iterations own an instance of the buffer; the variables of the others may have any values.
fn alone(summary: &Summary, block: NodeId, this: NodeId, buffer: BufferId) -> Summary {
    let mut rest = summary.clone();
    for (id, node) in rest.nodes.iter_mut() {
        match &mut node.kind {
            NodeKind::Block(of) => of.retain_accesses(|access| {
                id == block && access.is_write && access.buffer == buffer
            }),
            NodeKind::Loop(other)
                if other.thread.is_some() && id != this && !has_own(summary, buffer, other) =>
            {
                (other.kind, other.thread) = (LoopKind::Serial, None);
            }
            _ => {}
        }
    }
    rest
}

/// True if each iteration of a loop owns an instance of a buffer.
fn has_own(summary: &Summary, buffer: BufferId, this: &Loop) -> bool {
    summary.buffers[buffer].scope.is_some_and(|scope| scope::is_owner(scope, this))
}

/// Checks the order of threads in a nest with thread axes. A block at its new position in `after` and
/// another one that shares a buffer with it are unordered, unless the same threads run both. Even then the
/// block must not read what other threads may have written, except in the buffers `own`.
pub fn check_threads(
    after: &Summary,
    (name, node): (&str, NodeId),
    own: &[BufferId],
    condition: u8,
    proofs: &mut Proofs,
) -> Result<(), ScheduleError> {
    let (id, block) = after.blocks().find(|(_, block)| block.name == name).expect("it is there");
    let threads = |node: NodeId| -> Vec<NodeId> {
        let axis = |n: &NodeId| after.as_loop(*n).and_then(|this| this.thread);
        let is_thread = |n: &NodeId| axis(n).is_some_and(|axis| axis != ThreadAxis::VThread);
        after.loops_around(node).filter(is_thread).collect()
    };
    let nest = after.ancestors(id).last().unwrap_or(id);
    for other in after.blocks_under(nest).into_iter().filter(|other| *other != id) {
        let of = after.as_block(other).expect("a block");
        let written = |block: &Block, buffer| block.stores().any(|store| store.buffer == buffer);
        let is_foreign = |buffer: &BufferId| written(of, *buffer) && !own.contains(buffer);
        let read = block.loads().find(|load| is_foreign(&load.buffer));
        let shared = read
            .or_else(|| of.accesses().iter().find(|access| written(block, access.buffer)))
            .or_else(|| block.loads().find(|load| written(of, load.buffer)));
        let Some(shared) = shared else { continue };
        let around = threads(id);
        let verdict = match around == threads(other) && (read.is_none() || around.is_empty()) {
            true => Verdict::Proved,
            false => {
                let why = "their thread axes differ, or one reads what other threads have written";
                Verdict::Unknown(why.into())
            }
        };
        let reason = LocationReason::ThreadsApart {
            block: block.name.clone(),
            other: of.name.clone(),
            buffer: after.buffers[shared.buffer].name.clone(),
        };
        proofs.require(&verdict, || reason.at(node, condition))?;
    }
    Ok(())
}
