//! What a function computes on inputs of several sizes and kinds of values, and the comparison with a later run.

use super::rounding::RoundedOps;
use super::signature::bind;
use super::sizes;
use crate::interpreter::{self, Array, Datum, RunOptions};
use crate::ir::{Attribute, Error, Op, Type};
use crate::nest::facts::tolerance::Tolerance;
use crate::verify::case::{Deviation, Inputs, Mismatch};
use crate::verify::compare;
use crate::verify::compare::Difference;
use crate::verify::sizes::{RunShape, argument_name};
use crate::verify::values::ValueKind;

/// The approximate number of interpreter steps of one check.
const BUDGET: u64 = 200_000;

/// A function of fixed sizes that needs more steps is not checked: each pass would take half a minute.
const MAX_STEPS: u64 = 300_000_000;

/// The step limit of a later run: the first number times its original steps, plus the second. Loops take more steps
/// than structured ops.
const MORE: (u64, u64) = (64, 1_000_000);

/// The reference of a function: inputs and the original results.
pub struct Reference {
    cases: Vec<ReferenceCase>,
}

/// Inputs, and the results for them.
struct ReferenceCase {
    inputs: Inputs,
    /// The number of results; the buffers of arguments follow them.
    results: usize,
    /// The values before the first pass.
    original: Vec<ReferenceOutput>,
    /// The values after the last pass.
    current: Vec<ReferenceOutput>,
    steps: u64,
    sums: RoundedOps,
}

/// A result, or the content of a buffer after the run.
#[derive(Clone)]
struct ReferenceOutput {
    name: String,
    array: Array,
}

/// The reason why a function cannot be run.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{message}")]
pub struct RunRefusal {
    pub message: String,
    /// True if later passes are unlikely to change that.
    pub is_final: bool,
}

/// The result of a check.
pub enum CheckResult {
    Same,
    /// The interpreter does not support the function, or would take too many steps; the reason.
    Beyond(String),
    Other(Box<Mismatch>),
}

impl Reference {
    /// Runs the current form of a function of `module`. Sizes around `factors` are tried.
    pub fn new(module: Op, function: Op, factors: &[i64]) -> Result<Reference, RunRefusal> {
        let refused = |message: String| RunRefusal { message, is_final: false };
        let shapes = sizes::shapes(function, factors).map_err(refused)?;
        let mut reference = Reference { cases: vec![] };
        let mut spent = 0;
        let mut failure = None;
        'shapes: for shape in &shapes {
            for (values, drawn) in draws(shape) {
                let (outcome, steps) =
                    ReferenceCase::of(module, function, shape, (values, drawn), BUDGET);
                spent += steps;
                match outcome {
                    Ok(case) => {
                        spent += steps * case.inputs.seeds.len() as u64;
                        reference.cases.push(case);
                    }
                    Err(error) if steps >= BUDGET && reference.cases.is_empty() => {
                        let case = ReferenceCase::large(module, function, shape);
                        reference.cases.push(case.ok_or(RunRefusal {
                            message: format!("{}: {MAX_STEPS}", error.text()),
                            is_final: true,
                        })?);
                        break 'shapes;
                    }
                    // Sizes that are inconsistent, or values that are not valid indices here.
                    Err(error) => failure = failure.or(Some(error)),
                }
                if spent > BUDGET {
                    break 'shapes;
                }
            }
        }
        // A run without any elements shows nothing.
        let has_no_elements =
            |case: &ReferenceCase| case.original.iter().all(|output| output.array.cells.is_empty());
        match failure {
            Some(error) if reference.cases.iter().all(has_no_elements) => {
                Err(refused(match error.is_beyond() {
                    true => error.text(),
                    false => format!("it does not run on any of the inputs: {}", error.text()),
                }))
            }
            _ => Ok(reference),
        }
    }

    /// Runs the current form of the function. `replaced`: the pass has replaced ops whose results are not exactly
    /// defined.
    pub fn check(&mut self, module: Op, function: Op, replaced: bool) -> CheckResult {
        for case in &mut self.cases {
            for seed in case.inputs.seeds {
                match case.check(module, function, *seed, replaced) {
                    CheckResult::Same => {}
                    verdict => return verdict,
                }
            }
        }
        CheckResult::Same
    }
}

/// The kinds of values to try, and how many elements of the random sequence each skips. If all sizes are fixed and
/// there are few elements, several draws of each kind.
fn draws(shape: &RunShape) -> Vec<(ValueKind, u64)> {
    /// So many elements cover most kinds of values: one in 64 is NaN.
    const CELLS: u64 = 512;
    let cells = sizes::cells(shape).max(1) as u64;
    let draws = if shape.is_dynamic { 1 } else { (CELLS / cells).clamp(1, CELLS / 4) };
    let of = |draw| ValueKind::ALL.into_iter().map(move |values| (values, draw * cells));
    (0..draws).flat_map(of).collect()
}

impl ReferenceCase {
    /// Runs a function on some inputs; also returns the number of steps.
    fn of<'c>(
        module: Op<'c>,
        function: Op<'c>,
        shape: &RunShape,
        (values, drawn): (ValueKind, u64),
        limit: u64,
    ) -> (Result<ReferenceCase, Error<'c>>, u64) {
        let inputs = Inputs::new(shape, values, drawn);
        let arguments = inputs.copies();
        let (outcome, steps) = run(module, function, arguments.clone(), 0, limit);
        let case = outcome.map(|results| {
            let count = results.len();
            let mut outputs = vec![];
            for (i, datum) in results.into_iter().enumerate() {
                outputs.push(ReferenceOutput {
                    name: format!("result {i}"),
                    array: array(function, i, datum),
                });
            }
            for (i, datum) in arguments.iter().enumerate() {
                if let Datum::Buffer(array) = datum {
                    let name = argument_name(function, i);
                    outputs.push(ReferenceOutput { name, array: array.borrow().clone() });
                }
            }
            ReferenceCase {
                inputs,
                results: count,
                original: outputs.clone(),
                current: outputs,
                steps,
                sums: RoundedOps::of(function, shape),
            }
        });
        (case, steps)
    }

    /// The only case for a function that takes many steps; `None` if it takes too many.
    fn large(module: Op, function: Op, shape: &RunShape) -> Option<ReferenceCase> {
        // Fractions show most errors of a model, and its exponentials stay finite.
        [ValueKind::Fractions, ValueKind::Whole].into_iter().find_map(|values| {
            let case = ReferenceCase::of(module, function, shape, (values, 0), MAX_STEPS).0.ok()?;
            Some(ReferenceCase { inputs: case.inputs.with_one_seed(), ..case })
        })
    }

    fn check(&mut self, module: Op, function: Op, seed: u64, replaced: bool) -> CheckResult {
        let results: Vec<&Array> =
            self.original[..self.results].iter().map(|output| &output.array).collect();
        let bound = match bind(function, &self.inputs.data, &results) {
            Ok(bound) => bound,
            Err(why) => return CheckResult::Beyond(why),
        };
        let limit = self.steps.saturating_mul(MORE.0).saturating_add(MORE.1);
        let other = |found| CheckResult::Other(self.inputs.mismatch(seed, found));
        let returned = match run(module, function, bound.arguments.clone(), seed, limit).0 {
            Ok(returned) => returned,
            Err(error) if error.is_beyond() => return CheckResult::Beyond(error.text()),
            Err(error) => return other(Deviation::Failure(error.text())),
        };
        let own = bound.arguments.len() - bound.destinations;
        let (inputs, destinations) = bound.arguments.split_at(own);
        // The results, those in buffers last; then the arguments that are buffers.
        let results = returned.into_iter().chain(destinations.iter().cloned());
        let results = results.enumerate().map(|(i, datum)| array(function, i, datum));
        let was_buffer = |(_, input): &(&Datum, &Datum)| matches!(input, Datum::Buffer(_));
        let written = inputs.iter().zip(&self.inputs.data).filter(was_buffer);
        let written = written.map(|(datum, _)| array(function, 0, datum.clone()));
        let found: Vec<Array> = results.chain(written).collect();
        let tolerance = self.sums.tolerance(function, replaced);
        let mut is_off = false;
        for ((current, original), found) in self.current.iter().zip(&self.original).zip(&found) {
            if current.array.shape != found.shape {
                let (name, sizes, expected) = (&current.name, &found.shape, &current.array.shape);
                let message = format!("\"{name}\" has sizes {sizes:?}, expected {expected:?}");
                return other(Deviation::Failure(message));
            }
            let strict = current.difference(found, Tolerance::Bitwise);
            let difference = match (strict, tolerance) {
                (None, _) => None,
                (difference, Tolerance::Bitwise) => difference,
                (Some(_), Tolerance::Reassociated { .. } | Tolerance::Means { .. }) => {
                    is_off = true;
                    original.difference(found, tolerance)
                }
            };
            if let Some(difference) = difference {
                return other(Deviation::Difference(difference));
            }
        }
        if is_off {
            for (current, array) in self.current.iter_mut().zip(found) {
                current.array = array;
            }
        }
        CheckResult::Same
    }
}

impl ReferenceOutput {
    fn difference(&self, found: &Array, tolerance: Tolerance) -> Option<Difference> {
        compare::difference(&self.name, &self.array, found, tolerance)
    }
}

fn run<'c>(
    module: Op<'c>,
    function: Op<'c>,
    arguments: Vec<Datum>,
    seed: u64,
    limit: u64,
) -> (Result<Vec<Datum>, Error<'c>>, u64) {
    let name = function.symbol_name().unwrap_or_default();
    let options = RunOptions { seed, max_iterations: u64::MAX };
    interpreter::run_limited(module, name, arguments, options, limit)
}

/// A result as an array; a scalar has rank 0.
fn array(function: Op, i: usize, datum: Datum) -> Array {
    use crate::interpreter::scalar::ScalarType;
    match datum {
        Datum::Tensor(array) => Array::clone(&array),
        Datum::Buffer(array) => array.borrow().clone(),
        Datum::Scalar(scalar) => {
            let ty = function.attribute("function_type").and_then(Attribute::as_type);
            let results = ty.and_then(Type::signature).map(|(_, results)| results);
            let ty = results.and_then(|results| ScalarType::of(*results.get(i)?));
            Array { ty: ty.unwrap_or(ScalarType::Index), shape: vec![], cells: vec![scalar] }
        }
    }
}
