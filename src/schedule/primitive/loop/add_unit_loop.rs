//! `add_unit_loop`: insert a loop of extent 1 around a loop or schedule block.
//!
//! ```text
//! loop.block "B" [..] .. { .. }
//!   ->  add_unit_loop "B"
//! loop.for serial %unit in 1 { loop.block "B" [..] .. { .. } }
//! ```
//! The new loop gives later steps a loop to bind to a thread axis, to annotate, or to move other schedule blocks to.
//! Nothing uses its variable.
//!
//! Requires
//! - (C1) the target is a loop or a schedule block
//!
//! The loop is named `unit`, with a number if an enclosing or nested loop has that name. All handles stay valid.

use crate::dialect::loop_op::{For, ForSpec};
use crate::ir::affine::Map;
use crate::nest::derived_name;
use crate::nest::state::State;
use crate::nest::summary::{NodeId, Summary};
use crate::schedule::error::ScheduleError;
use crate::schedule::name;
use crate::schedule::primitive::declaration::primitive;

primitive! {
    "Wrap a loop or schedule block in a loop of extent 1"
    /// Returns the name of the loop.
    add_unit_loop(target: Target) -> String;
    near_atomic;
    |state| add_unit_loop(state, target)
}

/// The result of the check.
pub struct Plan {
    node: NodeId,
    name: String,
}

/// Inserts a loop around `target` and returns its name. On an error the IR is unchanged.
pub fn add_unit_loop(state: &mut State, target: &str) -> Result<String, ScheduleError> {
    let plan = check(state.summary(), target)?;
    rewrite(state, &plan);
    Ok(plan.name)
}

pub fn check(summary: &Summary, target: &str) -> Result<Plan, ScheduleError> {
    let node = name::target(summary, target)?;
    let near: Vec<NodeId> = summary.loops_around(node).chain(summary.under(node)).collect();
    let is_named =
        |name: &str| near.iter().any(|n| summary.as_loop(*n).is_some_and(|l| l.name == name));
    Ok(Plan { node, name: derived_name::fresh("unit", &is_named) })
}

fn rewrite(state: &mut State, plan: &Plan) {
    let op = state.op(plan.node);
    let extent = Map { dims: 0, symbols: 0, results: vec![1.into()] };
    let spec = ForSpec { name: &plan.name, extent: &extent, dims: &[], sizes: &[], axis: None };
    let unit = spec.create(op.location());
    op.block().expect("it stands in a block").insert_before(op, unit);
    let body = For::of(unit).expect("just made").body;
    op.move_before(body.end());
}
