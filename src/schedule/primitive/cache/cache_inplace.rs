//! `cache_inplace`: cache a buffer that a schedule block both reads and writes: copy it in, work on the copy, copy it
//! back.
//!
//! ```text
//! loop.for %i .. { loop.for %k .. { loop.block "B" .. { C[vi] = C[vi] + A[vi, vk] } } }
//!   ->  cache_inplace "B" buffer "C" scope "local"
//! %C_local_temp_buffer = loop.buffer "C_local_temp_buffer" scope(local) : memref<64xf32>
//! loop.for serial %cache_ax0 in 64 {
//!   loop.block "C_local_temp_buffer" [%v0: spatial 64] = (%cache_ax0) { C_local_temp_buffer[v0] = C[v0] }
//! }
//! loop.for %i .. { loop.for %k .. { loop.block "B" .. { C_local_temp_buffer[vi] = C_local_temp_buffer[vi] + A[vi, vk] } } }
//! loop.for serial %cache_ax0 in 64 {
//!   loop.block "C_local_temp_buffer_back" [%v0: spatial 64] = (%cache_ax0) { C[v0] = C_local_temp_buffer[v0] }
//! }
//! ```
//! The step is for a block that updates old values, such as a reduction whose start values `decompose_reduction` has
//! moved to another block. With `cache_read` such a block would not write the copy, and with `cache_write` the copy
//! would not contain the old values. The bounding box of all elements that the block reads or writes is copied before
//! its outermost nest, and copied back after it. If another block that accesses the buffer shares a loop with this
//! block, or each iteration of a loop has its own instance of the new buffer, both copies are placed in that loop.
//! Elements of the box that the block does not write get their old values back.
//!
//! Requires
//! - (C1) the target is a leaf
//! - (C2) the block reads old values of the buffer and writes it, and has no start values in a `loop.init`
//! - (C3) the scope is `global`, `shared` or `local`
//! - (C4) only schedule blocks use the buffer
//! - (C5) there is a place for the copies: no `loop.if` encloses both the block and another block that accesses the
//!   buffer, unless a loop inside the `loop.if` encloses both
//! - (C6) if the copies are not at function level (there nests run in order), no loop over threads in the nest between
//!   them encloses the block, because no barrier would order the accesses of the threads and the copies
//! - (C7) the iterations of each concurrent loop around the copies access distinct elements of both buffers, unless
//!   each iteration has its own instance
//!
//! The new buffer and the block that fills it are named `C_local_temp_buffer`; the block that copies back is named
//! `C_local_temp_buffer_back`. Names that are taken get a number. The target block keeps its name.

use super::cache_read::{SCOPE, check_apart, spans};
use crate::dialect::loop_enums::Scope;
use crate::nest::derived_name;
use crate::nest::facts::scope;
use crate::nest::state::State;
use crate::nest::summary::{NodeId, NodeKind, Summary};
use crate::schedule::error::{BufferReason, LocationReason, Reason, ScheduleError};
use crate::schedule::legality::proof::Proofs;
use crate::schedule::name;
use crate::schedule::primitive::declaration::primitive;
use crate::schedule::rewrite::copy;
use crate::schedule::rewrite::copy::{BufferCopy, CopySizes};
use crate::schedule::verdict::Verdict;

primitive! {
    "Update a copy of a buffer in another memory scope, then copy it back"
    /// Returns the names of the schedule blocks that copy to the new buffer and back.
    cache_inplace(block: Block, buffer: Buffer, scope: Word = SCOPE; proof) -> [String; 2];
    |state| cache_inplace(state, block, buffer, scope, proof)
}

/// Makes the target work on a copy of the buffer; returns the schedule blocks that copy to and from it. On an error the
/// IR is unchanged.
pub fn cache_inplace(
    state: &mut State,
    target: &str,
    buffer: &str,
    scope: &str,
    proofs: &mut Proofs,
) -> Result<[String; 2], ScheduleError> {
    let plan = check(state.summary(), target, (buffer, scope), proofs)?;
    copy::make(state, &plan);
    Ok([plan.block, plan.back.expect("a copy in place is copied back")])
}

pub fn check(
    summary: &Summary,
    target: &str,
    (buffer, scope): (&str, &str),
    proofs: &mut Proofs,
) -> Result<BufferCopy, ScheduleError> {
    let (node, block, buffer) = name::leaf_and_buffer(summary, target, buffer)?;
    let old = &summary.buffers[buffer];
    let reads = block.loads().any(|load| load.buffer == buffer);
    let writes = block.stores().any(|store| store.buffer == buffer);
    if !reads || !writes || block.has_init {
        let (block, buffer) = (block.name.clone(), old.name.clone());
        return Err(Reason::NotReadWrite { block, buffer }.at(node, 2));
    }
    let scope = name::scope_of(scope, node, 3)?;
    if old.escapes {
        return Err(LocationReason::Escapes { buffer: old.name.clone() }.at(node, 4));
    }
    let accesses = |n: NodeId| {
        let block = summary.as_block(n).expect("a block");
        n != node && block.accesses().iter().any(|access| access.buffer == buffer)
    };
    let others: Vec<NodeId> = summary.blocks().map(|(n, _)| n).filter(|n| accesses(*n)).collect();
    let parent = scope::place(summary, scope, node, &others);
    if matches!(summary.nodes[parent].kind, NodeKind::If(_)) {
        let around = |other: &&NodeId| summary.lca(node, **other) == parent;
        let other = others.iter().find(around).expect("another block stands in the 'loop.if'");
        let (first, second) = (block.name.clone(), summary.name(*other));
        return Err(BufferReason::NoPlace { first, second }.at(node, 5).note(parent, "it is here"));
    }
    if let Some(this) = scope::threads_inside(summary, parent, node) {
        let (block, name) = (block.name.clone(), this.name.clone());
        proofs.require(&Verdict::of(false), || {
            BufferReason::OutsideOfThreads { block, name }.at(node, 6)
        })?;
    }
    let mut sizes = CopySizes::default();
    let spans = spans(summary, parent, buffer, (&[node], |_| true), &mut sizes);
    for scope in [scope, old.scope.unwrap_or(Scope::Global)] {
        check_apart(summary, (parent, node), (buffer, scope), &spans, 7, proofs)?;
    }
    let name = derived_name::temporary(summary, buffer, scope);
    Ok(BufferCopy {
        parent,
        child: summary.child_towards(parent, node),
        is_after: false,
        buffer,
        scope,
        block: name.clone(),
        fills: true,
        gather: None,
        back: Some(derived_name::fresh(&format!("{name}_back"), &|name| summary.has_block(name))),
        name,
        spans,
        sizes,
        users: vec![node],
        layout: None,
    })
}
