//! Names of new loops, schedule blocks and buffers, derived from those of existing ones.
//!
//! Split names the parts of `i` `i.0` and `i.1`; fuse names the product of `i` and `j` `i_j_fused`. `.` is reserved for
//! derived names. A derived name that is taken gets the first free number: `i.0_1`.

use crate::dialect::loop_enums::Scope;
use crate::dialect::verify_loop::is_name;
pub use crate::ir::fresh_name as fresh;
use crate::nest::summary::{BufferId, NodeId, Summary};

/// The prefix for names derived from a buffer's name: the name itself without `@`, or `buffer` if it is not
/// valid as a name.
pub fn stem(buffer: &str) -> &str {
    let name = buffer.trim_start_matches('@');
    if is_name(name) { name } else { "buffer" }
}

/// A name for the copy of a buffer; neither a buffer nor a schedule block has it.
pub fn temporary(summary: &Summary, buffer: BufferId, scope: Scope) -> String {
    let name = format!("{}_{scope}_temp_buffer", stem(&summary.buffers[buffer].name));
    fresh(&name, &|name| summary.has_buffer(name) || summary.has_block(name))
}

/// A name for loop `i` of a copy nest; neither `node` nor a loop around it has it.
pub fn copy_loop(summary: &Summary, node: NodeId, i: usize) -> String {
    let is_taken = |name: &str| {
        let is_named = |n: NodeId| summary.as_loop(n).is_some_and(|this| this.name == name);
        is_named(node) || summary.loops_around(node).any(is_named)
    };
    fresh(&format!("cache_ax{i}"), &is_taken)
}

/// The name of part `i` of a split loop.
pub fn part(name: &str, i: usize) -> String {
    format!("{name}.{i}")
}

/// The name of the tail of a split loop, and of the schedule blocks in it.
pub fn tail(name: &str) -> String {
    format!("{name}.tail")
}

/// A name for a loop in the place of loops `replaced`: the first of `base`, `base_1`, .. that no other loop around or inside
/// has.
pub fn new_loop(summary: &Summary, base: &str, replaced: &[NodeId]) -> String {
    let place = replaced[0];
    let is_taken = |name: &str| {
        let mut others = summary.loops_around(place).chain(summary.under(place));
        let has_name = |node| summary.as_loop(node).is_some_and(|this| this.name == name);
        others.any(|node| !replaced.contains(&node) && has_name(node))
    };
    fresh(base, &is_taken)
}

/// The first of `base`, `base_1`, .. that no schedule block of the function and nothing in `taken` has.
pub fn new_block(summary: &Summary, taken: &[String], base: String) -> String {
    fresh(&base, &|name| taken.iter().any(|it| it == name) || summary.has_block(name))
}

/// The name of a fused loop.
pub fn fused(names: &[&str]) -> String {
    format!("{}_fused", names.join("_"))
}

/// `base`, or with a number appended, so that no schedule block has the name.
pub fn block_name(summary: &Summary, base: &str) -> String {
    fresh(base, &|name| summary.has_block(name))
}
