//! `erf` and `erfc` of f64.
//!
//! ```text
//! erf(x) = x + x * p(x^2)                      |x| < 3/4;   erfc(x) = (1 - x) - x * p(x^2)
//! erfc(x) = exp(-x^2) * g(t) / (1 + 2x)        x >= 3/4,  t = (x - 4) / (x + 4);   erf(x) = 1 - erfc(x)
//! ```
//! For erfc, the square of x, its exponential and the quotient are pairs of f64, so most of the error is that of
//! `g`, which varies little. The errors of the fits are below 2^-56.

use super::super::emit::Float;
use super::super::exponential::{power_of_two, reduced, scaled};
use super::super::pair::Pair;

/// `erf(x) / x - 1` in x^2, on x <= 3/4.
const NEAR_ZERO: &[f64] = &[
    0.1283791670955126,
    -0.3761263890318384,
    0.11283791670956383,
    -0.026866170645303285,
    0.005223977628150526,
    -0.0008548327240346241,
    0.00012055340104056882,
    -1.4925641992248484e-05,
    1.6454959437359513e-06,
    -1.616097237277826e-07,
    1.231343395715922e-08,
];
/// `exp(x^2) * erfc(x) * (1 + 2x)` in t, on 3/4 <= x <= 27.3.
const COMPLEMENT: &[f64] = &[
    1.2329951186255526,
    -0.13962111684056322,
    0.01537965210260666,
    0.06809705425476832,
    -0.10103906603558767,
    0.09373283499604729,
    -0.06633036582774085,
    0.03716751556826948,
    -0.01619773388357352,
    0.0050319697656545995,
    -0.0007577744351627412,
    -0.00019925591038324225,
    0.0001506263727143099,
    -2.440056634829321e-05,
    -1.123426306240288e-05,
    5.709553343192601e-06,
    3.138314661944607e-07,
    -8.204307649339466e-07,
    5.511347417307817e-08,
    1.015986574859457e-07,
    -7.978928645350573e-09,
    -8.366922660101577e-09,
];
/// Up to here, `p` is used.
const SMALL: f64 = 0.75;

/// `x * p(x^2)`, for |x| < 3/4.
fn rest(x: Float<'_>) -> Float<'_> {
    (x * x).polynomial(NEAR_ZERO) * x
}

/// `exp(x^2) * erfc(x) * (1 + 2x)`.
fn numerator(x: Float<'_>) -> Float<'_> {
    ((x - 4.0) / (x + 4.0)).polynomial(COMPLEMENT)
}

/// `erfc(x)`, for x from 3/4 on.
fn complement(magnitude: Float<'_>) -> Float<'_> {
    // Beyond this bound, the result rounds to 0.
    let x = magnitude.at_most(27.25);
    let one = x.constant(1.0);
    let square = Pair::product(x, x);
    // exp(-x^2) = 2^n * (power.high + low)
    let exponential = reduced(-square.high, 2046);
    let sum = Pair::ordered_sum(exponential.r, exponential.tail);
    let power = Pair::ordered_sum(one, sum.high);
    let low = (power.low + sum.low) - power.high * square.low;
    let g = Pair { high: numerator(x), low: x.constant(0.0) };
    let quotient = Pair::quotient(g, Pair::sum(one, x + x));
    let result = Pair { low, ..power }.times(quotient);
    scaled(result.high, exponential.bits)
}

/// The same to within a few ulp, for x from 3/4 to 6.
fn rough_complement(x: Float<'_>) -> Float<'_> {
    let exponential = reduced(-(x * x), 1023);
    let power = exponential.significand() * power_of_two(exponential.bits);
    power * (numerator(x) / x.fma(2.0, 1.0))
}

pub fn erf(x: Float) -> Float {
    let magnitude = x.abs();
    let small = magnitude + rest(magnitude);
    // Beyond this bound, the result rounds to 1.
    let large = magnitude.constant(1.0) - rough_complement(magnitude.at_most(6.0));
    magnitude.is_below(SMALL).select(small, large).with_sign_of(x)
}

pub fn erfc(x: Float) -> Float {
    let magnitude = x.abs();
    let near = Pair::ordered_sum(x.constant(1.0), -magnitude);
    let small = near.high - (rest(magnitude) - near.low);
    let right = magnitude.is_below(SMALL).select(small, complement(magnitude));
    let left = right.constant(2.0) - right;
    x.is_below(0.0).select(left, right)
}
