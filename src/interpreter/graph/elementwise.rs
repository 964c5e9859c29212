//! Runs the element-wise graph ops.

use super::at;
use super::number::Number;
use crate::dialect::graph_op::Comparison;
use crate::interpreter::env::Env;
use crate::interpreter::scalar::{Scalar, ScalarType};
use crate::interpreter::value::{Array, Datum, array_type};
use crate::ir::{Attribute, Error, Op};
use std::cmp::Ordering;

/// The attributes of an op.
struct OpMarks {
    is_unsigned: bool,
    alpha: f64,
    comparison: Option<Comparison>,
    /// The element type of the result.
    to: ScalarType,
}

type GraphFunction = fn(&OpMarks, &[Number]) -> Result<Number, String>;

type FloatFunction = fn(f64) -> f64;

/// One function of floats, rounded once.
const FLOAT_FUNCTIONS: &[(&str, FloatFunction)] = &[
    ("graph.acos", f64::acos),
    ("graph.acosh", |x| if x < 1.0 { f64::NAN } else { libm::acosh(x) }),
    ("graph.asin", f64::asin),
    ("graph.asinh", libm::asinh),
    ("graph.atan", f64::atan),
    ("graph.atanh", libm::atanh),
    ("graph.ceil", f64::ceil),
    ("graph.cos", f64::cos),
    ("graph.cosh", f64::cosh),
    ("graph.erf", libm::erf),
    ("graph.exp", f64::exp),
    ("graph.exp2", f64::exp2),
    ("graph.expm1", f64::exp_m1),
    ("graph.floor", f64::floor),
    ("graph.log", f64::ln),
    ("graph.log1p", f64::ln_1p),
    ("graph.log2", f64::log2),
    ("graph.reciprocal", |x| 1.0 / x),
    ("graph.round", f64::round_ties_even),
    ("graph.rsqrt", |x| 1.0 / x.sqrt()),
    ("graph.sin", f64::sin),
    ("graph.sinh", f64::sinh),
    ("graph.sqrt", f64::sqrt),
    ("graph.tan", f64::tan),
    ("graph.tanh", f64::tanh),
    ("graph.trunc", f64::trunc),
];

/// All other element-wise ops.
const FUNCTIONS: &[(&str, GraphFunction)] = &[
    ("graph.abs", |_, x| if x[0].is_below(0) { x[0].neg() } else { x[0].abs() }),
    ("graph.add", |_, x| x[0].add(x[1])),
    ("graph.and", |_, x| x[0].bitwise(x[1], |x, y| x & y)),
    ("graph.atan2", |_, x| x[0].of_floats(x[1], f64::atan2)),
    ("graph.cast", |op, x| x[0].cast(op.to, op.is_unsigned)),
    ("graph.compare", |op, x| {
        let order = x[0].order(x[1], op.is_unsigned)?;
        Ok(Number::truth(op.comparison.is_some_and(|it| holds(it, order))))
    }),
    ("graph.div", |op, x| match op.is_unsigned {
        true => x[0].of_unsigned(x[1], |x, y| x.checked_div(y)),
        false => x[0].div(x[1]),
    }),
    ("graph.elu", |op, x| unless_positive(op, x[0], |x| x.of_float(f64::exp_m1))),
    ("graph.floor_div", |_, x| floor_div(x[0], x[1])),
    ("graph.floor_mod", |_, x| floor_mod(x[0], x[1])),
    ("graph.gelu", |_, x| {
        x[0].in_wide(|x| {
            let scaled = x.mul(x.real(std::f64::consts::FRAC_1_SQRT_2))?;
            half_of(x, scaled.of_float(libm::erf)?)
        })
    }),
    ("graph.gelu_tanh", |_, x| {
        x[0].in_wide(|x| {
            let cube = x.real(0.044715).mul(x)?.mul(x)?.mul(x)?;
            let inner = x.real((2.0 / std::f64::consts::PI).sqrt()).mul(x.add(cube)?)?;
            half_of(x, inner.of_float(f64::tanh)?)
        })
    }),
    ("graph.hard_swish", |_, x| {
        x[0].in_wide(|x| {
            let line = x.div(x.like(6))?.add(x.real(0.5))?;
            x.mul(line.max(x.like(0))?.min(x.like(1))?)
        })
    }),
    ("graph.isfinite", |_, x| Ok(Number::truth(x[0].float_value()?.is_finite()))),
    ("graph.isinf", |_, x| Ok(Number::truth(x[0].float_value()?.is_infinite()))),
    ("graph.isnan", |_, x| Ok(Number::truth(x[0].float_value()?.is_nan()))),
    ("graph.leaky_relu", |op, x| unless_positive(op, x[0], Ok)),
    ("graph.max", |op, x| match op.is_unsigned {
        true => x[0].of_unsigned(x[1], |x, y| Some(x.max(y))),
        false => x[0].max(x[1]),
    }),
    ("graph.min", |op, x| match op.is_unsigned {
        true => x[0].of_unsigned(x[1], |x, y| Some(x.min(y))),
        false => x[0].min(x[1]),
    }),
    ("graph.mod", |op, x| match op.is_unsigned {
        true => x[0].of_unsigned(x[1], |x, y| x.checked_rem(y)),
        false => x[0].rem(x[1]),
    }),
    ("graph.mul", |_, x| x[0].mul(x[1])),
    ("graph.neg", |_, x| x[0].neg()),
    ("graph.not", |_, x| x[0].bitwise(x[0], |x, _| !x)),
    ("graph.or", |_, x| x[0].bitwise(x[1], |x, y| x | y)),
    ("graph.pow", |_, x| x[0].of_floats(x[1], f64::powf)),
    ("graph.relu", |_, x| x[0].max(x[0].like(0))),
    ("graph.select", |_, x| match x[0].value {
        Scalar::Int(0) => Ok(x[2]),
        Scalar::Int(_) => Ok(x[1]),
        _ => Err("is chosen by an undefined value".into()),
    }),
    ("graph.selu", |_, x| {
        x[0].in_wide(|x| {
            let scale = 1.050_700_987_355_480_5;
            match x.is_above(0) {
                true => x.real(scale).mul(x),
                false => x.real(scale * 1.673_263_242_354_377_2).mul(x.of_float(f64::exp_m1)?),
            }
        })
    }),
    ("graph.shl", |_, x| {
        x[0].of_unsigned(x[1], |value, by| Some(value.checked_shl(by.min(64) as u32).unwrap_or(0)))
    }),
    ("graph.shr", |op, x| match op.is_unsigned {
        true => x[0]
            .of_unsigned(x[1], |value, by| Some(value.checked_shr(by.min(64) as u32).unwrap_or(0))),
        false => {
            let by = x[1].unsigned_value()?.min(63) as u32;
            x[0].bitwise(x[0], |value, _| value >> by)
        }
    }),
    ("graph.sigmoid", |_, x| x[0].in_wide(|x| x.like(1).div(one_plus_exp(x)?))),
    ("graph.sign", |_, x| match (x[0].is_below(0), x[0].is_above(0)) {
        (true, _) => Ok(x[0].like(-1)),
        (_, true) => Ok(x[0].like(1)),
        // Zero and NaN keep their signs; an undefined value is refused.
        _ => x[0].add(x[0]),
    }),
    ("graph.silu", |_, x| x[0].in_wide(|x| x.div(one_plus_exp(x)?))),
    ("graph.softplus", |_, x| {
        x[0].in_wide(|x| {
            let rest = x.of_float(|x| -x.abs())?.exp()?.of_float(f64::ln_1p)?;
            x.max(x.like(0))?.add(rest)
        })
    }),
    ("graph.square", |_, x| x[0].mul(x[0])),
    ("graph.sub", |_, x| x[0].sub(x[1])),
    ("graph.xor", |_, x| x[0].bitwise(x[1], |x, y| x ^ y)),
];

/// Runs an element-wise op; `None` for other ops.
pub(super) fn run<'c>(op: Op<'c>, env: &Env<'c>) -> Result<Option<Datum>, Error<'c>> {
    let of_floats = FLOAT_FUNCTIONS.iter().find(|row| row.0 == op.name()).map(|row| row.1);
    let function = FUNCTIONS.iter().find(|row| row.0 == op.name()).map(|row| row.1);
    if of_floats.is_none() && function.is_none() {
        return Ok(None);
    }
    let tensors = op.operands().into_iter().map(|value| env.tensor(op, value));
    let tensors = tensors.collect::<Result<Vec<_>, _>>()?;
    let shape = &tensors[0].shape;
    if let Some(other) = tensors.iter().find(|operand| operand.shape != *shape) {
        let message = format!("has operands of different sizes: {shape:?} and {:?}", other.shape);
        return Err(Error::on(op, message));
    }
    let (_, to) = array_type(op, op.result(0).ty())?;
    let marks = OpMarks {
        is_unsigned: op.attribute("is_unsigned").is_some(),
        alpha: op.attribute("alpha").and_then(Attribute::as_f64).unwrap_or_default(),
        comparison: op
            .attribute("comparison")
            .and_then(Attribute::as_i64)
            .and_then(Comparison::from_value),
        to,
    };
    let mut result = Array::for_type(op, op.result(0).ty(), shape.clone())?;
    for place in 0..result.cells.len() {
        let numbers: Vec<Number> = tensors.iter().map(|tensor| Number::of(tensor, place)).collect();
        let value = match (of_floats, function) {
            (Some(function), _) => numbers[0].of_float(function),
            (_, Some(function)) => function(&marks, &numbers),
            (None, None) => return Ok(None),
        };
        result.cells[place] = value.map_err(|message| at(op, &result, place, &message))?.value;
    }
    Ok(Some(Datum::tensor(result)))
}

fn holds(comparison: Comparison, order: Option<Ordering>) -> bool {
    match comparison {
        Comparison::Eq => order == Some(Ordering::Equal),
        Comparison::Ne => order != Some(Ordering::Equal),
        Comparison::Lt => order == Some(Ordering::Less),
        Comparison::Le => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        Comparison::Gt => order == Some(Ordering::Greater),
        Comparison::Ge => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
    }
}

/// 1 + exp(-x)
fn one_plus_exp(x: Number) -> Result<Number, String> {
    x.like(1).add(x.neg()?.exp()?)
}

/// 0.5 * x * (1 + y)
fn half_of(x: Number, y: Number) -> Result<Number, String> {
    x.real(0.5).mul(x)?.mul(x.like(1).add(y)?)
}

fn unless_positive(
    op: &OpMarks,
    x: Number,
    other: impl Fn(Number) -> Result<Number, String>,
) -> Result<Number, String> {
    x.in_wide(|x| match x.is_above(0) {
        true => Ok(x),
        false => x.real(op.alpha).mul(other(x)?),
    })
}

fn floor_div(x: Number, y: Number) -> Result<Number, String> {
    match x.ty {
        ScalarType::Float(_) => {
            let quotient = x.widened().div(y.widened())?;
            Ok(Number::float(x.ty, quotient.float_value()?.floor()))
        }
        _ => {
            let quotient = x.div(y)?;
            let is_exact = quotient.mul(y)?.value == x.value;
            match !is_exact && (x.is_below(0) != y.is_below(0)) {
                true => quotient.sub(x.like(1)),
                false => Ok(quotient),
            }
        }
    }
}

fn floor_mod(x: Number, y: Number) -> Result<Number, String> {
    x.in_wide(|x| {
        let y = y.widened();
        let rest = x.rem(y)?;
        let is_zero = !rest.is_below(0) && !rest.is_above(0);
        match !is_zero && rest.is_below(0) != y.is_below(0) {
            true => rest.add(y),
            false => Ok(rest),
        }
    })
}
