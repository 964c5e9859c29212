//! `cache_write`: let a schedule block write to a buffer in another memory scope, and copy that buffer back to the old
//! one.
//!
//! ```text
//! loop.for %i .. { loop.block "B" .. { init { B[vi] = 0 }  B[vi] = B[vi] + A[vi, vk] } }
//!   ->  cache_write "B" buffer "B" scope "shared"
//! %B_shared_temp_buffer = loop.buffer "B_shared_temp_buffer" scope(shared) : memref<64xf32>
//! loop.for %i .. { loop.block "B_shared_temp_buffer" .. {
//!   init { B_shared_temp_buffer[vi] = 0 }  B_shared_temp_buffer[vi] = B_shared_temp_buffer[vi] + A[vi, vk] } }
//! loop.for serial %cache_ax0 in 64 {
//!   loop.block "B" [%v0: spatial 64] = (%cache_ax0) { B[v0] = B_shared_temp_buffer[v0] }
//! }
//! ```
//! The copying block gets the name of the target block, and the target block is named after its new buffer. So the
//! block that writes the buffer `B` is still named "B"; in TVM, the computing block keeps its name. With an
//! `index_map`, the map gives the indices of each element in the new buffer. The copying nest is placed after the
//! outermost nest of the block. If a reader shares a loop with the block, or each iteration of a loop has its own
//! instance of the new buffer, the copying nest is placed inside that loop.
//!
//! Requires
//! - (C1) the target is a schedule block that is a leaf
//! - (C2) the block writes the buffer
//! - (C3) the scope is `global`, `shared` or `local`
//! - (C4) the block is the buffer's only writer, and only schedule blocks use the buffer
//! - (C5) the block reads the buffer only as the accumulator of a reduction that starts in a `loop.init`. If the
//!   iterations of a loop have their own instances of the new buffer, the whole reduction is in one iteration of that
//!   loop
//! - (C6) there is a place for the copying nest: if a reader and the block are both in a `loop.if`, a loop inside that
//!   `loop.if` encloses both
//! - (C7) it is proved that the written elements are one box, and that every element of the box is written, because
//!   other elements must keep their values
//! - (C8) if the copying nest is not at function level (there nests run in order), no loop over threads in the body
//!   that contains it encloses the block, because no barrier would order the block and the copying nest
//! - (C9) iterations that have their own instances of the old buffer, but not of the new one, write distinct elements
//! - (C10) an index map, if given, is as `transform_layout` requires, over the indices of the new buffer
//!
//! The new buffer is named `B_shared_temp_buffer`, or `B_shared_temp_buffer_1` if that name is taken.

use super::cache_read::{CacheArguments, INDEX_MAP, SCOPE, is_sum_of_sizes};
use crate::dialect::loop_enums::Scope;
use crate::ir::affine::{Constraint, Expr};
use crate::nest::derived_name;
use crate::nest::facts::boxes;
use crate::nest::facts::boxes::at_least;
use crate::nest::facts::scope;
use crate::nest::facts::scope::StoredValues;
use crate::nest::state::State;
use crate::nest::summary::{Access, Block, BufferId, NodeId, NodeKind, Summary};
use crate::schedule::error::{BufferReason, LocationReason, ScheduleError};
use crate::schedule::legality::proof::Proofs;
use crate::schedule::name;
use crate::schedule::primitive::declaration::primitive;
use crate::schedule::rewrite::copy;
use crate::schedule::rewrite::copy::{BufferCopy, CopyDim, CopySizes};
use crate::schedule::verdict::Verdict;

primitive! {
    "Write to a buffer in another memory scope, then copy it back"
    /// Returns the new name of the schedule block that computes; the copying block has its old name.
    cache_write(
        block: Block,
        buffer: Buffer,
        scope: Word = SCOPE,
        index_map: OptionalWord = INDEX_MAP;
        proof
    ) -> String;
    |state| cache_write(state, CacheArguments { target: block, buffer, scope, map: index_map }, proof)
}

/// Makes the target write to a cache of the buffer; returns the target's new name. On an error the IR is unchanged.
pub fn cache_write(
    state: &mut State,
    cache: CacheArguments,
    proofs: &mut Proofs,
) -> Result<String, ScheduleError> {
    let plan = check(state.summary(), cache, proofs)?;
    copy::make(state, &plan);
    Ok(plan.name)
}

pub fn check(
    summary: &Summary,
    cache: CacheArguments,
    proofs: &mut Proofs,
) -> Result<BufferCopy, ScheduleError> {
    check_by(summary, cache, None, proofs)
}

/// Like `check`. With a view (a summary in which another buffer is accessed in place of this one), the copied box is
/// a box of that other buffer.
pub(crate) fn check_by(
    summary: &Summary,
    CacheArguments { target, buffer, scope, map }: CacheArguments,
    view: Option<(&Summary, BufferId)>,
    proofs: &mut Proofs,
) -> Result<BufferCopy, ScheduleError> {
    let (node, block, buffer) = name::leaf_and_buffer(summary, target, buffer)?;
    let buffer_name = || summary.buffers[buffer].name.clone();
    let stores: Vec<&Access> = block.stores().filter(|store| store.buffer == buffer).collect();
    if stores.iter().all(|store| store.in_init) {
        let reason = BufferReason::NotAWriter { block: block.name.clone(), buffer: buffer_name() };
        return Err(reason.at(node, 2));
    }
    let scope = name::scope_of(scope, node, 3)?;
    let others = check_only_writer(summary, node, buffer)?;
    let reads_old =
        block.loads().any(|load| load.buffer == buffer && !scope::is_accumulator(block, load));
    proofs.require(&Verdict::of(!reads_old), || {
        let reason =
            BufferReason::ReadsOldValues { block: block.name.clone(), buffer: buffer_name() };
        reason.at(node, 5)
    })?;
    if let Some(owner) = scope::owner(summary, scope, node) {
        let is_whole = !block.has_init || scope::reduces_within(summary, owner, node);
        proofs.require(&Verdict::of(is_whole), || {
            let name = summary.as_loop(owner).expect("a loop").name.clone();
            let (block, buffer) = (block.name.clone(), buffer_name());
            let reason = BufferReason::NotCovered { buffer, name, block };
            reason.at(node, 5).note(owner, "the loop is here")
        })?;
    }
    let parent = scope::place(summary, scope, node, &others);
    if matches!(summary.nodes[parent].kind, NodeKind::If(_)) {
        let around = |other: &&NodeId| summary.lca(node, **other) == parent;
        let other = others.iter().find(around).expect("a reader stands in the 'loop.if'");
        let (first, second) = (block.name.clone(), summary.name(*other));
        return Err(BufferReason::NoPlace { first, second }.at(node, 6).note(parent, "it is here"));
    }
    let child = summary.child_towards(parent, node);
    let mut sizes = CopySizes::default();
    let (view, kept) = view.unwrap_or((summary, buffer));
    let viewed = view.as_block(node).expect("a block");
    let mut kept_stores = viewed.stores().filter(|store| store.buffer == kept && !store.in_init);
    let store = kept_stores.next().expect("the block stores to it");
    let written = scope::written(view, parent, node, store);
    let is_conditional = stores.iter().any(|store| store.is_conditional);
    proofs.require(&Verdict::of(written.is_some() && !is_conditional), || {
        let reason =
            BufferReason::NotExactlyWritten { block: block.name.clone(), buffer: buffer_name() };
        reason.at(node, 7)
    })?;
    let spans = spans(view, viewed, parent, (kept, store), written.as_deref(), &mut sizes);
    if let Some(this) = scope::threads_inside(summary, parent, node) {
        let (block, name) = (block.name.clone(), this.name.clone());
        proofs.require(&Verdict::of(false), || {
            BufferReason::OutsideOfThreads { block, name }.at(node, 8)
        })?;
    }
    for outer in summary.loops_around(node) {
        let this = summary.as_loop(outer).expect("a loop");
        let owns = |scope: Option<Scope>| scope.is_some_and(|s| scope::is_owner(s, this));
        if !owns(summary.buffers[buffer].scope) || owns(Some(scope)) {
            continue;
        }
        let is_apart = scope::writes_apart(summary, node, buffer, outer);
        proofs.require(&Verdict::of(is_apart), || {
            let (buffer, name) = (buffer_name(), this.name.clone());
            BufferReason::WouldShare { buffer, name }.at(node, 9).note(outer, "the loop is here")
        })?;
    }
    let name = derived_name::temporary(summary, buffer, scope);
    let (is_after, fills, back, gather, users) = (true, false, None, None, vec![node]);
    let (block, layout) = (block.name.clone(), None);
    let copy = BufferCopy {
        parent,
        child,
        is_after,
        buffer,
        name,
        scope,
        block,
        fills,
        gather,
        back,
        spans,
        sizes,
        users,
        layout,
    };
    copy.laid_out(summary, map, (node, 10), proofs)
}

/// (C4); returns the readers.
fn check_only_writer(
    summary: &Summary,
    node: NodeId,
    buffer: BufferId,
) -> Result<Vec<NodeId>, ScheduleError> {
    let name = || summary.buffers[buffer].name.clone();
    if summary.buffers[buffer].escapes {
        return Err(LocationReason::Escapes { buffer: name() }.at(node, 4));
    }
    let mut readers = vec![];
    for (other, block) in summary.blocks().filter(|(other, _)| *other != node) {
        if block.stores().any(|store| store.buffer == buffer) {
            let reason = LocationReason::SecondWriter { buffer: name(), other: block.name.clone() };
            return Err(reason.at(node, 4).note(other, "the other writer is here"));
        }
        if block.loads().any(|load| load.buffer == buffer) {
            readers.push(other);
        }
    }
    Ok(readers)
}

/// The box that is kept in the new buffer and copied, one span per dimension. If the written elements are not known, it
/// is the whole buffer.
fn spans(
    summary: &Summary,
    block: &Block,
    parent: NodeId,
    (buffer, store): (BufferId, &Access),
    written: Option<&[StoredValues]>,
    sizes: &mut CopySizes,
) -> Vec<CopyDim> {
    // Several stores use the same indices, and keep them.
    let stays = block.written().len() > 1;
    let span = |(i, index): (usize, &Option<Expr>)| {
        let range = index.as_ref().and_then(|index| boxes::over_domains(summary, index));
        let range = range.filter(|range| {
            let is_known = !range.low.has_dims() && !range.high.has_dims();
            is_known && is_sum_of_sizes(&range.extent())
        });
        let (low, size) = match &range {
            Some(range) if !stays => (range.low.clone(), range.extent()),
            Some(range) if is_sum_of_sizes(&(range.high.clone() + 1.into()).simplified()) => {
                (0.into(), (range.high.clone() + 1.into()).simplified())
            }
            _ => (0.into(), sizes.dimension(summary, buffer, i)),
        };
        let mut span = CopyDim {
            low,
            domain: vec![size.clone()],
            extent: vec![size.clone()],
            size,
            start: 0.into(),
            conditions: vec![],
        };
        if let Some(written) = written {
            narrow(summary, parent, &mut span, i, &written[i]);
        }
        span
    };
    store.indices.iter().enumerate().map(span).collect()
}

/// Narrows the span to what one iteration of the loops around the copy writes.
fn narrow(summary: &Summary, parent: NodeId, span: &mut CopyDim, i: usize, written: &StoredValues) {
    let runs = &written.runs;
    span.start = (runs.low.clone() - span.low.clone()).simplified();
    let length = |high: &Expr| (high.clone() - runs.low.clone() + 1.into()).simplified();
    let bounds: Vec<&Expr> =
        written.limits.iter().filter(|limit| !at_least(summary, limit, &runs.high)).collect();
    if parent == NodeId::FUNCTION {
        let mut highs = vec![];
        if !bounds.iter().any(|limit| at_least(summary, &runs.high, limit)) {
            highs.push(&runs.high);
        }
        highs.extend(bounds);
        span.extent = highs.into_iter().map(length).collect();
    } else {
        let at = runs.low.clone() + Expr::Dim(CopyDim::variable(summary, i));
        let below =
            |limit: &&Expr| Constraint::NonNegative(((*limit).clone() - at.clone()).simplified());
        span.conditions = bounds.iter().map(below).collect();
        span.extent = vec![length(&runs.high)];
    }
    for extent in &mut span.extent {
        if let Some(value) = extent.constant() {
            *extent = value.max(0).into();
        }
    }
}
