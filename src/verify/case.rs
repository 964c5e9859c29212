//! A test case of a verification: the inputs of a run, and the report of a run whose results differ.

use super::compare::Difference;
use super::sizes::RunShape;
use super::values::{self, ValueKind};
use crate::interpreter::{Array, Datum};
use std::fmt;

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

    /// The same inputs with the first seed only.
    pub fn with_one_seed(self) -> Inputs {
        Inputs { seeds: &self.seeds[..1], ..self }
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

/// A run whose results differ from those of the original function.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub struct Mismatch {
    /// The sizes of the arguments: `%A 3x5`.
    pub sizes: String,
    pub values: ValueKind,
    pub seed: u64,
    pub found: Deviation,
}

/// What the run gave instead.
#[derive(Clone, Debug, PartialEq)]
pub enum Deviation {
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
