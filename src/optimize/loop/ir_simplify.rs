//! `ir-simplify`: simplify index expressions, and remove the conditions, loops and branches that this makes redundant.
//!
//! ```text
//! for %o in 8 { for %i in min(4, 32 - %o * 4) {               for %o in 8 { for %i in 4 {
//!   loop.block [%v] = ((%o * 4 + %i) mod 32)            ->      loop.block [%v] = (%o * 4 + %i)
//!       where(%o * 4 + %i - 31 <= 0) { B[%v floordiv 1] }           { B[%v] }
//! }}                                                          }}
//! ```
//! - Expressions (extents, bindings, conditions, indices) are brought to normal form, with the value intervals of
//!   loops, iters and sizes. A quotient or remainder folds if all values are within one period of the divisor.
//!   Quotients and remainders of one value are combined: `(%x floordiv 4) * 4 + %x mod 4` becomes `%x`.
//! - If the extent of a loop is a minimum, an operand is dropped if another operand is never greater.
//! - Terms of a condition that never decide it are dropped: `4 * %i + %v >= 8` with `%v` in 4 becomes `%i >= 2`, which
//!   has the same value in all lanes of `%v`.
//! - Conditions that always hold are dropped. The body under a condition that never holds is erased, or replaced by
//!   its `else`.
//! - A loop of one iteration is replaced by its body. A loop without iterations is erased, unless it contains a
//!   `loop.init`. Loops that are bound to threads or that have annotations are not removed. In a function with bound
//!   loops, loops and branches at function level that contain several statements are not removed either, because each
//!   is one kernel and would become several.
//! - The pass does not fold casts and logical ops on values; MLIR's `canonicalize` does.

mod expression;
mod structure;

use crate::ir::{Error, Op};
use crate::optimize::kind::{Counts, FunctionPass, on_expressions, on_statements};
use expression::Expressions;
use structure::Structure;

/// The indices of the statistics in the row.
const EXPRESSIONS: usize = 0;
const CONDITIONS: usize = 1;
const LOOPS: usize = 2;
const BRANCHES: usize = 3;

/// See the head of the file.
#[derive(Debug, Default)]
pub struct IrSimplify;

impl FunctionPass for IrSimplify {
    fn run<'c>(&mut self, function: Op<'c>, counts: &mut Counts) -> Result<(), Error<'c>> {
        // A removed loop makes expressions simpler, and simpler expressions make extents simpler. The iteration ends,
        // because the number of loops, branches and conditions is finite.
        loop {
            on_expressions(&mut Expressions, function, counts)?;
            let mut less = Counts::default();
            on_statements(&mut Structure, function, &mut less)?;
            if less.is_empty() {
                return Ok(());
            }
            counts.join(&less);
        }
    }
}
