//! Verification by execution: compares the results of a scheduled function with those of the unscheduled
//! one.
//!
//! The interpreter runs both on generated inputs. Sizes are small or close to the factors of steps. Values
//! are distinct whole numbers first, then fractions, then NaN, infinities, -0 and denormals. Unordered work
//! runs in several random orders. Results must agree to the last bit (any NaN equals any NaN) or, if the
//! function's contract allows reassociation, within its error bound. A mismatch is reported with the
//! smallest of the tried sizes that show it.
//!
//! This is no proof. It runs on request only (`--sched-verify`, `Schedule::verify`), because it costs a
//! hundred times what a step costs. [`BUDGET`] limits the work; sizes that exceed it are tried with two
//! kinds of values and one order only.

mod case;
pub mod compare;
pub mod numeric;
pub mod sizes;
pub mod values;

use crate::interpreter::{self, Datum, RunOptions};
use crate::ir::{CopiedOp, Error, Op, parents};
use crate::nest::facts::tolerance::{self, Tolerance};
use crate::nest::rewriter::Direct;
use crate::nest::state::State;
use case::Inputs;
pub use case::{Deviation, Mismatch};
use compare::Difference;
use tracing::debug_span;
use values::ValueKind;

/// The approximate number of schedule block instances that one check runs.
const BUDGET: u64 = 40_000;

/// The interpreter would take minutes a step for more instances than this.
const MAX_WORK: u64 = 20_000_000;

/// More iterations than this in one nest are taken as a fault of the schedule.
const MAX_ITERATIONS: u64 = 100 * MAX_WORK;

/// The unscheduled function, with inputs and its results.
pub struct Verifier<'c> {
    name: String,
    cases: Vec<VerifierCase>,
    /// The copy that runs when more factors add test cases.
    original: CopiedOp<'c>,
    factors: Vec<i64>,
}

/// Inputs, and the results of the unscheduled function for them.
struct VerifierCase {
    inputs: Inputs,
    expected: Vec<Datum>,
    tolerance: Tolerance,
}

impl<'c> Verifier<'c> {
    /// Copies a function in its present state. Sizes close to `factors` are tried.
    ///
    /// # Errors
    /// If the interpreter cannot run the function on any of the inputs.
    pub fn new(function: Op<'c>, factors: &[i64]) -> Result<Verifier<'c>, Error<'c>> {
        let name = function.symbol_name().unwrap_or_default();
        let original = CopiedOp::module_of(function);
        let mut verifier =
            Verifier { name: name.to_owned(), cases: vec![], original, factors: factors.to_vec() };
        verifier.make_cases(function)?;
        Ok(verifier)
    }

    /// Adds factors: sizes close to them are tried too.
    ///
    /// # Errors
    /// As [`Verifier::new`].
    pub fn add_factors(&mut self, function: Op<'c>, factors: &[i64]) -> Result<(), Error<'c>> {
        let before = self.factors.len();
        for factor in factors {
            if !self.factors.contains(factor) {
                self.factors.push(*factor);
            }
        }
        let is_dynamic = self.cases.iter().any(|case| case.inputs.shape.is_dynamic);
        if self.factors.len() > before && is_dynamic { self.make_cases(function) } else { Ok(()) }
    }

    /// Runs the function in its present state and compares its results.
    ///
    /// # Errors
    /// If the results differ from those of the original function.
    pub fn check(&self, function: Op<'c>) -> Result<(), Box<Mismatch>> {
        let _span = debug_span!(
            target: "loopwright::verify", "verify", name = %self.name, cases = self.cases.len()
        )
        .entered();
        let alone = parents(function).next().is_none().then(|| CopiedOp::module_of(function));
        let module = alone.as_ref().map(CopiedOp::op).or(parents(function).next());
        let module = module.expect("it has one or gets one");
        for case in &self.cases {
            for seed in case.inputs.seeds {
                let found = match run(module, &self.name, &case.inputs, *seed) {
                    Err(error) => Deviation::Failure(error.message),
                    Ok(found) => match self.difference(function, case, &found) {
                        Some(difference) => Deviation::Difference(difference),
                        None => continue,
                    },
                };
                return Err(case.inputs.mismatch(*seed, found));
            }
        }
        Ok(())
    }

    fn difference(&self, function: Op, case: &VerifierCase, found: &[Datum]) -> Option<Difference> {
        let pairs = case.expected.iter().zip(found).enumerate();
        let mut arrays = pairs.filter_map(|(i, pair)| match pair {
            (Datum::Buffer(expected), Datum::Buffer(found)) => Some((i, expected, found)),
            _ => None,
        });
        arrays.find_map(|(i, expected, found)| {
            let name = sizes::argument_name(function, i);
            compare::difference(&name, &expected.borrow(), &found.borrow(), case.tolerance)
        })
    }

    fn make_cases(&mut self, function: Op<'c>) -> Result<(), Error<'c>> {
        let module = self.original.op();
        let original = find(module, &self.name)
            .ok_or_else(|| Error::on(function, "cannot be verified: it is not in a module"))?;
        let state = State::new(original, Box::new(Direct)).map_err(Error::without_op)?;
        let reading = sizes::FunctionSizes::of(&state)
            .map_err(|why| Error::on(function, format!("cannot be verified: {why}")))?;
        self.cases.clear();
        let mut spent = 0;
        let mut failure = None;
        for shape in reading.shapes(&self.factors) {
            let work = reading.work(&shape);
            let is_large = spent + work > BUDGET;
            if is_large && !self.cases.is_empty() {
                break;
            }
            if work > MAX_WORK {
                let message = format!(
                    "cannot be verified: {work} instances of schedule blocks exceed the limit of \
                     {MAX_WORK}"
                );
                return Err(Error::on(function, message));
            }
            let tolerance =
                tolerance::tolerance_for(state.summary(), &|size| shape.sizes.get(size).copied());
            for values in ValueKind::ALL {
                if is_large && !matches!(values, ValueKind::Whole | ValueKind::Special) {
                    continue;
                }
                let inputs = Inputs::new(&shape, values, 0);
                match run(module, &self.name, &inputs, 0) {
                    Ok(expected) => {
                        let inputs = if is_large { inputs.with_one_seed() } else { inputs };
                        spent += work * (1 + inputs.seeds.len() as u64);
                        self.cases.push(VerifierCase { inputs, expected, tolerance });
                    }
                    // The sizes do not match, or the values are not valid as indices here.
                    Err(error) => failure = failure.or(Some(error)),
                }
            }
        }
        if !self.cases.is_empty() {
            return Ok(());
        }
        let why = failure.map(|error: Error| error.message).unwrap_or_default();
        let message = format!("cannot be verified: it does not run on any of the inputs: {why}");
        Err(Error::on(function, message))
    }
}

/// Runs a function and returns the content of its arguments afterwards.
fn run<'c>(
    module: Op<'c>,
    name: &str,
    inputs: &Inputs,
    seed: u64,
) -> Result<Vec<Datum>, Error<'c>> {
    let arguments = inputs.copies();
    let options = RunOptions { seed, max_iterations: MAX_ITERATIONS };
    interpreter::run(module, name, arguments.clone(), options)?;
    Ok(arguments)
}

fn find<'c>(module: Op<'c>, name: &str) -> Option<Op<'c>> {
    let is_wanted = |op: &Op<'c>| op.is("func.func") && op.symbol_name() == Some(name);
    module.body(0)?.ops().into_iter().find(is_wanted)
}
