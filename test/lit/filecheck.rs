//! FileCheck in process, by a library of LLVM's syntax (`litcheck-filecheck`).
//!
//! ```text
//! lw-opt x.mlir --canonicalize | FileCheck x.mlir --check-prefix=A
//!   ->  the output of `lw-opt x.mlir --canonicalize`, checked against x.mlir with `--check-prefix=A`
//! ```
//! Commands of another shape, and those of `EXCEPTIONS`, run LLVM's binary. `LOOPWRIGHT_FILECHECK=both` runs both on
//! each command, and an exception on which both agree is an error, too.

use clap::Parser;
use libtest_mimic::Failed;
use litcheck_filecheck::litcheck::diagnostics::{FileName, SourceLanguage};
use litcheck_filecheck::litcheck::reporting::PrintDiagnostic;
use litcheck_filecheck::{Config, Options, Test};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::{env, fs};

/// Why LLVM's binary checks a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// A regex of the library takes as much as it can before the variable or text after it, and gives nothing back.
    NoBacktracking,
    /// A regex after `{` of the text, or with a blank in it, becomes another regex in the library.
    OtherRegex,
    /// A `CHECK-NOT` of the library also looks where the check after it has matched.
    ExcludesTooMuch,
    /// The library does not find a check that follows others, for a reason not known.
    NotFound,
    /// Several `CHECK-DAG` that each match most lines take the library minutes.
    Slow,
}

/// The name of the file, the options of FileCheck, the reason.
const EXCEPTIONS: &[(&str, &str, Reason)] = {
    use Reason::{ExcludesTooMuch, NoBacktracking, NotFound, OtherRegex, Slow};
    &[
        ("bf16_as_bits.mlir", "", NoBacktracking),
        ("bind_fused.mlir", "", NoBacktracking),
        ("dynamic_shared_memory.mlir", "", NoBacktracking),
        ("eliminate_common_global_memory_read.mlir", "", NoBacktracking),
        (
            "expand_math_functions.mlir",
            "--check-prefixes=CHECK,FUSED --implicit-check-not=call",
            NoBacktracking,
        ),
        (
            "expand_math_functions.mlir",
            "--check-prefixes=CHECK,ROUNDED --implicit-check-not=call --implicit-check-not=math.fma",
            NoBacktracking,
        ),
        ("extern_call_process.mlir", "", NoBacktracking),
        ("instrument_bounds.mlir", "", NoBacktracking),
        ("line_info.mlir", "--check-prefix=PTX", NoBacktracking),
        ("loop_to_gpu.mlir", "", OtherRegex),
        ("loop_to_gpu_lanes.mlir", "", ExcludesTooMuch),
        ("loop_to_scf.mlir", "", NoBacktracking),
        ("loop_to_scf_body.mlir", "", NoBacktracking),
        ("loop_to_scf_mask.mlir", "", NoBacktracking),
        ("memref_to_pointer.mlir", "", OtherRegex),
        ("merge_shared_memory.mlir", "--check-prefix=PTX", OtherRegex),
        ("pass_report.mlir", "", NotFound),
        ("pass_report.mlir", "--check-prefix=FAILED", NotFound),
        ("replace_cross_block_reduction.mlir", "", OtherRegex),
        ("replace_cross_thread_reduction_lanes.mlir", "--check-prefix=GPU", ExcludesTooMuch),
        ("sample_categorical.mlir", "--check-prefix=JSON", NotFound),
        ("sample_categorical.mlir", "--check-prefix=RUST", NotFound),
        ("swizzle_shared_buffers_kept.mlir", "--check-prefix=COUNTS", Slow),
        ("swizzle_shared_buffers_transpose.mlir", "", NoBacktracking),
        ("swizzle_shared_buffers_vectors.mlir", "", NoBacktracking),
        ("swizzle_shared_buffers_vectors.mlir", "--check-prefix=COUNTS", Slow),
    ]
};

/// A command that ends in FileCheck.
#[derive(Debug, PartialEq, Eq)]
pub struct Check {
    /// What gives the text to be checked, unless a file has it.
    pub producer: Option<String>,
    input: Option<String>,
    checks: String,
    options: Vec<String>,
}

impl Check {
    /// `None` for a command that is better left to the shell.
    pub fn of(command: &str) -> Option<Self> {
        let (producer, check) = match command.rsplit_once('|') {
            Some((producer, check)) => (Some(producer.trim().to_owned()), check),
            None => (None, command),
        };
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "_./=,:+- ".contains(c);
        if !check.chars().all(is_plain) || producer.as_deref().is_some_and(|it| !is_pipe(it)) {
            return None;
        }
        let mut words = check.split_whitespace();
        if words.next() != Some("FileCheck") {
            return None;
        }
        let (mut input, mut checks, mut options) = (None, None, vec![]);
        for word in words {
            if let Some(file) = word.strip_prefix("--input-file=") {
                input = Some(file.to_owned());
            } else if word.starts_with("--") {
                options.push(word.to_owned());
            } else if checks.replace(word.to_owned()).is_some() {
                return None;
            }
        }
        let is_fed = producer.is_some() != input.is_some();
        is_fed.then_some(())?;
        Some(Self { producer, input, checks: checks?, options })
    }

    pub fn exception(&self) -> Option<Reason> {
        let (name, options) = (Path::new(&self.checks).file_name()?, self.options.join(" "));
        let is_this = |(file, with, _): &&(&str, &str, Reason)| name == *file && options == *with;
        EXCEPTIONS.iter().find(is_this).map(|(.., reason)| *reason)
    }

    /// Checks `output`, what the producer has printed. Files are relative to `folder`.
    pub fn verify(&self, output: &str, folder: &Path, path: &str) -> Result<(), Failed> {
        let input = match &self.input {
            Some(file) => fs::read_to_string(folder.join(file))?,
            None => output.to_owned(),
        };
        let is_both = env::var_os("LOOPWRIGHT_FILECHECK").is_some_and(|value| value == "both");
        let exception = self.exception();
        match (exception, is_both) {
            (None, false) => self.by_library(&input, folder),
            (Some(_), false) | (Some(Reason::Slow), true) => self.by_llvm(&input, folder, path),
            (_, true) => {
                let library = self.by_library(&input, folder);
                let llvm = self.by_llvm(&input, folder, path);
                agreed(exception, library, llvm)
            }
        }
    }

    fn by_library(&self, input: &str, folder: &Path) -> Result<(), Failed> {
        let options = Options::try_parse_from(&self.options).map_err(|error| error.to_string())?;
        let config = Config { options, ..Config::default() };
        let load = |name: &str, text: &str| {
            let name = FileName::from(name.to_owned());
            config.source_manager().load(SourceLanguage::Unknown, name, canonical(text))
        };
        let checks = load(&self.checks, &fs::read_to_string(folder.join(&self.checks))?);
        let result = Test::new(checks, &config).verify(load("<output>", input));
        let text = |report| PrintDiagnostic::new_without_color(report).to_string();
        result.map(drop).map_err(|report| text(report).into())
    }

    /// `path` is the value of `PATH`.
    fn by_llvm(&self, input: &str, folder: &Path, path: &str) -> Result<(), Failed> {
        let mut command = Command::new("env");
        command.arg(format!("PATH={path}")).arg("FileCheck").arg(&self.checks).args(&self.options);
        command.current_dir(folder).stdin(Stdio::piped()).stderr(Stdio::piped());
        let mut process = command.stdout(Stdio::piped()).spawn()?;
        // It ends without having read all if the file has no checks: its own message says more.
        let _ = process.stdin.take().map(|mut stdin| stdin.write_all(input.as_bytes()));
        let output = process.wait_with_output()?;
        if output.status.success() {
            return Ok(());
        }
        Err(String::from_utf8_lossy(&output.stderr).into_owned().into())
    }
}

/// Commands that are joined by pipes alone: what they print is what the last one prints.
fn is_pipe(commands: &str) -> bool {
    let (mut quote, mut last) = (None, ' ');
    for c in commands.chars() {
        match quote {
            Some(end) if c == end => quote = None,
            Some(_) => {}
            None if c == '\'' || c == '"' => quote = Some(c),
            None if ";()`\\".contains(c) || (c == last && (c == '&' || c == '|')) => return false,
            None => {}
        }
        last = c;
    }
    quote.is_none() && !commands.ends_with('|')
}

/// Runs of blanks as one, as FileCheck reads both of its files. The library does so only in some of its checks.
fn canonical(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for c in text.chars().filter(|c| *c != '\r') {
        let c = if c == '\t' { ' ' } else { c };
        if c != ' ' || !result.ends_with(' ') {
            result.push(c);
        }
    }
    result
}

/// The verdict of LLVM, if the library gives the same or is known not to.
fn agreed(
    exception: Option<Reason>,
    library: Result<(), Failed>,
    llvm: Result<(), Failed>,
) -> Result<(), Failed> {
    match (exception, library, llvm) {
        (Some(reason), Ok(()), Ok(())) => {
            Err(format!("both accept: this is no exception for {reason:?} any more").into())
        }
        (None, Err(library), Ok(())) => {
            let message = library.message().unwrap_or_default();
            Err(format!("LLVM's FileCheck accepts, the library refuses:\n{message}").into())
        }
        (_, Ok(()), Err(llvm)) => {
            let message = llvm.message().unwrap_or_default();
            Err(format!("the library accepts, LLVM's FileCheck refuses:\n{message}").into())
        }
        (.., llvm) => llvm,
    }
}
