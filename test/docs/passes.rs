//! Generates the page of passes: the compiler's table, and each pass of this package with its head, its row, and its
//! effect on the kernel of the same name in `test/effect`.

use crate::effect::{FIGURES, Figures, figures};
use crate::head::head;
use crate::{assert_kept, path, read};
use loopwright::optimize::table::LOOP_PASSES;
use loopwright::pass;
use loopwright::pass::{OptionKind, PassRow};
use loopwright::pipeline::{PIPELINES, Phase, STEPS};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The folders of passes.
const FOLDERS: &[&str] = &[
    "optimize/loop",
    "optimize/vector",
    "optimize/cuda",
    "lowering/cpu",
    "lowering/cuda",
    "lowering/math",
    "compute",
    "graph",
    "fusion",
    "analysis",
    "auto_schedule/axis",
];

/// The passes of both tables that change the IR once. Not among them: the ledger, axes and times, which are printed, and
/// default schedules, which are many steps.
fn rows() -> Vec<&'static PassRow> {
    let is_one = |row: &&PassRow| {
        !matches!(
            row.argument,
            "auto-schedule"
                | "hint-graph"
                | "loop-cost"
                | "loop-predict-time"
                | "loop-print-axes"
                | "schedule-by-strategy"
        )
    };
    let mut rows: Vec<_> = pass::rows().filter(is_one).collect();
    rows.sort_by_key(|row| row.argument);
    rows
}

/// The file of a pass: its name, possibly without `convert-`.
fn source(name: &str) -> String {
    let stem = name.replace('-', "_");
    let short = stem.strip_prefix("convert_").unwrap_or(&stem);
    let names = FOLDERS
        .iter()
        .flat_map(|folder| [&stem, short].map(|stem| format!("src/{folder}/{stem}.rs")));
    let mut found = names.filter(|name| path(name).exists());
    found.next().unwrap_or_else(|| panic!("{name} has no file in {FOLDERS:?}"))
}

/// The kernel that shows the effect of a pass: its target, and the figures without and with the pass.
struct Effect {
    target: &'static str,
    kernel: String,
    story: String,
    without: Figures,
    with: Figures,
}

/// `None` if there is no kernel for the pass.
fn effect(name: &str) -> Option<Effect> {
    let kernel = format!("test/effect/{}.mlir", name.replace('-', "_"));
    let text = std::fs::read_to_string(path(&kernel)).ok()?;
    let comment: Vec<&str> = text.lines().map_while(|line| line.strip_prefix("// ")).collect();
    let target = match comment.first().copied() {
        Some("target=x86") => "x86",
        Some("target=nvptx") => "nvptx",
        other => {
            panic!("{kernel} begins with {other:?}, expected // target=x86 or // target=nvptx")
        }
    };
    let story = comment[1..].join(" ");
    let without = figures(&text, target, &[name]);
    Some(Effect { target, kernel, story, without, with: figures(&text, target, &[]) })
}

impl Effect {
    /// The figures that differ: name, without, with.
    fn differences(&self) -> Vec<(&'static str, u64, u64)> {
        let (Ok(without), Ok(with)) = (&self.without, &self.with) else { return vec![] };
        let pairs = FIGURES.iter().zip(without.iter().zip(with));
        pairs.filter(|(_, (a, b))| a != b).map(|(name, (a, b))| (*name, *a, *b)).collect()
    }

    /// True if some figure is better with the pass.
    fn is_gain(&self) -> bool {
        self.with.is_ok()
            && (self.without.is_err() || self.differences().iter().any(|(_, a, b)| b < a))
    }

    /// The largest gain, for a table.
    fn in_short(&self) -> String {
        if self.without.is_err() {
            return "without the pass, the kernel does not compile".to_owned();
        }
        let gains = self.differences().into_iter().filter(|(_, a, b)| b < a);
        let share = |(_, a, b): &(&str, u64, u64)| *b as f64 / *a as f64;
        match gains.min_by(|x, y| share(x).total_cmp(&share(y))) {
            None => String::new(),
            Some((name, a, b)) => format!("{name}: {a} to {b}"),
        }
    }
}

/// The phases whose path includes a pass.
fn phases(name: &str) -> Vec<Phase> {
    let steps = STEPS.iter().filter(|step| step.name() == name);
    let mut phases: Vec<_> = steps.flat_map(|step| step.phases).copied().collect();
    phases.sort_unstable();
    phases.dedup();
    phases
}

fn words(phases: &[Phase]) -> String {
    let words: Vec<_> = phases.iter().map(|phase| phase.word()).collect();
    words.join(", ")
}

fn document(effects: &BTreeMap<&str, Effect>) -> String {
    let mut text = String::from(
        "# Passes\n\n\
         This page is generated from the comments at the top of the files of the passes, the tables of their options and\n\
         statistics, and the table of the pipeline (`src/pipeline.rs`). A test checks that it is up to date.\n\
         `LOOPWRIGHT_UPDATE=1 cargo test --test docs` writes it. The passes of schedule primitives are in\n\
         [primitives.md](primitives.md), which also defines terms such as iter, instance and kernel.\n\n\
         *Requires* lists the conditions of a pass. If one is not met, passes with names `verify-..` and `convert-..`, and all\n\
         passes of the phases `llvm` and `ptx`, report an error with its number. All other passes leave that place unchanged,\n\
         unless the section says otherwise. *Counts* lists the statistics of a pass, each with its description.\n\n\
         The *forms* of IR that passes take and leave:\n\n\
         * *tensors*: linalg, arith and math ops on tensors, and the graph dialect;\n\
         * *loops*: loop nests of schedule blocks, in the loop dialect;\n\
         * *vectors*: memrefs, and arith, math, scf and 1-D vector ops;\n\
         * *kernels*: kernels of the gpu dialect with the ops of *vectors*, and their launches;\n\
         * *machine*: all later IR, which the interpreter does not run.\n\n\
         An **effect** compares two lowerings of one kernel by the whole pipeline: without this one pass, and with all passes.\n\
         The figures are counts, so they are the same on all machines:\n\n\
         * *ops executed*: by the interpreter in phase `vector` or `gpu`. Dynamic sizes and index arguments are 40;\n\
         * *instructions*: of the code for x86-64-v4, or of the PTX for sm_80;\n\
         * *bytes of memory*: of all `memref.alloc` and `memref.alloca` ops of static size;\n\
         * *bytes shared*, *bytes local*: of shared and local memory that the PTX declares;\n\
         * *64-bit registers*: that the PTX declares;\n\
         * *shared wavefronts*: the transactions of all warps on shared memory, counted by the interpreter.\n\n\
         ## The pipeline\n\n\
         For CPUs the phases are `linalg`, `loop`, `schedule`, `vector`, `llvm`; for GPUs `linalg`, `loop`, `schedule`, `gpu`,\n\
         `ptx`. The table lists the passes of both, in order. The column \"on\" is the op on which a pass runs.\n\n\
         | to phase | pass | on | reason |\n|---|---|---|---|\n",
    );
    for step in STEPS {
        let on = if step.on.is_empty() {
            "module".to_owned()
        } else {
            step.on.join(", ").replace('|', " or ")
        };
        let (phase, name, reason) = (words(step.phases), step.name(), step.reason);
        let own = rows().iter().any(|row| row.argument == name);
        let name = if own { format!("[`{name}`](#{name})") } else { format!("`{name}`") };
        let _ = writeln!(text, "| {phase} | {name} | {on} | {reason} |");
    }
    text += "\n## All passes\n\n| pass | what it does | phases | effect (without the pass to with it) |\n|---|---|---|---|\n";
    for row in rows() {
        let name = row.argument;
        let effect = effects.get(name).map(Effect::in_short).unwrap_or_default();
        let (summary, phases) = (row.summary, words(&phases(name)));
        let _ = writeln!(text, "| [`{name}`](#{name}) | {summary} | {phases} | {effect} |");
    }
    for row in PIPELINES {
        let _ = writeln!(text, "| `{}` | {} | | |", row.argument, row.summary);
    }
    for row in rows() {
        describe(&mut text, row, effects.get(row.argument));
    }
    text
}

fn describe(text: &mut String, row: &PassRow, effect: Option<&Effect>) {
    let name = row.argument;
    let source = source(name);
    let head = head(&read(&source), name);
    let mut summary = head.summary.chars();
    let first: String = summary.next().into_iter().flat_map(char::to_uppercase).collect();
    let _ = write!(text, "\n## {name}\n\n{first}{}\n", summary.as_str());
    if !head.example.is_empty() {
        let _ = write!(text, "\n```text\n{}```\n", head.example);
    }
    // A last paragraph that is no full sentence introduces the conditions.
    let (start, last) =
        head.description.rsplit_once("\n\n").unwrap_or(("", head.description.as_str()));
    let has_lead = !head.conditions.is_empty() && !last.is_empty() && !last.ends_with('.');
    let (description, lead) = match has_lead {
        true => (start, format!("{last}:")),
        false => (&*head.description, "Requires".to_owned()),
    };
    if !description.is_empty() {
        let _ = write!(text, "\n{description}\n");
    }
    if !head.conditions.is_empty() {
        let _ = write!(text, "\n{lead}\n");
        for (number, condition) in &head.conditions {
            let _ = writeln!(text, "- (C{number}) {condition}");
        }
    }
    if !head.notes.is_empty() {
        let _ = write!(text, "\n{}\n", head.notes);
    }
    let forms: Vec<_> = row.needs.iter().map(|form| format!("{form:?}").to_lowercase()).collect();
    let leaves = match row.leaves {
        None => "the same form".to_owned(),
        Some(form) => format!("{form:?}").to_lowercase(),
    };
    let _ = write!(text, "\nInput form: {}. Output form: {leaves}.\n", forms.join(" or "));
    if !row.options.is_empty() {
        let _ = write!(text, "\n| option | takes | default | |\n|---|---|---|---|\n");
        for option in row.options {
            let kind = match option.kind {
                OptionKind::Bool => "true or false",
                OptionKind::Int => "a number",
                OptionKind::String => "a string",
                OptionKind::IntList => "numbers",
                OptionKind::StringList => "strings",
            };
            let (name, initial, summary) = (option.name, option.initial, option.summary);
            let _ = writeln!(text, "| `{name}` | {kind} | {initial} | {summary} |");
        }
    }
    if !row.statistics.is_empty() {
        let counted: Vec<_> =
            row.statistics.iter().map(|it| format!("{} ({})", it.name, it.summary)).collect();
        let _ = write!(text, "\nCounts: {}.\n", counted.join("; "));
    }
    if let Some(effect) = effect {
        let _ = write!(
            text,
            "\n**Effect** on `{}` ({}): {}\n",
            effect.kernel, effect.target, effect.story
        );
        match &effect.without {
            Err(message) => {
                let _ = write!(text, "\nWithout the pass the kernel is refused: {message}.\n");
            }
            Ok(_) => {
                let _ = write!(text, "\n| | without | with |\n|---|---|---|\n");
                for (name, without, with) in effect.differences() {
                    let _ = writeln!(text, "| {name} | {without} | {with} |");
                }
            }
        }
    }
}

#[test]
fn the_page_of_passes_is_as_they_are_and_each_has_an_effect() {
    let names = rows().into_iter().map(|row| row.argument);
    let effects: BTreeMap<&str, Effect> =
        names.filter_map(|name| Some((name, effect(name)?))).collect();
    let mut missing = vec![];
    for (name, effect) in &effects {
        if let Err(message) = &effect.with {
            missing.push(format!("{name}: its kernel is refused: {message}"));
        } else if !effect.is_gain() {
            missing.push(format!("{name}: nothing is better: {:?}", effect.differences()));
        }
    }
    let is_in_pipeline = |row: &&PassRow| !phases(row.argument).is_empty();
    for row in LOOP_PASSES.iter().filter(is_in_pipeline) {
        if !effects.contains_key(row.argument) {
            missing.push(format!("{}: no kernel in test/effect shows what it does", row.argument));
        }
    }
    let files = std::fs::read_dir(path("test/effect")).expect("the folder is there");
    for file in files {
        let file = file.expect("it is there").file_name().to_string_lossy().into_owned();
        let name = file.trim_end_matches(".mlir").replace('_', "-");
        if !effects.contains_key(name.as_str()) {
            missing.push(format!("test/effect/{file} is of no pass"));
        }
    }
    assert_kept("docs/passes.md", &document(&effects));
    assert!(missing.is_empty(), "\n{}", missing.join("\n"));
}
