//! Name lookup: resolves the names of loops, schedule blocks and buffers in a summary.
//!
//! A loop is `block:loop`: the loop of that name around the schedule block of that name. New names are derived in
//! [`derived_name`](crate::nest::derived_name).

use super::error::{BufferReason, Reason, ScheduleError};
use crate::dialect::loop_enums::Scope;
use crate::nest::summary::{Block, Body, BufferId, NodeId, Summary};

/// The schedule block with a name.
pub fn block(summary: &Summary, name: &str) -> Result<NodeId, ScheduleError> {
    summary.blocks().find(|(_, block)| block.name == name).map(|(node, _)| node).ok_or_else(|| {
        let present = listed(summary.blocks().map(|(_, block)| block.name.as_str()));
        Reason::NoBlock { name: name.to_owned(), present }.at(NodeId::FUNCTION, 1)
    })
}

/// The loop that `block:loop` names.
pub fn loop_of(summary: &Summary, name: &str) -> Result<NodeId, ScheduleError> {
    let (block_name, loop_name) = name
        .split_once(':')
        .ok_or_else(|| Reason::NoLoopName(name.to_owned()).at(NodeId::FUNCTION, 1))?;
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

/// The loops with several names.
pub fn loops_of(summary: &Summary, names: &[String]) -> Result<Vec<NodeId>, ScheduleError> {
    names.iter().map(|name| loop_of(summary, name)).collect()
}

/// The loop or schedule block with a name.
pub fn target(summary: &Summary, name: &str) -> Result<NodeId, ScheduleError> {
    if name.contains(':') { loop_of(summary, name) } else { block(summary, name) }
}

/// The buffer with a name: an argument or an intermediate buffer.
pub fn buffer(summary: &Summary, name: &str, condition: u8) -> Result<BufferId, ScheduleError> {
    summary.buffers.iter().find(|(_, buffer)| buffer.name == name).map(|(id, _)| id).ok_or_else(
        || {
            let present = listed(summary.buffers.values().map(|buffer| buffer.name.as_str()));
            Reason::NoBuffer { name: name.to_owned(), present }.at(NodeId::FUNCTION, condition)
        },
    )
}

pub(super) fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<_> = names.map(|name| format!("\"{name}\"")).collect();
    match names.is_empty() {
        true => "none".into(),
        false => names.join(", "),
    }
}

/// The scope with this keyword: (C`condition`).
pub fn scope_of(word: &str, node: NodeId, condition: u8) -> Result<Scope, ScheduleError> {
    let scope = Scope::ALL.iter().copied().find(|scope| scope.word() == word);
    scope.ok_or_else(|| BufferReason::NoScope(word.to_owned()).at(node, condition))
}

/// The leaf block `target` and its buffer: (C1), (C2).
pub fn leaf_and_buffer<'s>(
    summary: &'s Summary,
    target: &str,
    buffer: &str,
) -> Result<(NodeId, &'s Block, BufferId), ScheduleError> {
    let node = block(summary, target)?;
    let block = summary.as_block(node).expect("a block");
    let buffer = self::buffer(summary, buffer, 2)?;
    match block.body {
        Body::Nest => Err(Reason::NestBody(block.name.clone()).at(node, 1)),
        Body::Leaf { .. } => Ok((node, block, buffer)),
    }
}
