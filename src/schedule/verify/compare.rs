//! Are two results the same, as far as the function's contract demands?

use super::sizes::{self, Shape};
use crate::dialect::loop_enums::IterRole;
use crate::interpreter::Array;
use crate::interpreter::scalar::{Scalar, ScalarType};
use crate::ir::{Attribute, FloatKind, Op};
use crate::schedule::summary::Summary;
use std::fmt;

/// The attribute of a function that says what may be done to its floats.
const CONTRACT: &str = "loop.fp";

/// How far results may be apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tolerance {
    /// Not at all; only all NaN are equal.
    Bitwise,
    /// As far as two orders of a sum of so many terms.
    Reassociated { terms: u64 },
}

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

/// The tolerance that a function's contract gives.
pub fn tolerance(function: Op, summary: &Summary, shape: &Shape) -> Tolerance {
    let contract = function.attribute(CONTRACT).and_then(Attribute::as_str);
    if !matches!(contract, Some("reassoc" | "fast")) {
        return Tolerance::Bitwise;
    }
    let mut terms = 1u64;
    for (_, block) in summary.blocks().filter(|(_, block)| block.reducer.is_some()) {
        let is_reduced = |i: &usize| block.iters[*i].role == IterRole::Reduce;
        let reduced = (0..block.iters.len()).filter(is_reduced);
        let size = |i| sizes::domain(block, i, &shape.sizes).and_then(|size| size.try_into().ok());
        let of_block = reduced.filter_map(size).fold(1, u64::saturating_mul);
        terms = terms.saturating_add(of_block);
    }
    Tolerance::Reassociated { terms }
}

/// The first cell in which `found` is another array than `expected`.
pub fn difference(
    buffer: &str,
    expected: &Array,
    found: &Array,
    tolerance: Tolerance,
) -> Option<Difference> {
    let scale = expected.cells.iter().filter_map(|cell| cell.float());
    let scale = scale.map(f64::abs).filter(|value| value.is_finite()).fold(0.0, f64::max);
    let is_other = |(a, b): (&Scalar, &Scalar)| !agree(expected.ty, *a, *b, scale, tolerance);
    let place = expected.cells.iter().zip(&found.cells).position(is_other)?;
    Some(Difference {
        buffer: buffer.to_owned(),
        index: expected.indices_of(place),
        expected: expected.cells[place],
        found: found.cells[place],
    })
}

/// `scale` is the largest number of the buffer.
fn agree(ty: ScalarType, a: Scalar, b: Scalar, scale: f64, tolerance: Tolerance) -> bool {
    let (ScalarType::Float(kind), Scalar::Float(x), Scalar::Float(y)) = (ty, a, b) else {
        return a == b;
    };
    if x.is_nan() || y.is_nan() {
        return x.is_nan() && y.is_nan();
    }
    match tolerance {
        Tolerance::Bitwise => x.to_bits() == y.to_bits(),
        Tolerance::Reassociated { terms } => {
            // Each of the two is off by at most a rounding a term.
            let bound = 4.0 * terms as f64 * unit(kind) * scale.max(x.abs()).max(y.abs());
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
