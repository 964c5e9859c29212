//! Floats of at most 8 bits: the value of each bit pattern, and the nearest one of a value.

use super::scalar::round_to;
use crate::ir::{NarrowFloat, NonFinite};

/// The value of a bit pattern.
pub fn with_bits(narrow: NarrowFloat, bits: u64) -> f64 {
    let format = narrow.format();
    let width = format.exponent_bits + format.mantissa_bits;
    let magnitude = bits & ((1 << width) - 1);
    let is_negative = bits >> width & 1 == 1;
    let exponent = (magnitude >> format.mantissa_bits) as i32;
    let mantissa = magnitude & ((1 << format.mantissa_bits) - 1);
    let fraction = mantissa as f64 / (1 << format.mantissa_bits) as f64;
    let value = match format.non_finite {
        NonFinite::LargestExponent if exponent == (1 << format.exponent_bits) - 1 => {
            if mantissa == 0 { f64::INFINITY } else { f64::NAN }
        }
        NonFinite::AllOnes if magnitude == (1 << width) - 1 => f64::NAN,
        NonFinite::NegativeZero if is_negative && magnitude == 0 => f64::NAN,
        _ if exponent == 0 && narrow.has_sign() => fraction * 2f64.powi(1 - format.bias),
        _ => (1.0 + fraction) * 2f64.powi(exponent - format.bias),
    };
    if is_negative { -value } else { value }
}

/// The bit pattern of a value of the type; of NaN, one without a sign.
pub fn bits_of(narrow: NarrowFloat, value: f64) -> u64 {
    let same = |bits: &u64| {
        let candidate = with_bits(narrow, *bits);
        candidate.to_bits() == value.to_bits() || candidate.is_nan() && value.is_nan()
    };
    (0..1 << narrow.bits()).find(same).unwrap_or(0)
}

/// The nearest value of the type, ties to even. What the type has no value for is as [`NonFinite`] says.
pub fn round(narrow: NarrowFloat, value: f64) -> f64 {
    if !narrow.has_sign() {
        return power_of_two(value);
    }
    let format = narrow.format();
    let precision = format.mantissa_bits as i32 + 1;
    let rounded = round_to(value, precision, 1 - format.bias, narrow.largest());
    match format.non_finite {
        NonFinite::LargestExponent => rounded,
        NonFinite::AllOnes if rounded.is_infinite() => f64::NAN,
        NonFinite::NegativeZero if rounded.is_infinite() => f64::NAN,
        NonFinite::NegativeZero if rounded == 0.0 => 0.0,
        NonFinite::None if rounded.is_infinite() => narrow.largest().copysign(value),
        NonFinite::None if rounded.is_nan() => -0.0,
        _ => rounded,
    }
}

/// The nearest power of 2 from 2^-127 to 2^127, the larger of two that are equally near. NaN for 0, negative numbers, and
/// what rounds to 2^128.
fn power_of_two(value: f64) -> f64 {
    if value.is_nan() || value <= 0.0 {
        return f64::NAN;
    }
    let below = (-127..=127).rev().map(|it| 2f64.powi(it)).find(|power| *power <= value);
    let below = below.unwrap_or(2f64.powi(-127));
    match value >= 1.5 * below {
        false => below,
        true if below == 2f64.powi(127) => f64::NAN,
        true => 2.0 * below,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_patterns_are_found_again() {
        for narrow in NarrowFloat::ALL {
            for bits in 0..1u64 << narrow.bits() {
                let value = with_bits(narrow, bits);
                assert!(value.is_nan() || bits_of(narrow, value) == bits, "{narrow:?} {bits}");
                let rounded = round(narrow, value);
                assert!(
                    value.is_nan() || rounded.to_bits() == value.to_bits(),
                    "{narrow:?} {bits}"
                );
            }
        }
    }

    /// The expected patterns are those of the package ml_dtypes 0.6 for Python.
    #[test]
    fn values_round_as_in_ml_dtypes() {
        let values = [
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            -1.0,
            0.0,
            -0.0,
            1.4,
            1.5,
            1.6,
            3.0,
            2.9,
            6.0,
            1e-40,
            5.0,
            2.5,
            1e30,
            7.0,
            -7.0,
            0.25,
            0.75,
            465.0,
            464.0,
            -0.1,
        ];
        let rows: [(NarrowFloat, &str); 11] = [
            (
                NarrowFloat::F4E2M1FN,
                "08 07 0f 0a 00 08 03 03 03 05 05 07 00 06 04 07 07 0f 00 02 07 07 08",
            ),
            (
                NarrowFloat::F6E2M3FN,
                "20 1f 3f 28 00 20 0b 0c 0d 14 14 1c 00 1a 12 1f 1e 3e 02 06 1f 1f 21",
            ),
            (
                NarrowFloat::F6E3M2FN,
                "20 1f 3f 2c 00 20 0e 0e 0e 12 12 16 00 15 11 1f 17 37 04 0a 1f 1f 22",
            ),
            (
                NarrowFloat::F8E3M4,
                "78 70 f0 b0 00 80 36 38 3a 48 47 58 00 54 44 70 5c dc 10 28 70 70 86",
            ),
            (
                NarrowFloat::F8E4M3,
                "7c 78 f8 b8 00 80 3b 3c 3d 44 44 4c 00 4a 42 78 4e ce 28 34 78 78 9d",
            ),
            (
                NarrowFloat::F8E4M3B11FNUZ,
                "80 80 80 d8 00 00 5b 5c 5d 64 64 6c 00 6a 62 80 6e ee 48 54 80 80 bd",
            ),
            (
                NarrowFloat::F8E4M3FN,
                "7f 7f ff b8 00 80 3b 3c 3d 44 44 4c 00 4a 42 7f 4e ce 28 34 7f 7e 9d",
            ),
            (
                NarrowFloat::F8E4M3FNUZ,
                "80 80 80 c0 00 00 43 44 45 4c 4c 54 00 52 4a 80 56 d6 30 3c 80 80 a5",
            ),
            (
                NarrowFloat::F8E5M2,
                "7e 7c fc bc 00 80 3e 3e 3e 42 42 46 00 45 41 7c 47 c7 34 3a 5f 5f ae",
            ),
            (
                NarrowFloat::F8E5M2FNUZ,
                "80 80 80 c0 00 00 42 42 42 46 46 4a 00 49 45 80 4b cb 38 3e 63 63 b2",
            ),
            (
                NarrowFloat::F8E8M0FNU,
                "ff ff ff ff ff ff 7f 80 80 81 80 82 00 81 80 e3 82 ff 7d 7f 88 88 ff",
            ),
        ];
        for (narrow, patterns) in rows {
            for (value, pattern) in values.into_iter().zip(patterns.split(' ')) {
                let expected =
                    with_bits(narrow, u64::from_str_radix(pattern, 16).expect("a number"));
                let found = round(narrow, value);
                let same =
                    found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan();
                assert!(same, "{narrow:?} of {value}: found {found}, expected {expected}");
            }
        }
    }
}
