//! CUDA GPUs: their limits, and the known architectures.

use crate::dialect::loop_enums::ThreadAxis;

/// The limits on threads and memory of a GPU.
#[derive(Clone, Copy, Debug)]
pub struct ThreadLimits {
    /// Thread blocks of a grid in x, y and z.
    pub grid: [i64; 3],
    /// Threads of a thread block in x, y and z.
    pub block: [i64; 3],
    /// Threads of a thread block in total.
    pub threads: i64,
    /// Shared memory of a thread block in bytes.
    pub shared: i64,
    /// Local memory of a thread in bytes.
    pub local: i64,
    /// The widest access of a thread in bits.
    pub vector_bits: i64,
}

/// Bytes of shared memory that a kernel may declare statically. The launch must request more.
pub const STATIC_SHARED: i64 = 48 * 1024;

/// The most bytes of shared memory that a thread block has on any device: the limit if the device is unknown.
pub const MAX_SHARED_BYTES: i64 = 227 * 1024;

/// The limits that hold on all CUDA devices from compute capability 3.0 on.
pub const CUDA: ThreadLimits = ThreadLimits {
    grid: [2_147_483_647, 65_535, 65_535],
    block: [1024, 1024, 64],
    threads: 1024,
    shared: STATIC_SHARED,
    local: 512 * 1024,
    vector_bits: 128,
};

impl ThreadLimits {
    /// The limit of an axis; `None` if there is none.
    pub fn of(&self, axis: ThreadAxis) -> Option<i64> {
        match axis {
            ThreadAxis::BlockX => Some(self.grid[0]),
            ThreadAxis::BlockY => Some(self.grid[1]),
            ThreadAxis::BlockZ => Some(self.grid[2]),
            ThreadAxis::ThreadX => Some(self.block[0]),
            ThreadAxis::ThreadY => Some(self.block[1]),
            ThreadAxis::ThreadZ => Some(self.block[2]),
            ThreadAxis::VThread => None,
        }
    }
}

/// The properties of a GPU that default schedules depend on.
#[derive(Clone, Debug)]
pub struct Gpu {
    /// The architecture.
    pub chip: Chip,
    /// The limits on threads and shared memory.
    pub limits: ThreadLimits,
    /// Bytes of shared memory of a thread block that all devices running PTX for this architecture have: later
    /// devices may have less than the architecture itself.
    pub everywhere: i64,
    /// The number of multiprocessors; each runs several thread blocks concurrently.
    pub multiprocessors: i64,
    /// The number of threads of a warp.
    pub lanes: i64,
    /// The default number of threads of a thread block: several warps, so that some compute while others wait
    /// for memory, but few enough that several blocks fit on a multiprocessor.
    pub threads: i64,
}

/// An architecture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chip {
    /// The name, such as `sm_80`.
    pub name: &'static str,
    /// The number of multiprocessors of its largest device.
    pub multiprocessors: i64,
    /// Shared memory that a thread block can have, in bytes. A multiprocessor has 1024 bytes more: CUDA's
    /// programming guide, table of technical specifications.
    pub shared: i64,
    /// The rates of its largest device.
    pub rates: ChipRates,
}

/// The rates of an architecture's largest device, for predicted times.
///
/// Sources: NVIDIA's architecture white papers and data sheets (A100 40 GB, RTX A6000, Jetson AGX Orin, L40S, H100 SXM);
/// resident threads and blocks: CUDA's programming guide, table of technical specifications. The rate of the L2 cache is
/// 64 bytes a cycle for each two multiprocessors, which measurements of others confirm within a third.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChipRates {
    /// The boost clock.
    pub ghz: f64,
    /// Operations on f32 that a multiprocessor starts in a cycle.
    pub lanes_per_cycle: f64,
    /// The rate of the device memory, in 10^9 bytes a second.
    pub memory_gb_per_s: f64,
    /// The size of the L2 cache, in bytes.
    pub l2_bytes: i64,
    /// The rate of the L2 cache, in 10^9 bytes a second.
    pub l2_gb_per_s: f64,
    /// Threads that a multiprocessor holds.
    pub resident_threads: i64,
    /// Thread blocks that a multiprocessor holds.
    pub resident_blocks: i64,
}

/// The default architecture: PTX for it runs on all later devices.
pub const DEFAULT_CHIP: &str = "sm_80";

/// The architectures that PTX 8.0 and `ptxas` support, ordered by compute capability.
pub const CHIPS: &[Chip] = &[
    chip("sm_80", [108, 163], 1.41, 64.0, [1555.0, 40.0], [2048, 32]),
    chip("sm_86", [84, 99], 1.80, 128.0, [768.0, 6.0], [1536, 16]),
    chip("sm_87", [16, 163], 1.30, 128.0, [204.8, 4.0], [1536, 16]),
    chip("sm_89", [142, 99], 2.52, 128.0, [864.0, 96.0], [1536, 24]),
    chip("sm_90", [132, 227], 1.83, 128.0, [3350.0, 50.0], [2048, 32]),
    chip("sm_90a", [132, 227], 1.83, 128.0, [3350.0, 50.0], [2048, 32]),
];

/// Multiprocessors and KiB of shared memory; GHz; f32 lanes; GB/s of memory and MiB of L2; threads and thread blocks of a
/// multiprocessor.
const fn chip(
    name: &'static str,
    [multiprocessors, kibibytes]: [i64; 2],
    ghz: f64,
    lanes_per_cycle: f64,
    [memory_gb_per_s, l2_mebibytes]: [f64; 2],
    [resident_threads, resident_blocks]: [i64; 2],
) -> Chip {
    let rates = ChipRates {
        ghz,
        lanes_per_cycle,
        memory_gb_per_s,
        l2_bytes: (l2_mebibytes as i64) << 20,
        l2_gb_per_s: 32.0 * ghz * multiprocessors as f64,
        resident_threads,
        resident_blocks,
    };
    Chip { name, multiprocessors, shared: kibibytes * 1024, rates }
}

impl Chip {
    /// The architecture with a name.
    ///
    /// # Errors
    /// What was found and what was expected, as a predicate to follow the name of an op.
    pub fn named(name: &str) -> Result<Chip, String> {
        let found = CHIPS.iter().copied().find(|chip| chip.name == name);
        found.ok_or_else(|| format!("is given chip {name}, expected one of {}", chips()))
    }

    /// The limits of its devices.
    pub fn limits(&self) -> ThreadLimits {
        ThreadLimits { shared: self.shared, ..CUDA }
    }
}

impl Gpu {
    /// The GPU model of an architecture.
    ///
    /// # Errors
    /// What was found and what was expected, as a predicate to follow the name of an op.
    pub fn named(chip: &str) -> Result<Gpu, String> {
        let chip = Chip::named(chip)?;
        let (limits, multiprocessors) = (chip.limits(), chip.multiprocessors);
        let later = CHIPS.iter().skip_while(|it| it.name != chip.name).map(|it| it.shared);
        let everywhere = later.min().unwrap_or(limits.shared);
        Ok(Gpu { chip, limits, everywhere, multiprocessors, lanes: 32, threads: 256 })
    }

    /// The most elements of this size that one access of a thread covers.
    pub fn vector(&self, element_bytes: i64) -> i64 {
        (self.limits.vector_bits / 8 / element_bytes).max(1)
    }
}

/// The names of all architectures, as a list.
pub fn chips() -> String {
    CHIPS.iter().map(|chip| chip.name).collect::<Vec<_>>().join(", ")
}
