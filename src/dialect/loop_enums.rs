//! The enums of the loop dialect; values and spellings are those of LoopDialect.td.

macro_rules! keyword_enum {
    ($(#[$doc:meta])* $name:ident { $($case:ident = $value:literal, $word:literal;)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(i32)]
        pub enum $name { $($case = $value),* }

        impl $name {
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
        Serial = 0, "serial";
        Parallel = 1, "parallel";
        Vectorize = 2, "vectorize";
        Unroll = 3, "unroll";
        ThreadBind = 4, "thread_bind";
    }
}

keyword_enum! {
    /// The hardware axis of a bound loop.
    ThreadAxis {
        BlockX = 0, "blockIdx.x";
        BlockY = 1, "blockIdx.y";
        BlockZ = 2, "blockIdx.z";
        ThreadX = 3, "threadIdx.x";
        ThreadY = 4, "threadIdx.y";
        ThreadZ = 5, "threadIdx.z";
        VThread = 6, "vthread";
    }
}

keyword_enum! {
    /// The last transformation that created a loop.
    AxisType {
        Original = 0, "original";
        BlockOuter = 1, "block_outer";
        BlockInner = 2, "block_inner";
        TileOuter = 3, "tile_outer";
        TileInner = 4, "tile_inner";
        Merged = 5, "merged";
        Tail = 6, "tail";
    }
}

keyword_enum! {
    /// The role of a block iter.
    IterRole {
        Spatial = 0, "spatial";
        Reduce = 1, "reduce";
        Opaque = 2, "opaque";
    }
}

keyword_enum! {
    /// The memory scope of a buffer: which threads share it.
    Scope {
        Global = 0, "global";
        Shared = 1, "shared";
        Local = 2, "local";
    }
}

keyword_enum! {
    /// The combiner of a reduction.
    Combiner {
        Ordered = 0, "ordered";
        Add = 1, "add";
        Mul = 2, "mul";
        Max = 3, "max";
        Min = 4, "min";
        MaxNum = 5, "maxnum";
        MinNum = 6, "minnum";
        MaxU = 7, "maxu";
        MinU = 8, "minu";
        And = 9, "and";
        Or = 10, "or";
        Xor = 11, "xor";
        ArgMax = 12, "argmax";
        ArgMin = 13, "argmin";
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
