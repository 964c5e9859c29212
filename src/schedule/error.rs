//! Why a primitive refuses: the reasons and their messages.
//!
//! Each primitive numbers its conditions (C1), (C2), ... in the head of its file. A refusal cites the
//! condition that does not hold. On a refusal the IR is unchanged.

mod atomic;
mod layout;
pub mod loops;
mod prefetch;
mod refusal;
mod tensor;

pub use atomic::AtomicReason;
pub use layout::LayoutReason;
pub use prefetch::PrefetchReason;
pub use refusal::ScheduleError;
pub use tensor::TensorReason;

use crate::dialect::loop_enums::{Combiner, IterRole, LoopKind, Scope, ThreadAxis};

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

    #[error("found {0} factors, expected two or more")]
    FewFactors(usize),
    #[error("found {0} factors to infer, expected not more than one -1")]
    ManyInferred(usize),
    #[error("found factor {0}, expected a positive number or -1")]
    BadFactor(i64),
    #[error("factors multiply to {product}, extent is {extent}")]
    SmallProduct { product: i64, extent: i64 },
    #[error("factors multiply to {0}, the extent is not known: infer one factor with -1")]
    UnknownExtent(i64),
    #[error("the extent of loop \"{0}\" is not a size: only the first factor can be inferred")]
    InferredInside(String),
    #[error("there is no tail \"{0}\", expected one of {1}")]
    NoTail(String, String),
    #[error("factors multiply to {product}, extent is {extent}: peeled tiles must fit into it")]
    LargeProduct { product: i64, extent: i64 },
    #[error(
        "extent {extent} of loop \"{name}\" is smaller than a tile of {tile}: use tail \"guard\""
    )]
    NoTile { name: String, extent: i64, tile: i64 },
    #[error(
        "the extent of loop \"{name}\" may be smaller than a tile of {tile}: use tail \"guard\" or \"peel\""
    )]
    MaybeNoTile { name: String, tile: i64 },
    #[error("the extent of loop \"{0}\" is neither a constant nor a size: use tail \"guard\"")]
    NotASize(String),
    #[error(
        "more tiles of loop \"{0}\" than the last may exceed its extent: infer the first factor"
    )]
    TilesNotWhole(String),
    #[error("the initialization of schedule block \"{block}\" would change: {why}")]
    StartsAnew { block: String, why: String },
    #[error(
        "schedule block \"{block}\" reads \"{buffer}\", which other iterations may write: it would read other values when it runs again"
    )]
    ReadsRepeated { block: String, buffer: String },
    #[error("\"{name}\" depends on loop \"{by}\" in other ways than by bindings")]
    DependsOn { name: String, by: String },
    #[error(
        "expected one iter of schedule block \"{block}\", and no other, bound to loop \"{name}\" alone, with its extent as domain"
    )]
    NotAlong { block: String, name: String },
    #[error(
        "schedule block \"{0}\" divides integers, and a divisor may be 0 where there is no data"
    )]
    Divides(String),
    #[error("\"{buffer}\" is too small for the added instances of schedule block \"{block}\"")]
    NoRoom { block: String, buffer: String },
    #[error(
        "cannot prove that what the added instances of schedule block \"{block}\" read of \"{buffer}\" has been written"
    )]
    ReadsPadding { block: String, buffer: String },
    #[error("{0} is too large for an index")]
    Overflow(String),

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

    #[error("there is no schedule @{name}, there are {present}")]
    NoSchedule { name: String, present: String },
    #[error("schedule @{schedule} has no parameter \"{name}\", it has {present}")]
    NoParameter { schedule: String, name: String, present: String },
    #[error("schedule @{schedule} needs a value for its parameter \"{name}\"")]
    NotGiven { schedule: String, name: String },
    #[error(
        "schedule @{schedule} holds '{op}', expected steps on its one handle, with the names of their targets"
    )]
    NoStep { schedule: String, op: String },
    #[error("schedule @{schedule} has '{attribute}', expected {expected} in it")]
    BadDeclaration { schedule: String, attribute: &'static str, expected: &'static str },
    #[error(
        "parameter \"{name}\" of schedule @{schedule} has a value that is not a number, boolean or text"
    )]
    BadValue { schedule: String, name: String },
    #[error("schedules call each other more than {limit} deep, at @{name}")]
    DeepCalls { name: String, limit: usize },
    #[error("\"{0}\" is not a condition, expected one such as \"C:j is multiple of 16\"")]
    NoCondition(String),
    #[error(
        "this condition does not apply to \"{0}\": it is about loops only, or about schedule blocks only"
    )]
    NotAsked(String),
    #[error("schedule @{schedule} {when} \"{condition}\", but {found}")]
    NotMet { schedule: String, when: &'static str, condition: String, found: String },
    #[error("nothing matches \"{0}\"")]
    NoMatch(String),
    #[error("there is no query \"{0}\", expected one of {1}")]
    NoQuestion(String, String),
    #[error("\"{0}\" is a pattern of loops, but query \"{1}\" is about schedule blocks")]
    OnlyBlocks(String, String),
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
    #[error("\"{0}\" is not a thread axis, expected one of {1}")]
    NoAxis(String, String),
    #[error("\"{0}\" is not a decision name: expected letters, digits, '_' and '.'")]
    NoDecisionName(String),
    #[error("there is a decision \"{0}\" already")]
    DecisionTaken(String),
    #[error("there is no decision \"{name}\": {present}")]
    NoDecision { name: String, present: String },
    #[error("\"{found}\" is not what '{parameter}' takes: expected {expected}")]
    UnfitDecision { parameter: &'static str, found: String, expected: &'static str },
    #[error(
        "extent {extent} is not a product of {parts} factors of which the last is at most {innermost}"
    )]
    NoTiles { extent: i64, parts: i64, innermost: i64 },
    #[error(
        "{decided} is not a decision: expected {parts} factors with the product {extent} of which the last is at most {innermost}"
    )]
    NoSuchTile { decided: String, extent: i64, parts: i64, innermost: i64 },
    #[error("cannot sample: {0}")]
    NoCandidates(&'static str),
    #[error("{decided} is not a decision: expected one of {candidates}")]
    NoSuchCandidate { decided: i64, candidates: String },
    #[error("there is no loop to which compute_at would move schedule block \"{0}\"")]
    NoComputeLocation(String),
    #[error("\"{decided}\" is not a decision: expected one of {places}")]
    NotAComputeLocation { decided: String, places: String },
    #[error("{axis} is bound already by loop \"{name}\"")]
    AxisBound { axis: ThreadAxis, name: String },
    #[error("extent {extent} of loop \"{name}\" exceeds {limit}, the limit of {axis}")]
    AxisLimit { name: String, extent: i64, axis: ThreadAxis, limit: i64 },
    #[error("{threads} threads in a block exceed the limit of {limit}")]
    ThreadLimit { threads: i64, limit: i64 },
    #[error(
        "loop \"{inner}\" of axis {inner_axis} would be nested in loop \"{outer}\" of axis {outer_axis}"
    )]
    AxisOrder { inner: String, inner_axis: ThreadAxis, outer: String, outer_axis: ThreadAxis },

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

    #[error("schedule block \"{0}\" has no 'loop.init'")]
    NoInit(String),
    #[error("loop \"{name}\" does not enclose schedule block \"{block}\"")]
    NotAround { block: String, name: String },
    #[error(
        "loop \"{outer}\" around loop \"{name}\" is a reduction loop of schedule block \"{block}\" too: the initialization must precede both"
    )]
    ReducesOutside { block: String, name: String, outer: String },
    #[error(
        "iter \"{iter}\" of schedule block \"{outer}\" binds a reduce iter of schedule block \"{block}\" too: the initialization must precede both"
    )]
    ReducesAround { block: String, iter: String, outer: String },
    #[error("{what} is between loop \"{name}\" and schedule block \"{block}\"")]
    StandsBetween { block: String, name: String, what: &'static str },
    #[error(
        "loop \"{name}\" is bound to both reduce and other iters of schedule block \"{block}\""
    )]
    MixedLoop { block: String, name: String },
    #[error("loop \"{name}\" is bound to a thread axis")]
    BoundLoop { name: String },
    #[error(
        "it is not known for which points schedule block \"{0}\" starts its reduction: its predicate does more than keep reduce iters in their domain"
    )]
    StartUnknown(String),
    #[error(
        "reduce iter \"{iter}\" of schedule block \"{block}\" is not 0 at its first instance, so that partial results would not start"
    )]
    StartsLater { block: String, iter: String },
    #[error("loop \"{name}\" is bound to no reduce iter of schedule block \"{block}\"")]
    NotReduceLoop { block: String, name: String },
    #[error("schedule block \"{0}\" has no reducer with identities")]
    NoReducer(String),
    #[error(
        "the identity that schedule block \"{block}\" states for {combiner} is wrong: it changes values"
    )]
    NoIdentity { block: String, combiner: Combiner },
    #[error("factor axis {axis} is out of range, expected {least} to {most}")]
    BadAxis { axis: i64, least: i64, most: i64 },
    #[error("the extent of loop \"{0}\" is not a size that is never negative")]
    NotPlainExtent(String),
    #[error(
        "schedule block \"{block}\" does not store to \"{buffer}\" at indices that only its spatial iters determine"
    )]
    NotSpatialPlace { block: String, buffer: String },
    #[error(
        "schedule block \"{block}\" has a condition on loop \"{name}\" that is not an upper bound of it"
    )]
    NotBound { block: String, name: String },
    #[error(
        "schedule block \"{block}\" keeps the first of equal values: loop \"{name}\" must be the outermost reduction loop"
    )]
    KeepsFirst { block: String, name: String },
    #[error("the result of schedule block \"{0}\" depends on the order if there are NaNs")]
    NotComparable(String),

    #[error(
        "schedule block \"{0}\" does not have one store, and all loads where the conditions of one 'loop.if' with a result hold"
    )]
    NoPadding(String),
    #[error("schedule block \"{0}\" is a reduction")]
    IsReduction(String),
    #[error("schedule block \"{block}\" writes \"{buffer}\", an argument of the function")]
    WritesArgument { block: String, buffer: String },
    #[error("schedule block \"{0}\" has its store in a 'loop.if'")]
    StoreInIf(String),
    #[error("schedule block \"{block}\" has {stores} stores, expected one")]
    NotOneStore { block: String, stores: usize },
    #[error("schedule block \"{block}\" does not store at its iters as indices, each once")]
    NotPlainIters { block: String },
    #[error("schedule block \"{block}\" does not run for its whole domain")]
    Partial { block: String },
    #[error("\"{buffer}\" is written by schedule block \"{other}\" too")]
    SecondWriter { buffer: String, other: String },
    #[error("something other than schedule blocks uses \"{buffer}\"")]
    Escapes { buffer: String },
    #[error("no schedule block reads \"{buffer}\"")]
    NoReader { buffer: String },
    #[error("schedule block \"{reader}\" reads \"{buffer}\" before it is written")]
    ReadBefore { buffer: String, reader: String },
    #[error(
        "schedule block \"{reader}\" reads \"{buffer}\" at indices that are not expressions over its iters"
    )]
    UnknownPlace { buffer: String, reader: String },
    #[error(
        "\"{buffer}\" is overwritten by schedule block \"{writer}\" before \"{reader}\" would read it"
    )]
    Overwritten { buffer: String, writer: String, reader: String },
    #[error("\"{buffer}\" may be overwritten by {by} before \"{reader}\" would read it")]
    MayBeOverwritten { buffer: String, by: String, reader: String },
    #[error(
        "schedule block \"{block}\" uses iter \"{iter}\" of schedule block \"{outer}\", which does not enclose all readers"
    )]
    OuterIter { block: String, iter: String, outer: String },

    #[error("there is no buffer \"{name}\", there are {present}")]
    NoBuffer { name: String, present: String },
    #[error("\"{0}\" is not a scope, expected global, shared or local")]
    NoScope(String),
    #[error("\"{buffer}\" is of scope {scope} already")]
    ScopeSet { buffer: String, scope: Scope },
    #[error("\"{0}\" is an argument of the function, so the caller decides its layout and scope")]
    IsArgument(String),
    #[error("\"{buffer}\" takes {bytes} bytes, scope {scope} has {limit}")]
    ScopeLimit { buffer: String, scope: Scope, bytes: i64, limit: i64 },
    #[error(
        "iterations of loop \"{name}\" would share \"{buffer}\", of which each has its own now: cannot prove that they write different cells"
    )]
    WouldShare { buffer: String, name: String },
    #[error(
        "each iteration of loop \"{name}\" would have its own \"{buffer}\": schedule block \"{block}\" accesses it elsewhere"
    )]
    OtherInstance { buffer: String, name: String, block: String },
    #[error(
        "each iteration of loop \"{name}\" would have its own \"{buffer}\": cannot prove that schedule block \"{block}\" reads there only what the same iteration has written before"
    )]
    NotCovered { buffer: String, name: String, block: String },
    #[error("schedule block \"{block}\" does not read \"{buffer}\"")]
    NotAReader { block: String, buffer: String },
    #[error("schedule block \"{0}\" is given twice")]
    BlockRepeated(String),
    #[error("schedule block \"{0}\" is not one of the consumers")]
    NotAConsumer(String),
    #[error("schedule block \"{block}\" does not write \"{buffer}\"")]
    NotAWriter { block: String, buffer: String },
    #[error("schedule block \"{block}\" reduces into \"{buffer}\": it reads its own results there")]
    ReducesInto { block: String, buffer: String },
    #[error("schedule block \"{consumer}\" is not where the copy would be: in loop \"{name}\"")]
    OutsideOfCopy { consumer: String, name: String },
    #[error(
        "each iteration of loop \"{name}\" would have its own buffer of scope {scope}: schedule block \"{consumer}\" would not see the copy"
    )]
    OtherCopy { consumer: String, name: String, scope: Scope },
    #[error(
        "schedule blocks \"{first}\" and \"{second}\" are in one 'loop.if': there is no place for a copy"
    )]
    NoPlace { first: String, second: String },
    #[error(
        "schedule block \"{block}\" runs in the threads of loop \"{name}\", the copy outside of them: the two would not be ordered"
    )]
    OutsideOfThreads { block: String, name: String },
    #[error(
        "iterations of loop \"{name}\" would copy \"{buffer}\" concurrently: cannot prove that they copy different cells"
    )]
    CopiesAtOnce { buffer: String, name: String },
    #[error(
        "schedule block \"{writer}\" may overwrite \"{buffer}\" between the copy and schedule block \"{reader}\""
    )]
    OverwrittenAfterCopy { buffer: String, writer: String, reader: String },
    #[error(
        "something other than schedule blocks may write \"{buffer}\" between the copy and its use"
    )]
    EscapesAfterCopy { buffer: String },
    #[error(
        "it is not known which cells of \"{buffer}\" schedule block \"{block}\" writes: the others must keep their values"
    )]
    NotExactlyWritten { block: String, buffer: String },
    #[error(
        "schedule block \"{block}\" reads \"{buffer}\" at places that it may not have written yet"
    )]
    ReadsOldValues { block: String, buffer: String },

    #[error("\"{0}\" is not a position, expected before or after")]
    BadPlace(String),
    #[error("\"{0}\" is in no loop: nests at function level run one after the other anyway")]
    NoLoopAround(String),
    #[error("there is a barrier at \"{0}\" already")]
    BarrierThere(String),
    #[error(
        "the iterations of loop \"{name}\", which is {kind}, are not threads that can wait for each other"
    )]
    NotThreads { name: String, kind: LoopKind },
    #[error(
        "the extent of loop \"{0}\" differs between threads: they would not reach the barrier equally often"
    )]
    VaryingExtent(String),
    #[error("\"{0}\" is under a condition: some threads may not reach a barrier there")]
    UnderCondition(String),
    #[error(
        "loops \"{name}\" and \"{other}\" bind {axis} with different extents: not all threads would reach the barrier"
    )]
    OtherThreads { name: String, other: String, axis: ThreadAxis },

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
    #[error("loop \"{name}\" and schedule block \"{block}\" are not in the same schedule block")]
    OtherScope { block: String, name: String },
    #[error("loop \"{name}\" and schedule block \"{block}\" are in different branches")]
    OtherBranch { block: String, name: String },
    #[error("schedule block \"{block}\" is in loop \"{name}\" already")]
    AlreadyThere { block: String, name: String },
    #[error("schedule block \"{reader}\" reads \"{buffer}\" outside of loop \"{name}\"")]
    ReaderOutside { buffer: String, reader: String, name: String },
    #[error(
        "cannot prove that schedule block \"{block}\" runs for all values of iter \"{iter}\" that its readers need"
    )]
    NotAllRun { block: String, iter: String },
    #[error(
        "schedule block \"{block}\" runs only where {lost}, which is not an expression over its iters: the condition would be lost at other loops"
    )]
    LostCondition { block: String, lost: String },
    #[error(
        "cannot prove that the iterations of {kind} loop \"{name}\" would write different cells of \"{buffer}\" in schedule block \"{block}\": make the loop serial, or give each iteration a buffer of its own (scope local)"
    )]
    SameCells { block: String, buffer: String, name: String, kind: LoopKind },
    #[error(
        "cannot prove that schedule blocks \"{block}\" and \"{other}\", which share \"{buffer}\", would run in the same threads"
    )]
    ThreadsApart { block: String, other: String, buffer: String },

    #[error(
        "schedule block \"{block}\" has {found} producers of buffers that nothing else reads, expected one"
    )]
    NotOneProducer { block: String, found: usize },
    #[error("schedule block \"{block}\" does not use its iters as indices, each once")]
    NotPlainIndices { block: String },
    #[error("schedule block \"{block}\" reads nothing that is written in loop \"{name}\"")]
    NoProducer { block: String, name: String },
    #[error("schedule block \"{second}\", which writes what \"{first}\" reads, comes after it")]
    ComesBefore { first: String, second: String },
    #[error(
        "cannot prove that schedule block \"{block}\" would run for the same values of iter \"{iter}\" as now"
    )]
    OtherInstances { block: String, iter: String },
    #[error(
        "cannot prove that schedule block \"{writer}\" has written what \"{block}\" would read of \"{buffer}\" in the same iteration, and does not change it later"
    )]
    NotWritten { block: String, buffer: String, writer: String },
    #[error(
        "the start values of schedule block \"{block}\" read \"{buffer}\", which \"{writer}\" would write in loop \"{name}\", over which \"{block}\" reduces and which may not run"
    )]
    WrittenAfterStart { block: String, buffer: String, writer: String, name: String },

    #[error(
        "a 'loop.if' is between loop \"{name}\" and its common ancestor with schedule block \"{block}\""
    )]
    BranchBetween { block: String, name: String },
    #[error("schedule block \"{block}\" has {found} loops of its own, expected {wanted} or more")]
    FewLoopsAround { block: String, found: usize, wanted: usize },
    #[error("schedule block \"{other}\" would move along with \"{block}\"")]
    ComesAlong { block: String, other: String },
    #[error("cannot prove that loops \"{first}\" and \"{second}\" have equal extents")]
    OtherExtent { first: String, second: String },
    #[error(
        "no position in loop \"{name}\" is proved to keep schedule block \"{block}\" in order with what it depends on"
    )]
    NoPlaceInOrder { block: String, name: String },
    #[error("schedule block \"{block}\" would move past {what}")]
    Passes { block: String, what: String },

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
}

/// What to do if a function has no schedule blocks, so that none of them are `present`.
fn lowering_hint(present: &str) -> &'static str {
    match present {
        "none" => ": --convert-linalg-to-loop makes schedule blocks of linalg ops",
        _ => "",
    }
}
