//! `double_buffer`: fill a buffer for the next iterations of a loop while the current iteration reads it.
//!
//! ```text
//! for %i in 16 {
//!   loop.block "T" { T[j] = A[%i, j] }
//!   loop.block "U" { B[%i, j] = T[j] + 1 }
//! }
//!   ->  double_buffer "T" copies 3
//! loop.block "T.prologue" { T[0, j] = A[0, j] }
//! loop.block "T.prologue_1" { T[1, j] = A[1, j] }
//! for %i in 14 {
//!   loop.block "T" { T[(%i + 2) mod 3, j] = A[%i + 2, j] }
//!   loop.block "U" { B[%i, j] = T[%i mod 3, j] + 1 }
//! }
//! loop.block "U.epilogue" { B[14, j] = T[2, j] + 1 }
//! loop.block "U.epilogue_1" { B[15, j] = T[0, j] + 1 }
//! ```
//! The step changes a serial loop around the schedule block that also contains another statement, which reads what the
//! block writes: the innermost such loop. In this loop the block then runs `copies - 1` iterations ahead of the other
//! statements (1 by default). The blocks of `with` run ahead as well, for example if two buffers are filled together.
//! The result is a pipeline of two stages. The rules of `software_pipeline` for barriers, short loops and names apply.
//!
//! Requires
//! - (C1) the target is a schedule block, and `with` lists other schedule blocks
//! - (C2) a serial loop around the block contains another statement that reads what the block writes. The innermost
//!   such loop contains the blocks of `with`, and at least one statement without any of these blocks
//! - (C3) `copies` is from 2 to 9
//! - (C4) the extent of the loop is one expression, and the loop is not a kernel; a constant extent is at least
//!   `copies`
//! - (C5) if the loop contains barriers, no loop of a `threadIdx` or `vthread` axis encloses it
//! - (C6) if a reduce iter of a block with `loop.init` is bound to the loop, no other iter of the block is bound to it,
//!   and the reduction starts in the first iteration
//! - (C7) instances that access the same element keep their order

use crate::dialect::loop_enums::LoopKind;

use crate::nest::state::State;
use crate::nest::summary::{BufferId, NodeId, Summary};
use crate::schedule::error::{BufferReason, Reason, ReductionReason, ScheduleError};
use crate::schedule::legality::proof::Proofs;
use crate::schedule::name;
use crate::schedule::primitive::declaration::primitive;
use crate::schedule::rewrite::pipelining;
use crate::schedule::rewrite::pipelining::{MAX_STAGES, Plan, Stages, statements};

primitive! {
    "Fill a buffer for later iterations of a loop while the current one reads it"
    double_buffer(
        block: Block,
        copies: OptionalInteger = "The number of copies of the buffer (default: 2)",
        with: Blocks = "Further schedule blocks that run ahead";
        proof
    ) -> ();
    |state| double_buffer(state, (block, with), copies, proof)
}

/// Runs a schedule block, and those of `with`, ahead of the other statements. On an error the IR is unchanged.
pub fn double_buffer(
    state: &mut State,
    (block, with): (&str, &[String]),
    copies: Option<i64>,
    proofs: &mut Proofs,
) -> Result<(), ScheduleError> {
    let plan = check(state.summary(), (block, with), copies, proofs)?;
    pipelining::apply(state, &plan).expect("the nest was verified");
    Ok(())
}

pub fn check(
    summary: &Summary,
    (block, with): (&str, &[String]),
    copies: Option<i64>,
    proofs: &mut Proofs,
) -> Result<Plan, ScheduleError> {
    let node = name::block(summary, block)?;
    let filling = with.iter().map(|other| name::block(summary, other));
    let mut filling = filling.collect::<Result<Vec<NodeId>, ScheduleError>>()?;
    filling.insert(0, node);
    if let Some(i) = (1..filling.len()).find(|i| filling[..*i].contains(&filling[*i])) {
        return Err(BufferReason::BlockRepeated(summary.name(filling[i])).at(filling[i], 1));
    }
    let written: Vec<BufferId> =
        summary.as_block(node).expect("a block").written().into_iter().collect();
    let around = loop_of(summary, node, &written).ok_or_else(|| {
        let buffers = written.iter().map(|buffer| summary.buffers[*buffer].name.as_str());
        let (block, buffers) = (block.to_owned(), name::listed(buffers));
        Reason::NotReadBeside { block, buffers }.at(node, 2)
    })?;
    if let Some(other) = filling.iter().find(|other| !summary.is_under(**other, around)) {
        let (block, name) = (summary.name(*other), summary.name(around));
        return Err(ReductionReason::NotAround { block, name }.at(*other, 2));
    }
    let copies = copies.unwrap_or(2);
    if !(2..=MAX_STAGES + 1).contains(&copies) {
        return Err(Reason::Copies { found: copies, most: MAX_STAGES + 1 }.at(node, 3));
    }
    let stages = stages(summary, around, &filling, copies - 1);
    if stages.last() == 0 {
        let name = summary.name(around);
        let why = "all of its statements would run ahead".to_owned();
        return Err(Reason::NoPipeline { name, why }.at(around, 2));
    }
    // The condition numbers of a pipeline are one higher here.
    let here = |error: ScheduleError| ScheduleError { condition: error.condition + 1, ..error };
    pipelining::check_runs(summary, around, &stages).map_err(here)?;
    pipelining::check(summary, around, stages, proofs).map_err(here)
}

/// The stages of a loop's statements: statements that fill buffers come first, `ahead` iterations ahead of the others.
pub fn stages(summary: &Summary, around: NodeId, filling: &[NodeId], ahead: i64) -> Stages {
    let children = statements(summary, around);
    let fills = |child: &NodeId| {
        let inside = summary.under(*child);
        filling.iter().any(|node| inside.contains(node))
    };
    let stage: Vec<i64> = children.iter().map(|c| if fills(c) { 0 } else { ahead }).collect();
    let mut order: Vec<usize> = (0..children.len()).collect();
    order.sort_by_key(|i| stage[*i]);
    Stages { stage, order }
}

/// The innermost serial loop around a schedule block in which another statement reads one of these buffers.
pub fn loop_of(summary: &Summary, node: NodeId, buffers: &[BufferId]) -> Option<NodeId> {
    summary.loops_around(node).find(|outer| {
        summary.as_loop(*outer).is_some_and(|this| this.kind == LoopKind::Serial)
            && reads_beside(summary, *outer, node, buffers)
    })
}

/// True if a statement of a loop, other than the one that contains the schedule block, reads one of these buffers.
fn reads_beside(summary: &Summary, around: NodeId, node: NodeId, buffers: &[BufferId]) -> bool {
    let holds = |child: &NodeId| summary.under(*child).contains(&node);
    statements(summary, around).into_iter().filter(|child| !holds(child)).any(|child| {
        let mut blocks = summary.blocks_under(child).into_iter();
        blocks.any(|id| {
            let block = summary.as_block(id).expect("a block");
            block.loads().any(|load| buffers.contains(&load.buffer))
        })
    })
}
