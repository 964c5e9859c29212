//! The rules: which reader may be computed together with what it reads.

use super::dataflow::{Dataflow, Edge, OpNode};
use super::kind::PatternKind;
use crate::analysis::op_cost::{FEW_OPERATIONS, MOST_COPIES};
use crate::ir::affine::Expr;
use std::fmt;

/// Why a reader may be computed together with what it reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The value is computed where it is read: it only moves elements, has few operations, or is read once.
    Recompute,
    /// The elements of an anchor's factor are only moved, for this reader alone.
    Prologue,
    /// Each result of the reader is computed from the value at the same place, in the loops that compute the value.
    Pointwise,
    /// Both run over the same rows, in so many outer loops. A row of the value is computed before it is read.
    Rows(usize),
    /// Both are on the way from an anchor to a factor of another one. A block of rows of the value is computed before it is read.
    Blocks,
}

/// Why a reader is not computed together with what it reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// One of the two is no computation on tensors that has loops.
    Opaque,
    /// One of the two depends on weights alone: it is computed once for all calls.
    OfWeights,
    /// An anchor reads each element of a factor many times, in an order of its own.
    ComputedFactor { operations: usize },
    /// An anchor has other readers of the factor that is moved for it.
    SharedFactor { readers: usize },
    /// The results of an anchor are computed in tiles, and the reader needs other elements than those of the tile.
    NotPointwise,
    /// The value costs too much to be computed wherever it is read.
    Recomputed { operations: usize, readers: usize },
    /// No outer loop runs over the same rows of the value and of the reader's result.
    NoSharedRows,
    /// The merged group would have two anchors.
    TwoAnchors,
    /// The merged group would have an anchor and a reduction: the tiles of one have no whole rows of the other.
    AnchorAndReduction,
    /// The tiles of an anchor would compute a value from elements at other places.
    GatheredInTiles { operations: usize },
    /// A value leaves the merged group and comes back into it.
    Cycle,
    /// The merged group would have more ops than this.
    TooMany { most: usize },
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Rule::Recompute => write!(f, "recompute: the value is computed where it is read"),
            Rule::Prologue => write!(f, "prologue: the elements of a factor are only moved"),
            Rule::Pointwise => {
                write!(f, "pointwise: each result is computed from the value at the same place")
            }
            Rule::Rows(loops) => write!(f, "rows: both run over the same rows, in {loops} loops"),
            Rule::Blocks => write!(
                f,
                "blocks: a block of rows of the value is computed, and then read by the second of two anchors"
            ),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Refusal::Opaque => write!(
                f,
                "one of the two has no loops over its results; it would have to be a linalg or tensor op \
                 (convert-graph-to-linalg converts graph ops)"
            ),
            Refusal::OfWeights => write!(
                f,
                "one of the two depends on constants alone and is computed once for all calls"
            ),
            Refusal::ComputedFactor { operations } => write!(
                f,
                "the reader uses each element of the value many times, and the value has {operations} operations; it \
                 would have to only move elements"
            ),
            Refusal::SharedFactor { readers } => write!(
                f,
                "the value has {readers} readers; the reader, which uses each element many times, would have to be the \
                 only one"
            ),
            Refusal::NotPointwise => write!(
                f,
                "the value is computed in tiles; each result of the reader would have to depend on the value at the \
                 same place alone"
            ),
            Refusal::Recomputed { operations, readers } => write!(
                f,
                "no outer loop is shared, and the value has {operations} operations and {readers} readers; it would have to \
                 have one reader, which reads each element once, or at most {FEW_OPERATIONS} operations without functions such as exp"
            ),
            Refusal::NoSharedRows => write!(
                f,
                "no outer loop is shared; the leading dimensions of the value would have to be those of the reader's \
                 result"
            ),
            Refusal::TwoAnchors => {
                write!(
                    f,
                    "the group would have two anchors; their loops are tiled in different ways"
                )
            }
            Refusal::AnchorAndReduction => write!(
                f,
                "the group would have an anchor and a reduction; a tile of the one has no whole rows of the other"
            ),
            Refusal::GatheredInTiles { operations } => write!(
                f,
                "the group would have an anchor and a value with {operations} operations on elements at other places, whose loads are \
                 not along the vectors of a tile; it would have to have at most {FEW_OPERATIONS} operations"
            ),
            Refusal::TooMany { most } => write!(f, "the group would have more than {most} ops"),
            Refusal::Cycle => {
                write!(
                    f,
                    "a value would leave the group and come back into it through another group"
                )
            }
        }
    }
}

/// The rule by which the reader of an edge may be computed together with the value, if the two are alone.
///
/// # Errors
/// The reason why it may not.
pub fn rule(flow: &Dataflow, edge: &Edge) -> Result<Rule, Refusal> {
    let (from, to) = (&flow.nodes[edge.from], &flow.nodes[edge.to]);
    if [from, to].iter().any(|node| node.facts.kind == PatternKind::Opaque) {
        return Err(Refusal::Opaque);
    }
    if from.is_of_weights || to.is_of_weights {
        return Err(Refusal::OfWeights);
    }
    let (of_value, of_reader) = (from.facts.kind, to.facts.kind);
    if of_reader == PatternKind::Anchor && !edge.is_start {
        return prologue(from);
    }
    if of_value == PatternKind::Anchor {
        let follows = of_reader.is_map() && edge.is_pointwise(&to.facts.results);
        return follows.then_some(Rule::Pointwise).ok_or(Refusal::NotPointwise);
    }
    if of_value.is_map() && may_recompute(flow, from, edge, to) {
        return Ok(Rule::Recompute);
    }
    if of_reader.is_map() && edge.is_pointwise(&to.facts.results) {
        return Ok(Rule::Pointwise);
    }
    match edge.shared_loops(&to.facts.results) {
        0 if of_value.is_map() => {
            let readers = from.outputs.len() + usize::from(from.is_output);
            Err(Refusal::Recomputed { operations: from.facts.operations, readers })
        }
        0 => Err(Refusal::NoSharedRows),
        loops => Ok(Rule::Rows(loops)),
    }
}

fn prologue(from: &OpNode) -> Result<Rule, Refusal> {
    let (operations, readers) = (from.facts.operations, from.outputs.len());
    match from.facts.kind.is_map() && operations == 0 {
        true if readers == 1 && !from.is_output => Ok(Rule::Prologue),
        true => Err(Refusal::SharedFactor { readers: readers + usize::from(from.is_output) }),
        false => Err(Refusal::ComputedFactor { operations }),
    }
}

/// True if it is cheaper to compute the value where it is read than to store it.
fn may_recompute(flow: &Dataflow, from: &OpNode, edge: &Edge, to: &OpNode) -> bool {
    let facts = &from.facts;
    let readers = from.outputs.len() + usize::from(from.is_output);
    let is_cheap = facts.functions == 0
        && facts.operations <= FEW_OPERATIONS
        && !facts.is_conditional
        && readers <= MOST_COPIES;
    facts.is_free() || is_cheap || readers == 1 && is_no_larger(flow, edge, from, to)
}

/// True if the reader provably has no more steps than the value has elements.
fn is_no_larger(flow: &Dataflow, edge: &Edge, from: &OpNode, to: &OpNode) -> bool {
    let is_at_most = |reads: Expr, values: Expr| flow.sizes.never_negative(&(values - reads));
    let steps = to.facts.steps().zip(from.facts.steps());
    steps.is_some_and(|(reads, values)| is_at_most(reads, values))
        || edge.is_pointwise(&to.facts.results) && to.facts.reductions.is_empty()
}
