//! `exp`, `exp2`, `expm1`, `sinh`, `cosh` and `tanh`.
//!
//! ```text
//! exp(x) = 2^n * exp(r),   n = round(x / ln 2),   r = x - n * ln 2,   |r| <= ln 2 / 2
//! ```
//! - `x / ln 2` is added to 1.5 * 2^23, whose ulp is 1. This rounds the sum to an integer, and its last bits
//!   are that integer (plus any other addend), so a shift turns them into an exponent.
//! - ln 2 is the sum of two numbers. The product of n with the first is exact, so `x - n * first` is exact too.
//!   The product with the second is added at the end of the polynomial. The largest errors are those of `r` and
//!   of the last sum.
//! - If n may exceed the exponents of normal numbers, 2^n is the product of two factors: subnormal results are
//!   rounded once more, and overflow gives infinity.
//!
//! Polynomials are minimax fits with a relative error below 2^-28 (that of sinh: 2^-25), with f32 coefficients.

use super::emit::{Float, IntegerLanes};
use std::f64::consts::LOG2_E;

/// 1.5 * 2^23.
const ROUNDING: f64 = 12_582_912.0;
/// 1.5 * 2^52.
const ROUNDING_F64: f64 = 6_755_399_441_055_744.0;
/// The leading digits of ln 2; the product with n is exact.
pub(crate) const LN_2_HIGH: f64 = 0.693359375;
/// The remaining digits of ln 2.
pub(crate) const LN_2_LOW: f64 = -2.121_944_4e-4;
/// `(exp(r) - 1 - r) / r^2` on |r| <= ln 2 / 2.
const EXP: &[f64] = &[0.49999994, 0.1666652, 0.041668233, 0.008368818, 0.0013823851];
/// `2^r` on |r| <= 1/2.
const EXP2: &[f64] = &[
    1.0,
    std::f64::consts::LN_2,
    0.24022645,
    0.055503584,
    0.00961883,
    0.0013391493,
    0.00015243141,
];
/// The same polynomial for f64 arithmetic: relative error 2^-28.9.
const EXP2_F64: &[f64] = &[
    1.0,
    0.6931472029849075,
    0.2402264789690114,
    0.05550332163064681,
    0.009618438599178348,
    0.001339900341691639,
    0.00015353258430159802,
];
/// `(sinh(x) - x) / x^3` in x^2, on |x| <= 1.
const SINH: &[f64] = &[0.16666716, 0.008330271, 0.00020373332];
/// `(tanh(x) - x) / x^3` in x^2, on |x| <= 0.55.
const TANH: &[f64] = &[-0.33333316, 0.13332556, -0.0538496, 0.021061603, -0.0062609995];

/// `exp(x) = 2^n * (1 + (r + tail))`; the last bits of `bits` are n + bias.
struct Reduced<'c> {
    r: Float<'c>,
    tail: Float<'c>,
    bits: IntegerLanes<'c>,
}

fn reduced<'c>(x: Float<'c>, bias: i32) -> Reduced<'c> {
    let rounding = x.constant(ROUNDING + f64::from(bias));
    let biased = x.fma(LOG2_E, rounding);
    let n = biased - rounding;
    let r = n.fma(-LN_2_HIGH, x);
    let low = n * -LN_2_LOW;
    let sum = r + low;
    let tail = sum.polynomial(EXP).fma(sum * sum, low);
    Reduced { r, tail, bits: biased.bits() }
}

impl<'c> Reduced<'c> {
    /// `exp(r)`.
    fn significand(&self) -> Float<'c> {
        (self.r + self.tail) + 1.0
    }
}

/// `2^(b - 127)`, from the last bits of `b`.
fn power_of_two(bits: IntegerLanes) -> Float {
    bits.shifted_left(23).float()
}

/// `y * 2^n`, where the last bits of `bits` are n + 254: -252 <= n <= 256.
fn scaled<'c>(y: Float<'c>, bits: IntegerLanes<'c>) -> Float<'c> {
    let half = bits.shifted_right(1);
    y * power_of_two(half) * power_of_two(bits - half)
}

pub fn exp(x: Float) -> Float {
    // Beyond these bounds, the result is infinite or rounds to zero.
    let reduced = reduced(x.at_most(89.0).at_least(-104.0), 254);
    scaled(reduced.significand(), reduced.bits)
}

pub fn exp2(x: Float) -> Float {
    let x = x.at_most(129.0).at_least(-151.0);
    let rounding = x.constant(ROUNDING + 254.0);
    let biased = x + rounding;
    let r = x - (biased - rounding);
    scaled(r.polynomial(EXP2), biased.bits())
}

/// `2^t` in f64 for |t| <= 1000; relative error below 2^-28.
pub(crate) fn exp2_f64(t: Float) -> Float {
    let rounding = t.constant(ROUNDING_F64 + 1023.0);
    let biased = t + rounding;
    let r = t - (biased - rounding);
    r.polynomial(EXP2_F64) * biased.bits().shifted_left(52).float()
}

/// `2 * (h * (r + tail) + (h - 1/2))`, where h is 2^(n-1), because f32 cannot represent 2^128.
pub fn expm1(x: Float) -> Float {
    let reduced = reduced(x.at_most(89.0).at_least(-18.0), 126);
    let h = power_of_two(reduced.bits);
    let y = (reduced.r + reduced.tail).fma(h, h - 0.5);
    // Half of a subnormal number may not be representable; and -0 stays -0.
    x.abs().is_below(2f64.powi(-25)).select(x, y + y)
}

/// `exp(x) / 2` of a magnitude; it is finite where sinh and cosh are.
fn half_exp(magnitude: Float) -> Float {
    let reduced = reduced(magnitude.at_most(91.0), 253);
    scaled(reduced.significand(), reduced.bits)
}

/// `h - 1 / (4 h)`, where h is half of exp(x); a polynomial where the difference would cancel.
pub fn sinh(x: Float) -> Float {
    let magnitude = x.abs();
    let h = half_exp(magnitude);
    let large = h - h.constant(0.25) / h;
    let square = magnitude * magnitude;
    let small = (magnitude * square).fma(square.polynomial(SINH), magnitude);
    magnitude.is_below(1.0).select(small, large).with_sign_of(x)
}

pub fn cosh(x: Float) -> Float {
    let h = half_exp(x.abs());
    h + h.constant(0.25) / h
}

/// `1 - 2 / (exp(2x) + 1)`; a polynomial where the difference would cancel.
pub fn tanh(x: Float) -> Float {
    let magnitude = x.abs();
    let bounded = magnitude.at_most(10.0);
    let reduced = reduced(bounded + bounded, 127);
    let divisor = reduced.significand().fma(power_of_two(reduced.bits), 1.0);
    let large = magnitude.constant(1.0) - magnitude.constant(2.0) / divisor;
    let square = magnitude * magnitude;
    let small = (magnitude * square).fma(square.polynomial(TANH), magnitude);
    magnitude.is_below(0.55).select(small, large).with_sign_of(x)
}
