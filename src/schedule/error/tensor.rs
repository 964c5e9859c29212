//! Why a primitive that tensorizes a nest refuses: `blockize` and what builds on it.

use super::{Reason, ScheduleError};
use crate::nest::summary::NodeId;

/// What was found and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TensorReason {
    #[error("loop \"{0}\" around is vectorized: its lanes would run a nest")]
    LanesAround(String),
    #[error("schedule block \"{block}\" reduces across the threads of loop \"{name}\"")]
    AcrossThreads { block: String, name: String },
    #[error(
        "what {what} mixes loops inside and outside: {expr}, expected a sum of terms over either"
    )]
    Mixed { what: String, expr: String },
    #[error(
        "iter \"{iter}\" of schedule block \"{block}\" is bound to {outer} outside and {inner} inside: cannot prove that the inner part stays below the stride of the outer part"
    )]
    NotDivided { block: String, iter: String, outer: String, inner: String },
    #[error(
        "the number of values of {expr} is not known, from which the outer iter \"{iter}\" of schedule block \"{block}\" is made"
    )]
    NoDomain { block: String, iter: String, expr: String },
    #[error(
        "schedule block \"{block}\" gives start values inside, and loop \"{name}\" outside, which it reduces over, may not run: use decompose_reduction first"
    )]
    StartInside { block: String, name: String },
    #[error("schedule block \"{block}\" is not an einsum: {why}")]
    NoEinsum { block: String, why: String },
    #[error("found {found} factors, schedule block \"{block}\" has {iters} iters")]
    FactorCount { block: String, found: usize, iters: usize },
    #[error(
        "iter \"{iter}\" of schedule block \"{block}\" is bound to {bound}, expected a loop of its own that runs over its domain"
    )]
    NotRunOver { block: String, iter: String, bound: String },
    #[error("loop \"{name}\" is bound to no iter of schedule block \"{block}\"")]
    NotAxis { block: String, name: String },
    #[error(
        "found no padding values for the reads of schedule block \"{block}\" that leave its reduction unchanged, whatever else it reads"
    )]
    NotNeutral { block: String },
    #[error("there is no intrinsic \"{0}\", expected one of {1}")]
    NoIntrinsic(String, String),
    #[error("\"{name}\" is not {intrinsic}: {why}")]
    NoMatch { name: String, intrinsic: String, why: String },
}

impl TensorReason {
    /// A refusal because condition (C`condition`) does not hold at a node.
    pub fn at(self, node: NodeId, condition: u8) -> ScheduleError {
        Reason::Tensor(self).at(node, condition)
    }
}
