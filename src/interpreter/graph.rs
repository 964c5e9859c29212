//! Runs graph ops by their definition in GraphOps.td and GraphElementwise.td.
//!
//! It is written independently of their conversion to linalg, which is tested against it.

mod cells;
mod elementwise;
mod movement;
mod number;
mod product;
mod reduce;

pub(super) use number::Number;

use super::env::Env;
use super::tensor::elements;
use super::value::{Array, Datum};
use crate::ir::{Error, Op};
use std::cmp::Ordering;

/// The results of a graph op other than `graph.fusion`; `None` for an unsupported op.
pub(super) fn run<'c>(op: Op<'c>, env: &Env<'c>) -> Result<Option<Vec<Datum>>, Error<'c>> {
    if op.is("graph.constant") {
        let value = op.attribute("value").ok_or_else(|| Error::on(op, "has no value"))?;
        return Ok(Some(vec![Datum::tensor(elements(op, value, op.result(0).ty())?)]));
    }
    if let Some(result) = elementwise::run(op, env)? {
        return Ok(Some(vec![result]));
    }
    if let Some(result) = movement::with_scalars(op, env)? {
        return Ok(Some(vec![result]));
    }
    let tensors = op.operands().into_iter().map(|value| env.tensor(op, value));
    let tensors = tensors.collect::<Result<Vec<_>, _>>()?;
    let arrays: Vec<&Array> = tensors.iter().map(|tensor| &**tensor).collect();
    let result = match (op.name(), &arrays[..]) {
        ("graph.yield_store", _) => Datum::Tensor(tensors[0].clone()),
        ("graph.argmax", [x]) => reduce::arg(op, x, Ordering::Greater)?,
        ("graph.argmin", [x]) => reduce::arg(op, x, Ordering::Less)?,
        ("graph.batch_norm", [x, scale, bias, mean, variance]) => {
            reduce::batch_norm(op, x, [scale, bias, mean, variance])?
        }
        ("graph.bias_add", [x, bias]) => reduce::bias_add(op, x, bias)?,
        ("graph.conv", [x, w]) => product::conv(op, x, w)?,
        ("graph.layer_norm", [x, scale, bias]) => reduce::layer_norm(op, x, scale, bias)?,
        ("graph.log_softmax", [x]) => reduce::log_softmax(op, x)?,
        ("graph.matmul", [a, b]) => product::matmul(op, a, b)?,
        ("graph.mean", [x]) => reduce::mean(op, x)?,
        ("graph.pool", [x]) => product::pool(op, x)?,
        ("graph.reduce", [x]) => reduce::reduce(op, x)?,
        ("graph.rms_norm", [x, scale]) => reduce::rms_norm(op, x, scale)?,
        ("graph.softmax", [x]) => reduce::softmax(op, x)?,
        ("graph.std", [x]) => reduce::variance(op, x, true)?,
        ("graph.variance", [x]) => reduce::variance(op, x, false)?,
        _ => return movement::run(op, &arrays),
    };
    Ok(Some(vec![result]))
}

/// An error about one element of the result.
fn at<'c>(op: Op<'c>, result: &Array, place: usize, message: &str) -> Error<'c> {
    Error::on(op, format!("result {:?} {message}", result.indices_of(place)))
}

#[cfg(test)]
#[path = "../../test/interpreter/graph.rs"]
mod tests;
