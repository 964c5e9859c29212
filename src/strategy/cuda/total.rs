//! Reductions to few values: thread blocks reduce parts, and a second kernel combines the partial results.
//!
//! ```text
//! for blockIdx.y row { for blockIdx.x part { for step { for threadIdx.x { for 4 { row += A[row, ..] } } } } }
//!   ->  for blockIdx.x part { .. partial[part, row] = .. }    for threadIdx.x part { row += partial[part, row] }
//! ```
//! If there are enough rows for all multiprocessors, and the rows are the outer loops, [`rows`](super::rows) is used
//! instead. If the rows are not the outer loops, as in a sum over all dimensions but the second, each row is reduced by
//! one thread block without partial results. A short reduction to one value is reduced by one thread block too.

use super::rows::reduced;
use super::{extent, fused, power, threads_of_blocks, vector};
use crate::machine::cuda::Gpu;
use crate::schedule::{Schedule, ScheduleError};
use crate::strategy::group::{NestGroup, alone};
use crate::strategy::nest::{Nest, at, order, product};
use crate::strategy::space::{ChosenNumbers, REST, Space, factors, what};
use crate::strategy::{StrategyRow, all_sizes};

/// The fewest elements of a thread that are worth a thread block.
const LEAST: i64 = 16;

/// Thread blocks per multiprocessor.
const BLOCKS: i64 = 2;

/// Fewer elements are not worth more threads.
const SHORT: i64 = 16;

pub const ROW: StrategyRow<Gpu> = StrategyRow {
    name: "nvptx.total",
    summary: "Thread blocks compute partial results, which a second kernel combines",
    priority: 35,
    applies: |group, gpu| parts(group, gpu).map(drop),
    sizes: all_sizes,
    space,
    schedule,
};

/// The number of parts of a row.
fn parts(group: &NestGroup, gpu: &Gpu) -> Result<i64, String> {
    let nest = alone(group)?;
    if !nest.reduces_around() {
        return Err("its innermost loop is not a reduction along which it reads".into());
    }
    let rows = product(nest.spatial_but(&[]).into_iter().map(|(_, extent)| extent));
    let rows = rows.ok_or("the number of rows is not known")?;
    let blocks = BLOCKS * gpu.multiprocessors;
    let length = length(nest);
    let part = LEAST * gpu.threads;
    let worth = length.map_or(blocks, |length| (length + part - 1) / part);
    let parts = worth.min(blocks / rows.max(1)).min(gpu.limits.threads);
    match parts {
        ..2 if group.rows == 0 && length.is_none_or(|length| length >= SHORT) => Ok(1),
        ..2 if rows < gpu.multiprocessors => Err("its rows are too short to split".into()),
        ..2 => Err("it has enough rows for all multiprocessors".into()),
        _ => Ok(parts),
    }
}

/// The elements of a row, if their number is known.
fn length(nest: &Nest) -> Option<i64> {
    product(nest.reductions().into_iter().map(|axis| nest.loops[axis].extent))
}

/// The parts of a row, and the threads of a thread block. If a row has one part, there is no second kernel.
fn space(group: &NestGroup, gpu: &Gpu) -> Space {
    let nest = group.alone().expect("it applies to one nest");
    let best = parts(group, gpu).expect("it applies");
    let mut space = Space::default();
    let counts = if best == 1 { 0..0 } else { 1..gpu.limits.threads.ilog2() + 1 };
    let counts = counts.map(|n| 1 << n);
    let parts = space.number(&nest.block, what::PARTS, counts, best);
    space.at_most("threads of a thread block", parts, gpu.limits.threads);
    let accesses =
        length(nest).map_or(i64::MAX, |length| length / vector(nest, nest.loops.len() - 1, gpu));
    let threads = match best {
        1 => gpu.threads.min(power(2 * accesses.min(gpu.threads) - 1)).max(gpu.lanes),
        _ => gpu.threads,
    };
    space.number(&nest.block, what::THREADS, threads_of_blocks(gpu), threads);
    space
}

fn schedule(
    schedule: &mut Schedule,
    group: &NestGroup,
    gpu: &Gpu,
    numbers: &ChosenNumbers,
) -> Result<(), ScheduleError> {
    let nest: &Nest = group.alone().expect("it applies to one nest");
    let block = &nest.block;
    let number = |what| numbers.of(block, what).expect("a number of the space");
    let [parts, threads] = [what::PARTS, what::THREADS].map(number);
    let lanes = vector(nest, nest.loops.len() - 1, gpu);
    let spatial: Vec<String> = nest.spatial_but(&[]).into_iter().map(|(name, _)| name).collect();
    let reductions = nest.reductions();
    let along = reductions.iter().map(|axis| nest.loops[*axis].name.clone());
    order(schedule, block, spatial.iter().cloned().chain(along))?;
    let rows = fused(schedule, block, &spatial)?;
    let rows = rows.filter(|rows| extent(schedule, &at(block, rows)) != Ok(Some(1)));
    let name = reduced(schedule, nest, &reductions, lanes)?;
    if parts.value == 1 {
        schedule.split(&at(block, &name), factors(&[&REST, threads]), None)?;
        schedule.bind(&at(block, &format!("{name}.1")), "threadIdx.x")?;
        return rows.map_or(Ok(()), |rows| schedule.bind(&at(block, &rows), "blockIdx.x"));
    }
    schedule.split(&at(block, &name), factors(&[&REST, parts, threads]), None)?;
    let part = |i: usize| format!("{name}.{i}");
    order(schedule, block, rows.iter().cloned().chain([part(1), part(0), part(2)]))?;
    if let Some(rows) = rows {
        schedule.bind(&at(block, &rows), "blockIdx.y")?;
    }
    schedule.bind(&at(block, &part(1)), "blockIdx.x")?;
    schedule.bind(&at(block, &part(2)), "threadIdx.x")
}
