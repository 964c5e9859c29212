//! The blocks to which a branch leads.

use super::{Block, Op};
use mlir_sys::*;

impl<'c> Op<'c> {
    /// The blocks to which a terminator branches.
    pub fn successors(self) -> Vec<Block<'c>> {
        let raw = self.to_raw();
        // SAFETY: the op is live, and the numbers are below MLIR's own count.
        unsafe {
            let block = |i| Block::from_raw(mlirOperationGetSuccessor(raw, i));
            (0..mlirOperationGetNumSuccessors(raw)).map(block).collect()
        }
    }
}
