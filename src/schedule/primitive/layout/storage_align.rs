//! `storage_align`: pad the rows of a buffer so that the stride of a dimension has a given remainder.
//!
//! ```text
//! %T = loop.buffer "T" scope(shared) : memref<32x32xf32>                        stride 32
//!   ->  storage_align "T" axis 0 factor 32 offset 1
//! %T = loop.buffer "T" scope(shared) round(1, 0, 32, 1) : memref<32x32xf32>     stride 33
//! ```
//! The stride of dimension `axis`, in elements, becomes `offset` modulo `factor`. Examples: with 1 modulo 32 the
//! elements of a column are in different banks of shared memory. With 0 modulo 16 each row of f32 starts at a cache
//! line. With an odd number of cache lines the rows of a tile do not map to one set of a cache. The next inner
//! dimension is rounded up by the least amount that achieves this; the padding is never accessed. Sizes may be dynamic:
//! the stride is then rounded when the buffer is allocated. The type and all indices stay the same. If a pass such as
//! `compact-buffers` shrinks the buffer to a bounding box, the stride of the box is the next larger number with the
//! same remainder.
//!
//! Requires
//! - (C1) the buffer belongs to the function and is not an argument
//! - (C2) only loads, stores and regions of schedule blocks use the buffer
//! - (C3) `axis` is a dimension other than the innermost (default: the last but one)
//! - (C4) the factor is from 1 to 65536 (default: 32); the offset is 0 or more and less than the factor (default: 0)
//! - (C5) the remainder can be reached. Only the next inner dimension is rounded, so the stride is a multiple of the
//!   product of the dimensions inside that dimension; one such multiple must have the remainder
//! - (C6) the rounded dimension and the dimensions outside of it do not already have padding
//! - (C7) the bounding box of the elements that are used at a time, with its padding, is within the limit of the scope
//!
//! Names stay the same.

use crate::dialect::allocation::{self, Room};
use crate::ir::Attribute;
use crate::ir::affine::Expr;
use crate::nest::state::State;
use crate::nest::summary::{BufferId, Summary};
use crate::schedule::error::{LayoutReason, ScheduleError};
use crate::schedule::primitive::declaration::primitive;
use crate::schedule::primitive::layout::{set_scope, transform_layout};

primitive! {
    "Pad the rows of a buffer so that their stride has a given remainder"
    storage_align(
        buffer: Buffer,
        axis: OptionalInteger = "The dimension whose stride is padded; negative ones count from the end (default: -2)",
        factor: OptionalInteger = "The divisor of the stride (default: 32)",
        offset: OptionalInteger = "The remainder of the stride (default: 0)"
    ) -> ();
    |state| {
        let (axis, factor) = (axis.unwrap_or(-2), factor.unwrap_or(32));
        storage_align(state, buffer, Stride { axis, factor, offset: offset.unwrap_or(0) })
    }
}

/// The largest factor.
const MOST: i64 = 1 << 16;

/// The required remainder of the stride of a dimension.
#[derive(Clone, Copy, Debug)]
pub struct Stride {
    pub axis: i64,
    pub factor: i64,
    pub offset: i64,
}

/// The result of the check: the padding of a buffer.
pub struct Plan {
    buffer: BufferId,
    room: Room,
}

/// Aligns the rows of `buffer`. On an error the IR is unchanged.
pub fn storage_align(state: &mut State, buffer: &str, stride: Stride) -> Result<(), ScheduleError> {
    let plan = check(state.summary(), buffer, stride)?;
    rewrite(state, &plan);
    Ok(())
}

pub fn check(summary: &Summary, buffer: &str, stride: Stride) -> Result<Plan, ScheduleError> {
    let (id, at) = transform_layout::own(summary, buffer)?;
    let buffer = &summary.buffers[id];
    let (name, rank) = (|| buffer.name.clone(), buffer.shape.len());
    let Stride { axis, factor, offset } = stride;
    let from_front = if axis < 0 { axis.saturating_add_unsigned(rank as u64) } else { axis };
    let rows = rank.saturating_sub(1);
    let place = usize::try_from(from_front).ok().filter(|place| *place < rows);
    let Some(place) = place else {
        return Err(LayoutReason::NoRows { buffer: name(), axis, rows }.at(at, 3));
    };
    if !(1..=MOST).contains(&factor) || !(0..factor).contains(&offset) {
        return Err(LayoutReason::NoRemainder { factor, offset, most: MOST }.at(at, 4));
    }
    let dimension = place + 1;
    let allocated = |i: usize| buffer.allocated[i].clone().expect("sizes of own buffers are known");
    let inner = (dimension + 1..rank).fold(Expr::Constant(1), |inner, i| inner * allocated(i));
    let step = inner.constant();
    if allocation::multiple(step, (factor, offset)).is_none() {
        let step = step.map_or("a size".to_owned(), |step| step.to_string());
        let reason = LayoutReason::NotReached { buffer: name(), axis: place, step, factor, offset };
        return Err(reason.at(at, 5));
    }
    if let Some(axis) = (0..=dimension).find(|i| buffer.allocated[*i] != buffer.shape[*i]) {
        return Err(LayoutReason::AlignedAlready { buffer: name(), axis }.at(at, 6));
    }
    let room = buffer.room.rounded(dimension, rank, (factor, offset));
    let mut aligned = summary.clone();
    aligned.buffers[id].room = room.clone();
    let scope = buffer.scope.expect("the buffer is no argument");
    let bytes = set_scope::bytes_at_a_time(&aligned, id, scope);
    set_scope::check_size(summary, (id, bytes), scope, at, 7)?;
    Ok(Plan { buffer: id, room })
}

fn rewrite(state: &State, plan: &Plan) {
    let op = state.buffer(plan.buffer).defining_op().expect("the buffer is no argument");
    op.set_attribute("rounding", Attribute::dense_i64(op.context(), plan.room.rounding()));
}
