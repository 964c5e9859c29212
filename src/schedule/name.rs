//! Names of loops and schedule blocks, resolved against a summary.
//!
//! A loop is `block:loop`: the loop of that name around the schedule block of that name. Names are the
//! identity of things: split makes `i.0` and `i.1` of `i`, fuse makes `i_j_fused` of `i` and `j`, and `.`
//! is kept for such derivation.

use super::error::{Reason, ScheduleError};
use crate::dialect::loop_enums::Scope;
use crate::dialect::verify_loop::is_name;
use crate::ir::fresh_name;
use crate::nest::summary::{BufferId, NodeId, Summary};

/// The schedule block of a name.
pub fn block(summary: &Summary, name: &str) -> Result<NodeId, ScheduleError> {
    summary.blocks().find(|(_, block)| block.name == name).map(|(node, _)| node).ok_or_else(|| {
        let present = listed(summary.blocks().map(|(_, block)| block.name.as_str()));
        Reason::NoBlock { name: name.to_owned(), present }.at(0, 1)
    })
}

/// The loop that `block:loop` names.
pub fn loop_of(summary: &Summary, name: &str) -> Result<NodeId, ScheduleError> {
    let (block_name, loop_name) =
        name.split_once(':').ok_or_else(|| Reason::NoLoopName(name.to_owned()).at(0, 1))?;
    let block = block(summary, block_name)?;
    let named = |node: &NodeId| summary.as_loop(*node).is_some_and(|this| this.name == loop_name);
    summary.loops_around(block).find(named).ok_or_else(|| {
        let mut present: Vec<_> = summary
            .loops_around(block)
            .filter_map(|node| summary.as_loop(node))
            .map(|this| this.name.as_str())
            .collect();
        present.reverse();
        Reason::NoLoop {
            block: block_name.to_owned(),
            name: loop_name.to_owned(),
            present: listed(present.into_iter()),
        }
        .at(block, 1)
    })
}

/// The loops of several names.
pub fn loops_of(summary: &Summary, names: &[String]) -> Result<Vec<NodeId>, ScheduleError> {
    names.iter().map(|name| loop_of(summary, name)).collect()
}

/// The loop or schedule block of a name.
pub fn target(summary: &Summary, name: &str) -> Result<NodeId, ScheduleError> {
    if name.contains(':') { loop_of(summary, name) } else { block(summary, name) }
}

/// The buffer of a name, an argument or an intermediate one.
pub fn buffer(summary: &Summary, name: &str, condition: u8) -> Result<BufferId, ScheduleError> {
    summary.buffers.iter().position(|buffer| buffer.name == name).ok_or_else(|| {
        let present = listed(summary.buffers.iter().map(|buffer| buffer.name.as_str()));
        Reason::NoBuffer { name: name.to_owned(), present }.at(0, condition)
    })
}

/// What names that are made of a buffer's begin with: its name, or for a buffer that is no argument and
/// no `loop.buffer` what of its name may be in one.
pub fn stem(buffer: &str) -> &str {
    let name = buffer.trim_start_matches('@');
    if is_name(name) { name } else { "buffer" }
}

/// The name of what holds a copy of a buffer, free as that of a buffer and of a schedule block.
pub fn temporary(summary: &Summary, buffer: BufferId, scope: Scope) -> String {
    let name = format!("{}_{scope}_temp_buffer", stem(&summary.buffers[buffer].name));
    let is_taken = |name: &str| {
        summary.buffers.iter().any(|buffer| buffer.name == name)
            || summary.blocks().any(|(_, block)| block.name == name)
    };
    free(&name, &is_taken)
}

/// The name of loop `i` of a nest that copies, free among the loops around `node` and `node` itself.
pub fn copy_loop(summary: &Summary, node: NodeId, i: usize) -> String {
    let is_taken = |name: &str| {
        let is_named = |n: NodeId| summary.as_loop(n).is_some_and(|this| this.name == name);
        is_named(node) || summary.loops_around(node).any(is_named)
    };
    free(&format!("cache_ax{i}"), &is_taken)
}

/// A name that is not taken: the name itself or, derived from it, `name.1`, `name.2` ..
fn free(name: &str, is_taken: &dyn Fn(&str) -> bool) -> String {
    let derived = (1..).map(|i| part(name, i));
    let mut names = std::iter::once(name.to_owned()).chain(derived);
    names.find(|name| !is_taken(name)).expect("there are more names than loops")
}

/// Is a name free for a loop in the place of `replaced`: is there none of that name around or inside?
pub fn check_free(
    summary: &Summary,
    name: &str,
    replaced: &[NodeId],
    condition: u8,
) -> Result<(), ScheduleError> {
    let place = replaced[0];
    let around = summary.loops_around(place);
    let taken = around.chain(summary.under(place)).find(|node| {
        !replaced.contains(node) && summary.as_loop(*node).is_some_and(|this| this.name == name)
    });
    match taken {
        Some(node) => Err(Reason::NameTaken(name.to_owned()).at(node, condition)),
        None => Ok(()),
    }
}

/// The name of part `i` of a split loop.
pub fn part(name: &str, i: usize) -> String {
    format!("{name}.{i}")
}

/// The name of what a split leaves over of a loop, and of the schedule blocks in it.
pub fn tail(name: &str) -> String {
    format!("{name}.tail")
}

/// A name for a new schedule block, which neither the function nor `taken` has: `base`, `base_1`, ...
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

/// The name of a loop made of several.
pub fn fused(names: &[&str]) -> String {
    format!("{}_fused", names.join("_"))
}

/// A name that is not taken: this one, or with a number.
pub fn fresh(base: &str, is_taken: &dyn Fn(&str) -> bool) -> String {
    fresh_name(base, is_taken)
}

pub(super) fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<_> = names.map(|name| format!("\"{name}\"")).collect();
    match names.is_empty() {
        true => "none".into(),
        false => names.join(", "),
    }
}
