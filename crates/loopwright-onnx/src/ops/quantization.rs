//! Conversions between floats and integers with a scale and a zero point.

use super::Row;
use super::matmul::Align;
use crate::builder::Builder;
use crate::element::Element;
use crate::error::Refusal;
use crate::narrowing::Narrowing;
use crate::node::Node;
use crate::scalar::{Compare, Scalar};
use crate::size::Size;
use crate::tensor::Tensor;

type Outputs<'c> = Result<Vec<Tensor<'c>>, Refusal>;

pub const OPS: &[Row] = &[
    ("DequantizeLinear", dequantize),
    ("DynamicQuantizeLinear", dynamic_quantize),
    ("QLinearMatMul", qlinear_matmul),
    ("QuantizeLinear", quantize),
];

impl<'c> Builder<'c> {
    /// The nearest integer of a float with the zero point added, within the range of an integer type of at most 16 bits.
    pub fn saturated(&self, x: Scalar<'c>, zero: Option<Scalar<'c>>, to: Element) -> Scalar<'c> {
        let rounded = self.math("math.roundeven", x);
        let sum = zero.map_or(rounded, |zero| self.add(rounded, self.cast(zero, x.element)));
        let (least, greatest) = to.range();
        self.cast(self.clamp(sum, least as f64, greatest as f64), to)
    }
}

/// The type of a result of quantization.
pub fn check_integer(element: Element) -> Result<Element, Refusal> {
    match element {
        Element::I2 | Element::U2 | Element::I4 | Element::U4 => Ok(element),
        Element::I8 | Element::U8 | Element::I16 | Element::U16 => Ok(element),
        other => Err(Refusal::new(format!(
            "quantizes to {}, expected an integer of at most 16 bits",
            other.word()
        ))),
    }
}

/// A scale or zero point in the form that broadcasts to the operand: it is one number, a list of one for each element of an
/// axis, or one for each block of `block_size` elements of an axis.
fn parameter<'c>(
    node: &Node<'_, 'c>,
    x: &Tensor<'c>,
    parameter: &Tensor<'c>,
) -> Result<Tensor<'c>, Refusal> {
    let (block, axis) = (node.int_or("block_size", 0)?, node.int_or("axis", 1)?);
    let (rank, is_one) = (x.rank(), parameter.known_len() == Some(1));
    if is_one && parameter.rank() <= 1 && block == 0 {
        return node.reshape(parameter, &[]);
    }
    let axis = node.axis_of(axis, rank)?;
    match (block, parameter.rank()) {
        (0, 1) => {
            let mut sizes = vec![parameter.size(0)];
            sizes.resize(rank - axis, Size::Known(1));
            let result = node.reshape(parameter, &sizes)?;
            node.check_broadcast(&result, x.sizes())?;
            Ok(result)
        }
        (1.., found) if found == rank => {
            let blocks = node.size_add(x.size(axis), Size::Known(block - 1));
            let blocks = node.size_div(blocks, Size::Known(block));
            let mut sizes = x.sizes().to_vec();
            sizes[axis] = blocks;
            let fits = |(found, size): (&Size<'c>, &Size<'c>)| {
                found.known().is_none() || size.known().is_none() || found == size
            };
            if !parameter.sizes().iter().zip(&sizes).all(fits) {
                return Err(Refusal::new(
                    "has a scale or zero point of other sizes than the blocks of the operand",
                ));
            }
            Ok(node.generate(x.sizes(), parameter.element(), |b, indices| {
                let mut indices = indices.to_vec();
                indices[axis] = b.floor_div(indices[axis], b.index_scalar(block));
                b.extract(parameter, &indices)
            }))
        }
        (_, found) => Err(Refusal::new(format!(
            "has a scale or zero point of rank {found} and block_size = {block}, expected one number, a list \
             for an axis, or blocks of an operand of rank {rank}"
        ))),
    }
}

/// The float type of an attribute with the number of a type.
fn float_attribute(node: &Node<'_, '_>, name: &str) -> Result<Option<Element>, Refusal> {
    let number = node.int_or(name, 0)?;
    let found = i32::try_from(number).ok().and_then(|number| Element::of_number(number).ok());
    match (number, found.filter(|element| element.is_float())) {
        (0, _) => Ok(None),
        (_, Some(element)) => Ok(Some(element)),
        _ => Err(node.refuse_attribute(name, &number.to_string(), "a float type")),
    }
}

/// `saturate(round(x / scale) + zero)`; a float of at most 8 bits is `x / scale + zero`, rounded. The quotient has the type of the attribute `precision`, else that of the scale.
pub fn quantize<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let (x, scale) = (node.input(0)?, node.input(1)?);
    let to = match (node.optional(2), node.int_or("output_dtype", 0)?) {
        (Some(zero), _) => zero.element(),
        (None, 0) => Element::U8,
        (None, number) => Element::of_number(i32::try_from(number).unwrap_or(0))?,
    };
    let to = if to.narrow_float().is_some() { to } else { check_integer(to)? };
    let narrowing = Narrowing::of(node)?;
    let precision = float_attribute(node, "precision")?.unwrap_or(scale.element());
    if !precision.is_float() {
        return Err(Refusal::new(format!("has a scale of {}, expected floats", precision.word())));
    }
    // Integers up to 65535 are exact in f32.
    let wide = crate::compute::accumulator(precision);
    let scale = parameter(node, x, scale)?;
    let zero = node.optional(2).map(|zero| parameter(node, x, zero)).transpose()?;
    let mut operands = vec![x, &scale];
    operands.extend(&zero);
    Ok(vec![node.map_to(x.sizes(), &operands, to, |b, v| {
        let quotient = b.div(b.cast(v[0], precision), b.cast(v[1], precision));
        let quotient = b.cast(quotient, wide);
        match to.is_float() {
            false => b.saturated(quotient, v.get(2).copied(), to),
            true => {
                let zero = v.get(2).map(|zero| b.cast(*zero, wide));
                let sum = zero.map_or(quotient, |zero| b.add(quotient, zero));
                b.narrowed(sum, to, narrowing)
            }
        }
    })])
}

/// `(x - zero) * scale`, in f32, in the type of the attribute `output_dtype` or the scale.
pub fn dequantize<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let (x, scale) = (node.input(0)?, node.input(1)?);
    let element = float_attribute(node, "output_dtype")?.unwrap_or(scale.element());
    let is_quantized = !x.element().is_float() || x.element().narrow_float().is_some();
    if !is_quantized || !element.is_float() || !scale.element().is_float() {
        return Err(Refusal::new(format!(
            "converts {} with a scale of {}, expected integers or floats of at most 8 bits, and floats",
            x.element().word(),
            scale.element().word()
        )));
    }
    let wide = crate::compute::accumulator(element);
    let scale = parameter(node, x, scale)?;
    let zero = node.optional(2).map(|zero| parameter(node, x, zero)).transpose()?;
    let mut operands = vec![x, &scale];
    operands.extend(&zero);
    Ok(vec![node.map_to(x.sizes(), &operands, element, |b, v| {
        let x = b.cast(v[0], wide);
        let centred = v.get(2).map_or(x, |zero| b.sub(x, b.cast(*zero, wide)));
        b.cast(b.mul(centred, b.cast(v[1], wide)), element)
    })])
}

/// Quantizes to uint8 by the range of the elements and zero: the result, the scale and the zero point.
fn dynamic_quantize<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    Ok(dynamically_quantized(node, node.input(0)?)?.to_vec())
}

/// The elements as uint8, the scale and the zero point.
pub fn dynamically_quantized<'c>(
    node: &Node<'_, 'c>,
    x: &Tensor<'c>,
) -> Result<[Tensor<'c>; 3], Refusal> {
    let (element, to) = (x.element(), Element::U8);
    if element != Element::F32 {
        return Err(Refusal::new(format!("quantizes {}, expected float", element.word())));
    }
    let axes: Vec<_> = (0..x.rank()).collect();
    let zero = node.scalar(element, 0.0);
    let least = node.reduce(x, &axes, zero, |b, found, x| b.min(found, x))?;
    let greatest = node.reduce(x, &axes, zero, |b, found, x| b.max(found, x))?;
    let (least, greatest) = (node.reshape(&least, &[])?, node.reshape(&greatest, &[])?);
    let scale = node.map(&[&least, &greatest], element, |b, v| {
        let range = b.sub(v[1], v[0]);
        let one = b.like(range, 1.0);
        let is_empty = b.compare(Compare::Equal, v[0], v[1]);
        b.select(is_empty, one, b.div(range, b.like(range, 255.0)))
    })?;
    let point =
        node.map(&[&least, &scale], to, |b, v| b.saturated(b.neg(b.div(v[0], v[1])), None, to))?;
    let result = node.map_to(x.sizes(), &[x, &scale, &point], to, |b, v| {
        b.saturated(b.div(v[0], v[1]), Some(v[2]), to)
    });
    Ok([result, scale, point])
}

/// The product of integers less their zero points, scaled by `a_scale * b_scale / y_scale`.
fn qlinear_matmul<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let a = node.centred(node.input(0)?, node.optional(2), Align::Rows)?;
    let b = node.centred(node.input(3)?, node.optional(5), Align::Columns)?;
    let product = node.matmul(&a, &b, Element::I32)?;
    let to = node.optional(7).map_or(node.input(0)?.element(), Tensor::element);
    let to = check_integer(to)?;
    // A list for the rows is a column.
    let rows = |tensor: &Tensor<'c>| match (tensor.rank(), product.rank()) {
        (1, 2..) if tensor.size(0) != Size::Known(1) => node.unsqueeze(tensor, &[1]),
        (_, 0) => node.reshape(tensor, &[]),
        _ => Ok(tensor.clone()),
    };
    let columns = |tensor: &Tensor<'c>| match product.rank() {
        0 => node.reshape(tensor, &[]),
        _ => Ok(tensor.clone()),
    };
    let mut operands = vec![
        product.clone(),
        rows(node.input(1)?)?,
        columns(node.input(4)?)?,
        rows(node.input(6)?)?,
    ];
    operands.extend(node.optional(7).map(rows).transpose()?);
    for operand in &operands[1..] {
        node.check_broadcast(operand, product.sizes())?;
    }
    let operands: Vec<_> = operands.iter().collect();
    Ok(vec![node.map_to(product.sizes(), &operands, to, |b, v| {
        let wide = |i: usize| b.cast(v[i], Element::F32);
        let factor = b.div(b.mul(wide(1), wide(2)), wide(3));
        b.saturated(b.mul(wide(0), factor), v.get(4).copied(), to)
    })])
}
