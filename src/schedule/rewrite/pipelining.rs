//! Software pipelining: overlaps the statements of consecutive iterations of a loop.
//!
//! ```text
//! for %i in 16 {
//!   S: T[j] = A[%i, j]
//!   U: B[%i, j] = T[j] + 1
//! }
//!   ->  S of stage 0, U of stage 1
//! S.prologue: T[0, j] = A[0, j]
//! for %i in 15 {
//!   S: T[(%i + 1) mod 2, j] = A[%i + 1, j]
//!   U: B[%i, j] = T[%i mod 2, j] + 1
//! }
//! U.epilogue: B[15, j] = T[1, j] + 1
//! ```
//! The stage of a statement is the number of iterations that it runs behind the statements of stage 0. Buffers between
//! statements of different stages get one copy for each iteration in flight; a copy has the size that one iteration
//! uses. If the body had barriers, the new body has one at the end of each iteration, and one between statements of it
//! that conflict. If the extent may be less than the last stage, a copy of the original loop remains under a condition.
//! It also remains if the extent may equal the last stage and the last stage starts a reduction, because the new body
//! starts it in its first iteration.
//!
//! Used by the primitives `software_pipeline` and `double_buffer`, and by the passes of these names, which read
//! annotations. [`check`] requires the following; the numbers are those of `software_pipeline`:
//! - (C3) the loop is serial, its extent is one expression, and the loop is not a kernel; a constant extent is at least
//!   the last stage; the primitive requires that it is greater (`check_runs`)
//! - (C4) if the loop contains barriers, no loop of a `threadIdx` or `vthread` axis encloses it
//! - (C5) if a reduce iter of a block with `loop.init` is bound to the loop, no other iter of the block is bound to it,
//!   and the reduction starts in the first iteration
//! - (C6) instances that access the same element keep their order. In the pipeline, a buffer that an iteration reads
//!   only where it has written it has copies, unless a schedule block around an access hides the loop

mod model;
mod rewrite;
mod tile;
mod versions;

pub use rewrite::apply;

use crate::dialect::loop_enums::{IterRole, LoopKind};
use crate::nest::facts::reduction;
use crate::nest::summary::{BufferId, NodeId, NodeKind, Summary, mentions};
use crate::schedule::error::{Reason, ScheduleError};
use crate::schedule::legality::proof::Proofs;
use crate::schedule::verdict::Verdict;
use model::Clashes;
use versions::Version;

/// The limit on stages: more iterations in flight would need as many copies of all buffers.
pub const MAX_STAGES: i64 = 8;

/// The statements of a loop, in textual order, with their stages and their new order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stages {
    /// The stage of each statement, from 0.
    pub stage: Vec<i64>,
    /// The indices of the statements, in their new order.
    pub order: Vec<usize>,
}

impl Stages {
    /// The last stage: the number of iterations that it runs behind the first.
    pub fn last(&self) -> i64 {
        self.stage.iter().copied().max().unwrap_or(0)
    }

    /// Builds the stages from a stage and a position for each statement. Stages must be from 0 to [`MAX_STAGES`] and
    /// include 0; each position must be used once. The error states what is wrong.
    pub fn new(stage: Vec<i64>, places: &[i64]) -> Result<Stages, String> {
        let is_stage = |s: &i64| (0..=MAX_STAGES).contains(s);
        if !stage.iter().all(is_stage) || !stage.contains(&0) {
            return Err(format!(
                "stages {stage:?}, expected numbers from 0 to {MAX_STAGES} that include 0"
            ));
        }
        let n = places.len() as i64;
        let place = |p: i64| places.iter().position(|o| *o == p);
        match (0..n).map(place).collect::<Option<Vec<usize>>>() {
            Some(order) => Ok(Stages { stage, order }),
            None => Err(format!("places {places:?}, expected each of 0 to {} once", n - 1)),
        }
    }
}

/// The children of a loop, except for barriers.
pub fn statements(summary: &Summary, node: NodeId) -> Vec<NodeId> {
    let is_barrier = |n: &NodeId| matches!(summary.nodes[*n].kind, NodeKind::Sync);
    summary.nodes[node].children.iter().copied().filter(|n| !is_barrier(n)).collect()
}

/// The result of the check.
pub struct Plan {
    node: NodeId,
    stages: Stages,
    versions: Vec<Version>,
    /// The buffers that shrink to what one iteration uses.
    fitted: Vec<BufferId>,
    /// The schedule blocks that start a reduction over the loop.
    started: Vec<NodeId>,
    clashes: Clashes,
}

impl Plan {
    /// The number of buffers that get copies.
    pub fn buffers(&self) -> usize {
        self.versions.iter().map(|version| version.buffers.len()).sum()
    }
}

/// (C3): requires that iterations remain for the loop. Without any, its statements would have other names.
pub fn check_runs(summary: &Summary, node: NodeId, stages: &Stages) -> Result<(), ScheduleError> {
    let this = summary.as_loop(node).expect("a loop");
    match this.constant_extent().filter(|extent| *extent <= stages.last()) {
        Some(extent) => {
            let last = stages.last();
            let why =
                format!("it has {extent} iterations, expected more than {last}, the last stage");
            Err(refused(summary, node, why, 3))
        }
        None => Ok(()),
    }
}

/// Checks that a loop can be pipelined.
pub fn check(
    summary: &Summary,
    node: NodeId,
    stages: Stages,
    proofs: &mut Proofs,
) -> Result<Plan, ScheduleError> {
    check_loop(summary, node, &stages)?;
    let started = started(summary, node)?;
    let versions = versions::of(summary, node, &stages);
    let with_copies = versions::given(summary, node, &versions);
    let mut verdict = model::check_order(&with_copies, node, &stages, &versions);
    if let Verdict::Refuted(witness) = &mut verdict {
        // The conflicting element, in whichever copy it is.
        let is_it = |id: &BufferId| summary.buffers[*id].name == witness.buffer;
        if versions.iter().any(|version| version.buffers.iter().any(is_it)) {
            witness.cell.remove(0);
        }
    }
    proofs.require(&verdict, || {
        let name = summary.as_loop(node).expect("a loop").name.clone();
        Reason::OrderOfStages(name).at(node, 6)
    })?;
    let fitted = tile::all(summary, node, &stages, &versions);
    let clashes = Clashes::of(summary, node, &versions);
    Ok(Plan { node, stages, versions, fitted, started, clashes })
}

fn refused(summary: &Summary, node: NodeId, why: String, condition: u8) -> ScheduleError {
    let name = summary.as_loop(node).expect("a loop").name.clone();
    Reason::NoPipeline { name, why }.at(node, condition)
}

/// (C3), (C4)
fn check_loop(summary: &Summary, node: NodeId, stages: &Stages) -> Result<(), ScheduleError> {
    let this = summary.as_loop(node).expect("a loop");
    let refuse = |why: String, condition| Err(refused(summary, node, why, condition));
    if this.kind != LoopKind::Serial {
        return refuse(format!("it is {}, expected a serial loop", this.kind), 3);
    }
    if this.extent.len() != 1 || is_kernel(summary, node) {
        return refuse("it is a kernel, or has a minimum as its extent".into(), 3);
    }
    if let Some(extent) = this.constant_extent().filter(|extent| *extent < stages.last()) {
        let last = stages.last();
        let why = format!("it has {extent} iterations, expected at least {last}, the last stage");
        return refuse(why, 3);
    }
    let in_threads = summary.loops_around(node).any(|outer| {
        let thread = summary.as_loop(outer).and_then(|outer| outer.thread);
        thread.is_some_and(|axis| !axis.is_block())
    });
    if has_barrier(summary, node) && in_threads {
        return refuse("it contains a barrier, and a thread loop encloses it".into(), 4);
    }
    Ok(())
}

/// True if the node is a kernel: in a function with bound loops, each statement at function level is one.
fn is_kernel(summary: &Summary, node: NodeId) -> bool {
    let is_bound =
        |n: NodeId| summary.as_loop(n).is_some_and(|this| this.kind == LoopKind::ThreadBind);
    summary.nodes[node].parent == Some(NodeId::FUNCTION) && summary.nodes.keys().any(is_bound)
}

fn has_barrier(summary: &Summary, node: NodeId) -> bool {
    summary.under(node).iter().any(|n| matches!(summary.nodes[*n].kind, NodeKind::Sync))
}

/// (C5): the schedule blocks that start a reduction over the loop.
fn started(summary: &Summary, node: NodeId) -> Result<Vec<NodeId>, ScheduleError> {
    let variable = summary.as_loop(node).expect("a loop").variable;
    let mut started = vec![];
    for id in summary.blocks_under(node) {
        let block = summary.as_block(id).expect("a block");
        let over = |wanted: &dyn Fn(IterRole) -> bool| {
            let mut iters = block.iters.iter().zip(&block.binding);
            iters.any(|(iter, bound)| {
                let bound = summary.over_loops_under(node, bound);
                wanted(iter.role) && mentions(&bound, variable)
            })
        };
        if !block.has_init || !over(&|role| role == IterRole::Reduce) {
            continue;
        }
        if over(&|role| role != IterRole::Reduce) {
            let why =
                format!("\"{}\" both reduces over it and indexes its result by it", block.name);
            return Err(refused(summary, node, why, 5));
        }
        if !reduction::starts_first_in(summary, node, id) {
            let why = format!("\"{}\" is not known to start in its first iteration", block.name);
            return Err(refused(summary, node, why, 5));
        }
        started.push(id);
    }
    Ok(started)
}
