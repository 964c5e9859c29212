//! Why updates cannot be made atomic, or why a step after that is refused.

/// What was found and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AtomicReason {
    /// The schedule block has a `loop.init`; its name.
    #[error("schedule block \"{0}\" gives start values: use decompose_reduction first")]
    Starts(String),
    /// An update does not have the form of an atomic operation.
    #[error(
        "schedule block \"{block}\" does not update each cell by one load, one op and one store: {why}"
    )]
    NotSingle {
        /// The name of the schedule block.
        block: String,
        /// The reason, in words.
        why: String,
    },
    /// The key `atomic` is reserved for the step `atomic`.
    #[error("\"atomic\" is not a key for annotate: use the step \"atomic\"")]
    Key,
    /// The updates are atomic already; the name of the schedule block.
    #[error("the updates of schedule block \"{0}\" are atomic already")]
    Already(String),
    /// The loop is a cross-thread reduction of the schedule block.
    #[error(
        "loop \"{name}\" is a cross-thread reduction of schedule block \"{block}\": bind the loop after this step"
    )]
    Together {
        /// The name of the schedule block.
        block: String,
        /// The name of the loop.
        name: String,
    },
    /// The step would change loops near concurrent atomic updates.
    #[error(
        "atomic updates of schedule block \"{block}\" in this nest run concurrently: apply this step before parallel and bind"
    )]
    AtOnce {
        /// The name of the schedule block.
        block: String,
    },
}
