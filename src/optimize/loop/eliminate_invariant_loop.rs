//! `eliminate-invariant-loop`: a loop whose variable is not used runs its body once.
//!
//! ```text
//! for %t in 4 { for %i { B[i] = A[i] } }    ->    for %i { B[i] = A[i] }
//! for %t in %n { .. }                       ->    loop.if (%n - 1 >= 0) { .. }
//! ```
//! Requires
//! - that to run the body again changes nothing: no schedule block in it reads what one in it writes, unless
//!   an iteration reads only what it has written before; a reduction starts and ends in the body;
//! - a loop that runs in order, or is unrolled. (Iterations that run at once may not write the same cells.)
//!
//! Other loops stay as they are, also those with annotations, a barrier or a call in them, and those at function
//! level where loops are bound to threads: they are a kernel.

use crate::dialect::loop_enums::LoopKind;
use crate::ir::{Error, Op};
use crate::nest::rewriter::Direct;
use crate::nest::summary::NodeId;
use crate::optimize::kind::{Counts, FunctionPass, is_kernel};
use crate::schedule::State;
use crate::schedule::primitive::r#loop::remove_loop;

/// The place of the statistic in the row.
const LOOPS: usize = 0;

/// See the head of the file.
#[derive(Debug, Default)]
pub struct EliminateInvariantLoop;

impl FunctionPass for EliminateInvariantLoop {
    fn run<'c>(&mut self, function: Op<'c>, counts: &mut Counts) -> Result<(), Error<'c>> {
        let mut state = State::new(function, Box::new(Direct))?;
        while let Some(node) = invariant(&state) {
            remove_loop::rewrite(&mut state, node);
            counts.add(LOOPS, 1);
            state.refresh()?;
        }
        Ok(())
    }
}

/// The first loop that may run once.
fn invariant(state: &State) -> Option<NodeId> {
    let summary = state.summary();
    (0..summary.nodes.len()).find(|node| {
        summary.as_loop(*node).is_some_and(|this| {
            matches!(this.kind, LoopKind::Serial | LoopKind::Unroll)
                && this.annotations.is_empty()
                && state.variable(this.variable).uses().is_empty()
                && remove_loop::is_idempotent(summary, *node)
                && !is_kernel(state.op(*node))
        })
    })
}
