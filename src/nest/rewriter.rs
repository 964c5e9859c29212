//! Who must hear of a change to the IR.
//!
//! Primitives mutate ops in place and move them; only that an op goes away, or becomes another, concerns
//! anybody who holds handles to it: the transform interpreter does, a pass or a Rust caller does not.

use crate::ir::Op;

/// Hears of ops that go away.
pub trait Rewriter<'c> {
    /// Whoever refers to `from` refers to `to` from here on. Call it before `from` is erased.
    fn replaced(&mut self, from: Op<'c>, to: Op<'c>);

    /// Erases an op and all that is in it; its results have no uses.
    fn erase(&mut self, op: Op<'c>);
}

/// Nobody holds handles.
#[derive(Clone, Copy, Debug, Default)]
pub struct Direct;

impl<'c> Rewriter<'c> for Direct {
    fn replaced(&mut self, _: Op<'c>, _: Op<'c>) {}

    fn erase(&mut self, op: Op<'c>) {
        op.erase();
    }
}
