//! Stores of elements that are stored again before anything may read them.
//!
//! ```text
//! amx.tile_store %C[%i, %j], %zero
//! %r = scf.for .. iter_args(%c = %zero) { .. }      ->      %r = scf.for .. iter_args(%c = %zero) { .. }
//! amx.tile_store %C[%i, %j], %r                             amx.tile_store %C[%i, %j], %r
//! ```
//! LLVM erases such stores of scalars and vectors, but not those of tiles.

use super::{AccessedElement, BufferAccess, is_hint};
use crate::ir::{Block, walk};

/// Erases them in a block and in the blocks nested in it.
pub(super) fn erase(block: Block) {
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
                op.regions().into_iter().flat_map(|region| region.blocks()).for_each(erase);
            }
        }
    }
}
