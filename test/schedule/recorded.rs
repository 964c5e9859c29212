//! Golden test of steps: their outcomes are compared with a record, so no verdict and no rewrite changes unnoticed.
//!
//! Steps of all primitives are applied to each function of the primitives' tests, and to nests of the families of the
//! legality test. The function alone determines their order. After some accepted steps, the function is reset.
//! The record is one file a family, `recorded/<family>.txt`, with one line a function. A line has for each step the hash
//! of the resulting function, or the condition that does not hold, with `!` if it is refuted and `?` if it is unknown.
//! `LOOPWRIGHT_UPDATE=1` rewrites the record; its diff shows the effect of a change. A function that is not in the record
//! is skipped.

#[path = "drawn.rs"]
mod drawn;
#[path = "legality/family.rs"]
#[expect(dead_code, reason = "all families are taken, whatever they have")]
mod family;
#[path = "legality/nest.rs"]
mod nest;

use drawn::drawn;
use family::FAMILIES;
use loopwright::ir::{Op, receive_errors, walk};
use loopwright::pipeline;
use loopwright::schedule::{Schedule, ScheduleError};
use loopwright_testing::top;
use melior::Context;
use melior::ir::Module;
use rand::SeedableRng;
use rand::rngs::StdRng;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread::available_parallelism;
use std::{env, fs, io};

/// The number of steps that are accepted or need a proof: on a function of a test, on one of `Inputs`, which is
/// larger, and on a random nest.
const TRIED: [usize; 3] = [16, 160, 40];
/// The total number of steps, as a multiple of these.
const ALL: usize = 4;
/// The number of nests of a family.
const DRAWN: u64 = 3;
/// The most changed functions that are shown.
const SHOWN: usize = 12;
/// The number of accepted steps before the function is reset.
const ACCEPTED: usize = 4;
/// Changed steps of a function that are shown, and unchanged steps on each side of them.
const CHANGED: usize = 12;
const NEXT_TO: usize = 3;

#[test]
fn no_verdict_changes_unnoticed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("test");
    let folder = root.join("schedule/recorded");
    let is_update = env::var_os("LOOPWRIGHT_UPDATE").is_some();
    let known = read(&folder);
    let functions = functions(&session(), &root);
    let (next, wrong) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let found = Mutex::new(BTreeMap::new());
    let work = || {
        let context = session();
        while let Some((key, text, name)) = functions.get(next.fetch_add(1, Relaxed)) {
            let before = known.get(key);
            if !is_update && (before.is_none() || wrong.load(Relaxed) >= SHOWN) {
                continue;
            }
            let of = [".mlir", "Inputs", "drawn"].iter().rposition(|part| key.contains(part));
            let steps = steps(&context, text, name, TRIED[of.expect("one of the three")]);
            wrong.fetch_add(usize::from(before != Some(&steps)), Relaxed);
            found.lock().expect("no thread ends with it").insert(key.clone(), steps);
        }
    };
    std::thread::scope(|scope| {
        (0..available_parallelism().map_or(1, NonZeroUsize::get)).for_each(|_| {
            scope.spawn(work);
        });
    });
    let found = found.into_inner().expect("no thread has ended with it");
    if is_update {
        write(&folder, &found).expect("the record is written");
        return;
    }
    let what = "LOOPWRIGHT_UPDATE=1 writes the record anew";
    let differs = |(key, steps): &(&String, &String)| known.get(*key) != Some(*steps);
    let shown =
        |(key, steps): (&String, &String)| format!("{key}\n{}", difference(&known[key], steps));
    let changed: Vec<String> = found.iter().filter(differs).map(shown).collect();
    assert!(changed.is_empty(), "{what}\n{}", changed.join("\n"));
    assert!(found.len() > known.len() / 2, "{} of {} are there: {what}", found.len(), known.len());
}

#[test]
fn a_difference_shows_the_changed_steps_and_their_surroundings() {
    let was = "C1 C2 C3 C4 C5 C6 C7 C8 C9";
    let is = "C1 C2 C3 C4 0a0a 0b0b C6 C7 C8 C9";
    let shown = "  from step 4\n  was .. C2 C3 C4 [C5] C6 C7 C8 ..\n  is  .. C2 C3 C4 [0a0a 0b0b] C6 C7 C8 ..";
    assert_eq!(difference(was, is), shown);
    let shown = "  from step 1\n  was C1 []\n  is  C1 [C2]";
    assert_eq!(difference("C1", "C1 C2"), shown);
    let long = |step| vec![step; 50].join(" ");
    let shown = difference(&long("C1"), &long("C2"));
    assert!(shown.ends_with("is  [C2 C2 C2 C2 C2 C2 C2 C2 C2 C2 C2 C2 .. 38 more]"), "{shown}");
}

/// The lines of all files of the record: a function, and what its steps give.
fn read(folder: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let texts = entries.filter_map(|entry| fs::read_to_string(entry.ok()?.path()).ok());
    let mut known = BTreeMap::new();
    for text in texts {
        let lines = text.lines().filter_map(|line| line.split_once(": "));
        known.extend(lines.map(|(function, steps)| (function.to_owned(), steps.to_owned())));
    }
    known
}

/// Writes one file a family, and removes the files of families that no longer exist.
fn write(folder: &Path, found: &BTreeMap<String, String>) -> io::Result<()> {
    let mut texts: BTreeMap<String, String> = BTreeMap::new();
    for (key, steps) in found {
        *texts.entry(format!("{}.txt", family_of(key))).or_default() +=
            &format!("{key}: {steps}\n");
    }
    fs::create_dir_all(folder)?;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if !entry.file_name().to_str().is_some_and(|name| texts.contains_key(name)) {
            fs::remove_file(entry.path())?;
        }
    }
    texts.into_iter().try_for_each(|(name, text)| fs::write(folder.join(name), text))
}

/// `drawn one nest 0 b251deb0` -> `drawn_one_nest`, `schedule/primitive/split_refused.mlir @f 12345678` -> `split`.
fn family_of(key: &str) -> String {
    let words: Vec<&str> = key.split(' ').collect();
    if words[0] == "drawn" {
        return words[..words.len() - 2].join("_");
    }
    let stem = Path::new(words[0]).file_stem().and_then(|stem| stem.to_str());
    let stem = stem.expect("the path of a test");
    stem.strip_suffix("_refused").unwrap_or(stem).to_owned()
}

/// The steps that changed, in brackets, with the steps next to them.
fn difference(was: &str, is: &str) -> String {
    let [was, is] = [was, is].map(|steps| steps.split(' ').collect::<Vec<_>>());
    let shorter = was.len().min(is.len());
    let first = was.iter().zip(&is).take_while(|(was, is)| was == is).count();
    let pairs = was.iter().rev().zip(is.iter().rev()).take(shorter - first);
    let last = pairs.take_while(|(was, is)| was == is).count();
    let shown = |steps: &[&str]| {
        let (changed, after) = (&steps[first..steps.len() - last], &steps[steps.len() - last..]);
        let more = changed.len().saturating_sub(CHANGED);
        let mut text = changed[..changed.len() - more].join(" ");
        if more > 0 {
            text += &format!(" .. {more} more");
        }
        let before = &steps[first.saturating_sub(NEXT_TO)..first];
        let opening = if first > NEXT_TO { ".. " } else { "" };
        let before: String = before.iter().map(|step| format!("{step} ")).collect();
        let closing = if last > NEXT_TO { " .." } else { "" };
        let after: String = after.iter().take(NEXT_TO).map(|step| format!(" {step}")).collect();
        format!("{opening}{before}[{text}]{after}{closing}")
    };
    format!("  from step {first}\n  was {}\n  is  {}", shown(&was), shown(&is))
}

fn session() -> Context {
    let context = pipeline::context();
    receive_errors(&context, |_| {});
    context
}

/// The functions with schedule blocks: a name for the record, the module that contains it, and its own name.
fn functions(context: &Context, root: &Path) -> Vec<(String, String, String)> {
    let mut functions = vec![];
    for file in files(root) {
        let text = fs::read_to_string(root.join(&file)).expect("a text");
        for part in text.split(separator(&text)) {
            for name in names(context, part) {
                let part = without_comments(part);
                let key = format!("{} @{name} {:08x}", file.display(), hash(&part) as u32);
                functions.push((key, part, name));
            }
        }
    }
    for family in FAMILIES {
        for seed in 0..DRAWN {
            let text = (family.make)(&mut StdRng::seed_from_u64(seed)).text(None);
            let key = format!("drawn {} {seed} {:08x}", family.name, hash(&text) as u32);
            functions.push((key, text, "main".into()));
        }
    }
    functions
}

/// What is between the nests of a file: refused steps stand on their functions, others in a module for each nest.
fn separator(text: &str) -> &'static str {
    if text.contains("--sched-expect-refusal") { "\n\n" } else { "// -----" }
}

/// The text without its comment lines, so that another comment does not make another function.
fn without_comments(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.map(|line| format!("{line}\n")).collect()
}

fn files(root: &Path) -> Vec<PathBuf> {
    let mut files = vec![];
    let mut folders: Vec<PathBuf> =
        ["schedule/primitive", "schedule/Inputs", "schedule/legality/Inputs"]
            .map(PathBuf::from)
            .into();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root.join(&folder)).expect("a folder") {
            let entry = entry.expect("a file");
            let path = folder.join(entry.file_name());
            let to = if entry.path().is_dir() { &mut folders } else { &mut files };
            to.push(path);
        }
    }
    files.retain(|file| file.extension().is_some_and(|end| end == "mlir"));
    files.sort();
    files
}

fn names(context: &Context, text: &str) -> Vec<String> {
    let Some(module) = Module::parse(context, text) else { return vec![] };
    let is_scheduled =
        |op: &Op| op.is("func.func") && walk(*op).into_iter().any(|inner| inner.is("loop.block"));
    let ops = walk(top(&module)).into_iter().filter(is_scheduled);
    ops.filter_map(|op| Some(name_of(op)?.to_owned())).collect()
}

fn name_of(op: Op<'_>) -> Option<&str> {
    op.symbol_name()
}

/// The outcomes of steps on a function, until `tried` of them were accepted or need a proof.
fn steps(context: &Context, text: &str, name: &str, tried: usize) -> String {
    let mut state = hash(text) ^ hash(name);
    let mut outcomes: Vec<String> = vec![];
    let mut left = tried;
    while left > 0 && outcomes.len() < tried * ALL {
        let module = Module::parse(context, text).expect("it has been parsed");
        let is_it = |op: &Op| op.is("func.func") && name_of(*op) == Some(name);
        let function = walk(top(&module)).into_iter().find(is_it).expect("it is there");
        let Ok(mut schedule) = Schedule::new(function) else { return "no schedule".into() };
        let mut accepted = 0;
        while left > 0 && outcomes.len() < tried * ALL && accepted < ACCEPTED {
            let Some(step) = drawn(schedule.summary(), &mut state) else {
                outcomes.push("-".into());
                continue;
            };
            let (outcome, counts) = match schedule.apply(&step) {
                Ok(_) => {
                    accepted += 1;
                    (format!("{:04x}", hash(&function.to_string()) as u16), true)
                }
                Err(error) => {
                    let is_proof = error.witness.is_some() || error.unknown.is_some();
                    (refusal(&error), is_proof)
                }
            };
            left -= usize::from(counts);
            outcomes.push(outcome);
        }
    }
    outcomes.join(" ")
}

fn refusal(error: &ScheduleError) -> String {
    let mark = match (&error.witness, &error.unknown) {
        (Some(_), _) => "!",
        (None, Some(_)) => "?",
        (None, None) => "",
    };
    format!("C{}{mark}", error.condition)
}

/// FNV-1a.
fn hash(text: &str) -> u64 {
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, mix)
}
