//! Do the executions of a loop keep their order as a pipeline? Asked of summaries, before and after.

use super::versions::Version;
use super::{Stages, statements};
use crate::dialect::loop_enums::{IterRole, LoopKind, Scope};
use crate::ir::affine::{Constraint, Expr};
use crate::nest::summary::{Body, BufferId, Iter, NodeId, NodeKind, Summary, Variable, VariableId};
use crate::schedule::legality::exact;
use crate::schedule::legality::proof::Verdict;
use std::collections::BTreeMap;

/// (C6): A pipeline is one loop over more iterations, in which each statement runs in those that it is meant for.
/// Buffers have their copies in the summary.
pub fn check_order(
    summary: &Summary,
    node: NodeId,
    stages: &Stages,
    versions: &[Version],
) -> Verdict {
    let mut before = summary.clone();
    without_copies(&mut before, node, stages, versions);
    without_barriers(&mut before, node);
    let variable = before.as_loop(node).expect("a loop").variable;
    let extent = before.as_loop(node).expect("a loop").extent[0].clone();
    for id in before.blocks_under(node) {
        tell_iterations(&mut before, id, variable);
    }
    let mut after = before.clone();
    let statements = statements(&after, node);
    for (statement, stage) in statements.iter().zip(&stages.stage) {
        let at = Expr::Dim(variable) - (*stage).into();
        for inner in after.under(*statement) {
            shift(&mut after, inner, variable, &at);
            if let NodeKind::Block(block) = &mut after.nodes[inner].kind
                && matches!(block.body, Body::Leaf { .. })
            {
                let last = extent.clone() - at.clone() - 1.into();
                block.predicate.push(Constraint::NonNegative(at.simplified()));
                block.predicate.push(Constraint::NonNegative(last.simplified()));
            }
        }
    }
    after.nodes[node].children = stages.order.iter().map(|i| statements[*i]).collect();
    if let NodeKind::Loop(this) = &mut after.nodes[node].kind {
        this.extent = vec![(extent + stages.last().into()).simplified()];
    }
    let statement_of: BTreeMap<NodeId, usize> = statements
        .iter()
        .enumerate()
        .flat_map(|(i, statement)| {
            before.blocks_under(*statement).into_iter().map(move |id| (id, i))
        })
        .collect();
    let keep = |a: NodeId, b: NodeId| match (statement_of.get(&a), statement_of.get(&b)) {
        (Some(a), Some(b)) => keep_their_order(stages, *a, *b),
        _ => true,
    };
    exact::check_order_but(&before, &after.in_text_order(), &keep)
}

/// Takes away accesses of buffers with copies whose executions keep their order: those of which all statements, of two
/// that clash in an iteration, keep theirs in it.
///
/// Let statements of stages `p` and `q` touch a copy in iterations `a` and `b` of one iteration of the loops around. As
/// `a + p` and `b + q` come in another order than `a` and `b` only if these differ, and by no more than `p` and `q`, they
/// differ by less than there are copies, which is one more than any two stages of the buffer differ by. So the two are not in
/// the same copy.
fn without_copies(summary: &mut Summary, node: NodeId, stages: &Stages, versions: &[Version]) {
    let statements = statements(summary, node);
    for buffer in versions.iter().flat_map(|version| version.buffers.iter().copied()) {
        let touches = |statement: NodeId, wanted: &dyn Fn(bool) -> bool| {
            summary.blocks_under(statement).into_iter().any(|id| {
                let accesses = summary.as_block(id).expect("a block").accesses();
                accesses.iter().any(|access| access.buffer == buffer && wanted(access.is_write))
            })
        };
        let places = || 0..statements.len();
        let pairs = places().flat_map(|a| (a + 1..statements.len()).map(move |b| (a, b)));
        let is_kept = |(a, b): (usize, usize)| {
            let (first, second) = (statements[a], statements[b]);
            let writes = touches(first, &|writes| writes) || touches(second, &|writes| writes);
            let both = touches(first, &|_| true) && touches(second, &|_| true);
            !(writes && both) || come_in_order(stages, a, b)
        };
        if !pairs.into_iter().all(is_kept) {
            continue;
        }
        for id in summary.blocks_under(node) {
            if let NodeKind::Block(block) = &mut summary.nodes[id].kind {
                block.retain_accesses(|access| access.buffer != buffer);
            }
        }
    }
}

/// Do two statements, the first of which comes first in the text, do so in an iteration of the loop?
fn come_in_order(stages: &Stages, a: usize, b: usize) -> bool {
    let place = |statement: usize| stages.order.iter().position(|other| *other == statement);
    (stages.stage[a], place(a)) < (stages.stage[b], place(b))
}

/// Do all executions of two statements, or of one, keep their order? Those of one stage do whose places keep theirs.
///
/// In the loop an execution of iteration `i` comes in iteration `i + stage` of the pipeline. Two of one iteration of the
/// loops around it come in the order of their iterations, to which both add the same; two of one iteration in the order
/// of the text, which is that of the places, or, of one statement, in the order of what is inside of it, which stays
/// as it is. All else that orders two executions stands around the loop. For the same reason nothing changes for
/// an execution outside of the loop: what orders the two, the text or a loop around both, knows neither
/// the iteration nor the stage.
fn keep_their_order(stages: &Stages, a: usize, b: usize) -> bool {
    let place = |statement: usize| stages.order.iter().position(|other| *other == statement);
    stages.stage[a] == stages.stage[b] && (a < b) == (place(a) < place(b))
}

/// Barriers stand between all statements that clash, so each runs in all threads before the next one does.
fn without_barriers(summary: &mut Summary, node: NodeId) {
    if !super::has_barrier(summary, node) {
        return;
    }
    for inner in summary.under(node) {
        let children = summary.nodes[inner].children.clone();
        let is_barrier = |n: &NodeId| matches!(summary.nodes[*n].kind, NodeKind::Sync);
        let left = children.into_iter().filter(|n| !is_barrier(n)).collect();
        summary.nodes[inner].children = left;
        if let NodeKind::Loop(this) = &mut summary.nodes[inner].kind
            && this.thread.is_some_and(|axis| !axis.is_block())
        {
            (this.kind, this.thread) = (LoopKind::Serial, None);
        }
    }
    // Barriers elsewhere in the nest order nothing in the loop.
    let nodes = summary.nodes.len();
    for outer in 0..nodes {
        let children = summary.nodes[outer].children.clone();
        let is_barrier = |n: &NodeId| matches!(summary.nodes[*n].kind, NodeKind::Sync);
        summary.nodes[outer].children = children.into_iter().filter(|n| !is_barrier(n)).collect();
    }
}

/// Gives a schedule block an iter that is the iteration, so that its instances are told apart.
fn tell_iterations(summary: &mut Summary, id: NodeId, variable: VariableId) {
    let number = summary.variables.len();
    let NodeKind::Block(block) = &mut summary.nodes[id].kind else { return };
    let iter = Iter {
        name: "iteration".into(),
        role: IterRole::Spatial,
        domain: vec![],
        variable: number,
    };
    // Those around a nest are what its own are bound to.
    let is_leaf = matches!(block.body, Body::Leaf { .. });
    if is_leaf {
        summary.variables.push(Variable::Iter(id, block.iters.len()));
        block.iters.push(iter);
        block.binding.push(Expr::Dim(variable));
    }
}

fn shift(summary: &mut Summary, node: NodeId, variable: VariableId, at: &Expr) {
    let moved = |expr: &Expr| {
        let dim = |v: usize| if v == variable { at.clone() } else { Expr::Dim(v) };
        expr.substitute(&dim, &Expr::Symbol).simplified()
    };
    let all = |conditions: &mut Vec<Constraint>| {
        conditions.iter_mut().for_each(|c| *c = c.on(moved(c.expr())));
    };
    match &mut summary.nodes[node].kind {
        NodeKind::Loop(this) => this.extent.iter_mut().for_each(|e| *e = moved(e)),
        NodeKind::If(conditions) => all(conditions),
        NodeKind::Block(block) => {
            block.binding.iter_mut().for_each(|e| *e = moved(e));
            all(&mut block.predicate);
        }
        _ => {}
    }
}

/// Which statements touch memory in common that one of them writes, as far as barriers are concerned.
pub struct Clashes {
    /// Of each statement, the buffers that threads see of each other, and whether it writes them.
    accesses: Vec<Vec<(BufferId, bool)>>,
    /// How many copies a buffer has.
    versions: Vec<(BufferId, i64)>,
    pub has_barriers: bool,
    pub starts_with_barrier: bool,
}

impl Clashes {
    pub fn of(summary: &Summary, node: NodeId, versions: &[Version]) -> Self {
        let of_statement = |statement: &NodeId| {
            let mut found = vec![];
            for id in summary.blocks_under(*statement) {
                for access in summary.as_block(id).expect("a block").accesses() {
                    let own = summary.buffers[access.buffer].scope == Some(Scope::Local);
                    let entry = (access.buffer, access.is_write);
                    if !own && !found.contains(&entry) {
                        found.push(entry);
                    }
                }
            }
            found
        };
        let of_version = |version: &Version| {
            version.buffers.iter().map(|id| (*id, version.copies)).collect::<Vec<_>>()
        };
        let first = summary.nodes[node].children.first();
        Clashes {
            accesses: statements(summary, node).iter().map(of_statement).collect(),
            versions: versions.iter().flat_map(of_version).collect(),
            has_barriers: super::has_barrier(summary, node),
            starts_with_barrier: first
                .is_some_and(|n| matches!(summary.nodes[*n].kind, NodeKind::Sync)),
        }
    }

    /// Do two statements clash, of which the second works on an iteration `ahead` of the first's?
    pub fn are(&self, first: usize, second: usize, ahead: i64) -> bool {
        self.accesses[first].iter().any(|(buffer, writes)| {
            let copies = self.versions.iter().find(|(b, _)| b == buffer).map_or(1, |(_, n)| *n);
            ahead.rem_euclid(copies) == 0
                && self.accesses[second].iter().any(|(b, w)| b == buffer && (*writes || *w))
        })
    }
}
