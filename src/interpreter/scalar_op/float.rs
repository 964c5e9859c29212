//! Float ops computed in double, and conversions.

use crate::interpreter::scalar::{Scalar, ScalarType, round, round_to_odd};
use crate::ir::{FloatKind, NarrowFloat};

/// Computes the result from the operand, its type and the result's type.
pub type ScalarConversion = fn(Scalar, ScalarType, ScalarType) -> Result<Scalar, String>;

pub fn unary(name: &str) -> Option<fn(f64) -> f64> {
    Some(match name {
        "arith.negf" => |x| -x,
        "arith.truncf" | "arith.extf" => |x| x,
        "math.absf" => f64::abs,
        "math.exp" => f64::exp,
        "math.exp2" => f64::exp2,
        "math.expm1" => f64::exp_m1,
        "math.log" => f64::ln,
        "math.log2" => f64::log2,
        "math.log10" => f64::log10,
        "math.log1p" => f64::ln_1p,
        "math.sqrt" => f64::sqrt,
        "math.rsqrt" => |x| 1.0 / x.sqrt(),
        "math.cbrt" => f64::cbrt,
        "math.sin" => f64::sin,
        "math.cos" => f64::cos,
        "math.tan" => f64::tan,
        "math.asin" => f64::asin,
        "math.acos" => f64::acos,
        "math.atan" => f64::atan,
        "math.sinh" => f64::sinh,
        "math.cosh" => f64::cosh,
        "math.tanh" => f64::tanh,
        "math.asinh" => libm::asinh,
        // libm returns -infinity for large negative numbers.
        "math.acosh" => |x| if x < 1.0 { f64::NAN } else { libm::acosh(x) },
        "math.atanh" => libm::atanh,
        "math.erf" => libm::erf,
        "math.erfc" => libm::erfc,
        "math.floor" => f64::floor,
        "math.ceil" => f64::ceil,
        "math.round" => f64::round,
        "math.roundeven" => f64::round_ties_even,
        "math.trunc" => f64::trunc,
        _ => return None,
    })
}

pub fn binary(name: &str) -> Option<fn(f64, f64) -> f64> {
    Some(match name {
        "arith.addf" => |x, y| x + y,
        "arith.subf" => |x, y| x - y,
        "arith.mulf" => |x, y| x * y,
        "arith.divf" => |x, y| x / y,
        "arith.remf" => |x, y| x % y,
        "arith.maximumf" => maximum,
        "arith.minimumf" => minimum,
        "arith.maxnumf" => |x, y| {
            if x.is_nan() {
                y
            } else if y.is_nan() {
                x
            } else {
                maximum(x, y)
            }
        },
        "arith.minnumf" => |x, y| {
            if x.is_nan() {
                y
            } else if y.is_nan() {
                x
            } else {
                minimum(x, y)
            }
        },
        "math.powf" => f64::powf,
        "math.atan2" => f64::atan2,
        "math.copysign" => f64::copysign,
        "arith.scaling_extf" => |x, scale| x * power_of_two(scale),
        "arith.scaling_truncf" => |x, scale| x / power_of_two(scale),
        _ => return None,
    })
}

/// The power of 2 that a scale stands for.
fn power_of_two(scale: f64) -> f64 {
    round(FloatKind::Narrow(NarrowFloat::F8E8M0FNU), scale)
}

/// The larger; NaN if either is NaN, and +0 is larger than -0.
pub fn maximum(x: f64, y: f64) -> f64 {
    if x.is_nan() || y.is_nan() {
        f64::NAN
    } else if x == y {
        if x.is_sign_negative() { y } else { x }
    } else {
        x.max(y)
    }
}

/// The smaller; NaN if either is NaN, and -0 is smaller than +0.
pub fn minimum(x: f64, y: f64) -> f64 {
    -maximum(-x, -y)
}

/// x * y + z, rounded once.
pub fn fma(ty: ScalarType, x: f64, y: f64, z: f64) -> f64 {
    match ty {
        ScalarType::Float(FloatKind::F32) => f64::from((x as f32).mul_add(y as f32, z as f32)),
        ScalarType::Float(kind @ (FloatKind::F16 | FloatKind::BF16)) => {
            // The product of two such numbers is a double. Its sum with z may not be a double: the bits that
            // rounding drops decide ties.
            let product = x * y;
            let sum = product + z;
            let back = sum - product;
            let dropped = (product - (sum - back)) + (z - back);
            round(kind, round_to_odd(sum, dropped))
        }
        _ => x.mul_add(y, z),
    }
}

/// x to an integer power. The sign follows from the parity of the integer, which its double may lose.
pub fn power(x: f64, n: i64) -> f64 {
    let size = x.abs().powf(n as f64);
    if x.is_sign_negative() && n & 1 == 1 { -size } else { size }
}

/// Predicate numbers of arith.cmpf: false, oeq, ogt, oge, olt, ole, one, ord, ueq, ugt, uge, ult,
/// ule, une, uno, true. The unordered ones hold if an operand is NaN.
pub fn compare(predicate: i64, x: f64, y: f64) -> bool {
    let unordered = x.is_nan() || y.is_nan();
    match predicate {
        0 => false,
        1 => x == y,
        2 => x > y,
        3 => x >= y,
        4 => x < y,
        5 => x <= y,
        6 => !unordered && x != y,
        7 => !unordered,
        8 => unordered || x == y,
        9 => unordered || x > y,
        10 => unordered || x >= y,
        11 => unordered || x < y,
        12 => unordered || x <= y,
        13 => x != y,
        14 => unordered,
        _ => true,
    }
}

/// A class of floats.
#[derive(Clone, Copy, Debug)]
pub enum Class {
    Nan,
    Infinite,
    Finite,
    Normal,
}

pub fn class(name: &str) -> Option<Class> {
    Some(match name {
        "math.isnan" => Class::Nan,
        "math.isinf" => Class::Infinite,
        "math.isfinite" => Class::Finite,
        "math.isnormal" => Class::Normal,
        _ => return None,
    })
}

impl Class {
    pub fn holds(self, ty: ScalarType, x: f64) -> bool {
        let smallest_normal = match ty {
            ScalarType::Float(FloatKind::F16) => half::f16::MIN_POSITIVE.to_f64(),
            ScalarType::Float(FloatKind::F64) => f64::MIN_POSITIVE,
            _ => f32::MIN_POSITIVE.into(),
        };
        match self {
            Class::Nan => x.is_nan(),
            Class::Infinite => x.is_infinite(),
            Class::Finite => x.is_finite(),
            Class::Normal => x.is_finite() && x.abs() >= smallest_normal,
        }
    }
}

pub fn conversion(name: &str) -> Option<ScalarConversion> {
    Some(match name {
        "arith.extsi" => {
            |x, from, to| integer(x, |x| to.wrap(if from.bits() == 1 { -x } else { x }))
        }
        "arith.index_cast" => {
            |x, from, to| integer(x, |x| to.wrap(if from.bits() == 1 { -x } else { x }))
        }
        "arith.extui" | "arith.index_castui" => {
            |x, from, to| integer(x, |x| to.wrap(unsigned(x, from) as i64))
        }
        "arith.trunci" => |x, _, to| integer(x, |x| to.wrap(x)),
        "arith.sitofp" => {
            |x, from, to| from_int(x, to, |x| i128::from(if from.bits() == 1 { -x } else { x }))
        }
        "arith.uitofp" => |x, from, to| from_int(x, to, |x| i128::from(unsigned(x, from))),
        "arith.fptosi" => |x, _, to| {
            let half = 2f64.powi(to.bits() as i32 - 1);
            to_int(x, to, -half, half)
        },
        "arith.fptoui" => |x, _, to| to_int(x, to, 0.0, 2f64.powi(to.bits() as i32)),
        _ => return None,
    })
}

fn unsigned(value: i64, ty: ScalarType) -> u64 {
    value as u64 & (u64::MAX >> (64 - ty.bits()))
}

fn integer(x: Scalar, f: impl Fn(i64) -> i64) -> Result<Scalar, String> {
    match x {
        Scalar::Int(value) => Ok(Scalar::Int(f(value))),
        _ => Err("converts a value that is not an integer".into()),
    }
}

fn from_int(x: Scalar, to: ScalarType, f: impl Fn(i64) -> i128) -> Result<Scalar, String> {
    let (Scalar::Int(value), ScalarType::Float(kind)) = (x, to) else {
        return Err("converts a value that is not an integer".into());
    };
    let exact = f(value);
    let nearest = exact as f64;
    let value = match kind {
        FloatKind::F64 => nearest,
        _ => round(kind, round_to_odd(nearest, (exact - nearest as i128) as f64)),
    };
    Ok(Scalar::Float(value))
}

/// Converts towards zero, if the result is at least `low` and below `high`; otherwise it is poison.
fn to_int(x: Scalar, to: ScalarType, low: f64, high: f64) -> Result<Scalar, String> {
    let Scalar::Float(value) = x else { return Err("converts a value that is not a float".into()) };
    let whole = value.trunc();
    if !(whole >= low && whole < high) {
        return Ok(Scalar::Undefined);
    }
    Ok(Scalar::Int(to.wrap(whole as i128 as i64)))
}

/// Reinterprets the bits as another type.
pub fn bitcast(x: Scalar, from: ScalarType, to: ScalarType) -> Scalar {
    from.bits_of(x).map_or(Scalar::Undefined, |bits| to.with_bits(bits))
}
