//! Ops of the domain `com.microsoft` on quantized tensors: integers with a scale and a zero point.

use super::Row;
use super::matmul::Align;
use super::pooling::average_pooled;
use super::quantization::{check_integer, dequantize, dynamically_quantized, quantize};
use crate::builder::Builder;
use crate::compute::broadcast_sizes;
use crate::element::{Data, Element};
use crate::error::Refusal;
use crate::node::Node;
use crate::scalar::{Compare, Scalar};
use crate::size::Size;
use crate::tensor::Tensor;

type Outputs<'c> = Result<Vec<Tensor<'c>>, Refusal>;

pub const OPS: &[Row] = &[
    ("DequantizeLinear", dequantize),
    ("DynamicQuantizeMatMul", dynamic_quantize_matmul),
    ("MatMulIntegerToFloat", matmul_integer_to_float),
    ("QGemm", qgemm),
    ("QLinearAdd", |node| qlinear_binary(node, |b, x, y| b.add(x, y))),
    ("QLinearAveragePool", qlinear_average_pool),
    ("QLinearConcat", qlinear_concat),
    ("QLinearGlobalAveragePool", qlinear_global_average_pool),
    ("QLinearLeakyRelu", |node| {
        let alpha = node.float_or("alpha", 0.01)?;
        qlinear_unary(node, |b, x| {
            let is_negative = b.compare(Compare::Less, x, b.like(x, 0.0));
            b.select(is_negative, b.mul(x, b.like(x, alpha)), x)
        })
    }),
    ("QLinearMul", |node| qlinear_binary(node, |b, x, y| b.mul(x, y))),
    ("QLinearReduceMean", qlinear_reduce_mean),
    ("QLinearSigmoid", |node| qlinear_unary(node, |b, x| b.sigmoid(x))),
    ("QLinearSoftmax", qlinear_softmax),
    ("QLinearWhere", qlinear_where),
    ("QuantizeLinear", quantize),
];

/// The scale and the zero point of a whole tensor, and its element type.
struct Parameters<'c> {
    scale: Tensor<'c>,
    zero: Tensor<'c>,
    element: Element,
}

/// The parameters in two inputs. A zero point that is left out is 0 of the type `default`.
fn parameters<'c>(
    node: &Node<'_, 'c>,
    scale: usize,
    zero: usize,
    default: Element,
) -> Result<Parameters<'c>, Refusal> {
    let given = node.number(scale)?;
    node.check_element(&given, "a float scale", Element::is_float)?;
    let zero = match node.optional(zero) {
        Some(_) => node.number(zero)?,
        None => {
            let bytes = vec![0; default.bytes()].into();
            Tensor::constant(Data { element: default, dims: vec![], bytes }, &node.name)
        }
    };
    let element = check_integer(zero.element())?;
    Ok(Parameters { scale: given, zero, element })
}

/// The parameters of an integer operand.
fn parameters_of<'c>(
    node: &Node<'_, 'c>,
    x: &Tensor<'c>,
    scale: usize,
    zero: usize,
) -> Result<Parameters<'c>, Refusal> {
    let found = parameters(node, scale, zero, check_integer(x.element())?)?;
    node.check_one_type(x, &found.zero)?;
    Ok(found)
}

/// The number that an integer stands for, in f32.
fn real<'c>(b: &Builder<'c>, [x, scale, zero]: [Scalar<'c>; 3]) -> Scalar<'c> {
    let [x, scale, zero] = [x, scale, zero].map(|it| b.cast(it, Element::F32));
    b.mul(b.sub(x, zero), scale)
}

/// Elements that `body` computes in f32, quantized.
fn quantized<'c>(
    node: &Node<'_, 'c>,
    sizes: &[Size<'c>],
    operands: &[&Tensor<'c>],
    to: &Parameters<'c>,
    body: impl FnOnce(&Builder<'c>, &[Scalar<'c>]) -> Scalar<'c>,
) -> Tensor<'c> {
    let count = operands.len();
    let operands = [operands, &[&to.scale, &to.zero]].concat();
    node.map_to(sizes, &operands, to.element, |b, v| {
        let quotient = b.div(body(b, &v[..count]), b.cast(v[count], Element::F32));
        b.saturated(quotient, Some(v[count + 1]), to.element)
    })
}

/// The numbers of an operand, in f32.
fn dequantized<'c>(node: &Node<'_, 'c>, x: &Tensor<'c>, from: &Parameters<'c>) -> Tensor<'c> {
    let operands = [x, &from.scale, &from.zero];
    node.map_to(x.sizes(), &operands, Element::F32, |b, v| real(b, [v[0], v[1], v[2]]))
}

/// A function of the numbers of one operand.
fn qlinear_unary<'c>(
    node: &Node<'_, 'c>,
    body: impl FnOnce(&Builder<'c>, Scalar<'c>) -> Scalar<'c>,
) -> Outputs<'c> {
    let x = node.input(0)?;
    let from = parameters_of(node, x, 1, 2)?;
    let to = parameters(node, 3, 4, x.element())?;
    Ok(vec![quantized(node, x.sizes(), &[x, &from.scale, &from.zero], &to, |b, v| {
        body(b, real(b, [v[0], v[1], v[2]]))
    })])
}

/// A function of the numbers of two operands, with broadcasting.
fn qlinear_binary<'c>(
    node: &Node<'_, 'c>,
    body: impl FnOnce(&Builder<'c>, Scalar<'c>, Scalar<'c>) -> Scalar<'c>,
) -> Outputs<'c> {
    let (x, y) = (node.input(0)?, node.input(3)?);
    let (x_from, y_from) = (parameters_of(node, x, 1, 2)?, parameters_of(node, y, 4, 5)?);
    let to = parameters(node, 6, 7, x.element())?;
    let sizes = broadcast_sizes(&[x.sizes(), y.sizes()])?;
    let operands = [x, &x_from.scale, &x_from.zero, y, &y_from.scale, &y_from.zero];
    Ok(vec![quantized(node, &sizes, &operands, &to, |b, v| {
        body(b, real(b, [v[0], v[1], v[2]]), real(b, [v[3], v[4], v[5]]))
    })])
}

/// The operands in the scale of the result, joined.
fn qlinear_concat<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let to = parameters(node, 0, 1, Element::U8)?;
    let count = node.inputs.len().saturating_sub(2);
    if count == 0 || !count.is_multiple_of(3) {
        return Err(Refusal::new(format!(
            "has {} inputs, expected a scale, a zero point, and three inputs of each operand",
            node.inputs.len()
        )));
    }
    let rank = node.input(2)?.rank();
    let axis = node.axis(1, rank)?;
    let mut parts: Vec<Tensor<'c>> = vec![];
    for i in (2..node.inputs.len()).step_by(3) {
        let x = node.input(i)?;
        let from = parameters_of(node, x, i + 1, i + 2)?;
        let differs = |(i, (x, y)): (usize, (&Size<'c>, &Size<'c>))| {
            i != axis && x.known().is_some() && y.known().is_some() && x != y
        };
        if x.rank() != rank
            || parts
                .first()
                .is_some_and(|it| it.sizes().iter().zip(x.sizes()).enumerate().any(differs))
        {
            return Err(Refusal::new(format!(
                "joins operands of different sizes beside axis {axis}, expected equal ones"
            )));
        }
        let operands = [x, &from.scale, &from.zero];
        parts.push(quantized(node, x.sizes(), &operands, &to, |b, v| real(b, [v[0], v[1], v[2]])));
    }
    Ok(vec![node.concat(&parts, axis)])
}

/// The operand of a pool with the channels as dimension 1, and the order that restores their place: by the attribute
/// `channels_last`.
fn channels_first<'c>(
    node: &Node<'_, 'c>,
    x: &Tensor<'c>,
) -> Result<(Tensor<'c>, Vec<usize>), Refusal> {
    let rank = x.rank();
    if rank < 3 {
        return Err(Refusal::new(format!("has an operand of rank {rank}, expected at least 3")));
    }
    let all: Vec<_> = (0..rank).collect();
    Ok(match node.flag("channels_last", false)? {
        false => (x.clone(), all),
        true => {
            let order = [&[0, rank - 1], &all[1..rank - 1]].concat();
            let back = [&[0], &all[2..], &[1]].concat();
            (node.transpose(x, &order), back)
        }
    })
}

fn qlinear_average_pool<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let x = node.input(0)?;
    let from = parameters_of(node, x, 1, 2)?;
    let to = parameters(node, 3, 4, x.element())?;
    let (x, back) = channels_first(node, x)?;
    let averages = average_pooled(node, &dequantized(node, &x, &from))?;
    let result = quantized(node, averages.sizes(), &[&averages], &to, |_, v| v[0]);
    Ok(vec![node.transpose(&result, &back)])
}

fn qlinear_softmax<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let x = node.input(0)?;
    let from = parameters_of(node, x, 1, 2)?;
    let to = parameters(node, 3, 4, x.element())?;
    let axis = node.axis(-1, x.rank())?;
    // Before version 13, Softmax is over all axes from `axis` on.
    let end = if node.int_or("opset", 0)? < 13 { x.rank() } else { axis + 1 };
    let axes: Vec<_> = (axis..end).collect();
    let weights = node.softmax(&dequantized(node, x, &from), &axes)?;
    Ok(vec![quantized(node, x.sizes(), &[&weights], &to, |_, v| v[0])])
}

fn qlinear_reduce_mean<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let x = node.input(0)?;
    let from = parameters_of(node, x, 1, 2)?;
    let to = parameters(node, 3, 4, x.element())?;
    let axes = match node.ints("axes")? {
        Some(axes) => node.axes_of(&axes, x.rank())?,
        None => (0..x.rank()).collect(),
    };
    let mean = node.mean(&dequantized(node, x, &from), &axes, Element::F32)?;
    let result = quantized(node, mean.sizes(), &[&mean], &to, |_, v| v[0]);
    Ok(vec![if node.flag("keepdims", true)? { result } else { node.squeeze(&result, &axes)? }])
}

/// Elements of two operands, by a condition.
fn qlinear_where<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let (condition, x, y) = (node.input(0)?, node.input(1)?, node.input(4)?);
    node.check_element(condition, "bool as condition", |it| it == Element::Bool)?;
    let (x_from, y_from) = (parameters_of(node, x, 2, 3)?, parameters_of(node, y, 5, 6)?);
    let to = parameters(node, 7, 8, x.element())?;
    let sizes = broadcast_sizes(&[condition.sizes(), x.sizes(), y.sizes()])?;
    let operands = [condition, x, &x_from.scale, &x_from.zero, y, &y_from.scale, &y_from.zero];
    Ok(vec![quantized(node, &sizes, &operands, &to, |b, v| {
        b.select(v[0], real(b, [v[1], v[2], v[3]]), real(b, [v[4], v[5], v[6]]))
    })])
}

/// The average of each channel, of the sum of its integers.
fn qlinear_global_average_pool<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let x = node.input(0)?;
    let from = parameters_of(node, x, 1, 2)?;
    let to = parameters(node, 3, 4, x.element())?;
    let (x, back) = channels_first(node, x)?;
    let axes: Vec<_> = (2..x.rank()).collect();
    let zero = node.scalar(Element::I32, 0.0);
    let sums = node.reduce(&x, &axes, zero, |b, sum, x| b.add(sum, b.cast(x, Element::I32)))?;
    let count = node.size_product(&x.sizes()[2..]);
    let operands = [&sums, &from.scale, &from.zero];
    let result = quantized(node, sums.sizes(), &operands, &to, |b, v| {
        let [sum, scale, zero] = [v[0], v[1], v[2]].map(|it| b.cast(it, Element::F32));
        let count = b.cast(b.size_scalar(count), Element::F32);
        b.div(b.mul(b.sub(sum, b.mul(zero, count)), scale), count)
    });
    Ok(vec![node.transpose(&result, &back)])
}

/// The product of integers less their zero points, times two scales, plus a bias, in the type of the scale of `B`.
fn scaled_product<'c>(
    node: &Node<'_, 'c>,
    [a, a_zero]: [&Tensor<'c>; 2],
    a_scale: &Tensor<'c>,
    b: &Tensor<'c>,
    [b_scale, b_zero, bias]: [usize; 3],
) -> Result<Tensor<'c>, Refusal> {
    for operand in [a, b] {
        node.check_element(operand, "int8 or uint8", |it| matches!(it, Element::I8 | Element::U8))?;
    }
    let b_scale = node.input(b_scale)?;
    let element = b_scale.element();
    node.check_element(b_scale, "a float scale", Element::is_float)?;
    let a = node.centred(a, Some(a_zero), Align::Columns)?;
    let b = node.centred(b, node.optional(b_zero), Align::Columns)?;
    let product = node.matmul(&a, &b, Element::I32)?;
    let mut operands = vec![&product, a_scale, b_scale];
    operands.extend(node.optional(bias));
    for operand in &operands[1..] {
        node.check_broadcast(operand, product.sizes())?;
    }
    Ok(node.map_to(product.sizes(), &operands, element, |b, v| {
        let [product, left, right] = [v[0], v[1], v[2]].map(|it| b.cast(it, Element::F32));
        let scaled = b.mul(product, b.mul(left, right));
        let sum = v.get(3).map_or(scaled, |bias| b.add(scaled, b.cast(*bias, Element::F32)));
        b.cast(sum, element)
    }))
}

fn matmul_integer_to_float<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let (a, b) = (node.input(0)?, node.input(1)?);
    let of_a = parameters_of(node, a, 2, 4)?;
    Ok(vec![scaled_product(node, [a, &of_a.zero], &of_a.scale, b, [3, 5, 6])?])
}

/// The product of floats, quantized by their range, with integers.
fn dynamic_quantize_matmul<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let [a, scale, zero] = dynamically_quantized(node, node.input(0)?)?;
    Ok(vec![scaled_product(node, [&a, &zero], &scale, node.input(1)?, [2, 3, 4])?])
}

/// `alpha * a_scale * b_scale * (A' * B' + C)`, quantized if there is a scale of the result.
fn qgemm<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let (a, b) = (node.input(0)?, node.input(3)?);
    if a.rank() != 2 || b.rank() != 2 {
        return Err(Refusal::new(format!(
            "multiplies tensors of rank {} and {}, expected matrices",
            a.rank(),
            b.rank()
        )));
    }
    let of_a = parameters_of(node, a, 1, 2)?;
    let oriented = |x: &Tensor<'c>, name: &str| {
        Ok::<_, Refusal>(if node.flag(name, false)? {
            node.transpose(x, &[1, 0])
        } else {
            x.clone()
        })
    };
    let left = node.centred(&oriented(a, "transA")?, Some(&of_a.zero), Align::Columns)?;
    let right = node.centred(&oriented(b, "transB")?, node.optional(5), Align::Columns)?;
    let product = node.matmul(&left, &right, Element::I32)?;
    let (scale, alpha) = (node.input(4)?, node.float_or("alpha", 1.0)?);
    let mut operands = vec![&product, &of_a.scale, scale];
    operands.extend(node.optional(6));
    for operand in &operands[1..] {
        node.check_broadcast(operand, product.sizes())?;
    }
    let value = |b: &Builder<'c>, v: &[Scalar<'c>]| {
        let sum = v.get(3).map_or(v[0], |c| b.add(v[0], b.cast(*c, Element::I32)));
        let [sum, left, right] = [sum, v[1], v[2]].map(|it| b.cast(it, Element::F32));
        b.mul(b.mul(sum, b.like(sum, alpha)), b.mul(left, right))
    };
    Ok(vec![match node.optional(7) {
        Some(_) => {
            let to = parameters(node, 7, 8, a.element())?;
            quantized(node, product.sizes(), &operands, &to, value)
        }
        None => node.map_to(product.sizes(), &operands, Element::F32, value),
    }])
}
