//! Atomic updates: iterations that run at once reduce into one cell, each by a read-modify-write of memory.
//!
//! ```text
//! for parallel %k in 4096 { block "H" { H[A[vk]] += 1 } }
//! ```
//! A schedule block that [`atomic`](crate::schedule::primitive::reduction::atomic) was said of stays what it is, and where its
//! loops run one after the other it does what it did. But two of its updates have nothing to do with each other, nor
//! with those of other such blocks that join values in the same way: [`exact`](crate::schedule::legality::exact) leaves these
//! pairs out, and `parallel` and `bind` need not know. All else that touches the cells is asked about as ever, so
//! nobody reads a result while it is being made.
//!
//! What other primitives prove of a block, its copies or its buffers rests on iterations at once not touching one
//! cell. So while [updates meet](meets), steps that name what is near such a block are refused, but for those that only
//! change its loops and ask again: take them first.
//!
//! | combiner | x86 | GPU |
//! |---|---|---|
//! | add, and, or, xor, max, min, maxu, minu of integers | one instruction | one instruction from 32 bits on |
//! | add of f16, f32, f64 | a loop of compare and exchange | one instruction |
//! | integers of 16 bits, bf16, max, min, maxnum, minnum of floats | as above | such a loop |
//! | anything of 8 bits | as above | none: `convert-loop-to-gpu` refuses |
//! | mul | such a loop | none: `bind` refuses |

use super::proof::Verdict;
use crate::dialect::loop_enums::{LoopKind, Scope};
use crate::nest::summary::{Block, BufferId, Loop, NodeId, NodeKind, Summary};
use crate::schedule::error::{AtomicReason, ScheduleError};
use crate::schedule::instruction::{Argument, ParameterKind, Primitive};
use crate::schedule::legality::exact;
use crate::schedule::legality::quick;
use crate::schedule::legality::scope;
use crate::schedule::name;

/// May iterations that run at once update one cell by this block, or by others of its kernel? Otherwise plain loads and
/// stores do.
pub fn meets(summary: &Summary, id: NodeId) -> bool {
    let block = summary.as_block(id).expect("a block");
    if block.atomic.is_empty() {
        return false;
    }
    let nest = summary.ancestors(id).last().unwrap_or(id);
    let is_bound = |node: &NodeId| {
        summary.as_loop(*node).is_some_and(|this| this.kind == LoopKind::ThreadBind)
    };
    let shares = |other: &NodeId| {
        let mut accesses = summary.as_block(*other).into_iter().flat_map(Block::accesses);
        let is_updated = |buffer| block.atomic.iter().any(|(updated, _)| *updated == buffer);
        *other != id && accesses.any(|access| is_updated(access.buffer))
    };
    // Threads take no turns, in whichever loops of their axis a block stands.
    if summary.under(nest).iter().any(is_bound) && summary.blocks_under(nest).iter().any(shares) {
        return true;
    }
    let mut plain = summary.clone();
    for node in &mut plain.nodes {
        if let NodeKind::Block(block) = &mut node.kind {
            block.atomic.clear();
        }
    }
    let is_apart = |node: NodeId, this: &Loop| {
        let is_private = |scope: Scope| scope::is_owner(scope, this);
        let shared = scope::without_own(&plain, node, &is_private);
        quick::check_unordered_within(&shared, node, 0).is_ok()
            || exact::check_concurrent(&shared, node) == Verdict::Proved
    };
    let mut loops = plain.loops_around(id).filter_map(|node| Some((node, plain.as_loop(node)?)));
    loops.any(|(node, this)| {
        let is_at_once = matches!(this.kind, LoopKind::Parallel | LoopKind::ThreadBind);
        is_at_once && !is_apart(node, this)
    })
}

/// A step does not name what is near a block whose updates meet, or is of those that ask again.
pub fn check_step(
    summary: &Summary,
    primitive: &Primitive,
    arguments: &[Argument],
) -> Result<(), ScheduleError> {
    if primitive.near_atomic {
        return Ok(());
    }
    let mut atomic = summary.blocks().filter(|(_, block)| !block.atomic.is_empty());
    let is_near = |(id, _): &(NodeId, _)| {
        let mut pairs = primitive.parameters.iter().zip(arguments);
        pairs.any(|(parameter, argument)| names(summary, *id, parameter.kind, argument))
    };
    match atomic.find(|pair| is_near(pair) && meets(summary, pair.0)) {
        Some((id, block)) => Err(AtomicReason::AtOnce { block: block.name.clone() }.at(id, 0)),
        None => Ok(()),
    }
}

/// Does an argument name something in the nest of a block, or a buffer that it uses?
fn names(summary: &Summary, id: NodeId, kind: ParameterKind, argument: &Argument) -> bool {
    let nest = |node: NodeId| summary.ancestors(node).last().unwrap_or(node);
    let in_nest =
        |text: &String| name::target(summary, text).is_ok_and(|node| nest(node) == nest(id));
    let is_used = |buffer: BufferId| {
        let block = summary.as_block(id).expect("a block");
        block.accesses().iter().any(|access| access.buffer == buffer)
    };
    match (kind, argument) {
        (ParameterKind::Buffer, Argument::Text(text)) => {
            name::buffer(summary, text, 0).is_ok_and(is_used)
        }
        (ParameterKind::Blocks, Argument::Texts(texts)) if texts.is_empty() => true,
        (_, Argument::Text(text)) => in_nest(text),
        (_, Argument::Texts(texts)) => texts.iter().any(in_nest),
        _ => false,
    }
}
