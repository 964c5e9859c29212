//! `sin`, `cos` and `tan` of f32.
//!
//! ```text
//! |x| = n * pi/2 + r,   |r| <= pi/4     the last two bits of n choose sin(r) or cos(r), and the sign
//! ```
//! The range reduction is in f64, with one branch for all lanes:
//! - |x| < 2^20: pi/2 is the sum of two numbers; the first has 33 digits, so its product with n is exact. (Cody
//!   and Waite, "Software Manual for the Elementary Functions", 1980.)
//! - otherwise 2/pi is the sum of eight numbers of 28 digits. The product of x with each is exact, and so is
//!   the product modulo 4; multiples of 4 do not affect the result. Their sum is accumulated with its error.
//!   (After Payne and Hanek, "Radian reduction for trigonometric functions", 1983. DIVERGENCE: no digits are
//!   omitted, so there is no table to look up the needed ones.)
//!
//! No f32 is nearer to a multiple of pi/2 than 2^-30, so r has full precision.

use super::emit::{Float, IntegerLanes};
use std::f64::consts::{FRAC_2_PI, FRAC_PI_2};

/// 1.5 * 2^52: a number that is added to it is rounded to an integer, which is in the last bits of the sum.
const ROUNDING: f64 = 6_755_399_441_055_744.0;
/// The first 33 digits of pi/2.
const HALF_PI_HIGH: f64 = 1.5707963267341256;
/// The next 53 digits.
const HALF_PI_LOW: f64 = 6.077100506506192e-11;
/// 2/pi, in parts of 28 digits.
const TWO_OVER_PI: [f64; 8] = [
    0.6366197690367699,
    3.3308114738561656e-9,
    2.276010047810136e-18,
    2.5268260189002822e-26,
    1.6682867657019525e-34,
    1.158871328288855e-43,
    7.053959174404295e-52,
    8.910067885731021e-60,
];
/// `(sin(r) - r) / r^3` in r^2: relative error of the sine 2^-27.9.
const SIN: &[f64] = &[-0.16666655, 0.008332189, -0.00019518285];
/// `(cos(r) - 1 + r^2 / 2) / r^4` in r^2: relative error of the cosine 2^-33.
const COS: &[f64] = &[0.041666646, -0.0013887311, 2.4432564e-5];

/// r in f64, and an integer whose last bits are those of n.
fn reduced<'c>(magnitude: Float<'c>) -> (Float<'c>, IntegerLanes<'c>) {
    let is_large = magnitude.is_at_least(2f64.powi(20));
    let both = |(r, n): (Float<'c>, IntegerLanes<'c>)| vec![r.value, n.value];
    let results = is_large.branch_if_any(
        |emit| both(reduced_large(magnitude.within(emit).widened())),
        |emit| both(reduced_small(magnitude.within(emit).widened())),
    );
    let emit = magnitude.emit();
    (emit.float(results[0]), emit.bits(results[1]))
}

fn reduced_small(x: Float<'_>) -> (Float<'_>, IntegerLanes<'_>) {
    let sum = x.fma(FRAC_2_PI, ROUNDING);
    let n = sum - ROUNDING;
    let r = n.fma(-HALF_PI_LOW, n.fma(-HALF_PI_HIGH, x));
    (r, sum.bits().low())
}

fn reduced_large(x: Float<'_>) -> (Float<'_>, IntegerLanes<'_>) {
    let parts = TWO_OVER_PI.map(|digits| without_fours(x * digits));
    let (mut total, mut error) = (parts[0], x.constant(0.0));
    for part in &parts[1..] {
        // Knuth's TwoSum.
        let sum = total + *part;
        let of_part = sum - total;
        let of_total = sum - of_part;
        error = error + ((total - of_total) + (*part - of_part));
        total = sum;
    }
    let sum = total + ROUNDING;
    let fraction = (total - (sum - ROUNDING)) + error;
    (fraction * FRAC_PI_2, sum.bits().low())
}

/// x minus the nearest multiple of 4; numbers from 2^53 on are multiples of 4 themselves.
fn without_fours(x: Float) -> Float {
    let quarter = x * 0.25;
    let rounded = (quarter + ROUNDING) - ROUNDING;
    let rounded = quarter.abs().is_below(2f64.powi(51)).select(rounded, quarter);
    x - rounded * 4.0
}

fn sine(r: Float) -> Float {
    let square = r * r;
    (r * square).fma(square.polynomial(SIN), r)
}

fn cosine(r: Float) -> Float {
    let square = r * r;
    (square * square).fma(square.polynomial(COS), square.fma(-0.5, 1.0))
}

/// A sign bit mask, set where the second last bit of `n` is set.
fn sign(n: IntegerLanes) -> IntegerLanes {
    n.shifted_left(30) & i64::from(i32::MIN)
}

/// The sine and the cosine of x.
pub fn sincos(x: Float<'_>) -> [Float<'_>; 2] {
    let (r, n) = reduced(x.abs());
    let r = r.narrowed();
    let (sine, cosine) = (sine(r), cosine(r));
    let is_odd = n.is_odd();
    let of_x = x.bits() & i64::from(i32::MIN);
    let sin = is_odd.select(cosine, sine).bits() ^ (sign(n) ^ of_x);
    let cos = is_odd.select(sine, cosine).bits() ^ sign(n + 1);
    [sin.float(), cos.float()]
}

/// Computed in f64, because the errors of the sine, the cosine and their quotient add up.
pub fn tan(x: Float) -> Float {
    let (r, n) = reduced(x.abs());
    let (sine, cosine) = (sine(r), cosine(r));
    let is_odd = n.is_odd();
    let quotient = is_odd.select(-cosine, sine) / is_odd.select(sine, cosine);
    let of_x = x.bits() & i64::from(i32::MIN);
    (quotient.narrowed().bits() ^ of_x).float()
}
