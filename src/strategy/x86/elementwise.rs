//! Elementwise nests: the loop over the last dimension is vectorized, and the other loops are distributed over threads.

use super::share::{share, tasks};
use super::{add_width, alone, lanes, order, stream};
use crate::machine::x86::Processor;
use crate::schedule::{Schedule, ScheduleError};
use crate::strategy::group::NestGroup;
use crate::strategy::nest::{Nest, at, product};
use crate::strategy::space::{ChosenNumbers, REST, Space, factors, what};
use crate::strategy::{StrategyRow, all_sizes};

/// If there are too few rows, longer rows are split into pieces of so many elements.
const PIECE: i64 = 4096;

/// Other sizes of pieces, and the name of this number.
const PIECES: [i64; 4] = [1024, 2048, 8192, 16384];

pub const ROW: StrategyRow<Processor> = StrategyRow {
    name: "x86.elementwise",
    summary: "Vectorises along rows of the result; distributes rows over threads",
    priority: 10,
    applies,
    sizes: all_sizes,
    space: |group, processor| {
        let (nest, axis) = of(group);
        space(nest, axis, processor)
    },
    schedule: |schedule, group, processor, numbers| {
        along(schedule, group, of(group), processor, numbers)
    },
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

/// The nest, and the loop that is vectorised.
fn of(group: &NestGroup) -> (&Nest, usize) {
    let nest = group.alone().expect("it applies to one nest");
    (nest, nest.store_axis().expect("it applies where there is one"))
}

/// The width of the vectors along a loop of a spatial nest, and the size of pieces.
pub fn space(nest: &Nest, axis: usize, processor: &Processor) -> Space {
    let mut space = Space::default();
    let extent = nest.loops[axis].extent;
    let rows = product(nest.spatial_but(&[axis]).into_iter().map(|(_, extent)| extent));
    let is_long = extent.is_none_or(|extent| extent >= 2 * PIECE);
    if is_long && rows.is_some_and(|rows| rows < tasks(processor)) {
        let is_part = |piece: &i64| extent.is_none_or(|extent| 2 * *piece <= extent);
        space.number(&nest.block, what::PIECE, PIECES.into_iter().filter(is_part), PIECE);
    }
    if extent.is_none_or(|extent| extent > 1) {
        add_width(&mut space, nest, axis, processor);
    }
    space
}

/// Vectorises a loop of a spatial nest, and lets threads share the others.
pub fn along(
    schedule: &mut Schedule,
    group: &NestGroup,
    (nest, axis): (&Nest, usize),
    processor: &Processor,
    numbers: &ChosenNumbers,
) -> Result<(), ScheduleError> {
    let block = &nest.block;
    let mut outer = nest.spatial_but(&[axis]);
    let mut name = nest.loops[axis].name.clone();
    order(schedule, block, outer.iter().map(|(name, _)| name.clone()).chain([name.clone()]))?;
    let lanes = lanes(nest, processor);
    let extent = nest.loops[axis].extent;
    if let Some(piece) = numbers.of(block, what::PIECE) {
        schedule.split(&nest.at(axis), factors(&[&REST, piece]), None)?;
        outer.push((format!("{name}.0"), extent.map(|extent| extent / piece.value + 1)));
        name += ".1";
    }
    if let Some(width) = numbers.of(block, what::WIDTH) {
        schedule.vectorize(&at(block, &name), width)?;
    }
    stream(schedule, (group, nest), axis, processor)?;
    let cycles = nest.all_cycles(lanes);
    share(schedule, (group, block), &outer, cycles, processor)
}
