//! Generates test cases: runs a function on inputs of several shapes and kinds of values.

use super::case::{Case, Inputs, RunLimits};
use super::sizes::RunShape;
use super::values::ValueKind;
use crate::ir::{Error, Op};

/// The cases of a function.
#[derive(Default)]
pub struct Drawn<'c> {
    pub cases: Vec<Case>,
    /// The error of the first run that failed: its sizes are inconsistent, or its values are not valid as indices.
    pub failure: Option<Error<'c>>,
    /// The shape and the error of the last run, if the run took all steps of the limit.
    pub unfinished: Option<(RunShape, Error<'c>)>,
}

/// Runs a function of `module` on inputs of these shapes. All runs together, including one later run for each seed,
/// take about as many steps as one run may take.
///
/// `values` states with which kinds of values a shape is run, each with the number of elements of the sequence of values
/// to skip, given the cases of the shapes before it. If it states none, the generation ends.
///
/// # Errors
/// Those of `values`.
pub fn draw<'c>(
    (module, function): (Op<'c>, Op<'c>),
    shapes: &[RunShape],
    limits: RunLimits,
    values: impl Fn(&RunShape, &[Case]) -> Result<Vec<(ValueKind, u64)>, String>,
) -> Result<Drawn<'c>, String> {
    let mut drawn = Drawn::default();
    let mut spent = 0;
    for shape in shapes {
        let kinds = values(shape, &drawn.cases)?;
        if kinds.is_empty() {
            break;
        }
        for (kind, skipped) in kinds {
            let inputs = Inputs::new(shape, kind, skipped);
            let (outcome, steps) = Case::of(module, function, inputs, limits);
            spent += steps;
            match outcome {
                Ok(case) => {
                    spent += steps * case.inputs.seeds.len() as u64;
                    drawn.cases.push(case);
                }
                Err(error) if steps >= limits.steps => {
                    drawn.unfinished = Some((shape.clone(), error));
                }
                Err(error) => drop(drawn.failure.get_or_insert(error)),
            }
            if spent >= limits.steps {
                return Ok(drawn);
            }
        }
    }
    Ok(drawn)
}
