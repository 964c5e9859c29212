//! `prefetch`: fetch what an iteration of a loop will read of a buffer some iterations before.
//!
//! ```text
//! loop.for serial %i in 64 { loop.for serial %j in 32 { .. A[%i, %j] .. } }
//!   ->  prefetch "B:i" buffer "A" distance 2
//! loop.for serial %i in 64 attributes {loop.annotations = {prefetch.A = 2}} { .. }
//! ```
//! Lowering for a CPU begins each iteration of the loop with prefetches of the cells that the iteration `distance` later
//! reads: here of row `%i + 2` of `A`, two lines of a cache of 64 bytes, so two `memref.prefetch`. The cells are those
//! of one iteration with all loops inside; a dimension of more than one line becomes a small loop. What the nest is
//! when it is lowered counts, so loops inside may be split, reordered or vectorized later. Cells beyond the end of the
//! buffer are asked for, too, in the last iterations: a prefetch does nothing then. The interpreter has no caches, and
//! kernels of a GPU hide latency by their threads: a loop that is bound later gets a remark instead.
//!
//! Requires
//! - (C1) a loop whose iterations come one after the other, and in no loop of threads or lanes
//! - (C2) a buffer that a schedule block in it reads
//! - (C3) in global memory
//! - (C4) a distance from 1 to 65536 (default: 1)
//! - (C5) indices that tell which cells are read: not ones that depend on data, nor quotients by a size that may be 0
//! - (C6) other cells in other iterations
//! - (C7) a buffer that the loop does not prefetch yet
//!
//! Names and handles stay. As an annotated loop it is not split or fused any more; `unannotate` with key `prefetch.A`
//! takes it back.

use crate::dialect::annotation;
use crate::ir::{Attribute, Type};
use crate::nest::state::State;
use crate::nest::summary::{NodeId, Summary};
use crate::schedule::error::{PrefetchReason, Reason, ScheduleError};
use crate::schedule::legality::prefetch;
use crate::schedule::legality::prefetch::{KEY, MOST};
use crate::schedule::name;
use crate::schedule::primitive::cache::cache_read::BUFFER;
use crate::schedule::table::{LOOP, Parameter, ParameterKind, Primitive};

pub const PRIMITIVE: Primitive = Primitive {
    name: "prefetch",
    pass: "sched-prefetch",
    summary: "Fetch what an iteration of a loop will read of a buffer some iterations before",
    parameters: &[
        LOOP,
        BUFFER,
        Parameter {
            name: "distance",
            kind: ParameterKind::OptionalInteger,
            summary: "How many iterations before (default: 1)",
        },
    ],
    apply: |state, arguments| {
        let distance = arguments[2].optional_integer().unwrap_or(1);
        prefetch(state, arguments[0].text(), arguments[1].text(), distance).map(|()| vec![])
    },
};

/// Lets loop `target` fetch cells of `buffer` ahead. On an error the IR is unchanged.
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
