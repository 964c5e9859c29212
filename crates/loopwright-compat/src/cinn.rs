//! CINN's `IRSchedule`: blocks and loops are given by name, buffers by index.
//!
//! ```text
//! auto loops = sch.GetLoops("B");                      let loops = sch.get_loops("B")?;
//! auto split = sch.Split(loops[0], {4, -1});           let split = sch.split(&loops[0], &[4, -1])?;
//! auto fused = sch.Fuse({split[0], split[1]});         let fused = sch.fuse(&[&split[0], &split[1]])?;
//! sch.ComputeAt(sch.GetBlock("A"), fused);             sch.compute_at("A", &fused)?;
//! ```

use loopwright::ir::{Error, Op};
use loopwright::schedule::{Literal, NumberList, OptionalNumber, Schedule, ScheduleError};

/// A CINN schedule.
pub struct IrSchedule<'c> {
    /// The underlying schedule.
    pub schedule: Schedule<'c>,
}

impl<'c> IrSchedule<'c> {
    /// Starts a schedule for a function of the loop dialect.
    ///
    /// # Errors
    /// If an op of the dialect in it is not valid.
    pub fn new(function: Op<'c>) -> Result<Self, Error<'c>> {
        Ok(IrSchedule { schedule: Schedule::new(function)? })
    }

    /// `GetAllBlocks`.
    pub fn get_all_blocks(&self) -> Vec<String> {
        self.schedule.blocks()
    }

    /// `HasBlock(name)`.
    pub fn has_block(&self, name: &str) -> bool {
        self.schedule.block(name).is_ok()
    }

    /// `GetBlock(name)`: the name, if such a block exists.
    pub fn get_block(&self, name: &str) -> Result<String, ScheduleError> {
        self.schedule.block(name).map(|block| block.name.clone())
    }

    /// `GetLoops(block)`, outermost first.
    pub fn get_loops(&self, block: &str) -> Result<Vec<String>, ScheduleError> {
        self.schedule.loops(block)
    }

    /// `GetChildBlocks(loop)`.
    pub fn get_child_blocks(&self, target: &str) -> Result<Vec<String>, ScheduleError> {
        self.schedule.children(target)
    }

    /// `Split(loop, factors)`: one factor may be -1; the factors may be a sampled decision.
    pub fn split(
        &mut self,
        target: &str,
        factors: impl Into<NumberList>,
    ) -> Result<Vec<String>, ScheduleError> {
        crate::split(&mut self.schedule, target, factors, None)
    }

    /// `Split(block, loop_index, factors)`.
    pub fn split_at(
        &mut self,
        block: &str,
        index: usize,
        factors: impl Into<NumberList>,
    ) -> Result<Vec<String>, ScheduleError> {
        let target = self.nth(block, index)?;
        crate::split(&mut self.schedule, &target, factors, None)
    }

    /// `Fuse(loops)`.
    pub fn fuse(&mut self, loops: &[&str]) -> Result<String, ScheduleError> {
        crate::fuse(&mut self.schedule, loops)
    }

    /// `Fuse(block, loops_index)`.
    pub fn fuse_at(&mut self, block: &str, indices: &[usize]) -> Result<String, ScheduleError> {
        let loops = self.all_of(block, indices)?;
        crate::fuse(&mut self.schedule, &loops.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// `Reorder(loops)`.
    pub fn reorder(&mut self, loops: &[&str]) -> Result<(), ScheduleError> {
        self.schedule.reorder(loops)
    }

    /// `Reorder(block, loops_index)`.
    pub fn reorder_at(&mut self, block: &str, indices: &[usize]) -> Result<(), ScheduleError> {
        let loops = self.all_of(block, indices)?;
        self.schedule.reorder(&loops.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// `Unroll(loop)`.
    pub fn unroll(&mut self, target: &str) -> Result<(), ScheduleError> {
        self.schedule.unroll(target, None).map(drop)
    }

    /// `Vectorize(loop, factor)`.
    pub fn vectorize(
        &mut self,
        target: &str,
        factor: impl Into<OptionalNumber>,
    ) -> Result<(), ScheduleError> {
        self.schedule.vectorize(target, factor).map(drop)
    }

    /// `Parallel(loop)`.
    pub fn parallel(&mut self, target: &str) -> Result<(), ScheduleError> {
        self.schedule.parallel(target)
    }

    /// `Bind(loop, thread_axis)`.
    pub fn bind(&mut self, target: &str, thread_axis: &str) -> Result<(), ScheduleError> {
        self.schedule.bind(target, thread_axis)
    }

    /// `ComputeAt(block, loop)`.
    pub fn compute_at(&mut self, block: &str, target: &str) -> Result<(), ScheduleError> {
        self.schedule.compute_at(block, target).map(drop)
    }

    /// `SimpleComputeAt(block, loop)`.
    pub fn simple_compute_at(&mut self, block: &str, target: &str) -> Result<(), ScheduleError> {
        self.schedule.simple_compute_at(block, target)
    }

    /// `ReverseComputeAt(block, loop)`.
    pub fn reverse_compute_at(&mut self, block: &str, target: &str) -> Result<(), ScheduleError> {
        self.schedule.reverse_compute_at(block, target).map(drop)
    }

    /// `ComputeInline(block)`.
    pub fn compute_inline(&mut self, block: &str) -> Result<(), ScheduleError> {
        self.schedule.compute_inline(block)
    }

    /// `ReverseComputeInline(block)`.
    pub fn reverse_compute_inline(&mut self, block: &str) -> Result<(), ScheduleError> {
        self.schedule.reverse_compute_inline(block)
    }

    /// `CacheRead(block, read_buffer_index, memory_type)`: returns the block that copies.
    pub fn cache_read(
        &mut self,
        block: &str,
        index: usize,
        memory_type: &str,
    ) -> Result<String, ScheduleError> {
        let buffer = crate::read(&self.schedule, block, index)?;
        self.schedule.cache_read(block, &buffer, memory_type, &[block], None)
    }

    /// `CacheWrite(block, write_buffer_index, memory_type)`: returns the block that computes.
    pub fn cache_write(
        &mut self,
        block: &str,
        index: usize,
        memory_type: &str,
    ) -> Result<String, ScheduleError> {
        let buffer = crate::written(&self.schedule, block, index)?;
        self.schedule.cache_write(block, &buffer, memory_type, None)
    }

    /// `SetBuffer(block, memory_type)`: sets the scope of the buffer that the block writes.
    pub fn set_buffer(&mut self, block: &str, memory_type: &str) -> Result<(), ScheduleError> {
        let buffer = crate::written(&self.schedule, block, 0)?;
        self.schedule.set_scope(&buffer, memory_type)
    }

    /// `SyncThreads(node, after_node)`.
    pub fn sync_threads(&mut self, node: &str, after_node: bool) -> Result<(), ScheduleError> {
        self.schedule.sync_threads(node, Some(if after_node { "after" } else { "before" }))
    }

    /// `Rfactor(rf_loop, rf_axis)`: returns the block of the partial results.
    pub fn rfactor(&mut self, rf_loop: &str, rf_axis: i64) -> Result<String, ScheduleError> {
        self.schedule.rfactor(rf_loop, Some(rf_axis))
    }

    /// `FactorizeReduction(rf_loop, rf_axis)`: returns the block of the partial results. The block that writes back
    /// keeps its initial values.
    pub fn factorize_reduction(
        &mut self,
        rf_loop: &str,
        rf_axis: i64,
    ) -> Result<String, ScheduleError> {
        self.rfactor(rf_loop, rf_axis)
    }

    /// `SamplePerfectTile(loop, n, max_innermost_factor, decision)`: returns the factors as a decision, for `split`.
    pub fn sample_perfect_tile(
        &mut self,
        target: &str,
        n: i64,
        max_innermost_factor: i64,
        decision: &[i64],
    ) -> Result<String, ScheduleError> {
        let name = self.decision();
        let limit = max_innermost_factor;
        self.schedule.sample_perfect_tile(target, &name, n, limit, decision, None)?;
        Ok(format!("${name}"))
    }

    /// `SampleCategorical(candidates, probs, decision)`, with integer weights: returns the number as a decision.
    pub fn sample_categorical(
        &mut self,
        candidates: &[i64],
        weights: &[i64],
        decision: Option<i64>,
    ) -> Result<String, ScheduleError> {
        let name = self.decision();
        self.schedule.sample_categorical(&name, candidates, weights, decision, None)?;
        Ok(format!("${name}"))
    }

    /// `AddUnitLoop(block)`.
    pub fn add_unit_loop(&mut self, block: &str) -> Result<String, ScheduleError> {
        self.schedule.add_unit_loop(block)
    }

    /// `FlattenLoops(loops)`: fuses them to one loop.
    pub fn flatten_loops(&mut self, loops: &[&str]) -> Result<String, ScheduleError> {
        crate::fuse(&mut self.schedule, loops)
    }

    /// `Annotate(block, key, value)`.
    pub fn annotate(
        &mut self,
        block: &str,
        key: &str,
        value: impl Into<Literal>,
    ) -> Result<(), ScheduleError> {
        self.schedule.annotate(block, key, value)
    }

    /// `Unannotate(block, key)`.
    pub fn unannotate(&mut self, block: &str, key: &str) -> Result<(), ScheduleError> {
        self.schedule.unannotate(block, key)
    }

    /// A name for the next decision.
    fn decision(&self) -> String {
        format!("sample_{}", self.schedule.decisions().len())
    }

    /// The loops with these indices around a block.
    fn all_of(&self, block: &str, indices: &[usize]) -> Result<Vec<String>, ScheduleError> {
        indices.iter().map(|i| self.nth(block, *i)).collect()
    }

    /// The loop with an index around a block.
    fn nth(&self, block: &str, index: usize) -> Result<String, ScheduleError> {
        crate::nth_loop(&self.schedule, block, index)
    }
}
