//! Methods of [`Schedule`] for sampling decisions.

use super::super::{Numbers, OptionalNumber, Schedule, ScheduleError};
use super::{optional_text, text};
use crate::schedule::primitive::sampling::decision;
use crate::schedule::primitive::sampling::{
    sample_categorical, sample_compute_location, sample_perfect_tile,
};

impl Schedule<'_> {
    /// See [`sample_perfect_tile`](sample_perfect_tile): decides on factors that later steps take as `"$name"`. If
    /// `decision` is empty, it is sampled.
    pub fn sample_perfect_tile(
        &mut self,
        target: &str,
        name: &str,
        parts: impl Into<OptionalNumber>,
        max_innermost: impl Into<OptionalNumber>,
        decision: impl Into<Numbers>,
        seed: impl Into<OptionalNumber>,
    ) -> Result<(), ScheduleError> {
        let numbers = [parts.into().0, max_innermost.into().0, decision.into().0, seed.into().0];
        let arguments = [text(target), text(name)].into_iter().chain(numbers).collect();
        self.run(&sample_perfect_tile::PRIMITIVE, arguments).map(drop)
    }

    /// See [`sample_categorical`](sample_categorical): decides on one of several numbers.
    pub fn sample_categorical(
        &mut self,
        name: &str,
        candidates: impl Into<Numbers>,
        weights: impl Into<Numbers>,
        decision: impl Into<OptionalNumber>,
        seed: impl Into<OptionalNumber>,
    ) -> Result<(), ScheduleError> {
        let (candidates, weights) = (candidates.into().0, weights.into().0);
        let arguments = vec![text(name), candidates, weights, decision.into().0, seed.into().0];
        self.run(&sample_categorical::PRIMITIVE, arguments).map(drop)
    }

    /// See [`sample_compute_location`](sample_compute_location): decides on a loop.
    pub fn sample_compute_location(
        &mut self,
        block: &str,
        name: &str,
        decision: Option<&str>,
        seed: impl Into<OptionalNumber>,
    ) -> Result<(), ScheduleError> {
        let arguments = vec![text(block), text(name), optional_text(decision), seed.into().0];
        self.run(&sample_compute_location::PRIMITIVE, arguments).map(drop)
    }

    /// The decisions so far, by name.
    pub fn decisions(&self) -> Vec<(String, decision::Decision)> {
        decision::all(self.state.function)
    }
}
