//! Running sums and products.

use super::Row;
use crate::builder::Builder;
use crate::compute::accumulator;
use crate::element::Element;
use crate::error::Refusal;
use crate::layout::Slice;
use crate::node::Node;
use crate::scalar::{Compare, Scalar};
use crate::size::Size;
use crate::tensor::Tensor;
use crate::tm_tensor::Scan;

pub const OPS: &[Row] = &[
    ("CumProd", |node| running(node, 1.0, |b, product, x| b.mul(product, x))),
    ("CumSum", |node| running(node, 0.0, |b, sum, x| b.add(sum, x))),
];

/// The results of `body` along the axis of input 1, which may depend on data.
fn running<'c>(
    node: &Node<'_, 'c>,
    start: f64,
    body: impl Fn(&Builder<'c>, Scalar<'c>, Scalar<'c>) -> Scalar<'c>,
) -> Result<Vec<Tensor<'c>>, Refusal> {
    let (x, axis) = (node.input(0)?, node.input(1)?);
    if x.element() == Element::Bool {
        return Err(Refusal::new("has an operand of bool, expected numbers"));
    }
    let kind = if node.flag("exclusive", false)? { Scan::Exclusive } else { Scan::Inclusive };
    let is_reverse = node.flag("reverse", false)?;
    let wide = node.convert(x, accumulator(x.element()));
    let along = |axis: usize| {
        let turned = |tensor: &Tensor<'c>| match is_reverse {
            true => node.reversed(tensor, axis),
            false => tensor.clone(),
        };
        let start = node.scalar(wide.element(), start);
        turned(&node.scan(&turned(&wide), axis, start, kind, &body))
    };
    let axes = match axis.integers().as_deref() {
        Some([axis]) => vec![node.axis_of(*axis, x.rank())?],
        Some(_) => return Err(Refusal::new("has a list of axes, expected one axis")),
        None => (0..x.rank()).collect(),
    };
    let candidates: Vec<_> = axes.iter().map(|axis| (*axis, along(*axis))).collect();
    let result = node.chosen_by_axis(axis, x.rank(), &candidates)?;
    Ok(vec![node.convert(&result, x.element())])
}

impl<'c> Builder<'c> {
    /// The tensor with an axis in reverse order.
    pub fn reversed(&self, tensor: &Tensor<'c>, axis: usize) -> Tensor<'c> {
        let slice = |(i, size): (usize, &Size<'c>)| match i == axis {
            true => Slice { start: self.size_sub(*size, Size::Known(1)), size: *size, step: -1 },
            false => Slice { start: Size::Known(0), size: *size, step: 1 },
        };
        let slices: Vec<_> = tensor.sizes().iter().enumerate().map(slice).collect();
        self.slice(tensor, &slices)
    }

    /// Of results by axis, which have the same sizes, the one whose axis the tensor `axis` holds at run time, counted from the
    /// end of `rank` axes if it is negative.
    ///
    /// # Errors
    /// If there is no result, or `axis` has several elements.
    pub fn chosen_by_axis(
        &self,
        axis: &Tensor<'c>,
        rank: usize,
        results: &[(usize, Tensor<'c>)],
    ) -> Result<Tensor<'c>, Refusal> {
        let Some(((_, first), others)) = results.split_first() else {
            return Err(Refusal::new("has no axis that fits"));
        };
        if others.is_empty() {
            return Ok(first.clone());
        }
        let axis = self.reshape(axis, &[])?;
        others.iter().try_fold(first.clone(), |found, (i, result)| {
            self.map(&[&axis, &found, result], result.element(), |b, v| {
                let axis = b.cast(v[0], Element::I64);
                let is = |i: i64| b.compare(Compare::Equal, axis, b.like(axis, i as f64));
                let is_chosen = b.or(is(*i as i64), is(*i as i64 - rank as i64));
                b.select(is_chosen, v[2], v[1])
            })
        })
    }
}
