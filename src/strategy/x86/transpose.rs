//! Transposes (nests that read along one dimension and write along another): tiles of whole cache lines, transposed in
//! registers.
//!
//! The number of vectors in a written tile is the number of lanes of a vector, but at most 16. The pass
//! `transpose-in-registers` then loads whole rows of the tile. The inner loop over tiles visits the tiles that write
//! consecutive cache lines. The outer loop visits the next rows that the nest reads.

use super::share::{share, tasks};
use super::{VECTOR_REGISTERS, alone, is_beyond_caches, lanes, order, stream, width};
use crate::machine::x86::Processor;
use crate::schedule::{Schedule, ScheduleError};
use crate::strategy::group::NestGroup;
use crate::strategy::nest::{AccessStride, Nest, NestLoop, at, product};
use crate::strategy::space::{ChosenNumbers, Space, registers, what};
use crate::strategy::{StrategyRow, all_sizes};

/// The bytes of a cache line.
const LINE: i64 = 64;

/// The consecutive lines of a row that tiles write one after the other: for data beyond the caches, where reading too
/// many rows at once is slow; and for data in them. Measured with 4096 x 4096 and 5000 x 3000, and with 256 x 256 to
/// 2000 x 2000.
const LINES_BEYOND_CACHES: i64 = 2;
const LINES: i64 = 4;

/// The most rows of a tile: more would exceed the registers.
const MAX_TILE_ROWS: i64 = 16;

/// The smallest side of a tile, unless a vector is shorter.
const LEAST: i64 = 4;

pub const ROW: StrategyRow<Processor> = StrategyRow {
    name: "x86.transpose",
    summary: "Transposes tiles of whole cache lines in registers",
    priority: 20,
    applies,
    sizes: all_sizes,
    space,
    schedule,
};

fn applies(group: &NestGroup, processor: &Processor) -> Result<(), String> {
    let nest = alone(group)?;
    if nest.is_reduction() {
        return Err("it has a reduction".into());
    }
    let [write, read] =
        axes(nest).ok_or("all loads are contiguous along the loop that stores contiguously")?;
    let least = LEAST.min(lanes(nest, processor));
    match tile(nest, [write, read], processor).into_iter().all(|elements| elements >= least) {
        true => Ok(()),
        false => Err(format!("a dimension is shorter than {least} elements")),
    }
}

/// The loop along which it writes, and the loop along which it reads.
fn axes(nest: &Nest) -> Option<[usize; 2]> {
    let write = nest.store_axis()?;
    let mut transposed = nest.loads.iter().filter(|load| load.steps[write] == AccessStride::Far);
    let read = transposed
        .find_map(|load| load.steps.iter().position(|step| *step == AccessStride::Unit))?;
    Some([write, read])
}

/// The lanes of a tile (along the written loop) and its rows (along the read loop).
fn tile(nest: &Nest, [write, read]: [usize; 2], processor: &Processor) -> [i64; 2] {
    let within = |axis: usize, mut elements: i64| {
        while elements > 1 && nest.loops[axis].extent.is_some_and(|extent| extent < elements) {
            elements /= 2;
        }
        elements
    };
    let lanes = within(write, lanes(nest, processor));
    [lanes, within(read, lanes.min(MAX_TILE_ROWS))]
}

/// The rows of a tile and the lines. Both are of structure: where a group has one tile, there is no loop over its tiles.
fn space(group: &NestGroup, processor: &Processor) -> Space {
    let nest = group.alone().expect("it applies to one nest");
    let [write, read] = axes(nest).expect("it applies where there are two");
    let [lanes, rows] = tile(nest, [write, read], processor);
    let lines = if is_beyond_caches(group, processor) { LINES_BEYOND_CACHES } else { LINES };
    let mut space = Space::default();
    let fitting = [LEAST, 2 * LEAST, MAX_TILE_ROWS].into_iter().filter(|it| *it <= rows);
    let high = space.structure(&nest.block, what::ROWS, fitting, rows);
    space.structure(&nest.block, what::LINES, [1, LINES_BEYOND_CACHES, LINES, 2 * LINES], lines);
    let needed = registers(nest, &[(read, high)], (write, lanes), processor.vectors.has_fma);
    space.at_most_or_default(VECTOR_REGISTERS, needed, processor.vectors.registers.into());
    space
}

fn schedule(
    schedule: &mut Schedule,
    group: &NestGroup,
    processor: &Processor,
    numbers: &ChosenNumbers,
) -> Result<(), ScheduleError> {
    let nest = group.alone().expect("it applies to one nest");
    let [write, read] = axes(nest).expect("it applies where there are two");
    let block = &nest.block;
    let [lanes, _] = tile(nest, [write, read], processor);
    let number = |what| numbers.of(block, what).expect("a number of the space").value;
    let (rows, lines) = (number(what::ROWS), number(what::LINES));
    let in_lines = |lines: i64, elements: i64| lines * LINE / nest.element_bytes() / elements;
    let wide = Tiles::of(nest, write, [in_lines(lines, lanes), lanes]);
    let high = Tiles::of(nest, read, [in_lines(1, rows), rows]);
    wide.split(schedule, &nest.at(write))?;
    high.split(schedule, &nest.at(read))?;

    let batches = nest.spatial_but(&[write, read]);
    let many = product(batches.iter().map(|(_, extent)| *extent)).unwrap_or(i64::MAX);
    let is_few = |tiles: &Tiles| {
        tiles.count.is_some_and(|count| count.saturating_mul(many) < tasks(processor))
    };
    let (first, second) = match is_few(&wide) && high.count > wide.count {
        true => (&high, &wide),
        false => (&wide, &high),
    };
    // If tiles have a tail, only their own loop is parallelised and not a fused loop: whole tiles can then be
    // separated from the tail.
    let enough = first.count.unwrap_or(i64::MAX).min(tasks(processor));
    let tiles = (first.part(0), first.count);
    let (outer, shared): (Vec<_>, usize) = match (first.is_whole, many >= enough) {
        (true, _) => (batches.iter().cloned().chain([tiles]).collect(), batches.len() + 1),
        (false, true) => (batches.iter().cloned().chain([tiles]).collect(), batches.len()),
        (false, false) => ([tiles].into_iter().chain(batches).collect(), 1),
    };
    let inner =
        [vec![second.part(0)], wide.middle(), high.middle(), vec![high.last(), wide.last()]];
    let names = outer.iter().map(|(name, _)| name.clone()).chain(inner.into_iter().flatten());
    order(schedule, block, names)?;
    schedule.unroll(&at(block, &high.last()), None)?;
    schedule.vectorize(&at(block, &wide.last()), None)?;
    stream(schedule, (group, nest), write, processor)?;
    share(schedule, (group, block), &outer[..shared], nest.all_cycles(1), processor)
}

/// A loop split into tiles of consecutive elements, and into groups of consecutive tiles.
struct Tiles {
    name: String,
    /// `[tiles of a group, elements of a tile]`.
    factors: [i64; 2],
    /// The number of groups, if it is known.
    count: Option<i64>,
    /// True if there is no tail.
    is_whole: bool,
}

impl Tiles {
    /// Groups have fewer tiles if the loop is short.
    fn of(nest: &Nest, axis: usize, [together, elements]: [i64; 2]) -> Tiles {
        let NestLoop { name, extent, .. } = &nest.loops[axis];
        let all = width(*extent, elements, together.max(1));
        Tiles {
            name: name.clone(),
            factors: [all / elements, elements],
            count: extent.map(|extent| (extent + all - 1) / all),
            is_whole: extent.is_some_and(|extent| extent % all == 0),
        }
    }

    fn split(&self, schedule: &mut Schedule, target: &str) -> Result<(), ScheduleError> {
        let factors = match self.factors {
            [1, elements] => vec![-1, elements],
            [together, elements] => vec![-1, together, elements],
        };
        schedule.split(target, &factors, None).map(|_| ())
    }

    fn part(&self, i: usize) -> String {
        format!("{}.{i}", self.name)
    }

    /// The loop over the tiles of a group, if it has more than one.
    fn middle(&self) -> Vec<String> {
        if self.factors[0] > 1 { vec![self.part(1)] } else { vec![] }
    }

    /// The loop in a tile.
    fn last(&self) -> String {
        self.part(if self.factors[0] > 1 { 2 } else { 1 })
    }
}
