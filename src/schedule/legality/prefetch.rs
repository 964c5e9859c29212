//! Prefetch analysis: the elements of a buffer that one iteration of a `prefetch`-annotated loop reads.

use crate::dialect::annotation;
use crate::dialect::loop_enums::{LoopKind, Scope};
use crate::dialect::loop_op::buffer_name;
use crate::ir::{Op, Value, walk};
use crate::nest::facts::boxes;
use crate::nest::facts::boxes::{Range, difference};
use crate::nest::facts::quotient;
use crate::nest::facts::scope;
use crate::nest::summary::{BufferId, NodeId, Summary, VariableId, mentions};
use crate::schedule::error::PrefetchReason;

/// The key of the annotation is this prefix and the name of the buffer; its value is the distance in
/// iterations.
pub const KEY: &str = "prefetch.";

/// As [`KEY`], for the position of the buffer among those that the loop reads, which passes keep that give buffers other names.
pub const POSITION_KEY: &str = "prefetch_read.";

/// The maximal distance of a prefetch, in iterations.
pub const MOST: i64 = 1 << 16;

/// The buffers that ops in a loop read, in the order of the first reads.
pub fn read_buffers<'c>(of: Op<'c>) -> Vec<Value<'c>> {
    let mut found: Vec<Value> = vec![];
    for load in walk(of).into_iter().filter(|op| op.is("memref.load")) {
        let buffer = load.operands()[0];
        if !found.contains(&buffer) {
            found.push(buffer);
        }
    }
    found
}

/// Replaces the names in the prefetch annotations of a loop by positions.
pub fn name_by_position(of: Op) {
    for (key, distance) in annotation::entries(of) {
        let Some(name) = key.strip_prefix(KEY) else { continue };
        let position = read_buffers(of).into_iter().position(|buffer| buffer_name(buffer) == name);
        if let Some(position) = position {
            annotation::set(of, key, None);
            annotation::set(of, &format!("{POSITION_KEY}{position}"), Some(distance));
        }
    }
}

/// The boxes of elements that one iteration of a loop reads, with one range for each dimension. A box may
/// contain elements that the iteration does not read, and elements beyond the buffer.
pub fn boxes(
    summary: &Summary,
    node: NodeId,
    buffer: BufferId,
) -> Result<Vec<Vec<Range>>, PrefetchReason> {
    let this = summary.as_loop(node).expect("a loop");
    let around = std::iter::once(node).chain(summary.loops_around(node));
    for outer in around.filter_map(|n| summary.as_loop(n)) {
        let is_apart = outer.thread.is_some() || outer.kind == LoopKind::Vectorize;
        if is_apart || outer.variable == this.variable && scope::is_unordered(outer) {
            return Err(PrefetchReason::AtOnce { name: outer.name.clone() });
        }
    }
    let name = || summary.buffers[buffer].name.clone();
    if summary.buffers[buffer].scope.is_some_and(|scope| scope != Scope::Global) {
        return Err(PrefetchReason::Near(name()));
    }
    let mut found: Vec<Vec<Range>> = vec![];
    let mut is_read = false;
    for block in summary.blocks_under(node) {
        let block = summary.as_block(block).expect("a block");
        for load in block.loads().filter(|load| load.buffer == buffer) {
            is_read = true;
            let range = |index: &Option<_>| boxes::inside(summary, node, index.as_ref()?);
            let ranges: Option<Vec<Range>> = load.indices.iter().map(range).collect();
            let is_defined = |range: &Range| {
                quotient::is_defined(summary, node, &range.low)
                    && quotient::is_defined(summary, node, &range.high)
            };
            match ranges.filter(|ranges| ranges.iter().all(is_defined)) {
                Some(ranges) => join(&mut found, ranges),
                None => {
                    let (buffer, block) = (name(), block.name.clone());
                    return Err(PrefetchReason::Unknown { buffer, block });
                }
            }
        }
    }
    if !is_read {
        return Err(PrefetchReason::NotRead { buffer: name(), name: this.name.clone() });
    }
    found.retain(|ranges| moves(ranges, this.variable));
    match found.is_empty() {
        true => Err(PrefetchReason::Still { buffer: name(), name: this.name.clone() }),
        false => Ok(found),
    }
}

fn moves(ranges: &[Range], variable: VariableId) -> bool {
    ranges.iter().any(|range| mentions(&range.low, variable) || mentions(&range.high, variable))
}

/// Adds a box. It is merged with an adjacent or overlapping one if the union is a box.
fn join(all: &mut Vec<Vec<Range>>, new: Vec<Range>) {
    for known in all.iter_mut() {
        let other: Vec<usize> = (0..new.len()).filter(|i| known[*i] != new[*i]).collect();
        match other[..] {
            [] => return,
            [i] if are_adjacent(&known[i], &new[i]) && are_adjacent(&new[i], &known[i]) => {
                if let Some(both) = known[i].union(&new[i]) {
                    known[i] = both;
                    return;
                }
            }
            _ => {}
        }
    }
    all.push(new);
}

fn are_adjacent(first: &Range, second: &Range) -> bool {
    difference(&second.low, &first.high).is_some_and(|gap| gap <= 1)
}
