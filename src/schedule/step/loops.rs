//! Methods of [`Schedule`] for loop structure.

use super::super::{Numbers, OptionalNumber, Schedule, ScheduleError};
use super::{optional_text, text, texts};
use crate::schedule::primitive::layout::{reorder_block_iter_var, transform_block_layout};
use crate::schedule::primitive::r#loop::{
    add_unit_loop, fission, fuse, join, loop_partition, merge, remove_loop, reorder,
    reorder_statements, shift, specialize, split, tile, unroll_and_jam,
};
use crate::schedule::primitive::tensorize::blockize;

impl Schedule<'_> {
    /// See [`split`](split::split).
    pub fn split(
        &mut self,
        target: &str,
        factors: impl Into<Numbers>,
        tail: Option<&str>,
    ) -> Result<Vec<String>, ScheduleError> {
        let factors = factors.into().0;
        let (tail, proof) = (optional_text(tail), self.proof());
        self.run(&split::PRIMITIVE, vec![text(target), factors, tail, proof])
    }

    /// See [`fuse`](fuse::fuse).
    pub fn fuse(&mut self, loops: &[&str]) -> Result<String, ScheduleError> {
        let mut names = self.run(&fuse::PRIMITIVE, vec![texts(loops)])?;
        Ok(names.pop().expect("fuse makes a loop"))
    }

    /// See [`merge`](merge::merge).
    pub fn merge(&mut self, loops: &[&str]) -> Result<(), ScheduleError> {
        let arguments = vec![texts(loops), self.proof()];
        self.run(&merge::PRIMITIVE, arguments).map(drop)
    }

    /// See [`fission`](fission::fission).
    pub fn fission(
        &mut self,
        target: &str,
        levels: impl Into<OptionalNumber>,
    ) -> Result<(), ScheduleError> {
        let arguments = vec![text(target), levels.into().0, self.proof()];
        self.run(&fission::PRIMITIVE, arguments).map(drop)
    }

    /// See [`tile`](tile::tile).
    pub fn tile(
        &mut self,
        loops: &[&str],
        factors: impl Into<Numbers>,
        tail: Option<&str>,
    ) -> Result<Vec<String>, ScheduleError> {
        let factors = factors.into().0;
        let (tail, proof) = (optional_text(tail), self.proof());
        self.run(&tile::PRIMITIVE, vec![texts(loops), factors, tail, proof])
    }

    /// See [`loop_partition`](loop_partition::loop_partition).
    pub fn loop_partition(
        &mut self,
        target: &str,
        factors: impl Into<Numbers>,
    ) -> Result<Vec<String>, ScheduleError> {
        let arguments = vec![text(target), factors.into().0, self.proof()];
        self.run(&loop_partition::PRIMITIVE, arguments)
    }

    /// See [`join`](join::join). Returns the name of the loop.
    pub fn join(&mut self, target: &str) -> Result<String, ScheduleError> {
        let arguments = vec![text(target), self.proof()];
        let mut names = self.run(&join::PRIMITIVE, arguments)?;
        Ok(names.pop().expect("join makes one loop"))
    }

    /// See [`shift`](shift::shift).
    pub fn shift(
        &mut self,
        target: &str,
        by: impl Into<OptionalNumber>,
        align: impl Into<OptionalNumber>,
    ) -> Result<(), ScheduleError> {
        let arguments = vec![text(target), by.into().0, align.into().0, self.proof()];
        self.run(&shift::PRIMITIVE, arguments).map(drop)
    }

    /// See [`unroll_and_jam`](unroll_and_jam::unroll_and_jam).
    pub fn unroll_and_jam(
        &mut self,
        target: &str,
        factor: impl Into<OptionalNumber>,
        tail: Option<&str>,
    ) -> Result<Vec<String>, ScheduleError> {
        let (tail, proof) = (optional_text(tail), self.proof());
        self.run(&unroll_and_jam::PRIMITIVE, vec![text(target), factor.into().0, tail, proof])
    }

    /// See [`specialize`](specialize::specialize).
    pub fn specialize(&mut self, target: &str, condition: &str) -> Result<(), ScheduleError> {
        self.run(&specialize::PRIMITIVE, vec![text(target), text(condition)]).map(drop)
    }

    /// See [`remove_loop`](remove_loop::remove_loop).
    pub fn remove_loop(&mut self, target: &str) -> Result<(), ScheduleError> {
        let arguments = vec![text(target), self.proof()];
        self.run(&remove_loop::PRIMITIVE, arguments).map(drop)
    }

    /// See [`reorder_statements`](reorder_statements::reorder_statements).
    pub fn reorder_statements(&mut self, target: &str, before: &str) -> Result<(), ScheduleError> {
        let arguments = vec![text(target), text(before), self.proof()];
        self.run(&reorder_statements::PRIMITIVE, arguments).map(drop)
    }

    /// See [`transform_block_layout`](transform_block_layout::transform_block_layout). Returns the names of the new
    /// loops.
    pub fn transform_block_layout(
        &mut self,
        block: &str,
        index_map: &str,
    ) -> Result<Vec<String>, ScheduleError> {
        let arguments = vec![text(block), text(index_map), self.proof()];
        self.run(&transform_block_layout::PRIMITIVE, arguments)
    }

    /// See [`reorder_block_iter_var`](reorder_block_iter_var::reorder_block_iter_var).
    pub fn reorder_block_iter_var(
        &mut self,
        block: &str,
        order: impl Into<Numbers>,
    ) -> Result<(), ScheduleError> {
        self.run(&reorder_block_iter_var::PRIMITIVE, vec![text(block), order.into().0]).map(drop)
    }

    /// See [`add_unit_loop`](add_unit_loop::add_unit_loop).
    pub fn add_unit_loop(&mut self, target: &str) -> Result<String, ScheduleError> {
        let mut names = self.run(&add_unit_loop::PRIMITIVE, vec![text(target)])?;
        Ok(names.pop().expect("add_unit_loop makes a loop"))
    }

    /// See [`blockize`](blockize::blockize).
    pub fn blockize(&mut self, target: &str) -> Result<String, ScheduleError> {
        let mut names = self.run(&blockize::PRIMITIVE, vec![text(target)])?;
        Ok(names.pop().expect("blockize makes a schedule block"))
    }

    /// See [`reorder`](reorder::reorder).
    pub fn reorder(&mut self, loops: &[&str]) -> Result<(), ScheduleError> {
        let proof = self.proof();
        self.run(&reorder::PRIMITIVE, vec![texts(loops), proof]).map(|_| ())
    }
}
