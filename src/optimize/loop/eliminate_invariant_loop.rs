//! `eliminate-invariant-loop`: run the body of a loop once if the loop variable is not used.
//!
//! ```text
//! for %t in 4 { for %i { B[i] = A[i] } }    ->    for %i { B[i] = A[i] }
//! for %t in %n { .. }                       ->    loop.if (%n - 1 >= 0) { .. }
//! ```
//! Requires
//! - (C1) the body is idempotent: no schedule block in it reads an element that a schedule block in it writes, unless
//!   an iteration reads only elements that it has written before. A reduction in the body starts and ends there
//! - (C2) the loop is serial or unrolled. (Iterations of loops of other kinds are not ordered)
//!
//! Other loops are unchanged, and so are loops with annotations, and loops that contain a barrier or a call. In a
//! function with loops that are bound to threads, loops at function level are unchanged too, because they are kernels.

use crate::dialect::loop_enums::LoopKind;
use crate::ir::{Error, Op};
use crate::nest::rewriter::Direct;
use crate::nest::summary::NodeId;
use crate::optimize::kind::{Counts, FunctionPass, is_kernel};
use crate::schedule::State;
use crate::schedule::primitive::r#loop::remove_loop;

/// The index of the statistic in the row.
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

/// The first loop whose body can run once instead.
fn invariant(state: &State) -> Option<NodeId> {
    let summary = state.summary();
    summary.nodes.keys().find(|node| {
        summary.as_loop(*node).is_some_and(|this| {
            matches!(this.kind, LoopKind::Serial | LoopKind::Unroll)
                && this.annotations.is_empty()
                && state.variable(this.variable).uses().is_empty()
                && remove_loop::is_idempotent(summary, *node)
                && !is_kernel(state.op(*node))
        })
    })
}
