//! `asinh`, `acosh` and `atanh` of f32, by `log1p`, which is accurate for small numbers.
//!
//! ```text
//! asinh(x) = log1p(x + x^2 / (1 + sqrt(x^2 + 1)))
//! acosh(x) = log1p(t + sqrt(t * (t + 2))),   t = x - 1
//! atanh(x) = log1p(2x / (1 - x)) / 2
//! ```
//! For large x, whose square may overflow, the first two are `log(x) + log(2)`.

use super::emit::Float;
use super::logarithm::log1p;
use std::f64::consts::LN_2;

/// `log1p(argument(magnitude))`. For a magnitude so large that adding 1 does not change it, `log(2 *
/// magnitude)`; `argument` then gets 1.
fn by_log1p<'c>(magnitude: Float<'c>, argument: impl FnOnce(Float<'c>) -> Float<'c>) -> Float<'c> {
    let is_large = magnitude.is_at_least(2f64.powi(26));
    let argument = argument(is_large.select(1.0, magnitude));
    let log = log1p(is_large.select(magnitude, argument));
    is_large.select(log + LN_2, log)
}

pub fn asinh(x: Float) -> Float {
    let log = by_log1p(x.abs(), |x| {
        let square = x * x;
        x + square / ((square + 1.0).sqrt() + 1.0)
    });
    log.with_sign_of(x)
}

pub fn acosh(x: Float) -> Float {
    let log = by_log1p(x, |x| {
        let t = x - 1.0;
        t + (t * (t + 2.0)).sqrt()
    });
    x.is_below(1.0).select(f64::NAN, log)
}

pub fn atanh(x: Float) -> Float {
    let magnitude = x.abs();
    let log = log1p((magnitude + magnitude) / (magnitude.constant(1.0) - magnitude));
    // The sign of infinity and NaN does not matter.
    (log * 0.5).with_sign_of(x)
}
