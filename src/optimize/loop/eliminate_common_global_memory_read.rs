//! `eliminate-common-global-memory-read`: load elements that several schedule blocks of a thread read from global
//! memory only once, into a local buffer.
//!
//! ```text
//! for %b (blockIdx.x), %t (threadIdx.x) {       for %b (blockIdx.x), %t (threadIdx.x) {
//!   Y[i] = g[i] + 1                               g_local_temp_buffer[0] = g[i]
//!   Z[i] = g[i] * 2                         ->    Y[i] = g_local_temp_buffer[0] + 1
//! }                                               Z[i] = g_local_temp_buffer[0] * 2
//!                                               }
//! ```
//! The pass looks for the innermost loop in whose iterations two or more schedule blocks read the same elements of a
//! buffer. In each dimension, the indices of these elements are `count` values with a constant distance `step`. The
//! copy is inserted before the first of these blocks, in loops like those of that block. An index into the copy is
//! `index floordiv step mod count`. If all readers have the same predicate, the copying block has it, too. If it does
//! not imply that all elements are in bounds, the block also has conditions that exclude the others.
//!
//! Requires
//! - (C1) the loop is bound to threads, or is nested in such a loop. It is neither vectorized nor nested in a
//!   vectorized loop
//! - (C2) the buffer is in global memory
//! - (C3) the loads are unconditional, and their indices do not depend on data. They are not in a `loop.init`, and do
//!   not load from a buffer into which their block reduces
//! - (C4) between the loop and the readers there are only serial, unrolled and vectorized loops
//! - (C5) all readers read the same elements, at most `most-cells`. The first of these elements has a constant index in
//!   the copy
//! - (C6) between the copy and the last reader there is no call, no element is stored to before it is read, and no
//!   store to the buffer precedes a barrier. (Stores of other threads after the last barrier need no condition, because
//!   a load of the stored value would be a race)
//!
//! Other loads are unchanged. By the definition of the dialect, arguments of a function do not alias.
//!
//! Each copy replaces at least two loads, so the pass terminates, and finds nothing more in its own output.

mod copy;

use crate::dialect::loop_enums::{LoopKind, Scope};
use crate::ir::affine::{Constraint, Expr, Linear, greatest_divisor};
use crate::ir::{Error, Op};
use crate::nest::facts::boxes;
use crate::nest::facts::boxes::{Motion, Range, at_least};
use crate::nest::facts::quotient;
use crate::nest::rewriter::Direct;
use crate::nest::summary::VariableId;
use crate::nest::summary::{
    Access, Block, Body, BufferId, Loop, NodeId, NodeKind, Summary, mentions,
};
use crate::optimize::kind::{Counts, FunctionPass};
use crate::schedule::State;
use crate::schedule::legality::exact;
use crate::schedule::legality::exact::Turn;
use crate::schedule::verdict::Verdict;

/// The indices of the statistics in the row.
const BUFFERS: usize = 0;
const LOADS: usize = 1;

/// See the head of the file.
#[derive(Clone, Copy, Debug)]
pub struct EliminateCommonGlobalMemoryRead {
    /// The most elements of a copy.
    pub most_cells: i64,
}

impl FunctionPass for EliminateCommonGlobalMemoryRead {
    fn run<'c>(&mut self, function: Op<'c>, counts: &mut Counts) -> Result<(), Error<'c>> {
        let mut state = State::new(function, Box::new(Direct))?;
        while let Some(common) = self.common(state.summary()) {
            counts.add(BUFFERS, 1);
            counts.add(LOADS, common.loads.iter().map(|(_, loads)| loads.len() as u64).sum());
            copy::make(&mut state, &common)?;
            state.refresh()?;
        }
        Ok(())
    }
}

/// Loads of the same elements.
#[derive(Clone, Debug)]
struct Common {
    /// The copy is in the parent, before the child.
    parent: NodeId,
    child: NodeId,
    buffer: BufferId,
    dims: Vec<CopiedDim>,
    /// The predicate that all readers have.
    predicate: Vec<Constraint>,
    /// Schedule blocks in program order, and which of their accesses read the box.
    loads: Vec<(NodeId, Vec<usize>)>,
}

/// One dimension of the copied box.
#[derive(Clone, Debug)]
struct CopiedDim {
    /// Over the loops around the copy.
    low: Expr,
    step: i64,
    count: i64,
    /// The index of `low` in the copy.
    phase: i64,
    /// The kind of the first reader's loop that runs over the dimension.
    like: LoopKind,
    /// Whether all its elements are in the buffer, at the lower and at the upper end.
    is_inside: (bool, bool),
}

impl EliminateCommonGlobalMemoryRead {
    /// The first common loads of a function.
    fn common(&self, summary: &Summary) -> Option<Common> {
        summary.blocks().find_map(|(reader, block)| {
            candidates(block).find_map(|load| {
                let is_global =
                    summary.buffers[load.buffer].scope.is_none_or(|s| s == Scope::Global);
                let mut around = summary.ancestors(reader).filter(|_| is_global);
                around.find_map(|parent| self.common_in(summary, parent, (reader, load)))
            })
        })
    }

    /// The loads of later schedule blocks that read the same elements as `load`, in an iteration of a loop.
    fn common_in(
        &self,
        summary: &Summary,
        parent: NodeId,
        (first, load): (NodeId, &Access),
    ) -> Option<Common> {
        if !may_hold_copy(summary, parent) || !runs_in_iteration(summary, parent, first) {
            return None;
        }
        let ranges = box_of(summary, parent, load)?;
        let mut counts = ranges.iter().map(|places| places.count);
        let cells = counts.try_fold(1i64, |cells, count| cells.checked_mul(count))?;
        if cells > self.most_cells {
            return None;
        }
        let reads_box = |access: &Access| {
            access.buffer == load.buffer
                && box_of(summary, parent, access).as_ref() == Some(&ranges)
        };
        let mut loads = vec![];
        for reader in summary.blocks_under(parent).into_iter().filter(|n| *n >= first) {
            let block = summary.as_block(reader).expect("a block");
            let is_meant = |i: &usize| {
                let access = &block.accesses()[*i];
                is_candidate(block, access) && reads_box(access)
            };
            let found: Vec<usize> = (0..block.accesses().len()).filter(is_meant).collect();
            if !found.is_empty() && runs_in_iteration(summary, parent, reader) {
                loads.push((reader, found));
            }
        }
        if loads.len() < 2 || !stays(summary, parent, load.buffer, &loads) {
            return None;
        }
        let predicate = common_predicate(summary, parent, &loads);
        let dim = |i: usize| {
            let runs = |reader: NodeId| {
                let block = summary.as_block(reader).expect("a block");
                block.predicate.is_empty() || predicate.is_some()
            };
            let ends = |(reader, found): &(NodeId, Vec<usize>)| {
                let block = summary.as_block(*reader).expect("a block");
                let mut indices = found.iter().map(|access| &block.accesses()[*access].indices[i]);
                runs(*reader)
                    && indices.any(|index| {
                        let index = index.as_ref();
                        index.is_some_and(|index| reaches_ends(summary, parent, *reader, index))
                    })
            };
            let is_read = loads.iter().any(ends);
            dim(summary, parent, (first, load), (i, &ranges[i]), is_read)
        };
        let dims = (0..ranges.len()).map(dim).collect::<Option<_>>()?;
        let child = summary.child_towards(parent, first);
        let predicate = predicate.unwrap_or_default();
        Some(Common { parent, child, buffer: load.buffer, dims, predicate, loads })
    }
}

/// (C5): The elements of dimension `i`. `is_read`: the readers read the ends of the range.
fn dim(
    summary: &Summary,
    parent: NodeId,
    (first, load): (NodeId, &Access),
    (i, places): (usize, &StridedValues),
    is_read: bool,
) -> Option<CopiedDim> {
    let (step, count) = (places.step, places.count);
    let low = summary.simplified(&summary.over_loops_under(parent, &places.range.low));
    let place = summary.simplified(&low.clone().floor_div(step.into()));
    let phase = summary.simplified(&place.modulo(count.into())).constant()?;
    let shape = &summary.buffers[load.buffer].shape[i];
    let end = low.clone() + (step * (count - 1) + 1).into();
    let is_below = shape.as_ref().is_some_and(|size| at_least(summary, size, &end));
    let is_above = Linear::of(&low).is_never_negative() || at_least(summary, &low, &0.into());
    let index = summary.over_loops_under(parent, load.indices[i].as_ref()?);
    let is_last = i + 1 == load.indices.len();
    let like = |this: &Loop| {
        let is_plain = (index.clone() - this.variable.expr()).simplified() == places.range.low;
        match this.kind {
            LoopKind::Unroll => LoopKind::Unroll,
            LoopKind::Vectorize if is_plain && is_last => LoopKind::Vectorize,
            _ => LoopKind::Serial,
        }
    };
    let mut loops = path(summary, parent, first).filter_map(|n| summary.as_loop(n));
    let runs_over = loops.find(|this| mentions(&index, this.variable));
    let like = runs_over.map_or(LoopKind::Serial, like);
    let is_inside = (is_read || is_above, is_read || is_below);
    Some(CopiedDim { low, step, count, phase, like, is_inside })
}

/// The predicate of all readers, if it is the same for all and does not vary in the loop.
fn common_predicate(
    summary: &Summary,
    parent: NodeId,
    loads: &[(NodeId, Vec<usize>)],
) -> Option<Vec<Constraint>> {
    let of = |reader: NodeId| -> Vec<Constraint> {
        let block = summary.as_block(reader).expect("a block");
        let over_loops = |c: &Constraint| c.on(summary.over_loops_under(parent, c.expr()));
        block.predicate.iter().map(over_loops).collect()
    };
    let predicate = of(loads[0].0);
    let stands_still = |c: &Constraint| {
        let mut inside = summary.under(parent).into_iter().filter(|n| *n != parent);
        let moves = |n| summary.as_loop(n).is_some_and(|this| mentions(c.expr(), this.variable));
        !inside.any(moves)
    };
    let is_common = loads.iter().all(|(reader, _)| of(*reader) == predicate);
    (is_common && predicate.iter().all(stands_still)).then_some(predicate)
}

/// The candidate loads of a schedule block.
fn candidates(block: &Block) -> impl Iterator<Item = &Access> {
    block.loads().filter(|load| is_candidate(block, load))
}

/// (C3)
fn is_candidate(block: &Block, access: &Access) -> bool {
    let reduces = block.reducer.is_some() || block.has_init;
    let adds_to_it = reduces && block.stores().any(|store| store.buffer == access.buffer);
    let always_loads = !(access.is_write || access.is_conditional || access.in_init);
    always_loads && !adds_to_it && access.indices.iter().all(Option::is_some)
}

/// (C1)
fn may_hold_copy(summary: &Summary, parent: NodeId) -> bool {
    let is_kind = |n: NodeId, kind| summary.as_loop(n).is_some_and(|this| this.kind == kind);
    let any =
        |kind| std::iter::once(parent).chain(summary.ancestors(parent)).any(|n| is_kind(n, kind));
    summary.as_loop(parent).is_some() && any(LoopKind::ThreadBind) && !any(LoopKind::Vectorize)
}

/// The nodes between a node and one that encloses it, innermost first.
fn path(summary: &Summary, parent: NodeId, node: NodeId) -> impl Iterator<Item = NodeId> {
    summary.ancestors(node).take_while(move |n| *n != parent)
}

/// (C4)
fn runs_in_iteration(summary: &Summary, parent: NodeId, reader: NodeId) -> bool {
    path(summary, parent, reader).all(|n| {
        summary.as_loop(n).is_some_and(|this| {
            matches!(this.kind, LoopKind::Serial | LoopKind::Unroll | LoopKind::Vectorize)
        })
    })
}

/// The values of an index: from the lower end of the range, at a constant step.
#[derive(Clone, Debug, PartialEq)]
struct StridedValues {
    range: Range,
    step: i64,
    count: i64,
}

/// A superset of the elements that a load reads in an iteration of a loop.
fn box_of(summary: &Summary, parent: NodeId, load: &Access) -> Option<Vec<StridedValues>> {
    let places = |index: &Option<Expr>| {
        let index = index.as_ref()?;
        let range = boxes::inside(summary, parent, index)?;
        let is_defined =
            |end: &Expr| end.is_semi_affine() && quotient::is_defined(summary, parent, end);
        if !is_defined(&range.low) || !is_defined(&range.high) {
            return None;
        }
        let step = step_of(summary, parent, index);
        let count = range.extent().constant().filter(|extent| *extent > 0)? - 1;
        Some(StridedValues { range, step, count: count / step + 1 })
    };
    load.indices.iter().map(places).collect()
}

/// A number that divides all distances between the values of an index in an iteration of a loop.
fn step_of(summary: &Summary, parent: NodeId, index: &Expr) -> i64 {
    let moves = |variable: usize| {
        let motion = boxes::motion_inside(summary, parent, VariableId::of_dim(variable));
        !matches!(motion, Motion::Still)
    };
    let mut step = 0;
    for (atom, coefficient) in &Linear::of(&summary.over_loops_under(parent, index)).terms {
        let mut is_moved = false;
        atom.visit_leaves(&mut |leaf| {
            is_moved |= matches!(leaf, Expr::Dim(variable) if moves(*variable));
        });
        match atom {
            Expr::Dim(_) if is_moved => step = greatest_divisor(step, coefficient.abs()),
            _ if is_moved => return 1,
            _ => {}
        }
    }
    step.max(1)
}

/// True if, for each end of the values of an index, the loops between `parent` and a reader have an iteration that
/// reaches it. Then both ends are in the buffer, because otherwise the reader would read out of bounds.
fn reaches_ends(summary: &Summary, parent: NodeId, reader: NodeId, index: &Expr) -> bool {
    let loops: Vec<&Loop> =
        path(summary, parent, reader).filter_map(|n| summary.as_loop(n)).collect();
    let runs = |this: &&Loop| {
        let extents: Option<Vec<i64>> = this.extent.iter().map(Expr::constant).collect();
        extents.is_some_and(|extents| extents.iter().all(|extent| *extent > 0))
    };
    let index = Linear::of(&summary.over_loops_under(parent, index));
    let is_plain = |atom: &Expr| match atom {
        Expr::Dim(_) => true,
        atom => loops.iter().all(|this| !mentions(atom, this.variable)),
    };
    loops.iter().all(runs) && index.terms.keys().all(is_plain)
}

/// (C6)
fn stays(
    summary: &Summary,
    parent: NodeId,
    buffer: BufferId,
    loads: &[(NodeId, Vec<usize>)],
) -> bool {
    let readers: Vec<NodeId> = loads.iter().map(|(reader, _)| *reader).collect();
    let child = |reader: &NodeId| summary.child_towards(parent, *reader);
    let (first, last) = (readers.iter().map(child).min(), readers.iter().map(child).max());
    let children = summary.nodes[parent].children.iter().copied();
    let span: Vec<NodeId> = children
        .filter(|n| Some(*n) >= first && Some(*n) <= last)
        .flat_map(|n| summary.under(n))
        .collect();
    let is_opaque = |n: &NodeId| match &summary.nodes[*n].kind {
        NodeKind::Effects(_) => true,
        NodeKind::Block(block) => matches!(block.body, Body::Leaf { calls: true, .. }),
        _ => false,
    };
    let is_writer =
        |n: &NodeId| summary.as_block(*n).is_some_and(|block| block.written().contains(&buffer));
    let writers: Vec<NodeId> = span.iter().copied().filter(is_writer).collect();
    let barriers = span.iter().filter(|n| matches!(summary.nodes[**n].kind, NodeKind::Sync));
    let last_barrier = barriers.map(|n| summary.child_towards(parent, *n)).max();
    let is_early = |writer: &NodeId| Some(summary.child_towards(parent, *writer)) <= last_barrier;
    if writers.iter().any(is_early) {
        return false;
    }
    let turn = (Turn::WrittenFirst, buffer);
    !span.iter().any(is_opaque)
        && (writers.is_empty()
            || exact::check_no_turn(summary, parent, turn, (&readers, &writers)) == Verdict::Proved)
}
