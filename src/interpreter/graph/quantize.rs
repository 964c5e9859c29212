//! Runs `graph.quantize` and `graph.dequantize`.

use super::cells::{cell, computed, dimension, element_of};
use super::number::Number;
use crate::interpreter::scalar::{Scalar, ScalarType};
use crate::interpreter::value::{Array, Datum};
use crate::ir::{Error, Op};

/// The number for an element: the only one, or that at its index in a dimension.
fn of_element(numbers: &Array, at: &[i64], dim: Option<usize>) -> Result<Number, String> {
    let place = dim.map_or(&[][..], |dim| &at[dim..=dim]);
    Ok(Number { ty: numbers.ty, value: cell(numbers, place)? })
}

fn dim<'c>(op: Op<'c>, x: &Array) -> Result<Option<usize>, Error<'c>> {
    let has_dim = op.attribute("dim").is_some();
    has_dim.then(|| dimension(op, x.shape.len())).transpose()
}

/// The value of an integer, with or without a sign.
fn value(number: Number, is_unsigned: bool) -> Result<i64, String> {
    match (number.value, is_unsigned) {
        (Scalar::Int(value), false) => Ok(value),
        _ => number.unsigned_value().map(|value| value as i64),
    }
}

pub(super) fn run<'c>(
    op: Op<'c>,
    x: &Array,
    scale: &Array,
    zero_point: &Array,
) -> Result<Datum, Error<'c>> {
    let (dim, to) = (dim(op, x)?, element_of(op, op.result(0).ty())?);
    let is_unsigned = op.attribute("is_unsigned").is_some();
    let result = computed(op, op.result(0).ty(), x.shape.clone(), |at| {
        let x = Number { ty: x.ty, value: cell(x, at)? };
        let scale = of_element(scale, at, dim)?.widened();
        let zero_point = value(of_element(zero_point, at, dim)?, is_unsigned)?;
        if op.is("graph.quantize") {
            let rounded = x.widened().div(scale)?.of_float(f64::round_ties_even)?;
            let sum = rounded.add(rounded.real(zero_point as f64))?;
            return Ok(sum.cast(to, is_unsigned)?.value);
        }
        let difference = Scalar::Int(value(x, is_unsigned)? - zero_point);
        let difference = Number { ty: ScalarType::Int(64), value: difference };
        Ok(difference.cast(scale.ty, false)?.mul(scale)?.cast(to, false)?.value)
    });
    result.map(Datum::tensor)
}
