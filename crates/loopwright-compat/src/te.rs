//! TVM's `te` scheduling API: each stage is a schedule block.
//!
//! ```text
//! s = te.create_schedule(C.op)                        let mut s = te::create_schedule(function)?;
//! bx, tx = s[C].split(C.op.axis[0], factor=64)        let i = s.axis("C", 0)?;
//!                                                     let [bx, tx] = s.stage("C").split(&i, Split::Factor(64))?;
//! s[C].bind(bx, te.thread_axis("blockIdx.x"))         s.stage("C").bind(&bx, te::thread_axis("blockIdx.x"))?;
//! ```
//! An axis is the name of a loop. Unlike in `te`, the nest changes at once, so each step sees the effect of earlier
//! ones.

use loopwright::ir::{Error, Op};
use loopwright::schedule::{Literal, Schedule, ScheduleError};

/// `te.create_schedule`: starts a schedule for a function of the loop dialect.
///
/// # Errors
/// If an op of the dialect in it is not valid.
pub fn create_schedule(function: Op<'_>) -> Result<TeSchedule<'_>, Error<'_>> {
    Ok(TeSchedule { schedule: Schedule::new(function)? })
}

/// `te.thread_axis`: the name of a thread axis.
pub fn thread_axis(tag: &str) -> &str {
    tag
}

/// `tvm.lower(s, .., simple_mode=True)`: the nest as text.
pub fn lower(s: &TeSchedule) -> String {
    s.schedule.show()
}

/// A `te` schedule.
pub struct TeSchedule<'c> {
    /// The underlying schedule.
    pub schedule: Schedule<'c>,
}

impl<'c> TeSchedule<'c> {
    /// `s[C]`: a stage, by the name of its schedule block.
    pub fn stage<'s>(&'s mut self, name: &'s str) -> Stage<'s, 'c> {
        Stage { schedule: &mut self.schedule, name }
    }

    /// `C.op.axis[i]`, as long as its loop is the original one.
    pub fn axis(&self, stage: &str, i: usize) -> Result<String, ScheduleError> {
        crate::axis(&self.schedule, stage, i, false)
    }

    /// `C.op.reduce_axis[i]`, as long as its loop is the original one.
    pub fn reduce_axis(&self, stage: &str, i: usize) -> Result<String, ScheduleError> {
        crate::axis(&self.schedule, stage, i, true)
    }

    /// `s.cache_read(tensor, scope, readers)`: returns the stage that copies.
    pub fn cache_read(
        &mut self,
        tensor: &str,
        scope: &str,
        readers: &[&str],
    ) -> Result<String, ScheduleError> {
        let first = readers.first().copied().unwrap_or_default();
        self.schedule.cache_read(first, tensor, scope, readers, None)
    }

    /// `s.cache_write(tensor, scope)`: returns the stage that computes; the stage that copies has the old name.
    pub fn cache_write(&mut self, stage: &str, scope: &str) -> Result<String, ScheduleError> {
        let tensor = crate::written(&self.schedule, stage, 0)?;
        self.schedule.cache_write(stage, &tensor, scope, None)
    }

    /// `s.rfactor(tensor, axis, factor_axis)`: returns the stage of the partial results.
    pub fn rfactor(&mut self, axis: &str, factor_axis: i64) -> Result<String, ScheduleError> {
        self.schedule.rfactor(axis, Some(factor_axis))
    }
}

/// How the extents of a `split` are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// `factor=`: the extent of the inner axis.
    Factor(i64),
    /// `nparts=`: the extent of the outer axis.
    Parts(i64),
}

/// A stage, `s[C]`.
pub struct Stage<'s, 'c> {
    schedule: &'s mut Schedule<'c>,
    name: &'s str,
}

impl Stage<'_, '_> {
    /// `split(parent, factor=)` or `split(parent, nparts=)`: returns the outer and the inner axis. A predicate guards
    /// iterations beyond the extent.
    pub fn split(&mut self, parent: &str, by: Split) -> Result<[String; 2], ScheduleError> {
        let factors = match by {
            Split::Factor(factor) => [-1, factor],
            Split::Parts(parts) => [parts, -1],
        };
        crate::split_in_two(self.schedule, parent, factors, None)
    }

    /// `tile(x, y, x_factor, y_factor)`: returns `xo, yo, xi, yi`.
    pub fn tile(
        &mut self,
        (x, y): (&str, &str),
        (x_factor, y_factor): (i64, i64),
    ) -> Result<[String; 4], ScheduleError> {
        let [xo, xi] = self.split(x, Split::Factor(x_factor))?;
        let [yo, yi] = self.split(y, Split::Factor(y_factor))?;
        self.reorder(&[&xo, &yo, &xi, &yi])?;
        Ok([xo, yo, xi, yi])
    }

    /// `fuse(outer, inner, ..)`.
    pub fn fuse(&mut self, axes: &[&str]) -> Result<String, ScheduleError> {
        crate::fuse(self.schedule, axes)
    }

    /// `reorder(..)`, outermost first.
    pub fn reorder(&mut self, axes: &[&str]) -> Result<(), ScheduleError> {
        self.schedule.reorder(axes)
    }

    /// `vectorize(axis)`: any number of lanes.
    pub fn vectorize(&mut self, axis: &str) -> Result<(), ScheduleError> {
        self.schedule.vectorize(axis, None).map(drop)
    }

    /// `unroll(axis)`.
    pub fn unroll(&mut self, axis: &str) -> Result<(), ScheduleError> {
        self.schedule.unroll(axis, None).map(drop)
    }

    /// `parallel(axis)`.
    pub fn parallel(&mut self, axis: &str) -> Result<(), ScheduleError> {
        self.schedule.parallel(axis)
    }

    /// `bind(axis, thread_axis)`.
    pub fn bind(&mut self, axis: &str, thread: &str) -> Result<(), ScheduleError> {
        self.schedule.bind(axis, thread)
    }

    /// `compute_at(parent, axis)`.
    pub fn compute_at(&mut self, axis: &str) -> Result<(), ScheduleError> {
        self.schedule.compute_at(self.name, axis).map(drop)
    }

    /// `compute_inline()`.
    pub fn compute_inline(&mut self) -> Result<(), ScheduleError> {
        self.schedule.compute_inline(self.name)
    }

    /// `compute_root()`: in loops of its own.
    pub fn compute_root(&mut self) -> Result<(), ScheduleError> {
        crate::to_the_root(self.schedule, self.name)
    }

    /// `set_scope(scope)`: sets the scope of the buffer that the stage writes.
    pub fn set_scope(&mut self, scope: &str) -> Result<(), ScheduleError> {
        let tensor = crate::written(self.schedule, self.name, 0)?;
        self.schedule.set_scope(&tensor, scope)
    }

    /// `storage_align(axis, factor, offset)`: aligns the dimension that an axis indexes in the buffer that the stage
    /// writes.
    pub fn storage_align(
        &mut self,
        axis: &str,
        factor: i64,
        offset: i64,
    ) -> Result<(), ScheduleError> {
        let iter = crate::iter_of(self.schedule, self.name, axis)?;
        let (tensor, dimension) = crate::dimension(self.schedule, self.name, iter, axis)?;
        self.schedule.storage_align(&tensor, dimension as i64, factor, offset)
    }

    /// `double_buffer()`: the stage is computed one iteration ahead in the loop that it is computed at.
    pub fn double_buffer(&mut self) -> Result<(), ScheduleError> {
        self.schedule.double_buffer(self.name, None, &[])
    }

    /// `rolling_buffer()`: along the axis that the stage is computed at. Returns the stage before that loop.
    pub fn rolling_buffer(&mut self) -> Result<String, ScheduleError> {
        let axis = crate::attached(self.schedule, self.name)?;
        self.schedule.rolling_buffer(self.name, &axis)
    }

    /// `transform_layout(mapping)`: transforms the buffer that the stage writes. The stage's loops stay.
    pub fn transform_layout(&mut self, mapping: &str) -> Result<(), ScheduleError> {
        let tensor = crate::written(self.schedule, self.name, 0)?;
        self.schedule.transform_layout(&tensor, mapping)
    }

    /// `tensorize(axis, intrin)`: returns the stage of the intrinsic.
    pub fn tensorize(&mut self, axis: &str, intrin: &str) -> Result<String, ScheduleError> {
        self.schedule.tensorize(axis, intrin)
    }

    /// `prefetch(tensor, var, offset)`.
    pub fn prefetch(&mut self, tensor: &str, var: &str, offset: i64) -> Result<(), ScheduleError> {
        self.schedule.prefetch(var, tensor, offset)
    }

    /// `pragma(axis, key, value)`.
    pub fn pragma(
        &mut self,
        axis: &str,
        key: &str,
        value: impl Into<Literal>,
    ) -> Result<(), ScheduleError> {
        self.schedule.annotate(axis, key, value)
    }
}
