//! Cross-thread reductions: a pure reduction loop is bound to an axis of threads or of thread blocks.
//!
//! ```text
//! for thread_bind[threadIdx.x] %k in 256 { block "B" { B[vi] += A[vi, vk] } }
//! ```
//! Such a loop combines its values in any order. The initialization runs first. The update of an element is
//! one statement outside of the thread loops, so a thread that reads the result must do so after a barrier.
//! It is no cross-thread reduction if each iteration owns an instance of the buffer, or if the block reads
//! other elements of the buffer.
//!
//! [`check`] states the requirements that `bind` has for such a loop, and those for splitting it into
//! partial results:
//! - a leaf without calls, with a reducer whose identities are stated, whose updates may be reordered under
//!   the function's contract; each spatial point has its own element, and of what the block writes it reads
//!   nothing else
//! - from the outermost reduction loop inwards only pure reduction loops, perfectly nested, each serial,
//!   unrolled or bound, and each iteration a different instance
//! - bound loops whose extents do not depend on the other loops of the reduction, and have a constant bound
//!   if they are bound to threads; extents of the other loops that are constants or sizes
//! - no branch around a loop that is bound to thread blocks: a second kernel combines their results, and each nest of
//!   the function is one kernel
//! - a predicate for which the first instance of a point determines whether the point is reduced at all

pub(crate) mod warp;

use super::fp;
use crate::analysis::digits;
use crate::dialect::loop_enums::{IterRole, LoopKind, ThreadAxis};
use crate::ir::affine::{Constraint, Expr};
use crate::nest::facts::cross_thread_reduction::axis;
use crate::nest::facts::reduction;
use crate::nest::facts::reduction::Roles;
use crate::nest::summary::VariableId;
use crate::nest::summary::{Access, Iter, NodeId, NodeKind, Summary, mentions};
use crate::schedule::error::{Reason, ReductionReason, ScheduleError};
use crate::schedule::legality::quick;

/// A cross-thread reduction that can be split into partial results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitReduction {
    pub block: NodeId,
    /// The bound loops of the reduction, outermost first.
    pub bound: Vec<NodeId>,
    /// The other loops of the reduction.
    pub serial: Vec<NodeId>,
    /// The conditions under which a spatial point is reduced.
    pub starts: Vec<Constraint>,
}

/// The cross-thread reduction that a bound loop belongs to. If it does not have the form that the head of
/// the file requires, condition (C`condition`) does not hold.
pub fn check(
    summary: &Summary,
    node: NodeId,
    condition: u8,
) -> Result<SplitReduction, ScheduleError> {
    let id = reducing_block(summary, node, condition)?;
    let block = summary.as_block(id).expect("a block");
    quick::check_instances_independent(summary, id, block, condition)?;
    chain(summary, id, condition)
}

/// As [`check`], except that spatial points may share an element, as they do if each iteration of the
/// enclosing loops reuses the buffer. The reduction may then only be reordered where it is, not moved.
pub fn check_in_place(
    summary: &Summary,
    node: NodeId,
    condition: u8,
) -> Result<SplitReduction, ScheduleError> {
    let id = reducing_block(summary, node, condition)?;
    quick::check_own_cell(summary, id, summary.as_block(id).expect("a block"), condition)?;
    chain(summary, id, condition)
}

/// The block that reduces over a loop, if its updates may be reordered.
fn reducing_block(summary: &Summary, node: NodeId, condition: u8) -> Result<NodeId, ScheduleError> {
    let Some((id, block, _)) = quick::reduces_over(summary, node) else {
        return Err(ReductionReason::NoReducer(summary.name(node)).at(node, condition));
    };
    fp::may_reorder_updates(summary, id).map_err(|reason| reason.at(id, condition))?;
    match block.without_identity {
        Some(combiner) => {
            let block = block.name.clone();
            Err(ReductionReason::NoIdentity { block, combiner }.at(id, condition))
        }
        None => Ok(id),
    }
}

/// The loops of a reduction.
fn chain(summary: &Summary, id: NodeId, condition: u8) -> Result<SplitReduction, ScheduleError> {
    let block = summary.as_block(id).expect("a block");
    let roles = Roles::of(summary, id);
    let name = |node: NodeId| roles.loop_name(node);
    check_cells(&roles, condition)?;
    let around = roles.loops();
    let first = around.iter().position(|n| roles.reduces(roles.variable(*n)));
    let chain = &around[first.expect("the loop reduces")..];
    let path = reduction::path(summary, chain[0], id);
    if let Some((other, what)) = reduction::between(summary, &path) {
        let (block, name) = (block.name.clone(), name(chain[0]));
        return Err(ReductionReason::StandsBetween { block, name, what }
            .at(id, condition)
            .note(other, "it is here"));
    }
    let (mut bound, mut serial) = (vec![], vec![]);
    for here in chain {
        let this = summary.as_loop(*here).expect("a loop");
        let (block, name) = (block.name.clone(), this.name.clone());
        if !roles.only_reduces(this.variable) {
            let reason = match roles.reduces(this.variable) {
                true => ReductionReason::MixedLoop { block, name },
                false => ReductionReason::NotReduceLoop { block, name },
            };
            return Err(reason.at(*here, condition));
        }
        if summary.nodes[*here].children.len() != 1 {
            let (inner, outer) = (block, name);
            return Err(Reason::NotAlone { inner, outer }.at(*here, condition));
        }
        match this.kind {
            // One thread block reduces alone.
            LoopKind::ThreadBind
                if this.runs_at_most_once() && this.thread.is_some_and(ThreadAxis::is_block) => {}
            LoopKind::ThreadBind if axis(this).is_some() => bound.push(*here),
            LoopKind::Serial | LoopKind::Unroll => serial.push(*here),
            kind => return Err(Reason::NotSerial { name, kind }.at(*here, condition)),
        }
        let tells =
            |v| digits::determines(&roles.block.binding, v, summary, &roles.block.predicate);
        if !this.runs_at_most_once() && !tells(this.variable.index()) {
            return Err(Reason::NotInjective { block, name }.at(id, condition));
        }
    }
    check_extents(summary, &roles, (&bound, &serial), condition)?;
    check_kernels(summary, &roles, &bound, condition)?;
    let starts = starts(&roles, condition)?;
    Ok(SplitReduction { block: id, bound, serial, starts })
}

/// Checks that all updates of a point store to one element, which only spatial iters determine.
fn check_cells(roles: &Roles, condition: u8) -> Result<(), ScheduleError> {
    let is_place = |e: &Expr| {
        let reduces = |iter: &Iter| iter.role != IterRole::Spatial && mentions(e, iter.variable);
        !roles.block.iters.iter().any(reduces)
    };
    let updates: Vec<_> = roles.block.stores().filter(|store| !store.in_init).collect();
    let is_injective = |store: &&Access| {
        store.indices == updates[0].indices
            && store.indices.iter().all(|index| index.as_ref().is_some_and(is_place))
    };
    match updates.iter().find(|store| !is_injective(store)) {
        None => Ok(()),
        Some(store) => {
            let buffer = roles.summary.buffers[store.buffer].name.clone();
            let reason =
                ReductionReason::NotSpatialPlace { block: roles.block.name.clone(), buffer };
            Err(reason.at(roles.id, condition))
        }
    }
}

fn check_extents(
    summary: &Summary,
    roles: &Roles,
    (bound, serial): (&[NodeId], &[NodeId]),
    condition: u8,
) -> Result<(), ScheduleError> {
    for node in bound {
        let this = summary.as_loop(*node).expect("a loop");
        let is_thread = axis(this).is_some_and(ThreadAxis::is_thread);
        if is_thread && !this.extent.iter().any(|e| e.constant().is_some()) {
            return Err(Reason::NotConstant(this.name.clone()).at(*node, condition));
        }
        let depends = |other: &&NodeId| {
            let variable = roles.variable(**other);
            this.extent.iter().any(|e| mentions(e, variable))
        };
        if let Some(outer) = bound.iter().chain(serial).find(depends) {
            let (inner, outer) = (this.name.clone(), roles.loop_name(*outer));
            return Err(Reason::DependentExtent { inner, outer }.at(*node, condition));
        }
    }
    for node in serial {
        let this = summary.as_loop(*node).expect("a loop");
        if this.extent.iter().any(Expr::has_dims) {
            return Err(ReductionReason::NotPlainExtent(this.name.clone()).at(*node, condition));
        }
    }
    Ok(())
}

/// Checks that the second kernel of a reduction over thread blocks can be a nest of its own.
fn check_kernels(
    summary: &Summary,
    roles: &Roles,
    bound: &[NodeId],
    condition: u8,
) -> Result<(), ScheduleError> {
    let of_blocks =
        |node: &&NodeId| summary.as_loop(**node).and_then(axis).is_some_and(ThreadAxis::is_block);
    let Some(node) = bound.iter().find(of_blocks) else { return Ok(()) };
    let is_branch = |outer: &NodeId| matches!(summary.nodes[*outer].kind, NodeKind::If(_));
    match summary.ancestors(*node).find(is_branch) {
        None => Ok(()),
        Some(branch) => {
            let (block, name) = (roles.block.name.clone(), roles.loop_name(*node));
            let refusal = ReductionReason::BranchAround { block, name }.at(*node, condition);
            Err(refusal.note(branch, "the branch is here"))
        }
    }
}

/// The conditions under which a spatial point is reduced.
fn starts(roles: &Roles, condition: u8) -> Result<Vec<Constraint>, ScheduleError> {
    if roles.block.has_init {
        return roles.start_conditions(condition);
    }
    // Without an initialization, nothing is written for points that have no instance.
    let mut found = vec![];
    for constraint in &roles.block.predicate {
        let mut reduces = false;
        constraint.expr().visit_leaves(&mut |leaf| {
            reduces |= matches!(leaf, Expr::Dim(v) if roles.only_reduces(VariableId::of_dim(*v)));
        });
        if !reduces {
            found.push(constraint.clone());
        } else if !roles.is_of_reduction(constraint) {
            let reason = ReductionReason::StartUnknown(roles.block.name.clone());
            return Err(reason.at(roles.id, condition));
        }
    }
    Ok(found)
}
