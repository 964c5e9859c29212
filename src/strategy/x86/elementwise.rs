//! Elementwise nests: the loop over the last dimension is vectorized, and the other loops are distributed over threads.

use super::share::{share, tasks};
use super::{VECTORS, alone, lanes, order, stream, width};
use crate::machine::x86::Processor;
use crate::schedule::{Schedule, ScheduleError};
use crate::strategy::group::NestGroup;
use crate::strategy::nest::{Nest, at, product};
use crate::strategy::{StrategyRow, all_sizes, no_space};

/// If there are too few rows, longer rows are split into pieces of so many elements.
const PIECE: i64 = 4096;

pub const ROW: StrategyRow<Processor> = StrategyRow {
    name: "x86.elementwise",
    summary: "Vectorises along rows of the result; distributes rows over threads",
    priority: 10,
    applies,
    sizes: all_sizes,
    space: no_space,
    schedule,
};

fn applies(group: &NestGroup, _: &Processor) -> Result<(), String> {
    let nest = alone(group)?;
    if nest.is_reduction() {
        return Err("it has a reduction".into());
    }
    match nest.store_axis() {
        None => Err("no loop stores to consecutive elements".into()),
        Some(_) => Ok(()),
    }
}

fn schedule(
    schedule: &mut Schedule,
    group: &NestGroup,
    processor: &Processor,
) -> Result<(), ScheduleError> {
    let nest = group.alone().expect("it applies to one nest");
    let axis = nest.store_axis().expect("it applies where there is one");
    along(schedule, group, (nest, axis), processor)
}

/// Vectorises a loop of a spatial nest, and lets threads share the others.
pub fn along(
    schedule: &mut Schedule,
    group: &NestGroup,
    (nest, axis): (&Nest, usize),
    processor: &Processor,
) -> Result<(), ScheduleError> {
    let block = &nest.block;
    let mut outer = nest.spatial_but(&[axis]);
    let mut name = nest.loops[axis].name.clone();
    order(schedule, block, outer.iter().map(|(name, _)| name.clone()).chain([name.clone()]))?;
    let lanes = lanes(nest, processor);
    let extent = nest.loops[axis].extent;
    let rows = product(outer.iter().map(|(_, extent)| *extent));
    let is_long = extent.is_none_or(|extent| extent >= 2 * PIECE);
    if is_long && rows.is_some_and(|rows| rows < tasks(processor)) {
        schedule.split(&nest.at(axis), &[-1, PIECE], None)?;
        outer.push((format!("{name}.0"), extent.map(|extent| extent / PIECE + 1)));
        name += ".1";
    }
    let width = width(extent, lanes, VECTORS);
    if extent.is_none_or(|extent| extent > 1) {
        schedule.vectorize(&at(block, &name), width)?;
    }
    stream(schedule, nest, axis, processor)?;
    let cycles = nest.all_cycles(lanes);
    share(schedule, (group, block), &outer, cycles, processor)
}
