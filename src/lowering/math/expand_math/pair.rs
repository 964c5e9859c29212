//! Arithmetic on pairs of f64: the value is the sum of both numbers, which has about 106 digits.
//!
//! ```text
//! sum(a, b):       s = a + b,   b' = s - a,   error = (a - (s - b')) + (b - b')
//! product(a, b):   p = a * b,   error = fma(a, b, -p)
//! ```
//! Each op on pairs has a relative error of a few 2^-104. Without fused multiply-adds the error of a product is
//! computed from halves of the factors. (Knuth, "The Art of Computer Programming", volume 2; Dekker, "A
//! floating-point technique for extending the available precision", 1971.) The ops assume that no intermediate
//! value overflows.

use super::emit::{Float, Products};

/// An unevaluated sum. The magnitude of `low` is at most a few ulp of `high`.
#[derive(Clone, Copy)]
pub struct Pair<'c> {
    pub high: Float<'c>,
    pub low: Float<'c>,
}

impl<'c> Pair<'c> {
    /// `a + b`, exactly.
    pub fn sum(a: Float<'c>, b: Float<'c>) -> Self {
        let high = a + b;
        let of_b = high - a;
        let low = (a - (high - of_b)) + (b - of_b);
        Pair { high, low }
    }

    /// `a + b`, exactly, where |a| >= |b| or a is 0.
    pub fn ordered_sum(a: Float<'c>, b: Float<'c>) -> Self {
        let high = a + b;
        Pair { high, low: b - (high - a) }
    }

    /// `a * b`, exactly if fused; otherwise the error of `low` is at most an ulp of `low`.
    pub fn product(a: Float<'c>, b: Float<'c>) -> Self {
        let high = a * b;
        if a.emit().products == Products::Fused {
            return Pair { high, low: a.fma(b, -high) };
        }
        // The first 26 digits, and the rest.
        let halves = |x: Float<'c>| {
            let first = (x.bits() & !0x7ff_ffff).float();
            [first, x - first]
        };
        let ([a, b], [c, d]) = (halves(a), halves(b));
        Pair { high, low: (((a * c - high) + a * d) + b * c) + b * d }
    }

    /// `a / b`: a product with the reciprocal, and the exact remainder of the first number.
    pub fn quotient(a: Pair<'c>, b: Pair<'c>) -> Self {
        let inverse = a.high.constant(1.0) / b.high;
        let high = a.high * inverse;
        let product = Pair::product(high, b.high);
        let rest = ((a.high - product.high) - product.low) + a.low - high * b.low;
        Pair { high, low: rest * inverse }
    }

    /// A constant of the type of `like`.
    pub fn constant(like: Float<'c>, [high, low]: [f64; 2]) -> Self {
        Pair { high: like.constant(high), low: like.constant(low) }
    }

    /// `self + other`; `self` is the larger one, or 0.
    pub fn plus(self, other: Pair<'c>) -> Self {
        let high = Pair::ordered_sum(self.high, other.high);
        Pair::ordered_sum(high.high, high.low + (self.low + other.low))
    }

    pub fn times(self, other: Pair<'c>) -> Self {
        let high = Pair::product(self.high, other.high);
        let low = self.high.fma(other.low, self.low.fma(other.high, high.low));
        Pair::ordered_sum(high.high, low)
    }

    /// The nearest f64.
    pub fn rounded(self) -> Float<'c> {
        self.high + self.low
    }
}
