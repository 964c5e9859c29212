//! `bind`: bind a loop to a GPU thread axis.
//!
//! ```text
//! loop.for serial %i in 32 { .. }
//!   ->  bind "B:i" thread "threadIdx.x"
//! loop.for thread_bind[threadIdx.x] %i in 32 { .. }
//! ```
//! Requires
//! - (C1) the target is a loop
//! - (C2) the loop is serial
//! - (C3) the axis is one of `blockIdx.x` `.y` `.z`, `threadIdx.x` `.y` `.z`, `vthread`
//! - (C4) no enclosing or nested loop is bound to the same axis; `vthread` loops may be nested
//! - (C5) no loop of a `blockIdx` axis is nested in a loop of a `threadIdx` axis
//! - (C6) a constant extent is within the limits of [`CUDA`]: 2147483647 for `blockIdx.x`, 65535 for the other
//!   `blockIdx` axes, 1024 for `threadIdx.x` and `.y`, 64 for `.z`, and 1024 threads in a thread block
//! - (C7) the iterations are proved independent, except for accesses to buffers of which each iteration has its own
//!   instance: see [`src/schedule/legality/exact.rs`](crate::schedule::legality::exact). Or the loop becomes part of a
//!   cross-thread reduction, on a `blockIdx` or `threadIdx` axis: see
//!   [`src/schedule/legality/cross_thread_reduction.rs`](crate::schedule::legality::cross_thread_reduction). In such a
//!   reduction, `argmax` and `argmin` compare the indices of equal values, and it is proved that this selects the first
//!   of them: see [`src/schedule/legality/arg_reduction.rs`](crate::schedule::legality::arg_reduction). For `vthread`,
//!   if the nest contains a barrier, iterations must also be independent of iterations in other threads, because a
//!   barrier does not order virtual threads
//! - (C8) the loop accesses no buffer of which each iteration would get its own instance (scope `local`, and for a
//!   `blockIdx` axis `shared`), unless each iteration reads only elements of it that it has written. For `vthread` this
//!   does not apply to a `local` buffer that is also used elsewhere in the same nest, because the virtual threads share
//!   one instance of it
//! - (C9) no schedule block elsewhere in the same nest conflicts with a block in the loop (both access the same
//!   element, at least one writes it, on different threads), unless a barrier separates them. For `vthread` this does
//!   not apply: one thread runs all iterations of the loop, after what precedes the loop and before what follows it
//! - (C10) all threads still reach the barriers of the nest: (C5) to (C8) of `sync_threads`. A cross-thread reduction
//!   must be at a place that all threads reach, because threads wait there for the partial results of other threads
//!
//! A loop whose extent is not constant can be bound too; lowering emits a guard for the surplus threads.
//!
//! `vthread` is the axis of virtual threads: the iterations belong to one thread, which may interleave them.
//! `lower-vthread` does so; a loop that it cannot interleave runs its iterations one after the other.

use crate::dialect::loop_enums::{LoopKind, Scope, ThreadAxis};
use crate::dialect::loop_op::{For, ScheduleBlock};
use crate::dialect::reducer;
use crate::machine::cuda::CUDA;
use crate::nest::facts;
use crate::nest::facts::scope;
use crate::nest::state::State;
use crate::nest::summary::{BufferId, Loop, NodeId, NodeKind, Summary};
use crate::schedule::error::{Reason, ScheduleError, ThreadsReason};
use crate::schedule::legality::form::serial;
use crate::schedule::legality::proof::Proofs;
use crate::schedule::legality::{arg_reduction, cross_thread_reduction, exact, execution, quick};
use crate::schedule::name;
use crate::schedule::primitive::declaration::primitive;
use crate::schedule::primitive::r#loop::sync_threads;

primitive! {
    "Bind a loop to a GPU thread or block axis"
    bind(r#loop: Loop, thread: Word = "The axis, such as threadIdx.x"; proof) -> ();
    near_atomic;
    |state| bind(state, r#loop, thread, proof)
}

/// Binds `target` to the axis with the name `thread`. On an error the IR is unchanged.
pub fn bind(
    state: &mut State,
    target: &str,
    thread: &str,
    proofs: &mut Proofs,
) -> Result<(), ScheduleError> {
    let plan = check(state.summary(), target, thread, proofs)?;
    if let Some(block) = plan.breaks_ties {
        let block = ScheduleBlock::of(state.op(block)).expect("the node is a schedule block");
        reducer::arg_update::break_ties(&block);
    }
    For::set_kind(state.op(plan.node), LoopKind::ThreadBind, Some(plan.axis));
    Ok(())
}

/// The result of the check.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub node: NodeId,
    pub axis: ThreadAxis,
    /// The schedule block whose body must break ties by index from now on, to find the first of equal values.
    pub breaks_ties: Option<NodeId>,
}

pub fn check(
    summary: &Summary,
    target: &str,
    thread: &str,
    proofs: &mut Proofs,
) -> Result<Plan, ScheduleError> {
    let node = name::loop_of(summary, target)?;
    let this = serial(summary, node, 2)?;
    let axis = ThreadAxis::ALL.iter().copied().find(|axis| axis.word() == thread);
    let axis = axis.ok_or_else(|| {
        let words: Vec<_> = ThreadAxis::ALL.iter().map(|axis| axis.word()).collect();
        ThreadsReason::NoAxis(thread.to_owned(), words.join(", ")).at(node, 3)
    })?;
    let others: Vec<(NodeId, &Loop, ThreadAxis)> = summary
        .loops_around(node)
        .chain(summary.under(node))
        .filter(|other| *other != node)
        .filter_map(|other| summary.as_loop(other).and_then(|l| Some((other, l, l.thread?))))
        .collect();
    let mut same = others.iter().filter(|_| axis != ThreadAxis::VThread);
    if let Some((other, bound, _)) = same.find(|(.., bound)| *bound == axis) {
        let reason = ThreadsReason::AxisBound { axis, name: bound.name.clone() };
        return Err(reason.at(node, 4).note(*other, "that loop is here"));
    }
    check_block_outside(node, this, axis, &others)?;
    check_limits(summary, node, this, axis, &others)?;
    if axis == ThreadAxis::VThread {
        check_interleaved(summary, node, proofs)?;
        return Ok(Plan { node, axis, breaks_ties: None });
    }
    let is_private =
        |scope: Scope| scope == Scope::Local || scope == Scope::Shared && axis.is_block();
    let shared = scope::without_own(summary, node, &is_private);
    let mut by_roles = quick::check_unordered(&shared, node, 7);
    let (mut combines, mut apart, mut breaks_ties) = (None, None, None);
    let mut bound = facts::cross_thread_reduction::bound_to(summary, node, axis);
    // From now on the updates of all threads of a reduction over bound loops count as one update.
    let is_joined = |id: &NodeId| facts::cross_thread_reduction::loops(&bound, *id).contains(&node);
    let joins = summary.blocks_under(node).iter().any(is_joined);
    // Atomic updates need no cross-thread combination.
    let reducing = quick::reducing(summary, node)
        .find(|(_, block, _)| block.reducer.is_some() && block.atomic.is_empty());
    if joins || by_roles.is_err() && reducing.is_some() {
        let in_order = reducing.filter(|(_, block, _)| {
            block.arg_reduction.as_ref().is_some_and(|update| !update.breaks_ties)
        });
        let by_index = in_order.map_or(Ok(()), |(id, ..)| check_first(summary, id, proofs));
        let by_index = by_index.map(|()| match in_order {
            Some((id, ..)) => arg_reduction::with_ties_broken(&bound, id),
            None => bound.clone(),
        });
        let found =
            by_index.and_then(|after| Ok((cross_thread_reduction::check(&after, node, 7)?, after)));
        match found {
            Ok((chain, after)) => {
                (combines, bound) = (Some(chain), after);
                breaks_ties = in_order.map(|(id, ..)| id);
            }
            Err(refusal) => {
                apart = (joins || by_roles.is_ok()).then(|| refusal.clone());
                by_roles = by_roles.map_err(|_| refusal);
            }
        }
    }
    let is_seen_bound = combines.is_some() || execution::has_barrier(summary, node);
    let mut after = if is_seen_bound {
        facts::cross_thread_reduction::bound_to(&shared, node, axis)
    } else {
        shared
    };
    if let Some(id) = breaks_ties {
        after = arg_reduction::with_ties_broken(&after, id);
    }
    let threads = || exact::check_threads(&after, node, axis);
    proofs.settle(by_roles, threads)?;
    if let Some(refusal) = apart {
        return Err(refusal);
    }
    quick::check_scopes(summary, node, &|_, scope| is_private(scope), 8)?;
    let alone = quick::check_alone(summary, node, 9);
    let with_advice = |refusal: ScheduleError| match axis.is_thread() {
        true => {
            refusal.note(node, "sync_threads between them inserts a barrier, which orders them")
        }
        false => refusal,
    };
    proofs.settle(alone, threads).map_err(with_advice)?;
    check_barriers(summary, node, axis)?;
    if let Some(chain) = combines.filter(|_| axis.is_thread()) {
        let first = chain.bound.into_iter().chain(chain.serial).min().unwrap_or(node);
        sync_threads::check_reached(&bound, first, node, [10; 4])?;
    }
    Ok(Plan { node, axis, breaks_ties })
}

/// (C7), (C8) and (C10) for `vthread`.
fn check_interleaved(
    summary: &Summary,
    node: NodeId,
    proofs: &mut Proofs,
) -> Result<(), ScheduleError> {
    let shared = scope::without_own(summary, node, &|scope| scope == Scope::Local);
    let by_roles = match execution::has_barrier(summary, node) {
        true => quick::check_unordered(&shared, node, 7),
        false => quick::check_unordered_within(&shared, node, 7),
    };
    proofs.settle(by_roles, || exact::check_interleaved(&shared, node))?;
    let nest = summary.child_towards(NodeId::FUNCTION, node);
    let is_private = |buffer: BufferId, scope: Scope| {
        let is_shared = || {
            scope::is_used_only_in(summary, nest, buffer)
                && !scope::is_used_only_in(summary, node, buffer)
        };
        scope == Scope::Local && !is_shared()
    };
    quick::check_scopes(summary, node, &is_private, 8)?;
    check_barriers(summary, node, ThreadAxis::VThread)
}

/// Part of (C7): reducers that select the first of equal values.
fn check_first(summary: &Summary, id: NodeId, proofs: &mut Proofs) -> Result<(), ScheduleError> {
    let block = summary.as_block(id).expect("a block").name.clone();
    let verdict = arg_reduction::may_break_ties(summary, id, arg_reduction::TiedValues::Values);
    let refusal = |why| Reason::UpdateOrder { block, why }.at(id, 7);
    match verdict {
        Ok(verdict) => {
            proofs.require(&verdict, || refusal("its reducer keeps the first of equal values"))
        }
        Err(why) => proofs.require_by_roles(Err(refusal(why))),
    }
}

/// (C10)
fn check_barriers(summary: &Summary, node: NodeId, axis: ThreadAxis) -> Result<(), ScheduleError> {
    let nest = summary.ancestors(node).last().unwrap_or(node);
    let is_barrier = |n: &NodeId| matches!(summary.nodes[*n].kind, NodeKind::Sync);
    let barriers: Vec<NodeId> = summary.under(nest).into_iter().filter(is_barrier).collect();
    if barriers.is_empty() {
        return Ok(());
    }
    let after = facts::cross_thread_reduction::bound_to(summary, node, axis);
    for barrier in barriers {
        sync_threads::check_reached(&after, barrier, node, [10; 4])
            .map_err(|error| error.note(barrier, "the barrier is here"))?;
    }
    Ok(())
}

/// (C5). Node numbers increase from outer to inner nodes.
fn check_block_outside(
    node: NodeId,
    this: &Loop,
    axis: ThreadAxis,
    others: &[(NodeId, &Loop, ThreadAxis)],
) -> Result<(), ScheduleError> {
    for (other, bound, theirs) in others {
        let ((outer, outer_axis), (inner, inner_axis)) = match *other < node {
            true => ((&bound.name, *theirs), (&this.name, axis)),
            false => ((&this.name, axis), (&bound.name, *theirs)),
        };
        if outer_axis.is_thread() && inner_axis.is_block() {
            let (inner, outer) = (inner.clone(), outer.clone());
            let reason = ThreadsReason::AxisOrder { inner, inner_axis, outer, outer_axis };
            return Err(reason.at(node, 5).note(*other, "the other loop is here"));
        }
    }
    Ok(())
}

/// (C6)
fn check_limits(
    summary: &Summary,
    node: NodeId,
    this: &Loop,
    axis: ThreadAxis,
    others: &[(NodeId, &Loop, ThreadAxis)],
) -> Result<(), ScheduleError> {
    use ThreadAxis::*;
    let Some(extent) = this.constant_extent() else { return Ok(()) };
    let Some(limit) = CUDA.of(axis) else { return Ok(()) };
    if extent > limit {
        let reason = ThreadsReason::AxisLimit { name: this.name.clone(), extent, axis, limit };
        return Err(reason.at(node, 6));
    }
    if axis.is_block() {
        return Ok(());
    }
    // Each chain of loops from the function down to a schedule block is one thread block.
    for block in summary.blocks_under(node) {
        let around: Vec<_> = summary.loops_around(block).collect();
        let threads = others
            .iter()
            .filter(|(other, _, axis)| {
                around.contains(other) && matches!(axis, ThreadX | ThreadY | ThreadZ)
            })
            .filter_map(|(_, bound, _)| bound.constant_extent())
            .fold(extent, i64::saturating_mul);
        if threads > CUDA.threads {
            return Err(ThreadsReason::ThreadLimit { threads, limit: CUDA.threads }.at(node, 6));
        }
    }
    Ok(())
}
