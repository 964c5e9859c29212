//! Why a primitive refuses: the reasons and their messages.
//!
//! Each primitive numbers its conditions (C1), (C2), ... in the head of its file. A refusal cites the
//! condition that does not hold. On a refusal the IR is unchanged.

mod atomic;
mod buffer;
mod layout;
mod library;
mod location;
pub mod loops;
mod prefetch;
mod reduction;
mod refusal;
mod sampling;
mod split;
mod tensor;
mod threads;

pub use atomic::AtomicReason;
pub use buffer::BufferReason;
pub use layout::LayoutReason;
pub use library::LibraryReason;
pub use location::LocationReason;
pub use prefetch::PrefetchReason;
pub use reduction::ReductionReason;
pub use refusal::ScheduleError;
pub use sampling::SamplingReason;
pub use split::SplitReason;
pub use tensor::TensorReason;
pub use threads::ThreadsReason;

use crate::dialect::loop_enums::{Combiner, IterRole, LoopKind, Scope};

/// What was found and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// A primitive that changes only loops refuses.
    #[error(transparent)]
    Loops(#[from] loops::LoopsReason),
    /// The text is not `block:loop`.
    #[error("\"{0}\" names no loop, expected \"block:loop\"")]
    NoLoopName(String),
    /// No schedule block has this name.
    #[error("there is no schedule block \"{name}\", there are {present}{}", lowering_hint(present))]
    NoBlock {
        /// The name.
        name: String,
        /// The names of the schedule blocks, or "none".
        present: String,
    },
    /// No loop around the schedule block has this name.
    #[error("there is no loop \"{name}\" around schedule block \"{block}\", there are {present}")]
    NoLoop {
        /// The name of the schedule block.
        block: String,
        /// The name, without that of the block.
        name: String,
        /// The names of its loops, or "none".
        present: String,
    },
    /// An earlier step removed what had this name.
    #[error("\"{name}\" was removed by step {step}: {by}")]
    Removed {
        /// The name.
        name: String,
        /// The number of that step, from 1.
        step: usize,
        /// That step, as text of a script.
        by: String,
    },
    /// Verification found that a step changed the result.
    #[error("step {number}, {step}, changes what the function computes: {found}")]
    WrongResult {
        /// The number of the step, from 1.
        number: usize,
        /// The step, as text of a script.
        step: String,
        /// The run that gives another result, in words.
        found: String,
    },
    /// A step cannot be verified; the reason.
    #[error("{0}")]
    NotVerified(String),
    /// The loop is not serial.
    #[error("loop \"{name}\" is {kind}, expected serial")]
    NotSerial {
        /// The name of the loop.
        name: String,
        /// The kind of the loop.
        kind: LoopKind,
    },
    /// Two nested loops would have this name.
    #[error("there would be two nested loops named \"{0}\"")]
    NameTaken(String),
    /// Two schedule blocks would have this name.
    #[error("there would be two schedule blocks named \"{0}\"")]
    BlockNameTaken(String),
    /// The text is not a name.
    #[error(
        "found the name \"{0}\", expected letters, digits, '_', '$', '-' and '.', not starting with a digit"
    )]
    BadName(String),

    /// Fewer than two loops are given; their number.
    #[error("found {0} loops, expected two or more")]
    FewLoops(usize),
    /// A loop is given twice; its name.
    #[error("loop \"{0}\" is given twice")]
    Repeated(String),
    /// A loop has other statements besides the one that must be alone.
    #[error("\"{inner}\" is not the only statement in loop \"{outer}\"")]
    NotAlone {
        /// The name of the loop or block that must be alone.
        inner: String,
        /// The name of the outer loop.
        outer: String,
    },
    /// A loop has other statements besides the loop that must be alone.
    #[error("loop \"{inner}\" is not the only statement in loop \"{outer}\"")]
    NotOnlyChild {
        /// The name of the outer loop.
        outer: String,
        /// The name of the inner loop.
        inner: String,
    },
    /// A loop is not a direct child of the other one.
    #[error("loop \"{inner}\" is not directly nested in loop \"{outer}\"")]
    NotAdjacent {
        /// The name of the outer loop.
        outer: String,
        /// The name of the inner loop.
        inner: String,
    },
    /// Two loops do not enclose each other; their names.
    #[error("loops \"{0}\" and \"{1}\" are not nested in each other")]
    NotAChain(String, String),
    /// The extent of a loop depends on the variable of the other one.
    #[error("the extent of loop \"{inner}\" depends on loop \"{outer}\"")]
    DependentExtent {
        /// The name of the inner loop.
        inner: String,
        /// The name of the outer loop.
        outer: String,
    },
    /// The extent of the loop is a minimum of several expressions; its name.
    #[error("the extent of loop \"{0}\" is a minimum, which cannot be divided")]
    MinimumExtent(String),
    /// The extent of a loop that is not the outermost one is not a size; its name.
    #[error(
        "the extent of loop \"{0}\" is not a size: only the outermost loop may have such an extent"
    )]
    NotSize(String),
    /// The loop runs for no iteration; its name.
    #[error("loop \"{0}\" has no iterations")]
    NoIterations(String),
    /// Both extents may be negative, so their product may be positive; the names of the loops.
    #[error("the extents of loops \"{0}\" and \"{1}\" may both be negative: their product is not")]
    NegativeExtents(String, String),
    /// A reduction would lose its start values if the loop has no iterations.
    #[error(
        "loop \"{name}\" may have no iterations: the start values of schedule block \"{block}\" would be lost"
    )]
    EmptyReduction {
        /// The name of the schedule block.
        block: String,
        /// The name of the loop.
        name: String,
    },

    /// The pattern matches nothing.
    #[error("nothing matches \"{0}\"")]
    NoMatch(String),
    /// The word is not a query; the word, and the queries.
    #[error("there is no query \"{0}\", expected one of {1}")]
    NoQuestion(String, String),
    /// The pattern is for loops, but the query for schedule blocks; the pattern, and the query.
    #[error("\"{0}\" is a pattern of loops, but query \"{1}\" is about schedule blocks")]
    OnlyBlocks(String, String),
    /// A number does not fit in 64 bits; the number, in words.
    #[error("{0} is too large for an index")]
    Overflow(String),
    /// The step would change nothing.
    #[error("has no effect")]
    NoEffect,
    /// A barrier is beside a loop into which all statements must sink; the name of the loop.
    #[error("next to loop \"{0}\" is a barrier, which cannot sink into it")]
    BarrierBeside(String),
    /// Statements would sink into a loop whose iterations do not run in order.
    #[error("loop \"{name}\" is {kind}: its siblings can sink only into serial and unrolled loops")]
    SinksThrough {
        /// The name of the loop.
        name: String,
        /// The kind of the loop.
        kind: LoopKind,
    },
    /// Statements would sink into a loop that may have no iterations; its name.
    #[error("loop \"{0}\" may have no iterations: its siblings cannot sink into it")]
    MaybeEmpty(String),
    /// The word is not a value of `proof`.
    #[error("found proof \"{0}\", expected \"assume\" or \"guard\"")]
    NoProof(String),
    /// The extent of the loop is not a constant; its name.
    #[error("loop \"{0}\" has no constant extent")]
    NotConstant(String),
    /// The factor is not positive.
    #[error("found factor {0}, expected a positive number")]
    BadWidth(i64),
    /// The iterations of the loop cannot run as lanes.
    #[error("the iterations of loop \"{name}\" cannot be lanes: {why}")]
    NoLanes {
        /// The name of the loop.
        name: String,
        /// The reason, in words.
        why: String,
    },

    /// Each iteration would get a buffer of its own, which is shared now.
    #[error(
        "schedule block \"{block}\" accesses \"{buffer}\" of scope {scope}: each iteration would have its own"
    )]
    PrivateBuffer {
        /// The name of the schedule block.
        block: String,
        /// The name of the buffer.
        buffer: String,
        /// The memory scope.
        scope: Scope,
    },
    /// The loop has a barrier in it; its name.
    #[error("loop \"{0}\" holds a barrier")]
    HoldsBarrier(String),

    /// The body of the schedule block is a nest; its name.
    #[error("schedule block \"{0}\" has a nest as its body")]
    NestBody(String),
    /// The body of the schedule block contains a call; its name.
    #[error("schedule block \"{0}\" calls a function, whose effects are not known")]
    Calls(String),
    /// An iter that must be spatial has another role.
    #[error("iter \"{iter}\" of schedule block \"{block}\" is {role}, expected spatial")]
    NotSpatial {
        /// The name of the schedule block.
        block: String,
        /// The name of the iter.
        iter: String,
        /// The role of the iter.
        role: IterRole,
    },
    /// The lanes would accumulate into one element, because a reduce iter is bound to the loop.
    #[error(
        "the lanes would reduce into one cell, as iter \"{iter}\" of schedule block \"{block}\" is bound to the loop: use rfactor, or vectorize another loop"
    )]
    LanesReduce {
        /// The name of the schedule block.
        block: String,
        /// The name of the iter.
        iter: String,
    },
    /// No iter of the schedule block is bound to the loop.
    #[error(
        "schedule block \"{block}\" does not depend on loop \"{name}\": its iterations would repeat the same work concurrently"
    )]
    Unused {
        /// The name of the schedule block.
        block: String,
        /// The name of the loop.
        name: String,
    },
    /// It is not proved that different iterations of the loop run different instances.
    #[error(
        "cannot prove that the iterations of loop \"{name}\" are different instances of schedule block \"{block}\""
    )]
    NotInjective {
        /// The name of the schedule block.
        block: String,
        /// The name of the loop.
        name: String,
    },
    /// It is not proved that different instances write different elements.
    #[error(
        "cannot prove that the instances of schedule block \"{block}\" write different cells of \"{buffer}\""
    )]
    SharedCell {
        /// The name of the schedule block.
        block: String,
        /// The name of the buffer.
        buffer: String,
    },
    /// The schedule block may read what another instance of it writes.
    #[error("schedule block \"{block}\" reads \"{buffer}\", which it writes")]
    ReadsOwnResult {
        /// The name of the schedule block.
        block: String,
        /// The name of the buffer.
        buffer: String,
    },
    /// Two schedule blocks may access the same element in another order.
    #[error(
        "schedule blocks \"{first}\" and \"{second}\" both access \"{buffer}\", which one of them writes"
    )]
    Dependence {
        /// The name of one schedule block.
        first: String,
        /// The name of the other schedule block.
        second: String,
        /// The name of the buffer.
        buffer: String,
    },
    /// Two instances of one schedule block may access the same element in another order.
    #[error("instances of schedule block \"{block}\" access \"{buffer}\", which it writes")]
    OwnDependence {
        /// The name of the schedule block.
        block: String,
        /// The name of the buffer.
        buffer: String,
    },
    /// The result depends on the order of the iterations.
    #[error(
        "the order of the iterations of loop \"{name}\" matters to schedule block \"{block}\": {why}"
    )]
    OrderMatters {
        /// The name of the schedule block.
        block: String,
        /// The name of the loop.
        name: String,
        /// The reason, in words.
        why: &'static str,
    },
    /// The contract of the function forbids another order of a float reduction.
    #[error(
        "schedule block \"{block}\" reduces floats by {combiner}, whose order matters to the last bit: to allow it, the function must have loop.fp = \"reassoc\" or \"fast\""
    )]
    Strict {
        /// The name of the schedule block.
        block: String,
        /// The combiner.
        combiner: Combiner,
    },
    /// The result of the updates depends on their order.
    #[error("schedule block \"{block}\" has updates whose order matters: {why}")]
    UpdateOrder {
        /// The name of the schedule block.
        block: String,
        /// The reason, in words.
        why: &'static str,
    },

    /// No buffer has this name.
    #[error("there is no buffer \"{name}\", there are {present}")]
    NoBuffer {
        /// The name.
        name: String,
        /// The names of the buffers, or "none".
        present: String,
    },

    /// The text is not the key of an annotation.
    #[error(
        "\"{0}\" is not a key, expected letters, digits, '_', '$', '-' and '.', starting with a letter"
    )]
    BadKey(String),
    /// The target has this annotation already; its name, and the key.
    #[error("\"{0}\" has the annotation \"{1}\" already: unannotate it first")]
    KeyTaken(String, String),
    /// The target does not have this annotation.
    #[error("\"{name}\" has no annotation \"{key}\", it has {present}")]
    NoKey {
        /// The name of the loop or schedule block.
        name: String,
        /// The key.
        key: String,
        /// The keys that it has, or "none".
        present: String,
    },
    /// The step would lose an annotation.
    #[error(
        "loop \"{name}\" has the annotation \"{key}\", which would be lost: unannotate it first"
    )]
    Annotated {
        /// The name of the loop.
        name: String,
        /// The key of the annotation.
        key: String,
    },

    /// Two nests cannot become one.
    #[error("\"{first}\" and \"{second}\" cannot be fused: {why}")]
    NotMergeable {
        /// The name of the first nest.
        first: String,
        /// The name of the second nest.
        second: String,
        /// The reason, in words.
        why: String,
    },
    /// Fewer loops than `levels` directly enclose the statement.
    #[error(
        "{found} loops directly enclose \"{name}\", levels is {wanted}: expected 1 to that many"
    )]
    NoSuchLevels {
        /// The name of the statement.
        name: String,
        /// The number of these loops.
        found: usize,
        /// The argument `levels`.
        wanted: i64,
    },
    /// The loop would be divided before its first statement.
    #[error(
        "\"{first}\" is the first statement in loop \"{name}\": there is nothing to divide it from"
    )]
    NothingBefore {
        /// The name of that statement.
        first: String,
        /// The name of the loop.
        name: String,
    },
    /// The loop cannot be divided there.
    #[error("loop \"{name}\" cannot be divided before \"{second}\": {why}")]
    NotDivisible {
        /// The name of the loop.
        name: String,
        /// The name of the statement before which it would be divided.
        second: String,
        /// The reason, in words.
        why: String,
    },
    /// Statements of different iterations may depend on each other.
    #[error(
        "it is not proved that \"{second}\" and the statements after it may run after all iterations of those before them in loop \"{name}\""
    )]
    OrderOfParts {
        /// The name of the loop.
        name: String,
        /// The name of the first statement after the division.
        second: String,
    },
    /// Two nests may depend on each other.
    #[error("it is not proved that what \"{second}\" does stays after what \"{first}\" does")]
    OrderOfNests {
        /// The name of the nest that is first now.
        first: String,
        /// The name of the nest that would run first.
        second: String,
    },

    /// The loop does not have the form of a pipeline.
    #[error("loop \"{name}\" cannot be a pipeline: {why}")]
    NoPipeline {
        /// The name of the loop.
        name: String,
        /// The reason, in words.
        why: String,
    },
    /// It is not proved that the statements of a pipeline may run in its order; the name of the loop.
    #[error("the statements of loop \"{0}\" are not proved to keep their order as a pipeline")]
    OrderOfStages(String),
    /// The schedule block is not a producer in a serial loop in which another statement reads its results.
    #[error(
        "schedule block \"{block}\" writes {buffers}, expected a serial loop around it in which another statement reads that"
    )]
    NotReadBeside {
        /// The name of the schedule block.
        block: String,
        /// The names of the buffers that it writes.
        buffers: String,
    },
    /// The number of copies of the buffer is out of range.
    #[error("found {found} copies, expected 2 to {most}")]
    Copies {
        /// The number.
        found: i64,
        /// The maximum.
        most: i64,
    },

    /// The schedule block does not update the buffer in place.
    #[error(
        "schedule block \"{block}\" does not read old values of \"{buffer}\" and write it, or it has start values"
    )]
    NotReadWrite {
        /// The name of the schedule block.
        block: String,
        /// The name of the buffer.
        buffer: String,
    },
    /// The layout of a buffer cannot change.
    #[error(transparent)]
    Layout(LayoutReason),
    /// A nest cannot be tensorized.
    #[error(transparent)]
    Tensor(TensorReason),
    /// A buffer cannot be prefetched.
    #[error(transparent)]
    Prefetch(PrefetchReason),
    /// Updates cannot be atomic.
    #[error(transparent)]
    Atomic(AtomicReason),
    /// A loop cannot be split.
    #[error(transparent)]
    Split(SplitReason),
    /// A call of a schedule with parameters is refused.
    #[error(transparent)]
    Library(LibraryReason),
    /// A decision cannot be sampled, or is not one.
    #[error(transparent)]
    Sampling(SamplingReason),
    /// A loop cannot be bound to threads, or a barrier cannot be inserted.
    #[error(transparent)]
    Threads(ThreadsReason),
    /// A reduction cannot be computed in another way.
    #[error(transparent)]
    Reduction(ReductionReason),
    /// A schedule block cannot be computed elsewhere.
    #[error(transparent)]
    Location(LocationReason),
    /// A buffer cannot be copied, or change its scope.
    #[error(transparent)]
    Buffer(BufferReason),
}

/// What to do if a function has no schedule blocks, so that none of them are `present`.
fn lowering_hint(present: &str) -> &'static str {
    match present {
        "none" => ": --convert-linalg-to-loop makes schedule blocks of linalg ops",
        _ => "",
    }
}
