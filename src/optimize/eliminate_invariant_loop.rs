//! `eliminate-invariant-loop`: a loop whose variable is not used runs its body once.
//!
//! ```text
//! for %t in 4 { for %i { B[i] = A[i] } }    ->    for %i { B[i] = A[i] }
//! for %t in %n { .. }                       ->    loop.if (%n - 1 >= 0) { .. }
//! ```
//! Requires
//! - that to run the body again changes nothing: no schedule block in it reads what one in it writes, unless
//!   an iteration reads only what it has written before; a reduction starts and ends in the body;
//! - a loop that runs in order, or is unrolled. (Iterations that run at once may not write the same cells.)
//!
//! Other loops stay as they are, also those with annotations, a barrier or a call in them, and those at function
//! level where loops are bound to threads: they are a kernel.

use crate::dialect::loop_enums::{IterRole, LoopKind};
use crate::dialect::loop_op::{For, If, yield_op};
use crate::ir::affine::{Constraint, Set};
use crate::ir::{Block as Braces, Error, Op};
use crate::optimize::kind::{Counts, FunctionPass, is_kernel};
use crate::schedule::State;
use crate::schedule::edit::{move_ops, move_ops_before};
use crate::schedule::flow;
use crate::schedule::rewriter::Direct;
use crate::schedule::summary::{Access, Body, NodeId, NodeKind, Summary, mentions};

/// The place of the statistic in the row.
const LOOPS: usize = 0;

/// See the head of the file.
#[derive(Debug, Default)]
pub struct EliminateInvariantLoop;

impl FunctionPass for EliminateInvariantLoop {
    fn run<'c>(&mut self, function: Op<'c>, counts: &mut Counts) -> Result<(), Error<'c>> {
        let mut state = State::new(function, Box::new(Direct))?;
        while let Some(node) = invariant(&state) {
            replace(&state, node)?;
            counts.add(LOOPS, 1);
            state.refresh()?;
        }
        Ok(())
    }
}

/// The first loop that may run once.
fn invariant(state: &State) -> Option<NodeId> {
    let summary = state.summary();
    (0..summary.nodes.len()).find(|node| {
        summary.as_loop(*node).is_some_and(|this| {
            matches!(this.kind, LoopKind::Serial | LoopKind::Unroll)
                && this.annotations.is_empty()
                && state.variable(this.variable).uses().is_empty()
                && is_idempotent(summary, *node)
                && !is_kernel(state.op(*node))
        })
    })
}

/// Does the body of a loop do nothing more when it is run again?
fn is_idempotent(summary: &Summary, node: NodeId) -> bool {
    let inner = summary.under(node);
    if inner.iter().any(|n| matches!(summary.nodes[*n].kind, NodeKind::Sync | NodeKind::Effects(_)))
    {
        return false;
    }
    let blocks = summary.blocks_under(node);
    blocks.iter().all(|reader| {
        let block = summary.as_block(*reader).expect("a block");
        if matches!(block.body, Body::Leaf { calls: true, .. }) {
            return false;
        }
        let accumulates = |load: &Access| {
            block.has_init
                && block.stores().any(|s| (s.buffer, &s.indices) == (load.buffer, &load.indices))
        };
        block.loads().all(|load| {
            let writes = |n: &&NodeId| {
                summary.as_block(**n).is_some_and(|b| b.written().contains(&load.buffer))
            };
            let writers: Vec<NodeId> = blocks.iter().filter(writes).copied().collect();
            match writers[..] {
                [] => true,
                [writer] if writer == *reader => {
                    accumulates(load) && reduces_inside(summary, node, *reader)
                }
                [writer] => flow::writes_before(summary, node, writer, *reader, load),
                _ => false,
            }
        })
    })
}

/// Do all loops that a block reduces over stand in the loop?
fn reduces_inside(summary: &Summary, node: NodeId, id: NodeId) -> bool {
    let block = summary.as_block(id).expect("a block");
    let mut outside = summary.ancestors(node).filter_map(|n| summary.as_loop(n));
    !outside.any(|this| {
        let mut iters = block.iters.iter().zip(&block.binding);
        iters.any(|(iter, bound)| iter.role != IterRole::Spatial && mentions(bound, this.variable))
    }) && summary.ancestors(id).take_while(|n| *n != node).all(|n| summary.as_block(n).is_none())
}

/// Puts the body in the place of a loop, under the condition that the loop runs, if that is not known.
fn replace<'c>(state: &State<'c>, node: NodeId) -> Result<(), Error<'c>> {
    let op = state.op(node);
    let view = For::of(op)?;
    let runs = view.constant_extent().is_some_and(|extent| extent > 0);
    if runs {
        move_ops_before(view.body, op);
        op.erase();
        return Ok(());
    }
    let then_body = Braces::new(&[]);
    then_body.append(yield_op(op.location(), &[]));
    move_ops(view.body, then_body);
    let at_least_one = view
        .extent
        .results
        .iter()
        .map(|extent| Constraint::NonNegative((extent.clone() - 1.into()).simplified()));
    let condition = Set {
        dims: view.extent.dims,
        symbols: view.extent.symbols,
        constraints: at_least_one.collect(),
    };
    let branch = If::create(op.location(), &condition, &view.operands, &[], then_body, None);
    op.block().expect("a loop stands in a block").insert_before(op, branch);
    op.erase();
    Ok(())
}
