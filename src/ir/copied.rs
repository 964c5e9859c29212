//! A copy of an op that nobody else has.

use super::{Block, Op, OpSpec, Region, parents};

/// A deep copy, in no block, that goes away with its owner.
pub struct Copied<'c>(Op<'c>);

impl<'c> Copied<'c> {
    pub fn of(op: Op<'c>) -> Copied<'c> {
        Copied(op.clone_mapped(&[]))
    }

    /// The module of a function, with all that it may call; of one that is in none, as in a transform
    /// script's alternatives, a module with it alone.
    pub fn module_of(function: Op<'c>) -> Copied<'c> {
        if let Some(module) = parents(function).next() {
            return Copied::of(module);
        }
        let body = Block::new(&[]);
        body.append(function.clone_mapped(&[]));
        let spec = OpSpec::new("builtin.module", function.location()).region(Region::of(body));
        Copied(spec.create().expect("modules are known to all contexts"))
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
