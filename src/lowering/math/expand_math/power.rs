//! `powf` and `fpowi` of f32, `rsqrt` and `cbrt`.
//!
//! ```text
//! powf(x, y) = 2^(y * log2 |x|) in f64, rounded once, and negated where x is negative and y odd
//! rsqrt(x) = 1 / sqrt(x)
//! cbrt(x) = t,  t <- t * (t^3 + 2x) / (2t^3 + x)    initial t: a third of the bits of x, correct to 5 digits
//! ```
//! The product `y * log2 |x|` is below 200 if the result is neither infinite nor 0, and its relative error is
//! below 2^-35. Special values are those of C's pow. They follow from infinities, except these:
//! - any x to the power 0, and 1 to any power, is 1; -1 to an infinite power is 1
//! - a negative finite x to a non-integer power is NaN

use super::emit::{Float, IntegerLanes, LaneTruth};
use super::exponential::exp2_for_f32;
use super::logarithm::log2_for_f32;
use crate::ir::FloatKind;

/// `log2 |x|` of an f32, in f64.
fn log2_of_magnitude(x: Float) -> Float {
    let magnitude = x.widened().abs();
    let log = magnitude.equals(0.0).select(f64::NEG_INFINITY, log2_for_f32(magnitude));
    // Infinity and NaN are returned unchanged.
    magnitude.is_below(f64::INFINITY).select(log, magnitude)
}

/// `2^t` as f32, negated where the mask is set.
fn signed_power<'c>(t: Float<'c>, negated: LaneTruth<'c>) -> Float<'c> {
    let power = exp2_for_f32(t.at_most(200.0).at_least(-200.0)).narrowed();
    negated.select(-power, power)
}

pub fn powf<'c>(x: Float<'c>, y: Float<'c>) -> Float<'c> {
    let product = y.widened() * log2_of_magnitude(x);
    let is_one = y.equals(0.0) | x.equals(1.0) | (x.equals(-1.0) & y.equals(y));
    // All floats from 2^24 on are even integers.
    let small = y.abs().is_below(2f64.powi(24)).select(y, y.constant(0.0));
    let integer = small.truncated();
    let is_integer = integer.to_float(FloatKind::F32).equals(small);
    let negated = integer.is_odd() & is_integer & x.bits().is_negative();
    let power = signed_power(is_one.select(0.0, product), negated);
    let is_negative = x.is_below(0.0) & x.is_above(f64::NEG_INFINITY);
    let of_negative = is_integer.select(power, power.constant(f64::NAN));
    is_negative.select(of_negative, power)
}

/// The power for some exponents, by products, a quotient or a square root: those of f32 in f64, rounded once. `None` for other
/// exponents, and for those of f64 for which the error would be larger than that of `powf`.
pub fn of_constant<'c>(x: Float<'c>, y: f64) -> Option<Float<'c>> {
    let power: fn(Float<'c>) -> Float<'c> = match y {
        1.0 => return Some(x),
        2.0 => return Some(x * x),
        -1.0 => return Some(x.constant(1.0) / x),
        3.0 => |x| x * x * x,
        4.0 if !x.is_double() => |x| x * x * (x * x),
        -2.0 if !x.is_double() => |x| x.constant(1.0) / (x * x),
        0.5 => |x| root(x),
        -0.5 => |x| x.constant(1.0) / root(x),
        _ => return None,
    };
    Some(if x.is_double() { power(x) } else { power(x.widened()).narrowed() })
}

/// The square root, but of -infinity and -0 what their power is: infinity and 0.
fn root(x: Float) -> Float {
    (x.equals(f64::NEG_INFINITY).select(f64::INFINITY, x) + 0.0).sqrt()
}

/// All exponents are integers. f64 represents most of them exactly. The others are so large that rounding them does
/// not change the result.
pub fn fpowi<'c>(x: Float<'c>, exponent: IntegerLanes<'c>) -> Float<'c> {
    let y = exponent.to_float(FloatKind::F64);
    let product = y.equals(0.0).select(0.0, y * log2_of_magnitude(x));
    signed_power(product, exponent.is_odd() & x.bits().is_negative())
}

pub fn rsqrt(x: Float) -> Float {
    x.constant(1.0) / x.sqrt()
}

/// Halley's method triples the number of correct digits: 15 and 47. (The first guess and the last step are
/// those of FreeBSD's `s_cbrt.c`.)
pub fn cbrt(x: Float) -> Float {
    let magnitude = x.abs();
    let (least, up, down) =
        x.by_width((f64::from(f32::MIN_POSITIVE), 24, -8), (f64::MIN_POSITIVE, 54, -18));
    let is_small = magnitude.is_below(least);
    let y = is_small.select(magnitude * 2f64.powi(up), magnitude);
    let guess = if x.is_double() {
        let third = y.bits().shifted_right(32).to_float(FloatKind::F64) * (1.0 / 3.0);
        (third + 715_094_163.0).truncated().extended().shifted_left(32).float()
    } else {
        let third = y.bits().to_float(FloatKind::F32) * (1.0 / 3.0);
        (third + 709_958_130.0).truncated().float().widened()
    };
    let wide = if x.is_double() { y } else { y.widened() };
    let step = |t| {
        let cube = t * t * t;
        t * ((wide + wide + cube) / (wide + cube + cube))
    };
    let root = step(step(guess));
    let root = if x.is_double() { corrected(root, wide) } else { root.narrowed() };
    let root = is_small.select(root * 2f64.powi(down), root);
    // Zero, infinity and NaN are returned unchanged.
    let is_plain = magnitude.is_above(0.0) & magnitude.is_below(f64::INFINITY);
    is_plain.select(root, magnitude).with_sign_of(x)
}

/// One Newton step from a root truncated to 25 digits, whose square is exact.
fn corrected<'c>(root: Float<'c>, x: Float<'c>) -> Float<'c> {
    let t = ((root.bits() + (1 << 27)) & !0xfff_ffff).float();
    let quotient = x / (t * t);
    ((quotient - t) / (t + t + quotient)).fma(t, t)
}
