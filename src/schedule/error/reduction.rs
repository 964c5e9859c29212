//! Why a reduction cannot be computed in another way.

use super::{Reason, ScheduleError};
use crate::dialect::loop_enums::Combiner;
use crate::nest::summary::NodeId;

/// What was found and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReductionReason {
    #[error("schedule block \"{0}\" has no 'loop.init'")]
    NoInit(String),
    #[error("loop \"{name}\" does not enclose schedule block \"{block}\"")]
    NotAround { block: String, name: String },
    #[error(
        "loop \"{outer}\" around loop \"{name}\" is a reduction loop of schedule block \"{block}\" too: the initialization must precede both"
    )]
    ReducesOutside { block: String, name: String, outer: String },
    #[error(
        "iter \"{iter}\" of schedule block \"{outer}\" binds a reduce iter of schedule block \"{block}\" too: the initialization must precede both"
    )]
    ReducesAround { block: String, iter: String, outer: String },
    #[error("{what} is between loop \"{name}\" and schedule block \"{block}\"")]
    StandsBetween { block: String, name: String, what: &'static str },
    #[error(
        "loop \"{name}\" is bound to both reduce and other iters of schedule block \"{block}\""
    )]
    MixedLoop { block: String, name: String },
    #[error("loop \"{name}\" is bound to a thread axis")]
    BoundLoop { name: String },
    #[error(
        "it is not known for which points schedule block \"{0}\" starts its reduction: its predicate does more than keep reduce iters in their domain"
    )]
    StartUnknown(String),
    #[error(
        "reduce iter \"{iter}\" of schedule block \"{block}\" is not 0 at its first instance, so that partial results would not start"
    )]
    StartsLater { block: String, iter: String },
    #[error("loop \"{name}\" is bound to no reduce iter of schedule block \"{block}\"")]
    NotReduceLoop { block: String, name: String },
    #[error("schedule block \"{0}\" has no reducer with identities")]
    NoReducer(String),
    #[error(
        "the identity that schedule block \"{block}\" states for {combiner} is wrong: it changes values"
    )]
    NoIdentity { block: String, combiner: Combiner },
    #[error("factor axis {axis} is out of range, expected {least} to {most}")]
    BadAxis { axis: i64, least: i64, most: i64 },
    #[error("the extent of loop \"{0}\" is not a size that is never negative")]
    NotPlainExtent(String),
    #[error(
        "schedule block \"{block}\" does not store to \"{buffer}\" at indices that only its spatial iters determine"
    )]
    NotSpatialPlace { block: String, buffer: String },
    #[error(
        "schedule block \"{block}\" has a condition on loop \"{name}\" that is not an upper bound of it"
    )]
    NotBound { block: String, name: String },
    #[error(
        "schedule block \"{block}\" keeps the first of equal values: loop \"{name}\" must be the outermost reduction loop"
    )]
    KeepsFirst { block: String, name: String },
    #[error("the result of schedule block \"{0}\" depends on the order if there are NaNs")]
    NotComparable(String),
}

impl ReductionReason {
    /// A refusal because condition (C`condition`) does not hold at a node.
    pub fn at(self, node: NodeId, condition: u8) -> ScheduleError {
        Reason::Reduction(self).at(node, condition)
    }
}
