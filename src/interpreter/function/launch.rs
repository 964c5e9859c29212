//! `gpu.launch_func`: runs the thread blocks one after the other, and the threads of a block from barrier to barrier.
//! The seed decides both orders.
//!
//! Every thread runs up to the next barrier before any thread continues. So all threads of a block must take loops and
//! branches that contain a barrier alike. Shuffles synchronise the lanes of a warp in the same way: see
//! [`shuffle`](super::shuffle). Two thread blocks must not access the same element if one of them
//! writes it. The same holds for two threads of a block that no barrier separates. Shared memory
//! starts undefined.

use super::{RunningModule, shuffle, span};
use crate::interpreter::env::Env;
use crate::interpreter::function::step::{DecodedBlock, DecodedOp};
use crate::interpreter::race::{RaceUnits, coordinates};
use crate::interpreter::scalar::{Scalar, ScalarType};
use crate::interpreter::value::{Array, Datum};
use crate::ir::{Error, Op, Value, walk};

/// The coordinates of a thread.
#[derive(Clone, Copy)]
pub struct ThreadPosition {
    grid: [i64; 3],
    pub(super) block: [i64; 3],
    block_at: [i64; 3],
    thread_at: [i64; 3],
}

/// A thread of the running block.
pub(super) struct LaunchedThread<'c> {
    pub number: u32,
    pub place: ThreadPosition,
    pub env: Env<'c>,
}

/// More thread blocks are refused, because their order is kept in memory.
const MAX_BLOCKS: i64 = 1 << 22;
/// No device has more threads in a thread block.
const MAX_THREADS: i64 = 1024;

impl<'c> RunningModule<'c> {
    pub(super) fn launch(&mut self, op: Op<'c>, env: &Env<'c>) -> Result<(), Error<'c>> {
        let kernel = self.kernel(op)?;
        let body = kernel.body(0).ok_or_else(|| Error::on(kernel, "has no body"))?;
        let segments = op.attribute("operandSegmentSizes").and_then(|sizes| sizes.as_integers());
        let Some([0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, _, 0]) = segments.as_deref() else {
            let message = "has tokens, clusters, dynamic memory or a stream, which the interpreter does \
                           not support";
            return Err(Error::on(op, message));
        };
        let operands = op.operands();
        let (dims, passed) = operands.split_at(6);
        let dims = env.indices(op, dims)?;
        let (grid, block) = ([dims[0], dims[1], dims[2]], [dims[3], dims[4], dims[5]]);
        let blocks = volume(op, grid, MAX_BLOCKS)?;
        let threads = volume(op, block, MAX_THREADS)?;
        let known = kernel.attribute("known_block_size").and_then(|sizes| sizes.as_integers());
        if known.is_some_and(|known| known != block) {
            let message = format!(
                "has blocks of {block:?} threads, but the kernel is compiled for \
                 another block size"
            );
            return Err(Error::on(op, message).note(kernel.location(), "the kernel is here"));
        }
        let arguments = body.arguments();
        let (parameters, attributions) = arguments.split_at(passed.len().min(arguments.len()));

        let steps = self.steps(kernel, body)?;
        self.races.borrow_mut().enter(RaceUnits::ThreadBlocks(grid));
        for number in self.random.order(blocks) {
            let number = number as u32;
            self.races.borrow_mut().start(number);
            let memory = attributions.iter().map(|value| attribution(kernel, *value));
            let memory = memory.collect::<Result<Vec<_>, _>>()?;
            let mut all = vec![];
            for thread in 0..threads as u32 {
                let mut own = Env::new(self.races.clone());
                for (parameter, value) in parameters.iter().zip(passed) {
                    own.set(*parameter, env.get(op, *value)?.clone());
                }
                for (value, datum) in attributions.iter().zip(&memory) {
                    own.set(*value, datum.clone());
                }
                let (block_at, thread_at) =
                    (coordinates(&grid, number), coordinates(&block, thread));
                let place = ThreadPosition { grid, block, block_at, thread_at };
                all.push(LaunchedThread { number: thread, place, env: own });
            }
            self.races.borrow_mut().enter(RaceUnits::Threads(block));
            let outcome = self.together(&steps, &mut all);
            outcome.map_err(|error| error.note(op.location(), "launched from here"))?;
            self.races.borrow_mut().leave();
        }
        self.races.borrow_mut().leave();
        self.place = None;
        Ok(())
    }

    fn kernel(&self, op: Op<'c>) -> Result<Op<'c>, Error<'c>> {
        let names = op.attribute("kernel").and_then(|name| name.as_nested_symbol());
        let (outer, inner) = names.unwrap_or_default();
        let module = self.kernel_modules.iter().find(|op| op.symbol_name() == Some(outer));
        let functions = module.and_then(|module| module.body(0)).map(|body| body.ops());
        let kernel = functions
            .unwrap_or_default()
            .into_iter()
            .find(|op| op.is("gpu.func") && op.symbol_name() == Some(inner));
        kernel.ok_or_else(|| {
            // The kernel may already have been compiled to machine code.
            let message = format!("launches @{outer}::@{inner}, but there is no such 'gpu.func'");
            Error::beyond(op, message)
        })
    }

    /// Runs steps in all threads of a block.
    pub(super) fn together(
        &mut self,
        steps: &DecodedBlock<'c>,
        threads: &mut [LaunchedThread<'c>],
    ) -> Result<(), Error<'c>> {
        let mut rest = &steps.list[..];
        while let Some((i, who)) = rest.iter().enumerate().find_map(|(i, s)| Some((i, meet(s.op)?)))
        {
            self.apart(&rest[..i], threads)?;
            match who {
                Meeting::Block => self.alike(&rest[i], threads)?,
                Meeting::Warp => self.by_warps(&rest[i], threads)?,
            }
            rest = &rest[i + 1..];
        }
        self.apart(rest, threads)
    }

    /// Runs steps without barriers or shuffles, thread by thread.
    fn apart(
        &mut self,
        steps: &[DecodedOp<'c>],
        threads: &mut [LaunchedThread<'c>],
    ) -> Result<(), Error<'c>> {
        for i in self.random.order(threads.len()) {
            let thread = &mut threads[i];
            self.races.borrow_mut().start(thread.number);
            self.place = Some(thread.place);
            self.run_list(steps, &mut thread.env)?;
        }
        Ok(())
    }

    /// Runs a barrier, or an op that contains one, which all threads must take alike.
    pub(super) fn alike(
        &mut self,
        step: &DecodedOp<'c>,
        threads: &mut [LaunchedThread<'c>],
    ) -> Result<(), Error<'c>> {
        let op = step.op;
        match op.name() {
            "gpu.barrier" => {
                self.races.borrow_mut().barrier();
                Ok(())
            }
            "gpu.shuffle" => shuffle::exchange(step, threads),
            "scf.for" => self.count_alike(step, threads),
            "scf.if" if meet(op) == Some(Meeting::Warp) => self.branch_apart(step, threads),
            "scf.if" => {
                let condition = op.operands().first().copied();
                let condition = condition.ok_or_else(|| Error::on(op, "has no condition"))?;
                let taken = uniform_value(op, threads, |env| env.index(op, condition))?;
                let Some(body) = op.body((taken == 0).into()) else { return Ok(()) };
                let steps = self.steps(op, body)?;
                self.together(&steps, threads)?;
                for thread in threads {
                    step.set(steps.yielded(&thread.env)?, &mut thread.env);
                }
                Ok(())
            }
            _ => Err(Error::on(
                op,
                "contains a barrier or shuffle, which the interpreter supports only in \
                 scf.for and scf.if",
            )),
        }
    }

    fn count_alike(
        &mut self,
        step: &DecodedOp<'c>,
        threads: &mut [LaunchedThread<'c>],
    ) -> Result<(), Error<'c>> {
        let op = step.op;
        let operands = op.operands();
        let (Some(body), [from, to, by, carried @ ..]) = (op.body(0), &operands[..]) else {
            return Err(Error::on(op, "does not have a body and three bounds"));
        };
        if op.attribute("unsignedCmp").is_some() {
            return Err(Error::on(op, "compares unsigned, which the interpreter does not support"));
        }
        let [from, to, by] = uniform_value(op, threads, |env| span(op, env, [*from, *to, *by]))?;
        let steps = self.steps(op, body)?;
        let mut values: Vec<Vec<Datum>> = vec![];
        for thread in threads.iter() {
            let carried = carried.iter().map(|value| thread.env.get(op, *value).cloned());
            values.push(carried.collect::<Result<_, _>>()?);
        }
        let mut counter = from;
        let mut left = self.options.max_iterations;
        while counter < to {
            left = left
                .checked_sub(1)
                .ok_or_else(|| Error::on(op, "runs more iterations than the limit allows"))?;
            for (thread, values) in threads.iter_mut().zip(&mut values) {
                let now = Datum::Scalar(Scalar::Int(counter));
                let now = [now].into_iter().chain(std::mem::take(values));
                steps.arguments.iter().zip(now).for_each(|(value, datum)| {
                    thread.env.set(*value, datum);
                });
            }
            self.together(&steps, threads)?;
            for (thread, values) in threads.iter().zip(&mut values) {
                *values = steps.yielded(&thread.env)?;
            }
            counter = counter.saturating_add(by);
        }
        for (thread, values) in threads.iter_mut().zip(values) {
            step.set(values, &mut thread.env);
        }
        Ok(())
    }

    /// The result of `gpu.thread_id` and similar ops; `None` for another op.
    pub(super) fn place_of(&self, op: Op<'c>) -> Result<Option<i64>, Error<'c>> {
        let place = self.place.ok_or_else(|| Error::on(op, "is outside of a kernel"))?;
        let of = match op.name() {
            "gpu.thread_id" => place.thread_at,
            "gpu.block_id" => place.block_at,
            "gpu.block_dim" => place.block,
            "gpu.grid_dim" => place.grid,
            _ => return Ok(None),
        };
        let axis = op.attribute("dimension").map(|axis| axis.to_string()).unwrap_or_default();
        let axis = ["x", "y", "z"].iter().position(|name| axis.ends_with(&format!("{name}>")));
        let axis = axis.ok_or_else(|| Error::on(op, "has no dimension"))?;
        Ok(Some(of[axis]))
    }
}

/// The number of units in three dimensions.
fn volume(op: Op<'_>, dims: [i64; 3], most: i64) -> Result<usize, Error<'_>> {
    let count = dims.iter().try_fold(1_i64, |count, dim| count.checked_mul(*dim));
    let count = count.filter(|count| dims.iter().all(|dim| *dim > 0) && *count <= most);
    let count = count.and_then(|count| usize::try_from(count).ok());
    count.ok_or_else(|| {
        let message = format!(
            "has dimensions {dims:?}, expected positive ones with a product of at most {most}"
        );
        Error::on(op, message)
    })
}

/// An undefined buffer in the memory of a thread block.
fn attribution<'c>(kernel: Op<'c>, value: Value<'c>) -> Result<Datum, Error<'c>> {
    let array = value.ty().in_any_space().and_then(|(dims, element)| {
        let sizes: Option<Vec<usize>> =
            dims.into_iter().map(|dim| usize::try_from(dim?).ok()).collect();
        Array::undefined(ScalarType::of(element)?, sizes?)
    });
    let message =
        || format!("has a buffer of type {}, which the interpreter does not support", value.ty());
    array.map(Datum::buffer).ok_or_else(|| Error::on(kernel, message()))
}

/// Which threads an op synchronises.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meeting {
    Warp,
    Block,
}

/// Which threads an op, or an op nested in it, synchronises; `None` if it synchronises none.
fn meet(op: Op) -> Option<Meeting> {
    let of = |op: &Op| match op.name() {
        "gpu.barrier" => Some(Meeting::Block),
        "gpu.shuffle" => Some(Meeting::Warp),
        _ => None,
    };
    if op.regions().is_empty() {
        return of(&op);
    }
    let all: Vec<Meeting> = walk(op).iter().filter_map(of).collect();
    all.iter().copied().find(|who| *who == Meeting::Block).or(all.first().copied())
}

/// The value that all threads have in common; an error if they differ.
fn uniform_value<'c, T: PartialEq>(
    op: Op<'c>,
    threads: &[LaunchedThread<'c>],
    of: impl Fn(&Env<'c>) -> Result<T, Error<'c>>,
) -> Result<T, Error<'c>> {
    let first = threads.first().ok_or_else(|| Error::on(op, "does not run in any thread"))?;
    let expected = of(&first.env)?;
    for thread in &threads[1..] {
        if of(&thread.env)? != expected {
            let message = "barrier divergence: threads of one block do not reach the same barrier";
            return Err(Error::on(op, message));
        }
    }
    Ok(expected)
}
