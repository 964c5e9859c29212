//! `rfactor`: factor a reduction: compute a partial result for each iteration of a loop, then reduce these.
//!
//! ```text
//! for %i in 32 { for %j in 2 { for %k in 16 {
//!   block "B" [%vi: spatial 32, %vj: reduce 2, %vk: reduce 16] = (%i, %j, %k) { B[vi] += A[vi, vj, vk] }
//! } } }
//!   ->  rfactor "B:k"
//! for %rf_k in 16 { for %i in 32 { for %j in 2 {
//!   block "rf_B" [%vi: spatial 32, %vj: reduce 2, %vk: spatial 16] = (%i, %j, %rf_k)
//!       { rf_B[vk, vi] += A[vi, vj, vk] }
//! } } }
//! for %i in 32 { for %k in 16 {
//!   block "B" [%vi: spatial 32, %vk: reduce 16] = (%i, %k) { B[vi] += rf_B[vk, vi] }
//! } }
//! ```
//! The block `rf_B` computes the partial results, and the block `B` combines them. Partial results start from the
//! identity of the reducer; the block `B` keeps the start value of the reduction. An iter that is bound to the factored
//! loop and another loop becomes one iter for each loop: `%vk = %k.0 * 4 + %k.1` becomes `%vk.0 = %k.0` and
//! `%vk.1 = %k.1`. If no reduce iter remains, the block `rf_B` gets one with domain 1. The block `rf_B` is placed
//! before the whole nest, in copies of the loops of the nest. A predicate stays at the block `rf_B`: partial results
//! keep the identity for elements that it excludes. If the predicate excludes a whole partial result, the loop of the
//! block `B` is shortened. A reducer of several values gets one buffer for each value.
//!
//! Requires
//! - (C1) the target is a loop
//! - (C2) the loop is serial
//! - (C3) the block is a leaf without calls and a reduction; its reducer is not `ordered`, and combining with its
//!   stated identities changes no value
//! - (C4) at least one reduce iter is bound to the loop, and no iter with another role
//! - (C5) the factor axis, the position of the new dimension, is from -(n + 1) to n for a buffer of n dimensions
//! - (C6) only loops enclose the block, except for branches around the whole nest; from the outermost reduction loop
//!   inwards, each loop is the only statement in the enclosing one; there is no opaque iter; no loop is bound to a
//!   thread axis, and no loop has both reduce and other iters bound to it
//! - (C7) the extent of the loop is a constant or a size and never negative; extents of the remaining spatial loops do
//!   not depend on reduction loops; extents of loops that share an iter with this loop are expressions over sizes
//! - (C8) the indices of stores are expressions over spatial iters and sizes, and the block loads the stored buffer
//!   only at the stored element
//! - (C9) the other reduce iters are 0 at the first instance of each point, and the predicate holds there; a condition
//!   of the predicate that holds in some iteration of the other reduction loops also holds in their first iteration; if
//!   a condition depends on reduction loops only, it is an upper bound of the factored loop in the first iteration of
//!   the other ones, or does not depend on the factored loop there
//! - (C10) the iters are an injective function of the loops, and the stored element is an injective function of the
//!   spatial iters
//! - (C11) the updates may be grouped into partial results: see
//!   [`src/schedule/legality/fp.rs`](crate::schedule::legality::fp). Or no other reduction loop has several iterations,
//!   so that each partial result is one value, and the block `B` combines these in the old order; this excludes
//!   `welford`. For `argmax` and `argmin`, which select the first of equal values, other conditions apply. They compare
//!   values by ordered comparisons, which are false for NaN. Either the factored loop is the outermost reduction loop,
//!   or the index increases with the iterations and is never below the index of the start value; then the block `B`
//!   selects the value with the least index: see
//!   [`src/schedule/legality/arg_reduction.rs`](crate::schedule::legality::arg_reduction)
//! - (C12) no other block of the nest writes what the block reads
//!
//! The other reduction loops around the block `B` are removed; around `rf_B` they remain. Other handles and names stay
//! valid. The new buffers are named `rf_B` for `B` and have scope global; names that are taken get a number.

mod rewrite;

use crate::dialect::loop_enums::{Combiner, IterRole};
use crate::ir::affine::{Constraint, Expr, Linear};
use crate::nest::derived_name;
use crate::nest::edit::NewIter;
use crate::nest::facts::reduction;
use crate::nest::facts::reduction::Roles;
use crate::nest::state::State;
use crate::nest::summary::{
    Access, Body, BufferId, NodeId, NodeKind, Summary, VariableId, mentions,
};
use crate::schedule::error::{Reason, ReductionReason, ScheduleError};
use crate::schedule::legality::arg_reduction;
use crate::schedule::legality::arg_reduction::TiedValues;
use crate::schedule::legality::form::never_negative;
use crate::schedule::legality::form::serial;
use crate::schedule::legality::proof::Proofs;
use crate::schedule::name;
use crate::schedule::primitive::declaration::primitive;
use crate::schedule::verdict::Verdict;

primitive! {
    "Factor a reduction: partial results for each iteration of a loop, then their reduction"
    /// Returns the name of the schedule block that computes the partial results.
    rfactor(
        r#loop: Loop,
        factor_axis: OptionalInteger = "The position of the new dimension in the partial results (default: 0)";
        proof
    ) -> String;
    |state| rfactor(state, r#loop, factor_axis.unwrap_or(0), proof)
}

/// The result of the check.
pub struct Plan {
    pub block: NodeId,
    /// The factored loop.
    pub factored: NodeId,
    /// All loops around the block, outermost first.
    pub loops: Vec<NodeId>,
    /// The loops that are removed.
    pub dropped: Vec<NodeId>,
    /// The position of the new dimension.
    pub axis: usize,
    pub name: String,
    pub loop_name: String,
    /// The iters of the first step, with the iter of the block that each comes from.
    pub first: Vec<PartIter>,
    /// The iters of the last step.
    pub last: Vec<NewIter>,
    /// The name of the iter of both steps that represents the factored loop.
    pub factor: String,
    /// The predicate of the last step and the extent of its loop.
    pub predicate: Vec<Constraint>,
    pub extent: Vec<Expr>,
    /// The extent of the new dimension.
    pub size: Expr,
    pub order: CombineOrder,
}

/// The order in which values are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CombineOrder {
    /// Each partial result is one value, and the last step combines them in the block's order.
    Kept,
    /// Any order.
    Free,
    /// The last step breaks ties by the least index, which the block does not.
    ByIndex,
}

/// An iter of the first step.
pub struct PartIter {
    pub iter: NewIter,
    /// The iter of the block that it is, or is a part of.
    pub of: usize,
    /// True if it is a part, bound to one loop.
    pub is_part: bool,
}

/// Factors the loop `target`; returns the name of the block of partial results. On an error the IR is unchanged.
pub fn rfactor(
    state: &mut State,
    target: &str,
    axis: i64,
    proofs: &mut Proofs,
) -> Result<String, ScheduleError> {
    let plan = check(state.summary(), target, axis, proofs)?;
    rewrite::rewrite(state, &plan);
    Ok(plan.name)
}

pub fn check(
    summary: &Summary,
    target: &str,
    axis: i64,
    proofs: &mut Proofs,
) -> Result<Plan, ScheduleError> {
    let factored = name::loop_of(summary, target)?;
    let this = serial(summary, factored, 2)?;
    let block_name = target.split_once(':').map_or(target, |(block, _)| block);
    let id = name::block(summary, block_name)?;
    let roles = Roles::of(summary, id);
    check_reducer(&roles)?;
    if !roles.only_reduces(this.variable) {
        let (block, name) = (block_name.to_owned(), this.name.clone());
        let reason = match roles.reduces(this.variable) {
            true => ReductionReason::MixedLoop { block, name },
            false => ReductionReason::NotReduceLoop { block, name },
        };
        return Err(reason.at(factored, 4));
    }
    let axis = check_axis(&roles, axis)?;
    let loops = check_loops(&roles)?;
    let reduces = |node: &NodeId| roles.reduces(roles.variable(*node));
    let dropped: Vec<NodeId> =
        loops.iter().copied().filter(|node| reduces(node) && *node != factored).collect();
    let kept: Vec<NodeId> = loops.iter().copied().filter(|node| !reduces(node)).collect();
    let size = check_extent(&roles, factored)?;
    // The last step has no other reducing loops, and in the first step the factored loop is outermost.
    roles.check_extents(&kept, &|node| reduces(&node), 7)?;
    check_stores(&roles)?;
    let (first, factor) = first_iters(&roles, factored, &loops)?;
    check_start(&roles, &first)?;
    let (predicate, extent) = last_predicate(&roles, factored)?;
    let last = last_iters(&first, &factor, &extent);

    roles.require_injective(proofs, &loops, 10)?;
    roles.require_own_cells(proofs, 10)?;
    let order = check_order(&roles, factored, (&loops, &dropped), proofs)?;
    check_inputs(&roles, loops[0], proofs)?;

    let name = derived_name::block_name(summary, &format!("rf_{block_name}"));
    let taken = |name: &str| {
        loops.iter().any(|node| summary.as_loop(*node).is_some_and(|l| l.name == name))
    };
    let loop_name = derived_name::fresh(&format!("rf_{}", this.name), &taken);
    let block = id;
    Ok(Plan {
        block,
        factored,
        loops,
        dropped,
        axis,
        name,
        loop_name,
        first,
        last,
        factor,
        predicate,
        extent,
        size,
        order,
    })
}

/// (C3)
fn check_reducer(roles: &Roles) -> Result<(), ScheduleError> {
    let (block, id) = (roles.block, roles.id);
    let name = || block.name.clone();
    match &block.body {
        Body::Nest => return Err(Reason::NestBody(name()).at(id, 3)),
        Body::Leaf { calls: true, .. } => return Err(Reason::Calls(name()).at(id, 3)),
        Body::Leaf { .. } => {}
    }
    match &block.reducer {
        Some(combiners) if !combiners.contains(&Combiner::Ordered) => {}
        _ => return Err(ReductionReason::NoReducer(name()).at(id, 3)),
    }
    match block.without_identity {
        Some(combiner) => Err(ReductionReason::NoIdentity { block: name(), combiner }.at(id, 3)),
        None => Ok(()),
    }
}

/// (C5)
fn check_axis(roles: &Roles, axis: i64) -> Result<usize, ScheduleError> {
    let rank = roles.block.stores().next().map_or(0, |store| store.indices.len()) as i64;
    let place = if axis < 0 { axis + rank + 1 } else { axis };
    match usize::try_from(place) {
        Ok(place) if place as i64 <= rank => Ok(place),
        _ => Err(ReductionReason::BadAxis { axis, least: -(rank + 1), most: rank }.at(roles.id, 5)),
    }
}

/// (C6)
fn check_loops(roles: &Roles) -> Result<Vec<NodeId>, ScheduleError> {
    let (summary, id, block) = (roles.summary, roles.id, roles.block);
    let loops = roles.loops();
    let is_branch = |node: &NodeId| matches!(summary.nodes[*node].kind, NodeKind::If(_));
    let outermost = summary.ancestors(id).filter(|node| !is_branch(node)).last().unwrap_or(id);
    let around = reduction::path(summary, outermost, id);
    if let Some((other, what)) = reduction::between(summary, &around) {
        let (block, name) = (block.name.clone(), roles.loop_name(loops[0]));
        return Err(ReductionReason::StandsBetween { block, name, what }
            .at(id, 6)
            .note(other, "it is here"));
    }
    if let Some(iter) = block.iters.iter().find(|iter| iter.role == IterRole::Opaque) {
        let (block, iter, role) = (block.name.clone(), iter.name.clone(), iter.role);
        return Err(Reason::NotSpatial { block, iter, role }.at(id, 6));
    }
    roles.check_no_threads(&loops, 6)?;
    let reduces = |node: &&NodeId| roles.reduces(roles.variable(**node));
    let mixed = |node: &&NodeId| reduces(node) && roles.places(roles.variable(**node));
    if let Some(node) = loops.iter().find(mixed) {
        let (block, name) = (block.name.clone(), roles.loop_name(*node));
        return Err(ReductionReason::MixedLoop { block, name }.at(*node, 6));
    }
    for node in loops.iter().skip_while(|node| !reduces(node)) {
        let children = &summary.nodes[*node].children;
        if children.len() != 1 {
            let inner = match children.iter().find(|child| summary.under(**child).contains(&id)) {
                Some(child) => summary.name(*child),
                None => block.name.clone(),
            };
            let outer = roles.loop_name(*node);
            return Err(Reason::NotAlone { inner, outer }.at(*node, 6));
        }
    }
    Ok(loops)
}

/// Part of (C7): the extent of the loop itself, which becomes the size of the new dimension.
fn check_extent(roles: &Roles, factored: NodeId) -> Result<Expr, ScheduleError> {
    let extent = &roles.summary.as_loop(factored).expect("a loop").extent;
    let is_plain = |e: &&Expr| !e.has_dims() && never_negative(&e.simplified());
    // The least constant, if there is one: it bounds the extent and sizes the buffer.
    let constant = extent.iter().filter_map(Expr::constant).min();
    let size = constant.map(|size| Expr::Constant(size.max(0)));
    let size = size.or_else(|| extent.iter().find(is_plain).cloned());
    match size {
        Some(size) if extent.iter().all(|e| !e.has_dims()) => Ok(size),
        _ => Err(ReductionReason::NotPlainExtent(roles.loop_name(factored)).at(factored, 7)),
    }
}

/// (C8)
fn check_stores(roles: &Roles) -> Result<(), ScheduleError> {
    let block = roles.block;
    let is_reduce = |v: VariableId| {
        block.iters.iter().any(|iter| iter.variable == v && iter.role == IterRole::Reduce)
    };
    let is_spatial = |index: &Option<Expr>| {
        index.as_ref().is_some_and(|e| {
            let mut reduces = false;
            e.visit_leaves(&mut |leaf| {
                reduces |= matches!(leaf, Expr::Dim(v) if is_reduce(VariableId::of_dim(*v)));
            });
            !reduces
        })
    };
    let name = |buffer: BufferId| roles.summary.buffers[buffer].name.clone();
    for store in block.stores().filter(|store| !store.in_init) {
        let block_name = block.name.clone();
        if !store.indices.iter().all(is_spatial) {
            let buffer = name(store.buffer);
            return Err(
                ReductionReason::NotSpatialPlace { block: block_name, buffer }.at(roles.id, 8)
            );
        }
        let is_other = |load: &Access| load.buffer == store.buffer && load.indices != store.indices;
        if block.loads().any(is_other) {
            let buffer = name(store.buffer);
            return Err(Reason::ReadsOwnResult { block: block_name, buffer }.at(roles.id, 8));
        }
    }
    Ok(())
}

/// The iters of the first step, and the one that represents the factored loop. Part of (C7): loops that share an iter
/// with the factored one.
fn first_iters(
    roles: &Roles,
    factored: NodeId,
    loops: &[NodeId],
) -> Result<(Vec<PartIter>, String), ScheduleError> {
    let variable = roles.variable(factored);
    let mut found: Vec<PartIter> = vec![];
    let mut factor = None;
    let iters = || roles.block.iters.iter().zip(&roles.block.binding);
    // The iter that is bound to exactly the loop, if there is one.
    let is_plain = |bound: &Expr| *bound == variable.expr();
    let plain = iters().find(|(iter, bound)| iter.role == IterRole::Reduce && is_plain(bound));
    if let Some((iter, _)) = plain {
        factor = Some(iter.name.clone());
    }
    let mut parts: Vec<VariableId> = plain.map(|_| variable).into_iter().collect();
    for (i, (iter, bound)) in iters().enumerate() {
        let whole = |role| NewIter {
            name: iter.name.clone(),
            role,
            domain: iter.domain.clone(),
            binding: bound.clone(),
        };
        if factor.as_ref() == Some(&iter.name) {
            found.push(PartIter { iter: whole(IterRole::Spatial), of: i, is_part: false });
        } else if !mentions(bound, variable) {
            found.push(PartIter { iter: whole(iter.role), of: i, is_part: false });
        } else {
            let bound_loops = loops.iter().filter(|node| mentions(bound, roles.variable(**node)));
            for (n, node) in bound_loops.enumerate() {
                let part = roles.variable(*node);
                if parts.contains(&part) {
                    continue;
                }
                parts.push(part);
                let this = roles.summary.as_loop(*node).expect("a loop");
                if this.extent.iter().any(Expr::has_dims) {
                    return Err(ReductionReason::NotPlainExtent(this.name.clone()).at(*node, 7));
                }
                let taken = |name: &str| {
                    roles.block.iters.iter().any(|other| other.name == name)
                        || found.iter().any(|other| other.iter.name == name)
                };
                let name = derived_name::fresh(&format!("{}.{n}", iter.name), &taken);
                let role = match *node == factored {
                    true => IterRole::Spatial,
                    false => IterRole::Reduce,
                };
                if *node == factored {
                    factor = Some(name.clone());
                }
                let domain = this.extent.iter().map(Expr::or_empty).collect();
                let iter = NewIter { name, role, domain, binding: part.expr() };
                found.push(PartIter { iter, of: i, is_part: true });
            }
        }
    }
    if !found.iter().any(|part| part.iter.role == IterRole::Reduce) {
        let taken = |name: &str| found.iter().any(|other| other.iter.name == name);
        let name = derived_name::fresh("one", &taken);
        let (role, domain) = (IterRole::Reduce, vec![1.into()]);
        let iter = NewIter { name, role, domain, binding: 0.into() };
        found.push(PartIter { iter, of: roles.block.iters.len(), is_part: false });
    }
    Ok((found, factor.expect("a reduce iter is bound to the loop")))
}

/// Part of (C9): partial results start where the reduce iters of the first step are 0.
fn check_start(roles: &Roles, first: &[PartIter]) -> Result<(), ScheduleError> {
    let starts_later = |part: &&PartIter| {
        part.iter.role == IterRole::Reduce
            && roles.at_zero(&part.iter.binding, &|_| true).constant() != Some(0)
    };
    match first.iter().find(starts_later) {
        Some(part) => {
            let (block, iter) = (roles.block.name.clone(), part.iter.name.clone());
            Err(ReductionReason::StartsLater { block, iter }.at(roles.id, 9))
        }
        None => Ok(()),
    }
}

/// Part of (C9): the predicate of the last step, and the extent of its loop.
fn last_predicate(
    roles: &Roles,
    factored: NodeId,
) -> Result<(Vec<Constraint>, Vec<Expr>), ScheduleError> {
    let this = roles.summary.as_loop(factored).expect("a loop");
    let is_dropped = |v: VariableId| roles.only_reduces(v) && v != this.variable;
    let mut predicate = vec![];
    let mut extent = this.extent.clone();
    for constraint in &roles.block.predicate {
        let refuse = || {
            let (block, name) = (roles.block.name.clone(), this.name.clone());
            Err(ReductionReason::NotBound { block, name }.at(roles.id, 9))
        };
        let rest = roles.at_zero(constraint.expr(), &is_dropped);
        if !is_weakest_at_zero(constraint, &is_dropped) {
            return refuse();
        }
        if !roles.is_of_reduction(constraint) {
            predicate.push(constraint.on(rest));
            continue;
        }
        if !roles.holds_at_start(constraint) {
            return Err(ReductionReason::StartUnknown(roles.block.name.clone()).at(roles.id, 9));
        }
        if !mentions(&rest, this.variable) {
            continue;
        }
        let (Constraint::NonNegative(_), Some(bound)) = (constraint, bound(&rest, this.variable))
        else {
            return refuse();
        };
        if !extent.contains(&bound) {
            extent.push(bound);
        }
    }
    let least = extent.iter().filter_map(Expr::constant).min();
    extent.retain(|e| e.constant().is_none());
    extent.splice(0..0, least.map(Expr::Constant));
    Ok((predicate, extent))
}

/// True if a condition that holds for some values of the dropped variables also holds where they are 0.
fn is_weakest_at_zero(constraint: &Constraint, is_dropped: &dyn Fn(VariableId) -> bool) -> bool {
    let mentions_dropped = |expr: &Expr| {
        let mut found = false;
        expr.visit_leaves(&mut |leaf| {
            found |= matches!(leaf, Expr::Dim(v) if is_dropped(VariableId::of_dim(*v)))
        });
        found
    };
    if !mentions_dropped(constraint.expr()) {
        return true;
    }
    let zeroed = |atom: &Expr| {
        let dim =
            |v: usize| if is_dropped(VariableId::of_dim(v)) { 0.into() } else { Expr::Dim(v) };
        atom.substitute(&dim, &Expr::Symbol).simplified()
    };
    matches!(constraint, Constraint::NonNegative(_))
        && Linear::of(constraint.expr()).terms.iter().all(|(atom, coefficient)| {
            !mentions_dropped(atom)
                || !coefficient.is_positive()
                    && never_negative(atom)
                    && zeroed(atom).constant() == Some(0)
        })
}

/// The bound if `expr >= 0` is equivalent to `variable < bound`.
fn bound(expr: &Expr, variable: VariableId) -> Option<Expr> {
    let mut linear = Linear::of(expr);
    let step =
        linear.terms.remove(&variable.expr())?.checked_neg().filter(|step| step.is_positive())?;
    let rest = linear.to_expr();
    // rest - step * v >= 0: v is at most rest floordiv step.
    let count = (rest + 1.into()).simplified();
    let ceil = Expr::binary(crate::ir::affine::BinaryKind::CeilDiv, count.clone(), step.into());
    let bound = if step == 1 { count } else { ceil.simplified() };
    (!mentions(&bound, variable) && !bound.has_dims()).then_some(bound)
}

/// The iters of the last step: the spatial ones, and the one for the factored loop.
fn last_iters(first: &[PartIter], factor: &str, extent: &[Expr]) -> Vec<NewIter> {
    let is_kept = |part: &&PartIter| part.iter.role == IterRole::Spatial;
    let last = first.iter().filter(is_kept).map(|part| match part.iter.name == factor {
        false => part.iter.clone(),
        true => {
            let domain = match part.is_part {
                true => extent.iter().map(Expr::or_empty).collect(),
                false => part.iter.domain.clone(),
            };
            NewIter { role: IterRole::Reduce, domain, ..part.iter.clone() }
        }
    });
    last.collect()
}

/// (C11)
fn check_order(
    roles: &Roles,
    factored: NodeId,
    (loops, dropped): (&[NodeId], &[NodeId]),
    proofs: &mut Proofs,
) -> Result<CombineOrder, ScheduleError> {
    if roles.block.arg_reduction.as_ref().is_some_and(|update| !update.breaks_ties) {
        return check_first(roles, factored, loops, proofs);
    }
    let runs_once = |node: &NodeId| {
        let this = roles.summary.as_loop(*node).expect("a loop");
        this.runs_at_most_once()
    };
    // Partial means are combined by another formula than single values.
    let mut combiners = roles.block.reducer.iter().flatten();
    let joins_values = !combiners.any(|c| *c == Combiner::Welford);
    if joins_values && dropped.iter().all(runs_once) {
        return Ok(CombineOrder::Kept);
    }
    roles.require_free_order(proofs, 11)?;
    Ok(CombineOrder::Free)
}

/// Part of (C11): reducers that select the first of equal values.
fn check_first(
    roles: &Roles,
    factored: NodeId,
    loops: &[NodeId],
    proofs: &mut Proofs,
) -> Result<CombineOrder, ScheduleError> {
    let block = || roles.block.name.clone();
    let by_index = arg_reduction::may_break_ties(roles.summary, roles.id, TiedValues::Partials);
    if by_index == Ok(Verdict::Proved) {
        return Ok(CombineOrder::ByIndex);
    }
    let first = loops.iter().find(|node| roles.reduces(roles.variable(**node)));
    let is_comparable = roles.block.arg_reduction.as_ref().is_some_and(|found| found.by_comparison);
    if first != Some(&factored) {
        let name = roles.loop_name(factored);
        let refusal = || ReductionReason::KeepsFirst { block: block(), name }.at(factored, 11);
        let verdict = by_index.unwrap_or_else(|why| Verdict::Unknown(why.into()));
        proofs.require(&verdict, refusal)?;
        return Ok(CombineOrder::ByIndex);
    }
    let outcome = match is_comparable {
        true => Ok(()),
        false => Err(ReductionReason::NotComparable(block()).at(roles.id, 11)),
    };
    proofs.require_by_roles(outcome)?;
    Ok(CombineOrder::Free)
}

/// (C12)
fn check_inputs(roles: &Roles, nest: NodeId, proofs: &mut Proofs) -> Result<(), ScheduleError> {
    let stored: Vec<_> = roles.block.stores().map(|store| store.buffer).collect();
    let read: Vec<_> = roles
        .block
        .loads()
        .filter(|load| !load.in_init && !stored.contains(&load.buffer))
        .map(|load| load.buffer)
        .collect();
    let mut others = roles.summary.blocks_under(nest);
    others.retain(|other| *other != roles.id);
    let clashes = |access: &Access| access.is_write && read.contains(&access.buffer);
    roles.require_no_access(proofs, &others, &clashes, 12)
}
