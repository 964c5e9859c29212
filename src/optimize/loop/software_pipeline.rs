//! `software-pipeline`: overlap iterations of a loop, in the stages and the order that its annotations give.
//!
//! ```text
//! for %i in 16 attributes {loop.annotations = {software_pipeline_stage = "0, 1", software_pipeline_order = "0, 1"}} {
//!   S: T[j] = A[%i, j]
//!   U: B[%i, j] = T[j] + 1
//! }
//!   ->
//! S.prologue: T[0, j] = A[0, j]
//! for %i in 15 {
//!   S: T[(%i + 1) mod 2, j] = A[%i + 1, j]
//!   U: B[%i, j] = T[%i mod 2, j] + 1
//! }
//! U.epilogue: B[15, j] = T[1, j] + 1
//! ```
//! `software_pipeline_stage` has a number for each statement in the body, except barriers: the statement runs this
//! number of iterations behind the first stage. `software_pipeline_order` has the position of each statement in the new
//! body. The primitive `software_pipeline` makes the same change during scheduling. For the rewrite see
//! [`src/schedule/rewrite/pipelining.rs`](crate::schedule::rewrite::pipelining).
//!
//! If a condition is not met, there is an error at the loop.
//!
//! Requires
//! - (C1) both annotations exist. Each is a list of integers separated by commas, one for each statement in the body
//!   except barriers
//! - (C2) all stages are from 0 to 8, and one of them is 0; each position is used once
//! - (C3) to (C6) of the primitive `software_pipeline`, but a constant extent may be equal to the last stage
//!
//! The pass `double-buffer` makes the same rewrite for another annotation.

use crate::dialect::annotation;
use crate::ir::{Error, Op, walk};
use crate::nest::rewriter::Direct;
use crate::nest::summary::NodeId;
use crate::optimize::kind::{Counts, FunctionPass};
use crate::schedule::State;
use crate::schedule::instruction::Primitive;
use crate::schedule::legality::proof::Proofs;
use crate::schedule::primitive::r#loop::software_pipeline::PRIMITIVE;
use crate::schedule::rewrite::pipelining;
use crate::schedule::rewrite::pipelining::{Stages, statements};

/// The keys of the annotations.
pub const STAGE: &str = "software_pipeline_stage";
pub const ORDER: &str = "software_pipeline_order";

/// The indices of the statistics in the row.
const LOOPS: usize = 0;
const BUFFERS: usize = 1;

/// See the head of the file.
#[derive(Debug, Default)]
pub struct SoftwarePipeline;

impl FunctionPass for SoftwarePipeline {
    fn run<'c>(&mut self, function: Op<'c>, counts: &mut Counts) -> Result<(), Error<'c>> {
        if !has_annotation(function, &[STAGE, ORDER]) {
            return Ok(());
        }
        let mut state = State::new(function, Box::new(Direct))?;
        let is_annotated = |state: &State, node: NodeId| {
            let keys = annotation::keys(state.op(node));
            keys.iter().any(|key| key == STAGE || key == ORDER)
        };
        while let Some(node) =
            state.summary().nodes.keys().skip(1).find(|n| is_annotated(&state, *n))
        {
            let stages = read(&state, node)?;
            let op = state.op(node);
            [STAGE, ORDER].into_iter().for_each(|key| annotation::set(op, key, None));
            pipeline(&mut state, node, (stages, &PRIMITIVE), counts)?;
        }
        Ok(())
    }
}

/// True if an op in the function has one of these annotations.
pub fn has_annotation(function: Op, wanted: &[&str]) -> bool {
    let has = |op: Op| annotation::keys(op).iter().any(|key| wanted.contains(&key.as_str()));
    walk(function).into_iter().any(has)
}

/// (C1), (C2)
fn read<'c>(state: &State<'c>, node: NodeId) -> Result<Stages, Error<'c>> {
    let op = state.op(node);
    if state.summary().as_loop(node).is_none() {
        return Err(Error::on(op, format!("has annotation \"{STAGE}\", expected on a loop (C1)")));
    }
    let n = statements(state.summary(), node).len();
    let (stage, places) = (numbers(op, STAGE, n)?, numbers(op, ORDER, n)?);
    Stages::new(stage, &places).map_err(|why| Error::on(op, format!("has {why} (C2)")))
}

fn numbers<'c>(op: Op<'c>, key: &str, n: usize) -> Result<Vec<i64>, Error<'c>> {
    let entries = annotation::entries(op);
    let text = entries.iter().find(|(name, _)| *name == key).and_then(|(_, value)| value.as_str());
    let numbers = text.and_then(|text| {
        text.split(',').map(|word| word.trim().parse::<i64>().ok()).collect::<Option<Vec<_>>>()
    });
    let found = match (&numbers, text) {
        (Some(numbers), _) if numbers.len() == n => return Ok(numbers.clone()),
        (_, Some(text)) => format!("\"{text}\""),
        (_, None) => "no text".to_owned(),
    };
    let message =
        format!("has {found} as \"{key}\", expected a number for each of the {n} statements (C1)");
    Err(Error::on(op, message))
}

/// Pipelines a loop, in the same way as the primitive.
pub fn pipeline<'c>(
    state: &mut State<'c>,
    node: NodeId,
    (stages, primitive): (Stages, &Primitive),
    counts: &mut Counts,
) -> Result<(), Error<'c>> {
    let plan = pipelining::check(state.summary(), node, stages, &mut Proofs::default())
        .map_err(|error| error.located(state, primitive.name, false))?;
    pipelining::apply(state, &plan)?;
    counts.add(LOOPS, 1);
    counts.add(BUFFERS, plan.buffers() as u64);
    state.refresh()
}
