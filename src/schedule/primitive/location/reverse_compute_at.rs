//! `reverse_compute_at`: move a consumer block under a loop of its producers, to process in each iteration what the
//! producers have written in it.
//!
//! ```text
//! loop.for %i.0 in 4 { loop.for %k in 64 { loop.for %i.1 in 8 { loop.block "B" .. { B[vi] += A[vi, vk] } } } }
//! loop.for %i in 30 { loop.block "C" .. = (%i) { C[vi] = max(B[vi], 0) } }
//!   ->  reverse_compute_at "C" loop "B:i.0"
//! loop.for %i.0 in 4 {
//!   loop.for %k in 64 { loop.for %i.1 in 8 { loop.block "B" .. { B[vi] += A[vi, vk] } } }
//!   loop.for %i in 8 { loop.block "C" .. = (%i.0 * 8 + %i) where(%i.0 * 8 + %i < 30) { C[vi] = max(B[vi], 0) } }
//! }
//! ```
//! The block is placed after its last producer in the loop, and gets new loops. An iter that indexes a buffer of a
//! producer runs over the range of elements that are written in one iteration; every other iter runs over its whole
//! domain. Conditions on the block (its predicate, a `loop.if`) become its predicate, over the new loops. The predicate
//! also excludes values that are not proved to be in the domain.
//!
//! Requires
//! - (C1) the arguments are a schedule block and a loop
//! - (C2) the same schedule block encloses both, or none does; the loop and the block are not in different branches of
//!   one `loop.if`; the loop does not already enclose the block
//! - (C3) the block is a leaf without calls, whose iters are spatial or reduce
//! - (C4) the block has producers (other blocks that write buffers that it reads); at least one of them is in the loop
//!   and precedes the block
//! - (C5) the loops that contain only the block, which are removed, are serial or unrolled
//! - (C6) distinct instances write distinct elements, and read no other elements of the buffers they write. If the
//!   block reduces, the values reduced into each element keep their order, or the order does not matter to the reducer
//! - (C7) after the step exactly the same instances run as before, each once: no two iterations run the same instance,
//!   and together they run all instances. If the block reads elements that it writes, each instance also ran only once
//!   before the step. Conditions on the block are expressions over its iters
//! - (C8) each element that the block reads from its producers in the loop has its final value in the same iteration
//! - (C9) between the new and the old place there is no other block that writes elements that the block reads, or
//!   accesses elements that it writes
//! - (C10) for each parallel, vectorized or bound loop around the new place: in different iterations of the loop this
//!   block writes distinct elements of a buffer, unless each iteration has its own instance of it. The block accesses
//!   the same instances of buffers as before
//! - (C11) if this block and another block of the new nest access the same buffer, and one of them writes it, the same
//!   loops over threads enclose both
//!
//! New loops get the names of the old loops, unless these names are taken. Handles to the old loops are invalidated.

use crate::analysis::digits;
use crate::analysis::span::IntegerSpan;
use crate::dialect::loop_enums::IterRole;
use crate::ir::affine::Expr;
use crate::nest::facts::reduction::Roles;
use crate::nest::facts::{region_cover, run_condition};
use crate::nest::placement::Placement;
use crate::nest::state::State;
use crate::nest::summary::{Access, Block, BufferId, Iter, NodeId, Summary};
use crate::schedule::error::{LocationReason, Reason, ScheduleError};
use crate::schedule::legality::proof::Proofs;
use crate::schedule::legality::{compute_location, quick};
use crate::schedule::name;
use crate::schedule::primitive::declaration::primitive;
use crate::schedule::verdict::Verdict;
use std::collections::BTreeSet;

primitive! {
    "Move a consumer into a loop of its producers"
    reverse_compute_at(block: Block, r#loop: Loop; proof) -> Vec<String>;
    |state| reverse_compute_at(state, block, r#loop, proof)
}

/// Moves schedule block `target` under loop `under`; returns the names of the new loops. On an error the IR is
/// unchanged.
pub fn reverse_compute_at(
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
    let consumer = name::block(summary, target)?;
    let at = name::loop_of(summary, under)?;
    let block = summary.as_block(consumer).expect("a block");
    quick::check_leaf(consumer, block, 3)?;
    if let Some(iter) = block.iters.iter().find(|iter| iter.role == IterRole::Opaque) {
        let (block, iter, role) = (block.name.clone(), iter.name.clone(), iter.role);
        return Err(Reason::NotSpatial { block, iter, role }.at(consumer, 3));
    }
    let producers = producers(summary, consumer, block);
    check_loop(summary, consumer, &producers, at, proofs).map_err(|error| {
        let check = |node| check_loop(summary, consumer, &producers, node, &mut Proofs::default());
        let around = producers.iter().map(|(node, _)| *node);
        compute_location::with_legal_loops(summary, "reverse_compute_at", around, &check, error)
    })
}

/// All pairs of another block and a buffer that it writes and that the block reads.
fn producers(summary: &Summary, node: NodeId, block: &Block) -> Vec<(NodeId, BufferId)> {
    let mut found = BTreeSet::new();
    for load in block.loads() {
        let writes = |of: &Block| of.stores().any(|store| store.buffer == load.buffer);
        let writers = summary.blocks().filter(|(other, of)| *other != node && writes(of));
        found.extend(writers.map(|(other, _)| (other, load.buffer)));
    }
    found.into_iter().collect()
}

/// The conditions that depend on the loop.
fn check_loop(
    summary: &Summary,
    node: NodeId,
    all: &[(NodeId, BufferId)],
    at: NodeId,
    proofs: &mut Proofs,
) -> Result<Placement, ScheduleError> {
    let block = summary.as_block(node).expect("a block");
    compute_location::check_scope(summary, node, at, 2)?;
    let producers: Vec<(NodeId, BufferId)> =
        all.iter().copied().filter(|(writer, _)| summary.is_under(*writer, at)).collect();
    let Some(last) = producers.iter().map(|(writer, _)| *writer).max() else {
        let (block, name) = (block.name.clone(), summary.name(at));
        return Err(LocationReason::NoProducer { block, name }
            .at(node, 4)
            .note(at, "the loop is here"));
    };
    if last > node {
        let (writer, _) = producers[0];
        let (first, second) = (block.name.clone(), summary.name(writer));
        return Err(LocationReason::ComesBefore { first, second }
            .at(node, 4)
            .note(writer, "it is here"));
    }
    let both = summary.lca(node, at);
    let own_loops = compute_location::check_erased_loops(summary, node, both, 5)?;
    check_cells(summary, node, block, proofs)?;
    check_ran_once(summary, (node, block), &own_loops, proofs)?;

    let spans = spans(summary, block, &producers, at);
    let order = order_of_iters(summary, block, &own_loops);
    let last = summary.child_towards(at, last);
    let children = &summary.nodes[at].children;
    let position = 1 + children.iter().position(|child| *child == last).expect("it is a child");
    let conditions = compute_location::run_conditions(summary, node, both, 7)?;
    let place = (node, at, position);
    let placement = Placement::of(summary, place, &spans, &order, &conditions);
    let after = placement.after(summary);
    compute_location::check_inits(&after, node, 8)?;
    compute_location::check_reduction(summary, (node, block), &own_loops, &placement, 6, proofs)?;
    let free = run_condition::without(summary, node, both);
    let free_after = Placement::of(summary, place, &spans, &order, &[]).after(&free);
    check_once(&free, &free_after, (node, at), both, proofs)?;
    check_written(summary, &after, (node, both), &producers, at, proofs)?;
    let own: Vec<BufferId> = producers.iter().map(|(_, buffer)| *buffer).collect();
    let buffers: Vec<BufferId> = block.accesses().iter().map(|access| access.buffer).collect();
    compute_location::check_instances_of_buffers(summary, &after, (node, &buffers), 10, proofs)?;
    compute_location::check_races(&after, (&block.name, node), 10, proofs)?;
    compute_location::check_threads(&after, (&block.name, node), &own, 11, proofs)?;
    compute_location::check_moved_up(summary, &after, (node, at), &own, 9, proofs)?;
    Ok(placement)
}

/// Part of (C6): spatial iters determine the written elements, and of the written buffers the block reads only its own
/// element
fn check_cells(
    summary: &Summary,
    node: NodeId,
    block: &Block,
    proofs: &mut Proofs,
) -> Result<(), ScheduleError> {
    compute_location::check_injective_stores(summary, node, block, 6, proofs)?;
    for store in block.stores() {
        let is_other = |load: &Access| {
            let known = load.indices.iter().all(Option::is_some);
            load.buffer == store.buffer && (load.indices != store.indices || !known)
        };
        let verdict = match block.loads().any(is_other) {
            true => Verdict::Unknown("at other indices than it writes".into()),
            false => Verdict::Proved,
        };
        let (block, buffer) = (block.name.clone(), summary.buffers[store.buffer].name.clone());
        proofs.require(&verdict, || Reason::ReadsOwnResult { block, buffer }.at(node, 6))?;
    }
    Ok(())
}

/// Part of (C7): a block that reads its own result computes another result when it runs again, so it must have run once
fn check_ran_once(
    summary: &Summary,
    (node, block): (NodeId, &Block),
    own_loops: &[NodeId],
    proofs: &mut Proofs,
) -> Result<(), ScheduleError> {
    let written = block.written();
    if !block.loads().any(|load| written.contains(&load.buffer)) {
        return Ok(());
    }
    Roles { summary, id: node, block }.require_injective(proofs, own_loops, 7)
}

/// For each iter, the span that is written in one iteration; none for the whole domain.
fn spans(
    summary: &Summary,
    block: &Block,
    producers: &[(NodeId, BufferId)],
    at: NodeId,
) -> Vec<Option<IntegerSpan>> {
    let mut spans = vec![None; block.iters.len()];
    for (writer, buffer) in producers {
        let of = summary.as_block(*writer).expect("a block");
        let run = region_cover::run(summary, *writer, at);
        let Some(store) = of.stores().find(|store| store.buffer == *buffer) else { continue };
        let placed = region_cover::placed_iters(of, store);
        // The span written in each dimension, if it is the span of one iter.
        let written = |d: usize| -> Option<IntegerSpan> {
            let index = store.indices[d].as_ref()?;
            let stage = placed.iter().position(|p| p.as_ref().is_some_and(|(at, _)| *at == d));
            match stage {
                Some(i) => Some(run[i].as_ref()?.shifted(&placed[i].as_ref()?.1)),
                None if !index.has_dims() => {
                    Some(IntegerSpan { low: index.clone(), width: 0.into() })
                }
                None => None,
            }
        };
        for load in block.loads().filter(|load| load.buffer == *buffer) {
            let places = region_cover::placed_iters(block, load);
            for (span, place) in spans.iter_mut().zip(places) {
                let Some((d, added)) = place else { continue };
                let Some(written) = written(d) else { continue };
                let back = (Expr::Constant(0) - added).simplified();
                span.get_or_insert_with(|| written.shifted(&back));
            }
        }
    }
    spans
}

/// The iters, ordered by the outermost loops they are bound to.
fn order_of_iters(summary: &Summary, block: &Block, own_loops: &[NodeId]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..block.iters.len()).collect();
    order.sort_by_key(|i| compute_location::outermost(summary, block, own_loops, *i));
    order
}

/// (C7)
fn check_once(
    summary: &Summary,
    after: &Summary,
    (node, at): (NodeId, NodeId),
    both: NodeId,
    proofs: &mut Proofs,
) -> Result<(), ScheduleError> {
    let block = summary.as_block(node).expect("a block");
    let (id, moved) = after.blocks().find(|(_, of)| of.name == block.name).expect("it is there");
    let both_after = compute_location::same_node(summary, after, at, both);
    for around in after.loops_around(id).filter(|n| after.is_under(*n, both_after)) {
        let this = after.as_loop(around).expect("a loop");
        let verdict = match digits::determines(
            &moved.binding,
            this.variable.index(),
            after,
            &moved.predicate,
        ) {
            true => Verdict::Proved,
            false => Verdict::Unknown(compute_location::NOT_INJECTIVE.into()),
        };
        let (block, name) = (block.name.clone(), this.name.clone());
        proofs.require(&verdict, || Reason::NotInjective { block, name }.at(node, 7))?;
    }
    let (old, new) =
        (region_cover::run(summary, node, both), region_cover::run(after, id, both_after));
    for (i, iter) in block.iters.iter().enumerate() {
        let same = old[i].as_ref().zip(new[i].as_ref()).is_some_and(|(old, new)| {
            region_cover::holds(after, new, Some(old), &iter.domain)
                && region_cover::holds(after, old, Some(new), &iter.domain)
        });
        let verdict = match same {
            true => Verdict::Proved,
            false => Verdict::Unknown("its loops are not proved to cover the same values".into()),
        };
        let reason =
            LocationReason::OtherInstances { block: block.name.clone(), iter: iter.name.clone() };
        proofs.require(&verdict, || reason.at(node, 7))?;
    }
    Ok(())
}

/// (C8)
fn check_written(
    summary: &Summary,
    after: &Summary,
    (node, both): (NodeId, NodeId),
    producers: &[(NodeId, BufferId)],
    at: NodeId,
    proofs: &mut Proofs,
) -> Result<(), ScheduleError> {
    let name = summary.name(node);
    let find = |name: &str| after.blocks().find(|(_, of)| of.name == name).expect("it is there").0;
    let (id, at_after) = (find(&name), compute_location::same_node(summary, after, at, at));
    for (writer, buffer) in producers {
        let of = summary.as_block(*writer).expect("a block");
        let run = region_cover::run(summary, *writer, at);
        let runs_all = region_cover::runs_all(summary, *writer, at);
        let needed = region_cover::needed(after, of, &[id], at_after);
        let holds = |(i, iter): (usize, &Iter)| {
            runs_all[i]
                || run[i].as_ref().is_some_and(|run| {
                    region_cover::holds(after, run, needed[i].as_ref(), &iter.domain)
                })
        };
        // Other iterations of the loops around the producer write other elements.
        let mut around = std::iter::once(at)
            .chain(summary.loops_around(at))
            .take_while(|n| *n != both && summary.is_under(*n, both));
        let bindings = region_cover::bindings_under(summary, of, both);
        let is_injective = around.all(|n| {
            let variable = summary.as_loop(n).expect("a loop").variable;
            digits::determines(&bindings, variable.index(), summary, &of.predicate)
        });
        let known = is_injective
            && compute_location::has_injective_stores(summary, of)
            && !of.stores().any(|s| s.is_conditional);
        let verdict = match known && of.iters.iter().enumerate().all(holds) {
            true => Verdict::Proved,
            false => Verdict::Unknown(
                "other iterations may write there too, or some of it is not written".into(),
            ),
        };
        let reason = LocationReason::NotWritten {
            block: name.clone(),
            buffer: summary.buffers[*buffer].name.clone(),
            writer: of.name.clone(),
        };
        proofs.require(&verdict, || reason.at(node, 8).note(*writer, "the writer is here"))?;
    }
    Ok(())
}
