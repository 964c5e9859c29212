//! Programs that launch GPU kernels, and the devices that run those kernels.
//!
//! ```text
//! Bundle { Program, .. } ─ choose(device) ─► Program { ptx, functions }
//! Executable::load(program, device) ─ prepare("main", arguments) ─► Call: run(), run(), ..., results(arguments)
//!
//! Device: Cuda, one GPU by NVIDIA's driver; Emulator, on the cpu
//! ```
//! Arguments are checked as for kernels of this machine ([`CallError`]).

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
use std::any::Any;
use std::time::Duration;

/// Why a device cannot do an operation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GpuError {
    /// The driver library cannot be loaded.
    #[error("there is no driver for NVIDIA GPUs (libcuda.so.1) on this machine")]
    NoDriver,
    /// The driver has no GPU of this number.
    #[error("there is no device cuda:{ordinal}: the driver has {count}, numbered from 0")]
    NoDevice {
        /// The number that was asked for, from 0.
        ordinal: usize,
        /// The number of GPUs.
        count: usize,
    },
    /// The driver or the emulator rejects an operation.
    #[error("{what}: {reason}")]
    Device {
        /// The operation, such as a kernel's name or "an allocation".
        what: String,
        /// The message of the driver or emulator.
        reason: String,
    },
    /// The PTX does not compile; the reason is the compiler's log.
    #[error("the device rejects the PTX for {chip}: {reason}")]
    Load {
        /// The chip that the PTX is for.
        chip: String,
        /// The log.
        reason: String,
    },
    /// The program is not valid.
    #[error("the program for {chip} is not valid: {reason}")]
    Program {
        /// The chip that the program is for.
        chip: String,
        /// The first violated condition.
        reason: String,
    },
    /// The program has no function of this name.
    #[error("there is no function '{0}' in the program")]
    NoFunction(String),
    /// The arguments do not match the signature of the function.
    #[error(transparent)]
    Call(#[from] CallError),
    /// A launch has too many thread blocks, or none.
    #[error(
        "{kernel} needs a grid of {grid:?} thread blocks, expected each from 1 to {MOST_BLOCKS:?}"
    )]
    Grid {
        /// The name of the kernel.
        kernel: String,
        /// The number of thread blocks along x, y and z.
        grid: [i64; 3],
    },
    /// A copy from the device whose bytes from `first` on have `undefined` bytes without a value.
    #[error("a copy from the device: {undefined} bytes are undefined, first byte {first}")]
    UndefinedBytes {
        /// The position of the first undefined byte in the copy, from 0.
        first: u64,
        /// The number of undefined bytes.
        undefined: u64,
    },
    /// Arguments count from 0. `undefined` is the number of bytes without a value.
    #[error(
        "{function}: argument {argument} receives a result that is undefined at {index:?}, and in {undefined} bytes in \
         all: no kernel has written a defined value there"
    )]
    UndefinedResult {
        /// The name of the function.
        function: String,
        /// The position of the argument, from 0.
        argument: usize,
        /// The index of the first undefined element.
        index: Vec<usize>,
        /// The number of undefined bytes.
        undefined: u64,
    },
    /// A function allocates a buffer that is too large, or whose size is negative.
    #[error("{function}: a buffer of {sizes:?} elements does not fit in memory")]
    Sizes {
        /// The name of the function.
        function: String,
        /// The sizes of the buffer.
        sizes: Vec<i64>,
    },
}

/// The maximum number of thread blocks of a grid along x, y and z.
pub const MOST_BLOCKS: [i64; 3] = [2_147_483_647, 65_535, 65_535];

/// The maximum number of bytes of shared memory of a thread block on any device.
pub const MOST_SHARED: u32 = 227 << 10;

/// A device that runs kernels. Operations run in the order in which they are submitted.
pub trait Device {
    /// The device's name, such as `cuda:0 (NVIDIA H200)`.
    fn name(&self) -> String;

    /// The compute capability, such as (9, 0).
    fn capability(&self) -> (u32, u32);

    /// Loads the text of a PTX module for a chip.
    ///
    /// # Errors
    /// [`GpuError::Load`].
    fn load(&self, chip: &str, ptx: &str) -> Result<Box<dyn Code>, GpuError>;

    /// Allocates `bytes` bytes of memory with undefined contents.
    ///
    /// # Errors
    /// If the device has too little memory.
    fn allocate(&self, bytes: usize) -> Result<Box<dyn Memory>, GpuError>;

    /// The profiles of the launches since the last call of this function: the name of each kernel, and a table.
    fn take_profiles(&self) -> Vec<(String, String)>;

    /// Waits until all submitted work is done.
    ///
    /// # Errors
    /// The error of the first kernel that failed.
    fn finish(&self) -> Result<(), GpuError>;

    /// Runs `launches` and records the device operations that it submits, so that they can be replayed with one
    /// request. `None` if the device does not support this.
    ///
    /// # Errors
    /// The errors of `launches` and of the device.
    fn record(
        &self,
        launches: &mut dyn FnMut() -> Result<(), GpuError>,
    ) -> Result<Option<Box<dyn Replay>>, GpuError>;

    /// Runs `launches` and returns how long the device took for the operations that it submits.
    ///
    /// # Errors
    /// The errors of `launches` and of the device.
    fn time(
        &self,
        launches: &mut dyn FnMut() -> Result<(), GpuError>,
    ) -> Result<Duration, GpuError>;
}

/// A PTX module that a device has loaded.
pub trait Code {
    /// Submits a kernel, to run after all work that was submitted before.
    ///
    /// # Errors
    /// If there is no such kernel, or the device cannot start it.
    fn launch(&self, launch: &Launch) -> Result<(), GpuError>;
}

/// Memory of a device.
pub trait Memory: Any {
    /// The address in the address space of kernels.
    fn address(&self) -> u64;

    /// Copies bytes to the beginning of this memory.
    ///
    /// # Errors
    /// The error of the device.
    fn write(&mut self, bytes: &[u8]) -> Result<(), GpuError>;

    /// Copies the first `bytes` bytes of other memory of the same device to the beginning of this one, after all work that
    /// was submitted before.
    ///
    /// # Errors
    /// The error of the device; if the other memory is of another kind of device.
    fn copy_from(&mut self, other: &dyn Memory, bytes: usize) -> Result<(), GpuError>;

    /// Copies bytes from the beginning of this memory, after all work that was submitted before.
    ///
    /// # Errors
    /// The error of the device, or of an earlier kernel; [`GpuError::UndefinedBytes`] if the device finds out that bytes
    /// have no value.
    fn read(&self, bytes: &mut [u8]) -> Result<(), GpuError>;
}

/// Recorded launches that can be submitted with one request.
pub trait Replay {
    /// Submits them again.
    ///
    /// # Errors
    /// The error of the device.
    fn run(&self) -> Result<(), GpuError>;
}

/// A kernel, its grid and its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch<'a> {
    /// The name of the kernel in the PTX module.
    pub kernel: &'a str,
    /// The number of thread blocks along x, y and z.
    pub grid: [u32; 3],
    /// The number of threads of a block along x, y and z.
    pub block: [u32; 3],
    /// Bytes of shared memory of a thread block, in addition to what the kernel declares.
    pub shared: u32,
    /// The bytes of each parameter, little-endian: an address, or a number of up to 8 bytes.
    pub arguments: Vec<Vec<u8>>,
}

/// Other memory, as that of the device that copies from it.
fn same_device<M: Memory>(memory: &dyn Memory) -> Result<&M, GpuError> {
    let memory: &dyn Any = memory;
    memory.downcast_ref().ok_or_else(|| GpuError::Device {
        what: "a copy on the device".to_owned(),
        reason: "the memory is that of another device".to_owned(),
    })
}
