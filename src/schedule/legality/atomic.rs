//! Atomic updates: concurrent iterations reduce into one element, each by an atomic read-modify-write of
//! memory.
//!
//! ```text
//! for parallel %k in 4096 { block "H" { H[A[vk]] += 1 } }
//! ```
//! The [`atomic`](crate::schedule::primitive::reduction::atomic) primitive annotates a schedule block. If the block's
//! loops run serially, its semantics do not change. But two of its updates are then independent of each
//! other, and of those of other such blocks with the same combiner. [`exact`]
//! skips these pairs, so `parallel` and `bind` need no special case. All other accesses of the elements are
//! tested as always, so no read sees a partial result.
//!
//! What other primitives prove about a block, its copies or its buffers assumes that concurrent iterations
//! do not access one element. So while [updates meet](meets), steps that name something near such a block
//! are refused. The exceptions are steps that only change its loops and repeat the legality test. Apply the
//! other steps first.
//!
//! | combiner | x86 | GPU |
//! |---|---|---|
//! | add, and, or, xor, max, min, maxu, minu of integers | one instruction | one instruction from 32 bits on |
//! | add of f16, f32, f64 | a compare-exchange loop | one instruction |
//! | integers of 16 bits, bf16, max, min, maxnum, minnum of floats | as above | such a loop |
//! | anything of 8 bits | as above | none: `convert-loop-to-gpu` refuses |
//! | mul | such a loop | none: `bind` refuses |

use crate::dialect::loop_enums::{LoopKind, Scope, ThreadAxis};
use crate::nest::facts::scope;
use crate::nest::summary::{Block, BufferId, Loop, NodeId, NodeKind, Summary};
use crate::schedule::error::{AtomicReason, ScheduleError};
use crate::schedule::instruction::{Argument, ParameterKind, Primitive};
use crate::schedule::legality::exact;
use crate::schedule::legality::quick;
use crate::schedule::name;
use crate::schedule::verdict::Verdict;

/// True if concurrent iterations of this block, or of others in its kernel, may update one element. If
/// false, plain loads and stores are correct.
pub fn meets(summary: &Summary, id: NodeId) -> bool {
    let block = summary.as_block(id).expect("a block");
    if block.atomic.is_empty() {
        return false;
    }
    let nest = summary.ancestors(id).last().unwrap_or(id);
    let bound: Vec<ThreadAxis> =
        summary.under(nest).iter().filter_map(|n| summary.as_loop(*n)?.thread).collect();
    let is_kernel = bound.iter().any(|axis| *axis != ThreadAxis::VThread);
    // Each thread of a kernel has its own local buffers, which only its virtual threads share.
    let is_own = |buffer: BufferId| {
        let is_virtual =
            |n| summary.as_loop(n).is_some_and(|it| it.thread == Some(ThreadAxis::VThread));
        is_kernel
            && summary.buffers[buffer].scope == Some(Scope::Local)
            && !summary.loops_around(id).any(is_virtual)
    };
    if block.atomic.iter().all(|(updated, _)| is_own(*updated)) {
        return false;
    }
    let shares = |other: &NodeId| {
        let mut accesses = summary.as_block(*other).into_iter().flat_map(Block::accesses);
        let is_updated = |buffer| block.atomic.iter().any(|(updated, _)| *updated == buffer);
        *other != id && accesses.any(|access| is_updated(access.buffer))
    };
    // Threads are unordered, whichever loops of their axis enclose a block.
    if !bound.is_empty() && summary.blocks_under(nest).iter().any(shares) {
        return true;
    }
    let mut plain = summary.clone();
    for node in plain.nodes.values_mut() {
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

/// Checks that a step does not name anything near a block whose updates meet, unless the step repeats the
/// legality test.
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

/// True if an argument names something in the nest of a block, or a buffer that the block uses.
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
