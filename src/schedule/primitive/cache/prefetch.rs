//! `prefetch`: prefetch what a later iteration of a loop will read of a buffer.
//!
//! ```text
//! loop.for serial %i in 64 { loop.for serial %j in 32 { .. A[%i, %j] .. } }
//!   ->  prefetch "B:i" buffer "A" distance 2
//! loop.for serial %i in 64 attributes {loop.annotations = {prefetch.A = 2}} { .. }
//! ```
//! The CPU lowering starts each iteration of the loop with prefetches of the elements that are read `distance`
//! iterations later. In the example these are two 64-byte cache lines of row `%i + 2` of `A`, so lowering emits two
//! `memref.prefetch`. The elements are those that one iteration reads, including all nested loops. If they span more
//! than 4 cache lines, small loops emit the prefetches. The prefetches are derived from the nest at lowering, so nested
//! loops may be split, reordered or vectorized later. In the last iterations, elements beyond the end of the buffer are
//! prefetched too, which has no effect. A distance of the loop's extent or more prefetches what follows in memory: of packed
//! panels, the next one. What is read within 32 KiB of such reads goes to the first-level cache, and other elements to the
//! second-level cache. The interpreter ignores the annotation. If the loop is part of a GPU kernel,
//! for example because a later step binds a loop in it, lowering emits a remark instead of prefetches, because GPU
//! kernels hide latency with threads.
//!
//! Requires
//! - (C1) the target is a loop whose iterations run in order, and no bound or vectorized loop encloses it
//! - (C2) a schedule block in the loop reads the buffer
//! - (C3) the buffer is in global memory
//! - (C4) the distance is from 1 to 65536 (default: 1)
//! - (C5) the read elements can be computed in advance: the indices do not depend on data, and contain no quotient by a
//!   size that may be 0
//! - (C6) different iterations read different elements
//! - (C7) the loop does not already prefetch the buffer
//!
//! Names and handles stay valid. The loop is now annotated, so it cannot be split or fused any more; `unannotate` with
//! key `prefetch.A` undoes this step.

use crate::dialect::annotation;
use crate::ir::{Attribute, Type};
use crate::nest::state::State;
use crate::nest::summary::{NodeId, Summary};
use crate::schedule::error::{PrefetchReason, Reason, ScheduleError};
use crate::schedule::legality::prefetch;
use crate::schedule::legality::prefetch::{KEY, MOST};
use crate::schedule::name;
use crate::schedule::primitive::declaration::primitive;

primitive! {
    "Prefetch what a loop reads from a buffer some iterations later"
    prefetch(
        r#loop: Loop,
        buffer: Buffer,
        distance: OptionalInteger = "The number of iterations ahead (default: 1)"
    ) -> ();
    near_atomic;
    |state| prefetch(state, r#loop, buffer, distance.unwrap_or(1))
}

/// Makes loop `target` prefetch elements of `buffer`. On an error the IR is unchanged.
pub fn prefetch(
    state: &mut State,
    target: &str,
    buffer: &str,
    distance: i64,
) -> Result<(), ScheduleError> {
    let (node, key) = check(state.summary(), target, buffer, distance)?;
    let distance = Attribute::integer(Type::integer(state.context(), 64), distance);
    annotation::set(state.op(node), &key, Some(distance));
    Ok(())
}

pub fn check(
    summary: &Summary,
    target: &str,
    buffer: &str,
    distance: i64,
) -> Result<(NodeId, String), ScheduleError> {
    let node = name::loop_of(summary, target)?;
    let buffer = name::buffer(summary, buffer, 2)?;
    if !(1..=MOST).contains(&distance) {
        return Err(PrefetchReason::Distance { distance, most: MOST }.at(node, 4));
    }
    prefetch::boxes(summary, node, buffer).map_err(|reason| {
        let condition = match reason {
            PrefetchReason::AtOnce { .. } => 1,
            PrefetchReason::NotRead { .. } => 2,
            PrefetchReason::Near(_) => 3,
            PrefetchReason::Distance { .. } => 4,
            PrefetchReason::Unknown { .. } => 5,
            PrefetchReason::Still { .. } => 6,
        };
        reason.at(node, condition)
    })?;
    let key = format!("{KEY}{}", summary.buffers[buffer].name);
    let this = summary.as_loop(node).expect("a loop");
    match this.annotations.contains(&key) {
        true => Err(Reason::KeyTaken(summary.name(node), key).at(node, 7)),
        false => Ok((node, key)),
    }
}
