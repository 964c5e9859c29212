//! Faults: what a kernel did wrong, and at which instruction.

use crate::syntax::Space;
use std::fmt;

/// A fault ends the launch. If several blocks are at fault, the one with the lowest number is reported.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("kernel {kernel}, PTX line {line}{}, block {block}, thread {thread}: {instruction}: {kind}", in_source(.origin))]
pub struct Fault {
    /// The name of the kernel.
    pub kernel: String,
    /// The line of the PTX text, from 1.
    pub line: u32,
    /// The source location that `.loc` gives for that line.
    pub origin: Option<SourceLocation>,
    /// The index of the block in the grid.
    pub block: Index,
    /// The index of the thread in its block.
    pub thread: Index,
    /// The mnemonic.
    pub instruction: String,
    /// What the instruction did wrong.
    pub kind: FaultKind,
}

fn in_source(origin: &Option<SourceLocation>) -> String {
    origin.as_ref().map(|it| format!(" ({it})")).unwrap_or_default()
}

/// A location in the file that was compiled to PTX.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLocation {
    /// The file as `.file` names it.
    pub file: String,
    /// The line, as `.loc` gives it.
    pub line: u32,
    /// The column, as `.loc` gives it.
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
    /// Along x.
    pub x: u32,
    /// Along y.
    pub y: u32,
    /// Along z.
    pub z: u32,
}

impl fmt::Display for Index {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, "({}, {}, {})", self.x, self.y, self.z)
    }
}

/// How an instruction uses memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// It reads.
    Read,
    /// It writes. Atomic operations write.
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
    /// An address of a memory access.
    Address,
    /// The predicate of a branch.
    Condition,
    /// The predicate of another instruction.
    Guard,
    /// The index of a branch to one of several targets.
    BranchIndex,
    /// The number or the thread count of a barrier.
    Barrier,
    /// The lane or the clamp of a shuffle.
    Lane,
    /// The member mask of a collective operation.
    Members,
    /// The divisor of an integer division or remainder.
    Divisor,
    /// The source size of a `cp.async`.
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
    /// The memory space.
    pub space: Space,
    /// The address of the first byte.
    pub address: u64,
    /// The size in bytes.
    pub bytes: u32,
}

impl fmt::Display for Range {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, "{} bytes of {} memory at {:#x}", self.bytes, self.space, self.address)
    }
}

/// What a kernel did wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FaultKind {
    /// An access outside all allocations, or outside the memory of its space.
    #[error("{how} of {range}, which is out of bounds: {near}")]
    OutOfBounds {
        /// Whether it reads or writes.
        how: Use,
        /// The bytes of one lane.
        range: Range,
        /// The nearest allocation, in words.
        near: String,
    },
    /// An access whose address is not a multiple of its size.
    #[error("{how} of {range}, which is not a multiple of {}", .range.bytes)]
    Misaligned {
        /// Whether it reads or writes.
        how: Use,
        /// The bytes of one lane.
        range: Range,
    },
    /// `range` was read by the instruction at PTX line `line`; the undefined value depends on it.
    #[error(
        "{role} is undefined: it depends on the {range} that PTX line {line} read, which nothing had written yet"
    )]
    Undefined {
        /// What the undefined value was used for.
        role: Role,
        /// The bytes that were read.
        range: Range,
        /// The PTX line of the read, from 1.
        line: u32,
    },
    /// A write to constant memory.
    #[error("write of {range}, which is constant")]
    ReadOnly {
        /// The bytes of one lane.
        range: Range,
    },
    /// Two threads of a block access the same bytes without an order between them, and one of them writes.
    #[error(
        "{how} of {range} races with the {other_how} by thread {other} at PTX line {other_line}"
    )]
    Race {
        /// Whether the later access reads or writes.
        how: Use,
        /// Its bytes.
        range: Range,
        /// Whether the earlier access reads or writes.
        other_how: Use,
        /// The thread of the earlier access.
        other: Index,
        /// The PTX line of the earlier access, from 1.
        other_line: u32,
    },
    /// Blocks access the same bytes of global memory without an order between them, and one of them writes.
    #[error("{how} of {range} races with the {other_how} by {}", block_name(.other))]
    RaceOfBlocks {
        /// Whether the later access reads or writes.
        how: Use,
        /// Its bytes.
        range: Range,
        /// Whether the earlier access reads or writes.
        other_how: Use,
        /// The block of the earlier access; `None` if there are several.
        other: Option<Index>,
    },
    /// The launch writes bytes that it also reads by `ld.global.nc`.
    #[error("{how} of {range}, which the launch both writes and reads by .nc")]
    NotConstant {
        /// Whether the later access reads or writes.
        how: Use,
        /// Its bytes.
        range: Range,
    },
    /// An access to the destination of an asynchronous copy before the wait for the copy.
    #[error(
        "{how} of {range}, which a cp.async of PTX line {copy_line} writes, without a wait for it"
    )]
    AsyncCopyPending {
        /// Whether it reads or writes.
        how: Use,
        /// The bytes of one lane.
        range: Range,
        /// The PTX line of the `cp.async`, from 1; 0 if the copy is not found.
        copy_line: u32,
    },
    /// Lanes of a warp, or warps of a block, reach one barrier at different program points.
    #[error("barrier {barrier} is not reached by all threads: {elsewhere}")]
    BarrierDivergence {
        /// The number of the barrier.
        barrier: u32,
        /// Where the other threads are, in words.
        elsewhere: String,
    },
    /// The number of a barrier is not below 16, or its thread count is not a multiple of 32 that the block has.
    #[error("there is no barrier {barrier} of {threads} threads in a block of {block_threads}")]
    InvalidBarrier {
        /// The number of the barrier.
        barrier: u32,
        /// The thread count of the instruction.
        threads: u32,
        /// The number of threads of the block.
        block_threads: u32,
    },
    /// All threads that have not exited wait.
    #[error("no thread of the block can continue: {waits}")]
    Deadlock {
        /// The threads, and what they wait for, in words.
        waits: String,
    },
    /// Live lanes of a member mask do not reach the collective operation.
    #[error("the lanes {missing:#010x} do not take part: {elsewhere}")]
    LanesMissing {
        /// The mask of these lanes.
        missing: u32,
        /// Where they are, in words.
        elsewhere: String,
    },
    /// A lane executes a collective operation whose member mask excludes it.
    #[error("the lane is not in its own member mask {members:#010x}")]
    NotAMember {
        /// The member mask.
        members: u32,
    },
    /// A shuffle reads from a lane that does not execute it.
    #[error("reads from a lane that does not take part")]
    InactiveLane,
    /// A `cp.async` whose source size is larger than its copy size.
    #[error("a copy of {most} bytes reads {found}")]
    CopySize {
        /// The source size in bytes.
        found: u32,
        /// The copy size in bytes.
        most: u32,
    },
    /// The source of an asynchronous copy was written between the `cp.async` and the wait for it.
    #[error(
        "{range} have changed since the cp.async of PTX line {copy_line}, which may read them until here"
    )]
    CopySource {
        /// The bytes of the source.
        range: Range,
        /// The PTX line of the `cp.async`, from 1.
        copy_line: u32,
    },
    /// An integer division or remainder by 0.
    #[error("division by zero")]
    DivisionByZero,
    /// The index of a branch is not below the number of its targets.
    #[error("index {index} is out of bounds of {count} targets")]
    BranchIndex {
        /// The index.
        index: u32,
        /// The number of targets.
        count: usize,
    },
    /// The kernel executes `trap`.
    #[error("trap")]
    Trap,
    /// The launch has `blocks` blocks, of which `at_once` run at the same time.
    #[error("the launch has run more than {limit} instructions of a warp in one block{}", in_turn(*.blocks, *.at_once))]
    InstructionLimit {
        /// The limit, [`LaunchConfig::max_instructions`](crate::launch::LaunchConfig::max_instructions).
        limit: u64,
        /// The number of blocks of the launch.
        blocks: u64,
        /// The number of blocks that run at the same time.
        at_once: u64,
    },
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
