//! Listener for IR changes that invalidate handles.
//!
//! Primitives change and move ops in place. Only the erasure or replacement of an op concerns holders of
//! handles. The transform interpreter holds handles; a pass or a Rust caller does not.

use crate::ir::Op;

/// Is notified of ops that are erased or replaced.
pub trait Rewriter<'c> {
    /// Redirects all handles of `from` to `to`. Call it before `from` is erased.
    fn replaced(&mut self, from: Op<'c>, to: Op<'c>);

    /// Erases an op and all ops in it; its results must have no uses.
    fn erase(&mut self, op: Op<'c>);
}

/// For callers without handles.
#[derive(Clone, Copy, Debug, Default)]
pub struct Direct;

impl<'c> Rewriter<'c> for Direct {
    fn replaced(&mut self, _: Op<'c>, _: Op<'c>) {}

    fn erase(&mut self, op: Op<'c>) {
        op.erase();
    }
}
