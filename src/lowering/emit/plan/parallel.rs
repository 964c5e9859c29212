//! Loops whose iterations run on the threads of a CPU.

use crate::dialect::loop_enums::{IterRole, LoopKind};
use crate::dialect::loop_op::{For, ScheduleBlock};
use crate::ir::{Op, parents, walk};
use crate::nest::summary::{VariableId, mentions};

/// The outermost parallel loop that encloses an op.
pub(crate) fn parallel_around(op: Op) -> Option<Op> {
    let is_parallel = |p: &Op| For::of(*p).is_ok_and(|view| runs_parallel(&view));
    parents(op).filter(|p| p.is(For::NAME)).filter(is_parallel).last()
}

/// True if the iterations of a loop run on the threads of a CPU. Iterations of `blockIdx` loops do, unless they
/// reduce together.
pub(crate) fn runs_parallel(view: &For) -> bool {
    match view.thread {
        Some(axis) => axis.is_block() && !is_reduced_over(view),
        None => view.kind == LoopKind::Parallel,
    }
}

fn is_reduced_over(view: &For) -> bool {
    let blocks = walk(view.op).into_iter().filter_map(|op| ScheduleBlock::of(op).ok());
    blocks.into_iter().any(|block| {
        let Some(place) = block.binds.iter().position(|v| *v == view.variable()) else {
            return false;
        };
        let mut iters = block.iters.iter().zip(&block.binding);
        iters.any(|(iter, bound)| {
            iter.role == IterRole::Reduce && mentions(bound, VariableId::of_dim(place))
        })
    })
}
