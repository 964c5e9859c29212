//! `lw-bench`: measures the workloads beside the machine's limits, or answers a harness that compares several
//! compilers.

#[path = "../allocator.rs"]
mod allocator;
#[path = "../command_line.rs"]
mod command_line;
#[cfg(test)]
#[path = "../committed.rs"]
mod committed;
mod compile;
mod data;
#[path = "../ffi.rs"]
mod ffi;
mod limits;
#[path = "../log.rs"]
mod log;
mod options;
#[cfg(test)]
#[path = "../pages.rs"]
mod pages;
mod protocol;
mod reference;
mod report;
mod rounds;
mod usage;
#[path = "../version.rs"]
mod version;
mod workloads;

use compile::{CompileTimes, Compiler, WEIGHTS};
use data::{Loaded, draw_weights};
use limits::{Limit, Measured};
use loopwright::machine::x86::describe_host;
use loopwright::pipeline::Phase;
use loopwright_runtime::pool::Pool;
use loopwright_runtime::stderr;
use loopwright_runtime::stdout;
use options::Options;
use report::{Report, Row, table};
use rounds::Rounds;
use std::num::NonZeroUsize;
use std::process::ExitCode;
use workloads::{Shapes, Workload};

fn main() -> ExitCode {
    loopwright::tool::catch_crashes("lw-bench");
    let options = match Options::parse() {
        Ok(options) => options,
        Err(code) => return code,
    };
    options.log.around("lw-bench", ExitCode::FAILURE, || match run(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            stderr::print(format_args!("lw-bench: error: {message}\n"));
            ExitCode::FAILURE
        }
    })
}

fn run(options: &Options) -> Result<(), String> {
    if options.protocol {
        return protocol::serve(&options.fp);
    }
    let compiler = Compiler::new(&options.fp);
    if options.list {
        return list(&compiler, &options.workloads());
    }
    if let Some(workload) = options.compile {
        let times = compiler.times(workload)?;
        return stdout::print(&json(&times)?);
    }
    let report = measure(options, &compiler)?;
    stdout::print(&if options.json { json(&report)? } else { report.text() })?;
    let failures = report.workloads.iter().filter_map(|row| Some((row.id, row.failure.as_ref()?)));
    let failures: Vec<_> = failures.map(|(id, failure)| format!("{id}: {failure}")).collect();
    if failures.is_empty() { Ok(()) } else { Err(failures.join("; ")) }
}

fn json(value: &impl serde::Serialize) -> Result<String, String> {
    serde_json::to_string(value).map(|text| text + "\n").map_err(|error| error.to_string())
}

/// Prints the workloads, their shapes and their least cost.
fn list(compiler: &Compiler, workloads: &[&Workload]) -> Result<(), String> {
    let head = ["workload", "", "shapes", "MFLOP", "MB"].map(str::to_owned);
    let mut rows = vec![];
    for workload in workloads {
        let shapes = workload.shapes(compiler.context())?;
        let (flops, bytes) = (workload.flops(&shapes) as f64, shapes.bytes() as f64);
        rows.push([
            workload.id.to_owned(),
            workload.title.to_owned(),
            shapes.to_string(),
            format!("{:.3}", flops / 1e6),
            format!("{:.3}", bytes / 1e6),
        ]);
    }
    stdout::print(&table(&head, &rows, &[3, 4]))
}

/// A workload that is being measured.
struct Contender {
    workload: &'static Workload,
    shapes: Shapes,
    row: Row,
    /// `None` if it failed; the row then states why.
    loaded: Option<Loaded>,
    seconds: Rounds,
    compile_times: Vec<CompileTimes>,
}

impl Contender {
    /// Compiles a workload, and compares its result with its reference.
    fn new(
        workload: &'static Workload,
        compiler: &Compiler,
        pool: &Pool,
        threads: u16,
    ) -> Result<Contender, String> {
        let shapes = workload.shapes(compiler.context())?;
        let mut row = Row::new(workload, &shapes, threads);
        let loaded = match ready(workload, &shapes, compiler, pool) {
            Ok((loaded, error)) => {
                row.max_relative_error = Some(error);
                let is_right = error <= workload.tolerance;
                if !is_right {
                    let expected = workload.tolerance;
                    row.failure =
                        Some(format!("WRONG: relative error {error:.1e}, expected {expected:.0e}"));
                }
                is_right.then_some(loaded)
            }
            Err(message) => {
                row.failure = Some(message);
                None
            }
        };
        Ok(Contender {
            workload,
            shapes,
            row,
            loaded,
            seconds: Rounds::default(),
            compile_times: vec![],
        })
    }

    /// Measures one round.
    fn measure(&mut self, options: &Options, pool: &Pool) -> Result<(), String> {
        let Some(loaded) = &mut self.loaded else { return Ok(()) };
        self.seconds.add(|| loaded.median(pool, options.seconds))
    }

    fn finish(mut self, limits: &[Measured]) -> Row {
        if let Some(seconds) = self.seconds.median() {
            let limit = limits::of(self.workload.bound, limits);
            let (flops, bytes) = (self.workload.flops(&self.shapes), self.shapes.bytes());
            self.row.set_time(seconds, flops, bytes, limit);
            self.row.is_disturbed = self.seconds.is_loud();
        }
        self.row.set_compile_times(&self.compile_times);
        self.row
    }
}

/// Compiles and runs a workload once; also returns the relative error of its result.
fn ready(
    workload: &Workload,
    shapes: &Shapes,
    compiler: &Compiler,
    pool: &Pool,
) -> Result<(Loaded, f64), String> {
    let weights = draw_weights(shapes, WEIGHTS)?;
    let (kernel, _) = compiler.compile(&workload.text(shapes, &weights), Phase::Input)?;
    let mut loaded = Loaded::new(kernel, shapes)?;
    loaded.draw(workload.values, 1);
    loaded.run(pool)?;
    let error = workload.reference.error(&loaded.inputs, &weights, &loaded.result);
    Ok((loaded, error))
}

/// Measures all workloads and the limits that bound them, in turn.
fn measure(options: &Options, compiler: &Compiler) -> Result<Report, String> {
    let threads = NonZeroUsize::new(options.threads.into()).unwrap_or(NonZeroUsize::MIN);
    let pool = Pool::new(threads).map_err(|error| error.to_string())?;
    let mut contenders = vec![];
    for workload in options.workloads() {
        contenders.push(Contender::new(workload, compiler, &pool, options.threads)?);
    }
    let is_needed = |limit: &Limit| {
        contenders.iter().any(|it| it.loaded.is_some() && it.workload.bound == limit.bound())
    };
    let limits = Limit::ALL.into_iter().filter(is_needed);
    let limits: Result<Vec<_>, String> = limits.map(|it| Measured::new(it, compiler)).collect();
    let mut limits = limits?;
    for _ in 0..options.rounds {
        for contender in &mut contenders {
            contender.measure(options, &pool)?;
        }
        for limit in &mut limits {
            limit.measure(&pool, options.seconds)?;
        }
        for contender in contenders.iter_mut().filter(|it| it.loaded.is_some()) {
            let times = compile::times_in_new_process(contender.workload, &options.fp)?;
            contender.compile_times.push(times);
        }
    }
    let workloads = contenders.into_iter().map(|contender| contender.finish(&limits)).collect();
    Ok(Report {
        machine: describe_host()?,
        threads: options.threads,
        fp: options.fp.clone(),
        context_ms: compiler.start.as_secs_f64() * 1e3,
        limits: limits.iter().filter_map(Measured::row).collect(),
        workloads,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use reference::Reference;
    use workloads::{Bound, Values};

    /// A copy whose reference is of something else.
    static WRONG: Workload = Workload {
        id: "copy",
        title: "copy",
        module: "func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> { return %x : tensor<8xf32> }",
        arguments: &["x"],
        operations: 0,
        bound: Bound::Memory,
        values: Values::Positive,
        reference: Reference::Cells(reference::full_sum),
        tolerance: 1e-4,
    };
    static UNKNOWN: Workload = Workload {
        id: "unknown",
        title: "unknown",
        module: "func.func private @f(tensor<8xf32>) -> tensor<8xf32>\n\
                 func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {\n\
                 %y = func.call @f(%x) : (tensor<8xf32>) -> tensor<8xf32>\n\
                 return %y : tensor<8xf32>\n}",
        arguments: &["x"],
        operations: 0,
        bound: Bound::Memory,
        values: Values::Positive,
        reference: Reference::Cells(reference::full_sum),
        tolerance: 1e-4,
    };

    /// The reason why a workload has no time.
    fn failure(workload: &'static Workload) -> String {
        let pool = Pool::new(NonZeroUsize::MIN).expect("no thread is started");
        let contender = Contender::new(workload, &Compiler::new("fast"), &pool, 1);
        let contender = contender.expect("the row states the error");
        assert!(contender.loaded.is_none());
        let row = contender.finish(&[]);
        assert_eq!((row.milliseconds, row.compile_first_ms), (None, None));
        row.failure.expect("the result is wrong")
    }

    #[test]
    fn a_wrong_result_is_not_timed() {
        let failure = failure(&WRONG);
        assert!(failure.starts_with("WRONG: relative error "), "{failure}");
        assert!(failure.ends_with(", expected 1e-4"), "{failure}");
    }

    #[test]
    fn what_is_not_compiled_says_why() {
        let failure = failure(&UNKNOWN);
        assert!(!failure.is_empty() && !failure.contains('\n'), "{failure}");
    }
}
