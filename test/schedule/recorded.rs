//! Golden test of steps: their outcomes are compared with a record, so no verdict and no rewrite changes unnoticed.
//!
//! Steps of all primitives are applied to each function of the primitives' tests, and to nests of the families of the
//! legality test. The function alone determines their order. After some accepted steps, the function is reset.
//! A line of `recorded.txt` has for each step the hash of the resulting function, or the condition
//! that does not hold, with `!` if it is refuted and `?` if it is unknown. `LOOPWRIGHT_UPDATE=1` rewrites
//! the record; its diff shows the effect of a change. A function that is not in the record is skipped.

#[path = "drawn.rs"]
mod drawn;
#[path = "legality/family.rs"]
#[expect(dead_code, reason = "all families are taken, whatever they have")]
mod family;
#[path = "legality/nest.rs"]
mod nest;

use drawn::drawn;
use family::FAMILIES;
use loopwright::ir::{Op, receive_errors, top, walk};
use loopwright::pipeline;
use loopwright::schedule::{Schedule, ScheduleError};
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
use std::{env, fs};

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

#[test]
fn no_verdict_changes_unnoticed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("test");
    let path = root.join("schedule/recorded.txt");
    let is_update = env::var_os("LOOPWRIGHT_UPDATE").is_some();
    let known: BTreeMap<String, String> = fs::read_to_string(&path)
        .unwrap_or_default()
        .lines()
        .filter_map(|line| line.split_once(": "))
        .map(|(function, steps)| (function.to_owned(), steps.to_owned()))
        .collect();
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
        let lines = found.iter().map(|(key, steps)| format!("{key}: {steps}\n"));
        fs::write(path, lines.collect::<String>()).expect("the record is written");
        return;
    }
    let what = "LOOPWRIGHT_UPDATE=1 writes the record anew";
    let differs = |(key, steps): &(&String, &String)| known.get(*key) != Some(*steps);
    let shown =
        |(key, steps): (&String, &String)| format!("{key}\n  was {}\n  is  {steps}", known[key]);
    let changed: Vec<String> = found.iter().filter(differs).map(shown).collect();
    assert!(changed.is_empty(), "{what}\n{}", changed.join("\n"));
    assert!(found.len() > known.len() / 2, "{} of {} are there: {what}", found.len(), known.len());
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
        for part in text.split("// -----") {
            for name in names(context, part) {
                let key = format!("{} @{name} {:08x}", file.display(), hash(part) as u32);
                functions.push((key, part.to_owned(), name));
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

fn files(root: &Path) -> Vec<PathBuf> {
    let mut files = vec![];
    for folder in ["schedule/primitive", "schedule/Inputs", "legality/Inputs"] {
        for entry in fs::read_dir(root.join(folder)).expect("a folder") {
            let name = entry.expect("a file").file_name();
            files.push(Path::new(folder).join(name));
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
