//! A copy of an op that nobody else has.

use super::{Op, parents};

/// A deep copy, in no block, that goes away with its owner.
pub struct Copied<'c>(Op<'c>);

impl<'c> Copied<'c> {
    pub fn of(op: Op<'c>) -> Copied<'c> {
        Copied(op.clone_mapped(&[]))
    }

    /// The copy. Do not use the handle after its owner is gone.
    pub fn op(&self) -> Op<'c> {
        self.0
    }
}

impl Drop for Copied<'_> {
    fn drop(&mut self) {
        self.0.erase();
    }
}

/// The op that holds a function with all that it may call: the one around it, or itself.
pub fn top_of(function: Op) -> Op {
    parents(function).next().unwrap_or(function)
}
