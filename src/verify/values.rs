//! Chooses the values of arguments for a verification run.

use super::sizes::{ArgumentKind, RunShape};
use crate::interpreter::scalar::{Scalar, ScalarType, round};
use crate::interpreter::{Array, Datum, random};
use crate::ir::FloatKind;
use std::fmt;

/// The kinds of argument values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// Whole numbers, distinct as far as the type allows, so that results are exact.
    Whole,
    /// Whole numbers in floats; 0 and 1 in integers, so that they are valid indices.
    Indices,
    /// Fractions, whose sums are rounded.
    Fractions,
    /// Fractions, with some NaN, infinities, -0 and denormals.
    Special,
}

impl ValueKind {
    /// All kinds, in the order in which they are tried.
    pub const ALL: [ValueKind; 4] =
        [ValueKind::Whole, ValueKind::Indices, ValueKind::Fractions, ValueKind::Special];

    /// The seeds for the random orders of unordered work.
    pub fn seeds(self) -> &'static [u64] {
        match self {
            ValueKind::Whole => &[1, 2],
            _ => &[3],
        }
    }
}

impl fmt::Display for ValueKind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            ValueKind::Whole => "distinct whole numbers",
            ValueKind::Indices => "whole numbers, integers 0 and 1",
            ValueKind::Fractions => "fractions",
            ValueKind::Special => "fractions, NaN, infinities, -0 and denormals",
        })
    }
}

/// The arguments of a run. The first `skipped` values of the sequence are skipped, so that each number gives other
/// values.
pub fn inputs(shape: &RunShape, values: ValueKind, skipped: u64) -> Vec<Datum> {
    let mut cell = skipped;
    let mut next = |ty: ScalarType| {
        cell += 1;
        value(ty, values, cell)
    };
    let mut array = |ty: ScalarType, sizes: &[usize]| {
        let cells = (0..sizes.iter().product()).map(|_| next(ty)).collect();
        Array { ty, shape: sizes.to_vec(), cells }
    };
    let datum = |kind: &ArgumentKind| match kind {
        ArgumentKind::Index(value) => Datum::Scalar(Scalar::Int(*value)),
        ArgumentKind::Number(ty) => Datum::Scalar(array(*ty, &[]).cells[0]),
        ArgumentKind::Buffer(ty, sizes) => Datum::buffer(array(*ty, sizes)),
        ArgumentKind::Tensor(ty, sizes) => Datum::tensor(array(*ty, sizes)),
    };
    let kinds: Vec<ArgumentKind> = shape.arguments.iter().map(|it| it.kind.clone()).collect();
    kinds.iter().map(datum).collect::<Vec<_>>()
}

/// The value of an element, numbered over all arguments.
fn value(ty: ScalarType, values: ValueKind, cell: u64) -> Scalar {
    let ScalarType::Float(kind) = ty else {
        return Scalar::Int(match values {
            ValueKind::Whole => ty.wrap(whole(cell, if ty.bits() > 8 { 2039 } else { 251 })),
            _ => ty.wrap((random::nth(cell) % 2) as i64),
        });
    };
    let places = if kind == FloatKind::BF16 { 251 } else { 2039 };
    let random = random::nth(cell);
    let fraction = || round(kind, (random >> 11) as f64 / (1u64 << 52) as f64 * 2.0 - 2.0);
    Scalar::Float(match values {
        ValueKind::Whole | ValueKind::Indices => whole(cell, places) as f64,
        ValueKind::Fractions => fraction(),
        // Special values are rare enough that not every sum contains one.
        ValueKind::Special => match random % 64 {
            0 => f64::NAN,
            1 => f64::INFINITY,
            2 => f64::NEG_INFINITY,
            3 | 4 => -0.0,
            5 => 0.0,
            6 => denormal(kind),
            7 => -denormal(kind),
            _ => fraction(),
        },
    })
}

/// A whole number, distinct for any `prime` consecutive cells; half are negative.
fn whole(cell: u64, prime: u64) -> i64 {
    (cell * 37 % prime) as i64 - (prime / 2) as i64
}

/// The smallest positive number.
fn denormal(kind: FloatKind) -> f64 {
    match kind {
        FloatKind::F16 => 2f64.powi(-24),
        FloatKind::BF16 => 2f64.powi(-133),
        FloatKind::F32 => 2f64.powi(-149),
        FloatKind::F64 => f64::from_bits(1),
        FloatKind::Narrow(narrow) => narrow.smallest(),
    }
}
