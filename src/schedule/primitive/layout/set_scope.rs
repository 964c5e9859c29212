//! `set_scope`: set the memory scope of a buffer.
//!
//! ```text
//! %T = loop.buffer "T" scope(global) : memref<8xf32>
//!   ->  set_scope "T" scope "local"
//! %T = loop.buffer "T" scope(local) : memref<8xf32>
//! ```
//! A `global` buffer has one instance per function, a `shared` buffer one per thread block (an iteration of `blockIdx`
//! loops), a `local` buffer one per thread (an iteration of loops bound to any axis, and of parallel loops). A
//! `vthread` loop gives each iteration its own instance only if all accesses are in that loop. Otherwise the virtual
//! threads of a thread share one instance.
//!
//! Requires
//! - (C1) the buffer belongs to the function and is not an argument
//! - (C2) the scope is `global`, `shared` or `local`
//! - (C3) the size, if known, is within the limit of the scope. It counts only the bounding box of the elements that
//!   are used through one instance. For `shared` the limit is 227 KiB for all buffers of the nest together, which is
//!   the most that any device has. Lowering knows the device and refuses kernels that exceed its memory. Above 48 KiB
//!   the launch requests dynamic shared memory. For `local` the limit is 512 KiB, the local memory of a thread. The
//!   compiler may keep a smaller buffer in registers, of which a thread has 255 of 4 bytes
//! - (C4) the innermost loop whose iterations will have their own instances is the same around all accesses, and each
//!   of its iterations reads only elements that it has written before. Or, for a buffer with one instance per thread
//!   block, the accesses are in several loops over threads that are bound to the same axes, and no thread accesses an
//!   element that another thread writes
//! - (C5) if the iterations of a loop had their own instances and will share one, they access distinct elements
//!
//! Lowering refuses scopes that the target does not have.

use crate::dialect::loop_enums::{LoopKind, Scope, ThreadAxis};
use crate::ir::affine::Expr;
use crate::ir::{Attribute, Type};
use crate::machine::cuda::MAX_SHARED_BYTES;
use crate::nest::facts::boxes;
use crate::nest::facts::scope;
use crate::nest::state::State;
use crate::nest::summary::{Access, Block, Buffer, BufferId, NodeId, NodeKind, Summary};
use crate::schedule::error::{BufferReason, ScheduleError};
use crate::schedule::legality::barriers;
use crate::schedule::legality::proof::Proofs;
use crate::schedule::name;
use crate::schedule::primitive::cache::cache_read::SCOPE;
use crate::schedule::primitive::declaration::primitive;
use crate::schedule::rewrite::layout::BufferLayout;
use crate::schedule::verdict::Verdict;
use std::collections::BTreeSet;

primitive! {
    "Set the memory scope of a buffer"
    set_scope(buffer: Buffer, scope: Word = SCOPE; proof) -> ();
    |state| set_scope(state, buffer, scope, proof)
}

/// The maximum local memory of a thread of a CUDA device, in bytes.
const LOCAL_BYTES: i64 = 512 * 1024;

/// Moves `buffer` to memory of a scope. On an error the IR is unchanged.
pub fn set_scope(
    state: &mut State,
    buffer: &str,
    scope: &str,
    proofs: &mut Proofs,
) -> Result<(), ScheduleError> {
    let (buffer, scope) = check(state.summary(), buffer, scope, proofs)?;
    let op = state.buffer(buffer).defining_op().expect("the buffer is no argument");
    let value = Attribute::integer(Type::integer(state.context(), 32), scope as i64);
    op.set_attribute("scope", value);
    Ok(())
}

pub fn check(
    summary: &Summary,
    buffer: &str,
    scope: &str,
    proofs: &mut Proofs,
) -> Result<(BufferId, Scope), ScheduleError> {
    let id = name::buffer(summary, buffer, 1)?;
    let buffer = &summary.buffers[id];
    let accesses: Vec<NodeId> = summary
        .blocks()
        .filter(|(_, block)| block.accesses().iter().any(|access| access.buffer == id))
        .map(|(node, _)| node)
        .collect();
    let at = accesses.first().copied().unwrap_or(NodeId::FUNCTION);
    let Some(old) = buffer.scope else {
        return Err(BufferReason::IsArgument(buffer.name.clone()).at(at, 1));
    };
    let scope = name::scope_of(scope, at, 2)?;
    if scope == old {
        return Err(BufferReason::ScopeSet { buffer: buffer.name.clone(), scope }.at(at, 0));
    }
    check_instances(summary, id, (old, scope), &accesses, proofs)?;
    check_size(summary, (id, bytes_at_a_time(summary, id, scope)), scope, at, 3)?;
    Ok((id, scope))
}

/// (C4), (C5): requires that with the new scope all accesses see the same values.
pub fn check_instances(
    summary: &Summary,
    buffer: BufferId,
    (old, new): (Scope, Scope),
    accesses: &[NodeId],
    proofs: &mut Proofs,
) -> Result<(), ScheduleError> {
    if !(old == Scope::Shared && new == Scope::Local && is_of_threads(summary, buffer, accesses)) {
        check_private(summary, buffer, new, accesses, proofs)?;
    }
    check_shared(summary, buffer, (old, new), accesses, proofs)
}

/// Part of (C4): consecutive loops over threads. True if each thread of a thread block uses elements of a shared buffer
/// that no other thread uses.
fn is_of_threads(summary: &Summary, buffer: BufferId, accesses: &[NodeId]) -> bool {
    let axes = |node: NodeId| -> BTreeSet<&'static str> {
        let bound = summary.loops_around(node).filter_map(|outer| summary.as_loop(outer)?.thread);
        bound.filter(|axis| *axis != ThreadAxis::VThread).map(ThreadAxis::word).collect()
    };
    let nest = |node: NodeId| summary.child_towards(NodeId::FUNCTION, node);
    let block = |node: NodeId| scope::owner(summary, Scope::Shared, node);
    let Some((first, others)) = accesses.split_first() else { return false };
    // A thread keeps its local buffers for the whole kernel, but an iteration of a parallel loop only for itself.
    let is_kept =
        |outer: NodeId| summary.as_loop(outer).is_some_and(|it| it.kind != LoopKind::Parallel);
    if axes(*first).is_empty() || !accesses.iter().all(|n| summary.loops_around(*n).all(is_kept)) {
        return false;
    }
    let is_alike = |other: &NodeId| {
        (nest(*other), block(*other), axes(*other)) == (nest(*first), block(*first), axes(*first))
    };
    let mut alone = summary.clone();
    for node in alone.nodes.values_mut() {
        if let NodeKind::Block(block) = &mut node.kind {
            block.retain_accesses(|access| access.buffer == buffer);
        }
    }
    others.iter().all(is_alike)
        && !summary.buffers[buffer].escapes
        && barriers::needs(&alone, nest(*first)).is_empty()
}

/// (C4)
fn check_private(
    summary: &Summary,
    buffer: BufferId,
    scope: Scope,
    accesses: &[NodeId],
    proofs: &mut Proofs,
) -> Result<(), ScheduleError> {
    let name = || summary.buffers[buffer].name.clone();
    let has_own = |outer: &NodeId| scope::has_own(summary, *outer, buffer, scope);
    let owner_of = |node: NodeId| summary.loops_around(node).find(has_own);
    let owners = accesses.iter().filter_map(|n| owner_of(*n));
    let Some(owner) = owners.into_iter().next() else { return Ok(()) };
    let loop_name = || summary.as_loop(owner).expect("a loop").name.clone();
    let stands_elsewhere = |n: &&NodeId| owner_of(**n) != Some(owner);
    if let Some(other) = accesses.iter().find(stands_elsewhere) {
        proofs.require(&Verdict::of(false), || {
            let block = summary.name(*other);
            let reason = BufferReason::OtherInstance { buffer: name(), name: loop_name(), block };
            reason.at(*other, 4).note(owner, "the loop is here")
        })?;
    }
    let reader = scope::uncovered_reader(summary, owner, buffer);
    let is_covered = reader.is_none() && !summary.buffers[buffer].escapes;
    proofs.require(&Verdict::of(is_covered), || {
        let reader = reader.unwrap_or(accesses[0]);
        let block = summary.name(reader);
        let reason = BufferReason::NotCovered { buffer: name(), name: loop_name(), block };
        reason.at(reader, 4).note(owner, "the loop is here")
    })
}

/// (C5)
fn check_shared(
    summary: &Summary,
    buffer: BufferId,
    (old, new): (Scope, Scope),
    accesses: &[NodeId],
    proofs: &mut Proofs,
) -> Result<(), ScheduleError> {
    for node in accesses {
        for outer in summary.loops_around(*node) {
            let this = summary.as_loop(outer).expect("a loop");
            if !scope::is_owner(old, this) || scope::is_owner(new, this) {
                continue;
            }
            let is_injective = scope::writes_apart(summary, *node, buffer, outer);
            proofs.require(&Verdict::of(is_injective), || {
                let (buffer, name) = (summary.buffers[buffer].name.clone(), this.name.clone());
                BufferReason::WouldShare { buffer, name }
                    .at(*node, 5)
                    .note(outer, "the loop is here")
            })?;
        }
    }
    Ok(())
}

/// Requires that a scope has room for a buffer of that many bytes: (C`condition`).
pub(crate) fn check_size(
    summary: &Summary,
    (id, bytes_of): (BufferId, Option<i64>),
    scope: Scope,
    at: NodeId,
    condition: u8,
) -> Result<(), ScheduleError> {
    let size = bytes_of.unwrap_or(0);
    let (bytes, limit) = match scope {
        Scope::Global => return Ok(()),
        Scope::Local => (size, LOCAL_BYTES),
        Scope::Shared => {
            let nest = nest_of(summary, id);
            let others = summary
                .buffers
                .keys()
                .filter(|n| *n != id && summary.buffers[*n].scope == Some(scope))
                .filter(|n| nest.is_none() || nest_of(summary, *n) == nest);
            let others = others.filter_map(|other| bytes_at_a_time(summary, other, scope));
            let sum = others.fold(size, i64::saturating_add);
            (sum, MAX_SHARED_BYTES)
        }
    };
    if bytes > limit {
        let buffer = summary.buffers[id].name.clone();
        return Err(BufferReason::ScopeLimit { buffer, scope, bytes, limit }.at(at, condition));
    }
    Ok(())
}

/// The first nest of the function that uses a buffer; for a `shared` buffer the only one.
fn nest_of(summary: &Summary, id: BufferId) -> Option<NodeId> {
    let mut blocks = summary.blocks();
    let uses = |block: &Block| block.accesses().iter().any(|access| access.buffer == id);
    let (node, _) = blocks.find(|(_, block)| uses(block))?;
    Some(summary.child_towards(NodeId::FUNCTION, node))
}

/// The bytes of a buffer in a scope, if they are known. `compact-buffers` shrinks a buffer to what is used in one
/// iteration of a loop, if its iterations have their own buffers or read only what they have written.
pub(crate) fn bytes_at_a_time(summary: &Summary, id: BufferId, scope: Scope) -> Option<i64> {
    let buffer = &summary.buffers[id];
    let shape: Vec<_> = buffer.shape.iter().map(Option::as_ref).collect();
    let index = |access: &Access, dim: usize| access.indices.get(dim)?.clone();
    let sizes = sizes_at_a_time(summary, id, scope, &shape, &index)?;
    product(buffer, buffer.room.allocated(&sizes))
}

/// As [`bytes_at_a_time`], for a new layout of a buffer without padding.
pub(crate) fn bytes_in_layout(
    summary: &Summary,
    id: BufferId,
    scope: Scope,
    layout: &BufferLayout,
) -> Option<i64> {
    let shape: Vec<_> = layout.shape.iter().map(Some).collect();
    let index = |access: &Access, dim: usize| access.over_indices(&layout.map[dim]);
    product(&summary.buffers[id], sizes_at_a_time(summary, id, scope, &shape, &index)?)
}

/// The bytes of so many elements of a buffer.
fn product(buffer: &Buffer, sizes: Vec<Expr>) -> Option<i64> {
    let mut sizes = sizes.into_iter().map(|size| size.constant());
    sizes.try_fold(buffer.element_bytes?, |bytes, size| Some(bytes.saturating_mul(size?)))
}

/// The dimensions of the part of a buffer that is in use at a time, if they are known. `shape` are its dimensions, and
/// `index` gives the indices of its accesses.
fn sizes_at_a_time(
    summary: &Summary,
    id: BufferId,
    scope: Scope,
    shape: &[Option<&Expr>],
    index: &dyn Fn(&Access, usize) -> Option<Expr>,
) -> Option<Vec<Expr>> {
    let uses: Vec<(NodeId, &Access)> = summary
        .blocks()
        .flat_map(|(node, block)| block.accesses().iter().map(move |access| (node, access)))
        .filter(|(_, access)| access.buffer == id)
        .collect();
    let is_around = |outer: &NodeId| {
        uses.iter().all(|(node, _)| summary.loops_around(*node).any(|other| other == *outer))
    };
    let places: Vec<NodeId> = uses.first().map_or(vec![], |(first, _)| {
        let owner = scope::owner(summary, scope, *first);
        let is_place =
            |outer: &NodeId| owner == Some(*outer) || scope::is_used_within(summary, *outer, id);
        summary.loops_around(*first).filter(is_around).filter(is_place).collect()
    });
    let spanned = |around: NodeId, dim: usize| {
        let ranges =
            uses.iter().map(|(_, access)| boxes::inside(summary, around, &index(access, dim)?));
        let all = ranges.reduce(|all, next| all?.union(&next?))??;
        all.extent().constant()
    };
    let sizes = shape.iter().enumerate().map(|(dim, size)| {
        let whole = size.and_then(Expr::constant);
        let least = places.iter().filter_map(|around| spanned(*around, dim)).chain(whole).min();
        least.map(Expr::Constant)
    });
    sizes.collect()
}

/// The size of a buffer in bytes, if it is known.
pub fn bytes(buffer: &Buffer) -> Option<i64> {
    let dims = buffer.allocated.iter().map(|dim| dim.as_ref().and_then(Expr::constant));
    dims.into_iter().try_fold(buffer.element_bytes?, |bytes, dim| Some(bytes.saturating_mul(dim?)))
}
