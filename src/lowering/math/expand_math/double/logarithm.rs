//! `log`, `log2`, `log10` and `log1p` of f64.
//!
//! ```text
//! log(x) = e * ln 2 + log(1 + f),   x = 2^e * (1 + f),   2/3 <= 1 + f < 4/3
//! log(1 + f) = f - (h - s * (h + R)),   h = f^2 / 2,   s = f / (2 + f),   R = s^2 * p(s^2)
//! ```
//! `f` is exact, and `h` is at most a fifth of the result, so rounding errors before the last sum are small. The
//! relative error of the fit is below 2^-60.
//!
//! For `log2` and `log10`, the high half of `f - h` has 21 digits, so its product with the high half of the
//! factor is exact, and so is e times the high half of log10(2). (The method of FreeBSD's `e_log2.c`.)

use super::super::emit::{Float, IntegerLanes};
use super::super::exponential::{LN_2_HIGH_F64, LN_2_LOW_F64};
use super::super::pair::Pair;

/// `(log(1 + f) / s - 2) / s^2` in s^2, on |s| <= 1/5.
const LOG: &[f64] = &[
    0.6666666666666663,
    0.4000000000004029,
    0.28571428558797246,
    0.22222224029159218,
    0.18181679126952616,
    0.15390743844326854,
    0.13178972114162746,
    0.13810953676550358,
];
/// The bits of 2/3, rounded up.
const TWO_THIRDS: i64 = 0x3fe5_5555_5555_5555;
/// The bits of 1.
const ONE: i64 = 0x3ff0_0000_0000_0000;
/// The bits of 2^52, whose ulp is 1: an integer in the significand bits is added to it.
const UNITS: i64 = 0x4330_0000_0000_0000;
const SIGNIFICAND: i64 = 0xf_ffff_ffff_ffff;
/// The first 32 digits of the factor, and the rest.
const LOG2_E: [f64; 2] = [1.4426950407214463, 1.6751713164886512e-10];
const LOG10_E: [f64; 2] = [0.4342944818781689, 2.5082946711645275e-11];
const LOG10_2: [f64; 2] = [0.3010299955494702, 1.1451100898021838e-10];

/// `x = 2^e * m`, 2/3 <= m < 4/3, of positive normal numbers: returns m, e, and bits that hold e above the last
/// 52.
pub fn split(x: Float<'_>) -> (Float<'_>, Float<'_>, IntegerLanes<'_>) {
    let bits = x.bits() - TWO_THIRDS;
    let m = ((bits & SIGNIFICAND) + TWO_THIRDS).float();
    let biased = ((bits + ONE).shifted_right(52) | UNITS).float();
    (m, biased - (2f64.powi(52) + 1023.0), bits)
}

/// The same m and e for all positive numbers.
pub fn split_all(x: Float<'_>) -> (Float<'_>, Float<'_>) {
    let is_small = x.is_below(f64::MIN_POSITIVE);
    let (m, e, _) = split(is_small.select(x * 2f64.powi(54), x));
    (m, is_small.select(e - 54.0, e))
}

/// `h`, and `s * (h + R)`, of f.
fn terms(f: Float<'_>) -> (Float<'_>, Float<'_>) {
    let s = f / (f + 2.0);
    let square = s * s;
    let h = f * f * 0.5;
    (h, s * square.fma(square.polynomial(LOG), h))
}

/// `y` for x between `zero` and infinity; the special values at and outside of these bounds.
fn elsewhere<'c>(x: Float<'c>, zero: f64, y: Float<'c>) -> Float<'c> {
    // Infinity and NaN are returned unchanged.
    let y = x.is_below(f64::INFINITY).select(y, x);
    let y = x.equals(zero).select(f64::NEG_INFINITY, y);
    x.is_below(zero).select(f64::NAN, y)
}

/// `e * ln 2 + log(1 + f) + low`.
fn natural<'c>(e: Float<'c>, f: Float<'c>, low: Option<Float<'c>>) -> Float<'c> {
    let (h, rest) = terms(f);
    let low = match low {
        Some(low) => e.fma(LN_2_LOW_F64, low),
        None => e * LN_2_LOW_F64,
    };
    e.fma(LN_2_HIGH_F64, f - (h - (rest + low)))
}

pub fn log(x: Float) -> Float {
    let (m, e) = split_all(x);
    elsewhere(x, 0.0, natural(e, m - 1.0, None))
}

/// `log(m)` as a high part of 21 digits and a low part.
fn halves(m: Float) -> Pair {
    let f = m - 1.0;
    let (h, rest) = terms(f);
    let high = ((f - h).bits() & !0xffff_ffff).float();
    Pair { high, low: ((f - high) - h) + rest }
}

/// `y + low + natural * factor`; the sum of `y` and the high part of the product is exact but for its low part.
fn scaled_sum<'c>(y: Float<'c>, low: Float<'c>, natural: Pair<'c>, factor: [f64; 2]) -> Float<'c> {
    let product = natural.high * factor[0];
    let low = (natural.low + natural.high).fma(factor[1], low);
    let low = natural.low.fma(factor[0], low);
    let sum = y + product;
    (((y - sum) + product) + low) + sum
}

pub fn log2(x: Float) -> Float {
    let (m, e) = split_all(x);
    elsewhere(x, 0.0, scaled_sum(e, x.constant(0.0), halves(m), LOG2_E))
}

pub fn log10(x: Float) -> Float {
    let (m, e) = split_all(x);
    let (high, low) = (e * LOG10_2[0], e * LOG10_2[1]);
    elsewhere(x, 0.0, scaled_sum(high, low, halves(m), LOG10_E))
}

pub fn log1p(x: Float) -> Float {
    let y = log1p_of_pair(Pair { high: x, low: x.constant(0.0) });
    // -0 stays -0, and so does a tiny x whose square underflows.
    x.abs().is_below(2f64.powi(-54)).select(x, y)
}

/// `log(1 + x)`, where x is a pair. With the e of `1 + x`, f is the sum of `x * 2^-e` and `2^-e - 1`. The first
/// order of its rounding error is added to the logarithm.
pub fn log1p_of_pair(x: Pair) -> Float {
    let (m, e, bits) = split(x.high + 1.0);
    let exponent = bits & !SIGNIFICAND;
    let scale = (exponent.constant(ONE) - exponent).float();
    let sum = Pair::sum(scale - 1.0, x.high * scale);
    // Where 2^-e may not be a normal number, x + 1 rounds to x.
    let is_small = x.high.is_below(2f64.powi(54));
    let f = is_small.select(sum.high, m - 1.0);
    let low = is_small.select(x.low.fma(scale, sum.low), x.high.constant(0.0));
    // 1 / (1 + f) with an error below 4 %.
    let inverse = f.fma(f - 1.0, 1.0);
    elsewhere(x.high, -1.0, natural(e, f, Some(low * inverse)))
}
