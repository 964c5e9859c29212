//! The enums of the loop dialect; values and spellings are those of LoopDialect.td.

macro_rules! keyword_enum {
    ($(#[$doc:meta])* $name:ident { $($(#[$of:meta])* $case:ident = $value:literal, $word:literal;)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(i32)]
        pub enum $name { $($(#[$of])* $case = $value),* }

        impl $name {
            /// All cases, in the order of their numbers.
            pub const ALL: &'static [$name] = &[$($name::$case),*];

            /// The case with this number in the attribute.
            pub fn from_value(value: i64) -> Option<Self> {
                Self::ALL.iter().copied().find(|case| *case as i64 == value)
            }

            /// The keyword of the text form.
            pub fn word(self) -> &'static str {
                match self { $($name::$case => $word),* }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                f.write_str(self.word())
            }
        }
    };
}
pub(crate) use keyword_enum;

keyword_enum! {
    /// How the iterations of a loop execute.
    LoopKind {
        /// One after the other.
        Serial = 0, "serial";
        /// On several threads of the CPU, in any order.
        Parallel = 1, "parallel";
        /// As lanes of vectors, in lockstep.
        Vectorize = 2, "vectorize";
        /// One after the other, without a loop in the code.
        Unroll = 3, "unroll";
        /// Each on a GPU thread or thread block, in any order.
        ThreadBind = 4, "thread_bind";
    }
}

keyword_enum! {
    /// The hardware axis of a bound loop.
    ThreadAxis {
        /// Thread blocks of the grid, along x.
        BlockX = 0, "blockIdx.x";
        /// Thread blocks of the grid, along y.
        BlockY = 1, "blockIdx.y";
        /// Thread blocks of the grid, along z.
        BlockZ = 2, "blockIdx.z";
        /// Threads of a thread block, along x.
        ThreadX = 3, "threadIdx.x";
        /// Threads of a thread block, along y.
        ThreadY = 4, "threadIdx.y";
        /// Threads of a thread block, along z.
        ThreadZ = 5, "threadIdx.z";
        /// Parts of the work of one thread, which it may interleave.
        VThread = 6, "vthread";
    }
}

keyword_enum! {
    /// The last transformation that created a loop.
    AxisType {
        /// None: the axis is a dimension of the computation.
        Original = 0, "original";
        /// A split for cores or thread blocks: its outer half.
        BlockOuter = 1, "block_outer";
        /// A split for cores or thread blocks: its inner half.
        BlockInner = 2, "block_inner";
        /// Any other split: its outer half.
        TileOuter = 3, "tile_outer";
        /// Any other split: its inner half.
        TileInner = 4, "tile_inner";
        /// A merge of several axes.
        Merged = 5, "merged";
        /// A split with the tail `peel`: the iterations that fill no tile.
        Tail = 6, "tail";
    }
}

keyword_enum! {
    /// The role of a block iter.
    IterRole {
        /// Instances that differ in it are independent.
        Spatial = 0, "spatial";
        /// The block accumulates over it.
        Reduce = 1, "reduce";
        /// Neither of the two.
        Opaque = 2, "opaque";
    }
}

keyword_enum! {
    /// The memory scope of a buffer: which threads share it.
    Scope {
        /// All threads of the device.
        Global = 0, "global";
        /// The threads of a thread block.
        Shared = 1, "shared";
        /// One thread.
        Local = 2, "local";
    }
}

keyword_enum! {
    /// The combiner of a reduction.
    Combiner {
        /// No combiner: the iterations run in order.
        Ordered = 0, "ordered";
        /// The sum.
        Add = 1, "add";
        /// The product.
        Mul = 2, "mul";
        /// The maximum of signed integers, or of floats where NaN wins.
        Max = 3, "max";
        /// The minimum of signed integers, or of floats where NaN wins.
        Min = 4, "min";
        /// The maximum of floats where numbers win over NaN.
        MaxNum = 5, "maxnum";
        /// The minimum of floats where numbers win over NaN.
        MinNum = 6, "minnum";
        /// The maximum of unsigned integers.
        MaxU = 7, "maxu";
        /// The minimum of unsigned integers.
        MinU = 8, "minu";
        /// The bitwise and.
        And = 9, "and";
        /// The bitwise or.
        Or = 10, "or";
        /// The bitwise exclusive or.
        Xor = 11, "xor";
        /// The maximum and its index.
        ArgMax = 12, "argmax";
        /// The minimum and its index.
        ArgMin = 13, "argmin";
        /// The mean, the sum of squared differences from it, and the count (Welford, 1962).
        Welford = 14, "welford";
    }
}

impl ThreadAxis {
    /// True for the three axes of the grid.
    pub fn is_block(self) -> bool {
        matches!(self, ThreadAxis::BlockX | ThreadAxis::BlockY | ThreadAxis::BlockZ)
    }

    /// True for the three axes of a thread block.
    pub fn is_thread(self) -> bool {
        !self.is_block() && self != ThreadAxis::VThread
    }
}
