//! Counts the work of a nest: attributes it to the running block, and counts inits over an empty domain once.

use super::program::{BufferSlot, ProgramBlock};
use super::thread::ThreadLane;
use crate::interpreter::scalar_op::ScalarOp;
use crate::interpreter::tally::Tally;
use crate::ir::{Op, parents};
use std::collections::HashSet;

/// The counter of a nest.
pub struct Counter<'t> {
    tally: &'t mut Tally,
    function: String,
    /// By block, the spatial points whose init over an empty reduction domain has been counted; each counts once.
    alone: HashSet<(usize, Vec<i64>)>,
}

impl<'t> Counter<'t> {
    /// The counter for the nest of an op.
    pub fn new(nest: Op, tally: &'t mut Tally) -> Self {
        let function = parents(nest).find(|op| op.is("func.func"));
        let name = function.and_then(Op::symbol_name);
        Counter { tally, function: name.unwrap_or_default().to_owned(), alone: HashSet::new() }
    }

    /// Called before instances of a block run.
    pub fn instances(&mut self, block: &ProgramBlock, number: usize) {
        self.tally.begin(&self.function, &block.name, false, number);
    }

    /// Called before inits of a block run.
    pub fn inits(&mut self, block: &ProgramBlock, number: usize) {
        self.tally.begin(&self.function, &block.name, true, number);
    }

    /// Called before inits of a reduction over an empty domain run in these lanes.
    pub fn inits_alone<'a>(
        &mut self,
        block: &ProgramBlock,
        lanes: impl Iterator<Item = &'a ThreadLane>,
    ) {
        let spatial = || block.iters.iter().filter(|iter| !iter.is_reduce);
        let point = |lane: &ThreadLane| spatial().map(|iter| lane.ints[iter.slot]).collect();
        let points: Vec<Vec<i64>> = lanes.map(point).collect();
        let new = points.into_iter().filter(|point| self.alone.insert((block.id, point.clone())));
        let new = new.count();
        self.inits(block, new);
        if new == 0 {
            self.tally.pause();
        }
    }

    pub fn operation(&mut self, action: &ScalarOp) {
        self.tally.operations(action.operations());
    }

    pub fn access(&mut self, buffer: &BufferSlot, offset: usize, is_store: bool) {
        self.tally.access(&buffer.array, buffer.scope, offset, is_store);
    }
}
