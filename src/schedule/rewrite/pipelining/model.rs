//! Checks that pipelining preserves the order of conflicting executions, on summaries before and after.

use super::versions::Version;
use super::{Stages, statements};
use crate::dialect::loop_enums::{IterRole, LoopKind, Scope};
use crate::ir::affine::{Constraint, Expr};
use crate::nest::summary::{Body, BufferId, Iter, NodeId, NodeKind, Summary, Variable, VariableId};
use crate::schedule::legality::exact;
use crate::schedule::verdict::Verdict;
use std::collections::BTreeMap;

/// (C6): models a pipeline as one loop with more iterations, in which each statement runs in the iterations of its
/// stage. The buffers have their copies in the summary.
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
        add_iteration_iter(&mut before, id, variable);
    }
    let mut after = before.clone();
    let statements = statements(&after, node);
    for (statement, stage) in statements.iter().zip(&stages.stage) {
        let at = variable.expr() - (*stage).into();
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

/// Removes accesses of buffers with copies if their executions keep their order. That holds if every two statements
/// that conflict in an iteration keep their order in it.
///
/// Proof: let statements of stages `p` and `q` access a copy in iterations `a` and `b` of one iteration of the
/// enclosing loops. The order of `a + p` and `b + q` differs from that of `a` and `b` only if `a` and `b` differ, and
/// by no more than `p` and `q` do. That is less than the number of copies, which is one more than any two stages of the
/// buffer differ by. So the two accesses are to different copies.
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

/// True if two statements, the first of which precedes the other in the text, keep that order in an iteration of the
/// pipeline.
fn come_in_order(stages: &Stages, a: usize, b: usize) -> bool {
    let place = |statement: usize| stages.order.iter().position(|other| *other == statement);
    (stages.stage[a], place(a)) < (stages.stage[b], place(b))
}

/// True if all executions of two statements, or of one, keep their order: they have one stage, and their positions keep
/// theirs.
///
/// In the loop, an execution of iteration `i` runs in iteration `i + stage` of the pipeline. Two executions in one
/// iteration of the enclosing loops are ordered by their iterations, to which both add the same stage. Two executions
/// of the same iteration are ordered by the text, which is the order of the positions; two of one statement by the
/// order inside it, which does not change. Anything else that orders two executions is outside of the loop. For the
/// same reason nothing changes for an execution outside of the loop: what orders the two, the text or a loop around
/// both, depends neither on the iteration nor on the stage.
fn keep_their_order(stages: &Stages, a: usize, b: usize) -> bool {
    let place = |statement: usize| stages.order.iter().position(|other| *other == statement);
    stages.stage[a] == stages.stage[b] && (a < b) == (place(a) < place(b))
}

/// Removes barriers: there is one between all conflicting statements, so each runs in all threads before the next one.
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
    for outer in summary.nodes.keys() {
        let children = summary.nodes[outer].children.clone();
        let is_barrier = |n: &NodeId| matches!(summary.nodes[*n].kind, NodeKind::Sync);
        summary.nodes[outer].children = children.into_iter().filter(|n| !is_barrier(n)).collect();
    }
}

/// Adds an iter for the iteration to a schedule block, so that its instances are distinct in each iteration.
fn add_iteration_iter(summary: &mut Summary, id: NodeId, variable: VariableId) {
    let variable_of_iter = summary.variables.next_key();
    let NodeKind::Block(block) = &mut summary.nodes[id].kind else { return };
    let iter = Iter {
        name: "iteration".into(),
        role: IterRole::Spatial,
        domain: vec![],
        variable: variable_of_iter,
    };
    // The iters of a leaf in a nest block are bound to those of the nest block.
    let is_leaf = matches!(block.body, Body::Leaf { .. });
    if is_leaf {
        summary.variables.push(Variable::Iter(id, block.iters.len()));
        block.iters.push(iter);
        block.binding.push(variable.expr());
    }
}

fn shift(summary: &mut Summary, node: NodeId, variable: VariableId, at: &Expr) {
    let moved = |expr: &Expr| {
        let is_it = |dim| VariableId::of_dim(dim) == variable;
        let dim = |dim| if is_it(dim) { at.clone() } else { Expr::Dim(dim) };
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

/// The conflicts between statements (access to the same memory, at least one write) that barriers must order.
pub struct Clashes {
    /// For each statement, the buffers that threads share, and whether it writes them.
    accesses: Vec<Vec<(BufferId, bool)>>,
    /// The number of copies of a buffer.
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

    /// True if two statements conflict when the second one works on an iteration `ahead` of the first one's.
    pub fn are(&self, first: usize, second: usize, ahead: i64) -> bool {
        self.accesses[first].iter().any(|(buffer, writes)| {
            let copies = self.versions.iter().find(|(b, _)| b == buffer).map_or(1, |(_, n)| *n);
            ahead.rem_euclid(copies) == 0
                && self.accesses[second].iter().any(|(b, w)| b == buffer && (*writes || *w))
        })
    }
}
