//! The default schedules for NVIDIA's GPUs.
//!
//! Each group of nests becomes a kernel, or several where threads could not wait for each other. Neighbouring threads
//! access neighbouring cells, as far as extents let them 128 bits at a time; what several nests of a group need of a
//! row, or several threads of a tile, is in the memory of the thread block. Where threads share a row, their number is a
//! power of two and whole warps, so that lanes join what they reduce by shuffles.

mod columns;
mod elementwise;
mod nested;
mod product;
mod rows;
mod serial;
mod total;
mod transpose;

use super::nest::{Nest, at};
use super::{Report, Strategy, Table, apply_to_all};
use crate::ir::{Error, Op};
use crate::machine::cuda::Gpu;
use crate::schedule::{Schedule, ScheduleError, query};

/// All of them; what they leave is bound as it is.
pub static TABLE: Table<Gpu> = Table { rows: ROWS, rest: serial::rest };

static ROWS: &[&Strategy<Gpu>] = &[
    &product::ROW,
    &total::ROW,
    &rows::ROW,
    &columns::ROW,
    &columns::IN_TURN,
    &nested::ROW,
    &transpose::ROW,
    &elementwise::ROW,
    &serial::ROW,
];

/// Schedules each function of a module for an architecture, such as `sm_90a`.
///
/// # Errors
/// There is no such chip, or that of the first function that has one.
pub fn apply<'c>(module: Op<'c>, chip: &str) -> Result<Vec<Report>, Error<'c>> {
    let gpu = Gpu::named(chip).map_err(|message| Error::on(module, message))?;
    apply_to_all(module, &TABLE, &gpu)
}

/// The elements of a loop that a thread accesses at once: as many as its widest access has, if they divide the extent. One
/// where each may be padding.
fn vector(nest: &Nest, axis: usize, gpu: &Gpu) -> i64 {
    if nest.padded.contains(&axis) {
        return 1;
    }
    let most = gpu.vector(nest.element_bytes());
    nest.loops[axis].extent.map_or(1, |extent| fitting(most, extent))
}

/// The most elements, of up to so many, that divide an extent.
fn fitting(most: i64, extent: i64) -> i64 {
    most.min(1 << extent.max(1).trailing_zeros())
}

/// The largest power of two that is no more than a number.
fn power(n: i64) -> i64 {
    1 << n.max(1).ilog2()
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

/// Gives loops over tiles, of which the last two are over rows and columns, to thread blocks.
fn bind_blocks(
    schedule: &mut Schedule,
    block: &str,
    grid: &[String],
    gpu: &Gpu,
) -> Result<(), ScheduleError> {
    let (batches, tiles) = grid.split_at(grid.len() - 2);
    let mut loops = vec![];
    loops.extend(fused(schedule, block, batches)?.map(|name| (name, "blockIdx.z")));
    loops.extend(tiles.iter().cloned().zip(["blockIdx.y", "blockIdx.x"]));
    let mut is_large = false;
    for (name, axis) in &loops {
        let limit = if *axis == "blockIdx.x" { i64::MAX } else { gpu.limits.grid[1] };
        is_large |= extent(schedule, &at(block, name))?.is_some_and(|extent| extent > limit);
    }
    if is_large {
        let all: Vec<String> = loops.into_iter().map(|(name, _)| name).collect();
        let all = fused(schedule, block, &all)?.expect("there are tiles");
        loops = vec![(all, "blockIdx.x")];
    }
    loops.iter().try_for_each(|(name, axis)| schedule.bind(&at(block, name), axis))
}

/// The extent of a loop, if it is a number.
fn extent(schedule: &Schedule, name: &str) -> Result<Option<i64>, ScheduleError> {
    let summary = schedule.summary();
    let node = query::node(summary, name)?;
    Ok(summary.as_loop(node).and_then(|this| this.constant_extent()))
}
