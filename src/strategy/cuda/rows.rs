//! Row reductions and other nests over the same rows (such as softmax): each row is computed by a thread block, or a
//! short row by some lanes of a warp.
//!
//! ```text
//! for blockIdx.x { for threadIdx.y row {
//!   for threadIdx.x { X[..] = A[row, ..] }             loads what several nests read once
//!   for threadIdx.x { max = max(max, X[..]) }          by shuffles of lanes
//!   for threadIdx.x { E[..] = exp(X[..] - max) }       stays in shared memory
//!   for threadIdx.x { sum += E[..] }
//!   for threadIdx.x { B[row, ..] = E[..] / sum }
//! ```
//! `X` and `E` together may use the shared memory that a thread block can have on every device that runs the PTX: 99
//! KiB for sm_80 to sm_89, 227 KiB for sm_90. For example, a softmax of rows of 12000 f32 needs 48000 bytes each for
//! `X` and `E`, so it loads each element once. If only one of the two fits, it is `E`. A buffer that does not fit is in
//! global memory, and each nest that reads it loads it again.
//!
//! There is a barrier between every two consecutive loops of these; lowering removes redundant barriers. A matrix of one
//! column is contiguous in memory like a row, and is scheduled like a row.

use super::{extent, fitting, fused, vector};
use crate::analysis::finite_domain::Term;
use crate::machine::cuda::{Gpu, STATIC_SHARED};
use crate::schedule::{Schedule, ScheduleError};
use crate::strategy::group::{NestGroup, is_product};
use crate::strategy::nest::{AccessStride, Nest, NestAccess, SHORT, at, product};
use crate::strategy::space::{ChosenNumbers, Space, what};
use crate::strategy::{StrategyRow, all_sizes};
use std::collections::BTreeSet;

/// Accesses of a thread to a row: enough to have several in flight.
const ACCESSES: i64 = 4;

/// The most threads of a row.
const MOST: i64 = 512;

pub const ROW: StrategyRow<Gpu> = StrategyRow {
    name: "nvptx.rows",
    summary: "Computes all ops on a row in one thread block, which reads the row once and \
              reduces it by shuffles",
    priority: 30,
    applies,
    sizes: all_sizes,
    space,
    schedule,
};

fn applies(group: &NestGroup, _: &Gpu) -> Result<(), String> {
    if group.rows == 0 {
        return Err("it has no common loop over rows".into());
    }
    if !group.nests.iter().any(Nest::is_reduction) {
        return Err("it has no reduction".into());
    }
    for nest in &group.nests {
        if nest.is_reduction() && !nest.reduces_rows_or_column() {
            return Err(format!("{} does not reduce along rows", nest.block));
        }
        if nest.is_reduction() && nest.spatial().len() > group.rows {
            return Err(format!("{} has several results for a row", nest.block));
        }
        let stands = |load: &NestAccess| {
            let is_again = |axis: usize| {
                load.steps[axis] == AccessStride::None && nest.loops[axis].extent != Some(1)
            };
            (0..group.rows).any(is_again)
        };
        if is_product(nest) && nest.loads.iter().all(stands) {
            return Err(format!("{} is a product", nest.block));
        }
    }
    match group.alone().map(length) {
        Some(Some(length)) if length < SHORT => Err(format!("rows have only {length} elements")),
        _ => Ok(()),
    }
}

/// The elements of a row, if their number is known.
fn length(nest: &Nest) -> Option<i64> {
    product(nest.reductions().into_iter().map(|axis| nest.loops[axis].extent))
}

/// How rows are distributed.
struct RowTiling {
    /// The threads of a row.
    threads: i64,
    /// The rows of a thread block.
    rows: i64,
    /// The bytes of shared memory left for copies and for intermediate values.
    room: i64,
}

/// The bytes reserved for cross-thread reductions.
const REDUCED: i64 = 1024;

impl RowTiling {
    fn of(group: &NestGroup, gpu: &Gpu) -> RowTiling {
        let room = gpu.everywhere - REDUCED;
        let lengths = group.nests.iter().filter(|nest| nest.is_reduction()).map(|nest| {
            let last = nest.loops.len() - 1;
            length(nest).map(|length| length / vector(nest, last, gpu))
        });
        let Some(accesses) = lengths.max().flatten() else {
            return RowTiling { threads: gpu.threads, rows: 1, room };
        };
        let power = |n: i64| (n.max(1) as u64).next_power_of_two() as i64;
        let threads = match accesses <= gpu.lanes {
            true => power(accesses),
            false => power((accesses + ACCESSES - 1) / ACCESSES).clamp(gpu.lanes, MOST),
        };
        let all = product(group.nests[0].loops[..group.rows].iter().map(|axis| axis.extent));
        let wanted = all.map_or(i64::MAX, power);
        let mut rows = (gpu.threads / threads).clamp(1, wanted);
        // A thread block consists of whole warps.
        rows = rows.max(gpu.lanes / threads);
        RowTiling { threads, rows, room }
    }
}

/// The threads of a row and the rows of a thread block. Both are of structure: one thread needs no barriers, and one row no loop.
fn space(group: &NestGroup, gpu: &Gpu) -> Space {
    let RowTiling { threads, rows, .. } = RowTiling::of(group, gpu);
    let block = &group.nests[0].block;
    let powers = |most: i64| (0..=most.ilog2()).map(|n| 1 << n);
    let mut space = Space::default();
    let threads = space.structure(block, what::THREADS, powers(gpu.limits.threads), threads);
    let rows = space.structure(block, what::ROWS, powers(gpu.threads), rows);
    let all = Term::Product(vec![threads, rows]);
    space.at_most("threads of a thread block", all.clone(), gpu.limits.threads);
    let missing = Term::Difference(Box::new(gpu.lanes.into()), Box::new(all));
    space.at_most_or_default("lanes that a warp does not use", missing, 0);
    space
}

fn schedule(
    schedule: &mut Schedule,
    group: &NestGroup,
    gpu: &Gpu,
    numbers: &ChosenNumbers,
) -> Result<(), ScheduleError> {
    let number = |what| numbers.of(&group.nests[0].block, what).expect("a number of the space");
    let mut shape = RowTiling {
        threads: number(what::THREADS).value,
        rows: number(what::ROWS).value,
        ..RowTiling::of(group, gpu)
    };
    let last = group.nests.last().expect("a group has nests");
    if group.nests.len() > 1 {
        let rows: Vec<String> = group.nests.iter().map(|nest| nest.at(group.rows - 1)).collect();
        schedule.merge(&rows.iter().map(String::as_str).collect::<Vec<_>>())?;
    }
    let rows: Vec<String> =
        group.nests[0].loops[..group.rows].iter().map(|axis| axis.name.clone()).collect();
    let mut row = fused(schedule, &last.block, &rows)?.expect("a group has rows");
    if shape.rows > 1 {
        schedule.split(&at(&last.block, &row), &[-1, shape.rows], None)?;
        schedule.bind(&at(&last.block, &format!("{row}.0")), "blockIdx.x")?;
        row += ".1";
    } else {
        schedule.bind(&at(&last.block, &row), "blockIdx.x")?;
    }
    let row = at(&last.block, &row);
    // Intermediate values have precedence: keeping them saves all accesses to them, a copy saves all loads but one.
    keep(schedule, group, &mut shape);
    // The blocks in textual order, each with its loop along the row.
    let mut parts = copies(schedule, group, &mut shape, &row, gpu)?;
    for nest in &group.nests {
        let along = match nest.loops.len() > group.rows {
            true => Some(cut(schedule, nest, group.rows, &shape, gpu)?),
            false => None,
        };
        parts.push((nest.block.clone(), along));
    }
    // A thread that has a whole row needs no barriers.
    for (block, along) in parts.iter().skip(1).filter(|_| shape.threads > 1) {
        let first = along.as_ref().map(|name| at(block, &format!("{name}.0")));
        schedule.sync_threads(first.as_deref().unwrap_or(block), None)?;
    }
    for (block, along) in &parts {
        if let Some(name) = along {
            schedule.bind(&at(block, &format!("{name}.1")), "threadIdx.x")?;
        }
    }
    match shape.rows > 1 {
        true => schedule.bind(&row, "threadIdx.y"),
        false => Ok(()),
    }
}

/// Fuses the nested loops along a row, and splits the result so that a thread has `lanes` elements at once;
/// returns the outer loop.
pub fn reduced(
    schedule: &mut Schedule,
    nest: &Nest,
    row: &[usize],
    lanes: i64,
) -> Result<String, ScheduleError> {
    let block = &nest.block;
    let names: Vec<String> = row.iter().map(|axis| nest.loops[*axis].name.clone()).collect();
    let name = fused(schedule, block, &names)?.expect("there is a loop along the row");
    along(schedule, block, name, lanes, !nest.is_reduction())
}

/// Splits a loop so that a thread has `lanes` elements at once.
fn along(
    schedule: &mut Schedule,
    block: &str,
    name: String,
    lanes: i64,
    is_map: bool,
) -> Result<String, ScheduleError> {
    if lanes < 2 {
        return Ok(name);
    }
    schedule.split(&at(block, &name), &[-1, lanes], None)?;
    let lane = at(block, &format!("{name}.1"));
    match is_map {
        true => schedule.vectorize(&lane, None)?,
        false => schedule.unroll(&lane, None)?,
    };
    Ok(name + ".0")
}

/// Splits the loops of a nest along a row over threads; returns the name whose part 1 is the loop of threads.
fn cut(
    schedule: &mut Schedule,
    nest: &Nest,
    rows: usize,
    shape: &RowTiling,
    gpu: &Gpu,
) -> Result<String, ScheduleError> {
    let lanes = vector(nest, nest.loops.len() - 1, gpu);
    let row: Vec<usize> = (rows..nest.loops.len()).collect();
    let name = reduced(schedule, nest, &row, lanes)?;
    schedule.split(&at(&nest.block, &name), &[-1, shape.threads], None)?;
    Ok(name)
}

/// The bytes of the rows of a buffer in a thread block.
fn bytes(nest: &Nest, access: &NestAccess, rows: usize, shape: &RowTiling) -> Option<i64> {
    let length = product(nest.loops[rows..].iter().map(|axis| axis.extent))?;
    Some(length * access.element_bytes * shape.rows)
}

/// Copies rows that several nests read to shared memory, as far as there is room.
fn copies(
    schedule: &mut Schedule,
    group: &NestGroup,
    shape: &mut RowTiling,
    row: &str,
    gpu: &Gpu,
) -> Result<Vec<(String, Option<String>)>, ScheduleError> {
    let mut made = vec![];
    let mut seen = BTreeSet::new();
    for nest in &group.nests {
        for load in &nest.loads {
            let is_row = |nest: &Nest, load: &NestAccess| {
                nest.loops.len() == group.rows + 1
                    && load.steps[group.rows] == AccessStride::Unit
                    && load.steps[..group.rows].iter().any(|step| *step != AccessStride::None)
            };
            let reads = |nest: &&Nest| {
                nest.loads.iter().any(|other| other.buffer == load.buffer && is_row(nest, other))
            };
            let is_made_here = group
                .nests
                .iter()
                .any(|nest| nest.stores.iter().any(|store| store.buffer == load.buffer));
            let Some(bytes) = bytes(nest, load, group.rows, shape).filter(|_| is_row(nest, load))
            else {
                continue;
            };
            let readers = group.nests.iter().filter(reads).count();
            if is_made_here
                || readers < 2
                || bytes > shape.room
                || !seen.insert(load.buffer.clone())
            {
                continue;
            }
            shape.room -= bytes;
            let loads = |nest: &&Nest| nest.loads.iter().any(|it| it.buffer == load.buffer);
            let readers = group.nests.iter().filter(loads);
            let readers: Vec<&str> = readers.map(|nest| nest.block.as_str()).collect();
            let copy = schedule.cache_read(&nest.block, &load.buffer, "shared", &readers, None)?;
            if shape.rows > 1 {
                schedule.compute_at(&copy, row)?;
            }
            let loops = schedule.loops(&copy)?;
            let axis = loops.last().expect("a copy has loops");
            let name = axis.rsplit(':').next().unwrap_or_default().to_owned();
            let lanes = match extent(schedule, axis)? {
                Some(length) => fitting(gpu.vector(load.element_bytes), length),
                None => 1,
            };
            let name = along(schedule, &copy, name, lanes, true)?;
            schedule.split(&at(&copy, &name), &[-1, shape.threads], None)?;
            made.push((copy, Some(name)));
        }
    }
    Ok(made)
}

/// Keeps buffers that only the group uses in shared memory, as far as there is room.
fn keep(schedule: &mut Schedule, group: &NestGroup, shape: &mut RowTiling) {
    for nest in &group.nests {
        for store in &nest.stores {
            let bytes = match nest.is_reduction() {
                // A single buffer shrinks to one value a row; several buffers that are stored together keep their size.
                true if nest.stores.len() == 1 => Some(0),
                true => store.bytes.filter(|bytes| *bytes <= STATIC_SHARED / 2),
                false => bytes(nest, store, group.rows, shape),
            };
            let fits = bytes.is_some_and(|bytes| bytes <= shape.room);
            // `set_scope` refuses buffers that are used outside of the group.
            if !store.is_argument && fits && schedule.set_scope(&store.buffer, "shared").is_ok() {
                shape.room -= bytes.unwrap_or(0);
            }
        }
    }
}
