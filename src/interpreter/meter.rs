//! Counts the steps of a run, and ends a run that exceeds its limit.
//!
//! A step is about one execution of an op: one for an op of a function, four for a point of a structured op, eight for
//! an iteration of a nest. The count depends only on the IR and the arguments, not on the machine.

use crate::ir::{Error, Op};
use std::cell::Cell;

/// The approximate steps for a point of a structured op.
pub const POINT: u64 = 4;

/// The approximate steps for an iteration of a loop nest.
pub const ITERATION: u64 = 8;

thread_local! {
    /// The number of steps left; `None` if there is no limit.
    static LEFT: Cell<Option<u64>> = const { Cell::new(None) };
}

/// Runs `run` with at most `limit` steps; returns its result and the number of steps taken.
pub fn limited<T>(limit: u64, run: impl FnOnce() -> T) -> (T, u64) {
    LEFT.set(Some(limit));
    let result = run();
    let left = LEFT.take().unwrap_or(0);
    (result, limit - left)
}

/// Counts `steps` that `op` is about to take.
pub fn spend(op: Op<'_>, steps: u64) -> Result<(), Error<'_>> {
    let Some(left) = LEFT.get() else { return Ok(()) };
    match left.checked_sub(steps) {
        Some(rest) => {
            LEFT.set(Some(rest));
            Ok(())
        }
        None => {
            LEFT.set(Some(0));
            Err(Error::beyond(op, "needs more steps than the limit allows"))
        }
    }
}
