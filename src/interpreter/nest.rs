//! Runs loop nests of schedule blocks.
//!
//! A nest is decoded once into a program over numbered slots, and then executed. Threads execute it, each of one or
//! more lanes:
//! - `parallel` and `blockIdx` iterations, and threads that no barrier separates, run one after
//!   the other in random order;
//! - where a barrier is nested below, the threads of a block advance statement by statement;
//! - `vectorize` iterations are lanes of a thread: each op of a body runs in all lanes, in random order,
//!   before the next op.
//!
//! In nests with any of these, [`shadow`] records the last accesses of each element, and refuses two conflicting
//! accesses that nothing orders.

mod control_flow;
mod counter;
mod decode;
mod empty;
mod execute;
mod leaf;
mod memory;
mod program;
mod shadow;
mod thread;

use super::RunOptions;
use super::env::Env;
use super::scalar::{Scalar, ScalarType};
use super::tally::Tally;
use super::value::{Array, Datum};
use crate::dialect::loop_op::BufferView;
use crate::ir::{Error, Op};
use counter::Counter;

/// Runs a loop, block, `loop.if` or `loop.sync` at function level.
pub(super) fn run<'c>(
    op: Op<'c>,
    env: &mut Env<'c>,
    options: RunOptions,
    tally: Option<&mut Tally>,
) -> Result<(), Error<'c>> {
    let program = decode::decode(op, env)?;
    execute::Machine::new(&program, options, tally.map(|tally| Counter::new(op, tally))).run()
}

/// Allocates a `loop.buffer`, undefined. For scopes with one instance a thread or thread block, the other instances are
/// allocated while a nest runs.
pub(super) fn buffer<'c>(op: Op<'c>, env: &mut Env<'c>) -> Result<(), Error<'c>> {
    let view = BufferView::of(op)?;
    let result = op.result(0);
    let unknown = || Error::beyond(op, "has a type that the interpreter does not support");
    let (dims, element) = result.ty().shaped().ok_or_else(unknown)?;
    let element = ScalarType::of(element).ok_or_else(unknown)?;
    let mut sizes = vec![];
    for size in &view.sizes {
        sizes.push(env.index(op, *size)?);
    }
    let mut dynamic = view.dynamic_dims.iter().map(|expr| expr.evaluate(&[], &sizes));
    let mut shape = vec![];
    for dim in dims {
        let size = dim.or_else(|| dynamic.next().flatten());
        let size = size.and_then(|size| usize::try_from(size).ok());
        shape.push(size.ok_or_else(|| Error::on(op, "has a size that is negative or too large"))?);
    }
    let array = Array::undefined(element, shape.clone())
        .ok_or_else(|| Error::beyond(op, format!("is too large to interpret: {shape:?}")))?;
    debug_assert!(array.cells.iter().all(|cell| *cell == Scalar::Undefined));
    env.set(result, Datum::buffer(array));
    Ok(())
}
