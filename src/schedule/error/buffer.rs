//! Why a buffer cannot be copied, or change its scope.

use super::{Reason, ScheduleError};
use crate::dialect::loop_enums::Scope;
use crate::nest::summary::NodeId;

/// What was found and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BufferReason {
    #[error("\"{0}\" is not a scope, expected global, shared or local")]
    NoScope(String),
    #[error("\"{buffer}\" is of scope {scope} already")]
    ScopeSet { buffer: String, scope: Scope },
    #[error("\"{0}\" is an argument of the function, so the caller decides its layout and scope")]
    IsArgument(String),
    #[error("\"{buffer}\" takes {bytes} bytes, scope {scope} has {limit}")]
    ScopeLimit { buffer: String, scope: Scope, bytes: i64, limit: i64 },
    #[error(
        "iterations of loop \"{name}\" would share \"{buffer}\", of which each has its own now: cannot prove that they write different cells"
    )]
    WouldShare { buffer: String, name: String },
    #[error(
        "each iteration of loop \"{name}\" would have its own \"{buffer}\": schedule block \"{block}\" accesses it elsewhere"
    )]
    OtherInstance { buffer: String, name: String, block: String },
    #[error(
        "each iteration of loop \"{name}\" would have its own \"{buffer}\": cannot prove that schedule block \"{block}\" reads there only what the same iteration has written before"
    )]
    NotCovered { buffer: String, name: String, block: String },
    #[error("schedule block \"{block}\" does not read \"{buffer}\"")]
    NotAReader { block: String, buffer: String },
    #[error("schedule block \"{0}\" is given twice")]
    BlockRepeated(String),
    #[error("schedule block \"{0}\" is not one of the consumers")]
    NotAConsumer(String),
    #[error("schedule block \"{block}\" does not write \"{buffer}\"")]
    NotAWriter { block: String, buffer: String },
    #[error("schedule block \"{block}\" reduces into \"{buffer}\": it reads its own results there")]
    ReducesInto { block: String, buffer: String },
    #[error("schedule block \"{consumer}\" is not where the copy would be: in loop \"{name}\"")]
    OutsideOfCopy { consumer: String, name: String },
    #[error(
        "each iteration of loop \"{name}\" would have its own buffer of scope {scope}: schedule block \"{consumer}\" would not see the copy"
    )]
    OtherCopy { consumer: String, name: String, scope: Scope },
    #[error(
        "schedule blocks \"{first}\" and \"{second}\" are in one 'loop.if': there is no place for a copy"
    )]
    NoPlace { first: String, second: String },
    #[error(
        "schedule block \"{block}\" runs in the threads of loop \"{name}\", the copy outside of them: the two would not be ordered"
    )]
    OutsideOfThreads { block: String, name: String },
    #[error(
        "iterations of loop \"{name}\" would copy \"{buffer}\" concurrently: cannot prove that they copy different cells"
    )]
    CopiesAtOnce { buffer: String, name: String },
    #[error(
        "schedule block \"{writer}\" may overwrite \"{buffer}\" between the copy and schedule block \"{reader}\""
    )]
    OverwrittenAfterCopy { buffer: String, writer: String, reader: String },
    #[error(
        "something other than schedule blocks may write \"{buffer}\" between the copy and its use"
    )]
    EscapesAfterCopy { buffer: String },
    #[error(
        "it is not known which cells of \"{buffer}\" schedule block \"{block}\" writes: the others must keep their values"
    )]
    NotExactlyWritten { block: String, buffer: String },
    #[error(
        "schedule block \"{block}\" reads \"{buffer}\" at places that it may not have written yet"
    )]
    ReadsOldValues { block: String, buffer: String },
}

impl BufferReason {
    /// A refusal because condition (C`condition`) does not hold at a node.
    pub fn at(self, node: NodeId, condition: u8) -> ScheduleError {
        Reason::Buffer(self).at(node, condition)
    }
}
