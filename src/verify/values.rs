//! Chooses the values of arguments for a verification run.

use super::sizes::{Kind, Shape};
use crate::interpreter::scalar::{Scalar, ScalarType, round};
use crate::interpreter::{Array, Datum};
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

/// The arguments of a run.
pub fn inputs(shape: &Shape, values: Values) -> Vec<Datum> {
    inputs_after(0, shape, values)
}

/// As [`inputs`], but skips the first `cells` values of the sequence, so that each `cells` gives other
/// values.
pub fn inputs_after(cells: u64, shape: &Shape, values: Values) -> Vec<Datum> {
    let mut cell = cells;
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
            _ => ty.wrap((mixed(cell) % 2) as i64),
        });
    };
    let places = if kind == FloatKind::BF16 { 251 } else { 2039 };
    let random = mixed(cell);
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

/// Uncorrelated bits (the finalizer of splitmix64).
fn mixed(cell: u64) -> u64 {
    let mut bits = cell.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}
