//! `reverse_compute_inline`: inline a consumer block into its producer (an elementwise epilogue).
//!
//! ```text
//! loop.for %i .. { loop.block "P" .. { T[vi, vj] = A[vi, vj] + 1 } }
//! loop.for %i .. { loop.block "C" .. { C[vj, vi] = T[vi, vj] * 2 } }
//!   ->  reverse_compute_inline "C"
//! loop.for %i .. { loop.block "P" .. { C[vj, vi] = (A[vi, vj] + 1) * 2 } }
//! ```
//! Requires
//! - (C1) the target is a schedule block
//! - (C2) the block is a leaf without calls, all its iters are spatial, and it reads nothing that it writes
//! - (C3) of the buffers that it reads, exactly one is written by another block. That block is the buffer's only
//!   writer, and this block is its only reader. Only schedule blocks use the buffer, and it is not an argument
//! - (C4) the indices at which it reads the buffer are its iters, each once, except for iters that have one value only;
//!   all loads have the same indices
//! - (C5) the producer is a leaf without calls and precedes the block; all its iters are spatial; it does not read the
//!   buffer, and has one store, outside of any `loop.if`
//! - (C6) the indices at which the producer stores are its iters, each once, except for iters that have one value only
//! - (C7) both blocks access exactly the whole buffer: domains equal the dimensions, predicates only keep iters in
//!   their domains, no `loop.if` encloses the blocks, and the loops give each iter each value exactly once
//! - (C8) between the new and the old place there is no other block that writes elements that the block reads, or
//!   accesses elements that it writes
//! - (C9) for each parallel, vectorized or bound loop around the producer: in different iterations of the loop this
//!   block writes distinct elements of a buffer, unless each iteration has its own instance of it. The block accesses
//!   the same instances of buffers as before, and uses no iters of enclosing schedule blocks, unless they enclose the
//!   producer too
//!
//! The producer keeps its name. Loops that contain only this block are removed with it, and so is the buffer. Handles
//! to the block become handles to the producer.

use crate::analysis::digits;
use crate::dialect::loop_enums::IterRole;
use crate::dialect::loop_op::ScheduleBlock;
use crate::ir::affine::Expr;
use crate::ir::{Builder, Op, Value, walk};
use crate::nest::facts::region_cover;
use crate::nest::placement::Placement;
use crate::nest::state::State;
use crate::nest::summary::{Access, Block, BufferId, NodeId, Summary};
use crate::nest::{edit, index_form};
use crate::schedule::error::{LocationReason, Reason, ScheduleError};
use crate::schedule::legality::proof::Proofs;
use crate::schedule::legality::{compute_location, quick};
use crate::schedule::name;
use crate::schedule::primitive::declaration::primitive;
use crate::schedule::verdict::Verdict;
use std::collections::BTreeSet;

primitive! {
    "Inline a consumer into its only producer"
    reverse_compute_inline(block: Block; proof) -> ();
    |state| reverse_compute_inline(state, block, proof)
}

/// The result of the check.
pub struct Plan {
    consumer: NodeId,
    producer: NodeId,
    buffer: BufferId,
    /// The buffer dimension that each iter of the consumer indexes; none for an iter that is always 0.
    dimensions: Vec<Option<usize>>,
}

/// Inlines schedule block `target` into its producer. On an error the IR is unchanged.
pub fn reverse_compute_inline(
    state: &mut State,
    target: &str,
    proofs: &mut Proofs,
) -> Result<(), ScheduleError> {
    let plan = check(state.summary(), target, proofs)?;
    rewrite(state, &plan);
    Ok(())
}

pub fn check(summary: &Summary, target: &str, proofs: &mut Proofs) -> Result<Plan, ScheduleError> {
    let consumer = name::block(summary, target)?;
    let block = summary.as_block(consumer).expect("a block");
    check_spatial(consumer, block, 2)?;
    if let Some(store) = block.stores().find(|s| block.loads().any(|l| l.buffer == s.buffer)) {
        let (block, buffer) = (block.name.clone(), summary.buffers[store.buffer].name.clone());
        return Err(Reason::ReadsOwnResult { block, buffer }.at(consumer, 2));
    }
    let (producer, buffer) = find_producer(summary, consumer, block)?;
    let scope = |n: NodeId| summary.ancestors(n).find(|n| summary.as_block(*n).is_some());
    if scope(consumer) != scope(producer) {
        let (block, name) = (block.name.clone(), summary.name(producer));
        let kind = "schedule block";
        let reason = LocationReason::OtherScope { block, kind, name };
        return Err(reason.at(consumer, 9).note(producer, "the producer is here"));
    }
    let loads: Vec<&Access> = block.loads().filter(|load| load.buffer == buffer).collect();
    let not_plain = |name: &str| LocationReason::NotPlainIndices { block: name.to_owned() };
    let dimensions = plain_iters(block, loads[0])
        .filter(|_| loads.iter().all(|load| load.indices == loads[0].indices))
        .ok_or_else(|| not_plain(&block.name).at(consumer, 4))?;
    let of = summary.as_block(producer).expect("a block");
    let store = check_producer(summary, (producer, of), consumer, buffer)?;
    let stored = plain_iters(of, store).ok_or_else(|| not_plain(&of.name).at(producer, 6))?;
    check_whole(summary, (consumer, block), &dimensions, buffer, proofs)?;
    check_whole(summary, (producer, of), &stored, buffer, proofs)?;

    // The inlined computation is placed after the producer's, with iters bound as the producer's are.
    let parent = summary.nodes[producer].parent.expect("a block stands in something");
    let children = &summary.nodes[parent].children;
    let place = children.iter().position(|n| *n == producer).expect("it is a child");
    let bound = |d: &Option<usize>| -> Expr {
        let iter = d.and_then(|d| stored.iter().position(|other| *other == Some(d)));
        iter.map_or(Expr::Constant(0), |i| of.binding[i].clone())
    };
    let placement = Placement {
        block: consumer,
        target: parent,
        position: place + 1,
        loops: vec![],
        binding: dimensions.iter().map(bound).collect(),
        predicate: of.predicate.clone(),
    };
    let after = placement.after(summary);
    check_effects(summary, &after, (consumer, producer), buffer, proofs)?;
    Ok(Plan { consumer, producer, buffer, dimensions })
}

/// Requires a leaf without calls, with spatial iters.
fn check_spatial(node: NodeId, block: &Block, condition: u8) -> Result<(), ScheduleError> {
    quick::check_leaf(node, block, condition)?;
    match block.iters.iter().find(|iter| iter.role != IterRole::Spatial) {
        Some(iter) => {
            let (block, iter, role) = (block.name.clone(), iter.name.clone(), iter.role);
            Err(Reason::NotSpatial { block, iter, role }.at(node, condition))
        }
        None => Ok(()),
    }
}

/// (C3)
fn find_producer(
    summary: &Summary,
    node: NodeId,
    block: &Block,
) -> Result<(NodeId, BufferId), ScheduleError> {
    let mut found: BTreeSet<(NodeId, BufferId)> = BTreeSet::new();
    for load in block.loads() {
        let writes = |of: &Block| of.stores().any(|store| store.buffer == load.buffer);
        let writers = summary.blocks().filter(|(other, of)| *other != node && writes(of));
        // A buffer that other blocks read too may stay; the inlined block only reads it.
        let is_kept = region_cover::readers(summary, load.buffer, node)
            .iter()
            .any(|r| !summary.as_block(*r).is_some_and(writes))
            || summary.buffers[load.buffer].scope.is_none();
        found.extend(writers.filter(|_| !is_kept).map(|(other, _)| (other, load.buffer)));
    }
    match found.iter().copied().collect::<Vec<_>>()[..] {
        [(producer, buffer)] => {
            compute_location::check_only_writer(summary, producer, buffer, 3)?;
            Ok((producer, buffer))
        }
        _ => {
            let reason =
                LocationReason::NotOneProducer { block: block.name.clone(), found: found.len() };
            let error = reason.at(node, 3);
            let noted = found.iter().map(|(writer, _)| *writer);
            Err(noted.fold(error, |error, writer| error.note(writer, "one is here")))
        }
    }
}

/// The dimension that each iter indexes, if each index is a distinct iter, or 0 for an iter that has one value.
fn plain_iters(block: &Block, access: &Access) -> Option<Vec<Option<usize>>> {
    let mut dimensions = vec![];
    for iter in &block.iters {
        let plain = Some(iter.variable.expr());
        let mut places = (0..access.indices.len()).filter(|d| access.indices[*d] == plain);
        let is_zero = iter.domain.iter().any(|d| d.constant() == Some(1));
        match (places.next(), places.next()) {
            (Some(place), None) => dimensions.push(Some(place)),
            (None, None) if is_zero => dimensions.push(None),
            _ => return None,
        }
    }
    let is_injective =
        |d: usize| dimensions.contains(&Some(d)) || access.indices[d] == Some(Expr::Constant(0));
    (0..access.indices.len()).all(is_injective).then_some(dimensions)
}

/// (C5); returns the store
fn check_producer<'s>(
    summary: &Summary,
    (node, block): (NodeId, &'s Block),
    consumer: NodeId,
    buffer: BufferId,
) -> Result<&'s Access, ScheduleError> {
    check_spatial(node, block, 5)?;
    if node > consumer {
        let (first, second) = (summary.name(consumer), block.name.clone());
        return Err(LocationReason::ComesBefore { first, second }
            .at(consumer, 5)
            .note(node, "it is here"));
    }
    if block.loads().any(|load| load.buffer == buffer) {
        let (block, buffer) = (block.name.clone(), summary.buffers[buffer].name.clone());
        return Err(Reason::ReadsOwnResult { block, buffer }.at(node, 5));
    }
    let stores: Vec<&Access> = block.stores().collect();
    match stores[..] {
        [store] if store.is_conditional => {
            Err(LocationReason::StoreInIf(block.name.clone()).at(node, 5))
        }
        [store] => Ok(store),
        _ => {
            let reason =
                LocationReason::NotOneStore { block: block.name.clone(), stores: stores.len() };
            Err(reason.at(node, 5))
        }
    }
}

/// (C7)
fn check_whole(
    summary: &Summary,
    (node, block): (NodeId, &Block),
    dimensions: &[Option<usize>],
    buffer: BufferId,
    proofs: &mut Proofs,
) -> Result<(), ScheduleError> {
    let shape = &summary.buffers[buffer].shape;
    let fits = |d: usize| {
        let Some(size) = &shape[d] else { return false };
        match dimensions.iter().position(|dimension| *dimension == Some(d)) {
            Some(i) => {
                let domain = &block.iters[i].domain;
                domain.len() == 1 && summary.simplified(&domain[0]) == summary.simplified(size)
            }
            None => size.constant() == Some(1),
        }
    };
    let run = region_cover::run(summary, node, NodeId::FUNCTION);
    let runs = |i: usize| {
        run[i]
            .as_ref()
            .is_some_and(|run| region_cover::holds(summary, run, None, &block.iters[i].domain))
    };
    let once = summary.loops_around(node).all(|n| {
        let variable = summary.as_loop(n).expect("a loop").variable;
        digits::determines(&block.binding, variable.index(), summary, &block.predicate)
    });
    let is_whole = once && (0..shape.len()).all(fits) && (0..block.iters.len()).all(runs);
    let verdict = match is_whole {
        true => Verdict::Proved,
        false => Verdict::Unknown("its loops are not proved to cover all values, each once".into()),
    };
    proofs.require(&verdict, || LocationReason::Partial { block: block.name.clone() }.at(node, 7))
}

/// (C8), (C9)
fn check_effects(
    summary: &Summary,
    after: &Summary,
    (node, producer): (NodeId, NodeId),
    buffer: BufferId,
    proofs: &mut Proofs,
) -> Result<(), ScheduleError> {
    let block = summary.as_block(node).expect("a block");
    compute_location::check_moved_up(summary, after, (node, producer), &[buffer], 8, proofs)?;
    let others = block.accesses().iter().map(|access| access.buffer);
    let buffers: Vec<BufferId> = others.filter(|other| *other != buffer).collect();
    compute_location::check_instances_of_buffers(summary, after, (node, &buffers), 9, proofs)?;
    compute_location::check_injective_stores(summary, node, block, 9, proofs)?;
    compute_location::check_races(after, (&block.name, node), 9, proofs)?;
    compute_location::check_threads(after, (&block.name, node), &[buffer], 9, proofs)
}

fn rewrite(state: &mut State, plan: &Plan) {
    let view = |node| ScheduleBlock::of(state.op(node)).expect("the node is a schedule block");
    let (consumer, producer) = (view(plan.consumer), view(plan.producer));
    let buffer = state.buffer(plan.buffer);
    let is_store = |op: &Op| op.is("memref.store") && op.operand(1) == buffer;
    let store = walk(producer.op).into_iter().find(is_store).expect("the check has seen it");
    let builder = Builder::before(store, store.location());
    let (value, indices) = (store.operand(0), store.operands()[2..].to_vec());
    let mut mapping: Vec<(Value, Value)> = consumer
        .iters
        .iter()
        .zip(&plan.dimensions)
        .map(|(iter, d)| (iter.variable, d.map_or_else(|| builder.index(0), |d| indices[d])))
        .collect();
    let is_load = |op: &Op| op.is("memref.load") && op.operand(0) == buffer;
    for op in consumer.body.ops() {
        if op.is("loop.yield") {
            continue;
        }
        let copy = op.clone_mapped(&mapping);
        builder.place(copy);
        mapping.extend(op.results().into_iter().zip(copy.results()));
        for load in walk(copy).into_iter().filter(is_load) {
            load.result(0).replace_all_uses_with(value);
        }
        if is_load(&copy) {
            let last = mapping.last_mut().expect("a load has a result");
            last.1 = value;
        }
    }
    for load in walk(producer.op).into_iter().filter(is_load) {
        state.rewriter.erase(load);
    }
    state.rewriter.erase(store);
    edit::add_sizes(producer.op, &consumer.sizes);
    index_form::restore(producer.op, state.rewriter.as_mut());
    let nests = state.nests_around(&[plan.consumer, plan.producer]);
    let old = consumer.op.parent().expect("a block stands in something");
    state.rewriter.replaced(consumer.op, producer.op);
    state.rewriter.erase(consumer.op);
    edit::erase_emptied(old, state.rewriter.as_mut());
    edit::derive_regions(producer.op);
    nests.into_iter().for_each(edit::derive_regions);
    if let Some(op) = buffer.defining_op() {
        state.rewriter.erase(op);
    }
}
