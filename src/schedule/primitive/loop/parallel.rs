//! `parallel`: run the iterations of a loop in parallel on CPU threads.
//!
//! ```text
//! loop.for serial %i in 32 { .. }   ->  parallel "B:i"   loop.for parallel %i in 32 { .. }
//! ```
//! Requires
//! - (C1) the target is a loop
//! - (C2) the loop is serial
//! - (C3) the iterations are proved independent, except for accesses to buffers of which each iteration has its own
//!   instance: see [`src/schedule/legality/exact.rs`](crate::schedule::legality::exact)
//! - (C4) the loop contains no barrier
//! - (C5) the loop accesses no buffer of scope `local`, unless each iteration reads only elements that it has written,
//!   because each iteration gets its own instance of the buffer
//! - (C6) the lanes of enclosing vectorized loops can still run as one vector: see (C8) of `vectorize`
//!
//! Parallel loops may be nested. The iterations of the outermost parallel loop are distributed over threads. Parallel
//! loops nested in it run sequentially on the thread of the iteration.

use crate::dialect::loop_enums::{LoopKind, Scope};
use crate::dialect::loop_op::For;
use crate::nest::facts::scope;
use crate::nest::state::State;
use crate::nest::summary::{NodeId, NodeKind, Summary};
use crate::schedule::error::ScheduleError;
use crate::schedule::legality::form::serial;
use crate::schedule::legality::proof::Proofs;
use crate::schedule::legality::{exact, lanes, quick};
use crate::schedule::name;
use crate::schedule::primitive::declaration::primitive;

primitive! {
    "Run the iterations of a loop on CPU threads"
    parallel(r#loop: Loop; proof) -> ();
    near_atomic;
    |state| parallel(state, r#loop, proof)
}

/// Makes `target` parallel. On an error the IR is unchanged.
pub fn parallel(state: &mut State, target: &str, proofs: &mut Proofs) -> Result<(), ScheduleError> {
    let node = check(state.summary(), target, proofs)?;
    For::set_kind(state.op(node), LoopKind::Parallel, None);
    Ok(())
}

pub fn check(
    summary: &Summary,
    target: &str,
    proofs: &mut Proofs,
) -> Result<NodeId, ScheduleError> {
    let node = name::loop_of(summary, target)?;
    serial(summary, node, 2)?;
    let is_private = |scope: Scope| scope == Scope::Local;
    let shared = scope::without_own(summary, node, &is_private);
    proofs.settle(quick::check_unordered_within(&shared, node, 3), || {
        exact::check_concurrent(&shared, node)
    })?;
    quick::check_no_barrier(summary, node, 4)?;
    quick::check_scopes(summary, node, &|_, scope| is_private(scope), 5)?;
    if lanes::is_in_vectorized(summary, node) {
        let mut after = summary.clone();
        if let NodeKind::Loop(this) = &mut after.nodes[node].kind {
            this.kind = LoopKind::Parallel;
        }
        lanes::check_around(&after, node, 6)?;
    }
    Ok(node)
}
