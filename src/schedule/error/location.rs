//! Why a schedule block cannot be computed elsewhere.

use crate::dialect::loop_enums::LoopKind;

/// What was found and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LocationReason {
    /// The schedule block does not have the form of padding: one store, and loads under the conditions of one
    /// `loop.if`; its name.
    #[error(
        "schedule block \"{0}\" does not have one store, and all loads where the conditions of one 'loop.if' with a result hold"
    )]
    NoPadding(String),
    /// The schedule block is a reduction; its name.
    #[error("schedule block \"{0}\" is a reduction")]
    IsReduction(String),
    /// The schedule block writes an argument of the function.
    #[error("schedule block \"{block}\" writes \"{buffer}\", an argument of the function")]
    WritesArgument {
        /// The name of the schedule block.
        block: String,
        /// The name of the buffer.
        buffer: String,
    },
    /// The store of the schedule block is under a condition; its name.
    #[error("schedule block \"{0}\" has its store in a 'loop.if'")]
    StoreInIf(String),
    /// The schedule block does not have exactly one store.
    #[error("schedule block \"{block}\" has {stores} stores, expected one")]
    NotOneStore {
        /// The name of the schedule block.
        block: String,
        /// The number of its stores.
        stores: usize,
    },
    /// The indices of the store are not the iters, each once.
    #[error("schedule block \"{block}\" does not store at its iters as indices, each once")]
    NotPlainIters {
        /// The name of the schedule block.
        block: String,
    },
    /// The schedule block does not run for all values of its iters.
    #[error("schedule block \"{block}\" does not run for its whole domain")]
    Partial {
        /// The name of the schedule block.
        block: String,
    },
    /// Another schedule block writes the buffer, too.
    #[error("\"{buffer}\" is written by schedule block \"{other}\" too")]
    SecondWriter {
        /// The name of the buffer.
        buffer: String,
        /// The name of the other schedule block.
        other: String,
    },
    /// Something other than schedule blocks uses the buffer.
    #[error("something other than schedule blocks uses \"{buffer}\"")]
    Escapes {
        /// The name of the buffer.
        buffer: String,
    },
    /// No schedule block reads the buffer.
    #[error("no schedule block reads \"{buffer}\"")]
    NoReader {
        /// The name of the buffer.
        buffer: String,
    },
    /// A schedule block may read the buffer before it is written.
    #[error("schedule block \"{reader}\" reads \"{buffer}\" before it is written")]
    ReadBefore {
        /// The name of the buffer.
        buffer: String,
        /// The name of the schedule block that reads.
        reader: String,
    },
    /// A schedule block reads the buffer at indices that depend on data.
    #[error(
        "schedule block \"{reader}\" reads \"{buffer}\" at indices that are not expressions over its iters"
    )]
    UnknownPlace {
        /// The name of the buffer.
        buffer: String,
        /// The name of the schedule block that reads.
        reader: String,
    },
    /// A schedule block overwrites the buffer before it would be read.
    #[error(
        "\"{buffer}\" is overwritten by schedule block \"{writer}\" before \"{reader}\" would read it"
    )]
    Overwritten {
        /// The name of the buffer that is read at the new place.
        buffer: String,
        /// The name of the schedule block that writes.
        writer: String,
        /// The name of the schedule block that reads.
        reader: String,
    },
    /// Something else may overwrite the buffer before it would be read.
    #[error("\"{buffer}\" may be overwritten by {by} before \"{reader}\" would read it")]
    MayBeOverwritten {
        /// The name of the buffer that is read at the new place.
        buffer: String,
        /// What may overwrite it, in words.
        by: String,
        /// The name of the schedule block that reads.
        reader: String,
    },
    /// The schedule block uses an iter of an enclosing block that does not enclose all readers.
    #[error(
        "schedule block \"{block}\" uses iter \"{iter}\" of schedule block \"{outer}\", which does not enclose all readers"
    )]
    OuterIter {
        /// The name of the schedule block.
        block: String,
        /// The name of the iter.
        iter: String,
        /// The name of the enclosing schedule block.
        outer: String,
    },
    /// The schedule block is not in the schedule block that encloses the loop or producer.
    #[error("{kind} \"{name}\" and schedule block \"{block}\" are not in the same schedule block")]
    OtherScope {
        /// The name of the schedule block.
        block: String,
        /// "loop", or "schedule block" for a producer.
        kind: &'static str,
        /// The name of the loop or producer.
        name: String,
    },
    /// The loop and the schedule block are in different branches of a `loop.if`.
    #[error("loop \"{name}\" and schedule block \"{block}\" are in different branches")]
    OtherBranch {
        /// The name of the schedule block.
        block: String,
        /// The name of the loop.
        name: String,
    },
    /// The schedule block is in the loop already.
    #[error("schedule block \"{block}\" is in loop \"{name}\" already")]
    AlreadyThere {
        /// The name of the schedule block.
        block: String,
        /// The name of the loop.
        name: String,
    },
    /// A reader of the buffer is not in the loop.
    #[error("schedule block \"{reader}\" reads \"{buffer}\" outside of loop \"{name}\"")]
    ReaderOutside {
        /// The name of the buffer.
        buffer: String,
        /// The name of the schedule block that reads.
        reader: String,
        /// The name of the loop.
        name: String,
    },
    /// The schedule block may not run for all values that its readers need.
    #[error(
        "cannot prove that schedule block \"{block}\" runs for all values of iter \"{iter}\" that its readers need"
    )]
    NotAllRun {
        /// The name of the schedule block.
        block: String,
        /// The name of the iter.
        iter: String,
    },
    /// The schedule block has a condition that is not over its iters.
    #[error(
        "schedule block \"{block}\" runs only where {lost}, which no predicate over its iters states: the condition would be lost at other loops"
    )]
    LostCondition {
        /// The name of the schedule block.
        block: String,
        /// The condition, as text.
        lost: String,
    },
    /// Iterations that run concurrently may write the same elements.
    #[error(
        "cannot prove that the iterations of {kind} loop \"{name}\" would write different cells of \"{buffer}\" in schedule block \"{block}\": make the loop serial, or give each iteration a buffer of its own (scope local)"
    )]
    SameCells {
        /// The name of the schedule block.
        block: String,
        /// The name of the buffer.
        buffer: String,
        /// The name of the loop.
        name: String,
        /// The kind of the loop.
        kind: LoopKind,
    },
    /// It is not proved that two schedule blocks access a private buffer in the same threads.
    #[error(
        "cannot prove that schedule blocks \"{block}\" and \"{other}\", which share \"{buffer}\", would run in the same threads"
    )]
    ThreadsApart {
        /// The name of the schedule block.
        block: String,
        /// The name of the other schedule block.
        other: String,
        /// The name of the buffer.
        buffer: String,
    },
    /// The schedule block does not have exactly one producer.
    #[error(
        "schedule block \"{block}\" has {found} producers of buffers that nothing else reads, expected one"
    )]
    NotOneProducer {
        /// The name of the schedule block.
        block: String,
        /// The number of producers.
        found: usize,
    },
    /// The indices of its accesses are not the iters, each once.
    #[error("schedule block \"{block}\" does not use its iters as indices, each once")]
    NotPlainIndices {
        /// The name of the schedule block.
        block: String,
    },
    /// No block in the loop writes what the schedule block reads.
    #[error("schedule block \"{block}\" reads nothing that is written in loop \"{name}\"")]
    NoProducer {
        /// The name of the schedule block.
        block: String,
        /// The name of the loop.
        name: String,
    },
    /// A producer is after the schedule block.
    #[error("schedule block \"{second}\", which writes what \"{first}\" reads, comes after it")]
    ComesBefore {
        /// The name of the schedule block that reads.
        first: String,
        /// The name of the producer.
        second: String,
    },
    /// The schedule block may run for other values of an iter than now.
    #[error(
        "cannot prove that schedule block \"{block}\" would run for the same values of iter \"{iter}\" as now"
    )]
    OtherInstances {
        /// The name of the schedule block.
        block: String,
        /// The name of the iter.
        iter: String,
    },
    /// The schedule block may read what its producer has not written yet, or changes later.
    #[error(
        "cannot prove that schedule block \"{writer}\" has written what \"{block}\" would read of \"{buffer}\" in the same iteration, and does not change it later"
    )]
    NotWritten {
        /// The name of the schedule block.
        block: String,
        /// The name of the buffer.
        buffer: String,
        /// The name of the schedule block that writes.
        writer: String,
    },
    /// The start values read what is written in a loop that may not run.
    #[error(
        "the start values of schedule block \"{block}\" read \"{buffer}\", which \"{writer}\" would write in loop \"{name}\", over which \"{block}\" reduces and which may not run"
    )]
    WrittenAfterStart {
        /// The name of the schedule block.
        block: String,
        /// The name of the buffer.
        buffer: String,
        /// The name of the schedule block that writes.
        writer: String,
        /// The name of that loop.
        name: String,
    },
    /// A `loop.if` is between the loop and the common ancestor.
    #[error(
        "a 'loop.if' is between loop \"{name}\" and its common ancestor with schedule block \"{block}\""
    )]
    BranchBetween {
        /// The name of the schedule block.
        block: String,
        /// The name of the loop.
        name: String,
    },
    /// Too few loops are around this schedule block alone.
    #[error("schedule block \"{block}\" has {found} loops of its own, expected {wanted} or more")]
    FewLoopsAround {
        /// The name of the schedule block.
        block: String,
        /// The number of these loops.
        found: usize,
        /// The least number.
        wanted: usize,
    },
    /// The loops of the schedule block contain another block, which would move with it.
    #[error("schedule block \"{other}\" would move along with \"{block}\"")]
    ComesAlong {
        /// The name of the schedule block.
        block: String,
        /// The name of the other schedule block.
        other: String,
    },
    /// Two loops are not proved to have the same extent.
    #[error("cannot prove that loops \"{first}\" and \"{second}\" have equal extents")]
    OtherExtent {
        /// The name of one loop.
        first: String,
        /// The name of the other loop.
        second: String,
    },
    /// No position in the loop is proved to keep the order of dependent accesses.
    #[error(
        "no position in loop \"{name}\" is proved to keep schedule block \"{block}\" in order with what it depends on"
    )]
    NoPlaceInOrder {
        /// The name of the schedule block.
        block: String,
        /// The name of the loop.
        name: String,
    },
    /// The schedule block would move past a call or a barrier.
    #[error("schedule block \"{block}\" would move past {what}")]
    Passes {
        /// The name of the schedule block.
        block: String,
        /// The call or barrier, in words.
        what: String,
    },
}
