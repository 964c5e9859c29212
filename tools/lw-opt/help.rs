//! What `lw-opt --help` prints before the help of MLIR's driver, and `--loopwright-help`: the options of this package.

use loopwright::pass;
use loopwright::pass::{Form, OptionKind, PassOption, PassRow};
use loopwright::pipeline::PIPELINES;
use loopwright::schedule::{self, primitive};

/// The options of the tool.
pub const OPTIONS: &str = "\
This help:
  lw-opt --loopwright-help
      Print the options, passes and pipelines of this package only, in groups.
  lw-opt --help
      Print these options, then those of MLIR's driver with all passes.
  lw-opt --version
      Print the versions of this package and of LLVM, and the commit from which the tool was built.

What passes do:
  lw-opt MODULE --pass-report ..
      At the end print to stderr, for each run of a pass of this package: its op, its time, whether it changed
      something, and its counters. IR before and after passes is MLIR's --mlir-print-ir-before=PASS,
      --mlir-print-ir-after=PASS and --mlir-print-ir-after-change.

Numerics at each pass:
  lw-opt MODULE --verify-each=numeric ..
      Run the interpreter before the first pass and after each, on inputs of several sizes, and fail after the
      first pass that changes what a public function computes. (--verify-each=BOOL is MLIR's own.)

Traces of schedules, which are files with a transform script (plain: only steps by name) or with JSON:
  lw-opt MODULE --sched-apply=FILE
      Apply a trace, at this place among the other passes.
  lw-opt MODULE --sched-verify ..
      After each step of passes, scripts and traces run the interpreter on small inputs, and fail at the
      first step that changes what the function computes.
  lw-opt MODULE --sched-print-trace=(script|json|rust) ..
      Print the trace of all steps that passes, scripts and traces applied, instead of the module.
  lw-opt --sched-convert=(script|json|rust) FILE [-o FILE]
      Print a trace in another spelling.
  lw-opt --sched-minimize=FILE MODULE [-o FILE]
      Print the trace without the steps that do not affect the result, in its own spelling.
  lw-opt --sched-space=FILE MODULE
      Print each decision of a trace (sample_perfect_tile, sample_tile, sample_categorical, sample_compute_location) and what
      it is sampled from, one per line.
  lw-opt --sched-redraw=FILE --seed=NUMBER MODULE [-o FILE]
      Print the trace with other decisions, sampled with the seed, in its own spelling.
  lw-opt --sched-diff FILE FILE [MODULE]
      Print which steps of the second trace differ from those of the first, and, with a module, how the
      results differ. Exit code 0 if nothing differs: with a module the results, without one the steps;
      1 if something does; 2 if a file cannot be used.

What the compiler does, and how long it takes (docs/observability.md lists the targets):
  lw-opt MODULE --log=(LEVEL|TARGET=LEVEL,..) ..
      Log to stderr: info (phases, choices), debug (passes, schedule steps, refusals) or trace (proofs), for
      all or for one target, as in info,legality=trace. Without it, $LOOPWRIGHT_LOG has the filter.
  lw-opt MODULE --trace-out=FILE.json ..
      Write all spans and events, with their times, to a file that Perfetto and chrome://tracing open.

The cost ledger, which goes to stderr (-o /dev/null leaves out the module):
  lw-opt MODULE .. --loop-cost ..
      At this place among the passes, print the cost of each schedule block: instances, operations, bytes
      loaded from and stored to each memory, footprints, parallelism and arithmetic intensity.
  lw-opt MODULE --loop-cost=delta ..
      After each pass of this package and each step of a schedule, print what it changed in these costs.

";

/// The groups of passes: a title, and the forms of IR that the passes take.
const GROUPS: [(&str, &[Form]); 5] = [
    ("Passes on tensors", Form::TENSORS),
    ("Passes on loop nests", Form::LOOPS),
    ("Passes on vector form", Form::VECTORS),
    ("Passes on kernels", Form::KERNELS),
    ("Passes on later forms", Form::MACHINE),
];

/// All options of this package, in groups.
pub fn own() -> String {
    let mut text = OPTIONS.to_owned();
    for (title, forms) in GROUPS {
        group(&mut text, title, pass::rows().filter(|row| row.needs == forms));
    }
    let is_other = |row: &&PassRow| GROUPS.iter().all(|(_, forms)| row.needs != *forms);
    group(&mut text, "Passes on several forms", pass::rows().filter(is_other));
    group(&mut text, "Pipelines", PIPELINES.iter());
    let steps = schedule::passes();
    for (family, primitives) in primitive::families() {
        let is_here = |row: &&PassRow| primitives.iter().any(|it| it.pass == row.argument);
        group(&mut text, &format!("Schedule primitives: {family}"), steps.iter().filter(is_here));
    }
    let is_trace = |row: &&PassRow| primitive::PRIMITIVES.iter().all(|it| it.pass != row.argument);
    group(&mut text, "Traces as passes", steps.iter().filter(is_trace));
    text
}

/// Adds a group, sorted by name.
fn group<'r>(text: &mut String, title: &str, rows: impl Iterator<Item = &'r PassRow>) {
    let mut rows: Vec<_> = rows.collect();
    rows.sort_by_key(|row| row.argument);
    *text += &format!("{title}:\n");
    for row in rows {
        *text += &line(&format!("  --{}", row.argument), row.summary);
        for option in row.options {
            *text += &line(&format!("      {}", flag(option)), &summary(option));
        }
    }
    *text += "\n";
}

/// A flag and what it does.
fn line(flag: &str, summary: &str) -> String {
    format!("{flag:<48} {summary}\n")
}

fn flag(option: &PassOption) -> String {
    let value = match option.kind {
        OptionKind::Bool => "BOOL",
        OptionKind::Int => "NUMBER",
        OptionKind::String => "TEXT",
        OptionKind::IntList => "NUMBER,..",
        OptionKind::StringList => "TEXT,..",
    };
    format!("{}={value}", option.name)
}

fn summary(option: &PassOption) -> String {
    match option.initial {
        "" => option.summary.to_owned(),
        initial => format!("{} (default: {initial})", option.summary),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::committed::assert_up_to_date;
    use clap_mangen::roff::{Roff, roman};

    /// The man page of `lw-opt`, with the options of this package.
    fn page() -> String {
        const NAME: &str = "lw-opt - mlir-opt with the dialects and passes of Loopwright";
        const DESCRIPTION: &str = "\
            lw-opt applies passes to a module, in the order of their flags, and prints the result. It has \
            all passes and options of mlir-opt, which lw-opt --help lists, and those of Loopwright. \
            lw-opt --loopwright-help lists the passes and pipelines of Loopwright; its other options are below.";
        let version = concat!("lw-opt ", env!("CARGO_PKG_VERSION"));
        let mut page = Roff::new();
        page.control("TH", ["lw-opt", "1", "", version]);
        page.control("SH", ["NAME"]).text([roman(NAME)]);
        page.control("SH", ["SYNOPSIS"]).text([roman("lw-opt [FILE] [OPTION]... [-o FILE]")]);
        page.control("SH", ["DESCRIPTION"]).text([roman(DESCRIPTION)]);
        page.control("SH", ["OPTIONS"]).control("nf", []);
        for line in OPTIONS.trim_end().lines() {
            page.text([roman(line)]);
        }
        page.control("fi", []);
        page.to_roff()
    }

    #[test]
    fn the_man_page_is_up_to_date() {
        assert_up_to_date("tools/man/lw-opt.1", &page());
    }

    #[test]
    fn each_pass_is_listed_once() {
        let text = own();
        let names = pass::rows().chain(PIPELINES).map(|row| row.argument);
        for name in names.chain(schedule::passes().iter().map(|row| row.argument)) {
            let listed = text.lines().filter(|line| {
                line.strip_prefix("  --").and_then(|it| it.split(' ').next()) == Some(name)
            });
            assert_eq!(listed.count(), 1, "{name}");
        }
        assert!(!text.contains("--canonicalize"));
    }
}
