//! The syntax tree of a PTX file, as the parser creates it. Mnemonics are not interpreted yet.

use std::fmt;

/// A file.
#[derive(Debug, Default)]
pub struct File {
    /// `.target`, such as `sm_90a`.
    pub target: String,
    pub variables: Vec<Variable>,
    pub functions: Vec<Function>,
    /// The file names that `.file` declares, with their numbers.
    pub sources: Vec<(u64, String)>,
}

#[derive(Debug)]
pub struct Function {
    pub name: String,
    pub is_entry: bool,
    pub results: Vec<Variable>,
    pub parameters: Vec<Variable>,
    pub limits: Limits,
    /// None for a declaration.
    pub body: Option<Vec<Statement>>,
    pub line: u32,
}

/// The constraints of a kernel on its launches.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// `.maxntid`: the maximum number of threads of a block.
    pub max_threads: Option<u32>,
    /// `.reqntid`: the dimensions of a block.
    pub required_block: Option<[u32; 3]>,
    /// `.minnctapersm`: the minimum number of blocks that should fit on a multiprocessor.
    pub min_blocks: Option<u32>,
    /// `.maxnreg`: the maximum number of registers of a thread.
    pub max_registers: Option<u32>,
}

/// A type of PTX, by its name there. Letters: bits (B), unsigned (U), signed (S), floating-point (F).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// 8 bits of any kind.
    B8,
    /// 16 bits of any kind.
    B16,
    /// 32 bits of any kind.
    B32,
    /// 64 bits of any kind.
    B64,
    /// 128 bits of any kind.
    B128,
    /// An unsigned integer of 8 bits.
    U8,
    /// An unsigned integer of 16 bits.
    U16,
    /// An unsigned integer of 32 bits.
    U32,
    /// An unsigned integer of 64 bits.
    U64,
    /// A signed integer of 8 bits.
    S8,
    /// A signed integer of 16 bits.
    S16,
    /// A signed integer of 32 bits.
    S32,
    /// A signed integer of 64 bits.
    S64,
    /// IEEE binary16.
    F16,
    /// Two F16 in 32 bits.
    F16x2,
    /// bfloat16.
    BF16,
    /// Two BF16 in 32 bits.
    BF16x2,
    /// An F32 whose mantissa has 10 bits.
    TF32,
    /// IEEE binary32.
    F32,
    /// IEEE binary64.
    F64,
    /// Two U16 in 32 bits.
    U16x2,
    /// Two S16 in 32 bits.
    S16x2,
    /// A predicate.
    Pred,
}

/// The state space of a variable or of a memory instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// The space is that of the address: global, shared, local or constant.
    Generic,
    /// Memory of the device, which all threads share.
    Global,
    /// Memory of a block.
    Shared,
    /// Memory of a thread.
    Local,
    /// Constant memory of the device.
    Const,
    /// The parameters of the kernel.
    Param,
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub space: Space,
    pub ty: Type,
    /// In bytes; the size of the type if the declaration has no alignment.
    pub align: u32,
    /// The product of the array's extents; 1 for a scalar, 0 for `name[]`.
    pub count: u64,
    /// `.extern .shared name[]`, whose size the launch determines.
    pub is_extern: bool,
    /// The first elements; the remaining elements are zero.
    pub initializer: Vec<Operand>,
    pub line: u32,
}

impl Variable {
    pub fn bytes(&self) -> u64 {
        self.count * u64::from(self.ty.bytes())
    }
}

#[derive(Clone, Debug)]
pub enum Statement {
    /// With its line.
    Label(String, u32),
    /// `{`, which opens a scope of names.
    Open,
    Close,
    Registers {
        ty: Type,
        name: String,
        /// For `%r<n>`, the registers `%r0` to `%r(n-1)`.
        count: Option<u32>,
        line: u32,
    },
    Variable(Variable),
    /// `name: .branchtargets a, b;`
    Targets(String, Vec<String>),
    Instruction(Instruction),
}

#[derive(Clone, Debug)]
pub struct Instruction {
    /// The predicate register, and whether it is negated.
    pub guard: Option<(String, bool)>,
    /// With all suffixes.
    pub mnemonic: String,
    pub operands: Vec<Operand>,
    pub line: u32,
    /// The source line of the last `.loc`.
    pub source: Option<SourceLine>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceLine {
    /// The number that `.file` declares.
    pub file: u64,
    pub line: u32,
    pub column: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    /// A register, a variable, a label or a function.
    Name(String),
    /// The low 64 bits of its two's complement.
    Integer(u64),
    /// The bits of an f64, and those of an f32 if it was written as `0f...`.
    Float { double: u64, single: Option<u32> },
    /// `name+8` outside of brackets, `generic(name)` in initializers.
    Offset(String, i64),
    /// `[base+offset]`; what follows a comma is in `indices`.
    Address { base: Box<Operand>, offset: i64, indices: Vec<Operand> },
    /// `{a, b}`.
    Vector(Vec<Operand>),
    /// `(a, b)` of a call.
    List(Vec<Operand>),
    /// `a|b`.
    Pair(Box<Operand>, Box<Operand>),
    /// `!p`.
    Not(Box<Operand>),
    /// `_`, for a result that is discarded.
    Sink,
}

const NAMES: &[(&str, Type)] = &[
    ("b8", Type::B8),
    ("b16", Type::B16),
    ("b32", Type::B32),
    ("b64", Type::B64),
    ("b128", Type::B128),
    ("u8", Type::U8),
    ("u16", Type::U16),
    ("u32", Type::U32),
    ("u64", Type::U64),
    ("s8", Type::S8),
    ("s16", Type::S16),
    ("s32", Type::S32),
    ("s64", Type::S64),
    ("f16", Type::F16),
    ("f16x2", Type::F16x2),
    ("bf16", Type::BF16),
    ("bf16x2", Type::BF16x2),
    ("tf32", Type::TF32),
    ("f32", Type::F32),
    ("f64", Type::F64),
    ("u16x2", Type::U16x2),
    ("s16x2", Type::S16x2),
    ("pred", Type::Pred),
];

impl Type {
    /// Parses a name such as `b32`, without a dot.
    pub fn from_name(name: &str) -> Option<Type> {
        NAMES.iter().find(|(known, _)| *known == name).map(|(_, ty)| *ty)
    }

    /// Its size in memory, in bytes.
    pub fn bytes(self) -> u32 {
        match self {
            Type::B8 | Type::U8 | Type::S8 | Type::Pred => 1,
            Type::B16 | Type::U16 | Type::S16 | Type::F16 | Type::BF16 => 2,
            Type::B64 | Type::U64 | Type::S64 | Type::F64 => 8,
            Type::B128 => 16,
            _ => 4,
        }
    }

    /// True for an integer with a sign.
    pub fn is_signed(self) -> bool {
        matches!(self, Type::S8 | Type::S16 | Type::S32 | Type::S64)
    }

    /// True for a floating-point scalar.
    pub fn is_float(self) -> bool {
        matches!(self, Type::F16 | Type::BF16 | Type::TF32 | Type::F32 | Type::F64)
    }
}

impl fmt::Display for Type {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let name = NAMES.iter().find(|(_, ty)| ty == self).map_or("?", |(name, _)| name);
        write!(out, ".{name}")
    }
}

impl fmt::Display for Space {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let name = match self {
            Space::Generic => "generic",
            Space::Global => "global",
            Space::Shared => "shared",
            Space::Local => "local",
            Space::Const => "constant",
            Space::Param => "parameter",
        };
        out.write_str(name)
    }
}
