//! Faults: what a kernel did wrong, and at which instruction.

use crate::syntax::Space;
use std::fmt;

/// A fault ends the launch. If several blocks are at fault, the one with the lowest number is reported.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("kernel {kernel}, PTX line {line}{}, block {block}, thread {thread}: {instruction}: {kind}", in_source(.origin))]
pub struct Fault {
    pub kernel: String,
    /// The line of the PTX text, from 1.
    pub line: u32,
    /// The source location that `.loc` gives for that line.
    pub origin: Option<SourceLocation>,
    pub block: Index,
    pub thread: Index,
    /// The mnemonic.
    pub instruction: String,
    pub kind: FaultKind,
}

fn in_source(origin: &Option<SourceLocation>) -> String {
    origin.as_ref().map(|it| format!(" ({it})")).unwrap_or_default()
}

/// A location in the file that was compiled to PTX.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLocation {
    pub file: String,
    pub line: u32,
    pub column: u32,
}

impl fmt::Display for SourceLocation {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// The index of a block in a grid, or of a thread in a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Index {
    pub x: u32,
    pub y: u32,
    pub z: u32,
}

impl fmt::Display for Index {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, "({}, {}, {})", self.x, self.y, self.z)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    Read,
    Write,
}

impl fmt::Display for Use {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str(match self {
            Use::Read => "read",
            Use::Write => "write",
        })
    }
}

/// The role of an operand that must be defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Address,
    /// The predicate of a branch.
    Condition,
    /// The predicate of another instruction.
    Guard,
    BranchIndex,
    Barrier,
    /// The lane or the clamp of a shuffle.
    Lane,
    Members,
    Divisor,
    SourceSize,
}

impl fmt::Display for Role {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str(match self {
            Role::Address => "an address",
            Role::Condition => "a branch condition",
            Role::Guard => "a guard predicate",
            Role::BranchIndex => "an index of branch targets",
            Role::Barrier => "an operand of a barrier",
            Role::Lane => "a lane operand",
            Role::Members => "a member mask",
            Role::Divisor => "a divisor",
            Role::SourceSize => "a source size",
        })
    }
}

/// A range of bytes in the address space of a memory space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    pub space: Space,
    pub address: u64,
    pub bytes: u32,
}

impl fmt::Display for Range {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, "{} bytes of {} memory at {:#x}", self.bytes, self.space, self.address)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FaultKind {
    #[error("{how} of {range}, which is out of bounds: {near}")]
    OutOfBounds { how: Use, range: Range, near: String },
    #[error("{how} of {range}, which is not a multiple of {}", .range.bytes)]
    Misaligned { how: Use, range: Range },
    /// `range` was read by the instruction at PTX line `line`; the undefined value depends on it.
    #[error(
        "{role} is undefined: it depends on the {range} that PTX line {line} read, which nothing had written yet"
    )]
    Undefined { role: Role, range: Range, line: u32 },
    #[error("write of {range}, which is constant")]
    ReadOnly { range: Range },
    #[error(
        "{how} of {range} races with the {other_how} by thread {other} at PTX line {other_line}"
    )]
    Race { how: Use, range: Range, other_how: Use, other: Index, other_line: u32 },
    #[error("{how} of {range} races with the {other_how} by {}", block_name(.other))]
    RaceOfBlocks { how: Use, range: Range, other_how: Use, other: Option<Index> },
    #[error("{how} of {range}, which the launch both writes and reads by .nc")]
    NotConstant { how: Use, range: Range },
    #[error(
        "{how} of {range}, which a cp.async of PTX line {copy_line} writes, without a wait for it"
    )]
    AsyncCopyPending { how: Use, range: Range, copy_line: u32 },
    /// Lanes of a warp, or warps of a block, reach one barrier at different program points.
    #[error("barrier {barrier} is not reached by all threads: {elsewhere}")]
    BarrierDivergence { barrier: u32, elsewhere: String },
    #[error("there is no barrier {barrier} of {threads} threads in a block of {block_threads}")]
    InvalidBarrier { barrier: u32, threads: u32, block_threads: u32 },
    #[error("no thread of the block can continue: {waits}")]
    Deadlock { waits: String },
    #[error("the lanes {missing:#010x} do not take part: {elsewhere}")]
    LanesMissing { missing: u32, elsewhere: String },
    #[error("the lane is not in its own member mask {members:#010x}")]
    NotAMember { members: u32 },
    #[error("reads from a lane that does not take part")]
    InactiveLane,
    /// A `cp.async` whose source size is larger than its copy size.
    #[error("a copy of {most} bytes reads {found}")]
    CopySize { found: u32, most: u32 },
    #[error(
        "{range} have changed since the cp.async of PTX line {copy_line}, which may read them until here"
    )]
    CopySource { range: Range, copy_line: u32 },
    #[error("division by zero")]
    DivisionByZero,
    #[error("index {index} is out of bounds of {count} targets")]
    BranchIndex { index: u32, count: usize },
    #[error("trap")]
    Trap,
    /// The launch has `blocks` blocks, of which `at_once` run at the same time.
    #[error("the launch has run more than {limit} instructions of a warp in one block{}", in_turn(*.blocks, *.at_once))]
    InstructionLimit { limit: u64, blocks: u64, at_once: u64 },
}

/// A note on a possible cause of an endless loop when not all blocks run at the same time.
fn in_turn(blocks: u64, at_once: u64) -> String {
    match at_once < blocks {
        true => format!(
            "; if it waits for other blocks: only {at_once} of {blocks} blocks run at once, one per \
             thread of the host"
        ),
        false => String::new(),
    }
}

fn block_name(block: &Option<Index>) -> String {
    match block {
        Some(block) => format!("block {block}"),
        None => "several blocks".into(),
    }
}
