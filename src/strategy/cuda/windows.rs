//! Reductions of small windows, such as a pooling or a depthwise convolution: each thread computes some results one
//! after the other, and also computes the elementwise ops that follow.
//!
//! ```text
//! for blockIdx.x { for threadIdx.x {
//!   for window { S += X[y + window] * F[window] }
//!   B[y] = max(S, 0)
//! } }
//! ```
//! Consecutive threads have consecutive results, so they read the same cache lines.

use super::serial::results;
use super::{add_threads, columns, elementwise, fused, thread_loops, threads_of};
use crate::machine::cuda::Gpu;
use crate::schedule::{Schedule, ScheduleError};
use crate::strategy::group::NestGroup;
use crate::strategy::nest::{at, order};
use crate::strategy::space::{ChosenNumber, ChosenNumbers, Space};
use crate::strategy::{StrategyRow, all_sizes};

pub const ROW: StrategyRow<Gpu> = StrategyRow {
    name: "nvptx.windows",
    summary: "Each thread reduces the windows of its results sequentially",
    priority: 31,
    applies: |group, _| {
        let (nest, followers) = group.nests.split_first().expect("a group has nests");
        if !nest.reduces_windows() {
            return Err(format!("{} does not reduce windows", nest.block));
        }
        if nest.stores.len() > 1 {
            return Err(format!("{} reduces several values at once", nest.block));
        }
        if nest.spatial().is_empty() {
            return Err(format!("{} has a single result", nest.block));
        }
        match followers.iter().find(|nest| nest.is_reduction()) {
            Some(nest) => Err(format!("{} reduces too", nest.block)),
            None => Ok(()),
        }
    },
    sizes: all_sizes,
    space: |group, gpu| {
        let mut space = Space::default();
        add_threads(&mut space, &group.nests[0], results(&group.nests[0]), gpu);
        space
    },
    schedule,
};

fn schedule(
    schedule: &mut Schedule,
    group: &NestGroup,
    gpu: &Gpu,
    numbers: &ChosenNumbers,
) -> Result<(), ScheduleError> {
    let (nest, followers) = group.nests.split_first().expect("a group has nests");
    let result = &nest.block;
    // The loop of contiguous results is innermost, so that consecutive threads have them.
    let mut spatial = nest.spatial();
    spatial.sort_by_key(|axis| Some(*axis) == nest.store_axis());
    let names = |axes: Vec<usize>| axes.into_iter().map(|axis| nest.loops[axis].name.clone());
    let reductions: Vec<String> = names(nest.reductions()).collect();
    order(schedule, result, names(spatial).chain(reductions.clone()))?;
    let buffer = columns::stored(schedule, result)?;
    let sum = schedule.cache_write(result, &buffer, "global", None)?;
    for follower in followers {
        if schedule.reverse_compute_inline(&follower.block).is_err() {
            elementwise::map_by_default(schedule, follower, gpu)?;
        }
    }
    let threads = threads_of(numbers, nest, gpu);
    per_result(schedule, [&sum, result], (&reductions, 1), &threads)
}

/// Schedules a block that reduces, and the block that copies its results, as one kernel: each thread reduces `lanes`
/// consecutive results together, in thread blocks of `threads` threads.
pub fn per_result(
    schedule: &mut Schedule,
    [sum, result]: [&str; 2],
    (reductions, lanes): (&[String], i64),
    threads: &ChosenNumber,
) -> Result<(), ScheduleError> {
    let own = |name: String| name.rsplit(':').next().unwrap_or(&name).to_owned();
    let mut loops: Vec<String> = schedule.loops(result)?.into_iter().map(own).collect();
    let lane = if lanes > 1 { loops.pop() } else { None };
    if let Some(lane) = &lane {
        schedule.split(&at(result, lane), &[-1, lanes], None)?;
        loops.push(format!("{lane}.0"));
        schedule.vectorize(&at(result, &format!("{lane}.1")), None)?;
    }
    let all = fused(schedule, result, &loops)?.expect("results have a loop");
    let (block, thread) = thread_loops(schedule, &at(result, &all), threads)?;
    let sums = columns::stored(schedule, sum)?;
    schedule.compute_at(sum, &thread)?;
    if lane.is_some() {
        let inner: Vec<String> = schedule.loops(sum)?.into_iter().map(own).collect();
        let lane = inner.iter().rfind(|name| !reductions.contains(name)).expect("there are lanes");
        order(schedule, sum, reductions.iter().chain([lane]).cloned())?;
        schedule.vectorize(&at(sum, lane), None)?;
    }
    schedule.set_scope(&sums, "local")?;
    block.map_or(Ok(()), |block| schedule.bind(&block, "blockIdx.x"))?;
    schedule.bind(&thread, "threadIdx.x")
}
