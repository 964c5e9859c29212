//! Compares two schedule traces, and the functions they produce.
//!
//! ```text
//!   1 -> 1: split "C:j" factors [4, 16] -> [8, 8]
//!   - 2: unroll "C:k"
//!   + 3: vectorize "C:j.1"
//! results differ in line 4 of the function:
//!   - loop.for serial %j.0 in 4
//!   + loop.for serial %j.0 in 8
//! ```
//! Steps are aligned by a longest common subsequence. Between aligned steps, two steps of the same primitive on the
//! same target count as one step with changed parameters. If a module is given, both traces are applied to it and the
//! results are compared.

use super::{Trace, TraceSource, replay};
use crate::ir::{CopiedOp, Error, ModuleRef, op_of};
use crate::schedule::instruction::Instruction;
use std::fmt::Write;

/// A difference.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// A step of the first trace, counted from 0.
    Removed(usize),
    /// A step of the second trace.
    Added(usize),
    /// The same primitive on the same target, with other parameters.
    Changed(usize, usize),
}

/// The steps that differ, in order.
pub fn changes(first: &[Instruction], second: &[Instruction]) -> Vec<Change> {
    let mut changes = vec![];
    let (mut i, mut j) = (0, 0);
    let mut kept = common(first, second);
    kept.push((first.len(), second.len()));
    for (end_of_first, end_of_second) in kept {
        for (a, step) in first.iter().enumerate().take(end_of_first).skip(i) {
            let is_changed = |b: &usize| {
                step.primitive.name == second[*b].primitive.name
                    && step.arguments.first() == second[*b].arguments.first()
            };
            match (j..end_of_second).find(is_changed) {
                Some(b) => {
                    changes.extend((j..b).map(Change::Added));
                    changes.push(Change::Changed(a, b));
                    j = b + 1;
                }
                None => changes.push(Change::Removed(a)),
            }
        }
        changes.extend((j..end_of_second).map(Change::Added));
        (i, j) = (end_of_first + 1, end_of_second + 1);
    }
    changes
}

/// The index pairs of a longest common subsequence.
fn common<T: PartialEq>(first: &[T], second: &[T]) -> Vec<(usize, usize)> {
    // lengths[i][j] is the length for the suffixes from i and j.
    let mut lengths = vec![vec![0; second.len() + 1]; first.len() + 1];
    for i in (0..first.len()).rev() {
        for j in (0..second.len()).rev() {
            lengths[i][j] = match first[i] == second[j] {
                true => lengths[i + 1][j + 1] + 1,
                false => lengths[i + 1][j].max(lengths[i][j + 1]),
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut places = vec![];
    while i < first.len() && j < second.len() {
        if first[i] == second[j] {
            places.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if lengths[i + 1][j] >= lengths[i][j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    places
}

/// The steps that differ, one per line; an empty text if there are none.
pub fn describe_steps(first: &Trace, second: &Trace) -> String {
    let mut text = String::new();
    if first.function != second.function {
        let _ = writeln!(text, "function @{} -> @{}", first.function, second.function);
    }
    let (first, second) = (&first.instructions, &second.instructions);
    for change in changes(first, second) {
        // Writing to a string cannot fail.
        let _ = match change {
            Change::Removed(i) => writeln!(text, "- {}: {}", i + 1, step(&first[i])),
            Change::Added(j) => writeln!(text, "+ {}: {}", j + 1, step(&second[j])),
            Change::Changed(i, j) => {
                let parameters = parameters(&first[i], &second[j]);
                let (from, to) = (i + 1, j + 1);
                let target = Instruction::target(&first[i]);
                writeln!(text, "! {from} -> {to}: {target} {parameters}")
            }
        };
    }
    text
}

/// How the functions that two traces produce from a module differ; an empty text if they do not.
///
/// # Errors
/// If a trace does not apply.
pub fn describe_results<'c>(
    module: impl ModuleRef<'c>,
    first: &TraceSource<'c>,
    second: &TraceSource<'c>,
) -> Result<Option<String>, Error<'c>> {
    let module = op_of(module);
    let text = |source: &TraceSource<'c>| -> Result<String, Error<'c>> {
        let copy = CopiedOp::of(module);
        replay(copy.op(), source, false)?;
        // Compare the whole module: the two traces may be of two functions.
        Ok(copy.op().to_string())
    };
    let (before, after) = (text(first)?, text(second)?);
    if before == after {
        return Ok(None);
    }
    let (mut old, mut new) = (before.lines(), after.lines());
    let mut number = 0;
    loop {
        number += 1;
        let (a, b) = (old.next(), new.next());
        if a == b && a.is_some() {
            continue;
        }
        let line = |line: Option<&str>| line.unwrap_or("the end").trim().to_owned();
        let (a, b) = (line(a), line(b));
        return Ok(Some(format!("the results differ from line {number} on:\n- {a}\n+ {b}\n")));
    }
}

/// A step as messages show it.
fn step(step: &Instruction) -> String {
    let text = step.script();
    let text = text.strip_prefix("transform.sched.").unwrap_or(&text);
    text.replacen(" in %f", "", 1)
}

impl Instruction {
    /// The primitive and its target.
    fn target(&self) -> String {
        let argument = self.arguments.first().and_then(|argument| argument.script());
        format!("{} {}", self.primitive.name, argument.unwrap_or_default())
    }
}

/// The parameters that differ: `factors [4, 16] -> [8, 8]`.
fn parameters(first: &Instruction, second: &Instruction) -> String {
    let pairs = first.arguments.iter().zip(&second.arguments).zip(first.primitive.parameters);
    let other = pairs.filter(|((a, b), _)| a != b).map(|((a, b), parameter)| {
        let text = |text: Option<String>| text.unwrap_or_else(|| "none".into());
        format!("{} {} -> {}", parameter.name, text(a.script()), text(b.script()))
    });
    other.collect::<Vec<_>>().join(", ")
}
