//! The functions of f64 with about 100 bits, as the reference of their expansions: series, Newton's method and
//! integers of many digits, on sums of two f64.

use std::ops::{Add, Div, Mul, Neg, Sub};
use std::sync::LazyLock;

/// The unevaluated sum of two f64; the second is at most half an ulp of the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wide(pub f64, pub f64);

/// `value * 2^exponent`, so that no result overflows or is subnormal.
#[derive(Clone, Copy, Debug)]
pub struct Exact {
    pub value: Wide,
    pub exponent: i32,
}

const LN_2: Wide = Wide(std::f64::consts::LN_2, 2.3190468138462996e-17);
const LN_10: Wide = Wide(std::f64::consts::LN_10, -2.1707562233822494e-16);
/// `2 / sqrt(pi)`
const TWO_OVER_ROOT_PI: Wide = Wide(std::f64::consts::FRAC_2_SQRT_PI, 1.533545961316588e-17);
const ONE: Wide = Wide(1.0, 0.0);
const TWO: Wide = Wide(2.0, 0.0);

fn sum(a: f64, b: f64) -> Wide {
    let s = a + b;
    let of_b = s - a;
    Wide(s, (a - (s - of_b)) + (b - of_b))
}

impl Add for Wide {
    type Output = Wide;
    fn add(self, other: Wide) -> Wide {
        let (high, low) = (sum(self.0, other.0), sum(self.1, other.1));
        let first = sum(high.0, high.1 + low.0);
        sum(first.0, first.1 + low.1)
    }
}

impl Neg for Wide {
    type Output = Wide;
    fn neg(self) -> Wide {
        Wide(-self.0, -self.1)
    }
}

impl Sub for Wide {
    type Output = Wide;
    fn sub(self, other: Wide) -> Wide {
        self + -other
    }
}

impl Mul for Wide {
    type Output = Wide;
    fn mul(self, other: Wide) -> Wide {
        let high = self.0 * other.0;
        sum(high, self.0.mul_add(other.0, -high) + (self.0 * other.1 + self.1 * other.0))
    }
}

impl Div for Wide {
    type Output = Wide;
    fn div(self, other: Wide) -> Wide {
        let first = self.0 / other.0;
        let rest = self - other * Wide(first, 0.0);
        let second = rest.0 / other.0;
        let rest = rest - other * Wide(second, 0.0);
        sum(first, second) + Wide(rest.0 / other.0, 0.0)
    }
}

impl Wide {
    fn times(self, factor: f64) -> Wide {
        self * Wide(factor, 0.0)
    }

    fn sqrt(self) -> Wide {
        if self.0 == 0.0 {
            return self;
        }
        let root = Wide(self.0.sqrt(), 0.0);
        root + (self - root * root) / root.times(2.0)
    }
}

/// Sums `first * ratio(1) * .. * ratio(n)` over n, until the terms do not change the sum.
fn series(first: Wide, ratio: impl Fn(f64) -> Wide) -> Wide {
    let (mut total, mut term) = (first, first);
    for n in 1..400 {
        term = term * ratio(f64::from(n));
        total = total + term;
        if term.0.abs() <= total.0.abs() * 1e-36 {
            break;
        }
    }
    total
}

/// `exp(x) - 1` for |x| < 1.
fn expm1_of_small(x: Wide) -> Wide {
    series(x, |n| x / Wide(n + 1.0, 0.0))
}

fn exp_of(x: Wide) -> Exact {
    let n = (x.0 / LN_2.0).round();
    let r = x - LN_2.times(n);
    Exact { value: ONE + expm1_of_small(r), exponent: n as i32 }
}

/// `log(1 + x)` for -1/2 < x <= 1.
fn log1p_of_small(x: Wide) -> Wide {
    if x.0 == 0.0 {
        return x;
    }
    // One step of Halley's method, which triples the number of correct digits.
    let first = Wide(x.0.ln_1p(), 0.0);
    let found = expm1_of_small(first);
    first + (x - found).times(2.0) / (x + found + TWO)
}

/// `log(x)` of a positive normal number times 2^exponent.
fn log_of(x: Wide, exponent: i32) -> Wide {
    let mut e = ((x.0.to_bits() >> 52) & 0x7ff) as i32 - 1023;
    let scaled = |e: i32| Wide(scale(x.0, -e), scale(x.1, -e));
    if scaled(e).0 > 1.4 {
        e += 1;
    }
    LN_2.times(f64::from(e + exponent)) + log1p_of_small(scaled(e) - ONE)
}

/// `x * 2^n`, for results that are normal or exact.
pub fn scale(x: f64, n: i32) -> f64 {
    let half = n / 2;
    x * 2f64.powi(half) * 2f64.powi(n - half)
}

fn log1p_of(x: Wide) -> Wide {
    if (-0.3..0.4).contains(&x.0) { log1p_of_small(x) } else { log_of(ONE + x, 0) }
}

/// `log(x)` of a positive f64.
fn log_of_any(x: f64) -> Wide {
    if x < f64::MIN_POSITIVE {
        log_of(Wide(x * 2f64.powi(60), 0.0), -60)
    } else {
        log_of(Wide(x, 0.0), 0)
    }
}

/// A number in fixed point: 64-bit words, the first of which is before the point.
type Fixed = [u64; WORDS];
/// Enough for the remainder of 2^1023 with more than 110 digits.
const WORDS: usize = 20;

fn subtract(a: &Fixed, b: &Fixed) -> Fixed {
    let (mut result, mut borrow) = (*a, false);
    for i in (0..WORDS).rev() {
        let (first, one) = a[i].overflowing_sub(b[i]);
        let (second, other) = first.overflowing_sub(borrow.into());
        (result[i], borrow) = (second, one | other);
    }
    result
}

fn add(a: &Fixed, b: &Fixed) -> Fixed {
    let zero = [0; WORDS];
    subtract(a, &subtract(&zero, b))
}

fn divided(a: &Fixed, by: u64) -> Fixed {
    let (mut result, mut rest) = ([0; WORDS], 0u128);
    for i in 0..WORDS {
        let whole = rest << 64 | u128::from(a[i]);
        result[i] = (whole / u128::from(by)) as u64;
        rest = whole % u128::from(by);
    }
    result
}

/// `factor * atan(1 / n)`, by its series.
fn inverse_tangent(factor: u64, n: u64) -> Fixed {
    let mut power = [0; WORDS];
    power[0] = factor;
    power = divided(&power, n);
    let mut total = power;
    for k in 1.. {
        power = divided(&power, n * n);
        let term = divided(&power, 2 * k + 1);
        if term == [0; WORDS] {
            break;
        }
        total = if k % 2 == 1 { subtract(&total, &term) } else { add(&total, &term) };
    }
    total
}

/// pi/2, by Machin's formula.
static HALF_PI: LazyLock<Fixed> =
    LazyLock::new(|| subtract(&inverse_tangent(8, 5), &inverse_tangent(2, 239)));

fn to_wide(x: &Fixed) -> Wide {
    let word = |i: usize, shift: u32| {
        let digits = ((x[i] >> shift) & 0xffff_ffff) as f64;
        Wide(scale(digits, shift as i32 - 64 * i as i32), 0.0)
    };
    let first = x.iter().position(|word| *word != 0).unwrap_or(0);
    let words = (first..WORDS.min(first + 4)).rev();
    let parts = words.flat_map(|i| [word(i, 0), word(i, 32)]);
    parts.fold(Wide(0.0, 0.0), |total, part| total + part)
}

/// `x = n * pi/2 + r` for x from 2^-40 on, with |r| <= pi/4. The digits of x before the point follow each other,
/// and each doubles the remainder.
fn remainder(x: f64) -> (Wide, u32) {
    let exponent = (x.to_bits() >> 52) as i32 - 1023;
    let significand = (x.to_bits() & ((1 << 52) - 1)) | 1 << 52;
    let digit = |place: i32| {
        let from_last = place - (exponent - 52);
        if (0..53).contains(&from_last) { (significand >> from_last) & 1 } else { 0 }
    };
    let (mut rest, mut n) = ([0; WORDS], 0u32);
    let reduce = |rest: &mut Fixed, n: &mut u32| {
        while *rest >= *HALF_PI {
            *rest = subtract(rest, &HALF_PI);
            *n = n.wrapping_add(1);
        }
    };
    for place in (0..=exponent).rev() {
        rest = add(&rest, &rest);
        n = n.wrapping_mul(2);
        rest[0] += digit(place);
        reduce(&mut rest, &mut n);
    }
    for place in 1..=128_usize {
        let mut one = [0; WORDS];
        one[place.div_ceil(64)] = digit(-(place as i32)) << ((64 - place % 64) % 64);
        rest = add(&rest, &one);
    }
    reduce(&mut rest, &mut n);
    let opposite = subtract(&HALF_PI, &rest);
    match rest > opposite {
        true => (-to_wide(&opposite), n.wrapping_add(1)),
        false => (to_wide(&rest), n),
    }
}

/// The sine and the cosine.
fn sine_and_cosine(x: f64) -> (Wide, Wide) {
    let (r, n) =
        if x.abs() < 2f64.powi(-40) { (Wide(x.abs(), 0.0), 0) } else { remainder(x.abs()) };
    let square = -(r * r);
    let sine = series(r, |n| square / Wide(2.0 * n * (2.0 * n + 1.0), 0.0));
    let cosine = series(ONE, |n| square / Wide(2.0 * n * (2.0 * n - 1.0), 0.0));
    let (sine, cosine) = match n % 4 {
        0 => (sine, cosine),
        1 => (cosine, -sine),
        2 => (-sine, -cosine),
        _ => (-cosine, sine),
    };
    (if x < 0.0 { -sine } else { sine }, cosine)
}

fn erf_of(x: Wide) -> Wide {
    let square = x * x;
    let Exact { value, exponent } = exp_of(-square);
    let total = series(x, |n| square.times(2.0) / Wide(2.0 * n + 1.0, 0.0));
    (TWO_OVER_ROOT_PI * total * value).times(2f64.powi(exponent))
}

fn erfc_of(x: f64) -> Exact {
    let wide = Wide(x, 0.0);
    if x < 3.0 {
        let magnitude = erf_of(Wide(x.abs().min(8.0), 0.0));
        let value = if x < 0.0 { ONE + magnitude } else { ONE - magnitude };
        return Exact { value, exponent: 0 };
    }
    // A continued fraction: x + (1/2) / (x + (2/2) / (x + (3/2) / ..)).
    let fraction =
        (1..400).rev().fold(wide, |below, n| wide + Wide(f64::from(n) / 2.0, 0.0) / below);
    let Exact { value, exponent } = exp_of(-(wide * wide));
    Exact { value: value * TWO_OVER_ROOT_PI.times(0.5) / fraction, exponent }
}

/// `expm1(x)`, for |x| up to 800.
fn expm1_of(x: Wide) -> Exact {
    if x.0.abs() < 0.5 {
        return plain(expm1_of_small(x));
    }
    let Exact { value, exponent } = exp_of(x);
    // Beyond 2^200 the one is negligible.
    let one = if exponent > 200 { 0.0 } else { 2f64.powi(-exponent) };
    Exact { value: value - Wide(one, 0.0), exponent }
}

fn plain(value: Wide) -> Exact {
    Exact { value, exponent: 0 }
}

/// `exp(x) + sign * exp(-x)`, halved.
fn hyperbolic(x: f64, sign: f64) -> Exact {
    let Exact { value, exponent } = exp_of(Wide(x, 0.0));
    let other = ONE / value;
    let other = if exponent > 100 { Wide(0.0, 0.0) } else { other.times(2f64.powi(-2 * exponent)) };
    Exact { value: value + other.times(sign), exponent: exponent - 1 }
}

fn sinh_of_magnitude(x: f64) -> Exact {
    if x < 1.0 {
        let (x, square) = (Wide(x, 0.0), Wide(x, 0.0) * Wide(x, 0.0));
        return plain(series(x, |n| square / Wide(2.0 * n * (2.0 * n + 1.0), 0.0)));
    }
    hyperbolic(x, -1.0)
}

fn tanh_of_magnitude(x: f64) -> Exact {
    let Exact { value, exponent } = expm1_of(Wide(2.0 * x.min(40.0), 0.0));
    let value = value.times(2f64.powi(exponent));
    plain(value / (value + TWO))
}

fn asinh_of_magnitude(x: f64) -> Exact {
    if x > 1e30 {
        return plain(log_of_any(x) + LN_2);
    }
    let (x, square) = (Wide(x, 0.0), Wide(x, 0.0) * Wide(x, 0.0));
    plain(log1p_of(x + square / (ONE + (ONE + square).sqrt())))
}

fn acosh(x: f64) -> Exact {
    if x > 1e30 {
        return plain(log_of_any(x) + LN_2);
    }
    let t = Wide(x, 0.0) - ONE;
    plain(log1p_of(t + (t * (t + TWO)).sqrt()))
}

/// An odd function, from its values at magnitudes. A subnormal argument is its own value.
fn odd(x: f64, of_magnitude: impl Fn(f64) -> Exact) -> Exact {
    let exact = if x.abs() < 1e-200 { plain(Wide(x.abs(), 0.0)) } else { of_magnitude(x.abs()) };
    if x.is_sign_negative() { Exact { value: -exact.value, ..exact } } else { exact }
}

/// The value of a function at a finite number of its domain, where it is finite.
pub fn value(name: &str, x: f64) -> Exact {
    let wide = Wide(x, 0.0);
    // Here the first order of the function is exact to 300 digits, and higher ones would underflow.
    let is_tiny = x.abs() < 1e-200;
    match name {
        "acosh" => acosh(x),
        "asinh" => odd(x, asinh_of_magnitude),
        "atanh" => odd(x, |x| {
            let wide = Wide(x, 0.0);
            plain(log1p_of(wide.times(2.0) / (ONE - wide)).times(0.5))
        }),
        "cos" => plain(sine_and_cosine(x).1),
        "cosh" => hyperbolic(x.abs(), 1.0),
        "erf" if is_tiny => {
            Exact { value: TWO_OVER_ROOT_PI * Wide(scale(x, 300), 0.0), exponent: -300 }
        }
        "erf" => odd(x, |x| plain(erf_of(Wide(x.min(8.0), 0.0)))),
        "erfc" => erfc_of(x),
        "exp" => exp_of(wide),
        "exp2" => {
            let n = x.round();
            Exact { value: ONE + expm1_of_small(Wide(x - n, 0.0) * LN_2), exponent: n as i32 }
        }
        "expm1" if is_tiny => plain(wide),
        "expm1" => expm1_of(wide),
        "log" => plain(log_of_any(x)),
        "log10" => plain(log_of_any(x) / LN_10),
        "log1p" if is_tiny => plain(wide),
        "log1p" => plain(log1p_of(wide)),
        "log2" => plain(log_of_any(x) / LN_2),
        "sin" => odd(x, |x| plain(sine_and_cosine(x).0)),
        "sinh" => odd(x, sinh_of_magnitude),
        "tan" => odd(x, |x| {
            let (sine, cosine) = sine_and_cosine(x);
            plain(sine / cosine)
        }),
        "tanh" => odd(x, tanh_of_magnitude),
        _ => panic!("{name} has no reference"),
    }
}

/// `x^y` of positive numbers.
pub fn power(x: f64, y: Wide) -> Exact {
    exp_of(log_of_any(x) * y)
}

/// The error of `found` in ulp of f64 at the exact value; infinity counts as the next power of two.
pub fn error(found: f64, exact: Exact) -> f64 {
    let Exact { value, exponent } = exact;
    let binade = ((value.0.to_bits() >> 52) & 0x7ff) as i32 - 1023 + exponent;
    if binade > 1023 {
        return if found == f64::INFINITY.copysign(value.0) { 0.0 } else { f64::INFINITY };
    }
    let unit = binade.max(-1022) - 52;
    // Both in units.
    let found = if found.is_infinite() {
        2f64.powi(1023 - unit) * 2.0 * found.signum()
    } else {
        scale(found, -unit)
    };
    let wide = Wide(scale(value.0, exponent - unit), scale(value.1, exponent - unit));
    let difference = Wide(found, 0.0) - wide;
    (difference.0 + difference.1).abs()
}
