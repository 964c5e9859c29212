//! Methods of [`Schedule`] for compute locations and reductions.

use super::super::{Numbers, OptionalNumber, Schedule, ScheduleError};
use super::text;
use crate::schedule::primitive::cache::rolling_buffer;
use crate::schedule::primitive::location::{
    compute_at, compute_inline, reverse_compute_at, reverse_compute_inline, simple_compute_at,
};
use crate::schedule::primitive::reduction::{decompose_reduction, rfactor};
use crate::schedule::primitive::tensorize::{decompose_padding, pad_einsum};

impl Schedule<'_> {
    /// See [`rolling_buffer`](rolling_buffer::rolling_buffer). Returns the name of the schedule block before the loop.
    pub fn rolling_buffer(&mut self, target: &str, around: &str) -> Result<String, ScheduleError> {
        let arguments = vec![text(target), text(around), self.proof()];
        let mut names = self.run(&rolling_buffer::PRIMITIVE, arguments)?;
        Ok(names.pop().expect("rolling_buffer makes a schedule block"))
    }

    /// See [`compute_at`](compute_at::compute_at).
    pub fn compute_at(&mut self, target: &str, under: &str) -> Result<Vec<String>, ScheduleError> {
        let proof = self.proof();
        self.run(&compute_at::PRIMITIVE, vec![text(target), text(under), proof])
    }

    /// See [`reverse_compute_at`](reverse_compute_at::reverse_compute_at).
    pub fn reverse_compute_at(
        &mut self,
        target: &str,
        under: &str,
    ) -> Result<Vec<String>, ScheduleError> {
        let proof = self.proof();
        self.run(&reverse_compute_at::PRIMITIVE, vec![text(target), text(under), proof])
    }

    /// See [`simple_compute_at`](simple_compute_at::simple_compute_at).
    pub fn simple_compute_at(&mut self, target: &str, under: &str) -> Result<(), ScheduleError> {
        let proof = self.proof();
        let arguments = vec![text(target), text(under), proof];
        self.run(&simple_compute_at::PRIMITIVE, arguments).map(|_| ())
    }

    /// See [`compute_inline`](compute_inline::compute_inline).
    pub fn compute_inline(&mut self, target: &str) -> Result<(), ScheduleError> {
        let proof = self.proof();
        self.run(&compute_inline::PRIMITIVE, vec![text(target), proof]).map(|_| ())
    }

    /// See [`reverse_compute_inline`](reverse_compute_inline::reverse_compute_inline).
    pub fn reverse_compute_inline(&mut self, target: &str) -> Result<(), ScheduleError> {
        let proof = self.proof();
        self.run(&reverse_compute_inline::PRIMITIVE, vec![text(target), proof]).map(|_| ())
    }

    /// See [`rfactor`](rfactor::rfactor).
    pub fn rfactor(
        &mut self,
        target: &str,
        factor_axis: impl Into<OptionalNumber>,
    ) -> Result<String, ScheduleError> {
        let (axis, proof) = (factor_axis.into().0, self.proof());
        let mut names = self.run(&rfactor::PRIMITIVE, vec![text(target), axis, proof])?;
        Ok(names.pop().expect("rfactor makes a block"))
    }

    /// See [`pad_einsum`](pad_einsum::pad_einsum). Returns the names of the schedule blocks that copy.
    pub fn pad_einsum(
        &mut self,
        block: &str,
        factors: impl Into<Numbers>,
    ) -> Result<Vec<String>, ScheduleError> {
        let arguments = vec![text(block), factors.into().0, self.proof()];
        self.run(&pad_einsum::PRIMITIVE, arguments)
    }

    /// See [`decompose_padding`](decompose_padding::decompose_padding). Returns the name of the schedule block that
    /// stores the padding.
    pub fn decompose_padding(
        &mut self,
        block: &str,
        before: &str,
    ) -> Result<String, ScheduleError> {
        let arguments = vec![text(block), text(before), self.proof()];
        let mut names = self.run(&decompose_padding::PRIMITIVE, arguments)?;
        Ok(names.pop().expect("decompose_padding makes a schedule block"))
    }

    /// See [`decompose_reduction`](decompose_reduction::decompose_reduction).
    pub fn decompose_reduction(
        &mut self,
        block: &str,
        before: &str,
    ) -> Result<Vec<String>, ScheduleError> {
        let arguments = vec![text(block), text(before), self.proof()];
        self.run(&decompose_reduction::PRIMITIVE, arguments)
    }
}
