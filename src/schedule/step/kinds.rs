//! Methods of [`Schedule`] for loop kinds, barriers and annotations.

use super::super::{Argument, Literal, Numbers, OptionalNumber, Schedule, ScheduleError};
use super::text;
use crate::schedule::primitive::annotation::{annotate, unannotate};
use crate::schedule::primitive::r#loop::{
    bind, parallel, software_pipeline, sync_threads, unroll, vectorize,
};
use crate::schedule::primitive::reduction::atomic;
use crate::schedule::primitive::tensorize::tensorize;

impl Schedule<'_> {
    /// See [`unroll`](unroll::unroll).
    pub fn unroll(
        &mut self,
        target: &str,
        factor: impl Into<OptionalNumber>,
    ) -> Result<Vec<String>, ScheduleError> {
        self.run(&unroll::PRIMITIVE, vec![text(target), factor.into().0])
    }

    /// See [`vectorize`](vectorize::vectorize).
    pub fn vectorize(
        &mut self,
        target: &str,
        factor: impl Into<OptionalNumber>,
    ) -> Result<Vec<String>, ScheduleError> {
        let (factor, proof) = (factor.into().0, self.proof());
        self.run(&vectorize::PRIMITIVE, vec![text(target), factor, proof])
    }

    /// See [`tensorize`](tensorize::tensorize).
    pub fn tensorize(&mut self, target: &str, intrinsic: &str) -> Result<String, ScheduleError> {
        let arguments = vec![text(target), text(intrinsic)];
        let mut names = self.run(&tensorize::PRIMITIVE, arguments)?;
        Ok(names.pop().expect("tensorize gives the schedule block"))
    }

    /// See [`parallel`](parallel::parallel).
    pub fn parallel(&mut self, target: &str) -> Result<(), ScheduleError> {
        let proof = self.proof();
        self.run(&parallel::PRIMITIVE, vec![text(target), proof]).map(|_| ())
    }

    /// See [`bind`](bind::bind).
    pub fn bind(&mut self, target: &str, thread: &str) -> Result<(), ScheduleError> {
        let proof = self.proof();
        self.run(&bind::PRIMITIVE, vec![text(target), text(thread), proof]).map(|_| ())
    }

    /// See [`atomic`](atomic::atomic).
    pub fn atomic(&mut self, block: &str) -> Result<(), ScheduleError> {
        self.run(&atomic::PRIMITIVE, vec![text(block)]).map(drop)
    }

    /// See [`sync_threads`](sync_threads::sync_threads); `place` is `before` (default) or `after`.
    pub fn sync_threads(&mut self, target: &str, place: Option<&str>) -> Result<(), ScheduleError> {
        let place = Argument::OptionalText(place.map(str::to_owned));
        self.run(&sync_threads::PRIMITIVE, vec![text(target), place]).map(|_| ())
    }

    /// See [`annotate`](annotate::annotate).
    pub fn annotate(
        &mut self,
        target: &str,
        key: &str,
        value: impl Into<Literal>,
    ) -> Result<(), ScheduleError> {
        let arguments = vec![text(target), text(key), Argument::Literal(value.into())];
        self.run(&annotate::PRIMITIVE, arguments).map(|_| ())
    }

    /// See [`unannotate`](unannotate::unannotate).
    pub fn unannotate(&mut self, target: &str, key: &str) -> Result<(), ScheduleError> {
        self.run(&unannotate::PRIMITIVE, vec![text(target), text(key)]).map(|_| ())
    }

    /// See [`software_pipeline`](software_pipeline::software_pipeline).
    pub fn software_pipeline(
        &mut self,
        target: &str,
        stages: impl Into<Numbers>,
        order: impl Into<Numbers>,
    ) -> Result<(), ScheduleError> {
        let arguments = vec![text(target), stages.into().0, order.into().0, self.proof()];
        self.run(&software_pipeline::PRIMITIVE, arguments).map(drop)
    }
}
