//! The tests that may detect a mutant; each runs in its own process.

use super::package::{Binary, Package};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use std::{fs, io};

/// A test: the command, the run time, and the mutants that it reaches.
#[derive(Clone, Debug)]
pub struct Test {
    pub name: String,
    program: PathBuf,
    arguments: Vec<String>,
    environment: Vec<(&'static str, &'static str)>,
    pub time: Duration,
    pub reaches: BTreeSet<usize>,
}

/// The outcome of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Passed,
    Failed,
    TimedOut,
}

/// How often a test was run on mutants, and how often it detected one.
#[derive(Debug, Default)]
pub struct Record {
    runs: AtomicU64,
    noticed: AtomicU64,
}

impl Record {
    pub fn add(&self, outcome: Outcome) {
        self.runs.fetch_add(1, Ordering::Relaxed);
        self.noticed.fetch_add(u64::from(outcome != Outcome::Passed), Ordering::Relaxed);
    }

    /// The expected run time per detected mutant. A test that was never run counts as detecting half of the mutants.
    pub fn cost(&self, time: Duration) -> Duration {
        let (runs, noticed) =
            (self.runs.load(Ordering::Relaxed), self.noticed.load(Ordering::Relaxed));
        time.mul_f64((runs + 2) as f64 / (noticed + 1) as f64)
    }
}

/// All tests of the copy that pass without mutants, or only those whose name contains `only`. `quick` excludes tests
/// with generated cases.
pub fn list(
    package: &Package,
    binaries: &[Binary],
    quick: bool,
    only: Option<&str>,
) -> io::Result<Vec<Test>> {
    let mut tests = vec![];
    for binary in binaries {
        let add = |tests: &mut Vec<Test>, arguments: &[&str], environment: &[_]| {
            tests.push(Test {
                name: format!("{} {}", binary.name, arguments.join(" ")),
                program: binary.path.clone(),
                arguments: arguments.iter().map(|text| (*text).to_owned()).collect(),
                environment: environment.to_vec(),
                time: Duration::ZERO,
                reaches: BTreeSet::new(),
            });
        };
        match binary.name.as_str() {
            "lit" => {
                for name in names(binary)? {
                    let folders = [
                        "schedule/",
                        "analysis/",
                        "optimize/",
                        "lowering/cpu/instrument_bounds",
                        "lowering/cuda/verify_gpu_code",
                        "tools/lw-run/check_bounds",
                    ];
                    if folders.iter().any(|folder| name.starts_with(folder)) {
                        add(&mut tests, &["--exact", &name], &[]);
                    }
                }
            }
            "recorded" => add(&mut tests, &[], &[]),
            "verdicts" => add(&mut tests, &[], &[]),
            "traces" => add(&mut tests, &["verify::"], &[]),
            "schedule" | "work" => {
                for name in names(binary)? {
                    if !quick || !name.starts_with("random") {
                        add(&mut tests, &["--exact", &name], &[("LOOPWRIGHT_SCHEDULE_SEEDS", "6")]);
                    }
                }
            }
            "legality" => {
                let short = [("LOOPWRIGHT_LEGALITY", "2")];
                add(&mut tests, &["written"], &[]);
                if !quick {
                    add(&mut tests, &["drawn"], &short);
                }
            }
            "random_schedules" if !quick => {
                let short = [("LOOPWRIGHT_SCHEDULES", "20"), ("LOOPWRIGHT_SEED", "1")];
                add(&mut tests, &[], &short);
            }
            "random_passes" if !quick => {
                let short = [("LOOPWRIGHT_PIPELINES", "60"), ("LOOPWRIGHT_SEED", "1")];
                add(&mut tests, &[], &short);
            }
            "loop_cost" => {
                for name in names(binary)? {
                    if !quick || !name.contains("drawn") {
                        add(&mut tests, &["--exact", &name], &[("LOOPWRIGHT_COSTS", "20")]);
                    }
                }
            }
            "loopwright" => {
                add(&mut tests, &["analysis::", "ir::", "nest::", "schedule::", "optimize::"], &[]);
            }
            _ => {}
        }
    }
    tests.retain(|test| only.is_none_or(|only| test.name.contains(only)));
    let seen = package.root.join("seen.txt");
    let mut passing = vec![];
    for mut test in tests {
        let _ = fs::remove_file(&seen);
        let start = Instant::now();
        let limit = Duration::from_secs(600);
        let outcome = test.run(package, &[("LOOPWRIGHT_MUTANT_SEEN", &seen)], limit)?;
        if outcome != Outcome::Passed {
            println!("{} fails without any mutant: it is left out", test.name);
            continue;
        }
        test.time = start.elapsed();
        let text = fs::read_to_string(&seen).unwrap_or_default();
        test.reaches = text.lines().filter_map(|line| line.parse().ok()).collect();
        passing.push(test);
    }
    Ok(passing)
}

fn names(binary: &Binary) -> io::Result<Vec<String>> {
    let output = Command::new(&binary.path).arg("--list").output()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(text.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect())
}

impl Test {
    /// Runs the test with one mutant enabled.
    pub fn judge(&self, package: &Package, mutant: usize) -> io::Result<Outcome> {
        let number = PathBuf::from(mutant.to_string());
        let limit = self.time * 3 + Duration::from_secs(10);
        self.run(package, &[("LOOPWRIGHT_MUTANT", &number)], limit)
    }

    fn run(
        &self,
        package: &Package,
        environment: &[(&str, &PathBuf)],
        limit: Duration,
    ) -> io::Result<Outcome> {
        let scratch = format!("scratch-{:?}", std::thread::current().id());
        let scratch: String = scratch.chars().filter(|c| !matches!(c, '(' | ')')).collect();
        let mut command = Command::new("timeout");
        command
            .args(["--kill-after=2", &limit.as_secs().max(1).to_string()])
            .arg(&self.program)
            .args(&self.arguments)
            .envs(self.environment.iter().copied())
            .env("RUST_BACKTRACE", "0")
            // Several tests run at the same time.
            .env("LOOPWRIGHT_SCRATCH", package.root.with_file_name(scratch))
            .env("CARGO_TARGET_DIR", &package.target)
            .current_dir(&package.root)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        for (name, value) in environment {
            command.env(name, value);
        }
        let status = command.status()?;
        Ok(match status.code() {
            Some(0) => Outcome::Passed,
            Some(124 | 137) => Outcome::TimedOut,
            _ => Outcome::Failed,
        })
    }
}
