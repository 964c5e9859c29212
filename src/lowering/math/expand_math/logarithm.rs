//! `log`, `log2`, `log10` and `log1p` of f32.
//!
//! ```text
//! log(x) = e * ln 2 + log(1 + f),   x = 2^e * (1 + f),   2/3 <= 1 + f < 4/3
//! log(1 + f) = f - s,               s = f^2 * (1/2 - f * p(f))
//! ```
//! `f` is exact, and `s` is at most a fifth of it, so rounding errors before the last sum are small. The
//! interval is chosen so that adding `e * ln 2` never cancels more than one digit. `p` is a minimax fit with
//! f32 coefficients: the relative error of `f - s` is below 2^-27.

use super::double;
use super::emit::{Float, IntegerLanes};
use super::exponential::{LN_2_HIGH, LN_2_LOW};
use crate::ir::FloatKind;
use std::f64::consts::{LOG2_E, LOG10_E};

/// `(log(1 + f) - f + f^2 / 2) / f^3` on -1/3 <= f <= 1/3.
const LOG: &[f64] = &[
    0.33333215,
    -0.24999797,
    0.20010446,
    -0.16680506,
    0.14005306,
    -0.121839724,
    0.13986897,
    -0.12893032,
];
/// `log2(1 + f) / s` in s^2, where s is `f / (2 + f)`, on |s| <= 1/5: relative error 2^-35.5.
const LOG2_FOR_F32: &[f64] = &[
    2.88539008183599,
    0.9617966217400992,
    0.5770923516042882,
    0.41120579617615516,
    0.34840263191640247,
];
/// The bits of 2/3, rounded up.
const TWO_THIRDS: i64 = 0x3f2a_aaab;
/// The bits of 1.
const ONE: i64 = 0x3f80_0000;
/// The leading digits of log10(2); the product with e is exact.
const LOG10_2_HIGH: f64 = 0.30078125;
/// The remaining digits of log10(2).
const LOG10_2_LOW: f64 = 2.487_456_6e-4;

/// `x = 2^e * m`, 2/3 <= m < 4/3, of positive normal numbers: returns m, e, and bits that hold e above the last
/// 23.
fn split(x: Float<'_>) -> (Float<'_>, Float<'_>, IntegerLanes<'_>) {
    let bits = x.bits() - TWO_THIRDS;
    let m = ((bits & 0x7f_ffff) + TWO_THIRDS).float();
    (m, bits.shifted_right_signed(23).to_float(FloatKind::F32), bits)
}

/// `s` in the head: `f - log(1 + f)`.
fn tail(f: Float) -> Float {
    (f * f) * (-f).fma(f.polynomial(LOG), 0.5)
}

/// e, `f` and its tail, for all positive numbers.
fn parts(x: Float<'_>) -> [Float<'_>; 3] {
    let is_small = x.is_below(f64::from(f32::MIN_POSITIVE));
    let (m, e, _) = split(is_small.select(x * 2f64.powi(23), x));
    let e = is_small.select(e - 23.0, e);
    let f = m - 1.0;
    [e, f, tail(f)]
}

/// `y` for x between `zero` and infinity; the special values at and outside of these bounds.
fn elsewhere<'c>(x: Float<'c>, zero: f64, y: Float<'c>) -> Float<'c> {
    // Infinity and NaN are returned unchanged.
    let y = x.is_below(f64::INFINITY).select(y, x);
    let y = x.equals(zero).select(f64::NEG_INFINITY, y);
    x.is_below(zero).select(f64::NAN, y)
}

fn sum<'c>([e, f, tail]: [Float<'c>; 3]) -> Float<'c> {
    e.fma(LN_2_HIGH, f - (-e).fma(LN_2_LOW, tail))
}

pub fn log(x: Float) -> Float {
    elsewhere(x, 0.0, sum(parts(x)))
}

pub fn log2(x: Float) -> Float {
    let [e, f, tail] = parts(x);
    let natural = f - tail;
    elsewhere(x, 0.0, e + natural.fma(LOG2_E - 1.0, natural))
}

pub fn log10(x: Float) -> Float {
    let [e, f, tail] = parts(x);
    let rest = (f - tail).fma(LOG10_E, e * LOG10_2_LOW);
    elsewhere(x, 0.0, e.fma(LOG10_2_HIGH, rest))
}

/// With the e of `1 + x`, f is `x * 2^-e + (2^-e - 1)`, with at most one rounding; it is x itself if e is 0.
pub fn log1p(x: Float) -> Float {
    let (m, e, bits) = split(x + 1.0);
    let exponent = bits & !0x7f_ffff;
    let scale = (exponent.constant(ONE) - exponent).float();
    let f = x.fma(scale, scale - 1.0);
    // Where 2^-e may not be a normal number, x + 1 rounds to x.
    let f = x.is_below(2f64.powi(26)).select(f, m - 1.0);
    let y = elsewhere(x, -1.0, sum([e, f, tail(f)]));
    // -0 stays -0, and so does a tiny x whose square underflows.
    x.abs().is_below(2f64.powi(-25)).select(x, y)
}

/// `log2(x)` of a positive normal f64; relative error below 2^-35.
pub(crate) fn log2_for_f32(x: Float) -> Float {
    let (m, e, _) = double::logarithm::split(x);
    let s = (m - 1.0) / (m + 1.0);
    (s * s).polynomial(LOG2_FOR_F32).fma(s, e)
}
