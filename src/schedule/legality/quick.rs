//! Proofs of independence from the roles of block iters.
//!
//! - Instances of one block that differ in spatial iters write different elements, if each spatial iter
//!   alone is an index of every store. If, of the buffers it writes, the block reads only the element that
//!   it writes, such instances are independent: they may run in any order, and concurrently.
//! - Instances that differ in reduce iters update one element. Combiners other than `ordered`, `argmax` and
//!   `argmin` are associative and commutative. So these instances may be reordered if they do not run
//!   concurrently and the floating-point contract allows it: see [`fp`].
//! - Blocks that share no buffer that one of them writes are independent.
//!
//! Everything else is unknown here, and refused.

use super::fp;
use crate::analysis::digits;
use crate::dialect::loop_enums::{IterRole, LoopKind, Scope};
use crate::ir::affine::Expr;
use crate::nest::facts::reduction::Roles;
use crate::nest::facts::scope;
use crate::nest::summary::{
    Access, Block, Body, BufferId, Iter, NodeId, NodeKind, Summary, VariableId, mentions,
};
use crate::schedule::error::{Reason, ScheduleError};

/// Proves that the iterations of a loop may run concurrently, together with those of the loops around it.
/// All blocks in the loop must be proved to be independent in them.
pub fn check_unordered(
    summary: &Summary,
    node: NodeId,
    condition: u8,
) -> Result<(), ScheduleError> {
    check_at_once(summary, node, &[], condition)
}

/// Proves that the iterations of a loop may run concurrently within one iteration of the loops around it.
pub fn check_unordered_within(
    summary: &Summary,
    node: NodeId,
    condition: u8,
) -> Result<(), ScheduleError> {
    check_at_once(summary, node, &in_turn_around(summary, node), condition)
}

/// The variables of the loops around a node, except vectorized loops: their iterations reach the node at
/// the same time, as lanes.
pub fn in_turn_around(summary: &Summary, node: NodeId) -> Vec<VariableId> {
    let around = summary.loops_around(node).filter_map(|outer| summary.as_loop(outer));
    let in_turn = around.filter(|outer| outer.kind != LoopKind::Vectorize);
    in_turn.map(|outer| outer.variable).collect()
}

fn check_at_once(
    summary: &Summary,
    node: NodeId,
    still: &[VariableId],
    condition: u8,
) -> Result<(), ScheduleError> {
    let this = summary.as_loop(node).expect("a loop");
    let blocks = summary.blocks_under(node);
    check_no_dependence(summary, &blocks, node, condition)?;
    if this.runs_at_most_once() {
        return Ok(());
    }
    check_injective_within(summary, node, still, condition)?;
    for id in blocks {
        let block = summary.as_block(id).expect("a block");
        check_instances_independent(summary, id, block, condition)?;
    }
    Ok(())
}

/// The first schedule block in a loop with a reduce iter that is bound to the loop, and that iter.
pub fn reduces_over(summary: &Summary, node: NodeId) -> Option<(NodeId, &Block, &Iter)> {
    reducing(summary, node).next()
}

/// The schedule blocks in a loop with a reduce iter that is bound to the loop, each with its first such
/// iter.
pub fn reducing(summary: &Summary, node: NodeId) -> impl Iterator<Item = (NodeId, &Block, &Iter)> {
    let variable = summary.as_loop(node).expect("a loop").variable;
    summary.blocks_under(node).into_iter().filter_map(move |id| {
        let block = summary.as_block(id)?;
        let mut iters = block.iters.iter().zip(&block.binding);
        let reduces = |(iter, bound): &(&Iter, &Expr)| {
            iter.role == IterRole::Reduce && mentions(bound, variable)
        };
        iters.find(reduces).map(|(iter, _)| (id, block, iter))
    })
}

/// Checks the buffers of which each iteration of a loop would own an instance. Blocks in the loop
/// may use such a buffer only if each iteration reads only what it has written itself.
pub fn check_scopes(
    summary: &Summary,
    node: NodeId,
    is_private: &dyn Fn(BufferId, Scope) -> bool,
    condition: u8,
) -> Result<(), ScheduleError> {
    for id in summary.blocks_under(node) {
        let block = summary.as_block(id).expect("a block");
        for access in block.accesses() {
            let buffer = &summary.buffers[access.buffer];
            let scope = buffer.scope.filter(|scope| is_private(access.buffer, *scope));
            let is_own = || scope::is_used_within(summary, node, access.buffer);
            if let Some(scope) = scope.filter(|_| !is_own()) {
                let (block, buffer) = (block.name.clone(), buffer.name.clone());
                return Err(Reason::PrivateBuffer { block, buffer, scope }.at(id, condition));
            }
        }
    }
    Ok(())
}

/// Checks that no block in a loop shares a buffer that is written with a block elsewhere in the same nest.
pub fn check_alone(summary: &Summary, node: NodeId, condition: u8) -> Result<(), ScheduleError> {
    let nest = summary.ancestors(node).last().unwrap_or(node);
    let inside = summary.blocks_under(node);
    let is_other = |id: &NodeId| {
        !inside.contains(id) && !matches!(summary.as_block(*id).expect("a block").body, Body::Nest)
    };
    for other in summary.blocks_under(nest).into_iter().filter(is_other) {
        for id in &inside {
            check_no_dependence(summary, &[*id, other], node, condition)?;
        }
    }
    Ok(())
}

/// Checks that any two iterations of a loop differ in spatial iters of each block in it, for any
/// combination of the loops around it.
pub fn check_injective(
    summary: &Summary,
    node: NodeId,
    condition: u8,
) -> Result<(), ScheduleError> {
    check_injective_within(summary, node, &[], condition)
}

/// As [`check_injective`], within one iteration of the loops of some variables.
fn check_injective_within(
    summary: &Summary,
    node: NodeId,
    still: &[VariableId],
    condition: u8,
) -> Result<(), ScheduleError> {
    for id in summary.blocks_under(node) {
        let block = summary.as_block(id).expect("a block");
        check_iterations_differ(summary, id, block, node, still, condition)?;
    }
    Ok(())
}

/// Checks that a loop contains no barrier.
pub fn check_no_barrier(
    summary: &Summary,
    node: NodeId,
    condition: u8,
) -> Result<(), ScheduleError> {
    let is_barrier = |n: &NodeId| matches!(summary.nodes[*n].kind, NodeKind::Sync);
    match summary.under(node).into_iter().find(is_barrier) {
        Some(barrier) => {
            let name = summary.as_loop(node).expect("a loop").name.clone();
            let error = Reason::HoldsBarrier(name).at(node, condition);
            Err(error.note(barrier, "the barrier is here"))
        }
        None => Ok(()),
    }
}

/// Checks that no two iterations of a loop are the same instance of the block, and that they differ in a
/// spatial iter.
fn check_iterations_differ(
    summary: &Summary,
    id: NodeId,
    block: &Block,
    node: NodeId,
    still: &[VariableId],
    condition: u8,
) -> Result<(), ScheduleError> {
    let this = summary.as_loop(node).expect("a loop");
    if this.runs_at_most_once() {
        return Ok(());
    }
    let (variable, name) = (this.variable, this.name.clone());
    let uses: Vec<usize> =
        (0..block.iters.len()).filter(|i| mentions(&block.binding[*i], variable)).collect();
    if let Some(i) = uses.iter().find(|i| block.iters[**i].role != IterRole::Spatial) {
        let iter = &block.iters[*i];
        let reason = Reason::NotSpatial {
            block: block.name.clone(),
            iter: iter.name.clone(),
            role: iter.role,
        };
        return Err(reason.at(id, condition));
    }
    let block_name = block.name.clone();
    if uses.is_empty() {
        return Err(Reason::Unused { block: block_name, name }.at(id, condition));
    }
    let first_free = summary.sizes.len();
    let fixed = |e: &Expr| {
        let dim = |v: usize| match still.iter().position(|other| *other == VariableId::of_dim(v)) {
            Some(i) => Expr::Symbol(first_free + i),
            None => Expr::Dim(v),
        };
        e.substitute(&dim, &Expr::Symbol).simplified()
    };
    let bound: Vec<Expr> = uses.iter().map(|i| fixed(&block.binding[*i])).collect();
    let predicate: Vec<_> = block.predicate.iter().map(|c| c.on(fixed(c.expr()))).collect();
    match digits::determines(&bound, variable.index(), summary, &predicate) {
        true => Ok(()),
        false => Err(Reason::NotInjective { block: block_name, name }.at(id, condition)),
    }
}

/// Checks that instances of the block that differ in spatial iters are independent.
pub fn check_instances_independent(
    summary: &Summary,
    id: NodeId,
    block: &Block,
    condition: u8,
) -> Result<(), ScheduleError> {
    check_leaf(id, block, condition)?;
    let more_than_one = |i: &usize| {
        let domain = block.iters[*i].domain.iter().filter_map(Expr::constant).min();
        block.iters[*i].role == IterRole::Spatial && domain.is_none_or(|domain| domain > 1)
    };
    for store in block.stores() {
        let is_index = |i: usize| {
            let plain = block.iters[i].variable.expr();
            store.indices.iter().any(|index| index.as_ref() == Some(&plain))
        };
        let buffer = || summary.buffers[store.buffer].name.clone();
        if !(0..block.iters.len()).filter(more_than_one).all(is_index) {
            let reason = Reason::SharedCell { block: block.name.clone(), buffer: buffer() };
            return Err(reason.at(id, condition));
        }
    }
    check_reads_own_cell(summary, id, block, condition)
}

/// Checks that the block is a leaf without calls, and that of the buffers it writes it reads only the
/// element that it writes.
pub fn check_own_cell(
    summary: &Summary,
    id: NodeId,
    block: &Block,
    condition: u8,
) -> Result<(), ScheduleError> {
    check_leaf(id, block, condition)?;
    check_reads_own_cell(summary, id, block, condition)
}

/// Checks that the block is a leaf without calls.
pub fn check_leaf(id: NodeId, block: &Block, condition: u8) -> Result<(), ScheduleError> {
    match &block.body {
        Body::Nest => Err(Reason::NestBody(block.name.clone()).at(id, condition)),
        Body::Leaf { calls: true, .. } => Err(Reason::Calls(block.name.clone()).at(id, condition)),
        Body::Leaf { .. } => Ok(()),
    }
}

/// Checks that of the buffers it writes the block reads only the element that it writes.
fn check_reads_own_cell(
    summary: &Summary,
    id: NodeId,
    block: &Block,
    condition: u8,
) -> Result<(), ScheduleError> {
    for store in block.stores() {
        let is_other = |load: &Access| {
            let known = load.indices.iter().all(Option::is_some);
            load.buffer == store.buffer && (load.indices != store.indices || !known)
        };
        if block.loads().any(is_other) {
            let buffer = summary.buffers[store.buffer].name.clone();
            let reason = Reason::ReadsOwnResult { block: block.name.clone(), buffer };
            return Err(reason.at(id, condition));
        }
    }
    Ok(())
}

/// Checks that no two of the blocks access one buffer that one of them writes.
fn check_no_dependence(
    summary: &Summary,
    blocks: &[NodeId],
    at: NodeId,
    condition: u8,
) -> Result<(), ScheduleError> {
    let block = |id: NodeId| summary.as_block(id).expect("a block");
    for (n, first) in blocks.iter().enumerate() {
        for second in &blocks[n + 1..] {
            let (a, b) = (block(*first), block(*second));
            if matches!(a.body, Body::Nest) || matches!(b.body, Body::Nest) {
                let id = if matches!(a.body, Body::Nest) { *first } else { *second };
                return Err(Reason::NestBody(block(id).name.clone()).at(id, condition));
            }
            let shared = a.accesses().iter().find(|x| {
                b.accesses().iter().any(|y| x.buffer == y.buffer && (x.is_write || y.is_write))
            });
            if let Some(shared) = shared {
                let reason = Reason::Dependence {
                    first: a.name.clone(),
                    second: b.name.clone(),
                    buffer: summary.buffers[shared.buffer].name.clone(),
                };
                return Err(reason
                    .at(at, condition)
                    .note(*first, "one schedule block is here")
                    .note(*second, "the other is here"));
            }
        }
    }
    Ok(())
}

/// Checks that nested loops may be permuted. `before` and `after` are the same loops in their old and new
/// order.
pub fn check_order(
    summary: &Summary,
    before: &[NodeId],
    after: &[NodeId],
    condition: u8,
) -> Result<(), ScheduleError> {
    let blocks = summary.blocks_under(before[0]);
    check_no_dependence(summary, &blocks, before[0], condition)?;
    for id in blocks {
        let block = summary.as_block(id).expect("a block");
        check_block_order(summary, id, block, (before, after), condition)?;
        check_instances_independent(summary, id, block, condition)?;
    }
    Ok(())
}

/// Checks the new loop order for one block.
fn check_block_order(
    summary: &Summary,
    id: NodeId,
    block: &Block,
    (before, after): (&[NodeId], &[NodeId]),
    condition: u8,
) -> Result<(), ScheduleError> {
    let uses = |node: NodeId, wanted: &dyn Fn(IterRole) -> bool| {
        let variable = summary.as_loop(node).expect("a loop").variable;
        block
            .iters
            .iter()
            .zip(&block.binding)
            .any(|(iter, bound)| wanted(iter.role) && mentions(bound, variable))
    };
    let name = |node: NodeId| summary.as_loop(node).expect("a loop").name.clone();
    let refuse = |node: NodeId, why| {
        let reason = Reason::OrderMatters { block: block.name.clone(), name: name(node), why };
        Err(reason.at(id, condition).note(node, "the loop is here"))
    };
    let is_opaque = |role| role == IterRole::Opaque;
    if let Some(node) = before.iter().find(|node| uses(**node, &is_opaque)) {
        return refuse(*node, "it is bound to an opaque iter");
    }
    let is_reduce = |role| role == IterRole::Reduce;
    let reduces = |loops: &[NodeId]| -> Vec<NodeId> {
        loops.iter().copied().filter(|node| uses(*node, &is_reduce)).collect()
    };
    let (old, new) = (reduces(before), reduces(after));
    // A reduction initializes a point where its reduce iters are all 0, so there must be exactly one such
    // instance for each point.
    if block.iters.iter().any(|iter| is_reduce(iter.role)) {
        for node in before {
            let this = summary.as_loop(*node).expect("a loop");
            if !digits::determines(&block.binding, this.variable.index(), summary, &block.predicate)
            {
                let (block, name) = (block.name.clone(), name(*node));
                return Err(Reason::NotInjective { block, name }.at(id, condition));
            }
        }
    }
    let Some(first) = old.first() else { return Ok(()) };
    let is_mixed = |node: &&NodeId| uses(**node, &|role| role == IterRole::Spatial);
    let mixed = old.iter().find(is_mixed);
    if old == new && mixed.is_none() {
        // The instances that update one element keep their order.
        return Ok(());
    }
    if let Some(node) = mixed.filter(|_| block.has_init) {
        return refuse(*node, "the instance that starts a point may no longer be its first");
    }
    if block.has_init && !Roles::of(summary, id).starts_first(&old) {
        return refuse(
            *first,
            "the reduction of a point is not known to start in its first iteration",
        );
    }
    match fp::may_reorder_updates(summary, id) {
        Err(reason @ Reason::Strict { .. }) => {
            Err(reason.at(id, condition).note(*first, "this loop moves"))
        }
        Err(Reason::UpdateOrder { why, .. }) => refuse(*first, why),
        Err(reason) => Err(reason.at(id, condition)),
        Ok(()) => Ok(()),
    }
}
