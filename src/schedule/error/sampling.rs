//! Why a decision cannot be sampled, or is not one.

/// What was found and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SamplingReason {
    /// The text is not the name of a decision.
    #[error("\"{0}\" is not a decision name: expected letters, digits, '_' and '.'")]
    NoDecisionName(String),
    /// A decision has this name already.
    #[error("there is a decision \"{0}\" already")]
    DecisionTaken(String),
    /// No decision has this name.
    #[error("there is no decision \"{name}\": {present}")]
    NoDecision {
        /// The name.
        name: String,
        /// The names of the decisions, or "there is none".
        present: String,
    },
    /// The value of a decision does not fit the parameter.
    #[error("\"{found}\" is not what '{parameter}' takes: expected {expected}")]
    UnfitDecision {
        /// The name of the parameter.
        parameter: &'static str,
        /// The value.
        found: String,
        /// The expected kind of value, in words.
        expected: &'static str,
    },
    /// The extent has no such factors.
    #[error(
        "extent {extent} is not a product of {parts} factors of which the last is at most {innermost}"
    )]
    NoTiles {
        /// The extent of the loop.
        extent: i64,
        /// The number of factors.
        parts: i64,
        /// The maximum of the last factor.
        innermost: i64,
    },
    /// The stated decision is not in the set of decisions.
    #[error(
        "{decided} is not a decision: expected {parts} factors with the product {extent} of which the last is at most {innermost}"
    )]
    NoSuchTile {
        /// The stated factors.
        decided: String,
        /// The extent of the loop.
        extent: i64,
        /// The number of factors.
        parts: i64,
        /// The maximum of the last factor.
        innermost: i64,
    },
    /// There are no tiles with these limits.
    #[error(
        "found {parts} parts and a largest last factor of {innermost}, expected 2 to 16 parts and a factor of 1 or more"
    )]
    NoTileLimits {
        /// The number of factors.
        parts: i64,
        /// The maximum of the last factor.
        innermost: i64,
    },
    /// The stated decision is not in the set of decisions.
    #[error("{decided} is not a decision: expected {expected}")]
    NoSuchTailedTile {
        /// The stated factors.
        decided: String,
        /// The set, in words.
        expected: String,
    },
    /// There is nothing to choose from; the reason.
    #[error("cannot sample: {0}")]
    NoCandidates(&'static str),
    /// The stated decision is not a candidate.
    #[error("{decided} is not a decision: expected one of {candidates}")]
    NoSuchCandidate {
        /// The stated decision.
        decided: i64,
        /// The candidates, separated by commas.
        candidates: String,
    },
    /// The schedule block cannot be computed at any loop; its name.
    #[error("there is no loop to which compute_at would move schedule block \"{0}\"")]
    NoComputeLocation(String),
    /// The stated decision is not one of the loops.
    #[error("\"{decided}\" is not a decision: expected one of {places}")]
    NotAComputeLocation {
        /// The stated decision.
        decided: String,
        /// The possible decisions, separated by commas.
        places: String,
    },
}
