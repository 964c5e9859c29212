//! The search space of a trace: its sampled decisions, the distribution of each, and resampling.
//!
//! ```text
//! step 1: tile = [4, 16], of 2 factors of 64, the last at most 16: 5 ways
//! step 2: width = 8, of 4, 8, 16 with weights 1, 2, 1
//! step 4: at = "C:i", of C:i, C:j
//! ```
//! A trace with sampling steps describes a space of schedules; its decisions select one of them. What later steps may
//! sample depends on earlier decisions, so the space is listed while the trace is replayed.

use super::{Trace, TraceSource, function};
use crate::ir::{Error, ModuleMut, Op, op_of};
use crate::nest::summary::Summary;
use crate::schedule::Schedule;
use crate::schedule::error::ScheduleError;
use crate::schedule::instruction::Instruction;
use crate::schedule::primitive::sampling::decision;
use crate::schedule::primitive::sampling::decision::Decision;
use crate::schedule::primitive::sampling::{
    sample_categorical, sample_compute_location, sample_perfect_tile, sample_tile,
};
use std::fmt;

/// A decision of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceDecision {
    /// The number of the sampling step, from 1.
    pub step: usize,
    /// The name of the decision.
    pub name: String,
    /// Its value.
    pub decision: Decision,
    /// The set that the decision is sampled from, as text.
    pub space: String,
}

impl fmt::Display for TraceDecision {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "step {}: {} = {}, of {}", self.step, self.name, self.decision, self.space)
    }
}

/// The decisions of a trace, in step order. This applies the trace to the function with its name.
///
/// # Errors
/// At the op that a step is refused for, with a note that names the step.
pub fn space<'c>(
    module: impl ModuleMut<'c>,
    source: &TraceSource<'c>,
) -> Result<Vec<TraceDecision>, Error<'c>> {
    let mut choices = vec![];
    replayed(op_of(module), source, &|step| step.clone(), &mut |schedule, i, step| {
        let taken: Vec<String> = schedule.decisions().into_iter().map(|(name, _)| name).collect();
        // An error of a step is reported when the step is applied.
        if let Some(Ok((name, space))) = space_of(schedule.summary(), &taken, step) {
            choices.push((i + 1, name, space));
        }
    })
    .map(|schedule| {
        let decided = schedule.decisions();
        let made = |name: &str| decided.iter().find(|(other, _)| other == name).cloned();
        let choice = |(step, name, space): (usize, String, String)| {
            let (name, decision) = made(&name)?;
            Some(TraceDecision { step, name, decision, space })
        };
        choices.into_iter().filter_map(choice).collect()
    })
}

/// The trace with all decisions resampled from a seed.
///
/// # Errors
/// At the op that a step is refused for, with a note that names the step: later steps do not accept every decision.
pub fn redraw<'c>(
    module: impl ModuleMut<'c>,
    source: &TraceSource<'c>,
    seed: i64,
) -> Result<Trace, Error<'c>> {
    let anew = |step: &Instruction| decision::redrawn(step, seed).unwrap_or_else(|| step.clone());
    let schedule = replayed(op_of(module), source, &anew, &mut |_, _, _| {})?;
    let instructions = schedule.trace().instructions.clone();
    Ok(Trace { instructions, ..source.trace.clone() })
}

/// Applies the steps, each replaced by `made`; `each` gets the schedule before the step, and the step that is applied.
fn replayed<'c>(
    module: Op<'c>,
    source: &TraceSource<'c>,
    made: &dyn Fn(&Instruction) -> Instruction,
    each: &mut dyn FnMut(&Schedule<'c>, usize, &Instruction),
) -> Result<Schedule<'c>, Error<'c>> {
    let function = function(module, &source.trace.function)?;
    let mut schedule = Schedule::new(function)?;
    for (i, step) in source.trace.instructions.iter().enumerate() {
        let step = made(step);
        if let Ok(resolved) = decision::resolved(function, &step) {
            each(&schedule, i, &resolved);
        }
        schedule.apply(&step).map_err(|error| {
            let note = format!("in step {} of the trace: {}", i + 1, step.script());
            schedule.located(&error, step.primitive, false).note(source.places[i], note)
        })?;
    }
    Ok(schedule)
}

/// The name of the decision of a step, and the set that it is sampled from; none for a step that samples nothing.
fn space_of(
    summary: &Summary,
    taken: &[String],
    step: &Instruction,
) -> Option<Result<(String, String), ScheduleError>> {
    let arguments = &step.arguments;
    match step.primitive.name {
        "sample_perfect_tile" => {
            let (target, name) = (arguments[0].text(), arguments[1].text());
            let sizes = (arguments[2].optional_integer(), arguments[3].optional_integer());
            let space = sample_perfect_tile::check((summary, taken), (target, name), sizes, &[]);
            Some(space.map(|space| (name.to_owned(), space.to_string())))
        }
        "sample_tile" => {
            let (target, name) = (arguments[0].text(), arguments[1].text());
            let limits = [2, 3].map(|i| arguments[i].optional_integer());
            let space = sample_tile::check((summary, taken), (target, name), limits, &[]);
            Some(space.map(|space| (name.to_owned(), space.to_string())))
        }
        "sample_categorical" => {
            let (name, candidates) = (arguments[0].text(), arguments[1].integers());
            let weights = arguments[2].integers();
            let space = sample_categorical::check(name, taken, candidates, weights, None);
            Some(space.map(|space| (name.to_owned(), space.to_string())))
        }
        "sample_compute_location" => {
            let (target, name) = (arguments[0].text(), arguments[1].text());
            let places = sample_compute_location::check(summary, taken, target, name, None);
            Some(places.map(|places| (name.to_owned(), places.join(", "))))
        }
        _ => None,
    }
}
