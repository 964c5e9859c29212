//! Why a call of a schedule with parameters is refused.

use super::{Reason, ScheduleError};
use crate::nest::summary::NodeId;

/// What was found and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LibraryReason {
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
}

impl LibraryReason {
    /// A refusal because condition (C`condition`) does not hold at a node.
    pub fn at(self, node: NodeId, condition: u8) -> ScheduleError {
        Reason::Library(self).at(node, condition)
    }
}
