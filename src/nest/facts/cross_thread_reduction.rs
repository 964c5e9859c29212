//! Which loops around a block form a cross-thread reduction: pure reduction loops, bound to threads or thread blocks.

use crate::dialect::loop_enums::{LoopKind, ThreadAxis};
use crate::nest::facts::reduction::Roles;
use crate::nest::facts::scope;
use crate::nest::facts::update_order::{UpdateOrder, update_order};
use crate::nest::summary::{Access, Body, Loop, NodeId, NodeKind, Summary};

/// The axis of threads or of thread blocks that a loop is bound to; `None` for `vthread`.
pub fn axis(this: &Loop) -> Option<ThreadAxis> {
    let axis = this.thread.filter(|_| this.kind == LoopKind::ThreadBind)?;
    (axis != ThreadAxis::VThread).then_some(axis)
}

/// The bound loops of a leaf's cross-thread reduction, outermost first; empty if it has none.
pub fn loops(summary: &Summary, id: NodeId) -> Vec<NodeId> {
    let roles = Roles::of(summary, id);
    let is_leaf = matches!(roles.block.body, Body::Leaf { .. });
    // Atomic updates combine in memory, so they need no cross-thread reduction.
    let is_atomic = !roles.block.atomic.is_empty();
    if !is_leaf || is_atomic || update_order(summary, id) != UpdateOrder::Free {
        return vec![];
    }
    let updates: Vec<&Access> = roles.block.stores().filter(|store| !store.in_init).collect();
    if updates.is_empty() {
        return vec![];
    }
    let is_other = |load: &Access, store: &Access| {
        load.buffer == store.buffer && load.indices != store.indices
    };
    if roles.block.loads().any(|load| updates.iter().any(|store| is_other(load, store))) {
        return vec![];
    }
    let scopes: Vec<_> = updates.iter().filter_map(|s| summary.buffers[s.buffer].scope).collect();
    let is_together = |node: &NodeId| {
        let this = summary.as_loop(*node).expect("a loop");
        // A loop with at most one iteration combines nothing.
        !this.runs_at_most_once()
            && axis(this).is_some()
            && roles.only_reduces(this.variable)
            && !scopes.iter().any(|scope| scope::is_owner(*scope, this))
    };
    roles.loops().into_iter().filter(is_together).collect()
}

/// True if an access of a block belongs to the update of its cross-thread reduction.
pub fn is_update(summary: &Summary, id: NodeId, access: &Access) -> bool {
    let block = summary.as_block(id).expect("a block");
    let stores = |store: &Access| !store.in_init && store.buffer == access.buffer;
    block.stores().any(stores) && !loops(summary, id).is_empty()
}

/// A copy of the summary in which a loop is bound to an axis.
pub fn bound_to(summary: &Summary, node: NodeId, axis: ThreadAxis) -> Summary {
    let mut after = summary.clone();
    if let NodeKind::Loop(this) = &mut after.nodes[node].kind {
        (this.kind, this.thread) = (LoopKind::ThreadBind, Some(axis));
    }
    after
}
