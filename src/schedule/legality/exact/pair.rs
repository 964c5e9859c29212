//! Conflict tests for pairs of executions of leaf schedule blocks.

use super::joined::joined_by;
use super::ways::{self, ThreadPair};
use super::{Turn, worse};
use crate::analysis::dependence::{AccessPair, All, Dependence, equal};
use crate::analysis::digits;
use crate::analysis::system::{Budget, Point};
use crate::dialect::loop_enums::{Combiner, IterRole, Scope, ThreadAxis};
use crate::ir::affine::Expr;
use crate::nest::facts::cross_thread_reduction;
use crate::nest::summary::{
    Access, Block, Body, BufferId, Loop, NodeId, Summary, VariableId, mentions,
};
use crate::schedule::legality::execution;
use crate::schedule::legality::execution::{Execution, LaneLoop};
use crate::schedule::legality::fp;
use crate::schedule::legality::quick;
use crate::schedule::verdict::{Instance, Verdict, Witness};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// The relation between two executions that is a conflict, besides access to a common element.
pub(crate) enum Relation<'a> {
    /// The executions change their order. The fields are the same executions in the other summary.
    Order { first: Execution<'a>, second: Execution<'a>, linked: All },
    /// The executions are concurrent in any of these ways.
    Apart(Vec<All>),
    /// The executions are ordered in any of these ways, in which the permutation reverses their order.
    Permuted(Vec<All>),
    /// The executions run in different threads of an axis that a loop is bound to, or would be.
    Threads(NodeId, ThreadAxis),
    /// The executions run in different threads of a thread block, or in any. The first precedes the second
    /// in program order or by an iteration of a loop.
    Race(Option<NodeId>, ThreadPair),
    /// One reads the buffer, the other writes it.
    InTurn(Turn, BufferId),
    /// The first stores initial values, and the second precedes it.
    Starts,
}

/// Two executions of two leaves.
pub(crate) struct ExecutionPair<'a> {
    pub(crate) first: Execution<'a>,
    pub(crate) second: Execution<'a>,
    pub(crate) relation: Relation<'a>,
    pub(crate) dims: usize,
    /// The reason why a point is no proof of a conflict, if there is one.
    pub(crate) vague: Option<String>,
    /// The executions are in different iterations of the loop with this variable.
    pub(crate) differ_in: Option<VariableId>,
}

impl<'a> ExecutionPair<'a> {
    /// The first execution precedes the second in `before`, and does not in `after`.
    pub(crate) fn ordered(
        before: &'a Summary,
        after: &'a Summary,
        (old_first, new_first): (NodeId, NodeId),
        (old_second, new_second): (NodeId, NodeId),
    ) -> ExecutionPair<'a> {
        let none = BTreeMap::new();
        let mut next = 0;
        let mut vague = None;
        let mut linked = vec![];
        let mut execution = |old: NodeId, new: NodeId| {
            let earlier = Execution::new(before, old, &mut next, &none);
            if execution::same_surroundings(before, old, after, new) {
                let later = Execution::new(after, new, &mut next, earlier.dims());
                return (earlier, later);
            }
            let repeating = execution::repeating(before, old, after, new);
            let shared = earlier.dims().iter().filter(|(v, _)| repeating.contains(v));
            let shared = shared.map(|(v, dim)| (*v, *dim)).collect();
            let later = Execution::new(after, new, &mut next, &shared);
            linked.extend(earlier.iters().iter().zip(later.iters()).map(|(a, b)| equal(a, &b)));
            if !execution::executes_once(before, old, &repeating)
                || !execution::executes_once(after, new, &repeating)
            {
                let name = &before.as_block(old).expect("a block").name;
                vague = Some(format!("schedule block \"{name}\" may repeat its instances"));
            }
            (earlier, later)
        };
        let (first, later_first) = execution(old_first, new_first);
        let (second, later_second) = execution(old_second, new_second);
        if execution::has_barrier(before, old_first) || execution::has_barrier(after, new_first) {
            vague = Some("the nest holds a barrier".into());
        }
        let relation = Relation::Order { first: later_first, second: later_second, linked };
        ExecutionPair { first, second, relation, dims: next, vague, differ_in: None }
    }

    /// The first execution precedes the second, and no longer does if the iterations of a loop are lanes.
    pub(crate) fn in_lockstep(
        summary: &'a Summary,
        first: NodeId,
        second: NodeId,
        lanes: LaneLoop,
    ) -> Self {
        // The order by loops around it does not change.
        let around = quick::in_turn_around(summary, lanes.node);
        let mut next = 0;
        let x = Execution::new(summary, first, &mut next, &BTreeMap::new());
        let common = x.dims().iter().filter(|(v, _)| around.contains(v));
        let y =
            Execution::new(summary, second, &mut next, &common.map(|(v, d)| (*v, *d)).collect());
        let relation =
            Relation::Order { first: x.in_lanes(lanes), second: y.in_lanes(lanes), linked: vec![] };
        ExecutionPair { first: x, second: y, relation, dims: next, vague: None, differ_in: None }
    }

    /// Two executions in the same iteration of the loops `shared` that are concurrent in one of several
    /// ways.
    pub(crate) fn apart(
        summary: &'a Summary,
        first: NodeId,
        second: NodeId,
        shared: &[VariableId],
        ways: impl FnOnce(&Execution, &Execution) -> Vec<All>,
    ) -> ExecutionPair<'a> {
        let mut next = 0;
        let x = Execution::new(summary, first, &mut next, &BTreeMap::new());
        let common = x.dims().iter().filter(|(v, _)| shared.contains(v));
        let y =
            Execution::new(summary, second, &mut next, &common.map(|(v, d)| (*v, *d)).collect());
        let mut ways = ways(&x, &y);
        if first == second && ways.len() == 2 {
            // The test covers both accesses in both positions already.
            ways.pop();
        }
        let relation = Relation::Apart(ways);
        ExecutionPair { first: x, second: y, relation, dims: next, vague: None, differ_in: None }
    }

    /// The pair, for a question to which a barrier in the nest may give another answer.
    pub(crate) fn vague_with_barrier(self) -> Self {
        let barrier = execution::has_barrier(self.first.summary, self.first.block);
        let vague = barrier.then(|| "the nest holds a barrier".to_owned());
        ExecutionPair { vague, ..self }
    }

    /// Two executions in the same iteration of the loops `shared` that are ordered in one of several ways.
    pub(crate) fn permuted(
        summary: &'a Summary,
        first: NodeId,
        second: NodeId,
        shared: &[VariableId],
        ways: impl FnOnce(&Execution, &Execution) -> Vec<All>,
    ) -> ExecutionPair<'a> {
        let mut next = 0;
        let x = Execution::new(summary, first, &mut next, &BTreeMap::new());
        let common = x.dims().iter().filter(|(v, _)| shared.contains(v));
        let y =
            Execution::new(summary, second, &mut next, &common.map(|(v, d)| (*v, *d)).collect());
        let relation = Relation::Permuted(ways(&x, &y));
        let pair = ExecutionPair {
            first: x,
            second: y,
            relation,
            dims: next,
            vague: None,
            differ_in: None,
        };
        pair.vague_with_barrier()
    }

    /// A read and a write in the same iteration of the loops `shared`. The first execution is the one that
    /// precedes the other under `turn`.
    pub(crate) fn in_turn(
        summary: &'a Summary,
        reader: NodeId,
        writer: NodeId,
        shared: &[VariableId],
        (turn, buffer): (Turn, BufferId),
    ) -> ExecutionPair<'a> {
        let (first, second) = match turn {
            Turn::WrittenFirst => (writer, reader),
            Turn::ReadFirst | Turn::NotReadFirst => (reader, writer),
        };
        let mut next = 0;
        let x = Execution::new(summary, first, &mut next, &BTreeMap::new());
        let common = x.dims().iter().filter(|(v, _)| shared.contains(v));
        let y =
            Execution::new(summary, second, &mut next, &common.map(|(v, d)| (*v, *d)).collect());
        let barrier = execution::has_barrier(summary, first);
        let vague = barrier.then(|| "the nest holds a barrier".to_owned());
        ExecutionPair {
            first: x,
            second: y,
            relation: Relation::InTurn(turn, buffer),
            dims: next,
            vague,
            differ_in: None,
        }
    }

    pub(crate) fn check(&self, budget: &mut Budget) -> Verdict {
        let summary = self.first.summary;
        let block = |id: NodeId| summary.as_block(id).expect("a block");
        let (a, b) = (block(self.first.block), block(self.second.block));
        let calls = |block: &&&Block| matches!(block.body, Body::Leaf { calls: true, .. });
        if let Some(block) = [&a, &b].iter().find(|block| calls(block)) {
            return Verdict::Unknown(format!(
                "the calls in \"{}\" may access any buffer",
                block.name
            ));
        }
        if execution::are_exclusive(summary, self.first.block, self.second.block) {
            return Verdict::Proved;
        }
        let nests = summary.ancestors(self.first.block).chain(summary.ancestors(self.second.block));
        let starts = |id: &NodeId| summary.as_block(*id).is_some_and(|block| block.has_init);
        if let Some(nest) = nests.into_iter().find(starts) {
            return Verdict::Unknown(format!(
                "schedule block \"{}\" gives start values to a nest",
                block(nest).name
            ));
        }
        let mut verdict = Verdict::Proved;
        let mut asked: BTreeSet<(usize, usize)> = BTreeSet::new();
        for (i, x) in a.accesses().iter().enumerate() {
            for (j, y) in b.accesses().iter().enumerate() {
                if x.buffer != y.buffer || !self.is_asked(x, y) {
                    continue;
                }
                // Accesses of the same element need one test only.
                let known = |list: &[Access], n: usize| list.iter().position(|o| *o == list[n]);
                let key =
                    (known(a.accesses(), i).unwrap_or(i), known(b.accesses(), j).unwrap_or(j));
                if !asked.insert(key) && self.is_plain() {
                    continue;
                }
                verdict = worse(verdict, self.check_accesses((i, x), (j, y), budget));
                if matches!(verdict, Verdict::Refuted(_)) {
                    return verdict;
                }
            }
        }
        verdict
    }

    /// True if two accesses of one buffer can conflict under this relation.
    fn is_asked(&self, x: &Access, y: &Access) -> bool {
        match self.relation {
            Relation::InTurn(turn, buffer) => {
                let writes_first = turn == Turn::WrittenFirst;
                x.buffer == buffer && x.is_write == writes_first && y.is_write != writes_first
            }
            Relation::Race(..) => {
                let scope = self.first.summary.buffers[x.buffer].scope;
                scope != Some(Scope::Local) && (x.is_write || y.is_write)
            }
            Relation::Starts => x.in_init && (x.is_write || y.is_write),
            _ => x.is_write || y.is_write,
        }
    }

    /// True if the position of accesses in a body does not matter.
    fn is_plain(&self) -> bool {
        self.first.block != self.second.block
    }

    /// True if both accesses belong to updates of one block that may be reordered.
    fn commute(&self, x: &Access, y: &Access) -> bool {
        let summary = self.first.summary;
        let this = summary.as_block(self.first.block).expect("a block");
        let is_update = |access: &Access| {
            let same = |store: &Access| {
                !store.in_init
                    && store.buffer == access.buffer
                    && store.indices == access.indices
                    && store.indices.iter().all(Option::is_some)
            };
            !access.in_init && this.stores().any(same)
        };
        self.first.block == self.second.block
            && is_update(x)
            && is_update(y)
            && this.iters.iter().any(|iter| iter.role == IterRole::Reduce)
            && fp::may_reorder_updates(summary, self.first.block).is_ok()
    }

    /// True if the accessed element determines the variables in which the executions differ, and both
    /// accesses have the same index function. The constraint systems cannot prove this for quotients by
    /// sizes, or for loops that were fused.
    fn is_injective(&self, x: &Access, y: &Access) -> bool {
        let (summary, id) = (self.first.summary, self.first.block);
        let cell = |access: &Access| -> Option<Vec<Expr>> {
            let resolved = |index: &Option<Expr>| Some(summary.over_loops(index.as_ref()?));
            access.indices.iter().map(resolved).collect()
        };
        let (variables, predicate) = match &self.relation {
            Relation::Race(_, ThreadPair::Different) => (self.threads(), vec![]),
            Relation::Race(_, ThreadPair::Any) => return false,
            _ => {
                let predicate = summary.as_block(id).expect("a block").predicate.clone();
                (self.differ_in.into_iter().collect(), predicate)
            }
        };
        if variables.is_empty() {
            return false;
        }
        let (Some(first), Some(second)) = (cell(x), cell(y)) else { return false };
        let is_same = match id == self.second.block {
            true => x.indices == y.indices,
            false => self.is_same_function(&first, &second),
        };
        is_same
            && variables.iter().all(|v| digits::determines(&first, v.index(), summary, &predicate))
    }

    /// The thread variables of the first execution. Empty if the two executions do not have the same thread
    /// axes, or if one of them is a cross-thread reduction, whose updates are outside of the thread loops.
    fn threads(&self) -> Vec<VariableId> {
        let summary = self.first.summary;
        let of = |execution: &Execution| -> BTreeMap<&'static str, VariableId> {
            let loops = summary.loops_around(execution.block);
            let loops = loops.filter_map(|node| summary.as_loop(node));
            let axis = |this: &Loop| this.thread.filter(|axis| axis.is_thread());
            loops.filter_map(|this| Some((axis(this)?.word(), this.variable))).collect()
        };
        let both = [&self.first, &self.second];
        let is_apart =
            both.iter().all(|it| cross_thread_reduction::loops(summary, it.block).is_empty());
        let [first, second] = both.map(of);
        match is_apart && first.keys().eq(second.keys()) {
            true => first.into_values().collect(),
            false => vec![],
        }
    }

    /// True if two elements are the same function of common loops and of corresponding loops. Corresponding
    /// loops have the same constant extent and are bound to the same axis.
    fn is_same_function(&self, first: &[Expr], second: &[Expr]) -> bool {
        let summary = self.first.summary;
        let loops = |execution: &Execution, cell: &[Expr]| -> Vec<&Loop> {
            let is_mentioned = |node: &NodeId| {
                cell.iter().any(|e| mentions(e, summary.as_loop(*node).expect("a loop").variable))
            };
            let around = execution.loops().into_iter().filter(is_mentioned);
            around.filter_map(|node| summary.as_loop(node)).collect()
        };
        let (ours, theirs) = (loops(&self.first, first), loops(&self.second, second));
        let is_alike = |(a, b): (&&Loop, &&Loop)| {
            a.variable == b.variable
                || a.thread == b.thread
                    && a.constant_extent().is_some()
                    && a.constant_extent() == b.constant_extent()
        };
        let renamed = |expr: &Expr| {
            let variable = |id: usize| {
                let place = theirs.iter().position(|this| this.variable == VariableId::of_dim(id));
                Expr::Dim(place.map_or(id, |place| (ours[place].variable).index()))
            };
            expr.substitute(&variable, &Expr::Symbol).simplified()
        };
        ours.len() == theirs.len()
            && ours.iter().zip(&theirs).all(is_alike)
            && first.iter().map(|e| e.clone().simplified()).eq(second.iter().map(renamed))
    }

    /// True if both accesses are atomic updates that may run in any order or concurrently.
    fn are_joined(&self, x: &Access, y: &Access) -> bool {
        let (first, second) = (&self.first, &self.second);
        let joined = || joined_by(first.summary, (first.block, x), (second.block, y));
        match &self.relation {
            Relation::Apart(_) | Relation::Permuted(_) => joined().is_some(),
            // GPUs have no atomic multiplication.
            Relation::Threads(..) | Relation::Race(..) => {
                joined().is_some_and(|combiner| combiner != Combiner::Mul)
            }
            // In lockstep, all lanes load before any of them stores, so an update is not atomic.
            Relation::Order { first: later, .. } => !later.is_in_lanes() && joined().is_some(),
            Relation::InTurn(..) | Relation::Starts => false,
        }
    }

    fn check_accesses(
        &self,
        (i, x): (usize, &Access),
        (j, y): (usize, &Access),
        budget: &mut Budget,
    ) -> Verdict {
        let summary = self.first.summary;
        let block = |id: NodeId| summary.as_block(id).expect("a block");
        if self.are_joined(x, y) || self.is_injective(x, y) {
            return Verdict::Proved;
        }
        let (one, other) = (&*self.first.accessing(x), &*self.second.accessing(y));
        let (mut domain, exact) = self.first.conditions(x.in_init);
        let mut vague = self.vague.clone().or(exact.err());
        let (more, exact) = self.second.conditions(y.in_init);
        domain.extend(more);
        vague = vague.or(exact.err());
        let mut clash = vec![];
        for (a, b) in self.first.cell(x).iter().zip(self.second.cell(y)) {
            match (a, b) {
                (Some(a), Some(b)) => clash.push(equal(a, &b)),
                _ => vague = Some("an index depends on data".into()),
            }
        }
        if x.is_conditional || y.is_conditional {
            vague = vague.or(Some("an access happens only under a condition".into()));
        }
        let (before, after) = match &self.relation {
            Relation::Apart(ways) => (vec![vec![]], ways.clone()),
            Relation::Permuted(_) if self.commute(x, y) => return Verdict::Proved,
            Relation::Permuted(ways) => (vec![vec![]], ways.clone()),
            Relation::Starts => {
                let ways = execution::order(other, one, false).before();
                if ways.is_empty() {
                    return Verdict::Proved;
                }
                (vec![vec![]], ways)
            }
            Relation::Threads(node, axis) => {
                let ways = ways::other_threads(one, other, *node, *axis);
                if ways.is_empty() {
                    return Verdict::Proved;
                }
                (vec![vec![]], ways)
            }
            Relation::InTurn(turn, _) => {
                let order = execution::order(one, other, i < j);
                let (mut ways, in_text) = match turn {
                    Turn::NotReadFirst => (order.not_before(false), j < i),
                    _ => (order.before(), i < j),
                };
                if self.first.block == self.second.block && in_text {
                    // In the same execution, one after the other.
                    let this = |node: &NodeId| {
                        equal(&self.first.variable(*node), &self.second.variable(*node))
                    };
                    ways.push(self.first.loops().iter().map(this).collect());
                }
                (vec![vec![]], ways)
            }
            Relation::Race(carrier, threads) => {
                let ways = ways::race(one, other, *carrier, *threads);
                if ways.is_empty() {
                    return Verdict::Proved;
                }
                (vec![vec![]], ways)
            }
            Relation::Order { first, second, linked } => {
                let lockstep = i < j;
                let commute = self.commute(x, y);
                for (execution, access) in [(first, x), (second, y)] {
                    let (more, exact) = execution.conditions(access.in_init);
                    domain.extend(more);
                    vague = vague.or(exact.err());
                }
                domain.extend(linked.iter().cloned());
                let mut known = HashSet::new();
                domain.retain(|condition| known.insert(condition.clone()));
                // No two lanes may write one element.
                let later_lockstep = lockstep && !(x.is_write && y.is_write);
                (
                    execution::order(one, other, lockstep).before(),
                    execution::order(&first.accessing(x), &second.accessing(y), later_lockstep)
                        .not_before(commute),
                )
            }
        };
        let sizes = summary.sizes.len();
        let mut mentioned = BTreeSet::new();
        let conditions = domain.iter().chain(&clash).map(|c| c.expr().clone());
        for expr in conditions.chain(self.first.cell(x).into_iter().flatten()) {
            expr.visit_leaves(&mut |leaf| {
                if let Expr::Symbol(size) = leaf {
                    mentioned.insert(*size);
                }
            });
        }
        let question = AccessPair { dims: self.dims, sizes, domain, clash, before, after, vague };
        match question.decide(budget) {
            Dependence::Proved => Verdict::Proved,
            Dependence::Refuted(point, when) => match self.witness(&point, &mentioned, x, y) {
                Some(witness) => Verdict::Refuted(Box::new(Witness { when, ..witness })),
                None => Verdict::Unknown("a number is too large".into()),
            },
            Dependence::Unknown(why) => {
                let (a, b) = (block(self.first.block), block(self.second.block));
                let buffer = &summary.buffers[x.buffer].name;
                Verdict::Unknown(format!(
                    "\"{}\" and \"{}\" may access one cell of \"{buffer}\", as {why}",
                    a.name, b.name
                ))
            }
        }
    }

    /// The conflict at a point, in names.
    fn witness(
        &self,
        point: &Point,
        sizes: &BTreeSet<usize>,
        x: &Access,
        y: &Access,
    ) -> Option<Witness> {
        let summary = self.first.summary;
        let instance = |execution: &Execution, access: &Access| {
            let of = |node: &NodeId| {
                let value = execution.variable(*node).evaluate(&point.dims, &point.sizes)?;
                Some((summary.as_loop(*node)?.name.clone(), value))
            };
            Some(Instance {
                block: summary.as_block(execution.block)?.name.clone(),
                loops: execution.loops().iter().map(of).collect::<Option<_>>()?,
                writes: access.is_write,
            })
        };
        let value = |index: &Option<Expr>| index.as_ref()?.evaluate(&point.dims, &point.sizes);
        let cell: Vec<i64> = self.first.cell(x).iter().map(value).collect::<Option<_>>()?;
        let other: Vec<i64> = self.second.cell(y).iter().map(value).collect::<Option<_>>()?;
        let named =
            |size: &usize| Some((summary.size_names.get(*size)?.clone(), *point.sizes.get(*size)?));
        (cell == other).then_some(Witness {
            first: instance(&self.first, x)?,
            second: instance(&self.second, y)?,
            buffer: summary.buffers[x.buffer].name.clone(),
            cell,
            sizes: sizes.iter().filter_map(named).collect(),
            when: vec![],
            size_names: summary.size_names.clone(),
        })
    }
}
