//! `double-buffer`: fill a buffer for the next iteration while the current one reads it.
//!
//! ```text
//! for %i in 16 {
//!   loop.block "T" .. writes(%T[..]) attributes {loop.annotations = {double_buffer_scope = 0}}
//!   U: B[%i, j] = T[j] + 1
//! }
//!   ->  block "T" runs one iteration ahead of all other statements, and %T has two copies
//! ```
//! The annotation is on a schedule block that fills a buffer. Its value is the index of the buffer among the buffers
//! that the block writes. Of the serial loops around the block that contain another statement which reads the buffer,
//! the pass selects the innermost one. This loop becomes a software [pipeline](crate::schedule::rewrite::pipelining) of
//! two stages. The first stage has the statements that contain an annotated schedule block, and runs one iteration
//! ahead. The second stage has all other statements. The conditions of `software-pipeline` and its rules for barriers
//! apply here too. The primitive `double_buffer` makes the same change during scheduling.
//!
//! If a condition is not met, there is an error at the schedule block.
//!
//! Requires
//! - (C1) the annotation is on a schedule block, and its value is the index, from 0 on, of a buffer that the block
//!   writes
//! - (C2) a serial loop around the block contains another statement that reads the buffer

use crate::dialect::annotation;
use crate::ir::{Error, Op};
use crate::nest::rewriter::Direct;
use crate::nest::summary::{BufferId, NodeId};
use crate::optimize::kind::{Counts, FunctionPass};
use crate::optimize::r#loop::software_pipeline::{has_annotation, pipeline};
use crate::schedule::State;
use crate::schedule::primitive::cache::double_buffer;
use crate::schedule::primitive::cache::double_buffer::PRIMITIVE;

/// The key of the annotation.
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
        while let Some(node) =
            state.summary().nodes.keys().skip(1).find(|n| is_annotated(&state, *n))
        {
            let summary = state.summary();
            let around = loop_of(&state, node)?;
            let mut filling = vec![];
            for id in summary.under(around).into_iter().filter(|n| is_annotated(&state, *n)) {
                if loop_of(&state, id)? == around {
                    filling.push(id);
                }
            }
            filling.iter().for_each(|id| annotation::set(state.op(*id), KEY, None));
            let stages = double_buffer::stages(summary, around, &filling, 1);
            pipeline(&mut state, around, (stages, &PRIMITIVE), counts)?;
        }
        Ok(())
    }
}

/// (C1), (C2): The loop in which an annotated schedule block runs one iteration ahead.
fn loop_of<'c>(state: &State<'c>, node: NodeId) -> Result<NodeId, Error<'c>> {
    let (summary, op) = (state.summary(), state.op(node));
    let entries = annotation::entries(op);
    let value = entries.iter().find(|(key, _)| *key == KEY).and_then(|(_, value)| value.as_i64());
    let written: Vec<BufferId> =
        summary.as_block(node).map(|b| b.written().into_iter().collect()).unwrap_or_default();
    let buffer = value.and_then(|i| written.get(usize::try_from(i).ok()?));
    let Some(buffer) = buffer else {
        let message = format!(
            "has annotation \"{KEY}\", expected on a schedule block, with the number of one of the {} \
             buffers that it writes (C1)",
            written.len()
        );
        return Err(Error::on(op, message));
    };
    double_buffer::loop_of(summary, node, &[*buffer]).ok_or_else(|| {
        let name = &summary.buffers[*buffer].name;
        let message = format!(
            "writes \"{name}\", expected a serial loop around it in which another statement reads \
             that (C2)"
        );
        Error::on(op, message)
    })
}
