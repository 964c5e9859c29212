//! Legality of a step: dependence analysis between a summary of the function before it and one after it.
//!
//! A check derives the second summary from the first by moving nodes and changing kinds. Both are plain
//! data, so the IR does not change before the verdict.
//!
//! The analysis compares executions of leaf schedule blocks, pair by pair and access by access: see
//! [`dependence`](crate::analysis::dependence). Its assumptions are:
//! - Sizes are any numbers from 0 on. A conflict for one size is a conflict.
//! - The iterations of `parallel` loops and the threads of bound loops are unordered in the summary before
//!   the step already. They are assumed to be independent. Lanes in lockstep have the order of lockstep.
//! - A barrier in the summary before the step may order all executions of different threads. A barrier in
//!   the summary after the step orders nothing. With a barrier, no conflict is refuted, so the verdict is
//!   then at worst unknown.
//! - An index that depends on data may have any value. A conditional access may happen or not. Both can
//!   cause false conflicts, so they never refute a step.
//! - The instance whose reduce iters are all 0 also stores the initial values, even if the reduction loops
//!   have no iterations.

pub(crate) mod fold;
mod joined;
mod pair;
mod ways;

use super::barriers::{self, Carrier, Need};
use super::execution::{self, Execution, LaneLoop};
use super::obligation::Obligation;
use crate::analysis::dependence::{ExecutionOrder, Level, equal, less};
use crate::analysis::system::Budget;
use crate::dialect::loop_enums::{LoopKind, ThreadAxis};
use crate::ir::affine::Expr;
use crate::nest::summary::{Body, BufferId, Loop, NodeId, NodeKind, Summary, VariableId};
use crate::schedule::legality::quick;
use crate::schedule::verdict::Verdict;
use cranelift_entity::SecondaryMap;
use pair::{ExecutionPair, Relation};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
pub use ways::ThreadPair;

/// Proves that all conflicting instances keep their order: those that access one element, at least one of
/// them as a write. `moved` are the names of the schedule blocks whose position relative to others, or
/// whose loop order, has changed; all others are assumed to keep their order. Blocks are matched by name,
/// and instances by the values of their iters.
pub fn check_order(before: &Summary, after: &Summary, moved: &[&str]) -> Verdict {
    let has_moved = |leaf: NodeId| {
        let mut path = std::iter::once(leaf).chain(before.ancestors(leaf));
        path.any(|n| before.as_block(n).is_some_and(|block| moved.contains(&block.name.as_str())))
    };
    let leaves = in_both(before, after);
    // Computed for each leaf, not for each pair, because there may be hundreds of leaves.
    let moves: Vec<bool> = leaves.iter().map(|(old, _)| has_moved(*old)).collect();
    let (mut verdict, mut budget) = (Verdict::Proved, Obligation::of("order"));
    let old: Vec<NodeId> = leaves.iter().map(|(old, _)| *old).collect();
    for (n, m) in conflicts(before, &old) {
        if !moves[n] && !moves[m] {
            continue;
        }
        verdict = worse(verdict, check_pair((before, after), leaves[n], leaves[m], &mut budget));
        if matches!(verdict, Verdict::Refuted(_)) {
            return budget.end(verdict);
        }
    }
    let effects = |summary, id| effects_before(summary, id);
    let passes = |(old, new): &(NodeId, NodeId)| effects(before, *old) != effects(after, *new);
    if verdict == Verdict::Proved
        && let Some((old, _)) = leaves.iter().find(|pair| has_moved(pair.0) && passes(pair))
    {
        let name = &before.as_block(*old).expect("a block").name;
        verdict = Verdict::Unknown(format!(
            "schedule block \"{name}\" moves past an op whose effects are not known"
        ));
    }
    budget.end(verdict)
}

/// As [`check_order`], but skips pairs of leaves of `before` for which `keep` is true, because their order
/// is known to be kept. A pair is skipped only if both leaves have no accesses beyond those in the summary.
/// Each remaining pair has a budget of its own. Once a pair could not be decided, all later pairs share one
/// budget, because they can then change the verdict only to refuted.
pub fn check_order_but(
    before: &Summary,
    after: &Summary,
    keep: &dyn Fn(NodeId, NodeId) -> bool,
) -> Verdict {
    let leaves = in_both(before, after);
    let (mut verdict, mut rest) = (Verdict::Proved, Obligation::of("order-but"));
    let old: Vec<NodeId> = leaves.iter().map(|(old, _)| *old).collect();
    for (n, m) in conflicts(before, &old) {
        let (a, b) = (old[n], old[m]);
        if keep(a, b) && has_all_accesses(before, a) && has_all_accesses(before, b) {
            continue;
        }
        let mut own = Budget::default();
        let budget: &mut Budget = if verdict == Verdict::Proved { &mut own } else { &mut rest };
        verdict = worse(verdict, check_pair((before, after), leaves[n], leaves[m], budget));
        rest.add(&own);
        if matches!(verdict, Verdict::Refuted(_)) {
            return rest.end(verdict);
        }
    }
    rest.end(verdict)
}

/// The leaves that both summaries have, each as its node in the first and in the second. Blocks in only one
/// of them have no order to keep.
fn in_both(before: &Summary, after: &Summary) -> Vec<(NodeId, NodeId)> {
    let named: BTreeMap<&str, NodeId> =
        after.blocks().map(|(id, b)| (b.name.as_str(), id)).collect();
    let leaves = before.leaves(NodeId::FUNCTION).into_iter();
    let in_after = |old: NodeId| {
        let new = named.get(before.as_block(old)?.name.as_str())?;
        Some((old, *new))
    };
    leaves.filter_map(in_after).collect()
}

/// Proves that conflicting executions of two leaves keep their order, whichever precedes the other.
fn check_pair(
    (before, after): (&Summary, &Summary),
    first: (NodeId, NodeId),
    second: (NodeId, NodeId),
    budget: &mut Budget,
) -> Verdict {
    let verdict = ExecutionPair::ordered(before, after, first, second).check(budget);
    match verdict {
        Verdict::Refuted(_) => verdict,
        _ if first.0 == second.0 => verdict,
        _ => worse(verdict, ExecutionPair::ordered(before, after, second, first).check(budget)),
    }
}

/// Proves that perfectly nested loops, given outermost first, may be permuted in any way; or, of the first
/// `moved` loops, that each may sink into loops inside it. This holds if there is no pair of conflicting
/// instances in one iteration of the enclosing loops that is ordered by one of these loops and ordered the
/// other way round by a loop inside it. Updates of one element that may be reordered do not conflict.
pub fn check_permutable(summary: &Summary, chain: &[NodeId], moved: usize) -> Verdict {
    let around = quick::in_turn_around(summary, chain[0]);
    let ways = |x: &Execution, y: &Execution| {
        let mut same = vec![];
        let mut ways = vec![];
        for (i, outer) in chain.iter().enumerate().take(moved) {
            let earlier = less(&x.variable(*outer), &y.variable(*outer));
            for inner in &chain[i + 1..] {
                let later = less(&y.variable(*inner), &x.variable(*inner));
                ways.push([&same[..], &[earlier.clone(), later]].concat());
            }
            same.push(equal(&x.variable(*outer), &y.variable(*outer)));
        }
        ways
    };
    let leaves = summary.leaves(chain[0]);
    let (mut verdict, mut budget) = (Verdict::Proved, Obligation::of("permutable"));
    let pairs = conflicting_pairs(summary, &leaves);
    let in_both_orders: BTreeSet<_> = pairs.flat_map(|(a, b)| [(a, b), (b, a)]).collect();
    for (first, second) in in_both_orders {
        let pair = ExecutionPair::permuted(summary, first, second, &around, ways);
        verdict = worse(verdict, pair.check(&mut budget));
        if matches!(verdict, Verdict::Refuted(_)) {
            return budget.end(verdict);
        }
    }
    budget.end(verdict)
}

/// Proves that no two different iterations of a loop conflict within one iteration of the loops around it.
/// Lanes of an enclosing vectorized loop reach the loop at the same time, so the two iterations may belong
/// to different lanes.
pub fn check_concurrent(summary: &Summary, node: NodeId) -> Verdict {
    check_iterations_apart(summary, node, &quick::in_turn_around(summary, node))
}

/// Proves that the iterations of a loop may be interleaved in each thread: as [`check_concurrent`], but with a barrier
/// in the nest, the two iterations may also belong to different threads. A barrier does not order them: it runs once in
/// each iteration if they run one after the other, and once for all of them if they are interleaved.
pub fn check_interleaved(summary: &Summary, node: NodeId) -> Verdict {
    let mut around = quick::in_turn_around(summary, node);
    if execution::has_barrier(summary, node) {
        let is_thread = |outer: &Loop| outer.thread.is_some_and(ThreadAxis::is_thread);
        let loops = summary.loops_around(node).filter_map(|outer| summary.as_loop(outer));
        let threads: BTreeSet<VariableId> =
            loops.filter(|l| is_thread(l)).map(|l| l.variable).collect();
        around.retain(|variable| !threads.contains(variable));
    }
    check_iterations_apart(summary, node, &around)
}

/// Proves that no two different iterations of a loop conflict within one iteration of the loops `around`. No barrier
/// orders them.
fn check_iterations_apart(summary: &Summary, node: NodeId, around: &[VariableId]) -> Verdict {
    let variable = summary.as_loop(node).expect("a loop").variable;
    check_pairs("concurrent", (summary, &summary.leaves(node)), |first, second| {
        let pair = ExecutionPair::apart(summary, first, second, around, |x, y| {
            let (a, b) = (Expr::Dim(x.dims()[&variable]), Expr::Dim(y.dims()[&variable]));
            vec![vec![less(&a, &b)], vec![less(&b, &a)]]
        });
        Some(ExecutionPair { differ_in: Some(variable), ..pair })
    })
}

/// Proves that all instances in a loop keep their order if its iterations become lanes in lockstep, `width`
/// at a time, and that no two of these lanes write one element. The loop must contain no barrier.
pub fn check_lockstep(summary: &Summary, node: NodeId, width: Option<i64>) -> Verdict {
    let leaves = summary.leaves(node);
    let lanes = LaneLoop { node, width };
    let in_text = check_pairs("lockstep", (summary, &leaves), |first, second| {
        Some(ExecutionPair::in_lockstep(summary, first, second, lanes))
    });
    if matches!(in_text, Verdict::Refuted(_)) {
        return in_text;
    }
    let against_text = check_pairs("lockstep", (summary, &leaves), |first, second| {
        (first != second).then(|| ExecutionPair::in_lockstep(summary, second, first, lanes))
    });
    worse(in_text, against_text)
}

/// The order of a read and a write of one element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The write precedes the read.
    WrittenFirst,
    /// The read precedes the write.
    ReadFirst,
    /// The read is not guaranteed to precede the write.
    NotReadFirst,
}

/// Proves that within one iteration of `parent` and of the loops around it, no block of `readers` and block
/// of `writers` access one element of a buffer in the order `turn`.
pub fn check_no_turn(
    summary: &Summary,
    parent: NodeId,
    (turn, buffer): (Turn, BufferId),
    (readers, writers): (&[NodeId], &[NodeId]),
) -> Verdict {
    let around = std::iter::once(parent).chain(summary.loops_around(parent));
    let shared: Vec<VariableId> =
        around.filter_map(|n| summary.as_loop(n)).map(|this| this.variable).collect();
    let (mut verdict, mut budget) = (Verdict::Proved, Obligation::of("no-turn"));
    for writer in writers {
        for reader in readers {
            let pair = ExecutionPair::in_turn(summary, *reader, *writer, &shared, (turn, buffer));
            verdict = worse(verdict, pair.check(&mut budget));
            if matches!(verdict, Verdict::Refuted(_)) {
                return budget.end(verdict);
            }
        }
    }
    budget.end(verdict)
}

/// Proves that no two different threads conflict if a loop is bound to this axis, or were. Serial loops
/// around it do not order threads, but barriers do. A schedule block of the same nest outside of the axis's
/// loops is executed by all threads. If the nest contains barriers, the loop must be bound in `summary`.
pub fn check_threads(summary: &Summary, node: NodeId, axis: ThreadAxis) -> Verdict {
    let nest = summary.ancestors(node).last().unwrap_or(node);
    let inside: BTreeSet<NodeId> = summary.leaves(node).into_iter().collect();
    let has_barrier = axis.is_thread() && execution::has_barrier(summary, node);
    check_pairs("threads", (summary, &summary.leaves(nest)), |first, second| {
        if !inside.contains(&first) && !inside.contains(&second) {
            return None;
        }
        // Iterations of common outermost parallel loops are independent, so both executions share one
        // iteration.
        let outside = |leaf: NodeId| {
            let mut loops: Vec<_> = summary.loops_around(leaf).collect();
            loops.reverse();
            loops
        };
        let common = outside(first).into_iter().zip(outside(second)).map_while(|(a, b)| {
            let this = summary.as_loop(a).filter(|this| this.kind == LoopKind::Parallel)?;
            (a == b).then_some(this.variable)
        });
        let shared: Vec<VariableId> = common.collect();
        if has_barrier && barriers::keep_apart(summary, first, second) {
            return None;
        }
        let pair = ExecutionPair::apart(summary, first, second, &shared, |_, _| vec![]);
        // No barrier can be between two executions of one statement in one iteration of the loops around it.
        let at_once = Need { first, second, carrier: Carrier::Text };
        if has_barrier && barriers::clash(summary, &at_once).is_some() {
            let relation = Relation::Race(None, ThreadPair::Different);
            return Some(ExecutionPair { relation, ..pair });
        }
        let pair = pair.vague_with_barrier();
        Some(ExecutionPair { relation: Relation::Threads(node, axis), ..pair })
    })
}

/// Proves that two consecutive loop nests may be fused. `levels` are the pairs of loops to fuse, outermost
/// first. After fusion, each access of the first nest must still precede each conflicting access of the
/// second nest.
pub fn check_fused(summary: &Summary, levels: &[(NodeId, NodeId)]) -> Verdict {
    let (outer, behind) = levels[0];
    let around = quick::in_turn_around(summary, outer);
    let order_of = |node: NodeId| execution::order_of(summary.as_loop(node).expect("a loop"));
    let (mut verdict, mut budget) = (Verdict::Proved, Obligation::of("fused"));
    let pairs = conflicts_across(summary, summary.leaves(outer), summary.leaves(behind));
    for (first, second) in pairs {
        let pair = ExecutionPair::apart(summary, first, second, &around, |x, y| {
            let level = |(a, b): &(NodeId, NodeId)| {
                let (first, second) = (x.variable(*a), y.variable(*b));
                Some(Level { kind: order_of(*a)?, first, second })
            };
            let order = ExecutionOrder {
                levels: levels.iter().filter_map(level).collect(),
                // Includes the threads of loops further inside: after fusion, no kernel boundary
                // separates the two nests.
                threads: execution::threads(x, y, levels),
                barrier: false,
                text: Ordering::Less,
                lockstep: false,
            };
            order.not_before(false)
        });
        verdict = worse(verdict, pair.vague_with_barrier().check(&mut budget));
        if matches!(verdict, Verdict::Refuted(_)) {
            return budget.end(verdict);
        }
    }
    budget.end(verdict)
}

/// Proves that a loop may be distributed over two parts of its body, given as nodes. Each access of the
/// first part must precede each conflicting access of the second part if the second part runs after all of
/// the first.
pub fn check_divided(summary: &Summary, node: NodeId, parts: &[Vec<NodeId>; 2]) -> Verdict {
    let around = quick::in_turn_around(summary, node);
    let (mut verdict, mut budget) = (Verdict::Proved, Obligation::of("divided"));
    let leaves = summary.leaves(node);
    let in_part =
        |part: &Vec<NodeId>| leaves.iter().copied().filter(|n| part.contains(n)).collect();
    let [first, second] = parts.each_ref().map(in_part);
    for (x, y) in conflicts_across(summary, first, second) {
        let pair = ExecutionPair::apart(summary, x, y, &around, |x, y| {
            execution::order(y, x, false).before()
        });
        verdict = worse(verdict, pair.vague_with_barrier().check(&mut budget));
        if matches!(verdict, Verdict::Refuted(_)) {
            return budget.end(verdict);
        }
    }
    budget.end(verdict)
}

/// Proves that two leaves of one nest have no race: no conflicting accesses by different threads of one
/// thread block to memory that is not the thread's own. The first leaf precedes the second in program order
/// or, if a loop is given, in an earlier iteration of that loop. With [`ThreadPair::Any`] the threads may also
/// be equal. Barriers are ignored.
pub fn check_race(
    summary: &Summary,
    (first, second): (NodeId, NodeId),
    carrier: Option<NodeId>,
    threads: ThreadPair,
) -> Verdict {
    let pair = ExecutionPair::apart(summary, first, second, &[], |_, _| vec![]);
    let relation = Relation::Race(carrier, threads);
    let mut budget = Obligation::of("race");
    let verdict = ExecutionPair { relation, ..pair }.check(&mut budget);
    budget.end(verdict)
}

/// Proves that the leaf `other` does not conflict with the initialization of the reduction `block` before
/// that initialization runs. Both are nested in `node`; the analysis covers one iteration of the loops
/// around `node`, and any threads.
pub fn check_start(summary: &Summary, node: NodeId, block: NodeId, other: NodeId) -> Verdict {
    let is_thread = |outer: NodeId| {
        let axis = summary.as_loop(outer).and_then(|outer| outer.thread);
        axis.is_some_and(ThreadAxis::is_thread)
    };
    let variable = |outer: NodeId| summary.as_loop(outer).map(|outer| outer.variable);
    let threads: Vec<VariableId> =
        summary.loops_around(node).filter(|outer| is_thread(*outer)).filter_map(variable).collect();
    let mut around = quick::in_turn_around(summary, node);
    around.retain(|variable| !threads.contains(variable));
    let pair = ExecutionPair::apart(summary, block, other, &around, |_, _| vec![]);
    let pair = pair.vague_with_barrier();
    let mut budget = Obligation::of("start");
    let verdict = ExecutionPair { relation: Relation::Starts, ..pair }.check(&mut budget);
    budget.end(verdict)
}

/// The pairs of leaves that may conflict, by their indices, in ascending order, the lower index first: they share a buffer that
/// one of them writes, or one has accesses beyond those in the summary. This includes pairs of a leaf and itself.
fn conflicts(summary: &Summary, leaves: &[NodeId]) -> BTreeSet<(usize, usize)> {
    let mut users: SecondaryMap<BufferId, [BTreeSet<usize>; 2]> = SecondaryMap::new();
    let mut pairs = BTreeSet::new();
    for (n, leaf) in leaves.iter().enumerate() {
        if !has_all_accesses(summary, *leaf) {
            pairs.extend((0..leaves.len()).map(|other| (n.min(other), n.max(other))));
        }
        for access in summary.as_block(*leaf).expect("a block").accesses() {
            users[access.buffer][usize::from(access.is_write)].insert(n);
        }
    }
    for [reads, writes] in users.values() {
        for write in writes {
            let others = reads.iter().chain(writes);
            pairs.extend(others.map(|other| (*write.min(other), *write.max(other))));
        }
    }
    pairs
}

/// The [`conflicts`] of leaves.
pub fn conflicting_pairs(
    summary: &Summary,
    leaves: &[NodeId],
) -> impl Iterator<Item = (NodeId, NodeId)> {
    conflicts(summary, leaves).into_iter().map(|(n, m)| (leaves[n], leaves[m]))
}

/// The [`conflicts`] of leaves in `first` with leaves in `second`.
fn conflicts_across(
    summary: &Summary,
    first: Vec<NodeId>,
    second: Vec<NodeId>,
) -> impl Iterator<Item = (NodeId, NodeId)> {
    let split = first.len();
    let all = [first, second].concat();
    let pairs = conflicts(summary, &all).into_iter();
    pairs.filter(move |(n, m)| *n < split && *m >= split).map(move |(n, m)| (all[n], all[m]))
}

/// True if a leaf has no accesses beyond those in the summary.
fn has_all_accesses(summary: &Summary, id: NodeId) -> bool {
    let block = summary.as_block(id).expect("a block");
    let calls = matches!(block.body, Body::Leaf { calls: true, .. });
    let starts = |n: NodeId| summary.as_block(n).is_some_and(|nest| nest.has_init);
    !calls && !summary.ancestors(id).any(starts)
}

/// The number of ops with side effects at function level that precede the nest of a block.
fn effects_before(summary: &Summary, id: NodeId) -> usize {
    let nest = summary.ancestors(id).last().unwrap_or(id);
    let is_effect = |n: &&NodeId| matches!(summary.nodes[**n].kind, NodeKind::Effects(_));
    summary.nodes[NodeId::FUNCTION]
        .children
        .iter()
        .take_while(|n| **n != nest)
        .filter(is_effect)
        .count()
}

fn worse(a: Verdict, b: Verdict) -> Verdict {
    match (&a, &b) {
        (Verdict::Refuted(_), _) | (_, Verdict::Proved) => a,
        (Verdict::Unknown(_), Verdict::Unknown(_)) => a,
        _ => b,
    }
}

/// The worst verdict over all [`conflicting_pairs`].
fn check_pairs<'a>(
    name: &'static str,
    (summary, leaves): (&Summary, &[NodeId]),
    pair: impl Fn(NodeId, NodeId) -> Option<ExecutionPair<'a>>,
) -> Verdict {
    let (mut verdict, mut budget) = (Verdict::Proved, Obligation::of(name));
    for (first, second) in conflicting_pairs(summary, leaves) {
        let Some(pair) = pair(first, second) else { continue };
        verdict = worse(verdict, pair.check(&mut budget));
        if matches!(verdict, Verdict::Refuted(_)) {
            return budget.end(verdict);
        }
    }
    budget.end(verdict)
}
