//! Why a reduction cannot be computed in another way.

use crate::dialect::loop_enums::Combiner;

/// What was found and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReductionReason {
    /// The schedule block has no `loop.init`; its name.
    #[error("schedule block \"{0}\" has no 'loop.init'")]
    NoInit(String),
    /// The loop does not enclose the schedule block.
    #[error("loop \"{name}\" does not enclose schedule block \"{block}\"")]
    NotAround {
        /// The name of the schedule block.
        block: String,
        /// The name of the loop.
        name: String,
    },
    /// An outer loop belongs to the same reduction.
    #[error(
        "loop \"{outer}\" around loop \"{name}\" is a reduction loop of schedule block \"{block}\" too: the initialization must precede both"
    )]
    ReducesOutside {
        /// The name of the schedule block.
        block: String,
        /// The name of the loop.
        name: String,
        /// The name of the outer loop.
        outer: String,
    },
    /// The iters of an enclosing schedule block belong to the same reduction.
    #[error(
        "iter \"{iter}\" of schedule block \"{outer}\" binds a reduce iter of schedule block \"{block}\" too: the initialization must precede both"
    )]
    ReducesAround {
        /// The name of the schedule block.
        block: String,
        /// The name of the iter of the enclosing block.
        iter: String,
        /// The name of the enclosing schedule block.
        outer: String,
    },
    /// Something else is between the loop and the schedule block.
    #[error("{what} is between loop \"{name}\" and schedule block \"{block}\"")]
    StandsBetween {
        /// The name of the schedule block.
        block: String,
        /// The name of the loop.
        name: String,
        /// What it is, in words.
        what: &'static str,
    },
    /// A branch encloses a reduction over thread blocks, so both of its kernels would be in one nest.
    #[error(
        "a branch encloses loop \"{name}\", over whose thread blocks schedule block \"{block}\" reduces: a second kernel combines their results, expected a nest without branches around it"
    )]
    BranchAround {
        /// The name of the schedule block.
        block: String,
        /// The name of the loop.
        name: String,
    },
    /// Reduce iters and other iters are bound to the same loop.
    #[error(
        "loop \"{name}\" is bound to both reduce and other iters of schedule block \"{block}\""
    )]
    MixedLoop {
        /// The name of the schedule block.
        block: String,
        /// The name of the loop.
        name: String,
    },
    /// The loop is bound to a thread axis.
    #[error("loop \"{name}\" is bound to a thread axis")]
    BoundLoop {
        /// The name of the loop.
        name: String,
    },
    /// The predicate does not show which elements get start values; the name of the schedule block.
    #[error(
        "it is not known for which points schedule block \"{0}\" starts its reduction: its predicate does more than keep reduce iters in their domain"
    )]
    StartUnknown(String),
    /// The first instance of a reduction may not be the first of its iter.
    #[error(
        "reduce iter \"{iter}\" of schedule block \"{block}\" is not 0 at its first instance, so that partial results would not start"
    )]
    StartsLater {
        /// The name of the schedule block.
        block: String,
        /// The name of the iter.
        iter: String,
    },
    /// No reduce iter is bound to the loop.
    #[error("loop \"{name}\" is bound to no reduce iter of schedule block \"{block}\"")]
    NotReduceLoop {
        /// The name of the schedule block.
        block: String,
        /// The name of the loop.
        name: String,
    },
    /// The schedule block does not state combiners and identities; its name.
    #[error("schedule block \"{0}\" has no reducer with identities")]
    NoReducer(String),
    /// The stated identity changes values.
    #[error(
        "the identity that schedule block \"{block}\" states for {combiner} is wrong: it changes values"
    )]
    NoIdentity {
        /// The name of the schedule block.
        block: String,
        /// The combiner.
        combiner: Combiner,
    },
    /// The position of the new dimension is out of range.
    #[error("factor axis {axis} is out of range, expected {least} to {most}")]
    BadAxis {
        /// The position that was given.
        axis: i64,
        /// The smallest position.
        least: i64,
        /// The largest position.
        most: i64,
    },
    /// The extent may be negative, or is not a size; the name of the loop.
    #[error("the extent of loop \"{0}\" is not a size that is never negative")]
    NotPlainExtent(String),
    /// The indices of the store do not depend on spatial iters alone.
    #[error(
        "schedule block \"{block}\" does not store to \"{buffer}\" at indices that only its spatial iters determine"
    )]
    NotSpatialPlace {
        /// The name of the schedule block.
        block: String,
        /// The name of the buffer.
        buffer: String,
    },
    /// The predicate restricts the loop in another way than by an upper bound.
    #[error(
        "schedule block \"{block}\" has a condition on loop \"{name}\" that is not an upper bound of it"
    )]
    NotBound {
        /// The name of the schedule block.
        block: String,
        /// The name of the loop.
        name: String,
    },
    /// An argmax-style reduction keeps the first of equal values, so its loops must stay in order.
    #[error(
        "schedule block \"{block}\" keeps the first of equal values: loop \"{name}\" must be the outermost reduction loop"
    )]
    KeepsFirst {
        /// The name of the schedule block.
        block: String,
        /// The name of the loop.
        name: String,
    },
    /// An argmax-style reduction gives another result in another order if there are NaNs; the name of the schedule
    /// block.
    #[error("the result of schedule block \"{0}\" depends on the order if there are NaNs")]
    NotComparable(String),
}
