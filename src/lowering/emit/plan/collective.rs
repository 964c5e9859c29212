//! The cross-thread reductions of a function.

use crate::dialect::loop_op::{For, ScheduleBlock};
use crate::ir::affine::Constraint;
use crate::ir::{Error, Op, Type, parents, walk};
use crate::nest::partial_result::PartialReduction;
use crate::schedule::legality::cross_thread_reduction::warp::WarpMapping;

/// A reduction by warp shuffles.
#[derive(Clone, Debug)]
pub(crate) struct Collective<'c> {
    /// The outermost reduction loop.
    pub first: Op<'c>,
    /// All reduction loops; each is bound to a thread axis.
    pub loops: Vec<Op<'c>>,
    pub block: Op<'c>,
    pub group: WarpMapping,
    /// The conditions under which a point is reduced, over the variables and sizes of the function's summary.
    pub starts: Vec<Constraint>,
}

impl<'c> Collective<'c> {
    /// The number of elements and the element type of each buffer that it needs in shared memory.
    pub fn buffers(&self) -> Result<Vec<(i64, Type<'c>)>, Error<'c>> {
        let Some(cells) = self.group.cells() else { return Ok(vec![]) };
        let reduction = PartialReduction::of(ScheduleBlock::of(self.block)?);
        let element = |store: &Op<'c>| (cells, store.operand(0).ty());
        Ok(reduction.stores.iter().map(element).collect())
    }

    /// True if the reduction runs again before all threads have reached another barrier.
    pub fn comes_again(&self) -> bool {
        let turns = |op: &Op<'c>| For::of(*op).is_ok_and(|view| view.thread.is_none());
        let Some(around) = parents(self.first).find(turns) else { return false };
        let is_for_all = |barrier: &Op<'c>| {
            let mut between = parents(*barrier).take_while(|op| *op != around);
            barrier.is("loop.sync") && between.all(|op| op.is(For::NAME) && !turns(&op))
        };
        !walk(around).iter().any(is_for_all)
    }
}
