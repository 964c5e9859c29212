//! Names of new loops, schedule blocks and buffers, derived from those of existing ones.
//!
//! Split names the parts of `i` `i.0` and `i.1`; fuse names the product of `i` and `j` `i_j_fused`. `.` is reserved for
//! derived names.

use crate::dialect::loop_enums::Scope;
use crate::dialect::verify_loop::is_name;
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
    let is_taken = |name: &str| {
        summary.buffers.values().any(|buffer| buffer.name == name)
            || summary.blocks().any(|(_, block)| block.name == name)
    };
    free(&name, &is_taken)
}

/// A name for loop `i` of a copy nest; neither `node` nor a loop around it has it.
pub fn copy_loop(summary: &Summary, node: NodeId, i: usize) -> String {
    let is_taken = |name: &str| {
        let is_named = |n: NodeId| summary.as_loop(n).is_some_and(|this| this.name == name);
        is_named(node) || summary.loops_around(node).any(is_named)
    };
    free(&format!("cache_ax{i}"), &is_taken)
}

/// The first of `name`, `name.1`, `name.2`, .. that is not taken.
fn free(name: &str, is_taken: &dyn Fn(&str) -> bool) -> String {
    let derived = (1..).map(|i| part(name, i));
    let mut names = std::iter::once(name.to_owned()).chain(derived);
    names.find(|name| !is_taken(name)).expect("there are more names than loops")
}

/// The name of part `i` of a split loop.
pub fn part(name: &str, i: usize) -> String {
    format!("{name}.{i}")
}

/// The name of the tail of a split loop, and of the schedule blocks in it.
pub fn tail(name: &str) -> String {
    format!("{name}.tail")
}

/// The first of `base`, `base_1`, .. that no schedule block of the function and nothing in `taken` has.
pub fn new_block(summary: &Summary, taken: &[String], base: String) -> String {
    let is_free = |name: &String| {
        !taken.contains(name) && summary.blocks().all(|(_, block)| block.name != *name)
    };
    let numbered = (1..).map(|i| format!("{base}_{i}"));
    std::iter::once(base.clone()).chain(numbered).find(is_free).expect("numbers do not end")
}

/// A name that is not taken: the wanted one, or one derived from it and the name of a schedule block.
pub fn free_for(wanted: &str, block: &str, is_taken: &dyn Fn(&str) -> bool) -> String {
    let derived = format!("{wanted}.{block}");
    let numbered = (0..).map(|n| format!("{derived}.{n}"));
    let mut names = [wanted.to_owned(), derived.clone()].into_iter().chain(numbered);
    names.find(|name| !is_taken(name)).expect("numbers do not end")
}

/// The name of a fused loop.
pub fn fused(names: &[&str]) -> String {
    format!("{}_fused", names.join("_"))
}

/// The first of `base`, `base_1`, .. that is not taken.
pub fn fresh(base: &str, is_taken: &dyn Fn(&str) -> bool) -> String {
    let numbered = (1..).map(|i| format!("{base}_{i}"));
    let mut names = std::iter::once(base.to_owned()).chain(numbered);
    names.find(|name| !is_taken(name)).expect("there are names enough")
}

/// `base`, or with a number appended, so that no schedule block has the name.
pub fn block_name(summary: &Summary, base: &str) -> String {
    fresh(base, &|name| summary.blocks().any(|(_, block)| block.name == name))
}
