//! What becomes of steps, compared with what is on record: no verdict and no rewrite changes unnoticed.
//!
//! On each function of the tests of primitives, and on nests of the families of the legality test, steps of
//! all primitives are done, in an order that only the function tells; after some that were accepted it starts
//! anew. A line of `recorded.txt` has of each step the hash of what the function is then, or the condition
//! that does not hold, with `!` where it is refuted and `?` where it is unknown. `LOOPWRIGHT_UPDATE=1` writes
//! the record anew: its difference is what a change has changed. A function that is not on record is left out.

#[path = "../legality/family.rs"]
#[expect(dead_code, reason = "all families are taken, whatever they have")]
mod family;
#[path = "../legality/nest.rs"]
mod nest;

use family::FAMILIES;
use loopwright::dialect::loop_enums::ThreadAxis;
use loopwright::ir::{Attribute, Op, receive_errors, top, walk};
use loopwright::pipeline;
use loopwright::schedule::summary::Summary;
use loopwright::schedule::table::{Argument, Instruction, PRIMITIVES, Parameter, ParameterKind};
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

/// Steps that are accepted or need a proof, on a function of a test, on one of `Inputs`, in which there is
/// more, and on a drawn nest.
const TRIED: [usize; 3] = [16, 160, 40];
/// Steps in all, for each of these.
const ALL: usize = 4;
/// Nests of a family.
const DRAWN: u64 = 3;
/// More functions of which something has changed than this are not shown.
const SHOWN: usize = 12;
/// Steps that are accepted before it starts anew.
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

/// The functions with schedule blocks: a name for the record, the module that it stands in, and its own name.
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
    op.attribute("sym_name").and_then(Attribute::as_str)
}

/// What becomes of the steps on a function, until so many were `tried` that are accepted or need a proof.
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

/// A number below `n`, which is not 0: the next one of a sequence.
fn below(n: usize, state: &mut u64) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    ((*state >> 33) % n as u64) as usize
}

fn one_of<T: Clone>(items: &[T], state: &mut u64) -> Option<T> {
    (!items.is_empty()).then(|| items[below(items.len(), state)].clone())
}

fn drawn(summary: &Summary, state: &mut u64) -> Option<Instruction> {
    let primitives: Vec<_> = PRIMITIVES.iter().filter(|p| p.name != "query").collect();
    let primitive = primitives[below(primitives.len(), state)];
    let blocks: Vec<usize> = summary.blocks().map(|(node, _)| node).collect();
    let block = one_of(&blocks, state)?;
    let mut arguments = vec![];
    for (i, parameter) in primitive.parameters.iter().enumerate() {
        let here = if i == 0 { block } else { one_of(&blocks, state)? };
        arguments.push(argument(parameter, summary, (block, here), state)?);
    }
    Some(Instruction::new(primitive, arguments))
}

/// An argument: names of schedule block `here`, buffers of `block`.
fn argument(
    parameter: &Parameter,
    summary: &Summary,
    (block, here): (usize, usize),
    state: &mut u64,
) -> Option<Argument> {
    let name = |node: usize| summary.as_block(node).map(|block| block.name.clone());
    let mut loops: Vec<String> = summary
        .loops_around(here)
        .filter_map(|node| Some(format!("{}:{}", name(here)?, summary.as_loop(node)?.name)))
        .collect();
    loops.reverse();
    let words: Vec<String> = match parameter.name {
        "thread" => ThreadAxis::ALL.iter().map(|axis| axis.word().into()).collect(),
        "scope" => ["global", "shared", "local"].map(Into::into).into(),
        "tail" => ["guard", "peel", "shift_inwards", "pad"].map(Into::into).into(),
        "place" => ["before", "after"].map(Into::into).into(),
        "key" => ["pragma", "note"].map(Into::into).into(),
        "proof" => ["assume", "guard"].map(Into::into).into(),
        _ => vec![],
    };
    Some(match parameter.kind {
        ParameterKind::Loop => Argument::Text(one_of(&loops, state)?),
        ParameterKind::Loops => {
            let first = below(loops.len().checked_sub(1)?.max(1), state);
            let last = (first + 2 + below(2, state)).min(loops.len());
            let mut chosen = loops[first..last].to_vec();
            if below(2, state) == 0 {
                chosen.reverse();
            }
            Argument::Texts(chosen)
        }
        ParameterKind::Block => Argument::Text(name(here)?),
        ParameterKind::Target if below(2, state) == 0 => Argument::Text(one_of(&loops, state)?),
        ParameterKind::Target => Argument::Text(name(here)?),
        ParameterKind::Buffer => {
            let accesses = summary.as_block(block)?.accesses();
            let accessed: Vec<usize> = accesses.iter().map(|access| access.buffer).collect();
            let any: Vec<usize> = (0..summary.buffers.len()).collect();
            let buffer = one_of(&accessed, state).or_else(|| one_of(&any, state))?;
            Argument::Text(summary.buffers[buffer].name.clone())
        }
        ParameterKind::Blocks if below(3, state) == 0 => {
            Argument::Texts(vec![name(block)?, name(here)?])
        }
        ParameterKind::Blocks => Argument::Texts(vec![]),
        ParameterKind::Integers => {
            let k = 2 + below(3, state) as i64;
            Argument::Integers(one_of(
                &[vec![-1, k], vec![k, -1], vec![-1, k, 2], vec![3, k]],
                state,
            )?)
        }
        ParameterKind::OptionalInteger => {
            Argument::OptionalInteger(one_of(&[None, None, Some(2), Some(3), Some(-1)], state)?)
        }
        ParameterKind::Literal => Argument::Literal((below(4, state) as i64).into()),
        ParameterKind::Word => Argument::Text(one_of(&words, state)?),
        ParameterKind::OptionalWord => Argument::OptionalText(match below(3, state) {
            0 => one_of(&words, state),
            _ => None,
        }),
        ParameterKind::Pattern => return None,
    })
}
