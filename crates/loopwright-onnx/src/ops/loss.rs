//! Losses of classifications.

use super::Row;
use crate::builder::Builder;
use crate::compute::accumulator;
use crate::element::Element;
use crate::error::Refusal;
use crate::node::Node;
use crate::scalar::{Compare, Scalar};
use crate::size::Size;
use crate::tensor::Tensor;

pub const OPS: &[Row] = &[
    ("NegativeLogLikelihoodLoss", |node| {
        let x = operand(node)?;
        let wide = node.convert(x, accumulator(x.element()));
        Ok(vec![loss(node, &wide)?])
    }),
    ("SoftmaxCrossEntropyLoss", |node| {
        let x = operand(node)?;
        let wide = node.convert(x, accumulator(x.element()));
        let log = node.log_softmax(&wide, &[1])?;
        Ok(vec![loss(node, &log)?, node.convert(&log, x.element())])
    }),
];

impl<'c> Builder<'c> {
    /// The logarithm of softmax over axes, of floats in the accumulator's type.
    pub fn log_softmax(&self, x: &Tensor<'c>, axes: &[usize]) -> Result<Tensor<'c>, Refusal> {
        let greatest = self.max_over(x, axes)?;
        let shifted = self.map(&[x, &greatest], x.element(), |b, v| b.sub(v[0], v[1]))?;
        let exp = self.map(&[&shifted], x.element(), |b, v| b.exp(v[0]))?;
        let sum = self.sum_over(&exp, axes)?;
        self.map(&[&shifted, &sum], x.element(), |b, v| b.sub(v[0], b.math("math.log", v[1])))
    }
}

/// The operand: floats, with the classes in dimension 1 and all other dimensions those of the target.
fn operand<'n, 'c>(node: &'n Node<'_, 'c>) -> Result<&'n Tensor<'c>, Refusal> {
    let (x, target) = (node.input(0)?, node.input(1)?);
    let is_integer = matches!(target.element(), Element::I32 | Element::I64);
    if !x.element().is_float() || !is_integer || x.rank() < 2 || target.rank() + 1 != x.rank() {
        return Err(Refusal::new(format!(
            "has an operand of {} of rank {} and a target of {} of rank {}, expected floats of at least rank 2 \
             and integers of one rank less",
            x.element().word(),
            x.rank(),
            target.element().word(),
            target.rank()
        )));
    }
    let others = x.sizes().iter().enumerate().filter(|(i, _)| *i != 1);
    let differs = |((_, x), target): ((usize, &Size<'c>), &Size<'c>)| {
        x.known().is_some() && target.known().is_some() && x != target
    };
    match others.zip(target.sizes()).any(differs) {
        true => Err(Refusal::new("has a target of other sizes than the operand")),
        false => Ok(x),
    }
}

/// `-x[n, target, ..] * weight[target]`, which is zero where the target is `ignore_index`, and its reduction. The mean is
/// that by weights.
fn loss<'c>(node: &Node<'_, 'c>, x: &Tensor<'c>) -> Result<Tensor<'c>, Refusal> {
    let target = node.input(1)?;
    let (element, wide) = (node.input(0)?.element(), x.element());
    let ignored = node.int("ignore_index")?;
    let weights = node.optional(2);
    if let Some(found) = weights.filter(|it| it.rank() != 1) {
        return Err(Refusal::new(format!("has weights of rank {}, expected a list", found.rank())));
    }
    if let Some((Size::Known(found), Size::Known(expected))) =
        weights.map(|it| (it.size(0), x.size(1)))
        && found != expected
    {
        return Err(Refusal::new(format!(
            "has {found} weights, expected one for each of {expected} classes"
        )));
    }
    // The class as an index, within the classes also where it is ignored.
    let class = |b: &Builder<'c>, target: Scalar<'c>| {
        let count = b.size_scalar(x.size(1));
        let last = b.sub(count, b.index_scalar(1));
        b.max(b.min(b.cast(target, Element::Index), last), b.index_scalar(0))
    };
    let or_zero = |b: &Builder<'c>, target: Scalar<'c>, value: Scalar<'c>| match ignored {
        Some(ignored) => {
            let ignored = Scalar { value: b.integer(target.element, ignored), ..target };
            let is_ignored = b.compare(Compare::Equal, target, ignored);
            b.select(is_ignored, b.like(value, 0.0), value)
        }
        None => value,
    };
    let weight = |b: &Builder<'c>, target: Scalar<'c>| match weights {
        Some(weights) => b.cast(b.extract(weights, &[class(b, target)]), wide),
        None => b.scalar(wide, 1.0),
    };
    let losses = node.map_to(target.sizes(), &[target], wide, |b, v| {
        let mut indices: Vec<_> = (0..target.rank()).map(|i| b.loop_index(i)).collect();
        indices.insert(1, class(b, v[0]));
        let value = b.neg(b.extract(x, &indices));
        or_zero(b, v[0], b.mul(value, weight(b, v[0])))
    });
    let axes: Vec<_> = (0..target.rank()).collect();
    let reduction = node.string_or("reduction", "mean")?;
    let result = match reduction.as_str() {
        "none" => losses,
        "sum" => node.reshape(&node.sum_over(&losses, &axes)?, &[])?,
        "mean" => {
            let sum = node.sum_over(&losses, &axes)?;
            let weights = node
                .map_to(target.sizes(), &[target], wide, |b, v| or_zero(b, v[0], weight(b, v[0])));
            let total = node.sum_over(&weights, &axes)?;
            let mean = node.map(&[&sum, &total], wide, |b, v| b.div(v[0], v[1]))?;
            node.reshape(&mean, &[])?
        }
        found => return Err(node.refuse_attribute("reduction", found, "none, sum or mean")),
    };
    Ok(node.convert(&result, element))
}
