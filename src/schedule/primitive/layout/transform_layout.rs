//! `transform_layout`: change the data layout of a buffer by an index map.
//!
//! ```text
//! %T = loop.buffer "T" scope(global) : memref<30x64xf32>       T[vi, vj]
//!   ->  transform_layout "T" index_map "(i, j) -> (i floordiv 4, j, i mod 4)"
//! %T = loop.buffer "T" scope(global) : memref<8x64x4xf32>      T[vi floordiv 4, vj, vi mod 4]
//! ```
//! Typical uses are packed panels that a kernel reads sequentially, a transposed operand, and a dimension that is split
//! or fused. All loads and stores are rewritten, and so are the access regions; loops do not change. The map is over
//! the indices of an element; names in brackets are the sizes of the buffer's dimensions: `(i, j)[n, m] -> (i * m + j)`
//! is row-major for any sizes. Each new dimension ranges from 0 to the greatest index that the map gives.
//!
//! The map need not be onto: elements that it does not reach, such as two of the eight rows above, are padding. All
//! accesses use the map, so padding is never accessed and needs no value. The map is proved injective by mixed-radix
//! digits, if its results are mixed-radix numbers. Otherwise a system of linear conditions is solved for each
//! dimension: two elements have different indices in this dimension, and equal new indices. No system may have a
//! solution. If the map is not injective, the error message shows two elements with equal new indices.
//!
//! Requires
//! - (C1) the buffer belongs to the function and is not an argument
//! - (C2) only loads, stores and regions of schedule blocks use the buffer, its rows have no padding, and no schedule
//!   block writes it together with other buffers
//! - (C3) the index map has as many indices as the buffer has dimensions; each result is built from the indices by
//!   addition, multiplication by constants or sizes, and quotient and remainder by positive constants
//! - (C4) the indices of accesses are expressions of the form in (C3), over iters and sizes, except for indices that
//!   the map does not change
//! - (C5) the map is injective
//! - (C6) the results are not negative, and have a known upper bound
//! - (C7) the scope has room for the buffer with its padding
//!
//! All names, including that of the buffer, stay the same.

use crate::ir::affine::Expr;
use crate::nest::state::State;
use crate::nest::summary::{Access, Block, BufferId, NodeId, Summary};
use crate::schedule::error::{BufferReason, LayoutReason, ScheduleError};
use crate::schedule::legality::proof::Proofs;
use crate::schedule::name;
use crate::schedule::primitive::declaration::primitive;
use crate::schedule::primitive::layout::set_scope;
use crate::schedule::rewrite::layout;
use crate::schedule::rewrite::layout::{BufferLayout, ConditionNumbers, MappedElements};

primitive! {
    "Change the layout of a buffer by an index map"
    transform_layout(
        buffer: Buffer,
        index_map: Word = "The new indices of an element: \"(i, j)[n, m] -> (j, i)\", over its indices and the buffer's sizes";
        proof
    ) -> ();
    |state| transform_layout(state, buffer, index_map, proof)
}

/// Changes the layout of `buffer`. On an error the IR is unchanged.
pub fn transform_layout(
    state: &mut State,
    buffer: &str,
    map: &str,
    proofs: &mut Proofs,
) -> Result<(), ScheduleError> {
    let (buffer, layout) = check(state.summary(), buffer, map, proofs)?;
    let sizes = state.sizes().to_vec();
    layout::rewrite(state, buffer, &layout, &sizes);
    Ok(())
}

pub fn check(
    summary: &Summary,
    buffer: &str,
    map: &str,
    proofs: &mut Proofs,
) -> Result<(BufferId, BufferLayout), ScheduleError> {
    let (id, at) = own(summary, buffer)?;
    check_use(summary, id, at)?;
    let buffer = &summary.buffers[id];
    let shape: Option<Vec<Expr>> = buffer.shape.iter().cloned().collect();
    let shape = shape.expect("the dimensions of a buffer of the function are known");
    let cells = MappedElements { name: &buffer.name, shape: &shape, at };
    let conditions = ConditionNumbers { is_map: 3, is_injective: 5, has_extents: 6 };
    let layout = layout::of(summary, cells, map, conditions, proofs)?;
    let users: Vec<NodeId> = summary.blocks().map(|(node, _)| node).collect();
    layout::check_indices(summary, (id, &buffer.name), &users, &layout, 4)?;
    let scope = buffer.scope.expect("the buffer is no argument");
    let bytes = set_scope::bytes_in_layout(summary, id, scope, &layout);
    set_scope::check_size(summary, (id, bytes), scope, at, 7)?;
    Ok((id, layout))
}

/// (C1), (C2): a buffer of the function, and a node to report errors at.
pub(crate) fn own(summary: &Summary, buffer: &str) -> Result<(BufferId, NodeId), ScheduleError> {
    let id = name::buffer(summary, buffer, 1)?;
    let uses = |block: &Block| accesses(block, id).next().is_some();
    let at =
        summary.blocks().find(|(_, block)| uses(block)).map_or(NodeId::FUNCTION, |(node, _)| node);
    let buffer = &summary.buffers[id];
    let name = buffer.name.clone();
    if buffer.scope.is_none() {
        return Err(BufferReason::IsArgument(name).at(at, 1));
    }
    match buffer.escapes {
        true => Err(LayoutReason::UsedOtherwise { buffer: name }.at(at, 2)),
        false => Ok((id, at)),
    }
}

/// (C2)
pub(crate) fn check_use(summary: &Summary, id: BufferId, at: NodeId) -> Result<(), ScheduleError> {
    let buffer = &summary.buffers[id];
    let name = || buffer.name.clone();
    if buffer.is_padded() {
        return Err(LayoutReason::Padded(name()).at(at, 2));
    }
    let users: Vec<NodeId> = summary.blocks().map(|(node, _)| node).collect();
    layout::check_alone(summary, id, &users, 2)
}

fn accesses(block: &Block, buffer: BufferId) -> impl Iterator<Item = &Access> {
    block.accesses().iter().filter(move |access| access.buffer == buffer)
}
