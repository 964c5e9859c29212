//! Report of the pass runs in this process: function, time, whether it changed, and statistics. It is
//! recorded on demand, for `lw-opt --pass-report`.

use super::Op;
use super::pass::PassRow;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

static IS_ON: AtomicBool = AtomicBool::new(false);
static RUNS: Mutex<Vec<Run>> = Mutex::new(vec![]);

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

/// Enables recording of all later runs.
pub fn enable() {
    IS_ON.store(true, Ordering::Relaxed);
}

/// The recorded runs, in the order in which they ended.
pub fn runs() -> Vec<Run> {
    RUNS.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// The recorded runs as a table, one per line; empty if there are none.
pub fn table() -> Table {
    Table(runs())
}

/// See [`table`].
#[derive(Debug)]
pub struct Table(Vec<Run>);

impl fmt::Display for Table {
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
pub(super) struct Watch {
    row: &'static PassRow,
    before: u64,
    start: Instant,
}

pub(super) fn start(row: &'static PassRow, op: Op) -> Option<Watch> {
    IS_ON.load(Ordering::Relaxed).then(|| {
        let before = op.fingerprint();
        Watch { row, before, start: Instant::now() }
    })
}

impl Watch {
    pub(super) fn stop(self, op: Op, counts: &[u64], has_failed: bool) {
        let time = self.start.elapsed();
        let name = op.symbol_name().map(|name| format!("@{name}"));
        let names = self.row.statistics.iter().map(|statistic| statistic.name);
        let run = Run {
            pass: self.row.argument,
            on: name.unwrap_or_else(|| op.name().to_owned()),
            time,
            is_changed: op.fingerprint() != self.before,
            has_failed,
            counts: names.zip(counts.iter().copied()).collect(),
        };
        RUNS.lock().unwrap_or_else(PoisonError::into_inner).push(run);
    }
}
