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
//!
//! [`numeric`] verifies passes in the same way. Both take their test cases from [`draw`](draw::draw).

mod case;
pub mod compare;
mod draw;
pub mod numeric;
mod signature;
pub mod sizes;
pub mod values;

use crate::ir::{CopiedOp, Error, Op, parents};
use crate::nest::facts::tolerance::{self, Tolerance};
use crate::nest::rewriter::Direct;
use crate::nest::state::State;
use case::{Case, RunLimits};
pub use case::{Deviation, Mismatch};
use draw::draw;
use sizes::RunShape;
use tracing::debug_span;
use values::ValueKind;

/// The approximate number of schedule block instances that one check runs.
const BUDGET: u64 = 40_000;

/// The interpreter would take minutes a step for more instances than this.
const MAX_WORK: u64 = 20_000_000;

/// More iterations than this in one nest are taken as a fault of the schedule.
const LIMITS: RunLimits = RunLimits { iterations: 100 * MAX_WORK, steps: u64::MAX };

/// The unscheduled function, with inputs and its results for them.
pub struct Verifier<'c> {
    name: String,
    /// The cases, and how far the results of each may differ.
    cases: Vec<(Case, Tolerance)>,
    /// The copy that runs when more factors add test cases.
    original: CopiedOp<'c>,
    factors: Vec<i64>,
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
        let is_dynamic = self.cases.iter().any(|(case, _)| case.inputs.shape.is_dynamic);
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
        for (case, tolerance) in &self.cases {
            for seed in case.inputs.seeds {
                let rerun = |bound| {
                    let outputs = case.rerun((module, function), bound, *seed, LIMITS);
                    outputs.map_err(|error| error.message)
                };
                let found = match case.bind(function).and_then(rerun) {
                    Err(message) => Deviation::Failure(message),
                    Ok(outputs) => match case.difference(&outputs, *tolerance) {
                        Some(difference) => Deviation::Difference(difference),
                        None => continue,
                    },
                };
                return Err(case.inputs.mismatch(*seed, found));
            }
        }
        Ok(())
    }

    fn make_cases(&mut self, function: Op<'c>) -> Result<(), Error<'c>> {
        let refused = |why: String| Error::on(function, format!("cannot be verified: {why}"));
        let module = self.original.op();
        let original =
            find(module, &self.name).ok_or_else(|| refused("it is not in a module".into()))?;
        let state = State::new(original, Box::new(Direct))?;
        let shapes = sizes::nest::shapes(&state, &self.factors).map_err(refused)?;
        let drawn = draw((module, original), &shapes, LIMITS, kinds).map_err(refused)?;
        let toleranced = |case: Case| {
            let shape = &case.inputs.shape;
            let size = |size: usize| shape.sizes.get(size).copied();
            let tolerance = tolerance::tolerance_for(state.summary(), &size);
            let is_large = shape.work > BUDGET;
            (if is_large { case.with_one_seed() } else { case }, tolerance)
        };
        self.cases = drawn.cases.into_iter().map(toleranced).collect();
        if !self.cases.is_empty() {
            return Ok(());
        }
        let why = drawn.failure.map(|error| error.message).unwrap_or_default();
        Err(refused(format!("it does not run on any of the inputs: {why}")))
    }
}

/// The kinds of values to run a shape with: none if that would exceed the [`BUDGET`], fewer if these are the first runs.
fn kinds(shape: &RunShape, cases: &[Case]) -> Result<Vec<(ValueKind, u64)>, String> {
    let cost = |case: &Case| case.inputs.shape.work * (1 + case.inputs.seeds.len() as u64);
    let (work, spent) = (shape.work, cases.iter().map(cost).sum::<u64>());
    let kinds = match spent + work > BUDGET {
        false => &ValueKind::ALL[..],
        true if !cases.is_empty() => &[],
        true if work > MAX_WORK => {
            let limit = format!("instances of schedule blocks exceed the limit of {MAX_WORK}");
            return Err(format!("{work} {limit}"));
        }
        true => &[ValueKind::Whole, ValueKind::Special],
    };
    Ok(kinds.iter().map(|kind| (*kind, 0)).collect())
}

fn find<'c>(module: Op<'c>, name: &str) -> Option<Op<'c>> {
    let is_wanted = |op: &Op<'c>| op.is("func.func") && op.symbol_name() == Some(name);
    module.body(0)?.ops().into_iter().find(is_wanted)
}
