//! `join`: join a loop with the next one, which continues its iterations.
//!
//! ```text
//! loop.for serial %i.0 in 2 { loop.block "B" [..] = (%i.0) .. }
//! loop.for serial %i.1 in 28 { loop.block "B.1" [..] = (%i.1 + 2) .. }
//!   ->  join "B:i.0"
//! loop.for serial %i in 30 { loop.block "B" [..] = (%i) .. }
//! ```
//! The inverse of `loop_partition`: the instances and their order stay the same. The body of the first loop is kept,
//! so parts must be joined from the first one on: the body of a later part may have been simplified for its range. If
//! the two loops are the first parts of a loop, `i.0` and `i.1`, the result gets the name of that loop again, if no
//! enclosing or nested loop has it.
//!
//! Requires
//! - (C1) the target is a loop
//! - (C2) another loop follows directly; both are serial or both unrolled, and neither has annotations
//! - (C3) the bodies are equal up to names, if the variable of the first loop is replaced by that of the second loop
//!   plus an *offset*: the extent of the first loop or, if that is a minimum, one of its operands. A reduction over the
//!   loop has its `loop.init` in the first loop only
//! - (C4) the ranges are contiguous: if the second loop has iterations, the number of iterations of the first loop is
//!   the offset of (C3)
//! - (C5) each reduction still sets its start values once: see `src/schedule/primitive/loop/split/peel.rs`
//! - (C6) at function level, the loops contain no loops that are bound to threads, because the second kernel starts
//!   only after the first kernel has ended
//!
//! Handles to the second loop and to the loops and blocks in it are invalidated.

use crate::analysis::system::{Answer, System};
use crate::dialect::loop_enums::LoopKind;
use crate::ir::Attribute;
use crate::ir::affine::{Constraint, Expr};
use crate::nest::derived_name;
use crate::nest::edit;
use crate::nest::facts::known_sizes::never_below;
use crate::nest::facts::structural_equality::Same;
use crate::nest::state::State;
use crate::nest::summary::{NodeId, NodeKind, Summary, bounds};
use crate::schedule::error::loops::LoopsReason;
use crate::schedule::error::{Reason, ScheduleError};
use crate::schedule::legality::form::not_annotated;
use crate::schedule::legality::proof::Proofs;
use crate::schedule::name;
use crate::schedule::primitive::declaration::primitive;
use crate::schedule::primitive::r#loop::split::peel;
use crate::schedule::verdict::Verdict;

primitive! {
    "Join a loop and the next loop, whose range continues that of the first"
    /// Returns the name of the loop.
    join(r#loop: Loop; proof) -> String;
    |state| join(state, r#loop, proof)
}

/// The result of the check.
pub struct Plan<'s> {
    first: NodeId,
    second: NodeId,
    name: String,
    extent: Vec<Expr>,
    same: Same<'s>,
    /// The iters whose domains in the first part cover that part only, and by how much these domains grow.
    widened: Vec<(NodeId, usize, i64)>,
}

/// Joins `target` with the loop after it; returns the name of the loop. On an error the IR is unchanged.
pub fn join(state: &mut State, target: &str, proofs: &mut Proofs) -> Result<String, ScheduleError> {
    let summary = state.summary().clone();
    let plan = check(&summary, target, proofs)?;
    if let Some(pair) = plan.same.other_ops(state) {
        return Err(different_headers(&summary, pair));
    }
    rewrite(state, &plan);
    Ok(plan.name)
}

pub fn check<'s>(
    summary: &'s Summary,
    target: &str,
    proofs: &mut Proofs,
) -> Result<Plan<'s>, ScheduleError> {
    let first = name::loop_of(summary, target)?;
    let second = behind(summary, first)?;
    let [this, next] = [first, second].map(|node| summary.as_loop(node).expect("a loop"));
    let [of_first, of_second] = [this, next].map(|part| match part.constant_extent() {
        Some(extent) => vec![extent.max(0).into()],
        None => part.extent.clone(),
    });
    let (start, same) = continued(summary, (first, second), &of_first)?;
    let extent: Vec<Expr> =
        of_second.iter().map(|e| summary.simplified(&(e.clone() + start.clone()))).collect();
    let verdict = adjoin(summary, first, &of_first, &start, &extent);
    proofs.require(&verdict, || {
        let (first_name, name) = (this.name.clone(), next.name.clone());
        Reason::from(LoopsReason::Gap { first: first_name, name }).at(second, 4)
    })?;
    let widened = check_starts(summary, (first, &same), (&start, &extent), proofs)?;
    check_kernel(summary, first)?;
    let name = name_of(summary, [first, second]);
    Ok(Plan { first, second, name, extent, same, widened })
}

/// (C2)
fn behind(summary: &Summary, first: NodeId) -> Result<NodeId, ScheduleError> {
    let this = summary.as_loop(first).expect("a loop");
    if !matches!(this.kind, LoopKind::Serial | LoopKind::Unroll) {
        let (name, kind) = (this.name.clone(), this.kind);
        return Err(Reason::NotSerial { name, kind }.at(first, 2));
    }
    let parent = summary.nodes[first].parent.expect("a loop stands in something");
    let siblings = &summary.nodes[parent].children;
    let place = siblings.iter().position(|n| *n == first).expect("it is a child of its parent");
    let is_joinable = |node: &NodeId| {
        summary.as_loop(*node).is_some_and(|next| next.kind == this.kind)
            && summary.otherwise.contains(node) == summary.otherwise.contains(&first)
    };
    let second = siblings.get(place + 1).copied().filter(is_joinable);
    let second = second.ok_or_else(|| {
        let (name, kind) = (this.name.clone(), this.kind);
        Reason::from(LoopsReason::NothingBehind { name, kind }).at(first, 2)
    })?;
    not_annotated(this, first, 2)?;
    not_annotated(summary.as_loop(second).expect("a loop"), second, 2)?;
    Ok(second)
}

/// (C3): the extent of the first loop at which the second continues, and the pairs of equal nodes
fn continued<'s>(
    summary: &'s Summary,
    nodes: (NodeId, NodeId),
    extents: &[Expr],
) -> Result<(Expr, Same<'s>), ScheduleError> {
    let mut refusal = None;
    for start in extents {
        match Same::of(summary, nodes, start) {
            Ok(same) => return Ok((start.clone(), same)),
            Err(pair) => refusal = refusal.or(Some(pair)),
        }
    }
    Err(different_headers(summary, refusal.expect("an extent has an expression")))
}

fn different_headers(summary: &Summary, (first, second): (NodeId, NodeId)) -> ScheduleError {
    let reason = LoopsReason::NotTheSame { first: summary.name(first), name: summary.name(second) };
    Reason::from(reason).at(second, 3).note(first, "it is not structurally equal to this")
}

/// (C4): proves that `[0, first)` and `[start, all)` together are `[0, all)`, in this partition. All three are
/// minimums.
fn adjoin(summary: &Summary, node: NodeId, first: &[Expr], start: &Expr, all: &[Expr]) -> Verdict {
    let at_least =
        |a: &Expr, b: &Expr| Constraint::NonNegative((a.clone() - b.clone()).simplified());
    let above = |a: &Expr, b: &Expr| at_least(a, &(b.clone() + 1.into()));
    let one = Expr::Constant(1);
    let mut clashes: Vec<Vec<Constraint>> = vec![];
    for extent in first.iter().filter(|extent| *extent != start) {
        // The second loop has iterations, but the first does not reach its start.
        let mut clash: Vec<Constraint> = all.iter().map(|e| above(e, start)).collect();
        clash.push(above(start, extent));
        clashes.push(clash);
    }
    for last in all {
        // The second loop has none, and the first ends too early ..
        for extent in first {
            let mut clash = vec![at_least(start, last)];
            clash.extend(all.iter().flat_map(|e| [above(e, extent), at_least(e, &one)]));
            clashes.push(clash);
        }
        // .. or too late.
        let mut clash = vec![at_least(start, last)];
        clash.extend(first.iter().flat_map(|e| [above(e, last), at_least(e, &one)]));
        clashes.push(clash);
    }
    let known = bounds_around(summary, node);
    let is_impossible = |clash: &Vec<Constraint>| {
        let conditions = [&known[..], clash].concat();
        let system =
            System { dims: summary.variables.len(), sizes: summary.sizes.len(), conditions };
        system.solve() == Answer::Empty
    };
    match clashes.iter().all(is_impossible) {
        true => Verdict::Proved,
        false => Verdict::Unknown("the first may have fewer iterations, or more".into()),
    }
}

/// Bounds of the variables of the nodes around a node.
fn bounds_around(summary: &Summary, node: NodeId) -> Vec<Constraint> {
    let mut known = vec![];
    for around in summary.ancestors(node) {
        match &summary.nodes[around].kind {
            NodeKind::Loop(this) => known.extend(bounds(this.variable, &this.extent)),
            NodeKind::Block(this) => {
                known.extend(this.iters.iter().flat_map(|it| bounds(it.variable, &it.domain)));
            }
            _ => {}
        }
    }
    known
}

/// (C5), and the part of (C3) about starts and domains: partitioning the joined loop again must give the present loops.
fn check_starts(
    summary: &Summary,
    (first, same): (NodeId, &Same),
    (start, extent): (&Expr, &[Expr]),
    proofs: &mut Proofs,
) -> Result<Vec<(NodeId, usize, i64)>, ScheduleError> {
    let mut joined = summary.clone();
    let blocks: Vec<(NodeId, NodeId)> =
        same.pairs.iter().copied().filter(|(node, _)| summary.as_block(*node).is_some()).collect();
    if let NodeKind::Loop(this) = &mut joined.nodes[first].kind {
        this.extent = extent.to_vec();
    }
    for (ours, other) in &blocks {
        let domains = summary.as_block(*other).expect("a block").iters.iter().map(|i| &i.domain);
        if let NodeKind::Block(block) = &mut joined.nodes[*ours].kind {
            block.iters.iter_mut().zip(domains).for_each(|(iter, d)| iter.domain.clone_from(d));
        }
    }
    let starts = peel::starts(&joined, first, never_below(&joined, first, start, 1), 5, proofs)?;
    let mut widened = vec![];
    for (ours, other) in blocks {
        let [one, two] = [ours, other].map(|node| summary.as_block(node).expect("a block"));
        if one.has_init != (two.has_init || starts.are_in_first(ours)) {
            return Err(different_headers(summary, (ours, other)));
        }
        for (i, (iter, second)) in one.iters.iter().zip(&two.iters).enumerate() {
            let is_first = starts.narrowed.contains(&(ours, i));
            let more = match (&iter.domain[..], &second.domain[..]) {
                (narrow, all) if narrow == all && !is_first => continue,
                ([narrow], [all]) if narrow == start && is_first => {
                    (all.clone() - start.clone()).simplified().constant()
                }
                _ => None,
            };
            let more = more.ok_or_else(|| different_headers(summary, (ours, other)))?;
            widened.push((ours, i, more));
        }
    }
    Ok(widened)
}

/// (C6)
fn check_kernel(summary: &Summary, first: NodeId) -> Result<(), ScheduleError> {
    let is_bound = |node: &NodeId| summary.as_loop(*node).is_some_and(|this| this.thread.is_some());
    let bound = summary.under(first).into_iter().find(is_bound);
    match bound.filter(|_| summary.nodes[first].parent == Some(NodeId::FUNCTION)) {
        Some(bound) => {
            let name = summary.as_loop(first).expect("a loop").name.clone();
            let error = Reason::from(LoopsReason::TwoKernels(name)).at(first, 6);
            Err(error.note(bound, "this loop is bound"))
        }
        None => Ok(()),
    }
}

/// The name of the first loop, or of the loop that the two are parts of.
fn name_of(summary: &Summary, [first, second]: [NodeId; 2]) -> String {
    let [own, other] = [first, second].map(|node| &summary.as_loop(node).expect("a loop").name);
    let base = own.strip_suffix(".0").filter(|base| *other == derived_name::part(base, 1));
    let free = base.filter(|base| derived_name::new_loop(summary, base, &[first]) == **base);
    free.unwrap_or(own).to_owned()
}

fn rewrite(state: &mut State, plan: &Plan) {
    let op = state.op(plan.first);
    for (id, iter, more) in &plan.widened {
        peel::set_domain(state.op(*id), *iter, |size| size + (*more).into());
    }
    state.rewriter.erase(state.op(plan.second));
    op.set_attribute("name", Attribute::string(op.context(), &plan.name));
    edit::set_loop_extent(op, &plan.extent, (state.variables(), state.sizes()));
    edit::widen_regions(op);
}
