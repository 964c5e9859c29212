//! Groups: which ops of a function are computed together.
//!
//! Edges are tried in the order of the bytes that fusing them saves, largest first; of equal ones in the order of the hashes of
//! what they connect. So the groups do not depend on the order of the ops.

use super::dataflow::{Dataflow, bytes_of, is_repeatable};
use super::kind::{OpFacts, PatternKind};
use super::rules::{Refusal, Rule, rule};
use crate::analysis::op_cost::FEW_OPERATIONS;
use crate::ir::{Op, Value, outside_values};
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashSet};

/// At most so many ops are in a group: each step of scheduling reads the nest that it changes again, and ops of a group may become
/// one nest.
pub const MOST_OPS: usize = 128;

/// The groups of a function.
#[derive(Clone, Debug)]
pub struct Groups {
    /// For each node: its group.
    pub of_node: Vec<usize>,
    /// For each group: its nodes, in ascending order; empty if it was merged into another.
    pub members: Vec<Vec<usize>>,
    /// For each edge: the rule or the refusal. The ends of an edge with a refusal may be in one group by other edges.
    pub verdicts: Vec<Result<Rule, Refusal>>,
    /// An order of the groups in which values precede their readers, with gaps; and the place of each group in it.
    order: Vec<Option<usize>>,
    position: Vec<usize>,
}

impl Groups {
    pub fn of(flow: &Dataflow) -> Self {
        let count = flow.nodes.len();
        let mut groups = Self {
            of_node: (0..count).collect(),
            members: (0..count).map(|node| vec![node]).collect(),
            verdicts: flow.edges.iter().map(|edge| rule(flow, edge)).collect(),
            order: (0..count).map(Some).collect(),
            position: (0..count).collect(),
        };
        let may = groups.verdicts.clone();
        let is_candidate = |i: &usize| flow.edges[*i].is_read && may[*i].is_ok();
        let mut order: Vec<usize> = (0..flow.edges.len()).filter(is_candidate).collect();
        order.sort_by_key(|i| {
            let edge = &flow.edges[*i];
            let hash = |node: usize| flow.nodes[node].hash;
            (Reverse(flow.saved(edge)), hash(edge.from), hash(edge.to), edge.from, edge.to)
        });
        for equal in order
            .chunk_by(|one, other| flow.saved(&flow.edges[*one]) == flow.saved(&flow.edges[*other]))
        {
            // What follows an anchor costs nothing in its tiles, so of equal edges those of anchors are first.
            groups.merge_all(flow, equal, &|groups, from| groups.anchor(flow, from).is_some());
            groups.merge_all(flow, equal, &|_, _| true);
        }
        groups.merge_all(flow, &order, &|_, _| true);
        for (i, edge) in flow.edges.iter().enumerate() {
            if may[i].is_ok() && groups.of_node[edge.from] == groups.of_node[edge.to] {
                groups.verdicts[i] = may[i].clone();
            }
        }
        groups
    }

    /// Merges the groups that edges connect, in the given order, as long as one can be merged: a merge may make others legal.
    /// Those are tried for which `is_tried` holds for the group that the value comes from.
    fn merge_all(
        &mut self,
        flow: &Dataflow,
        order: &[usize],
        is_tried: &dyn Fn(&Groups, usize) -> bool,
    ) {
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for i in order {
                let [from, to] =
                    [flow.edges[*i].from, flow.edges[*i].to].map(|node| self.of_node[node]);
                if from == to || !is_tried(self, from) {
                    continue;
                }
                match self.may_merge(flow, from, to) {
                    Ok(between) => {
                        self.merge(from, to, &between);
                        is_changed = true;
                    }
                    Err(refusal) => self.verdicts[*i] = Err(refusal),
                }
            }
        }
    }

    /// The place of a group in an order in which values precede their readers.
    pub fn place(&self, group: usize) -> usize {
        self.position[group]
    }

    fn anchor(&self, flow: &Dataflow, group: usize) -> Option<usize> {
        self.members[group].iter().copied().find(|it| is_anchor(flow, *it))
    }

    /// The bytes that a group reads and those that it writes: of values from outside, each once, and of values that others use.
    pub fn bytes(&self, flow: &Dataflow, members: &[usize]) -> (u64, u64) {
        let is_inside = |node: usize| members.binary_search(&node).is_ok();
        let ops = || members.iter().map(|node| flow.nodes[*node].op);
        let computed: HashSet<Op> = ops().collect();
        let mut read: HashSet<Value> =
            ops().flat_map(outside_values).map(|(value, _)| value).collect();
        read.retain(|value| {
            value.defining_op().is_none_or(|op| !computed.contains(&op) && !is_repeatable(op))
        });
        let is_written = |node: &&usize| {
            let node = &flow.nodes[**node];
            let leaves = |edge: &usize| !is_inside(flow.edges[*edge].to);
            node.is_output || node.outputs.iter().any(leaves)
        };
        let written = members.iter().filter(is_written).map(|node| flow.nodes[*node].bytes).sum();
        (read.into_iter().map(bytes_of).sum(), written)
    }

    /// Whether the ops of two groups may be computed together. Values flow from the first to the second. Returns the groups
    /// [`between`](Self::between) them.
    fn may_merge(
        &self,
        flow: &Dataflow,
        from: usize,
        to: usize,
    ) -> Result<BTreeSet<usize>, Refusal> {
        let read =
            self.edges_between(flow, from, to).into_iter().filter(|edge| flow.edges[*edge].is_read);
        for edge in read {
            rule(flow, &flow.edges[edge])?;
        }
        if self.members[from].len() + self.members[to].len() > MOST_OPS {
            return Err(Refusal::TooMany { most: MOST_OPS });
        }
        if self.anchor(flow, from).is_some() || self.anchor(flow, to).is_some() {
            let all = self.members[from].iter().chain(&self.members[to]).copied();
            check_anchored(flow, &all.collect())?;
        }
        self.between(flow, from, to)
    }

    fn edges_between(&self, flow: &Dataflow, from: usize, to: usize) -> Vec<usize> {
        let [few, other] = match self.members[from].len() <= self.members[to].len() {
            true => [from, to],
            false => [to, from],
        };
        let of_few = self.members[few].iter().map(|node| &flow.nodes[*node]);
        let edges = of_few.flat_map(|node| node.inputs.iter().chain(&node.outputs)).copied();
        let joins = |edge: &usize| {
            let edge = &flow.edges[*edge];
            let ends = [self.of_node[edge.from], self.of_node[edge.to]];
            ends == [few, other] || ends == [other, few]
        };
        edges.filter(joins).collect()
    }

    /// The groups that precede `to` in the order and to which a value gets from `from`.
    ///
    /// # Errors
    /// If a value gets from `from` to `to` through one of them.
    pub fn between(
        &self,
        flow: &Dataflow,
        from: usize,
        to: usize,
    ) -> Result<BTreeSet<usize>, Refusal> {
        let readers = |group: usize| {
            let nodes = self.members[group].iter();
            let edges = nodes.flat_map(|node| &flow.nodes[*node].outputs);
            edges.map(|edge| self.of_node[flow.edges[*edge].to]).collect::<BTreeSet<usize>>()
        };
        let precedes = |group: &usize| self.position[*group] < self.position[to];
        let mut left: Vec<usize> = readers(from).into_iter().filter(precedes).collect();
        left.retain(|group| *group != from);
        let mut seen: BTreeSet<usize> = left.iter().copied().collect();
        while let Some(group) = left.pop() {
            for next in readers(group) {
                if next == to {
                    return Err(Refusal::Cycle);
                }
                if precedes(&next) && seen.insert(next) {
                    left.push(next);
                }
            }
        }
        Ok(seen)
    }

    /// Merges two groups. `between` are those to which a value gets from the first one, as far as they precede the second one.
    pub fn merge(&mut self, from: usize, to: usize, between: &BTreeSet<usize>) {
        let [few, many] = match self.members[from].len() <= self.members[to].len() {
            true => [from, to],
            false => [to, from],
        };
        let moved = std::mem::take(&mut self.members[few]);
        moved.iter().for_each(|node| self.of_node[*node] = many);
        self.members[many].extend(moved);
        self.members[many].sort_unstable();
        // What the second one may depend on comes first, then the new group, then what depends on the first one.
        let places = self.position[from]..=self.position[to];
        let others: Vec<usize> = self.order[places.clone()].iter().copied().flatten().collect();
        let others = others.into_iter().filter(|group| *group != from && *group != to);
        let (late, early): (Vec<usize>, Vec<usize>) = others.partition(|it| between.contains(it));
        let mut new = early.into_iter().chain([many]).chain(late);
        for place in places {
            self.order[place] = new.next();
            if let Some(group) = self.order[place] {
                self.position[group] = place;
            }
        }
    }
}

/// Checks a group with an anchor (C2).
fn check_anchored(flow: &Dataflow, members: &BTreeSet<usize>) -> Result<(), Refusal> {
    let mut anchors = members.iter().copied().filter(|node| is_anchor(flow, *node));
    let anchor = anchors.next().expect("the group has an anchor");
    if anchors.next().is_some() {
        return Err(Refusal::TwoAnchors);
    }
    let is_reduction = |node: &usize| flow.nodes[*node].facts.kind == PatternKind::Reduction;
    if members.iter().any(is_reduction) {
        return Err(Refusal::AnchorAndReduction);
    }
    let (follows, factors) = (followers(flow, anchor, members), factors(flow, anchor, members));
    let inner = members.iter().flat_map(|node| &flow.nodes[*node].outputs);
    let inner = inner.map(|edge| &flow.edges[*edge]);
    for edge in inner.filter(|edge| edge.is_read && members.contains(&edge.to)) {
        let &OpFacts { kind, operations, .. } = &flow.nodes[edge.from].facts;
        if factors.contains(&edge.from) && operations > 0 {
            return Err(Refusal::ComputedFactor { operations });
        }
        if kind == PatternKind::Injective && operations > FEW_OPERATIONS {
            return Err(Refusal::GatheredInTiles { operations });
        }
        let is_legal = match follows.contains(&edge.from) {
            true => edge.is_pointwise(&flow.nodes[edge.to].facts.results),
            false => matches!(rule(flow, edge), Ok(Rule::Recompute | Rule::Prologue)),
        };
        if !is_legal {
            return Err(Refusal::NotPointwise);
        }
    }
    Ok(())
}

/// All nodes of a group from which a factor of the anchor is computed.
fn factors(flow: &Dataflow, anchor: usize, members: &BTreeSet<usize>) -> BTreeSet<usize> {
    let (mut found, mut left) = (BTreeSet::new(), vec![anchor]);
    while let Some(node) = left.pop() {
        let edges = flow.nodes[node].inputs.iter().map(|edge| &flow.edges[*edge]);
        for edge in edges.filter(|edge| edge.is_read && !edge.is_start) {
            if members.contains(&edge.from) && found.insert(edge.from) {
                left.push(edge.from);
            }
        }
    }
    found
}

/// An anchor, and all nodes of a group that are computed from it.
pub fn followers(flow: &Dataflow, anchor: usize, members: &BTreeSet<usize>) -> BTreeSet<usize> {
    let (mut found, mut left) = (BTreeSet::from([anchor]), vec![anchor]);
    while let Some(node) = left.pop() {
        let read = flow.nodes[node].outputs.iter().map(|edge| flow.edges[*edge].to);
        for to in read.filter(|to| members.contains(to)) {
            if found.insert(to) {
                left.push(to);
            }
        }
    }
    found
}

pub fn is_anchor(flow: &Dataflow, node: usize) -> bool {
    flow.nodes[node].facts.kind == PatternKind::Anchor
}

#[cfg(test)]
mod tests;
