//! The time of a kernel on a GPU.
//!
//! Loops that are bound to `blockIdx` run on multiprocessors, and loops that are bound to `threadIdx` on the lanes of
//! warps. The requests of a warp are counted exactly for one warp: the distinct lines of a request to memory, and the distinct words
//! of one to shared memory.

use super::nest::{Item, Leaf, ModelAccess, ModelLoop, NestModel, product};
use super::traffic::{KnownFootprints, LevelSize, Traffic};
use super::{PredictedTime, UnitTime, least_operations_ns, per_core, together, unit};
use crate::dialect::loop_enums::{LoopKind, Scope, ThreadAxis};
use crate::machine::table::{GpuTable, MachineTable, MemoryLevel};
use std::collections::BTreeSet;

/// The bytes of a word in a bank of shared memory, and those that all banks deliver in a cycle. In a cycle, too, the first-level
/// cache looks up a line of as many bytes.
const WORD: i64 = 4;
const LINE: i64 = 128;

/// Bytes of a multiprocessor's memory that never are shared memory: the rest of 192 (sm_80), 128 (sm_86, sm_89) or 256 KiB
/// (sm_90), whatever shared memory a kernel has.
const LEAST_CACHE: i64 = 28 << 10;

/// The most requests of a thread that wait for memory at the same time. Loads do not depend on each other, and compilers
/// move about so many before their first use.
const MAX_PENDING: f64 = 8.0;

/// Instructions that a warp starts until it needs the result of the first one: compilers move independent ones between.
const INDEPENDENT: f64 = 2.0;

/// The time of a function such as `exp` in operations: a unit of a quarter of the rate computes it, with some operations before and
/// after.
const FUNCTION_OPERATIONS: i64 = 8;

/// Instructions by which a thread finds its place.
const THREAD_INSTRUCTIONS: f64 = 16.0;

/// Instructions of a loop besides its body, and of the address of an access.
const LOOP_INSTRUCTIONS: f64 = 2.0;
const ADDRESS_INSTRUCTIONS: f64 = 1.0;

/// The latency of shared memory as a multiple of that of an addition: about 25 cycles to 4.
const SHARED_LATENCY: f64 = 6.0;

/// What a nest has of threads.
struct Launch {
    blocks: i64,
    /// Of a thread block.
    threads: i64,
    /// Thread blocks that a multiprocessor holds.
    resident: i64,
}

/// How often the units of all multiprocessors are used by all instances of a leaf.
#[derive(Clone, Copy, Debug, Default)]
struct WarpUse {
    /// Operations of warps.
    operations: f64,
    /// Instructions of warps, with those of loops and addresses.
    instructions: f64,
    /// Bytes that pass shared memory, or the first-level cache, which is the same memory.
    shared_bytes: f64,
    /// Bytes of the loads of a warp that wait for memory at the same time.
    waiting: f64,
    /// Additions of a thread that wait for each other.
    chained: f64,
    /// Instructions of a warp, and its accesses to shared memory and to memory.
    of_warp: WarpWaits,
}

/// What a warp waits for.
#[derive(Clone, Copy, Debug, Default)]
struct WarpWaits {
    instructions: f64,
    shared: f64,
    memory: f64,
}

pub fn predict(
    model: &NestModel,
    working_set: f64,
    table: &MachineTable,
    gpu: &GpuTable,
) -> PredictedTime {
    let launch = Launch::of(model, gpu);
    let uses: Vec<WarpUse> =
        model.leaves.iter().map(|leaf| WarpUse::of(leaf, model, gpu)).collect();
    let core = core_times(&uses, &launch, table, gpu);
    let waiting = uses.iter().map(|it| it.waiting).fold(0.0, f64::max);
    let (memory, least_ns) = memory_times(model, working_set, &launch, waiting, table, gpu);
    let core_ns = together(core.iter().map(|unit| unit.ns));
    let operations_ns = least_operations_ns(model, table, |_| gpu.lanes, FUNCTION_OPERATIONS);
    let least = [operations_ns, least_ns];
    PredictedTime::of(core_ns, core, memory, least, table.start_up_ns, launch.blocks)
}

/// The times of the units of a multiprocessor.
fn core_times(
    uses: &[WarpUse],
    launch: &Launch,
    table: &MachineTable,
    gpu: &GpuTable,
) -> Vec<UnitTime> {
    let of_core = per_core(launch.blocks, table.cores);
    let sum = |of: fn(&WarpUse) -> f64| uses.iter().map(of).sum::<f64>();
    let operations = sum(|it| it.operations);
    let instructions = sum(|it| it.instructions);
    let together = table.cores.saturating_mul(launch.resident) as f64;
    let rounds = (launch.blocks as f64 / together).ceil();
    [
        (unit::VECTOR, operations / table.vectors_per_ns * of_core),
        (unit::ISSUE, instructions / table.instructions_per_ns * of_core),
        (unit::CHAIN, sum(|it| it.chained) * table.add_latency_ns * rounds),
        (unit::WAITS, uses.iter().map(|it| it.of_warp.ns(table)).sum::<f64>() * rounds),
        (unit::SHARED, sum(|it| it.shared_bytes) / gpu.shared_gb_per_s * of_core),
    ]
    .map(|(unit, ns)| UnitTime { unit, ns })
    .to_vec()
}

/// The times of the second-level cache and of memory, and how long the memory needs at least. By Little's law, the bytes that are on
/// their way limit the rate.
fn memory_times(
    model: &NestModel,
    working_set: f64,
    launch: &Launch,
    waiting: f64,
    table: &MachineTable,
    gpu: &GpuTable,
) -> (Vec<UnitTime>, f64) {
    let traffic = Traffic {
        model,
        working_set,
        line: gpu.sector_bytes,
        cores: 1,
        reads_before_writes: false,
        known: KnownFootprints::default(),
    };
    // What the resident thread blocks leave of a multiprocessor's memory is its first-level cache.
    let used = shared_bytes_of(model).saturating_mul(launch.resident);
    let free = gpu.shared_bytes.saturating_sub(used).max(0) + LEAST_CACHE;
    let from_cache = of_blocks(&traffic, &model.items, free as f64 / launch.resident as f64);
    let [cache, memory] = [&table.levels[0], table.levels.last().expect("a table has levels")];
    let size = spreading(cache.bytes.unwrap_or(i64::MAX) as f64);
    let from_memory = traffic.beyond(size).bytes;
    let blocks_of_core = (launch.blocks as f64 / table.cores as f64).ceil();
    let warps = blocks_of_core.min(launch.resident as f64) * warps(launch.threads, gpu);
    let pending = warps * waiting.max((gpu.lanes * WORD) as f64);
    let time = |(level, bytes): (&MemoryLevel, f64)| {
        let rate = level.gb_per_s.min(pending / level.wait_ns);
        UnitTime { unit: level.name, ns: bytes / rate * per_core(launch.blocks, table.cores) }
    };
    let times = [(cache, from_cache), (memory, from_memory)].map(time).to_vec();
    (times, traffic.least_beyond(size) / memory.gb_per_s / table.cores as f64)
}

impl WarpUse {
    fn of(leaf: &Leaf, model: &NestModel, gpu: &GpuTable) -> WarpUse {
        let all_warps = warps(threads(leaf), gpu) * blocks(leaf) as f64;
        let warps = all_warps * leaf.share();
        let is_own = |it: &&ModelLoop| it.thread.is_none_or(|axis| axis == ThreadAxis::VThread);
        let own: Vec<&ModelLoop> = leaf.loops.iter().filter(is_own).collect();
        let iterations = product(own.iter().copied());
        let is_tile = |it: &ModelLoop| matches!(it.kind, LoopKind::Unroll | LoopKind::Vectorize);
        let operations = iterations * leaf.unit_operations(true, FUNCTION_OPERATIONS);
        let repeats = product(own.iter().copied().filter(|it| !is_tile(it)));
        // Threads that have no part of the last tile exchange values, too.
        let [shuffles, of_warps] = leaf.exchanges(gpu);
        let mut of_warp = WarpWaits {
            instructions: operations + LOOP_INSTRUCTIONS * repeats,
            ..Default::default()
        };
        let mut used =
            WarpUse { operations: warps * operations + all_warps * shuffles, ..WarpUse::default() };
        let axis = own.iter().rev().find(|it| it.kind != LoopKind::Unroll && it.extent > 1);
        for access in &leaf.accesses {
            let buffer = &model.buffers[access.buffer];
            let lanes = Lanes::of(leaf, access, &buffer.sizes, buffer.element_bytes, gpu);
            let of_thread = access.executions(&own, lanes.width);
            let requests = warps * of_thread;
            let stays = axis.is_some_and(|axis| !Leaf::varies(access, axis.variable));
            if access.is_write && leaf.is_reduction && stays {
                let tile = product(own.iter().copied().filter(|it| is_tile(it)));
                used.chained = iterations / tile.max(1.0);
            }
            match buffer.scope {
                Some(Scope::Local) => {}
                Some(Scope::Shared) => {
                    of_warp.shared += of_thread;
                    used.shared_bytes += requests * (lanes.wavefronts() * LINE) as f64;
                }
                Some(Scope::Global) | None => {
                    of_warp.memory += if access.is_write { 0.0 } else { of_thread };
                    used.shared_bytes += requests * (lanes.lines() * LINE) as f64;
                    if !access.is_write {
                        let bytes = (lanes.width * buffer.element_bytes * gpu.lanes) as f64;
                        used.waiting += of_thread.min(MAX_PENDING) * bytes;
                    }
                }
            }
            if buffer.scope != Some(Scope::Local) {
                of_warp.instructions += of_thread * (1.0 + ADDRESS_INSTRUCTIONS);
            }
        }
        let mut of_warp = of_warp.times(leaf.share());
        of_warp.instructions += shuffles + THREAD_INSTRUCTIONS;
        of_warp.shared += of_warps;
        used.instructions = all_warps * of_warp.instructions;
        used.shared_bytes += all_warps * of_warps * LINE as f64;
        WarpUse { of_warp, ..used }
    }
}

impl WarpWaits {
    /// The time of a warp that runs alone.
    fn ns(&self, table: &MachineTable) -> f64 {
        let together = |count: f64| (count / MAX_PENDING).max(count.min(1.0));
        let of_memory = together(self.memory) * table.levels[0].wait_ns;
        let of_shared = together(self.shared) * SHARED_LATENCY;
        (self.instructions / INDEPENDENT + of_shared) * table.add_latency_ns + of_memory
    }

    fn times(self, factor: f64) -> WarpWaits {
        let WarpWaits { instructions, shared, memory } = self;
        WarpWaits {
            instructions: instructions * factor,
            shared: shared * factor,
            memory: memory * factor,
        }
    }
}

impl Leaf {
    /// The instructions by which the lanes of a warp reduce a value together, an exchange and an operation for each halving; and
    /// the accesses to shared memory by which its warps do so, if there are several: a store, a barrier and a load.
    fn exchanges(&self, gpu: &GpuTable) -> [f64; 2] {
        let Some(result) = self.accesses.iter().find(|it| it.is_write && self.is_reduction) else {
            return [0.0; 2];
        };
        let is_shared = |it: &&ModelLoop| {
            it.thread.is_some_and(ThreadAxis::is_thread) && !Leaf::varies(result, it.variable)
        };
        let threads = product(self.loops.iter().filter(is_shared));
        let lanes = gpu.lanes as f64;
        let of_warp = 2.0 * threads.min(lanes).log2();
        if threads > lanes { [2.0 * of_warp, 3.0] } else { [of_warp, 0.0] }
    }
}

/// The warps of so many threads.
fn warps(threads: i64, gpu: &GpuTable) -> f64 {
    (threads as f64 / gpu.lanes as f64).ceil()
}

fn extents(leaf: &Leaf, is_counted: impl Fn(ThreadAxis) -> bool) -> i64 {
    let counted = leaf.loops.iter().filter(|it| it.thread.is_some_and(&is_counted));
    counted.map(|it| it.extent).fold(1i64, i64::saturating_mul)
}

fn blocks(leaf: &Leaf) -> i64 {
    extents(leaf, ThreadAxis::is_block)
}

fn threads(leaf: &Leaf) -> i64 {
    extents(leaf, ThreadAxis::is_thread)
}

fn shared_bytes_of(model: &NestModel) -> i64 {
    let shared = model.buffers.iter().filter(|buffer| buffer.scope == Some(Scope::Shared));
    let bytes = shared.map(|buffer| {
        buffer.sizes.iter().fold(buffer.element_bytes, |bytes, size| bytes.saturating_mul(*size))
    });
    bytes.fold(0, i64::saturating_add)
}

/// The size of a cache of a GPU, which spreads addresses over all its places.
fn spreading(bytes: f64) -> LevelSize {
    LevelSize { bytes, period: 0 }
}

/// The bytes that thread blocks read through a cache of this capacity each, from the level beyond.
fn of_blocks(traffic: &Traffic, items: &[Item], capacity: f64) -> f64 {
    let of_item = |item: &Item| match item {
        Item::Loop(this, body) if this.thread.is_some_and(ThreadAxis::is_block) => {
            this.extent as f64 * of_blocks(traffic, body, capacity)
        }
        item => traffic.anew().of_items(&threads_inside(item, &[]), spreading(capacity)).bytes,
    };
    items.iter().map(of_item).sum()
}

/// An item of which all threads are in the same iteration of each of their own loops: the loops over threads are innermost.
fn threads_inside(item: &Item, threads: &[ModelLoop]) -> Vec<Item> {
    match item {
        Item::Loop(this, body) if this.thread.is_some_and(ThreadAxis::is_thread) => {
            let threads = [threads, &[*this]].concat();
            body.iter().flat_map(|item| threads_inside(item, &threads)).collect()
        }
        Item::Loop(this, body) => {
            let body = body.iter().flat_map(|item| threads_inside(item, threads));
            vec![Item::Loop(*this, body.collect())]
        }
        Item::Leaf(leaf) => {
            let around = |items, this: &ModelLoop| vec![Item::Loop(*this, items)];
            threads.iter().rev().fold(vec![Item::Leaf(*leaf)], around)
        }
    }
}

impl Launch {
    fn of(model: &NestModel, gpu: &GpuTable) -> Launch {
        let most = |of: fn(&Leaf) -> i64| model.leaves.iter().map(of).max().unwrap_or(1).max(1);
        let (blocks, threads) = (most(blocks), most(threads));
        let shared = shared_bytes_of(model).max(1);
        let resident = (gpu.resident_threads / threads)
            .min(gpu.shared_bytes / shared)
            .min(gpu.resident_blocks)
            .max(1);
        Launch { blocks, threads, resident }
    }
}

/// The accesses of the lanes of one warp.
struct Lanes {
    /// The first byte of each lane.
    starts: Vec<i64>,
    /// Elements of a lane.
    width: i64,
    bytes: i64,
}

impl Lanes {
    fn of(
        leaf: &Leaf,
        access: &ModelAccess,
        sizes: &[i64],
        element_bytes: i64,
        gpu: &GpuTable,
    ) -> Lanes {
        let step = |axis: ThreadAxis| {
            let bound = leaf.loops.iter().find(|it| it.thread == Some(axis));
            // An access whose place depends on data is far from that of the next lane.
            let stride = |it: &ModelLoop| access.stride(it.variable, sizes).unwrap_or(1 << 20);
            bound.map_or((1, 0), |it| (it.extent, stride(it)))
        };
        let axes = [ThreadAxis::ThreadX, ThreadAxis::ThreadY, ThreadAxis::ThreadZ].map(step);
        let wide = leaf.loops.iter().find(|it| {
            it.kind == LoopKind::Vectorize && access.stride(it.variable, sizes) == Some(1)
        });
        let width = wide.map_or(1, |it| it.extent.min(16 / element_bytes).max(1));
        let threads = axes.iter().fold(1i64, |all, (extent, _)| all.saturating_mul(*extent));
        let lanes = threads.clamp(1, gpu.lanes);
        let start = |lane: i64| {
            let mut left = lane;
            let mut at = 0i64;
            for (extent, stride) in axes {
                // A lane that is so far away has sectors of its own all the same.
                at = at.wrapping_add((left % extent).wrapping_mul(stride));
                left /= extent;
            }
            at.wrapping_mul(element_bytes)
        };
        Lanes { starts: (0..lanes).map(start).collect(), width, bytes: width * element_bytes }
    }

    /// The distinct units of some bytes that are accessed.
    fn distinct(&self, size: i64) -> i64 {
        let of_lane = |start: &i64| {
            start.div_euclid(size)..=start.saturating_add(self.bytes - 1).div_euclid(size)
        };
        let units: BTreeSet<i64> = self.starts.iter().flat_map(of_lane).collect();
        i64::try_from(units.len()).unwrap_or(1)
    }

    /// The lines of the first-level cache.
    fn lines(&self) -> i64 {
        self.distinct(LINE)
    }

    /// The cycles that shared memory takes if the words are in different banks, for which `swizzle-shared-buffers` cares.
    fn wavefronts(&self) -> i64 {
        (self.distinct(WORD) * WORD + LINE - 1) / LINE
    }
}
