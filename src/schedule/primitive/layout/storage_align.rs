//! `storage_align`: leave room between the rows of a buffer, so that their stride has a certain remainder.
//!
//! ```text
//! %T = loop.buffer "T" scope(shared) : memref<32x32xf32>                        stride 32
//!   ->  storage_align "T" axis 0 factor 32 offset 1
//! %T = loop.buffer "T" scope(shared) round(1, 0, 32, 1) : memref<32x32xf32>     stride 33
//! ```
//! The stride of dimension `axis`, in elements, becomes `offset` modulo `factor`: 1 modulo 32, so that a column lies
//! in different banks of shared memory; 0 modulo 16, so that each row begins a cache line; an odd number of lines, so
//! that the rows of a tile do not meet in one set of a cache. For that the dimension behind it is rounded up, by as
//! little as there is; what lies between is never accessed. Sizes may be dynamic: rounding is done when the buffer is
//! allocated. The type stays, and so do all indices. A pass that makes the buffer smaller, as
//! `compact-buffers` leaves of a tile only its box, keeps the remainder: the stride of the box is the next one that has it.
//!
//! Requires
//! - (C1) a buffer of the function, and no argument
//! - (C2) of which nothing but loads, stores and regions of schedule blocks makes use
//! - (C3) a dimension with another one behind it (default: the last but one)
//! - (C4) a factor from 1 to 65536 (default: 32), and an offset from 0 up to it (default: 0)
//! - (C5) a remainder that there is: behind more than one dimension strides are multiples of what is inside
//! - (C6) dimensions up to that one without room so far
//! - (C7) room in the scope for the box of what is used at a time, with its padding
//!
//! Names stay.

use crate::dialect::allocation::{self, Room};
use crate::ir::Attribute;
use crate::ir::affine::Expr;
use crate::nest::state::State;
use crate::nest::summary::{BufferId, Summary};
use crate::schedule::error::{LayoutReason, ScheduleError};
use crate::schedule::primitive::layout::{set_scope, transform_layout};
use crate::schedule::table::{Parameter, ParameterKind, Primitive};

pub const PRIMITIVE: Primitive = Primitive {
    name: "storage_align",
    pass: "sched-storage-align",
    summary: "Leave room between the rows of a buffer, so that their stride has a certain remainder",
    parameters: &[
        Parameter {
            name: "buffer",
            kind: ParameterKind::Buffer,
            summary: "The name of the buffer",
        },
        Parameter {
            name: "axis",
            kind: ParameterKind::OptionalInteger,
            summary: "The dimension whose stride it is; negative ones count from the end (default: -2)",
        },
        Parameter {
            name: "factor",
            kind: ParameterKind::OptionalInteger,
            summary: "What the stride is divided by (default: 32)",
        },
        Parameter {
            name: "offset",
            kind: ParameterKind::OptionalInteger,
            summary: "The remainder that it leaves (default: 0)",
        },
    ],
    apply: |state, arguments| {
        let number = |i: usize| arguments[i].optional_integer();
        let stride = Stride {
            axis: number(1).unwrap_or(-2),
            factor: number(2).unwrap_or(32),
            offset: number(3).unwrap_or(0),
        };
        storage_align(state, arguments[0].text(), stride).map(|()| vec![])
    },
};

/// The largest divisor of a stride.
const MOST: i64 = 1 << 16;

/// The remainder that the stride of a dimension is to have.
#[derive(Clone, Copy, Debug)]
pub struct Stride {
    pub axis: i64,
    pub factor: i64,
    pub offset: i64,
}

/// What the check has found: the room that a buffer gets.
pub struct Plan {
    buffer: BufferId,
    room: Room,
}

/// Aligns rows of `buffer`. On an error the IR is unchanged.
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
