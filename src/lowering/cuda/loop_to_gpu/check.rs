//! The conditions of `convert-loop-to-gpu`, verified before anything changes.

use super::{MAX_SERIAL, calls, has_bound_loop, is_host_call};
use crate::analysis::span;
use crate::dialect::annotation::{self, ASYNC_COPY};
use crate::dialect::loop_enums::{Combiner, Scope, ThreadAxis};
use crate::dialect::loop_op::{BufferView, ScheduleBlock};
use crate::dialect::reducer::update::Update;
use crate::ir::affine::{Expr, Linear};
use crate::ir::{Error, Op, Type, TypeKind, walk};
use crate::lowering::element_bytes;
use crate::lowering::emit::plan::buffer::check_padding;
use crate::lowering::emit::plan::collective::Collective;
use crate::lowering::emit::plan::init::Inits;
use crate::lowering::math::{expand_math, math_to_nvptx};
use crate::nest::partial_result::PartialReduction;
use crate::nest::summary::VariableId;
use crate::nest::summary::{Access, Block, BufferId, NodeId, NodeKind, Summary};
use crate::schedule::State;
use crate::schedule::legality::atomic;
use crate::schedule::legality::barriers;
use crate::schedule::legality::barriers::Barriers;
use crate::schedule::legality::cross_thread_reduction;
use crate::schedule::legality::cross_thread_reduction::warp;
use crate::schedule::legality::quick;

/// True for what the host executes: a call, or a loop or branch with calls, and copies of buffers and scalars between them.
fn is_by_host(op: Op) -> bool {
    const IN_REGION: &[&str] = &[
        "arith.index_cast",
        "arith.trunci",
        "func.call",
        "memref.copy",
        "scf.condition",
        "scf.yield",
    ];
    let is_of_scalar = |inner: Op| match inner.name() {
        "memref.load" => inner.operands().len() == 1,
        "memref.store" => inner.operands().len() == 2,
        _ => false,
    };
    let may_be_in = |inner: Op| IN_REGION.contains(&inner.name()) || is_of_scalar(inner);
    let is_control_flow = matches!(op.name(), "scf.for" | "scf.if" | "scf.while");
    is_host_call(op) || is_control_flow && walk(op).into_iter().skip(1).all(may_be_in)
}

/// Verifies the ops between nests and in nests; returns the cross-thread reductions.
pub fn function<'c>(state: &State<'c>, nests: &[Op<'c>]) -> Result<Vec<Collective<'c>>, Error<'c>> {
    let summary = state.summary();
    let mut collectives: Vec<Collective> = vec![];
    for (node, this) in summary.nodes.iter() {
        match &this.kind {
            NodeKind::Effects(_) if is_by_host(state.op(node)) => {}
            NodeKind::Effects(_) => {
                let message = "is between kernels, expected only nests, sizes and constants there: \
                               threads of the GPU would not see its effects on memory (C6)";
                return Err(Error::on(state.op(node), message));
            }
            NodeKind::Loop(this)
                if this.thread.is_some_and(|axis| axis != ThreadAxis::VThread)
                    && this.constant_extent() != Some(1) =>
            {
                let mut reducing = quick::reducing(summary, node);
                let is_joined = |block: &Block| {
                    let mut updates = block.atomic.iter();
                    updates.len() > 0 && updates.all(|(_, combiner)| *combiner != Combiner::Mul)
                };
                let races = |block: &Block, at| !is_joined(block) && !never_runs(summary, at);
                let Some((_, block, iter)) = reducing.find(|(at, block, _)| races(block, *at))
                else {
                    continue;
                };
                let why = match collective(state, node) {
                    Ok(found) if collectives.iter().any(|known| known.first == found.first) => {
                        continue;
                    }
                    Ok(found) => {
                        collectives.push(found);
                        continue;
                    }
                    Err(why) => why.map_or_else(String::new, |why| format!(": {why}")),
                };
                let message = format!(
                    "\"{}\" is bound to threads that would reduce into one cell, because iter \"{}\" of \
                     schedule block \"{}\" is bound to it (C2){why}",
                    this.name, iter.name, block.name
                );
                return Err(Error::on(state.op(node), message));
            }
            _ => {}
        }
    }
    copies(state)?;
    updates(state)?;
    for nest in nests {
        let node =
            summary.nodes[NodeId::FUNCTION].children.iter().find(|node| state.op(**node) == *nest);
        let iterations = node.and_then(|node| iterations(summary, *node));
        if !has_bound_loop(*nest) && iterations.is_none_or(|n| n > MAX_SERIAL) {
            let message = format!(
                "is not bound to threads and has more than {MAX_SERIAL} iterations, the limit for one \
                 thread: bind a loop (C5)"
            );
            return Err(Error::on(*nest, message));
        }
        walk(*nest).into_iter().try_for_each(computation)?;
    }
    Ok(collectives)
}

/// (C10)
fn copies<'c>(state: &State<'c>) -> Result<(), Error<'c>> {
    let summary = state.summary();
    let is_copy = |block: &Block| block.annotations.iter().any(|key| key == ASYNC_COPY);
    for (node, block) in summary.blocks().filter(|(_, block)| is_copy(block)) {
        let name = &block.name;
        let scope = |access: &Access| summary.buffers[access.buffer].scope;
        let (loads, stores): (Vec<&Access>, Vec<&Access>) =
            (block.loads().collect(), block.stores().collect());
        let moves = match (&loads[..], &stores[..]) {
            ([load], [store]) => {
                matches!(scope(load), None | Some(Scope::Global))
                    && scope(store) == Some(Scope::Shared)
            }
            _ => false,
        };
        if !moves || !annotation::is_set(state.op(node), ASYNC_COPY) {
            let message = format!(
                "\"{name}\" has the annotation \"{ASYNC_COPY}\", expected the value true, and one load \
                 from global memory whose value is stored to shared memory (C10)"
            );
            return Err(Error::on(state.op(node), message));
        }
        let nest = summary.ancestors(node).last().unwrap_or(node);
        let needs = barriers::needs(summary, nest);
        let open = needs.iter().find(|need| {
            let is_it = need.first == node && need.second != node;
            is_it && !Barriers::default().separate(summary, need)
        });
        if let Some(need) = open {
            let message = format!(
                "\"{name}\" copies asynchronously, and no barrier separates it from \"{}\", which \
                 accesses the copy: insert one with sync_threads (C10)",
                summary.name(need.second)
            );
            return Err(Error::on(state.op(node), message));
        }
    }
    Ok(())
}

/// The reduction of a bound loop, if warp shuffles can do it. Otherwise the reason, if it has the form of a
/// cross-thread reduction.
fn collective<'c>(state: &State<'c>, node: NodeId) -> Result<Collective<'c>, Option<String>> {
    let summary = state.summary();
    let chain = cross_thread_reduction::check_in_place(summary, node, 2).map_err(|_| None)?;
    if let Some(serial) = chain.serial.first() {
        let name = summary.name(*serial);
        return Err(Some(format!(
            "a reduction by lanes takes one value per lane, but loop \"{name}\" has several"
        )));
    }
    let group = warp::check(summary, &chain)?;
    let block = ScheduleBlock::of(state.op(chain.block)).map_err(|_| None)?;
    let op = block.op;
    if PartialReduction::of(block).joined().is_none() {
        return Err(Some("lanes of warps can combine values only by the combiner itself".into()));
    }
    let loops: Vec<Op> = chain.bound.iter().map(|node| state.op(*node)).collect();
    let first = *loops.first().ok_or(None)?;
    Ok(Collective { first, loops, block: op, group, starts: chain.starts })
}

/// True if a loop that encloses the node is known to have no iterations.
fn never_runs(summary: &Summary, node: NodeId) -> bool {
    let mut loops = summary.ancestors(node).filter_map(|above| summary.as_loop(above));
    loops.any(|above| least(summary, &above.extent).is_some_and(|extent| extent <= 0))
}

/// The maximum number of iterations of a nest, if it is known.
fn iterations(summary: &Summary, node: NodeId) -> Option<i64> {
    // Only one of two branches runs.
    let branch = |otherwise: bool| {
        let is_in = |child: &&NodeId| summary.otherwise.contains(*child) == otherwise;
        let children = summary.nodes[node].children.iter().filter(is_in);
        children
            .map(|child| iterations(summary, *child))
            .try_fold(0_i64, |sum, inside| Some(sum.saturating_add(inside?)))
    };
    let inside = branch(false).zip(branch(true)).map(|(then, otherwise)| then.max(otherwise));
    let Some(this) = summary.as_loop(node) else { return Some(inside?.max(1)) };
    let here = least(summary, &this.extent)?.max(0);
    Some(here.saturating_mul(inside?.max(1)))
}

/// An upper bound of the minimum of these extents, if one is known.
fn least(summary: &Summary, extent: &[Expr]) -> Option<i64> {
    extent.iter().filter_map(|extent| highest(summary, extent)).min()
}

/// An upper bound of an extent. The extents of enclosing loops may depend on each other.
fn highest(summary: &Summary, extent: &Expr) -> Option<i64> {
    let linear = Linear::of(extent);
    linear.terms.iter().try_fold(linear.constant, |sum, (atom, coefficient)| {
        let term = match atom {
            Expr::Dim(_) if coefficient.is_negative() => 0,
            Expr::Dim(v) => {
                let last = least(summary, &summary.bounds(VariableId::of_dim(*v)))?.max(1) - 1;
                coefficient.checked_mul(last)?
            }
            _ => {
                let span = span::hull(atom, &|_| true, &|v| summary.bounds(VariableId::of_dim(v)))?;
                let end = if coefficient.is_negative() { span.low } else { span.high() };
                coefficient.checked_mul(end.constant()?)?
            }
        };
        sum.checked_add(term)
    })
}

/// Verifies that PTX updates the elements that several threads update atomically: they have 16 bits or more, and are in
/// global or shared memory (C8).
fn updates<'c>(state: &State<'c>) -> Result<(), Error<'c>> {
    let summary = state.summary();
    for (id, block) in summary.blocks().filter(|(id, _)| atomic::meets(summary, *id)) {
        let is_local = |buffer: BufferId| summary.buffers[buffer].scope == Some(Scope::Local);
        if block.atomic.iter().any(|(buffer, _)| is_local(*buffer)) {
            let message = "updates a local buffer that virtual threads share, expected a buffer in global or \
                           shared memory, which NVPTX updates atomically (C8)";
            return Err(Error::on(state.op(id), message));
        }
        let Ok(view) = ScheduleBlock::of(state.op(id)) else { continue };
        let is_small = |update: &Update| element_bytes(update.store.operand(0).ty()) == 1;
        if let Some(update) = Update::atomic(&view).iter().find(|update| is_small(update)) {
            let message = "updates 8 bits that threads share, expected 16, 32 or 64, which NVPTX updates \
                           atomically: reduce in a wider type (C8)";
            return Err(Error::on(update.store, message));
        }
    }
    Ok(())
}

/// (C8)
fn computation(op: Op) -> Result<(), Error> {
    if op.is("func.call") {
        return calls::check(op, computation);
    }
    let (dialect, _) = op.name().split_once('.').unwrap_or_default();
    let is_known = match dialect {
        "loop" | "memref" | "affine" => true,
        "arith" => op.name() != "arith.remf" || expand_math::knows(op),
        "math" => expand_math::knows(op) || math_to_nvptx::knows(op.name()),
        _ => false,
    };
    if !is_known {
        return Err(Error::on(op, "has neither NVPTX code nor an expansion (C8)"));
    }
    let values = op.operands().into_iter().chain(op.results());
    match values.map(|value| value.ty()).find(|ty| !is_computed(*ty)) {
        Some(ty) => {
            Err(Error::on(op, format!("computes with {ty}, which NVPTX does not support (C8)")))
        }
        None => Ok(()),
    }
}

fn is_computed(ty: Type) -> bool {
    match ty.kind() {
        TypeKind::Integer(bits) => bits <= 64,
        TypeKind::Float(_) | TypeKind::Index | TypeKind::MemRef { .. } => true,
        _ => false,
    }
}

/// (C4)
pub fn buffers<'c>(buffers: &[Op<'c>]) -> Result<(), Error<'c>> {
    for op in buffers {
        check_padding(&BufferView::of(*op)?)?;
    }
    Ok(())
}

/// (C9)
pub fn reductions<'c>(
    inits: &Inits<'c>,
    nests: &[Op<'c>],
    started: &[Op<'c>],
) -> Result<(), Error<'c>> {
    for nest in nests {
        let mut maybe_empty = inits.maybe_empty(*nest)?.into_iter();
        if let Some(view) = maybe_empty.find(|view| !started.contains(&view.op)) {
            let message = format!(
                "\"{}\" may reduce over no elements, and then nothing would write its start values: \
                 expected a reduction over at least one element (C9)",
                view.name
            );
            return Err(Error::on(view.op, message));
        }
    }
    Ok(())
}
