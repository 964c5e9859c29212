//! `compute_at`: move a producer block under a loop of its consumers, to compute in each iteration the values they need
//! there.
//!
//! ```text
//! loop.for %i in 32 { loop.for %j in 32 { loop.block "B" .. = (%i, %j) { B[vi, vj] = A[vi, vj] + 1 } } }
//! loop.for %f in 1024 { loop.block "C" .. = (%f floordiv 32, %f mod 32) { C[vi, vj] = B[vj, vi] * 2 } }
//!   ->  compute_at "B" loop "C:f"
//! loop.for %f in 1024 {
//!   loop.block "B" .. = (%f mod 32, %f floordiv 32) { B[vi, vj] = A[vi, vj] + 1 }
//!   loop.block "C" .. = (%f floordiv 32, %f mod 32) { C[vi, vj] = B[vj, vi] * 2 }
//! }
//! ```
//! The block is placed before its first reader in the loop, and gets new loops. The elements that the readers need in
//! one iteration are a box, which is derived from the indices of the readers over the inner loops. Each iter of the
//! block gets an offset and, if more than one of its values is needed, a loop. So the new loops correspond to the split
//! and fused loops of the consumer. An iter gets its whole domain if no index of the written element determines it, if
//! the needed range depends on data, or if it is a reduce iter. Conditions on the block (its predicate, a `loop.if`)
//! become its predicate, over the new loops. The predicate also excludes values that are not proved to be in the
//! domain.
//!
//! Requires
//! - (C1) the arguments are a schedule block and a loop
//! - (C2) the same schedule block encloses both, or none does; the loop and the block are not in different branches of
//!   one `loop.if`; the loop does not already enclose the block
//! - (C3) the block is a leaf without calls, whose iters are spatial, or reduce if it has a `loop.init`
//! - (C4) the block is the only writer of the buffers that it writes. These are buffers of the function that only
//!   schedule blocks use. The block reads them only as the accumulator of its reduction
//! - (C5) the block has readers, and all of them are in the loop and after the block
//! - (C6) the loops that contain only the block, which are removed, are serial or unrolled
//! - (C7) distinct instances write distinct elements. If the block reduces, the values reduced into each element keep
//!   their order, or the order does not matter to the reducer
//! - (C8) consider one iteration of the loops that enclose both places. In it, the block runs at its old place all
//!   instances that the readers need, except those that conditions on the block exclude. The conditions are expressions
//!   over its iters
//! - (C9) nothing between the old place of the block and its readers overwrites elements that the block reads
//! - (C10) for each parallel, vectorized or bound loop around the new place: in different iterations of the loop this
//!   block writes distinct elements of a buffer, unless each iteration has its own instance of it
//! - (C11) if this block and another block of the new nest access the same buffer, and one of them writes it, the same
//!   loops over threads enclose both. If this block reads elements that the other block writes, no loop over threads
//!   encloses them, because no barrier would order the two
//!
//! An element that several iterations need is computed in each of these iterations. The new loops get the names of the
//! old loops, unless these names are taken, and have no axis attribute. Handles to the old loops are invalidated.

use crate::dialect::loop_enums::IterRole;
use crate::nest::facts::{region_cover, run_condition};
use crate::nest::placement::Placement;
use crate::nest::state::State;
use crate::nest::summary::{Access, BufferId, NodeId, Summary};
use crate::schedule::error::{LocationReason, Reason, ReductionReason, ScheduleError};
use crate::schedule::legality::proof::Proofs;
use crate::schedule::legality::{compute_location, quick};
use crate::schedule::name;
use crate::schedule::primitive::declaration::primitive;
use crate::schedule::verdict::Verdict;
use std::collections::BTreeSet;

primitive! {
    "Compute, in each iteration of a loop, what its consumers read there"
    compute_at(block: Block, r#loop: Loop; proof) -> Vec<String>;
    |state| compute_at(state, block, r#loop, proof)
}

/// Moves schedule block `target` under loop `under`; returns the names of the new loops. On an error the IR is
/// unchanged.
pub fn compute_at(
    state: &mut State,
    target: &str,
    under: &str,
    proofs: &mut Proofs,
) -> Result<Vec<String>, ScheduleError> {
    let plan = check(state.summary(), target, under, proofs)?;
    plan.rewrite(state);
    Ok(plan.loops.into_iter().map(|new| new.name).collect())
}

pub fn check(
    summary: &Summary,
    target: &str,
    under: &str,
    proofs: &mut Proofs,
) -> Result<Placement, ScheduleError> {
    let producer = name::block(summary, target)?;
    let at = name::loop_of(summary, under)?;
    let buffers = check_producer(summary, producer)?;
    let readers = check_readers(summary, producer, &buffers)?;
    check_loop(summary, producer, &buffers, &readers, at, proofs).map_err(|error| {
        let check =
            |node| check_loop(summary, producer, &buffers, &readers, node, &mut Proofs::default());
        let around = readers.iter().copied();
        compute_location::with_legal_loops(summary, "compute_at", around, &check, error)
    })
}

/// The loops that schedule block `target` may move under without further proof, in textual order.
pub fn legal_loops(summary: &Summary, target: &str) -> Result<Vec<NodeId>, ScheduleError> {
    let producer = name::block(summary, target)?;
    let buffers = check_producer(summary, producer)?;
    let readers = check_readers(summary, producer, &buffers)?;
    let check =
        |node| check_loop(summary, producer, &buffers, &readers, node, &mut Proofs::default());
    Ok(compute_location::legal_loops(summary, readers.iter().copied(), &check))
}

/// (C3), (C4); returns the buffers that the block writes
fn check_producer(summary: &Summary, node: NodeId) -> Result<Vec<BufferId>, ScheduleError> {
    let block = summary.as_block(node).expect("a block");
    quick::check_leaf(node, block, 3)?;
    let reduces = block.iters.iter().any(|iter| iter.role == IterRole::Reduce);
    if let Some(iter) = block.iters.iter().find(|iter| iter.role == IterRole::Opaque) {
        let (block, iter, role) = (block.name.clone(), iter.name.clone(), iter.role);
        return Err(Reason::NotSpatial { block, iter, role }.at(node, 3));
    }
    if reduces && !block.has_init {
        return Err(ReductionReason::NoInit(block.name.clone()).at(node, 3));
    }
    let buffers: Vec<BufferId> = block.written().into_iter().collect();
    if buffers.is_empty() {
        let reason = LocationReason::NotOneStore { block: block.name.clone(), stores: 0 };
        return Err(reason.at(node, 4));
    }
    for id in &buffers {
        compute_location::check_only_writer(summary, node, *id, 4)?;
        let store = block.stores().find(|store| store.buffer == *id);
        let own =
            |load: &Access| block.has_init && Some(&load.indices) == store.map(|s| &s.indices);
        if block.loads().any(|load| load.buffer == *id && !own(load)) {
            let (block, buffer) = (block.name.clone(), summary.buffers[*id].name.clone());
            return Err(Reason::ReadsOwnResult { block, buffer }.at(node, 4));
        }
    }
    Ok(buffers)
}

/// Part of (C5): the block has readers, and all follow it
fn check_readers(
    summary: &Summary,
    node: NodeId,
    buffers: &[BufferId],
) -> Result<Vec<NodeId>, ScheduleError> {
    let mut all = BTreeSet::new();
    for buffer in buffers {
        let name = || summary.buffers[*buffer].name.clone();
        let readers = region_cover::readers(summary, *buffer, node);
        if let Some(reader) = readers.iter().find(|reader| **reader < node) {
            let reason =
                LocationReason::ReadBefore { buffer: name(), reader: summary.name(*reader) };
            return Err(reason.at(node, 5).note(*reader, "the reader is here"));
        }
        all.extend(readers);
    }
    match all.is_empty() {
        true => {
            let buffer = summary.buffers[buffers[0]].name.clone();
            Err(LocationReason::NoReader { buffer }.at(node, 5))
        }
        false => Ok(all.into_iter().collect()),
    }
}

/// The conditions that depend on the loop.
fn check_loop(
    summary: &Summary,
    node: NodeId,
    buffers: &[BufferId],
    readers: &[NodeId],
    at: NodeId,
    proofs: &mut Proofs,
) -> Result<Placement, ScheduleError> {
    let block = summary.as_block(node).expect("a block");
    compute_location::check_scope(summary, node, at, 2)?;
    if let Some(outside) = readers.iter().find(|reader| !summary.is_under(**reader, at)) {
        let reason = LocationReason::ReaderOutside {
            buffer: summary.buffers[buffers[0]].name.clone(),
            reader: summary.name(*outside),
            name: summary.as_loop(at).expect("a loop").name.clone(),
        };
        return Err(reason.at(node, 5).note(*outside, "the reader is here"));
    }
    let both = summary.lca(node, at);
    let own_loops = compute_location::check_erased_loops(summary, node, both, 6)?;
    compute_location::check_injective_stores(summary, node, block, 7, proofs)?;

    let conditions = compute_location::run_conditions(summary, node, both, 8)?;
    let run = region_cover::run(&run_condition::without(summary, node, both), node, both);
    let needed = region_cover::needed(summary, block, readers, both);
    for (i, iter) in block.iters.iter().enumerate() {
        let covers = run[i]
            .as_ref()
            .is_some_and(|run| region_cover::holds(summary, run, needed[i].as_ref(), &iter.domain));
        let verdict = match covers {
            true => Verdict::Proved,
            false => Verdict::Unknown("its loops are not proved to cover them all".into()),
        };
        let reason =
            || LocationReason::NotAllRun { block: block.name.clone(), iter: iter.name.clone() };
        proofs.require(&verdict, || reason().at(node, 8))?;
    }

    let spans = region_cover::needed(summary, block, readers, at);
    let first = readers.iter().map(|reader| summary.child_towards(at, *reader)).min();
    let first = first.expect("there are readers");
    let children = &summary.nodes[at].children;
    let position = children.iter().position(|child| *child == first).expect("it is a child");
    let is_spatial = |i: &usize| block.iters[*i].role == IterRole::Spatial;
    let (mut order, mut reduce): (Vec<usize>, Vec<usize>) =
        (0..block.iters.len()).partition(is_spatial);
    reduce.sort_by_key(|i| compute_location::outermost(summary, block, &own_loops, *i));
    order.extend(reduce);
    let placement = Placement::of(summary, (node, at, position), &spans, &order, &conditions);
    let after = placement.after(summary);
    compute_location::check_inits(&after, node, 9)?;
    compute_location::check_reduction(summary, (node, block), &own_loops, &placement, 7, proofs)?;
    compute_location::check_races(&after, (&block.name, node), 10, proofs)?;
    compute_location::check_threads(&after, (&block.name, node), &[], 11, proofs)?;
    compute_location::check_inputs(summary, &after, (node, at), buffers, 9, proofs)?;
    Ok(placement)
}
