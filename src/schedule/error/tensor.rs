//! Why a primitive that tensorizes a nest refuses: `blockize` and what builds on it.

/// What was found and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TensorReason {
    /// A loop around is vectorized; its name.
    #[error("loop \"{0}\" around is vectorized: its lanes would run a nest")]
    LanesAround(String),
    /// The loop is a cross-thread reduction of the schedule block.
    #[error("schedule block \"{block}\" reduces across the threads of loop \"{name}\"")]
    AcrossThreads {
        /// The name of the schedule block.
        block: String,
        /// The name of the loop.
        name: String,
    },
    /// An expression does not separate into a part over outer loops and one over inner loops.
    #[error(
        "what {what} mixes loops inside and outside: {expr}, expected a sum of terms over either"
    )]
    Mixed {
        /// What the expression is for, in words.
        what: String,
        /// The expression, as text.
        expr: String,
    },
    /// The inner part of an iter binding may reach the stride of the outer part.
    #[error(
        "iter \"{iter}\" of schedule block \"{block}\" is bound to {outer} outside and {inner} inside: cannot prove that the inner part stays below the stride of the outer part"
    )]
    NotDivided {
        /// The name of the schedule block.
        block: String,
        /// The name of the iter.
        iter: String,
        /// The outer part, as text.
        outer: String,
        /// The inner part, as text.
        inner: String,
    },
    /// The number of values of an outer iter is not known.
    #[error(
        "the number of values of {expr} is not known, from which the outer iter \"{iter}\" of schedule block \"{block}\" is made"
    )]
    NoDomain {
        /// The name of the schedule block.
        block: String,
        /// The name of the iter.
        iter: String,
        /// The expression that the iter is made of, as text.
        expr: String,
    },
    /// A reduction may lose its start values, because a loop around it may not run.
    #[error(
        "schedule block \"{block}\" gives start values inside, and loop \"{name}\" outside, which it reduces over, may not run: use decompose_reduction first"
    )]
    StartInside {
        /// The name of the schedule block.
        block: String,
        /// The name of the loop.
        name: String,
    },
    /// The schedule block does not have the form of an einsum.
    #[error("schedule block \"{block}\" is not an einsum: {why}")]
    NoEinsum {
        /// The name of the schedule block.
        block: String,
        /// The reason, in words.
        why: String,
    },
    /// The number of factors is not that of the iters.
    #[error("found {found} factors, schedule block \"{block}\" has {iters} iters")]
    FactorCount {
        /// The name of the schedule block.
        block: String,
        /// The number of factors.
        found: usize,
        /// The number of iters.
        iters: usize,
    },
    /// An iter is not bound to a loop of its own with the domain as extent.
    #[error(
        "iter \"{iter}\" of schedule block \"{block}\" is bound to {bound}, expected a loop of its own that runs over its domain"
    )]
    NotRunOver {
        /// The name of the schedule block.
        block: String,
        /// The name of the iter.
        iter: String,
        /// What it is bound to, as text.
        bound: String,
    },
    /// No iter of the schedule block is bound to the loop.
    #[error("loop \"{name}\" is bound to no iter of schedule block \"{block}\"")]
    NotAxis {
        /// The name of the schedule block.
        block: String,
        /// The name of the loop.
        name: String,
    },
    /// No padding values leave the reduction unchanged.
    #[error(
        "found no padding values for the reads of schedule block \"{block}\" that leave its reduction unchanged, whatever else it reads"
    )]
    NotNeutral {
        /// The name of the schedule block.
        block: String,
    },
    /// No intrinsic has this name; the name, and the intrinsics.
    #[error("there is no intrinsic \"{0}\", expected one of {1}")]
    NoIntrinsic(String, String),
    /// The nest is not an execution of the intrinsic.
    #[error("\"{name}\" is not {intrinsic}: {why}")]
    NoMatch {
        /// The name of the loop or schedule block.
        name: String,
        /// The name of the intrinsic.
        intrinsic: String,
        /// The reason, in words.
        why: String,
    },
}
