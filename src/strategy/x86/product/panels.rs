//! Packed factors: panels of columns, in the order in which a product reads them.
//!
//! ```text
//! for columns.0 { for .. { for k.0 { unroll k.1 { unroll rows { vectorize columns.1 {
//!   .. += .. * B'[columns.0, .., k.1, k.0, columns.1]
//! ```
//! A processor fetches only so many lines of each stream of addresses ahead. From memory, one stream has a fraction of the bandwidth
//! that several have, and in a whole model all weights come from there. So consecutive steps of the reduction read a factor in several
//! places (*streams*). The order of the sums is as before.

use super::{ProductLoops, STREAMS, TileSizes, follow, names};
use crate::machine::x86::Processor;
use crate::schedule::legality::prefetch;
use crate::schedule::{Schedule, ScheduleError};
use crate::strategy::group::NestGroup;
use crate::strategy::nest::{AccessStride, at, product};
use crate::strategy::space::{ChosenNumber, ChosenNumbers, REST, factors};
use crate::strategy::x86::order;
use crate::strategy::x86::share::{is_even, share, tasks};

/// While more tiles than this are computed from a panel, prefetches read the next one in time, with less code than streams. For fewer
/// they are too slow: they have two thirds of the bandwidth.
const FEW_TILES: i64 = 8;

/// Consecutive steps of a reduction loop read a packed factor in so many places.
#[derive(Clone, Copy, Debug)]
pub(in crate::strategy::x86) struct Streams {
    /// The dimension of the factor that the loop indexes.
    dimension: usize,
    count: i64,
}

impl Streams {
    /// The streams of a product's factor B, if it is a weight that exceeds the first-level cache. A panel has `height` steps of the
    /// reduction, a multiple of their number. If many tiles use a panel of a large factor, one stream is enough: the next panel is
    /// prefetched meanwhile.
    pub fn of(
        shape: &ProductLoops,
        sizes: &TileSizes,
        height: i64,
        processor: &Processor,
    ) -> Option<Streams> {
        let [axis] = shape.nest.reductions()[..] else { return None };
        let dimension = shape.b.dimensions[axis]?;
        let divides = |count: &i64| height % count == 0 && height >= 2 * count;
        let count = [STREAMS, STREAMS / 2].into_iter().find(divides)?;
        let is_hidden = is_large(shape, processor) && tiles_of_panel(shape, sizes) > FEW_TILES;
        let is_far = exceeds(shape, processor.caches.l1) && !is_hidden;
        is_far.then_some(Streams { dimension, count })
    }

    /// Splits a reduction loop. Returns the names of its parts, the one over streams last.
    pub fn split(
        &self,
        schedule: &mut Schedule,
        shape: &ProductLoops,
        name: &str,
    ) -> Result<[String; 2], ScheduleError> {
        schedule.split(&at(&shape.nest.block, name), &[-1, self.count], None)?;
        Ok(parts(name))
    }
}

/// The loops that a loop has been split into.
fn parts(name: &str) -> [String; 2] {
    [0, 1].map(|part| format!("{name}.{part}"))
}

/// The tiles of rows and lines that use a panel; the most if their number is not known.
fn tiles_of_panel(shape: &ProductLoops, sizes: &TileSizes) -> i64 {
    let nest = shape.nest;
    let is_repeat = |axis: &usize| shape.b.steps[*axis] == AccessStride::None;
    let repeats = nest.spatial().into_iter().filter(is_repeat);
    let uses = product(repeats.map(|axis| nest.loops[axis].extent)).unwrap_or(i64::MAX);
    let lines = sizes.lines.as_ref().map_or(1, |lines| lines.value);
    uses / (sizes.rows.value * lines)
}

/// True if B is a weight that exceeds half of the second-level cache: from one call to the next, it is displaced by the rest of a product.
fn is_large(shape: &ProductLoops, processor: &Processor) -> bool {
    exceeds(shape, processor.caches.l2 / 2)
}

/// True if B is a weight that exceeds a cache.
fn exceeds(shape: &ProductLoops, capacity: u64) -> bool {
    let capacity = i64::try_from(capacity).unwrap_or(i64::MAX);
    shape.b.has_lifted_transforms && shape.b.bytes.is_some_and(|bytes| bytes > capacity)
}

/// Lets the innermost reduction loop `name` read packed panels ahead: its streams are unrolled. Without streams, if B exceeds half of the
/// second-level cache, the next panel, which is where iterations beyond the `height` of a panel would read, is prefetched.
pub(in crate::strategy::x86) fn fetch(
    schedule: &mut Schedule,
    shape: &ProductLoops,
    (panels, name, streams): (&str, &str, Option<Streams>),
    height: i64,
    processor: &Processor,
) -> Result<(), ScheduleError> {
    let block = &shape.nest.block;
    match streams {
        Some(_) => schedule.unroll(&at(block, &parts(name)[1]), None).map(drop),
        None if is_large(shape, processor) && height <= prefetch::MOST => {
            schedule.prefetch(&at(block, name), panels, Some(height)).map(drop)
        }
        None => Ok(()),
    }
}

/// The schedule of a product with a packed factor.
pub(super) fn packed(
    schedule: &mut Schedule,
    (group, shape): (&NestGroup, &ProductLoops),
    processor: &Processor,
    numbers: &ChosenNumbers,
) -> Result<(), ScheduleError> {
    let nest = shape.nest;
    let block = &nest.block;
    let sizes = TileSizes::of(nest, numbers);
    let packed = schedule.cache_read(block, &shape.b.buffer, "global", &[block], None)?;
    let packed_dimension = shape.b.dimensions[shape.columns];
    let whole = packed_dimension.filter(|_| shape.b.has_lifted_transforms);
    let mut outer_steps = nest.reductions();
    let k = outer_steps.pop().expect("a product reduces");
    let height = sizes.depth.as_ref().map(|it| it.value).or(shape.depth()).unwrap_or(1);
    let streams = whole.and_then(|_| Streams::of(shape, &sizes, height, processor));
    if let Some(dimension) = whole {
        let layout = (dimension, &sizes.columns, streams);
        pack(schedule, (group, &packed), shape, layout, processor)?;
    }
    let [of_rows, mut of_columns] = shape.cut(schedule, &sizes)?;
    let mut tiles = vec![of_rows.0];
    let together = match whole {
        Some(_) => 1,
        None => panels_together(shape, &sizes, height, processor),
    };
    if together > 1 {
        let (name, count) = of_columns;
        schedule.split(&at(block, &name), &[-1, together], None)?;
        tiles.push(format!("{name}.1"));
        of_columns = (format!("{name}.0"), count.map(|count| count / together));
    }
    let mut depth = nest.loops[k].name.clone();
    // A large factor is read once, panel by panel.
    let is_by_panel = whole.is_some() && is_large(shape, processor);
    let lines = if is_by_panel { shape.repeats() } else { vec![] };
    let tile = [shape.rows(), shape.columns].into_iter().chain(lines.iter().copied());
    let mut outer = nest.spatial_but(&tile.collect::<Vec<_>>());
    outer.push(of_columns);
    let shared = outer.len();
    if let Some(high) = &sizes.depth {
        schedule.split(&nest.at(k), factors(&[&REST, high]), None)?;
        let parts = (shape.extent(k) + high.value - 1) / high.value;
        outer.push((format!("{depth}.0"), Some(parts)));
        depth += ".1";
    }
    let panel = at(block, &outer.last().expect("there are columns").0);
    let steps = match streams {
        Some(streams) => streams.split(schedule, shape, &depth)?.to_vec(),
        None => vec![depth.clone()],
    };
    let name = |axis: &usize| nest.loops[*axis].name.clone();
    let around = outer.iter().map(|(name, _)| name.clone()).chain(lines.iter().map(name));
    let steps = outer_steps.iter().map(name).chain(steps);
    shape.in_registers(schedule, around.chain(tiles.iter().cloned()).chain(steps), true)?;
    if whole.is_some() {
        fetch(schedule, shape, (&packed, &depth, streams), height, processor)?;
    }
    // A tile is complete only after the last part of the reduction.
    match sizes.depth.is_some() {
        true => {
            let columns = at(block, &outer[shared - 1].0);
            follow(schedule, group, (&columns, shared), false, processor)?;
        }
        false => {
            let tile = at(block, tiles.last().expect("there are rows"));
            let around = shared + lines.len() + tiles.len();
            follow(schedule, group, (&tile, around), true, processor)?;
        }
    }
    if whole.is_none() {
        schedule.compute_at(&packed, &panel)?;
        let loops = schedule.loops(&packed)?;
        schedule.vectorize(loops.last().expect("a copy has loops"), None)?;
    }
    share(schedule, (group, block), &outer[..shared], shape.cycles(), processor)
}

/// The most neighbouring panels that a call packs together: longer pieces of a row of B are read at once. They divide all panels, take
/// no more room than a single one may, and leave threads enough to share. `height` is that of a panel.
fn panels_together(
    shape: &ProductLoops,
    sizes: &TileSizes,
    height: i64,
    processor: &Processor,
) -> i64 {
    let wide = sizes.columns.value;
    let columns = shape.extent(shape.columns);
    let panels = columns / wide;
    let bytes = wide * height * shape.b.element_bytes;
    let fits = |count: &i64| {
        let groups = panels / count;
        panels % count == 0
            && count * bytes <= shape.panel_bytes(processor)
            && (groups >= tasks(processor) || is_even(groups, processor))
    };
    let are_whole = columns % wide == 0;
    [4, 2].into_iter().find(|count| are_whole && fits(count)).unwrap_or(1)
}

/// Packs a whole factor into panels of `wide` indices of a dimension, in the order in which the product reads them. The
/// threads share another loop than that of the product, and write separate lines.
pub(in crate::strategy::x86) fn pack(
    schedule: &mut Schedule,
    (group, block): (&NestGroup, &str),
    shape: &ProductLoops,
    (dimension, wide, streams): (usize, &ChosenNumber, Option<Streams>),
    processor: &Processor,
) -> Result<(), ScheduleError> {
    let batch: Vec<usize> = shape
        .batch()
        .filter_map(|axis| shape.b.dimensions[axis])
        .filter(|d| *d != dimension)
        .collect();
    schedule.transform_layout(block, &panels(shape.b.rank, &batch, dimension, wide, streams))?;
    let mut loops = schedule.loops(block)?;
    let along = loops.remove(dimension);
    loops.push(along);
    let names: Vec<String> =
        loops.iter().map(|name| name.rsplit(':').next().unwrap_or_default().to_owned()).collect();
    let first = names[0].clone();
    order(schedule, block, names)?;
    share(schedule, (group, block), &[(first, None)], shape.cycles(), processor)
}

/// A map that splits a dimension: behind those of several factors the panel index, the index in the panel last. The index within a
/// stream precedes it.
fn panels(
    rank: usize,
    batch: &[usize],
    dimension: usize,
    wide: &ChosenNumber,
    streams: Option<Streams>,
) -> String {
    let streamed = streams.map(|it| it.dimension);
    let is_other = |d: &usize| *d != dimension && Some(*d) != streamed && !batch.contains(d);
    let others = (0..rank).filter(is_other);
    let mut results: Vec<String> = batch.iter().map(|d| format!("d{d}")).collect();
    results.push(format!("d{dimension} floordiv {wide}"));
    results.extend(others.map(|d| format!("d{d}")));
    if let Some(Streams { dimension, count, .. }) = streams {
        results.extend(["mod", "floordiv"].map(|part| format!("d{dimension} {part} {count}")));
    }
    results.push(format!("d{dimension} mod {wide}"));
    format!("({}) -> ({})", names(rank), results.join(", "))
}
