//! The ways in which two executions are of different threads.

use crate::analysis::dependence::{All, equal, less};
use crate::dialect::loop_enums::{LoopKind, ThreadAxis};
use crate::nest::summary::NodeId;
use crate::schedule::legality::execution::{Execution, has_barrier};
use std::collections::BTreeSet;

/// Of which threads of a thread block two executions are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threads {
    Different,
    Any,
}

/// The ways in which two executions are of such threads of a thread block, and the first comes before the second.
pub fn race(x: &Execution, y: &Execution, carrier: Option<NodeId>, threads: Threads) -> Vec<All> {
    let mut all: All = vec![];
    for node in x.loops().into_iter().filter(|node| y.loops().contains(node)) {
        let this = x.summary.as_loop(node).expect("a loop");
        let (a, b) = (x.variable(node), y.variable(node));
        if carrier == Some(node) {
            all.push(less(&a, &b));
            break;
        }
        if matches!(this.kind, LoopKind::Serial | LoopKind::Unroll) {
            all.push(equal(&a, &b));
        }
    }
    let (of_first, of_second) = (x.threads(), y.threads());
    let is_block = |word: &str| word.starts_with("blockIdx");
    for (axis, a) in of_first.iter().filter(|(axis, _)| is_block(axis)) {
        all.extend(of_second.get(axis).map(|b| equal(a, b)));
    }
    if threads == Threads::Any {
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

/// The ways in which two executions are of different threads of an axis, which a loop is bound to or would be,
/// and nothing else orders them.
///
/// With a barrier in the nest what one thread does in two iterations of a loop was apart for other threads, too, as
/// long as that loop was serial: then threads that differ in both axes are asked about.
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
            // In one block both accesses are asked about in both places.
            ways[..if x.block == y.block { 1 } else { 2 }].to_vec()
        }
        // Both are of all threads.
        (None, None) => vec![],
        _ => vec![others],
    }
}
