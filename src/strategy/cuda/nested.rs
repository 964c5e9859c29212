//! Reductions over several loops that cannot be fused, because their sizes are unknown: one thread block for each
//! result.
//!
//! ```text
//! for blockIdx.x row { for i { for step { for threadIdx.x { B[row] += A[row, i, ..] } } } }
//! ```
//! If there are too few results for all multiprocessors, thread blocks also share the outermost reduction loop, and a
//! second kernel combines their partial results.

use super::{fused, power, threads_of_blocks};
use crate::machine::cuda::Gpu;
use crate::schedule::{Schedule, ScheduleError};
use crate::strategy::group::{NestGroup, alone};
use crate::strategy::nest::{Nest, at, order, product};
use crate::strategy::space::{ChosenNumber, ChosenNumbers, REST, Space, factors, what};
use crate::strategy::{StrategyRow, all_sizes};

pub const ROW: StrategyRow<Gpu> = StrategyRow {
    name: "nvptx.nested",
    summary: "Reduces over several loops that cannot be fused; one thread block computes each result",
    priority: 27,
    applies,
    sizes: all_sizes,
    space: |group, gpu| {
        let nest = group.alone().expect("it applies to one nest");
        let last = nest.reductions().last().and_then(|axis| nest.loops[*axis].extent);
        let mut space = Space::default();
        space.number(&nest.block, what::THREADS, threads_of_blocks(gpu), threads(last, gpu));
        space
    },
    schedule,
};

fn applies(group: &NestGroup, _: &Gpu) -> Result<(), String> {
    let nest = alone(group)?;
    if !nest.reduces_around() {
        return Err("its innermost loop is not a reduction along which it reads".into());
    }
    let reductions = nest.reductions();
    match product(reductions.iter().map(|axis| nest.loops[*axis].extent)) {
        _ if reductions.len() < 2 => Err("it has only one reduction loop".into()),
        Some(_) if group.rows > 0 => Err("the number of reduced elements is known".into()),
        _ => Ok(()),
    }
}

/// The threads of a thread block that share a loop of this extent, if it is known.
fn threads(length: Option<i64>, gpu: &Gpu) -> i64 {
    let least = length.map_or(i64::MAX, |length| power(2 * length.max(1) - 1));
    gpu.threads.min(least.max(gpu.lanes))
}

fn schedule(
    schedule: &mut Schedule,
    group: &NestGroup,
    gpu: &Gpu,
    numbers: &ChosenNumbers,
) -> Result<(), ScheduleError> {
    let nest: &Nest = group.alone().expect("it applies to one nest");
    let block = &nest.block;
    let name = |axis: usize| nest.loops[axis].name.clone();
    let spatial: Vec<String> = nest.spatial().into_iter().map(name).collect();
    let reductions = nest.reductions();
    let mine = numbers.of(block, what::THREADS).expect("a number of the space");
    let names: Vec<String> = reductions.iter().map(|axis| name(*axis)).collect();
    let results = product(nest.spatial_but(&[]).into_iter().map(|(_, extent)| extent));
    if results.is_none_or(|results| results >= gpu.multiprocessors) {
        return rows(schedule, block, (&spatial, &names), mine);
    }
    let partial = schedule.rfactor(&nest.at(reductions[0]), None)?;
    let part = schedule.loops(&partial)?[0].rsplit(':').next().unwrap_or_default().to_owned();
    let outer = [&[part], &spatial[..]].concat();
    rows(schedule, &partial, (&outer, &names[1..]), mine)?;
    let of_parts = threads(nest.loops[reductions[0]].extent, gpu);
    rows(schedule, block, (&spatial, &names[..1]), &of_parts.into())
}

/// Schedules one thread block for each result; its threads share the last reduction loop.
fn rows(
    schedule: &mut Schedule,
    block: &str,
    (spatial, reductions): (&[String], &[String]),
    threads: &ChosenNumber,
) -> Result<(), ScheduleError> {
    order(schedule, block, spatial.iter().chain(reductions).cloned())?;
    let last = reductions.last().expect("it reduces");
    schedule.split(&at(block, last), factors(&[&REST, threads]), None)?;
    schedule.bind(&at(block, &format!("{last}.1")), "threadIdx.x")?;
    match fused(schedule, block, spatial)? {
        Some(row) => schedule.bind(&at(block, &row), "blockIdx.x"),
        _ => Ok(()),
    }
}
