//! `erf` and `erfc`.
//!
//! ```text
//! erf(x) = x + x * p(x^2)                |x| < 1
//! erf(x) = 1 - 2^q(x)                    1 <= x <= 3.93, from where on it is rounded to 1
//! erfc(x) = exp(-x^2) * g(t) / (1 + 2x)  x >= 0, t = (x - 3) / (x + 3)
//! ```
//! The error of `q` is weighted by `2^q`, which is small. All are minimax or Chebyshev fits: errors are below 2^-29 of
//! erf, and 2^-30 of erfc. That is computed in f64, as it is exp of what has 48 digits.

use super::emit::Float;
use super::exponential::{exp2_f64, exp2_normal};
use std::f64::consts::LOG2_E;

/// `erf(x) / x - 1` in x^2.
const NEAR: &[f64] =
    &[0.12837917, -0.37612626, 0.11283583, -0.026853692, 0.0051880744, -0.0008007889, 7.846173e-5];
/// `log2(erfc(x))`.
const FAR: &[f64] = &[
    -0.0004634223,
    -1.6261592,
    -0.92046946,
    -0.14889929,
    0.031572837,
    -0.0042685233,
    0.00027043294,
];
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
    let magnitude = x.abs();
    let far = magnitude.constant(1.0) - exp2_normal(magnitude.at_most(3.93).polynomial(FAR));
    let near = magnitude.fma((magnitude * magnitude).polynomial(NEAR), magnitude);
    magnitude.is_below(1.0).select(near, far).with_sign_of(x)
}

pub fn erfc(x: Float) -> Float {
    // Beyond, the result is rounded to 0, or to 2.
    let magnitude = x.widened().abs().at_most(11.0);
    let t = (magnitude - 3.0) / (magnitude + 3.0);
    let scale = exp2_f64((magnitude * magnitude) * -LOG2_E);
    let right = scale * t.polynomial(COMPLEMENT) / magnitude.fma(2.0, 1.0);
    let left = right.constant(2.0) - right;
    x.is_below(0.0).select(left, right).narrowed()
}
