//! The command line.

use crate::report::show;
use clap::Parser;
use loopwright::codegen::nvptx;
use loopwright::pipeline::{self, Phase};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

/// Compile a model and run it.
///
/// Takes a module of linalg, graph or loop dialect. Inputs, outputs and references are .npy files, in
/// the order of the function's arguments and results.
#[derive(Debug, Parser)]
#[command(name = "lw-run", version)]
pub struct Options {
    /// The module (.mlir or bytecode).
    pub model: PathBuf,
    /// The function to run.
    #[arg(long, default_value = "main", value_name = "FUNCTION")]
    pub entry: String,
    /// What to compile for; without it the module is interpreted as it is.
    #[arg(long, value_enum)]
    pub target: Option<Target>,
    /// The processor that code is made for, by LLVM's name, such as znver4 or x86-64-v3 (default: this machine's).
    #[arg(long, value_name = "CPU")]
    pub cpu: Option<String>,
    /// Where to run it (default: the cpu with --target x86, otherwise the interpreter).
    #[arg(long, value_enum)]
    pub device: Option<Device>,
    /// A transform script, or a trace as JSON, that schedules the module when it is in loop form.
    #[arg(long, value_name = "FILE")]
    pub schedule: Option<PathBuf>,
    /// Leave the loops as they are. Without this, and without --schedule, code for a target is made by its default
    /// schedules.
    #[arg(long, conflicts_with = "schedule")]
    pub no_schedule: bool,
    /// Say on stderr which default schedule each group of nests gets, and why not the others.
    #[arg(long, conflicts_with_all = ["schedule", "no_schedule"])]
    pub dump_strategy: bool,
    /// Print the default schedules, as a transform script for each function, and stop.
    #[arg(long, conflicts_with_all = ["schedule", "no_schedule", "compile_to", "input", "output", "check", "execute", "json", "time"])]
    pub print_schedule: bool,
    /// A folder where machine code is kept, and found again by what it is made from. Processes may share it.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["dump_strategy", "print_schedule", "verify_each", "compile_to"])]
    pub cache: Option<PathBuf>,
    /// How many threads parallel loops run on (default: one a core).
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,
    /// Run it again and again for so long, and report the median time. On the cpu.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub time: Option<f64>,
    /// The floating-point contract of functions that state none. With `reassoc`, a schedule may change the
    /// order of sums; with `fast`, a product and a sum are rounded once, too.
    #[arg(long, value_name = "CONTRACT", value_parser = ["strict", "reassoc", "fast"])]
    pub fp: Option<String>,
    /// A vectorized loop that has no vector form is an error.
    #[arg(long)]
    pub require_vector: bool,
    /// Compiled code ends with an error, and says where, before it accesses memory out of bounds.
    #[arg(long)]
    pub check_bounds: bool,
    /// Run the interpreter before and after each pass, on inputs of its own, and fail after the first that
    /// changes what a public function computes.
    #[arg(long, value_name = "WHAT", value_parser = ["numeric"])]
    pub verify_each: Option<String>,
    /// An argument of the function, in order.
    #[arg(long, value_name = "FILE.npy")]
    pub input: Vec<PathBuf>,
    /// Where to write a result, in order.
    #[arg(long, value_name = "FILE.npy")]
    pub output: Vec<PathBuf>,
    /// What a result should be, in order: passes if max|error| <= atol + rtol * max|reference|.
    #[arg(long, value_name = "FILE.npy")]
    pub check: Vec<PathBuf>,
    /// The relative tolerance of --check.
    #[arg(long, default_value_t = 1e-4, value_parser = tolerance)]
    pub rtol: f64,
    /// The absolute tolerance of --check.
    #[arg(long, default_value_t = 1e-4, value_parser = tolerance)]
    pub atol: f64,
    /// Report as JSON.
    #[arg(long)]
    pub json: bool,
    /// The phase that the module is in, as --compile-to has printed it.
    #[arg(long, value_name = "PHASE", default_value = "input", value_parser = phase)]
    pub compile_from: Phase,
    /// Print the module as it is after this phase, or its LLVM IR or assembly, and stop.
    #[arg(long, value_name = "PHASE", value_parser = stop, conflicts_with_all = ["input", "output", "check", "execute", "json", "time"])]
    pub compile_to: Option<Stop>,
    /// A pass to leave out, to see what it does. May be given again.
    #[arg(long, value_name = "PASS")]
    pub without: Vec<String>,
    /// The architecture that --compile-to ptx is for, such as sm_90a.
    #[arg(long, default_value = nvptx::DEFAULT_CHIP, value_name = "CHIP")]
    pub chip: String,
    /// The phase whose IR the interpreter runs (default: the last it can, for the target).
    #[arg(long, value_name = "PHASE", value_parser = executable)]
    pub execute: Option<Phase>,
    /// Of the random orders in which the interpreter does unordered work.
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// More loop iterations than this in one nest are an error.
    #[arg(long, default_value_t = u64::MAX, hide_default_value = true, value_name = "N")]
    pub max_iterations: u64,
}

/// What code is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Target {
    /// This machine's processor.
    X86,
}

/// Where compilation stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    Phase(Phase),
    LlvmIr,
    Assembly,
}

/// A place to run a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Device {
    /// The reference interpreter.
    Interpreter,
    /// This machine.
    Cpu,
}

impl Options {
    /// Where to run.
    pub fn device(&self) -> Device {
        self.device.unwrap_or(match self.target {
            Some(Target::X86) => Device::Cpu,
            None => Device::Interpreter,
        })
    }

    /// Whether default schedules are applied.
    pub fn uses_strategies(&self) -> bool {
        self.target.is_some()
            && self.schedule.is_none()
            && !self.no_schedule
            && self.compile_from.to(self.last()).is_some_and(|way| way.contains(&Phase::Schedule))
    }

    /// The phase that runs, or whose code runs.
    pub fn executed(&self) -> Phase {
        let phase = match (self.device(), self.execute) {
            (Device::Cpu, _) => return Phase::Llvm,
            (Device::Interpreter, Some(phase)) => return phase,
            (Device::Interpreter, None) if self.target.is_some() => Phase::Vector,
            (Device::Interpreter, None) if self.schedule.is_some() => Phase::Schedule,
            (Device::Interpreter, None) => Phase::Loop,
        };
        phase.max(self.compile_from)
    }

    /// The phase in which compilation ends.
    pub fn last(&self) -> Phase {
        match self.compile_to {
            Some(Stop::Phase(phase)) => phase,
            Some(Stop::LlvmIr | Stop::Assembly) => Phase::Llvm,
            None if self.print_schedule => Phase::Schedule,
            None => self.executed(),
        }
    }

    /// Options that have no meaning together; the message says which.
    fn check(&self) -> Result<(), String> {
        let is_cpu = self.device() == Device::Cpu;
        let (first, last) = (self.compile_from, self.last());
        let is_interpreted = !is_cpu && self.compile_to.is_none();
        let Some(way) = first.to(last) else {
            let (first, last) = (first.word(), last.word());
            return Err(format!("phase {last} does not come after --compile-from {first}"));
        };
        let message = match () {
            () if is_cpu && self.execute.is_some() => {
                "--execute chooses what the interpreter runs, and the device is the cpu"
            }
            () if first == Phase::Llvm && self.compile_to.is_none() => {
                "--compile-from llvm has no signature to run: give --compile-to llvm-ir or assembly"
            }
            () if self.chip != nvptx::DEFAULT_CHIP && last != Phase::Ptx => {
                "--chip is for --compile-to ptx"
            }
            () if self.time.is_some() && !is_cpu => {
                "--time measures the cpu: give --target x86 --device cpu"
            }
            () if self.cache.is_some() && !is_cpu => {
                "--cache is for machine code: give --target x86 --device cpu"
            }
            () if self.threads.is_some() && is_interpreted => {
                "--threads is for the cpu: give --target x86 --device cpu"
            }
            () if self.schedule.is_some() && !way.contains(&Phase::Schedule) => {
                "--schedule works in phase schedule, which is not among those that are asked for"
            }
            () if (self.dump_strategy || self.print_schedule) && !self.uses_strategies() => {
                "default schedules are those of a target, in phase schedule: give --target x86"
            }
            () if self.require_vector && last < Phase::Vector => {
                "--require-vector matters from phase vector on: give --target x86"
            }
            () if self.check_bounds && last != Phase::Llvm => {
                "--check-bounds is for compiled code, the interpreter always checks: give --target x86"
            }
            // A schedule keeps to the contract, too.
            () if self.fp.is_some()
                && (!way.contains(&Phase::Schedule)
                    || (self.schedule.is_none()
                        && !self.uses_strategies()
                        && last < Phase::Vector)) =>
            {
                "--fp matters to a schedule, and from phase vector on: give --target x86"
            }
            () => {
                return pipeline::check_without(&self.without, &way);
            }
        };
        Err(message.to_owned())
    }

    /// Parses the command line. Prints help, or one line that says what is wrong; the error is the exit
    /// code to end with.
    pub fn parse() -> Result<Options, ExitCode> {
        let options = Options::try_parse().map_err(|error| {
            if !error.use_stderr() {
                return match show(&error.to_string()) {
                    Ok(()) => ExitCode::SUCCESS,
                    Err(message) => {
                        eprintln!("{message}");
                        ExitCode::FAILURE
                    }
                };
            }
            // clap's first paragraph is the error; hints and usage follow it.
            let text = error.to_string();
            let first = text.split("\n\n").next().unwrap_or(&text);
            let line: Vec<_> = first.lines().map(str::trim).collect();
            eprintln!("lw-run: {} (see --help)", line.join(" "));
            ExitCode::FAILURE
        })?;
        options.check().map_err(|message| {
            eprintln!("lw-run: error: {message} (see --help)");
            ExitCode::FAILURE
        })?;
        Ok(options)
    }
}

fn stop(word: &str) -> Result<Stop, String> {
    match word {
        "llvm-ir" => Ok(Stop::LlvmIr),
        "assembly" => Ok(Stop::Assembly),
        word => Phase::from_word(word)
            .map(Stop::Phase)
            .ok_or_else(|| format!("expected one of {}, llvm-ir, assembly", words(|_| true))),
    }
}

fn phase(word: &str) -> Result<Phase, String> {
    let is_source = |phase: &Phase| *phase != Phase::Ptx;
    let phase = Phase::from_word(word).filter(is_source);
    phase.ok_or_else(|| format!("expected one of {}", words(is_source)))
}

fn executable(word: &str) -> Result<Phase, String> {
    let is_executable = |phase: &Phase| !matches!(phase, Phase::Llvm | Phase::Ptx);
    let phase = Phase::from_word(word).filter(is_executable);
    phase.ok_or_else(|| format!("expected one of {}", words(is_executable)))
}

/// The words of some phases, as a list.
fn words(which: impl Fn(&Phase) -> bool) -> String {
    let words: Vec<_> = Phase::ALL.into_iter().filter(which).map(|phase| phase.word()).collect();
    words.join(", ")
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value > 0.0 && value <= 1e6 => Ok(value),
        _ => {
            Err("expected a number of seconds that is more than 0 and not more than a million"
                .into())
        }
    }
}

fn tolerance(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value >= 0.0 && value.is_finite() => Ok(value),
        _ => Err("expected a number that is 0 or more".into()),
    }
}
