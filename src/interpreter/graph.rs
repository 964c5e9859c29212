//! Runs graph ops by their definition in GraphOps.td.
//!
//! It is written independently of their conversion to linalg, which is tested against it.

mod number;

pub(super) use number::Number;

use super::env::Env;
use super::structured::unknown;
use super::tensor::elements;
use super::value::{Array, Datum, RowMajorIndices, array_type};
use crate::dialect::graph_op::ReduceKind;
use crate::ir::{Error, Op};
use std::rc::Rc;

type GraphUnary = fn(Number) -> Result<Number, String>;
type GraphBinary = fn(Number, Number) -> Result<Number, String>;

/// result[i] = f(x[i])
const UNARY: &[(&str, GraphUnary)] =
    &[("graph.exp", Number::exp), ("graph.neg", Number::neg), ("graph.relu", |x| x.max(x.like(0)))];

/// result[i] = f(x[i], y[i])
const BINARY: &[(&str, GraphBinary)] = &[
    ("graph.add", Number::add),
    ("graph.sub", Number::sub),
    ("graph.mul", Number::mul),
    ("graph.div", Number::div),
    ("graph.max", Number::max),
    ("graph.min", Number::min),
];

/// The results of a graph op other than `graph.fusion`; `None` for an unsupported op.
pub(super) fn run<'c>(op: Op<'c>, env: &Env<'c>) -> Result<Option<Vec<Datum>>, Error<'c>> {
    let operands = op.operands();
    if op.is("graph.constant") {
        let value = op.attribute("value").ok_or_else(|| Error::on(op, "has no value"))?;
        return Ok(Some(vec![Datum::tensor(elements(op, value, op.result(0).ty())?)]));
    }
    if op.is("graph.broadcast") {
        return Ok(Some(vec![broadcast(op, env)?]));
    }
    let tensors = operands.iter().map(|value| env.tensor(op, *value));
    let tensors = tensors.collect::<Result<Vec<_>, _>>()?;
    let result = match (op.name(), &tensors[..]) {
        ("graph.yield_store", [x]) => Datum::Tensor(x.clone()),
        ("graph.matmul", [a, b]) => matmul(op, a, b)?,
        ("graph.reduce", [x]) => reduce(op, x)?,
        ("graph.transpose", [x]) => transpose(op, x)?,
        (name, [x]) => match UNARY.iter().find(|row| row.0 == name) {
            Some((_, function)) => elementwise(op, [x], |[x]| function(x))?,
            None => return Ok(None),
        },
        (name, [x, y]) => match BINARY.iter().find(|row| row.0 == name) {
            Some((_, function)) => elementwise(op, [x, y], |[x, y]| function(x, y))?,
            None => return Ok(None),
        },
        _ => return Ok(None),
    };
    Ok(Some(vec![result]))
}

fn elementwise<'c, const N: usize>(
    op: Op<'c>,
    operands: [&Rc<Array>; N],
    function: impl Fn([Number; N]) -> Result<Number, String>,
) -> Result<Datum, Error<'c>> {
    let shape = &operands[0].shape;
    if let Some(other) = operands.iter().find(|operand| operand.shape != *shape) {
        let message = format!("has operands of different sizes: {shape:?} and {:?}", other.shape);
        return Err(Error::on(op, message));
    }
    let mut result = Array::for_type(op, op.result(0).ty(), shape.clone())?;
    for place in 0..result.cells.len() {
        let value = function(operands.map(|operand| Number::of(operand, place)));
        result.cells[place] = value.map_err(|message| at(op, &result, place, &message))?.value;
    }
    Ok(Datum::tensor(result))
}

/// An error about one element of the result.
fn at<'c>(op: Op<'c>, result: &Array, place: usize, message: &str) -> Error<'c> {
    Error::on(op, format!("result {:?} {message}", result.indices_of(place)))
}

fn matmul<'c>(op: Op<'c>, a: &Array, b: &Array) -> Result<Datum, Error<'c>> {
    let ([a0, a1], [b0, b1]) = (&a.shape[..], &b.shape[..]) else {
        return Err(Error::on(op, "multiplies operands that are not matrices"));
    };
    let is_transposed = |name| op.attribute(name).is_some();
    // Row-major strides: (rows, columns) of the matrices as they are multiplied.
    let (m, k, a_steps) = match is_transposed("transpose_a") {
        false => (*a0, *a1, (*a1, 1)),
        true => (*a1, *a0, (1, *a1)),
    };
    let (k_of_b, n, b_steps) = match is_transposed("transpose_b") {
        false => (*b0, *b1, (*b1, 1)),
        true => (*b1, *b0, (1, *b1)),
    };
    if k != k_of_b {
        let message = format!(
            "multiplies a {m}x{k} matrix by a {k_of_b}x{n} matrix, whose sizes do not match"
        );
        return Err(Error::on(op, message));
    }
    let mut result = Array::for_type(op, op.result(0).ty(), vec![m, n])?;
    for place in 0..result.cells.len() {
        let (row, column) = (place / n, place % n);
        let products = (0..k).map(|i| {
            let x = Number::of(a, row * a_steps.0 + i * a_steps.1);
            x.mul(Number::of(b, i * b_steps.0 + column * b_steps.1))
        });
        let sum =
            products.into_iter().try_fold(Number::zero(a.ty), |sum, product| sum.add(product?));
        result.cells[place] = sum.map_err(|message| at(op, &result, place, &message))?.value;
    }
    Ok(Datum::tensor(result))
}

fn reduce<'c>(op: Op<'c>, x: &Array) -> Result<Datum, Error<'c>> {
    let kind = op.attribute("kind").and_then(|kind| kind.as_i64());
    let kind = kind.and_then(ReduceKind::from_value);
    let kind = kind.ok_or_else(|| Error::on(op, "has no kind"))?;
    let dims = dimensions(op, "dims", x.shape.len())?;
    let keeps_dims = op.attribute("keep_dims").is_some();
    let (join, identity): (GraphBinary, Number) = match kind {
        ReduceKind::Add => (Number::add, Number::zero(x.ty)),
        ReduceKind::Mul => (Number::mul, Number::zero(x.ty).like(1)),
        ReduceKind::Max => (Number::max, Number::smallest(x.ty)),
        ReduceKind::Min => (Number::min, Number::largest(x.ty)),
    };
    let is_kept = |i: &usize| !dims.contains(i) || keeps_dims;
    let kept: Vec<usize> = (0..x.shape.len()).filter(is_kept).collect();
    let size = |i: &usize| if dims.contains(i) { 1 } else { x.shape[*i] };
    let shape = kept.iter().map(size).collect();
    let mut result = Array::for_type(op, op.result(0).ty(), shape)?;
    result.cells.fill(identity.value);

    let mut indices = x.indices();
    for place in 0..x.cells.len() {
        let Some(from) = indices.advance() else { break };
        let to = kept.iter().map(|i| if dims.contains(i) { 0 } else { from[*i] });
        let to = place_of(op, &result, &to.collect::<Vec<_>>())?;
        let joined = join(Number::of(&result, to), Number::of(x, place));
        result.cells[to] = joined.map_err(|message| at(op, &result, to, &message))?.value;
    }
    Ok(Datum::tensor(result))
}

fn transpose<'c>(op: Op<'c>, x: &Array) -> Result<Datum, Error<'c>> {
    let perm = dimensions(op, "perm", x.shape.len())?;
    if perm.len() != x.shape.len() {
        return Err(Error::on(op, "has a perm that does not name each dimension"));
    }
    let shape = perm.iter().map(|i| x.shape[*i]).collect();
    let mut result = Array::for_type(op, op.result(0).ty(), shape)?;
    let mut indices = result.indices();
    let mut from = vec![0; perm.len()];
    for cell in &mut result.cells {
        let Some(to) = indices.advance() else { break };
        for (i, index) in perm.iter().zip(to) {
            from[*i] = *index;
        }
        *cell = x.cells[place_of(op, x, &from)?];
    }
    Ok(Datum::tensor(result))
}

fn broadcast<'c>(op: Op<'c>, env: &Env<'c>) -> Result<Datum, Error<'c>> {
    let operands = op.operands();
    let [x, sizes @ ..] = &operands[..] else { return Err(unknown(op)) };
    let (x_dims, _) = array_type(op, x.ty())?;
    let x = env.tensor(op, *x)?;
    let mut sizes = env.indices(op, sizes)?.into_iter();
    let ty = op.result(0).ty();
    let (result_dims, _) = array_type(op, ty)?;
    let dims = dimensions(op, "dims", result_dims.len())?;
    if dims.len() != x.shape.len() {
        return Err(Error::on(
            op,
            "does not have one entry in dims for each dimension of its operand",
        ));
    }

    // The dimension of x that determines the size of a dimension of the result: one that is not broadcast.
    let source = |i: usize| dims.iter().position(|d| *d == i).filter(|d| x_dims[*d] != Some(1));
    let mut shape = vec![];
    for (i, dim) in result_dims.iter().enumerate() {
        let size = match (source(i), dim) {
            (Some(from), _) => x.shape[from],
            (None, Some(size)) => *size as usize,
            (None, None) => {
                let size = sizes.next().ok_or_else(|| Error::on(op, "has too few sizes"))?;
                usize::try_from(size).map_err(|_| {
                    Error::on(
                        op,
                        format!(
                            "has size {size}, expected a \
                             size that is not negative"
                        ),
                    )
                })?
            }
        };
        shape.push(size);
    }
    let mut result = Array::for_type(op, ty, shape.clone())?;
    let mut indices = RowMajorIndices::of(&shape);
    for cell in &mut result.cells {
        let Some(to) = indices.advance() else { break };
        let from = dims.iter().zip(&x_dims).map(|(to_dim, size)| match size {
            Some(1) => 0,
            _ => to[*to_dim],
        });
        *cell = x.cells[place_of(op, &x, &from.collect::<Vec<_>>())?];
    }
    Ok(Datum::tensor(result))
}

/// The distinct dimensions, each below `rank`, in attribute `name`.
fn dimensions<'c>(op: Op<'c>, name: &str, rank: usize) -> Result<Vec<usize>, Error<'c>> {
    let list = op.attribute(name).and_then(|list| list.as_integers()).unwrap_or_default();
    let mut dims = vec![];
    for dim in list {
        let dim = usize::try_from(dim).ok().filter(|dim| *dim < rank && !dims.contains(dim));
        dims.push(dim.ok_or_else(|| {
            Error::on(
                op,
                format!(
                    "has {name} with entries that are repeated or \
                     out of range"
                ),
            )
        })?);
    }
    Ok(dims)
}

fn place_of<'c>(op: Op<'c>, array: &Array, indices: &[i64]) -> Result<usize, Error<'c>> {
    array.checked_offset(indices).map_err(|message| Error::on(op, message))
}

#[cfg(test)]
#[path = "../../test/interpreter/graph.rs"]
mod tests;
