//! The primitives: one file each, `check -> Plan -> rewrite`.

pub mod bind;
pub mod compute_at;
pub mod compute_inline;
pub mod fuse;
pub mod parallel;
pub mod reorder;
pub mod reverse_compute_at;
pub mod reverse_compute_inline;
pub mod simple_compute_at;
pub mod split;
pub mod unroll;
pub mod vectorize;

use super::error::{Reason, ScheduleError};
use super::summary::{Loop, NodeId, Summary};
use crate::dialect::loop_enums::LoopKind;

/// The loop at a node, which must be serial: (C`condition`).
fn serial(summary: &Summary, node: NodeId, condition: u8) -> Result<&Loop, ScheduleError> {
    let this = summary.as_loop(node).expect("a loop");
    match this.kind {
        LoopKind::Serial => Ok(this),
        kind => Err(Reason::NotSerial { name: this.name.clone(), kind }.at(node, condition)),
    }
}
