//! Runs ops that create tensors and move elements.

use super::cells::{cell, computed, dimension, dimensions, element_of, integer, integers, size_of};
use super::number::Number;
use crate::interpreter::env::Env;
use crate::interpreter::scalar::{Scalar, ScalarType};
use crate::interpreter::structured::unknown;
use crate::interpreter::value::{Array, Datum, array_type};
use crate::ir::{Error, Op};

/// Sizes of the result: those of its type, and for the dynamic ones those that operands give.
fn given_shape<'c>(op: Op<'c>, env: &Env<'c>, first: usize) -> Result<Vec<usize>, Error<'c>> {
    let mut given = env.indices(op, &op.operands()[first..])?.into_iter();
    let (dims, _) = array_type(op, op.result(0).ty())?;
    let size = |size: Option<i64>| {
        let size = size.or_else(|| given.next());
        size_of(op, size.ok_or_else(|| Error::on(op, "has too few sizes"))?)
    };
    dims.into_iter().map(size).collect()
}

/// Runs an op with sizes or scalars as operands; `None` for others.
pub(super) fn with_scalars<'c>(op: Op<'c>, env: &Env<'c>) -> Result<Option<Datum>, Error<'c>> {
    let ty = op.result(0).ty();
    let scalar = |i: usize| match env.get(op, op.operand(i))? {
        Datum::Scalar(value) => Ok(*value),
        _ => Err(Error::on(op, "uses an array where a scalar is expected")),
    };
    let result = match op.name() {
        "graph.broadcast" => return broadcast(op, env).map(Some),
        "graph.full" => {
            let value = scalar(0)?;
            computed(op, ty, given_shape(op, env, 1)?, |_| Ok(value))?
        }
        "graph.iota" => {
            let shape = given_shape(op, env, 0)?;
            let (dim, to) = (dimension(op, shape.len())?, element_of(op, ty)?);
            computed(op, ty, shape, |at| {
                let index = Number { ty: ScalarType::Index, value: Scalar::Int(at[dim]) };
                Ok(index.cast(to, false)?.value)
            })?
        }
        "graph.pad" => {
            let (x, value) = (env.tensor(op, op.operand(0))?, scalar(1)?);
            pad(op, &x, value)?
        }
        "graph.reshape" => {
            let x = env.tensor(op, op.operand(0))?;
            let mut result = Array::for_type(op, ty, given_shape(op, env, 1)?)?;
            if result.cells.len() != x.cells.len() {
                let message = format!("reshapes sizes {:?} to {:?}", x.shape, result.shape);
                return Err(Error::on(op, message));
            }
            result.cells.clone_from(&x.cells);
            result
        }
        _ => return Ok(None),
    };
    Ok(Some(Datum::tensor(result)))
}

fn pad<'c>(op: Op<'c>, x: &Array, value: Scalar) -> Result<Array, Error<'c>> {
    let (low, high) = (integers(op, "low")?, integers(op, "high")?);
    let sizes = x.shape.iter().zip(low.iter().zip(&high));
    let shape = sizes.map(|(size, (low, high))| {
        size_of(op, (*size as i64).saturating_add(*low).saturating_add(*high))
    });
    computed(op, op.result(0).ty(), shape.collect::<Result<_, _>>()?, |at| {
        let from: Vec<i64> = at.iter().zip(&low).map(|(at, low)| at - low).collect();
        Ok(x.offset(&from).map_or(value, |place| x.cells[place]))
    })
}

/// Runs an op whose operands are all tensors; `None` for others.
pub(super) fn run<'c>(op: Op<'c>, x: &[&Array]) -> Result<Option<Vec<Datum>>, Error<'c>> {
    let one = |result: Result<Array, Error<'c>>| result.map(|it| Some(vec![Datum::tensor(it)]));
    match (op.name(), x) {
        ("graph.concat", parts) => one(concat(op, parts)),
        ("graph.expand_dims" | "graph.squeeze", [x]) => one(renamed(op, x)),
        ("graph.flip", [x]) => one(flip(op, x)),
        ("graph.layout_transform", [x]) => one(layout_transform(op, x)),
        ("graph.repeat" | "graph.tile", [x]) => one(repeated(op, x)),
        ("graph.slice", [x]) => one(slice(op, x)),
        ("graph.split", [x]) => split(op, x).map(Some),
        ("graph.stack", parts) => one(stack(op, parts)),
        ("graph.transpose", [x]) => one(transpose(op, x)),
        _ => Ok(None),
    }
}

/// The same cells with dimensions of size 1 added or removed.
fn renamed<'c>(op: Op<'c>, x: &Array) -> Result<Array, Error<'c>> {
    let list = integers(op, "dims")?;
    let shape = match op.is("graph.squeeze") {
        true => {
            let dims = dimensions(op, "dims", x.shape.len())?;
            if let Some(dim) = dims.iter().find(|dim| x.shape[**dim] != 1) {
                let size = x.shape[*dim];
                return Err(Error::on(op, format!("removes dimension {dim} of size {size}")));
            }
            (0..x.shape.len()).filter(|i| !dims.contains(i)).map(|i| x.shape[i]).collect()
        }
        false => {
            let dims = dimensions(op, "dims", x.shape.len() + list.len())?;
            let mut rest = x.shape.iter();
            let size = |i| if dims.contains(&i) { 1 } else { rest.next().map_or(1, |size| *size) };
            (0..x.shape.len() + list.len()).map(size).collect()
        }
    };
    let mut result = Array::for_type(op, op.result(0).ty(), shape)?;
    result.cells.clone_from(&x.cells);
    Ok(result)
}

fn slice<'c>(op: Op<'c>, x: &Array) -> Result<Array, Error<'c>> {
    let dims = dimensions(op, "dims", x.shape.len())?;
    let [starts, ends, steps] = ["starts", "ends", "steps"].map(|name| integers(op, name));
    let (starts, ends, steps) = (starts?, ends?, steps?);
    // The indices of x that are taken, in each dimension.
    let mut taken: Vec<Vec<i64>> = x.shape.iter().map(|size| (0..*size as i64).collect()).collect();
    for (i, dim) in dims.into_iter().enumerate() {
        let size = x.shape[dim] as i64;
        let inside = |at: i64| if at < 0 { (at + size).max(0) } else { at.min(size) };
        let step = usize::try_from(steps[i]).ok().filter(|step| *step > 0);
        let step = step.ok_or_else(|| Error::on(op, "has a step that is not positive"))?;
        taken[dim] = (inside(starts[i])..inside(ends[i])).step_by(step).collect();
    }
    let shape = taken.iter().map(Vec::len).collect();
    computed(op, op.result(0).ty(), shape, |at| {
        let from: Vec<i64> = at.iter().zip(&taken).map(|(at, taken)| taken[*at as usize]).collect();
        cell(x, &from)
    })
}

fn split<'c>(op: Op<'c>, x: &Array) -> Result<Vec<Datum>, Error<'c>> {
    let dim = dimension(op, x.shape.len())?;
    let mut first = 0;
    let mut parts = vec![];
    for (i, size) in integers(op, "sizes")?.into_iter().enumerate() {
        let mut shape = x.shape.clone();
        shape[dim] = size_of(op, size)?;
        let part = computed(op, op.result(i).ty(), shape, |at| {
            let mut from = at.to_vec();
            from[dim] += first;
            cell(x, &from)
        });
        parts.push(Datum::tensor(part?));
        first += size;
    }
    Ok(parts)
}

fn concat<'c>(op: Op<'c>, parts: &[&Array]) -> Result<Array, Error<'c>> {
    let Some(first) = parts.first() else { return Err(unknown(op)) };
    let dim = dimension(op, first.shape.len())?;
    for part in parts {
        let mut shape = part.shape.clone();
        shape[dim] = first.shape[dim];
        if shape != first.shape {
            let message = format!("joins sizes {:?} and {:?}", first.shape, part.shape);
            return Err(Error::on(op, message));
        }
    }
    let mut shape = first.shape.clone();
    shape[dim] = parts.iter().map(|part| part.shape[dim]).sum();
    computed(op, op.result(0).ty(), shape, |at| {
        let mut from = at.to_vec();
        let mut rest = parts.iter();
        loop {
            let part = rest.next().ok_or("is behind all parts")?;
            if from[dim] < part.shape[dim] as i64 {
                return cell(part, &from);
            }
            from[dim] -= part.shape[dim] as i64;
        }
    })
}

fn stack<'c>(op: Op<'c>, parts: &[&Array]) -> Result<Array, Error<'c>> {
    let Some(first) = parts.first() else { return Err(unknown(op)) };
    if let Some(part) = parts.iter().find(|part| part.shape != first.shape) {
        return Err(Error::on(op, format!("joins sizes {:?} and {:?}", first.shape, part.shape)));
    }
    let dim = dimension(op, first.shape.len() + 1)?;
    let mut shape = first.shape.clone();
    shape.insert(dim, parts.len());
    computed(op, op.result(0).ty(), shape, |at| {
        let mut from = at.to_vec();
        let part = from.remove(dim);
        cell(parts[part as usize], &from)
    })
}

fn flip<'c>(op: Op<'c>, x: &Array) -> Result<Array, Error<'c>> {
    let dims = dimensions(op, "dims", x.shape.len())?;
    computed(op, op.result(0).ty(), x.shape.clone(), |at| {
        let mut from = at.to_vec();
        dims.iter().for_each(|dim| from[*dim] = x.shape[*dim] as i64 - 1 - at[*dim]);
        cell(x, &from)
    })
}

fn repeated<'c>(op: Op<'c>, x: &Array) -> Result<Array, Error<'c>> {
    let mut counts = vec![1; x.shape.len()];
    let is_tile = op.is("graph.tile");
    match is_tile {
        true => counts = integers(op, "repeats")?,
        false => counts[dimension(op, x.shape.len())?] = integer(op, "count")?,
    }
    let sizes = x.shape.iter().zip(&counts);
    let shape: Vec<usize> = sizes
        .map(|(size, count)| Ok(size.saturating_mul(size_of(op, *count)?)))
        .collect::<Result<_, Error>>()?;
    computed(op, op.result(0).ty(), shape, |at| {
        let from = |(i, at): (usize, &i64)| match is_tile {
            true => at % x.shape[i] as i64,
            false => at / counts[i],
        };
        cell(x, &at.iter().enumerate().map(from).collect::<Vec<_>>())
    })
}

fn layout_transform<'c>(op: Op<'c>, x: &Array) -> Result<Array, Error<'c>> {
    let (result_sizes, _) = array_type(op, op.result(0).ty())?;
    let shape: Option<Vec<usize>> =
        result_sizes.into_iter().map(|size| size.map(|size| size as usize)).collect();
    let shape = shape.ok_or_else(|| Error::on(op, "has a result of dynamic sizes"))?;
    let tiles = integers(op, "tiles")?;
    let is_inverse = op.attribute("inverse").is_some();
    let rank = if is_inverse { shape.len() } else { x.shape.len() };
    let dims = dimensions(op, "dims", rank)?;
    computed(op, op.result(0).ty(), shape, |at| {
        if is_inverse {
            let mut from = at.to_vec();
            for (dim, tile) in dims.iter().zip(&tiles) {
                from[*dim] = at[*dim] / tile;
                from.push(at[*dim] % tile);
            }
            return cell(x, &from);
        }
        let mut from = at[..rank].to_vec();
        for (i, (dim, tile)) in dims.iter().zip(&tiles).enumerate() {
            from[*dim] = at[*dim] * tile + at[rank + i];
        }
        let zero = Number::zero(x.ty).value;
        Ok(x.offset(&from).map_or(zero, |place| x.cells[place]))
    })
}

fn transpose<'c>(op: Op<'c>, x: &Array) -> Result<Array, Error<'c>> {
    let perm = dimensions(op, "perm", x.shape.len())?;
    if perm.len() != x.shape.len() {
        return Err(Error::on(op, "has a perm that does not name each dimension"));
    }
    let shape = perm.iter().map(|i| x.shape[*i]).collect();
    computed(op, op.result(0).ty(), shape, |at| {
        let mut from = vec![0; perm.len()];
        perm.iter().zip(at).for_each(|(i, index)| from[*i] = *index);
        cell(x, &from)
    })
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
        let message = "does not have one entry in dims for each dimension of its operand";
        return Err(Error::on(op, message));
    }
    // The dimension of x that determines the size of a dimension of the result: one that is not broadcast.
    let source = |i: usize| dims.iter().position(|d| *d == i).filter(|d| x_dims[*d] != Some(1));
    let mut shape = vec![];
    for (i, dim) in result_dims.iter().enumerate() {
        shape.push(match (source(i), dim) {
            (Some(from), _) => x.shape[from],
            (None, Some(size)) => *size as usize,
            (None, None) => {
                size_of(op, sizes.next().ok_or_else(|| Error::on(op, "has too few sizes"))?)?
            }
        });
    }
    let result = computed(op, ty, shape, |to| {
        let from = dims.iter().zip(&x_dims).map(|(dim, size)| match size {
            Some(1) => 0,
            _ => to[*dim],
        });
        cell(&x, &from.collect::<Vec<_>>())
    });
    result.map(Datum::tensor)
}
