//! Are two results the same, as far as the function's contract demands?

use crate::interpreter::Array;
use crate::interpreter::scalar::{Scalar, ScalarType};
use crate::ir::FloatKind;
use crate::schedule::legality::fp::Tolerance;
use std::fmt;

/// No term of a sum is taken to be larger than this, or than the largest result: arguments that are fractions
/// are at most 2, and most terms a product of at most two.
const LARGEST_TERM: f64 = 4.0;

/// The first cell that differs.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    pub buffer: String,
    pub index: Vec<i64>,
    pub expected: Scalar,
    pub found: Scalar,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Difference { buffer, index, expected, found } = self;
        write!(f, "\"{buffer}\" is {found} at {index:?}, expected {expected}")
    }
}

/// The first cell in which `found` is another array than `expected`.
pub fn difference(
    buffer: &str,
    expected: &Array,
    found: &Array,
    tolerance: Tolerance,
) -> Option<Difference> {
    let scale = expected.cells.iter().filter_map(|cell| cell.float());
    let scale = scale.map(f64::abs).filter(|value| value.is_finite()).fold(LARGEST_TERM, f64::max);
    let is_other = |(a, b): (&Scalar, &Scalar)| !agree(expected.ty, *a, *b, scale, tolerance);
    let place = expected.cells.iter().zip(&found.cells).position(is_other)?;
    Some(Difference {
        buffer: buffer.to_owned(),
        index: expected.indices_of(place),
        expected: expected.cells[place],
        found: found.cells[place],
    })
}

/// `scale` is as large as any term of a sum. Where `a`, what is expected, is undefined, all is right.
fn agree(ty: ScalarType, a: Scalar, b: Scalar, scale: f64, tolerance: Tolerance) -> bool {
    if a == Scalar::Undefined {
        return true;
    }
    let (ScalarType::Float(kind), Scalar::Float(x), Scalar::Float(y)) = (ty, a, b) else {
        return a == b;
    };
    let is_mean = matches!(tolerance, Tolerance::Means { .. });
    if is_mean && !x.is_finite() && !y.is_finite() {
        return true;
    }
    if x.is_nan() || y.is_nan() {
        return x.is_nan() && y.is_nan();
    }
    match tolerance {
        Tolerance::Bitwise => x.to_bits() == y.to_bits(),
        Tolerance::Reassociated { terms } | Tolerance::Means { terms } => {
            let bound = tolerance.bound(unit(kind)) * terms as f64 * scale;
            x == y || (x - y).abs() <= bound
        }
    }
}

/// Half the distance from 1 to the next number.
fn unit(kind: FloatKind) -> f64 {
    match kind {
        FloatKind::F16 => 2f64.powi(-11),
        FloatKind::BF16 => 2f64.powi(-8),
        FloatKind::F32 => 2f64.powi(-24),
        FloatKind::F64 => 2f64.powi(-53),
    }
}
