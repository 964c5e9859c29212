//! Nests that read along one dimension and write along another: tiles that go through the memory of the thread block.
//!
//! ```text
//! for blockIdx.x {
//!   for threads { for vectorize { A'[row, column] = A[row, column] } }
//!   loop.sync
//!   for threads { for vectorize { B[column, row] = A'[row, column] } }
//! }
//! ```
//! So both sides of global memory are accessed along lines. `swizzle-shared-buffers` keeps threads apart in banks.

use super::elementwise::map;
use super::{bind_blocks, extent, fitting};
use crate::machine::cuda::Gpu;
use crate::schedule::{Schedule, ScheduleError};
use crate::strategy::Strategy;
use crate::strategy::group::Group;
use crate::strategy::nest::{Nest, Step, at, order};

/// The elements of a side of a tile: a line of a warp.
const SIDE: i64 = 32;

/// Sides are not shorter.
const LEAST: i64 = 4;

pub static ROW: Strategy<Gpu> = Strategy {
    name: "nvptx.transpose",
    summary: "Tiles through shared memory, of which both sides are accessed along lines",
    priority: 20,
    applies,
    schedule,
};

fn applies(group: &Group, _: &Gpu) -> Result<(), String> {
    if let Some(nest) = group.nests.iter().find(|nest| nest.is_reduction()) {
        return Err(format!("{} reduces", nest.block));
    }
    let found = group.nests.iter().find_map(Turned::of);
    found.map(drop).ok_or_else(|| "all is read along what is written".into())
}

fn schedule(schedule: &mut Schedule, group: &Group, gpu: &Gpu) -> Result<(), ScheduleError> {
    group.nests.iter().try_for_each(|nest| match Turned::of(nest) {
        Some(turned) => turn(schedule, nest, &turned, gpu),
        None => map(schedule, nest, gpu),
    })
}

/// A nest that turns what it reads.
struct Turned<'n> {
    /// The loops along which it writes and reads.
    write: usize,
    read: usize,
    /// What it reads so.
    buffers: Vec<&'n str>,
    element_bytes: i64,
}

impl<'n> Turned<'n> {
    fn of(nest: &'n Nest) -> Option<Turned<'n>> {
        let write = nest.store_axis()?;
        let is_turned = |steps: &[Step]| steps[write] == Step::Far;
        let unit = |steps: &[Step]| steps.iter().position(|step| *step == Step::Unit);
        let first = nest.loads.iter().find(|load| is_turned(&load.steps))?;
        let read = unit(&first.steps)?;
        let all = nest.loads.iter().filter(|load| {
            let is_plain = [write, read].iter().all(|axis| load.dimensions[*axis].is_some());
            is_turned(&load.steps) && load.steps[read] == Step::Unit && is_plain
        });
        let mut buffers: Vec<&str> = all.map(|load| load.buffer.as_str()).collect();
        buffers.sort_unstable();
        buffers.dedup();
        let is_long = |axis: usize| nest.loops[axis].extent.is_none_or(|extent| extent >= LEAST);
        let is_plain = !nest.is_conditional && !nest.is_recurrent && !buffers.is_empty();
        let element_bytes = first.element_bytes;
        (is_plain && is_long(write) && is_long(read)).then_some(Turned {
            write,
            read,
            buffers,
            element_bytes,
        })
    }
}

fn turn(
    schedule: &mut Schedule,
    nest: &Nest,
    turned: &Turned,
    gpu: &Gpu,
) -> Result<(), ScheduleError> {
    let block = &nest.block;
    let [write, read] = [turned.write, turned.read].map(|axis| &nest.loops[axis]);
    for axis in [read, write] {
        let most = axis.extent.map_or(SIDE, |extent| (extent as u64).next_power_of_two() as i64);
        schedule.split(&at(block, &axis.name), &[-1, SIDE.min(most)], None)?;
    }
    let part = |name: &str, i: usize| format!("{name}.{i}");
    let mut grid: Vec<String> =
        nest.spatial_but(&[turned.write, turned.read]).into_iter().map(|(name, _)| name).collect();
    grid.extend([part(&read.name, 0), part(&write.name, 0)]);
    let tile = [part(&read.name, 1), part(&write.name, 1)];
    order(schedule, block, grid.iter().chain(&tile).cloned())?;

    let place = at(block, &grid[grid.len() - 1]);
    let most = gpu.vector(turned.element_bytes);
    let lanes = |extent: Option<i64>| extent.map_or(1, |extent| fitting(most, extent));
    let mut copies = vec![];
    for buffer in &turned.buffers {
        let copy = schedule.cache_read(block, buffer, "global", &[], None)?;
        schedule.compute_at(&copy, &place)?;
        schedule.set_scope(&copy, "shared")?;
        copies.push(copy);
    }
    bind_blocks(schedule, block, &grid, gpu)?;
    let mut parts = vec![];
    for copy in copies {
        let loops = schedule.loops(&copy)?;
        let loops = &loops[loops.len() - 2..];
        let all = fused_of(schedule, loops)?;
        let (target, wide) = (at(&copy, &all), lanes(read.extent));
        let mine = shared_out(schedule, &target, wide, gpu)?;
        if wide > lanes(write.extent) {
            apart(schedule, &copy, &mine[1], &format!("{target}.2"))?;
        } else if wide > 1 {
            schedule.vectorize(&format!("{target}.2"), None)?;
        }
        parts.push(mine);
    }
    let names = tile.each_ref().map(|name| at(block, name));
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

/// Lets a thread read a vector, and store its elements in shared memory one by one: where others read them one by one, no
/// place for whole vectors keeps those apart in banks.
fn apart(
    schedule: &mut Schedule,
    copy: &str,
    thread: &str,
    lane: &str,
) -> Result<(), ScheduleError> {
    let read = schedule.block(copy)?.loads().next().expect("a copy reads").buffer;
    let buffer = schedule.summary().buffers[read].name.clone();
    let mine = schedule.cache_read(copy, &buffer, "local", &[], None)?;
    schedule.compute_at(&mine, thread)?;
    if let Some(along) = schedule.loops(&mine)?.last() {
        schedule.vectorize(along, None)?;
    }
    schedule.unroll(lane, None).map(drop)
}

/// Splits a loop into one in turn, one of threads, and one over so many elements at once; gives the first two.
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
