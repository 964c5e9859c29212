//! The profile of a function on a cpu: a table of its kernels, with times, rates and limits.
//!
//! The function is called repeatedly. The time of a kernel in a call is the sum over its runs, from
//! [marks](loopwright_runtime::profile) around each run; a row shows the median over the calls. A mark takes about 50 ns, so
//! kernels of less than a microsecond appear slower than they are.
//!
//! The *limit* of a kernel is the least time in which the machine could do its work: the operations on floats at the rate
//! of multiply-adds, or the least bytes at the most that reading arrays of this size can reach, whichever takes longer.

use loopwright::analysis::kernels::{Kernel, KernelWork};
use loopwright::analysis::work::WorkArgument;
use loopwright::machine::x86::{Description, Rates, describe_host};
use loopwright_runtime::profile::{Mark, observe};
use serde::Serialize;
use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tracing::span::EnteredSpan;
use tracing::{Level, enabled, info_span};

/// For how long the function is called, without `--time`.
pub const TIME: Duration = Duration::from_millis(500);

/// At least and at most so many calls are measured.
const CALLS: [usize; 2] = [3, 10_000];

/// At most so many places of ops are in a row of the table.
const MOST_SOURCES: usize = 3;

/// A function whose code has marks.
pub struct Profiled {
    /// By the numbers in the marks.
    pub kernels: Vec<Kernel>,
    /// The machine that the code is for, if it is described; else this one.
    pub machine: Option<Arc<Description>>,
}

/// The profile of a function.
#[derive(Clone, Debug, Serialize)]
pub struct Profile {
    pub threads: usize,
    /// The number of measured calls.
    pub calls: usize,
    /// The median time of a call.
    pub call_us: f64,
    /// In descending order of time.
    pub kernels: Vec<Row>,
    /// The median of what a call spends outside of kernels.
    pub outside_us: f64,
    /// The limits by which kernels are judged, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limits: Option<String>,
}

/// A kernel.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The number of the kernel.
    #[serde(skip)]
    pub number: usize,
    pub name: String,
    /// How often it runs in a call.
    pub runs: u64,
    /// The median over the calls of the time of all its runs in a call.
    pub time_us: f64,
    /// Of all runs in a call; absent if they depend on more than the sizes of the arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub float_ops: Option<i128>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<i128>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
    /// The places of the ops that it was made of.
    pub sources: Vec<String>,
}

/// The limit of a kernel.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Limit {
    pub time_us: f64,
    pub by: LimitKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LimitKind {
    Compute,
    Memory,
}

/// The runs of a kernel in one call.
#[derive(Clone, Copy, Default)]
struct Runs {
    began: Option<Instant>,
    time: Duration,
    number: u64,
}

impl Profiled {
    /// Calls the function for the time of the budget. `sizes` are the arguments of `entry`.
    pub fn measure(
        &self,
        entry: &str,
        sizes: &[WorkArgument],
        threads: usize,
        budget: Duration,
        mut run: impl FnMut() -> Result<(), String>,
    ) -> Result<Profile, String> {
        let mut times: Vec<Vec<Duration>> = vec![vec![]; self.kernels.len()];
        let (mut calls, mut outside, mut numbers) = (vec![], vec![], vec![]);
        let start = Instant::now();
        while calls.len() < CALLS[0] || start.elapsed() < budget && calls.len() < CALLS[1] {
            let runs = Rc::new(RefCell::new(vec![Runs::default(); self.kernels.len()]));
            let seen = runs.clone();
            let begin = Instant::now();
            let outcome = observe(move |mark| note(&mut seen.borrow_mut(), mark), &mut run);
            let whole = begin.elapsed();
            outcome?;
            let runs = runs.borrow();
            runs.iter().zip(&mut times).for_each(|(runs, times)| times.push(runs.time));
            let inside: Duration = runs.iter().map(|runs| runs.time).sum();
            calls.push(whole);
            outside.push(whole.saturating_sub(inside));
            numbers = runs.iter().map(|runs| runs.number).collect();
        }
        self.show(&mut run)?;
        let described = self.machine.as_deref().or_else(|| describe_host().ok());
        let rates = described.and_then(|described| described.rates.as_ref());
        let rows = self.kernels.iter().zip(times).zip(&numbers).enumerate();
        let mut kernels: Vec<Row> = rows
            .filter(|(_, (_, runs))| **runs > 0)
            .map(|(number, ((kernel, mut times), runs))| {
                // The sizes of other functions are not known.
                let known = if kernel.function == entry { sizes } else { &[] };
                let work = kernel.work(known);
                let limit = work
                    .zip(rates)
                    .and_then(|(work, rates)| limit(work, kernel.is_double, *runs, rates, threads));
                Row {
                    number,
                    name: kernel.name.clone(),
                    runs: *runs,
                    time_us: median(&mut times),
                    float_ops: work.map(|work| work.float_ops * i128::from(*runs)),
                    bytes: work.map(|work| work.bytes * i128::from(*runs)),
                    limit,
                    sources: kernel.sources.clone(),
                }
            })
            .collect();
        kernels.sort_by(|one, other| other.time_us.total_cmp(&one.time_us));
        Ok(Profile {
            threads,
            calls: calls.len(),
            call_us: median(&mut calls),
            kernels,
            outside_us: median(&mut outside),
            limits: rates.map(|rates| limits(rates, threads)),
        })
    }

    /// Calls the function once more, with a span for each run of a kernel, if spans are received.
    fn show(&self, run: &mut impl FnMut() -> Result<(), String>) -> Result<(), String> {
        if !enabled!(target: "loopwright::run", Level::INFO) {
            return Ok(());
        }
        let names: Vec<String> = self.kernels.iter().map(|kernel| kernel.name.clone()).collect();
        let mut open: Vec<EnteredSpan> = vec![];
        let span = move |mark: Mark| {
            if mark.is_end {
                drop(open.pop());
            } else if let Some(name) = names.get(mark.kernel) {
                open.push(info_span!(target: "loopwright::run", "kernel", name = %name).entered());
            }
        };
        observe(span, run)
    }
}

/// Notes a mark of a call.
fn note(runs: &mut [Runs], mark: Mark) {
    let now = Instant::now();
    let Some(runs) = runs.get_mut(mark.kernel) else { return };
    match mark.is_end {
        false => runs.began = Some(now),
        true => {
            runs.time += runs.began.take().map_or(Duration::ZERO, |began| now - began);
            runs.number += 1;
        }
    }
}

/// The median in microseconds.
fn median(times: &mut [Duration]) -> f64 {
    times.sort();
    times.get(times.len() / 2).map_or(0.0, |time| time.as_secs_f64() * 1e6)
}

/// The least time of all runs of a kernel in a call. Each thread reads at the rate of one core, which is more than several
/// cores reach together beyond their own caches.
fn limit(
    work: KernelWork,
    is_double: bool,
    runs: u64,
    rates: &Rates,
    threads: usize,
) -> Option<Limit> {
    let width = if is_double { 2.0 } else { 1.0 };
    let compute = work.float_ops as f64 * width / rates.gflop_per_s(threads) / 1e3;
    let rate = rates.read_gb_per_s(u64::try_from(work.bytes).ok()?)? * threads.max(1) as f64;
    let memory = work.bytes as f64 / rate / 1e3;
    let by = if compute >= memory { LimitKind::Compute } else { LimitKind::Memory };
    Some(Limit { time_us: compute.max(memory) * runs as f64, by })
}

/// The limits in words.
fn limits(rates: &Rates, threads: usize) -> String {
    let compute = rates.gflop_per_s(threads);
    let reads = rates.reads.iter().map(|rate| match rate.bytes {
        bytes if bytes < 1 << 20 => format!("{} KiB {}", bytes >> 10, rate.gb_per_s),
        bytes => format!("{} MiB {}", bytes >> 20, rate.gb_per_s),
    });
    format!(
        "limits: f32 multiply-adds {compute:.1} GFLOP/s; reads on each thread, GB/s by size: {}",
        reads.collect::<Vec<_>>().join(", ")
    )
}

impl Row {
    /// What was measured, in one line.
    pub fn measured(&self) -> String {
        let runs = if self.runs > 1 { format!(" in {} runs", self.runs) } else { String::new() };
        let limit = self.part_of_limit();
        let limit = limit.map(|(part, by)| format!(", {part:.0} % of the {by} limit"));
        format!("{:.1} us{runs}{}", self.time_us, limit.unwrap_or_default())
    }

    /// How near it is to its limit in percent, and which one.
    fn part_of_limit(&self) -> Option<(f64, &'static str)> {
        let limit = self.limit.filter(|limit| limit.time_us > 0.0 && self.time_us > 0.0)?;
        let by = match limit.by {
            LimitKind::Compute => "compute",
            LimitKind::Memory => "memory",
        };
        Some((limit.time_us / self.time_us * 100.0, by))
    }

    /// The cells of the table; `call_us` is the time of a call.
    fn cells(&self, call_us: f64) -> [String; 7] {
        let rate = |amount: Option<i128>| {
            let amount = amount.filter(|amount| *amount > 0 && self.time_us > 0.0);
            amount.map(|it| format!("{:.1}", it as f64 / self.time_us / 1e3)).unwrap_or_default()
        };
        let sources = shown(&self.sources);
        let runs = if self.runs > 1 { format!(" x {}", self.runs) } else { String::new() };
        [
            format!("{:.1}", self.time_us),
            format!("{:.1} %", self.time_us / call_us.max(f64::MIN_POSITIVE) * 100.0),
            rate(self.float_ops),
            rate(self.bytes),
            self.part_of_limit().map(|(part, by)| format!("{part:.0} % {by}")).unwrap_or_default(),
            self.name.clone() + &runs,
            sources,
        ]
    }
}

/// The first places as text, without their folders: `a.mlir:7, 8 and 2 more`. The file of a line is named if the place
/// before is not in it.
pub fn shown(places: &[String]) -> String {
    let mut text = String::new();
    let mut file = None;
    for place in places.iter().take(MOST_SOURCES) {
        text += if text.is_empty() { "" } else { ", " };
        let is_line = |(_, line): &(&str, &str)| line.bytes().all(|byte| byte.is_ascii_digit());
        match place.rsplit_once(':').filter(is_line) {
            Some((path, line)) if file == Some(path) => text += line,
            Some((path, line)) => {
                let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
                text += &format!("{name}:{line}");
                file = Some(path);
            }
            None => {
                text += place;
                file = None;
            }
        }
    }
    if places.len() > MOST_SOURCES {
        text += &format!(" and {} more", places.len() - MOST_SOURCES);
    }
    text
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Profile { threads, calls, call_us, kernels, outside_us, limits } = self;
        let plural = |n: usize| if n == 1 { "" } else { "s" };
        writeln!(
            f,
            "{} kernel{}, {call_us:.1} us a call (median of {calls}) on {threads} thread{}",
            kernels.len(),
            plural(kernels.len()),
            plural(*threads)
        )?;
        let titles = ["us", "share", "GFLOP/s", "GB/s", "of limit", "kernel", "from"];
        let mut rows = vec![titles.map(str::to_owned)];
        rows.extend(kernels.iter().map(|row| row.cells(*call_us)));
        let mut outside = <[String; 7]>::default();
        outside[0] = format!("{outside_us:.1}");
        outside[1] = format!("{:.1} %", outside_us / call_us.max(f64::MIN_POSITIVE) * 100.0);
        outside[5] = "outside of kernels".into();
        rows.push(outside);
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
        let widths: [usize; 7] = std::array::from_fn(|column| width(column).unwrap_or(0));
        for row in &rows {
            let cells = row.iter().zip(widths).enumerate().map(|(column, (cell, width))| {
                // Numbers to the right.
                if column < 4 { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
            });
            writeln!(f, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
        }
        limits.iter().try_for_each(|limits| writeln!(f, "{limits}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_name_a_file_once() {
        let text =
            |places: &[&str]| shown(&places.iter().map(|it| (*it).into()).collect::<Vec<_>>());
        assert_eq!(text(&["m/a.mlir:7", "m/a.mlir:8"]), "a.mlir:7, 8");
        assert_eq!(
            text(&["a:7", "/node/of:an/Add", "a:8", "a:9", "a:10"]),
            "a:7, /node/of:an/Add, a:8 and 2 more"
        );
        assert_eq!(text(&[]), "");
    }

    #[test]
    fn a_limit_is_that_of_the_slower_resource() {
        let rates = r#"{"cores": 2, "rates": {
            "multiply_add": {"one_core_gflop_per_s": 100.0, "all_cores_gflop_per_s": 150.0},
            "reads": [{"bytes": 1000, "gb_per_s": 50.0}, {"bytes": 1000000, "gb_per_s": 10.0}],
            "copies": []}}"#;
        let described: Description = serde_json::from_str(rates).expect("a description");
        let rates = described.rates.expect("it has rates");
        let of = |float_ops, bytes, is_double, threads| {
            let work = KernelWork { float_ops, bytes };
            let limit = limit(work, is_double, 2, &rates, threads).expect("rates are known");
            ((limit.time_us * 1e3).round() / 1e3, limit.by)
        };
        assert_eq!(of(1_000_000, 1000, false, 1), (20.0, LimitKind::Compute));
        assert_eq!(of(1_000_000, 1000, false, 4), (13.333, LimitKind::Compute));
        assert_eq!(of(1_000_000, 1000, true, 1), (40.0, LimitKind::Compute));
        // Smaller than all that was measured, between two sizes, and larger.
        assert_eq!(of(0, 500, false, 1), (0.02, LimitKind::Memory));
        assert_eq!(of(0, 500_000, false, 2), (10.0, LimitKind::Memory));
        assert_eq!(of(0, 2_000_000, false, 1), (400.0, LimitKind::Memory));
    }

    #[test]
    fn the_time_of_a_kernel_is_that_of_all_its_runs() {
        let mut runs = vec![Runs::default(); 2];
        for is_end in [false, true, false, true] {
            note(&mut runs, Mark { kernel: 1, is_end });
            std::thread::sleep(Duration::from_millis(1));
        }
        // A kernel that is not known.
        note(&mut runs, Mark { kernel: 2, is_end: true });
        assert_eq!((runs[0].number, runs[1].number), (0, 2));
        assert!(runs[1].time >= Duration::from_millis(2));
        assert_eq!(runs[0].time, Duration::ZERO);
    }
}
