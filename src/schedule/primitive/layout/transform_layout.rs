//! `transform_layout`: let the cells of a buffer lie elsewhere, by an index map.
//!
//! ```text
//! %T = loop.buffer "T" scope(global) : memref<30x64xf32>       T[vi, vj]
//!   ->  transform_layout "T" index_map "(i, j) -> (i floordiv 4, j, i mod 4)"
//! %T = loop.buffer "T" scope(global) : memref<8x64x4xf32>      T[vi floordiv 4, vj, vi mod 4]
//! ```
//! Panels that a kernel reads in order, a transposed operand, a dimension cut or joined. All loads and stores are
//! rewritten, with their regions; loops stay as they are. The map is over the indices of a cell; names in brackets
//! are the sizes of the buffer's dimensions: `(i, j)[n, m] -> (i * m + j)` is row-major for any sizes. Each new
//! dimension goes from 0 to the greatest index that the map gives.
//!
//! The map need not be onto: cells that it does not reach, as two of the eight rows above, are padding. Nobody sees
//! them, as all accesses go by the map, so they need no value. That no two cells come to lie at one place is proved:
//! by the digits of a mixed radix where the indices are such sums, else as systems of linear conditions, one for
//! each dimension in which the two cells may differ first. `explain` and the message show two cells that clash.
//!
//! Requires
//! - (C1) a buffer of the function, and no argument
//! - (C2) of which nothing but loads, stores and regions of schedule blocks makes use, without padding of its rows,
//!   and which no schedule block writes together with others
//! - (C3) an index map: as many indices as the buffer has dimensions, each result a sum of products by numbers or
//!   sizes, quotients and remainders by positive numbers
//! - (C4) indices that are such sums of iters, too, but where the map passes one on as it is
//! - (C5) different places for different cells
//! - (C6) results from 0 on, of which it can be told how far they go
//! - (C7) room in the scope for the buffer with its padding
//!
//! Names stay, the buffer's too.

use crate::ir::affine::Expr;
use crate::nest::state::State;
use crate::nest::summary::{Access, Block, Buffer, BufferId, NodeId, Summary};
use crate::schedule::error::{LayoutReason, Reason, ScheduleError};
use crate::schedule::legality::proof::{PROOF, Proofs};
use crate::schedule::name;
use crate::schedule::primitive::layout::set_scope;
use crate::schedule::rewrite::layout;
use crate::schedule::rewrite::layout::{Cells, Conditions, Layout};
use crate::schedule::table::{Parameter, ParameterKind, Primitive};

pub const PRIMITIVE: Primitive = Primitive {
    name: "transform_layout",
    pass: "sched-transform-layout",
    summary: "Let the cells of a buffer lie elsewhere, by an index map",
    parameters: &[
        Parameter {
            name: "buffer",
            kind: ParameterKind::Buffer,
            summary: "The name of the buffer",
        },
        Parameter {
            name: "index_map",
            kind: ParameterKind::Word,
            summary: "Where a cell lies: \"(i, j)[n, m] -> (j, i)\", over its indices and the buffer's sizes",
        },
        PROOF,
    ],
    apply: |state, arguments| {
        let mut proofs = Proofs::of(state, &arguments[2]);
        let (buffer, map) = (arguments[0].text(), arguments[1].text());
        transform_layout(state, buffer, map, &mut proofs).map(|()| vec![])
    },
};

/// Gives `buffer` another layout. On an error the IR is unchanged.
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
) -> Result<(BufferId, Layout), ScheduleError> {
    let (id, at) = own(summary, buffer)?;
    check_use(summary, id, at)?;
    let buffer = &summary.buffers[id];
    let shape: Option<Vec<Expr>> = buffer.shape.iter().cloned().collect();
    let shape = shape.expect("the dimensions of a buffer of the function are known");
    let cells = Cells { name: &buffer.name, shape: &shape, at };
    let conditions = Conditions { is_map: 3, is_injective: 5, has_extents: 6 };
    let layout = layout::of(summary, cells, map, conditions, proofs)?;
    let users: Vec<NodeId> = summary.blocks().map(|(node, _)| node).collect();
    layout::check_indices(summary, (id, &buffer.name), &users, &layout, 4)?;
    let allocated = layout.shape.iter().cloned().map(Some).collect();
    let new = Buffer { allocated, ..(**buffer).clone() };
    let scope = buffer.scope.expect("the buffer is no argument");
    set_scope::check_size(summary, (id, set_scope::bytes(&new)), scope, at, 7)?;
    Ok((id, layout))
}

/// A buffer of the function, and a node to show it at: (C1), (C2).
pub(crate) fn own(summary: &Summary, buffer: &str) -> Result<(BufferId, NodeId), ScheduleError> {
    let id = name::buffer(summary, buffer, 1)?;
    let uses = |block: &Block| accesses(block, id).next().is_some();
    let at = summary.blocks().find(|(_, block)| uses(block)).map_or(0, |(node, _)| node);
    let buffer = &summary.buffers[id];
    let name = buffer.name.clone();
    if buffer.scope.is_none() {
        return Err(Reason::IsArgument(name).at(at, 1));
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
