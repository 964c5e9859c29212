//! The time of a kernel on a GPU.
//!
//! Loops that are bound to `blockIdx` run on multiprocessors, and loops that are bound to `threadIdx` on the lanes of
//! warps. The requests of a warp are counted exactly for one warp: the distinct sectors of a request to memory, and for
//! one to shared memory the most distinct words in one bank.

use super::nest::{Item, Leaf, ModelAccess, ModelLoop, NestModel};
use super::traffic::Traffic;
use super::{PredictedTime, UnitTime, per_core, unit};
use crate::dialect::loop_enums::{LoopKind, Scope, ThreadAxis};
use crate::machine::table::{GpuTable, MachineTable};
use crate::strategy::nest::FUNCTION_OPERATIONS;
use std::collections::BTreeSet;

/// Banks of shared memory, and the bytes of a word in one.
const BANKS: i64 = 32;
const WORD: i64 = 4;

/// Bytes of a multiprocessor's memory that never are shared memory: the rest of 192 (sm_80), 128 (sm_86, sm_89) or 256 KiB
/// (sm_90), whatever shared memory a kernel has.
const LEAST_CACHE: i64 = 28 << 10;

/// The most requests of a thread that wait for memory at the same time. Loads do not depend on each other, and compilers
/// move about so many before their first use.
const MAX_PENDING: f64 = 8.0;

/// What a nest has of threads.
struct Launch {
    blocks: i64,
    /// Of a thread block.
    threads: i64,
    /// Thread blocks that a multiprocessor holds.
    resident: i64,
}

pub fn predict(model: &NestModel, table: &MachineTable, gpu: &GpuTable) -> PredictedTime {
    let launch = Launch::of(model, gpu);
    let of_core = per_core(launch.blocks, table.cores);
    let memory_level = table.levels.last().expect("a table has levels");
    let cache = &table.levels[0];
    let warps_of = |leaf: &Leaf| warps(threads(leaf), gpu) * blocks(leaf) as f64;
    let [mut vectors, mut instructions, mut shared_bytes, mut waiting] = [0.0; 4];
    let mut chain_ns = 0.0;
    for leaf in &model.leaves {
        let warps = warps_of(leaf) * leaf.share;
        let own: Vec<&ModelLoop> =
            leaf.loops.iter().filter(|it| it.thread.is_none_or(is_virtual)).collect();
        let iterations: f64 = own.iter().map(|it| it.extent as f64).product();
        let fused = i64::from(leaf.is_multiply_add);
        let operations =
            leaf.operations - leaf.functions - fused + FUNCTION_OPERATIONS * leaf.functions;
        vectors += warps * iterations * operations.max(0) as f64;
        instructions += warps * iterations * operations.max(0) as f64;
        let (mut is_chain, mut waits) = (false, 0.0);
        for access in &leaf.accesses {
            let buffer = &model.buffers[access.buffer];
            let lanes = Lanes::of(leaf, access, &buffer.sizes, buffer.element_bytes, gpu);
            let of_thread = requests(access, &own, lanes.width);
            let requests = warps * of_thread;
            let axis = own.iter().rev().find(|it| it.kind != LoopKind::Unroll && it.extent > 1);
            is_chain |= access.is_write
                && leaf.is_reduction
                && axis.is_some_and(|axis| !Leaf::varies(access, axis.variable));
            match buffer.scope {
                Some(Scope::Local) => {}
                Some(Scope::Shared) => {
                    instructions += requests;
                    shared_bytes += requests * lanes.conflicts() as f64 * (BANKS * WORD) as f64;
                }
                Some(Scope::Global) | None => {
                    instructions += requests;
                    // Sectors pass the first-level cache, which is the same memory as shared memory.
                    shared_bytes += requests * (lanes.sectors(gpu) * gpu.sector_bytes) as f64;
                    let bytes = (lanes.width * buffer.element_bytes * gpu.lanes) as f64;
                    if !access.is_write {
                        waits += of_thread.min(MAX_PENDING) * bytes;
                    }
                }
            }
        }
        waiting = f64::max(waiting, waits);
        if is_chain {
            let unrolled: f64 = own
                .iter()
                .filter(|it| it.kind == LoopKind::Unroll || it.kind == LoopKind::Vectorize)
                .map(|it| it.extent as f64)
                .product();
            let together = table.cores.saturating_mul(launch.resident) as f64;
            let rounds = (launch.blocks as f64 / together).ceil();
            chain_ns += iterations / unrolled.max(1.0) * table.add_latency_ns * rounds;
        }
    }
    let busy = [
        UnitTime { unit: unit::VECTOR, ns: vectors / table.vectors_per_ns * of_core },
        UnitTime { unit: unit::ISSUE, ns: instructions / table.instructions_per_ns * of_core },
        UnitTime { unit: unit::CHAIN, ns: chain_ns },
        UnitTime { unit: unit::SHARED, ns: shared_bytes / gpu.shared_gb_per_s * of_core },
    ];
    let traffic = Traffic { model, line: gpu.sector_bytes, cores: 1, reads_before_writes: false };
    // What the resident thread blocks leave of a multiprocessor's memory is its first-level cache.
    let used = shared_bytes_of(model).saturating_mul(launch.resident);
    let free = (gpu.shared_bytes - used).max(0) + LEAST_CACHE;
    let l1 = free as f64 / launch.resident as f64;
    let from_cache = of_blocks(&traffic, &model.items, l1);
    let from_memory = traffic.beyond(cache.bytes.unwrap_or(i64::MAX) as f64).bytes;
    // Little's law: the bytes that are on their way limit the rate.
    let blocks_of_core = (launch.blocks as f64 / table.cores as f64).ceil();
    let warps = blocks_of_core.min(launch.resident as f64) * warps(launch.threads, gpu);
    let pending = warps * waiting.max((gpu.lanes * WORD) as f64);
    let rate = |level_rate: f64, latency: f64| level_rate.min(pending / latency);
    let memory = vec![
        UnitTime {
            unit: cache.name,
            ns: from_cache / rate(cache.gb_per_s, cache.latency_ns) * of_core,
        },
        UnitTime {
            unit: memory_level.name,
            ns: from_memory / rate(memory_level.gb_per_s, memory_level.latency_ns) * of_core,
        },
    ];
    let core_ns = busy.iter().map(|unit| unit.ns).fold(0.0, f64::max);
    PredictedTime::of(core_ns, busy.to_vec(), memory, table.start_up_ns, launch.blocks)
}

/// The warps of so many threads.
fn warps(threads: i64, gpu: &GpuTable) -> f64 {
    (threads as f64 / gpu.lanes as f64).ceil()
}

fn is_virtual(axis: ThreadAxis) -> bool {
    axis == ThreadAxis::VThread
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

/// The bytes that thread blocks read through a cache of this capacity each, from the level beyond.
fn of_blocks(traffic: &Traffic, items: &[Item], capacity: f64) -> f64 {
    let of_item = |item: &Item| match item {
        Item::Loop(this, body) if this.thread.is_some_and(ThreadAxis::is_block) => {
            this.extent as f64 * of_blocks(traffic, body, capacity)
        }
        item => traffic.of_items(std::slice::from_ref(item), capacity).bytes,
    };
    items.iter().map(of_item).sum()
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

/// How often a thread does an access: in vectors of `width` elements; once for the same element, as in
/// [`cpu`](super::cpu).
fn requests(access: &ModelAccess, own: &[&ModelLoop], width: i64) -> f64 {
    let mut count = 1.0;
    let mut is_same = true;
    for this in own.iter().rev() {
        let varies = Leaf::varies(access, this.variable);
        match this.kind {
            LoopKind::Vectorize | LoopKind::Unroll if !varies => {}
            LoopKind::Vectorize => count *= (this.extent / width).max(1) as f64,
            LoopKind::Unroll => count *= this.extent as f64,
            _ => {
                is_same &= !varies;
                if !is_same {
                    count *= this.extent as f64;
                }
            }
        }
    }
    count
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

    /// The distinct sectors.
    fn sectors(&self, gpu: &GpuTable) -> i64 {
        let size = gpu.sector_bytes;
        let of_lane = |start: &i64| {
            start.div_euclid(size)..=start.saturating_add(self.bytes - 1).div_euclid(size)
        };
        let sectors: BTreeSet<i64> = self.starts.iter().flat_map(of_lane).collect();
        i64::try_from(sectors.len()).unwrap_or(1)
    }

    /// The most distinct words that lanes access in one bank, which takes as many cycles.
    fn conflicts(&self) -> i64 {
        let of_lane = |start: &i64| {
            start.div_euclid(WORD)..=start.saturating_add(self.bytes - 1).div_euclid(WORD)
        };
        let words: BTreeSet<i64> = self.starts.iter().flat_map(of_lane).collect();
        let mut counts = [0i64; BANKS as usize];
        for word in words {
            counts[usize::try_from(word.rem_euclid(BANKS)).unwrap_or(0)] += 1;
        }
        counts.into_iter().max().unwrap_or(1).max(1)
    }
}
