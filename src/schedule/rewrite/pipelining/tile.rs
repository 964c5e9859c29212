//! What an iteration uses of a buffer, before it gets copies: each copy has that and no more.
//!
//! ```text
//! %T = loop.buffer "T" : memref<64xf32>          %T = loop.buffer "T" : memref<16xf32>
//! for %k in 4 { T[%k * 16 + j]; .. }       ->    for %k in 4 { T[j]; .. }
//! ```
//! The values of a buffer with copies stay in an iteration, so what the iteration adds to all indices of a dimension tells
//! nothing. Afterwards, when what comes ahead, the loop and what is left are three places with an iteration each
//! of their own, no pass sees that. What loops around the pipeline add stays: it is the same in all three, and
//! `compact-buffers` takes it away where it may.
//!
//! Requires
//! - (T1) a buffer of which nothing but loads, stores and regions of schedule blocks makes use, with affine
//!   indices; no schedule block that stores to it stores to another
//! - (T2) loops around the pipeline that run in order, up to one whose iterations have their own buffers of the scope: in
//!   others, cells of different iterations may be told apart by the iteration of the pipeline alone
//! - (T3) where threads of a block run in the loop and the buffer is not a thread's own, barriers: those of a pipeline go by
//!   buffers and copies, not by cells. In the loop as it was, which is left for few iterations, barriers stay: each of
//!   those has a copy of its own
//! - (T4) in all accesses the same part that goes by the iteration, and a box without it that is told, and is smaller
//!
//! Cells that differ in an iteration still do, and those of different iterations are in different copies for as long as the
//! order of the two matters: see [`model`](super::model). What is not known is left as it is.

use super::versions::Version;
use super::{Stages, has_barrier};
use crate::dialect::loop_enums::{LoopKind, Scope, ThreadAxis};
use crate::nest::buffer_remap;
use crate::nest::buffer_remap::Reindexed;
use crate::nest::facts::boxes::is_inside;
use crate::nest::facts::compaction;
use crate::nest::facts::compaction::Place;
use crate::nest::summary::{BufferId, NodeId, Summary, VariableId};
use crate::schedule::legality::scope;
use std::collections::BTreeMap;

/// The buffers with copies of which an iteration uses less than all.
pub fn all(
    summary: &Summary,
    node: NodeId,
    stages: &Stages,
    versions: &[Version],
) -> Vec<BufferId> {
    // The loop as it was runs where there are not more iterations than stages behind the first.
    let is_left = summary.as_loop(node).is_some_and(|this| this.constant_extent().is_none());
    let is_enough = |version: &&Version| {
        let all_local = version.buffers.iter().all(|id| is_alone(summary, node, *id));
        all_local || !is_left || version.copies >= stages.last()
    };
    let versions = versions.iter().filter(is_enough);
    let buffers = versions.flat_map(|version| version.buffers.iter().copied());
    buffers.filter(|buffer| of(summary, node, *buffer).is_some()).collect()
}

/// The buffer as one iteration of a loop uses it, if that is less.
pub fn of(summary: &Summary, node: NodeId, buffer: BufferId) -> Option<Reindexed> {
    let accesses = buffer_remap::accesses(summary, buffer)?;
    let scope = summary.buffers[buffer].scope?;
    let is_in_loop = accesses.iter().all(|(at, _)| is_inside(summary, node, at.node));
    let is_separated = is_alone(summary, node, buffer) || has_barrier(summary, node);
    if !is_in_loop || !runs_in_order(summary, node, scope) || !is_separated {
        return None;
    }
    let variable = |outer: NodeId| Some(summary.as_loop(outer)?.variable);
    let around: Vec<VariableId> = summary.loops_around(node).filter_map(variable).collect();
    let place = Place { node, shared_by: around, threads: BTreeMap::new() };
    compaction::all(summary, buffer, &accesses, &[place]).map(|(new, _)| new)
}

/// (T2)
fn runs_in_order(summary: &Summary, node: NodeId, scope: Scope) -> bool {
    let around: Vec<_> = summary.loops_around(node).filter_map(|n| summary.as_loop(n)).collect();
    let mut shared = around.iter().take_while(|outer| !scope::is_owner(scope, outer));
    // Lanes are in an iteration at once, also those of a loop around one that has its own.
    around.iter().all(|outer| outer.kind != LoopKind::Vectorize)
        && shared.all(|outer| matches!(outer.kind, LoopKind::Serial | LoopKind::Unroll))
}

/// Of (T3): is a buffer a thread's own in a loop, or are there no threads in it?
fn is_alone(summary: &Summary, node: NodeId, buffer: BufferId) -> bool {
    let is_thread = |inner: &NodeId| {
        summary.as_loop(*inner).and_then(|this| this.thread).is_some_and(ThreadAxis::is_thread)
    };
    summary.buffers[buffer].scope == Some(Scope::Local)
        || !summary.under(node).iter().any(is_thread)
}
