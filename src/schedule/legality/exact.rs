//! Does a step keep the meaning of a function? Decided on two summaries: as it is, and as it would be.
//!
//! A check makes the second one of the first by moving nodes and changing kinds, plain data; nothing of
//! the IR is touched before the verdict.
//!
//! What is compared are executions of leaf schedule blocks, pair by pair and access by access: see
//! [`dependence`](crate::analysis::dependence). Some choices:
//! - Sizes are any numbers from 0 on: a clash for one size is a clash.
//! - What is `parallel` or bound to threads has no order already in the summary before: its iterations are
//!   said to have nothing to do with each other. Lanes in lockstep have the order of lockstep.
//! - A barrier in the summary before may order all that different threads do, in the one after it orders
//!   nothing; then nothing is refuted.
//! - An index that depends on data may be any. A conditional access may happen or not. Both may make a
//!   clash of nothing, so they refute nothing.
//! - The instance whose reduce iters are all 0 also gives the start values, even where the loops that
//!   reduce have no iterations.

pub mod fold;
mod joined;
mod pair;
mod ways;

use super::barriers;
use super::execution::{self, Execution, Lanes};
use super::proof::Verdict;
use crate::analysis::dependence::{Level, Order, equal, less};
use crate::analysis::system::Budget;
use crate::dialect::loop_enums::{LoopKind, ThreadAxis};
use crate::ir::affine::Expr;
use crate::nest::summary::{Access, Body, BufferId, NodeId, NodeKind, Summary, VariableId};
use crate::schedule::legality::quick;
use pair::{Pair, Relation};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
pub use ways::Threads;

/// Do all instances that touch one cell, at least one of them writing it, come in the same order in both
/// summaries? `moved` are the names of the schedule blocks whose place among the others, or whose loops'
/// order, has changed; all others are known to keep their order. A block is the same one if it has the same
/// name, an instance if its iters are the same.
pub fn check_order(before: &Summary, after: &Summary, moved: &[&str]) -> Verdict {
    let has_moved = |leaf: NodeId| {
        let mut path = std::iter::once(leaf).chain(before.ancestors(leaf));
        path.any(|n| before.as_block(n).is_some_and(|block| moved.contains(&block.name.as_str())))
    };
    let leaves = in_both(before, after);
    // Once a leaf, not once a pair: there may be hundreds.
    let moves: Vec<bool> = leaves.iter().map(|(old, _)| has_moved(*old)).collect();
    let (mut verdict, mut budget) = (Verdict::Proved, Budget::default());
    for (n, first) in leaves.iter().enumerate() {
        for (second, second_moves) in leaves.iter().zip(&moves).skip(n) {
            if !moves[n] && !second_moves || have_nothing_in_common(before, first.0, second.0) {
                continue;
            }
            let pair = check_pair((before, after), *first, *second, &mut budget);
            verdict = worse(verdict, pair);
            if matches!(verdict, Verdict::Refuted(_)) {
                return verdict;
            }
        }
    }
    let effects = |summary, id| effects_before(summary, id);
    let passes = |(old, new): &(NodeId, NodeId)| effects(before, *old) != effects(after, *new);
    if verdict == Verdict::Proved
        && let Some((old, _)) = leaves.iter().find(|pair| has_moved(pair.0) && passes(pair))
    {
        let name = &before.as_block(*old).expect("a block").name;
        return Verdict::Unknown(format!(
            "schedule block \"{name}\" changes places with an op whose effects are not known"
        ));
    }
    verdict
}

/// The same where it is known of most pairs of leaves of `before` that they keep their order: `keep` tells, of two that
/// touch nothing which the summary does not tell. Each of the others is a question of its own, which may be as large as
/// one may be; only where one could not be decided the rest is one question, as what is left is to find a refutation.
pub fn check_order_but(
    before: &Summary,
    after: &Summary,
    keep: &dyn Fn(NodeId, NodeId) -> bool,
) -> Verdict {
    let leaves = in_both(before, after);
    let (mut verdict, mut rest) = (Verdict::Proved, Budget::default());
    for (n, first) in leaves.iter().enumerate() {
        for second in &leaves[n..] {
            let (a, b) = (first.0, second.0);
            let is_kept = keep(a, b) && tells_all(before, a) && tells_all(before, b);
            if is_kept || have_nothing_in_common(before, a, b) {
                continue;
            }
            let mut own = Budget::default();
            let budget = if verdict == Verdict::Proved { &mut own } else { &mut rest };
            verdict = worse(verdict, check_pair((before, after), *first, *second, budget));
            if matches!(verdict, Verdict::Refuted(_)) {
                return verdict;
            }
        }
    }
    verdict
}

/// The leaves that both summaries have, each as a node of the first and of the second. Blocks that are in one only are
/// not a matter of order.
fn in_both(before: &Summary, after: &Summary) -> Vec<(NodeId, NodeId)> {
    let named: BTreeMap<&str, NodeId> =
        after.blocks().map(|(id, b)| (b.name.as_str(), id)).collect();
    let leaves = leaves(before, 0).into_iter();
    let in_after = |old: NodeId| {
        let new = named.get(before.as_block(old)?.name.as_str())?;
        Some((old, *new))
    };
    leaves.filter_map(in_after).collect()
}

/// Do the executions of two leaves that touch one cell keep their order, whichever comes first?
fn check_pair(
    (before, after): (&Summary, &Summary),
    first: (NodeId, NodeId),
    second: (NodeId, NodeId),
    budget: &mut Budget,
) -> Verdict {
    let verdict = Pair::ordered(before, after, first, second).check(budget);
    match verdict {
        Verdict::Refuted(_) => verdict,
        _ if first.0 == second.0 => verdict,
        _ => worse(verdict, Pair::ordered(before, after, second, first).check(budget)),
    }
}

/// May these loops, which stand directly in each other, outermost first, change places in any way; or, of the first
/// `moved`, each come to stand in others? In one iteration of what is around them, does no instance that touches a
/// cell before another one, by one of these, come later in a loop inside of it, where one of the two writes it? Updates of one cell that may be taken in any order do not count.
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
    let leaves = leaves(summary, chain[0]);
    let (mut verdict, mut budget) = (Verdict::Proved, Budget::default());
    for first in &leaves {
        for second in &leaves {
            let pair = Pair::permuted(summary, *first, *second, &around, ways);
            verdict = worse(verdict, pair.check(&mut budget));
            if matches!(verdict, Verdict::Refuted(_)) {
                return verdict;
            }
        }
    }
    verdict
}

/// Do no two different iterations of a loop, in the same iteration of the loops around it, touch one cell
/// that one of them writes? Lanes of a vectorized loop around it are at the same place of the loop, so that
/// there they may be different ones.
pub fn check_concurrent(summary: &Summary, node: NodeId) -> Verdict {
    let around = quick::in_turn_around(summary, node);
    let variable = summary.as_loop(node).expect("a loop").variable;
    check_pairs(&leaves(summary, node), |first, second| {
        let pair = Pair::apart(summary, first, second, &around, |x, y| {
            let (a, b) = (Expr::Dim(x.dims()[&variable]), Expr::Dim(y.dims()[&variable]));
            vec![vec![less(&a, &b)], vec![less(&b, &a)]]
        })?;
        Some(Pair { differ_in: Some(variable), ..pair })
    })
}

/// Do all instances under a loop keep their order if its iterations become lanes in lockstep, `width` of
/// them at once, and do no two of these write one cell? There must be no barrier in it.
pub fn check_lockstep(summary: &Summary, node: NodeId, width: Option<i64>) -> Verdict {
    let leaves = leaves(summary, node);
    let lanes = Lanes { node, width };
    let in_text = check_pairs(&leaves, |first, second| {
        Some(Pair::in_lockstep(summary, first, second, lanes))
    });
    if matches!(in_text, Verdict::Refuted(_)) {
        return in_text;
    }
    let against_text = check_pairs(&leaves, |first, second| {
        (first != second).then(|| Pair::in_lockstep(summary, second, first, lanes))
    });
    worse(in_text, against_text)
}

/// A read and a write of one cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The write comes before the read.
    WrittenFirst,
    /// The read comes before the write.
    ReadFirst,
    /// It is not certain that the read comes before the write.
    NotReadFirst,
}

/// In one iteration of `parent` and of the loops around it: is there no cell of a buffer that one of `readers`
/// and one of `writers`, schedule blocks, touch in such a turn?
pub fn check_no_turn(
    summary: &Summary,
    parent: NodeId,
    (turn, buffer): (Turn, BufferId),
    (readers, writers): (&[NodeId], &[NodeId]),
) -> Verdict {
    let around = std::iter::once(parent).chain(summary.loops_around(parent));
    let shared: Vec<VariableId> =
        around.filter_map(|n| summary.as_loop(n)).map(|this| this.variable).collect();
    let (mut verdict, mut budget) = (Verdict::Proved, Budget::default());
    for writer in writers {
        for reader in readers {
            let pair = Pair::in_turn(summary, *reader, *writer, &shared, (turn, buffer));
            verdict = worse(verdict, pair.check(&mut budget));
            if matches!(verdict, Verdict::Refuted(_)) {
                return verdict;
            }
        }
    }
    verdict
}

/// If a loop is bound to this axis, or were, do no two different threads touch one cell that one of them writes?
/// Serial loops around it do not order threads; barriers do. A schedule block of the same nest outside of loops
/// of the axis is executed by all threads. The loop is bound in `summary` if there are barriers in the nest.
pub fn check_threads(summary: &Summary, node: NodeId, axis: ThreadAxis) -> Verdict {
    let nest = summary.ancestors(node).last().unwrap_or(node);
    let inside: BTreeSet<NodeId> = leaves(summary, node).into_iter().collect();
    let has_barrier = axis.is_thread() && execution::has_barrier(summary, node);
    check_pairs(&leaves(summary, nest), |first, second| {
        if !inside.contains(&first) && !inside.contains(&second) {
            return None;
        }
        // Iterations of what is parallel at the outside of both have nothing to do with each other.
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
        let pair = Pair::apart(summary, first, second, &shared, |_, _| vec![])?;
        Some(Pair { relation: Relation::Threads(node, axis), ..pair })
    })
}

/// Two loop nests one behind the other, `levels` their loops from the outside: if each pair of loops were one, would
/// all of the first nest that touches a cell still come before what the second does to it?
pub fn check_fused(summary: &Summary, levels: &[(NodeId, NodeId)]) -> Verdict {
    let (outer, behind) = levels[0];
    let around = quick::in_turn_around(summary, outer);
    let kind = |node: NodeId| summary.as_loop(node).expect("a loop").kind;
    let (mut verdict, mut budget) = (Verdict::Proved, Budget::default());
    for first in leaves(summary, outer) {
        for second in leaves(summary, behind) {
            let pair = Pair::apart(summary, first, second, &around, |x, y| {
                let level = |(a, b): &(NodeId, NodeId)| {
                    let (first, second) = (x.variable(*a), y.variable(*b));
                    Level { kind: execution::order_of(kind(*a)), first, second }
                };
                let in_order = levels.iter().filter(|(a, _)| kind(*a) != LoopKind::ThreadBind);
                let order = Order {
                    levels: in_order.map(level).collect(),
                    // Those of loops inside too: what were two kernels has no barrier between them.
                    threads: execution::threads(x, y, levels),
                    barrier: false,
                    text: Ordering::Less,
                    lockstep: false,
                };
                order.not_before(false)
            });
            let Some(pair) = pair else { continue };
            verdict = worse(verdict, pair.check(&mut budget));
            if matches!(verdict, Verdict::Refuted(_)) {
                return verdict;
            }
        }
    }
    verdict
}

/// If the second part of what stands in a loop ran after all of the first, would all that the first one does with a
/// cell still come before what the second does to it? The parts are nodes.
pub fn check_divided(summary: &Summary, node: NodeId, parts: &[Vec<NodeId>; 2]) -> Verdict {
    let around = quick::in_turn_around(summary, node);
    let (mut verdict, mut budget) = (Verdict::Proved, Budget::default());
    let leaves = leaves(summary, node);
    let [first, second] = parts.each_ref().map(|part| leaves.iter().filter(|n| part.contains(n)));
    for (x, y) in first.flat_map(|x| second.clone().map(move |y| (*x, *y))) {
        let pair =
            Pair::apart(summary, x, y, &around, |x, y| execution::order(y, x, false).before());
        let Some(pair) = pair else { continue };
        verdict = worse(verdict, pair.check(&mut budget));
        if matches!(verdict, Verdict::Refuted(_)) {
            return verdict;
        }
    }
    verdict
}

/// May executions of two leaves of one nest, of different threads of one thread block, touch one cell that is not
/// the thread's own, one of them writing it? The first comes before the second by the text or, if a loop is given,
/// by an earlier iteration of that. Proved, if not. Threads may be said to be any. Barriers are not looked at.
pub fn check_race(
    summary: &Summary,
    (first, second): (NodeId, NodeId),
    carrier: Option<NodeId>,
    threads: Threads,
) -> Verdict {
    let Some(pair) = Pair::apart(summary, first, second, &[], |_, _| vec![]) else {
        return Verdict::Proved;
    };
    let relation = Relation::Race(carrier, threads);
    Pair { relation, vague: None, ..pair }.check(&mut Budget::default())
}

/// In one iteration of what is around `node`, by any threads: may `other`, a leaf under it, touch a cell that the
/// start of the reduction `block`, a leaf under it as well, writes, or write one that it reads, before it starts?
/// Proved, if not.
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
    let Some(pair) = Pair::apart(summary, block, other, &around, |_, _| vec![]) else {
        return Verdict::Proved;
    };
    Pair { relation: Relation::Starts, ..pair }.check(&mut Budget::default())
}

/// Do two leaves share no buffer that one of them writes, and touch nothing that the summary does not tell?
fn have_nothing_in_common(summary: &Summary, first: NodeId, second: NodeId) -> bool {
    let block = |id: NodeId| summary.as_block(id).expect("a block");
    let (a, b) = (block(first).accesses(), block(second).accesses());
    let clash = |x: &Access| b.iter().any(|y| x.buffer == y.buffer && (x.is_write || y.is_write));
    !a.iter().any(clash) && tells_all(summary, first) && tells_all(summary, second)
}

/// Does a leaf touch nothing that the summary does not tell?
fn tells_all(summary: &Summary, id: NodeId) -> bool {
    let block = summary.as_block(id).expect("a block");
    let calls = matches!(block.body, Body::Leaf { calls: true, .. });
    let starts = |n: NodeId| summary.as_block(n).is_some_and(|nest| nest.has_init);
    !calls && !summary.ancestors(id).any(starts)
}

/// The leaf schedule blocks under a node.
fn leaves(summary: &Summary, node: NodeId) -> Vec<NodeId> {
    let is_leaf =
        |id: &NodeId| matches!(summary.as_block(*id).expect("a block").body, Body::Leaf { .. });
    summary.blocks_under(node).into_iter().filter(is_leaf).collect()
}

/// How many ops with effects of their own stand before the nest of a block.
fn effects_before(summary: &Summary, id: NodeId) -> usize {
    let nest = summary.ancestors(id).last().unwrap_or(id);
    let is_effect = |n: &&NodeId| matches!(summary.nodes[**n].kind, NodeKind::Effects(_));
    summary.nodes[0].children.iter().take_while(|n| **n != nest).filter(is_effect).count()
}

fn worse(a: Verdict, b: Verdict) -> Verdict {
    match (&a, &b) {
        (Verdict::Refuted(_), _) | (_, Verdict::Proved) => a,
        (Verdict::Unknown(_), Verdict::Unknown(_)) => a,
        _ => b,
    }
}

/// The verdict on all pairs of leaves, where the same leaf twice is one.
fn check_pairs<'a>(
    leaves: &[NodeId],
    pair: impl Fn(NodeId, NodeId) -> Option<Pair<'a>>,
) -> Verdict {
    let (mut verdict, mut budget) = (Verdict::Proved, Budget::default());
    for (n, first) in leaves.iter().enumerate() {
        for second in &leaves[n..] {
            let Some(pair) = pair(*first, *second) else { continue };
            verdict = worse(verdict, pair.check(&mut budget));
            if matches!(verdict, Verdict::Refuted(_)) {
                return verdict;
            }
        }
    }
    verdict
}
