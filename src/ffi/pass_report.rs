//! Report of pass runs: function, time, whether it changed, and statistics. It is recorded on demand, for
//! `lw-opt --pass-report`.

use super::Op;
use super::pass::PassRow;
use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Runs of passes, in the order in which they ended.
#[derive(Debug, Default)]
pub struct Runs(Mutex<Vec<Run>>);

/// A run of a pass on an op.
#[derive(Clone, Debug)]
pub struct Run {
    pub pass: &'static str,
    /// The name of the function, or the kind of the op.
    pub on: String,
    pub time: Duration,
    pub is_changed: bool,
    /// True if it reported an error, or an error stopped it.
    pub has_failed: bool,
    /// Names and values of the statistics of the pass.
    pub counts: Vec<(&'static str, u64)>,
}

impl Runs {
    /// The runs as a table, one per line; empty if there are none.
    pub fn table(&self) -> ReportTable {
        ReportTable(self.0.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }

    pub(super) fn start<'r>(&'r self, row: &'static PassRow, op: Op) -> PassTimer<'r> {
        PassTimer { runs: self, row, before: op.fingerprint(), start: Instant::now() }
    }
}

/// See [`Runs::table`].
#[derive(Debug)]
pub struct ReportTable(Vec<Run>);

impl fmt::Display for ReportTable {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let passes = self.0.iter().map(|run| run.pass.len()).max().unwrap_or(0).max(4);
        let ops = self.0.iter().map(|run| run.on.len()).max().unwrap_or(0).max(2);
        if self.0.is_empty() {
            return Ok(());
        }
        writeln!(f, "{:passes$}  {:ops$}  {:>10}  result", "pass", "on", "time")?;
        for run in &self.0 {
            let changed = match run.is_changed {
                _ if run.has_failed => "failed",
                true => "changed",
                false => "unchanged",
            };
            let time = format!("{:.3} ms", run.time.as_secs_f64() * 1e3);
            write!(f, "{:passes$}  {:ops$}  {time:>10}  {changed}", run.pass, run.on)?;
            for (name, n) in run.counts.iter().filter(|(_, n)| *n > 0) {
                write!(f, ", {n} {name}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// A run in progress.
pub(super) struct PassTimer<'r> {
    runs: &'r Runs,
    row: &'static PassRow,
    before: u64,
    start: Instant,
}

impl PassTimer<'_> {
    pub(super) fn stop(self, op: Op, counts: &[u64], has_failed: bool) {
        let time = self.start.elapsed();
        let names = self.row.statistics.iter().map(|statistic| statistic.name);
        let run = Run {
            pass: self.row.argument,
            on: subject(op),
            time,
            is_changed: op.fingerprint() != self.before,
            has_failed,
            counts: names.zip(counts.iter().copied()).collect(),
        };
        self.runs.0.lock().unwrap_or_else(PoisonError::into_inner).push(run);
    }
}

/// The name of a function, or the kind of an op.
pub(super) fn subject(op: Op) -> String {
    let name = op.symbol_name().map(|name| format!("@{name}"));
    name.unwrap_or_else(|| op.name().to_owned())
}
