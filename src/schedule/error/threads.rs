//! Why a loop cannot be bound to threads, or a barrier cannot be inserted.

use crate::dialect::loop_enums::{LoopKind, ThreadAxis};

/// What was found and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ThreadsReason {
    /// The word is not a thread axis; the word, and the axes.
    #[error("\"{0}\" is not a thread axis, expected one of {1}")]
    NoAxis(String, String),
    /// An enclosing or enclosed loop is bound to the axis.
    #[error("{axis} is bound already by loop \"{name}\"")]
    AxisBound {
        /// The thread axis.
        axis: ThreadAxis,
        /// The name of that loop.
        name: String,
    },
    /// The extent exceeds the limit of the axis.
    #[error("extent {extent} of loop \"{name}\" exceeds {limit}, the limit of {axis}")]
    AxisLimit {
        /// The name of the loop.
        name: String,
        /// The extent of the loop.
        extent: i64,
        /// The thread axis.
        axis: ThreadAxis,
        /// The maximum extent of a loop of this axis.
        limit: i64,
    },
    /// A thread block would have too many threads.
    #[error("{threads} threads in a block exceed the limit of {limit}")]
    ThreadLimit {
        /// The number of threads.
        threads: i64,
        /// The maximum number of threads of a thread block.
        limit: i64,
    },
    /// A loop of thread blocks would be nested in a loop of threads.
    #[error(
        "loop \"{inner}\" of axis {inner_axis} would be nested in loop \"{outer}\" of axis {outer_axis}"
    )]
    AxisOrder {
        /// The name of the inner loop.
        inner: String,
        /// The axis of the inner loop.
        inner_axis: ThreadAxis,
        /// The name of the outer loop.
        outer: String,
        /// The axis of the outer loop.
        outer_axis: ThreadAxis,
    },
    /// The word is neither `before` nor `after`.
    #[error("\"{0}\" is not a position, expected before or after")]
    BadPlace(String),
    /// The target is at function level; its name.
    #[error("\"{0}\" is in no loop: nests at function level run one after the other anyway")]
    NoLoopAround(String),
    /// There is a barrier at this position; the name of the statement.
    #[error("there is a barrier at \"{0}\" already")]
    BarrierThere(String),
    /// A loop around the position has iterations that cannot wait for each other.
    #[error(
        "the iterations of loop \"{name}\", which is {kind}, are not threads that can wait for each other"
    )]
    NotThreads {
        /// The name of the loop.
        name: String,
        /// The kind of the loop.
        kind: LoopKind,
    },
    /// A loop around the position has not the same number of iterations in all threads; its name.
    #[error(
        "the extent of loop \"{0}\" differs between threads: they would not reach the barrier equally often"
    )]
    VaryingExtent(String),
    /// The position is under a condition; the name of the statement.
    #[error("\"{0}\" is under a condition: some threads may not reach a barrier there")]
    UnderCondition(String),
    /// Two loops bind the same axis with different extents.
    #[error(
        "loops \"{name}\" and \"{other}\" bind {axis} with different extents: not all threads would reach the barrier"
    )]
    OtherThreads {
        /// The name of the loop.
        name: String,
        /// The name of the other loop.
        other: String,
        /// The thread axis.
        axis: ThreadAxis,
    },
}
