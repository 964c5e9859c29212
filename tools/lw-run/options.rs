//! The command line.

use clap::Parser;
use loopwright::pipeline::Phase;
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
    /// Where to run it.
    #[arg(long, value_enum, default_value = "interpreter")]
    pub device: Device,
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
    /// Print the IR of this phase and stop.
    #[arg(long, value_name = "PHASE", value_parser = phase, conflicts_with_all = ["input", "output", "check", "execute", "json"])]
    pub compile_to: Option<Phase>,
    /// The phase whose IR is executed.
    #[arg(long, value_name = "PHASE", value_parser = phase, default_value = "loop")]
    pub execute: Phase,
    /// Of the random orders in which the interpreter does unordered work.
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// More loop iterations than this in one nest are an error.
    #[arg(long, default_value_t = u64::MAX, hide_default_value = true, value_name = "N")]
    pub max_iterations: u64,
}

/// A place to run a function.
#[derive(Clone, Copy, Debug, clap::ValueEnum, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Device {
    /// The reference interpreter.
    Interpreter,
}

impl Options {
    /// Parses the command line. Prints help, or one line that says what is wrong; the error is the exit
    /// code to end with.
    pub fn parse() -> Result<Options, ExitCode> {
        Options::try_parse().map_err(|error| {
            if !error.use_stderr() {
                print!("{error}");
                return ExitCode::SUCCESS;
            }
            // clap's first paragraph is the error; hints and usage follow it.
            let text = error.to_string();
            let first = text.split("\n\n").next().unwrap_or(&text);
            let line: Vec<_> = first.lines().map(str::trim).collect();
            eprintln!("lw-run: {} (see --help)", line.join(" "));
            ExitCode::FAILURE
        })
    }
}

fn phase(word: &str) -> Result<Phase, String> {
    Phase::from_word(word).ok_or_else(|| {
        let words: Vec<_> = Phase::ALL.iter().map(|phase| phase.word()).collect();
        format!("expected one of {}", words.join(", "))
    })
}

fn tolerance(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value >= 0.0 && value.is_finite() => Ok(value),
        _ => Err("expected a number that is 0 or more".into()),
    }
}
