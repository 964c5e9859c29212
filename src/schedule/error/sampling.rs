//! Why a decision cannot be sampled, or is not one.

use super::{Reason, ScheduleError};
use crate::nest::summary::NodeId;

/// What was found and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SamplingReason {
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
}

impl SamplingReason {
    /// A refusal because condition (C`condition`) does not hold at a node.
    pub fn at(self, node: NodeId, condition: u8) -> ScheduleError {
        Reason::Sampling(self).at(node, condition)
    }
}
