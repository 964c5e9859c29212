//! Which accesses of the threads of a block need a barrier between them, and which barriers there are.
//!
//! Two executions of different threads that touch one cell, one of them writing it, come in the order of the
//! text if a barrier stands between them. Each pair of schedule blocks is asked about in each way in which one can
//! come before the other: in the same iteration of the loops around both ([`Carrier::Text`]), or in a later one of
//! one of these ([`Carrier::Loop`]). Cells of scope `local` are the thread's own. A pair of which it cannot be
//! proved that it touches no common cell needs a barrier. What is copied asynchronously the copying thread, too, must not
//! touch before one.

use super::proof::{Verdict, Witness};
use crate::dialect::annotation::ASYNC_COPY;
use crate::dialect::loop_enums::LoopKind;
use crate::nest::summary::{Body, NodeId, NodeKind, Summary};
use crate::schedule::legality::exact;
use crate::schedule::legality::exact::Threads;
use crate::schedule::legality::scope::{child_of, common};
use std::collections::BTreeSet;

/// What brings one of two executions behind the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Carrier {
    /// The text.
    Text,
    /// A later iteration of this loop.
    Loop(NodeId),
}

/// Two schedule blocks of one nest, of which the first comes first, and what is between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Need {
    pub first: NodeId,
    pub second: NodeId,
    pub carrier: Carrier,
}

/// Is a nest for threads, which barriers are for?
pub fn is_kernel(summary: &Summary, nest: NodeId) -> bool {
    let is_bound = |node: NodeId| summary.as_loop(node).is_some_and(|this| this.thread.is_some());
    summary.under(nest).into_iter().any(is_bound)
}

/// All that the threads of a nest need barriers for.
pub fn needs(summary: &Summary, nest: NodeId) -> Vec<Need> {
    let is_leaf =
        |id: &NodeId| matches!(summary.as_block(*id).expect("a block").body, Body::Leaf { .. });
    let leaves: Vec<NodeId> = summary.blocks_under(nest).into_iter().filter(is_leaf).collect();
    let mut found = vec![];
    for (n, first) in leaves.iter().enumerate() {
        for second in &leaves[n..] {
            between(summary, *first, *second, &mut found);
        }
    }
    found.retain(|need| may_meet(summary, need) != Verdict::Proved);
    found
}

/// The ways in which one of two schedule blocks may come before the other; the first is so in the text.
fn between(summary: &Summary, first: NodeId, second: NodeId, found: &mut Vec<Need>) {
    // Two statements at one place, and one that all threads do at once.
    found.push(Need { first, second, carrier: Carrier::Text });
    let parent = common(summary, first, second);
    let around = std::iter::once(parent).chain(summary.ancestors(parent));
    for node in around.filter(|node| is_serial(summary, *node)) {
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
    // What arrives later than the thread goes on, the thread itself must wait for, too.
    let is_copied_later = |node: NodeId| {
        summary.as_block(node).is_some_and(|it| it.annotations.iter().any(|it| it == ASYNC_COPY))
    };
    let is_late = need.first != need.second && is_copied_later(need.first);
    let threads = if is_late { Threads::Any } else { Threads::Different };
    exact::check_race(summary, (need.first, need.second), carrier, threads)
}

/// The clash of two threads that needs a barrier, where there is one for certain.
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

/// The barriers of a nest that are so near to what no barrier is seen to keep apart that they might do so: as one in a
/// loop that may have no iterations.
pub fn in_doubt(summary: &Summary, needs: &[Need]) -> BTreeSet<NodeId> {
    let unmet = needs.iter().filter(|need| !Barriers::default().separate(summary, need));
    let all = unmet.flat_map(|need| near(summary, need)).flat_map(|node| summary.under(node));
    all.filter(|node| matches!(summary.nodes[*node].kind, NodeKind::Sync)).collect()
}

/// What may run between the two.
fn near(summary: &Summary, need: &Need) -> Vec<NodeId> {
    match need.carrier {
        Carrier::Loop(node) => vec![node],
        Carrier::Text if need.first == need.second => vec![],
        Carrier::Text => {
            let parent = common(summary, need.first, need.second);
            let children = &summary.nodes[parent].children;
            let ends = [need.first, need.second].map(|node| child_of(summary, parent, node));
            let places = ends.map(|end| children.iter().position(|child| *child == end));
            match places {
                [Some(one), Some(other)] => children[one.min(other)..=one.max(other)].to_vec(),
                _ => vec![parent],
            }
        }
    }
}

/// Do the barriers of a nest keep all apart that different threads do in two schedule blocks of it, so that it
/// comes in the order of the text?
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

/// The barriers of a function, and changes to them.
#[derive(Clone, Debug, Default)]
pub struct Barriers {
    /// Nodes that are barriers no more.
    pub removed: BTreeSet<NodeId>,
    /// New ones, before these nodes.
    pub before: BTreeSet<NodeId>,
    /// New ones, at the end of these loops.
    pub at_end: BTreeSet<NodeId>,
}

/// What stands in a node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Item {
    Barrier,
    Node(NodeId),
}

impl Barriers {
    /// Do all threads meet between the two?
    pub fn separate(&self, summary: &Summary, need: &Need) -> bool {
        match need.carrier {
            // No barrier stands in a statement.
            Carrier::Text if need.first == need.second => false,
            Carrier::Text => {
                let parent = common(summary, need.first, need.second);
                let ends = [need.first, need.second].map(|node| child_of(summary, parent, node));
                let items = self.items(summary, parent);
                let [from, to] = ends.map(|end| items.iter().position(|i| *i == Item::Node(end)));
                let (Some(from), Some(to)) = (from, to) else { return false };
                self.after(summary, need.first, parent)
                    || self.before(summary, need.second, parent)
                    || from < to && self.meet(summary, &items[from + 1..to])
            }
            Carrier::Loop(node) => {
                self.after_in(summary, need.first, node)
                    || self.before_in(summary, need.second, node)
            }
        }
    }

    /// Behind a node, in what is around it inside of `top`.
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

    /// The same, and in `top`.
    fn after_in(&self, summary: &Summary, node: NodeId, top: NodeId) -> bool {
        self.after(summary, node, top) || self.beside(summary, child_of(summary, top, node), true)
    }

    fn before_in(&self, summary: &Summary, node: NodeId, top: NodeId) -> bool {
        self.before(summary, node, top) || self.beside(summary, child_of(summary, top, node), false)
    }

    /// Do all threads meet behind, or before, a node, next to it?
    fn beside(&self, summary: &Summary, node: NodeId, is_behind: bool) -> bool {
        let parent = summary.nodes[node].parent.unwrap_or(0);
        let items = self.items(summary, parent);
        let Some(at) = items.iter().position(|item| *item == Item::Node(node)) else {
            return false;
        };
        self.meet(summary, if is_behind { &items[at + 1..] } else { &items[..at] })
    }

    /// Do all threads meet in one of these, however they are passed?
    fn meet(&self, summary: &Summary, items: &[Item]) -> bool {
        items.iter().any(|item| match item {
            Item::Barrier => true,
            Item::Node(node) => {
                let passes = match &summary.nodes[*node].kind {
                    NodeKind::Loop(this) => this.constant_extent().is_some_and(|n| n > 0),
                    NodeKind::Block(block) => block.predicate.is_empty(),
                    _ => false,
                };
                passes && self.meet(summary, &self.items(summary, *node))
            }
        })
    }

    fn items(&self, summary: &Summary, parent: NodeId) -> Vec<Item> {
        let mut items = vec![];
        for child in &summary.nodes[parent].children {
            if self.before.contains(child) {
                items.push(Item::Barrier);
            }
            match summary.nodes[*child].kind {
                NodeKind::Sync if self.removed.contains(child) => {}
                NodeKind::Sync => items.push(Item::Barrier),
                _ => items.push(Item::Node(*child)),
            }
        }
        if self.at_end.contains(&parent) {
            items.push(Item::Barrier);
        }
        items
    }
}
