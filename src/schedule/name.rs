//! Names of loops and schedule blocks, resolved against a summary.
//!
//! A loop is `block:loop`: the loop of that name around the schedule block of that name. Names are the
//! identity of things: split makes `i.0` and `i.1` of `i`, fuse makes `i_j_fused` of `i` and `j`, and `.`
//! is kept for such derivation.

use super::error::{Reason, ScheduleError};
use super::summary::{NodeId, Summary};

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

/// A name that is not taken: the wanted one, or one derived from it and the name of a schedule block.
pub fn free(wanted: &str, block: &str, is_taken: &dyn Fn(&str) -> bool) -> String {
    let derived = format!("{wanted}.{block}");
    let numbered = (0..).map(|n| format!("{derived}.{n}"));
    let mut names = [wanted.to_owned(), derived.clone()].into_iter().chain(numbered);
    names.find(|name| !is_taken(name)).expect("numbers do not end")
}

/// The name of a loop made of several.
pub fn fused(names: &[&str]) -> String {
    format!("{}_fused", names.join("_"))
}

fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<_> = names.map(|name| format!("\"{name}\"")).collect();
    match names.is_empty() {
        true => "none".into(),
        false => names.join(", "),
    }
}
