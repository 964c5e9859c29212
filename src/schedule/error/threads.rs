//! Why a loop cannot be bound to threads, or a barrier cannot be inserted.

use super::{Reason, ScheduleError};
use crate::dialect::loop_enums::{LoopKind, ThreadAxis};
use crate::nest::summary::NodeId;

/// What was found and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ThreadsReason {
    #[error("\"{0}\" is not a thread axis, expected one of {1}")]
    NoAxis(String, String),
    #[error("{axis} is bound already by loop \"{name}\"")]
    AxisBound { axis: ThreadAxis, name: String },
    #[error("extent {extent} of loop \"{name}\" exceeds {limit}, the limit of {axis}")]
    AxisLimit { name: String, extent: i64, axis: ThreadAxis, limit: i64 },
    #[error("{threads} threads in a block exceed the limit of {limit}")]
    ThreadLimit { threads: i64, limit: i64 },
    #[error(
        "loop \"{inner}\" of axis {inner_axis} would be nested in loop \"{outer}\" of axis {outer_axis}"
    )]
    AxisOrder { inner: String, inner_axis: ThreadAxis, outer: String, outer_axis: ThreadAxis },
    #[error("\"{0}\" is not a position, expected before or after")]
    BadPlace(String),
    #[error("\"{0}\" is in no loop: nests at function level run one after the other anyway")]
    NoLoopAround(String),
    #[error("there is a barrier at \"{0}\" already")]
    BarrierThere(String),
    #[error(
        "the iterations of loop \"{name}\", which is {kind}, are not threads that can wait for each other"
    )]
    NotThreads { name: String, kind: LoopKind },
    #[error(
        "the extent of loop \"{0}\" differs between threads: they would not reach the barrier equally often"
    )]
    VaryingExtent(String),
    #[error("\"{0}\" is under a condition: some threads may not reach a barrier there")]
    UnderCondition(String),
    #[error(
        "loops \"{name}\" and \"{other}\" bind {axis} with different extents: not all threads would reach the barrier"
    )]
    OtherThreads { name: String, other: String, axis: ThreadAxis },
}

impl ThreadsReason {
    /// A refusal because condition (C`condition`) does not hold at a node.
    pub fn at(self, node: NodeId, condition: u8) -> ScheduleError {
        Reason::Threads(self).at(node, condition)
    }
}
