//! Floating-point arithmetic as PTX defines it, where it differs from the host's: rounding modes, 16-bit formats, NaN,
//! zeros and subnormals.
//!
//! Narrow results are exact because of *rounding to odd*: the exact value is rounded to 53 bits such that the last bit
//! is set if anything was lost (Boldo and Melquiond, "Emulation of a FMA and correctly rounded sums", 2008). Rounding
//! such a value to a format of at most 51 bits, in any direction, gives the same result as rounding the exact value.

pub mod double;

use half::{bf16, f16};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// To the nearest, ties to even.
    Nearest,
    Zero,
    Down,
    Up,
}

/// A binary format.
#[derive(Clone, Copy)]
pub struct Format {
    /// Bits of the significand after the binary point.
    pub fraction: i32,
    pub min_exponent: i32,
    pub max: f64,
}

pub const F16: Format = Format { fraction: 10, min_exponent: -14, max: 65504.0 };
pub const BF16: Format = Format { fraction: 7, min_exponent: -126, max: 3.3895313892515355e38 };
pub const F32: Format = Format { fraction: 23, min_exponent: -126, max: f32::MAX as f64 };

/// Rounds to a format; the result is exact in it.
pub fn round_to(value: f64, format: Format, rounding: Rounding) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    let exponent = (value.to_bits() >> 52 & 0x7ff) as i32 - 1023;
    let quantum = power_of_two(exponent.max(format.min_exponent) - format.fraction);
    // Both scalings are by powers of two and exact: the ranges of all formats here end far above f64's smallest values.
    let rounded = integral(value / quantum, rounding) * quantum;
    if rounded.abs() <= format.max {
        return rounded.copysign(value);
    }
    let goes_out = match rounding {
        Rounding::Nearest => true,
        Rounding::Zero => false,
        Rounding::Down => value < 0.0,
        Rounding::Up => value > 0.0,
    };
    if goes_out { f64::INFINITY.copysign(value) } else { format.max.copysign(value) }
}

fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

/// Rounds to an integer.
pub fn integral(value: f64, rounding: Rounding) -> f64 {
    match rounding {
        Rounding::Nearest => value.round_ties_even(),
        Rounding::Zero => value.trunc(),
        Rounding::Down => value.floor(),
        Rounding::Up => value.ceil(),
    }
}

/// Rounds to odd: `rounded` is the exact value rounded to nearest, and `error` is the difference to the exact value, or
/// has its sign.
pub fn to_odd(rounded: f64, error: f64) -> f64 {
    let bits = rounded.to_bits();
    if error == 0.0 || error.is_nan() || !rounded.is_finite() || bits & 1 == 1 {
        return rounded;
    }
    let is_larger = (error > 0.0) == (rounded > 0.0);
    f64::from_bits(if is_larger { bits + 1 } else { bits - 1 })
}

/// `a + b`, rounded to odd.
pub fn add_to_odd(a: f64, b: f64) -> f64 {
    let sum = a + b;
    let b_part = sum - a;
    to_odd(sum, (a - (sum - b_part)) + (b - b_part))
}

/// Like [`add_to_odd`], but a sum that is exactly zero has the sign that the rounding mode requires: minus for rounding
/// down, unless both operands are plus zero (IEEE 754, 6.3).
pub fn add_toward(a: f64, b: f64, rounding: Rounding) -> f64 {
    let sum = add_to_odd(a, b);
    let cancels = sum == 0.0 && a.is_sign_negative() != b.is_sign_negative();
    if cancels && rounding == Rounding::Down { -0.0 } else { sum }
}

/// `a * b + c`, rounded to odd. The product must be exact in f64: that of two f32 is.
pub fn fma_to_odd(a: f64, b: f64, c: f64) -> f64 {
    add_to_odd(a * b, c)
}

/// `a / b`, rounded to odd; both operands are f32 values.
pub fn div_to_odd(a: f64, b: f64) -> f64 {
    let quotient = a / b;
    if !quotient.is_finite() || quotient == 0.0 {
        return quotient;
    }
    let rest = (-quotient).mul_add(b, a);
    to_odd(quotient, if b < 0.0 { -rest } else { rest })
}

/// The square root of an f32, rounded to odd.
pub fn sqrt_to_odd(a: f64) -> f64 {
    let root = a.sqrt();
    to_odd(root, (-root).mul_add(root, a))
}

/// A floating-point type with PTX's rules.
pub trait Float: crate::registers::Scalar {
    const FORMAT: Option<Format>;
    const CANONICAL_NAN: Self;
    fn to_f64(self) -> f64;
    /// Converts a value that is exact in this type, an infinity or NaN.
    fn from_exact(value: f64) -> Self;

    fn round(value: f64, rounding: Rounding) -> Self {
        if value.is_nan() {
            return Self::CANONICAL_NAN;
        }
        Self::from_exact(match Self::FORMAT {
            Some(format) => round_to(value, format, rounding),
            None => value,
        })
    }

    fn is_subnormal(self) -> bool;

    /// `.ftz`: a subnormal becomes a zero of its sign.
    #[inline(always)]
    fn flush(self) -> Self {
        if self.is_subnormal() { Self::from_exact(0_f64.copysign(self.to_f64())) } else { self }
    }
}

impl Float for f32 {
    const FORMAT: Option<Format> = Some(F32);
    const CANONICAL_NAN: f32 = f32::from_bits(0x7fff_ffff);

    #[inline(always)]
    fn to_f64(self) -> f64 {
        f64::from(self)
    }

    #[inline(always)]
    fn from_exact(value: f64) -> f32 {
        value as f32
    }

    fn round(value: f64, rounding: Rounding) -> f32 {
        if value.is_nan() {
            return Self::CANONICAL_NAN;
        }
        let nearest = value as f32;
        let found = f64::from(nearest);
        match rounding {
            Rounding::Zero if found.abs() > value.abs() => f32::from_bits(nearest.to_bits() - 1),
            Rounding::Down if found > value => nearest.next_down(),
            Rounding::Up if found < value => nearest.next_up(),
            _ => nearest,
        }
    }

    #[inline(always)]
    fn is_subnormal(self) -> bool {
        f32::is_subnormal(self)
    }

    #[inline(always)]
    fn flush(self) -> f32 {
        let bits = self.to_bits();
        if bits & 0x7f80_0000 == 0 { f32::from_bits(bits & 0x8000_0000) } else { self }
    }
}

impl Float for f64 {
    const FORMAT: Option<Format> = None;
    const CANONICAL_NAN: f64 = f64::NAN;

    #[inline(always)]
    fn to_f64(self) -> f64 {
        self
    }

    #[inline(always)]
    fn from_exact(value: f64) -> f64 {
        value
    }

    fn is_subnormal(self) -> bool {
        f64::is_subnormal(self)
    }
}

impl Float for f16 {
    const FORMAT: Option<Format> = Some(F16);
    const CANONICAL_NAN: f16 = f16::from_bits(0x7fff);

    fn to_f64(self) -> f64 {
        f16::to_f64(self)
    }

    fn from_exact(value: f64) -> f16 {
        f16::from_f32(value as f32)
    }

    fn is_subnormal(self) -> bool {
        self.to_bits() & 0x7c00 == 0 && self.to_bits() & 0x3ff != 0
    }
}

impl Float for bf16 {
    const FORMAT: Option<Format> = Some(BF16);
    const CANONICAL_NAN: bf16 = bf16::from_bits(0x7fff);

    fn to_f64(self) -> f64 {
        bf16::to_f64(self)
    }

    fn from_exact(value: f64) -> bf16 {
        bf16::from_bits(((value as f32).to_bits() >> 16) as u16)
    }

    fn is_subnormal(self) -> bool {
        self.to_bits() & 0x7f80 == 0 && self.to_bits() & 0x7f != 0
    }
}

/// Replaces any NaN by the canonical NaN, as for results of arithmetic of all types except f64.
#[inline(always)]
pub fn canonical(value: f32) -> f32 {
    if value.is_nan() { <f32 as Float>::CANONICAL_NAN } else { value }
}

/// The smaller value. For a NaN and a number it is the number; -0 is less than +0.
pub fn min<T: Float>(a: T, b: T) -> T {
    pick(a, b, |a, b| a < b || a == b && a.is_sign_negative())
}

/// The larger value; see [`min`].
pub fn max<T: Float>(a: T, b: T) -> T {
    pick(a, b, |a, b| a > b || a == b && a.is_sign_positive())
}

#[inline(always)]
fn pick<T: Float>(a: T, b: T, takes_first: impl Fn(f64, f64) -> bool) -> T {
    let (x, y) = (a.to_f64(), b.to_f64());
    match (x.is_nan(), y.is_nan()) {
        (true, true) => T::CANONICAL_NAN,
        (true, false) => b,
        (false, true) => a,
        _ if takes_first(x, y) => a,
        _ => b,
    }
}

/// `.sat`: clamps to the range from 0 to 1; NaN becomes 0.
pub fn saturate<T: Float>(value: T) -> T {
    let found = value.to_f64();
    // NaN is not above 0, and neither is -0.
    T::from_exact(if found > 0.0 { found.min(1.0) } else { 0.0 })
}

/// Rounding of values that are between two tf32 values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tf32Rounding {
    /// To nearest, ties to even.
    TiesToEven,
    /// To nearest, ties away from zero.
    TiesAway,
    Zero,
}

/// Rounds to 10 bits of fraction, with the exponent range of f32.
pub fn to_tf32(value: f32, rounding: Tf32Rounding) -> f32 {
    if !value.is_finite() {
        return canonical(value);
    }
    let bits = value.to_bits();
    let added = match rounding {
        Tf32Rounding::TiesToEven => 0xfff + (bits >> 13 & 1),
        Tf32Rounding::TiesAway => 0x1000,
        Tf32Rounding::Zero => 0,
    };
    f32::from_bits((bits + added) & !0x1fff)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The neighbours of a value in a 16-bit format, found by trying all values.
    fn candidates<T: Float>(from_bits: fn(u16) -> T) -> Vec<f64> {
        let all = (0..=u16::MAX).map(from_bits).map(T::to_f64).filter(|it| it.is_finite());
        let mut all: Vec<_> = all.collect();
        all.sort_by(f64::total_cmp);
        all.dedup();
        all
    }

    fn check<T: Float>(value: f64, sorted: &[f64]) {
        let above = sorted.partition_point(|it| *it < value);
        let (up, down) = (sorted.get(above), sorted[..above].last());
        let exact = up == Some(&value);
        let up = up.copied().unwrap_or(f64::INFINITY);
        let down = if exact { value } else { down.copied().unwrap_or(f64::NEG_INFINITY) };
        assert_eq!(T::round(value, Rounding::Up).to_f64(), up, "{value} up");
        assert_eq!(T::round(value, Rounding::Down).to_f64(), down, "{value} down");
        let zero = if value > 0.0 { down } else { up };
        assert_eq!(T::round(value, Rounding::Zero).to_f64(), zero, "{value} to zero");
        let nearest = T::round(value, Rounding::Nearest).to_f64();
        assert!(nearest == up || nearest == down, "{value} gives {nearest}");
        if up.is_finite() && down.is_finite() && !exact {
            let (from_up, from_down) = (up - value, value - down);
            assert!(nearest != up || from_up <= from_down, "{value}");
            assert!(nearest != down || from_down <= from_up, "{value}");
        }
    }

    #[test]
    fn rounds_to_neighbours_in_formats_of_16_bits() {
        let (halves, brains) =
            (candidates::<f16>(f16::from_bits), candidates::<bf16>(bf16::from_bits));
        let mut state = 1_u64;
        for _ in 0..20_000 {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let (sign, exponent) = (state >> 63, 1023 - 40 + (state >> 32) % 80);
            let value =
                f64::from_bits(sign << 63 | exponent << 52 | state >> 12 & 0xf_ffff_ffff_ffff);
            check::<f16>(value, &halves);
            check::<bf16>(value, &brains);
        }
        for value in [65504.0, 65519.9, 65520.0, -65520.0, 1e-8, -1e-8, 5.960464477539063e-8] {
            check::<f16>(value, &halves);
        }
        assert_eq!(f16::round(65519.9, Rounding::Nearest).to_f64(), 65504.0);
        assert_eq!(f16::round(65520.0, Rounding::Nearest).to_f64(), f64::INFINITY);
    }

    #[test]
    fn nearest_agrees_with_the_half_crate() {
        for bits in (0..u32::MAX).step_by(65_521) {
            let value = f32::from_bits(bits);
            if !value.is_nan() {
                let wide = f64::from(value);
                assert_eq!(f16::round(wide, Rounding::Nearest), f16::from_f32(value), "{value}");
                assert_eq!(bf16::round(wide, Rounding::Nearest), bf16::from_f32(value), "{value}");
            }
        }
    }

    proptest! {
        /// The host's fused multiply-add rounds once too.
        #[test]
        fn fma_by_odd_rounds_once(a: u32, b: u32, c: u32) {
            let [a, b, c] = [a, b, c].map(f32::from_bits);
            let expected = a.mul_add(b, c);
            let odd = fma_to_odd(f64::from(a), f64::from(b), f64::from(c));
            let found = <f32 as Float>::round(odd, Rounding::Nearest);
            prop_assert!(found == expected || found.is_nan() && expected.is_nan());
        }

        #[test]
        fn quotients_and_roots_round_once(a: u32, b: u32) {
            let (a, b) = (f32::from_bits(a), f32::from_bits(b));
            let found = <f32 as Float>::round(div_to_odd(a.into(), b.into()), Rounding::Nearest);
            prop_assert!(found == a / b || found.is_nan() && (a / b).is_nan());
            let found = <f32 as Float>::round(sqrt_to_odd(a.into()), Rounding::Nearest);
            prop_assert!(found == a.sqrt() || found.is_nan() && a.sqrt().is_nan());
        }
    }

    #[test]
    fn fma_of_near_ties_rounds_once() {
        // 1 + 2^-8 is a tie of bf16. The sum with 2^-120 is rounded up, although f64 cannot hold it.
        let (tie, tiny) = (1.0 + 0.00390625, power_of_two(-120));
        let rounded = |sum| bf16::round(sum, Rounding::Nearest).to_f64();
        assert_eq!(rounded(fma_to_odd(tie, 1.0, tiny)), 1.0078125);
        assert_eq!(rounded(fma_to_odd(tie, 1.0, -tiny)), 1.0);
        assert_eq!(rounded(tie), 1.0);
    }

    #[test]
    fn min_and_max_prefer_numbers_and_order_zeros() {
        assert_eq!(min(f32::NAN, 1.0), 1.0);
        assert_eq!(max(2.0, f64::NAN), 2.0);
        assert_eq!(min(f32::NAN, f32::NAN).to_bits(), 0x7fff_ffff);
        assert!(min(0.0_f32, -0.0).is_sign_negative() && min(-0.0_f32, 0.0).is_sign_negative());
        assert!(max(0.0_f32, -0.0).is_sign_positive() && max(-0.0_f32, 0.0).is_sign_positive());
    }

    #[test]
    fn saturation_and_flushing() {
        assert_eq!([f32::NAN, -1.0, 0.25, 7.0].map(saturate), [0.0, 0.0, 0.25, 1.0]);
        assert_eq!(f32::from_bits(0x8000_0001).flush().to_bits(), 0x8000_0000);
        assert_eq!(f32::MIN_POSITIVE.flush(), f32::MIN_POSITIVE);
    }

    #[test]
    fn tf32_has_ten_bits() {
        use Tf32Rounding::{TiesAway, TiesToEven, Zero};
        for (bits, rounding, expected) in [
            (0x3f80_1000, TiesAway, 0x3f80_2000),
            (0x3f80_1000, TiesToEven, 0x3f80_0000),
            (0x3f80_1001, TiesToEven, 0x3f80_2000),
            (0x3f80_1fff, Zero, 0x3f80_0000),
            (0xbf80_1fff, Zero, 0xbf80_0000),
        ] {
            assert_eq!(to_tf32(f32::from_bits(bits), rounding).to_bits(), expected, "{bits:#x}");
        }
    }
}
