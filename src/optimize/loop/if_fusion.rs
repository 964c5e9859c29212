//! `if-fusion`: merge consecutive branches on the same condition into one branch.
//!
//! ```text
//! loop.if (%i - 7 >= 0) { a }
//! loop.if (%i - 7 >= 0) { b } else { c }    ->    loop.if (%i - 7 >= 0) { a b } else { c }
//! ```
//! Conditions depend on loop variables, block iters and sizes only, which no op in a branch changes. Between the two
//! branches there may be only ops that do not access memory. The merged branch takes the position of the second one. In
//! a function with loops that are bound to threads, branches at function level are not merged: each is a kernel, and a
//! kernel begins only after all threads of the previous one have ended.

use crate::dialect::loop_op::If;
use crate::ir::{Block, Error, Op};
use crate::nest::edit::move_ops_before;
use crate::optimize::kind::{BlockPass, Counts, is_kernel};

/// The index of the statistic in the row.
const FUSED: usize = 0;

/// See the head of the file.
#[derive(Debug, Default)]
pub struct IfFusion;

impl BlockPass for IfFusion {
    fn run<'c>(&mut self, block: Block<'c>, counts: &mut Counts) -> Result<(), Error<'c>> {
        let mut before: Option<Op<'c>> = None;
        for op in block.ops() {
            if op.is(If::NAME) && op.results().is_empty() {
                if let Some(first) = before
                    && fuse(first, op)?
                {
                    counts.add(FUSED, 1);
                }
                before = Some(op);
            } else if !(op.has_no_effects() && op.regions().is_empty()) {
                before = None;
            }
        }
        Ok(())
    }
}

/// Moves the ops of the first branch into the second, if both have the same condition.
fn fuse<'c>(first: Op<'c>, second: Op<'c>) -> Result<bool, Error<'c>> {
    let (a, b) = (If::of(first)?, If::of(second)?);
    if a.condition != b.condition || a.operands != b.operands || is_kernel(second) {
        return Ok(false);
    }
    let prepend = |from: Block<'c>, to: Block<'c>| {
        move_ops_before(from, to.first_op().expect("a branch ends in a yield"));
    };
    prepend(a.then_body, b.then_body);
    match (a.else_body, b.else_body) {
        (Some(from), Some(to)) => prepend(from, to),
        (Some(_), None) => second.regions()[1].take_body(first.regions()[1]),
        (None, _) => {}
    }
    first.erase();
    Ok(true)
}
