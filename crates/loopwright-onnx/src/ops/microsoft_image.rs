//! Fused convolutions, products and normalizations of the domain `com.microsoft`, also with the channels last.

use super::Row;
use super::activation::Activation;
use super::convolution::{convolution, with_bias};
use super::matmul::gemm;
use crate::compute::accumulator;
use crate::element::Element;
use crate::error::Refusal;
use crate::node::Node;
use crate::size::Size;
use crate::tensor::Tensor;

type Outputs<'c> = Result<Vec<Tensor<'c>>, Refusal>;

pub const OPS: &[Row] = &[
    ("BiasAdd", bias_add),
    ("BiasSplitGelu", bias_split_gelu),
    ("FusedConv", fused_conv),
    ("FusedGemm", fused_gemm),
    ("GroupNorm", group_norm),
    ("NhwcConv", nhwc_conv),
    ("SkipGroupNorm", skip_group_norm),
];

/// The default of the attribute `epsilon`.
const EPSILON: f64 = 1e-5;

/// The activation that the node fuses, with its numbers.
fn activation(
    node: &Node<'_, '_>,
    numbers: [Option<f64>; 2],
) -> Result<Option<Activation>, Refusal> {
    let name = node.string("activation")?.filter(|name| !name.is_empty());
    name.map(|name| Activation::fused(node, &name, numbers)).transpose()
}

/// The activation of a convolution and a tensor that is added to it.
fn fused_conv<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let (x, w) = (node.input(0)?, node.input(1)?);
    let (element, wide) = (x.element(), accumulator(x.element()));
    let numbers = node.floats("activation_params")?.unwrap_or_default();
    let activation = activation(node, [numbers.first().copied(), numbers.get(1).copied()])?;
    let sums = convolution(node, x, w, wide)?;
    let sums = with_bias(node, &sums, node.optional(2), wide)?;
    let mut operands = vec![&sums];
    operands.extend(node.optional(3));
    for operand in &operands[1..] {
        node.check_broadcast(operand, sums.sizes())?;
    }
    Ok(vec![node.map_to(sums.sizes(), &operands, element, |b, v| {
        let sum = v.get(1).map_or(v[0], |other| b.add(v[0], b.cast(*other, wide)));
        b.cast(activation.map_or(sum, |it| it.apply(b, sum)), element)
    })])
}

/// The activation of a product of matrices.
fn fused_gemm<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let numbers = [node.float("activation_alpha")?, node.float("activation_beta")?];
    // No activation that is supported has a third number.
    node.float("activation_gamma")?;
    let product = gemm(node)?;
    let Some(activation) = activation(node, numbers)? else { return Ok(product) };
    let element = product[0].element();
    let wide = accumulator(element);
    Ok(vec![node.map_to(product[0].sizes(), &[&product[0]], element, |b, v| {
        b.cast(activation.apply(b, b.cast(v[0], wide)), element)
    })])
}

/// The order of dimensions of rank 4 that moves the channels from the end to dimension 1, and back.
const TO_FIRST: [usize; 4] = [0, 3, 1, 2];
const TO_LAST: [usize; 4] = [0, 2, 3, 1];

fn check_image(x: &Tensor) -> Result<(), Refusal> {
    match x.rank() {
        4 => Ok(()),
        rank => Err(Refusal::new(format!("has an operand of rank {rank}, expected 4"))),
    }
}

/// A convolution whose operand, weights and result have the channels last.
fn nhwc_conv<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let (x, w) = (node.input(0)?, node.input(1)?);
    check_image(x)?;
    check_image(w)?;
    let element = x.element();
    let (x, w) = (node.transpose(x, &TO_FIRST), node.transpose(w, &TO_FIRST));
    let sums = convolution(node, &x, &w, accumulator(element))?;
    let result = with_bias(node, &sums, node.optional(2), element)?;
    Ok(vec![node.transpose(&result, &TO_LAST)])
}

/// The normalization of groups of channels of `x`, which are last or dimension 1 by an attribute.
fn normalized_groups<'c>(
    node: &Node<'_, 'c>,
    x: &Tensor<'c>,
    element: Element,
) -> Result<Tensor<'c>, Refusal> {
    check_image(x)?;
    let wide = x.element();
    let is_last = node.flag("channels_last", true)?;
    let channels = x.size(if is_last { 3 } else { 1 });
    let groups = node.int_or("groups", 0)?;
    if groups < 1 || channels.known().is_some_and(|it| it % groups != 0) {
        let expected = "a positive divisor of the channels";
        return Err(node.refuse_attribute("groups", &groups.to_string(), expected));
    }
    let each = node.size_div(channels, Size::Known(groups));
    let one = Size::Known(1);
    let position = if is_last { 3 } else { 1 };
    let split = |sizes: &[Size<'c>], position: usize| {
        [&sizes[..position], &[Size::Known(groups), each], &sizes[position + 1..]].concat()
    };
    let grouped = node.reshape(x, &split(x.sizes(), position))?;
    let axes: Vec<_> = if is_last { vec![1, 2, 4] } else { vec![2, 3, 4] };
    let statistics = node.statistics(&grouped, &axes, node.float_or("epsilon", EPSILON)?, wide)?;
    let parameter = |i: usize| {
        let list = node.list(i)?;
        node.check_broadcast(list, &[channels])?;
        let mut sizes = vec![one; 4];
        sizes[position] = channels;
        node.reshape(list, &split(&sizes, position))
    };
    let (scale, bias) = (parameter(1)?, parameter(2)?);
    let applies = match node.int_or("activation", 0)? {
        0 => false,
        1 => true,
        found => return Err(node.refuse_attribute("activation", &found.to_string(), "0 or 1")),
    };
    let result = node.standardized(&grouped, &statistics, Some(&scale), Some(&bias), wide)?;
    let result = node.map_to(result.sizes(), &[&result], element, |b, v| {
        let value = if applies { b.mul(v[0], b.sigmoid(v[0])) } else { v[0] };
        b.cast(value, element)
    });
    node.reshape(&result, x.sizes())
}

fn group_norm<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let x = node.input(0)?;
    node.check_element(x, "floats", Element::is_float)?;
    let wide = node.convert(x, accumulator(x.element()));
    Ok(vec![normalized_groups(node, &wide, x.element())?])
}

/// The normalization of the sum of the input, the skipped input and, if there is one, a bias; and the sum.
fn skip_group_norm<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let (x, skip) = (node.input(0)?, node.input(3)?);
    let (element, wide) = (x.element(), accumulator(x.element()));
    node.check_element(x, "floats", Element::is_float)?;
    check_image(x)?;
    let is_last = node.flag("channels_last", true)?;
    let channels = |list: &Tensor<'c>, rows: Size<'c>| {
        let one = Size::Known(1);
        let size = list.sizes().last().copied().unwrap_or(one);
        let sizes = if is_last { [rows, one, one, size] } else { [rows, size, one, one] };
        node.reshape(list, &sizes)
    };
    let skip = if skip.rank() == 2 { channels(skip, skip.size(0))? } else { skip.clone() };
    let bias = node.optional(4).map(|bias| channels(bias, Size::Known(1))).transpose()?;
    let mut operands = vec![x, &skip];
    operands.extend(&bias);
    for operand in &operands[1..] {
        node.check_broadcast(operand, x.sizes())?;
    }
    let sum = node.map_to(x.sizes(), &operands, wide, |b, v| {
        v[1..].iter().fold(b.cast(v[0], wide), |sum, it| b.add(sum, b.cast(*it, wide)))
    });
    Ok(vec![normalized_groups(node, &sum, element)?, node.convert(&sum, element)])
}

/// The left half of the sum with a bias, times Gelu of the right half.
fn bias_split_gelu<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let (x, bias) = (node.input(0)?, node.list(1)?);
    let (element, wide) = (x.element(), accumulator(x.element()));
    node.check_element(x, "floats", Element::is_float)?;
    let Some(axis) = x.rank().checked_sub(1) else {
        return Err(Refusal::new("has an operand of rank 0, expected at least 1"));
    };
    node.check_broadcast(bias, &[x.size(axis)])?;
    if x.size(axis).known().is_some_and(|size| size % 2 != 0) {
        return Err(Refusal::new("has a last dimension of odd size, expected two halves"));
    }
    let half = node.size_div(x.size(axis), Size::Known(2));
    let parts = |tensor: &Tensor<'c>| {
        let last = tensor.rank() - 1;
        [Size::Known(0), half].map(|start| node.slice_axis(tensor, last, start, half))
    };
    let ([left, right], [left_bias, right_bias]) = (parts(x), parts(bias));
    let operands = [&left, &left_bias, &right, &right_bias];
    Ok(vec![node.map_to(left.sizes(), &operands, element, |b, v| {
        let v: Vec<_> = v.iter().map(|it| b.cast(*it, wide)).collect();
        b.cast(b.mul(b.add(v[0], v[1]), b.gelu(b.add(v[2], v[3]))), element)
    })])
}

/// The sum of the input, a bias and the skipped input.
fn bias_add<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let x = node.input(0)?;
    let (element, wide) = (x.element(), accumulator(x.element()));
    let operands = [x, node.input(1)?, node.input(2)?];
    for operand in &operands[1..] {
        node.check_broadcast(operand, x.sizes())?;
    }
    Ok(vec![node.map_to(x.sizes(), &operands, element, |b, v| {
        let [x, bias, skip] = [v[0], v[1], v[2]].map(|it| b.cast(it, wide));
        b.cast(b.add(b.add(x, bias), skip), element)
    })])
}
