//! Arithmetic of graph ops on numbers of one type: signed integers that wrap around, and floats that
//! are rounded after each operation.

use crate::interpreter::scalar::{Scalar, ScalarType, round};
use crate::interpreter::value::Array;

/// A number and its type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number {
    pub ty: ScalarType,
    pub value: Scalar,
}

impl Number {
    /// An element of an array.
    pub fn of(array: &Array, place: usize) -> Number {
        Number { ty: array.ty, value: array.cells[place] }
    }

    pub fn zero(ty: ScalarType) -> Number {
        Number::integer(ty, 0)
    }

    /// A small integer value in the same type.
    pub fn like(self, value: i64) -> Number {
        Number::integer(self.ty, value)
    }

    /// The identity of max.
    pub fn smallest(ty: ScalarType) -> Number {
        match ty {
            ScalarType::Float(_) => Number { ty, value: Scalar::Float(f64::NEG_INFINITY) },
            _ => Number::integer(ty, i64::MIN >> (64 - ty.bits())),
        }
    }

    /// The identity of min.
    pub fn largest(ty: ScalarType) -> Number {
        match ty {
            ScalarType::Float(_) => Number { ty, value: Scalar::Float(f64::INFINITY) },
            _ => Number::integer(ty, i64::MAX >> (64 - ty.bits())),
        }
    }

    pub fn add(self, other: Number) -> Result<Number, String> {
        self.join(other, |x, y| Ok(x.wrapping_add(y)), |x, y| x + y)
    }

    pub fn sub(self, other: Number) -> Result<Number, String> {
        self.join(other, |x, y| Ok(x.wrapping_sub(y)), |x, y| x - y)
    }

    pub fn mul(self, other: Number) -> Result<Number, String> {
        self.join(other, |x, y| Ok(x.wrapping_mul(y)), |x, y| x * y)
    }

    /// The quotient; that of integers is rounded towards zero. An error if it is not defined.
    pub fn div(self, other: Number) -> Result<Number, String> {
        let smallest = Number::smallest(self.ty).value;
        let quotient = |x: i64, y: i64| match (x, y) {
            (_, 0) => Err(format!("divides {x} by 0")),
            (x, -1) if Scalar::Int(x) == smallest => Err(format!("overflows: {x} by -1")),
            _ => Ok(x / y),
        };
        self.join(other, quotient, |x, y| x / y)
    }

    pub fn max(self, other: Number) -> Result<Number, String> {
        self.join(other, |x, y| Ok(x.max(y)), larger)
    }

    pub fn min(self, other: Number) -> Result<Number, String> {
        self.join(other, |x, y| Ok(x.min(y)), |x, y| -larger(-x, -y))
    }

    pub fn neg(self) -> Result<Number, String> {
        match self.value {
            // Not 0 - x: the negative of +0 is -0.
            Scalar::Float(x) => Ok(Number { value: Scalar::Float(-x), ..self }),
            _ => self.like(0).sub(self),
        }
    }

    pub fn exp(self) -> Result<Number, String> {
        self.join(self, |_, _| Err("is e to the power of an integer".into()), |x, _| x.exp())
    }

    fn join(
        self,
        other: Number,
        on_integers: impl Fn(i64, i64) -> Result<i64, String>,
        on_floats: impl Fn(f64, f64) -> f64,
    ) -> Result<Number, String> {
        match (self.value, other.value) {
            (Scalar::Int(x), Scalar::Int(y)) => Ok(Number::integer(self.ty, on_integers(x, y)?)),
            (Scalar::Float(x), Scalar::Float(y)) => Ok(Number::float(self.ty, on_floats(x, y))),
            (Scalar::Undefined, _) | (_, Scalar::Undefined) => {
                Err("is computed from an undefined value".into())
            }
            _ => Err("is computed from an integer and a float".into()),
        }
    }

    /// An integer wrapped to its type, or a float of that value.
    fn integer(ty: ScalarType, value: i64) -> Number {
        match ty {
            ScalarType::Float(_) => Number::float(ty, value as f64),
            _ => Number { ty, value: Scalar::Int(ty.wrap(value)) },
        }
    }

    pub fn float(ty: ScalarType, value: f64) -> Number {
        let value = match ty {
            ScalarType::Float(kind) => round(kind, value),
            _ => value,
        };
        Number { ty, value: Scalar::Float(value) }
    }
}

/// The larger; NaN if either is NaN, and +0 is larger than -0.
fn larger(x: f64, y: f64) -> f64 {
    match x.partial_cmp(&y) {
        None => f64::NAN,
        Some(std::cmp::Ordering::Less) => y,
        Some(std::cmp::Ordering::Greater) => x,
        Some(std::cmp::Ordering::Equal) if x.is_sign_negative() => y,
        Some(std::cmp::Ordering::Equal) => x,
    }
}
