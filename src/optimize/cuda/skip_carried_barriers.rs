//! `skip-carried-barriers`: skip a barrier in the first or last iteration of its loop, if it only separates iterations.
//!
//! ```text
//! for serial %k in 6 {                   for serial %k in 6 {
//!   S[..] = A[..]                          S[..] = A[..]
//!   loop.sync                              loop.sync
//!   C[..] += S[..]                   ->    C[..] += S[..]
//!   loop.sync                              loop.if (-%k + 4 >= 0) { loop.sync }
//! }                                      }
//! ```
//! A barrier at the end of the body is skipped in the last iteration, a barrier at the start of the body in the first.
//! All threads are in the same iteration, so they skip it together. If LLVM unrolls the loop, the code has one barrier
//! less. Otherwise the new branch is merged with that of the loop.
//!
//! Requires
//! - (C1) the barrier is the first or the last statement of a loop in a kernel
//! - (C2) the loop is serial or unrolled
//! - (C3) only accesses in different iterations of that loop need the barrier
//! - (C4) the loop contains no reduction by warp shuffles, because lowering reuses the memory of such a reduction after
//!   any barrier
//! - (C5) for each pair of conflicting accesses that this barrier may separate, it is proved that barriers of the
//!   kernel separate them, as in `thread-sync`

use crate::dialect::loop_enums::LoopKind;
use crate::dialect::loop_op::{For, If, yield_op};
use crate::ffi::pass::PassRun;
use crate::ir::affine::{Constraint, Expr, IntegerSet};
use crate::ir::{Block, Error, Op};
use crate::nest::facts::cross_thread_reduction;
use crate::nest::rewriter::Direct;
use crate::nest::summary::{NodeId, NodeKind, Summary};
use crate::optimize::kind::{self, Counts};
use crate::schedule::State;
use crate::schedule::legality::barriers;
use crate::schedule::legality::barriers::{Barriers, Carrier, Need};
use std::collections::BTreeMap;

/// The index of the statistic in the row.
const SKIPPED: usize = 0;

/// The iteration in which a barrier is skipped.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Skip {
    First,
    Last,
}

/// The `run` function in the table row.
pub fn run(op: Op, run: &PassRun) -> Result<(), ()> {
    kind::reported(run, |counts| function(op, counts))
}

fn function<'c>(function: Op<'c>, counts: &mut Counts) -> Result<(), Error<'c>> {
    let state = State::new(function, Box::new(Direct))?;
    let summary = state.summary();
    let kernels = summary.nodes[NodeId::FUNCTION].children.iter();
    for nest in kernels.filter(|nest| barriers::is_kernel(summary, **nest)) {
        for (barrier, skip) in skipped(summary, *nest) {
            let around = summary.nodes[barrier].parent.expect("(C1) has found it");
            guard(state.op(barrier), &For::of(state.op(around))?, skip);
            counts.add(SKIPPED, 1);
        }
    }
    Ok(())
}

/// The barriers of a nest that can be skipped in one iteration.
fn skipped(summary: &Summary, nest: NodeId) -> BTreeMap<NodeId, Skip> {
    let mut skipped = BTreeMap::new();
    let ends: Vec<(NodeId, Skip)> = summary
        .under(nest)
        .into_iter()
        .filter_map(|node| Some((node, end(summary, node)?)))
        .collect();
    if ends.is_empty() {
        return skipped;
    }
    let whole = Barriers::default();
    let mut met = barriers::needs(summary, nest);
    let in_doubt = barriers::in_doubt(summary, &met);
    met.retain(|need| whole.separate(summary, need));
    // (C5)
    for (barrier, skip) in ends.into_iter().filter(|(barrier, _)| !in_doubt.contains(barrier)) {
        skipped.insert(barrier, skip);
        // (C3)
        if !met.iter().all(|need| separate(summary, &skipped, need)) {
            skipped.remove(&barrier);
        }
    }
    skipped
}

/// The iteration in which a barrier might be skipped. (C1), (C2), (C4)
fn end(summary: &Summary, barrier: NodeId) -> Option<Skip> {
    let around = summary.nodes[barrier].parent?;
    let this = summary.as_loop(around)?;
    let is_in_turn = matches!(this.kind, LoopKind::Serial | LoopKind::Unroll);
    if !matches!(summary.nodes[barrier].kind, NodeKind::Sync) || !is_in_turn {
        return None;
    }
    let joins = |block: &NodeId| !cross_thread_reduction::loops(summary, *block).is_empty();
    if summary.blocks_under(around).iter().any(joins) {
        return None;
    }
    match &summary.nodes[around].children[..] {
        [.., last] if *last == barrier => Some(Skip::Last),
        [first, ..] if *first == barrier => Some(Skip::First),
        _ => None,
    }
}

/// True if all threads meet between the two accesses of a need when some barriers are skipped. Between an iteration
/// of a loop and a later one, threads still reach the barriers of that loop.
fn separate(summary: &Summary, skipped: &BTreeMap<NodeId, Skip>, need: &Need) -> bool {
    let is_passed = |barrier: NodeId| {
        let around = summary.nodes[barrier].parent;
        matches!(need.carrier, Carrier::Loop(carrier) if around == Some(carrier))
    };
    let removed = skipped.keys().copied().filter(|barrier| !is_passed(*barrier)).collect();
    Barriers { removed, ..Barriers::default() }.separate(summary, need)
}

/// Guards a barrier by the condition that its loop is not in the iteration that skips it.
fn guard<'c>(barrier: Op<'c>, around: &For<'c>, skip: Skip) {
    let (dims, symbols) = around.operands.split_at(around.extent.dims);
    let variable = Expr::Dim(dims.len());
    let more = |bound: &Expr| Constraint::NonNegative(bound.clone() - variable.clone() - 2.into());
    let constraints = match skip {
        Skip::First => vec![Constraint::NonNegative(variable.clone() - 1.into())],
        Skip::Last => around.extent.results.iter().map(more).collect(),
    };
    let condition = IntegerSet { dims: dims.len() + 1, symbols: symbols.len(), constraints };
    let operands = [dims, &[around.variable()], symbols].concat();
    let then_body = Block::new(&[]);
    let place = barrier.block().expect("it stands in a loop");
    let location = barrier.location();
    let branch = If::create(location, &condition, &operands, &[], then_body, None);
    place.insert_before(barrier, branch);
    barrier.detach();
    then_body.append(barrier);
    then_body.append(yield_op(location, &[]));
}
