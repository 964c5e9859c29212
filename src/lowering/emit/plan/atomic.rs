//! Atomic updates of schedule blocks whose concurrent iterations update one element: see
//! [`atomic`](crate::schedule::legality::atomic).

use crate::dialect::loop_op::ScheduleBlock;
use crate::dialect::reducer::update::Update;
use crate::ir::Op;
use crate::schedule::State;
use crate::schedule::legality::atomic::meets;

/// The updates of a function that must be atomic.
#[derive(Default)]
pub(crate) struct Atomics<'c> {
    updates: Vec<Update<'c>>,
}

impl<'c> Atomics<'c> {
    pub fn of(state: &State<'c>) -> Self {
        let summary = state.summary();
        let blocks = summary.blocks().filter(|(id, _)| meets(summary, *id));
        let views = blocks.filter_map(|(id, _)| ScheduleBlock::of(state.op(id)).ok());
        let updates = views.flat_map(|view| Update::atomic(&view));
        Atomics { updates: updates.collect() }
    }

    /// The update that ends with this store.
    pub fn of_store(&self, op: Op<'c>) -> Option<&Update<'c>> {
        self.updates.iter().find(|update| update.store == op)
    }

    /// True if the op is part of an update, but not its final store.
    pub fn holds(&self, op: Op<'c>) -> bool {
        self.updates.iter().any(|update| update.ops.contains(&op))
    }
}
