//! Halide's scheduling API: schedules of `Func`s, whose `Var`s keep their names.
//!
//! ```text
//! f.tile(x, y, xo, yo, xi, yi, 32, 32)                 f.tile(["x", "y"], ["xo", "yo"], ["xi", "yi"], [32, 32])?
//!  .vectorize(xi, 8)                                   f.vectorize("xi", Some(8))?
//!  .parallel(yo);                                      f.parallel("yo")?
//! g.compute_at(f, yo);                                 pipeline.func("g").compute_at("f", "yo")?
//! ```
//! A `Var` is initially the loop of that name. As in Halide, orders are from the innermost `Var` outwards. If a
//! `Var` is split for its lanes, its name stays with the outer loop.

use loopwright::ir::{Error, Op};
use loopwright::schedule::error::ReductionReason;
use loopwright::schedule::{Schedule, ScheduleError, name};
use std::collections::HashMap;

/// The treatment of iterations if a factor does not divide the extent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TailStrategy {
    /// A predicate guards the iterations.
    #[default]
    GuardWithIf,
    /// The last tile is shifted inwards.
    ShiftInwards,
    /// Buffers are padded for the extra iterations.
    RoundUp,
    /// The remaining iterations get a loop of their own.
    Peel,
}

impl TailStrategy {
    fn word(self) -> &'static str {
        match self {
            TailStrategy::GuardWithIf => "guard",
            TailStrategy::ShiftInwards => "shift_inwards",
            TailStrategy::RoundUp => "pad",
            TailStrategy::Peel => "peel",
        }
    }
}

/// The functions of a pipeline; each is a schedule block.
pub struct Pipeline<'c> {
    /// The underlying schedule.
    pub schedule: Schedule<'c>,
    /// The loops of `Var`s that were created by this API.
    vars: HashMap<(String, String), String>,
    /// The iters that index the dimensions of `Func`s: initially those of their loops.
    dimensions: HashMap<(String, String), usize>,
}

impl<'c> Pipeline<'c> {
    /// Starts a schedule for a function of the loop dialect.
    ///
    /// # Errors
    /// If an op of the dialect in it is not valid.
    pub fn new(function: Op<'c>) -> Result<Self, Error<'c>> {
        let schedule = Schedule::new(function)?;
        let mut dimensions = HashMap::new();
        for block in schedule.blocks() {
            for target in schedule.loops(&block).unwrap_or_default() {
                let iter = crate::iter_of(&schedule, &block, &target).ok().flatten();
                let var = target.split_once(':').map(|(_, var)| var.to_owned());
                let key = var.map(|var| (block.clone(), var));
                dimensions.extend(key.zip(iter));
            }
        }
        Ok(Pipeline { schedule, vars: HashMap::new(), dimensions })
    }

    /// A `Func`, by the name of its schedule block.
    pub fn func<'p>(&'p mut self, name: &'p str) -> Func<'p, 'c> {
        Func { pipeline: self, name }
    }

    /// `print_loop_nest`.
    pub fn print_loop_nest(&self) -> String {
        self.schedule.show()
    }

    /// The loop of a `Var`.
    fn var(&self, func: &str, var: &str) -> String {
        let made = self.vars.get(&(func.to_owned(), var.to_owned()));
        made.cloned().unwrap_or_else(|| format!("{func}:{var}"))
    }
}

/// A `Func`; for a reduction, its update definition.
pub struct Func<'p, 'c> {
    pipeline: &'p mut Pipeline<'c>,
    name: &'p str,
}

impl Func<'_, '_> {
    /// `split(old, outer, inner, factor, tail)`.
    pub fn split(
        &mut self,
        old: &str,
        (outer, inner): (&str, &str),
        factor: i64,
        tail: TailStrategy,
    ) -> Result<&mut Self, ScheduleError> {
        let target = self.var(old);
        let schedule = &mut self.pipeline.schedule;
        let made = crate::split_in_two(schedule, &target, [-1, factor], Some(tail.word()))?;
        self.forget(old);
        self.name_var(outer, &made[0]);
        self.name_var(inner, &made[1]);
        Ok(self)
    }

    /// `fuse(inner, outer, fused)`.
    pub fn fuse(
        &mut self,
        inner: &str,
        outer: &str,
        fused: &str,
    ) -> Result<&mut Self, ScheduleError> {
        let (first, second) = (self.var(outer), self.var(inner));
        let made = crate::fuse(&mut self.pipeline.schedule, &[&first, &second])?;
        self.forget(inner);
        self.forget(outer);
        self.name_var(fused, &made);
        Ok(self)
    }

    /// `reorder(vars)`, innermost first.
    pub fn reorder(&mut self, vars: &[&str]) -> Result<&mut Self, ScheduleError> {
        let loops: Vec<String> = vars.iter().rev().map(|var| self.var(var)).collect();
        self.pipeline.schedule.reorder(&loops.iter().map(String::as_str).collect::<Vec<_>>())?;
        Ok(self)
    }

    /// `tile(x, y, xo, yo, xi, yi, xfactor, yfactor)`: the order from the outside is `yo, xo, yi, xi`.
    pub fn tile(
        &mut self,
        [x, y]: [&str; 2],
        [xo, yo]: [&str; 2],
        [xi, yi]: [&str; 2],
        [x_factor, y_factor]: [i64; 2],
    ) -> Result<&mut Self, ScheduleError> {
        self.split(x, (xo, xi), x_factor, TailStrategy::default())?;
        self.split(y, (yo, yi), y_factor, TailStrategy::default())?;
        self.reorder(&[xi, yi, xo, yo])
    }

    /// `gpu_tile(x, y, xo, yo, xi, yi, x_size, y_size)`: a thread block has one tile, a thread has one element.
    pub fn gpu_tile(
        &mut self,
        vars: [&str; 2],
        outer: [&str; 2],
        inner: [&str; 2],
        sizes: [i64; 2],
    ) -> Result<&mut Self, ScheduleError> {
        self.tile(vars, outer, inner, sizes)?.gpu_blocks(&outer)?.gpu_threads(&inner)
    }

    /// `align_bounds(var, modulus, remainder)`: the loop starts at `remainder` modulo `modulus`, and its extent is a
    /// multiple of `modulus`. A predicate guards the extra iterations.
    pub fn align_bounds(
        &mut self,
        var: &str,
        modulus: i64,
        remainder: i64,
    ) -> Result<&mut Self, ScheduleError> {
        let target = self.var(var);
        let before = (-remainder).rem_euclid(modulus.max(1));
        self.pipeline.schedule.shift(&target, before, modulus)?;
        Ok(self)
    }

    /// `align_extent(var, modulus)`.
    pub fn align_extent(&mut self, var: &str, modulus: i64) -> Result<&mut Self, ScheduleError> {
        self.align_bounds(var, modulus, 0)
    }

    /// `specialize(condition)`: later steps apply to sizes for which the condition holds. Returns the name of the
    /// function for all other sizes.
    pub fn specialize(&mut self, condition: &str) -> Result<String, ScheduleError> {
        let outermost = crate::nth_loop(&self.pipeline.schedule, self.name, 0)?;
        let before = self.pipeline.schedule.blocks();
        self.pipeline.schedule.specialize(&outermost, condition, None)?;
        let (blocks, of) = (self.pipeline.schedule.blocks(), format!("{}.else", self.name));
        let mut blocks = blocks.into_iter();
        let made = blocks.find(|name| !before.contains(name) && name.starts_with(&of));
        Ok(made.expect("the other branch has schedule blocks of its own"))
    }

    /// `vectorize(var)`, or `vectorize(var, factor)`, which splits it.
    pub fn vectorize(
        &mut self,
        var: &str,
        factor: Option<i64>,
    ) -> Result<&mut Self, ScheduleError> {
        let target = self.inner(var, factor)?;
        self.pipeline.schedule.vectorize(&target, None)?;
        Ok(self)
    }

    /// `unroll(var)`, or `unroll(var, factor)`, which splits it.
    pub fn unroll(&mut self, var: &str, factor: Option<i64>) -> Result<&mut Self, ScheduleError> {
        let target = self.inner(var, factor)?;
        self.pipeline.schedule.unroll(&target, None)?;
        Ok(self)
    }

    /// `parallel(var)`, or `parallel(var, task_size)`, which splits it.
    pub fn parallel(
        &mut self,
        var: &str,
        task_size: Option<i64>,
    ) -> Result<&mut Self, ScheduleError> {
        if task_size.is_some() {
            self.inner(var, task_size)?;
        }
        let target = self.var(var);
        self.pipeline.schedule.parallel(&target)?;
        Ok(self)
    }

    /// `atomic()`, for a later `parallel` or `gpu_blocks` over reduction loops. The initialisation gets loops of its
    /// own.
    pub fn atomic(&mut self) -> Result<&mut Self, ScheduleError> {
        let schedule = &mut self.pipeline.schedule;
        let node = name::block(schedule.summary(), self.name)?;
        if schedule.summary().as_block(node).is_some_and(|block| block.has_init) {
            let outermost = crate::nth_loop(schedule, self.name, 0)?;
            schedule.decompose_reduction(self.name, &outermost)?;
        }
        schedule.atomic(self.name)?;
        Ok(self)
    }

    /// `gpu_blocks(x, y, z)`.
    pub fn gpu_blocks(&mut self, vars: &[&str]) -> Result<&mut Self, ScheduleError> {
        self.bind(vars, "blockIdx")
    }

    /// `gpu_threads(x, y, z)`.
    pub fn gpu_threads(&mut self, vars: &[&str]) -> Result<&mut Self, ScheduleError> {
        self.bind(vars, "threadIdx")
    }

    /// `compute_at(f, var)`.
    pub fn compute_at(&mut self, func: &str, var: &str) -> Result<&mut Self, ScheduleError> {
        let target = self.pipeline.var(func, var);
        self.pipeline.schedule.compute_at(self.name, &target)?;
        Ok(self)
    }

    /// `compute_root()`: in loops of its own.
    pub fn compute_root(&mut self) -> Result<&mut Self, ScheduleError> {
        crate::to_the_root(&mut self.pipeline.schedule, self.name)?;
        Ok(self)
    }

    /// `store_root()`: values are kept for the next iterations of the loop that the function is computed at. Each
    /// iteration computes only new values.
    pub fn store_root(&mut self) -> Result<&mut Self, ScheduleError> {
        let at = crate::attached(&self.pipeline.schedule, self.name)?;
        self.pipeline.schedule.rolling_buffer(self.name, &at)?;
        Ok(self)
    }

    /// `store_at(f, var)`: like [`Func::store_root`], if the function is computed at a loop inside of `var`.
    pub fn store_at(&mut self, func: &str, var: &str) -> Result<&mut Self, ScheduleError> {
        let schedule = &self.pipeline.schedule;
        let at = crate::attached(schedule, self.name)?;
        let summary = schedule.summary();
        let outer = name::loop_of(summary, &self.pipeline.var(func, var))?;
        if !summary.loops_around(name::loop_of(summary, &at)?).any(|around| around == outer) {
            let block = self.name.to_owned();
            return Err(ReductionReason::NotAround { block, name: var.to_owned() }.at(outer, 0));
        }
        self.store_root()
    }

    /// `fold_storage(dim, extent)`.
    pub fn fold_storage(&mut self, dim: &str, extent: i64) -> Result<&mut Self, ScheduleError> {
        let (buffer, axis) = self.dimension(dim)?;
        self.pipeline.schedule.fold_storage(&buffer, axis as i64, extent)?;
        Ok(self)
    }

    /// `align_storage(dim, alignment)`: the stride of the dimension outside of `dim` is a multiple of `alignment`
    /// elements.
    pub fn align_storage(&mut self, dim: &str, alignment: i64) -> Result<&mut Self, ScheduleError> {
        let (buffer, dimension) = self.dimension(dim)?;
        self.pipeline.schedule.storage_align(&buffer, dimension as i64 - 1, alignment, None)?;
        Ok(self)
    }

    /// `reorder_storage(dims)`, innermost first.
    pub fn reorder_storage(&mut self, dims: &[&str]) -> Result<&mut Self, ScheduleError> {
        let buffer = crate::written(&self.pipeline.schedule, self.name, 0)?;
        let mut order = vec![];
        for dim in dims.iter().rev() {
            order.push(format!("d{}", self.dimension(dim)?.1));
        }
        let rank = crate::rank(&self.pipeline.schedule, &buffer);
        let indices: Vec<String> = (0..rank).map(|i| format!("d{i}")).collect();
        let map = format!("({}) -> ({})", indices.join(", "), order.join(", "));
        self.pipeline.schedule.transform_layout(&buffer, &map)?;
        Ok(self)
    }

    /// `ring_buffer(extent)`: `extent` iterations of the surrounding loop have the buffer at once; it is filled ahead.
    pub fn ring_buffer(&mut self, extent: i64) -> Result<&mut Self, ScheduleError> {
        self.pipeline.schedule.double_buffer(self.name, extent, &[])?;
        Ok(self)
    }

    /// `compute_inline()`.
    pub fn compute_inline(&mut self) -> Result<(), ScheduleError> {
        self.pipeline.schedule.compute_inline(self.name)
    }

    /// `compute_with(f, var)`: fuses the loops from the outermost to `var` with those of `f`; in each iteration, `f` is
    /// first.
    pub fn compute_with(&mut self, func: &str, var: &str) -> Result<&mut Self, ScheduleError> {
        let (first, second) = (self.pipeline.var(func, var), self.var(var));
        self.pipeline.schedule.merge(&[&first, &second])?;
        Ok(self)
    }

    /// `store_in(memory)`: `global`, `shared` or `local`.
    pub fn store_in(&mut self, memory: &str) -> Result<&mut Self, ScheduleError> {
        let buffer = crate::written(&self.pipeline.schedule, self.name, 0)?;
        self.pipeline.schedule.set_scope(&buffer, memory)?;
        Ok(self)
    }

    /// `prefetch(image, at, at, offset)`: each iteration of `at` prefetches what the iteration `offset` later reads.
    pub fn prefetch(
        &mut self,
        image: &str,
        at: &str,
        offset: i64,
    ) -> Result<&mut Self, ScheduleError> {
        let target = self.var(at);
        self.pipeline.schedule.prefetch(&target, image, offset)?;
        Ok(self)
    }

    /// `in(consumer)`: creates a copy of this function that the consumer reads; returns its name.
    pub fn in_func(&mut self, consumer: &str, memory: &str) -> Result<String, ScheduleError> {
        let buffer = crate::written(&self.pipeline.schedule, self.name, 0)?;
        self.pipeline.schedule.cache_read(consumer, &buffer, memory, &[consumer], None)
    }

    /// `in()`: creates a copy that all consumers read; returns its name.
    pub fn in_all(&mut self, memory: &str) -> Result<String, ScheduleError> {
        let schedule = &mut self.pipeline.schedule;
        let buffer = crate::written(schedule, self.name, 0)?;
        let readers = schedule.consumers(self.name)?;
        let readers: Vec<&str> = readers.iter().map(String::as_str).collect();
        let first = readers.first().copied().unwrap_or(self.name);
        schedule.cache_read(first, &buffer, memory, &readers, None)
    }

    /// `rfactor(r, u)`: returns the intermediate function, in which `u` replaces `r`.
    pub fn rfactor(&mut self, r: &str, u: &str) -> Result<String, ScheduleError> {
        let target = self.var(r);
        let made = self.pipeline.schedule.rfactor(&target, None)?;
        let of_loop = target.split_once(':').map_or(r, |(_, name)| name);
        let key = (made.clone(), u.to_owned());
        self.pipeline.vars.insert(key, format!("{made}:{of_loop}"));
        Ok(made)
    }

    fn bind(&mut self, vars: &[&str], what: &str) -> Result<&mut Self, ScheduleError> {
        for (var, dimension) in vars.iter().zip(["x", "y", "z"]) {
            let target = self.var(var);
            self.pipeline.schedule.bind(&target, &format!("{what}.{dimension}"))?;
        }
        Ok(self)
    }

    /// The loop of a `Var`. With a factor, the `Var` is split: it becomes the outer loop, and the inner loop is
    /// returned.
    fn inner(&mut self, var: &str, factor: Option<i64>) -> Result<String, ScheduleError> {
        let target = self.var(var);
        let Some(factor) = factor else { return Ok(target) };
        let schedule = &mut self.pipeline.schedule;
        let [outer, inner] = crate::split_in_two(schedule, &target, [-1, factor], None)?;
        self.name_var(var, &outer);
        Ok(inner)
    }

    /// The buffer of this function, and the dimension that a `Var` indexes.
    fn dimension(&self, var: &str) -> Result<(String, usize), ScheduleError> {
        let pipeline = &self.pipeline;
        let known = pipeline.dimensions.get(&(self.name.to_owned(), var.to_owned()));
        let iter = match known {
            Some(iter) => Some(*iter),
            None => crate::iter_of(&pipeline.schedule, self.name, &self.var(var))?,
        };
        crate::dimension(&pipeline.schedule, self.name, iter, var)
    }

    fn var(&self, var: &str) -> String {
        self.pipeline.var(self.name, var)
    }

    fn name_var(&mut self, var: &str, to: &str) {
        self.pipeline.vars.insert((self.name.to_owned(), var.to_owned()), to.to_owned());
    }

    fn forget(&mut self, var: &str) {
        self.pipeline.vars.remove(&(self.name.to_owned(), var.to_owned()));
    }
}
