//! Counts the steps of a run, and ends one that takes too many.
//!
//! A step is about an op that runs once: an op of a function, four at a point of a structured op, eight in
//! an iteration of a nest. The count depends on the IR and the arguments alone, not on the machine.

use crate::ir::{Error, Op};
use std::cell::Cell;

/// At a point of a structured op, about.
pub const POINT: u64 = 4;

/// In an iteration of a loop nest, about.
pub const ITERATION: u64 = 8;

thread_local! {
    /// How many steps are left; without a limit, `None`.
    static LEFT: Cell<Option<u64>> = const { Cell::new(None) };
}

/// Runs something that may take no more than `limit` steps; gives its result, and how many it took.
pub fn limited<T>(limit: u64, run: impl FnOnce() -> T) -> (T, u64) {
    LEFT.set(Some(limit));
    let result = run();
    let left = LEFT.take().unwrap_or(0);
    (result, limit - left)
}

/// Counts steps that `op` is about to take.
pub fn spend(op: Op<'_>, steps: u64) -> Result<(), Error<'_>> {
    let Some(left) = LEFT.get() else { return Ok(()) };
    match left.checked_sub(steps) {
        Some(rest) => {
            LEFT.set(Some(rest));
            Ok(())
        }
        None => {
            LEFT.set(Some(0));
            Err(Error::beyond(op, "takes more steps than the limit allows"))
        }
    }
}
