//! Why a primitive that changes only loops refuses.

use crate::dialect::loop_enums::LoopKind;
use crate::nest::facts::bijection::NoBijection;

/// What was found and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoopsReason {
    #[error("found {sizes} sizes for {loops} loops, expected one for each")]
    TileSizes { loops: usize, sizes: usize },
    #[error("found a tile of {0}, expected a positive number")]
    BadTile(i64),
    #[error("loop \"{inner}\" is not the only statement directly in loop \"{outer}\"")]
    NotABand { outer: String, inner: String },

    #[error(
        "{order:?} is not an order of the {iters} iters of schedule block \"{block}\", which are numbered from 0 on"
    )]
    NoIterOrder { block: String, iters: usize, order: Vec<i64> },
    #[error("the iters of schedule block \"{0}\" have this order already")]
    SameIterOrder(String),

    #[error("schedule block \"{block}\" is not bound to loops one by one: {why}")]
    NotPlain { block: String, why: String },
    #[error("result {place} of the map is not a mixed-radix number of digits of the iters")]
    NoDigits { place: usize },
    #[error(
        "the digits in the map do not cover iter {iter}, each of them once: the map is not injective, or its image is not a box"
    )]
    NotMadeUp { iter: usize },
    #[error("the domain of iter \"{iter}\" may be negative")]
    MaybeNegative { iter: String },
    #[error(
        "result {place} of the map combines iters of schedule block \"{block}\" of different roles, or opaque ones"
    )]
    MixedRoles { block: String, place: usize },
    #[error(
        "it is not proved that the instances of schedule block \"{0}\" may run in the order of its new iters"
    )]
    InstanceOrder(String),

    #[error("factors add up to {0}, the extent is not known: let one factor take the rest with -1")]
    UnknownParts(i64),
    #[error("factors add up to {total}, extent is {extent}")]
    OtherSum { total: i64, extent: i64 },
    #[error("factors add up to {total} of the {extent} iterations, which leaves nothing for -1")]
    NothingLeft { total: i64, extent: i64 },
    #[error(
        "loop \"{name}\" may have fewer than the {parts} iterations of the other parts: it is not known where the parts after -1 begin"
    )]
    MayBeFewer { name: String, parts: i64 },

    #[error(
        "found by {by} and align {align}, expected to shift by 0 or more and align to 1 or more, and one of the two above its minimum"
    )]
    NoShift { by: i64, align: i64 },
    #[error(
        "schedule block \"{block}\" would lose its start values if its reduction is empty: loop \"{name}\" is at its first iteration there"
    )]
    StartKeptOut { block: String, name: String },
    #[error(
        "it divides by a size that may be 0: loop \"{0}\" has no iterations then, but the shifted loop has some"
    )]
    DividesByNothing(String),

    #[error("found factor {0}, expected 2 or more")]
    BadJam(i64),
    #[error(
        "loop \"{0}\" does not contain exactly one loop, serial or unrolled, with an extent that does not depend on it"
    )]
    NothingToJam(String),

    #[error("\"{text}\" is not a condition on sizes: {why}")]
    NoCondition { text: String, why: String },
    #[error("not all sizes of \"{0}\" are defined before it")]
    LateSize(String),
    #[error("\"{condition}\" {} holds", if *.always { "always" } else { "never" })]
    Decided { condition: String, always: bool },
    #[error("it is in schedule block \"{0}\"")]
    InBlock(String),
    #[error("\"{last}\" is not after \"{first}\" in the same loop, branch or function")]
    NotAfter { first: String, last: String },
    #[error("{0} is among the statements to copy")]
    Between(String),

    #[error("the variable of loop \"{0}\" is used")]
    Used(String),
    #[error("loop \"{0}\" is not proved to do the same in each iteration")]
    Repeats(String),
    #[error("loop \"{0}\" is a kernel, which would become several")]
    Kernel(String),

    #[error("loop \"{name}\" is not directly followed by a loop that is {kind} too")]
    NothingBehind { name: String, kind: LoopKind },
    #[error("\"{name}\" is not structurally equal to \"{first}\", which it continues")]
    NotTheSame { first: String, name: String },
    #[error("loop \"{name}\" is not proved to begin where loop \"{first}\" ends")]
    Gap { first: String, name: String },
    #[error("loop \"{0}\" and the next one are kernels, and one waits for the other")]
    TwoKernels(String),

    #[error("\"{name}\" is not a later sibling of \"{first}\"")]
    NotBehind { name: String, first: String },
    #[error("\"{name}\" would move past '{what}'")]
    StopsAt { name: String, what: String },
    #[error("it is not proved that \"{name}\" may run before \"{first}\"")]
    OrderOfStatements { name: String, first: String },
}

impl From<NoBijection> for LoopsReason {
    fn from(obstacle: NoBijection) -> Self {
        match obstacle {
            NoBijection::NoDigits { place } => LoopsReason::NoDigits { place },
            NoBijection::NotMadeUp { iter } => LoopsReason::NotMadeUp { iter },
        }
    }
}
