//! Transactional schedule steps: all are undone if one is refused.

use crate::ir::{CopiedOp, Error, Op};
use crate::schedule::primitive::sampling::decision;
use crate::schedule::trace::observer::Observer;
use crate::schedule::{Schedule, ScheduleError};

/// A function that is being scheduled, and a copy of its original form.
pub struct Trial<'c> {
    pub schedule: Schedule<'c>,
    function: Op<'c>,
    original: CopiedOp<'c>,
    observer: Observer,
}

impl<'c> Trial<'c> {
    /// # Errors
    /// If the function is not valid.
    pub fn of(function: Op<'c>, observer: &Observer) -> Result<Trial<'c>, Error<'c>> {
        let schedule = Schedule::observed(function, observer)?;
        let (original, observer) = (CopiedOp::of(function), observer.clone());
        Ok(Trial { schedule, function, original, observer })
    }

    /// Does all steps or none. Returns the result of the steps, or the refusal.
    ///
    /// # Errors
    /// If the function cannot be restored: a bug.
    pub fn attempt<T>(
        &mut self,
        steps: impl FnOnce(&mut Schedule<'c>) -> Result<T, ScheduleError>,
    ) -> Result<Result<T, String>, Error<'c>> {
        let before = self.schedule.trace().instructions.len();
        let error = match steps(&mut self.schedule) {
            Ok(done) => return Ok(Ok(done)),
            Err(error) => error,
        };
        let done = self.schedule.trace().instructions[..before].to_vec();
        let focuses = self.schedule.focuses().to_vec();
        let refused = self.schedule.trace().instructions.len() - before;
        let again = CopiedOp::of(self.original.op());
        self.function.regions()[0].take_body(again.op().regions()[0]);
        decision::restore(self.function, again.op());
        self.schedule = Schedule::observed(self.function, &self.observer)?;
        for number in 0..=before {
            let focus = focuses.binary_search_by_key(&number, |focus| focus.first_step);
            match focus.ok().map(|i| &focuses[i].blocks) {
                Some(Some(blocks)) => {
                    self.schedule.focus(&blocks.iter().map(String::as_str).collect::<Vec<_>>());
                }
                Some(None) => self.schedule.widen(),
                None => {}
            }
            let Some(step) = done.get(number) else { break };
            let again = self.schedule.apply(step);
            again.map_err(|error| Error::on(self.function, error.reason.to_string()))?;
        }
        Ok(Err(format!("after {refused} steps: {}", error.reason)))
    }
}
