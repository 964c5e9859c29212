//! Why a call of a schedule with parameters is refused.

/// What was found and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LibraryReason {
    /// No schedule has this name.
    #[error("there is no schedule @{name}, there are {present}")]
    NoSchedule {
        /// The name.
        name: String,
        /// The names of the schedules, separated by commas.
        present: String,
    },
    /// The schedule has no such parameter.
    #[error("schedule @{schedule} has no parameter \"{name}\", it has {present}")]
    NoParameter {
        /// The name of the schedule.
        schedule: String,
        /// The name of the parameter.
        name: String,
        /// The parameters, separated by commas.
        present: String,
    },
    /// A parameter without default value is not given.
    #[error("schedule @{schedule} needs a value for its parameter \"{name}\"")]
    NotGiven {
        /// The name of the schedule.
        schedule: String,
        /// The name of the parameter.
        name: String,
    },
    /// An op of the schedule is not a step on its handle.
    #[error(
        "schedule @{schedule} holds '{op}', expected steps on its one handle, with the names of their targets"
    )]
    NoStep {
        /// The name of the schedule.
        schedule: String,
        /// The name of the op.
        op: String,
    },
    /// An attribute of the schedule has the wrong form.
    #[error("schedule @{schedule} has '{attribute}', expected {expected} in it")]
    BadDeclaration {
        /// The name of the schedule.
        schedule: String,
        /// The name of the attribute.
        attribute: &'static str,
        /// The expected form, in words.
        expected: &'static str,
    },
    /// A value is not a number, boolean or text.
    #[error(
        "parameter \"{name}\" of schedule @{schedule} has a value that is not a number, boolean or text"
    )]
    BadValue {
        /// The name of the schedule.
        schedule: String,
        /// The name of the parameter.
        name: String,
    },
    /// Schedules call each other too deeply.
    #[error("schedules call each other more than {limit} deep, at @{name}")]
    DeepCalls {
        /// The name of the schedule that would be called.
        name: String,
        /// The maximum depth.
        limit: usize,
    },
    /// The text is not a condition.
    #[error("\"{0}\" is not a condition, expected one such as \"C:j is multiple of 16\"")]
    NoCondition(String),
    /// The condition is not for a target of this kind; the name of the target.
    #[error(
        "this condition does not apply to \"{0}\": it is about loops only, or about schedule blocks only"
    )]
    NotAsked(String),
    /// A condition of the schedule does not hold.
    #[error("schedule @{schedule} {when} \"{condition}\", but {found}")]
    NotMet {
        /// The name of the schedule.
        schedule: String,
        /// "requires" or "ensures".
        when: &'static str,
        /// The condition, as text.
        condition: String,
        /// What holds instead, in words.
        found: String,
    },
}
