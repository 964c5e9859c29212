//! f64 arithmetic in all rounding modes. The host has only one mode, and no wider format to round from. So results are
//! computed with integers and a flag for lost bits, and rounded once.

use super::Rounding;

/// `±(significand + rest) * 2^exponent`, where the rest is between 0 and 1, and not 0 if the value `is_inexact`.
#[derive(Clone, Copy)]
struct Exact {
    is_negative: bool,
    significand: u128,
    exponent: i32,
    is_inexact: bool,
}

const FRACTION: i32 = 52;
const MIN_EXPONENT: i32 = -1074;

impl Exact {
    /// Converts a finite value.
    fn of(value: f64) -> Exact {
        let bits = value.to_bits();
        let (field, fraction) = ((bits >> FRACTION & 0x7ff) as i32, bits & ((1 << FRACTION) - 1));
        let hidden = u64::from(field > 0) << FRACTION;
        Exact {
            is_negative: value.is_sign_negative(),
            significand: u128::from(fraction | hidden),
            exponent: field.max(1) - 1 + MIN_EXPONENT,
            is_inexact: false,
        }
    }

    /// The same value with its highest bit at `place`, which is not lower than its current place.
    fn with_top_at(self, place: u32) -> Exact {
        let shift = place - self.significand.ilog2();
        let (significand, exponent) = (self.significand << shift, self.exponent - shift as i32);
        Exact { significand, exponent, ..self }
    }

    fn top(self) -> i32 {
        self.exponent + self.significand.ilog2() as i32
    }

    fn product(self, other: Exact) -> Exact {
        Exact {
            is_negative: self.is_negative != other.is_negative,
            significand: self.significand * other.significand,
            exponent: self.exponent + other.exponent,
            is_inexact: false,
        }
    }

    /// The sum of two nonzero values of at most 106 bits; the significand is zero if they cancel.
    fn sum(self, other: Exact) -> Exact {
        let (large, small) = if self.top() >= other.top() { (self, other) } else { (other, self) };
        // One bit is reserved for a carry. The bits that the smaller value loses are too low for cancellation.
        let large = large.with_top_at(126);
        let down = large.exponent - small.exponent;
        let (part, is_inexact) = match u32::try_from(down) {
            Ok(down) => {
                let part = small.significand.checked_shr(down).unwrap_or(0);
                (part, part.checked_shl(down) != Some(small.significand))
            }
            Err(_) => (small.significand << -down, false),
        };
        let adds = large.is_negative == small.is_negative;
        let (significand, is_swapped) = match adds {
            true => (large.significand + part, false),
            // Subtracting a nonzero rest borrows.
            false if large.significand >= part => {
                (large.significand - part - u128::from(is_inexact), false)
            }
            false => (part - large.significand, true),
        };
        let is_negative = large.is_negative != is_swapped;
        Exact { is_negative, significand, exponent: large.exponent, is_inexact }
    }

    /// Rounds. Inexact values must have more bits than fit, except values below the whole range.
    fn round(self, rounding: Rounding) -> f64 {
        let Exact { is_negative, significand, .. } = self;
        let sign = u64::from(is_negative) << 63;
        if significand == 0 {
            return f64::from_bits(sign);
        }
        let exponent = (self.top() - FRACTION).max(MIN_EXPONENT);
        let down = exponent - self.exponent;
        let (kept, rest, half) = match u32::try_from(down) {
            Err(_) | Ok(0) => (significand << -down, 0, 1),
            Ok(down) => {
                let kept = significand.checked_shr(down).unwrap_or(0);
                let rest = significand - kept.checked_shl(down).unwrap_or(0);
                // The half is out of range, so it is never reached.
                (kept, rest, 1_u128.checked_shl(down - 1).unwrap_or(u128::MAX))
            }
        };
        let is_lost = rest != 0 || self.is_inexact;
        let goes_out = match rounding {
            Rounding::Nearest => rest > half || rest == half && (self.is_inexact || kept % 2 == 1),
            Rounding::Zero => false,
            Rounding::Down => is_lost && is_negative,
            Rounding::Up => is_lost && !is_negative,
        };
        // The hidden bit increments the exponent by one, and so does a carry.
        let counted = ((exponent - MIN_EXPONENT) as u64) << FRACTION;
        let magnitude = counted + kept as u64 + u64::from(goes_out);
        let infinity = f64::INFINITY.to_bits();
        let is_infinite = match rounding {
            Rounding::Nearest => true,
            Rounding::Zero => false,
            Rounding::Down => is_negative,
            Rounding::Up => !is_negative,
        };
        let most = if is_infinite { infinity } else { infinity - 1 };
        f64::from_bits(sign | magnitude.min(most))
    }
}

/// `a + b`.
pub fn add(a: f64, b: f64, rounding: Rounding) -> f64 {
    fma(a, 1.0, b, rounding)
}

/// `a * b`.
pub fn mul(a: f64, b: f64, rounding: Rounding) -> f64 {
    match is_special(a) || is_special(b) {
        true => a * b,
        false => Exact::of(a).product(Exact::of(b)).round(rounding),
    }
}

/// `a * b + c`.
pub fn fma(a: f64, b: f64, c: f64, rounding: Rounding) -> f64 {
    if !(a.is_finite() && b.is_finite() && c.is_finite()) {
        return a.mul_add(b, c);
    }
    let product = Exact::of(a).product(Exact::of(b));
    let addend = Exact::of(c);
    let sum = match (product.significand, addend.significand) {
        (0, 0) => product,
        (0, _) => return c,
        (_, 0) => return product.round(rounding),
        _ => product.sum(addend),
    };
    // An exact zero by cancellation has the sign that the rounding mode requires (IEEE 754, 6.3).
    if sum.significand == 0 && product.is_negative != addend.is_negative {
        return if rounding == Rounding::Down { -0.0 } else { 0.0 };
    }
    sum.round(rounding)
}

/// `a / b`.
pub fn div(a: f64, b: f64, rounding: Rounding) -> f64 {
    if is_special(a) || is_special(b) {
        return a / b;
    }
    let (a, b) = (Exact::of(a).with_top_at(127), Exact::of(b));
    let quotient = Exact {
        is_negative: a.is_negative != b.is_negative,
        significand: a.significand / b.significand,
        exponent: a.exponent - b.exponent,
        is_inexact: !a.significand.is_multiple_of(b.significand),
    };
    quotient.round(rounding)
}

pub fn sqrt(a: f64, rounding: Rounding) -> f64 {
    if is_special(a) || a < 0.0 {
        return a.sqrt();
    }
    let exact = Exact::of(a);
    // Makes the exponent even.
    let place = if (exact.top() - 126) % 2 == 0 { 126 } else { 125 };
    let Exact { significand, exponent, .. } = exact.with_top_at(place);
    let root = significand.isqrt();
    let is_inexact = root * root != significand;
    let root = Exact { significand: root, exponent: exponent / 2, is_inexact, ..exact };
    root.round(rounding)
}

/// True for zeros, infinities and NaN, for which the host's results are right in all rounding modes.
fn is_special(value: f64) -> bool {
    value == 0.0 || !value.is_finite()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// All f64 values, with many near the ends of the range and near each other.
    fn finite_or_not() -> impl Strategy<Value = f64> {
        let near = (0..4_u64, 0..8_u64, any::<bool>()).prop_map(|(exponent, fraction, sign)| {
            let field = [0, 1, 1023, 2046][exponent as usize];
            f64::from_bits(u64::from(sign) << 63 | field << 52 | fraction)
        });
        prop_oneof![proptest::num::u64::ANY.prop_map(f64::from_bits), near, -4.0..4.0_f64]
    }

    fn is_same(found: f64, expected: f64) -> bool {
        found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan()
    }

    /// Rounding to nearest must equal the host's result; the other modes must give it or its neighbours.
    fn check(of: impl Fn(Rounding) -> f64, host: f64) {
        let [near, zero, down, up] =
            [Rounding::Nearest, Rounding::Zero, Rounding::Down, Rounding::Up].map(of);
        assert!(is_same(near, host), "found {near:e}, expected {host:e}");
        if host.is_nan() {
            assert!(zero.is_nan() && down.is_nan() && up.is_nan());
            return;
        }
        assert!(down == up || down.next_up() == up, "{down:e} and {up:e}");
        assert!(near == down || near == up, "{near:e} is not {down:e} or {up:e}");
        let toward_zero = if up > 0.0 { down } else { up };
        assert!(zero == toward_zero, "{zero:e} is not {toward_zero:e}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn sums_and_products(a in finite_or_not(), b in finite_or_not(), c in finite_or_not()) {
            check(|it| add(a, b, it), a + b);
            check(|it| mul(a, b, it), a * b);
            check(|it| fma(a, b, c, it), a.mul_add(b, c));
            // Nearly all bits cancel.
            check(|it| fma(a, b, -(a * b), it), a.mul_add(b, -(a * b)));
        }

        #[test]
        fn quotients_and_roots(a in finite_or_not(), b in finite_or_not()) {
            check(|it| div(a, b, it), a / b);
            check(|it| sqrt(a, it), a.sqrt());
        }
    }

    #[test]
    fn directions_are_kept_apart() {
        let third = 1.0_f64 / 3.0;
        assert_eq!(div(1.0, 3.0, Rounding::Down), third);
        assert_eq!(div(1.0, 3.0, Rounding::Up), third.next_up());
        assert_eq!(div(-1.0, 3.0, Rounding::Down), -third.next_up());
        // 2^-1074 is far below the last bit of 1.
        let tiny = f64::from_bits(1);
        assert_eq!(add(1.0, tiny, Rounding::Up), 1.0_f64.next_up());
        assert_eq!(add(1.0, -tiny, Rounding::Zero), 1.0_f64.next_down());
        assert_eq!(mul(tiny, tiny, Rounding::Up), tiny);
        assert_eq!(mul(tiny, -tiny, Rounding::Down), -tiny);
        assert_eq!(mul(f64::MAX, 2.0, Rounding::Zero), f64::MAX);
        assert_eq!(mul(f64::MAX, 2.0, Rounding::Up), f64::INFINITY);
        assert!(add(1.0, -1.0, Rounding::Down).is_sign_negative());
        assert!(add(1.0, -1.0, Rounding::Up).is_sign_positive());
    }
}
