//! Conditions that primitives which move a block to another place of the nest share.

use super::error::{Reason, ScheduleError};
use super::fp;
use super::legality;
use super::placement::Placement;
use super::proof::{Proofs, Verdict};
use super::reduction::Roles;
use super::region_cover::{child_towards, common, is_under};
use super::summary::{
    Access, Block, Body, BufferId, Loop, NodeId, NodeKind, Summary, Variable, mentions,
};
use crate::analysis::digits;
use crate::dialect::loop_enums::{IterRole, LoopKind, Scope, ThreadAxis};
use crate::ir::affine::{Expr, Linear};

/// Why two iterations may be one instance.
pub const NOT_TOLD: &str = "what its iters are bound to does not tell the loop";

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

/// Instances of the block that differ in spatial iters write different cells.
pub fn check_told_cells(
    summary: &Summary,
    node: NodeId,
    block: &Block,
    condition: u8,
    proofs: &mut Proofs,
) -> Result<(), ScheduleError> {
    let Some(store) = block.stores().next() else { return Ok(()) };
    let verdict = match tells_cells(summary, block) {
        true => Verdict::Proved,
        false => Verdict::Unknown("its indices do not tell all its iters".into()),
    };
    let (block, buffer) = (block.name.clone(), summary.buffers[store.buffer].name.clone());
    proofs.require(&verdict, || Reason::SharedCell { block, buffer }.at(node, condition))
}

/// Do the indices of each store tell all spatial iters?
pub fn tells_cells(summary: &Summary, block: &Block) -> bool {
    block.stores().all(|store| {
        let indices: Option<Vec<Expr>> = store.indices.iter().cloned().collect();
        block.iters.iter().all(|iter| {
            iter.role != IterRole::Spatial
                || iter.domain.iter().any(|extent| extent.constant() == Some(1))
                || indices
                    .as_ref()
                    .is_some_and(|indices| digits::tell(indices, iter.variable, summary, &[]))
        })
    })
}

/// The place among a block's loops of the outermost that an iter is bound to.
pub fn outermost(
    summary: &Summary,
    block: &Block,
    own_loops: &[NodeId],
    i: usize,
) -> Option<usize> {
    let variable = |node: &NodeId| summary.as_loop(*node).expect("a loop").variable;
    own_loops.iter().position(|node| mentions(&block.binding[i], variable(node)))
}

/// A reduction joins the same values at its new place, each once, in an order that means the same, and
/// starts with the first.
pub fn check_reduction(
    summary: &Summary,
    (node, block): (NodeId, &Block),
    own_loops: &[NodeId],
    placement: &Placement,
    condition: u8,
    proofs: &mut Proofs,
) -> Result<(), ScheduleError> {
    let is_reduce = |i: &usize| block.iters[*i].role == IterRole::Reduce;
    let mut reduce: Vec<usize> = (0..block.iters.len()).filter(is_reduce).collect();
    if reduce.is_empty() {
        return Ok(());
    }
    // What runs twice is added twice.
    for id in own_loops {
        let this = summary.as_loop(*id).expect("a loop");
        let verdict = match digits::tell(&block.binding, this.variable, summary, &block.predicate) {
            true => Verdict::Proved,
            false => Verdict::Unknown(NOT_TOLD.into()),
        };
        let (block, name) = (block.name.clone(), this.name.clone());
        proofs.require(&verdict, || Reason::NotInjective { block, name }.at(node, condition))?;
    }
    reduce.sort_by_key(|i| outermost(summary, block, own_loops, *i));
    let is_loop = |i: &usize| {
        let variable = |node: &NodeId| summary.as_loop(*node).expect("a loop").variable;
        let bound = &block.binding[*i];
        own_loops.iter().any(|node| *bound == Expr::Dim(variable(node)))
            || !own_loops.iter().any(|node| mentions(bound, variable(node)))
    };
    let parts = outer_parts(summary, placement, &reduce);
    // In the order of the iters, each of which was a loop; only the first may go on over loops around.
    let keeps_order = reduce.iter().all(is_loop)
        && parts
            .iter()
            .enumerate()
            .all(|(n, parts)| parts.is_empty() || n == 0 && parts.len() == 1);
    let starts = !block.has_init || starts_first(summary, block, placement, &parts);
    let in_order = match fp::may_reorder_updates(summary, node) {
        Err(_) if keeps_order => Ok(()),
        free => free,
    };
    let in_order = in_order.and_then(|()| match starts {
        true => Ok(()),
        false => {
            let block = block.name.clone();
            Err(Reason::UpdateOrder { block, why: "the first of them starts the value" })
        }
    });
    proofs.require_by_roles(in_order.map_err(|reason| reason.at(node, condition)))
}

/// A reduction that may be over nothing has its start values all the same: what a `loop.init` reads must not be
/// written inside of the loops that reduce, which then do not run.
pub fn check_inits(after: &Summary, node: NodeId, condition: u8) -> Result<(), ScheduleError> {
    for (reader, block) in after.blocks() {
        if Roles::of(after, reader).never_empty() {
            continue;
        }
        let mentioned = |around: &NodeId| {
            let variable = after.as_loop(*around).expect("a loop").variable;
            block
                .iters
                .iter()
                .zip(&block.binding)
                .any(|(iter, bound)| iter.role == IterRole::Reduce && mentions(bound, variable))
        };
        let Some(outermost) = after.loops_around(reader).filter(mentioned).last() else { continue };
        for load in block.loads().filter(|load| load.in_init) {
            let writes = |(id, other): &(NodeId, &Block)| {
                *id != reader
                    && is_under(after, *id, outermost)
                    && other.stores().any(|store| store.buffer == load.buffer)
            };
            if let Some((_, writer)) = after.blocks().find(writes) {
                let reason = Reason::WrittenAfterStart {
                    block: block.name.clone(),
                    buffer: after.buffers[load.buffer].name.clone(),
                    writer: writer.name.clone(),
                    name: after.as_loop(outermost).expect("a loop").name.clone(),
                };
                return Err(reason.at(node, condition));
            }
        }
    }
    Ok(())
}

/// The variables of loops around the new place that each of these iters is bound to.
fn outer_parts(summary: &Summary, placement: &Placement, iters: &[usize]) -> Vec<Vec<usize>> {
    let mut around: Vec<NodeId> = vec![placement.target];
    around.extend(summary.loops_around(placement.target));
    let variables: Vec<usize> =
        around.iter().filter_map(|n| summary.as_loop(*n)).map(|this| this.variable).collect();
    let parts = |i: &usize| {
        let bound = |v: &usize| mentions(&placement.binding[*i], *v);
        variables.iter().copied().filter(bound).collect()
    };
    iters.iter().map(parts).collect()
}

/// Are all reduce iters 0 the first time that a spatial point runs? So if they are rising sums of loops that
/// no spatial iter is bound to, and which run.
fn starts_first(
    summary: &Summary,
    block: &Block,
    placement: &Placement,
    parts: &[Vec<usize>],
) -> bool {
    let outer: Vec<usize> = parts.iter().flatten().copied().collect();
    if outer.is_empty() {
        return true;
    }
    let runs = |v: &usize| match summary.variables[*v] {
        Variable::Loop(node) => summary.as_loop(node).and_then(Loop::constant_extent) > Some(0),
        Variable::Iter(..) => false,
    };
    let mut iters = block.iters.iter().zip(&placement.binding);
    outer.iter().all(runs)
        && iters.all(|(iter, bound)| match iter.role {
            IterRole::Reduce => {
                let linear = Linear::of(bound);
                let rises = |(atom, c): (&Expr, &i64)| *c > 0 && matches!(atom, Expr::Dim(_));
                linear.constant == 0 && linear.terms.iter().all(rises)
            }
            _ => !outer.iter().any(|v| mentions(bound, *v)),
        })
}

/// Adds to a refusal which loops are legal, of those around some blocks.
pub fn with_legal_loops(
    summary: &Summary,
    primitive: &str,
    around: impl Iterator<Item = NodeId>,
    check: &dyn Fn(NodeId) -> Result<Placement, ScheduleError>,
    error: ScheduleError,
) -> ScheduleError {
    let mut loops: Vec<NodeId> = around.flat_map(|node| summary.loops_around(node)).collect();
    loops.sort_unstable();
    loops.dedup();
    let legal = loops.into_iter().filter(|node| check(*node).is_ok());
    let names: Vec<String> = legal.map(|node| summary.name(node)).collect();
    let text = match names.is_empty() {
        true => format!("no loop is legal for {primitive}"),
        false => format!("legal loops for {primitive}: {}", names.join(", ")),
    };
    let at = error.at;
    error.note(at, text)
}

/// Block and loop stand under the same schedule block, if any, not in different branches, and the loop is not
/// around the block.
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
    let both = common(summary, node, at);
    let otherwise = |n: NodeId| summary.otherwise.contains(&child_towards(summary, both, n));
    if otherwise(node) != otherwise(at) {
        let error = Reason::OtherBranch { block, name }.at(node, condition);
        return Err(error.note(both, "the 'loop.if' is here"));
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
            true => Verdict::Unknown("what it calls may do anything".into()),
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
        let verdict = Verdict::Unknown("its effects are not known".into());
        proofs.require(&verdict, || reason.at(node, condition).note(other, "it is here"))?;
    }
    Ok(())
}

/// The block sees the same instances of the buffers that it reads: no other loop around it gives each of its
/// iterations one.
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
        let loops = |summary: &Summary, node| -> Vec<usize> {
            let loops = summary.loops_around(node).filter_map(|n| summary.as_loop(n));
            loops.filter(|l| is_private(scope, l.kind, l.thread)).map(|l| l.variable).collect()
        };
        let verdict = match loops(summary, node) == loops(after, moved) {
            true => Verdict::Proved,
            false => Verdict::Unknown("other ones than now".into()),
        };
        let (block, buffer) = (name.clone(), buffer.name.clone());
        let reason = Reason::PrivateBuffer { block, buffer, scope };
        proofs.require(&verdict, || reason.at(node, condition))?;
    }
    Ok(())
}

/// A block that moves up, to a loop of its producers, keeps its order among all that it shares a buffer with.
/// What goes from the producers there through the buffers `own` is told otherwise.
pub fn check_moved_up(
    summary: &Summary,
    after: &Summary,
    (node, at): (NodeId, NodeId),
    own: &[BufferId],
    condition: u8,
    proofs: &mut Proofs,
) -> Result<(), ScheduleError> {
    let without = |summary: &Summary, at: NodeId| {
        let mut rest = summary.clone();
        for id in summary.blocks_under(at) {
            let NodeKind::Block(Block { body: Body::Leaf { accesses, .. }, name, .. }) =
                &mut rest.nodes[id].kind
            else {
                continue;
            };
            let stores: Vec<Access> = accesses.iter().filter(|a| a.is_write).cloned().collect();
            let is_own = |access: &Access| {
                own.contains(&access.buffer)
                    && stores
                        .iter()
                        .any(|s| s.buffer == access.buffer && s.indices == access.indices)
            };
            if *name != summary.name(node) {
                accesses.retain(|access| !is_own(access));
            }
        }
        rest
    };
    let before = without(summary, at);
    let moved = summary.name(node);
    let both = common(summary, node, at);
    let (from, to) = (child_towards(summary, both, at), child_towards(summary, both, node));
    let block = before.as_block(node).expect("a block");
    let mut verdict = None;
    for (other, of) in before.blocks() {
        let calls = matches!(of.body, Body::Leaf { calls: true, .. });
        let written = |block: &Block, buffer| block.stores().any(|store| store.buffer == buffer);
        let clash = block
            .accesses()
            .iter()
            .find(|access| written(of, access.buffer))
            .or_else(|| of.accesses().iter().find(|access| written(block, access.buffer)));
        let stands = child_towards(summary, both, other);
        if other == node
            || !calls && clash.is_none()
            || !is_under(summary, other, both)
            || stands < from
            || stands > to
        {
            continue;
        }
        let verdict = verdict.get_or_insert_with(|| match calls {
            true => Verdict::Unknown("what it calls may do anything".into()),
            false => {
                let rest = without_in_after(summary, after, &before);
                legality::check_order(&before, &rest, &[&moved])
            }
        });
        let reason = Reason::Passes {
            block: moved.clone(),
            what: format!("schedule block \"{}\"", of.name),
        };
        proofs.require(verdict, || reason.at(node, condition).note(other, "it is here"))?;
        if calls {
            break;
        }
    }
    for other in at..node {
        let NodeKind::Effects(name) = &summary.nodes[other].kind else { continue };
        let reason = Reason::Passes { block: moved.clone(), what: format!("'{name}'") };
        let verdict = Verdict::Unknown("its effects are not known".into());
        proofs.require(&verdict, || reason.at(node, condition).note(other, "it is here"))?;
    }
    Ok(())
}

/// `after` with the accesses that `before` has left of each block.
fn without_in_after(summary: &Summary, after: &Summary, before: &Summary) -> Summary {
    let mut rest = after.clone();
    for node in &mut rest.nodes {
        let NodeKind::Block(block) = &mut node.kind else { continue };
        let old = summary.blocks().find(|(_, old)| old.name == block.name);
        if let Some(kept) = old.and_then(|(id, _)| before.as_block(id)) {
            block.body.clone_from(&kept.body);
        }
    }
    rest
}

/// The node of `after` that is `both` there, which is around loop `at` or is the function.
pub fn same_node(summary: &Summary, after: &Summary, at: NodeId, both: NodeId) -> NodeId {
    let variable = summary.as_loop(at).expect("a loop").variable;
    let Variable::Loop(at_after) = after.variables[variable] else { return 0 };
    if both == at {
        return at_after;
    }
    match summary.ancestors(at).position(|n| n == both) {
        Some(up) => after.ancestors(at_after).nth(up).unwrap_or(0),
        None => 0,
    }
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
        let verdict =
            match (digits::tell(&bound, this.variable, after, &block.predicate), this.thread) {
                (true, _) => Verdict::Proved,
                (false, Some(axis)) => legality::check_threads(&alone(after, name), loop_id, axis),
                (false, None) => legality::check_concurrent(&alone(after, name), loop_id),
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

/// A summary in which nothing but the stores of one block is left.
fn alone(summary: &Summary, name: &str) -> Summary {
    let mut rest = summary.clone();
    for node in &mut rest.nodes {
        if let NodeKind::Block(Block { name: other, body: Body::Leaf { accesses, .. }, .. }) =
            &mut node.kind
        {
            accesses.retain(|access| other == name && access.is_write);
        }
    }
    rest
}

/// In a nest with thread axes nothing orders a block at its place in `after` and another one that it shares
/// a buffer with, unless the same threads run both; and those may need what others have written, but for the
/// buffers `own`.
pub fn check_threads(
    after: &Summary,
    (name, node): (&str, NodeId),
    own: &[BufferId],
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
                let why = "their thread axes differ, or one needs what other threads have written";
                Verdict::Unknown(why.into())
            }
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
