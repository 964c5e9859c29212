//! The command line of `lw-compile`.

use crate::command_line;
use crate::import::dim;
use crate::log::LogOptions;
use crate::outputs::{Named, check_distinct};
use crate::version::version;
use clap::Parser;
use loopwright::auto_schedule::ScheduleBy;
use loopwright::codegen::{Target, c_name_of, check_c_name, cuda};
use loopwright::pipeline::OutputKind;
use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;

/// Compile a model to a library, an archive or an object file, and a C header; or to a bundle of programs for GPUs.
///
/// Takes a module of linalg, graph or loop dialect, or of TOSA, or an ONNX model. Each public function becomes a kernel;
/// loopwright_runtime.h states how to call it. The library depends only on libc and libm. loopwright_runtime::gpu runs
/// a bundle. All files are written at the end, each as a whole; after an error none is written.
#[derive(Debug, Parser)]
#[command(name = "lw-compile", version = version())]
pub struct Options {
    /// The module (.mlir or bytecode; - is stdin) or ONNX model (.onnx, .onnxtxt).
    pub model: PathBuf,
    /// The output file. Its suffix decides what it is: .so a shared library, .a an archive (a static library), .o an
    /// object file, .lwb a bundle of programs for GPUs.
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// The target to compile for: x86 (the default), or architectures of GPUs, such as sm_80,sm_90a. A bundle has a
    /// program for each architecture, and the device determines which one runs.
    #[arg(long, value_name = "TARGET,..", value_delimiter = ',', value_parser = Target::from_str)]
    pub target: Vec<Target>,
    /// The header file (default: beside the output, with .h).
    #[arg(long, value_name = "FILE.h")]
    pub header: Option<PathBuf>,
    /// The name of the function main in the library: an identifier that is no keyword of C or C++ (default: the stem of
    /// the output, with _ for other characters, and kernel_ before it if it is still no name).
    #[arg(long, value_name = "NAME", value_parser = kernel_name)]
    pub name: Option<String>,
    /// The processor to generate code for, by LLVM's name, such as znver4 or x86-64-v3 (default: this machine's).
    #[arg(long, value_name = "CPU")]
    pub cpu: Option<String>,
    /// Generate code for the machine that a file describes, as lw-run --machine prints it.
    #[arg(long, value_name = "FILE", conflicts_with = "cpu")]
    pub machine: Option<PathBuf>,
    /// The size of the dimensions that have this name in an ONNX model. May be given several times.
    #[arg(long, value_name = "NAME=SIZE", value_parser = dim)]
    pub dim: Vec<(String, u64)>,
    /// A transform script, or a trace as JSON, that schedules the module (default: the default schedules).
    #[arg(long, value_name = "FILE")]
    pub schedule: Option<PathBuf>,
    /// A transform script that declares strategies, which compete with those of the package. May be repeated.
    #[arg(long, value_name = "FILE", conflicts_with = "schedule")]
    pub strategies: Vec<PathBuf>,
    /// How one of several strategies is chosen for a group of nests: priority takes the applicable one of the highest
    /// priority, auto the one that is predicted to be the fastest. Default: auto for x86, priority for GPUs, where it takes longer to
    /// try others.
    #[arg(long, value_name = "HOW", conflicts_with = "schedule")]
    pub schedule_by: Option<ScheduleBy>,
    /// The floating-point contract of functions that state none.
    #[arg(long, value_name = "CONTRACT", value_parser = ["strict", "reassoc", "fast"])]
    pub fp: Option<String>,
    /// Report an error if a vectorized loop has no vector form.
    #[arg(long)]
    pub require_vector: bool,
    #[command(flatten)]
    pub log: LogOptions,
}

impl Options {
    /// What the suffix of the output stands for.
    pub fn kind(&self) -> Option<OutputKind> {
        OutputKind::of(&self.output)
    }

    /// The GPUs to compile for; none for x86.
    pub fn gpus(&self) -> impl Iterator<Item = &cuda::GpuTarget> {
        self.target.iter().filter_map(|target| match target {
            Target::X86 => None,
            Target::Gpu(gpu) => Some(gpu),
        })
    }

    pub fn header(&self) -> PathBuf {
        self.header.clone().unwrap_or_else(|| self.output.with_extension("h"))
    }

    /// The new name of `main`.
    pub fn name(&self) -> String {
        let stem = || self.output.file_stem().unwrap_or_default().to_string_lossy();
        self.name.clone().unwrap_or_else(|| c_name_of(&stem()))
    }

    /// Parses the command line. Prints help, or one line that states the error; `Err` is the exit code of the
    /// process.
    pub fn parse() -> Result<Options, ExitCode> {
        command_line::parse("lw-compile", Options::check)
    }

    /// Checks the options together.
    fn check(&self) -> Result<(), String> {
        let output = self.output.display();
        let is_for_gpu = self.gpus().next().is_some();
        if is_for_gpu && self.target.contains(&Target::X86) {
            return Err("--target has x86 and GPUs: give one --output for each".to_owned());
        }
        let Some(kind) = self.kind() else {
            let suffix = self.output.extension().map(|it| it.to_string_lossy().into_owned());
            let found = suffix.map_or("no suffix".to_owned(), |it| format!("the suffix .{it}"));
            let expected = match is_for_gpu {
                true => ".lwb (a bundle)",
                false => ".so (a shared library), .a (an archive) or .o (an object file)",
            };
            return Err(format!("--output '{output}' has {found}, expected {expected}"));
        };
        if kind == OutputKind::Bundle && !is_for_gpu {
            return Err(format!("--output '{output}' is a bundle, for GPUs: give --target sm_80"));
        }
        if kind != OutputKind::Bundle && is_for_gpu {
            return Err(format!(
                "--output '{output}' is a file for x86, programs for GPUs are a bundle: give \
                 --output FILE.lwb"
            ));
        }
        let for_x86 = [
            ("--header", self.header.is_some()),
            ("--name", self.name.is_some()),
            ("--cpu", self.cpu.is_some()),
            ("--machine", self.machine.is_some()),
        ];
        if let Some((flag, _)) = for_x86.iter().find(|(_, is_given)| is_for_gpu && *is_given) {
            return Err(format!("{flag} is for --target x86"));
        }
        self.check_files(kind)
    }

    /// Checks that no output overwrites another file of this command.
    fn check_files(&self, kind: OutputKind) -> Result<(), String> {
        let header = self.header();
        let mut outputs = vec![Named { what: "--output", path: &self.output }];
        if kind != OutputKind::Bundle {
            outputs.push(Named { what: "--header", path: &header });
        }
        let trace = self.log.trace_out.iter().map(|path| Named { what: "--trace-out", path });
        outputs.extend(trace);
        let mut inputs = vec![Named { what: "the model", path: &self.model }];
        inputs.extend(self.schedule.iter().map(|path| Named { what: "--schedule", path }));
        inputs.extend(self.machine.iter().map(|path| Named { what: "--machine", path }));
        check_distinct(&outputs, &inputs)
    }
}

/// Checks the new name of `main`.
fn kernel_name(text: &str) -> Result<String, String> {
    check_c_name(text).map(|()| text.to_owned()).map_err(|error| error.to_string())
}
