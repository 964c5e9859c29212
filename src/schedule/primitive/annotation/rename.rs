//! `rename`: give a loop or schedule block another name.
//!
//! ```text
//! loop.for serial %i.0_1 in 2 { loop.block "A" [..] .. { .. } }
//!   ->  rename "A:i.0_1" to "rows"
//! loop.for serial %rows in 2 { loop.block "A" [..] .. { .. } }
//! ```
//! Requires
//! - (C1) the target is a loop or a schedule block
//! - (C2) the name is valid: letters, digits, `_`, `$`, `-` and `.`, not starting with a digit
//! - (C3) the new name of a loop is not the name of a loop around it or inside it; the new name of a schedule block is
//!   not the name of another schedule block of the function
//!
//! Nothing else changes. Later steps use the new name.

use crate::dialect::verify_loop::is_name;
use crate::ir::Attribute;
use crate::nest::derived_name;
use crate::nest::state::State;
use crate::nest::summary::{NodeId, Summary};
use crate::schedule::error::{Reason, ScheduleError};
use crate::schedule::name;
use crate::schedule::primitive::declaration::primitive;

primitive! {
    "Give a loop or schedule block another name"
    rename(target: Target, to: Word = "The new name") -> ();
    near_atomic;
    |state| rename(state, target, to)
}

/// Renames `target`. On an error the IR is unchanged.
pub fn rename(state: &mut State, target: &str, to: &str) -> Result<(), ScheduleError> {
    let node = check(state.summary(), target, to)?;
    let op = state.op(node);
    op.set_attribute("name", Attribute::string(op.context(), to));
    Ok(())
}

pub fn check(summary: &Summary, target: &str, to: &str) -> Result<NodeId, ScheduleError> {
    let node = name::target(summary, target)?;
    if !is_name(to) {
        return Err(Reason::BadName(to.to_owned()).at(node, 2));
    }
    if summary.as_loop(node).is_some() && derived_name::new_loop(summary, to, &[node]) != to {
        return Err(Reason::NameTaken(to.to_owned()).at(node, 3));
    }
    if summary.as_block(node).is_some_and(|block| block.name != to) && summary.has_block(to) {
        let error = Reason::BlockNameTaken(to.to_owned()).at(node, 3);
        return Err(match name::block(summary, to) {
            Ok(other) => error.note(other, "the other one is here"),
            Err(_) => error,
        });
    }
    Ok(node)
}
