//! `unannotate`: remove an annotation that [`annotate`](super::annotate) has added.
//!
//! ```text
//! loop.for serial %j in 32 attributes {loop.annotations = {pragma = 4}} { .. }
//!   ->  unannotate "C:j" key "pragma"
//! loop.for serial %j in 32 { .. }
//! ```
//! Requires
//! - (C1) the target is a loop or a schedule block
//! - (C2) it has an annotation with this key
//!
//! Nothing else changes.

use crate::dialect::annotation;
use crate::nest::state::State;
use crate::nest::summary::{NodeId, Summary};
use crate::schedule::error::{Reason, ScheduleError};
use crate::schedule::name;
use crate::schedule::primitive::annotation::annotate::{KEY, keys};
use crate::schedule::primitive::declaration::primitive;

primitive! {
    "Remove an annotation from a loop or schedule block"
    unannotate(target: Target, key: Word = KEY) -> ();
    |state| unannotate(state, target, key)
}

/// Removes annotation `key` of `target`. On an error the IR is unchanged.
pub fn unannotate(state: &mut State, target: &str, key: &str) -> Result<(), ScheduleError> {
    let node = check(state.summary(), target, key)?;
    annotation::set(state.op(node), key, None);
    Ok(())
}

pub fn check(summary: &Summary, target: &str, key: &str) -> Result<NodeId, ScheduleError> {
    let node = name::target(summary, target)?;
    let present = keys(summary, node);
    if present.iter().any(|other| other == key) {
        return Ok(node);
    }
    let reason = Reason::NoKey {
        name: summary.name(node),
        key: key.to_owned(),
        present: name::listed(present.iter().map(String::as_str)),
    };
    Err(reason.at(node, 2))
}
