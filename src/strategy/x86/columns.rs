//! Column reductions: the loop along which results are written is vectorized, and results stay in registers during the
//! reduction.

use super::product::follow;
use super::share::share;
use super::{VECTOR_REGISTERS, VECTORS, lanes, order};
use crate::machine::x86::Processor;
use crate::schedule::{Schedule, ScheduleError};
use crate::strategy::group::NestGroup;
use crate::strategy::nest::{AccessStride, Nest, at};
use crate::strategy::space::{ChosenNumbers, REST, Space, factors, registers, what};
use crate::strategy::{StrategyRow, all_sizes};

/// The fewest results of a row that are worth a vector: the smallest vectors have so many lanes of f32.
const FEWEST: i64 = 4;

/// The most vectors in a tile that differs from the default.
const MOST_VECTORS: i64 = 8;

pub const ROW: StrategyRow<Processor> = StrategyRow {
    name: "x86.columns",
    summary: "Keeps vectors of results in registers during the reduction; distributes the other \
              loops over threads",
    priority: 10,
    applies,
    sizes: all_sizes,
    space,
    schedule,
};

fn applies(group: &NestGroup, processor: &Processor) -> Result<(), String> {
    let nest = &group.nests[0];
    if group.nests.len() > 1 && !nest.reduces_windows() {
        return Err(format!("the group has {} nests, expected one", group.nests.len()));
    }
    if !nest.is_reduction() {
        return Err("it has no reduction".into());
    }
    let axis =
        axis(nest).ok_or("no loop stores to consecutive elements and loads with small strides")?;
    match nest.loops[axis].extent {
        Some(extent) if extent < lanes(nest, processor).min(FEWEST) => {
            Err(format!("rows have only {extent} results"))
        }
        _ => Ok(()),
    }
}

/// The loop along which results are contiguous, if all loads along it have a small stride.
pub fn axis(nest: &Nest) -> Option<usize> {
    let axis = nest.store_axis()?;
    nest.loads.iter().all(|load| load.steps[axis] != AccessStride::Far).then_some(axis)
}

/// The vector width of the loop of results, in lanes: that of the fewest tiles of at most [`VECTORS`] vectors, which have about
/// the same size. So a row of 56 results is one tile, in which each value that all results share is loaded once. If the number of
/// results is not known and some load has a stride, a tile is one vector: its elements are loaded one by one, for lanes
/// beyond the end of a row, too.
fn width(nest: &Nest, axis: usize, lanes: i64) -> i64 {
    let up = |n: i64, by: i64| (n + by - 1) / by;
    let is_strided = nest.loads.iter().any(|load| load.steps[axis] == AccessStride::Near);
    let vectors = match nest.loops[axis].extent {
        Some(extent) => {
            let vectors = up(extent, lanes).max(1);
            up(vectors, up(vectors, VECTORS))
        }
        None if is_strided => 1,
        None => VECTORS,
    };
    lanes * vectors
}

/// The spatial loops except `axis`, in the order of the dimensions of the result. So a loop over channels is outside of
/// those over the rows of a channel, which share windows.
fn in_memory_order(nest: &Nest, axis: usize) -> Vec<(String, Option<i64>)> {
    let result = nest.stores.first();
    let place = |axis: usize| result.and_then(|store| store.dimensions[axis]);
    let mut axes: Vec<usize> = nest.spatial().into_iter().filter(|it| *it != axis).collect();
    if axes.iter().all(|axis| place(*axis).is_some()) {
        axes.sort_by_key(|axis| place(*axis));
    }
    axes.into_iter().map(|axis| (nest.loops[axis].name.clone(), nest.loops[axis].extent)).collect()
}

/// The width of a tile, if it does not have all columns.
fn space(group: &NestGroup, processor: &Processor) -> Space {
    let mut space = Space::default();
    let nest = &group.nests[0];
    let axis = axis(nest).expect("it applies where there is one");
    let lanes = lanes(nest, processor);
    let extent = nest.loops[axis].extent;
    let width = width(nest, axis, lanes);
    if extent.is_none_or(|extent| extent > width) {
        let widths = (1..=MOST_VECTORS.max(width / lanes)).map(|vectors| vectors * lanes);
        let is_used = |it: &i64| *it == width || extent.is_none_or(|extent| *it < extent);
        let widths = widths.filter(is_used);
        let columns = space.number(&nest.block, what::COLUMNS, widths, width);
        let has_fma = processor.vectors.has_fma;
        let needed = registers(nest, &[(axis, columns)], (axis, lanes), has_fma);
        space.at_most_or_default(VECTOR_REGISTERS, needed, processor.vectors.registers.into());
        space.tighten();
    }
    space
}

fn schedule(
    schedule: &mut Schedule,
    group: &NestGroup,
    processor: &Processor,
    numbers: &ChosenNumbers,
) -> Result<(), ScheduleError> {
    let nest = &group.nests[0];
    let axis = axis(nest).expect("it applies where there is one");
    let (block, name) = (&nest.block, &nest.loops[axis].name);
    let lanes = lanes(nest, processor);
    let extent = nest.loops[axis].extent;
    let columns = numbers.of(block, what::COLUMNS);
    let mut outer = in_memory_order(nest, axis);
    let lane = match columns {
        Some(columns) => {
            schedule.split(&nest.at(axis), factors(&[&REST, columns]), None)?;
            outer.push((format!("{name}.0"), extent.map(|extent| extent / columns.value + 1)));
            format!("{name}.1")
        }
        None => name.clone(),
    };
    let reductions = nest.reductions().into_iter().map(|i| nest.loops[i].name.clone());
    let around = outer.iter().map(|(name, _)| name.clone());
    order(schedule, block, around.chain(reductions).chain([lane.clone()]))?;
    schedule.vectorize(&at(block, &lane), None)?;
    if let Some((innermost, _)) = outer.last() {
        follow(schedule, group, (&at(block, innermost), outer.len()), false, processor)?;
    }
    let cycles = nest.all_cycles(lanes);
    share(schedule, (group, block), &outer, cycles, processor)
}
