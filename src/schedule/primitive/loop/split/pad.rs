//! `split` with `tail "pad"`: rounds the extent up and enlarges buffers for the surplus iterations.
//!
//! ```text
//! %T = loop.buffer "T" scope(global) : memref<30xf32>
//! loop.for serial %i in 30 { loop.block "T" [%v: spatial 30] = (%i) writes(%T[%v : 1]) .. }
//!   ->  split "T:i" factors [-1, 8] tail "pad"
//! %T = loop.buffer "T" scope(global) : memref<32xf32>
//! loop.for serial %i.0 in 4 {
//!   loop.for serial %i.1 in 8 {
//!     loop.block "T" [%v: spatial 32] = (%i.0 * 8 + %i.1) writes(%T[%v : 1]) ..
//! } }
//! ```
//! The added instances write only added elements, which only other added instances read. So each schedule block in the
//! loop has one iter, spatial, that follows the loop and alone indexes one dimension of what the block writes: a buffer
//! of the function, whose dimension has exactly that size. What the added instances read has been written: by a
//! schedule block in the same iteration, or in an earlier nest that is padded likewise. The instances contain no
//! integer division, no access at an index that depends on data, and no call.

use crate::dialect::loop_enums::IterRole;
use crate::dialect::loop_op::BufferView;
use crate::ir::affine::{BinaryKind, Expr};
use crate::nest::facts::value_flow;
use crate::nest::state::State;
use crate::nest::summary::VariableId;
use crate::nest::summary::{
    Access, Block, Body, BufferId, Iter, Loop, NodeId, NodeKind, Summary, mentions,
};
use crate::schedule::error::{LocationReason, Reason, ScheduleError, SplitReason};
use crate::schedule::legality::proof::Proofs;
use crate::schedule::legality::quick;
use crate::schedule::primitive::r#loop::split::peel::set_domain;
use crate::schedule::verdict::Verdict;

/// The result of the check.
pub struct Plan {
    product: i64,
    /// The iters whose domains are rounded up.
    iters: Vec<(NodeId, usize)>,
    /// The buffers that are enlarged, and the dimension.
    buffers: Vec<(BufferId, usize)>,
}

pub fn check(
    summary: &Summary,
    node: NodeId,
    this: &Loop,
    product: i64,
    proofs: &mut Proofs,
) -> Result<Plan, ScheduleError> {
    let [extent] = &this.extent[..] else {
        return Err(Reason::MinimumExtent(this.name.clone()).at(node, 11));
    };
    quick::check_no_barrier(summary, node, 11)?;
    let mut plan = Plan { product, iters: vec![], buffers: vec![] };
    check_alone(summary, node, this)?;
    for id in summary.blocks_under(node) {
        let block = summary.as_block(id).expect("a block");
        let iter = iter_of(id, block, this)?;
        plan.iters.push((id, iter));
        for store in block.stores() {
            let place = (store.buffer, room(summary, (id, block), store, iter, extent)?);
            if !plan.buffers.contains(&place) {
                plan.buffers.push(place);
            }
        }
    }
    if let Some((buffer, _)) = plan
        .buffers
        .iter()
        .enumerate()
        .find_map(|(i, place)| plan.buffers[..i].iter().find(|other| other.0 == place.0))
    {
        let buffer = summary.buffers[*buffer].name.clone();
        return Err(
            SplitReason::NoRoom { block: summary.name(plan.iters[0].0), buffer }.at(node, 11)
        );
    }
    for (id, iter) in &plan.iters {
        check_loads(summary, node, *id, *iter, &plan, extent, proofs)?;
    }
    Ok(plan)
}

/// Requires that in the loop only bindings depend on its variable.
fn check_alone(summary: &Summary, node: NodeId, this: &Loop) -> Result<(), ScheduleError> {
    let depends = |e: &Expr| mentions(e, this.variable);
    for inner in summary.under(node) {
        let is_free = match &summary.nodes[inner].kind {
            NodeKind::Loop(inner) => !inner.extent.iter().any(depends),
            NodeKind::If(conditions) => !conditions.iter().any(|c| depends(c.expr())),
            NodeKind::Block(block) => !block.predicate.iter().any(|c| depends(c.expr())),
            _ => true,
        };
        if !is_free {
            let (name, by) = (summary.name(inner), this.name.clone());
            return Err(SplitReason::DependsOn { name, by }.at(inner, 11));
        }
    }
    Ok(())
}

/// The iter of a block that follows the loop.
fn iter_of(id: NodeId, block: &Block, this: &Loop) -> Result<usize, ScheduleError> {
    let name = || block.name.clone();
    match &block.body {
        Body::Nest => return Err(Reason::NestBody(name()).at(id, 11)),
        Body::Leaf { calls: true, .. } => return Err(Reason::Calls(name()).at(id, 11)),
        Body::Leaf { divides: true, .. } => return Err(SplitReason::Divides(name()).at(id, 11)),
        Body::Leaf { .. } => {}
    }
    let mut along = (0..block.iters.len()).filter(|i| mentions(&block.binding[*i], this.variable));
    let iter = match (along.next(), along.next()) {
        (Some(iter), None) => iter,
        _ => {
            return Err(SplitReason::NotAlong { block: name(), name: this.name.clone() }.at(id, 11));
        }
    };
    let Iter { name: iter_name, role, domain, .. } = &block.iters[iter];
    if *role != IterRole::Spatial {
        let reason = Reason::NotSpatial { block: name(), iter: iter_name.clone(), role: *role };
        return Err(reason.at(id, 11));
    }
    match block.binding[iter] == this.variable.expr() && *domain == this.extent {
        true => Ok(iter),
        false => Err(SplitReason::NotAlong { block: name(), name: this.name.clone() }.at(id, 11)),
    }
}

/// The dimension of what a block writes that the iter alone indexes, and that has exactly that size.
fn room(
    summary: &Summary,
    (id, block): (NodeId, &Block),
    store: &Access,
    iter: usize,
    extent: &Expr,
) -> Result<usize, ScheduleError> {
    let buffer = &summary.buffers[store.buffer];
    let name = || (block.name.clone(), buffer.name.clone());
    if buffer.scope.is_none() {
        let (block, buffer) = name();
        return Err(LocationReason::WritesArgument { block, buffer }.at(id, 11));
    }
    if buffer.escapes {
        return Err(LocationReason::Escapes { buffer: buffer.name.clone() }.at(id, 11));
    }
    place_of(store, block.iters[iter].variable)
        .filter(|dim| buffer.shape[*dim].as_ref() == Some(extent))
        .ok_or_else(|| {
            let (block, buffer) = name();
            SplitReason::NoRoom { block, buffer }.at(id, 11)
        })
}

/// The dimension that is indexed by exactly a variable, if the variable occurs in no other index.
fn place_of(access: &Access, variable: VariableId) -> Option<usize> {
    let with = |index: &Option<Expr>| index.as_ref().is_none_or(|e| mentions(e, variable));
    let mut dims = (0..access.indices.len()).filter(|i| with(&access.indices[*i]));
    let (dim, None) = (dims.next()?, dims.next()) else { return None };
    (access.indices[dim] == Some(variable.expr())).then_some(dim)
}

/// Requires that what the added instances of a block read has been written (C6), and is in the buffer (C11).
fn check_loads(
    summary: &Summary,
    node: NodeId,
    id: NodeId,
    iter: usize,
    plan: &Plan,
    extent: &Expr,
    proofs: &mut Proofs,
) -> Result<(), ScheduleError> {
    let block = summary.as_block(id).expect("a block");
    let variable = block.iters[iter].variable;
    for load in block.loads() {
        let name = || (block.name.clone(), summary.buffers[load.buffer].name.clone());
        let varies = load.indices.iter().any(|e| e.as_ref().is_none_or(|e| mentions(e, variable)));
        if !varies {
            continue;
        }
        let reason = || {
            let (block, buffer) = name();
            SplitReason::NoRoom { block, buffer }
        };
        let dim = place_of(load, variable).ok_or_else(|| reason().at(id, 11))?;
        let added = rounded(summary, extent, plan.product);
        let has_room = plan.buffers.contains(&(load.buffer, dim))
            || summary.buffers[load.buffer].shape[dim].as_ref().is_some_and(|size| {
                *size == added
                    || size.constant().zip(added.constant()).is_some_and(|(size, n)| size >= n)
            });
        if !has_room {
            return Err(reason().at(id, 11));
        }
        let is_own = block.has_init
            && block.stores().any(|s| s.indices == load.indices && s.buffer == load.buffer);
        let writers = summary
            .blocks()
            .filter(|(_, other)| other.stores().any(|store| store.buffer == load.buffer));
        let writers: Vec<NodeId> = writers.map(|(writer, _)| writer).collect();
        let inside = |writer: NodeId| summary.under(node).contains(&writer);
        let is_written = is_own
            || match writers[..] {
                [writer] if inside(writer) => {
                    value_flow::writes_before(summary, node, writer, id, load)
                }
                [writer] => fills(summary, writer, id, load.buffer, dim, &added),
                _ => false,
            };
        let verdict = match is_written {
            true => Verdict::Proved,
            false => Verdict::Unknown(
                "elements that are read in the padding are not proved to be written".into(),
            ),
        };
        proofs.require(&verdict, || {
            let (block, buffer) = name();
            SplitReason::ReadsPadding { block, buffer }.at(id, 6)
        })?;
    }
    Ok(())
}

fn rounded(summary: &Summary, extent: &Expr, product: i64) -> Expr {
    let tiles = Expr::binary(BinaryKind::CeilDiv, extent.clone(), product.into());
    summary.simplified(&(tiles * product.into()))
}

/// True if a block in an earlier nest than the reader's writes a whole buffer, with `size` as one dimension.
fn fills(
    summary: &Summary,
    writer: NodeId,
    reader: NodeId,
    buffer: BufferId,
    dim: usize,
    size: &Expr,
) -> bool {
    let nest = |id: NodeId| summary.ancestors(id).last().unwrap_or(id);
    let block = summary.as_block(writer).expect("a block");
    let mut stores = block.stores().filter(|s| s.buffer == buffer && !s.in_init);
    let (Some(store), None) = (stores.next(), stores.next()) else { return false };
    let around: Vec<NodeId> = summary.ancestors(writer).collect();
    let is_simple = nest(writer) < nest(reader)
        && block.predicate.is_empty()
        && !store.is_conditional
        && around.iter().all(|n| summary.as_loop(*n).is_some());
    let shape = &summary.buffers[buffer].shape;
    let mut used: Vec<usize> = vec![];
    let is_filled = |(i, index): (usize, &Option<Expr>)| {
        let Some(Expr::Dim(variable)) = index else { return false };
        let Some(iter) =
            block.iters.iter().position(|iter| iter.variable == VariableId::of_dim(*variable))
        else {
            return false;
        };
        let needed = if i == dim { Some(size.clone()) } else { shape[i].clone() };
        let bound = value_flow::runs_over(summary, &block.binding[iter], &around);
        let is_new = !used.contains(&iter);
        used.push(iter);
        is_new && bound.is_some() && bound == needed
    };
    is_simple && store.indices.iter().enumerate().all(is_filled)
}

/// Rounds up the domains and enlarges the buffers.
pub fn rewrite(state: &mut State, plan: &Plan) {
    let up = |size: Expr| {
        let tiles = Expr::binary(BinaryKind::CeilDiv, size, plan.product.into());
        tiles * plan.product.into()
    };
    for (id, iter) in &plan.iters {
        set_domain(state.op(*id), *iter, up);
    }
    for (buffer, dim) in &plan.buffers {
        let old = state.buffer(*buffer);
        let op = old.defining_op().expect("a buffer of the function");
        let view = BufferView::of(op).expect("a verified buffer");
        let new = view.resized(*dim, up);
        op.block().expect("a buffer stands in a function").insert_before(op, new);
        old.replace_all_uses_with(new.result(0));
        state.rewriter.replaced(op, new);
        state.rewriter.erase(op);
    }
}
