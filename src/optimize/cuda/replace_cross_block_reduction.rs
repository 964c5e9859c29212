//! `replace-cross-block-reduction`: lower a reduction across thread blocks to partial results, which a second kernel
//! combines.
//!
//! ```text
//! for thread_bind[blockIdx.x] %b in 64 { for thread_bind[threadIdx.x] %k in 256 { B[0] += A[%b * 256 + %k] } }
//!   ->
//! for thread_bind[blockIdx.x] %rf_b in 64 {
//!   for thread_bind[threadIdx.x] %k in 256 { rf_B[%rf_b, 0] += A[%rf_b * 256 + %k] }
//! }
//! for thread_bind[threadIdx.x] %b in 64 { B[0] += rf_B[%b, 0] }
//! ```
//! This is [`rfactor`](crate::schedule::primitive::reduction::rfactor) on a bound loop. The partial results are in
//! global memory. Thread blocks can wait for each other only at the end of a kernel, so a second nest, which becomes a
//! second kernel, combines the partial results. The other loops of both nests keep their binding. The loop over the
//! partial results is bound to `threadIdx.x` if [`bind`] would do so, and is serial otherwise.
//! `replace-cross-thread-reduction` lowers reductions across threads in either nest.
//!
//! Requires
//! - (C1) the reduction is over a loop that is bound to a `blockIdx` axis, and has the form that (C7) of `bind`
//!   requires: see
//!   [`src/schedule/legality/cross_thread_reduction.rs`](crate::schedule::legality::cross_thread_reduction)
//! - (C2) the conditions of `rfactor` would hold if no loop were bound
//!
//! Cross-block reductions that do not meet the conditions are unchanged, and `convert-loop-to-gpu` refuses them.

use crate::dialect::loop_enums::{LoopKind, ThreadAxis};
use crate::dialect::loop_op::For;
use crate::ir::{Error, Op};
use crate::nest::facts;
use crate::nest::rewriter::Direct;
use crate::nest::summary::{NodeId, Summary};
use crate::optimize::kind::{Counts, FunctionPass};
use crate::schedule::State;
use crate::schedule::legality::cross_thread_reduction;
use crate::schedule::legality::proof::Proofs;
use crate::schedule::name;
use crate::schedule::primitive::r#loop::bind::bind;
use crate::schedule::primitive::reduction::rfactor::rfactor;

/// The index of the statistic in the row.
const REDUCTIONS: usize = 0;

/// See the head of the file.
#[derive(Debug, Default)]
pub struct ReplaceCrossBlockReduction;

/// The kind of a loop, and the axis that it is bound to.
type Binding = (LoopKind, Option<ThreadAxis>);

impl FunctionPass for ReplaceCrossBlockReduction {
    fn run<'c>(&mut self, function: Op<'c>, counts: &mut Counts) -> Result<(), Error<'c>> {
        let mut state = State::new(function, Box::new(Direct))?;
        // The names of the schedule blocks that `rfactor` refuses. They stay.
        let mut left: Vec<String> = vec![];
        while let Some((loop_node, block)) = find(state.summary(), &left) {
            let name = state.summary().name(block);
            match replace(&mut state, loop_node, block)? {
                true => counts.add(REDUCTIONS, 1),
                false => left.push(name),
            }
        }
        Ok(())
    }
}

/// A loop over thread blocks that reduce together, and its schedule block. (C1)
fn find(summary: &Summary, left: &[String]) -> Option<(NodeId, NodeId)> {
    summary.blocks().find_map(|(id, block)| {
        let is_block = |node: &NodeId| {
            summary.as_loop(*node).and_then(|this| this.thread).is_some_and(ThreadAxis::is_block)
        };
        let node = facts::cross_thread_reduction::loops(summary, id).into_iter().find(is_block)?;
        let chain = cross_thread_reduction::check(summary, node, 1).ok()?;
        (chain.block == id && !left.contains(&block.name)).then_some((node, id))
    })
}

/// Replaces a reduction, unless `rfactor` refuses it.
fn replace<'c>(state: &mut State<'c>, node: NodeId, block: NodeId) -> Result<bool, Error<'c>> {
    let summary = state.summary();
    let block_name = summary.name(block);
    let target = format!("{block_name}:{}", summary.as_loop(node).expect("a loop").name);
    let loops = enclosing_loops(summary, block);
    let bindings: Vec<(Op<'c>, String, Binding)> = loops
        .iter()
        .map(|node| {
            let this = summary.as_loop(*node).expect("a loop");
            (state.op(*node), this.name.clone(), (this.kind, this.thread))
        })
        .collect();
    let factored = loops.iter().position(|n| *n == node).expect("it stands around the block");
    for (op, _, (kind, _)) in &bindings {
        if *kind == LoopKind::ThreadBind {
            For::set_kind(*op, LoopKind::Serial, None);
        }
    }
    state.refresh()?;
    // (C2)
    let Ok(partial) = rfactor(state, &target, 0, &mut Proofs::default()) else {
        for (op, _, (kind, axis)) in &bindings {
            For::set_kind(*op, *kind, *axis);
        }
        state.refresh()?;
        return Ok(false);
    };
    state.refresh()?;
    let summary = state.summary();
    let [first, last] = [&partial, &block_name].map(|name| {
        name::block(summary, name).map(|id| enclosing_loops(summary, id)).unwrap_or_default()
    });
    let others = bindings.iter().enumerate().filter(|(i, _)| *i != factored);
    let outermost = bindings.get(factored).into_iter();
    for (node, (.., (kind, axis))) in first.iter().zip(outermost.chain(others.map(|(_, b)| b))) {
        For::set_kind(state.op(*node), *kind, *axis);
    }
    for node in &last {
        let this = summary.as_loop(*node).expect("a loop");
        let old = bindings.iter().position(|(_, name, _)| *name == this.name);
        match old {
            Some(i) if i == factored => {}
            Some(i) => For::set_kind(state.op(*node), bindings[i].2.0, bindings[i].2.1),
            None => {}
        }
    }
    state.refresh()?;
    give_to_threads(state, &block_name, &bindings[factored].1)?;
    Ok(true)
}

/// Binds the loop over partial results to threads, if possible.
fn give_to_threads<'c>(state: &mut State<'c>, block: &str, joined: &str) -> Result<(), Error<'c>> {
    let summary = state.summary();
    let Ok(id) = name::block(summary, block) else { return Ok(()) };
    let loops = enclosing_loops(summary, id);
    let of = |node: &NodeId| summary.as_loop(*node).expect("a loop");
    let Some(node) = loops.iter().find(|node| of(node).name == joined) else { return Ok(()) };
    let is_one = of(node).constant_extent() == Some(1);
    let (target, axis) = (format!("{block}:{joined}"), ThreadAxis::ThreadX.word());
    if !is_one && bind(state, &target, axis, &mut Proofs::default()).is_ok() {
        state.refresh()?;
    }
    Ok(())
}

/// The loops around a node, outermost first.
fn enclosing_loops(summary: &Summary, node: NodeId) -> Vec<NodeId> {
    let mut loops: Vec<NodeId> = summary.loops_around(node).collect();
    loops.reverse();
    loops
}
