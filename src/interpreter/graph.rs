//! Runs graph ops by their definition in the files of dialects/graph.
//!
//! It is written independently of their conversion to linalg, which is tested against it.

mod cells;
mod data_sized;
mod elementwise;
mod indexing;
mod movement;
mod number;
mod ordered;
mod product;
mod quantize;
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
    if op.is("graph.one_hot") {
        return Ok(Some(vec![indexing::one_hot(op, env)?]));
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
        ("graph.dequantize" | "graph.quantize", [x, scale, zero]) => {
            quantize::run(op, x, scale, zero)?
        }
        ("graph.group_norm", [x, scale, bias]) => reduce::group_norm(op, x, scale, bias)?,
        ("graph.layer_norm", [x, scale, bias]) => reduce::layer_norm(op, x, scale, bias)?,
        ("graph.log_softmax", [x]) => reduce::log_softmax(op, x)?,
        ("graph.logsumexp", [x]) => reduce::logsumexp(op, x)?,
        ("graph.matmul", [a, b]) => product::matmul(op, a, b)?,
        ("graph.mean", [x]) => reduce::mean(op, x)?,
        ("graph.pool", [x]) => product::pool(op, x)?,
        ("graph.prelu", [x, slopes]) => reduce::prelu(op, x, slopes)?,
        ("graph.reduce", [x]) => reduce::reduce(op, x)?,
        ("graph.rms_norm", [x, scale]) => reduce::rms_norm(op, x, scale)?,
        ("graph.scan", [x]) => ordered::scan(op, x)?,
        ("graph.softmax", [x]) => reduce::softmax(op, x)?,
        ("graph.std", [x]) => reduce::variance(op, x, true)?,
        ("graph.variance", [x]) => reduce::variance(op, x, false)?,
        ("graph.nonzero", [x]) => return data_sized::nonzero(op, x).map(Some),
        ("graph.unique", [x]) => return data_sized::unique(op, x).map(Some),
        ("graph.sort", [x]) => return ordered::sort(op, x).map(Some),
        ("graph.topk", [x]) => return ordered::topk(op, x).map(Some),
        ("graph.take", [x, indices]) => indexing::take(op, x, indices)?,
        ("graph.gather_elements", [x, indices]) => indexing::gather_elements(op, x, indices)?,
        ("graph.gather_nd", [x, indices]) => indexing::gather_nd(op, x, indices)?,
        ("graph.scatter_elements" | "graph.scatter_nd", [x, indices, updates]) => {
            indexing::scatter(op, x, indices, updates)?
        }
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
