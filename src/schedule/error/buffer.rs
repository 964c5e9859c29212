//! Why a buffer cannot be copied, or change its scope.

use crate::dialect::loop_enums::Scope;

/// What was found and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BufferReason {
    /// The word is not a memory scope.
    #[error("\"{0}\" is not a scope, expected global, shared or local")]
    NoScope(String),
    /// The buffer has this scope already.
    #[error("\"{buffer}\" is of scope {scope} already")]
    ScopeSet {
        /// The name of the buffer.
        buffer: String,
        /// The memory scope.
        scope: Scope,
    },
    /// The buffer is an argument of the function; its name.
    #[error("\"{0}\" is an argument of the function, so the caller decides its layout and scope")]
    IsArgument(String),
    /// The buffer is larger than the memory of the scope.
    #[error("\"{buffer}\" takes {bytes} bytes, scope {scope} has {limit}")]
    ScopeLimit {
        /// The name of the buffer.
        buffer: String,
        /// The memory scope.
        scope: Scope,
        /// The size of the buffer, in bytes.
        bytes: i64,
        /// The size of the memory, in bytes.
        limit: i64,
    },
    /// Iterations would share the buffer, and may write the same elements of it.
    #[error(
        "iterations of loop \"{name}\" would share \"{buffer}\", of which each has its own now: cannot prove that they write different cells"
    )]
    WouldShare {
        /// The name of the buffer.
        buffer: String,
        /// The name of the loop.
        name: String,
    },
    /// Each iteration would have its own buffer, but a schedule block outside of the loop uses it.
    #[error(
        "each iteration of loop \"{name}\" would have its own \"{buffer}\": schedule block \"{block}\" accesses it elsewhere"
    )]
    OtherInstance {
        /// The name of the buffer.
        buffer: String,
        /// The name of the loop.
        name: String,
        /// The name of the schedule block.
        block: String,
    },
    /// Each iteration would have its own buffer, but may read what another iteration has written.
    #[error(
        "each iteration of loop \"{name}\" would have its own \"{buffer}\": cannot prove that schedule block \"{block}\" reads there only what the same iteration has written before"
    )]
    NotCovered {
        /// The name of the buffer.
        buffer: String,
        /// The name of the loop.
        name: String,
        /// The name of the schedule block.
        block: String,
    },
    /// The schedule block does not read the buffer.
    #[error("schedule block \"{block}\" does not read \"{buffer}\"")]
    NotAReader {
        /// The name of the schedule block.
        block: String,
        /// The name of the buffer.
        buffer: String,
    },
    /// A schedule block is given twice; its name.
    #[error("schedule block \"{0}\" is given twice")]
    BlockRepeated(String),
    /// The schedule block does not read the buffer that is copied; its name.
    #[error("schedule block \"{0}\" is not one of the consumers")]
    NotAConsumer(String),
    /// The schedule block does not write the buffer.
    #[error("schedule block \"{block}\" does not write \"{buffer}\"")]
    NotAWriter {
        /// The name of the schedule block.
        block: String,
        /// The name of the buffer.
        buffer: String,
    },
    /// The schedule block reads its own results in the buffer.
    #[error("schedule block \"{block}\" reduces into \"{buffer}\": it reads its own results there")]
    ReducesInto {
        /// The name of the schedule block.
        block: String,
        /// The name of the buffer.
        buffer: String,
    },
    /// The consumer is not in the loop in which the copy would be.
    #[error("schedule block \"{consumer}\" is not where the copy would be: in loop \"{name}\"")]
    OutsideOfCopy {
        /// The name of the consumer.
        consumer: String,
        /// The name of the loop.
        name: String,
    },
    /// The consumer would have another instance of the copy.
    #[error(
        "each iteration of loop \"{name}\" would have its own buffer of scope {scope}: schedule block \"{consumer}\" would not see the copy"
    )]
    OtherCopy {
        /// The name of the consumer.
        consumer: String,
        /// The name of the loop.
        name: String,
        /// The memory scope of the copy.
        scope: Scope,
    },
    /// Two schedule blocks are in one `loop.if`, so nothing can be inserted between them.
    #[error(
        "schedule blocks \"{first}\" and \"{second}\" are in one 'loop.if': there is no place for a copy"
    )]
    NoPlace {
        /// The name of the first schedule block.
        first: String,
        /// The name of the second schedule block.
        second: String,
    },
    /// The copy would be outside of the threads that run the schedule block.
    #[error(
        "schedule block \"{block}\" runs in the threads of loop \"{name}\", the copy outside of them: the two would not be ordered"
    )]
    OutsideOfThreads {
        /// The name of the schedule block.
        block: String,
        /// The name of the loop.
        name: String,
    },
    /// Concurrent iterations may copy the same elements.
    #[error(
        "iterations of loop \"{name}\" would copy \"{buffer}\" concurrently: cannot prove that they copy different cells"
    )]
    CopiesAtOnce {
        /// The name of the buffer.
        buffer: String,
        /// The name of the loop.
        name: String,
    },
    /// The buffer may be overwritten between the copy and its use.
    #[error(
        "schedule block \"{writer}\" may overwrite \"{buffer}\" between the copy and schedule block \"{reader}\""
    )]
    OverwrittenAfterCopy {
        /// The name of the buffer.
        buffer: String,
        /// The name of the schedule block that writes.
        writer: String,
        /// The name of the schedule block that reads.
        reader: String,
    },
    /// Something other than schedule blocks may write the buffer between the copy and its use.
    #[error(
        "something other than schedule blocks may write \"{buffer}\" between the copy and its use"
    )]
    EscapesAfterCopy {
        /// The name of the buffer.
        buffer: String,
    },
    /// It is not known which elements the schedule block writes.
    #[error(
        "it is not known which cells of \"{buffer}\" schedule block \"{block}\" writes: the others must keep their values"
    )]
    NotExactlyWritten {
        /// The name of the schedule block.
        block: String,
        /// The name of the buffer.
        buffer: String,
    },
    /// The schedule block may read elements that it has not written yet.
    #[error(
        "schedule block \"{block}\" reads \"{buffer}\" at places that it may not have written yet"
    )]
    ReadsOldValues {
        /// The name of the schedule block.
        block: String,
        /// The name of the buffer.
        buffer: String,
    },
}
