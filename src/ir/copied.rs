//! An owned deep copy of an op.

use super::{Block, Op, OpSpec, Region, parents};

/// A deep copy, in no block, that is erased when it is dropped.
pub struct CopiedOp<'c>(Op<'c>);

impl<'c> CopiedOp<'c> {
    /// Copies an op and all that is nested in it.
    pub fn of(op: Op<'c>) -> CopiedOp<'c> {
        CopiedOp(op.clone_mapped(&[]))
    }

    /// A copy of the module of a function, with all functions that it may call. For a function in no module, as in a
    /// transform script's alternatives, a module with the function alone.
    pub fn module_of(function: Op<'c>) -> CopiedOp<'c> {
        if let Some(module) = parents(function).next() {
            return CopiedOp::of(module);
        }
        let body = Block::new(&[]);
        body.append(function.clone_mapped(&[]));
        let spec = OpSpec::new("builtin.module", function.location()).region(Region::of(body));
        CopiedOp(spec.create().expect("modules are known to all contexts"))
    }

    /// The copy. Do not use the handle after its owner is dropped.
    pub fn op(&self) -> Op<'c> {
        self.0
    }
}

impl Drop for CopiedOp<'_> {
    fn drop(&mut self) {
        self.0.erase();
    }
}
