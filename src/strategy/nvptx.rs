//! The default schedules for NVIDIA's GPUs.
//!
//! Each group of nests becomes a kernel, or several where threads could not wait for each other. Neighbouring threads
//! access neighbouring cells, as far as extents let them 128 bits at a time; what several nests of a group need of a
//! row, or several threads of a tile, is in the memory of the thread block. Numbers of threads are powers of two and
//! whole warps, so that lanes join what they reduce by shuffles.

mod elementwise;
mod product;
mod rows;
mod serial;
mod total;

use super::nest::{Nest, at};
use super::{Report, Strategy, Table, apply_to_all};
use crate::ir::{Error, Op};
use crate::machine::cuda::Gpu;
use crate::schedule::{Schedule, ScheduleError, query};

/// All of them; what they leave is bound as it is.
pub static TABLE: Table<Gpu> = Table { rows: ROWS, rest: serial::rest };

static ROWS: &[&Strategy<Gpu>] =
    &[&product::ROW, &total::ROW, &rows::ROW, &elementwise::ROW, &serial::ROW];

/// Schedules each function of a module for an architecture, such as `sm_90a`.
///
/// # Errors
/// There is no such chip, or that of the first function that has one.
pub fn apply<'c>(module: Op<'c>, chip: &str) -> Result<Vec<Report>, Error<'c>> {
    let gpu = Gpu::named(chip).map_err(|message| Error::on(module, message))?;
    apply_to_all(module, &TABLE, &gpu)
}

/// The elements of a loop that a thread accesses at once: as many as its widest access has, if they divide the extent.
fn vector(nest: &Nest, axis: usize, gpu: &Gpu) -> i64 {
    let mut lanes = gpu.vector(nest.element_bytes());
    while lanes > 1 && nest.loops[axis].extent.is_none_or(|extent| extent % lanes != 0) {
        lanes /= 2;
    }
    lanes
}

/// Makes one loop of some of a block, outermost first.
fn fused(
    schedule: &mut Schedule,
    block: &str,
    loops: &[String],
) -> Result<Option<String>, ScheduleError> {
    let names: Vec<String> = loops.iter().map(|name| at(block, name)).collect();
    match &names[..] {
        [] => Ok(None),
        [_] => Ok(Some(loops[0].clone())),
        _ => schedule.fuse(&names.iter().map(String::as_str).collect::<Vec<_>>()).map(Some),
    }
}

/// Gives the iterations of a loop to threads, in blocks of so many.
fn spread(
    schedule: &mut Schedule,
    block: &str,
    name: &str,
    threads: i64,
) -> Result<(), ScheduleError> {
    let target = at(block, name);
    if extent(schedule, &target)?.is_some_and(|extent| extent <= threads) {
        return schedule.bind(&target, "threadIdx.x");
    }
    schedule.split(&target, &[-1, threads], None)?;
    schedule.bind(&format!("{target}.0"), "blockIdx.x")?;
    schedule.bind(&format!("{target}.1"), "threadIdx.x")
}

/// The extent of a loop, if it is a number.
fn extent(schedule: &Schedule, name: &str) -> Result<Option<i64>, ScheduleError> {
    let summary = schedule.summary();
    let node = query::node(summary, name)?;
    Ok(summary.as_loop(node).and_then(|this| this.constant_extent()))
}
