//! Stores that nothing reads: to private buffers without loads, and of elements that are stored again before anything may read
//! them.
//!
//! ```text
//! amx.tile_store %C[%i, %j], %zero
//! %r = scf.for .. iter_args(%c = %zero) { .. }      ->      %r = scf.for .. iter_args(%c = %zero) { .. }
//! amx.tile_store %C[%i, %j], %r                             amx.tile_store %C[%i, %j], %r
//! ```
//! LLVM erases such stores of scalars and vectors, but not those of tiles.

use super::{AccessedElement, BufferAccess, cells_of, is_hint};
use crate::ir::{Block, Op, walk};

/// Erases the stores of a block, and of the blocks nested in it, of elements that are stored again before anything may read them.
pub(super) fn erase_overwritten(block: Block) {
    // What is stored before it is read behind an op, from the last op to the first.
    let mut stored: Vec<AccessedElement> = vec![];
    for op in block.ops().into_iter().rev() {
        match BufferAccess::of(op) {
            Some(access) if access.is_store => match stored.contains(&access.cell) {
                true => op.erase(),
                false => stored.push(access.cell),
            },
            Some(access) => {
                stored.retain(|it| it.buffer != access.cell.buffer || it.is_apart(&access.cell));
            }
            None => {
                let inside = walk(op);
                // Behind a barrier or a call, others may read.
                let is_shared = |name: &str| name == "gpu.barrier" || name.ends_with(".call");
                if inside.iter().any(|op| is_shared(op.name())) {
                    stored.clear();
                }
                let used = inside.into_iter().filter(|op| !is_hint(*op));
                let used: Vec<_> = used.flat_map(|op| op.operands()).collect();
                stored.retain(|it| !used.contains(&it.buffer));
                op.regions()
                    .into_iter()
                    .flat_map(|region| region.blocks())
                    .for_each(erase_overwritten);
            }
        }
    }
}

/// Erases a private buffer that is never read. Otherwise returns why it stays, unless LLVM will promote its elements.
pub(super) fn erase_unread(op: Op) -> Option<&'static str> {
    let buffer = op.result(0);
    let users: Vec<Op> = buffer.uses().into_iter().map(|(user, _)| user).collect();
    if users.iter().all(|user| BufferAccess::of(*user).is_some_and(|access| access.is_store)) {
        users.into_iter().for_each(Op::erase);
        op.erase();
        return None;
    }
    if users.iter().all(|user| BufferAccess::of(*user).is_some_and(|access| access.cell.is_fixed()))
    {
        return None;
    }
    let read = users
        .into_iter()
        .find(|user| BufferAccess::of(*user).is_none_or(|access| !access.is_store));
    let around = read.and_then(|user| {
        let body = user.parent().and_then(|parent| parent.body(0))?;
        user.parent().filter(|parent| parent.is("scf.for")).map(|parent| (parent, body))
    });
    Some(match around {
        Some((parent, body)) => {
            cells_of(parent, body, buffer).err().unwrap_or("it is read before it is written")
        }
        None => "the last value stored before a read of it is not known",
    })
}
