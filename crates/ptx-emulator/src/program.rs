//! Decoded programs: instructions whose registers, addresses and targets are resolved.

use crate::counters::Class;
use crate::fault::Role;
use crate::registers::{Lanewise, Mask, Registers};
use crate::syntax::{Limits, SourceLine, Space, Type};
use std::ops::Range;

/// A kernel with all functions that it calls. The registers and memory of all functions are laid out side by side,
/// since no function is called while it runs.
pub struct Program {
    pub name: String,
    pub code: Vec<Instruction>,
    /// The flow of undefined values through each instruction of `code`.
    pub flows: Vec<Flow>,
    /// The number of registers of each kind of a warp.
    pub narrow: u32,
    pub wide: u32,
    pub predicates: u32,
    pub constants: Vec<Constant>,
    pub parameters: Vec<Parameter>,
    pub parameter_bytes: u32,
    /// Static shared memory in bytes; dynamic memory follows at a multiple of `dynamic_align`.
    pub shared_bytes: u32,
    pub dynamic_align: u32,
    /// True if it uses dynamic shared memory.
    pub has_dynamic_shared: bool,
    /// Local memory of a thread in bytes, including arguments and results of its calls.
    pub local_bytes: u32,
    /// The distance from one lane's local memory to the next lane's.
    pub local_stride: u32,
    pub limits: Limits,
    /// The number of 32-bit registers of a thread, estimated from liveness.
    pub registers_per_thread: u32,
    pub granules: Granules,
    /// True if there are fences or ordered atomics, with which blocks and warps can wait for each other's data.
    pub has_fences: bool,
}

/// The logarithms of the cell sizes of the race check. For each space it is the narrowest access of the kernel, at most
/// 16 bytes, so that no two accesses share only a part of a cell.
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

/// A register that is initialised before a warp starts.
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

/// Special registers whose value is constant while a warp runs.
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
    /// The name in the PTX text.
    pub name: String,
    /// The type of a value, or of an element of an array.
    pub ty: Type,
    /// The offset in the bytes of all parameters.
    pub offset: u32,
    /// The size in bytes.
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

/// How undefined bits of the sources of an instruction on registers reach its targets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rule {
    /// An undefined bit of a source makes all targets of its lane undefined.
    #[default]
    Lane,
    /// An undefined bit of a source in any lane makes the targets of all lanes undefined.
    Warp,
    /// Like `Lane`, for each 16-bit half alone.
    Halves,
    /// Operand 1 becomes the upper half, operand 2 the lower half.
    Pair,
    /// Each bit of a target is a bit of a source. Operands from number `control` on select which bit; if they are
    /// undefined, so are the targets.
    Move { control: u8 },
    /// Each bit of a target is a function of single bits of the sources.
    Bitwise,
    /// A matrix product. The sizes of the elements of the factors and of the result are in bits.
    Product { factor: u32, result: u32, is_float: bool },
}

/// The registers of an instruction, without its guard, and how undefined values flow between them.
#[derive(Default)]
pub struct Flow {
    pub rule: Rule,
    pub uses: Vec<RegisterUse>,
}

impl Flow {
    pub fn sources(&self) -> impl Iterator<Item = &RegisterUse> + Clone {
        self.uses.iter().filter(|it| !it.is_written)
    }

    pub fn targets(&self) -> impl Iterator<Item = &RegisterUse> {
        self.uses.iter().filter(|it| it.is_written)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegisterKind {
    Narrow,
    Wide,
    Predicate,
}

/// A register of any kind that an instruction reads or writes. Constants are included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegisterUse {
    pub kind: RegisterKind,
    pub index: u32,
    /// The width of the register.
    pub bits: u32,
    /// The number of the operand that names the register.
    pub operand: u8,
    pub is_written: bool,
    /// The role in which an undefined value is a fault.
    pub required: Option<Role>,
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
    /// Waits until at most this many groups are pending; `None` for `wait_all`, which also waits for uncommitted
    /// copies.
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
    /// The mask of the lanes that execute this instruction.
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

    pub fn kind(self) -> RegisterKind {
        if self.is_wide() { RegisterKind::Wide } else { RegisterKind::Narrow }
    }
}

/// A load or store of one or several consecutive elements.
pub struct Access {
    pub space: Space,
    pub base: Register,
    pub offset: i64,
    /// The source or target registers of the elements. `None` for `_`, and for unread registers of a load that has
    /// others.
    pub elements: Vec<Option<Register>>,
    /// The size of an element in bytes.
    pub bytes: u32,
    /// True if loads of narrow integers sign-extend.
    pub is_signed: bool,
    pub order: Order,
    pub scope: Scope,
    /// `.nc`: no thread writes the memory during the whole launch.
    pub is_constant: bool,
}

impl Access {
    #[inline(always)]
    pub fn total_bytes(&self) -> u32 {
        self.bytes * self.elements.len() as u32
    }

    /// True if only some of its elements are used.
    #[inline(always)]
    pub fn has_gaps(&self) -> bool {
        self.elements.len() > 1 && self.elements.iter().any(Option::is_none)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// A weak access: it must be synchronised with conflicting accesses of other threads.
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

/// The set of threads for which a memory order holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    Block,
    Device,
}

pub struct Atomic {
    pub space: Space,
    pub base: Register,
    pub offset: i64,
    /// `None` for `red`, and if no instruction reads the register.
    pub to: Option<Register>,
    /// True if the new value depends on the old one, as for all operations except `exch`.
    pub is_of_old: bool,
    pub operands: Vec<Register>,
    pub bytes: u32,
    /// A function from the old value and the operands to the new value.
    pub update: fn(u64, u64, u64) -> u64,
    /// The same for global memory.
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
    /// The number of bytes to read; the rest becomes zero.
    pub source_bytes: Option<u32>,
    /// A predicate; if it holds, nothing is read.
    pub ignore_source: Option<Guard>,
}

/// A copy for a call: bytes from one range of local memory to another.
pub struct Call {
    pub target: u32,
    /// The local memory of the callee, which is uninitialised at the start of the call.
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
    /// A register with the barrier's number.
    pub number: u32,
    /// A register with the number of threads; `None` for the whole block.
    pub count: Option<u32>,
    pub kind: BarrierKind,
    /// True if all lanes of a warp must arrive together.
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

/// Runs the lanes of a mask. Returns the faulty lanes, which read from a lane that does not take part.
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
    /// One register for each matrix.
    pub elements: Vec<u32>,
    pub is_transposed: bool,
}

impl LoadMatrix {
    /// The lanes whose addresses are those of rows.
    pub fn rows(&self) -> Mask {
        Mask::MAX >> (32 - 8 * self.elements.len())
    }
}
