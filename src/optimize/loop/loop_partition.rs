//! `loop-partition`: split a loop into iterations in which a guard provably holds, and iterations that must evaluate
//! it.
//!
//! ```text
//! for %i in 7 { for %j in 16 { loop.block "B" .. where(-%i * 16 - %j + 99 >= 0) } }
//!   ->
//! for %i in 6 { for %j in 16 { loop.block "B" .. } }
//! for %i.tail in 1 { for %j in 16 { loop.block "B.tail" .. where(-%j + 3 >= 0) } }
//!
//! for parallel %i in %n { .. where(-%i * 16 - %j + %m - 1 >= 0) }    // or bound to threads
//!   ->
//! for parallel %i in %n {
//!   loop.if (-%i + %m floordiv 16 - 1 >= 0) { .. } else { .. where(-%i * 16 - %j + %m - 1 >= 0) }
//! }
//! ```
//! If the part with the guard has a single iteration, the loop variable in it is replaced by its value, so that a
//! partial tile has a static size. Guards are the predicates of schedule blocks, the conditions of `loop.if` between
//! loops and in bodies, and extents such as `min(16, %n - %i * 16)`, which are 16 in nearly all iterations. A guard may
//! hold in the first iterations or in the last ones. So a loop over a padded window is split twice, into three parts. A
//! guard that always holds in a part is removed. A statement whose guard never holds in a part is removed from this
//! part. If all statements are removed from one part, no schedule block is copied.
//!
//! Requires
//! - (C1) the guard is `c * %i + rest >= 0` with a constant `c`, and a lower bound of `rest` over the nested loops is
//!   known
//! - (C2) the number of the first iteration in which the guard holds, or no longer holds, is proved not to be negative
//! - (C3) if a reduction starts in the loop and continues over its iterations, it starts in the first part: this part
//!   is proved to have an iteration, the `loop.init` is in it, and no index of the result depends on the loop variable
//! - (C4) all threads of a thread block, and all lanes, are in the same part: the bound of `rest` holds for all of
//!   them, and no `threadIdx` or `vthread` loop is partitioned. A vectorized loop is partitioned only if its lanes are
//!   independent, the iteration of the split is a constant, and no schedule block is copied
//! - (C5) the loop has no annotations, is not the remainder of a split, and is no kernel, unless it is bound to a
//!   `blockIdx` axis. It is not nested in a vectorized loop, and does not contain a vectorized loop that contains
//!   parallel or bound loops
//! - (C6) the partition is profitable. If both parts have constant sizes, the part without the guard is not smaller
//!   than the other. If only one part has a constant size, it is the part with the guard. Neither is required if no
//!   schedule block is copied. In a parallel or bound loop, a thread evaluates the guard more than once per iteration.
//!   The iteration of the split does not depend on enclosing loops, except in a serial or unrolled loop of which no
//!   schedule block is copied
//! - (C7) no schedule block has more than `most-copies` copies, which includes the original
//!
//! The order of iterations is unchanged.

mod guard;
mod rewrite;

use crate::dialect::loop_enums::{AxisType, IterRole, LoopKind};
use crate::dialect::loop_op::{For, If};
use crate::ffi::pass::PassRun;
use crate::ir::affine::Expr;
use crate::ir::{Attribute, Error, Op, walk};
use crate::nest::facts::reduction;
use crate::nest::rewriter::Direct;
use crate::nest::summary::{Loop, NodeId, Summary, mentions};
use crate::optimize::kind::{Counts, FunctionPass, has_kernels, run_with};
use crate::schedule::State;
use crate::schedule::legality::lanes;
pub(crate) use guard::{Guard, GuardSide};
use std::collections::BTreeMap;

/// The indices of the statistics in the row.
const LOOPS: usize = 0;
const BRANCHES: usize = 1;
const GUARDS: usize = 2;

/// The assumed extent of a loop of unknown extent, when loops are compared.
const DYNAMIC: i64 = 1 << 10;

/// See the head of the file.
#[derive(Debug)]
pub struct LoopPartition {
    /// The most copies of a schedule block, itself included.
    pub most_copies: usize,
}

impl Default for LoopPartition {
    fn default() -> Self {
        LoopPartition { most_copies: 4 }
    }
}

/// The `run` function in the table row; its option is `most-copies`.
pub fn run(op: Op, run: &PassRun) -> Result<(), ()> {
    let most_copies = usize::try_from(run.int(0)).unwrap_or(0);
    run_with(LoopPartition { most_copies }, op, run)
}

impl FunctionPass for LoopPartition {
    fn run<'c>(&mut self, function: Op<'c>, counts: &mut Counts) -> Result<(), Error<'c>> {
        if !walk(function).into_iter().any(has_guard) {
            return Ok(());
        }
        let mut state = State::new(function, Box::new(Direct))?;
        let has_kernels = has_kernels(function);
        // Partitions of different nests are independent.
        for blocks in guarded_nests(&state) {
            state.focus(&blocks.iter().map(String::as_str).collect::<Vec<_>>())?;
            let origins = blocks.into_iter().map(|block| (block.clone(), block)).collect();
            let mut parts = NestParts { origins, has_kernels };
            while let Some(cut) = self.next(&state, &parts) {
                match cut.form {
                    PartitionForm::Whole => {}
                    PartitionForm::Parts => counts.add(LOOPS, 1),
                    PartitionForm::Branch => counts.add(BRANCHES, 1),
                }
                counts.add(GUARDS, cut.guards.len() as u64);
                for (old, new) in rewrite::apply(&state, &cut)? {
                    parts.origins.insert(new, parts.origins[&old].clone());
                }
                state.refresh()?;
            }
        }
        Ok(())
    }
}

/// The parts of one nest.
struct NestParts {
    /// Its schedule blocks and their copies, with the names of their originals.
    origins: BTreeMap<String, String>,
    /// True if each loop at function level is a kernel.
    has_kernels: bool,
}

/// The schedule blocks of each nest with a guard.
fn guarded_nests(state: &State) -> Vec<Vec<String>> {
    let summary = state.summary();
    let nests = summary.nodes[NodeId::FUNCTION].children.iter().copied();
    let guarded = nests.filter(|nest| walk(state.op(*nest)).into_iter().any(has_guard));
    let name = |block: NodeId| summary.name(block);
    guarded.map(|nest| summary.blocks_under(nest).into_iter().map(name).collect()).collect()
}

/// True if an op has a condition, or an extent that may act as one.
fn has_guard(op: Op) -> bool {
    let is_minimum = || {
        op.attribute("extent").and_then(Attribute::as_map).is_some_and(|map| map.results.len() > 1)
    };
    op.is(If::NAME) || op.attribute("predicate").is_some() || op.is(For::NAME) && is_minimum()
}

/// How a loop is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PartitionForm {
    /// Its guards hold in all iterations.
    Whole,
    /// Two loops, one after the other.
    Parts,
    /// A branch in it.
    Branch,
}

/// The partition of a loop.
struct LoopCut {
    node: NodeId,
    form: PartitionForm,
    side: GuardSide,
    /// The first iteration in which the guards no longer hold, or in which they begin to hold.
    at: Expr,
    /// The guards that hold on one side of the cut.
    guards: Vec<Guard>,
    /// The schedule blocks whose reduction starts in the first part; their copies in the second part continue it.
    started: Vec<NodeId>,
    /// The iterations without the guards, counted over all loops around and in the loop.
    gain: i64,
}

impl LoopPartition {
    /// The loop whose partition saves the most, in the first part that has one.
    fn next(&self, state: &State, parts: &NestParts) -> Option<LoopCut> {
        let places = guard::SummaryNumbers::of(state);
        let summary = state.summary();
        let is_own = |nest: &&NodeId| {
            let mut blocks = summary.blocks_under(**nest).into_iter();
            blocks.any(|block| parts.origins.contains_key(&summary.name(block)))
        };
        let mut nests = summary.nodes[NodeId::FUNCTION].children.iter().filter(is_own);
        nests.find_map(|nest| self.next_in(state, &places, parts, *nest))
    }

    /// The loop of a nest whose partition saves the most.
    fn next_in<'c>(
        &self,
        state: &State<'c>,
        places: &guard::SummaryNumbers<'c>,
        parts: &NestParts,
        nest: NodeId,
    ) -> Option<LoopCut> {
        let summary = state.summary();
        let mut best: Option<LoopCut> = None;
        for node in summary.under(nest) {
            let Some(this) = summary.as_loop(node) else { continue };
            if !is_open(summary, node, this, parts.has_kernels) {
                continue;
            }
            let guards = guard::of_loop(state, places, node);
            for first in &guards {
                let cut = self.cut(state, node, this, first, &guards);
                let fits = |cut: &LoopCut| {
                    let better = best.as_ref().is_none_or(|best| cut.gain > best.gain);
                    better
                        && (cut.form == PartitionForm::Whole
                            || self.has_room(summary, cut, &parts.origins))
                };
                if let Some(cut) = cut.filter(fits) {
                    best = Some(cut);
                }
            }
        }
        best
    }

    /// The partition at the cut of a guard, with all guards that hold on the same side of it.
    fn cut(
        &self,
        state: &State,
        node: NodeId,
        this: &Loop,
        first: &Guard,
        all: &[Guard],
    ) -> Option<LoopCut> {
        let summary = state.summary();
        let (side, at) = (first.side, first.at.clone());
        let below = |a: &Expr, b: &Expr| summary.never_negative(&(b.clone() - a.clone()));
        let holds_too = |guard: &&Guard| {
            guard.side == side
                && match side {
                    GuardSide::Before => guard.at == at || below(&at, &guard.at),
                    GuardSide::From => guard.at == at || below(&guard.at, &at),
                }
        };
        // A guard that also holds beyond the cut does not exclude its statement from all iterations there.
        let of_cut = |guard: &Guard| {
            let fails_beyond = guard.fails_beyond && guard.at == at;
            Guard { fails_beyond, ..guard.clone() }
        };
        let guards: Vec<Guard> = all.iter().filter(holds_too).map(of_cut).collect();
        let is_whole = match side {
            GuardSide::Before => this.extent.iter().any(|extent| below(extent, &at)),
            GuardSide::From => at.constant().is_some_and(|at| at <= 0),
        };
        let mut cut = LoopCut {
            node,
            form: PartitionForm::Whole,
            side,
            at,
            guards,
            started: vec![],
            gain: 0,
        };
        if is_whole {
            cut.gain = i64::MAX;
            return Some(cut);
        }
        cut.form = match this.kind {
            LoopKind::Parallel | LoopKind::ThreadBind => PartitionForm::Branch,
            LoopKind::Serial | LoopKind::Unroll | LoopKind::Vectorize => PartitionForm::Parts,
        };
        let is_alone = copied(summary, &cut).is_empty();
        let without = gain(this, side, &cut.at).or(is_alone.then_some(1))?;
        cut.gain = without.saturating_mul(iterations_beside(summary, node));
        if cut.form == PartitionForm::Parts {
            cut.started = started(summary, &cut)?;
        }
        let fits = match (this.kind, cut.form) {
            (LoopKind::Vectorize, _) => {
                cut.at.constant().is_some() && is_alone && lanes::are_independent(summary, node)
            }
            // One branch in an iteration is no better than one guard.
            (_, PartitionForm::Branch) => {
                !cut.at.has_dims() && !cut.guards.iter().all(|g| is_once(summary, node, g))
            }
            _ => !cut.at.has_dims() || is_alone,
        };
        fits.then_some(cut)
    }

    /// (C7)
    fn has_room(
        &self,
        summary: &Summary,
        cut: &LoopCut,
        origins: &BTreeMap<String, String>,
    ) -> bool {
        let origin = |node: NodeId| {
            let name = &summary.as_block(node).expect("a block").name;
            origins.get(name)
        };
        copied(summary, cut).into_iter().all(|node| {
            let same = |other: &NodeId| origin(*other) == origin(node);
            summary.blocks().map(|(other, _)| other).filter(same).count() < self.most_copies
        })
    }
}

/// (C5)
fn is_open(summary: &Summary, node: NodeId, this: &Loop, has_kernels: bool) -> bool {
    let is_rest = this.axis.as_ref().is_some_and(|axis| axis.ty == AxisType::Tail);
    let may_be = match this.thread {
        Some(axis) => axis.is_block(),
        None => !has_kernels || summary.nodes[node].parent != Some(NodeId::FUNCTION),
    };
    let has_lanes = |outer: NodeId| {
        summary.as_loop(outer).is_some_and(|outer| outer.kind == LoopKind::Vectorize)
    };
    // Lowering proves less about vectorized loops around threads once they are partitioned.
    let holds_threads = summary.under(node).into_iter().any(|inner| {
        let is_at_once = summary
            .as_loop(inner)
            .is_some_and(|inner| matches!(inner.kind, LoopKind::Parallel | LoopKind::ThreadBind));
        let mut inside = summary.ancestors(inner).take_while(|outer| *outer != node);
        is_at_once && inside.any(has_lanes)
    });
    may_be
        && this.annotations.is_empty()
        && !is_rest
        && !holds_threads
        && !summary.ancestors(node).any(has_lanes)
}

/// The iterations of the loops around a loop and in it, for one iteration of the loop.
fn iterations_beside(summary: &Summary, node: NodeId) -> i64 {
    let extent = |node: NodeId| {
        let this = summary.as_loop(node)?;
        Some(this.constant_extent().unwrap_or(DYNAMIC).max(1))
    };
    let product = |nodes: &mut dyn Iterator<Item = NodeId>| {
        nodes.filter_map(extent).fold(1, i64::saturating_mul)
    };
    let path =
        |block: NodeId| product(&mut summary.ancestors(block).take_while(|outer| *outer != node));
    let inside = summary.blocks_under(node).into_iter().map(path).max();
    product(&mut summary.ancestors(node)).saturating_mul(inside.unwrap_or(1))
}

/// (C6): The number of iterations without the guard.
fn gain(this: &Loop, side: GuardSide, at: &Expr) -> Option<i64> {
    let after = |extent: &Expr| (extent.clone() - at.clone()).simplified();
    let rest: Vec<Expr> = this.extent.iter().map(after).collect();
    let least = |exprs: &[Expr]| exprs.iter().filter_map(Expr::constant).min();
    let (before, after) = match this.constant_extent() {
        Some(extent) => (at.constant().map(|at| at.min(extent)), least(&rest)),
        None => (at.constant(), least(&rest)),
    };
    let (without, with) = match side {
        GuardSide::Before => (before, after),
        GuardSide::From => (after, before),
    };
    match (without, with) {
        (Some(without), Some(with)) => (without > 0 && without >= with).then_some(without),
        (Some(_), None) => None,
        (None, _) => Some(this.constant_extent().unwrap_or(DYNAMIC)),
    }
}

/// (C3): The schedule blocks whose reduction starts in the first part alone; `None` if one cannot start there.
fn started(summary: &Summary, cut: &LoopCut) -> Option<Vec<NodeId>> {
    let variable = summary.as_loop(cut.node)?.variable;
    let mut started = vec![];
    for id in summary.blocks_under(cut.node) {
        let block = summary.as_block(id)?;
        let over = |wanted: &dyn Fn(IterRole) -> bool| {
            let mut iters = block.iters.iter().zip(&block.binding);
            iters.any(|(iter, bound)| {
                wanted(iter.role) && mentions(&summary.over_loops_under(cut.node, bound), variable)
            })
        };
        if !block.has_init || !over(&|role| role == IterRole::Reduce) {
            continue;
        }
        let has_first = summary.never_negative(&(cut.at.clone() - 1.into()));
        let starts_first = has_first && reduction::starts_first_in(summary, cut.node, id);
        if over(&|role| role != IterRole::Reduce) || !starts_first {
            return None;
        }
        started.push(id);
    }
    Some(started)
}

/// True if each thread evaluates a guard once in an iteration of a loop.
fn is_once(summary: &Summary, node: NodeId, guard: &Guard) -> bool {
    let path = std::iter::once(guard.within).chain(summary.ancestors(guard.within));
    let mut loops = path.take_while(|n| *n != node).filter_map(|n| summary.as_loop(n));
    loops.all(|inner| inner.kind == LoopKind::ThreadBind)
}

/// The schedule blocks that are in both parts.
fn copied(summary: &Summary, cut: &LoopCut) -> Vec<NodeId> {
    let is_out = |node: &NodeId| {
        let kept_out = |n: NodeId| cut.guards.iter().any(|g| g.node == Some(n) && g.fails_beyond);
        let path = std::iter::once(*node).chain(summary.ancestors(*node));
        path.take_while(|n| *n != cut.node).any(kept_out)
    };
    summary.blocks_under(cut.node).into_iter().filter(|node| !is_out(node)).collect()
}
