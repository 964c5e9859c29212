//! `software-pipeline`: statements of a loop work on different iterations at once, as its annotations say.
//!
//! ```text
//! for %i in 16 attributes {loop.annotations = {software_pipeline_stage = "0, 1", software_pipeline_order = "0, 1"}} {
//!   S: T[j] = A[%i, j]
//!   U: B[%i, j] = T[j] + 1
//! }
//!   ->
//! S: T[0, j] = A[0, j]                       // prologue
//! for %i in 15 {                             // body
//!   S: T[(%i + 1) mod 2, j] = A[%i + 1, j]
//!   U: B[%i, j] = T[%i mod 2, j] + 1
//! }
//! U: B[15, j] = T[1, j] + 1                  // epilogue
//! ```
//! `software_pipeline_stage` has a number for each statement in the body, barriers aside: how many iterations
//! behind the first stage it is. `software_pipeline_order` has its place in the new body. Buffers between statements
//! of different stages get a copy for each iteration that is under way. Where the body had barriers, there is one
//! after each new iteration, and one between statements of it that would clash. An extent that may be less than
//! the last stage leaves the loop as it was behind a condition; so does one of just that many iterations if the last
//! stage starts a reduction, which the new body does in its first one.
//!
//! Conditions, each an error at the loop if it is not met:
//! - (C1) both annotations, text with whole numbers between commas, as many as the body has statements
//! - (C2) stages not below 0 and not above 8, of which one is 0; places that are each taken once
//! - (C3) a serial loop with one extent, which is no kernel, and if it is a number not less than the last stage
//! - (C4) in a loop with barriers, no loop of threads of a block around it
//! - (C5) a reduction over the loop tells no places of the result apart by it
//! - (C6) executions that touch one cell keep their order; a buffer that an iteration reads only where it has
//!   written it has a copy of its own then, if no schedule block around an access hides the loop
//!
//! [`double_buffer`](super::double_buffer) makes the same of another annotation.

mod model;
mod rewrite;
mod versions;

use crate::dialect::annotation;
use crate::dialect::loop_enums::{IterRole, LoopKind};
use crate::ir::{Error, Op, walk};
use crate::optimize::kind::{Counts, FunctionPass, is_kernel};
use crate::schedule::State;
use crate::schedule::proof::Verdict;
use crate::schedule::rewriter::Direct;
use crate::schedule::summary::{NodeId, NodeKind, Summary, mentions};

/// The annotations.
pub const STAGE: &str = "software_pipeline_stage";
pub const ORDER: &str = "software_pipeline_order";
/// More iterations under way would need as many copies of all buffers.
const MOST_STAGES: i64 = 8;

/// The places of the statistics in the row.
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
        while let Some(node) = (1..state.summary().nodes.len()).find(|n| is_annotated(&state, *n)) {
            let stages = read(&state, node)?;
            let op = state.op(node);
            [STAGE, ORDER].into_iter().for_each(|key| annotation::set(op, key, None));
            pipeline(&mut state, op, &stages, counts)?;
        }
        Ok(())
    }
}

/// Has an op in a function one of these annotations?
pub fn has_annotation(function: Op, wanted: &[&str]) -> bool {
    let has = |op: Op| annotation::keys(op).iter().any(|key| wanted.contains(&key.as_str()));
    walk(function).into_iter().any(has)
}

/// The statements of a loop, in the order of the text, and when they run.
#[derive(Clone, Debug)]
pub struct Stages {
    pub stage: Vec<i64>,
    /// The places of the statements, in their new order.
    pub order: Vec<usize>,
}

impl Stages {
    /// How many iterations the last stage is behind the first.
    fn last(&self) -> i64 {
        self.stage.iter().copied().max().unwrap_or(0)
    }
}

/// (C1), (C2)
fn read<'c>(state: &State<'c>, node: NodeId) -> Result<Stages, Error<'c>> {
    let op = state.op(node);
    if state.summary().as_loop(node).is_none() {
        return Err(Error::on(op, format!("has annotation \"{STAGE}\", expected on a loop (C1)")));
    }
    let n = statements(state.summary(), node).len();
    let (stage, order) = (numbers(op, STAGE, n)?, numbers(op, ORDER, n)?);
    let is_stage = |s: &i64| (0..=MOST_STAGES).contains(s);
    if !stage.iter().all(is_stage) || !stage.contains(&0) {
        let message = format!(
            "has stages {stage:?} in \"{STAGE}\", expected numbers from 0 to {MOST_STAGES} and a 0 (C2)"
        );
        return Err(Error::on(op, message));
    }
    let place = |p: i64| order.iter().position(|o| *o == p);
    match (0..n as i64).map(place).collect::<Option<Vec<usize>>>() {
        Some(order) => Ok(Stages { stage, order }),
        None => {
            let message = format!(
                "has places {order:?} in \"{ORDER}\", expected each of 0 to {} once (C2)",
                n - 1
            );
            Err(Error::on(op, message))
        }
    }
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

/// What stands in a loop, but for barriers.
pub fn statements(summary: &Summary, node: NodeId) -> Vec<NodeId> {
    let is_barrier = |n: &NodeId| matches!(summary.nodes[*n].kind, NodeKind::Sync);
    summary.nodes[node].children.iter().copied().filter(|n| !is_barrier(n)).collect()
}

/// Makes a pipeline of a loop.
pub fn pipeline<'c>(
    state: &mut State<'c>,
    op: Op<'c>,
    stages: &Stages,
    counts: &mut Counts,
) -> Result<(), Error<'c>> {
    let node = check(state, op, stages)?;
    let versions = versions::of(state.summary(), node, stages);
    for version in &versions {
        versions::give(state, node, version)?;
        counts.add(BUFFERS, 1);
    }
    state.refresh()?;
    let node = node_of(state, op);
    let started = started(state.summary(), node).map_err(|message| Error::on(op, message))?;
    match model::check_order(state.summary(), node, stages) {
        Verdict::Proved => {}
        verdict => {
            let why = match verdict {
                Verdict::Unknown(why) => why,
                _ => "two statements touch one cell in another order".to_owned(),
            };
            return Err(Error::on(op, format!("cannot be a pipeline: {why} (C6)")));
        }
    }
    let clashes = model::Clashes::of(state, node, &versions);
    rewrite::apply(state, node, stages, &started, &clashes)?;
    counts.add(LOOPS, 1);
    state.refresh()
}

fn node_of(state: &State, op: Op) -> NodeId {
    let nodes = 0..state.summary().nodes.len();
    nodes.into_iter().find(|node| state.op(*node) == op).expect("the loop is still there")
}

/// (C3), (C4)
fn check<'c>(state: &State<'c>, op: Op<'c>, stages: &Stages) -> Result<NodeId, Error<'c>> {
    let node = node_of(state, op);
    let summary = state.summary();
    let this = summary.as_loop(node).expect("a loop");
    let refuse = |why: String| Err(Error::on(op, format!("cannot be a pipeline: {why}")));
    if this.kind != LoopKind::Serial {
        return refuse(format!("it is {}, expected a serial loop (C3)", this.kind));
    }
    if this.extent.len() != 1 || is_kernel(op) {
        return refuse("it is a kernel, or has a minimum as its extent (C3)".into());
    }
    if let Some(extent) = this.constant_extent().filter(|extent| *extent < stages.last()) {
        let message = format!(
            "it has {extent} iterations, expected at least {}, the last stage (C3)",
            stages.last()
        );
        return refuse(message);
    }
    let in_threads = summary.loops_around(node).any(|outer| {
        let thread = summary.as_loop(outer).and_then(|outer| outer.thread);
        thread.is_some_and(|axis| !axis.is_block())
    });
    if has_barrier(summary, node) && in_threads {
        return refuse("it holds a barrier, and a loop of threads stands around it (C4)".into());
    }
    Ok(node)
}

fn has_barrier(summary: &Summary, node: NodeId) -> bool {
    summary.under(node).iter().any(|n| matches!(summary.nodes[*n].kind, NodeKind::Sync))
}

/// (C5): The schedule blocks that start a reduction over the loop.
fn started(summary: &Summary, node: NodeId) -> Result<Vec<NodeId>, String> {
    let variable = summary.as_loop(node).expect("a loop").variable;
    let mut started = vec![];
    for id in summary.blocks_under(node) {
        let block = summary.as_block(id).expect("a block");
        let over = |wanted: &dyn Fn(IterRole) -> bool| {
            let mut iters = block.iters.iter().zip(&block.binding);
            iters.any(|(iter, bound)| {
                let bound = super::loop_partition::resolved(summary, node, bound);
                wanted(iter.role) && mentions(&bound, variable)
            })
        };
        if !block.has_init || !over(&|role| role == IterRole::Reduce) {
            continue;
        }
        if over(&|role| role != IterRole::Reduce) {
            return Err(format!(
                "cannot be a pipeline: \"{}\" reduces over it, and tells places apart by it (C5)",
                block.name
            ));
        }
        started.push(id);
    }
    Ok(started)
}
