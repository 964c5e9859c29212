//! `arith.remf`: the exact remainder of x divided by y, with the sign of x.
//!
//! ```text
//! while r >= y { z = y * 2^k, as near to r as the digits of r / z allow;   r = r - round(r / z) * z;   if r < 0 { r = r + z } }
//! ```
//! Each step is exact: the difference is at most half of z, and a multiple of its ulp. A step removes 27 digits
//! of the quotient for operands that were f32, and 50 for others, so most operands need one step. The loop runs
//! as often as the slowest lane needs.
//! - f32 and narrower types are computed in f64, where the product of a 28-digit quotient and a 24-digit number
//!   is exact.
//! - In f64 the product is exact with a fused multiply-add, or as a pair of numbers. A small y is first
//!   multiplied by 2^200, so that no multiple of it has fewer digits than y.

use super::emit::{Float, Products};
use super::pair::Pair;

/// 2^52: a number that is added to it is rounded to an integer.
const UNIT: f64 = 4_503_599_627_370_496.0;
/// A divisor below this is scaled.
const SMALL: f64 = 1e-200;
/// The scale is 2^200.
const SCALE: i32 = 200;

pub fn remf<'c>(x: Float<'c>, y: Float<'c>) -> Float<'c> {
    let is_double = x.is_double();
    let wide = |x: Float<'c>| if is_double { x } else { x.widened() };
    let (magnitude, divisor) = (wide(x).abs(), wide(y).abs());
    let is_defined = magnitude.is_below(f64::INFINITY) & divisor.is_above(0.0);
    let is_plain = is_defined & divisor.is_below(f64::INFINITY);
    // If the divisor is infinite, the remainder is x.
    let left = is_plain.select(divisor, magnitude.constant(1.0));
    let r = is_plain.select(magnitude, magnitude.constant(0.0));
    let r = if is_double { of_any(r, left) } else { of_normal(r, left, OperandPrecision::Single) };
    let r = is_plain.select(r, magnitude);
    let r = (is_defined & divisor.equals(divisor)).select(r, magnitude.constant(f64::NAN));
    let r = if is_double { r } else { r.narrowed() };
    r.with_sign_of(x)
}

/// The precision of the operands.
#[derive(Clone, Copy, PartialEq)]
enum OperandPrecision {
    Single,
    Double,
}

fn of_any<'c>(x: Float<'c>, y: Float<'c>) -> Float<'c> {
    let is_small = y.is_below(SMALL);
    let scaled = is_small.select(y * 2f64.powi(SCALE), y);
    let r = of_normal(x, scaled, OperandPrecision::Double);
    // The remainder is less than the scaled divisor, so it can be scaled too.
    let again =
        of_normal(is_small.select(r * 2f64.powi(SCALE), r), scaled, OperandPrecision::Double);
    is_small.select(again * 2f64.powi(-SCALE), again)
}

/// The remainder of finite nonnegative numbers; the divisor is normal.
fn of_normal<'c>(x: Float<'c>, y: Float<'c>, digits: OperandPrecision) -> Float<'c> {
    // Each step removes more than 2^log digits of the quotient, which may have up to `most` digits in a step.
    let (most, log): (i64, i64) = match digits {
        OperandPrecision::Single => (28, 4),
        OperandPrecision::Double => (50, 5),
    };
    let exponent = |x: Float<'c>| x.bits().shifted_right(52);
    let steps = (exponent(x) - exponent(y)).at_least(0).shifted_right(log) + 1;
    // The quotient need not be exact, and the inverse of each f32 is a normal f64.
    let inverse = (digits == OperandPrecision::Single).then(|| y.constant(1.0) / y);
    let emit = x.emit();
    let results = emit.repeat(steps.greatest(), &[x.value], |emit, carried| {
        let (r, y) = (emit.float(carried[0]), y.within(emit));
        let distance = r.bits().shifted_right(52) - y.bits().shifted_right(52) - most;
        let scale = distance.at_least(0).shifted_left(52);
        let z = (y.bits() + scale).float();
        let quotient = match inverse {
            Some(inverse) => r * (inverse.within(emit).bits() - scale).float(),
            None => r / z,
        };
        let quotient = (quotient + UNIT) - UNIT;
        let r = less_product(r, quotient, z, digits);
        vec![r.is_below(0.0).select(r + z, r).value]
    });
    emit.float(results[0])
}

/// `r - q * z`, exactly.
fn less_product<'c>(
    r: Float<'c>,
    q: Float<'c>,
    z: Float<'c>,
    digits: OperandPrecision,
) -> Float<'c> {
    if digits == OperandPrecision::Single || r.emit().products == Products::Fused {
        return (-q).fma(z, r);
    }
    let product = Pair::product(q, z);
    (r - product.high) - product.low
}
