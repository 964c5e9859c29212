//! `double-buffer`: a buffer is filled for the next iteration while this one reads it.
//!
//! ```text
//! for %i in 16 {
//!   loop.block "T" .. writes(%T[..]) attributes {loop.annotations = {double_buffer_scope = 0}}
//!   U: B[%i, j] = T[j] + 1
//! }
//!   ->  T is one iteration ahead of all other statements, and has two halves
//! ```
//! The annotation is that of a schedule block which fills a buffer; its value is the number of the buffer among
//! those that it writes. The innermost serial loop around it in which something else reads the buffer becomes a
//! [pipeline](super::software_pipeline) of two stages: first what holds an annotated schedule block, one
//! iteration ahead, then the rest. All that is said there of barriers and conditions holds.
//!
//! Conditions, each an error at the schedule block if it is not met:
//! - (C1) the annotation of a schedule block, and a number from 0 on of buffers that it writes
//! - (C2) such a loop

use crate::dialect::annotation;
use crate::dialect::loop_enums::LoopKind;
use crate::ir::{Error, Op};
use crate::optimize::kind::{Counts, FunctionPass};
use crate::optimize::software_pipeline::{Stages, has_annotation, pipeline, statements};
use crate::schedule::State;
use crate::schedule::rewriter::Direct;
use crate::schedule::summary::{BufferId, NodeId, Summary};

/// The annotation.
pub const KEY: &str = "double_buffer_scope";

/// See the head of the file.
#[derive(Debug, Default)]
pub struct DoubleBuffer;

impl FunctionPass for DoubleBuffer {
    fn run<'c>(&mut self, function: Op<'c>, counts: &mut Counts) -> Result<(), Error<'c>> {
        if !has_annotation(function, &[KEY]) {
            return Ok(());
        }
        let mut state = State::new(function, Box::new(Direct))?;
        let is_annotated = |state: &State, node: NodeId| {
            annotation::keys(state.op(node)).iter().any(|key| key == KEY)
        };
        while let Some(node) = (1..state.summary().nodes.len()).find(|n| is_annotated(&state, *n)) {
            let summary = state.summary();
            let around = loop_of(&state, node)?;
            let children = statements(summary, around);
            let mut stage = vec![];
            for child in &children {
                let inside = summary.under(*child);
                let mut fills = false;
                for id in inside.into_iter().filter(|n| is_annotated(&state, *n)) {
                    if loop_of(&state, id)? == around {
                        fills = true;
                        annotation::set(state.op(id), KEY, None);
                    }
                }
                stage.push(i64::from(!fills));
            }
            let mut order: Vec<usize> = (0..children.len()).collect();
            order.sort_by_key(|i| stage[*i]);
            let op = state.op(around);
            pipeline(&mut state, op, &Stages { stage, order }, counts)?;
        }
        Ok(())
    }
}

/// (C1), (C2): The loop that an annotated schedule block is to be ahead in.
fn loop_of<'c>(state: &State<'c>, node: NodeId) -> Result<NodeId, Error<'c>> {
    let (summary, op) = (state.summary(), state.op(node));
    let entries = annotation::entries(op);
    let value = entries.iter().find(|(key, _)| *key == KEY).and_then(|(_, value)| value.as_i64());
    let written: Vec<BufferId> =
        summary.as_block(node).map(|b| b.written().into_iter().collect()).unwrap_or_default();
    let buffer = value.and_then(|i| written.get(usize::try_from(i).ok()?));
    let Some(buffer) = buffer else {
        let message = format!(
            "has annotation \"{KEY}\", expected on a schedule block, and the number of one of the {} \
             buffers that it writes (C1)",
            written.len()
        );
        return Err(Error::on(op, message));
    };
    let mut around = summary.loops_around(node);
    let found = around.find(|outer| {
        summary.as_loop(*outer).is_some_and(|this| this.kind == LoopKind::Serial)
            && reads_beside(summary, *outer, node, *buffer)
    });
    found.ok_or_else(|| {
        let name = &summary.buffers[*buffer].name;
        Error::on(
            op,
            format!("fills \"{name}\", expected a serial loop around it that reads it (C2)"),
        )
    })
}

/// Does another statement of a loop than the one that holds a schedule block read a buffer?
fn reads_beside(summary: &Summary, around: NodeId, node: NodeId, buffer: BufferId) -> bool {
    let holds = |child: &NodeId| summary.under(*child).contains(&node);
    statements(summary, around).into_iter().filter(|child| !holds(child)).any(|child| {
        let mut blocks = summary.blocks_under(child).into_iter();
        blocks.any(|id| {
            summary.as_block(id).is_some_and(|b| b.loads().any(|load| load.buffer == buffer))
        })
    })
}
