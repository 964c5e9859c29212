//! `ir-simplify`: expressions in their shortest form, and what they show to be superfluous.
//!
//! ```text
//! for %o in 8 { for %i in min(4, 32 - %o * 4) {               for %o in 8 { for %i in 4 {
//!   loop.block [%v] = ((%o * 4 + %i) mod 32)            ->      loop.block [%v] = (%o * 4 + %i)
//!       where(%o * 4 + %i - 31 <= 0) { B[%v floordiv 1] }           { B[%v] }
//! }}                                                          }}
//! ```
//! - Expressions (extents, bindings, conditions, indices) take their normal form within the intervals of
//!   loops, iters and sizes: quotients and remainders of what lies in one period go, those by the factors of a
//!   split become what was split.
//! - Of the extents of a loop, and of the domains, none stays that another one is never above.
//! - Conditions lose what is too small to matter: `4 * %i + %v >= 8` with `%v` in 4 is `%i >= 2`, the same for all lanes.
//! - Conditions that always hold go; what stands under one that never does goes, or gives way to its `else`.
//! - A loop of one iteration becomes its body; one of none goes away, unless it has the start of a reduction
//!   in it. Loops that are bound to threads or that have annotations stay. At function level, where another
//!   loop is bound, so do those of several statements: they are a kernel, and would become several.
//! - Casts, and logic on values, are MLIR's `canonicalize`.

mod expression;
mod structure;

use crate::ir::{Error, Op};
use crate::optimize::kind::{Counts, FunctionPass, on_expressions, on_statements};
use expression::Expressions;
use structure::Structure;

/// The places of the statistics in the row.
const EXPRESSIONS: usize = 0;
const CONDITIONS: usize = 1;
const LOOPS: usize = 2;
const BRANCHES: usize = 3;

/// See the head of the file.
#[derive(Debug, Default)]
pub struct IrSimplify;

impl FunctionPass for IrSimplify {
    fn run<'c>(&mut self, function: Op<'c>, counts: &mut Counts) -> Result<(), Error<'c>> {
        // Each loop that goes away makes expressions simpler, and they in turn extents. There are only so many
        // loops, branches and conditions.
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
