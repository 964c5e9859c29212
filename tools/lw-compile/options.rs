//! The command line of `lw-compile`.

use crate::log::LogOptions;
use clap::Parser;
use loopwright::codegen::cuda;
use loopwright::machine::cuda::chips;
use std::path::PathBuf;
use std::process::ExitCode;

/// Compile a model to a library, or an object file, and a C header; or to a bundle of programs for GPUs.
///
/// Takes a module of linalg, graph or loop dialect. Each public function becomes a kernel; loopwright_runtime.h
/// states how to call it. The library depends only on libc and libm. loopwright_runtime::gpu runs a bundle.
#[derive(Debug, Parser)]
#[command(name = "lw-compile", version)]
pub struct Options {
    /// The module (.mlir or bytecode).
    pub model: PathBuf,
    /// The output file: a shared library, or an object file if the name ends with .o; with architectures of GPUs, a
    /// bundle.
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Architectures of GPUs. The bundle has a program for each, and the device determines which one runs. Without
    /// this, code is for x86.
    #[arg(long, value_name = "CHIP,..", value_delimiter = ',', value_parser = chip, conflicts_with_all = ["header", "cpu", "name"])]
    pub target: Vec<cuda::GpuTarget>,
    /// The header file (default: beside the output, with .h).
    #[arg(long, value_name = "FILE.h")]
    pub header: Option<PathBuf>,
    /// The name of the function main in the library (default: that of the output).
    #[arg(long, value_name = "NAME", value_parser = identifier)]
    pub name: Option<String>,
    /// The processor to generate code for, by LLVM's name, such as znver4 or x86-64-v3 (default: this machine's).
    #[arg(long, value_name = "CPU")]
    pub cpu: Option<String>,
    /// A transform script, or a trace as JSON, that schedules the module (default: the default schedules).
    #[arg(long, value_name = "FILE")]
    pub schedule: Option<PathBuf>,
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
    /// True if the output is an object file.
    pub fn is_object(&self) -> bool {
        self.output.extension().is_some_and(|extension| extension == "o")
    }

    pub fn header(&self) -> PathBuf {
        self.header.clone().unwrap_or_else(|| self.output.with_extension("h"))
    }

    /// The new name of `main`.
    pub fn name(&self) -> String {
        let stem = || self.output.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let name: String = self
            .name
            .clone()
            .unwrap_or_else(stem)
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
            .collect();
        match name.starts_with(|c: char| c.is_ascii_digit()) || name.is_empty() || name == "main" {
            true => format!("kernel_{name}"),
            false => name,
        }
    }

    /// Parses the command line. Prints help, or one line that states the error; `Err` is the exit code of the
    /// process.
    pub fn parse() -> Result<Options, ExitCode> {
        Options::try_parse().map_err(|error| {
            if !error.use_stderr() {
                return match error.print() {
                    Ok(()) => ExitCode::SUCCESS,
                    Err(_) => ExitCode::FAILURE,
                };
            }
            let text = error.to_string();
            let first = text.split("\n\n").next().unwrap_or(&text);
            let line: Vec<_> = first.lines().map(str::trim).collect();
            eprintln!("lw-compile: {} (see --help)", line.join(" "));
            ExitCode::FAILURE
        })
    }
}

fn chip(word: &str) -> Result<cuda::GpuTarget, String> {
    let error = |_| format!("expected some of {}", chips());
    cuda::GpuTarget::new(word, 64).map_err(error)
}

/// Checks that a name is a C identifier.
fn identifier(text: &str) -> Result<String, String> {
    let letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    let is_name = text.starts_with(letter) && text.chars().all(|c| letter(c) || c.is_ascii_digit());
    match is_name && text != "main" {
        true => Ok(text.to_owned()),
        false => Err("expected a name of C, other than main".to_owned()),
    }
}
