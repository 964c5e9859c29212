//! `software_pipeline`: overlap the statements of consecutive loop iterations (software pipelining).
//!
//! ```text
//! for %i in 16 {
//!   loop.block "S" { T[j] = A[%i, j] }
//!   loop.block "U" { B[%i, j] = T[j] + 1 }
//! }
//!   ->  software_pipeline "S:i" stages [0, 1] order [0, 1]
//! loop.block "S.prologue" { T[0, j] = A[0, j] }
//! for %i in 15 {
//!   loop.block "S" { T[(%i + 1) mod 2, j] = A[%i + 1, j] }
//!   loop.block "U" { B[%i, j] = T[%i mod 2, j] + 1 }
//! }
//! loop.block "U.epilogue" { B[15, j] = T[1, j] + 1 }
//! ```
//! `stages` has one number for each statement of the body, except barriers: the number of iterations by which the
//! statement runs behind the first stage. `order` has the position of each statement in the new body. Buffers between
//! statements of different stages get one copy for each iteration in flight. If the body had barriers, the new body has
//! one at the end of each iteration, and one between statements of it that conflict. If the extent may be less than the
//! last stage, the original loop is kept, too, and a condition selects one of the two at run time. This is also done if
//! the extent may equal the last stage and a statement of the last stage starts a reduction over the loop. The schedule
//! blocks of the original loop are then named `S.fallback`.
//!
//! Requires
//! - (C1) the target is a loop, and there is one stage and one position for each statement in it
//! - (C2) stages are from 0 to 8, and one of them is 0; each position is used once
//! - (C3) the loop is serial, its extent is one expression, and the loop is not a kernel; a constant extent is greater
//!   than the last stage
//! - (C4) if the loop contains barriers, no loop of a `threadIdx` or `vthread` axis encloses it
//! - (C5) if a reduce iter of a block with `loop.init` is bound to the loop, no other iter of the block is bound to it,
//!   and the reduction starts in the first iteration
//! - (C6) instances that access the same element keep their order: see
//!   [`src/schedule/legality/exact.rs`](crate::schedule::legality::exact). For this check, a buffer has one copy for
//!   each iteration in flight if each iteration reads only elements of it that it has written. Exceptions are arguments
//!   of the function, and buffers that are accessed in a schedule block nested in another schedule block of the loop
//!
//! The loop and the statements in it keep their names and handles.

use crate::nest::state::State;
use crate::nest::summary::Summary;
use crate::schedule::error::{Reason, ScheduleError};
use crate::schedule::legality::proof::Proofs;
use crate::schedule::name;
use crate::schedule::primitive::declaration::primitive;
use crate::schedule::rewrite::pipelining;
use crate::schedule::rewrite::pipelining::{Plan, Stages, statements};

primitive! {
    "Overlap the statements of different iterations of a loop"
    software_pipeline(
        r#loop: Loop,
        stages: Integers = "The number of iterations by which each statement is behind the first stage",
        order: Integers = "The position of each statement in the new body, from 0 on";
        proof
    ) -> ();
    |state| software_pipeline(state, r#loop, (stages, order), proof)
}

/// Pipelines the statements of `target`. On an error the IR is unchanged.
pub fn software_pipeline(
    state: &mut State,
    target: &str,
    (stages, order): (&[i64], &[i64]),
    proofs: &mut Proofs,
) -> Result<(), ScheduleError> {
    let plan = check(state.summary(), target, (stages, order), proofs)?;
    pipelining::apply(state, &plan).expect("the nest was verified");
    Ok(())
}

pub fn check(
    summary: &Summary,
    target: &str,
    (stages, order): (&[i64], &[i64]),
    proofs: &mut Proofs,
) -> Result<Plan, ScheduleError> {
    let node = name::loop_of(summary, target)?;
    let this = summary.as_loop(node).expect("a loop");
    let refused = |why: String, condition| {
        Reason::NoPipeline { name: this.name.clone(), why }.at(node, condition)
    };
    let n = statements(summary, node).len();
    for (numbers, what) in [(stages, "stages"), (order, "places")] {
        if numbers.len() != n {
            let found = numbers.len();
            let why = format!("found {found} {what}, expected one for each of the {n} statements");
            return Err(refused(why, 1));
        }
    }
    let stages =
        Stages::new(stages.to_vec(), order).map_err(|why| refused(format!("found {why}"), 2))?;
    pipelining::check_runs(summary, node, &stages)?;
    pipelining::check(summary, node, stages, proofs)
}
