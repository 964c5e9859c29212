//! Runs `graph.nonzero` and `graph.unique`, whose number of results is data.

use super::number::Number;
use super::ordered::total_order;
use crate::interpreter::scalar::{Scalar, ScalarType};
use crate::interpreter::value::{Array, Datum};
use crate::ir::{Error, Op};
use std::cmp::Ordering;

/// Result `i`: the numbers, in row-major order.
fn integers<'c>(
    op: Op<'c>,
    i: usize,
    shape: Vec<usize>,
    numbers: impl IntoIterator<Item = usize>,
) -> Result<Datum, Error<'c>> {
    let mut result = Array::for_type(op, op.result(i).ty(), shape)?;
    for (cell, number) in result.cells.iter_mut().zip(numbers) {
        *cell = Scalar::Int(number as i64);
    }
    Ok(Datum::tensor(result))
}

pub(super) fn nonzero<'c>(op: Op<'c>, x: &Array) -> Result<Vec<Datum>, Error<'c>> {
    let mut found = vec![];
    for place in 0..x.cells.len() {
        let truth = Number::of(x, place).cast(ScalarType::Int(1), false);
        let truth = truth.map_err(|message| Error::on(op, message))?;
        if truth != Number::truth(false) {
            found.push(x.indices_of(place));
        }
    }
    let count = found.len();
    let places = found.into_iter().flatten().map(|index| index as usize);
    let beyond = x.shape.iter().copied().cycle();
    let shape = vec![x.cells.len(), x.shape.len()];
    Ok(vec![integers(op, 0, shape, places.chain(beyond))?, integers(op, 1, vec![], [count])?])
}

/// Elements that are equal.
struct EqualElements {
    first: usize,
    value: Number,
    count: usize,
}

pub(super) fn unique<'c>(op: Op<'c>, x: &Array) -> Result<Vec<Datum>, Error<'c>> {
    let is_unsigned = op.attribute("is_unsigned").is_some();
    let mut groups: Vec<EqualElements> = vec![];
    let mut firsts = vec![];
    let len = x.cells.len();
    for place in 0..len {
        let value = Number::of(x, place);
        // The groups are in order.
        let mut at = 0;
        let mut order = Ordering::Greater;
        while at < groups.len() {
            order = total_order(value, groups[at].value, is_unsigned)
                .map_err(|message| Error::on(op, message))?;
            if order != Ordering::Greater {
                break;
            }
            at += 1;
        }
        match order {
            Ordering::Equal => groups[at].count += 1,
            _ => groups.insert(at, EqualElements { first: place, value, count: 1 }),
        }
        firsts.push(groups[at].first);
    }
    let mut values = Array::for_type(op, op.result(0).ty(), vec![len])?;
    values.cells.fill(Number::zero(x.ty).value);
    for (cell, group) in values.cells.iter_mut().zip(&groups) {
        *cell = group.value.value;
    }
    let group_of = |first: &usize| groups.iter().position(|group| group.first == *first);
    let inverse: Vec<usize> = firsts.iter().filter_map(group_of).collect();
    let padded = |number: fn(&EqualElements) -> usize| {
        groups.iter().map(number).chain(std::iter::repeat(0)).take(len).collect::<Vec<_>>()
    };
    Ok(vec![
        Datum::tensor(values),
        integers(op, 1, vec![len], padded(|group| group.first))?,
        integers(op, 2, vec![len], inverse)?,
        integers(op, 3, vec![len], padded(|group| group.count))?,
        integers(op, 4, vec![], [groups.len()])?,
    ])
}
