//! Generated documentation is up to date: `docs/primitives.md` is generated from the heads and rows of primitives,
//! `docs/passes.md` from the heads of passes, their tables and their measured effect. The names in `docs/coming-from.md`
//! exist. `docs/onnx.md` lists the ops that are imported.
//!
//! `LOOPWRIGHT_UPDATE=1 cargo test --test docs` regenerates the pages. This file also tests that the op of a primitive
//! takes the parameters of its row, that its example is one of its steps, that each of its conditions has a refusal
//! test, and that the recipe for a new primitive is true.

#[path = "docs/coming_from.rs"]
mod coming_from;
#[path = "docs/commands.rs"]
mod commands;
#[path = "docs/effect.rs"]
mod effect;
#[path = "docs/graph_ops.rs"]
mod graph_ops;
#[path = "docs/head.rs"]
mod head;
#[path = "docs/interfaces.rs"]
mod interfaces;
#[path = "docs/passes.rs"]
mod passes;
#[path = "docs/python.rs"]
mod python;
#[path = "docs/recipe.rs"]
mod recipe;
#[path = "schedule/legality/script.rs"]
mod script;
#[path = "docs/strategies.rs"]
mod strategies;

use head::Head;

use loopwright::dialect::contract::Contract;
use loopwright::machine::intrinsic::{INTRINSICS, Intrinsic};
use loopwright::machine::x86::{CpuTarget, processors};
use loopwright::pipeline;
use loopwright::schedule::instruction::{Argument, Instruction, Literal, ParameterKind, Primitive};
use loopwright::schedule::primitive::PRIMITIVES;
use melior::ir::Module;
use melior::pass::PassManager;
use melior::utility::parse_pass_pipeline;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn read(name: &str) -> String {
    fs::read_to_string(path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn head(primitive: &Primitive) -> Head {
    let name = primitive.name;
    head::head(&read(&source(name)), name)
}

/// The file of a primitive, in one of the rooms of `src/schedule/primitive`.
fn source(name: &str) -> String {
    let file = format!("{name}.rs");
    let rooms = rooms("src/schedule/primitive").into_iter();
    let mut files = rooms.map(|room| format!("{room}/{file}"));
    let found = files.find(|it| path(it).exists());
    found.unwrap_or_else(|| panic!("no room of src/schedule/primitive has {file}"))
}

/// The folders in a folder.
fn rooms(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(path(folder)).expect("the folder exists");
    let names = entries.map(|it| it.expect("an entry").file_name());
    let names = names.map(|name| format!("{folder}/{}", name.to_string_lossy()));
    names.filter(|name| path(name).is_dir()).collect()
}

/// The step of the example: `->  split "B:i" factors [4, 8]`.
fn step_of(primitive: &'static Primitive, head: &Head) -> Instruction {
    let name = primitive.name;
    let arrow = |line: &&str| {
        let rest = line.split("->").nth(1).map(str::trim_start);
        rest.is_some_and(|rest| rest.strip_prefix(name).is_some_and(|r| r.starts_with(' ')))
    };
    let line = head.example.lines().find(arrow);
    let line = line.unwrap_or_else(|| panic!("the example of {name} has no line \"-> {name} ..\""));
    let text = line.split_once("->").map_or("", |(_, text)| text).trim_start();
    let text = text.split("   ").next().unwrap_or(text).trim();
    script::parse(text).unwrap_or_else(|error| panic!("the example of {name}: {error}"))
}

fn as_pass(step: &Instruction) -> String {
    let mut options = vec![];
    for (parameter, argument) in step.primitive.parameters.iter().zip(&step.arguments) {
        let value = match argument {
            Argument::Text(text) | Argument::Decided(text) => text.clone(),
            Argument::Texts(texts) => texts.join(","),
            Argument::Integers(integers) => {
                integers.iter().map(i64::to_string).collect::<Vec<_>>().join(",")
            }
            Argument::OptionalInteger(integer) => {
                integer.map(|integer| integer.to_string()).unwrap_or_default()
            }
            Argument::OptionalText(text) => text.clone().unwrap_or_default(),
            Argument::Literal(Literal::Integer(integer)) => integer.to_string(),
            Argument::Literal(Literal::Bool(value)) => value.to_string(),
            Argument::Literal(Literal::Text(text)) => text.clone(),
        };
        let value = if value.contains(' ') { format!("\"{value}\"") } else { value };
        if !value.is_empty() {
            options.push(format!("{}={value}", parameter.name));
        }
    }
    format!("{}{{{}}}", step.primitive.pass, options.join(" "))
}

fn kind_text(kind: ParameterKind) -> &'static str {
    match kind {
        ParameterKind::Loop => "a loop",
        ParameterKind::Loops => "loops",
        ParameterKind::Block => "a schedule block",
        ParameterKind::Target => "a loop or a schedule block",
        ParameterKind::Buffer => "a buffer",
        ParameterKind::Blocks => "schedule blocks, optional",
        ParameterKind::Pattern => "a pattern of names, optional",
        ParameterKind::Integers => "numbers",
        ParameterKind::OptionalIntegers => "numbers, optional",
        ParameterKind::Literal => "a number, true, false, or a string",
        ParameterKind::OptionalInteger => "a number, optional",
        ParameterKind::Word => "a word",
        ParameterKind::OptionalWord => "a word, optional",
    }
}

fn document() -> String {
    let mut text = String::from(
        "# Schedule primitives\n\n\
         This page is generated from the comments at the top of the files in `src/schedule/primitive`, and from the declarations\n\
         in these files. A test checks that it is up to date. `LOOPWRIGHT_UPDATE=1 cargo test --test docs` writes it.\n\n\
         A *step* applies one primitive. Each primitive has four interfaces: a method of `Schedule` in Rust and in Python, a\n\
         pass, and a transform op (a step of a script). The examples and tables write a step as its transform op, without\n\
         `transform.sched.` and `in %f`.\n\n\
         The conditions of a primitive have numbers (C1), (C2), and so on. If one is not met, the step is refused, the message\n\
         gives the number, and the IR does not change. A condition that is to be *proved* may be undecided: neither proved nor\n\
         refuted. Then the step is refused, too. The parameter `proof` changes this:\n\
         - `proof \"assume\"`: undecided conditions are taken as true. In Rust, call `assume()` before the step.\n\
         - `proof \"guard\"`: a condition on sizes selects at run time between the nest to which the step is applied and a copy of\n\
         \x20\x20the original nest, whose blocks are named `B.fallback`. This also helps if a condition is refuted for some sizes only. If\n\
         \x20\x20no condition on sizes is found, the step is refused. In Rust, call `guard()` before the step.\n\n\
         A loop is written `block:loop`, with the name of any schedule block in the loop. A new name that is taken gets a number,\n\
         as in `i.0_1`.\n\n\
         Terms:\n\
         - *leaf*: a schedule block whose body contains no loops and no other schedule blocks.\n\
         - *statement*: a loop, a schedule block, a `loop.if` or a barrier.\n\
         - *function level*: outside of all loops, schedule blocks and branches.\n\
         - *thread axis*: a `blockIdx`, `threadIdx` or `vthread` axis. *Loop over threads*: a loop that is bound to a `blockIdx` or\n\
         \x20\x20`threadIdx` axis.\n\
         - *kernel*: a statement at function level, if the function contains loops that are bound to thread axes.\n\
         - *iter*: an iteration variable of a schedule block (in TVM: block iter var). Its *domain* is the number of its values,\n\
         \x20\x20which start at 0.\n\
         - *spatial*, *reduce* and *opaque*: the roles of iters. In a reduction, the spatial iters select the element, and the\n\
         \x20\x20reduce iters run over the values that are combined in it. An opaque iter has neither role.\n\
         - *reduction loop*, *reduce loop*: a loop to which reduce iters are bound.\n\
         - *instance* of a schedule block: one execution of it, with one value for each of its iters.\n\
         - *instance* of a buffer: one copy of its memory. A buffer of scope `local` or `shared` has one instance for each\n\
         \x20\x20iteration of certain loops: see `set_scope`.\n\
         - *point* of a reduction: one value for each spatial iter. All instances of a point reduce into the same element.\n\
         - *start values*: what the `loop.init` of a reduction stores.\n\
         - *reducer*: how a reduction combines values, such as `add`, `max` or `welford`. If a body is none of these, its\n\
         \x20\x20reducer is `ordered`: the updates have no identity, and may not be reordered or grouped.\n\
         - *size*: an `index` argument of the function, or a dimension of a buffer.\n\
         - *one expression*: an extent that is not a minimum of several expressions.\n\
         - *axis attribute* of a loop: states how a step created the loop, as in `axis(tile_outer from \"i\" pair \"i.1\")`.\n\
         - *handle*: a value of a transform script that refers to loops or schedule blocks.\n\
         - *contract*: the attribute `loop.fp` of a function: `strict`, `reassoc` or `fast`.\n\n\
         The tables list the primitives by family, each with the arguments of its example.\n",
    );
    text += &tables();
    for primitive in PRIMITIVES {
        let head = head(primitive);
        let step = step_of(primitive, &head);
        let mut summary = head.summary.chars();
        let first: String = summary.next().into_iter().flat_map(char::to_uppercase).collect();
        let _ = write!(
            text,
            "\n## {}\n\n{first}{}\n\n```text\n{}```\n",
            primitive.name,
            summary.as_str(),
            head.example
        );
        if !head.description.is_empty() {
            let _ = write!(text, "\n{}\n", head.description);
        }
        let _ = write!(text, "\n| parameter | takes | |\n|---|---|---|\n");
        for parameter in primitive.parameters {
            let kind = kind_text(parameter.kind);
            let _ = writeln!(text, "| `{}` | {kind} | {} |", parameter.name, parameter.summary);
        }
        let _ = write!(
            text,
            "\n```text\n{}\nlw-opt --{}='{}'\n{}\n```\n\nRequires\n",
            step.rust(),
            primitive.pass,
            as_pass(&step)
                .trim_start_matches(primitive.pass)
                .trim_matches(|c| c == '{' || c == '}'),
            step.script()
        );
        for (number, condition) in &head.conditions {
            let _ = writeln!(text, "- (C{number}) {condition}");
        }
        if !head.notes.is_empty() {
            let _ = write!(text, "\n{}\n", head.notes);
        }
    }
    text
}

/// Compares a page with its file. With `LOOPWRIGHT_UPDATE`, it writes the file.
fn assert_kept(name: &str, found: &str) {
    if env::var_os("LOOPWRIGHT_UPDATE").is_some() {
        fs::create_dir_all(path("docs")).expect("a folder");
        fs::write(path(name), found).expect("it is written");
    }
    let kept = fs::read_to_string(path(name)).unwrap_or_default();
    let differs = found.lines().zip(kept.lines()).find(|(a, b)| a != b);
    assert!(
        found == kept,
        "{name} is not up to date, first at {differs:?}: LOOPWRIGHT_UPDATE=1 cargo test --test docs"
    );
}

#[test]
fn the_page_of_primitives_is_as_their_heads() {
    assert_kept("docs/primitives.md", &document());
}

/// The families of primitives, and their names in `docs/primitives.md`.
const FAMILIES: &[(&str, &str)] = &[
    ("loop", "loops"),
    ("location", "compute location"),
    ("cache", "caches"),
    ("layout", "layout"),
    ("reduction", "reductions"),
    ("tensorize", "tensorization"),
    ("sampling", "sampling"),
    ("annotation", "annotations and queries"),
];

/// A table for each family: a primitive, the arguments of its example, its summary.
fn tables() -> String {
    let mut tables = String::new();
    for (family, title) in FAMILIES {
        let _ = write!(tables, "\n| {title} | arguments | |\n|---|---|---|\n");
        let folder = format!("src/schedule/primitive/{family}/");
        for primitive in PRIMITIVES.iter().filter(|it| source(it.name).starts_with(&folder)) {
            let script = step_of(primitive, &head(primitive)).script().replacen(" in %f", "", 1);
            let arguments = script.split_once(' ').map_or("", |(_, arguments)| arguments);
            let (name, summary) = (primitive.name, primitive.summary);
            let _ = writeln!(tables, "| [`{name}`](#{name}) | `{arguments}` | {summary} |");
        }
    }
    tables
}

#[test]
fn the_tables_have_all_primitives() {
    let rows = tables().lines().filter(|line| line.starts_with("| [`")).count();
    assert_eq!(rows, PRIMITIVES.len(), "FAMILIES has all families");
}

/// The supported ops of ONNX, by domain.
fn onnx_ops() -> String {
    let mut text = String::new();
    for (domain, ops) in loopwright_onnx::ops::list() {
        let _ = writeln!(text, "\n{} ops of `{domain}`: {}.", ops.len(), ops.join(", "));
    }
    text + "\n"
}

#[test]
fn the_page_of_onnx_has_all_ops() {
    let (begin, end) = ("<!-- ops:begin -->\n", "<!-- ops:end -->\n");
    let page = read("docs/onnx.md");
    let (before, rest) = page.split_once(begin).expect("docs/onnx.md has the mark");
    let (_, after) = rest.split_once(end).expect("docs/onnx.md has the mark of the end");
    assert_kept("docs/onnx.md", &format!("{before}{begin}{}{end}{after}", onnx_ops()));
}

/// The table of intrinsics, with their descriptions.
fn intrinsics() -> String {
    let mut text = String::from(
        "# Intrinsics\n\n\
         Generated from the table in `src/machine/intrinsic.rs`. A test checks that this page agrees with the table.\n\n\
         `tensorize` replaces a nest by an intrinsic if the nest unifies with the description below. The names, kinds and\n\
         order of loops may differ, and so may the buffers and their layouts. But where only the last index of a buffer of\n\
         the description changes, only the last index of the nest's buffer may change, by 1 each time. The interpreter runs\n\
         the description. Lowering for a CPU emits the instruction.\n\
         Where a function must have `loop.fp = \"fast\"`, the result of the instruction may differ from that of the\n\
         description by rounding, and in subnormal numbers.\n",
    );
    for Intrinsic { name, summary, description, needs, contract, .. } in INTRINSICS {
        let _ = writeln!(text, "\n## `{name}`\n\n{summary}.");
        let _ = match needs {
            None => writeln!(text, "Runs on any processor."),
            Some(feature) => {
                let has_it =
                    |cpu: &&str| CpuTarget::named(cpu).machine().is_ok_and(|cpu| cpu.has(feature));
                let named: Vec<&str> = processors().filter(has_it).collect();
                let named = named.join(", ");
                writeln!(
                    text,
                    "Needs the processor feature `{feature}`, for example on {named}. Otherwise code generation reports an error."
                )
            }
        };
        if *contract == Contract::Fast {
            let _ = writeln!(text, "The function must have `loop.fp = \"fast\"`.");
        }
        let _ = writeln!(text, "\n```mlir\n{description}\n```");
    }
    text
}

#[test]
fn the_page_of_intrinsics_is_as_their_table() {
    assert_kept("docs/intrinsics.md", &intrinsics());
}

#[test]
fn examples_are_steps_on_all_interfaces() {
    let context = pipeline::context();
    for primitive in PRIMITIVES {
        let step = step_of(primitive, &head(primitive));
        let script = format!(
            "module attributes {{transform.with_named_sequence}} {{\n\
             transform.named_sequence @__transform_main(%f: !transform.any_op) {{\n\
             {}\ntransform.yield\n}}\n}}",
            step.script()
        );
        assert!(Module::parse(&context, &script).is_some(), "does not parse: {script}");
        let manager = PassManager::new(&context);
        let pipeline = format!("builtin.module({})", as_pass(&step));
        let parsed = parse_pass_pipeline(manager.as_operation_pass_manager(), &pipeline);
        assert!(parsed.is_ok(), "is no pipeline: {pipeline}");
    }
}

#[test]
fn each_condition_has_a_refusal() {
    let mut missing = vec![];
    for primitive in PRIMITIVES {
        let name = primitive.name;
        let stated: BTreeSet<u8> = head(primitive).conditions.iter().map(|(n, _)| *n).collect();
        let expected: Vec<u8> = (1..=u8::try_from(stated.len()).expect("few")).collect();
        assert!(stated.iter().eq(&expected), "{name} numbers its conditions {stated:?}");
        let refusals = refusals_of(name);
        let refused: BTreeSet<u8> = refusals
            .iter()
            .flat_map(|text| text.lines())
            .filter(|line| line.contains("expected-error"))
            .filter_map(|line| {
                let (_, number) = line.trim_end().strip_suffix(")}}")?.rsplit_once("(C")?;
                number.parse().ok()
            })
            .collect();
        for number in stated.difference(&refused) {
            missing.push(format!("{name}: no test of a refusal by (C{number})"));
        }
        for number in refused.difference(&stated) {
            missing
                .push(format!("{name}: a refusal by (C{number}), which its head does not state"));
        }
    }
    assert!(missing.is_empty(), "\n{}", missing.join("\n"));
}

/// The tests of a primitive's refusals: `<name>_refused.mlir`, `<name>_<what>_refused.mlir`.
fn refusals_of(name: &str) -> Vec<String> {
    let files = rooms("test/schedule/primitive").into_iter().flat_map(|room| {
        let files = fs::read_dir(path(&room)).expect("the folder exists");
        files.map(move |file| (room.clone(), file.expect("an entry").file_name()))
    });
    let files = files.map(|(room, file)| (room, file.to_string_lossy().into_owned()));
    let is_of = |(_, file): &(String, String)| {
        let owner = PRIMITIVES.iter().filter(|other| file.starts_with(other.name));
        let longest = owner.map(|other| other.name).max_by_key(|other| other.len());
        file.ends_with("_refused.mlir") && longest == Some(name)
    };
    files.filter(is_of).map(|(room, file)| read(&format!("{room}/{file}"))).collect()
}
