//! Transposes (nests that read along one dimension and write along another): tiles in shared memory.
//!
//! ```text
//! for blockIdx.x {
//!   for threads { for vectorize { A'[row, column] = A[row, column] } }
//!   loop.sync
//!   for threads { for vectorize { B[column, row] = A'[row, column] } }
//! }
//! ```
//! So the loads from and the stores to global memory are both contiguous. If a contiguous line is too short for a warp,
//! such as a row of a small image, a tile continues with the following lines. A side of a tile has up to 32 elements,
//! and at most 128 bytes. `swizzle-shared-buffers` avoids bank conflicts of the threads.

use super::elementwise::{self, map};
use super::{bind_blocks, extent, fitting};
use crate::analysis::finite_domain::Term;
use crate::machine::cuda::{Gpu, STATIC_SHARED};
use crate::schedule::{Schedule, ScheduleError};
use crate::strategy::group::NestGroup;
use crate::strategy::nest::{AccessStride, Nest, NestAccess, at, order};
use crate::strategy::space::{ChosenNumbers, Space, what};
use crate::strategy::{StrategyRow, all_sizes};

/// The most elements of a side of a tile.
const SIDE: i64 = 32;

/// The most bytes of a side: what all banks of shared memory deliver at once. With longer lines, reads across them
/// would use only half of each vector that other threads have stored.
const LINE: i64 = 128;

/// The fewest elements of a side.
const LEAST: i64 = 4;

pub const ROW: StrategyRow<Gpu> = StrategyRow {
    name: "nvptx.transpose",
    summary: "Transposes tiles through shared memory, so that loads and stores are both contiguous",
    priority: 20,
    applies,
    sizes: all_sizes,
    space,
    schedule,
};

fn applies(group: &NestGroup, _: &Gpu) -> Result<(), String> {
    if let Some(nest) = group.nests.iter().find(|nest| nest.is_reduction()) {
        return Err(format!("{} reduces", nest.block));
    }
    let found = group.nests.iter().find_map(TransposingNest::of);
    found
        .map(drop)
        .ok_or_else(|| "all loads are contiguous along the loop that stores contiguously".into())
}

/// The side of a tile, which decides how many loops have a part in it.
fn space(group: &NestGroup, gpu: &Gpu) -> Space {
    let mut space = Space::default();
    for nest in &group.nests {
        let Some(transposed) = TransposingNest::of(nest) else {
            elementwise::add_numbers(&mut space, nest, gpu);
            continue;
        };
        let element_bytes = transposed.loaded[0].element_bytes;
        let sides = [LEAST, 2 * LEAST, 4 * LEAST, SIDE].into_iter();
        let sides = sides.filter(|side| side * element_bytes <= LINE);
        let side = space.structure(&nest.block, what::SIDE, sides, SIDE.min(LINE / element_bytes));
        let all = Term::Product(vec![element_bytes.into(), side.clone(), side]);
        let buffers = i64::try_from(transposed.buffers().len()).unwrap_or(i64::MAX);
        let all = Term::Product(vec![buffers.into(), all]);
        space.at_most_or_default("bytes of shared memory", all, STATIC_SHARED);
    }
    space
}

fn schedule(
    schedule: &mut Schedule,
    group: &NestGroup,
    gpu: &Gpu,
    numbers: &ChosenNumbers,
) -> Result<(), ScheduleError> {
    group.nests.iter().try_for_each(|nest| match TransposingNest::of(nest) {
        Some(transposed) => turn(schedule, nest, &transposed, (gpu, numbers)),
        None => map(schedule, nest, gpu, numbers),
    })
}

/// A nest that transposes what it reads.
struct TransposingNest<'n> {
    /// The loops along which it writes and reads.
    write: usize,
    read: usize,
    /// Accesses along these loops.
    stored: &'n NestAccess,
    loaded: Vec<&'n NestAccess>,
}

impl<'n> TransposingNest<'n> {
    fn of(nest: &'n Nest) -> Option<TransposingNest<'n>> {
        let write = nest.store_axis()?;
        let is_transposed = |load: &NestAccess| load.steps[write] == AccessStride::Far;
        let unit =
            |load: &NestAccess| load.steps.iter().position(|step| *step == AccessStride::Unit);
        let read = unit(nest.loads.iter().find(|load| is_transposed(load))?)?;
        let loaded = nest.loads.iter().filter(|load| {
            let is_plain = [write, read].iter().all(|axis| load.dimensions[*axis].is_some());
            is_transposed(load) && load.steps[read] == AccessStride::Unit && is_plain
        });
        let loaded: Vec<&NestAccess> = loaded.collect();
        let is_long = |axis: usize| nest.loops[axis].extent.is_none_or(|extent| extent >= LEAST);
        let is_plain = !nest.is_conditional && !nest.is_recurrent && !loaded.is_empty();
        let stored = nest.stores.first()?;
        (is_plain && is_long(write) && is_long(read)).then_some(TransposingNest {
            write,
            read,
            stored,
            loaded,
        })
    }

    /// The buffers that are read along another loop than the written one.
    fn buffers(&self) -> Vec<&'n str> {
        let mut buffers: Vec<&str> = self.loaded.iter().map(|load| load.buffer.as_str()).collect();
        buffers.sort_unstable();
        buffers.dedup();
        buffers
    }

    /// The sides of a tile, the read one and the written one: the loops and the part of each, outermost
    /// first. If a line is too short for a side of `side` elements, the side continues with the following lines.
    fn sides(&self, nest: &Nest, side: i64) -> [Vec<(usize, i64)>; 2] {
        let up_to = |axis: usize, most: i64| {
            let extent = nest.loops[axis].extent;
            most.min(extent.map_or(most, |extent| (extent as u64).next_power_of_two() as i64))
        };
        let mut sides = [self.read, self.write].map(|axis| vec![(axis, up_to(axis, side))]);
        for (along, access) in [(1, self.stored), (0, self.loaded[0])] {
            while let Some(axis) = self.behind(nest, access, sides[along][0].0) {
                let length: i64 = sides[along].iter().map(|(_, part)| part).product();
                if length >= side || sides.iter().flatten().any(|(other, _)| *other == axis) {
                    break;
                }
                sides[along].insert(0, (axis, up_to(axis, side / length)));
            }
        }
        sides
    }

    /// The loop over consecutive lines along the loop `axis`.
    fn behind(&self, nest: &Nest, access: &NestAccess, axis: usize) -> Option<usize> {
        let dimension = access.dimensions[axis]?.checked_sub(1)?;
        let behind = access.dimensions.iter().position(|it| *it == Some(dimension))?;
        let is_plain = self.loaded.iter().all(|load| load.dimensions[behind].is_some());
        let is_long = nest.loops[behind].extent.is_some_and(|extent| extent > 1);
        (is_plain && is_long).then_some(behind)
    }
}

fn turn(
    schedule: &mut Schedule,
    nest: &Nest,
    transposed: &TransposingNest,
    (gpu, numbers): (&Gpu, &ChosenNumbers),
) -> Result<(), ScheduleError> {
    let block = &nest.block;
    let [read, write] = [transposed.read, transposed.write].map(|axis| &nest.loops[axis]);
    let side = numbers.of(block, what::SIDE).expect("a number of the space").value;
    let sides: Vec<(usize, i64)> = transposed.sides(nest, side).concat();
    for (axis, part) in &sides {
        schedule.split(&nest.at(*axis), &[-1, *part], None)?;
    }
    let part = |i: usize| {
        let name = |axis: &usize| format!("{}.{i}", nest.loops[*axis].name);
        sides.iter().map(|(axis, _)| name(axis)).collect::<Vec<_>>()
    };
    let axes: Vec<usize> = sides.iter().map(|(axis, _)| *axis).collect();
    let mut grid: Vec<String> = nest.spatial_but(&axes).into_iter().map(|(name, _)| name).collect();
    grid.extend(part(0));
    let tile = part(1);
    order(schedule, block, grid.iter().chain(&tile).cloned())?;

    let place = at(block, &grid[grid.len() - 1]);
    let most = gpu.vector(transposed.loaded[0].element_bytes);
    let lanes = |extent: Option<i64>| extent.map_or(1, |extent| fitting(most, extent));
    let mut copies = vec![];
    for buffer in transposed.buffers() {
        let copy = schedule.cache_read(block, buffer, "global", &[block], None)?;
        schedule.compute_at(&copy, &place)?;
        schedule.set_scope(&copy, "shared")?;
        copies.push(copy);
    }
    bind_blocks(schedule, block, &grid, gpu)?;
    let mut parts = vec![];
    for copy in copies {
        let loops = schedule.loops(&copy)?;
        let loops = rounded(schedule, &loops[loops.len() - sides.len()..])?;
        let all = fused_of(schedule, &loops)?;
        let (target, wide) = (at(&copy, &all), lanes(read.extent));
        let mine = shared_out(schedule, &target, wide, gpu)?;
        if wide > lanes(write.extent) {
            apart(schedule, &copy, &mine[1], &format!("{target}.2"))?;
        } else if wide > 1 {
            schedule.vectorize(&format!("{target}.2"), None)?;
        }
        parts.push(mine);
    }
    let names: Vec<String> = tile.iter().map(|name| at(block, name)).collect();
    let all = fused_of(schedule, &names)?;
    let target = at(block, &all);
    let mine = shared_out(schedule, &target, lanes(write.extent), gpu)?;
    if lanes(write.extent) > 1 {
        schedule.vectorize(&format!("{target}.2"), None)?;
    }
    schedule.sync_threads(&mine[0], None)?;
    parts.push(mine);
    parts.iter().try_for_each(|parts| schedule.bind(&parts[1], "threadIdx.x"))
}

fn fused_of(schedule: &mut Schedule, loops: &[String]) -> Result<String, ScheduleError> {
    let names: Vec<&str> = loops.iter().map(String::as_str).collect();
    schedule.fuse(&names)
}

/// Extends loops to powers of two, so that all warps have whole lines, or parts of lines that begin at the same
/// positions. The lanes of a warp then differ in fixed bits of an index, which `swizzle-shared-buffers` maps to
/// banks.
fn rounded(schedule: &mut Schedule, loops: &[String]) -> Result<Vec<String>, ScheduleError> {
    let mut all = vec![];
    for name in loops {
        match extent(schedule, name)?.map(|extent| extent as u64) {
            Some(extent) if !extent.is_power_of_two() => {
                schedule.split(name, &[-1, extent.next_power_of_two() as i64], None)?;
                all.extend([0, 1].map(|i| format!("{name}.{i}")));
            }
            _ => all.push(name.clone()),
        }
    }
    Ok(all)
}

/// Lets a thread read a vector and store its elements to shared memory one by one. If other threads read the elements
/// one by one, no layout of whole vectors avoids bank conflicts.
fn apart(
    schedule: &mut Schedule,
    copy: &str,
    thread: &str,
    lane: &str,
) -> Result<(), ScheduleError> {
    let read = schedule.block(copy)?.loads().next().expect("a copy reads").buffer;
    let buffer = schedule.summary().buffers[read].name.clone();
    let mine = schedule.cache_read(copy, &buffer, "local", &[copy], None)?;
    schedule.compute_at(&mine, thread)?;
    if let Some(along) = schedule.loops(&mine)?.last() {
        schedule.vectorize(along, None)?;
    }
    schedule.unroll(lane, None).map(drop)
}

/// Splits a loop into a serial loop, a loop of threads, and a loop over `lanes` elements; returns the first two.
fn shared_out(
    schedule: &mut Schedule,
    target: &str,
    lanes: i64,
    gpu: &Gpu,
) -> Result<[String; 2], ScheduleError> {
    let elements = extent(schedule, target)?.unwrap_or(SIDE * SIDE);
    let threads = (elements / lanes).min(gpu.threads);
    match lanes {
        1 => schedule.split(target, &[-1, threads], None)?,
        _ => schedule.split(target, &[-1, threads, lanes], None)?,
    };
    Ok([0, 1].map(|i| format!("{target}.{i}")))
}
