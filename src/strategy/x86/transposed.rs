//! Products whose contiguous result loop fills vectors badly: another loop is vectorised, and results are transposed.
//!
//! ```text
//! W'[.., columns] = W[columns, ..]
//! for .. { for rows.0 { for columns.0 {
//!   for k { unroll rows.1 { vectorize columns.1 { T[row, column] += X[row, k] * W'[k, column] } } }
//!   for .. { C[column, row] = T[row, column] }
//! ```
//! A row of a convolution of 28 x 28 images fills three and a half vectors of eight lanes, but 128 filters fill 16. If a row
//! has few results, a tile has rows of several lines of the image.

use super::lanes;
use super::product::{ProductLoops, Streams, TileSizes, fetch, follow, names, pack};
use super::share::share;
use crate::machine::x86::Processor;
use crate::schedule::{Schedule, ScheduleError};
use crate::strategy::group::{NestGroup, is_product};
use crate::strategy::nest::{AccessStride, Nest, NestAccess, at, product};
use crate::strategy::space::{ChosenNumbers, REST, Space, factors};
use crate::strategy::{StrategyRow, all_sizes};

pub const ROW: StrategyRow<Processor> = StrategyRow {
    name: "x86.product.transposed",
    summary: "Computes register tiles that are vectorised along a loop that is not the contiguous \
              one, if that fills vectors better; transposes the results",
    priority: 45,
    applies: |group, processor| TransposedProduct::of(group, processor).map(drop),
    sizes: all_sizes,
    space: |group, processor| {
        TransposedProduct::of(group, processor).expect("it applies").space(processor)
    },
    schedule,
};

/// The least gain in used lanes, as a factor.
const GAIN: f64 = 1.1;

/// The cycles to pack an element, if that is done in each call.
const PACKING: f64 = 1.5;

/// The fewest products of a result that pay for transposing it, if the contiguous loop fills seven eighths of its vectors.
pub(crate) const LEAST_DEPTH: i64 = 128;

/// What the results of seven eighths of a vector cost more than those of full vectors.
const LEAST_LOSS: f64 = 8.0 / 7.0 - 1.0;

/// The cycles to add up the lanes of a vector.
const ADDING_LANES: f64 = 10.0;

/// Vectors in a row of a tile.
const VECTORS: i64 = 2;

/// The most registers left free if several loops reduce: the innermost loop is short, and LLVM unrolls it.
const SPARE_REGISTERS: i64 = 8;

/// None are left free of so many: fewer sums do not hide the latency of multiply-adds.
const BUSY_REGISTERS: i64 = 16;

/// The loops of the product.
struct TransposedProduct<'g> {
    /// Its columns are the vectorised loop, its rows the loop along which results are contiguous.
    shape: ProductLoops<'g>,
    /// The dimensions of the packed factor and of the result that the columns index.
    packed: usize,
    result: usize,
}

impl<'g> TransposedProduct<'g> {
    fn of(group: &'g NestGroup, processor: &Processor) -> Result<TransposedProduct<'g>, String> {
        let nest = &group.nests[0];
        if !is_product(nest) {
            return Err("it is not a product".into());
        }
        let rows = nest.store_axis().filter(|axis| !nest.loops[*axis].is_reduction);
        let rows = rows.ok_or("no loop stores to consecutive elements")?;
        let ([one, other], [store]) = (&nest.loads[..], &nest.stores[..]) else {
            return Err("it does not have two factors and one result".into());
        };
        if nest.loops[rows].extent.is_none() {
            return Err("the number of contiguous results is not known".into());
        }
        let lanes = lanes(nest, processor);
        let extent = |axis: usize| nest.loops[axis].extent.unwrap_or(0);
        // Along a strided factor, each lane is loaded on its own.
        let is_strided = |axis: usize| {
            let is_far =
                |it: &NestAccess| matches!(it.steps[axis], AccessStride::Near | AccessStride::Far);
            nest.loads.iter().any(is_far)
        };
        let depth = product(nest.reductions().into_iter().map(|axis| nest.loops[axis].extent));
        // If both factors are rows, each result may also be the sum of a vector, of which two values are loaded for a product.
        let is_row =
            |last: &usize| nest.loads.iter().all(|it| it.steps[*last] == AccessStride::Unit);
        let has_rows = nest.may_reorder && nest.reductions().last().is_some_and(is_row);
        let along_rows = depth.filter(|_| has_rows).map(|depth| {
            let vectors = depth as f64 / lanes as f64;
            vectors / 2.0 / (vectors + ADDING_LANES)
        });
        let used = |axis: usize| {
            let vectors = (extent(axis) + lanes - 1) / lanes;
            let used = extent(axis) as f64 / (vectors * lanes).max(1) as f64;
            // The packed factor is contiguous along the columns.
            match axis == rows && is_strided(axis) {
                true => along_rows.unwrap_or(used / lanes as f64),
                false => used,
            }
        };
        let dimensions = |axis: usize, factor: &NestAccess, other: &NestAccess| {
            let is_apart =
                other.steps[axis] == AccessStride::None && factor.steps[rows] == AccessStride::None;
            let is_better = used(axis) >= GAIN * used(rows);
            let found = factor.dimensions[axis].zip(store.dimensions[axis]);
            let is_long = extent(axis) >= lanes && factor.rank > 1;
            found.filter(|_| axis != rows && is_apart && is_better && is_long)
        };
        let candidates = nest.spatial().into_iter().flat_map(|axis| {
            [(one, other), (other, one)].into_iter().filter_map(move |(factor, other)| {
                dimensions(axis, factor, other).map(|found| (axis, factor, found))
            })
        });
        let most_used =
            |(axis, ..): &(usize, &NestAccess, (usize, usize))| (used(*axis) * 1e6) as i64;
        let best = candidates.max_by_key(most_used);
        let (columns, b, (packed, result)) = best.ok_or("no other loop fills vectors better")?;
        let repeats =
            nest.spatial().into_iter().filter(|axis| b.steps[*axis] == AccessStride::None);
        let uses = product(repeats.map(|axis| nest.loops[axis].extent)).unwrap_or(i64::MAX);
        // Two vectors are multiplied in a cycle.
        let vectors = uses as f64 / (2 * lanes) as f64;
        let loss = 1.0 / used(rows) - 1.0 / used(columns);
        if !b.has_lifted_transforms && vectors * loss < PACKING {
            return Err(format!("the packed values would be used only {uses} times"));
        }
        let pays = |depth: i64| depth as f64 * loss >= LEAST_DEPTH as f64 * LEAST_LOSS;
        if !depth.is_some_and(pays) && !is_strided(rows) {
            return Err("its sums are too short to pay for transposing results".into());
        }
        // Short lines do not have as many results as a tile should.
        let is_line = |axis: &usize| {
            let extent = nest.loops[*axis].extent;
            *axis != rows && b.steps[*axis] == AccessStride::None && extent.is_some_and(|it| it > 1)
        };
        let is_short = extent(rows) < i64::from(processor.vectors.registers);
        let lines = nest.spatial().into_iter().rfind(is_line).filter(|_| is_short);
        let shape = ProductLoops { nest, columns, rows: Some(rows), lines, b, lanes };
        Ok(TransposedProduct { shape, packed, result })
    }

    fn space(&self, processor: &Processor) -> Space {
        let all = i64::from(processor.vectors.registers);
        let spare = match self.shape.nest.reductions().len() {
            0 | 1 => 0,
            _ => (all - BUSY_REGISTERS).clamp(0, SPARE_REGISTERS),
        };
        let registers = all - spare;
        self.shape.tile_space(VECTORS, registers, processor)
    }
}

fn schedule(
    schedule: &mut Schedule,
    group: &NestGroup,
    processor: &Processor,
    numbers: &ChosenNumbers,
) -> Result<(), ScheduleError> {
    let transposed = TransposedProduct::of(group, processor).expect("it applies");
    let (shape, nest) = (&transposed.shape, transposed.shape.nest);
    let sizes = TileSizes::of(nest, numbers);
    let store = &nest.stores[0];
    let block = &nest.block;
    let weights = schedule.cache_read(block, &shape.b.buffer, "global", &[block], None)?;
    let reductions = nest.reductions();
    let depth = product(reductions.iter().map(|axis| nest.loops[*axis].extent)).unwrap_or(1);
    let streams = Streams::of(shape, &sizes, depth, processor);
    let layout = (transposed.packed, &sizes.columns, streams);
    pack(schedule, (group, &weights), shape, layout, processor)?;
    let map = last(store.rank, transposed.result);
    let block = schedule.cache_write(&nest.block, &store.buffer, "global", Some(&map))?;
    let nest = &Nest { block: block.clone(), ..nest.clone() };
    let shape = &ProductLoops { nest, b: shape.b, ..*shape };
    let [of_rows, of_columns] = shape.cut(schedule, &sizes)?;
    let is_cut = shape.is_cut(sizes.columns.value);
    let lines = shape.lines.zip(sizes.lines).filter(|(_, count)| count.value > 1);
    let shape = &ProductLoops { lines: lines.as_ref().map(|(axis, _)| *axis), ..*shape };
    let inner = [shape.rows(), shape.columns].into_iter().chain(shape.lines);
    let mut outer = nest.spatial_but(&inner.collect::<Vec<_>>());
    if let Some((axis, count)) = lines {
        schedule.split(&nest.at(axis), factors(&[&REST, &count]), None)?;
        let tiles = nest.loops[axis].extent.map(|extent| (extent + count.value - 1) / count.value);
        outer.push((format!("{}.0", nest.loops[axis].name), tiles));
    }
    // A factor that exceeds the second-level cache is read once, panel by panel.
    let l2 = i64::try_from(processor.caches.l2).unwrap_or(i64::MAX);
    let is_small = shape.b.bytes.is_some_and(|bytes| bytes <= l2 / 2);
    match (is_cut, is_small) {
        (false, _) => outer.push(of_rows),
        (true, true) => outer.extend([of_rows, of_columns]),
        (true, false) => {
            outer.insert(0, of_columns);
            outer.push(of_rows);
        }
    }
    let mut steps: Vec<String> =
        reductions.iter().map(|axis| nest.loops[*axis].name.clone()).collect();
    let last = steps.last().expect("a product has a reduction").clone();
    if let Some(streams) = streams {
        steps = streams.split(schedule, shape, &last)?.to_vec();
    }
    let around = outer.iter().map(|(name, _)| name.clone()).chain(steps);
    shape.in_registers(schedule, around, is_cut)?;
    fetch(schedule, shape, (&weights, &last, streams), depth, processor)?;
    let innermost = at(&block, &outer.last().expect("there are tiles").0);
    let copy = &group.nests[0].block;
    schedule.reverse_compute_at(copy, &innermost)?;
    let is_in_tiles = follow(schedule, group, (&innermost, outer.len()), false, processor)?;
    // What follows reads the tile itself: results of a copy would be stored one by one, and loaded as vectors at once.
    let has_readers = group.nests.len() > 1;
    if !(is_in_tiles && has_readers && schedule.compute_inline(copy).is_ok()) {
        let loops = schedule.loops(copy)?;
        if let Some(along) = loops[outer.len()..].last() {
            schedule.vectorize(along, None)?;
        }
    }
    share(schedule, (group, &block), &outer, shape.cycles(), processor)
}

/// A map that moves a dimension to the end.
fn last(rank: usize, dimension: usize) -> String {
    let others = (0..rank).filter(|d| *d != dimension);
    let results: Vec<String> = others.chain([dimension]).map(|d| format!("d{d}")).collect();
    format!("({}) -> ({})", names(rank), results.join(", "))
}
