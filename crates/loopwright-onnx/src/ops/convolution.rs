//! Convolutions.

use super::Row;
use super::matmul::Align;
use super::sampling::{Outside, blend, linear_taps};
use super::window::{Rounding, Window, kernel_of, spatial_rank};
use crate::builder::Builder;
use crate::compute::{Loop, Operand, accumulator, d};
use crate::element::Element;
use crate::error::Refusal;
use crate::node::Node;
use crate::scalar::Scalar;
use crate::size::Size;
use crate::tensor::Tensor;

type Outputs<'c> = Result<Vec<Tensor<'c>>, Refusal>;

pub const OPS: &[Row] = &[
    ("CausalConvWithState", causal_conv),
    ("Col2Im", super::transposed::col2im),
    ("Conv", |node| {
        let (x, w) = (node.input(0)?, node.input(1)?);
        let sums = convolution(node, x, w, accumulator(x.element()))?;
        Ok(vec![with_bias(node, &sums, node.optional(2), x.element())?])
    }),
    ("ConvInteger", |node| {
        let (x, w) =
            centred(node, node.input(0)?, node.optional(2), node.input(1)?, node.optional(3))?;
        Ok(vec![convolution(node, &x, &w, Element::I32)?])
    }),
    ("ConvTranspose", super::transposed::conv_transpose),
    ("DeformConv", deform_conv),
    ("QLinearConv", qlinear_conv),
];

/// The groups of a convolution, and the sizes of the weights with the groups apart: groups, outputs of a group, channels of a
/// group, kernel.
pub(super) struct Groups<'c> {
    pub count: i64,
    pub weights: Vec<Size<'c>>,
}

/// The groups of weights (outputs, channels of a group, kernel).
///
/// # Errors
/// If the channels and outputs do not split into the groups.
fn groups<'c>(node: &Node<'_, 'c>, x: &Tensor<'c>, w: &Tensor<'c>) -> Result<Groups<'c>, Refusal> {
    if spatial_rank(x)? != spatial_rank(w)? {
        return Err(Refusal::new(format!(
            "has an input of rank {} and weights of rank {}, expected equal ranks",
            x.rank(),
            w.rank()
        )));
    }
    let count = node.int_or("group", 1)?;
    let divides = |size: Size| size.known().is_none_or(|it| it % count == 0);
    if count < 1 || !divides(x.size(1)) || !divides(w.size(0)) {
        let expected = "a divisor of the channels and of the outputs";
        return Err(node.refuse_attribute("group", &count.to_string(), expected));
    }
    if let (Size::Known(channels), Size::Known(each)) = (x.size(1), w.size(1))
        && each.checked_mul(count) != Some(channels)
    {
        return Err(Refusal::new(format!(
            "has {channels} channels and weights for {count} groups of {each}"
        )));
    }
    let outputs = node.size_div(w.size(0), Size::Known(count));
    let mut weights = vec![Size::Known(count), outputs];
    weights.extend(&w.sizes()[1..]);
    Ok(Groups { count, weights })
}

/// The sums of a convolution, without bias, in `element`.
pub fn convolution<'c>(
    node: &Node<'_, 'c>,
    x: &Tensor<'c>,
    w: &Tensor<'c>,
    element: Element,
) -> Result<Tensor<'c>, Refusal> {
    let groups = groups(node, x, w)?;
    let window = Window::new(node, &x.sizes()[2..], kernel_of(node, w)?, Rounding::Floor)?;
    let padded = window.pad(node, x, node.scalar(x.element(), 0.0));
    convolve(node, &padded, w, &groups, &window, element)
}

/// The sums of products over channels and window, of an input that is padded.
pub(super) fn convolve<'c>(
    b: &Builder<'c>,
    padded: &Tensor<'c>,
    w: &Tensor<'c>,
    groups: &Groups<'c>,
    window: &Window<'c>,
    element: Element,
) -> Result<Tensor<'c>, Refusal> {
    let axes = window.axes();
    let batch = padded.size(0);
    let is_grouped = groups.count > 1;
    // The loops: batch, (group,) output, positions; channel, kernel.
    let first = if is_grouped { 3 } else { 2 };
    let mut loops = vec![Loop::Parallel; first + axes];
    loops.extend(vec![Loop::Reduction; 1 + axes]);
    let (channel, kernel) = (first + axes, first + axes + 1);
    let group = is_grouped.then(|| d(1));
    let output = d(first - 1);
    let joined = |head: Vec<Option<String>>, tail: Vec<String>| -> Vec<String> {
        head.into_iter().flatten().chain(tail).collect()
    };
    let kernel_loops: Vec<_> = (kernel..kernel + axes).map(d).collect();
    let x_indices =
        joined(vec![Some(d(0)), group.clone(), Some(d(channel))], window.indices(first, kernel));
    let w_indices = joined(vec![group, Some(output), Some(d(channel))], kernel_loops);
    let mut outputs = vec![batch, w.size(0)];
    outputs.extend(&window.output);
    if !is_grouped {
        let indices = (0..first + axes).map(d).collect();
        let (x, w) = (Operand::new(padded, x_indices), Operand::new(w, w_indices));
        return Ok(b.contract(&loops, x, w, &outputs, indices, element));
    }
    let mut x_sizes = vec![batch, groups.weights[0], groups.weights[2]];
    x_sizes.extend(&padded.sizes()[2..]);
    let (x, w) = (b.reshape(padded, &x_sizes)?, b.reshape(w, &groups.weights)?);
    let mut sizes = vec![batch, groups.weights[0], groups.weights[1]];
    sizes.extend(&window.output);
    let indices = (0..first + axes).map(d).collect();
    let (x, w) = (Operand::new(&x, x_indices), Operand::new(&w, w_indices));
    let result = b.contract(&loops, x, w, &sizes, indices, element);
    b.reshape(&result, &outputs)
}

/// A list of one number by channel, in the form that broadcasts to a tensor of batches and channels.
fn by_channel<'c>(b: &Builder<'c>, list: &Tensor<'c>, axes: usize) -> Result<Tensor<'c>, Refusal> {
    let size = b.size_product(list.sizes());
    let mut sizes = vec![size];
    sizes.extend(vec![Size::Known(1); axes]);
    b.reshape(list, &sizes)
}

/// Sums with the bias of each output, converted to `element`.
pub fn with_bias<'c>(
    b: &Builder<'c>,
    sums: &Tensor<'c>,
    bias: Option<&Tensor<'c>>,
    element: Element,
) -> Result<Tensor<'c>, Refusal> {
    let Some(bias) = bias else { return Ok(b.convert(sums, element)) };
    let bias = by_channel(b, bias, sums.rank() - 2)?;
    if let (Size::Known(found), Size::Known(outputs)) = (bias.size(0), sums.size(1))
        && found != outputs
    {
        return Err(Refusal::new(format!("has {found} biases of {outputs} outputs")));
    }
    let wide = sums.element();
    Ok(b.map_to(sums.sizes(), &[sums, &bias], element, |b, v| {
        b.cast(b.add(v[0], b.cast(v[1], wide)), element)
    }))
}

/// Inputs and weights less their zero points, as i32. The weights have one zero point, or one of each output.
fn centred<'c>(
    node: &Node<'_, 'c>,
    x: &Tensor<'c>,
    x_zero: Option<&Tensor<'c>>,
    w: &Tensor<'c>,
    w_zero: Option<&Tensor<'c>>,
) -> Result<(Tensor<'c>, Tensor<'c>), Refusal> {
    let axes = spatial_rank(w)?;
    let x_zero = x_zero.map(|zero| node.reshape(zero, &[])).transpose()?;
    let w_zero = w_zero.map(|zero| by_channel(node, zero, axes + 1)).transpose()?;
    let x = node.centred(x, x_zero.as_ref(), Align::Columns)?;
    Ok((x, node.centred(w, w_zero.as_ref(), Align::Columns)?))
}

/// `round(sum * x_scale * w_scale / y_scale) + y_zero`, within the range of the output's type.
fn qlinear_conv<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let (x, w) = centred(node, node.input(0)?, node.optional(2), node.input(3)?, node.optional(5))?;
    let sums = convolution(node, &x, &w, Element::I32)?;
    let sums = with_bias(node, &sums, node.optional(8), Element::I32)?;
    let axes = sums.rank() - 2;
    let scalar = |i: usize| node.reshape(node.input(i)?, &[]);
    let (x_scale, y_scale, y_zero) = (scalar(1)?, scalar(6)?, scalar(7)?);
    let w_scale = by_channel(node, node.input(4)?, axes)?;
    let element = y_zero.element();
    let (least, greatest) = element.range();
    let scale = node.map(&[&x_scale, &w_scale, &y_scale], Element::F32, |b, v| {
        let [x, w, y] = [v[0], v[1], v[2]].map(|it| b.cast(it, Element::F32));
        b.div(b.mul(x, w), y)
    })?;
    Ok(vec![node.map_to(sums.sizes(), &[&sums, &scale, &y_zero], element, |b, v| {
        let scaled = b.mul(b.cast(v[0], Element::F32), v[1]);
        let rounded = b.math("math.roundeven", scaled);
        let shifted = b.add(rounded, b.cast(v[2], Element::F32));
        b.cast(b.clamp(shifted, least as f64, greatest as f64), element)
    })])
}

/// A convolution over the past and the present of each channel. The second output is the past of the next call.
fn causal_conv<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let (x, w) = (node.input(0)?, node.input(1)?);
    let element = x.element();
    if x.rank() != 3 || w.rank() != 3 {
        return Err(Refusal::new(format!(
            "has operands of rank {} and {}, expected 3",
            x.rank(),
            w.rank()
        )));
    }
    let (channels, kernel) = (w.size(0), w.size(2));
    let count =
        channels.known().filter(|_| x.size(1).known().is_none_or(|it| channels == Size::Known(it)));
    let count = count.ok_or_else(|| {
        Refusal::new("has weights that are not known to be one kernel of each channel")
    })?;
    if kernel.known().is_some_and(|it| it < 1) {
        return Err(Refusal::new("has a kernel without elements"));
    }
    let past = node.size_sub(kernel, Size::Known(1));
    let padded = match node.optional(3) {
        Some(state) if state.rank() == 3 => node.concat(&[state.clone(), x.clone()], 2),
        Some(state) => {
            return Err(Refusal::new(format!("has a state of rank {}, expected 3", state.rank())));
        }
        None => {
            let none = Size::Known(0);
            node.pad(x, &[none, none, past], &[none; 3], node.scalar(element, 0.0))
        }
    };
    let groups = Groups { count, weights: vec![channels, Size::Known(1), Size::Known(1), kernel] };
    let window = Window {
        kernel: vec![kernel],
        strides: vec![1],
        dilations: vec![1],
        low: vec![Size::Known(0)],
        high: vec![Size::Known(0)],
        input: vec![padded.size(2)],
        output: vec![x.size(2)],
    };
    let sums = convolve(node, &padded, w, &groups, &window, accumulator(element))?;
    let result = with_bias(node, &sums, node.optional(2), element)?;
    let result = match node.string_or("activation", "none")?.as_str() {
        "none" => result,
        "silu" | "swish" => node.map(&[&result], element, |b, v| {
            let x = b.cast(v[0], accumulator(element));
            b.cast(b.mul(x, b.sigmoid(x)), element)
        })?,
        found => return Err(node.refuse_attribute("activation", found, "none, silu or swish")),
    };
    Ok(vec![result, node.slice_axis(&padded, 2, x.size(2), past)])
}

/// A convolution whose window reads between elements, at positions that are moved by offsets.
fn deform_conv<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let (x, w, offset) = (node.input(0)?, node.input(1)?, node.input(2)?);
    let element = x.element();
    let wide = accumulator(element);
    let groups = groups(node, x, w)?;
    let axes = spatial_rank(x)?;
    let window = Window::new(node, &x.sizes()[2..], kernel_of(node, w)?, Rounding::Floor)?;
    let offset_groups = node.int_or("offset_group", 1)?;
    let channels = node.size_mul(groups.weights[0], groups.weights[2]);
    if offset_groups < 1 || channels.known().is_none_or(|it| it % offset_groups != 0) {
        let expected = "a divisor of the known number of channels";
        return Err(node.refuse_attribute("offset_group", &offset_groups.to_string(), expected));
    }
    let mut offset_sizes = vec![x.size(0), Size::Known(offset_groups)];
    offset_sizes.extend(&window.kernel);
    let mut mask_sizes = offset_sizes.clone();
    offset_sizes.push(Size::Known(axes as i64));
    offset_sizes.extend(&window.output);
    mask_sizes.extend(&window.output);
    let offset = node.reshape(offset, &offset_sizes)?;
    let mask = node.optional(4).map(|mask| node.reshape(mask, &mask_sizes)).transpose()?;
    let in_group = node.size_div(channels, Size::Known(offset_groups));
    // Batch, group, channel of the group, kernel, positions.
    let mut sizes = vec![x.size(0), groups.weights[0], groups.weights[2]];
    sizes.extend(&window.kernel);
    sizes.extend(&window.output);
    let columns = node.generate(&sizes, wide, |b, loops| {
        let channel = b.add(b.mul(loops[1], b.size_scalar(groups.weights[2])), loops[2]);
        let (kernel, positions) = loops[3..].split_at(axes);
        let mut at = vec![loops[0], b.floor_div(channel, b.size_scalar(in_group))];
        at.extend(kernel);
        let taps: Vec<_> = (0..axes)
            .map(|i| {
                let mut at = at.clone();
                at.push(b.index_scalar(i as i64));
                at.extend(positions);
                let moved = b.cast(b.extract(&offset, &at), wide);
                let start = window.coordinate(b, i, positions[i], kernel[i]);
                let coordinate = b.add(b.cast(start, wide), moved);
                linear_taps(b, coordinate, window.input[i], Outside::Zero)
            })
            .collect();
        let read = |indices: &[Scalar<'c>]| {
            let indices = [&[loops[0], channel], indices].concat();
            b.cast(b.extract(x, &indices), wide)
        };
        let value = blend(b, &taps, &read);
        match &mask {
            Some(mask) => {
                at.extend(positions);
                b.mul(value, b.cast(b.extract(mask, &at), wide))
            }
            None => value,
        }
    });
    let w = node.reshape(w, &groups.weights)?;
    // The loops: batch, group, output, positions; channel, kernel.
    let (position, channel, kernel) = (3, 3 + axes, 4 + axes);
    let mut loops = vec![Loop::Parallel; channel];
    loops.extend(vec![Loop::Reduction; 1 + axes]);
    let list = |head: [usize; 3], tails: [std::ops::Range<usize>; 2]| {
        head.into_iter().chain(tails.into_iter().flatten()).map(d).collect::<Vec<_>>()
    };
    let mut sizes = vec![x.size(0), groups.weights[0], groups.weights[1]];
    sizes.extend(&window.output);
    let sums = node.contract(
        &loops,
        Operand::new(&columns, list([0, 1, channel], [kernel..kernel + axes, position..channel])),
        Operand::new(&w, list([1, 2, channel], [kernel..kernel + axes, 0..0])),
        &sizes,
        (0..channel).map(d).collect(),
        wide,
    );
    let mut merged = vec![x.size(0), node.size_mul(groups.weights[0], groups.weights[1])];
    merged.extend(&window.output);
    let sums = node.reshape(&sums, &merged)?;
    Ok(vec![with_bias(node, &sums, node.optional(3), element)?])
}
