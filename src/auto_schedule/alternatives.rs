//! `auto-schedule`: schedule each function by the alternatives that are predicted to be the fastest, and print the
//! alternatives as a transform script.
//!
//! ```text
//! transform.tune.alternatives<"main: matmul, add"> selected_region = 0 {
//!   // x86.product.tiled: predicted 41.2 us, limited by vector units
//!   transform.sched.split "matmul:i" in %f factors [-1, 8]
//! }, {
//!   // x86.columns: predicted 88.0 us, limited by L2
//! }
//! ```
//! The chosen alternative is the first region, the others follow by their predicted times; as many are printed as asked
//! for. Steps outside of alternatives schedule what all alternatives have in common. The script is one that upstream's
//! interpreter runs, and `lw-run --schedule` takes: another region is chosen by editing `selected_region`. What does not
//! apply, and why, stands in comments.
//!
//! Conditions
//! - (C1) at least one alternative is asked for

use crate::ir::{Error, Op};
use crate::schedule::trace::script;
use crate::schedule::{Instruction, instruction::quoted};
use crate::strategy::{Candidate, CandidateStatus, Report, StrategyChoice};
use loopwright_runtime::stdout;
use std::fmt::Write;

/// The most alternatives of a group that are printed if no number is given.
pub const DEFAULT_TOP: &str = "1";

/// Checks the number of alternatives to print.
///
/// # Errors
/// (C1) if it is less than 1.
pub fn check_top<'c>(op: Op<'c>, top: i64) -> Result<usize, Error<'c>> {
    let found = usize::try_from(top).ok().filter(|top| *top > 0);
    found.ok_or_else(|| Error::on(op, format!("is given top {top}, expected 1 or more (C1)")))
}

/// Prints the alternatives of all functions that were scheduled.
///
/// # Errors
/// If the standard output cannot be written.
pub fn print<'c>(module: Op<'c>, reports: &[Report], top: usize) -> Result<(), Error<'c>> {
    let scheduled = reports.iter().filter(|report| !report.is_scheduled);
    let steps = scheduled.enumerate().map(|(i, report)| steps(report, &format!("%f{i}"), top));
    stdout::print(&script::script_module(&steps.collect::<String>(), "")).map_err(|error| {
        Error::on(module, format!("has alternatives that are not printed: {error}"))
    })
}

/// The steps of a function, with alternatives.
fn steps(report: &Report, handle: &str, top: usize) -> String {
    let mut text = report.trace.start_of_script(handle);
    let all = &report.trace.instructions;
    let mut next = 0;
    let line = |step: &Instruction| format!("    {}\n", step.script_in(handle));
    for choice in &report.choices {
        text.extend(all[next..choice.steps.start].iter().map(line));
        alternatives(&mut text, report, choice, handle, top);
        next = choice.steps.end;
    }
    text.extend(all[next..].iter().map(line));
    text
}

/// The alternatives of a group.
fn alternatives(
    text: &mut String,
    report: &Report,
    choice: &StrategyChoice,
    handle: &str,
    top: usize,
) {
    let name = format!("{}: {}", report.function, choice.blocks.join(", "));
    let mut regions: Vec<(String, f64, &[Instruction])> = vec![];
    let chosen = &report.trace.instructions[choice.steps.clone()];
    for candidate in &choice.candidates {
        match (&candidate.status, &candidate.alternative) {
            // Of a group that is dispatched on sizes, the steps of all branches are one alternative.
            (CandidateStatus::Chosen { .. }, None) if regions.is_empty() => {
                regions.push((names_of(choice), 0.0, chosen));
            }
            (CandidateStatus::Chosen { .. }, Some(alternative)) => {
                let head = format!("{}: {}", candidate.name, alternative.predicted);
                regions.insert(0, (head, 0.0, chosen));
            }
            (CandidateStatus::Slower, Some(alternative)) => {
                let head = format!("{}: {}", candidate.name, alternative.predicted);
                regions.push((head, alternative.predicted.ns, &alternative.steps));
            }
            _ => comment(text, candidate),
        }
    }
    match &choice.apart {
        Some((apart, false)) => {
            let head = format!("one by one: {}", apart.predicted);
            regions.push((head, apart.predicted.ns, &apart.steps));
        }
        Some((apart, true)) => {
            let _ = writeln!(text, "    // {name}: one by one, {}", apart.predicted);
            for (head, ..) in &regions {
                let _ = writeln!(text, "    // {head}, slower");
            }
            return;
        }
        None => {}
    }
    if regions.is_empty() {
        return;
    }
    regions.sort_by(|one, other| one.1.total_cmp(&other.1));
    regions.truncate(top);
    let _ = write!(text, "    transform.tune.alternatives<{}> selected_region = 0 ", quoted(&name));
    for (i, (head, _, steps)) in regions.iter().enumerate() {
        let separator = if i == 0 { "" } else { ", " };
        let _ = writeln!(text, "{separator}{{\n      // {head}");
        for step in *steps {
            let _ = writeln!(text, "      {}", step.script_in(handle));
        }
        let _ = write!(text, "    }}");
    }
    text.push('\n');
}

/// The strategies of a group that is dispatched on sizes.
fn names_of(choice: &StrategyChoice) -> String {
    let name = |candidate: &Candidate| match &candidate.status {
        CandidateStatus::Chosen { sizes: Some(sizes) } => format!("{} if {sizes}", candidate.name),
        _ => candidate.name.clone(),
    };
    choice.chosen().map(name).collect::<Vec<_>>().join(", ")
}

/// Why a strategy is no alternative.
fn comment(text: &mut String, candidate: &Candidate) {
    let why = match &candidate.status {
        CandidateStatus::DoesNotApply(why) => format!("does not apply: {why}"),
        CandidateStatus::Undone(refused) => format!("undone {refused}"),
        _ => return,
    };
    let _ = writeln!(text, "    // {}: {why}", candidate.name);
}
