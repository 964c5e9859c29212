//! Kernel launches: validation, execution of the blocks on the host's cores, and the profile.

use crate::block::{self, Stop, Worker};
use crate::counters::Counters;
use crate::decode::SHARED_START;
use crate::fault::{Fault, Index, SourceLocation};
use crate::memory::Memory;
use crate::module::Kernel;
use crate::occupancy::{self, Occupancy};
use crate::program::Program;
use crate::race::grid::GridShadow;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The maximum number of threads of a block.
pub const MAX_THREADS: u32 = 1024;

/// Block numbers must fit in the race check's cells.
const MAX_BLOCKS: u64 = 1 << 29;

/// The grid of a launch, and how the emulator runs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaunchConfig {
    /// The number of blocks along x, y and z.
    pub grid: [u32; 3],
    /// The number of threads of a block along x, y and z.
    pub block: [u32; 3],
    /// Shared memory of a block in bytes, in addition to what the kernel declares.
    pub dynamic_shared: u32,
    /// Determines the order in which warps run.
    pub seed: u64,
    /// The number of host threads; `None` for one per core.
    pub host_threads: Option<NonZeroUsize>,
    /// If a warp runs more instructions than this, that is a fault, so that an endless loop ends.
    pub max_instructions: u64,
    /// Registers of a thread as an assembler reports them, for the occupancy; `None` for an estimate.
    pub registers: Option<u32>,
}

impl Default for LaunchConfig {
    fn default() -> LaunchConfig {
        LaunchConfig {
            grid: [1; 3],
            block: [1; 3],
            dynamic_shared: 0,
            seed: 0,
            host_threads: None,
            max_instructions: 1 << 32,
            registers: None,
        }
    }
}

/// The bytes of a kernel's argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument(Vec<u8>);

impl Argument {
    /// A value of any type, as its bytes in memory.
    pub fn bytes(bytes: &[u8]) -> Argument {
        Argument(bytes.to_vec())
    }
}

macro_rules! arguments {
    ($($ty:ty)*) => {
        $(impl From<$ty> for Argument {
            fn from(value: $ty) -> Argument {
                Argument(value.to_le_bytes().to_vec())
            }
        })*
    };
}

arguments!(u8 i8 u16 i16 u32 i32 u64 i64 f32 f64 half::f16 half::bf16);

/// Why a launch is refused, or ends early.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LaunchError {
    /// A fault of the kernel.
    #[error(transparent)]
    Fault(Box<Fault>),
    /// The number of arguments is wrong.
    #[error("kernel {kernel} takes {expected} arguments, found {found}")]
    ArgumentCount {
        /// The name of the kernel.
        kernel: String,
        /// The number of its parameters.
        expected: usize,
        /// The number of arguments.
        found: usize,
    },
    /// The size of an argument is wrong.
    #[error("parameter {parameter} of kernel {kernel} has {expected} bytes, the argument {found}")]
    ArgumentSize {
        /// The name of the kernel.
        kernel: String,
        /// The name of the parameter.
        parameter: String,
        /// Its size in bytes.
        expected: u32,
        /// The size of the argument in bytes.
        found: usize,
    },
    /// The grid has too many blocks, or none.
    #[error(
        "a grid of {grid:?} blocks is not possible, expected from 1 to (2147483647, 65535, 65535)"
    )]
    Grid {
        /// The number of blocks along x, y and z.
        grid: [u32; 3],
    },
    /// The block has too many threads, or none.
    #[error(
        "a block of {block:?} threads is not possible, expected from 1 to (1024, 1024, 64), and at most \
         1024 in all"
    )]
    Block {
        /// The number of threads along x, y and z.
        block: [u32; 3],
    },
    /// The block has more threads than `.maxntid` permits.
    #[error("kernel {kernel} is compiled for at most {expected} threads in a block, found {found}")]
    MaxThreads {
        /// The name of the kernel.
        kernel: String,
        /// The maximum.
        expected: u32,
        /// The number of threads of the block.
        found: u32,
    },
    /// The block is not the one that `.reqntid` requires.
    #[error("kernel {kernel} is compiled for blocks of {expected:?} threads, found {found:?}")]
    RequiredBlock {
        /// The name of the kernel.
        kernel: String,
        /// The required number of threads along x, y and z.
        expected: [u32; 3],
        /// The number of threads along x, y and z.
        found: [u32; 3],
    },
    /// A block needs too much shared memory.
    #[error(
        "kernel {kernel} needs {found} bytes of shared memory, but a block of {target} has at most {most}"
    )]
    Shared {
        /// The name of the kernel.
        kernel: String,
        /// The architecture, such as `sm_80`.
        target: String,
        /// The static and dynamic shared memory, in bytes.
        found: u64,
        /// The maximum of the architecture, in bytes.
        most: u32,
    },
    /// The registers of a block exceed those of a multiprocessor. Only if [`LaunchConfig::registers`] is given.
    #[error(
        "a block of {threads} threads with {registers} registers each does not fit on a multiprocessor of {target}"
    )]
    Registers {
        /// The architecture, such as `sm_80`.
        target: String,
        /// The number of threads of a block.
        threads: u32,
        /// The number of registers of a thread.
        registers: u32,
    },
}

/// The profile of a launch.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// What the blocks executed.
    pub counters: Counters,
    /// The number of blocks.
    pub blocks: u64,
    /// The number of threads of a block.
    pub threads_per_block: u32,
    /// Static plus dynamic, in bytes.
    pub shared_bytes: u32,
    /// The number of 32-bit registers of a thread.
    pub registers_per_thread: u32,
    /// True if the number of registers is the emulator's estimate.
    pub registers_are_estimated: bool,
    /// The number of blocks that fit on a multiprocessor.
    pub occupancy: Occupancy,
    /// The time that the emulator took, which is unrelated to the time on a device.
    pub host_time: Duration,
}

/// The state that all blocks of a launch share.
pub(crate) struct Launch<'a> {
    pub program: &'a Program,
    pub memory: &'a Memory,
    pub config: &'a LaunchConfig,
    pub parameters: Vec<u8>,
    /// The addresses of the module's variables.
    pub variables: &'a [u64],
    /// The number of blocks of the grid, and how many of them run at the same time.
    pub blocks: u64,
    pub at_once: usize,
    pub shared_bytes: u32,
    /// The address of dynamic shared memory.
    pub dynamic_start: u32,
    pub grid_shadow: Option<GridShadow>,
    /// The lowest number of a block that has failed so far.
    pub first_failed: AtomicU64,
}

impl Launch<'_> {
    pub fn threads(&self) -> u32 {
        self.config.block.iter().product()
    }

    pub fn block(&self, number: u32) -> Index {
        coordinates(number, self.config.grid)
    }

    pub fn thread(&self, number: usize) -> Index {
        coordinates(number as u32, self.config.block)
    }

    /// The PTX line of an instruction.
    pub fn line(&self, pc: u32) -> u32 {
        self.program.code[pc as usize].line
    }
}

fn coordinates(number: u32, [x, y, _]: [u32; 3]) -> Index {
    Index { x: number % x, y: number / x % y, z: number / x / y }
}

pub(crate) fn run(
    memory: &Memory,
    kernel: &Kernel,
    config: &LaunchConfig,
    arguments: &[Argument],
) -> Result<Profile, LaunchError> {
    let started = Instant::now();
    let program = kernel.program();
    let blocks = check_shape(program, config)?;
    let dynamic_start =
        (SHARED_START + program.shared_bytes).next_multiple_of(program.dynamic_align);
    let shared_bytes = match config.dynamic_shared {
        0 => u64::from(program.shared_bytes),
        dynamic => u64::from(dynamic_start - SHARED_START) + u64::from(dynamic),
    };
    let (target, most) = (&kernel.module.content.target, kernel.max_shared());
    if shared_bytes > most.into() {
        let (kernel, target) = (program.name.clone(), target.clone());
        return Err(LaunchError::Shared { kernel, target, found: shared_bytes, most });
    }
    let threads = config.block.iter().product();
    let registers = config.registers.unwrap_or(program.registers_per_thread);
    let occupancy = occupancy::of(target, threads, registers, shared_bytes as u32);
    // An estimated register count never refuses a launch: an assembler may use fewer registers.
    if occupancy.blocks == 0 && config.registers.is_some() {
        return Err(LaunchError::Registers { target: target.clone(), threads, registers });
    }
    let host_threads = config.host_threads.or_else(|| std::thread::available_parallelism().ok());
    let launch = Launch {
        program,
        memory,
        config,
        parameters: parameters(program, arguments)?,
        variables: &kernel.module.variables,
        blocks,
        at_once: host_threads.map_or(1, NonZeroUsize::get).min(blocks as usize),
        shared_bytes: shared_bytes as u32,
        dynamic_start,
        grid_shadow: GridShadow::new(memory.allocations(), program, blocks),
        first_failed: AtomicU64::new(u64::MAX),
    };
    let counters = run_blocks(&launch).map_err(|(block, stop)| {
        LaunchError::Fault(Box::new(fault(&launch, kernel, block, *stop)))
    })?;
    Ok(Profile {
        counters,
        blocks,
        threads_per_block: threads,
        shared_bytes: launch.shared_bytes,
        registers_per_thread: registers,
        registers_are_estimated: config.registers.is_none(),
        occupancy,
        host_time: started.elapsed(),
    })
}

/// The number of blocks.
fn check_shape(program: &Program, config: &LaunchConfig) -> Result<u64, LaunchError> {
    let LaunchConfig { grid, block, .. } = *config;
    let kernel = || program.name.clone();
    let is_in = |sizes: [u32; 3], most: [u32; 3]| {
        sizes.iter().zip(most).all(|(size, most)| (1..=most).contains(size))
    };
    // Products of extents that are in range do not overflow.
    let count = |sizes: [u32; 3]| sizes.iter().map(|it| u64::from(*it)).product::<u64>();
    if !is_in(grid, [i32::MAX as u32, 65535, 65535]) || count(grid) >= MAX_BLOCKS {
        return Err(LaunchError::Grid { grid });
    }
    if !is_in(block, [1024, 1024, 64]) || count(block) > MAX_THREADS.into() {
        return Err(LaunchError::Block { block });
    }
    let found = count(block) as u32;
    if let Some(expected) = program.limits.max_threads.filter(|it| found > *it) {
        return Err(LaunchError::MaxThreads { kernel: kernel(), expected, found });
    }
    if let Some(expected) = program.limits.required_block.filter(|it| *it != block) {
        return Err(LaunchError::RequiredBlock { kernel: kernel(), expected, found: block });
    }
    Ok(count(grid))
}

fn parameters(program: &Program, arguments: &[Argument]) -> Result<Vec<u8>, LaunchError> {
    let (expected, found) = (program.parameters.len(), arguments.len());
    if expected != found {
        let kernel = program.name.clone();
        return Err(LaunchError::ArgumentCount { kernel, expected, found });
    }
    let mut bytes = vec![0; program.parameter_bytes as usize];
    for (parameter, Argument(value)) in program.parameters.iter().zip(arguments) {
        if value.len() != parameter.bytes as usize {
            return Err(LaunchError::ArgumentSize {
                kernel: program.name.clone(),
                parameter: parameter.name.clone(),
                expected: parameter.bytes,
                found: value.len(),
            });
        }
        bytes[parameter.offset as usize..][..value.len()].copy_from_slice(value);
    }
    Ok(bytes)
}

/// Runs all blocks. If several fail, the first is reported, since all blocks before it have run to their end.
fn run_blocks(launch: &Launch) -> Result<Counters, (u32, Box<Stop>)> {
    let Launch { blocks, at_once, .. } = *launch;
    let next = AtomicU64::new(0);
    let failed: Mutex<Option<(u32, Box<Stop>)>> = Mutex::new(None);
    let total = Mutex::new(Counters::default());
    let work = || {
        let mut worker = Worker::default();
        loop {
            let number = next.fetch_add(1, Relaxed);
            if number >= blocks {
                break;
            }
            if let Err(stop) = block::run(launch, &mut worker, number as u32) {
                // Prevents threads from starting further blocks.
                next.fetch_max(blocks, Relaxed);
                launch.first_failed.fetch_min(number, Relaxed);
                let mut failed = failed.lock().unwrap_or_else(PoisonError::into_inner);
                if failed.as_ref().is_none_or(|(first, _)| (number as u32) < *first) {
                    *failed = Some((number as u32, stop));
                }
            }
        }
        total.lock().unwrap_or_else(PoisonError::into_inner).add(&worker.counters);
    };
    match at_once {
        1 => work(),
        _ => std::thread::scope(|scope| (0..at_once).for_each(|_| drop(scope.spawn(work)))),
    }
    match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(failed) => Err(failed),
        None => Ok(total.into_inner().unwrap_or_else(PoisonError::into_inner)),
    }
}

fn fault(launch: &Launch, kernel: &Kernel, block: u32, stop: Stop) -> Fault {
    let instruction = &launch.program.code[stop.pc as usize];
    let sources = &kernel.module.content.sources;
    let origin = instruction.source.and_then(|it| {
        let (_, file) = sources.iter().find(|(number, _)| *number == it.file)?;
        Some(SourceLocation { file: file.clone(), line: it.line, column: it.column })
    });
    Fault {
        kernel: launch.program.name.clone(),
        line: instruction.line,
        origin,
        block: launch.block(block),
        thread: launch.thread(stop.thread),
        instruction: instruction.mnemonic.to_string(),
        kind: stop.kind,
    }
}
