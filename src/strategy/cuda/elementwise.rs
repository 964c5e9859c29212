//! Elementwise nests: each thread computes one element or one vector, and consecutive threads compute consecutive
//! elements.

use super::{add_threads, fused, spread, threads_of, vector};
use crate::machine::cuda::Gpu;
use crate::schedule::{Schedule, ScheduleError};
use crate::strategy::group::NestGroup;
use crate::strategy::nest::{AccessStride, Nest, NestAccess, at, order};
use crate::strategy::space::{ChosenNumbers, Space, what};
use crate::strategy::{StrategyRow, all_sizes};

pub const ROW: StrategyRow<Gpu> = StrategyRow {
    name: "nvptx.elementwise",
    summary: "Each thread computes one vector of results",
    priority: 10,
    applies,
    sizes: all_sizes,
    space: |group, gpu| {
        let mut space = Space::default();
        group.nests.iter().for_each(|nest| add_numbers(&mut space, nest, gpu));
        space
    },
    schedule,
};

fn applies(group: &NestGroup, _: &Gpu) -> Result<(), String> {
    match group.nests.iter().find(|nest| nest.is_reduction()) {
        Some(nest) => Err(format!("{} reduces", nest.block)),
        None => Ok(()),
    }
}

fn schedule(
    schedule: &mut Schedule,
    group: &NestGroup,
    gpu: &Gpu,
    numbers: &ChosenNumbers,
) -> Result<(), ScheduleError> {
    group.nests.iter().try_for_each(|nest| map(schedule, nest, gpu, numbers))
}

/// Adds to a space the elements that a thread of a spatial nest computes, and the threads of a thread block.
pub fn add_numbers(space: &mut Space, nest: &Nest, gpu: &Gpu) {
    let mut most = 1;
    if let Some(axis) = along(nest) {
        most = vector(nest, axis, gpu);
        let widths = [1, 2, 4, 8, 16].into_iter().filter(|width| *width <= most);
        space.structure(&nest.block, what::WIDTH, widths, most);
    }
    add_threads(space, nest, nest.instances().map(|instances| instances / most), gpu);
}

/// Schedules a kernel for a spatial nest, with the default numbers.
pub fn map_by_default(
    schedule: &mut Schedule,
    nest: &Nest,
    gpu: &Gpu,
) -> Result<(), ScheduleError> {
    let mut space = Space::default();
    add_numbers(&mut space, nest, gpu);
    map(schedule, nest, gpu, &space.constants())
}

/// The loop along which a thread computes several elements.
fn along(nest: &Nest) -> Option<usize> {
    column(nest).or(nest.store_axis())
}

/// The loop along which a matrix of one column is stored, if every load that depends on it reads a column too.
fn column(nest: &Nest) -> Option<usize> {
    let axis = *nest.stores.first()?.columns.first()?;
    let is_column = |access: &NestAccess| access.columns.contains(&axis);
    let stands = |access: &NestAccess| access.steps[axis] == AccessStride::None;
    let all = nest.stores.iter().all(is_column);
    (all && nest.loads.iter().all(|load| is_column(load) || stands(load))).then_some(axis)
}

/// Schedules a kernel for a spatial nest.
pub fn map(
    schedule: &mut Schedule,
    nest: &Nest,
    gpu: &Gpu,
    numbers: &ChosenNumbers,
) -> Result<(), ScheduleError> {
    let block = &nest.block;
    let along = along(nest);
    let mut loops: Vec<String> =
        nest.spatial_but(along.as_slice()).into_iter().map(|(name, _)| name).collect();
    if let Some(axis) = along {
        let name = &nest.loops[axis].name;
        loops.push(name.clone());
        order(schedule, block, loops.iter().cloned())?;
        let lanes = numbers.of(block, what::WIDTH).map_or(1, |width| width.value);
        if lanes > 1 && nest.loops[axis].extent == Some(lanes) {
            schedule.vectorize(&at(block, name), None)?;
            loops.pop();
        } else if lanes > 1 {
            schedule.split(&at(block, name), &[-1, lanes], None)?;
            loops.pop();
            loops.push(format!("{name}.0"));
            let lane = at(block, &format!("{name}.1"));
            match column(nest) {
                None => schedule.vectorize(&lane, None)?,
                // A vector cannot span rows of one element; the accesses of a block's threads coalesce anyway.
                Some(_) => schedule.unroll(&lane, None)?,
            };
        }
    }
    match fused(schedule, block, &loops)? {
        Some(all) => spread(schedule, block, &all, &threads_of(numbers, nest, gpu)),
        // If the only loop is one vector, that loop is still there.
        None => super::serial::alone(schedule, &along.map_or(block.clone(), |axis| nest.at(axis))),
    }
}
