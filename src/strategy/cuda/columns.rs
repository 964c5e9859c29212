//! Column reductions, and products with few rows: consecutive threads compute consecutive columns, and the threads of a
//! block share the reduction of a column.
//!
//! ```text
//! for blockIdx.x {
//!   for threadIdx.y { for threadIdx.x { for step { for row { for 4 { P[y, row, ..] += X[row, step, y] * A[step, y, ..] } } } } }
//!   for threadIdx.x { for y { for row { for 4 { S[row, ..] += P[y, row, ..] } } }   for row { for 4 { B[row, ..] = S[row, ..] } } }
//! ```
//! Each element of A is read once for all rows. Sums are in registers, `P` is in shared memory. If this gives too few
//! thread blocks, several thread blocks share the reduction too. Then each stores a partial result, and a second kernel
//! reduces the partial results, which is a column reduction again. Elementwise nests that follow are computed at the
//! point where the results are written.

use super::{elementwise, fused, power, vector};
use crate::analysis::finite_domain::Term;
use crate::machine::cuda::{Gpu, STATIC_SHARED};
use crate::schedule::{Schedule, ScheduleError};
use crate::strategy::group::NestGroup;
use crate::strategy::nest::{AccessStride, Nest, at, order, product};
use crate::strategy::space::{ChosenNumbers, Space, what};
use crate::strategy::{StrategyRow, all_sizes};

/// The threads of a block share the reduction.
pub const ROW: StrategyRow<Gpu> = StrategyRow {
    name: "nvptx.columns",
    summary: "Adjacent threads compute adjacent columns; threads share the reduction of a column \
              through shared memory",
    priority: 29,
    applies,
    sizes: all_sizes,
    space: |group, gpu| space(group, gpu, true),
    schedule: parts,
};

/// Each thread reduces sequentially, for when the order of float operations must be kept.
pub const IN_TURN: StrategyRow<Gpu> = StrategyRow {
    name: "nvptx.columns_in_turn",
    summary: "Adjacent threads compute adjacent columns; each thread reduces its column sequentially",
    priority: 28,
    applies,
    sizes: all_sizes,
    space: |group, gpu| space(group, gpu, false),
    schedule: parts,
};

/// The most results of a column that a thread keeps in registers.
const FEW: i64 = 7;

/// The most threads that share a column.
const SHARING: i64 = 32;

/// The fewest reduction steps that are worth a thread.
const STEPS: i64 = 4;

/// The threads that share a column if the number of columns is unknown.
const USUAL: i64 = 8;

/// The fewest reduction steps of a thread that are worth another thread block.
const LONG: i64 = 64;

/// Thread blocks per multiprocessor if they share columns.
const BLOCKS: i64 = 2;

fn applies(group: &NestGroup, _: &Gpu) -> Result<(), String> {
    let mut reductions = group.nests.iter().filter(|nest| nest.is_reduction()).peekable();
    if reductions.peek().is_none() {
        return Err("it has no reduction".into());
    }
    reductions.try_for_each(|nest| Columns::of(nest).map(drop))
}

/// The loops of a column reduction.
struct Columns {
    /// The loop along which results are contiguous.
    along: usize,
    /// Loops over results that read the same elements of the columns.
    rows: Vec<usize>,
    /// All other spatial loops.
    others: Vec<usize>,
}

impl Columns {
    fn of(nest: &Nest) -> Result<Columns, String> {
        let block = &nest.block;
        if nest.stores.len() > 1 {
            return Err(format!("{block} reduces several values at once"));
        }
        let along = nest.store_axis().filter(|axis| !nest.loops[*axis].is_reduction);
        let along =
            along.ok_or_else(|| format!("no loop of {block} stores to consecutive elements"))?;
        let wide = nest.loads.iter().filter(|load| load.steps[along] != AccessStride::None);
        if wide.clone().count() == 0 {
            return Err(format!("{block} has no load that depends on the loop along its results"));
        }
        if wide.clone().any(|load| load.steps[along] == AccessStride::Far) {
            return Err(format!("{block} reads with a large stride along its results"));
        }
        let is_again = |axis: &usize| {
            nest.loops[*axis].extent != Some(1)
                && wide.clone().all(|load| load.steps[*axis] == AccessStride::None)
        };
        let spatial = nest.spatial().into_iter().filter(|axis| *axis != along);
        let (rows, others): (Vec<usize>, Vec<usize>) = spatial.partition(is_again);
        let count = product(rows.iter().map(|axis| nest.loops[*axis].extent));
        match count {
            Some(..=FEW) => Ok(Columns { along, rows, others }),
            Some(count) => {
                Err(format!("{block} reads each column for {count} results, which is too many"))
            }
            None => {
                Err(format!("the number of results that read one column of {block} is not known"))
            }
        }
    }
}

/// How columns are distributed.
#[derive(Clone, Copy)]
struct ColumnTiling {
    /// Consecutive columns of a thread.
    lanes: i64,
    /// Threads along consecutive columns.
    threads: i64,
    /// Threads that share a column.
    sharing: i64,
    /// Thread blocks that share a column.
    blocks: i64,
}

impl ColumnTiling {
    fn of(nest: &Nest, columns: &Columns, gpu: &Gpu, may_share: bool) -> ColumnTiling {
        let extents = |axes: &[usize]| product(axes.iter().map(|axis| nest.loops[*axis].extent));
        let lanes = vector(nest, columns.along, gpu);
        let outer = [&columns.others[..], &[columns.along]].concat();
        let vectors = extents(&outer).map(|all| all / lanes);
        let length = extents(&nest.reductions());
        let wanted = BLOCKS * gpu.multiprocessors * gpu.threads;
        let missing = vectors.map_or(USUAL, |vectors| wanted / vectors.max(1));
        let worth = length.map_or(i64::MAX, |length| length / STEPS);
        let sharing = if may_share { power(missing.min(worth).clamp(1, SHARING)) } else { 1 };
        let least = vectors.map_or(i64::MAX, |vectors| power(2 * vectors.max(1) - 1));
        let threads = (gpu.threads / sharing).min(least);
        let tiles = vectors.map_or(i64::MAX, |vectors| (vectors + threads - 1) / threads);
        let missing = BLOCKS * gpu.multiprocessors / tiles.max(1);
        let worth = length.map_or(1, |length| length / (sharing * LONG));
        let blocks = if sharing == SHARING { missing.min(worth).max(1) } else { 1 };
        ColumnTiling { lanes, threads, sharing, blocks }
    }

    /// The chosen numbers of a nest.
    fn chosen(nest: &Nest, numbers: &ChosenNumbers) -> ColumnTiling {
        let number = |what| numbers.of(&nest.block, what).expect("a number of the space").value;
        ColumnTiling {
            lanes: number(what::WIDTH),
            threads: number(what::THREADS),
            sharing: number(what::SHARING),
            blocks: number(what::PARTS),
        }
    }
}

/// How the columns of each reduction are distributed.
fn space(group: &NestGroup, gpu: &Gpu, may_share: bool) -> Space {
    let mut space = Space::default();
    // Nests after a reduction are computed where its results are written.
    for nest in group.nests.iter().take_while(|nest| !nest.is_reduction()) {
        elementwise::add_numbers(&mut space, nest, gpu);
    }
    for nest in group.nests.iter().filter(|nest| nest.is_reduction()) {
        let columns = Columns::of(nest).expect("it applies");
        let best = ColumnTiling::of(nest, &columns, gpu, may_share);
        let powers = |most: i64| (0..=most.ilog2()).map(|n| 1 << n);
        let block = &nest.block;
        let lanes = space.structure(block, what::WIDTH, powers(best.lanes), best.lanes);
        let most = gpu.limits.threads;
        let threads = space.structure(block, what::THREADS, powers(most), best.threads);
        let shared = if may_share { SHARING } else { 1 };
        let sharing = space.structure(block, what::SHARING, powers(shared), best.sharing);
        let of_reduction = if may_share { best.blocks } else { 1 };
        space.structure(block, what::PARTS, powers(of_reduction), best.blocks);
        let all = Term::Product(vec![threads, sharing]);
        space.at_most("threads of a thread block", all.clone(), most);
        let missing = Term::Difference(Box::new(gpu.lanes.into()), Box::new(all.clone()));
        space.at_most_or_default("lanes that a warp does not use", missing, 0);
        // Each thread that shares a column has a partial result of each row.
        let rows = product(columns.rows.iter().map(|axis| nest.loops[*axis].extent)).unwrap_or(1);
        let bytes = Term::Product(vec![(rows * nest.element_bytes()).into(), lanes, all]);
        space.at_most_or_default("bytes of shared memory", bytes, STATIC_SHARED);
    }
    space
}

/// Schedules each reduction of the group, with the elementwise nests that follow it, in one kernel or in two.
fn parts(
    schedule: &mut Schedule,
    group: &NestGroup,
    gpu: &Gpu,
    numbers: &ChosenNumbers,
) -> Result<(), ScheduleError> {
    let mut nests = &group.nests[..];
    while let Some((nest, rest)) = nests.split_first() {
        if !nest.is_reduction() {
            elementwise::map(schedule, nest, gpu, numbers)?;
            nests = rest;
            continue;
        }
        let count = rest.iter().take_while(|nest| !nest.is_reduction()).count();
        let (followers, rest) = rest.split_at(count);
        reduce(schedule, nest, followers, gpu, numbers)?;
        nests = rest;
    }
    Ok(())
}

fn reduce(
    schedule: &mut Schedule,
    nest: &Nest,
    followers: &[Nest],
    gpu: &Gpu,
    numbers: &ChosenNumbers,
) -> Result<(), ScheduleError> {
    let columns = Columns::of(nest).expect("it applies");
    let shape = ColumnTiling::chosen(nest, numbers);
    let block = &nest.block;
    let names = |axes: &[usize]| -> Vec<String> {
        axes.iter().map(|axis| nest.loops[*axis].name.clone()).collect()
    };
    let mut loops = ColumnLoops {
        others: names(&columns.others),
        along: nest.loops[columns.along].name.clone(),
        rows: names(&columns.rows),
        reduction: String::new(),
    };
    let reductions = names(&nest.reductions());
    let all = loops.spatial().into_iter().chain(reductions.iter().cloned());
    order(schedule, block, all)?;
    loops.reduction = fused(schedule, block, &reductions)?.expect("it reduces");
    if shape.blocks > 1 {
        let name = &loops.reduction;
        schedule.split(&at(block, name), &[shape.blocks, -1], None)?;
        let (part, inner) = (format!("{name}.0"), format!("{name}.1"));
        let partial = schedule.rfactor(&at(block, &part), None)?;
        let others = [&[first(schedule, &partial)?], &loops.others[..]].concat();
        tile(
            schedule,
            &partial,
            &ColumnLoops { others, reduction: inner, ..loops.clone() },
            &[],
            shape,
            gpu,
        )?;
        loops.reduction = part;
        let worth = power((shape.blocks / STEPS).clamp(1, SHARING));
        let shape = ColumnTiling { sharing: shape.sharing.min(worth), ..shape };
        return tile(schedule, block, &loops, followers, shape, gpu);
    }
    tile(schedule, block, &loops, followers, shape, gpu)
}

/// The names of the loops of a block that reduces columns.
#[derive(Clone)]
struct ColumnLoops {
    others: Vec<String>,
    along: String,
    rows: Vec<String>,
    reduction: String,
}

impl ColumnLoops {
    fn spatial(&self) -> Vec<String> {
        [&self.others[..], std::slice::from_ref(&self.along), &self.rows[..]].concat()
    }
}

/// Schedules one kernel of a column reduction.
fn tile(
    schedule: &mut Schedule,
    result: &str,
    loops: &ColumnLoops,
    followers: &[Nest],
    shape: ColumnTiling,
    gpu: &Gpu,
) -> Result<(), ScheduleError> {
    let all: Vec<String> = loops.spatial().into_iter().chain([loops.reduction.clone()]).collect();
    order(schedule, result, all)?;
    let buffer = stored(schedule, result)?;
    let sum = &schedule.cache_write(result, &buffer, "global", None)?;
    let sums = stored(schedule, sum)?;
    for follower in followers {
        if schedule.reverse_compute_inline(&follower.block).is_err() {
            elementwise::map_by_default(schedule, follower, gpu)?;
        }
    }
    let mut columns = loops.others.clone();
    let mut inner = loops.rows.clone();
    columns.push(loops.along.clone());
    if shape.lanes > 1 {
        schedule.split(&at(sum, &loops.along), &[-1, shape.lanes], None)?;
        columns.pop();
        columns.push(format!("{}.0", loops.along));
        inner.push(format!("{}.1", loops.along));
    }
    let name = |i: usize, of: &str| format!("{of}.{i}");
    order(
        schedule,
        sum,
        columns.iter().cloned().chain([loops.reduction.clone()]).chain(inner.clone()),
    )?;
    let column = fused(schedule, sum, &columns)?.expect("there is one along results");
    schedule.split(&at(sum, &column), &[-1, shape.threads], None)?;
    let (tile, thread) = (name(0, &column), name(1, &column));
    let mut threads = vec![];
    if shape.sharing > 1 {
        schedule.split(&at(sum, &loops.reduction), &[-1, shape.sharing], None)?;
        let (step, sharing) = (name(0, &loops.reduction), name(1, &loops.reduction));
        let partial = schedule.rfactor(&at(sum, &sharing), None)?;
        let mine = first(schedule, &partial)?;
        let outer = [tile.clone(), mine.clone(), thread.clone(), step];
        order(schedule, &partial, outer.into_iter().chain(inner.clone()))?;
        let outer = [tile.clone(), thread.clone(), sharing];
        order(schedule, sum, outer.into_iter().chain(inner.clone()))?;
        schedule.merge(&[&at(&partial, &tile), &at(sum, &tile)])?;
        schedule.sync_threads(&at(sum, &thread), None)?;
        in_registers(schedule, &partial, &inner, shape.lanes)?;
        threads.push((at(&partial, &mine), "threadIdx.y"));
        threads.push((at(&partial, &thread), "threadIdx.x"));
        let buffer = stored(schedule, &partial)?;
        schedule.set_scope(&buffer, "shared")?;
    }
    schedule.reverse_compute_at(result, &at(sum, &thread))?;
    in_registers(schedule, sum, &inner, shape.lanes)?;
    let copied: Vec<String> = schedule.loops(result)?.split_off(2);
    let copied = copied.iter().map(|name| name.rsplit(':').next().unwrap_or(name).to_owned());
    in_registers(schedule, result, &copied.collect::<Vec<_>>(), shape.lanes)?;
    schedule.set_scope(&sums, "local")?;
    threads.push((at(sum, &thread), "threadIdx.x"));
    threads.push((at(sum, &tile), "blockIdx.x"));
    threads.iter().try_for_each(|(name, axis)| schedule.bind(name, axis))
}

/// Unrolls the loops over a thread's results; if `lanes` > 1, the last loop is vectorised instead.
fn in_registers(
    schedule: &mut Schedule,
    block: &str,
    loops: &[String],
    lanes: i64,
) -> Result<(), ScheduleError> {
    let (rows, along) = loops.split_at(loops.len() - usize::from(lanes > 1));
    for name in rows {
        schedule.unroll(&at(block, name), None)?;
    }
    along.iter().try_for_each(|name| schedule.vectorize(&at(block, name), None).map(drop))
}

/// The name of the outermost loop around a schedule block.
pub fn first(schedule: &Schedule, block: &str) -> Result<String, ScheduleError> {
    let loops = schedule.loops(block)?;
    Ok(loops[0].rsplit(':').next().unwrap_or_default().to_owned())
}

/// The buffer that a schedule block stores to.
pub fn stored(schedule: &Schedule, block: &str) -> Result<String, ScheduleError> {
    let store = schedule.block(block)?.stores().next().expect("a reduction stores").buffer;
    Ok(schedule.summary().buffers[store].name.clone())
}
