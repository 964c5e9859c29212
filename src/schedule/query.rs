//! Queries on a function during scheduling: blocks, loops, producers, consumers, siblings.
//!
//! Answers are names, `block` and `block:loop`. A name identifies a loop or block: primitives keep the
//! names of what they move, derive the names of what they create, and do not reuse a name for anything
//! else. So a name from a query before a step refers to the same loop or block after it, or to none.

use super::error::ScheduleError;
use super::name;
use crate::nest::render;
use crate::nest::summary::{BufferId, NodeId, NodeKind, Summary};

/// The names of the schedule blocks, in program order.
pub fn blocks(summary: &Summary) -> Vec<String> {
    summary.blocks().map(|(_, block)| block.name.clone()).collect()
}

/// The loops around a block, outermost first.
pub fn loops(summary: &Summary, block: &str) -> Result<Vec<String>, ScheduleError> {
    let node = name::block(summary, block)?;
    let loops = summary.loops_around(node).filter_map(|around| summary.as_loop(around));
    let mut names: Vec<_> = loops.map(|this| format!("{block}:{}", this.name)).collect();
    names.reverse();
    Ok(names)
}

/// The node of a loop or schedule block.
pub fn node(summary: &Summary, target: &str) -> Result<NodeId, ScheduleError> {
    match target.contains(':') {
        true => name::loop_of(summary, target),
        false => name::block(summary, target),
    }
}

/// The outermost schedule blocks nested in a loop or block.
pub fn children(summary: &Summary, target: &str) -> Result<Vec<String>, ScheduleError> {
    let node = node(summary, target)?;
    let is_child = |id: &NodeId| {
        let mut between = summary.ancestors(*id).take_while(|n| *n != node);
        *id != node && !between.any(|n| summary.as_block(n).is_some())
    };
    Ok(names(summary, summary.blocks_under(node).into_iter().filter(is_child)))
}

/// The other leaf blocks that write a buffer which a block reads.
pub fn producers(summary: &Summary, block: &str) -> Result<Vec<String>, ScheduleError> {
    let node = name::block(summary, block)?;
    Ok(others(summary, node, &buffers_of(summary, node, false), true))
}

/// The other leaf blocks that read a buffer which a block writes.
pub fn consumers(summary: &Summary, block: &str) -> Result<Vec<String>, ScheduleError> {
    let node = name::block(summary, block)?;
    Ok(others(summary, node, &buffers_of(summary, node, true), false))
}

/// The leaf blocks that write arguments of the function.
pub fn outputs(summary: &Summary) -> Vec<String> {
    let writes_argument = |(_, block): &(NodeId, &crate::nest::summary::Block)| {
        let mut stores = block.stores();
        stores.any(|store| summary.buffers[store.buffer].scope.is_none())
    };
    names(summary, summary.blocks().filter(writes_argument).map(|(id, _)| id))
}

/// The buffers that a block reads and does not write, in the order of the first loads.
pub fn reads(summary: &Summary, block: &str) -> Result<Vec<String>, ScheduleError> {
    let node = name::block(summary, block)?;
    let block = summary.as_block(node).expect("a block");
    let written = block.written();
    let read = block.loads().map(|load| load.buffer).filter(|buffer| !written.contains(buffer));
    Ok(distinct_names(summary, read))
}

/// The buffers that a block writes, in the order of the first stores.
pub fn writes(summary: &Summary, block: &str) -> Result<Vec<String>, ScheduleError> {
    let node = name::block(summary, block)?;
    let block = summary.as_block(node).expect("a block");
    Ok(distinct_names(summary, block.stores().map(|store| store.buffer)))
}

/// The names of buffers, each once.
fn distinct_names(summary: &Summary, buffers: impl Iterator<Item = BufferId>) -> Vec<String> {
    let mut names = vec![];
    for buffer in buffers {
        let name = &summary.buffers[buffer].name;
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    names
}

/// The names of all accessed buffers.
pub fn buffers(summary: &Summary) -> Vec<String> {
    summary.buffers.values().map(|buffer| buffer.name.clone()).collect()
}

/// The parent of a loop or block.
pub fn parent(summary: &Summary, target: &str) -> Result<Option<String>, ScheduleError> {
    let node = node(summary, target)?;
    let mut around = summary.ancestors(node);
    Ok(around.find(|n| has_name(summary, *n)).map(|outer| inner_name(summary, outer, node)))
}

/// The next or previous sibling of a loop or block.
pub fn beside(
    summary: &Summary,
    target: &str,
    is_after: bool,
) -> Result<Option<String>, ScheduleError> {
    let node = node(summary, target)?;
    let parent = summary.nodes[node].parent.expect("the function is around it");
    let siblings = &summary.nodes[parent].children;
    let place = siblings.iter().position(|n| *n == node).expect("it is a child of its parent");
    let named = |n: &&NodeId| has_name(summary, **n);
    let found = match is_after {
        true => siblings[place + 1..].iter().find(named),
        false => siblings[..place].iter().rfind(named),
    };
    Ok(found.map(|other| summary.name(*other)))
}

/// The names that a pattern matches: of blocks, or with `:` of loops. `*` is any text, `?` any character.
pub fn find(summary: &Summary, pattern: &str) -> Vec<String> {
    let candidates = match pattern.contains(':') {
        false => blocks(summary),
        true => {
            let of = |block: String| loops(summary, &block).unwrap_or_default();
            blocks(summary).into_iter().flat_map(of).collect()
        }
    };
    candidates.into_iter().filter(|name| matches(pattern, name)).collect()
}

/// True if a text matches a pattern.
pub fn matches(pattern: &str, text: &str) -> bool {
    let mut pattern_rest = pattern.chars();
    match pattern_rest.next() {
        None => text.is_empty(),
        Some('*') => {
            let rest = pattern_rest.as_str();
            let mut ends = text.char_indices().map(|(i, _)| i).chain([text.len()]);
            ends.any(|i| matches(rest, &text[i..]))
        }
        Some(wanted) => {
            let mut text_rest = text.chars();
            let found = text_rest.next();
            found.is_some_and(|c| wanted == '?' || wanted == c)
                && matches(pattern_rest.as_str(), text_rest.as_str())
        }
    }
}

/// The nest as text.
pub fn show(summary: &Summary) -> String {
    render::nest(summary, &[])
}

fn names(summary: &Summary, nodes: impl Iterator<Item = NodeId>) -> Vec<String> {
    nodes.map(|node| summary.name(node)).collect()
}

fn has_name(summary: &Summary, node: NodeId) -> bool {
    matches!(summary.nodes[node].kind, NodeKind::Loop(_) | NodeKind::Block(_))
}

/// The name of a node around `inner`; a loop is named by the first block in `inner`.
fn inner_name(summary: &Summary, outer: NodeId, inner: NodeId) -> String {
    match (summary.as_loop(outer), summary.blocks_under(inner).first()) {
        (Some(this), Some(block)) => format!("{}:{}", summary.name(*block), this.name),
        _ => summary.name(outer),
    }
}

/// The buffers that the leaf blocks in a node write, or read.
fn buffers_of(summary: &Summary, node: NodeId, writes: bool) -> Vec<BufferId> {
    let blocks = summary.blocks_under(node).into_iter().filter_map(|id| summary.as_block(id));
    let accesses = blocks.flat_map(|block| block.accesses());
    accesses.filter(|access| access.is_write == writes).map(|access| access.buffer).collect()
}

/// The leaf blocks outside of a node that write, or read, one of the buffers.
fn others(summary: &Summary, node: NodeId, buffers: &[BufferId], writes: bool) -> Vec<String> {
    let inside = summary.under(node);
    let is_meant = |(id, block): &(NodeId, &crate::nest::summary::Block)| {
        let mut accesses = block.accesses().iter();
        !inside.contains(id)
            && accesses.any(|a| a.is_write == writes && buffers.contains(&a.buffer))
    };
    names(summary, summary.blocks().filter(is_meant).map(|(id, _)| id))
}
