//! Why a primitive that changes only loops refuses.

use crate::dialect::loop_enums::LoopKind;
use crate::nest::facts::bijection::NoBijection;

/// What was found and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoopsReason {
    /// The number of tile sizes is not that of the loops.
    #[error("found {sizes} sizes for {loops} loops, expected one for each")]
    TileSizes {
        /// The number of loops.
        loops: usize,
        /// The number of sizes.
        sizes: usize,
    },
    /// A tile size is not positive.
    #[error("found a tile of {0}, expected a positive number")]
    BadTile(i64),
    /// The loops are not perfectly nested.
    #[error("loop \"{inner}\" is not the only statement directly in loop \"{outer}\"")]
    NotABand {
        /// The name of the outer loop.
        outer: String,
        /// The name of the inner loop.
        inner: String,
    },

    /// The numbers are not an order of the iters.
    #[error(
        "{order:?} is not an order of the {iters} iters of schedule block \"{block}\", which are numbered from 0 on"
    )]
    NoIterOrder {
        /// The name of the schedule block.
        block: String,
        /// The number of iters.
        iters: usize,
        /// The numbers.
        order: Vec<i64>,
    },
    /// The iters have this order already; the name of the schedule block.
    #[error("the iters of schedule block \"{0}\" have this order already")]
    SameIterOrder(String),

    /// The iters are not bound to the loops one by one.
    #[error("schedule block \"{block}\" is not bound to loops one by one: {why}")]
    NotPlain {
        /// The name of the schedule block.
        block: String,
        /// The reason, in words.
        why: String,
    },
    /// A result of the map is not a mixed-radix number of digits of the iters.
    #[error("result {place} of the map is not a mixed-radix number of digits of the iters")]
    NoDigits {
        /// The position of the result, from 0.
        place: usize,
    },
    /// The digits in the map do not cover an iter exactly once.
    #[error(
        "the digits in the map do not cover iter {iter}, each of them once: the map is not injective, or its image is not a box"
    )]
    NotMadeUp {
        /// The position of the iter, from 0.
        iter: usize,
    },
    /// The domain of an iter may be negative.
    #[error("the domain of iter \"{iter}\" may be negative")]
    MaybeNegative {
        /// The name of the iter.
        iter: String,
    },
    /// A result of the map combines iters of different roles, or opaque ones.
    #[error(
        "result {place} of the map combines iters of schedule block \"{block}\" of different roles, or opaque ones"
    )]
    MixedRoles {
        /// The name of the schedule block.
        block: String,
        /// The position of the result, from 0.
        place: usize,
    },
    /// The instances may depend on their order; the name of the schedule block.
    #[error(
        "it is not proved that the instances of schedule block \"{0}\" may run in the order of its new iters"
    )]
    InstanceOrder(String),

    /// The extent is not known, and no factor is -1; the sum of the factors.
    #[error("factors add up to {0}, the extent is not known: let one factor take the rest with -1")]
    UnknownParts(i64),
    /// The factors do not add up to the extent.
    #[error("factors add up to {total}, extent is {extent}")]
    OtherSum {
        /// The sum of the factors.
        total: i64,
        /// The extent of the loop.
        extent: i64,
    },
    /// The factors leave no iterations for the factor -1.
    #[error("factors add up to {total} of the {extent} iterations, which leaves nothing for -1")]
    NothingLeft {
        /// The sum of the other factors.
        total: i64,
        /// The extent of the loop.
        extent: i64,
    },
    /// The loop may have fewer iterations than the factors require.
    #[error(
        "loop \"{name}\" may have fewer than the {parts} iterations of the other parts: it is not known where the parts after -1 begin"
    )]
    MayBeFewer {
        /// The name of the loop.
        name: String,
        /// The sum of the other factors.
        parts: i64,
    },

    /// The arguments shift nothing, or are out of range.
    #[error(
        "found by {by} and align {align}, expected to shift by 0 or more and align to 1 or more, and one of the two above its minimum"
    )]
    NoShift {
        /// The argument `by`.
        by: i64,
        /// The argument `align`.
        align: i64,
    },
    /// A reduction that may be empty would lose its start values.
    #[error(
        "schedule block \"{block}\" would lose its start values if its reduction is empty: loop \"{name}\" is at its first iteration there"
    )]
    StartKeptOut {
        /// The name of the schedule block.
        block: String,
        /// The name of the loop.
        name: String,
    },
    /// An expression would divide by a size that may be 0; the name of the loop.
    #[error(
        "it divides by a size that may be 0: loop \"{0}\" has no iterations then, but the shifted loop has some"
    )]
    DividesByNothing(String),

    /// The factor is less than 2.
    #[error("found factor {0}, expected 2 or more")]
    BadJam(i64),
    /// The loop does not have exactly one loop in it that can be jammed; its name.
    #[error(
        "loop \"{0}\" does not contain exactly one loop, serial or unrolled, with an extent that does not depend on it"
    )]
    NothingToJam(String),

    /// The text is not a condition on sizes.
    #[error("\"{text}\" is not a condition on sizes: {why}")]
    NoCondition {
        /// The text.
        text: String,
        /// The reason, in words.
        why: String,
    },
    /// A size of the condition is defined after the statement; the condition, as text.
    #[error("not all sizes of \"{0}\" are defined before it")]
    LateSize(String),
    /// The condition has the same value for all sizes.
    #[error("\"{condition}\" {} holds", if *.always { "always" } else { "never" })]
    Decided {
        /// The condition, as text.
        condition: String,
        /// True if it always holds, false if it never holds.
        always: bool,
    },
    /// The statements are in a schedule block; its name.
    #[error("it is in schedule block \"{0}\"")]
    InBlock(String),
    /// The two statements are not in order in one parent.
    #[error("\"{last}\" is not after \"{first}\" in the same loop, branch or function")]
    NotAfter {
        /// The name of the first statement.
        first: String,
        /// The name of the last statement.
        last: String,
    },
    /// A statement that cannot be copied is among those to copy; the statement, in words.
    #[error("{0} is among the statements to copy")]
    Between(String),

    /// The variable of the loop is used; the name of the loop.
    #[error("the variable of loop \"{0}\" is used")]
    Used(String),
    /// The iterations of the loop may differ in what they do; its name.
    #[error("loop \"{0}\" is not proved to do the same in each iteration")]
    Repeats(String),
    /// The loop is a kernel, and would become several; its name.
    #[error("loop \"{0}\" is a kernel, which would become several")]
    Kernel(String),

    /// The next statement is not a loop of this kind.
    #[error("loop \"{name}\" is not directly followed by a loop that is {kind} too")]
    NothingBehind {
        /// The name of the loop.
        name: String,
        /// The kind of the loop.
        kind: LoopKind,
    },
    /// Two loops that would be joined have different bodies.
    #[error("\"{name}\" is not structurally equal to \"{first}\", which it continues")]
    NotTheSame {
        /// The name of the first loop.
        first: String,
        /// The name of the second loop.
        name: String,
    },
    /// The second loop may not begin where the first one ends.
    #[error("loop \"{name}\" is not proved to begin where loop \"{first}\" ends")]
    Gap {
        /// The name of the first loop.
        first: String,
        /// The name of the second loop.
        name: String,
    },
    /// Two kernels would become one, but the second waits for the first; the name of the first loop.
    #[error("loop \"{0}\" and the next one are kernels, and one waits for the other")]
    TwoKernels(String),

    /// The statement is not after the other one in the same parent.
    #[error("\"{name}\" is not a later sibling of \"{first}\"")]
    NotBehind {
        /// The name of the statement.
        name: String,
        /// The name of the other statement.
        first: String,
    },
    /// The statement would move past an op that orders statements.
    #[error("\"{name}\" would move past '{what}'")]
    StopsAt {
        /// The name of the statement.
        name: String,
        /// The name of the op.
        what: String,
    },
    /// Two statements may depend on each other.
    #[error("it is not proved that \"{name}\" may run before \"{first}\"")]
    OrderOfStatements {
        /// The name of the statement that would run first.
        name: String,
        /// The name of the statement that is first now.
        first: String,
    },
}

impl From<NoBijection> for LoopsReason {
    fn from(obstacle: NoBijection) -> Self {
        match obstacle {
            NoBijection::NoDigits { place } => LoopsReason::NoDigits { place },
            NoBijection::NotMadeUp { iter } => LoopsReason::NotMadeUp { iter },
        }
    }
}
