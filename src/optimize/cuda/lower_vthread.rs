//! `lower-vthread`: replace a loop that is bound to `vthread` by interleaved copies of its schedule blocks.
//!
//! ```text
//! for thread_bind[vthread] %y in 2 {             for %k in 8 {
//!   for %k in 8 {                                  block "A"   { L[0] += A[%t, %k] }
//!     block "A" { L[0] += A[%y * 4 + %t, %k] } ->  block "A_1" { L_1[0] += A[4 + %t, %k] }
//!   }                                            }
//!   block "B" { B[%y * 4 + %t] = L[0] }          block "B"   { B[%t] = L[0] }
//! }                                              block "B_1" { B[4 + %t] = L_1[0] }
//! ```
//! Each schedule block has one copy for each virtual thread, inside of the same inner loops. So a thread has more
//! independent work between two accesses that depend on each other. Each virtual thread has its own instance of a local
//! buffer that is used only in the loop, so such buffers are copied too. A barrier is not copied. Of nested `vthread`
//! loops, the outer one is replaced first.
//!
//! Requires
//! - (C1) the extent of the loop is constant, and there are at most 64 copies of schedule blocks in total
//! - (C2) extents and conditions inside the loop do not depend on its variable; no schedule block inside it contains
//!   schedule blocks
//! - (C3) it is proved that no virtual thread writes an element that another one accesses, except in the local buffers
//!   that are copied
//! - (C4) if the loop is at function level, its body is one nest. Several statements would become several kernels
//!
//! The iterations of the remaining loops over virtual threads run serially.

use crate::dialect::loop_enums::{Scope, ThreadAxis};
use crate::dialect::loop_op::{For, ScheduleBlock};
use crate::ir::affine::Expr;
use crate::ir::{Attribute, Error, Op, Value, walk};
use crate::nest::derived_name;
use crate::nest::edit;
use crate::nest::edit::BoundExpr;
use crate::nest::facts::scope;
use crate::nest::rewriter::Direct;
use crate::nest::summary::{Body, BufferId, NodeId, NodeKind, Summary, mentions};
use crate::optimize::kind::{Counts, FunctionPass, is_kernel};
use crate::schedule::State;
use crate::schedule::legality::exact;
use crate::schedule::verdict::Verdict;
use std::collections::BTreeSet;

/// The most copies of schedule blocks that one loop may make.
pub const MAX_COPIES: i64 = 64;

/// The indices of the statistics in the row.
const LOOPS: usize = 0;
const COPIES: usize = 1;

/// See the head of the file.
#[derive(Debug, Default)]
pub struct LowerVthread;

impl FunctionPass for LowerVthread {
    fn run<'c>(&mut self, function: Op<'c>, counts: &mut Counts) -> Result<(), Error<'c>> {
        let mut state = State::new(function, Box::new(Direct))?;
        while let Some(plan) = state.summary().nodes.keys().find_map(|node| plan(&state, node)) {
            counts.add(LOOPS, 1);
            counts.add(COPIES, (plan.blocks.len() as i64 * (plan.threads - 1)) as u64);
            rewrite(&state, &plan)?;
            state.refresh()?;
        }
        Ok(())
    }
}

/// A loop whose iterations become copies.
struct VirtualThreadLoop<'c> {
    node: NodeId,
    threads: i64,
    blocks: Vec<NodeId>,
    /// The local buffers of which each virtual thread has its own.
    local: Vec<Value<'c>>,
}

fn plan<'c>(state: &State<'c>, node: NodeId) -> Option<VirtualThreadLoop<'c>> {
    let summary = state.summary();
    let this = summary.as_loop(node).filter(|this| this.thread == Some(ThreadAxis::VThread))?;
    let blocks = summary.blocks_under(node);
    // (C1)
    let threads = this.constant_extent().filter(|n| *n > 0)?;
    if threads.saturating_mul(blocks.len() as i64) > MAX_COPIES {
        return None;
    }
    // (C2)
    let depends = |expr: &Expr| mentions(expr, this.variable);
    let is_alike = |inner: &NodeId| match &summary.nodes[*inner].kind {
        NodeKind::Loop(inner) => !inner.extent.iter().any(depends),
        NodeKind::If(conditions) => !conditions.iter().any(|c| depends(c.expr())),
        NodeKind::Block(block) => matches!(block.body, Body::Leaf { .. }),
        _ => true,
    };
    if !summary.under(node).iter().all(is_alike) {
        return None;
    }
    // (C4)
    let children = &summary.nodes[node].children;
    let is_nest = matches!(children[..], [only] if summary.as_block(only).is_none());
    if is_kernel(state.op(node)) && !is_nest {
        return None;
    }
    // (C3)
    let own = local_buffers(summary, node, &blocks);
    let shared = scope::without(summary, node, &own);
    if exact::check_interleaved(&shared, node) != Verdict::Proved {
        return None;
    }
    let local = own.into_iter().map(|buffer| state.buffer(buffer)).collect();
    Some(VirtualThreadLoop { node, threads, blocks, local })
}

/// The local buffers that are used only in a loop.
fn local_buffers(summary: &Summary, node: NodeId, blocks: &[NodeId]) -> BTreeSet<BufferId> {
    let accesses = blocks.iter().filter_map(|id| summary.as_block(*id)).flat_map(|b| b.accesses());
    let is_own = |buffer: &BufferId| {
        summary.buffers[*buffer].scope == Some(Scope::Local)
            && scope::is_used_only_in(summary, node, *buffer)
    };
    accesses.map(|access| access.buffer).filter(is_own).collect()
}

fn rewrite<'c>(state: &State<'c>, plan: &VirtualThreadLoop<'c>) -> Result<(), Error<'c>> {
    let view = For::of(state.op(plan.node))?;
    let variable = view.variable();
    let around = state.nests_around(&plan.blocks);
    let copies: Vec<Vec<Value<'c>>> = (1..plan.threads)
        .map(|i| {
            plan.local
                .iter()
                .map(|value| edit::copy_buffer(state.function, *value, i as usize))
                .collect()
        })
        .collect();
    for node in &plan.blocks {
        let op = state.op(*node);
        let old = ScheduleBlock::of(op)?.name.to_owned();
        let mut behind = op;
        for (i, own) in (1..plan.threads).zip(&copies) {
            let mapping: Vec<(Value, Value)> =
                plan.local.iter().copied().zip(own.iter().copied()).collect();
            let copy = op.clone_mapped(&mapping);
            let next = behind.next().expect("a body ends in a yield");
            next.block().expect("it stands in a block").insert_before(next, copy);
            let name = new_name(state, &format!("{old}_{i}"));
            copy.set_attribute("name", Attribute::string(state.context(), &name));
            fix(copy, variable, i);
            behind = copy;
        }
        fix(op, variable, 0);
    }
    edit::move_ops_before(view.body, view.op);
    view.op.erase();
    // They access the copies of the buffers, too.
    around.into_iter().for_each(edit::derive_regions);
    Ok(())
}

/// Replaces the loop variable by the number of a virtual thread.
fn fix<'c>(block: Op<'c>, variable: Value<'c>, number: i64) {
    let by = BoundExpr { expr: Expr::Constant(number), variables: vec![], sizes: vec![] };
    edit::replace_variable_in(block, variable, &by);
}

fn new_name(state: &State, wanted: &str) -> String {
    let taken: Vec<String> = walk(state.function)
        .into_iter()
        .filter_map(|op| ScheduleBlock::of(op).ok())
        .map(|view| view.name.to_owned())
        .collect();
    derived_name::fresh(wanted, &|name| taken.iter().any(|other| other == name))
}
