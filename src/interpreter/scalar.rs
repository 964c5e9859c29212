//! Scalars and their types.

use super::narrow_float;
use crate::ir::{FloatKind, Type, TypeKind};
use half::{bf16, f16};

/// The value of a scalar. Integers and index values are sign-extended from their width (i1: 0 or 1);
/// a float is kept as the double of the same value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar {
    /// An integer or index.
    Int(i64),
    /// A float.
    Float(f64),
    /// Read from memory that was never written. It may be copied; computing with it is an error.
    Undefined,
}

/// The type of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScalarType {
    /// MLIR's index, of 64 bits.
    Index,
    /// An integer of that many bits, 1 to 64.
    Int(u32),
    /// A float of this kind.
    Float(FloatKind),
}

impl ScalarType {
    /// The scalar type of an MLIR type; `None` for all other types.
    pub fn of(ty: Type) -> Option<ScalarType> {
        match ty.kind() {
            TypeKind::Index => Some(ScalarType::Index),
            TypeKind::Integer(bits @ 1..=64) => Some(ScalarType::Int(bits)),
            TypeKind::Float(kind) => Some(ScalarType::Float(kind)),
            _ => None,
        }
    }

    /// The width in bits; 64 for index.
    pub fn bits(self) -> u32 {
        match self {
            ScalarType::Index | ScalarType::Float(FloatKind::F64) => 64,
            ScalarType::Int(bits) => bits,
            ScalarType::Float(FloatKind::F32) => 32,
            ScalarType::Float(FloatKind::F16 | FloatKind::BF16) => 16,
            ScalarType::Float(FloatKind::Narrow(narrow)) => narrow.bits(),
        }
    }

    /// The bits of a value of this type, zero-extended; `None` if it is undefined.
    pub fn bits_of(self, value: Scalar) -> Option<u64> {
        match (value, self) {
            (Scalar::Float(value), ScalarType::Float(kind)) => Some(match kind {
                FloatKind::F64 => value.to_bits(),
                FloatKind::F32 => (value as f32).to_bits().into(),
                FloatKind::F16 => f16::from_f64(value).to_bits().into(),
                FloatKind::BF16 => bf16::from_f64(value).to_bits().into(),
                FloatKind::Narrow(narrow) => narrow_float::bits_of(narrow, value),
            }),
            (Scalar::Int(value), _) => Some(value as u64 & (u64::MAX >> (64 - self.bits()))),
            _ => None,
        }
    }

    /// The value of this type that has these low bits.
    pub fn with_bits(self, bits: u64) -> Scalar {
        match self {
            ScalarType::Index | ScalarType::Int(_) => Scalar::Int(self.wrap(bits as i64)),
            ScalarType::Float(kind) => Scalar::Float(match kind {
                FloatKind::Narrow(narrow) => narrow_float::with_bits(narrow, bits),
                _ => kind.with_bits(bits).expect("all other floats have a number"),
            }),
        }
    }

    /// The integer of this type that has the low bits of `value`.
    pub fn wrap(self, value: i64) -> i64 {
        match self.bits() {
            1 => value & 1,
            bits => {
                let unused = 64 - bits;
                (value << unused) >> unused
            }
        }
    }
}

impl Scalar {
    /// The value of an integer or index.
    pub fn int(self) -> Option<i64> {
        match self {
            Scalar::Int(value) => Some(value),
            _ => None,
        }
    }

    /// The value of a float.
    pub fn float(self) -> Option<f64> {
        match self {
            Scalar::Float(value) => Some(value),
            _ => None,
        }
    }
}

impl std::fmt::Display for Scalar {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Scalar::Int(value) => value.fmt(f),
            Scalar::Float(value) => value.fmt(f),
            Scalar::Undefined => f.write_str("undefined"),
        }
    }
}

/// The nearest value of the float type, ties to even.
#[inline]
pub fn round(kind: FloatKind, value: f64) -> f64 {
    match kind {
        FloatKind::F64 => value,
        FloatKind::F32 => f64::from(value as f32),
        FloatKind::F16 => round_to(value, 11, -14, 65504.0),
        FloatKind::BF16 => round_to(value, 8, -126, f32::from_bits(0x7f7f_0000).into()),
        FloatKind::Narrow(narrow) => narrow_float::round(narrow, value),
    }
}

/// Rounds to a type with this precision in bits, smallest normal exponent and largest value. (The half
/// crate converts through f32, and so rounds twice.)
pub(super) fn round_to(value: f64, precision: i32, lowest: i32, largest: f64) -> f64 {
    if !value.is_finite() {
        return value;
    }
    let exponent = ((value.to_bits() >> 52) & 0x7ff) as i32 - 1023;
    let unit = f64::from_bits(((exponent.max(lowest) - precision + 1 + 1023) as u64) << 52);
    // Division and multiplication by a power of 2 are exact here.
    let rounded = (value / unit).round_ties_even() * unit;
    if rounded.abs() > largest { f64::INFINITY.copysign(value) } else { rounded }
}

/// Rounds `high + low`, where `high` is the nearest double, to odd. Rounding the result to a type of at most 51
/// bits then equals rounding the exact sum once.
pub fn round_to_odd(high: f64, low: f64) -> f64 {
    if low == 0.0 || !high.is_finite() || high.to_bits() & 1 == 1 {
        return high;
    }
    // The last bit of `high` is 0, and the exact sum is not a double: the neighbour in the direction of the sum is odd.
    let away_from_zero = (low > 0.0) == (high > 0.0);
    f64::from_bits(if away_from_zero { high.to_bits() + 1 } else { high.to_bits() - 1 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The nearest finite value of a 16-bit type, by brute force over all its bit patterns.
    fn nearest(kind: FloatKind, value: f64) -> f64 {
        let of = |bits: u16| match kind {
            FloatKind::F16 => half::f16::from_bits(bits).to_f64(),
            _ => half::bf16::from_bits(bits).to_f64(),
        };
        let distance = |bits: &u16| (of(*bits) - value).abs();
        let all = (0..=u16::MAX).filter(|bits| of(*bits).is_finite());
        let best =
            all.min_by(|a, b| distance(a).total_cmp(&distance(b)).then((a & 1).cmp(&(b & 1))));
        best.map_or(f64::NAN, of)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20))]
        #[test]
        fn sixteen_bit_floats_round_to_nearest_even(
            mantissa in 0..1u64 << 12,
            tiny in -1..2i64,
            exponent in -10..10i32,
        ) {
            // Near ties of both types: a short mantissa plus a tiny remainder.
            let value = (mantissa as f64 + tiny as f64 * 2f64.powi(-30)) * 2f64.powi(exponent - 11);
            for kind in [FloatKind::F16, FloatKind::BF16] {
                prop_assert_eq!(round(kind, value), nearest(kind, value), "{:?} {}", kind, value);
            }
        }
    }

    #[test]
    fn sixteen_bit_floats_see_all_of_a_double() {
        let above_tie = 1.0 + 2f64.powi(-11) + 2f64.powi(-52);
        assert_eq!(round(FloatKind::F16, above_tie), 1.0 + 2f64.powi(-10));
        assert_eq!(round(FloatKind::F16, -65519.999), -65504.0);
        assert_eq!(round(FloatKind::F16, 65520.0), f64::INFINITY);
        assert_eq!(round(FloatKind::F16, 2f64.powi(-25)), 0.0);
        assert_eq!(round(FloatKind::F16, 2f64.powi(-25) * 1.000001), 2f64.powi(-24));
        assert!(round(FloatKind::BF16, -1e-300).is_sign_negative());
        assert_eq!(round(FloatKind::BF16, f64::MAX), f64::INFINITY);
        assert!(round(FloatKind::BF16, f64::NAN).is_nan());
        for bits in 0..=u16::MAX {
            let (half, brain) = (half::f16::from_bits(bits), half::bf16::from_bits(bits));
            let same = |kind, value: f64| value.is_nan() || round(kind, value) == value;
            assert!(same(FloatKind::F16, half.to_f64()), "{half}");
            assert!(same(FloatKind::BF16, brain.to_f64()), "{brain}");
        }
    }

    #[test]
    fn integers_wrap_to_their_width() {
        assert_eq!(ScalarType::Int(8).wrap(200), -56);
        assert_eq!(ScalarType::Int(1).wrap(3), 1);
        assert_eq!(ScalarType::Index.wrap(i64::MIN), i64::MIN);
    }

    #[test]
    fn odd_rounding_keeps_what_lies_beside_a_tie() {
        // 1 + 2^-9 is a tie of bf16 (8 bits); any amount above it must round up.
        let tie = 1.0 + 2f64.powi(-8);
        assert_eq!(round(FloatKind::BF16, tie), 1.0);
        assert_eq!(round(FloatKind::BF16, round_to_odd(tie, 2f64.powi(-90))), 1.0 + 2f64.powi(-7));
    }
}
