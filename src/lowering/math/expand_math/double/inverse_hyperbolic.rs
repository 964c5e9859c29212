//! `asinh`, `acosh` and `atanh` of f64, by `log1p` of a pair of numbers.
//!
//! ```text
//! asinh(x) = log1p(x + x^2 / (1 + sqrt(x^2 + 1)))
//! acosh(x) = log1p(t + sqrt(t * (t + 2))),   t = x - 1
//! atanh(x) = log1p(2x / (1 - x)) / 2
//! ```
//! For large x, whose square may overflow, the first two are `log(x) + log(2)`.

use super::super::emit::Float;
use super::super::pair::Pair;
use super::logarithm::log1p_of_pair;
use std::f64::consts::LN_2;

/// From here on, adding 1 does not change a number.
const LARGE: f64 = 18_014_398_509_481_984.0;

/// `log1p(argument(magnitude))`, or `log(2 * magnitude)` if that is large; `argument` then gets 1.
fn by_log1p<'c>(magnitude: Float<'c>, argument: impl FnOnce(Float<'c>) -> Pair<'c>) -> Float<'c> {
    let is_large = magnitude.is_at_least(LARGE);
    let argument = argument(is_large.select(1.0, magnitude));
    let log = log1p_of_pair(Pair {
        high: is_large.select(magnitude, argument.high),
        low: is_large.select(0.0, argument.low),
    });
    is_large.select(log + LN_2, log)
}

pub fn asinh(x: Float) -> Float {
    let magnitude = x.abs();
    let log = by_log1p(magnitude, |x| {
        let square = x * x;
        Pair::ordered_sum(x, square / ((square + 1.0).sqrt() + 1.0))
    });
    // Here the square may be subnormal.
    magnitude.is_below(2f64.powi(-54)).select(magnitude, log).with_sign_of(x)
}

pub fn acosh(x: Float) -> Float {
    let log = by_log1p(x, |x| {
        let t = Pair::ordered_sum(x, x.constant(-1.0));
        let sum = Pair::sum((t.high * (t.high + 2.0)).sqrt(), t.high);
        Pair { low: sum.low + t.low, ..sum }
    });
    x.is_below(1.0).select(f64::NAN, log)
}

pub fn atanh(x: Float) -> Float {
    let magnitude = x.abs();
    let one = magnitude.constant(1.0);
    let twice = Pair { high: magnitude + magnitude, low: magnitude.constant(0.0) };
    let quotient = Pair::quotient(twice, Pair::ordered_sum(one, -magnitude));
    // The low part is NaN where the quotient is infinite.
    let is_inside = magnitude.is_below(1.0);
    let low = is_inside.select(quotient.low, magnitude.constant(0.0));
    let log = log1p_of_pair(Pair { high: quotient.high, low });
    let tiny = magnitude.is_below(2f64.powi(-54));
    // The sign of infinity and NaN does not matter.
    tiny.select(magnitude, log * 0.5).with_sign_of(x)
}
