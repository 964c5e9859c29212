//! Why a prefetch is refused.

/// What was found and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PrefetchReason {
    /// The iterations of the loop, or of a loop around it, run concurrently.
    #[error(
        "iterations of loop \"{name}\" run concurrently, expected a loop whose iterations run one after the other, and in no loop of threads or lanes"
    )]
    AtOnce {
        /// The name of the loop.
        name: String,
    },
    /// No schedule block in the loop reads the buffer.
    #[error("no schedule block in loop \"{name}\" reads \"{buffer}\"")]
    NotRead {
        /// The name of the buffer.
        buffer: String,
        /// The name of the loop.
        name: String,
    },
    /// The buffer is not in global memory; its name.
    #[error("\"{0}\" is not in global memory: only global memory needs a prefetch")]
    Near(String),
    /// The distance is out of range.
    #[error("found distance {distance}, expected 1 to {most}")]
    Distance {
        /// The distance, in iterations.
        distance: i64,
        /// The maximum.
        most: i64,
    },
    /// It is not known which elements an iteration reads.
    #[error(
        "it is not known which cells of \"{buffer}\" schedule block \"{block}\" reads in an iteration"
    )]
    Unknown {
        /// The name of the buffer.
        buffer: String,
        /// The name of the schedule block.
        block: String,
    },
    /// All iterations read the same elements.
    #[error("each iteration of loop \"{name}\" reads the same cells of \"{buffer}\"")]
    Still {
        /// The name of the buffer.
        buffer: String,
        /// The name of the loop.
        name: String,
    },
}
