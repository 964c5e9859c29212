//! `exp`, `exp2`, `expm1`, `sinh`, `cosh` and `tanh`, of f32 and f64.
//!
//! ```text
//! exp(x) = 2^n * exp(r),   n = round(x / ln 2),   r = x - n * ln 2,   |r| <= ln 2 / 2
//! ```
//! - `x / ln 2` is added to 1.5 * 2^23 (f64: 1.5 * 2^52), whose ulp is 1. This rounds the sum to an integer, and its last bits
//!   are that integer (plus any other addend), so a shift turns them into an exponent.
//! - ln 2 is the sum of two numbers. The product of n with the first is exact, so `x - n * first` is exact too.
//!   The product with the second is added at the end of the polynomial. The largest errors are those of `r` and
//!   of the last sum.
//! - If n may exceed the exponents of normal numbers, 2^n is the product of two factors: subnormal results are
//!   rounded once more, and overflow gives infinity.
//!
//! Polynomials are minimax fits. Those for f32 have a relative error below 2^-28 (that of sinh: 2^-25) and f32
//! coefficients; those for f64 have a relative error below 2^-58 (that of exp2: 2^-55).

use super::emit::{Float, IntegerLanes};
use std::f64::consts::LOG2_E;

/// 1.5 * 2^23.
const ROUNDING: f64 = 12_582_912.0;
/// 1.5 * 2^52.
pub(crate) const ROUNDING_F64: f64 = 6_755_399_441_055_744.0;
/// The leading digits of ln 2; the product with n is exact.
pub(crate) const LN_2_HIGH: f64 = 0.693359375;
/// The remaining digits of ln 2.
pub(crate) const LN_2_LOW: f64 = -2.121_944_4e-4;
pub(crate) const LN_2_HIGH_F64: f64 = 0.6931471803691238;
pub(crate) const LN_2_LOW_F64: f64 = 1.9082149292705877e-10;
/// `(exp(r) - 1 - r) / r^2` on |r| <= ln 2 / 2.
const EXP: &[f64] = &[0.49999994, 0.1666652, 0.041668233, 0.008368818, 0.0013823851];
const EXP_F64: &[f64] = &[
    0.5,
    0.16666666666666682,
    0.041666666666666095,
    0.008333333333317042,
    0.001388888888911509,
    0.00019841269896369795,
    2.4801586927484982e-05,
    2.7557234872245115e-06,
    2.7557581237022686e-07,
    2.5112034192345804e-08,
    2.0826789259788894e-09,
];
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
pub(crate) const EXP2_F64: &[f64] = &[
    1.0,
    std::f64::consts::LN_2,
    0.24022650695910072,
    0.055504108664821736,
    0.009618129107628562,
    0.0013333558146381701,
    0.0001540353039317228,
    1.525273386488652e-05,
    1.3215487002832491e-06,
    1.0178047512054063e-07,
    7.054815117612742e-09,
    4.457242418847788e-10,
    2.5854766208911173e-11,
];
/// The same function for results that are rounded to f32: relative error 2^-28.9.
const EXP2_FOR_F32: &[f64] = &[
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
const SINH_F64: &[f64] = &[
    0.16666666666666666,
    0.008333333333333573,
    0.0001984126984106117,
    2.755731931007171e-06,
    2.5052089421724036e-08,
    1.6061337387489687e-10,
    7.503424477818825e-13,
    6.47003617852158e-15,
];
/// `(tanh(x) - x) / x^3` in x^2, on |x| <= 0.55.
const TANH: &[f64] = &[-0.33333316, 0.13332556, -0.0538496, 0.021061603, -0.0062609995];
const TANH_F64: &[f64] = &[
    -0.3333333333333333,
    0.1333333333333294,
    -0.053968253967951435,
    0.021869488524491137,
    -0.008863235266869223,
    0.0035921242647026994,
    -0.0014557982991209532,
    0.0005897911320107565,
    -0.00023806158857932327,
    9.361734964944934e-05,
    -3.250712731970349e-05,
    7.186680546227677e-06,
];

/// `exp(x) = 2^n * (1 + (r + tail))`; the last bits of `bits` are n + bias.
pub(crate) struct Reduced<'c> {
    pub r: Float<'c>,
    pub tail: Float<'c>,
    pub bits: IntegerLanes<'c>,
}

/// The bias of exponents.
fn bias(x: Float) -> i32 {
    x.by_width(127, 1023)
}

/// The number whose ulp is 1, plus `bias`: a sum with it is rounded to an integer.
fn rounding(x: Float<'_>, bias: i32) -> Float<'_> {
    x.constant(x.by_width(ROUNDING, ROUNDING_F64) + f64::from(bias))
}

pub(crate) fn reduced<'c>(x: Float<'c>, bias: i32) -> Reduced<'c> {
    let rounding = rounding(x, bias);
    let biased = x.fma(LOG2_E, rounding);
    let n = biased - rounding;
    let (high, low) = x.by_width((LN_2_HIGH, LN_2_LOW), (LN_2_HIGH_F64, LN_2_LOW_F64));
    let r = n.fma(-high, x);
    let low = n * -low;
    let sum = r + low;
    let tail = sum.polynomial(x.by_width(EXP, EXP_F64)).fma(sum * sum, low);
    Reduced { r, tail, bits: biased.bits() }
}

impl<'c> Reduced<'c> {
    /// `exp(r)`.
    pub fn significand(&self) -> Float<'c> {
        (self.r + self.tail) + 1.0
    }
}

/// 2 to the power of the number in the last bits, minus the bias of exponents; it must be a normal number.
pub(crate) fn power_of_two(bits: IntegerLanes) -> Float {
    bits.shifted_left(bits.by_width(23, 52)).float()
}

/// `y * 2^n`, where the last bits of `bits` are n plus twice the bias of exponents. n is at least minus twice the
/// bias, and at most twice the bias plus 2.
pub(crate) fn scaled<'c>(y: Float<'c>, bits: IntegerLanes<'c>) -> Float<'c> {
    let half = bits.shifted_right(1);
    y * power_of_two(half) * power_of_two(bits - half)
}

pub fn exp(x: Float) -> Float {
    // Beyond these bounds, the result is infinite or rounds to zero.
    let (most, least) = x.by_width((89.0, -104.0), (710.0, -746.0));
    let reduced = reduced(x.at_most(most).at_least(least), 2 * bias(x));
    scaled(reduced.significand(), reduced.bits)
}

pub fn exp2(x: Float) -> Float {
    let (most, least) = x.by_width((129.0, -151.0), (1025.0, -1076.0));
    let x = x.at_most(most).at_least(least);
    let rounding = rounding(x, 2 * bias(x));
    let biased = x + rounding;
    let r = x - (biased - rounding);
    scaled(r.polynomial(x.by_width(EXP2, EXP2_F64)), biased.bits())
}

/// `2^t` in f64 for |t| <= 1000; relative error below 2^-28.
pub(crate) fn exp2_for_f32(t: Float) -> Float {
    let rounding = rounding(t, bias(t));
    let biased = t + rounding;
    let r = t - (biased - rounding);
    r.polynomial(EXP2_FOR_F32) * power_of_two(biased.bits())
}

/// `2 * (h * (r + tail) + (h - 1/2))`, where h is 2^(n-1), because 2^128 (f64: 2^1024) is not a number.
pub fn expm1(x: Float) -> Float {
    let (most, least) = x.by_width((89.0, -18.0), (710.0, -38.0));
    let reduced = reduced(x.at_most(most).at_least(least), bias(x) - 1);
    let h = power_of_two(reduced.bits);
    let y = (reduced.r + reduced.tail).fma(h, h - 0.5);
    // Half of a subnormal number may not be representable; and -0 stays -0.
    x.abs().is_below(2f64.powi(x.by_width(-25, -54))).select(x, y + y)
}

/// `exp(x) / 2` of a magnitude; it is finite where sinh and cosh are.
fn half_exp(magnitude: Float) -> Float {
    let most = magnitude.by_width(91.0, 712.0);
    let reduced = reduced(magnitude.at_most(most), 2 * bias(magnitude) - 1);
    scaled(reduced.significand(), reduced.bits)
}

/// `h - 1 / (4 h)`, where h is half of exp(x); a polynomial where the difference would cancel.
pub fn sinh(x: Float) -> Float {
    let magnitude = x.abs();
    let h = half_exp(magnitude);
    let large = h - h.constant(0.25) / h;
    let square = magnitude * magnitude;
    let polynomial = square.polynomial(x.by_width(SINH, SINH_F64));
    let small = (magnitude * square).fma(polynomial, magnitude);
    magnitude.is_below(1.0).select(small, large).with_sign_of(x)
}

pub fn cosh(x: Float) -> Float {
    let h = half_exp(x.abs());
    h + h.constant(0.25) / h
}

/// `1 - 2 / (exp(2x) + 1)`; a polynomial where the difference would cancel.
pub fn tanh(x: Float) -> Float {
    let magnitude = x.abs();
    let bounded = magnitude.at_most(x.by_width(10.0, 20.0));
    let reduced = reduced(bounded + bounded, bias(x));
    let divisor = reduced.significand().fma(power_of_two(reduced.bits), 1.0);
    let large = magnitude.constant(1.0) - magnitude.constant(2.0) / divisor;
    let square = magnitude * magnitude;
    let polynomial = square.polynomial(x.by_width(TANH, TANH_F64));
    let small = (magnitude * square).fma(polynomial, magnitude);
    magnitude.is_below(0.55).select(small, large).with_sign_of(x)
}
