//! Methods of [`Schedule`] for queries.

use super::super::{Schedule, ScheduleError, name, query};
use crate::nest::summary;
use crate::schedule::primitive::sampling::decision;

impl Schedule<'_> {
    /// The names of the schedule blocks, in textual order.
    pub fn blocks(&self) -> Vec<String> {
        query::blocks(self.summary())
    }

    /// The schedule block with a name.
    pub fn block(&self, name: &str) -> Result<&summary::Block, ScheduleError> {
        let node = name::block(self.summary(), name)?;
        Ok(self.summary().as_block(node).expect("a block"))
    }

    /// The loops around a block, outermost first.
    pub fn loops(&self, block: &str) -> Result<Vec<String>, ScheduleError> {
        query::loops(self.summary(), block)
    }

    /// The schedule blocks under a loop or block that are not nested in another block under it.
    pub fn children(&self, target: &str) -> Result<Vec<String>, ScheduleError> {
        query::children(self.summary(), target)
    }

    /// The other blocks that write what a block reads.
    pub fn producers(&self, block: &str) -> Result<Vec<String>, ScheduleError> {
        query::producers(self.summary(), block)
    }

    /// The other blocks that read what a block writes.
    pub fn consumers(&self, block: &str) -> Result<Vec<String>, ScheduleError> {
        query::consumers(self.summary(), block)
    }

    /// The buffers that a block reads and does not write, in the order of the first loads.
    pub fn reads(&self, block: &str) -> Result<Vec<String>, ScheduleError> {
        query::reads(self.summary(), block)
    }

    /// The buffers that a block writes, in the order of the first stores.
    pub fn writes(&self, block: &str) -> Result<Vec<String>, ScheduleError> {
        query::writes(self.summary(), block)
    }

    /// The blocks that write arguments of the function.
    pub fn outputs(&self) -> Vec<String> {
        query::outputs(self.summary())
    }

    /// The names of all accessed buffers.
    pub fn buffers(&self) -> Vec<String> {
        query::buffers(self.summary())
    }

    /// The names of blocks, or with `:` of loops, that a pattern such as `C*:j*` matches.
    pub fn find(&self, pattern: &str) -> Vec<String> {
        query::find(self.summary(), pattern)
    }

    /// The loop or block that directly encloses a loop or block.
    pub fn parent(&self, target: &str) -> Result<Option<String>, ScheduleError> {
        query::parent(self.summary(), target)
    }

    /// The next loop or block of the same body.
    pub fn next(&self, target: &str) -> Result<Option<String>, ScheduleError> {
        query::beside(self.summary(), target, true)
    }

    /// The previous loop or block of the same body.
    pub fn previous(&self, target: &str) -> Result<Option<String>, ScheduleError> {
        query::beside(self.summary(), target, false)
    }

    /// The nest as text.
    pub fn show(&self) -> String {
        query::show(self.summary())
    }

    /// The decisions so far, by name.
    pub fn decisions(&self) -> Vec<(String, decision::Decision)> {
        decision::all(self.state.function)
    }

    /// True if a decision has this name.
    pub fn has_decision(&self, name: &str) -> bool {
        decision::named(self.state.function, name).is_some()
    }
}
