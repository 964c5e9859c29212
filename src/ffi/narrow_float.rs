//! The formats of floats of at most 8 bits.

/// A float type of at most 8 bits, by its name in MLIR.
#[expect(missing_docs, reason = "the names of MLIR")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NarrowFloat {
    F4E2M1FN,
    F6E2M3FN,
    F6E3M2FN,
    F8E3M4,
    F8E4M3,
    F8E4M3B11FNUZ,
    F8E4M3FN,
    F8E4M3FNUZ,
    F8E5M2,
    F8E5M2FNUZ,
    F8E8M0FNU,
}

/// Which bit patterns of a format stand for no finite number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NonFinite {
    /// Those with the largest exponent: infinities and NaN, as in IEEE 754.
    LargestExponent,
    /// Those with all bits set, but for the sign: NaN. What is too large to be finite becomes NaN.
    AllOnes,
    /// That of -0: NaN. What is too large to be finite becomes NaN.
    NegativeZero,
    /// None. What is too large, such as an infinity, becomes the largest number, and NaN becomes -0.
    None,
}

/// The layout of the bits: the sign, which all formats but [`NarrowFloat::F8E8M0FNU`] have, the exponent, and the mantissa.
#[derive(Clone, Copy, Debug)]
pub struct NarrowFormat {
    /// The bits of the exponent.
    pub exponent_bits: u32,
    /// The bits of the mantissa, without the leading 1.
    pub mantissa_bits: u32,
    /// The exponent of 1.
    pub bias: i32,
    /// Which patterns are not finite.
    pub non_finite: NonFinite,
}

impl NarrowFloat {
    /// All types.
    pub const ALL: [NarrowFloat; 11] = [
        NarrowFloat::F4E2M1FN,
        NarrowFloat::F6E2M3FN,
        NarrowFloat::F6E3M2FN,
        NarrowFloat::F8E3M4,
        NarrowFloat::F8E4M3,
        NarrowFloat::F8E4M3B11FNUZ,
        NarrowFloat::F8E4M3FN,
        NarrowFloat::F8E4M3FNUZ,
        NarrowFloat::F8E5M2,
        NarrowFloat::F8E5M2FNUZ,
        NarrowFloat::F8E8M0FNU,
    ];

    /// Its name as a type: `f8E4M3FN`.
    pub fn name(self) -> &'static str {
        match self {
            NarrowFloat::F4E2M1FN => "f4E2M1FN",
            NarrowFloat::F6E2M3FN => "f6E2M3FN",
            NarrowFloat::F6E3M2FN => "f6E3M2FN",
            NarrowFloat::F8E3M4 => "f8E3M4",
            NarrowFloat::F8E4M3 => "f8E4M3",
            NarrowFloat::F8E4M3B11FNUZ => "f8E4M3B11FNUZ",
            NarrowFloat::F8E4M3FN => "f8E4M3FN",
            NarrowFloat::F8E4M3FNUZ => "f8E4M3FNUZ",
            NarrowFloat::F8E5M2 => "f8E5M2",
            NarrowFloat::F8E5M2FNUZ => "f8E5M2FNUZ",
            NarrowFloat::F8E8M0FNU => "f8E8M0FNU",
        }
    }

    /// The layout of its bits.
    pub fn format(self) -> NarrowFormat {
        let (exponent_bits, mantissa_bits, bias, non_finite) = match self {
            NarrowFloat::F4E2M1FN => (2, 1, 1, NonFinite::None),
            NarrowFloat::F6E2M3FN => (2, 3, 1, NonFinite::None),
            NarrowFloat::F6E3M2FN => (3, 2, 3, NonFinite::None),
            NarrowFloat::F8E3M4 => (3, 4, 3, NonFinite::LargestExponent),
            NarrowFloat::F8E4M3 => (4, 3, 7, NonFinite::LargestExponent),
            NarrowFloat::F8E4M3B11FNUZ => (4, 3, 11, NonFinite::NegativeZero),
            NarrowFloat::F8E4M3FN => (4, 3, 7, NonFinite::AllOnes),
            NarrowFloat::F8E4M3FNUZ => (4, 3, 8, NonFinite::NegativeZero),
            NarrowFloat::F8E5M2 => (5, 2, 15, NonFinite::LargestExponent),
            NarrowFloat::F8E5M2FNUZ => (5, 2, 16, NonFinite::NegativeZero),
            NarrowFloat::F8E8M0FNU => (8, 0, 127, NonFinite::AllOnes),
        };
        NarrowFormat { exponent_bits, mantissa_bits, bias, non_finite }
    }

    /// True for all but [`NarrowFloat::F8E8M0FNU`], whose numbers are the powers of 2 from 2^-127 to 2^127.
    pub fn has_sign(self) -> bool {
        self != NarrowFloat::F8E8M0FNU
    }

    /// The number of bits.
    pub fn bits(self) -> u32 {
        let format = self.format();
        u32::from(self.has_sign()) + format.exponent_bits + format.mantissa_bits
    }

    /// The largest finite value.
    pub fn largest(self) -> f64 {
        let NarrowFormat { exponent_bits, mantissa_bits, bias, non_finite } = self.format();
        let all_ones = (1 << (exponent_bits + mantissa_bits)) - 1;
        let code = match non_finite {
            NonFinite::LargestExponent => all_ones - (1 << mantissa_bits),
            NonFinite::AllOnes => all_ones - 1,
            NonFinite::NegativeZero | NonFinite::None => all_ones,
        };
        let (exponent, mantissa) = (code >> mantissa_bits, code % (1 << mantissa_bits));
        let significand = 1.0 + f64::from(mantissa) / f64::from(1 << mantissa_bits);
        significand * 2f64.powi(exponent - bias)
    }

    /// The smallest positive value.
    pub fn smallest(self) -> f64 {
        let NarrowFormat { mantissa_bits, bias, .. } = self.format();
        // Without a mantissa there is no 0, whose pattern is a power of 2.
        let exponent = if self.has_sign() { 1 } else { 0 };
        2f64.powi(exponent - bias - mantissa_bits as i32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From the tables of the specifications: OCP 8-bit floating point and microscaling formats, and LLVM's APFloat.
    #[test]
    fn limits_are_those_of_the_specifications() {
        let limits = NarrowFloat::ALL.map(|it| (it.bits(), it.smallest(), it.largest()));
        let expected = [
            (4, 0.5, 6.0),
            (6, 0.125, 7.5),
            (6, 0.0625, 28.0),
            (8, 2f64.powi(-6), 15.5),
            (8, 2f64.powi(-9), 240.0),
            (8, 2f64.powi(-13), 30.0),
            (8, 2f64.powi(-9), 448.0),
            (8, 2f64.powi(-10), 240.0),
            (8, 2f64.powi(-16), 57344.0),
            (8, 2f64.powi(-17), 57344.0),
            (8, 2f64.powi(-127), 2f64.powi(127)),
        ];
        assert_eq!(limits, expected);
    }
}
