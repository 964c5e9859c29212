//! `unroll`: write out the iterations of a loop.
//!
//! ```text
//! loop.for serial %j in 2 { .. }   ->  unroll "B:j"   loop.for unroll %j in 2 { .. }
//! ```
//! Requires
//! - (C1) a loop
//! - (C2) that is serial
//! - (C3) of constant extent
//!
//! Lowering copies the body once an iteration; the order of the instances stays.

use crate::dialect::loop_enums::LoopKind;
use crate::dialect::loop_op::For;
use crate::schedule::error::{Reason, ScheduleError};
use crate::schedule::name;
use crate::schedule::primitive::serial;
use crate::schedule::state::State;
use crate::schedule::summary::{NodeId, Summary};
use crate::schedule::table::{LOOP, Primitive};

pub const PRIMITIVE: Primitive = Primitive {
    name: "unroll",
    pass: "sched-unroll",
    summary: "Write out the iterations of a loop",
    parameters: &[LOOP],
    apply: |state, arguments| unroll(state, arguments[0].text()).map(|()| vec![]),
};

/// Unrolls `target`. On an error the IR is unchanged.
pub fn unroll(state: &mut State, target: &str) -> Result<(), ScheduleError> {
    let node = check(state.summary(), target)?;
    For::set_kind(state.op(node), LoopKind::Unroll, None);
    Ok(())
}

pub fn check(summary: &Summary, target: &str) -> Result<NodeId, ScheduleError> {
    let node = name::loop_of(summary, target)?;
    let this = serial(summary, node, 2)?;
    match this.constant_extent() {
        Some(_) => Ok(node),
        None => Err(Reason::NotConstant(this.name.clone()).at(node, 3)),
    }
}
