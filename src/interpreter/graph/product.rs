//! Runs matrix products, convolutions and pools.

use super::cells::{cell, computed, each_index, element_of, integer, integers};
use super::number::Number;
use crate::dialect::graph_op::{Layout, PoolKind, SlidingWindow};
use crate::interpreter::scalar::ScalarType;
use crate::interpreter::value::{Array, Datum};
use crate::ir::{Attribute, Error, Op};

/// The number of a cell, converted to another type.
fn number(array: &Array, indices: &[i64], to: ScalarType) -> Result<Number, String> {
    Number { ty: array.ty, value: cell(array, indices)? }.cast(to, false)
}

pub(super) fn matmul<'c>(op: Op<'c>, a: &Array, b: &Array) -> Result<Datum, Error<'c>> {
    let Some(batches) = a.shape.len().checked_sub(2).filter(|_| a.shape.len() == b.shape.len())
    else {
        return Err(Error::on(op, "multiplies operands that are not matrices"));
    };
    let matrix = |array: &Array, is_transposed: bool| match array.shape[batches..] {
        [rows, columns] if is_transposed => [columns, rows],
        [rows, columns] => [rows, columns],
        _ => unreachable!("the rank is at least 2"),
    };
    let is_transposed = |name| op.attribute(name).is_some();
    let (swap_a, swap_b) = (is_transposed("transpose_a"), is_transposed("transpose_b"));
    let ([m, k], [k_of_b, n]) = (matrix(a, swap_a), matrix(b, swap_b));
    if k != k_of_b || a.shape[..batches] != b.shape[..batches] {
        let message = format!(
            "multiplies a {m}x{k} matrix by a {k_of_b}x{n} matrix, whose sizes do not match"
        );
        let batch = format!(
            "multiplies batches of sizes {:?} and {:?}",
            &a.shape[..batches],
            &b.shape[..batches]
        );
        return Err(Error::on(op, if k != k_of_b { message } else { batch }));
    }
    let to = element_of(op, op.result(0).ty())?;
    let shape = [&a.shape[..batches], &[m, n]].concat();
    let result = computed(op, op.result(0).ty(), shape, |at| {
        let place = |row: i64, column: i64, is_swapped: bool| {
            let matrix = if is_swapped { [column, row] } else { [row, column] };
            [&at[..batches], &matrix].concat()
        };
        let mut sum = Number::zero(to);
        for i in 0..k as i64 {
            let x = number(a, &place(at[batches], i, swap_a), to)?;
            let y = number(b, &place(i, at[batches + 1], swap_b), to)?;
            sum = sum.add(x.mul(y)?)?;
        }
        Ok(sum.value)
    });
    result.map(Datum::tensor)
}

/// An image in its layout.
struct ImageDims {
    layout: Layout,
    rank: usize,
}

impl ImageDims {
    fn of<'c>(op: Op<'c>, x: &Array) -> Result<Self, Error<'c>> {
        let layout = Layout::from_value(integer(op, "layout")?);
        let layout = layout.ok_or_else(|| Error::on(op, "has no layout"))?;
        match x.shape.len() {
            rank @ 3.. => Ok(Self { layout, rank }),
            _ => Err(Error::on(op, "has an operand that is no image")),
        }
    }

    /// The indices of an element.
    fn indices(&self, batch: i64, channel: i64, positions: &[i64]) -> Vec<i64> {
        let mut indices = vec![batch; self.rank];
        indices[self.layout.channels(self.rank)] = channel;
        let first = self.layout.positions();
        indices[first..first + positions.len()].copy_from_slice(positions);
        indices
    }

    fn positions<'a, T>(&self, of: &'a [T]) -> &'a [T] {
        &of[self.layout.positions()..][..self.rank - 2]
    }
}

/// The element under a place of the window; `None` in the padding.
fn position(
    window: &SlidingWindow,
    result: &[i64],
    place: &[i64],
    image: &[usize],
) -> Option<Vec<i64>> {
    let position = |i: usize| {
        let at = result[i] * window.strides[i] - window.low[i] + place[i] * window.dilations[i];
        (at >= 0 && at < image[i] as i64).then_some(at)
    };
    (0..image.len()).map(position).collect()
}

/// The shape of the result of a window.
fn windowed<'c>(
    op: Op<'c>,
    x: &Array,
    dims: &ImageDims,
    window: &SlidingWindow,
    channels: usize,
) -> Result<Vec<usize>, Error<'c>> {
    let mut shape = x.shape.clone();
    shape[dims.layout.channels(dims.rank)] = channels;
    for (i, size) in dims.positions(&x.shape).iter().enumerate() {
        let results = window.results(i, *size as i64).map_err(|message| Error::on(op, message))?;
        shape[dims.layout.positions() + i] = results as usize;
    }
    Ok(shape)
}

pub(super) fn conv<'c>(op: Op<'c>, x: &Array, w: &Array) -> Result<Datum, Error<'c>> {
    let dims = ImageDims::of(op, x)?;
    let axes = dims.rank - 2;
    if w.shape.len() != dims.rank {
        return Err(Error::on(op, "has weights of another rank than its image"));
    }
    let is_first = dims.layout == Layout::ChannelsFirst;
    let (window, in_group, outputs) = match is_first {
        true => (&w.shape[2..], w.shape[1], w.shape[0]),
        false => (&w.shape[..axes], w.shape[axes], w.shape[axes + 1]),
    };
    let sizes: Vec<i64> = window.iter().map(|size| *size as i64).collect();
    let window = SlidingWindow::of_op(op, sizes).map_err(|message| Error::on(op, message))?;
    let groups = op.attribute("groups").and_then(Attribute::as_i64).unwrap_or(1) as usize;
    let channels = x.shape[dims.layout.channels(dims.rank)];
    if groups == 0 || channels != in_group * groups || !outputs.is_multiple_of(groups) {
        return Err(Error::on(
            op,
            format!("has {channels} channels for {groups} groups of {in_group}"),
        ));
    }
    let image = dims.positions(&x.shape);
    let places: Vec<usize> = window.sizes.iter().map(|size| *size as usize).collect();
    let to = element_of(op, op.result(0).ty())?;
    let shape = windowed(op, x, &dims, &window, outputs)?;
    let result = computed(op, op.result(0).ty(), shape, |at| {
        let output = at[dims.layout.channels(dims.rank)];
        let group = output / (outputs / groups) as i64;
        let mut sum = Number::zero(to);
        for channel in 0..in_group as i64 {
            each_index(&places, |place| {
                let weight = match is_first {
                    true => [&[output, channel], place].concat(),
                    false => [place, &[channel, output]].concat(),
                };
                let from = position(&window, dims.positions(at), place, image);
                let value = match from {
                    Some(from) => {
                        let channel = group * in_group as i64 + channel;
                        number(x, &dims.indices(at[0], channel, &from), to)?
                    }
                    None => Number::zero(to),
                };
                sum = sum.add(value.mul(number(w, &weight, to)?)?)?;
                Ok(())
            })?;
        }
        Ok(sum.value)
    });
    result.map(Datum::tensor)
}

pub(super) fn pool<'c>(op: Op<'c>, x: &Array) -> Result<Datum, Error<'c>> {
    let dims = ImageDims::of(op, x)?;
    let kind = PoolKind::from_value(integer(op, "kind")?);
    let kind = kind.ok_or_else(|| Error::on(op, "has no kind"))?;
    let window = SlidingWindow::of_op(op, integers(op, "window")?);
    let window = window.map_err(|message| Error::on(op, message))?;
    let is_unsigned = op.attribute("is_unsigned").is_some();
    let counts_padding = op.attribute("count_padding").is_some();
    let image = dims.positions(&x.shape);
    let places: Vec<usize> = window.sizes.iter().map(|size| *size as usize).collect();
    let channels = dims.layout.channels(dims.rank);
    let shape = windowed(op, x, &dims, &window, x.shape[channels])?;
    let result = computed(op, op.result(0).ty(), shape, |at| {
        let mut seen = vec![];
        each_index(&places, |place| {
            if let Some(from) = position(&window, dims.positions(at), place, image) {
                let from = dims.indices(at[0], at[channels], &from);
                seen.push(Number { ty: x.ty, value: cell(x, &from)? });
            }
            Ok(())
        })?;
        let value = match (kind, is_unsigned) {
            (PoolKind::Max, false) => {
                seen.into_iter().try_fold(Number::smallest(x.ty), Number::max)?
            }
            (PoolKind::Max, true) => seen.into_iter().try_fold(Number::zero(x.ty), |most, x| {
                most.of_unsigned(x, |a, b| Some(a.max(b)))
            })?,
            (PoolKind::Average, _) => {
                let count = if counts_padding { places.iter().product() } else { seen.len() };
                let start = Number::zero(Number::wide_type(x.ty));
                let sum = seen.into_iter().try_fold(start, |sum, x| sum.add(x.widened()))?;
                sum.div(sum.like(count as i64))?.cast(x.ty, false)?
            }
        };
        Ok(value.value)
    });
    result.map(Datum::tensor)
}
