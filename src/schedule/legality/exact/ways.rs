//! The ways in which two executions run in different threads.

use crate::analysis::dependence::{All, equal, less};
use crate::dialect::loop_enums::{LoopKind, ThreadAxis};
use crate::nest::summary::NodeId;
use crate::schedule::legality::execution::{Execution, has_barrier};
use std::collections::BTreeSet;

/// The threads of a thread block that two executions run in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThreadPair {
    /// Two different threads.
    Different,
    /// The same thread, or two different threads.
    Any,
}

/// The ways in which the first execution precedes the second and both run in the given threads of one
/// thread block. Two executions in one `vthread` loop are in the same iteration of it, unless it is the carrier.
pub fn race(
    x: &Execution,
    y: &Execution,
    carrier: Option<NodeId>,
    threads: ThreadPair,
) -> Vec<All> {
    let mut all: All = vec![];
    for node in x.loops().into_iter().filter(|node| y.loops().contains(node)) {
        let this = x.summary.as_loop(node).expect("a loop");
        let (a, b) = (x.variable(node), y.variable(node));
        if carrier == Some(node) {
            all.push(less(&a, &b));
            break;
        }
        let is_virtual = this.thread == Some(ThreadAxis::VThread);
        if is_virtual || matches!(this.kind, LoopKind::Serial | LoopKind::Unroll) {
            all.push(equal(&a, &b));
        }
    }
    let (of_first, of_second) = (x.threads(), y.threads());
    let is_block = |word: &str| word.starts_with("blockIdx");
    for (axis, a) in of_first.iter().filter(|(axis, _)| is_block(axis)) {
        all.extend(of_second.get(axis).map(|b| equal(a, b)));
    }
    if threads == ThreadPair::Any {
        return vec![all];
    }
    let axes: BTreeSet<&str> = of_first.keys().chain(of_second.keys()).copied().collect();
    let differ = |axis: &str| match (of_first.get(axis), of_second.get(axis)) {
        (Some(a), Some(b)) => vec![vec![less(a, b)], vec![less(b, a)]],
        _ => vec![vec![]],
    };
    let ways = axes.into_iter().filter(|axis| !is_block(axis)).flat_map(differ);
    ways.map(|way| [&all[..], &way].concat()).collect()
}

/// The ways in which two unordered executions run in different threads of an axis that a loop is bound to,
/// or would be.
///
/// A barrier in the nest also separated, for other threads, what one thread does in two iterations of a
/// loop, as long as that loop was serial. So with a barrier, threads that differ in both axes are included.
pub fn other_threads(x: &Execution, y: &Execution, node: NodeId, axis: ThreadAxis) -> Vec<All> {
    let has_barrier = has_barrier(x.summary, node);
    let is_same =
        |other: &str| other != axis.word() && !(has_barrier && other.starts_with("thread"));
    let bound = |execution: &Execution| {
        let is_it = |around: &NodeId| {
            let this = x.summary.as_loop(*around).expect("a loop");
            *around == node || this.kind == LoopKind::ThreadBind && this.thread == Some(axis)
        };
        let around = execution.loops().into_iter().rev().find(is_it)?;
        (!execution.is_outside(around)).then(|| execution.variable(around))
    };
    let (of_first, of_second) = (x.threads(), y.threads());
    let others: All = of_first
        .iter()
        .filter(|(other, _)| is_same(other))
        .filter_map(|(other, a)| Some(equal(a, of_second.get(other)?)))
        .collect();
    match (bound(x), bound(y)) {
        (Some(a), Some(b)) => {
            let ways = [less(&a, &b), less(&b, &a)].map(|way| [&others[..], &[way]].concat());
            // Within one block, the test covers both accesses in both positions already.
            ways[..if x.block == y.block { 1 } else { 2 }].to_vec()
        }
        // All threads execute both.
        (None, None) => vec![],
        _ => vec![others],
    }
}
