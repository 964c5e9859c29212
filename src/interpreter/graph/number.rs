//! Arithmetic of graph ops on numbers of one type: integers that wrap around, and floats that are rounded after each
//! operation. Integers are signed, unless a method says otherwise.

use crate::interpreter::scalar::{Scalar, ScalarType, round, round_to_odd};
use crate::interpreter::value::Array;
use crate::ir::FloatKind;
use std::cmp::Ordering;

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
        self.of_float(f64::exp)
    }

    /// The remainder of [`Number::div`], with the sign of this number. An error if it is not defined.
    pub fn rem(self, other: Number) -> Result<Number, String> {
        self.div(other)?;
        self.join(other, |x, y| Ok(x % y), |x, y| x % y)
    }

    /// A float without its sign.
    pub fn abs(self) -> Result<Number, String> {
        self.join(self, |x, _| Ok(x), |x, _| x.abs())
    }

    /// A function of a float, rounded once.
    pub fn of_float(self, function: impl Fn(f64) -> f64) -> Result<Number, String> {
        self.of_floats(self, |x, _| function(x))
    }

    /// A function of two floats, rounded once.
    pub fn of_floats(
        self,
        other: Number,
        function: impl Fn(f64, f64) -> f64,
    ) -> Result<Number, String> {
        self.join(other, |_, _| Err("is a function of floats, but has integers".into()), function)
    }

    /// A function of the bits of two integers, sign-extended.
    pub fn bitwise(
        self,
        other: Number,
        function: impl Fn(i64, i64) -> i64,
    ) -> Result<Number, String> {
        match (self.value, other.value) {
            (Scalar::Float(_), _) => Err("is a function of bits, but has floats".into()),
            _ => self.join(other, |x, y| Ok(function(x, y)), |x, _| x),
        }
    }

    /// A function of two unsigned integers; an error if it is not defined.
    pub fn of_unsigned(
        self,
        other: Number,
        function: impl Fn(u64, u64) -> Option<u64>,
    ) -> Result<Number, String> {
        let (x, y) = (self.unsigned_value()?, other.unsigned_value()?);
        let result = function(x, y).ok_or_else(|| format!("divides {x} by {y}"))?;
        Ok(Number::integer(self.ty, result as i64))
    }

    /// The value of an integer without a sign.
    pub fn unsigned_value(self) -> Result<u64, String> {
        match (self.value, self.ty.bits_of(self.value)) {
            (Scalar::Int(_), Some(bits)) => Ok(bits),
            (Scalar::Undefined, _) => Err("is computed from an undefined value".into()),
            _ => Err("is a function of integers, but has floats".into()),
        }
    }

    pub fn float_value(self) -> Result<f64, String> {
        match self.value {
            Scalar::Float(value) => Ok(value),
            Scalar::Int(_) => Err("is a function of floats, but has integers".into()),
            Scalar::Undefined => Err("is computed from an undefined value".into()),
        }
    }

    /// True if it is less than an integer.
    pub fn is_below(self, value: i64) -> bool {
        self.order(self.like(value), false) == Ok(Some(Ordering::Less))
    }

    /// True if it is more than an integer.
    pub fn is_above(self, value: i64) -> bool {
        self.order(self.like(value), false) == Ok(Some(Ordering::Greater))
    }

    /// The order of two numbers; `None` if one is NaN.
    pub fn order(self, other: Number, is_unsigned: bool) -> Result<Option<Ordering>, String> {
        match (self.value, other.value) {
            (Scalar::Float(x), Scalar::Float(y)) => Ok(x.partial_cmp(&y)),
            (Scalar::Int(x), Scalar::Int(y)) if !is_unsigned => Ok(Some(x.cmp(&y))),
            _ => Ok(Some(self.unsigned_value()?.cmp(&other.unsigned_value()?))),
        }
    }

    /// An i1.
    pub fn truth(value: bool) -> Number {
        Number::integer(ScalarType::Int(1), value.into())
    }

    /// A number in the same float type.
    pub fn real(self, value: f64) -> Number {
        Number::float(self.ty, value)
    }

    /// The type in which formulas of elements of this type are computed.
    pub fn wide_type(ty: ScalarType) -> ScalarType {
        match ty {
            ScalarType::Float(FloatKind::F16 | FloatKind::BF16) => {
                ScalarType::Float(FloatKind::F32)
            }
            _ => ty,
        }
    }

    /// The number in the type of formulas.
    pub fn widened(self) -> Number {
        Number { ty: Number::wide_type(self.ty), ..self }
    }

    /// A formula of this number, computed in the type of formulas.
    pub fn in_wide(
        self,
        formula: impl FnOnce(Number) -> Result<Number, String>,
    ) -> Result<Number, String> {
        formula(self.widened())?.cast(self.ty, false)
    }

    /// The conversion of `graph.cast`.
    pub fn cast(self, to: ScalarType, is_unsigned: bool) -> Result<Number, String> {
        let value = match (self.value, to) {
            (Scalar::Undefined, _) => return Err("is computed from an undefined value".into()),
            (Scalar::Float(x), ScalarType::Int(1)) => Scalar::Int((x != 0.0).into()),
            (Scalar::Int(x), ScalarType::Int(1)) => Scalar::Int((x != 0).into()),
            (Scalar::Float(x), ScalarType::Float(_)) => return Ok(Number::float(to, x)),
            (Scalar::Float(x), _) => {
                let ones = i128::MAX >> (127 - to.bits());
                let (least, most) = match is_unsigned {
                    true => (0, ones),
                    false => (-(ones >> 1) - 1, ones >> 1),
                };
                Scalar::Int(to.wrap((x as i128).clamp(least, most) as i64))
            }
            (Scalar::Int(x), _) => {
                let x = match is_unsigned {
                    true => self.unsigned_value()?.into(),
                    false => i128::from(x),
                };
                match to {
                    ScalarType::Float(kind) => {
                        return Ok(Number { ty: to, value: nearest(kind, x) });
                    }
                    _ => Scalar::Int(to.wrap(x as i64)),
                }
            }
        };
        Ok(Number { ty: to, value })
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

/// The float nearest to an integer.
fn nearest(kind: FloatKind, x: i128) -> Scalar {
    let near = x as f64;
    // The part that a double does not hold decides ties of shorter floats.
    let rest = (x - near as i128) as f64;
    Scalar::Float(match kind {
        FloatKind::F64 => near,
        _ => round(kind, round_to_odd(near, rest)),
    })
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
