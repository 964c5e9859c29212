//! `sin`, `cos` and `tan` of f64.
//!
//! ```text
//! |x| = n * pi/2 + r,   |r| <= pi/4     the last two bits of n choose sin(r) or cos(r), and the sign
//! ```
//! r is a pair of f64. There is one branch for all lanes:
//! - |x| < 2^20: pi/2 is the sum of four numbers; the first three have 33 digits, so their products with n are
//!   exact. (Cody and Waite, "Software Manual for the Elementary Functions", 1980.) The error of r is below 2^-130.
//! - otherwise x is an integer of 53 digits times 2^(e-52). It is multiplied by the 192 digits of 2/pi from the
//!   one of weight 2^(53-e); digits before these contribute multiples of 4 to the product. Integer arithmetic
//!   gives the last two digits before the point and 190 after it, with an error below 2^-137. (Payne and Hanek,
//!   "Radian reduction for trigonometric functions", 1983.) DIVERGENCE: the digits of 2/pi are not loaded from a
//!   table. 64-bit words of constants are selected by the bits of e, four steps as in a barrel shifter.
//!
//! No f64 is nearer to a multiple of pi/2 than 2^-61, so r has full precision.

use super::super::emit::{Float, IntegerLanes};
use super::super::exponential::ROUNDING_F64 as ROUNDING;
use super::super::pair::Pair;
use std::f64::consts::{FRAC_2_PI, FRAC_PI_2};

/// From here on, the reduction is by integers.
const LARGE: i32 = 20;
/// pi/2, in three parts of 33 digits and one of 53.
const HALF_PI_PARTS: [f64; 4] =
    [1.5707963267341256, 6.077100506303966e-11, 2.0222662487111665e-21, 8.4784276603689e-32];
const HALF_PI: [f64; 2] = [FRAC_PI_2, 6.123233995736766e-17];
/// The digits of 2/pi, after 34 zeros.
const TWO_OVER_PI: [u64; 19] = [
    0x0000_0000_28be_60db,
    0x9391_054a_7f09_d5f4,
    0x7d4d_3770_36d8_a566,
    0x4f10_e410_7f94_58ea,
    0xf7ae_f158_6dc9_1b8e,
    0x9093_74b8_0192_4bba,
    0x8274_6487_3f87_7ac7,
    0x2c4a_69cf_ba20_8d7d,
    0x4bae_d121_3a67_1c09,
    0xad17_df90_4e64_758e,
    0x60d4_ce7d_2721_17e2,
    0xef7e_4a0e_c7fe_25ff,
    0xf781_6603_fbcb_c462,
    0xd682_9b47_db4d_9fb3,
    0xc9f2_c26d_d3d1_8fd9,
    0xa797_fa8b_5d49_eeb1,
    0xfaf9_7c5e_cf41_ce7d,
    0xe294_a4ba_9afe_d7ec,
    0x47e3_5742_1580_cc11,
];
/// `(sin(r) - r) / r^3` in r^2: relative error of the sine 2^-63.
const SIN: &[f64] = &[
    -0.16666666666666666,
    0.00833333333333304,
    -0.00019841269840959307,
    2.7557319071917652e-06,
    -2.5052070303211558e-08,
    1.6054224531810297e-10,
    -7.384824497667223e-13,
];
/// `(cos(r) - 1 + r^2 / 2) / r^4` in r^2: relative error of the cosine 2^-63.
const COS: &[f64] = &[
    0.041666666666666595,
    -0.0013888888888873342,
    2.480158728900167e-05,
    -2.755731421675673e-07,
    2.087570533478761e-09,
    -1.1358744973784604e-11,
];

/// r, and an integer whose last bits are those of n.
fn reduced<'c>(magnitude: Float<'c>) -> (Pair<'c>, IntegerLanes<'c>) {
    let is_large = magnitude.is_at_least(2f64.powi(LARGE));
    let values = |(r, n): (Pair<'c>, IntegerLanes<'c>)| vec![r.high.value, r.low.value, n.value];
    let results = is_large.branch_if_any(
        |emit| {
            let magnitude = magnitude.within(emit);
            let is_large = magnitude.is_at_least(2f64.powi(LARGE));
            let (large, of_large) = reduced_large(magnitude);
            let (small, of_small) = reduced_small(magnitude);
            let high = is_large.select(large.high, small.high);
            let low = is_large.select(large.low, small.low);
            values((Pair { high, low }, is_large.choose(of_large, of_small)))
        },
        |emit| values(reduced_small(magnitude.within(emit))),
    );
    let emit = magnitude.emit();
    let [high, low] = [0, 1].map(|i| emit.float(results[i]));
    (Pair { high, low }, emit.bits(results[2]))
}

fn reduced_small(x: Float<'_>) -> (Pair<'_>, IntegerLanes<'_>) {
    let sum = x.fma(FRAC_2_PI, ROUNDING);
    let n = sum - ROUNDING;
    let [first, second, third, last] = HALF_PI_PARTS;
    let rest = n.fma(-first, x);
    let rest = Pair::sum(rest, n * -second);
    let rest2 = Pair::sum(rest.high, n * -third);
    let low = n.fma(-last, rest.low + rest2.low);
    (Pair::ordered_sum(rest2.high, low), sum.bits())
}

/// The three words of 2/pi from the digit of weight 2^(53-e).
fn digits(exponent: IntegerLanes<'_>) -> [IntegerLanes<'_>; 3] {
    let at = exponent - (1023 + i64::from(LARGE));
    let mut words: Vec<_> = TWO_OVER_PI.map(|word| exponent.constant(word as i64)).into();
    for bit in [3, 2, 1, 0] {
        let is_set = at.shifted_right(6 + bit).is_odd();
        let distance = 1 << bit;
        let count = 3 + distance;
        words = (0..count).map(|i| is_set.choose(words[i + distance], words[i])).collect();
    }
    let left = at & 63;
    let right = left ^ 63;
    [0, 1, 2].map(|i| {
        let next = words[i + 1].shifted_right(1).shifted_right(right);
        words[i].shifted_left(left) | next
    })
}

fn reduced_large<'c>(x: Float<'c>) -> (Pair<'c>, IntegerLanes<'c>) {
    const WORD: i64 = 0xffff_ffff;
    let bits = x.bits();
    // A number without a fraction or with fewer digits before the point selects digits too, and is not used.
    let words = digits(bits.shifted_right(52));
    let significand = (bits & 0xf_ffff_ffff_ffff) | (1 << 52);
    // From the last of 32 digits to the first.
    let factors: Vec<_> =
        words.iter().rev().flat_map(|word| [*word & WORD, word.shifted_right(32)]).collect();
    let mut product = vec![bits.constant(0); factors.len()];
    for (shift, part) in [significand & WORD, significand.shifted_right(32)].into_iter().enumerate()
    {
        let mut carry = bits.constant(0);
        for (i, factor) in factors[..factors.len() - shift].iter().enumerate() {
            let sum = *factor * part + product[i + shift] + carry;
            product[i + shift] = sum & WORD;
            carry = sum.shifted_right(32);
        }
    }
    // The point is two digits after the start. The fraction is signed, so n is rounded to nearest.
    let top = product[5];
    let n = (top + (1 << 29)).shifted_right(30);
    let negative = top.constant(0) - (top.shifted_right(29) & 1);
    let is_negative = negative & WORD;
    let fraction = |i: usize| {
        ((product[i].shifted_left(2) | product[i - 1].shifted_right(30)) & WORD) ^ is_negative
    };
    // The parts of 32 digits, exactly.
    let part = |i: usize| {
        let place = 32 * (6 - i as i64);
        let unit = top.constant((1075 - place) << 52).float();
        (fraction(i) | ((1075 - place) << 52)).float() - unit
    };
    let [a, b, c, d] = [5, 4, 3, 2].map(part);
    let (first, second) = (Pair::ordered_sum(a, b), Pair::ordered_sum(c, d));
    let turn = first.plus(second);
    let r = turn.times(Pair::constant(x, HALF_PI));
    let sign = negative & i64::MIN;
    let signed = |part: Float<'c>| (part.bits() ^ sign).float();
    // Infinity has no remainder.
    let is_finite = x.is_below(f64::INFINITY);
    let high = is_finite.select(signed(r.high), x.constant(f64::NAN));
    (Pair { high, low: signed(r.low) }, n)
}

/// `sin(r) = r.high + ..`: the second number.
fn sine_tail(r: Pair) -> Float {
    let square = r.high * r.high;
    let cube = r.high * square;
    let rest = square.polynomial(&SIN[1..]);
    let inner = square.fma(r.low * 0.5 - cube * rest, -r.low);
    -(inner - cube * SIN[0])
}

/// `cos(r)` as a sum.
fn cosine(r: Pair) -> Pair {
    let square = r.high * r.high;
    let half = square * 0.5;
    let one = square.constant(1.0);
    let high = one - half;
    let rest = (square * square).fma(square.polynomial(COS), -(r.high * r.low));
    Pair { high, low: ((one - high) - half) + rest }
}

/// A sign bit mask, set where the second last bit of `n` is set.
fn sign(n: IntegerLanes) -> IntegerLanes {
    n.shifted_left(62) & i64::MIN
}

/// The sine and the cosine of x.
pub fn sincos(x: Float<'_>) -> [Float<'_>; 2] {
    let (r, n) = reduced(x.abs());
    let (sine, cosine) = (r.high + sine_tail(r), cosine(r).rounded());
    let is_odd = n.is_odd();
    let of_x = x.bits() & i64::MIN;
    let sin = is_odd.select(cosine, sine).bits() ^ (sign(n) ^ of_x);
    let cos = is_odd.select(sine, cosine).bits() ^ sign(n + 1);
    [sin.float(), cos.float()]
}

/// The quotient of the sine and the cosine, both as pairs.
pub fn tan<'c>(x: Float<'c>) -> Float<'c> {
    let (r, n) = reduced(x.abs());
    let sine = Pair::ordered_sum(r.high, sine_tail(r));
    let cosine = cosine(r);
    let cosine = Pair::ordered_sum(cosine.high, cosine.low);
    let is_odd = n.is_odd();
    let choose = |yes: Pair<'c>, no: Pair<'c>| Pair {
        high: is_odd.select(yes.high, no.high),
        low: is_odd.select(yes.low, no.low),
    };
    let quotient = Pair::quotient(choose(cosine, sine), choose(sine, cosine));
    let of_x = x.bits() & i64::MIN;
    let of_n = n.shifted_left(63);
    (quotient.rounded().bits() ^ (of_x ^ of_n)).float()
}
