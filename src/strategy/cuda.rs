//! The default schedules for NVIDIA GPUs.
//!
//! Each group of nests becomes one kernel. It becomes several kernels if thread blocks would otherwise have to wait for
//! each other. Consecutive threads access consecutive elements, 128 bits at a time if the extents permit this. Shared
//! memory holds the data of a row that several nests of a group use, and the data of a tile that several threads use.
//! The number of threads that work on one row is a power of two: a part of a warp for short rows, and whole warps
//! otherwise. So these threads reduce by warp shuffles.

mod columns;
mod elementwise;
mod nested;
mod product;
mod rows;
mod serial;
mod total;
mod transpose;
mod windows;

use super::nest::{Nest, at};
use super::space::{ChosenNumber, ChosenNumbers, REST, Space, factors, what};
use super::{StrategyRow, StrategyTable};
use crate::machine::cuda::Gpu;
use crate::schedule::{Schedule, ScheduleError, query};

/// The strategies of the package; the nests that no strategy schedules are bound without reordering.
pub fn table() -> StrategyTable<Gpu> {
    StrategyTable::of(ROWS, serial::rest)
}

const ROWS: &[&StrategyRow<Gpu>] = &[
    &product::ROW,
    &total::ROW,
    &windows::ROW,
    &rows::ROW,
    &columns::ROW,
    &columns::IN_TURN,
    &nested::ROW,
    &transpose::ROW,
    &elementwise::ROW,
    &serial::ROW,
];

/// The vector width of a thread's accesses along a loop: the widest access, reduced to a divisor of the extent. 1 if
/// elements along the loop may be padding.
fn vector(nest: &Nest, axis: usize, gpu: &Gpu) -> i64 {
    if nest.padded.contains(&axis) {
        return 1;
    }
    let most = gpu.vector(nest.element_bytes());
    nest.loops[axis].extent.map_or(1, |extent| fitting(most, extent))
}

/// The largest power of two that is at most `most` and divides the extent (`most` is a power of two).
fn fitting(most: i64, extent: i64) -> i64 {
    most.min(1 << extent.max(1).trailing_zeros())
}

/// The largest power of two that is at most `n`.
fn power(n: i64) -> i64 {
    1 << n.max(1).ilog2()
}

/// Fuses some loops of a block, given outermost first.
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

/// Adds to a space the threads of a thread block of the kernel of a nest, if `count` threads, where this is known, are not in
/// one block.
fn add_threads(space: &mut Space, nest: &Nest, count: Option<i64>, gpu: &Gpu) {
    if count.is_none_or(|count| count > gpu.threads) {
        let is_part = |threads: &i64| count.is_none_or(|count| count > *threads);
        let sizes = threads_of_blocks(gpu).filter(is_part);
        space.number(&nest.block, what::THREADS, sizes, gpu.threads);
    }
}

/// The possible numbers of threads of a thread block, in whole warps.
fn threads_of_blocks(gpu: &Gpu) -> impl Iterator<Item = i64> + use<> {
    let (lanes, most) = (gpu.lanes, gpu.limits.threads);
    (0..).map(move |n| lanes << n).take_while(move |threads| *threads <= most)
}

/// The chosen threads of a thread block of the kernel of a nest.
fn threads_of(numbers: &ChosenNumbers, nest: &Nest, gpu: &Gpu) -> ChosenNumber {
    numbers.of(&nest.block, what::THREADS).cloned().unwrap_or(gpu.threads.into())
}

/// Binds the iterations of a loop to threads, in thread blocks of `threads` threads.
fn spread(
    schedule: &mut Schedule,
    block: &str,
    name: &str,
    threads: &ChosenNumber,
) -> Result<(), ScheduleError> {
    let (blocks, thread) = thread_loops(schedule, &at(block, name), threads)?;
    blocks.map_or(Ok(()), |blocks| schedule.bind(&blocks, "blockIdx.x"))?;
    schedule.bind(&thread, "threadIdx.x")
}

/// Splits a loop into one for thread blocks, if one block is not enough, and one for its threads.
fn thread_loops(
    schedule: &mut Schedule,
    target: &str,
    threads: &ChosenNumber,
) -> Result<(Option<String>, String), ScheduleError> {
    if extent(schedule, target)?.is_some_and(|extent| extent <= threads.value) {
        return Ok((None, target.to_owned()));
    }
    schedule.split(target, factors(&[&REST, threads]), None)?;
    Ok((Some(format!("{target}.0")), format!("{target}.1")))
}

/// Binds tile loops to thread blocks; the last two are over rows and columns.
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

/// The extent of a loop, if it is constant.
fn extent(schedule: &Schedule, name: &str) -> Result<Option<i64>, ScheduleError> {
    let summary = schedule.summary();
    let node = query::node(summary, name)?;
    Ok(summary.as_loop(node).and_then(|this| this.constant_extent()))
}
