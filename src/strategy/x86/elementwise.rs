//! Elementwise nests: the loop over the last dimension is vectorized, and the other loops are distributed over threads. Short loops
//! along which most loads read the same elements, such as those over a tile of a Winograd transform, are unrolled inside the
//! others, so that one iteration loads the elements for all of them.

use super::share::{share, tasks};
use super::{add_width, alone, lanes, order, stream};
use crate::machine::x86::Processor;
use crate::schedule::{Schedule, ScheduleError};
use crate::strategy::group::NestGroup;
use crate::strategy::nest::{AccessStride, Nest, NestAccess, at, product};
use crate::strategy::space::{ChosenNumbers, REST, Space, factors, what};
use crate::strategy::{StrategyRow, all_sizes};

/// If there are too few rows, longer rows are split into pieces of so many elements.
const PIECE: i64 = 4096;

/// The most iterations of a loop whose iterations share loads, and of such loops together: each has its own code.
const MOST_SHARING: i64 = 4;
const MOST_COPIES: i64 = 16;

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
        let copies = product(shared_loads(nest, axis).iter().map(|at| nest.loops[*at].extent));
        add_width(&mut space, nest, axis, processor, copies.unwrap_or(1));
    }
    space
}

/// The loops that are worth unrolling because their iterations load the same elements: at least half of the loads and stores
/// that one iteration of the others executes are saved.
fn shared_loads(nest: &Nest, axis: usize) -> Vec<usize> {
    let is_still = |load: &NestAccess, at: usize| load.steps[at] == AccessStride::None;
    let is_shared = |at: &usize| {
        let extent = nest.loops[*at].extent;
        let still = nest.loads.iter().filter(|load| is_still(load, *at)).count();
        *at != axis
            && extent.is_some_and(|it| (2..=MOST_SHARING).contains(&it))
            && 2 * still > nest.loads.len()
    };
    let found: Vec<usize> = nest.spatial().into_iter().filter(is_shared).collect();
    let copies = product(found.iter().map(|at| nest.loops[*at].extent));
    let Some(copies) = copies.filter(|it| *it <= MOST_COPIES) else { return vec![] };
    let shared = |load: &&NestAccess| found.iter().all(|at| is_still(load, *at));
    let saved = nest.loads.iter().filter(shared).count() as i64 * (copies - 1);
    let all = (nest.loads.len() + nest.stores.len()) as i64 * copies;
    if 2 * saved >= all { found } else { vec![] }
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
    let shared = shared_loads(nest, axis);
    let mut outer = nest.spatial_but(&[vec![axis], shared.clone()].concat());
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
    unroll_inside(schedule, nest, &shared)?;
    stream(schedule, (group, nest), axis, processor)?;
    let cycles = nest.all_cycles(lanes);
    share(schedule, (group, block), &outer, cycles, processor)
}

/// Unrolls loops around the vectors, inside all other loops of the nest.
fn unroll_inside(
    schedule: &mut Schedule,
    nest: &Nest,
    loops: &[usize],
) -> Result<(), ScheduleError> {
    if loops.is_empty() {
        return Ok(());
    }
    let unrolled: Vec<String> = loops.iter().map(|it| nest.at(*it)).collect();
    let mut order = schedule.loops(&nest.block)?;
    order.retain(|name| !unrolled.contains(name));
    let innermost = order.len().saturating_sub(1);
    order.splice(innermost..innermost, unrolled.iter().cloned());
    schedule.reorder(&order.iter().map(String::as_str).collect::<Vec<_>>())?;
    unrolled.iter().try_for_each(|name| schedule.unroll(name, None).map(drop))
}
