//! `double_buffer`: fill a buffer for the next iterations of a loop while this one reads it.
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
//! The loop is the innermost serial one around the schedule block in which another statement reads what it writes.
//! There it comes `copies - 1` iterations ahead of the others, 1 by default; so do those of `with`, as where two
//! buffers are filled together. It is a [pipeline](crate::schedule::primitive::r#loop::software_pipeline) of two stages, with all that is said
//! there of barriers, of few iterations and of names.
//!
//! Requires
//! - (C1) a schedule block, and other ones as `with`
//! - (C2) such a loop, in which those of `with` stand too, and a statement that is none of these
//! - (C3) 2 to 9 copies
//! - (C4) of the loop one extent, which is no kernel, and if it is a number not less than the copies
//! - (C5) in a loop with barriers, no loop of threads of a block around it
//! - (C6) no reduction over the loop which tells places of the result apart by it
//! - (C7) executions that touch one cell keep their order

use crate::dialect::loop_enums::LoopKind;
use crate::nest::facts::boxes::is_inside;
use crate::nest::state::State;
use crate::nest::summary::{BufferId, NodeId, Summary};
use crate::schedule::error::{Reason, ScheduleError};
use crate::schedule::legality::proof::{PROOF, Proofs};
use crate::schedule::name;
use crate::schedule::rewrite::pipelining;
use crate::schedule::rewrite::pipelining::{MOST_STAGES, Plan, Stages, statements};
use crate::schedule::table::{BLOCK, Parameter, ParameterKind, Primitive};

pub const PRIMITIVE: Primitive = Primitive {
    name: "double_buffer",
    pass: "sched-double-buffer",
    summary: "Fill a buffer for the next iterations of a loop while this one reads it",
    parameters: &[
        BLOCK,
        Parameter {
            name: "copies",
            kind: ParameterKind::OptionalInteger,
            summary: "How many iterations have the buffer at once; by default two",
        },
        Parameter {
            name: "with",
            kind: ParameterKind::Blocks,
            summary: "Schedule blocks that come ahead as well",
        },
        PROOF,
    ],
    apply: |state, arguments| {
        let mut proofs = Proofs::of(state, &arguments[3]);
        let copies = arguments[1].optional_integer();
        let (block, with) = (arguments[0].text(), arguments[2].texts());
        double_buffer(state, (block, with), copies, &mut proofs).map(|()| vec![])
    },
};

/// Lets a schedule block, and those of `with`, come ahead. On an error the IR is unchanged.
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
        return Err(Reason::BlockRepeated(summary.name(filling[i])).at(filling[i], 1));
    }
    let written: Vec<BufferId> =
        summary.as_block(node).expect("a block").written().into_iter().collect();
    let around = loop_of(summary, node, &written).ok_or_else(|| {
        let buffers = written.iter().map(|buffer| summary.buffers[*buffer].name.as_str());
        let (block, buffers) = (block.to_owned(), name::listed(buffers));
        Reason::NotReadBeside { block, buffers }.at(node, 2)
    })?;
    if let Some(other) = filling.iter().find(|other| !is_inside(summary, around, **other)) {
        let (block, name) = (summary.name(*other), summary.name(around));
        return Err(Reason::NotAround { block, name }.at(*other, 2));
    }
    let copies = copies.unwrap_or(2);
    if !(2..=MOST_STAGES + 1).contains(&copies) {
        return Err(Reason::Copies { found: copies, most: MOST_STAGES + 1 }.at(node, 3));
    }
    let stages = stages(summary, around, &filling, copies - 1);
    if stages.last() == 0 {
        let name = summary.name(around);
        let why = "all of its statements would come ahead".to_owned();
        return Err(Reason::NoPipeline { name, why }.at(around, 2));
    }
    // The conditions of a pipeline are one further here.
    let here = |error: ScheduleError| ScheduleError { condition: error.condition + 1, ..error };
    pipelining::check_runs(summary, around, &stages).map_err(here)?;
    pipelining::check(summary, around, stages, proofs).map_err(here)
}

/// The statements of a loop with what fills buffers come first, so many iterations ahead of the others.
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

/// Does another statement of a loop than the one that holds a schedule block read one of these buffers?
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
