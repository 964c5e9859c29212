//! Barrier analysis: which conflicting accesses of a block's threads need a barrier, and which barriers
//! separate them.
//!
//! Two conflicting executions of different threads run in program order if a barrier separates them. Each
//! pair of schedule blocks is tested in each way in which one can precede the other: in the same iteration
//! of the loops around both ([`Carrier::Text`]), or in a later iteration of one of these loops
//! ([`Carrier::Loop`]). No barrier orders different iterations of a `vthread` loop. Buffers of scope `local` are private to a thread. A pair needs a barrier unless it
//! is proved to access no common element. After an asynchronous copy, the copying thread itself needs the
//! barrier too.

use crate::dialect::annotation::ASYNC_COPY;
use crate::dialect::loop_enums::{LoopKind, ThreadAxis};
use crate::nest::summary::{Body, NodeId, NodeKind, Summary};
use crate::schedule::legality::exact;
use crate::schedule::legality::exact::ThreadPair;
use crate::schedule::verdict::{Verdict, Witness};

use std::collections::BTreeSet;

/// How the second of two executions follows the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Carrier {
    /// By program order.
    Text,
    /// In a later iteration of this loop, or in any other one if it is a `vthread` loop.
    Loop(NodeId),
}

/// Two schedule blocks of one nest that need a barrier: executions of the first precede those of the
/// second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Need {
    pub first: NodeId,
    pub second: NodeId,
    pub carrier: Carrier,
}

/// True if a nest contains loops bound to threads, so that it may contain barriers.
pub fn is_kernel(summary: &Summary, nest: NodeId) -> bool {
    let is_bound = |node: NodeId| summary.as_loop(node).is_some_and(|this| this.thread.is_some());
    summary.under(nest).into_iter().any(is_bound)
}

/// All pairs of blocks in a nest that need a barrier.
pub fn needs(summary: &Summary, nest: NodeId) -> Vec<Need> {
    let is_leaf =
        |id: &NodeId| matches!(summary.as_block(*id).expect("a block").body, Body::Leaf { .. });
    let leaves: Vec<NodeId> = summary.blocks_under(nest).into_iter().filter(is_leaf).collect();
    let mut found = vec![];
    for (first, second) in exact::conflicting_pairs(summary, &leaves) {
        between(summary, first, second, &mut found);
    }
    found.retain(|need| may_meet(summary, need) != Verdict::Proved);
    found
}

/// Adds the ways in which one of two schedule blocks may precede the other. `first` precedes `second` in
/// program order.
fn between(summary: &Summary, first: NodeId, second: NodeId, found: &mut Vec<Need>) {
    // Covers the same statement in several threads too, for example one that all threads execute.
    found.push(Need { first, second, carrier: Carrier::Text });
    let parent = summary.lca(first, second);
    let around = std::iter::once(parent).chain(summary.ancestors(parent));
    for node in around.filter(|node| is_serial(summary, *node) || is_virtual(summary, *node)) {
        let carrier = Carrier::Loop(node);
        found.push(Need { first, second, carrier });
        if first != second {
            found.push(Need { first: second, second: first, carrier });
        }
    }
}

fn may_meet(summary: &Summary, need: &Need) -> Verdict {
    let carrier = match need.carrier {
        Carrier::Text => None,
        Carrier::Loop(node) => Some(node),
    };
    // An asynchronous copy completes after its thread has continued, so the thread itself must wait too.
    let is_copied_later = |node: NodeId| {
        summary.as_block(node).is_some_and(|it| it.annotations.iter().any(|it| it == ASYNC_COPY))
    };
    let is_late = need.first != need.second && is_copied_later(need.first);
    let threads = if is_late { ThreadPair::Any } else { ThreadPair::Different };
    exact::check_race(summary, (need.first, need.second), carrier, threads)
}

/// The conflict of two threads, if it is certain that no barrier separates them.
pub fn clash(summary: &Summary, need: &Need) -> Option<Box<Witness>> {
    let is_barrier = |node: &NodeId| matches!(summary.nodes[*node].kind, NodeKind::Sync);
    let all = near(summary, need).into_iter().flat_map(|node| summary.under(node));
    if all.into_iter().any(|node| is_barrier(&node)) {
        return None;
    }
    match may_meet(summary, need) {
        Verdict::Refuted(witness) => Some(witness),
        Verdict::Proved | Verdict::Unknown(_) => None,
    }
}

/// The barriers that may separate a pair, although no barrier provably does. An example is a barrier in a
/// loop that may have no iterations.
pub fn in_doubt(summary: &Summary, needs: &[Need]) -> BTreeSet<NodeId> {
    let unmet = needs.iter().filter(|need| !Barriers::default().separate(summary, need));
    let all = unmet.flat_map(|need| near(summary, need)).flat_map(|node| summary.under(node));
    all.filter(|node| matches!(summary.nodes[*node].kind, NodeKind::Sync)).collect()
}

/// The nodes that may run between the two executions.
fn near(summary: &Summary, need: &Need) -> Vec<NodeId> {
    match need.carrier {
        Carrier::Loop(node) => vec![node],
        Carrier::Text if need.first == need.second => vec![],
        Carrier::Text => {
            let parent = summary.lca(need.first, need.second);
            let children = &summary.nodes[parent].children;
            let ends = [need.first, need.second].map(|node| summary.child_towards(parent, node));
            let places = ends.map(|end| children.iter().position(|child| *child == end));
            match places {
                [Some(one), Some(other)] => children[one.min(other)..=one.max(other)].to_vec(),
                _ => vec![parent],
            }
        }
    }
}

/// True if the barriers of a nest keep all conflicting executions of two schedule blocks in different
/// threads in program order.
pub fn keep_apart(summary: &Summary, first: NodeId, second: NodeId) -> bool {
    let mut pairs = vec![];
    between(summary, first, second, &mut pairs);
    pairs.retain(|need| !Barriers::default().separate(summary, need));
    pairs.iter().all(|need| may_meet(summary, need) == Verdict::Proved)
}

fn is_serial(summary: &Summary, node: NodeId) -> bool {
    let kind = summary.as_loop(node).map(|this| this.kind);
    matches!(kind, Some(LoopKind::Serial | LoopKind::Unroll))
}

fn is_virtual(summary: &Summary, node: NodeId) -> bool {
    summary.as_loop(node).is_some_and(|this| this.thread == Some(ThreadAxis::VThread))
}

/// The barriers of a function, with changes to them.
#[derive(Clone, Debug, Default)]
pub struct Barriers {
    /// Barriers that are removed.
    pub removed: BTreeSet<NodeId>,
    /// New barriers, before these nodes.
    pub before: BTreeSet<NodeId>,
    /// New barriers, at the end of these loops.
    pub at_end: BTreeSet<NodeId>,
}

/// A child of a node: an existing node or a new barrier.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BarrierChild {
    Barrier,
    Node(NodeId),
}

impl Barriers {
    /// True if all threads pass a barrier between the two executions.
    pub fn separate(&self, summary: &Summary, need: &Need) -> bool {
        match need.carrier {
            // A statement contains no barrier.
            Carrier::Text if need.first == need.second => false,
            Carrier::Text => {
                let parent = summary.lca(need.first, need.second);
                let ends =
                    [need.first, need.second].map(|node| summary.child_towards(parent, node));
                let items = self.items(summary, parent);
                let [from, to] =
                    ends.map(|end| items.iter().position(|i| *i == BarrierChild::Node(end)));
                let (Some(from), Some(to)) = (from, to) else { return false };
                self.after(summary, need.first, parent)
                    || self.before(summary, need.second, parent)
                    || from < to && self.meet(summary, &items[from + 1..to])
            }
            Carrier::Loop(node) if is_virtual(summary, node) => false,
            Carrier::Loop(node) => {
                self.after_in(summary, need.first, node)
                    || self.before_in(summary, need.second, node)
            }
        }
    }

    /// True if a barrier follows a node in one of its ancestors inside of `top`.
    fn after(&self, summary: &Summary, node: NodeId, top: NodeId) -> bool {
        let chain = std::iter::once(node).chain(summary.ancestors(node));
        let mut inside = chain.take_while(|here| summary.nodes[*here].parent != Some(top));
        inside.any(|here| self.beside(summary, here, true))
    }

    fn before(&self, summary: &Summary, node: NodeId, top: NodeId) -> bool {
        let chain = std::iter::once(node).chain(summary.ancestors(node));
        let mut inside = chain.take_while(|here| summary.nodes[*here].parent != Some(top));
        inside.any(|here| self.beside(summary, here, false))
    }

    /// As `after`, or in `top` itself.
    fn after_in(&self, summary: &Summary, node: NodeId, top: NodeId) -> bool {
        self.after(summary, node, top)
            || self.beside(summary, summary.child_towards(top, node), true)
    }

    fn before_in(&self, summary: &Summary, node: NodeId, top: NodeId) -> bool {
        self.before(summary, node, top)
            || self.beside(summary, summary.child_towards(top, node), false)
    }

    /// True if all threads pass a barrier among the siblings after, or before, a node.
    fn beside(&self, summary: &Summary, node: NodeId, is_behind: bool) -> bool {
        let parent = summary.nodes[node].parent.unwrap_or(NodeId::FUNCTION);
        let items = self.items(summary, parent);
        let Some(at) = items.iter().position(|item| *item == BarrierChild::Node(node)) else {
            return false;
        };
        self.meet(summary, if is_behind { &items[at + 1..] } else { &items[..at] })
    }

    /// True if all threads pass a barrier in one of these items, whatever the sizes.
    fn meet(&self, summary: &Summary, items: &[BarrierChild]) -> bool {
        items.iter().any(|item| match item {
            BarrierChild::Barrier => true,
            BarrierChild::Node(node) => {
                let passes = match &summary.nodes[*node].kind {
                    NodeKind::Loop(this) => this.constant_extent().is_some_and(|n| n > 0),
                    NodeKind::Block(block) => block.predicate.is_empty(),
                    _ => false,
                };
                passes && self.meet(summary, &self.items(summary, *node))
            }
        })
    }

    fn items(&self, summary: &Summary, parent: NodeId) -> Vec<BarrierChild> {
        let mut items = vec![];
        for child in &summary.nodes[parent].children {
            if self.before.contains(child) {
                items.push(BarrierChild::Barrier);
            }
            match summary.nodes[*child].kind {
                NodeKind::Sync if self.removed.contains(child) => {}
                NodeKind::Sync => items.push(BarrierChild::Barrier),
                _ => items.push(BarrierChild::Node(*child)),
            }
        }
        if self.at_end.contains(&parent) {
            items.push(BarrierChild::Barrier);
        }
        items
    }
}
