//! `fold_storage`: fold a dimension of a buffer into a circular buffer of a few rows.
//!
//! ```text
//! %T = loop.buffer "T" scope(global) : memref<66x64xf32>
//! loop.for %i in 64 { .. T[%i + 2, ..] = ..   .. = T[%i, ..], T[%i + 1, ..], T[%i + 2, ..] }
//!   ->  fold_storage "T" axis 0 size 3
//! %T = loop.buffer "T" scope(global) : memref<3x64xf32>
//! loop.for %i in 64 { .. T[(%i + 2) mod 3, ..] = ..   .. = T[%i mod 3, ..], .. }
//! ```
//! Indices of the dimension are taken modulo `size`, so that each row reuses the storage of the row `size` before it.
//! The older row must be dead when it is replaced. So writes must advance through the dimension in one direction,
//! upwards or downwards, and each write must follow all reads of the row that it replaces. Loops do not change.
//!
//! Requires
//! - (C1) the buffer belongs to the function and is not an argument
//! - (C2) only loads, stores and regions of schedule blocks use the buffer, its rows have no padding, and no schedule
//!   block writes it together with other buffers
//! - (C3) `axis` is one of its dimensions (default: the first)
//! - (C4) `size` is 1 or more, and below the dimension's extent if that is constant
//! - (C5) indices of the dimension do not depend on data
//! - (C6) writes advance in one direction, and no write precedes a read of the row that it replaces
//!
//! Names stay the same.

use crate::ir::affine::Expr;
use crate::nest::state::State;
use crate::nest::summary::{BufferId, NodeId, Summary};
use crate::schedule::error::{LayoutReason, ScheduleError};
use crate::schedule::legality::exact::fold::{Fold, check_folded};
use crate::schedule::legality::proof::Proofs;
use crate::schedule::primitive::declaration::primitive;
use crate::schedule::primitive::layout::transform_layout;
use crate::schedule::rewrite::layout;
use crate::schedule::rewrite::layout::BufferLayout;
use crate::schedule::verdict::Verdict;

primitive! {
    "Fold a dimension of a buffer into a circular buffer of a few elements"
    fold_storage(
        buffer: Buffer,
        axis: OptionalInteger = "The dimension; negative ones count from the end (default: 0)",
        size: OptionalInteger = "The size of the circular buffer in this dimension (default: 2)";
        proof
    ) -> ();
    |state| fold_storage(state, buffer, (axis.unwrap_or(0), size.unwrap_or(2)), proof)
}

/// Folds dimension `axis` of `buffer` to `size` rows. On an error the IR is unchanged.
pub fn fold_storage(
    state: &mut State,
    buffer: &str,
    (axis, size): (i64, i64),
    proofs: &mut Proofs,
) -> Result<(), ScheduleError> {
    let (buffer, layout) = check(state.summary(), buffer, (axis, size), proofs)?;
    let sizes = state.sizes().to_vec();
    layout::rewrite(state, buffer, &layout, &sizes);
    Ok(())
}

pub fn check(
    summary: &Summary,
    buffer: &str,
    (axis, size): (i64, i64),
    proofs: &mut Proofs,
) -> Result<(BufferId, BufferLayout), ScheduleError> {
    let (id, at) = transform_layout::own(summary, buffer)?;
    transform_layout::check_use(summary, id, at)?;
    let buffer = &summary.buffers[id];
    let (name, rank) = (|| buffer.name.clone(), buffer.shape.len());
    let from_front = if axis < 0 { axis.saturating_add_unsigned(rank as u64) } else { axis };
    let dim = usize::try_from(from_front).ok().filter(|dim| *dim < rank);
    let Some(dim) = dim else {
        return Err(LayoutReason::NoDimension { buffer: name(), axis, rank }.at(at, 3));
    };
    let shape =
        buffer.shape.iter().cloned().map(|dim| dim.expect("sizes of own buffers are known"));
    let mut shape: Vec<Expr> = shape.collect();
    let extent = shape[dim].constant();
    if size < 1 || extent.is_some_and(|extent| size >= extent) {
        return Err(
            LayoutReason::NotSmaller { buffer: name(), size, extent: shown(extent) }.at(at, 4)
        );
    }
    shape[dim] = size.into();
    let mut map: Vec<Expr> = (0..rank).map(Expr::Dim).collect();
    map[dim] = Expr::Dim(dim).modulo(size.into());
    let layout = BufferLayout { map, shape };
    let users: Vec<NodeId> = summary.blocks().map(|(node, _)| node).collect();
    layout::check_indices(summary, (id, &buffer.name), &users, &layout, 5)?;
    let verdict = match check_folded(summary, Fold { buffer: id, dim, size }) {
        Verdict::Refuted(_) => Verdict::Unknown(String::new()),
        verdict => verdict,
    };
    proofs
        .require(&verdict, || LayoutReason::StillNeeded { buffer: name(), dim, size }.at(at, 6))?;
    Ok((id, layout))
}

fn shown(extent: Option<i64>) -> String {
    extent.map_or("its size".to_owned(), |extent| extent.to_string())
}
