//! Functions whose nests are kernels of a GPU: programs that launch them, and devices that run those.
//!
//! ```text
//! Bundle { Program, .. } ─ choose(device) ─► Program { ptx, functions }
//! Executable::load(program, device) ─ prepare("main", arguments) ─► Call: run(), run(), ..., results(arguments)
//!
//! Device: Cuda, one GPU by NVIDIA's driver; Emulator, on the cpu
//! ```
//! What is asked of arguments is as for kernels of this machine ([`CallError`]).

mod bundle;
mod cuda;
mod emulator;
mod execute;
pub mod program;

pub use bundle::{Bundle, BundleError};
pub use cuda::Cuda;
pub use emulator::Emulator;
pub use execute::{Call, Executable};
pub use program::Program;
pub use ptx_emulator::{Profile, counters::Counters};

use crate::kernel::CallError;
use std::time::Duration;

/// Why a device does not do what is asked of it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GpuError {
    #[error("there is no driver for GPUs of NVIDIA (libcuda.so.1) on this machine")]
    NoDriver,
    #[error("there is no device cuda:{ordinal}: the driver has {count}, counted from 0")]
    NoDevice { ordinal: usize, count: usize },
    /// The driver, or the emulator, refuses something.
    #[error("{what}: {reason}")]
    Device { what: String, reason: String },
    /// With what its compiler says of the PTX.
    #[error("the device does not take the PTX for {chip}: {reason}")]
    Load { chip: String, reason: String },
    /// It is not what a compiler makes.
    #[error("the program for {chip} is not valid: {reason}")]
    Program { chip: String, reason: String },
    #[error("there is no function '{0}' in the program")]
    NoFunction(String),
    #[error(transparent)]
    Call(#[from] CallError),
    #[error(
        "{kernel} needs a grid of {grid:?} thread blocks, expected each from 1 to {MOST_BLOCKS:?}"
    )]
    Grid { kernel: String, grid: [i64; 3] },
    #[error("{function}: a buffer of {sizes:?} elements does not fit in memory")]
    Sizes { function: String, sizes: Vec<i64> },
}

/// What a grid may have along x, y and z.
pub const MOST_BLOCKS: [i64; 3] = [2_147_483_647, 65_535, 65_535];

/// The most bytes of memory that a thread block has on any device.
pub const MOST_SHARED: u32 = 227 << 10;

/// Something that runs kernels. What is asked of it is done in order.
pub trait Device {
    /// Such as `cuda:0 (NVIDIA H200)`.
    fn name(&self) -> String;

    /// The compute capability, such as (9, 0).
    fn capability(&self) -> (u32, u32);

    /// Takes the text of a PTX module for a chip.
    ///
    /// # Errors
    /// [`GpuError::Load`].
    fn load(&self, chip: &str, ptx: &str) -> Result<Box<dyn Code>, GpuError>;

    /// Memory of so many bytes; what it holds is undefined.
    ///
    /// # Errors
    /// If there is not as much.
    fn allocate(&self, bytes: usize) -> Result<Box<dyn Memory>, GpuError>;

    /// What is known of the launches since this was asked before: the name of each kernel, and a table.
    fn take_profiles(&self) -> Vec<(String, String)>;

    /// Waits until all is done.
    ///
    /// # Errors
    /// That of the first kernel that failed.
    fn finish(&self) -> Result<(), GpuError>;

    /// Does what `launches` asks of the device, and remembers it, so that it can be asked for at once. None if the
    /// device has no such thing.
    ///
    /// # Errors
    /// Those of `launches`, and of the device.
    fn record(
        &self,
        launches: &mut dyn FnMut() -> Result<(), GpuError>,
    ) -> Result<Option<Box<dyn Replay>>, GpuError>;

    /// Does what `launches` asks of the device; how long the device took.
    ///
    /// # Errors
    /// Those of `launches`, and of the device.
    fn time(
        &self,
        launches: &mut dyn FnMut() -> Result<(), GpuError>,
    ) -> Result<Duration, GpuError>;
}

/// A PTX module that a device has taken.
pub trait Code {
    /// Puts a kernel behind what was asked for before.
    ///
    /// # Errors
    /// If there is no such kernel, or the device cannot start it.
    fn launch(&self, launch: &Launch) -> Result<(), GpuError>;
}

/// Memory of a device.
pub trait Memory {
    /// As kernels see it.
    fn address(&self) -> u64;

    /// Copies bytes to its beginning.
    ///
    /// # Errors
    /// That of the device.
    fn write(&mut self, bytes: &[u8]) -> Result<(), GpuError>;

    /// Copies bytes from its beginning, when all is done that was asked for before.
    ///
    /// # Errors
    /// That of the device, or of a kernel before.
    fn read(&self, bytes: &mut [u8]) -> Result<(), GpuError>;
}

/// Launches that are asked for at once.
pub trait Replay {
    /// Asks for them again.
    ///
    /// # Errors
    /// That of the device.
    fn run(&self) -> Result<(), GpuError>;
}

/// A kernel, its threads, and what it gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch<'a> {
    pub kernel: &'a str,
    /// Thread blocks along x, y and z.
    pub grid: [u32; 3],
    /// Threads of a block.
    pub block: [u32; 3],
    /// Bytes of memory of a thread block, besides what the kernel declares.
    pub shared: u32,
    /// The bytes of each parameter, little-endian: an address, or a number of up to 8 bytes.
    pub arguments: Vec<Vec<u8>>,
}
