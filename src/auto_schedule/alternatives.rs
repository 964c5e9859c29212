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
//! interpreter runs after `resolve-knobs`, and `lw-run --schedule` takes: another region is chosen by editing
//! `selected_region`. What does not apply, and why, stands in comments. The numbers that a strategy chooses are knobs with
//! the constraints on them ([`space`](crate::strategy::space)):
//!
//! ```text
//! %rows = transform.tune.knob<"main: x86.product.tiled C.rows"> = 6 from options = [1, 2, .., 14] -> !transform.param<i64>
//! transform.smt.constrain_params(%columns, %rows) : .. { .. }
//! transform.sched.decide "C.rows" in %f = %rows : !transform.param<i64>
//! transform.sched.split "C:i" in %f factors "-1, $C.rows"
//! ```
//!
//! Conditions
//! - (C1) at least one alternative is asked for

use crate::ir::{Error, Op};
use crate::schedule::trace::script;
use crate::schedule::{Instruction, instruction::quoted};
use crate::strategy::space::Space;
use crate::strategy::{
    Alternative, Candidate, CandidateStatus, Prediction, Report, StrategyChoice,
};
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

/// An alternative of a group.
struct AlternativeRegion<'r> {
    /// The strategy, or the strategies.
    name: String,
    predicted: Option<Prediction>,
    steps: &'r [Instruction],
    space: Option<&'r Space>,
}

impl<'r> AlternativeRegion<'r> {
    fn of(name: &str, alternative: &'r Alternative) -> AlternativeRegion<'r> {
        let Alternative { predicted, steps, space, .. } = alternative;
        let (name, predicted) = (name.to_owned(), Some(*predicted));
        AlternativeRegion { name, predicted, steps, space: Some(space) }
    }

    fn head(&self) -> String {
        let predicted = self.predicted.map(|predicted| format!(": {predicted}"));
        format!("{}{}", self.name, predicted.unwrap_or_default())
    }
}

/// The type of a number of a script.
const PARAMETER: &str = "!transform.param<i64>";

/// Prints the numbers of a space as knobs and decisions. Returns how many of the first steps are these decisions.
///
/// `owner` is the function and the strategy: two alternatives may choose numbers of the same loop.
fn knobs(
    text: &mut String,
    owner: &str,
    space: &Space,
    steps: &[Instruction],
    handle: &str,
) -> usize {
    let (mut body, mut decisions) = (vec![], vec![]);
    let (mut values, mut operands, mut arguments) = (vec![], vec![], vec![]);
    let mut lines = vec![];
    for (i, (choice, value)) in space.choices.choices.iter().zip(&space.values).enumerate() {
        let argument = format!("%value{i}");
        if !space.is_decision(i) {
            body.push(format!("  {argument} = smt.int.constant {value}"));
        } else {
            let Some(step) = steps.get(decisions.len()).filter(|step| is_choice(step)) else {
                return 0;
            };
            let name = step.arguments[0].text();
            let (knob, name) = (quoted(&format!("{owner} {name}")), quoted(name));
            let options = &choice.domain;
            lines.push(format!(
                "%knob{i} = transform.tune.knob<{knob}> = {value} from options = {options:?} -> {PARAMETER}"
            ));
            decisions.push(format!(
                "transform.sched.decide {name} in {handle} = %knob{i} : {PARAMETER}"
            ));
            operands.push(format!("%knob{i}"));
            arguments.push(format!("{argument}: !smt.int"));
        }
        values.push(argument);
    }
    if decisions.is_empty() {
        return 0;
    }
    body.extend(space.choices.smt_ops(&values).into_iter().map(|line| format!("  {line}")));
    let types = vec![PARAMETER; operands.len()].join(", ");
    let (operands, arguments) = (operands.join(", "), arguments.join(", "));
    lines.push(format!("transform.smt.constrain_params({operands}) : ({types}) -> () {{"));
    lines.push(format!("^bb0({arguments}):"));
    lines.extend(body);
    lines.push("}".to_owned());
    let decided = decisions.len();
    for line in lines.into_iter().chain(decisions) {
        let _ = writeln!(text, "      {line}");
    }
    decided
}

fn is_choice(step: &Instruction) -> bool {
    step.primitive.name == "sample_categorical"
}

/// The steps of a function, with alternatives.
fn steps(report: &Report, handle: &str, top: usize) -> String {
    let mut text = report.trace.start_of_script(handle);
    let all = &report.trace.instructions;
    let mut next = 0;
    let line = |step: &Instruction| format!("    {}\n", step.script_in(handle));
    if report.choices.is_empty() {
        text.push_str("    // no loop nests: convert-graph-to-linalg and convert-linalg-to-loop make them of tensor ops\n");
    }
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
    let mut regions: Vec<AlternativeRegion> = vec![];
    let chosen = &report.trace.instructions[choice.steps.clone()];
    for candidate in &choice.candidates {
        match (&candidate.status, &candidate.alternative) {
            // Of a group that is dispatched on sizes, the steps of all branches are one alternative.
            (CandidateStatus::Chosen { .. }, None) if regions.is_empty() => {
                let (name, steps) = (names_of(choice), chosen);
                regions.push(AlternativeRegion { name, predicted: None, steps, space: None });
            }
            (CandidateStatus::Chosen { .. }, Some(alternative)) => {
                let region = AlternativeRegion::of(&candidate.name, alternative);
                regions.insert(0, AlternativeRegion { steps: chosen, ..region });
            }
            (CandidateStatus::Slower, Some(alternative)) => {
                regions.push(AlternativeRegion::of(&candidate.name, alternative));
            }
            _ => comment(text, candidate),
        }
    }
    match &choice.apart {
        Some((apart, false)) => regions.push(AlternativeRegion::of("one by one", apart)),
        Some((apart, true)) => {
            let _ = writeln!(text, "    // {name}: one by one, {}", apart.predicted);
            for region in &regions {
                let _ = writeln!(text, "    // {}, slower", region.head());
            }
            return;
        }
        None => {}
    }
    // The first one is the chosen one.
    let Some((_, others)) = regions.split_first_mut() else { return };
    let ns = |region: &AlternativeRegion| region.predicted.map_or(0.0, |predicted| predicted.ns);
    others.sort_by(|one, other| ns(one).total_cmp(&ns(other)));
    regions.truncate(top);
    let _ = write!(text, "    transform.tune.alternatives<{}> selected_region = 0 ", quoted(&name));
    for (i, region) in regions.iter().enumerate() {
        let separator = if i == 0 { "" } else { ", " };
        let _ = writeln!(text, "{separator}{{\n      // {}", region.head());
        let owner = format!("{}: {}", report.function, region.name);
        let knobs = |space| knobs(text, &owner, space, region.steps, handle);
        let decided = region.space.map_or(0, knobs);
        for step in &region.steps[decided..] {
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
