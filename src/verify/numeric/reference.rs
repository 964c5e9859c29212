//! What a function computes on inputs of several sizes and kinds of values, and the comparison with a later run.

use super::rounding::RoundedOps;
use crate::interpreter::Array;
use crate::ir::Op;
use crate::nest::facts::tolerance::Tolerance;
use crate::verify::case::{Case, Deviation, Inputs, Mismatch, RunLimits};
use crate::verify::compare;
use crate::verify::draw::draw;
use crate::verify::sizes::{self, RunShape};
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

struct ReferenceCase {
    /// The outputs before the first pass.
    case: Case,
    /// The outputs after the last pass.
    current: Vec<Array>,
    sums: RoundedOps,
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
        let drawn = draw((module, function), &shapes, steps(BUDGET), |shape, _| Ok(draws(shape)));
        let mut drawn = drawn.map_err(refused)?;
        if let Some((shape, error)) = drawn.unfinished {
            if drawn.cases.is_empty() {
                drawn.cases.push(large(module, function, &shape).ok_or_else(|| RunRefusal {
                    message: format!("{}: {MAX_STEPS}", error.text()),
                    is_final: true,
                })?);
            } else {
                drawn.failure.get_or_insert(error);
            }
        }
        // A run without any elements shows nothing.
        let has_no_elements =
            |case: &Case| case.outputs.iter().all(|output| output.cells.is_empty());
        match drawn.failure {
            Some(error) if drawn.cases.iter().all(has_no_elements) => {
                Err(refused(match error.is_beyond() {
                    true => error.text(),
                    false => format!("it does not run on any of the inputs: {}", error.text()),
                }))
            }
            _ => {
                let case = |case| ReferenceCase::of(function, case);
                Ok(Reference { cases: drawn.cases.into_iter().map(case).collect() })
            }
        }
    }

    /// Runs the current form of the function. `replaced`: the pass has replaced ops whose results are not exactly
    /// defined.
    pub fn check(&mut self, module: Op, function: Op, replaced: bool) -> CheckResult {
        for case in &mut self.cases {
            for seed in case.case.inputs.seeds {
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
    let cells = sizes::cells(&shape.arguments).max(1) as u64;
    let draws = if shape.is_dynamic { 1 } else { (CELLS / cells).clamp(1, CELLS / 4) };
    let of = |draw| ValueKind::ALL.into_iter().map(move |values| (values, draw * cells));
    (0..draws).flat_map(of).collect()
}

/// The only case for a function that takes many steps; `None` if it takes too many.
fn large(module: Op, function: Op, shape: &RunShape) -> Option<Case> {
    // Fractions show most errors of a model, and its exponentials stay finite.
    for values in [ValueKind::Fractions, ValueKind::Whole] {
        let inputs = Inputs::new(shape, values, 0);
        match Case::of(module, function, inputs, steps(MAX_STEPS)).0 {
            Ok(case) => return Some(case.with_one_seed()),
            // Other values take about as many steps.
            Err(error) if error.is_beyond() => return None,
            Err(_) => {}
        }
    }
    None
}

fn steps(steps: u64) -> RunLimits {
    RunLimits { iterations: u64::MAX, steps }
}

impl ReferenceCase {
    fn of(function: Op, case: Case) -> ReferenceCase {
        let sums = RoundedOps::of(function, &case.inputs.shape);
        ReferenceCase { current: case.outputs.clone(), case, sums }
    }

    fn check(&mut self, module: Op, function: Op, seed: u64, replaced: bool) -> CheckResult {
        let case = &self.case;
        let bound = match case.bind(function) {
            Ok(bound) => bound,
            Err(why) => return CheckResult::Beyond(why),
        };
        let limits = steps(case.steps.saturating_mul(MORE.0).saturating_add(MORE.1));
        let other = |found| CheckResult::Other(case.inputs.mismatch(seed, found));
        let found = match case.rerun((module, function), bound, seed, limits) {
            Ok(found) => found,
            Err(error) if error.is_beyond() => return CheckResult::Beyond(error.text()),
            Err(error) => return other(Deviation::Failure(error.text())),
        };
        let tolerance = self.sums.tolerance(function, replaced);
        let mut is_off = false;
        for (i, (current, found)) in self.current.iter().zip(&found).enumerate() {
            let (name, original) = (&case.names[i], &case.outputs[i]);
            if current.shape != found.shape {
                let (sizes, expected) = (&found.shape, &current.shape);
                let message = format!("\"{name}\" has sizes {sizes:?}, expected {expected:?}");
                return other(Deviation::Failure(message));
            }
            let strict = compare::difference(name, current, found, Tolerance::Bitwise);
            let difference = match (strict, tolerance) {
                (None, _) => None,
                (difference, Tolerance::Bitwise) => difference,
                (Some(_), Tolerance::Reassociated { .. } | Tolerance::Means { .. }) => {
                    is_off = true;
                    compare::difference(name, original, found, tolerance)
                }
            };
            if let Some(difference) = difference {
                return other(Deviation::Difference(difference));
            }
        }
        if is_off {
            self.current = found;
        }
        CheckResult::Same
    }
}
