//! `reorder` of an imperfect nest: sinks the statements between the loops into the innermost loop.
//!
//! ```text
//! loop.for serial %i in 32 {
//!   loop.block "P" [..] = (%i) ..
//!   loop.for serial %j in 64 { loop.block "B" [..] = (%i, %j) .. }
//!   loop.block "Q" [..] = (%i) ..
//! }
//!   ->  reorder ["B:j", "B:i"]
//! loop.for serial %j in 64 {
//!   loop.for serial %i in 32 {
//!     loop.block "P" [..] = (%i) where(%j == 0) ..
//!     loop.block "B" [..] = (%i, %j) ..
//!     loop.block "Q" [..] = (%i) where(-%j + 63 == 0) ..
//! } }
//! ```
//! A statement before a loop runs in the loop's first iteration, a statement after it in its last iteration, so the
//! loop must have an iteration. A reduction over an empty domain sets its start values in the first iteration only. So
//! a reduction that followed a loop must have a non-empty domain, or the loop must have a single iteration. The loops
//! that a statement sinks through are in order (serial or unrolled). The statement contains no barrier, because all
//! threads must reach a barrier. Loops in the statement have names that no loop of the chain has.

use crate::dialect::loop_enums::LoopKind;
use crate::dialect::loop_op::For;
use crate::ir::Op;
use crate::ir::affine::{Constraint, Expr};
use crate::nest::edit::{BoundConditions, add_predicate};
use crate::nest::facts::known_sizes::never_below;
use crate::nest::facts::reduction::Roles;
use crate::nest::state::State;
use crate::nest::summary::{Loop, NodeId, NodeKind, Summary};
use crate::schedule::error::loops::LoopsReason;
use crate::schedule::error::{Reason, ScheduleError};
use crate::schedule::legality::proof::Proofs;
use crate::schedule::verdict::Verdict;

/// The statements to sink, in their order in the innermost loop.
#[derive(Default)]
pub struct Sunk {
    /// Placed before its body.
    before: Vec<NodeId>,
    /// Placed after its body.
    after: Vec<NodeId>,
    /// Predicates to add to blocks, over the numbers of the summary.
    conditions: Vec<(NodeId, Vec<Constraint>)>,
}

/// The statements between the loops of a chain; none if the nest is perfect.
pub fn check(
    summary: &Summary,
    chain: &[NodeId],
    proofs: &mut Proofs,
) -> Result<Option<Sunk>, ScheduleError> {
    let mut sunk = Sunk::default();
    for (i, pair) in chain.windows(2).enumerate() {
        let children = &summary.nodes[pair[0]].children;
        let place = children.iter().position(|child| *child == pair[1]);
        let place = place.expect("a chain of loops that stand in each other");
        for (n, node) in children.iter().enumerate().filter(|(n, _)| *n != place) {
            check_names(summary, chain, *node)?;
            let conditions = conditions(summary, &chain[i + 1..], *node, n > place, proofs)?;
            let blocks = summary.blocks_under(*node).into_iter().filter(|id| {
                let mut inside = summary.ancestors(*id).take_while(|n| n != node);
                *id == *node
                    || summary.as_block(*node).is_none()
                        && !inside.any(|n| summary.as_block(n).is_some())
            });
            sunk.conditions.extend(blocks.map(|id| (id, conditions.clone())));
        }
        sunk.before.extend(&children[..place]);
        sunk.after.splice(0..0, children[place + 1..].iter().copied());
    }
    Ok((!sunk.before.is_empty() || !sunk.after.is_empty()).then_some(sunk))
}

/// A sunk statement becomes nested in all loops of the chain, so its own loops must have other names.
fn check_names(summary: &Summary, chain: &[NodeId], node: NodeId) -> Result<(), ScheduleError> {
    let name = |node: NodeId| summary.as_loop(node).map(|this| this.name.as_str());
    let around: Vec<&str> = chain.iter().filter_map(|outer| name(*outer)).collect();
    for inner in summary.under(node) {
        if let Some(taken) = name(inner).filter(|name| around.contains(name)) {
            return Err(Reason::NameTaken(taken.to_owned())
                .at(chain[0], 3)
                .note(inner, "this loop would sink into the other one"));
        }
    }
    Ok(())
}

/// The conditions under which a statement that was outside of some loops runs in them.
fn conditions(
    summary: &Summary,
    loops: &[NodeId],
    node: NodeId,
    is_last: bool,
    proofs: &mut Proofs,
) -> Result<Vec<Constraint>, ScheduleError> {
    let barrier = |n: &NodeId| matches!(summary.nodes[*n].kind, NodeKind::Sync);
    if let Some(barrier) = summary.under(node).into_iter().find(barrier) {
        let name = summary.name(loops[0]);
        return Err(Reason::BarrierBeside(name)
            .at(loops[0], 3)
            .note(barrier, "the barrier is here"));
    }
    let mut conditions = vec![];
    for inner in loops {
        let this = summary.as_loop(*inner).expect("a loop");
        if !matches!(this.kind, LoopKind::Serial | LoopKind::Unroll) {
            let reason = Reason::SinksThrough { name: this.name.clone(), kind: this.kind };
            return Err(reason.at(*inner, 3).note(node, "this would sink into it"));
        }
        let variable = this.variable.expr();
        conditions.push(Constraint::Zero(match (is_last, last(this)) {
            (false, _) => variable,
            (true, Some(last)) => (last - variable).simplified(),
            (true, None) => {
                let error = Reason::MinimumExtent(this.name.clone()).at(*inner, 3);
                return Err(error.note(node, "this runs after it"));
            }
        }));
        let verdict = match this.extent.iter().all(|e| never_below(summary, *inner, e, 1)) {
            true => Verdict::Proved,
            false => Verdict::Unknown("the loop may have no iterations".into()),
        };
        proofs.require(&verdict, || {
            let error = Reason::MaybeEmpty(this.name.clone()).at(*inner, 3);
            error.note(node, "this would no longer run")
        })?;
        if let Some(block) =
            lost_start(summary, node).filter(|_| is_last && !this.runs_at_most_once())
        {
            let verdict = Verdict::Unknown("its reduction may be empty".into());
            let lost = LoopsReason::StartKeptOut { block, name: this.name.clone() };
            proofs.require(&verdict, || {
                let error = Reason::from(lost).at(*inner, 3);
                error.note(node, "this would run in the last iteration")
            })?;
        }
    }
    Ok(conditions)
}

/// A schedule block under a node that may reduce over an empty domain, so that it would only set start values.
fn lost_start(summary: &Summary, node: NodeId) -> Option<String> {
    let mut blocks = summary.blocks_under(node).into_iter().map(|id| Roles::of(summary, id));
    let starts = blocks.find(|roles| roles.block.has_init && !roles.never_empty())?;
    Some(starts.block.name.clone())
}

/// The last value of a loop's variable.
fn last(this: &Loop) -> Option<Expr> {
    match (&this.extent[..], this.constant_extent()) {
        (_, Some(extent)) => Some((extent - 1).into()),
        ([extent], None) => Some(extent.clone() - 1.into()),
        _ => None,
    }
}

impl Sunk {
    /// The body of the innermost loop, with the sunk statements around it.
    pub fn wrapped<T>(&self, inside: Vec<T>, of: impl Fn(NodeId) -> T) -> Vec<T> {
        let before = self.before.iter().map(|node| of(*node));
        before.chain(inside).chain(self.after.iter().map(|node| of(*node))).collect()
    }

    /// Adds the predicates and detaches the statements from the IR.
    pub fn detach(&self, state: &State) {
        for (block, constraints) in &self.conditions {
            let conditions = BoundConditions {
                constraints: constraints.clone(),
                variables: state.variables().to_vec(),
                sizes: state.sizes().to_vec(),
            };
            add_predicate(state.op(*block), &conditions);
        }
        self.before.iter().chain(&self.after).for_each(|node| state.op(*node).detach());
    }

    /// The summary with the loops of a chain in a new order and the sunk statements in the innermost one.
    pub fn summary(&self, summary: &Summary, before: &[NodeId], after: &[NodeId]) -> Summary {
        let mut new = summary.clone();
        let (first, last) = (before[0], *before.last().expect("two or more"));
        let inside = self.wrapped(summary.nodes[last].children.clone(), |node| node);
        let mut parent = summary.nodes[first].parent.expect("the function is around it");
        let siblings = &mut new.nodes[parent].children;
        siblings.iter_mut().filter(|n| **n == first).for_each(|n| *n = after[0]);
        for (i, node) in after.iter().enumerate() {
            new.nodes[*node].parent = Some(parent);
            new.nodes[*node].children = after.get(i + 1).map_or(inside.clone(), |next| vec![*next]);
            parent = *node;
        }
        for node in inside {
            new.nodes[node].parent = Some(parent);
        }
        for (id, conditions) in &self.conditions {
            if let NodeKind::Block(block) = &mut new.nodes[*id].kind {
                block.predicate.extend(conditions.iter().cloned());
            }
        }
        new
    }
}

/// The ops in the body of a loop, without the terminator.
pub fn body<'c>(this: &For<'c>) -> Vec<Op<'c>> {
    let mut ops = this.body.ops();
    ops.pop();
    ops
}
