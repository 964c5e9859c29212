//! Runs every `test/**/*.mlir` and `*.onnxtxt` by its `RUN:` lines, as LLVM's lit does: one file, one test, named by its path below `test/`.
//!
//! ```text
//! // RUN: lw-opt %s --convert-linalg-to-loop \
//! // RUN:   | FileCheck %s
//!   ->  bash -o pipefail -c 'lw-opt test/x.mlir --convert-linalg-to-loop | FileCheck test/x.mlir'
//! ```
//!
//! Substitutions: `%s` the file, `%S` and `%p` its folder, `%t` a path in an empty folder of this test, `%{plugin}`
//! the library to load into mlir-opt, `%{cuda}` the stub of the CUDA driver, `%%` a percent sign. `PATH` has the
//! tools that cargo built, then LLVM's (FileCheck, not, mlir-opt). A FileCheck that ends a command runs in process: see
//! `lit/filecheck.rs`.
//!
//! Files with commands of `lw-opt` run a second time, as tests `mlir-opt/..`: `lw-opt` is then stock `mlir-opt` with the plugin
//! (`lit/stock/lw-opt`). `lit/stock.rs` has the commands and files that need our tools.
//! Not tests: files below `test/effect`, `test/models`, `test/integration` and any folder named
//! `Inputs`.

#[path = "lit/filecheck.rs"]
mod filecheck;
#[path = "lit/stock.rs"]
mod stock;

use libtest_mimic::{Arguments, Failed, Trial};
use std::os::unix::process::ExitStatusExt;
use std::{
    env, fs, io,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
    sync::Arc,
};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("test");
    let runner = Arc::new(Runner::new());
    let files = match find_tests(&root) {
        Ok(files) if files.is_empty() => {
            eprintln!("no test file below {}", root.display());
            return ExitCode::FAILURE;
        }
        Ok(files) => files,
        Err(error) => {
            eprintln!("cannot list {}: {error}", root.display());
            return ExitCode::FAILURE;
        }
    };
    let mut trials = self_tests::trials();
    trials.extend(files.iter().map(|name| {
        let (runner, file) = (runner.clone(), root.join(name));
        let scratch = scratch_folder().join("lit").join(name);
        Trial::test(name.display().to_string(), move || runner.run(&file, &scratch))
    }));
    let runner = Arc::new(Runner::stock());
    let is_for_stock = |name: &&PathBuf| {
        fs::read_to_string(root.join(name)).is_ok_and(|text| {
            stock::has(name, &text)
                && commands(&text).is_ok_and(|found| found.iter().any(|it| stock::is_done(it)))
        })
    };
    trials.extend(files.iter().filter(is_for_stock).map(|name| {
        let (runner, file) = (runner.clone(), root.join(name));
        let scratch = scratch_folder().join("lit-stock").join(name);
        Trial::test(format!("mlir-opt/{}", name.display()), move || runner.run(&file, &scratch))
    }));
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// The folder that tests write to: `LOOPWRIGHT_SCRATCH`, so that several runs do not interfere.
fn scratch_folder() -> PathBuf {
    env::var_os("LOOPWRIGHT_SCRATCH")
        .map_or_else(|| env!("CARGO_TARGET_TMPDIR").into(), PathBuf::from)
}

/// The paths of all tests, relative to `root`, in order.
fn find_tests(root: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = vec![];
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            let name = path.strip_prefix(root).expect("the walk starts at the root");
            if path.is_dir() {
                let skipped = name == Path::new("effect")
                    || name == Path::new("models")
                    || name == Path::new("integration")
                    || name.ends_with("Inputs");
                if !skipped {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|it| it == "mlir" || it == "onnxtxt") {
                found.push(name.to_path_buf());
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The settings of all tests: the paths of tools and the time limits of a command.
struct Runner {
    /// The value of `PATH` for the commands.
    search_path: String,
    plugin: PathBuf,
    cuda: PathBuf,
    /// Describes the machine, so that default schedules are the same on all.
    machine: PathBuf,
    /// True if `lw-opt` is stock `mlir-opt` in the commands that permit it; others run if they write files.
    is_stock: bool,
    limits: Limits,
}

/// The CPU time of each process of a command, and the time in which a command must end. The second is long, because a
/// machine that does other work makes no test fail.
#[derive(Clone, Copy)]
struct Limits {
    cpu_seconds: u32,
    seconds: u32,
}

const LIMITS: Limits = Limits { cpu_seconds: 60, seconds: 1200 };

impl Runner {
    fn new() -> Self {
        let tools = Path::new(env!("CARGO_BIN_EXE_lw-opt"))
            .parent()
            .expect("a built tool stands in a folder");
        let llvm = env::var("MLIR_SYS_220_PREFIX").unwrap_or("/usr/lib/llvm-22".into());
        let inherited = env::var("PATH").unwrap_or_default();
        Self {
            search_path: format!("{}:{llvm}/bin:{inherited}", tools.display()),
            // `cargo test` refreshes only this copy of the library, not the one beside the tools.
            plugin: tools.join("deps/libloopwright_plugin.so"),
            cuda: tools.join("deps/libptx_emulator_cuda.so"),
            machine: Path::new(env!("CARGO_MANIFEST_DIR")).join("test/machine.json"),
            is_stock: false,
            limits: LIMITS,
        }
    }

    /// In the commands that permit it, `lw-opt` is stock `mlir-opt` with the plugin.
    fn stock() -> Self {
        Runner { is_stock: true, ..Runner::new() }
    }

    /// The value of `PATH` for a command.
    fn path_for(&self, command: &str) -> String {
        match self.is_stock && stock::is_possible(command) {
            true => format!("{}/test/lit/stock:{}", env!("CARGO_MANIFEST_DIR"), self.search_path),
            false => self.search_path.clone(),
        }
    }

    /// Runs the commands of `file` one after the other in `scratch`, which is emptied first.
    fn run(&self, file: &Path, scratch: &Path) -> Result<(), Failed> {
        let mut commands = commands(&fs::read_to_string(file)?)?;
        if self.is_stock {
            commands.retain(|command| stock::is_possible(command) || command.contains("%t"));
        }
        if scratch.exists() {
            fs::remove_dir_all(scratch)?;
        }
        fs::create_dir_all(scratch)?;
        for command in commands {
            self.execute(&self.substitute(&command, file, scratch)?, scratch)?;
        }
        Ok(())
    }

    /// Replaces each `%` form once, from left to right, so that a replacement is not itself replaced.
    fn substitute(&self, command: &str, file: &Path, scratch: &Path) -> Result<String, Failed> {
        let folder = file.parent().expect("a test file stands in a folder");
        let mut result = String::new();
        let mut rest = command;
        while let Some((before, form)) = rest.split_once('%') {
            result += before;
            let libraries = [("{plugin}", &self.plugin), ("{cuda}", &self.cuda)];
            let library = libraries.into_iter().find(|(name, _)| form.starts_with(name));
            let (value, length) = if let Some((name, library)) = library {
                (library.display().to_string(), name.len())
            } else {
                match form.chars().next() {
                    Some('s') => (file.display().to_string(), 1),
                    Some('S' | 'p') => (folder.display().to_string(), 1),
                    Some('t') => (scratch.join("tmp").display().to_string(), 1),
                    Some('%') => ("%".to_string(), 1),
                    Some('{') => {
                        return Err(format!("unknown substitution in: {command}").into());
                    }
                    _ => ("%".to_string(), 0),
                }
            };
            result += &value;
            rest = &form[length..];
        }
        Ok(result + rest)
    }

    /// Runs one command line; a FileCheck at its end runs in process. `timeout` ends the command and all processes that
    /// it started.
    fn execute(&self, command: &str, folder: &Path) -> Result<(), Failed> {
        let Some(check) = filecheck::Check::of(command) else {
            return self.run_shell(command, folder).map(drop);
        };
        let output = match &check.producer {
            Some(producer) => self.run_shell(producer, folder)?,
            None => vec![],
        };
        let output = String::from_utf8_lossy(&output);
        check.verify(&output, folder, &self.search_path).map_err(|failed| {
            format!("$ {command}\n{}", failed.message().unwrap_or_default()).into()
        })
    }

    /// Gives what a command line prints. `timeout` ends it with all the processes that it started.
    fn run_shell(&self, command: &str, folder: &Path) -> Result<Vec<u8>, Failed> {
        let Limits { cpu_seconds, seconds } = self.limits;
        let output = Command::new("timeout")
            .args(["--kill-after=5", &seconds.to_string()])
            .args(["bash", "-o", "pipefail", "-c", &format!("ulimit -t {cpu_seconds}; {command}")])
            .env("PATH", self.path_for(command))
            .env("LOOPWRIGHT_MACHINE", &self.machine)
            .env("LOOPWRIGHT_LW_OPT", env!("CARGO_BIN_EXE_lw-opt"))
            .env("LOOPWRIGHT_PLUGIN", &self.plugin)
            // Not the cache of the user, also if cargo did not start this program.
            .env("LOOPWRIGHT_CACHE", "")
            .current_dir(folder)
            .output()?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        let reason = match (output.status.code(), output.status.signal()) {
            (Some(124), _) => format!("ended after {seconds} s"),
            // The shell, or a process of it, was killed: by SIGKILL or SIGXCPU.
            (Some(137 | 152), _) | (_, Some(9 | 24)) => {
                format!("ended after {cpu_seconds} s of CPU time")
            }
            _ => output.status.to_string(),
        };
        let stdout = String::from_utf8_lossy(&output.stdout);
        let stderr = String::from_utf8_lossy(&output.stderr);
        Err(format!("$ {command}\n{stdout}{stderr}{reason}").into())
    }
}

/// The commands of the `RUN:` lines; a line that ends in `\` continues on the next one.
fn commands(text: &str) -> Result<Vec<String>, Failed> {
    let mut commands: Vec<String> = vec![];
    let mut open = false;
    for line in text.lines() {
        let Some((_, command)) = line.split_once("RUN:") else {
            continue;
        };
        let command = command.trim();
        let (part, goes_on) = match command.strip_suffix('\\') {
            Some(part) => (part, true),
            None => (command, false),
        };
        match commands.last_mut() {
            Some(last) if open => *last += part,
            _ => commands.push(part.to_string()),
        }
        open = goes_on;
    }
    if open {
        return Err("the last RUN line ends in a backslash".into());
    }
    if commands.is_empty() {
        return Err("no RUN line".into());
    }
    Ok(commands)
}

/// Tests of this runner: each way in which a test can fail, and the forms that it accepts.
mod self_tests {
    use super::*;

    pub fn trials() -> Vec<Trial> {
        vec![
            trial("joins_continued_lines", || {
                let found = commands("// RUN: a \\\n// RUN: b\nx\n// RUN: c")?;
                expect(found == ["a b", "c"], &format!("{found:?}"))
            }),
            trial("refuses_file_without_run_line", || {
                refused(commands("func.func @f()").map(drop), "no RUN line")
            }),
            trial("refuses_open_continuation", || {
                refused(commands("// RUN: a \\").map(drop), "backslash")
            }),
            trial("substitutes_once", || {
                let (file, scratch) = (Path::new("/a%t/x.mlir"), Path::new("/b"));
                let found = Runner::new().substitute("%s %S %p %t.o %%s 5%d 7%", file, scratch)?;
                let wanted = "/a%t/x.mlir /a%t /a%t /b/tmp.o %s 5%d 7%";
                expect(found == wanted, &found)
            }),
            trial("refuses_unknown_substitution", || {
                let found = Runner::new().substitute("%{typo}", Path::new("/x"), Path::new("/"));
                refused(found.map(drop), "unknown substitution")
            }),
            trial("runs_not_and_filecheck", || {
                let text =
                    "RUN: not false && touch %t\nRUN: echo one two | FileCheck %s\nCHECK: two";
                run("runs_not_and_filecheck", text)
            }),
            trial("fails_on_unmatched_check", || {
                let text = "RUN: echo one | FileCheck %s\nCHECK: two";
                refused(run("fails_on_unmatched_check", text), "CHECK: two")
            }),
            trial("fails_on_any_part_of_a_pipe", || {
                refused(run("fails_on_any_part_of_a_pipe", "RUN: false | true"), "$ false")
            }),
            trial("fails_if_what_is_checked_fails", || {
                let text = "RUN: (echo two; exit 3) | FileCheck %s\nCHECK: two";
                refused(run("fails_in_shell", text), "exit status: 3")?;
                let text = "RUN: bash -c 'echo two; exit 3' | FileCheck %s\nCHECK: two";
                refused(run("fails_if_what_is_checked_fails", text), "exit status: 3")
            }),
            trial("checks_pipes_in_process", || {
                let of = filecheck::Check::of;
                for command in [
                    "a 2>&1 | FileCheck x",
                    "a --pass='b(c); d' | e | FileCheck x --check-prefix=A,B",
                    "FileCheck x --input-file=y",
                ] {
                    expect(of(command).is_some(), command)?;
                }
                for command in [
                    "a && b | FileCheck x",
                    "a; b | FileCheck x",
                    "a || FileCheck x",
                    "a | not FileCheck x",
                    "a | FileCheck x < y",
                    "a | FileCheck x > y",
                    "a | FileCheck x y",
                    "FileCheck x",
                    "echo 'a | FileCheck x'",
                ] {
                    expect(of(command).is_none(), command)?;
                }
                Ok(())
            }),
            trial("checks_blanks_as_one", || {
                let text = "RUN: printf 'a \\t b' | FileCheck %s\nCHECK: a b";
                run("checks_blanks_as_one", text)
            }),
            trial("shows_command_and_output", || {
                let result = run("shows_command_and_output", "RUN: echo out; echo err >&2; exit 3");
                refused(result, "$ echo out; echo err >&2; exit 3\nout\nerr\nexit status: 3")
            }),
            trial("ends_a_command_that_waits", || {
                let limits = Limits { seconds: 1, ..LIMITS };
                let result =
                    run_with_limits(limits, "ends_a_command_that_waits", "RUN: sleep 50 | cat");
                refused(result, "ended after 1 s")
            }),
            trial("ends_a_command_that_computes", || {
                let limits = Limits { cpu_seconds: 1, ..LIMITS };
                let text = "RUN: bash -c 'while :; do :; done'";
                let result = run_with_limits(limits, "ends_a_command_that_computes", text);
                refused(result, "ended after 1 s of CPU time")
            }),
        ]
    }

    fn trial(name: &str, test: fn() -> Result<(), Failed>) -> Trial {
        Trial::test(format!("lit.rs/{name}"), test)
    }

    fn run(name: &str, text: &str) -> Result<(), Failed> {
        run_with_limits(LIMITS, name, text)
    }

    /// Writes `text` as a test file and runs it.
    fn run_with_limits(limits: Limits, name: &str, text: &str) -> Result<(), Failed> {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lit.rs");
        fs::create_dir_all(&folder)?;
        let file = folder.join(format!("{name}.txt"));
        fs::write(&file, text)?;
        let runner = Runner { limits, ..Runner::new() };
        runner.run(&file, &folder.join(name))
    }

    fn refused(result: Result<(), Failed>, reason: &str) -> Result<(), Failed> {
        match result {
            Ok(()) => Err(format!("passed, should fail with: {reason}").into()),
            Err(failed) => {
                let message = failed.message().unwrap_or_default();
                expect(message.contains(reason), message)
            }
        }
    }

    fn expect(holds: bool, found: &str) -> Result<(), Failed> {
        if holds { Ok(()) } else { Err(format!("unexpected: {found}").into()) }
    }
}
