//! Why a prefetch is refused.

use super::{Reason, ScheduleError};
use crate::nest::summary::NodeId;

/// What was found and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PrefetchReason {
    #[error(
        "iterations of loop \"{name}\" run concurrently, expected a loop whose iterations run one after the other, and in no loop of threads or lanes"
    )]
    AtOnce { name: String },
    #[error("no schedule block in loop \"{name}\" reads \"{buffer}\"")]
    NotRead { buffer: String, name: String },
    #[error("\"{0}\" is not in global memory: only global memory needs a prefetch")]
    Near(String),
    #[error("found distance {distance}, expected 1 to {most}")]
    Distance { distance: i64, most: i64 },
    #[error(
        "it is not known which cells of \"{buffer}\" schedule block \"{block}\" reads in an iteration"
    )]
    Unknown { buffer: String, block: String },
    #[error("each iteration of loop \"{name}\" reads the same cells of \"{buffer}\"")]
    Still { buffer: String, name: String },
}

impl PrefetchReason {
    /// A refusal because condition (C`condition`) does not hold at a node.
    pub fn at(self, node: NodeId, condition: u8) -> ScheduleError {
        Reason::Prefetch(self).at(node, condition)
    }
}
