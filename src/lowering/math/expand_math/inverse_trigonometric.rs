//! `atan`, `atan2`, `asin` and `acos`, of f32 and f64.
//!
//! ```text
//! atan(x) = pi/2 - atan(1/x)              |x| > 1
//! asin(x) = pi/2 - 2 asin(sqrt((1-x)/2))  x > 1/2
//! ```
//! The reduced function is `a + a^3 * p(a^2)`, where p is a fit with a relative error below 2^-26 (f32) and
//! 2^-55 (f64). The constants pi and pi/2 are sums of two numbers.

use super::emit::Float;
use std::f64::consts::{FRAC_PI_2, PI};

/// `(atan(a) - a) / a^3` in a^2, on a <= 1.
const ATAN: &[f64] = &[
    -0.33333334,
    0.1999995,
    -0.14284004,
    0.11088262,
    -0.08931827,
    0.070319146,
    -0.048960514,
    0.026305001,
    -0.009144629,
    0.0014886919,
];
const ATAN_F64: &[f64] = &[
    -0.3333333333333333,
    0.1999999999999992,
    -0.14285714285701234,
    0.11111111110268297,
    -0.0909090906193528,
    0.07692307078827029,
    -0.06666657934573768,
    0.05882264416776449,
    -0.052624922290256754,
    0.04758080083637821,
    -0.043306538430670664,
    0.03938687540798632,
    -0.035271331066871296,
    0.030330719265790507,
    -0.024191345810140718,
    0.01718398172211335,
    -0.010412153260359241,
    0.005140912856746939,
    -0.0019612554271685326,
    0.0005376839297396244,
    -9.371186345052626e-05,
    7.767624330289919e-06,
];
/// `(asin(a) - a) / a^3` in a^2, on a <= 1/2.
const ASIN: &[f64] = &[0.16666666, 0.07500094, 0.044599403, 0.031100662, 0.017149238, 0.033690847];
const ASIN_F64: &[f64] = &[
    0.16666666666666669,
    0.07499999999998433,
    0.04464285714635543,
    0.030381944138531247,
    0.02237217294214989,
    0.017352392720869973,
    0.013971212973552933,
    0.011479177415184906,
    0.01032281435018578,
    0.005457506718640358,
    0.01740087944269402,
    -0.014851887071247204,
    0.028757851367421566,
];

/// `pi/2 - x`.
fn from_half_pi(x: Float<'_>) -> Float<'_> {
    let (high, low) = x.by_width(HALF_PI_F32, (FRAC_PI_2, 6.123_233_995_736_766e-17));
    x.constant(high) - (x - low)
}

/// `pi - x`.
fn from_pi(x: Float<'_>) -> Float<'_> {
    let (high, low) = HALF_PI_F32;
    let (high, low) = x.by_width((2.0 * high, 2.0 * low), (PI, 1.224_646_799_147_353_2e-16));
    x.constant(high) - (x - low)
}

/// pi/2 as the sum of two f32 numbers.
const HALF_PI_F32: (f64, f64) = (1.570_796_370_506_286_6, -4.371_139e-8);

/// `a + a^3 * p(a^2)`
fn odd<'c>(a: Float<'c>, square: Float<'c>, p: &[f64]) -> Float<'c> {
    (a * square).fma(square.polynomial(p), a)
}

/// The arc tangent of a number from 0 to 1.
fn atan_of_small(a: Float) -> Float {
    odd(a, a * a, a.by_width(ATAN, ATAN_F64))
}

pub fn atan(x: Float) -> Float {
    let magnitude = x.abs();
    let is_large = magnitude.is_above(1.0);
    let a = is_large.select(magnitude.constant(1.0) / magnitude, magnitude);
    let angle = atan_of_small(a);
    is_large.select(from_half_pi(angle), angle).with_sign_of(x)
}

pub fn atan2<'c>(y: Float<'c>, x: Float<'c>) -> Float<'c> {
    let (up, right) = (y.abs(), x.abs());
    let is_steep = up.is_above(right);
    let (least, greatest) = (is_steep.select(right, up), is_steep.select(up, right));
    // Two infinities give the angle of (1, 1); two zeros give the angle 0.
    let a = least.equals(greatest).select(1.0, least / greatest);
    let a = (least + greatest).equals(0.0).select(0.0, a);
    let angle = atan_of_small(a);
    let angle = is_steep.select(from_half_pi(angle), angle);
    x.bits().is_negative().select(from_pi(angle), angle).with_sign_of(y)
}

/// True if |x| is above 1/2; and the arc sine of |x|, or in that case of the reduced argument.
fn folded<'c>(x: Float<'c>) -> (super::emit::LaneTruth<'c>, Float<'c>) {
    let magnitude = x.abs();
    let is_large = magnitude.is_above(0.5);
    let half = magnitude.fma(-0.5, 0.5);
    let square = is_large.select(half, magnitude * magnitude);
    let a = is_large.select(half.sqrt(), magnitude);
    (is_large, odd(a, square, x.by_width(ASIN, ASIN_F64)))
}

pub fn asin(x: Float) -> Float {
    let (is_large, angle) = folded(x);
    is_large.select(from_half_pi(angle + angle), angle).with_sign_of(x)
}

pub fn acos(x: Float) -> Float {
    let (is_large, angle) = folded(x);
    let twice = angle + angle;
    let large = x.is_below(0.0).select(from_pi(twice), twice);
    is_large.select(large, from_half_pi(angle.with_sign_of(x)))
}
