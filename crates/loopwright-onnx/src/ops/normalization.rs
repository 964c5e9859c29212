//! Normalizations: by given statistics, or by the mean and variance over axes.

use super::Row;
use crate::builder::Builder;
use crate::compute::accumulator;
use crate::element::Element;
use crate::error::Refusal;
use crate::node::Node;
use crate::scalar::Scalar;
use crate::size::Size;
use crate::tensor::Tensor;

type Outputs<'c> = Result<Vec<Tensor<'c>>, Refusal>;

/// The default of the attribute `epsilon`.
const EPSILON: f64 = 1e-5;

/// The distance from zero of a standard deviation in MeanVarianceNormalization.
const MVN_EPSILON: f64 = 1e-9;

pub const OPS: &[Row] = &[
    ("BatchNormalization", batch_normalization),
    ("GroupNormalization", group_normalization),
    ("InstanceNormalization", instance_normalization),
    ("LayerNormalization", layer_normalization),
    ("MeanVarianceNormalization", mean_variance_normalization),
    ("RMSNormalization", rms_normalization),
    ("SimplifiedLayerNormalization", rms_normalization),
];

/// The mean over axes and what makes the variance 1, both with size 1 at the axes.
pub struct Statistics<'c> {
    pub mean: Tensor<'c>,
    /// `1 / sqrt(variance + epsilon)`.
    pub inverse: Tensor<'c>,
}

impl<'c> Builder<'c> {
    /// The variance over axes, about a mean with size 1 at the axes.
    pub fn variance(
        &self,
        x: &Tensor<'c>,
        mean: &Tensor<'c>,
        axes: &[usize],
    ) -> Result<Tensor<'c>, Refusal> {
        let wide = mean.element();
        let squares = self.map_to(x.sizes(), &[x, mean], wide, |b, v| {
            let difference = b.sub(b.cast(v[0], wide), v[1]);
            b.mul(difference, difference)
        });
        self.mean(&squares, axes, wide)
    }

    /// `1 / sqrt(x + epsilon)`.
    pub fn inverse_root(&self, x: &Tensor<'c>, epsilon: f64) -> Tensor<'c> {
        self.map_to(x.sizes(), &[x], x.element(), |b, v| {
            let root = b.sqrt(b.add(v[0], b.like(v[0], epsilon)));
            b.div(b.like(root, 1.0), root)
        })
    }

    /// The statistics over axes, in `wide`.
    pub fn statistics(
        &self,
        x: &Tensor<'c>,
        axes: &[usize],
        epsilon: f64,
        wide: Element,
    ) -> Result<Statistics<'c>, Refusal> {
        let mean = self.mean(x, axes, wide)?;
        let variance = self.variance(x, &mean, axes)?;
        Ok(Statistics { inverse: self.inverse_root(&variance, epsilon), mean })
    }

    /// `(x - mean) * inverse * scale + bias`, in the type of the statistics, rounded once to `element`.
    ///
    /// # Errors
    /// If the scale or the bias does not broadcast to `x`.
    pub fn standardized(
        &self,
        x: &Tensor<'c>,
        statistics: &Statistics<'c>,
        scale: Option<&Tensor<'c>>,
        bias: Option<&Tensor<'c>>,
        element: Element,
    ) -> Result<Tensor<'c>, Refusal> {
        let wide = statistics.mean.element();
        let mut operands = vec![x, &statistics.mean, &statistics.inverse];
        operands.extend(scale);
        operands.extend(bias);
        self.normalized_map(x, &operands, element, |b, v| {
            let normalized = b.mul(b.sub(b.cast(v[0], wide), v[1]), v[2]);
            let rest: Vec<_> = v[3..].iter().map(|it| b.cast(*it, wide)).collect();
            match (scale.is_some(), rest.as_slice()) {
                (true, &[scale]) => b.mul(normalized, scale),
                (false, &[bias]) => b.add(normalized, bias),
                (_, &[scale, bias, ..]) => b.add(b.mul(normalized, scale), bias),
                (_, &[]) => normalized,
            }
        })
    }

    /// A map whose result has the sizes of `x`, converted to `element`.
    fn normalized_map(
        &self,
        x: &Tensor<'c>,
        operands: &[&Tensor<'c>],
        element: Element,
        body: impl FnOnce(&Builder<'c>, &[Scalar<'c>]) -> Scalar<'c>,
    ) -> Result<Tensor<'c>, Refusal> {
        for operand in &operands[1..] {
            self.check_broadcast(operand, x.sizes())?;
        }
        Ok(self.map_to(x.sizes(), operands, element, |b, v| b.cast(body(b, v), element)))
    }

    /// Refuses a tensor that does not broadcast to sizes.
    pub fn check_broadcast(&self, tensor: &Tensor<'c>, sizes: &[Size<'c>]) -> Result<(), Refusal> {
        let fits = |(size, whole): (&Size<'c>, &Size<'c>)| match (size.known(), whole.known()) {
            (Some(1), _) | (None, _) | (_, None) => true,
            (size, whole) => size == whole,
        };
        let rank = tensor.rank();
        let all = rank <= sizes.len()
            && tensor.sizes().iter().zip(&sizes[sizes.len() - rank..]).all(fits);
        let list = |sizes: &[Size<'c>]| {
            let text = |size: &Size<'c>| size.known().map_or("?".to_owned(), |it| it.to_string());
            sizes.iter().map(text).collect::<Vec<_>>().join("x")
        };
        match all {
            true => Ok(()),
            false => Err(Refusal::new(format!(
                "has an operand of sizes {}, expected sizes that broadcast to {}",
                list(tensor.sizes()),
                list(sizes)
            ))),
        }
    }

    /// A list of one number for each element of dimension 1, in the form that broadcasts to a tensor of `rank`. A tensor of
    /// a higher rank has its own sizes.
    fn per_channel(&self, list: &Tensor<'c>, rank: usize) -> Result<Tensor<'c>, Refusal> {
        if list.rank() != 1 || rank < 2 {
            return Ok(list.clone());
        }
        let mut sizes = vec![list.size(0)];
        sizes.resize(rank - 1, Size::Known(1));
        self.reshape(list, &sizes)
    }
}

/// The operand and its element type, which is a float of at least this rank.
fn float_operand<'n, 'c>(
    node: &'n Node<'_, 'c>,
    least: usize,
) -> Result<(&'n Tensor<'c>, Element), Refusal> {
    let x = node.input(0)?;
    match x.element().is_float() && x.rank() >= least {
        true => Ok((x, x.element())),
        false => Err(Refusal::new(format!(
            "has an operand of {} of rank {}, expected floats of a rank of at least {least}",
            x.element().word(),
            x.rank()
        ))),
    }
}

/// By the statistics of the inputs, or in training by those of the batch.
fn batch_normalization<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let (x, element) = float_operand(node, 1)?;
    let epsilon = node.float_or("epsilon", EPSILON)?;
    // With spatial = 0 the statistics have the sizes of an element of the batch.
    let (momentum, _) = (node.float_or("momentum", 0.9)?, node.int("spatial")?);
    let is_training = match node.opset >= 14 {
        true => node.flag("training_mode", false)?,
        false => (1..5).any(|i| node.has_output(i)),
    };
    if is_training && node.opset < 14 {
        return Err(Refusal::new(
            "is in training mode, expected inference or version 14 of the op",
        ));
    }
    let wide = accumulator(element);
    let parameter = |i: usize| node.per_channel(node.input(i)?, x.rank());
    let (scale, bias) = (parameter(1)?, parameter(2)?);
    if is_training {
        return batch_training(node, x, [&scale, &bias], epsilon, momentum);
    }
    let (mean, variance) = (parameter(3)?, parameter(4)?);
    for parameter in [&scale, &bias, &mean, &variance] {
        node.check_broadcast(parameter, x.sizes())?;
    }
    // x * factor + shift: the statistics are of channels only.
    let factor = node.map(&[&scale, &variance], wide, |b, v| {
        let root = b.sqrt(b.add(b.cast(v[1], wide), b.scalar(wide, epsilon)));
        b.div(b.cast(v[0], wide), root)
    })?;
    let shift = node.map(&[&bias, &mean, &factor], wide, |b, v| {
        b.sub(b.cast(v[0], wide), b.mul(b.cast(v[1], wide), v[2]))
    })?;
    let result = node.normalized_map(x, &[x, &factor, &shift], element, |b, v| {
        b.add(b.mul(b.cast(v[0], wide), v[1]), v[2])
    })?;
    Ok(vec![result])
}

/// The result, and the running mean and variance: `input * momentum + batch * (1 - momentum)`.
fn batch_training<'c>(
    node: &Node<'_, 'c>,
    x: &Tensor<'c>,
    [scale, bias]: [&Tensor<'c>; 2],
    epsilon: f64,
    momentum: f64,
) -> Outputs<'c> {
    let wide = accumulator(x.element());
    let axes: Vec<_> = (0..x.rank()).filter(|axis| *axis != 1).collect();
    let mean = node.mean(x, &axes, wide)?;
    let variance = node.variance(x, &mean, &axes)?;
    let running = |batch: &Tensor<'c>, before: &Tensor<'c>| {
        let batch = node.reshape(batch, before.sizes())?;
        node.map(&[before, &batch], before.element(), |b, v| {
            let old = b.mul(b.cast(v[0], wide), b.scalar(wide, momentum));
            let new = b.mul(v[1], b.scalar(wide, 1.0 - momentum));
            b.cast(b.add(old, new), before.element())
        })
    };
    let running_mean = running(&mean, node.input(3)?)?;
    let running_variance = running(&variance, node.input(4)?)?;
    let statistics = Statistics { inverse: node.inverse_root(&variance, epsilon), mean };
    let result = node.standardized(x, &statistics, Some(scale), Some(bias), x.element())?;
    Ok(vec![result, running_mean, running_variance])
}

/// Each channel of each batch.
fn instance_normalization<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let (x, element) = float_operand(node, 3)?;
    let axes: Vec<_> = (2..x.rank()).collect();
    let epsilon = node.float_or("epsilon", EPSILON)?;
    let statistics = node.statistics(x, &axes, epsilon, accumulator(element))?;
    let scale = node.per_channel(node.input(1)?, x.rank())?;
    let bias = node.per_channel(node.input(2)?, x.rank())?;
    Ok(vec![node.standardized(x, &statistics, Some(&scale), Some(&bias), element)?])
}

/// Each group of channels of each batch. The scale and the bias are of groups in version 18, of channels from version 21.
fn group_normalization<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let (x, element) = float_operand(node, 2)?;
    let groups = node.int_or("num_groups", 0)?;
    let channels = x.size(1);
    if groups < 1 || channels.known().is_some_and(|channels| channels % groups != 0) {
        return Err(node.refuse_attribute(
            "num_groups",
            &groups.to_string(),
            "a positive divisor of the number of channels",
        ));
    }
    let channels = node.size_div(channels, Size::Known(groups));
    let mut sizes = vec![x.size(0), Size::Known(groups), channels];
    sizes.extend(&x.sizes()[2..]);
    let grouped = node.reshape(x, &sizes)?;
    let axes: Vec<_> = (2..sizes.len()).collect();
    let epsilon = node.float_or("epsilon", EPSILON)?;
    let wide = stash(node, element)?;
    let statistics = node.statistics(&grouped, &axes, epsilon, wide)?;
    let parameter = |i: usize| {
        let list = node.input(i)?;
        if list.rank() != 1 {
            return Err(Refusal::new(format!(
                "has the input {i} of rank {}, expected a list",
                list.rank()
            )));
        }
        let mut sizes = match node.opset < 21 {
            true => vec![list.size(0), Size::Known(1)],
            false => vec![Size::Known(groups), channels],
        };
        sizes.resize(grouped.rank() - 1, Size::Known(1));
        node.reshape(list, &sizes)
    };
    let (scale, bias) = (parameter(1)?, parameter(2)?);
    let result = node.standardized(&grouped, &statistics, Some(&scale), Some(&bias), element)?;
    Ok(vec![node.reshape(&result, x.sizes())?])
}

/// The type that statistics are computed in: that of the attribute `stash_type`, at least that of the operand, and at
/// least f32.
fn stash(node: &Node<'_, '_>, element: Element) -> Result<Element, Refusal> {
    let stash = stash_type(node)?;
    Ok(if stash == Element::F64 { stash } else { accumulator(element) })
}

/// The attribute `stash_type`, which is f32 where it is left out.
fn stash_type(node: &Node<'_, '_>) -> Result<Element, Refusal> {
    let number = node.int_or("stash_type", 1)?;
    let found = i32::try_from(number).ok().and_then(|number| Element::of_number(number).ok());
    found
        .filter(|element| element.is_float())
        .ok_or_else(|| node.refuse_attribute("stash_type", &number.to_string(), "a float type"))
}

/// The axes from the attribute `axis` on.
fn last_axes(node: &Node<'_, '_>, rank: usize) -> Result<Vec<usize>, Refusal> {
    Ok((node.axis(-1, rank)?..rank).collect())
}

/// The result, the mean, and the inverse of the standard deviation.
pub fn layer_normalization<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let (x, element) = float_operand(node, 1)?;
    let axes = last_axes(node, x.rank())?;
    let epsilon = node.float_or("epsilon", EPSILON)?;
    let statistics = node.statistics(x, &axes, epsilon, stash(node, element)?)?;
    let result = node.standardized(x, &statistics, node.optional(1), node.optional(2), element)?;
    let stash = stash_type(node)?;
    Ok(vec![
        result,
        node.convert(&statistics.mean, stash),
        node.convert(&statistics.inverse, stash),
    ])
}

impl<'c> Builder<'c> {
    /// `x / sqrt(mean(x^2) + epsilon) * scale` over axes, and the factor `1 / sqrt(..)` in `wide`.
    pub fn rms_normalized(
        &self,
        x: &Tensor<'c>,
        scale: &Tensor<'c>,
        axes: &[usize],
        epsilon: f64,
        wide: Element,
    ) -> Result<(Tensor<'c>, Tensor<'c>), Refusal> {
        let squares = self.map_to(x.sizes(), &[x], wide, |b, v| {
            let x = b.cast(v[0], wide);
            b.mul(x, x)
        });
        let inverse = self.inverse_root(&self.mean(&squares, axes, wide)?, epsilon);
        let result = self.normalized_map(x, &[x, &inverse, scale], x.element(), |b, v| {
            b.mul(b.mul(b.cast(v[0], wide), v[1]), b.cast(v[2], wide))
        })?;
        Ok((result, inverse))
    }
}

/// The result, and of `SimplifiedLayerNormalization` the factor.
pub fn rms_normalization<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let (x, element) = float_operand(node, 1)?;
    let axes = last_axes(node, x.rank())?;
    let epsilon = node.float_or("epsilon", EPSILON)?;
    let wide = stash(node, element)?;
    let (result, inverse) = node.rms_normalized(x, node.input(1)?, &axes, epsilon, wide)?;
    Ok(vec![result, node.convert(&inverse, stash_type(node)?)])
}

/// `(x - mean) / (sqrt(variance) + epsilon)`.
fn mean_variance_normalization<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let (x, element) = float_operand(node, 1)?;
    let axes = node.ints("axes")?.unwrap_or_else(|| vec![0, 2, 3]);
    let axes = node.axes_of(&axes, x.rank())?;
    let wide = accumulator(element);
    let mean = node.mean(x, &axes, wide)?;
    let variance = node.variance(x, &mean, &axes)?;
    let result = node.normalized_map(x, &[x, &mean, &variance], element, |b, v| {
        let deviation = b.add(b.sqrt(v[2]), b.like(v[2], MVN_EPSILON));
        b.div(b.sub(b.cast(v[0], wide), v[1]), deviation)
    })?;
    Ok(vec![result])
}
