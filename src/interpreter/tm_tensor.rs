//! Runs the ops of `tm_tensor` by their definition, in the order in which it states the steps.

use super::env::Env;
use super::graph::Number;
use super::scalar::Scalar;
use super::structured::{BodyFrame, DecodedBody, LoopRanges, OpArrays, OperandArrays};
use super::value::{Array, Datum};
use crate::ir::{Attribute, Error, Op};
use std::rc::Rc;

/// The results of a `tm_tensor` op; `None` for an unsupported op.
pub(super) fn run<'c>(op: Op<'c>, env: &Env<'c>) -> Result<Option<Vec<Datum>>, Error<'c>> {
    let sizes = op.attribute("operandSegmentSizes").and_then(Attribute::as_integers);
    let inputs = sizes.and_then(|sizes| usize::try_from(*sizes.first()?).ok()).unwrap_or(0);
    let mut arrays = vec![];
    for operand in op.operands() {
        arrays.push(env.tensor(op, operand)?.clone());
    }
    let outputs = arrays.split_off(inputs.min(arrays.len()));
    let outputs: Vec<Array> = outputs.iter().map(|array| (**array).clone()).collect();
    let results = match op.name() {
        "tm_tensor.attention" => attention(op, &arrays, outputs)?,
        "tm_tensor.scan" => scan(op, env, &arrays, outputs)?,
        "tm_tensor.scatter" => scatter(op, env, &arrays, outputs)?,
        "tm_tensor.sort" => sort(op, env, outputs)?,
        "tm_tensor.topk" => topk(op, env, &arrays, outputs)?,
        _ => return Ok(None),
    };
    Ok(Some(results.into_iter().map(Datum::tensor).collect()))
}

/// The region of an op as a function of scalars.
struct Function<'a, 'c> {
    body: &'a DecodedBody<'c>,
    frame: BodyFrame<'a>,
}

impl<'c> Function<'_, 'c> {
    fn call(&mut self, arguments: &[Scalar]) -> Result<Scalar, Error<'c>> {
        for (slot, argument) in self.body.arguments().iter().zip(arguments) {
            self.frame.slots[*slot] = *argument;
        }
        self.body.run(&mut self.frame)?;
        Ok(self.frame.slots[self.body.yields()[0]])
    }

    fn holds(&mut self, arguments: &[Scalar]) -> Result<bool, Error<'c>> {
        Ok(self.call(arguments)? != Scalar::Int(0))
    }
}

/// Calls `with` with the region of an op.
fn with_region<'c, T>(
    op: Op<'c>,
    env: &Env<'c>,
    with: impl FnOnce(&mut Function<'_, 'c>) -> Result<T, Error<'c>>,
) -> Result<T, Error<'c>> {
    let block = op.body(0).ok_or_else(|| Error::on(op, "has no body"))?;
    let mut arrays = OperandArrays::default();
    let body = DecodedBody::decode(op, block, env, &mut arrays)?;
    let memory = OpArrays::new(&arrays, LoopRanges::new(&[], vec![]), &[], &[]);
    let memory = memory.map_err(|message| Error::on(op, message))?;
    let frame = BodyFrame::new(&body, 0, memory);
    with(&mut Function { body: &body, frame })
}

/// The dimension that an op works along, and the places of each line of `array` along it.
fn lines(op: Op, array: &Array) -> Vec<Vec<usize>> {
    let along = op.attribute("dimension").and_then(Attribute::as_i64).unwrap_or(0) as usize;
    let n = array.shape[along];
    let step: usize = array.shape[along + 1..].iter().product();
    let is_first = |place: &usize| n > 0 && (place / step.max(1)).is_multiple_of(n);
    let starts = (0..array.cells.len()).filter(is_first);
    starts.map(|first| (0..n).map(|i| first + i * step).collect()).collect()
}

fn scan<'c>(
    op: Op<'c>,
    env: &Env<'c>,
    inputs: &[Rc<Array>],
    mut outputs: Vec<Array>,
) -> Result<Vec<Array>, Error<'c>> {
    let is_inclusive = op.attribute("inclusive").and_then(Attribute::as_i64) != Some(0);
    let x = &inputs[0];
    with_region(op, env, |combine| {
        for (line, places) in lines(op, x).into_iter().enumerate() {
            for (i, place) in places.iter().copied().enumerate() {
                let new = match (i.checked_sub(1), is_inclusive) {
                    (None, true) => x.cells[place],
                    (None, false) => outputs[1].cells[line],
                    (Some(before), _) => {
                        let element = if is_inclusive { place } else { places[before] };
                        combine.call(&[outputs[0].cells[places[before]], x.cells[element]])?
                    }
                };
                outputs[0].cells[place] = new;
            }
            if let Some(last) = places.last() {
                outputs[1].cells[line] = outputs[0].cells[*last];
            }
        }
        Ok(())
    })?;
    Ok(outputs)
}

fn scatter<'c>(
    op: Op<'c>,
    env: &Env<'c>,
    inputs: &[Rc<Array>],
    mut outputs: Vec<Array>,
) -> Result<Vec<Array>, Error<'c>> {
    let (updates, indices) = (&inputs[0], &inputs[1]);
    let mapped = op.attribute("dimension_map").and_then(Attribute::as_integers).unwrap_or_default();
    if updates.shape[0] != indices.shape[0] {
        let message = format!("has {} updates for {} indices", updates.shape[0], indices.shape[0]);
        return Err(Error::on(op, message));
    }
    with_region(op, env, |combine| {
        let mut at = updates.indices();
        for update in &updates.cells {
            let Some(at) = at.advance() else { break };
            let mut place = vec![0; outputs[0].shape.len()];
            let first = place.len() - (at.len() - 1);
            place[first..].copy_from_slice(&at[1..]);
            for (column, d) in mapped.iter().enumerate() {
                let start = indices.checked_offset(&[at[0], column as i64]);
                let start = start.map_err(|message| Error::on(op, message))?;
                let Scalar::Int(start) = indices.cells[start] else {
                    return Err(Error::on(op, "uses an undefined value as an index"));
                };
                place[*d as usize] += start;
            }
            let place = outputs[0].checked_offset(&place);
            let place = place.map_err(|message| Error::on(op, message))?;
            outputs[0].cells[place] = combine.call(&[*update, outputs[0].cells[place]])?;
        }
        Ok(())
    })?;
    Ok(outputs)
}

fn sort<'c>(op: Op<'c>, env: &Env<'c>, mut outputs: Vec<Array>) -> Result<Vec<Array>, Error<'c>> {
    let old = outputs.clone();
    with_region(op, env, |in_order| {
        for places in lines(op, &old[0]) {
            let mut may_be_before = |one: usize, other: usize| {
                let pairs = old.iter().flat_map(|array| [array.cells[one], array.cells[other]]);
                in_order.holds(&pairs.collect::<Vec<_>>())
            };
            let sorted = merge_sort(&places, &mut may_be_before)?;
            for (place, from) in places.iter().zip(sorted) {
                for (output, old) in outputs.iter_mut().zip(&old) {
                    output.cells[*place] = old.cells[from];
                }
            }
        }
        Ok(())
    })?;
    Ok(outputs)
}

/// Sorts, and keeps the order of elements that may be before each other.
fn merge_sort<E>(
    places: &[usize],
    may_be_before: &mut impl FnMut(usize, usize) -> Result<bool, E>,
) -> Result<Vec<usize>, E> {
    if places.len() < 2 {
        return Ok(places.to_vec());
    }
    let (left, right) = places.split_at(places.len() / 2);
    let (left, right) = (merge_sort(left, may_be_before)?, merge_sort(right, may_be_before)?);
    let (mut i, mut j, mut merged) = (0, 0, vec![]);
    while i < left.len() || j < right.len() {
        let takes_left = j == right.len() || i < left.len() && may_be_before(left[i], right[j])?;
        merged.push(if takes_left { left[i] } else { right[j] });
        (i, j) = if takes_left { (i + 1, j) } else { (i, j + 1) };
    }
    Ok(merged)
}

/// Inserts each element into the first values so far.
fn topk<'c>(
    op: Op<'c>,
    env: &Env<'c>,
    inputs: &[Rc<Array>],
    mut outputs: Vec<Array>,
) -> Result<Vec<Array>, Error<'c>> {
    let into = lines(op, &outputs[0]);
    with_region(op, env, |is_before| {
        for (line, places) in lines(op, &inputs[0]).into_iter().enumerate() {
            for (i, place) in places.into_iter().enumerate() {
                let mut value = inputs[0].cells[place];
                let mut index = match inputs.get(1) {
                    Some(indices) => indices.cells[place],
                    None => Scalar::Int(outputs[1].ty.wrap(i as i64)),
                };
                for at in into.get(line).into_iter().flatten() {
                    let (kept, kept_index) = (outputs[0].cells[*at], outputs[1].cells[*at]);
                    let is_new_first = is_before.holds(&[value, kept])?;
                    let is_equal = is_new_first == is_before.holds(&[kept, value])?;
                    let is_earlier = match (index, kept_index) {
                        (Scalar::Int(new), Scalar::Int(kept)) => new < kept,
                        _ => return Err(Error::on(op, "has an undefined index")),
                    };
                    if is_new_first || is_equal && is_earlier {
                        outputs[0].cells[*at] = value;
                        outputs[1].cells[*at] = index;
                        (value, index) = (kept, kept_index);
                    }
                }
            }
        }
        Ok(())
    })?;
    Ok(outputs)
}

/// Each row of the result by itself, rounded to the element type after each operation.
fn attention<'c>(
    op: Op<'c>,
    inputs: &[Rc<Array>],
    mut outputs: Vec<Array>,
) -> Result<Vec<Array>, Error<'c>> {
    let scale = op.attribute("scale").and_then(Attribute::as_f64);
    let rows = attention_rows(inputs, scale, &mut outputs[0]);
    rows.map_err(|message| Error::on(op, message))?;
    Ok(outputs)
}

fn attention_rows(
    inputs: &[Rc<Array>],
    scale: Option<f64>,
    output: &mut Array,
) -> Result<(), String> {
    let [query, key, value] = [&inputs[0], &inputs[1], &inputs[2]];
    let rank = query.shape.len();
    let (m, k, n) = (query.shape[rank - 2], query.shape[rank - 1], key.shape[rank - 2]);
    let v = value.shape[rank - 1];
    let number = |value: f64| Number::float(query.ty, value);
    let scale = number(scale.unwrap_or(1.0 / (k as f64).sqrt()));
    for row in 0..query.cells.len() / k.max(1) {
        let batch = row / m;
        let mut weights = vec![];
        for j in 0..n {
            let mut sum = number(0.0);
            for i in 0..k {
                let of_key = Number::of(key, (batch * n + j) * k + i);
                sum = sum.add(Number::of(query, row * k + i).mul(of_key)?)?;
            }
            let weight = sum.mul(scale)?;
            weights.push(match inputs.get(3) {
                None => weight,
                Some(mask) => weight.add(match mask.cells[row * n + j] {
                    Scalar::Int(0) => number(f64::NEG_INFINITY),
                    Scalar::Int(_) => number(0.0),
                    _ => Number::of(mask, row * n + j),
                })?,
            });
        }
        let least = number(f64::NEG_INFINITY);
        let max = weights.iter().try_fold(least, |max, weight| max.max(*weight))?;
        let max = if max.value == least.value { number(0.0) } else { max };
        let mut sum = number(0.0);
        for weight in &mut weights {
            *weight = weight.sub(max)?.exp()?;
            sum = sum.add(*weight)?;
        }
        for weight in &mut weights {
            *weight = if sum.value == Scalar::Float(0.0) { sum } else { weight.div(sum)? };
        }
        for c in 0..v {
            let mut result = number(0.0);
            for (j, weight) in weights.iter().enumerate() {
                result = result.add(weight.mul(Number::of(value, (batch * n + j) * v + c))?)?;
            }
            output.cells[row * v + c] = result.value;
        }
    }
    Ok(())
}
