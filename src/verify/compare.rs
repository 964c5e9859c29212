//! Compares two results within the tolerance of the function's contract.

use crate::interpreter::Array;
use crate::interpreter::scalar::{Scalar, ScalarType};
use crate::ir::FloatKind;
use crate::nest::facts::tolerance::Tolerance;
use std::fmt;

/// The assumed bound of the terms of a sum, unless a result is larger: fractional arguments are at most 2,
/// and most terms are products of at most two of them.
const LARGEST_TERM: f64 = 4.0;

/// The first element that differs.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The name of the result.
    pub buffer: String,
    /// The indices of the element.
    pub index: Vec<i64>,
    /// The value in the reference.
    pub expected: Scalar,
    /// The value in the run.
    pub found: Scalar,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Difference { buffer, index, expected, found } = self;
        write!(f, "\"{buffer}\" is {found} at {index:?}, expected {expected}")
    }
}

/// The first element in which the array `found` differs from `expected`.
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

/// `scale` bounds the terms of a sum. If the expected value `a` is undefined, any value agrees.
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
        FloatKind::Narrow(narrow) => 2f64.powi(-1 - narrow.format().mantissa_bits as i32),
    }
}
