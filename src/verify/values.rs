//! Chooses the values of arguments for a verification run.

use super::sizes::{Kind, Shape};
use crate::interpreter::scalar::{Scalar, ScalarType, round};
use crate::interpreter::{Array, Datum, random};
use crate::ir::FloatKind;
use std::fmt;

/// The kinds of argument values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// Whole numbers, distinct as far as the type allows, so that results are exact.
    Whole,
    /// Whole numbers in floats; 0 and 1 in integers, so that they are valid indices.
    Indices,
    /// Fractions, whose sums are rounded.
    Fractions,
    /// Fractions, with some NaN, infinities, -0 and denormals.
    Special,
}

impl Values {
    pub const ALL: [Values; 4] =
        [Values::Whole, Values::Indices, Values::Fractions, Values::Special];

    /// The seeds for the random orders of unordered work.
    pub fn seeds(self) -> &'static [u64] {
        match self {
            Values::Whole => &[1, 2],
            _ => &[3],
        }
    }
}

impl fmt::Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Values::Whole => "distinct whole numbers",
            Values::Indices => "whole numbers, integers 0 and 1",
            Values::Fractions => "fractions",
            Values::Special => "fractions, NaN, infinities, -0 and denormals",
        })
    }
}

/// The arguments of a run. The first `skipped` values of the sequence are skipped, so that each number gives other
/// values.
pub fn inputs(shape: &Shape, values: Values, skipped: u64) -> Vec<Datum> {
    let mut cell = skipped;
    let mut next = |ty: ScalarType| {
        cell += 1;
        value(ty, values, cell)
    };
    let mut array = |ty: ScalarType, sizes: &[usize]| {
        let cells = (0..sizes.iter().product()).map(|_| next(ty)).collect();
        Array { ty, shape: sizes.to_vec(), cells }
    };
    let datum = |kind: &Kind| match kind {
        Kind::Index(value) => Datum::Scalar(Scalar::Int(*value)),
        Kind::Number(ty) => Datum::Scalar(array(*ty, &[]).cells[0]),
        Kind::Buffer(ty, sizes) => Datum::buffer(array(*ty, sizes)),
        Kind::Tensor(ty, sizes) => Datum::tensor(array(*ty, sizes)),
    };
    let kinds: Vec<Kind> = shape.arguments.iter().map(|it| it.kind.clone()).collect();
    kinds.iter().map(datum).collect::<Vec<_>>()
}

/// The value of an element, numbered over all arguments.
fn value(ty: ScalarType, values: Values, cell: u64) -> Scalar {
    let ScalarType::Float(kind) = ty else {
        return Scalar::Int(match values {
            Values::Whole => ty.wrap(whole(cell, if ty.bits() > 8 { 2039 } else { 251 })),
            _ => ty.wrap((random::nth(cell) % 2) as i64),
        });
    };
    let places = if kind == FloatKind::BF16 { 251 } else { 2039 };
    let random = random::nth(cell);
    let fraction = || round(kind, (random >> 11) as f64 / (1u64 << 52) as f64 * 2.0 - 2.0);
    Scalar::Float(match values {
        Values::Whole | Values::Indices => whole(cell, places) as f64,
        Values::Fractions => fraction(),
        // Special values are rare enough that not every sum contains one.
        Values::Special => match random % 64 {
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
    }
}
