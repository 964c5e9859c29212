//! The tests that may notice a mutant: each a process of its own, the fast ones first.

use crate::package::{Binary, Package};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, io};

/// A test: what to run, how long it takes, and which mutants it passes by.
#[derive(Clone, Debug)]
pub struct Test {
    pub name: String,
    program: PathBuf,
    arguments: Vec<String>,
    environment: Vec<(&'static str, &'static str)>,
    pub time: Duration,
    pub reaches: BTreeSet<usize>,
}

/// What became of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Passed,
    Failed,
    TimedOut,
}

/// All tests of the copy that pass without mutants; those that take long are last. `quick` leaves out what
/// draws its cases.
pub fn list(package: &Package, binaries: &[Binary], quick: bool) -> io::Result<Vec<Test>> {
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
                    if name.starts_with("schedule/") || name.starts_with("analysis/") {
                        add(&mut tests, &["--exact", &name], &[]);
                    }
                }
            }
            "recorded" => add(&mut tests, &[], &[]),
            "traces" => add(&mut tests, &["verify::"], &[]),
            "verdicts" => add(&mut tests, &[], &[("LOOPWRIGHT_NESTS", "40")]),
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
            "loopwright" => add(&mut tests, &["analysis::", "ir::", "schedule::"], &[]),
            _ => {}
        }
    }
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
    passing.sort_by_key(|test| test.time);
    Ok(passing)
}

fn names(binary: &Binary) -> io::Result<Vec<String>> {
    let output = Command::new(&binary.path).arg("--list").output()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(text.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect())
}

impl Test {
    /// Runs it with a mutant on.
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
            // Several run at once.
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
