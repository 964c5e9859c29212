//! Why updates cannot be made atomic, or why a step after that is refused.

use super::{Reason, ScheduleError};
use crate::nest::summary::NodeId;

/// What was found and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AtomicReason {
    #[error("schedule block \"{0}\" gives start values: use decompose_reduction first")]
    Starts(String),
    #[error(
        "schedule block \"{block}\" does not update each cell by one load, one op and one store: {why}"
    )]
    NotSingle { block: String, why: String },
    #[error("\"atomic\" is not a key for annotate: use the step \"atomic\"")]
    Key,
    #[error("the updates of schedule block \"{0}\" are atomic already")]
    Already(String),
    #[error(
        "loop \"{name}\" is a cross-thread reduction of schedule block \"{block}\": bind the loop after this step"
    )]
    Together { block: String, name: String },
    #[error(
        "atomic updates of schedule block \"{block}\" in this nest run concurrently: apply this step before parallel and bind"
    )]
    AtOnce { block: String },
}

impl AtomicReason {
    /// A refusal because condition (C`condition`) does not hold at a node.
    pub fn at(self, node: NodeId, condition: u8) -> ScheduleError {
        Reason::Atomic(self).at(node, condition)
    }
}
