//! `thread-sync`: insert the barriers that threads need, and remove redundant ones.
//!
//! ```text
//! for thread_bind[threadIdx.x] %t in 8 { S[%t] = A[%t] }        for thread_bind[threadIdx.x] %t in 8 { .. }
//! loop.sync                                                     loop.sync
//! loop.sync                                              ->     for thread_bind[threadIdx.x] %t in 8 { .. }
//! for thread_bind[threadIdx.x] %t in 8 { S[7 - %t] += 1 }       loop.sync
//! for thread_bind[threadIdx.x] %t in 8 { B[%t] = S[%t] }        for thread_bind[threadIdx.x] %t in 8 { .. }
//! ```
//! The program order of the statements of a nest must hold for accesses of different threads too. So if one thread
//! writes an element and another thread accesses it, a barrier must separate the two accesses. The two accesses may
//! also be in different iterations of a serial loop. See
//! [`src/schedule/legality/barriers.rs`](crate::schedule::legality::barriers).
//!
//! First, the pass removes each barrier without which all such pairs of accesses are still separated. There is one
//! exception: if a shared buffer has more than 4 KiB, and each iteration of a loop reads only elements of it that the
//! iteration has written, barriers between the iterations remain. So `compact-buffers` can later let all iterations use
//! the same few elements. Then missing barriers are inserted: before the second statement, or at the end of the loop
//! that carries the dependence.
//!
//! With `insert=false` the pass inserts no barriers. The pipeline uses this option, so that a race in the input is
//! reported and not hidden. A barrier is then kept if it may separate two accesses that are not proved to be separated
//! by other barriers. An example is a barrier in a loop that may have no iterations. `remark=true` emits a remark at
//! each removed barrier and, with `insert=false`, at each proved race.
//!
//! Requires
//! - (C1) the nest is a kernel, with a loop that is bound to threads
//! - (C2) a new barrier is at a position that all threads reach: (C5) to (C8) of `sync_threads`. If there is no such
//!   position, a remark reports this

use crate::dialect::loop_enums::{LoopKind, Scope};
use crate::dialect::loop_op::For;
use crate::ffi::pass::PassRun;
use crate::ir::{Error, Op, remark};
use crate::nest::edit;
use crate::nest::facts::scope::is_used_within;
use crate::nest::rewriter::Direct;
use crate::nest::summary::{Block, Buffer, Loop, NodeId, NodeKind, Summary};
use crate::optimize::kind::{self, Counts};
use crate::schedule::State;
use crate::schedule::legality::barriers;
use crate::schedule::legality::barriers::{Barriers, Carrier, Need};
use crate::schedule::primitive::layout::set_scope::bytes;
use crate::schedule::primitive::r#loop::sync_threads::check_reached;
use std::collections::BTreeSet;

/// The indices of the statistics in the row.
const REMOVED: usize = 0;
const INSERTED: usize = 1;

/// The `run` function in the table row. Its options: whether barriers are inserted, and whether remarks are emitted.
pub fn run(op: Op, run: &PassRun) -> Result<(), ()> {
    kind::reported(run, |counts| function(op, run.bool(0), run.bool(1), counts))
}

fn function<'c>(
    function: Op<'c>,
    inserts: bool,
    remarks: bool,
    counts: &mut Counts,
) -> Result<(), Error<'c>> {
    let state = State::new(function, Box::new(Direct))?;
    let summary = state.summary();
    let mut changes = Barriers::default();
    let nests = summary.nodes[NodeId::FUNCTION].children.iter();
    // (C1)
    for nest in nests.filter(|nest| barriers::is_kernel(summary, **nest)) {
        let needs = barriers::needs(summary, *nest);
        // Without insertion, a barrier that may be needed stays.
        let kept = if inserts { BTreeSet::new() } else { barriers::in_doubt(summary, &needs) };
        let all = [&needs[..], &reuses(summary, *nest)].concat();
        remove(summary, *nest, &all, &kept, &mut changes);
        if inserts {
            insert(&state, &needs, &mut changes);
        } else if remarks {
            report_races(&state, &needs, &changes);
        }
    }
    counts.add(REMOVED, changes.removed.len() as u64);
    counts.add(INSERTED, (changes.before.len() + changes.at_end.len()) as u64);
    for node in &changes.before {
        let op = state.op(*node);
        edit::insert_barrier(op, op.location());
    }
    for node in &changes.at_end {
        let end = For::of(state.op(*node))?.body.end();
        edit::insert_barrier(end, end.location());
    }
    for node in &changes.removed {
        if remarks {
            let message =
                "this barrier is removed: it orders nothing that other barriers do not order";
            remark(state.op(*node).location(), message);
        }
        state.op(*node).erase();
    }
    Ok(())
}

/// A buffer of at most this many bytes is not worth a barrier.
const SMALL: i64 = 4096;

/// The pairs that need a barrier once the iterations of a loop share the elements of a large buffer of a thread block.
fn reuses(summary: &Summary, nest: NodeId) -> Vec<Need> {
    let mut found = vec![];
    let is_large = |buffer: &Buffer| {
        buffer.scope == Some(Scope::Shared) && bytes(buffer).is_none_or(|bytes| bytes > SMALL)
    };
    for (id, _) in summary.buffers.iter().filter(|(_, buffer)| is_large(buffer)) {
        for node in summary.under(nest) {
            let repeats =
                |this: &Loop| this.kind == LoopKind::Serial && this.constant_extent() != Some(1);
            if !summary.as_loop(node).is_some_and(repeats) || !is_used_within(summary, node, id) {
                continue;
            }
            let users = |writes: bool| -> Vec<NodeId> {
                let uses = |block: &Block| {
                    let mut accesses = block.accesses().iter();
                    accesses.any(|access| access.buffer == id && (access.is_write || !writes))
                };
                let blocks = summary.blocks().filter(|(_, block)| uses(block));
                blocks.map(|(block, _)| block).collect()
            };
            for (first, second) in
                users(false).iter().flat_map(|a| users(true).into_iter().map(move |b| (*a, b)))
            {
                found.push(Need { first, second, carrier: Carrier::Loop(node) });
            }
        }
    }
    found
}

/// Removes barriers without which the others separate all that is separated now.
fn remove(
    summary: &Summary,
    nest: NodeId,
    needs: &[Need],
    kept: &BTreeSet<NodeId>,
    changes: &mut Barriers,
) {
    let met: Vec<&Need> = needs.iter().filter(|need| changes.separate(summary, need)).collect();
    for node in summary.under(nest) {
        if !matches!(summary.nodes[node].kind, NodeKind::Sync) || kept.contains(&node) {
            continue;
        }
        changes.removed.insert(node);
        if !met.iter().all(|need| changes.separate(summary, need)) {
            changes.removed.remove(&node);
        }
    }
}

/// Emits a remark on each pair of statements that provably races, once per pair.
fn report_races(state: &State, needs: &[Need], changes: &Barriers) {
    let summary = state.summary();
    let mut reported = vec![];
    for need in needs.iter().filter(|need| !changes.separate(summary, need)) {
        let mut pair = [need.first, need.second];
        pair.sort_unstable();
        if reported.contains(&pair) {
            continue;
        }
        let Some(clash) = barriers::clash(summary, need) else { continue };
        reported.push(pair);
        remark(
            state.op(need.second).location(),
            &format!("different threads race, with no barrier between their accesses: {clash}"),
        );
    }
}

/// Inserts missing barriers, as late as possible: each then separates the most pairs.
fn insert(state: &State, needs: &[Need], changes: &mut Barriers) {
    let summary = state.summary();
    let place = |need: &Need| match need.carrier {
        Carrier::Text => summary.child_towards(summary.lca(need.first, need.second), need.second),
        Carrier::Loop(node) => node,
    };
    let mut needs: Vec<&Need> = needs.iter().collect();
    // Pairs in program order first, as their barriers may also serve the loops; then loops, inner ones first.
    needs.sort_by_key(|need| match need.carrier {
        Carrier::Text => (0, place(need).index()),
        Carrier::Loop(node) => (1, summary.nodes.len() - node.index()),
    });
    for need in needs {
        // No barrier orders threads that execute the same statement at once.
        let is_at_once = need.first == need.second && need.carrier == Carrier::Text;
        if is_at_once || changes.separate(summary, need) {
            continue;
        }
        let at = place(need);
        let inside = match need.carrier {
            Carrier::Text => at,
            Carrier::Loop(_) => summary.child_towards(at, need.first),
        };
        // (C2)
        if check_reached(summary, inside, inside, [2; 4]).is_err() {
            let message = format!(
                "\"{}\" and \"{}\" may access one cell in different threads, and no barrier that all threads \
                 reach can be placed between them",
                summary.name(need.first),
                summary.name(need.second)
            );
            remark(state.op(need.second).location(), &message);
            continue;
        }
        match need.carrier {
            Carrier::Text => changes.before.insert(at),
            Carrier::Loop(_) => changes.at_end.insert(at),
        };
    }
}
