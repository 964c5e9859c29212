//! Conditions that primitives which move a block to another place of the nest share.

use super::error::{Reason, ScheduleError};
use super::legality;
use super::proof::{Proofs, Verdict};
use super::region_cover::{child_towards, common, is_under};
use super::summary::{Block, Body, BufferId, NodeId, NodeKind, Summary};
use crate::analysis::digits;
use crate::dialect::loop_enums::{IterRole, LoopKind, Scope, ThreadAxis};
use crate::ir::affine::Expr;

/// The block is a leaf without calls.
pub fn check_leaf(node: NodeId, block: &Block, condition: u8) -> Result<(), ScheduleError> {
    match &block.body {
        Body::Nest => Err(Reason::NestBody(block.name.clone()).at(node, condition)),
        Body::Leaf { calls: true, .. } => {
            Err(Reason::Calls(block.name.clone()).at(node, condition))
        }
        Body::Leaf { .. } => Ok(()),
    }
}

/// The buffer is one of the function that only schedule blocks use, and no other block writes it.
pub fn check_only_writer(
    summary: &Summary,
    node: NodeId,
    id: BufferId,
    condition: u8,
) -> Result<(), ScheduleError> {
    let buffer = &summary.buffers[id];
    let name = || buffer.name.clone();
    if buffer.scope.is_none() {
        let block = summary.name(node);
        return Err(Reason::WritesArgument { block, buffer: name() }.at(node, condition));
    }
    if buffer.escapes {
        return Err(Reason::Escapes { buffer: name() }.at(node, condition));
    }
    let writes = |block: &Block| block.stores().any(|store| store.buffer == id);
    match summary.blocks().find(|(other, block)| *other != node && writes(block)) {
        Some((other, block)) => {
            let reason = Reason::SecondWriter { buffer: name(), other: block.name.clone() };
            Err(reason.at(node, condition).note(other, "the other writer is here"))
        }
        None => Ok(()),
    }
}

/// Block and loop stand under the same schedule block, if any, and the loop is not around the block.
pub fn check_scope(
    summary: &Summary,
    node: NodeId,
    at: NodeId,
    condition: u8,
) -> Result<(), ScheduleError> {
    let scope = |n: NodeId| summary.ancestors(n).find(|n| summary.as_block(*n).is_some());
    let (block, name) = (summary.name(node), summary.name(at));
    if scope(node) != scope(at) {
        return Err(Reason::OtherScope { block, name }
            .at(node, condition)
            .note(at, "the loop is here"));
    }
    if is_under(summary, node, at) {
        return Err(Reason::AlreadyThere { block, name }.at(node, condition));
    }
    Ok(())
}

/// The loops under `both` around a block, outermost first. Those that hold nothing else will be gone: they
/// must be serial or unrolled.
pub fn check_gone_loops(
    summary: &Summary,
    node: NodeId,
    both: NodeId,
    condition: u8,
) -> Result<Vec<NodeId>, ScheduleError> {
    let below: Vec<NodeId> = summary.ancestors(node).take_while(|n| *n != both).collect();
    for id in &below {
        if summary.nodes[*id].children.len() != 1 {
            break;
        }
        let Some(this) = summary.as_loop(*id) else { continue };
        if !matches!(this.kind, LoopKind::Serial | LoopKind::Unroll) {
            let (name, kind) = (this.name.clone(), this.kind);
            return Err(Reason::NotSerial { name, kind }.at(*id, condition));
        }
    }
    Ok(below.into_iter().rev().filter(|n| summary.as_loop(*n).is_some()).collect())
}

/// What the block reads, other than what it writes itself, is at its new place as it was at the old one.
pub fn check_inputs(
    summary: &Summary,
    after: &Summary,
    (node, at): (NodeId, NodeId),
    own: &[BufferId],
    condition: u8,
    proofs: &mut Proofs,
) -> Result<(), ScheduleError> {
    let block = summary.as_block(node).expect("a block");
    let both = common(summary, node, at);
    let (from, to) = (child_towards(summary, both, node), child_towards(summary, both, at));
    let inputs: Vec<BufferId> =
        block.loads().map(|load| load.buffer).filter(|buffer| !own.contains(buffer)).collect();
    let Some(input) = inputs.first() else { return Ok(()) };
    check_instances_of_buffers(summary, after, (node, &inputs), condition, proofs)?;
    let reader = summary.name(to);
    for (other, writer) in summary.blocks() {
        let calls = matches!(writer.body, Body::Leaf { calls: true, .. });
        let written = writer.stores().find(|store| inputs.contains(&store.buffer));
        if other == node || !calls && written.is_none() {
            continue;
        }
        // Under what is around both, before the old place or after the new one, it keeps its order.
        let stands = child_towards(summary, both, other);
        if !is_under(summary, other, both) || stands < from || stands > to {
            continue;
        }
        let verdict = match calls {
            true => Verdict::Unknown(format!("a call in \"{}\"", writer.name)),
            false => order_of_others(summary, after, own, &block.name),
        };
        let buffer = written.map_or(*input, |store| store.buffer);
        let buffer = summary.buffers[buffer].name.clone();
        let (writer, reader) = (writer.name.clone(), reader.clone());
        let reason = Reason::Overwritten { buffer, writer, reader };
        proofs
            .require(&verdict, || reason.at(node, condition).note(other, "the writer is here"))?;
    }
    for other in node..at {
        let NodeKind::Effects(name) = &summary.nodes[other].kind else { continue };
        let buffer = summary.buffers[*input].name.clone();
        let (by, reader) = (format!("'{name}'"), reader.clone());
        let reason = Reason::MayBeOverwritten { buffer, by, reader };
        let verdict = Verdict::Unknown(name.clone());
        proofs.require(&verdict, || reason.at(node, condition).note(other, "it is here"))?;
    }
    Ok(())
}

/// The block sees the same instances of the buffers that it reads: no other loop around it gives each of its
/// iterations one.
fn check_instances_of_buffers(
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
        let loops = |summary: &Summary, node| -> Vec<usize> {
            let loops = summary.loops_around(node).filter_map(|n| summary.as_loop(n));
            loops.filter(|l| is_private(scope, l.kind, l.thread)).map(|l| l.variable).collect()
        };
        let verdict = match loops(summary, node) == loops(after, moved) {
            true => Verdict::Proved,
            false => Verdict::Unknown(buffer.name.clone()),
        };
        let (block, buffer) = (name.clone(), buffer.name.clone());
        let reason = Reason::PrivateBuffer { block, buffer, scope };
        proofs.require(&verdict, || reason.at(node, condition))?;
    }
    Ok(())
}

/// The order of a block among others, apart from what goes through the buffers `own`: those are told by
/// what their readers need.
fn order_of_others(summary: &Summary, after: &Summary, own: &[BufferId], moved: &str) -> Verdict {
    let without = |summary: &Summary| {
        let mut rest = summary.clone();
        for node in &mut rest.nodes {
            if let NodeKind::Block(Block { body: Body::Leaf { accesses, .. }, .. }) = &mut node.kind
            {
                accesses.retain(|access| !own.contains(&access.buffer));
            }
        }
        rest
    };
    legality::check_order(&without(summary), &without(after), &[moved])
}

/// Iterations that run at once of loops around a block, at its place in `after`, write different cells.
/// `node` is the block as it was.
pub fn check_races(
    after: &Summary,
    (name, node): (&str, NodeId),
    condition: u8,
    proofs: &mut Proofs,
) -> Result<(), ScheduleError> {
    let (id, block) = after.blocks().find(|(_, block)| block.name == name).expect("it is there");
    for loop_id in after.loops_around(id) {
        let this = after.as_loop(loop_id).expect("a loop");
        if matches!(this.kind, LoopKind::Serial | LoopKind::Unroll)
            || this.constant_extent().is_some_and(|extent| extent <= 1)
        {
            continue;
        }
        let shared = block.stores().find(|store| {
            let scope = after.buffers[store.buffer].scope.unwrap_or(Scope::Global);
            !is_private(scope, this.kind, this.thread)
        });
        let Some(shared) = shared else { continue };
        let iters = block.iters.iter().zip(&block.binding);
        let spatial = iters.filter(|(iter, _)| iter.role == IterRole::Spatial);
        let bound: Vec<Expr> = spatial.map(|(_, bound)| bound.clone()).collect();
        let told = digits::tell(&bound, this.variable, after, &block.predicate);
        let verdict = match told {
            true => Verdict::Proved,
            false => Verdict::Unknown(this.name.clone()),
        };
        let reason = Reason::SameCells {
            block: block.name.clone(),
            buffer: after.buffers[shared.buffer].name.clone(),
            name: this.name.clone(),
            kind: this.kind,
        };
        proofs.require(&verdict, || reason.at(node, condition))?;
    }
    Ok(())
}

/// In a nest with thread axes nothing orders a block at its place in `after` and another one that it shares
/// a buffer with, unless the same threads run both; and those may need what others have written.
pub fn check_threads(
    after: &Summary,
    (name, node): (&str, NodeId),
    condition: u8,
    proofs: &mut Proofs,
) -> Result<(), ScheduleError> {
    let (id, block) = after.blocks().find(|(_, block)| block.name == name).expect("it is there");
    let threads = |node: NodeId| -> Vec<NodeId> {
        let is_thread = |n: &NodeId| after.as_loop(*n).is_some_and(|this| this.thread.is_some());
        after.loops_around(node).filter(is_thread).collect()
    };
    let nest = after.ancestors(id).last().unwrap_or(id);
    for other in after.blocks_under(nest).into_iter().filter(|other| *other != id) {
        let of = after.as_block(other).expect("a block");
        let written = |block: &Block, buffer| block.stores().any(|store| store.buffer == buffer);
        let read = block.loads().find(|load| written(of, load.buffer));
        let shared =
            read.or_else(|| of.accesses().iter().find(|access| written(block, access.buffer)));
        let Some(shared) = shared else { continue };
        let around = threads(id);
        let verdict = match around == threads(other) && (read.is_none() || around.is_empty()) {
            true => Verdict::Proved,
            false => Verdict::Unknown(of.name.clone()),
        };
        let reason = Reason::ThreadsApart {
            block: block.name.clone(),
            other: of.name.clone(),
            buffer: after.buffers[shared.buffer].name.clone(),
        };
        proofs.require(&verdict, || reason.at(node, condition))?;
    }
    Ok(())
}

/// Does each iteration of such a loop have a buffer of its own, of that scope?
fn is_private(scope: Scope, kind: LoopKind, thread: Option<ThreadAxis>) -> bool {
    match scope {
        Scope::Global => false,
        Scope::Shared => thread.is_some_and(ThreadAxis::is_block),
        Scope::Local => kind == LoopKind::Parallel || thread.is_some(),
    }
}
