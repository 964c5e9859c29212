//! `sync_threads`: insert a thread block barrier before or after a loop or schedule block.
//!
//! ```text
//! loop.for serial %i in 32 {
//!   loop.for serial %j in 32 { .. }
//! }
//!   ->  sync_threads "B:j"
//! loop.for serial %i in 32 {
//!   loop.sync
//!   loop.for serial %j in 32 { .. }
//! }
//! ```
//! Requires
//! - (C1) the target is a loop or a schedule block
//! - (C2) the place is `before` (the default) or `after`
//! - (C3) a loop or schedule block encloses the target; between the nests of a function no barrier is needed, because
//!   they run in order
//! - (C4) there is no barrier at that place already, which would make this one redundant
//! - (C5) no `parallel` or `vectorize` loop encloses the target, because the iterations of these are not GPU threads
//! - (C6) the target is under no condition, neither a `loop.if` nor the predicate of a schedule block, because all
//!   threads of the thread block must reach the barrier
//! - (C7) each enclosing loop has the same extent in all threads
//! - (C8) for each enclosing loop of a `threadIdx` axis, no loop of the same nest is bound to that axis with another
//!   extent. Otherwise the number of threads is the largest of the extents, and the threads beyond a smaller extent do
//!   not reach the barrier
//!
//! A barrier only adds order between threads, so it is always legal, and it may be inserted before loops are bound to
//! threads. The CPU lowering refuses barriers.

use crate::dialect::loop_enums::{LoopKind, ThreadAxis};
use crate::nest::edit;
use crate::nest::facts::scope::varies_by_thread;
use crate::nest::state::State;
use crate::nest::summary::{Loop, NodeId, NodeKind, Summary};
use crate::schedule::error::{ScheduleError, ThreadsReason};
use crate::schedule::name;
use crate::schedule::primitive::declaration::primitive;

primitive! {
    "Insert a thread-block barrier before or after a loop or schedule block"
    sync_threads(target: Target, place: OptionalWord = "before (default) or after") -> ();
    |state| sync_threads(state, target, place)
}

/// The result of the check.
pub struct Plan {
    node: NodeId,
    is_after: bool,
}

/// Inserts a barrier beside `target`. On an error the IR is unchanged.
pub fn sync_threads(
    state: &mut State,
    target: &str,
    place: Option<&str>,
) -> Result<(), ScheduleError> {
    let plan = check(state.summary(), target, place)?;
    let op = state.op(plan.node);
    let next = if plan.is_after { op.next() } else { Some(op) };
    edit::insert_barrier(next.expect("a body ends in a yield"), op.location());
    Ok(())
}

pub fn check(summary: &Summary, target: &str, place: Option<&str>) -> Result<Plan, ScheduleError> {
    let node = name::target(summary, target)?;
    let is_after = match place {
        None | Some("before") => false,
        Some("after") => true,
        Some(other) => return Err(ThreadsReason::BadPlace(other.to_owned()).at(node, 2)),
    };
    let parent = summary.nodes[node].parent.expect("a loop or schedule block has a parent");
    if parent == NodeId::FUNCTION {
        return Err(ThreadsReason::NoLoopAround(summary.name(node)).at(node, 3));
    }
    check_new(summary, parent, node, is_after)?;
    check_reached(summary, node, node, [5, 6, 7, 8])?;
    Ok(Plan { node, is_after })
}

/// Requires that all threads of a thread block reach a barrier at, or beside, node `barrier`: (C5) to (C8), reported at
/// node `at` with these condition numbers.
pub fn check_reached(
    summary: &Summary,
    barrier: NodeId,
    at: NodeId,
    conditions: [u8; 4],
) -> Result<(), ScheduleError> {
    let [not_threads, under_condition, extents, axes] = conditions;
    let what = || summary.name(barrier);
    for around in summary.ancestors(barrier) {
        let (reason, condition, note) = match &summary.nodes[around].kind {
            NodeKind::Loop(this) => match this.kind {
                LoopKind::Parallel | LoopKind::Vectorize => {
                    let (name, kind) = (this.name.clone(), this.kind);
                    (ThreadsReason::NotThreads { name, kind }, not_threads, "the loop is here")
                }
                _ if this.extent.iter().any(|expr| varies_by_thread(summary, expr)) => {
                    (ThreadsReason::VaryingExtent(this.name.clone()), extents, "the loop is here")
                }
                _ => continue,
            },
            NodeKind::If(_) => {
                (ThreadsReason::UnderCondition(what()), under_condition, "the 'loop.if' is here")
            }
            NodeKind::Block(this) if !this.predicate.is_empty() => {
                (ThreadsReason::UnderCondition(what()), under_condition, "the predicate is here")
            }
            _ => continue,
        };
        return Err(reason.at(at, condition).note(around, note));
    }
    check_axes(summary, barrier, at, axes)
}

/// (C4)
fn check_new(
    summary: &Summary,
    parent: NodeId,
    node: NodeId,
    is_after: bool,
) -> Result<(), ScheduleError> {
    let siblings = &summary.nodes[parent].children;
    let at = siblings.iter().position(|n| *n == node).expect("it is a child of its parent");
    let neighbour = if is_after { siblings.get(at + 1) } else { siblings[..at].last() };
    match neighbour.filter(|n| matches!(summary.nodes[**n].kind, NodeKind::Sync)) {
        Some(barrier) => {
            let reason = ThreadsReason::BarrierThere(summary.name(node));
            Err(reason.at(node, 4).note(*barrier, "the barrier is here"))
        }
        None => Ok(()),
    }
}

fn check_axes(
    summary: &Summary,
    node: NodeId,
    at: NodeId,
    condition: u8,
) -> Result<(), ScheduleError> {
    let nest = summary.ancestors(node).last().unwrap_or(node);
    let bound = |n: NodeId| -> Option<(NodeId, &Loop, ThreadAxis)> {
        let this = summary.as_loop(n)?;
        Some((n, this, this.thread.filter(|axis| axis.is_thread())?))
    };
    let all: Vec<_> = summary.under(nest).into_iter().filter_map(bound).collect();
    for (_, this, axis) in summary.ancestors(node).filter_map(bound) {
        let differs =
            |other: &&(NodeId, &Loop, ThreadAxis)| other.2 == axis && other.1.extent != this.extent;
        if let Some((other, theirs, _)) = all.iter().find(differs) {
            let (name, other_name) = (this.name.clone(), theirs.name.clone());
            let reason = ThreadsReason::OtherThreads { name, other: other_name, axis };
            return Err(reason.at(at, condition).note(*other, "the other loop is here"));
        }
    }
    Ok(())
}
