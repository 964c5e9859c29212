//! The mutated copy of the package: it contains all mutants, each behind a switch.

use super::citation::Helpers;
use super::operator::{self, Mutant};
use super::quiet::Comments;
use crate::package::{put, tracked};
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{fs, io};

/// The contents of `src/mutant.rs` in the copy.
const SWITCHES: &str = r#"//! Which mutant is switched on.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

static ACTIVE: OnceLock<Option<usize>> = OnceLock::new();
static SEEN: [AtomicBool; 200_000] = [const { AtomicBool::new(false) }; 200_000];

/// Is this mutant on? Without any, the numbers that were asked for are appended to a file.
pub fn is(number: usize) -> bool {
    let active = ACTIVE.get_or_init(|| {
        std::env::var("LOOPWRIGHT_MUTANT").ok().and_then(|text| text.parse().ok())
    });
    if active.is_none()
        && let Some(seen) = SEEN.get(number)
        && !seen.swap(true, Ordering::Relaxed)
        && let Some(path) = std::env::var_os("LOOPWRIGHT_MUTANT_SEEN")
        && let Ok(mut file) = std::fs::OpenOptions::new().append(true).create(true).open(path)
    {
        let _ = std::io::Write::write_all(&mut file, format!("{number}\n").as_bytes());
    }
    *active == Some(number)
}

/// `value`, or the opposite where this mutant is on.
pub fn not(number: usize, value: bool) -> bool {
    value ^ is(number)
}
"#;

/// The root of the library, which gets one more module.
const LIBRARY: &str = "src/lib.rs";
/// The file with the numbers of mutants that do not compile.
const KNOWN: &str = "not_compiling.txt";
/// The test that limits the run time of a check.
const LIMITED: &str = "test/schedule/legality.rs";

/// Files, and the conditions that each of them cites.
pub type LookedUp = Vec<(String, BTreeSet<u8>)>;

/// A copy of the package.
pub struct Package {
    pub root: PathBuf,
    pub target: PathBuf,
    pub mutants: Vec<Mutant>,
    /// For each file, the conditions that require that something exists.
    pub looked_up: LookedUp,
}

/// The test binaries of the copy.
#[derive(Clone, Debug)]
pub struct Binary {
    pub name: String,
    pub path: PathBuf,
}

/// Copies the package at `source`, mutates `files` in it, and leaves out mutants that do not compile.
pub fn make(
    source: &Path,
    root: &Path,
    target: &Path,
    files: &[String],
) -> io::Result<(Package, Vec<Binary>)> {
    copy(source, root, files)?;
    // Mutants that did not compile last time do not compile now, unless the set of mutants has changed.
    let all = write(source, root, files, &BTreeSet::new(), false)?.0;
    let known = root.with_file_name(KNOWN);
    let mut banned = not_compiling(&known, fingerprint(&all));
    for round in 0.. {
        let (mutants, looked_up) = write(source, root, files, &banned, true)?;
        println!("{} mutants in {} files, round {round}", mutants.len(), files.len());
        match build(root, target)? {
            Ok(binaries) => {
                let numbers: Vec<String> = banned.iter().map(usize::to_string).collect();
                fs::write(known, format!("{}\n{}\n", fingerprint(&all), numbers.join("\n")))?;
                let (root, target) = (root.to_owned(), target.to_owned());
                let package = Package { root, target, mutants, looked_up };
                return Ok((package, binaries));
            }
            Err(places) => {
                let mut new = BTreeSet::new();
                for place in &places {
                    let near = numbers(&root.join(&place.file), place.first, place.last)?;
                    match near.is_empty() {
                        true => new.extend(place.assignments(&mutants)),
                        false => new.extend(near),
                    }
                }
                if new.is_empty() {
                    return Err(io::Error::other(format!("does not build: {places:?}")));
                }
                println!("{} do not compile", new.len());
                banned.extend(new);
            }
        }
    }
    unreachable!("rounds do not end")
}

/// The numbers of the mutants that do not compile, if the file was written for these mutants.
fn not_compiling(known: &Path, fingerprint: u64) -> BTreeSet<usize> {
    let text = fs::read_to_string(known).unwrap_or_default();
    let mut lines = text.lines();
    match lines.next() == Some(&*fingerprint.to_string()) {
        true => lines.filter_map(|line| line.parse().ok()).collect(),
        false => BTreeSet::new(),
    }
}

fn fingerprint(mutants: &[Mutant]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for mutant in mutants {
        (mutant.number, &mutant.file, mutant.operator, &mutant.text).hash(&mut hasher);
    }
    hasher.finish()
}

/// Copies all files that git tracks, except those that are mutated.
fn copy(source: &Path, root: &Path, changed: &[String]) -> io::Result<()> {
    for name in tracked(source)? {
        if name == LIBRARY || changed.contains(&name) {
            continue;
        }
        let to = root.join(&name);
        let mut content = fs::read(source.join(&name))?;
        if name == LIMITED {
            // The copy is slower than the package, so a time limit would not indicate a mutant.
            let text = String::from_utf8_lossy(&content).into_owned();
            content = text.replace("{ 150 } else { 50 }", "{ 20_000 } else { 50 }").into();
        }
        put(&to, &content)?;
    }
    Ok(())
}

/// Mutates the files. Returns the mutants, and for each file the conditions that require that something exists. The
/// files are written only if `for_real`.
fn write(
    source: &Path,
    root: &Path,
    files: &[String],
    banned: &BTreeSet<usize>,
    for_real: bool,
) -> io::Result<(Vec<Mutant>, LookedUp)> {
    let mut parsed = vec![];
    let mut helpers = Helpers::default();
    for name in files {
        let text = fs::read_to_string(source.join(name))?;
        let file =
            syn::parse_file(&text).map_err(|error| io::Error::other(format!("{name}: {error}")))?;
        helpers.add(&file);
        parsed.push((name, file, Comments::of(name, &text)));
    }
    let mut mutants: Vec<Mutant> = vec![];
    let looked_up = parsed.iter().map(|(name, file, _)| ((*name).clone(), helpers.looked_up(file)));
    let looked_up = looked_up.collect();
    let mut first = 0;
    for (name, file, comments) in &mut parsed {
        let found = operator::mutate(file, name, comments.clone(), first, &helpers, banned);
        // Each file has 1000 numbers of its own, so that numbers do not change if some mutants are banned.
        first += 1000;
        if let Some(last) = found.last().filter(|mutant| mutant.number >= first) {
            return Err(io::Error::other(format!("{name} has too many mutants: {}", last.number)));
        }
        mutants.extend(found);
        if for_real {
            put(&root.join(name.as_str()), prettyplease::unparse(file).as_bytes())?;
        }
    }
    put(&root.join("src/mutant.rs"), SWITCHES.as_bytes())?;
    let library = fs::read_to_string(source.join(LIBRARY))?;
    let library = format!("#![allow(warnings)]\n{library}\npub mod mutant;\n");
    put(&root.join(LIBRARY), library.as_bytes())?;
    Ok((mutants, looked_up))
}

/// The location of a compiler error.
#[derive(Debug)]
struct Place {
    file: String,
    /// Line numbers.
    first: usize,
    last: usize,
    /// The compiler's message.
    message: String,
}

impl Place {
    /// The mutants that drop an assignment to a variable that the message names. Without the assignment the variable
    /// stays moved (`groups = apart;`), and the error is reported only where the variable is used again.
    fn assignments(&self, mutants: &[Mutant]) -> Vec<usize> {
        let name = self.message.split('`').nth(1).filter(|_| self.message.contains("moved value"));
        let Some(name) = name else { return vec![] };
        let start = format!("{name} = ");
        let is_one = |mutant: &&Mutant| {
            let is_here = mutant.file == self.file && mutant.operator == "drop statement";
            is_here && mutant.text.starts_with(&start)
        };
        mutants.iter().filter(is_one).map(|mutant| mutant.number).collect()
    }
}

/// Builds the tests; returns their binaries, or the locations of errors.
fn build(root: &Path, target: &Path) -> io::Result<Result<Vec<Binary>, Vec<Place>>> {
    let output = Command::new("cargo")
        .args(["test", "--no-run", "--message-format=json"])
        .args(["--lib", "--bins"])
        .args(
            [
                "lit",
                "schedule",
                "recorded",
                "verdicts",
                "traces",
                "legality",
                "random_schedules",
                "random_passes",
                "work",
                "loop_cost",
            ]
            .iter()
            .flat_map(|name| ["--test", name]),
        )
        .current_dir(root)
        .env("CARGO_TARGET_DIR", target)
        // Optimised, because the tests run thousands of times.
        .env("CARGO_PROFILE_DEV_OPT_LEVEL", "1")
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        .stderr(Stdio::inherit())
        .output()?;
    let (mut binaries, mut places) = (vec![], vec![]);
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let Ok(message) = serde_json::from_str::<serde_json::Value>(line) else { continue };
        if message["reason"] == "compiler-artifact"
            && message["profile"]["test"] == true
            && let Some(path) = message["executable"].as_str()
            && let Some(name) = message["target"]["name"].as_str()
        {
            binaries.push(Binary { name: name.to_owned(), path: path.into() });
        }
        if message["reason"] == "compiler-message" && message["message"]["level"] == "error" {
            let spans = message["message"]["spans"].as_array().cloned().unwrap_or_default();
            for span in spans.iter().filter(|span| span["is_primary"] == true) {
                let line = |key: &str| span[key].as_u64().and_then(|n| usize::try_from(n).ok());
                if let (Some(file), Some(first), Some(last)) =
                    (span["file_name"].as_str(), line("line_start"), line("line_end"))
                {
                    let message =
                        message["message"]["message"].as_str().unwrap_or_default().to_owned();
                    places.push(Place { file: file.to_owned(), first, last, message });
                }
            }
        }
    }
    if output.status.success() {
        return Ok(Ok(binaries));
    }
    Ok(Err(places))
}

/// The mutants in these lines, or else in the nearest lines before.
fn numbers(file: &Path, first: usize, last: usize) -> io::Result<BTreeSet<usize>> {
    let text = fs::read_to_string(file)?;
    let lines: Vec<&str> = text.lines().collect();
    let in_line = |line: usize| -> BTreeSet<usize> {
        let text = lines.get(line - 1).copied().unwrap_or_default();
        let mut found = BTreeSet::new();
        for opening in ["mutant::is(", "mutant::not("] {
            for part in text.split(opening).skip(1) {
                let digits: String = part.chars().take_while(char::is_ascii_digit).collect();
                found.extend(digits.parse::<usize>().ok());
            }
        }
        // `not(` may end its line.
        if text.trim_end().ends_with("mutant::not(")
            && let Some(next) = lines.get(line)
        {
            let digits: String = next.trim().chars().take_while(char::is_ascii_digit).collect();
            found.extend(digits.parse::<usize>().ok());
        }
        found
    };
    let mut found: BTreeSet<usize> = (first..=last).flat_map(in_line).collect();
    let mut line = first;
    while found.is_empty() && line > 1 && first - line < 6 {
        line -= 1;
        found = in_line(line);
    }
    Ok(found)
}
