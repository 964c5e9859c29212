//! `ptx-emu`: runs a kernel of a PTX file on the CPU and checks it.
//!
//! Exit codes: 0 if the kernel has run, 1 if it is at fault or leaves elements of an output undefined, 2 for any other
//! error.

mod argument;
#[path = "../../../tools/git.rs"]
mod git;
mod report;

use argument::{Argument, WriteError};
use clap::Parser;
use ptx_emulator::{Device, Kernel, LaunchConfig, LaunchError, Module};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

/// Runs a kernel of a PTX file on the CPU, with checks of bounds, alignment, races, barriers and undefined values.
/// Without --kernel, lists the kernels.
#[derive(Parser)]
#[command(name = "ptx-emu", version = version())]
struct Options {
    /// The PTX file
    file: PathBuf,

    /// The kernel to run
    #[arg(long)]
    kernel: Option<String>,

    /// Blocks along x, y and z
    #[arg(long, value_name = "X[,Y,Z]", default_value = "1", value_parser = dimensions)]
    grid: [u32; 3],

    /// Threads of a block along x, y and z; by default, those of .reqntid or .maxntid
    #[arg(long, value_name = "X[,Y,Z]", value_parser = dimensions)]
    block: Option<[u32; 3]>,

    /// An argument, in the order of the kernel's parameters:
    /// `i32:5` or `f32:0.5`, a number;
    /// `in.npy`, a buffer with the contents of a file; `bf16:in.npy` for bf16, which files hold as f32;
    /// `out:f32[4,8]=out.npy`, an undefined buffer that is written to a file afterwards;
    /// `inout:a.npy=b.npy`, both.
    /// Types are i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64
    #[arg(long = "arg", value_name = "ARGUMENT", verbatim_doc_comment, allow_hyphen_values = true)]
    arguments: Vec<Argument>,

    /// Dynamic shared memory of a block
    #[arg(long, value_name = "BYTES", default_value_t = 0)]
    shared: u32,

    /// The seed of the order of warps
    #[arg(long, default_value_t = 0)]
    seed: u64,

    /// The number of runs, with consecutive seeds from --seed on
    #[arg(long, value_name = "COUNT", default_value = "1")]
    runs: NonZeroUsize,

    /// Prints counters and occupancy
    #[arg(long)]
    profile: bool,

    /// Registers of a thread as ptxas reports them, for the occupancy; estimated by default
    #[arg(long)]
    registers: Option<u32>,

    /// Threads of this machine, each of which runs a block at a time; one per core by default
    #[arg(long, value_name = "COUNT")]
    threads: Option<NonZeroUsize>,

    /// A warp that runs more instructions than this is at fault
    #[arg(long, value_name = "COUNT", default_value_t = LaunchConfig::default().max_instructions)]
    max_instructions: u64,
}

/// The version of this package, and the commit.
fn version() -> String {
    format!("{} (git {})", env!("CARGO_PKG_VERSION"), git::commit())
}

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(code) => code,
        Err(message) => {
            eprintln!("ptx-emu: error: {message}");
            ExitCode::from(2)
        }
    }
}

fn run(options: &Options) -> Result<ExitCode, String> {
    let path = options.file.display();
    let text =
        std::fs::read_to_string(&options.file).map_err(|error| format!("{path}: {error}"))?;
    let module = Module::parse(&text).map_err(|error| format!("{path}: {error}"))?;
    let Some(name) = &options.kernel else {
        print!("{}", report::kernels(&module));
        return Ok(ExitCode::SUCCESS);
    };
    for run in 0..options.runs.get() {
        let seed = options.seed.wrapping_add(run as u64);
        // Each run has its own device and buffers, so a failed run does not affect the others.
        let device = Device::new();
        let loaded = device.load(&module).map_err(|error| format!("{path}: {error}"))?;
        let unknown = || format!("{path} has no kernel {name}; it has {}", names(&module));
        let kernel = loaded.kernel(name).ok_or_else(unknown)?;
        let is_last = run + 1 == options.runs.get();
        match launch(options, &device, &kernel, seed, is_last) {
            Ok(()) => {}
            Err(Failure::Fault(error)) => {
                eprintln!("ptx-emu: {path}: {error}");
                if block(options, &kernel).is_none() {
                    eprintln!("ptx-emu: note: without --block a block has one thread");
                }
                if options.runs.get() > 1 {
                    eprintln!("ptx-emu: note: this is with the order of --seed {seed}");
                }
                return Ok(ExitCode::FAILURE);
            }
            Err(Failure::Other(message)) => return Err(message),
        }
    }
    Ok(ExitCode::SUCCESS)
}

enum Failure {
    Fault(String),
    Other(String),
}

impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Failure {
        match error {
            WriteError::Undefined(message) => Failure::Fault(message),
            WriteError::Other(message) => Failure::Other(message),
        }
    }
}

fn launch(
    options: &Options,
    device: &Device,
    kernel: &Kernel,
    seed: u64,
    is_last: bool,
) -> Result<(), Failure> {
    let place = |argument: &Argument| argument.place(device);
    let placed = options.arguments.iter().map(place).collect::<Result<Vec<_>, _>>();
    let placed = placed.map_err(Failure::Other)?;
    let config = LaunchConfig {
        grid: options.grid,
        block: block(options, kernel).unwrap_or([1; 3]),
        dynamic_shared: options.shared,
        seed,
        host_threads: options.threads,
        max_instructions: options.max_instructions,
        registers: options.registers,
    };
    let values: Vec<_> = placed.iter().map(|it| it.value.clone()).collect();
    let profile = device.launch(kernel, &config, &values).map_err(|error| match error {
        LaunchError::Fault(_) => Failure::Fault(error.to_string()),
        _ => Failure::Other(error.to_string()),
    })?;
    if is_last {
        for placed in &placed {
            placed.write(device)?;
        }
        if options.profile {
            print!("{:<24}{}\n{profile}", "kernel", kernel.name());
        }
    }
    Ok(())
}

/// The threads of a block, from the options or from the kernel's declarations.
fn block(options: &Options, kernel: &Kernel) -> Option<[u32; 3]> {
    let limits = kernel.limits();
    options.block.or(limits.required_block).or(limits.max_threads.map(|it| [it, 1, 1]))
}

fn names(module: &Module) -> String {
    module.kernels().collect::<Vec<_>>().join(", ")
}

fn dimensions(text: &str) -> Result<[u32; 3], String> {
    let mut found = [1; 3];
    let parts: Vec<&str> = text.split(',').collect();
    if parts.len() > found.len() {
        return Err("more than three numbers".into());
    }
    for (extent, part) in found.iter_mut().zip(parts) {
        *extent = part.trim().parse().map_err(|_| format!("{part:?} is not a number"))?;
    }
    Ok(found)
}
