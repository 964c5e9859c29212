//! Mutation testing: modifies the checks of schedules and passes and the analysis, and reports which mutants the tests
//! detect.
//!
//! ```text
//! cargo run -p xtask -- mutate --work /tmp/mutants                 all mutants
//! cargo run -p xtask -- mutate --work /tmp/mutants --sample 100    some of them
//! cargo run -p xtask -- mutate --work /tmp/mutants --conditions    those that drop a condition (Cn)
//! cargo run -p xtask -- mutate --work /tmp/mutants --again old.md  those that survived then
//! ```
//! The package is copied to the folder and built once with all mutants, each behind a switch that an environment
//! variable enables. Each test runs once without mutants and records which mutants it reaches. A mutant is then run
//! only on those tests until one fails; tests that detected the most mutants for their run time run first.
//!
//! The report is `report.md` in the folder: the mutants that were killed, those that survived with their locations, and
//! for each primitive the conditions of its head that a mutant drops.

mod citation;
mod operator;
mod package;
mod quiet;
mod refusal;
mod report;
mod suite;

use clap::Args;
use operator::Mutant;
use package::Package;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{fs, io};
use suite::{Outcome, Record, Test};

#[derive(Args)]
pub struct Arguments {
    /// The folder of the copy; an earlier build in it is reused
    #[arg(long)]
    work: PathBuf,
    /// Only this many mutants, spread over all files
    #[arg(long)]
    sample: Option<usize>,
    /// Skip this many mutants first, to get a different sample
    #[arg(long, default_value_t = 0)]
    skip: usize,
    /// Only mutants that drop a condition (Cn)
    #[arg(long)]
    conditions: bool,
    /// Only mutants of files whose path contains this
    #[arg(long)]
    only: Option<String>,
    /// Only these mutants
    #[arg(long, value_delimiter = ',')]
    mutant: Vec<usize>,
    /// Only mutants that survived according to a report, identified by location, operator and text
    #[arg(long)]
    again: Option<PathBuf>,
    /// Only fixed tests, no tests with generated cases
    #[arg(long)]
    quick: bool,
    /// Only tests whose name contains this, such as "lit --exact optimize/"
    #[arg(long)]
    tests: Option<String>,
    /// How many mutants to run at once
    #[arg(long, default_value_t = 2)]
    jobs: usize,
}

/// The result of running a mutant.
pub struct Fate {
    pub mutant: Mutant,
    /// The test that detected it.
    pub killer: Option<String>,
    /// The number of tests that reach it.
    pub tests: usize,
}

/// The files to mutate: primitives, the checks that they use, the analysis, and passes.
fn files(root: &Path) -> io::Result<Vec<String>> {
    const UNCHANGED: &[&str] = &[
        // Printing for people, and entry points.
        "render.rs",
        "error.rs",
        "interface.rs",
        "trace.rs",
        "rewriter.rs",
        // Tests.
        "precision.rs",
    ];
    // Passes that only check, and produce no code whose values could be compared.
    const CHECKS: &[&str] =
        &["src/lowering/cpu/instrument_bounds.rs", "src/lowering/cuda/verify_gpu_code.rs"];
    let mut found: Vec<String> = CHECKS.iter().map(|name| (*name).to_owned()).collect();
    let mut folders: Vec<PathBuf> = ["src/nest", "src/schedule", "src/analysis", "src/optimize"]
        .map(|name| root.join(name))
        .into();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() {
                folders.push(path);
            } else if name.ends_with(".rs") && !UNCHANGED.contains(&name.as_str()) {
                let below = path.strip_prefix(root).map_err(io::Error::other)?;
                found.push(below.display().to_string());
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Runs the mutants that the arguments select, and writes the report.
pub fn run(arguments: &Arguments) -> io::Result<ExitCode> {
    let root = crate::package::root().canonicalize()?;
    let files = files(&root)?;
    let (copy, target) = (arguments.work.join("package"), arguments.work.join("target"));
    fs::create_dir_all(&copy)?;
    let (package, binaries) = package::make(&root, &copy.canonicalize()?, &target, &files)?;
    let tests = suite::list(&package, &binaries, arguments.quick, arguments.tests.as_deref())?;
    for test in &tests {
        println!("{:>8.2?} {:>5} {}", test.time, test.reaches.len(), test.name);
    }
    let again = arguments.again.as_ref().map(fs::read_to_string).transpose()?;
    let is_wanted = |mutant: &&Mutant| {
        (!arguments.conditions || !mutant.cites.is_empty())
            && arguments.only.as_ref().is_none_or(|only| mutant.file.contains(only))
            && (arguments.mutant.is_empty() || arguments.mutant.contains(&mutant.number))
            && again.as_ref().is_none_or(|report| report.contains(&report::survivor(mutant)))
    };
    let wanted: Vec<&Mutant> = package.mutants.iter().filter(is_wanted).collect();
    let step = arguments.sample.map_or(1, |sample| wanted.len().div_ceil(sample.max(1)).max(1));
    let mut chosen: Vec<&Mutant> = wanted.into_iter().skip(arguments.skip).step_by(step).collect();
    // Shuffled, so that an interrupted run has covered all files: 65,537 is a prime.
    chosen.sort_by_key(|mutant| mutant.number * 40_503 % 65_537);
    let fates = judge_all(&package, &tests, &chosen, arguments.jobs)?;
    let text = report::text(&root, &fates, &package)?;
    fs::write(arguments.work.join("report.md"), &text)?;
    println!("{text}");
    Ok(ExitCode::SUCCESS)
}

/// Runs the mutants, several at once.
fn judge_all(
    package: &Package,
    tests: &[Test],
    mutants: &[&Mutant],
    jobs: usize,
) -> io::Result<Vec<Fate>> {
    let (next, fates) = (AtomicUsize::new(0), Mutex::new(vec![]));
    let records: Vec<Record> = tests.iter().map(|_| Record::default()).collect();
    let work = || -> io::Result<()> {
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            let Some(mutant) = mutants.get(i) else { return Ok(()) };
            let is_reaching = |(test, _): &(&Test, &Record)| test.reaches.contains(&mutant.number);
            let mut reaching: Vec<(&Test, &Record)> =
                tests.iter().zip(&records).filter(is_reaching).collect();
            // The tests that are most likely to detect it per unit of time come first.
            reaching.sort_by_cached_key(|(test, record)| record.cost(test.time));
            let mut killer = None;
            for (test, record) in &reaching {
                let outcome = test.judge(package, mutant.number)?;
                record.add(outcome);
                if outcome != Outcome::Passed {
                    killer = Some(test.name.clone());
                    break;
                }
            }
            let fate = killer.as_deref().unwrap_or("survives");
            println!(
                "{:>5}/{} {}:{} {} [{}]: {fate}",
                i + 1,
                mutants.len(),
                mutant.file,
                mutant.line,
                mutant.operator,
                mutant.text
            );
            let fate = Fate { mutant: (*mutant).clone(), killer, tests: reaching.len() };
            fates.lock().map_err(|_| io::Error::other("a worker panicked"))?.push(fate);
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs.max(1)).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| {
            worker.join().map_err(|_| io::Error::other("a worker panicked"))?
        })
    })?;
    let mut fates = fates.into_inner().map_err(|_| io::Error::other("a worker panicked"))?;
    fates.sort_by_key(|fate: &Fate| fate.mutant.number);
    Ok(fates)
}
