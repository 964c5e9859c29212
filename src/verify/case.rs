//! A test case of a verification: inputs, what a function computes for them, and the report of a run that computes
//! something else.

use super::compare::{self, Difference};
use super::signature::{self, RunArguments};
use super::sizes::{RunShape, argument_name};
use super::values::{self, ValueKind};
use crate::interpreter::scalar::ScalarType;
use crate::interpreter::{self, Array, Datum, RunOptions};
use crate::ir::{Attribute, Error, Op, Type};
use crate::nest::facts::tolerance::Tolerance;
use std::fmt;

/// The most that one run may take.
#[derive(Clone, Copy)]
pub struct RunLimits {
    /// Loop iterations, as in [`RunOptions::max_iterations`].
    pub iterations: u64,
    /// Steps of the interpreter.
    pub steps: u64,
}

/// The arguments of a run.
pub struct Inputs {
    pub shape: RunShape,
    pub values: ValueKind,
    /// The seeds of the random orders of unordered work to try.
    pub seeds: &'static [u64],
    pub data: Vec<Datum>,
}

impl Inputs {
    /// Arguments of these sizes. The first `skipped` values of the sequence of values are skipped.
    pub fn new(shape: &RunShape, values: ValueKind, skipped: u64) -> Inputs {
        let data = values::inputs(shape, values, skipped);
        Inputs { shape: shape.clone(), values, seeds: values.seeds(), data }
    }

    /// Copies of the arguments, for a run that may write to them.
    pub fn copies(&self) -> Vec<Datum> {
        let copy = |datum: &Datum| match datum {
            Datum::Buffer(array) => Datum::buffer(Array::clone(&array.borrow())),
            other => other.clone(),
        };
        self.data.iter().map(copy).collect()
    }

    /// The report of a run on these inputs.
    pub fn mismatch(&self, seed: u64, found: Deviation) -> Box<Mismatch> {
        let sizes = self.shape.to_string();
        Box::new(Mismatch { sizes, values: self.values, seed, found })
    }
}

/// Inputs, and what the function computes for them.
pub struct Case {
    pub inputs: Inputs,
    /// The results of the function, then its arguments that are buffers.
    pub outputs: Vec<Array>,
    /// The name of each output.
    pub names: Vec<String>,
    /// The number of results.
    results: usize,
    /// The interpreter's steps of the run.
    pub steps: u64,
}

impl Case {
    /// Runs a function of `module`. Also returns the number of steps.
    pub fn of<'c>(
        module: Op<'c>,
        function: Op<'c>,
        inputs: Inputs,
        limits: RunLimits,
    ) -> (Result<Case, Error<'c>>, u64) {
        let bound = RunArguments { arguments: inputs.copies(), destinations: 0 };
        let (outputs, steps) = run((module, function), &inputs, bound, 0, limits);
        let case = outputs.map(|outputs| {
            let is_buffer = |i: &usize| matches!(inputs.data[*i], Datum::Buffer(_));
            let buffers: Vec<usize> = (0..inputs.data.len()).filter(is_buffer).collect();
            let results = outputs.len() - buffers.len();
            let of_arguments = buffers.into_iter().map(|i| argument_name(function, i));
            let names = (0..results).map(|i| format!("result {i}")).chain(of_arguments).collect();
            Case { inputs, outputs, names, results, steps }
        });
        (case, steps)
    }

    /// The same case with the first seed only.
    pub fn with_one_seed(self) -> Case {
        Case { inputs: Inputs { seeds: &self.inputs.seeds[..1], ..self.inputs }, ..self }
    }

    /// The arguments for the present form of the function. The error states why there are none.
    pub fn bind(&self, function: Op) -> Result<RunArguments, String> {
        let results: Vec<&Array> = self.outputs[..self.results].iter().collect();
        signature::bind(function, &self.inputs.data, &results)
    }

    /// Runs the present form of the function on [bound](Case::bind) arguments; returns its outputs.
    pub fn rerun<'c>(
        &self,
        (module, function): (Op<'c>, Op<'c>),
        bound: RunArguments,
        seed: u64,
        limits: RunLimits,
    ) -> Result<Vec<Array>, Error<'c>> {
        run((module, function), &self.inputs, bound, seed, limits).0
    }

    /// The first element of the outputs `found` that differs.
    pub fn difference(&self, found: &[Array], tolerance: Tolerance) -> Option<Difference> {
        let mut outputs = self.names.iter().zip(&self.outputs).zip(found);
        outputs.find_map(|((name, expected), found)| {
            compare::difference(name, expected, found, tolerance)
        })
    }
}

/// The results of a function, then those of its arguments that are buffers in `inputs`; also the number of steps.
fn run<'c>(
    (module, function): (Op<'c>, Op<'c>),
    inputs: &Inputs,
    RunArguments { arguments, destinations }: RunArguments,
    seed: u64,
    limits: RunLimits,
) -> (Result<Vec<Array>, Error<'c>>, u64) {
    let name = function.symbol_name().unwrap_or_default();
    let options = RunOptions { seed, max_iterations: limits.iterations };
    let (returned, steps) =
        interpreter::run_limited(module, name, arguments.clone(), options, limits.steps);
    let outputs = returned.map(|returned| {
        let (own, destinations) = arguments.split_at(arguments.len() - destinations);
        // Results in buffers follow those that are returned.
        let results = returned.iter().chain(destinations).enumerate();
        let results = results.map(|(i, datum)| array(function, i, datum));
        let was_buffer = |(_, input): &(&Datum, &Datum)| matches!(input, Datum::Buffer(_));
        let written = own.iter().zip(&inputs.data).filter(was_buffer);
        results.chain(written.map(|(datum, _)| array(function, 0, datum))).collect()
    });
    (outputs, steps)
}

/// A result as an array; a scalar has rank 0.
fn array(function: Op, i: usize, datum: &Datum) -> Array {
    match datum {
        Datum::Tensor(array) => Array::clone(array),
        Datum::Buffer(array) => array.borrow().clone(),
        Datum::Scalar(scalar) => {
            let ty = function.attribute("function_type").and_then(Attribute::as_type);
            let results = ty.and_then(Type::signature).map(|(_, results)| results);
            let ty = results.and_then(|results| ScalarType::of(*results.get(i)?));
            Array { ty: ty.unwrap_or(ScalarType::Index), shape: vec![], cells: vec![*scalar] }
        }
    }
}

/// A run whose results differ from those of the original function.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub struct Mismatch {
    /// The sizes of the arguments: `%A 3x5`.
    pub sizes: String,
    /// The kind of values of the arguments.
    pub values: ValueKind,
    /// The seed of the values.
    pub seed: u64,
    /// The first deviation.
    pub found: Deviation,
}

/// What the run gave instead.
#[derive(Clone, Debug, PartialEq)]
pub enum Deviation {
    /// A result has another value.
    Difference(Difference),
    /// The interpreter rejects the function; the text says why.
    Failure(String),
}

impl Mismatch {
    /// `"C" is 3 at [0], expected 4; sizes A 3, values fractions, seed 0`, after the words for a difference or a
    /// failure.
    pub fn text(&self, difference: &str, failure: &str) -> String {
        let Mismatch { sizes, values, seed, found } = self;
        let found = match found {
            Deviation::Difference(found) => format!("{difference}{found}"),
            Deviation::Failure(message) => format!("{failure}{message}"),
        };
        format!("{found}; sizes {sizes}, values {values}, seed {seed}")
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.text("", "it does not run: "))
    }
}
