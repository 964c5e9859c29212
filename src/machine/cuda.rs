//! What GPUs can do, and which there are.

use crate::dialect::loop_enums::ThreadAxis;

/// The limits of the threads of a GPU.
#[derive(Clone, Copy, Debug)]
pub struct ThreadLimits {
    /// Thread blocks in x, y and z.
    pub grid: [i64; 3],
    /// Threads of a block in x, y and z.
    pub block: [i64; 3],
    /// Threads of a block in all.
    pub threads: i64,
    /// Bytes of a block's memory.
    pub shared: i64,
    /// Bytes of memory that a thread can have for itself.
    pub local: i64,
    /// The widest access of a thread.
    pub vector_bits: i64,
}

/// Bytes of a block's memory that a kernel may declare. What is beyond is asked for by the launch.
pub const STATIC_SHARED: i64 = 48 * 1024;

/// The most bytes of a block's memory on any device: what there is who does not know the device.
pub const MOST_SHARED: i64 = 227 * 1024;

/// What all CUDA devices from compute capability 3.0 on have.
pub const CUDA: ThreadLimits = ThreadLimits {
    grid: [2_147_483_647, 65_535, 65_535],
    block: [1024, 1024, 64],
    threads: 1024,
    shared: STATIC_SHARED,
    local: 512 * 1024,
    vector_bits: 128,
};

impl ThreadLimits {
    /// How far an axis may go; `None`: as far as one likes.
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

/// A GPU, as far as default schedules must know it.
#[derive(Clone, Debug)]
pub struct Gpu {
    pub limits: ThreadLimits,
    /// Bytes of a block's memory on all devices that take PTX for the architecture: later ones may have less.
    pub everywhere: i64,
    /// Each runs some thread blocks at a time.
    pub multiprocessors: i64,
    /// The threads of a warp.
    pub lanes: i64,
    /// The threads of a block where nothing speaks for another number: some warps, so that one computes while others
    /// wait for memory, and so few that several blocks fit on a multiprocessor.
    pub threads: i64,
}

/// An architecture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chip {
    pub name: &'static str,
    /// Of the largest device.
    pub multiprocessors: i64,
    /// Bytes of memory that a thread block can have, of which a multiprocessor has 1024 more: CUDA's programming guide,
    /// table of technical specifications.
    pub shared: i64,
}

/// The architecture without a wish: PTX for it runs on all later devices.
pub const DEFAULT_CHIP: &str = "sm_80";

/// The architectures that PTX 8.0 and `ptxas` know, in the order of compute capabilities.
pub const CHIPS: &[Chip] = &[
    chip("sm_80", 108, 163),
    chip("sm_86", 84, 99),
    chip("sm_87", 16, 163),
    chip("sm_89", 142, 99),
    chip("sm_90", 132, 227),
    chip("sm_90a", 132, 227),
];

const fn chip(name: &'static str, multiprocessors: i64, kibibytes: i64) -> Chip {
    Chip { name, multiprocessors, shared: kibibytes * 1024 }
}

impl Chip {
    /// The architecture of a name.
    ///
    /// # Errors
    /// What was found and what was expected, as it follows the name of an op.
    pub fn named(name: &str) -> Result<Chip, String> {
        let found = CHIPS.iter().copied().find(|chip| chip.name == name);
        found.ok_or_else(|| format!("is given chip {name}, expected one of {}", chips()))
    }

    /// What its devices have.
    pub fn limits(&self) -> ThreadLimits {
        ThreadLimits { shared: self.shared, ..CUDA }
    }
}

impl Gpu {
    /// The GPU of an architecture.
    ///
    /// # Errors
    /// What was found and what was expected, as it follows the name of an op.
    pub fn named(chip: &str) -> Result<Gpu, String> {
        let chip = Chip::named(chip)?;
        let (limits, multiprocessors) = (chip.limits(), chip.multiprocessors);
        let later = CHIPS.iter().skip_while(|it| it.name != chip.name).map(|it| it.shared);
        let everywhere = later.min().unwrap_or(limits.shared);
        Ok(Gpu { limits, everywhere, multiprocessors, lanes: 32, threads: 256 })
    }

    /// The elements of so many bytes that an access of a thread has at most.
    pub fn vector(&self, element_bytes: i64) -> i64 {
        (self.limits.vector_bits / 8 / element_bytes).max(1)
    }
}

/// The names of all architectures, as a list.
pub fn chips() -> String {
    CHIPS.iter().map(|chip| chip.name).collect::<Vec<_>>().join(", ")
}
