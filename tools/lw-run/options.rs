//! The command line of `lw-run`.

use crate::command_line;
use crate::graph;
use crate::import::dim;
use crate::inputs::{GivenInput, given};
use crate::log::LogOptions;
use crate::outputs::{Named, check_distinct};
use crate::version::version;
use clap::Parser;
use loopwright::auto_schedule::ScheduleBy;
use loopwright::codegen::{CodeCache, Target, cuda};
use loopwright::pipeline::{self, Phase};
use loopwright_runtime::device::{Place, Settings};
use std::fmt;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;

/// Compile a model and run it, or interpret it.
///
/// Takes a module of linalg, graph or loop dialect, or of TOSA, or an ONNX model. With --target it is compiled, otherwise it is interpreted.
/// Inputs, outputs and references are .npy files, in the order of the function's arguments and results. Results of at
/// most 32 elements are printed, unless they are written or compared.
#[derive(Debug, Parser)]
#[command(name = "lw-run", version = version())]
pub struct Options {
    /// The module (.mlir or bytecode; - is stdin) or ONNX model (.onnx, .onnxtxt).
    #[arg(required_unless_present = "machine")]
    pub model: Option<PathBuf>,
    /// The function to run. Without --schedule, only what it uses is compiled. Default: main; --compile-to and
    /// --print-schedule show the whole module by default.
    #[arg(long, value_name = "FUNCTION")]
    pub entry: Option<String>,
    /// The target to compile for: x86, or the architecture of a GPU, such as sm_80 or sm_90a. Without a target, the
    /// module is interpreted.
    #[arg(long, value_parser = Target::from_str)]
    pub target: Option<Target>,
    /// The processor to generate code for, by LLVM's name, such as znver4 or x86-64-v3 (default: this machine's).
    #[arg(long, value_name = "CPU")]
    pub cpu: Option<String>,
    /// Generate code for the machine that a file describes. Without a file and without a model: print the description of
    /// this machine, which is measured once, and stop; what predicted times depend on goes to stderr. With the --target of
    /// a GPU, that is printed of the GPU.
    #[arg(long, value_name = "FILE", num_args = 0..=1, conflicts_with = "cpu")]
    pub machine: Option<Option<PathBuf>>,
    /// The device to run on: interpreter, cpu, cuda:N (a GPU, with NVIDIA's driver) or emulator (of GPUs, on the cpu).
    /// Default: the cpu with --target x86; with a GPU target, cuda:0 if there is one, else the emulator; otherwise the
    /// interpreter.
    #[arg(long, value_parser = device)]
    pub device: Option<Device>,
    /// A transform script, or a trace as JSON, that schedules the module in loop form.
    #[arg(long, value_name = "FILE")]
    pub schedule: Option<PathBuf>,
    /// Do not schedule the loops. Without this and without --schedule, code for a target uses its default
    /// schedules.
    #[arg(long, conflicts_with = "schedule")]
    pub no_schedule: bool,
    /// A transform script that declares strategies, which compete with those of the package. May be repeated.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["schedule", "no_schedule"])]
    pub strategies: Vec<PathBuf>,
    /// How one of several strategies is chosen for a group of nests: priority takes the applicable one of the highest
    /// priority, auto the one that is predicted to be the fastest. Default: auto for x86, priority for GPUs, where it takes longer to
    /// try others.
    #[arg(long, value_name = "HOW", conflicts_with_all = ["schedule", "no_schedule"])]
    pub schedule_by: Option<ScheduleBy>,
    /// Print to stderr which default schedule each group of nests gets, and why the others do not apply.
    #[arg(long, conflicts_with_all = ["schedule", "no_schedule"])]
    pub dump_strategy: bool,
    /// Print the default schedules of all functions, as a transform script, and stop.
    #[arg(long, conflicts_with_all = ["schedule", "no_schedule", "input", "output", "check", "execute", "json", "time"])]
    pub print_schedule: bool,
    /// The folder that caches machine code, indexed by all inputs of its compilation. Processes may share it. Default:
    /// $LOOPWRIGHT_CACHE (empty: no cache), or $XDG_CACHE_HOME/loopwright, or ~/.cache/loopwright.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = SHOW_THE_COMPILER)]
    pub cache: Option<PathBuf>,
    /// Compile in each run: machine code is neither taken from a cache nor kept.
    #[arg(long, conflicts_with_all = ["cache", "cache_limit"])]
    pub no_cache: bool,
    /// The most MiB that the cache takes (default: 1024); what was used least recently is removed.
    #[arg(long, value_name = "MIB", conflicts_with_all = SHOW_THE_COMPILER, value_parser = mebibytes)]
    pub cache_limit: Option<u64>,
    /// The number of threads for parallel loops (default: one a core).
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,
    /// Run the function repeatedly for this time, and report the median time. On a cpu or a GPU.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub time: Option<f64>,
    /// Print a profile of each kernel: on a cpu a table with time, rates, the part of the machine's limit and the ops that
    /// it was made of; on the emulator instructions, bytes, bank conflicts, occupancy; on a GPU the registers and the memory
    /// that it uses. On a cpu the function runs repeatedly for the time of --time, or half a second.
    #[arg(long, conflicts_with = "print_schedule")]
    pub profile: bool,
    /// Write a picture of the kernels of the model, and of the values that flow between them, to a file. With --profile on a
    /// cpu it shows their times.
    #[arg(long, value_name = "FILE.svg|.dot|.html", conflicts_with = "print_schedule")]
    pub dump_graph: Option<PathBuf>,
    /// The floating-point contract of functions that state none. With `reassoc`, a schedule may change the
    /// order of sums; with `fast`, a product and a sum may also be rounded once, the distributive law may be used,
    /// and a quotient may become a product with the reciprocal.
    #[arg(long, value_name = "CONTRACT", value_parser = ["strict", "reassoc", "fast"])]
    pub fp: Option<String>,
    /// Report an error if a vectorized loop has no vector form.
    #[arg(long)]
    pub require_vector: bool,
    /// Compiled code ends with an error that names the location before it accesses memory out of bounds, and where an
    /// assertion (cf.assert) does not hold.
    #[arg(long)]
    pub check_bounds: bool,
    /// Run the interpreter before and after each pass, on generated inputs, and fail after the first pass that
    /// changes what a public function computes.
    #[arg(long, value_name = "WHAT", value_parser = ["numeric"])]
    pub verify_each: Option<String>,
    /// An argument of the function, in order: a file, or `random[:SEED]` (floats from -1 to 1, integers 0 or 1), ones, or
    /// iota (0, 1, 2, ..). If one of these three is the only --input, it generates all arguments. With NAME= it is for the
    /// argument that has this name in the model. Default with --time, and with --profile on a cpu: random:0.
    #[arg(long, value_name = "[NAME=]FILE.npy|random[:SEED]|ones|iota", value_parser = given)]
    pub input: Vec<GivenInput>,
    /// The size of the dimensions that have this name in an ONNX model. May be given several times.
    #[arg(long, value_name = "NAME=SIZE", value_parser = dim)]
    pub dim: Vec<(String, u64)>,
    /// The file for a result, in order.
    #[arg(long, value_name = "FILE.npy")]
    pub output: Vec<PathBuf>,
    /// The expected value of a result, in order. Floats pass if max|error| <= atol + rtol * max|reference|, integers and
    /// booleans if max|error| <= atol, so without --atol they must be equal.
    #[arg(long, value_name = "FILE.npy")]
    pub check: Vec<PathBuf>,
    /// The relative tolerance of --check, for floats.
    #[arg(long, default_value_t = 1e-4, value_parser = tolerance)]
    pub rtol: f64,
    /// The absolute tolerance of --check.
    #[arg(long, default_value_t = 1e-4, value_parser = tolerance)]
    pub atol: f64,
    /// Report as JSON.
    #[arg(long)]
    pub json: bool,
    /// The phase of the module, as --compile-to has printed it.
    #[arg(long, value_name = "PHASE", default_value = "input", value_parser = phase, help = with_words("The phase of the module, as --compile-to has printed it", is_source, ""))]
    pub compile_from: Phase,
    /// Print the module after this phase, or its LLVM IR or assembly, and stop.
    #[arg(long, value_name = "PHASE", value_parser = stop, help = with_words("Print the module after this phase, or its LLVM IR or assembly, and stop", |_| true, CODE), conflicts_with_all = ["input", "output", "check", "execute", "json", "time"])]
    pub compile_to: Option<Stop>,
    /// A pass to leave out, to study its effect. May be given several times.
    #[arg(long, value_name = "PASS")]
    pub without: Vec<String>,
    /// The phase whose IR the interpreter runs (default: the last that it can run, for the target).
    #[arg(long, value_name = "PHASE", value_parser = executable, help = with_words("The phase whose IR the interpreter runs (default: the last that it can run, for the target)", is_executable, ""))]
    pub execute: Option<Phase>,
    /// The seed of the random orders in which the interpreter runs unordered work.
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// More loop iterations than this in one nest are an error.
    #[arg(long, default_value_t = u64::MAX, hide_default_value = true, value_name = "N")]
    pub max_iterations: u64,
    #[command(flatten)]
    pub log: LogOptions,
}

/// The options that show the compiler at work, or what it has found out about kernels. Code from the cache has no such
/// information.
const SHOW_THE_COMPILER: [&str; 6] =
    ["dump_strategy", "print_schedule", "verify_each", "compile_to", "profile", "dump_graph"];

/// Where compilation stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    Phase(Phase),
    LlvmIr,
    Assembly,
}

impl Stop {
    /// True if a GPU compilation path includes this phase.
    fn is_for_gpu(self) -> bool {
        matches!(self, Stop::Phase(phase) if !matches!(phase, Phase::Vector | Phase::Llvm))
    }

    /// True if only GPU compilation paths include this phase.
    fn is_only_for_gpu(self) -> bool {
        matches!(self, Stop::Phase(Phase::Gpu | Phase::Ptx))
    }
}

/// The device that runs a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(into = "String")]
pub enum Device {
    /// The reference interpreter.
    Interpreter,
    /// A device that runs compiled code.
    At(Place),
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Device::Interpreter => f.write_str("interpreter"),
            Device::At(place) => place.fmt(f),
        }
    }
}

impl From<Device> for String {
    fn from(device: Device) -> String {
        device.to_string()
    }
}

impl Options {
    /// The function to run.
    pub fn entry(&self) -> &str {
        self.entry.as_deref().unwrap_or("main")
    }

    /// The device to run on.
    pub fn device(&self) -> Device {
        self.device.unwrap_or_else(|| match self.target {
            Some(Target::X86) => Device::At(Place::Cpu),
            Some(Target::Gpu(_)) => Device::At(Place::of_kernels()),
            None => Device::Interpreter,
        })
    }

    /// The place where compiled code runs; `None` for the interpreter.
    pub fn place(&self) -> Option<Place> {
        match self.device() {
            Device::Interpreter => None,
            Device::At(place) => Some(place),
        }
    }

    /// The module; - is stdin.
    pub fn model(&self) -> &Path {
        self.model.as_deref().unwrap_or(Path::new("-"))
    }

    /// True if the description of this machine is printed, and nothing else.
    pub fn prints_machine(&self) -> bool {
        self.model.is_none() && self.machine == Some(None)
    }

    /// The settings of the device.
    pub fn device_settings(&self) -> Settings {
        Settings { threads: self.threads, seed: self.seed }
    }

    /// The target GPU, if the target is one.
    pub fn gpu(&self) -> Option<&cuda::GpuTarget> {
        match &self.target {
            Some(Target::Gpu(gpu)) => Some(gpu),
            Some(Target::X86) | None => None,
        }
    }

    /// True if default schedules are applied.
    pub fn uses_strategies(&self) -> bool {
        (self.target.is_some() || self.is_for_gpu())
            && self.schedule.is_none()
            && !self.no_schedule
            && self.compile_from.to(self.last()).is_some_and(|way| way.contains(&Phase::Schedule))
    }

    /// True if compilation leads to kernels.
    pub fn is_for_gpu(&self) -> bool {
        self.gpu().is_some() || matches!(self.last(), Phase::Gpu | Phase::Ptx)
    }

    /// True if the unscheduled function is interpreted, and nothing else.
    pub fn only_interprets(&self) -> bool {
        self.target.is_none() && self.schedule.is_none() && self.compile_to.is_none()
    }

    /// The cache of machine code: that of --cache, or that of the user.
    pub fn code_cache(&self) -> Option<CodeCache> {
        let shows_the_compiler = self.dump_strategy
            || self.print_schedule
            || self.verify_each.is_some()
            || self.compile_to.is_some()
            || self.profile
            || self.dump_graph.is_some();
        if self.no_cache || shows_the_compiler {
            return None;
        }
        let cache = self.cache.as_ref().map(CodeCache::new).or_else(CodeCache::of_user)?;
        Some(match self.cache_limit {
            Some(mebibytes) => cache.with_limit(mebibytes << 20),
            None => cache,
        })
    }

    /// The phase that is interpreted, or whose code runs.
    pub fn executed(&self) -> Phase {
        let phase = match (self.device(), self.execute) {
            (Device::At(Place::Cpu), _) => return Phase::Llvm,
            (Device::At(_), _) => return Phase::Ptx,
            (Device::Interpreter, Some(phase)) => return phase,
            (Device::Interpreter, None) if self.gpu().is_some() => Phase::Gpu,
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

    /// Checks for options that exclude each other; the message names them.
    fn check(&self) -> Result<(), String> {
        let device = self.device();
        let is_cpu = self.place() == Some(Place::Cpu);
        let is_gpu = self.place().is_some_and(|place| place != Place::Cpu);
        let (first, last) = (self.compile_from, self.last());
        let is_interpreted = device == Device::Interpreter && self.compile_to.is_none();
        let has_gpu = self.gpu().is_some();
        let Some(way) = first.to(last) else {
            let (first, last) = (first.word(), last.word());
            return Err(format!("phase {last} does not come after --compile-from {first}"));
        };
        let message = match () {
            () if self.prints_machine()
                && std::env::args_os().len() > if has_gpu { 4 } else { 2 } =>
            {
                "--machine without a file prints the description of this machine, and takes no other option but the \
                 --target of a GPU"
            }
            () if self.prints_machine() => return Ok(()),
            () if self.machine == Some(None) => {
                "--machine has no file: expected the description of a machine, as lw-run --machine prints it"
            }
            () if self.model.is_none() => {
                "the model is missing: give --machine FILE MODEL, or --machine alone"
            }
            () if !is_interpreted && self.compile_to.is_none() && self.execute.is_some() => {
                return Err(format!(
                    "--execute chooses what the interpreter runs, and the device is {device}"
                ));
            }
            () if is_gpu && !has_gpu => {
                return Err(format!("--device {device} runs code for GPUs: give --target sm_80"));
            }
            () if is_cpu && has_gpu => {
                "--device cpu runs code for processors: give --target x86, or --device emulator"
            }
            () if has_gpu && self.compile_to.is_some_and(|stop| !stop.is_for_gpu()) => {
                "phases vector and llvm, and assembly, are on the path to x86: give --target x86"
            }
            () if self.target == Some(Target::X86)
                && self.compile_to.is_some_and(Stop::is_only_for_gpu) =>
            {
                "phases gpu and ptx are on the path to GPUs: give --target sm_80"
            }
            () if self.cpu.is_some() && has_gpu => "--cpu is for --target x86",
            () if self.machine.is_some() && has_gpu => "--machine is for --target x86",
            () if first == Phase::Llvm && self.compile_to.is_none() => {
                "--compile-from llvm has no signature to run: give --compile-to llvm-ir or assembly"
            }
            () if self.time.is_some() && is_interpreted => {
                "--time measures compiled code: give --target x86 --device cpu"
            }
            () if self.cache.is_some() && !is_cpu => {
                "--cache is for machine code: give --target x86 --device cpu"
            }
            () if self.cache_limit.is_some() && !is_cpu => {
                "--cache-limit is for machine code: give --target x86 --device cpu"
            }
            () if self.no_cache && !is_cpu => {
                "--no-cache is for machine code: give --target x86 --device cpu"
            }
            () if self.cache.as_deref().is_some_and(|path| path.exists() && !path.is_dir()) => {
                "--cache is a file, expected a folder, which need not exist"
            }
            () if self.profile && self.compile_to.is_some() && self.is_for_gpu() => {
                "--profile is for kernels that run: leave --compile-to out"
            }
            () if self.profile && has_gpu && !is_gpu => {
                "--profile is for kernels that run: give --device emulator"
            }
            () if self.profile && is_interpreted => {
                "--profile is for kernels that run: give --target x86, or sm_80"
            }
            () if self.profile && !self.is_for_gpu() && !way.contains(&Phase::Schedule) => {
                "--profile marks kernels in phase schedule, which is not among the requested phases"
            }
            () if self.profile && !self.is_for_gpu() && self.verify_each.is_some() => {
                "--profile marks kernels by calls, which --verify-each cannot interpret"
            }
            () if self.dump_graph.is_some() && !way.contains(&Phase::Schedule) => {
                "--dump-graph shows the kernels of phase schedule, which is not among the requested phases: give --target x86"
            }
            () if self.max_iterations != u64::MAX && !is_interpreted => {
                "--max-iterations is for the interpreter: give --device interpreter"
            }
            () if self.entry.is_some() && self.compile_from == Phase::Llvm => {
                "--entry names a func.func, which a module of phase llvm does not have: the whole module is shown"
            }
            () if self.threads.is_some() && (is_interpreted || is_gpu) => {
                "--threads is for the cpu: give --target x86 --device cpu"
            }
            () if self.schedule.is_some() && !way.contains(&Phase::Schedule) => {
                "--schedule applies in phase schedule, which is not among the requested phases"
            }
            () if (self.dump_strategy
                || self.print_schedule
                || self.schedule_by.is_some()
                || !self.strategies.is_empty())
                && !self.uses_strategies() =>
            {
                "default schedules are those of a target, in phase schedule: give --target x86"
            }
            () if self.require_vector && last < Phase::Vector => {
                "--require-vector has an effect from phase vector on: give --target x86, and no --compile-to before that"
            }
            () if self.check_bounds && last != Phase::Llvm => {
                "--check-bounds is for compiled code, the interpreter always checks: give --target x86"
            }
            // A schedule must respect the contract too.
            () if self.fp.is_some()
                && (!way.contains(&Phase::Schedule)
                    || (self.schedule.is_none()
                        && !self.uses_strategies()
                        && last < Phase::Vector)) =>
            {
                "--fp has an effect on schedules, and from phase vector on: give --target x86, and no --compile-to before that"
            }
            () => {
                self.dump_graph.iter().try_for_each(|path| graph::check(path))?;
                pipeline::check_without(&self.without, &way)?;
                return self.check_files();
            }
        };
        Err(message.to_owned())
    }

    /// Checks that no output overwrites another output, the model or the schedule.
    fn check_files(&self) -> Result<(), String> {
        let outputs = self.output.iter().map(|path| Named { what: "--output", path });
        let trace = self.log.trace_out.iter().map(|path| Named { what: "--trace-out", path });
        let graph = self.dump_graph.iter().map(|path| Named { what: "--dump-graph", path });
        let outputs: Vec<_> = outputs.chain(trace).chain(graph).collect();
        let mut inputs = vec![Named { what: "the model", path: self.model() }];
        inputs.extend(self.schedule.iter().map(|path| Named { what: "--schedule", path }));
        let machine = self.machine.iter().flatten();
        inputs.extend(machine.map(|path| Named { what: "--machine", path }));
        check_distinct(&outputs, &inputs)
    }

    /// Parses the command line. Prints help, or one line that states the error; `Err` is the exit
    /// code of the process.
    pub fn parse() -> Result<Options, ExitCode> {
        command_line::parse("lw-run", Options::check)
    }
}

fn device(word: &str) -> Result<Device, String> {
    match word {
        "interpreter" => Ok(Device::Interpreter),
        word => word
            .parse()
            .map(Device::At)
            .map_err(|_| "expected interpreter, cpu, cuda:N or emulator".into()),
    }
}

/// The values of `--compile-to` that are no phases.
const CODE: &str = ", llvm-ir, assembly";

fn stop(word: &str) -> Result<Stop, String> {
    match word {
        "llvm-ir" => Ok(Stop::LlvmIr),
        "assembly" => Ok(Stop::Assembly),
        word => Phase::from_word(word)
            .map(Stop::Phase)
            .ok_or_else(|| format!("expected one of {}{CODE}", words(|_| true))),
    }
}

fn phase(word: &str) -> Result<Phase, String> {
    let phase = Phase::from_word(word).filter(is_source);
    phase.ok_or_else(|| format!("expected one of {}", words(is_source)))
}

fn executable(word: &str) -> Result<Phase, String> {
    let phase = Phase::from_word(word).filter(is_executable);
    phase.ok_or_else(|| format!("expected one of {}", words(is_executable)))
}

/// True if compilation can start from a phase.
fn is_source(phase: &Phase) -> bool {
    *phase != Phase::Ptx
}

/// True if the interpreter runs the IR of a phase.
fn is_executable(phase: &Phase) -> bool {
    !matches!(phase, Phase::Llvm | Phase::Ptx)
}

/// The names of some phases as a list.
fn words(which: impl Fn(&Phase) -> bool) -> String {
    let words: Vec<_> = Phase::ALL.into_iter().filter(which).map(|phase| phase.word()).collect();
    words.join(", ")
}

/// The help of an option, with the values that it takes.
fn with_words(help: &str, which: impl Fn(&Phase) -> bool, more: &str) -> String {
    format!("{help}: {}{more}", words(which))
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

fn mebibytes(text: &str) -> Result<u64, String> {
    let whole = text.parse::<u64>().ok().filter(|mebibytes| *mebibytes <= u64::MAX >> 20);
    whole.ok_or_else(|| "expected a whole number of MiB that is 0 or more".into())
}

fn tolerance(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value >= 0.0 && value.is_finite() => Ok(value),
        _ => Err("expected a number that is 0 or more".into()),
    }
}
