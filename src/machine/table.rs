//! The machine table: the memory levels and the execution units of a processor or a GPU, in one form.
//!
//! Predicted times ([`cost`](crate::auto_schedule::cost)) depend on nothing else about a machine. Rates are of one core;
//! a core of a GPU is a multiprocessor. For this machine, and for one that a file describes, the rates are those that
//! were measured; for a processor that is known by name only, they follow from the width of its vectors at a clock of
//! [`NOMINAL_GHZ`], so that their ratios are typical. For GPUs they are those of the data sheets.
//!
//! ```text
//! znver4: 2 cores, 3.69 vectors of 512 bits a ns
//!   level    capacity  GB/s    wait ns  shared by
//!   L1       32 KiB    200.2   0.2      1
//!   L2       1 MiB     116.7   0.5      1
//!   L3       32 MiB    62.2    1.7      2
//!   memory             32.8    9.0      2
//! ```

use super::cuda::{Chip, Gpu};
use super::x86::{Description, Processor, Rates, ReadRate};
use std::fmt;

/// What predicted times depend on.
#[derive(Clone, Debug, PartialEq)]
pub struct MachineTable {
    /// The processor or chip.
    pub name: String,
    /// Cores that run concurrently, or multiprocessors.
    pub cores: i64,
    /// The width of a vector register, or of the registers of a warp, in bits.
    pub vector_bits: i64,
    /// Vector registers of a core, or registers of 32 bits of a thread.
    pub registers: i64,
    /// True if a multiplication and an addition are one operation.
    pub has_fma: bool,
    /// Vector operations that a core starts in a nanosecond.
    pub vectors_per_ns: f64,
    /// Instructions of any kind that a core starts in a nanosecond.
    pub instructions_per_ns: f64,
    /// The time from the start of an addition until its result can be added to, in ns.
    pub add_latency_ns: f64,
    /// Memory, innermost level first. The last level has no limit of capacity.
    pub levels: Vec<MemoryLevel>,
    /// The time until all cores work on a parallel loop soon after another one, or the time to launch a kernel, in ns.
    pub start_up_ns: f64,
    /// What only GPUs have.
    pub gpu: Option<GpuTable>,
}

/// A memory level.
#[derive(Clone, Debug, PartialEq)]
pub struct MemoryLevel {
    /// The name, such as `L1`.
    pub name: &'static str,
    /// `None` for the last level.
    pub bytes: Option<i64>,
    /// The rate at which one core reads from it, in 10^9 bytes a second.
    pub gb_per_s: f64,
    /// The time that a core waits for what was not fetched ahead, in ns. On a processor: for each cache line, while others are on their
    /// way. On a GPU: until the first byte arrives, which limits the rate of kernels with few threads.
    pub wait_ns: f64,
    /// The number of cores that share it.
    pub sharers: i64,
}

/// What only GPUs have.
#[derive(Clone, Debug, PartialEq)]
pub struct GpuTable {
    /// Threads of a warp.
    pub lanes: i64,
    /// Threads that a multiprocessor holds.
    pub resident_threads: i64,
    /// Thread blocks that a multiprocessor holds.
    pub resident_blocks: i64,
    /// Shared memory of a multiprocessor in bytes.
    pub shared_bytes: i64,
    /// The rate at which one multiprocessor accesses its shared memory, in 10^9 bytes a second.
    pub shared_gb_per_s: f64,
    /// Bytes that are read from memory together: a sector.
    pub sector_bytes: i64,
}

/// The clock that is assumed if rates were not measured.
pub const NOMINAL_GHZ: f64 = 3.0;

/// Cycles from the start of an addition of floats until its result: on all x86 processors since 2013, and on GPUs, 4.
const ADD_CYCLES: f64 = 4.0;

/// Vector operations that begin in a cycle where that was not measured: two units.
const VECTORS_PER_CYCLE: f64 = 2.0;

/// Instructions that begin in a cycle: x86 processors since 2013 have at least this width.
const INSTRUCTIONS_PER_CYCLE: f64 = 4.0;

/// Typical bytes that arrive in a cycle from L1 for each byte of a vector register, and from the others.
const L1_VECTORS_PER_CYCLE: f64 = 2.0;
const L2_BYTES_PER_CYCLE: f64 = 32.0;
pub(crate) const L3_BYTES_PER_CYCLE: f64 = 16.0;
pub(crate) const MEMORY_BYTES_PER_CYCLE: f64 = 8.0;

/// Typical cycles until a first byte arrives from L1, L2 and L3; and the ns until one arrives from memory.
const CACHE_LATENCY_CYCLES: [f64; 3] = [5.0, 14.0, 50.0];
const MEMORY_LATENCY_NS: f64 = 90.0;

/// Misses that a core waits for at the same time: processors since 2008 have 10 line fill buffers or more.
const MISSES: f64 = 10.0;

/// About the time to wake a thread: some system calls and a reschedule.
pub const WAKE_NS: f64 = 20_000.0;

/// About the time until all cores work on a parallel loop soon after another one, when no thread sleeps yet: lines that cores write
/// have to reach others a few times.
const JOIN_NS: f64 = 1_500.0;

/// The bits of an f32, of which the measured rate of multiply-adds is.
const F32_BITS: f64 = 32.0;

/// Typical bytes that a core reads in a cycle from the innermost of L2, L3 and memory that holds this many bytes. `caches` are the
/// capacities of L2 and L3.
pub(crate) fn bytes_per_cycle(caches: [i64; 2], held: f64) -> f64 {
    match caches.map(|bytes| held <= bytes as f64) {
        [true, _] => L2_BYTES_PER_CYCLE,
        [_, true] => L3_BYTES_PER_CYCLE,
        _ => MEMORY_BYTES_PER_CYCLE,
    }
}

impl MachineTable {
    /// The table of a processor. `described` is what was measured on it, if that is known.
    pub fn of_processor(
        name: &str,
        processor: &Processor,
        described: Option<&Description>,
    ) -> MachineTable {
        let bits = f64::from(processor.vectors.bits);
        let rates = described.and_then(|described| described.rates.as_ref());
        let measured = rates.map(|rates| {
            // A multiply-add is two operations on each lane.
            rates.multiply_add.one_core_gflop_per_s / 2.0 / (bits / F32_BITS)
        });
        let vectors_per_ns =
            measured.filter(|rate| *rate > 0.0).unwrap_or(VECTORS_PER_CYCLE * NOMINAL_GHZ);
        let ghz = NOMINAL_GHZ;
        let caches = processor.caches;
        let typical = [
            L1_VECTORS_PER_CYCLE * bits / 8.0,
            L2_BYTES_PER_CYCLE,
            L3_BYTES_PER_CYCLE,
            MEMORY_BYTES_PER_CYCLE,
        ];
        let rate = |level: usize, capacity: u64| {
            let read = rates.and_then(|rates| level_read(rates, level, capacity));
            let measured = read.map(|read| read.gb_per_s).filter(|rate| *rate > 0.0);
            measured.unwrap_or(typical[level] * ghz)
        };
        let measured_wait = |level: usize, capacity: u64| {
            let read = rates.and_then(|rates| level_read(rates, level, capacity))?;
            read.scattered_line_ns.filter(|ns| *ns > 0.0)
        };
        let cores = i64::try_from(processor.cores).unwrap_or(1).max(1);
        let level = |level: usize, name, bytes: Option<u64>, sharers| MemoryLevel {
            name,
            bytes: bytes.map(|bytes| i64::try_from(bytes).unwrap_or(i64::MAX)),
            gb_per_s: rate(level, bytes.unwrap_or(u64::MAX)),
            wait_ns: measured_wait(level, bytes.unwrap_or(u64::MAX)).unwrap_or_else(|| {
                let cycles = CACHE_LATENCY_CYCLES.get(level);
                cycles.map_or(MEMORY_LATENCY_NS, |cycles| cycles / ghz) / MISSES
            }),
            sharers,
        };
        MachineTable {
            name: name.to_owned(),
            cores,
            vector_bits: i64::from(processor.vectors.bits),
            registers: i64::from(processor.vectors.registers),
            has_fma: processor.vectors.has_fma,
            vectors_per_ns,
            instructions_per_ns: INSTRUCTIONS_PER_CYCLE * ghz,
            add_latency_ns: ADD_CYCLES / ghz,
            levels: vec![
                level(0, "L1", Some(caches.l1), 1),
                level(1, "L2", Some(caches.l2), 1),
                level(2, "L3", Some(caches.l3.min(processor.streaming_from)), cores),
                level(3, "memory", None, cores),
            ],
            start_up_ns: JOIN_NS,
            gpu: None,
        }
    }

    /// The table of a GPU.
    pub fn of_gpu(gpu: &Gpu) -> MachineTable {
        let Chip { name, multiprocessors, shared, rates, .. } = gpu.chip;
        let cores = multiprocessors as f64;
        // An f32 lane each.
        let warps_per_ns = rates.lanes_per_cycle / gpu.lanes as f64 * rates.ghz;
        let level = |name, bytes, gb_per_s: f64, wait_ns, sharers| MemoryLevel {
            name,
            bytes,
            gb_per_s,
            wait_ns,
            sharers,
        };
        MachineTable {
            name: name.to_owned(),
            cores: multiprocessors,
            vector_bits: gpu.lanes * 32,
            registers: 255,
            has_fma: true,
            vectors_per_ns: warps_per_ns,
            // One instruction a cycle for each of the four schedulers.
            instructions_per_ns: 4.0 * rates.ghz,
            add_latency_ns: ADD_CYCLES / rates.ghz,
            levels: vec![
                level(
                    "L2",
                    Some(rates.l2_bytes),
                    rates.l2_gb_per_s / cores,
                    150.0,
                    multiprocessors,
                ),
                level("memory", None, rates.memory_gb_per_s / cores, 400.0, multiprocessors),
            ],
            start_up_ns: 3_000.0,
            gpu: Some(GpuTable {
                lanes: gpu.lanes,
                resident_threads: rates.resident_threads,
                resident_blocks: rates.resident_blocks,
                shared_bytes: shared + 1024,
                shared_gb_per_s: 128.0 * rates.ghz,
                sector_bytes: 32,
            }),
        }
    }
}

/// What was measured of reading from a level: of an array of half its capacity.
fn level_read(rates: &Rates, level: usize, capacity: u64) -> Option<&ReadRate> {
    match level {
        3 => rates.reads.last(),
        _ => rates.reads.iter().rfind(|read| read.bytes <= capacity / 2),
    }
}

/// A time in a readable unit, with three digits.
pub fn duration(ns: f64) -> String {
    let (value, unit) = match ns {
        ns if ns < 1e3 => (ns, "ns"),
        ns if ns < 1e6 => (ns / 1e3, "us"),
        ns => (ns / 1e6, "ms"),
    };
    let digits = if value < 10.0 { 2 } else { usize::from(value < 100.0) };
    format!("{value:.digits$} {unit}")
}

/// A number of bytes in the largest unit that divides it.
fn size(bytes: i64) -> String {
    match bytes {
        bytes if bytes >= 1 << 20 && bytes % (1 << 20) == 0 => format!("{} MiB", bytes >> 20),
        bytes => format!("{} KiB", bytes >> 10),
    }
}

impl fmt::Display for MachineTable {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let MachineTable { name, cores, vectors_per_ns, vector_bits, .. } = self;
        let core = if self.gpu.is_some() { "multiprocessors" } else { "cores" };
        writeln!(
            f,
            "{name}: {cores} {core}, {vectors_per_ns:.2} vectors of {vector_bits} bits a ns"
        )?;
        writeln!(f, "  level    capacity  GB/s    wait ns  shared by")?;
        for level in &self.levels {
            let capacity = level.bytes.map(size).unwrap_or_default();
            let MemoryLevel { name, gb_per_s, wait_ns, sharers, .. } = level;
            writeln!(f, "  {name:<8} {capacity:<9} {gb_per_s:<7.1} {wait_ns:<8.1} {sharers}")?;
        }
        match &self.gpu {
            None => Ok(()),
            Some(gpu) => writeln!(
                f,
                "  a multiprocessor has {} threads, {} thread blocks, {} of shared memory at {:.1} GB/s",
                gpu.resident_threads,
                gpu.resident_blocks,
                size(gpu.shared_bytes),
                gpu.shared_gb_per_s
            ),
        }
    }
}
