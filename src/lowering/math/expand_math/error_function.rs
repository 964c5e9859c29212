//! `erf` and `erfc` of f32.
//!
//! ```text
//! erf(x) = x / 4 + x * p(x^2) / q(x^2)   |x| <= 4; beyond, it is 1
//! erfc(x) = exp(-x^2) * g(t) / (1 + 2x)  x >= 0, t = (x - 3) / (x + 3)
//! ```
//! Where erf(x) is near 1, one rounding error of the sum is as large as one ulp of the result. There the
//! quotient is near 0, so its errors are negligible, and at 4 the result is exactly 1. The error of the fit is
//! below 2^-25. erfc is computed in f64, because the argument of exp has 48 digits; the error of its fit is
//! below 2^-30.

use super::emit::Float;
use super::exponential::exp2_for_f32;
use std::f64::consts::LOG2_E;

/// `p` and `q` of erf, polynomials in x^2: `(p + q / 4) / q` is the minimax fit of `erf(x) / x`.
const NUMERATOR: &[f64] =
    &[0.87837917, 0.06733136, 0.024264276, 8.155072e-5, -1.1828104e-5, -7.3682783e-6];
const DENOMINATOR: &[f64] = &[1.0, 0.50485814, 0.11535035, 0.015207326, 0.0011855814, 3.7420243e-5];
/// `exp(x^2) * erfc(x) * (1 + 2x)` in t, for x <= 10.3.
const COMPLEMENT: &[f64] = &[
    1.2530080589762511,
    -0.1356211111696292,
    -0.04756238717680091,
    0.12964535247084086,
    -0.11927160306707478,
    0.06830663871087485,
    -0.0237873958943157,
    0.0025269799382524405,
    0.0019473167877448,
    -0.0007384210687412379,
    -0.00017690560295646155,
    3.764594566708818e-5,
];

pub fn erf(x: Float) -> Float {
    let bounded = x.at_most(4.0).at_least(-4.0);
    let square = bounded * bounded;
    let quotient = square.polynomial(NUMERATOR) / square.polynomial(DENOMINATOR);
    bounded.fma(quotient, bounded * 0.25)
}

pub fn erfc(x: Float) -> Float {
    // Beyond this bound, the result rounds to 0 or to 2.
    let magnitude = x.widened().abs().at_most(11.0);
    let t = (magnitude - 3.0) / (magnitude + 3.0);
    let scale = exp2_for_f32((magnitude * magnitude) * -LOG2_E);
    let right = scale * t.polynomial(COMPLEMENT) / magnitude.fma(2.0, 1.0);
    let left = right.constant(2.0) - right;
    x.is_below(0.0).select(left, right).narrowed()
}
