//! `powf` and `fpowi` of f64.
//!
//! ```text
//! powf(x, y) = 2^(y * log2 |x|), negated where x is negative and y odd
//! log2 |x| = e + s * (c1 + s^2 * (c3 + s^2 * p(s^2))),   |x| = 2^e * m,   s = (m - 1) / (m + 1)
//! ```
//! The logarithm and the product with y are pairs of f64. Only `p` is computed in f64. The relative error of the
//! logarithm is below 2^-64, so the error of a product below 1075 is below 2^-54. Special values are those of
//! C's pow. They follow from infinities, except these:
//! - any x to the power 0, and 1 to any power, is 1; -1 to an infinite power is 1
//! - a negative finite x to a non-integer power is NaN

use super::super::emit::{Float, IntegerLanes, LaneTruth};
use super::super::exponential::{EXP2_F64, ROUNDING_F64, scaled};
use super::super::pair::Pair;
use super::logarithm::split_all;
use crate::ir::FloatKind;

/// `2 / ln 2` divided by 1 and by 3.
const FACTORS: [[f64; 2]; 2] =
    [[2.8853900817779268, 4.0710547481862066e-17], [0.9617966939259756, 5.0577616648125907e-17]];
/// `p` on |s| <= 1/5: error below 2^-70 of the logarithm.
const REST: &[f64] = &[
    0.5770780163555853,
    0.41219858311113255,
    0.32059889797516355,
    0.26230818929517685,
    0.2219530779672876,
    0.19235970042067874,
    0.16971385158295063,
    0.1522402490372986,
    0.13181609098800984,
    0.16835962953306594,
];
/// From here on, f64 represents integers only; and from twice this on, even integers only.
const INTEGERS: f64 = 4_503_599_627_370_496.0;

fn log2_of_magnitude(x: Float<'_>) -> Pair<'_> {
    let magnitude = x.abs();
    let (m, e) = split_all(magnitude);
    let (one, zero) = (x.constant(1.0), x.constant(0.0));
    let s = Pair::quotient(Pair { high: m - 1.0, low: zero }, Pair::sum(m, one));
    let square = s.times(s);
    let [c1, c3] = FACTORS.map(|factor| Pair::constant(x, factor));
    let rest = square.high.polynomial(REST);
    let product = Pair::product(square.high, rest);
    let rest = Pair { low: square.low.fma(rest, product.low), ..product };
    let sum = c1.plus(square.times(c3.plus(rest)));
    let log = Pair { high: e, low: zero }.plus(s.times(sum));
    let high = magnitude.equals(0.0).select(f64::NEG_INFINITY, log.high);
    // Infinity and NaN are returned unchanged.
    Pair { high: magnitude.is_below(f64::INFINITY).select(high, magnitude), ..log }
}

/// `x^y` of the magnitude of x, or 1 in lanes of `is_one`; negated where the mask is set.
fn signed_power<'c>(
    x: Float<'c>,
    y: Pair<'c>,
    is_one: LaneTruth<'c>,
    negated: LaneTruth<'c>,
) -> Float<'c> {
    let log = log2_of_magnitude(x);
    // The logarithm of a number that is not 1 is at least 2^-53, so a larger power of it is infinite or 0.
    let limit = 2f64.powi(65);
    let high = y.high.at_most(limit).at_least(-limit);
    let product = Pair::product(high, log.high);
    let low = y.low.fma(log.high, high.fma(log.low, product.low));
    let t = is_one.select(0.0, product.high);
    // Low parts of infinities are NaN.
    let low = t.abs().is_below(1100.0).select(low, x.constant(0.0));
    let low = is_one.select(0.0, low);
    let t = t.at_most(1100.0).at_least(-1100.0);
    let rounding = x.constant(ROUNDING_F64 + 2046.0);
    let biased = t + rounding;
    let r = (t - (biased - rounding)) + low;
    let power = scaled(r.polynomial(EXP2_F64), biased.bits());
    negated.select(-power, power)
}

pub fn powf<'c>(x: Float<'c>, y: Float<'c>) -> Float<'c> {
    let is_one = y.equals(0.0) | x.equals(1.0) | (x.equals(-1.0) & y.equals(y));
    let magnitude = y.abs();
    // The sum is rounded to an integer, which is in its last bits.
    let sum = magnitude + INTEGERS;
    let is_large = magnitude.is_at_least(INTEGERS);
    let rounded = is_large.select(magnitude, sum - INTEGERS);
    let is_integer = rounded.equals(magnitude);
    let digits = is_large.choose(magnitude.bits(), sum.bits());
    let is_odd = digits.is_odd() & is_integer & magnitude.is_below(2.0 * INTEGERS);
    let low = y.constant(0.0);
    let negated = is_odd & x.bits().is_negative();
    let power = signed_power(x, Pair { high: y, low }, is_one, negated);
    let is_negative = x.is_below(0.0) & x.is_above(f64::NEG_INFINITY);
    let of_negative = is_integer.select(power, power.constant(f64::NAN));
    is_negative.select(of_negative, power)
}

/// All exponents are integers. Those of 64 bits are pairs of f64.
pub fn fpowi<'c>(x: Float<'c>, exponent: IntegerLanes<'c>) -> Float<'c> {
    let float = |integer: IntegerLanes<'c>| integer.to_float(FloatKind::F64);
    let y = if exponent.by_width(false, true) {
        let low = exponent & 0xffff_ffff;
        Pair::ordered_sum(float(exponent - low), float(low))
    } else {
        Pair { high: float(exponent), low: x.constant(0.0) }
    };
    let negated = exponent.is_odd() & x.bits().is_negative();
    signed_power(x, y, y.high.equals(0.0), negated)
}
