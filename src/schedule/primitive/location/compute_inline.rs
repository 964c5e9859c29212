//! `compute_inline`: inline a producer block into its consumers, so that its values need no buffer.
//!
//! ```text
//! loop.for %i .. { loop.block "B" .. { T[vi, vj] = A[vi, vj] + 1 } }
//! loop.for %i .. { loop.block "C" .. { C[vi, vj] = T[vj, vi] * 2 } }
//!   ->  compute_inline "B"
//! loop.for %i .. { loop.block "C" .. { C[vi, vj] = (A[vj, vi] + 1) * 2 } }
//! ```
//! Requires
//! - (C1) the target is a schedule block
//! - (C2) the block is a leaf without calls, and all its iters are spatial
//! - (C3) it writes a buffer of the function, not an argument
//! - (C4) it has exactly one store, outside of any `loop.if`; the indices of the store are exactly the iters of the
//!   block, each once
//! - (C5) it writes the whole buffer: the domains of its iters equal the dimensions, a predicate only keeps iters
//!   within their domains, no `loop.if` encloses the block, and the loops give its iters all values
//! - (C6) it is the only writer of the buffer, only schedule blocks use the buffer, and the block does not read it
//! - (C7) it has readers; all of them follow it, are leaves, and read at indices that are expressions over their iters
//!   and sizes
//! - (C8) no write to an element that the block reads happens after the block and before a reader. For each block that
//!   writes such elements it is proved that all these writes precede the reads by the block, or that all of them follow
//!   the readers
//! - (C9) its computation uses no iters of an enclosing schedule block, unless that block also encloses the readers
//! - (C10) if a loop encloses only the block or only a reader, the block reads no buffer of which each iteration of
//!   that loop has its own instance
//!
//! Loops that contain only this block are removed with it, and so is the buffer.

use crate::dialect::loop_enums::IterRole;
use crate::dialect::loop_op::{For, If, ScheduleBlock};
use crate::dialect::region;
use crate::ir::affine::{Constraint, Expr};
use crate::ir::{Builder, Op, Value, parents, walk};
use crate::nest::facts::cover;
use crate::nest::state::State;
use crate::nest::summary::VariableId;
use crate::nest::summary::{Access, Block, Body, BufferId, NodeId, NodeKind, Summary, Variable};
use crate::nest::{edit, index_form};
use crate::schedule::error::{LocationReason, Reason, ScheduleError};
use crate::schedule::legality::exact::Turn;
use crate::schedule::legality::proof::Proofs;
use crate::schedule::legality::{exact, scope};
use crate::schedule::name;
use crate::schedule::primitive::declaration::primitive;
use crate::schedule::verdict::Verdict;
use std::collections::BTreeSet;

primitive! {
    "Inline a producer into its consumers"
    compute_inline(block: Block; proof) -> ();
    |state| compute_inline(state, block, proof)
}

/// The result of the check.
pub struct Plan {
    pub producer: NodeId,
    pub readers: Vec<NodeId>,
    pub buffer: BufferId,
    /// The buffer dimension that each iter indexes; none for an iter that is always 0.
    dimensions: Vec<Option<usize>>,
}

/// Inlines schedule block `target` into its readers. On an error the IR is unchanged.
pub fn compute_inline(
    state: &mut State,
    target: &str,
    proofs: &mut Proofs,
) -> Result<(), ScheduleError> {
    let plan = check(state.summary(), target, proofs)?;
    rewrite(state, &plan);
    Ok(())
}

pub fn check(summary: &Summary, target: &str, proofs: &mut Proofs) -> Result<Plan, ScheduleError> {
    let producer = name::block(summary, target)?;
    let block = summary.as_block(producer).expect("a block");
    check_body(producer, block)?;
    let store = check_store(summary, producer, block)?;
    let dimensions = check_iters(summary, producer, block, store)?;
    check_writers(summary, producer, store.buffer)?;
    let readers = check_readers(summary, producer, store.buffer)?;
    check_outer_iters(summary, producer, block, &readers)?;
    for reader in &readers {
        scope::check_same_instances(summary, producer, *reader, 10)?;
    }
    let plan = Plan { producer, readers, buffer: store.buffer, dimensions };
    check_inputs(summary, &plan, proofs)?;
    Ok(plan)
}

/// (C2)
fn check_body(node: NodeId, block: &Block) -> Result<(), ScheduleError> {
    match &block.body {
        Body::Nest => return Err(Reason::NestBody(block.name.clone()).at(node, 2)),
        Body::Leaf { calls: true, .. } => {
            return Err(Reason::Calls(block.name.clone()).at(node, 2));
        }
        Body::Leaf { .. } => {}
    }
    match block.iters.iter().find(|iter| iter.role != IterRole::Spatial) {
        Some(iter) if iter.role == IterRole::Reduce => {
            Err(LocationReason::IsReduction(block.name.clone()).at(node, 2))
        }
        Some(iter) => {
            let (block, iter, role) = (block.name.clone(), iter.name.clone(), iter.role);
            Err(Reason::NotSpatial { block, iter, role }.at(node, 2))
        }
        None => Ok(()),
    }
}

/// (C3), and part of (C4): there is exactly one store
fn check_store<'s>(
    summary: &Summary,
    node: NodeId,
    block: &'s Block,
) -> Result<&'s Access, ScheduleError> {
    let stores: Vec<_> = block.stores().collect();
    let [store] = stores[..] else {
        let reason =
            LocationReason::NotOneStore { block: block.name.clone(), stores: stores.len() };
        return Err(reason.at(node, 4));
    };
    let buffer = &summary.buffers[store.buffer];
    if buffer.scope.is_none() {
        let (block, buffer) = (block.name.clone(), buffer.name.clone());
        return Err(LocationReason::WritesArgument { block, buffer }.at(node, 3));
    }
    if store.is_conditional {
        return Err(LocationReason::StoreInIf(block.name.clone()).at(node, 4));
    }
    Ok(store)
}

/// (C4), (C5)
fn check_iters(
    summary: &Summary,
    node: NodeId,
    block: &Block,
    store: &Access,
) -> Result<Vec<Option<usize>>, ScheduleError> {
    let not_plain = || LocationReason::NotPlainIters { block: block.name.clone() }.at(node, 4);
    let partial = || LocationReason::Partial { block: block.name.clone() }.at(node, 5);
    let mut dimensions = vec![];
    for iter in &block.iters {
        let plain = iter.variable.expr();
        let mut places =
            (0..store.indices.len()).filter(|d| store.indices[*d].as_ref() == Some(&plain));
        let is_zero = iter.domain.len() == 1 && iter.domain[0].constant() == Some(1);
        match (places.next(), places.next()) {
            (Some(place), None) => dimensions.push(Some(place)),
            (None, None) if is_zero => dimensions.push(None),
            _ => return Err(not_plain()),
        }
    }
    let shape = &summary.buffers[store.buffer].shape;
    for (d, size) in shape.iter().enumerate() {
        let size = size.as_ref().map(Expr::simplified);
        match dimensions.iter().position(|dimension| *dimension == Some(d)) {
            Some(i) => {
                let domain = &block.iters[i].domain;
                if domain.len() != 1 || Some(domain[0].simplified()) != size {
                    return Err(partial());
                }
            }
            // An iter that is always 0 may have been simplified to the constant index 0.
            None if store.indices[d] == Some(0.into()) && size == Some(1.into()) => {}
            None => return Err(not_plain()),
        }
    }
    let keeps_domain = |constraint: &Constraint| {
        let Constraint::NonNegative(expr) = constraint else { return false };
        block.iters.iter().zip(&block.binding).any(|(iter, bound)| {
            let [domain] = &iter.domain[..] else { return false };
            let last = domain.clone() - 1.into() - bound.clone();
            summary.simplified(&last) == summary.simplified(expr)
        })
    };
    let is_whole = block.predicate.iter().all(keeps_domain)
        && !is_in_branch(summary, node)
        && runs_whole(summary, node, store.buffer);
    if is_whole { Ok(dimensions) } else { Err(partial()) }
}

fn is_in_branch(summary: &Summary, node: NodeId) -> bool {
    summary.ancestors(node).any(|n| matches!(summary.nodes[n].kind, NodeKind::If(_)))
}

/// True if the loops around a block give its iters all values of their domains.
fn runs_whole(summary: &Summary, node: NodeId, buffer: BufferId) -> bool {
    // Loops that also enclose all readers need not run.
    let reads = |other: &Block| other.loads().any(|load| load.buffer == buffer);
    let readers = summary.blocks().filter(|(other, block)| *other != node && reads(block));
    let readers: Vec<NodeId> = readers.map(|(reader, _)| reader).collect();
    let around = around_all(summary, node, &readers);
    [around, NodeId::FUNCTION].iter().any(|parent| cover::is_whole(summary, *parent, node))
}

/// The innermost node that encloses a block and all of its readers; 0 for the function.
fn around_all(summary: &Summary, node: NodeId, readers: &[NodeId]) -> NodeId {
    let depth = |n: &NodeId| summary.ancestors(*n).count() + usize::from(*n != NodeId::FUNCTION);
    let shared = readers.iter().map(|reader| summary.lca(node, *reader));
    shared.min_by_key(depth).unwrap_or(NodeId::FUNCTION)
}

/// (C6)
fn check_writers(summary: &Summary, node: NodeId, buffer: BufferId) -> Result<(), ScheduleError> {
    let name = || summary.buffers[buffer].name.clone();
    if summary.buffers[buffer].escapes {
        return Err(LocationReason::Escapes { buffer: name() }.at(node, 6));
    }
    for (other, block) in summary.blocks() {
        if other != node && block.stores().any(|store| store.buffer == buffer) {
            let reason = LocationReason::SecondWriter { buffer: name(), other: block.name.clone() };
            return Err(reason.at(node, 6).note(other, "the other writer is here"));
        }
    }
    let block = summary.as_block(node).expect("a block");
    match block.loads().any(|load| load.buffer == buffer) {
        true => {
            let (block, buffer) = (block.name.clone(), name());
            Err(Reason::ReadsOwnResult { block, buffer }.at(node, 6))
        }
        false => Ok(()),
    }
}

/// (C7)
fn check_readers(
    summary: &Summary,
    node: NodeId,
    buffer: BufferId,
) -> Result<Vec<NodeId>, ScheduleError> {
    let name = || summary.buffers[buffer].name.clone();
    let mut readers = vec![];
    for (reader, block) in summary.blocks() {
        let mut loads = block.loads().filter(|load| load.buffer == buffer).peekable();
        if loads.peek().is_none() {
            continue;
        }
        let (buffer, reader_name) = (name(), block.name.clone());
        if reader < node {
            let reason = LocationReason::ReadBefore { buffer, reader: reader_name };
            return Err(reason.at(node, 7).note(reader, "the reader is here"));
        }
        if loads.any(|load| load.indices.iter().any(Option::is_none)) {
            let reason = LocationReason::UnknownPlace { buffer, reader: reader_name };
            return Err(reason.at(node, 7).note(reader, "the reader is here"));
        }
        readers.push(reader);
    }
    match readers.is_empty() {
        true => Err(LocationReason::NoReader { buffer: name() }.at(node, 7)),
        false => Ok(readers),
    }
}

/// (C8)
fn check_inputs(summary: &Summary, plan: &Plan, proofs: &mut Proofs) -> Result<(), ScheduleError> {
    let Plan { producer: node, readers, .. } = plan;
    let block = summary.as_block(*node).expect("a block");
    let last = readers.iter().copied().max().unwrap_or(*node);
    let shares_loop = |other: NodeId| {
        let around: Vec<_> = summary.loops_around(other).collect();
        readers.iter().chain([node]).any(|n| summary.loops_around(*n).any(|l| around.contains(&l)))
    };
    // What a reader reads was computed in the same iteration of `shared`.
    let shared = around_all(summary, *node, readers);
    let parent = if cover::is_whole(summary, shared, *node) { shared } else { NodeId::FUNCTION };
    let mut inlined = None;
    for (other, writer) in summary.blocks() {
        let is_between = other > *node && other <= last || shares_loop(other);
        if other == *node || !is_between || !summary.is_under(other, parent) {
            continue;
        }
        let read: BTreeSet<BufferId> = block.loads().map(|load| load.buffer).collect();
        let buffers = read.intersection(&writer.written()).copied().collect::<Vec<_>>();
        for buffer in buffers {
            let inlined = inlined.get_or_insert_with(|| with_loads(summary, plan));
            let verdict = || {
                // Either the writer finishes before the block, or the readers come before the writer.
                let writers = &[other][..];
                let turn = |turn| (turn, buffer);
                let ours = exact::check_no_turn(
                    summary,
                    parent,
                    turn(Turn::ReadFirst),
                    (&[*node], writers),
                );
                if ours == Verdict::Proved {
                    return ours;
                }
                let not_first = turn(Turn::NotReadFirst);
                match exact::check_no_turn(inlined, parent, not_first, (readers, writers)) {
                    // The block may have run after this writer.
                    Verdict::Refuted(witness)
                        if other < *node || summary.lca(*node, other) != parent =>
                    {
                        Verdict::Unknown(witness.to_string())
                    }
                    verdict => verdict,
                }
            };
            let reader = summary.name(last);
            let name = summary.buffers[buffer].name.clone();
            let reason =
                LocationReason::Overwritten { buffer: name, writer: writer.name.clone(), reader };
            let refusal = reason.at(*node, 8).note(other, "the writer is here");
            proofs.settle(Err(refusal), verdict)?;
        }
        if matches!(writer.body, Body::Leaf { calls: true, .. }) {
            check_no_loads(summary, (*node, block), (last, other), proofs)?;
        }
    }
    for other in node.up_to(last) {
        if matches!(summary.nodes[other].kind, NodeKind::Effects(_)) {
            check_no_loads(summary, (*node, block), (last, other), proofs)?;
        }
    }
    Ok(())
}

/// The summary after inlining, in which the readers have only the loads that inlining adds, not their other loads.
fn with_loads(summary: &Summary, plan: &Plan) -> Summary {
    let mut inlined = summary.clone();
    let block = summary.as_block(plan.producer).expect("a block");
    let at = |load: &Access, index: &Expr| {
        let dim = |variable: usize| {
            let iter =
                block.iters.iter().position(|iter| iter.variable == VariableId::of_dim(variable));
            let Some(i) = iter else { return Expr::Dim(variable) };
            let place = plan.dimensions[i].and_then(|d| load.indices[d].clone());
            place.unwrap_or(Expr::Constant(0))
        };
        index.substitute(&dim, &Expr::Symbol).simplified()
    };
    for reader in &plan.readers {
        let NodeKind::Block(of) = &mut inlined.nodes[*reader].kind else { continue };
        let Body::Leaf { accesses, .. } = &mut of.body else { continue };
        let replaced = |access: Access| -> Vec<Access> {
            if access.is_write {
                return vec![access];
            }
            let is_ours = access.buffer == plan.buffer;
            let inputs = block.loads().filter(|_| is_ours);
            inputs
                .map(|input| Access {
                    in_init: access.in_init,
                    is_conditional: access.is_conditional || input.is_conditional,
                    indices: input
                        .indices
                        .iter()
                        .map(|index| index.as_ref().map(|index| at(&access, index)))
                        .collect(),
                    ..input.clone()
                })
                .collect()
        };
        *accesses = std::mem::take(accesses).into_iter().flat_map(replaced).collect();
    }
    inlined
}

/// Part of (C8): `other`, whose effects are unknown, cannot change anything that the block reads.
fn check_no_loads(
    summary: &Summary,
    (node, block): (NodeId, &Block),
    (last, other): (NodeId, NodeId),
    proofs: &mut Proofs,
) -> Result<(), ScheduleError> {
    let Some(load) = block.loads().next() else { return Ok(()) };
    let by = match &summary.nodes[other].kind {
        NodeKind::Effects(name) => format!("'{name}'"),
        _ => format!("a call in schedule block \"{}\"", summary.name(other)),
    };
    let buffer = summary.buffers[load.buffer].name.clone();
    let reason = LocationReason::MayBeOverwritten { buffer, by, reader: summary.name(last) };
    proofs.require(&Verdict::of(false), || reason.at(node, 8).note(other, "it is here"))
}

/// (C9)
fn check_outer_iters(
    summary: &Summary,
    node: NodeId,
    block: &Block,
    readers: &[NodeId],
) -> Result<(), ScheduleError> {
    for variable in &block.outer_iters {
        let Variable::Iter(outer, i) = summary.variables[*variable] else { continue };
        let is_outside = |reader: &&NodeId| !summary.ancestors(**reader).any(|n| n == outer);
        if let Some(reader) = readers.iter().find(is_outside) {
            let of = summary.as_block(outer).expect("a block");
            let reason = LocationReason::OuterIter {
                block: block.name.clone(),
                iter: of.iters[i].name.clone(),
                outer: of.name.clone(),
            };
            return Err(reason.at(node, 9).note(*reader, "the reader is here"));
        }
    }
    Ok(())
}

fn rewrite(state: &mut State, plan: &Plan) {
    let producer =
        ScheduleBlock::of(state.op(plan.producer)).expect("the node is a schedule block");
    let buffer = state.buffer(plan.buffer);
    for reader in &plan.readers {
        let op = state.op(*reader);
        let mut loads = walk(op);
        loads.retain(|load| load.is("memref.load") && load.operand(0) == buffer);
        let view = ScheduleBlock::of(op).expect("the node is a schedule block");
        let mut computed: Vec<(Op, Value)> = vec![];
        for load in &loads {
            // Without this, values that are read twice would double the code at each step along a chain.
            let same = |(other, _): &&(Op, Value)| {
                let mut around = std::iter::once(*load).chain(parents(*load));
                around.any(|op| op.block() == other.block())
                    && region::same_indices(&view, *other, *load)
            };
            let value = match computed.iter().find(same) {
                Some((_, value)) => *value,
                None => computed_before(&producer, *load, &plan.dimensions),
            };
            computed.push((*load, value));
        }
        for (load, value) in computed {
            load.result(0).replace_all_uses_with(value);
            state.rewriter.erase(load);
        }
        edit::add_sizes(op, &producer.sizes);
        index_form::restore(op, state.rewriter.as_mut());
        edit::derive_regions(op);
    }
    let nests = state.nests_around(plan.readers.iter().chain([&plan.producer]));
    let mut emptied = producer.op;
    while let Some(parent) = emptied.parent() {
        let bodies = parent.regions().into_iter().flat_map(|region| region.blocks());
        let others = bodies.map(|body| body.ops().len() - 1).sum::<usize>();
        if !(parent.is(For::NAME) || parent.is(If::NAME)) || others > 1 {
            break;
        }
        emptied = parent;
    }
    state.rewriter.erase(emptied);
    nests.into_iter().for_each(edit::derive_regions);
    if let Some(op) = buffer.defining_op() {
        state.rewriter.erase(op);
    }
}

/// Computes the value that the producer would store, before a load of it.
fn computed_before<'c>(
    producer: &ScheduleBlock<'c>,
    load: Op<'c>,
    dimensions: &[Option<usize>],
) -> Value<'c> {
    let builder = Builder::before(load, load.location());
    let indices = &load.operands()[1..];
    let mut mapping: Vec<(Value, Value)> = producer
        .iters
        .iter()
        .zip(dimensions)
        .map(|(iter, dimension)| {
            (iter.variable, dimension.map_or_else(|| builder.index(0), |d| indices[d]))
        })
        .collect();
    let mut stored = None;
    for op in producer.body.ops() {
        match op.name() {
            "loop.yield" => {}
            "memref.store" => stored = Some(op.operand(0)),
            _ => {
                let copy = op.clone_mapped(&mapping);
                builder.place(copy);
                mapping.extend(op.results().into_iter().zip(copy.results()));
            }
        }
    }
    let stored = stored.expect("the check has seen one store");
    mapping.iter().rev().find(|(from, _)| *from == stored).map_or(stored, |(_, to)| *to)
}
