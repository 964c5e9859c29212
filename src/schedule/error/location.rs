//! Why a schedule block cannot be computed elsewhere.

use super::{Reason, ScheduleError};
use crate::dialect::loop_enums::LoopKind;
use crate::nest::summary::NodeId;

/// What was found and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LocationReason {
    #[error(
        "schedule block \"{0}\" does not have one store, and all loads where the conditions of one 'loop.if' with a result hold"
    )]
    NoPadding(String),
    #[error("schedule block \"{0}\" is a reduction")]
    IsReduction(String),
    #[error("schedule block \"{block}\" writes \"{buffer}\", an argument of the function")]
    WritesArgument { block: String, buffer: String },
    #[error("schedule block \"{0}\" has its store in a 'loop.if'")]
    StoreInIf(String),
    #[error("schedule block \"{block}\" has {stores} stores, expected one")]
    NotOneStore { block: String, stores: usize },
    #[error("schedule block \"{block}\" does not store at its iters as indices, each once")]
    NotPlainIters { block: String },
    #[error("schedule block \"{block}\" does not run for its whole domain")]
    Partial { block: String },
    #[error("\"{buffer}\" is written by schedule block \"{other}\" too")]
    SecondWriter { buffer: String, other: String },
    #[error("something other than schedule blocks uses \"{buffer}\"")]
    Escapes { buffer: String },
    #[error("no schedule block reads \"{buffer}\"")]
    NoReader { buffer: String },
    #[error("schedule block \"{reader}\" reads \"{buffer}\" before it is written")]
    ReadBefore { buffer: String, reader: String },
    #[error(
        "schedule block \"{reader}\" reads \"{buffer}\" at indices that are not expressions over its iters"
    )]
    UnknownPlace { buffer: String, reader: String },
    #[error(
        "\"{buffer}\" is overwritten by schedule block \"{writer}\" before \"{reader}\" would read it"
    )]
    Overwritten { buffer: String, writer: String, reader: String },
    #[error("\"{buffer}\" may be overwritten by {by} before \"{reader}\" would read it")]
    MayBeOverwritten { buffer: String, by: String, reader: String },
    #[error(
        "schedule block \"{block}\" uses iter \"{iter}\" of schedule block \"{outer}\", which does not enclose all readers"
    )]
    OuterIter { block: String, iter: String, outer: String },
    #[error("loop \"{name}\" and schedule block \"{block}\" are not in the same schedule block")]
    OtherScope { block: String, name: String },
    #[error("loop \"{name}\" and schedule block \"{block}\" are in different branches")]
    OtherBranch { block: String, name: String },
    #[error("schedule block \"{block}\" is in loop \"{name}\" already")]
    AlreadyThere { block: String, name: String },
    #[error("schedule block \"{reader}\" reads \"{buffer}\" outside of loop \"{name}\"")]
    ReaderOutside { buffer: String, reader: String, name: String },
    #[error(
        "cannot prove that schedule block \"{block}\" runs for all values of iter \"{iter}\" that its readers need"
    )]
    NotAllRun { block: String, iter: String },
    #[error(
        "schedule block \"{block}\" runs only where {lost}, which is not an expression over its iters: the condition would be lost at other loops"
    )]
    LostCondition { block: String, lost: String },
    #[error(
        "cannot prove that the iterations of {kind} loop \"{name}\" would write different cells of \"{buffer}\" in schedule block \"{block}\": make the loop serial, or give each iteration a buffer of its own (scope local)"
    )]
    SameCells { block: String, buffer: String, name: String, kind: LoopKind },
    #[error(
        "cannot prove that schedule blocks \"{block}\" and \"{other}\", which share \"{buffer}\", would run in the same threads"
    )]
    ThreadsApart { block: String, other: String, buffer: String },
    #[error(
        "schedule block \"{block}\" has {found} producers of buffers that nothing else reads, expected one"
    )]
    NotOneProducer { block: String, found: usize },
    #[error("schedule block \"{block}\" does not use its iters as indices, each once")]
    NotPlainIndices { block: String },
    #[error("schedule block \"{block}\" reads nothing that is written in loop \"{name}\"")]
    NoProducer { block: String, name: String },
    #[error("schedule block \"{second}\", which writes what \"{first}\" reads, comes after it")]
    ComesBefore { first: String, second: String },
    #[error(
        "cannot prove that schedule block \"{block}\" would run for the same values of iter \"{iter}\" as now"
    )]
    OtherInstances { block: String, iter: String },
    #[error(
        "cannot prove that schedule block \"{writer}\" has written what \"{block}\" would read of \"{buffer}\" in the same iteration, and does not change it later"
    )]
    NotWritten { block: String, buffer: String, writer: String },
    #[error(
        "the start values of schedule block \"{block}\" read \"{buffer}\", which \"{writer}\" would write in loop \"{name}\", over which \"{block}\" reduces and which may not run"
    )]
    WrittenAfterStart { block: String, buffer: String, writer: String, name: String },
    #[error(
        "a 'loop.if' is between loop \"{name}\" and its common ancestor with schedule block \"{block}\""
    )]
    BranchBetween { block: String, name: String },
    #[error("schedule block \"{block}\" has {found} loops of its own, expected {wanted} or more")]
    FewLoopsAround { block: String, found: usize, wanted: usize },
    #[error("schedule block \"{other}\" would move along with \"{block}\"")]
    ComesAlong { block: String, other: String },
    #[error("cannot prove that loops \"{first}\" and \"{second}\" have equal extents")]
    OtherExtent { first: String, second: String },
    #[error(
        "no position in loop \"{name}\" is proved to keep schedule block \"{block}\" in order with what it depends on"
    )]
    NoPlaceInOrder { block: String, name: String },
    #[error("schedule block \"{block}\" would move past {what}")]
    Passes { block: String, what: String },
}

impl LocationReason {
    /// A refusal because condition (C`condition`) does not hold at a node.
    pub fn at(self, node: NodeId, condition: u8) -> ScheduleError {
        Reason::Location(self).at(node, condition)
    }
}
