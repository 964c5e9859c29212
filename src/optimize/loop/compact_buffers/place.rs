//! The places of a buffer: loops around all accesses whose iterations exchange no values through the buffer.

use crate::dialect::loop_enums::{LoopKind, Scope, ThreadAxis};
use crate::ir::affine::Linear;
use crate::nest::buffer_remap::AccessId as At;
use crate::nest::facts::boxes;
use crate::nest::facts::boxes::Range;
use crate::nest::facts::compaction::UseScope;
use crate::nest::facts::scope;
use crate::nest::summary::{
    Access, BufferId, Loop, NodeId, NodeKind, Summary, VariableId, mentions,
};
use std::collections::BTreeMap;

/// All places of a buffer, innermost first; the last one is the function.
pub fn all(summary: &Summary, buffer: BufferId, accesses: &[(At, &Access)]) -> Vec<UseScope> {
    let scope = summary.buffers[buffer].scope.unwrap_or(Scope::Global);
    let threads = if scope == Scope::Local { threads(summary) } else { BTreeMap::new() };
    let function = UseScope { node: NodeId::FUNCTION, shared_by: vec![], threads: threads.clone() };
    let is_bound = |this: &Loop| this.thread.is_some();
    let any_around = |test: &dyn Fn(&Loop) -> bool| {
        let around = accesses.iter().flat_map(|(at, _)| summary.loops_around(at.node));
        around.filter_map(|node| summary.as_loop(node)).any(test)
    };
    // (C4) No barrier synchronizes the threads of a grid.
    if scope == Scope::Global && any_around(&is_bound) {
        return vec![function];
    }
    let meet = scope == Scope::Shared
        && any_around(&|this| this.thread.is_some_and(|axis| !axis.is_block()));
    let first = accesses[0].0.node;
    let common = accesses.iter().fold(first, |node, (at, _)| {
        let is_around = node == at.node || summary.is_under(at.node, node);
        if is_around { node } else { summary.lca(node, at.node) }
    });
    let mut places: Vec<UseScope> = enclosing_loops(summary, common)
        .into_iter()
        .filter(|node| {
            let owns = summary.as_loop(*node).is_some_and(|this| scope::is_owner(scope, this));
            owns || !meet || is_separated(summary, *node, buffer)
        })
        .filter_map(|node| place(summary, scope, buffer, accesses, node))
        .map(|place| UseScope { threads: threads.clone(), ..place })
        .collect();
    places.push(function);
    places
}

/// Maps the variable of each loop over threads of a block to the first such variable of the same axis.
fn threads(summary: &Summary) -> BTreeMap<VariableId, VariableId> {
    let mut first = BTreeMap::new();
    let loops = summary.nodes.keys().filter_map(|node| summary.as_loop(node));
    let axis = |this: &Loop| Some((this.thread.filter(|axis| axis.is_thread())?, this.variable));
    let bound = loops.filter(|this| this.kind == LoopKind::ThreadBind).filter_map(axis);
    bound.map(|(axis, v)| (v, *first.entry(axis.word()).or_insert(v))).collect()
}

/// A node and the nodes around it, loops only, innermost first.
fn enclosing_loops(summary: &Summary, node: NodeId) -> Vec<NodeId> {
    let chain = std::iter::once(node).chain(summary.ancestors(node));
    chain.filter(|node| summary.as_loop(*node).is_some()).collect()
}

/// (C2), (C3)
fn place(
    summary: &Summary,
    scope: Scope,
    buffer: BufferId,
    accesses: &[(At, &Access)],
    node: NodeId,
) -> Option<UseScope> {
    let is_block = |outer: &NodeId| matches!(summary.nodes[*outer].kind, NodeKind::Block(_));
    // All lanes are in one iteration at once, also those of a loop around the owner.
    let has_lanes = |outer: &NodeId| {
        summary.as_loop(*outer).is_some_and(|this| this.kind == LoopKind::Vectorize)
    };
    if summary.ancestors(node).any(|outer| is_block(&outer) || has_lanes(&outer)) {
        return None;
    }
    let mut in_order = vec![];
    let mut shared_by = vec![];
    for outer in enclosing_loops(summary, node) {
        let this = summary.as_loop(outer)?;
        if scope::is_owner(scope, this) {
            break;
        }
        match this.kind {
            LoopKind::Serial | LoopKind::Unroll => in_order.push(outer),
            LoopKind::ThreadBind
                if outer != node
                    && scope == Scope::Shared
                    && this.thread.is_some_and(ThreadAxis::is_thread) =>
            {
                shared_by.push(this.variable);
            }
            _ => return None,
        }
    }
    let has_own_values = |outer: &NodeId| {
        let threads = BTreeMap::new();
        let around = UseScope { node: *outer, shared_by: shared_by.clone(), threads };
        scope::is_used_within(summary, *outer, buffer) || has_own_cells(summary, &around, accesses)
    };
    in_order.iter().all(has_own_values).then_some(UseScope {
        node,
        shared_by,
        threads: BTreeMap::new(),
    })
}

/// True if different iterations of a loop access different elements.
fn has_own_cells(summary: &Summary, place: &UseScope, accesses: &[(At, &Access)]) -> bool {
    let variable = summary.as_loop(place.node).expect("a loop").variable;
    let rank = accesses[0].1.indices.len();
    (0..rank).any(|dim| {
        let mut all: Option<Range> = None;
        for (_, access) in accesses {
            let Some(index) = &access.indices[dim] else { return false };
            let index = summary.over_loops_under(place.node, index);
            let range = boxes::range(&index, &|v| place.motion(summary, v));
            let joined = match (&all, range) {
                (None, range) => range,
                (Some(all), Some(range)) => all.union(&range),
                (Some(_), None) => None,
            };
            let Some(joined) = joined else { return false };
            all = Some(joined);
        }
        all.is_some_and(|all| {
            let mut low = Linear::of(&all.low);
            let step = low.terms.remove(&variable.expr()).unwrap_or(0);
            let is_linear = low.terms.iter().all(|(atom, _)| !mentions(atom, variable));
            let step = step.saturating_abs().into();
            is_linear && boxes::at_least(summary, &step, &all.extent())
        })
    })
}

/// (C4): True if a barrier separates the accesses of one iteration of a loop from those of the next.
fn is_separated(summary: &Summary, node: NodeId, buffer: BufferId) -> bool {
    let in_order = |nodes: &[NodeId]| nodes.to_vec();
    let backwards = |nodes: &[NodeId]| nodes.iter().rev().copied().collect();
    meets_first(summary, node, buffer, &in_order) || meets_first(summary, node, buffer, &backwards)
}

/// True if the loop has a barrier before all accesses, when its statements are visited in the given order.
fn meets_first(
    summary: &Summary,
    node: NodeId,
    buffer: BufferId,
    order: &dyn Fn(&[NodeId]) -> Vec<NodeId>,
) -> bool {
    let accesses = |node: NodeId| {
        summary.blocks_under(node).into_iter().any(|inner| {
            let block = summary.as_block(inner).expect("a block");
            block.accesses().iter().any(|access| access.buffer == buffer)
        })
    };
    for child in order(&summary.nodes[node].children) {
        let is_met = match &summary.nodes[child].kind {
            NodeKind::Sync => true,
            NodeKind::Loop(this) => {
                this.thread.is_some_and(ThreadAxis::is_thread)
                    && meets_first(summary, child, buffer, order)
            }
            _ => false,
        };
        if is_met || accesses(child) {
            return is_met;
        }
    }
    false
}
