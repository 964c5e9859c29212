//! The command line of `lw-bench`.

use crate::command_line;
use crate::log::LogOptions;
use crate::version::version;
use crate::workloads::{self, Workload};
use clap::Parser;
use std::process::ExitCode;
use std::time::Duration;

/// The maximum of `--threads`.
pub const MOST_THREADS: u16 = 1024;

/// Measure the workloads beside the machine's limits.
///
/// Compiles each workload for this machine, compares its result with a reference in f64, and prints one
/// table: the median time, the rate, its share of the machine's limit, and the compile time.
/// A limit is measured in the same run, by a kernel of the same code generator.
#[derive(Debug, Parser)]
#[command(name = "lw-bench", version = version())]
pub struct Options {
    /// The workloads to measure, such as W1s,W8b (default: all workloads that --list prints).
    #[arg(long, value_name = "ID,..", value_delimiter = ',', value_parser = workload)]
    pub only: Vec<&'static Workload>,
    /// The number of threads for parallel loops.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=i64::from(MOST_THREADS)))]
    pub threads: u16,
    /// The time that each workload, and each limit, runs in a round.
    #[arg(long, value_name = "SECONDS", default_value = "0.1", value_parser = seconds)]
    pub seconds: Duration,
    /// The number of rounds; the result is the median of all rounds.
    #[arg(long, value_name = "R", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub rounds: u16,
    /// The floating-point contract of the workloads. With `reassoc`, a schedule may change the order of sums; with
    /// `fast`, a product and a sum may also be rounded once, the distributive law may be used, and a quotient may become a
    /// product with the reciprocal.
    #[arg(long, value_name = "CONTRACT", default_value = "fast", value_parser = ["strict", "reassoc", "fast"])]
    pub fp: String,
    /// Report as JSON.
    #[arg(long)]
    pub json: bool,
    /// Print the workloads without measuring.
    #[arg(long, conflicts_with = "json")]
    pub list: bool,
    /// Build and measure as requested by lines on stdin, with one line of JSON as the answer to each. Uses
    /// $PEERS_THREADS threads, and inputs from the folder $PEERS_IN.
    #[arg(long, conflicts_with_all = ["only", "threads", "seconds", "rounds", "json", "list"])]
    pub protocol: bool,
    /// Compile a workload twice, and print the seconds of each.
    #[arg(long, hide = true, value_name = "ID", value_parser = workload, conflicts_with_all = ["protocol", "list"])]
    pub compile: Option<&'static Workload>,
    #[command(flatten)]
    pub log: LogOptions,
}

impl Options {
    /// The requested workloads, in the order of the table.
    pub fn workloads(&self) -> Vec<&'static Workload> {
        let is_wanted = |workload: &Workload| {
            self.only.is_empty() || self.only.iter().any(|wanted| wanted.id == workload.id)
        };
        workloads::ALL.iter().filter(|workload| is_wanted(workload)).collect()
    }

    /// Parses the command line. Prints help, or one line that states the error; `Err` is the exit
    /// code of the process.
    pub fn parse() -> Result<Options, ExitCode> {
        command_line::parse("lw-bench", |_| Ok(()))
    }
}

fn workload(id: &str) -> Result<&'static Workload, String> {
    workloads::find(id).ok_or_else(|| format!("expected one of {}", workloads::ids()))
}

/// Parses a duration in seconds: more than 0, and at most a million.
pub fn seconds(text: &str) -> Result<Duration, String> {
    match text.parse::<f64>() {
        Ok(value) if value > 0.0 && value <= 1e6 => Ok(Duration::from_secs_f64(value)),
        _ => Err("expected a number of seconds that is more than 0 and not more than a million"
            .to_owned()),
    }
}
