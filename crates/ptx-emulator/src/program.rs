//! What a warp runs: instructions with their registers, addresses and targets resolved.

use crate::counters::Class;
use crate::registers::{Lanewise, Mask, Registers};
use crate::syntax::{Limits, SourceLine, Space, Type};
use std::ops::Range;

/// A kernel with all functions that it calls. Their registers and memory are laid out next to each other,
/// since no function is ever called while it runs.
pub struct Program {
    pub name: String,
    pub code: Vec<Instruction>,
    /// How many registers of each kind a warp has.
    pub narrow: u32,
    pub wide: u32,
    pub predicates: u32,
    pub constants: Vec<Constant>,
    pub parameters: Vec<Parameter>,
    pub parameter_bytes: u32,
    /// Static shared memory in bytes; dynamic memory follows at a multiple of `dynamic_align`.
    pub shared_bytes: u32,
    pub dynamic_align: u32,
    /// Whether it mentions dynamic memory.
    pub has_dynamic_shared: bool,
    /// Local memory of a thread in bytes, with what its calls pass.
    pub local_bytes: u32,
    /// From one lane's local memory to the next one's.
    pub local_stride: u32,
    pub limits: Limits,
    /// Registers of 32 bits that a thread needs, estimated from what is live at the same time.
    pub registers_per_thread: u32,
    pub granules: Granules,
    /// Whether there are fences or atomics with an order, which let blocks and warps wait for each other's data.
    pub has_fences: bool,
}

/// The logarithms of the sizes of the cells that races are looked for in: in each space the narrowest access of the
/// kernel, at most 16 bytes, so that no two accesses share a part of a cell.
pub struct Granules {
    pub global_log2: u32,
    pub shared_log2: u32,
}

impl Granules {
    pub fn of(code: &[Instruction]) -> Granules {
        let (mut global, mut shared) = (16_u32, 16_u32);
        let mut note = |space: Space, bytes: u32| {
            if matches!(space, Space::Global | Space::Generic) {
                global = global.min(bytes);
            }
            if matches!(space, Space::Shared | Space::Generic) {
                shared = shared.min(bytes);
            }
        };
        for instruction in code {
            match &instruction.step {
                Step::Load(it) if it.has_gaps() => note(it.space, it.bytes),
                Step::Load(it) | Step::Store(it) => note(it.space, it.total_bytes()),
                Step::Atomic(it) => note(it.space, it.bytes),
                Step::AsyncCopy(it) => {
                    note(Space::Shared, it.bytes);
                    note(Space::Global, if it.source_bytes.is_some() { 4 } else { it.bytes });
                }
                _ => {}
            }
        }
        Granules { global_log2: global.ilog2(), shared_log2: shared.ilog2() }
    }
}

/// A register that is filled before a warp starts.
pub struct Constant {
    pub register: u32,
    pub is_wide: bool,
    pub value: Value,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    Bits(u64),
    Special(Special),
    /// The address of a variable of the module by its number, plus an offset.
    Module(usize, i64),
    /// The address of dynamic shared memory, plus an offset.
    DynamicShared(i64),
}

/// Special registers that do not change while a warp runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Special {
    ThreadId(u8),
    BlockSize(u8),
    BlockId(u8),
    GridSize(u8),
    Lane,
    Warp,
    WarpCount,
    Multiprocessor,
    MultiprocessorCount,
    Grid,
    LaneMaskEqual,
    LaneMaskLess,
    LaneMaskLessEqual,
    LaneMaskGreater,
    LaneMaskGreaterEqual,
    DynamicSharedSize,
    TotalSharedSize,
}

/// A parameter of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    pub name: String,
    pub ty: Type,
    /// Where it stands among the bytes of all parameters.
    pub offset: u32,
    pub bytes: u32,
}

pub struct Instruction {
    pub guard: Option<Guard>,
    pub step: Step,
    pub class: Class,
    /// Floating-point operations of a lane.
    pub flops: u32,
    pub mnemonic: Box<str>,
    pub line: u32,
    pub source: Option<SourceLine>,
}

#[derive(Clone, Copy)]
pub struct Guard {
    pub predicate: u32,
    pub is_negated: bool,
}

pub enum Step {
    /// On registers, by each lane alone.
    Lanewise(Lanewise),
    Load(Access),
    Store(Access),
    Atomic(Atomic),
    AsyncCopy(AsyncCopy),
    /// `cp.async.commit_group`.
    AsyncCommit,
    /// Waits until at most so many groups are open; None for `wait_all`, which also waits for uncommitted copies.
    AsyncWait(Option<u32>),
    Branch(u32),
    BranchTable {
        index: u32,
        targets: Vec<u32>,
    },
    Call(Call),
    Return,
    Exit,
    Trap,
    Barrier(Barrier),
    /// On registers, by all lanes of a mask together.
    Collective(Collective),
    LoadMatrix(LoadMatrix),
    StoreMatrix(LoadMatrix),
    Fence(Scope),
    Clock {
        to: u32,
        is_wide: bool,
        is_upper: bool,
    },
    /// The lanes that run this, as a mask.
    ActiveMask {
        to: u32,
    },
    Nothing,
}

/// A register of either kind.
#[derive(Clone, Copy)]
pub struct Register {
    pub index: u32,
    pub bytes: u32,
}

impl Register {
    pub fn is_wide(self) -> bool {
        self.bytes == 8
    }
}

/// A load or store of one or several elements that follow each other.
pub struct Access {
    pub space: Space,
    pub base: Register,
    pub offset: i64,
    /// Where the elements go or come from; None for `_`, and for registers that nobody reads beside some that are.
    pub elements: Vec<Option<Register>>,
    /// Bytes of an element.
    pub bytes: u32,
    /// Loads of narrow integers fill the rest of a register with the sign.
    pub is_signed: bool,
    pub order: Order,
    pub scope: Scope,
    /// `.nc`: of memory that nothing writes in the whole launch.
    pub is_constant: bool,
}

impl Access {
    #[inline(always)]
    pub fn total_bytes(&self) -> u32 {
        self.bytes * self.elements.len() as u32
    }

    /// Whether only some of its elements are used.
    #[inline(always)]
    pub fn has_gaps(&self) -> bool {
        self.elements.len() > 1 && self.elements.iter().any(Option::is_none)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// May not meet others' writes without a synchronisation in between.
    Plain,
    Relaxed,
    Acquire,
    Release,
    AcquireRelease,
}

impl Order {
    pub fn is_plain(self) -> bool {
        self == Order::Plain
    }

    pub fn acquires(self) -> bool {
        matches!(self, Order::Acquire | Order::AcquireRelease)
    }

    pub fn releases(self) -> bool {
        matches!(self, Order::Release | Order::AcquireRelease)
    }
}

/// Whose accesses an order is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    Block,
    Device,
}

pub struct Atomic {
    pub space: Space,
    pub base: Register,
    pub offset: i64,
    /// None for `red`, and for a register that nobody reads.
    pub to: Option<Register>,
    /// Whether the new value depends on the old one: not that of `exch`.
    pub is_of_old: bool,
    pub operands: Vec<Register>,
    pub bytes: u32,
    /// From the old value and the operands to the new one.
    pub update: fn(u64, u64, u64) -> u64,
    /// The same in global memory.
    pub global_update: fn(u64, u64, u64) -> u64,
    pub order: Order,
    pub scope: Scope,
}

/// `cp.async`: from global to shared memory.
pub struct AsyncCopy {
    pub to: Register,
    pub to_offset: i64,
    pub from: Register,
    pub from_offset: i64,
    pub bytes: u32,
    /// How many bytes are read; the rest becomes zero.
    pub source_bytes: Option<u32>,
    /// A predicate that says that nothing is read.
    pub ignore_source: Option<Guard>,
}

/// What a call passes: bytes of local memory from one place to another.
pub struct Call {
    pub target: u32,
    /// The local memory of the callee, which has no values yet.
    pub frame: Range<u32>,
    pub arguments: Vec<Move>,
    pub results: Vec<Move>,
}

#[derive(Clone, Copy)]
pub struct Move {
    pub from: u32,
    pub to: u32,
    pub bytes: u32,
}

pub struct Barrier {
    /// A register with its number.
    pub number: u32,
    /// A register with the number of threads; all of the block if None.
    pub count: Option<u32>,
    pub kind: BarrierKind,
    /// All lanes of a warp must come together.
    pub is_aligned: bool,
}

#[derive(Clone, Copy)]
pub enum BarrierKind {
    Sync,
    Arrive,
    Reduce { how: Reduction, source: Guard, to: u32 },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reduction {
    Count,
    And,
    Or,
}

pub struct Collective {
    pub members: Members,
    pub run: CollectiveFn,
}

/// Runs the lanes of a mask; returns those at fault, which read from a lane that does not take part.
pub type CollectiveFn = Box<dyn Fn(&mut Registers, Mask) -> Mask + Send + Sync>;

#[derive(Clone, Copy)]
pub enum Members {
    /// All lanes that have not exited.
    All,
    /// A register with a mask.
    Register(u32),
}

/// `ldmatrix` and `stmatrix` of 8 x 8 elements of 16 bits.
pub struct LoadMatrix {
    pub space: Space,
    pub base: Register,
    pub offset: i64,
    /// One for each matrix.
    pub elements: Vec<u32>,
    pub is_transposed: bool,
}
