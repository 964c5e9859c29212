//! Shrinks a buffer to what one iteration of a pipelined loop uses, before it gets copies. A buffer of one stage gets no
//! copies, and shrinks too if it is private to a thread.
//!
//! ```text
//! %T = loop.buffer "T" : memref<64xf32>          %T = loop.buffer "T" : memref<16xf32>
//! for %k in 4 { T[%k * 16 + j]; .. }       ->    for %k in 4 { T[j]; .. }
//! ```
//! The values of a buffer with copies stay within an iteration, so an offset that the iteration adds to all indices of
//! a dimension has no meaning. After pipelining no pass can detect that, because the prologue, the loop and the
//! epilogue are three places, each with its own iteration. Offsets of loops around the pipeline stay: they are equal in
//! all three places, and `compact-buffers` removes them where it may.
//!
//! Requires
//! - (T1) only loads, stores and regions of schedule blocks use the buffer, with affine indices; no schedule block that
//!   stores to it stores to another buffer
//! - (T2) the loops around the pipeline run in order, up to one whose iterations have their own buffers of the scope:
//!   in concurrent iterations, elements may be distinct only because of the iteration of the pipeline
//! - (T3) if threads of a thread block run in the loop and the buffer is not private to a thread, there are barriers: a
//!   pipeline places its barriers by buffers and copies, not by elements. The original loop, which remains for few
//!   iterations, keeps its barriers; each of its iterations has its own copy
//! - (T4) all accesses have the same part that depends on the iteration; without it, the bounding box is known and
//!   smaller
//!
//! Elements that differ within an iteration still do. Elements of different iterations are in different copies as long
//! as their order matters: see [`model`](super::model). All accesses to a buffer of one stage keep their order.
//! A buffer for which this is not proved stays unchanged.

use super::versions::Version;
use super::{Stages, has_barrier, versions};
use crate::dialect::loop_enums::{LoopKind, Scope, ThreadAxis};
use crate::nest::buffer_remap;
use crate::nest::buffer_remap::BufferRemap;
use crate::nest::facts::scope;

use crate::nest::facts::compaction;
use crate::nest::facts::compaction::UseScope;
use crate::nest::summary::{BufferId, NodeId, Summary, VariableId};
use std::collections::BTreeMap;

/// The buffers of the loop of which one iteration uses a part only.
pub fn all(
    summary: &Summary,
    node: NodeId,
    stages: &Stages,
    versions: &[Version],
) -> Vec<BufferId> {
    // The original loop runs if there are no more iterations than the last stage.
    let is_left = summary.as_loop(node).is_some_and(|this| this.constant_extent().is_none());
    let is_enough = |version: &&Version| {
        let all_local = version.buffers.iter().all(|id| is_alone(summary, node, *id));
        all_local || !is_left || version.copies >= stages.last()
    };
    let versions = versions.iter().filter(is_enough);
    let of_one_stage = versions::of_one_stage(summary, node, stages).into_iter();
    let of_one_stage = of_one_stage.filter(|buffer| is_alone(summary, node, *buffer));
    let buffers = versions.flat_map(|version| version.buffers.iter().copied()).chain(of_one_stage);
    buffers.filter(|buffer| of(summary, node, *buffer).is_some()).collect()
}

/// The buffer as one iteration of a loop uses it, if that is smaller.
pub fn of(summary: &Summary, node: NodeId, buffer: BufferId) -> Option<BufferRemap> {
    let accesses = buffer_remap::accesses(summary, buffer)?;
    let scope = summary.buffers[buffer].scope?;
    let is_in_loop = accesses.iter().all(|(at, _)| summary.is_under(at.node, node));
    let is_separated = is_alone(summary, node, buffer) || has_barrier(summary, node);
    if !is_in_loop || !runs_in_order(summary, node, scope) || !is_separated {
        return None;
    }
    let variable = |outer: NodeId| Some(summary.as_loop(outer)?.variable);
    let around: Vec<VariableId> = summary.loops_around(node).filter_map(variable).collect();
    let place = UseScope { node, shared_by: around, threads: BTreeMap::new() };
    compaction::all(summary, buffer, &accesses, &[place]).map(|(new, _)| new)
}

/// (T2)
fn runs_in_order(summary: &Summary, node: NodeId, scope: Scope) -> bool {
    let around: Vec<_> = summary.loops_around(node).filter_map(|n| summary.as_loop(n)).collect();
    let mut shared = around.iter().take_while(|outer| !scope::is_owner(scope, outer));
    // Lanes run within one iteration, even those of a loop around one whose iterations have their own buffers.
    around.iter().all(|outer| outer.kind != LoopKind::Vectorize)
        && shared.all(|outer| matches!(outer.kind, LoopKind::Serial | LoopKind::Unroll))
}

/// Part of (T3): true if a buffer is private to a thread, or no threads run in the loop.
fn is_alone(summary: &Summary, node: NodeId, buffer: BufferId) -> bool {
    let is_thread = |inner: &NodeId| {
        summary.as_loop(*inner).and_then(|this| this.thread).is_some_and(ThreadAxis::is_thread)
    };
    summary.buffers[buffer].scope == Some(Scope::Local)
        || !summary.under(node).iter().any(is_thread)
}
