//! Why a primitive refuses: the reasons and their messages.
//!
//! Each primitive numbers its conditions (C1), (C2), ... in the head of its file. A refusal cites the
//! condition that does not hold. On a refusal the IR is unchanged.

mod atomic;
mod buffer;
mod layout;
mod library;
mod location;
pub mod loops;
mod prefetch;
mod reduction;
mod refusal;
mod sampling;
mod split;
mod tensor;
mod threads;

pub use atomic::AtomicReason;
pub use buffer::BufferReason;
pub use layout::LayoutReason;
pub use library::LibraryReason;
pub use location::LocationReason;
pub use prefetch::PrefetchReason;
pub use reduction::ReductionReason;
pub use refusal::ScheduleError;
pub use sampling::SamplingReason;
pub use split::SplitReason;
pub use tensor::TensorReason;
pub use threads::ThreadsReason;

use crate::dialect::loop_enums::{Combiner, IterRole, LoopKind, Scope};

/// What was found and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    #[error(transparent)]
    Loops(#[from] loops::LoopsReason),
    #[error("\"{0}\" names no loop, expected \"block:loop\"")]
    NoLoopName(String),
    #[error("there is no schedule block \"{name}\", there are {present}{}", lowering_hint(present))]
    NoBlock { name: String, present: String },
    #[error("there is no loop \"{name}\" around schedule block \"{block}\", there are {present}")]
    NoLoop { block: String, name: String, present: String },
    #[error("\"{name}\" was removed by step {step}: {by}")]
    Removed { name: String, step: usize, by: String },
    #[error("step {number}, {step}, changes what the function computes: {found}")]
    WrongResult { number: usize, step: String, found: String },
    #[error("{0}")]
    NotVerified(String),
    #[error("loop \"{name}\" is {kind}, expected serial")]
    NotSerial { name: String, kind: LoopKind },
    #[error("there would be two nested loops named \"{0}\"")]
    NameTaken(String),
    #[error("there would be two schedule blocks named \"{0}\"")]
    BlockNameTaken(String),
    #[error(
        "found the name \"{0}\", expected letters, digits, '_', '$', '-' and '.', not starting with a digit"
    )]
    BadName(String),

    #[error("found {0} loops, expected two or more")]
    FewLoops(usize),
    #[error("loop \"{0}\" is given twice")]
    Repeated(String),
    #[error("\"{inner}\" is not the only statement in loop \"{outer}\"")]
    NotAlone { inner: String, outer: String },
    #[error("loop \"{inner}\" is not the only statement in loop \"{outer}\"")]
    NotOnlyChild { outer: String, inner: String },
    #[error("loop \"{inner}\" is not directly nested in loop \"{outer}\"")]
    NotAdjacent { outer: String, inner: String },
    #[error("loops \"{0}\" and \"{1}\" are not nested in each other")]
    NotAChain(String, String),
    #[error("the extent of loop \"{inner}\" depends on loop \"{outer}\"")]
    DependentExtent { inner: String, outer: String },
    #[error("the extent of loop \"{0}\" is a minimum, which cannot be divided")]
    MinimumExtent(String),
    #[error(
        "the extent of loop \"{0}\" is not a size: only the outermost loop may have such an extent"
    )]
    NotSize(String),
    #[error("loop \"{0}\" has no iterations")]
    NoIterations(String),
    #[error("the extents of loops \"{0}\" and \"{1}\" may both be negative: their product is not")]
    NegativeExtents(String, String),
    #[error(
        "loop \"{name}\" may have no iterations: the start values of schedule block \"{block}\" would be lost"
    )]
    EmptyReduction { block: String, name: String },

    #[error("nothing matches \"{0}\"")]
    NoMatch(String),
    #[error("there is no query \"{0}\", expected one of {1}")]
    NoQuestion(String, String),
    #[error("\"{0}\" is a pattern of loops, but query \"{1}\" is about schedule blocks")]
    OnlyBlocks(String, String),
    #[error("{0} is too large for an index")]
    Overflow(String),
    #[error("has no effect")]
    NoEffect,
    #[error("next to loop \"{0}\" is a barrier, which cannot sink into it")]
    BarrierBeside(String),
    #[error("loop \"{name}\" is {kind}: its siblings can sink only into serial and unrolled loops")]
    SinksThrough { name: String, kind: LoopKind },
    #[error("loop \"{0}\" may have no iterations: its siblings cannot sink into it")]
    MaybeEmpty(String),
    #[error("found proof \"{0}\", expected \"assume\" or \"guard\"")]
    NoProof(String),
    #[error("loop \"{0}\" has no constant extent")]
    NotConstant(String),
    #[error("found factor {0}, expected a positive number")]
    BadWidth(i64),
    #[error("the iterations of loop \"{name}\" cannot be lanes: {why}")]
    NoLanes { name: String, why: String },

    #[error(
        "schedule block \"{block}\" accesses \"{buffer}\" of scope {scope}: each iteration would have its own"
    )]
    PrivateBuffer { block: String, buffer: String, scope: Scope },
    #[error("loop \"{0}\" holds a barrier")]
    HoldsBarrier(String),

    #[error("schedule block \"{0}\" has a nest as its body")]
    NestBody(String),
    #[error("schedule block \"{0}\" calls a function, whose effects are not known")]
    Calls(String),
    #[error("iter \"{iter}\" of schedule block \"{block}\" is {role}, expected spatial")]
    NotSpatial { block: String, iter: String, role: IterRole },
    #[error(
        "the lanes would reduce into one cell, as iter \"{iter}\" of schedule block \"{block}\" is bound to the loop: use rfactor, or vectorize another loop"
    )]
    LanesReduce { block: String, iter: String },
    #[error(
        "schedule block \"{block}\" does not depend on loop \"{name}\": its iterations would repeat the same work concurrently"
    )]
    Unused { block: String, name: String },
    #[error(
        "cannot prove that the iterations of loop \"{name}\" are different instances of schedule block \"{block}\""
    )]
    NotInjective { block: String, name: String },
    #[error(
        "cannot prove that the instances of schedule block \"{block}\" write different cells of \"{buffer}\""
    )]
    SharedCell { block: String, buffer: String },
    #[error("schedule block \"{block}\" reads \"{buffer}\", which it writes")]
    ReadsOwnResult { block: String, buffer: String },
    #[error(
        "schedule blocks \"{first}\" and \"{second}\" both access \"{buffer}\", which one of them writes"
    )]
    Dependence { first: String, second: String, buffer: String },
    #[error("instances of schedule block \"{block}\" access \"{buffer}\", which it writes")]
    OwnDependence { block: String, buffer: String },
    #[error(
        "the order of the iterations of loop \"{name}\" matters to schedule block \"{block}\": {why}"
    )]
    OrderMatters { block: String, name: String, why: &'static str },
    #[error(
        "schedule block \"{block}\" reduces floats by {combiner}, whose order matters to the last bit: to allow it, the function must have loop.fp = \"reassoc\" or \"fast\""
    )]
    Strict { block: String, combiner: Combiner },
    #[error("schedule block \"{block}\" has updates whose order matters: {why}")]
    UpdateOrder { block: String, why: &'static str },

    #[error("there is no buffer \"{name}\", there are {present}")]
    NoBuffer { name: String, present: String },

    #[error(
        "\"{0}\" is not a key, expected letters, digits, '_', '$', '-' and '.', starting with a letter"
    )]
    BadKey(String),
    #[error("\"{0}\" has the annotation \"{1}\" already: unannotate it first")]
    KeyTaken(String, String),
    #[error("\"{name}\" has no annotation \"{key}\", it has {present}")]
    NoKey { name: String, key: String, present: String },
    #[error(
        "loop \"{name}\" has the annotation \"{key}\", which would be lost: unannotate it first"
    )]
    Annotated { name: String, key: String },

    #[error("\"{first}\" and \"{second}\" cannot be fused: {why}")]
    NotMergeable { first: String, second: String, why: String },
    #[error(
        "{found} loops directly enclose \"{name}\", levels is {wanted}: expected 1 to that many"
    )]
    NoSuchLevels { name: String, found: usize, wanted: i64 },
    #[error(
        "\"{first}\" is the first statement in loop \"{name}\": there is nothing to divide it from"
    )]
    NothingBefore { first: String, name: String },
    #[error("loop \"{name}\" cannot be divided before \"{second}\": {why}")]
    NotDivisible { name: String, second: String, why: String },
    #[error(
        "it is not proved that \"{second}\" and the statements after it may run after all iterations of those before them in loop \"{name}\""
    )]
    OrderOfParts { name: String, second: String },
    #[error("it is not proved that what \"{second}\" does stays after what \"{first}\" does")]
    OrderOfNests { first: String, second: String },

    #[error("loop \"{name}\" cannot be a pipeline: {why}")]
    NoPipeline { name: String, why: String },
    #[error("the statements of loop \"{0}\" are not proved to keep their order as a pipeline")]
    OrderOfStages(String),
    #[error(
        "schedule block \"{block}\" writes {buffers}, expected a serial loop around it in which another statement reads that"
    )]
    NotReadBeside { block: String, buffers: String },
    #[error("found {found} copies, expected 2 to {most}")]
    Copies { found: i64, most: i64 },

    #[error(
        "schedule block \"{block}\" does not read old values of \"{buffer}\" and write it, or it has start values"
    )]
    NotReadWrite { block: String, buffer: String },
    #[error(transparent)]
    Layout(LayoutReason),
    #[error(transparent)]
    Tensor(TensorReason),
    #[error(transparent)]
    Prefetch(PrefetchReason),
    #[error(transparent)]
    Atomic(AtomicReason),
    #[error(transparent)]
    Split(#[from] SplitReason),
    #[error(transparent)]
    Library(#[from] LibraryReason),
    #[error(transparent)]
    Sampling(#[from] SamplingReason),
    #[error(transparent)]
    Threads(#[from] ThreadsReason),
    #[error(transparent)]
    Reduction(#[from] ReductionReason),
    #[error(transparent)]
    Location(#[from] LocationReason),
    #[error(transparent)]
    Buffer(#[from] BufferReason),
}

/// What to do if a function has no schedule blocks, so that none of them are `present`.
fn lowering_hint(present: &str) -> &'static str {
    match present {
        "none" => ": --convert-linalg-to-loop makes schedule blocks of linalg ops",
        _ => "",
    }
}
