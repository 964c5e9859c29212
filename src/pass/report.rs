//! What rows of passes share: reporting errors, and statistics.

use crate::ffi::pass::PassStatistic;
use crate::ir::Error;

/// The statistics of passes that lay out memory.
pub(super) const MEMORY: &[PassStatistic] = &[
    PassStatistic { name: "buffers", summary: "Buffers merged into one" },
    PassStatistic { name: "bytes", summary: "Bytes saved" },
];

/// Reports an error as a diagnostic.
pub(super) fn report<'c, T>(outcome: Result<T, Error<'c>>) -> Result<T, ()> {
    outcome.map_err(|error: Error<'c>| error.emit())
}
