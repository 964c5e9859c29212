//! Transposed convolutions: each position of a window adds to the elements that it covers.

use super::convolution::{Groups, convolve, with_bias};
use super::window::{Rounding, Window, extent, kernel_of, pads, spatial_ints, spatial_rank};
use crate::builder::Builder;
use crate::compute::{Loop, Operand, accumulator, d};
use crate::element::Element;
use crate::error::Refusal;
use crate::layout::Slice;
use crate::node::Node;
use crate::scalar::{Compare, Scalar};
use crate::size::{Size, known_product};
use crate::tensor::Tensor;

type Outputs<'c> = Result<Vec<Tensor<'c>>, Refusal>;

/// Adds up columns at the elements that the positions of a window cover: the result has the sizes `window.input`. `read` gets
/// batch, channel, the position in the kernel's `count` elements, and the position of the window.
fn add_columns<'c>(
    b: &Builder<'c>,
    batch_and_channels: &[Size<'c>],
    window: &Window<'c>,
    count: Size<'c>,
    element: Element,
    read: impl FnOnce(&Builder<'c>, &[Scalar<'c>]) -> Scalar<'c>,
) -> Tensor<'c> {
    let axes = window.axes();
    let sizes = [batch_and_channels, &window.input].concat();
    let result = b.filled(&sizes, b.scalar(element, 0.0));
    if window.output.contains(&Size::Known(0)) {
        return result;
    }
    let kernel = Tensor::new(b.empty(&[count], element), element, vec![count]);
    let kernel = Operand::new(&kernel, vec![d(2 + axes)]);
    let output = Operand::new(&result, (0..2 + axes).map(d).collect());
    let mut loops = vec![Loop::Parallel; 2 + axes];
    loops.push(Loop::Reduction);
    let results = b.generic(&loops, &[kernel], &[output], |b, v| {
        let (zero, one) = (b.index_scalar(0), b.index_scalar(1));
        let mut indices = vec![b.loop_index(0), b.loop_index(1), b.loop_index(2 + axes)];
        let kernel = indices_of(b, indices[2], &window.kernel);
        let mut is_covered = b.scalar(Element::Bool, 1.0);
        for (i, kernel) in kernel.iter().enumerate() {
            // Position p covers the element with the distance p * stride.
            let offset = b.mul(*kernel, b.index_scalar(window.dilations[i]));
            let distance = b.add(b.loop_index(2 + i), b.size_scalar(window.low[i]));
            let distance = b.sub(distance, offset);
            let stride = b.index_scalar(window.strides[i]);
            let position = b.floor_div(distance, stride);
            let last = b.sub(b.size_scalar(window.output[i]), one);
            let clamped = b.max(b.min(position, last), zero);
            let same = b.compare(Compare::Equal, b.mul(clamped, stride), distance);
            is_covered = b.and(is_covered, same);
            indices.push(clamped);
        }
        let value = b.cast(read(b, &indices), element);
        vec![b.add(v[1], b.select(is_covered, value, b.like(value, 0.0)))]
    });
    results.into_iter().next().unwrap_or(result)
}

/// The position of indices in a list of elements in row-major order.
fn position_of<'c>(b: &Builder<'c>, indices: &[Scalar<'c>], sizes: &[Size<'c>]) -> Scalar<'c> {
    let pairs = indices.iter().zip(sizes);
    pairs.fold(b.index_scalar(0), |sum, (index, size)| {
        b.add(b.mul(sum, b.size_scalar(*size)), *index)
    })
}

/// The indices of an element at a position in row-major order.
fn indices_of<'c>(b: &Builder<'c>, position: Scalar<'c>, sizes: &[Size<'c>]) -> Vec<Scalar<'c>> {
    let mut rest = position;
    let mut indices = vec![];
    for (i, size) in sizes.iter().enumerate().rev() {
        let size = b.size_scalar(*size);
        indices.push(if i == 0 { rest } else { b.rem(rest, size) });
        rest = if i == 0 { rest } else { b.div(rest, size) };
    }
    indices.reverse();
    indices
}

/// A transposed convolution: each element of the input adds its multiple of the kernel to the output. If sizes are known well enough,
/// the output is computed [by phases](by_phases), and otherwise from all products with elements of the kernel.
pub fn conv_transpose<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let (x, w) = (node.input(0)?, node.input(1)?);
    let element = x.element();
    let axes = spatial_rank(x)?;
    let count = node.int_or("group", 1)?;
    if w.rank() != x.rank() || count < 1 || w.size(0).known().is_none_or(|it| it % count != 0) {
        return Err(Refusal::new(format!(
            "has weights that do not fit the input, expected a rank of {} and channels in {count} groups",
            x.rank()
        )));
    }
    if x.size(1).known().is_some_and(|it| Size::Known(it) != w.size(0)) {
        return Err(Refusal::new("has weights of another number of channels than the input"));
    }
    let (window, ahead) = transposed_window(node, x, w)?;
    if let Some(sums) = by_phases(node, (x, w), count, &window, &ahead)? {
        return Ok(vec![with_bias(node, &sums, node.optional(2), element)?]);
    }
    let group = Size::Known(count);
    let channels = node.size_div(w.size(0), group);
    let mut x_sizes = vec![x.size(0), group, channels];
    x_sizes.extend(&x.sizes()[2..]);
    let count = node.size_product(&window.kernel);
    let outputs = w.size(1);
    let x = node.reshape(x, &x_sizes)?;
    let w = node.reshape(w, &[group, channels, outputs, count])?;
    // The loops: batch, group, output, element of the kernel, positions; channel.
    let channel = 4 + axes;
    let mut loops = vec![Loop::Parallel; channel];
    loops.push(Loop::Reduction);
    let mut sizes = vec![x.size(0), group, outputs, count];
    sizes.extend(&window.output);
    let columns = node.contract(
        &loops,
        Operand::new(&x, [0, 1, channel].into_iter().chain(4..channel).map(d).collect()),
        Operand::new(&w, [1, channel, 2, 3].into_iter().map(d).collect()),
        &sizes,
        (0..channel).map(d).collect(),
        accumulator(element),
    );
    let mut merged = vec![x.size(0), node.size_mul(group, outputs)];
    merged.extend(&sizes[3..]);
    let columns = node.reshape(&columns, &merged)?;
    let sum_element = columns.element();
    let sums = add_columns(node, &merged[..2], &window, count, sum_element, |b, indices| {
        b.extract(&columns, indices)
    });
    Ok(vec![with_bias(node, &sums, node.optional(2), element)?])
}

/// An axis of a transposed convolution that is computed by phases.
struct PhaseAxis {
    stride: i64,
    dilation: i64,
    /// The elements of the kernel of each phase.
    kernel: i64,
    /// The elements of the output that the low padding removes, as far as they are whole blocks of `stride` elements.
    skipped: i64,
    /// The other elements that it removes.
    start: i64,
    /// The pads of the input.
    pads: [i64; 2],
}

impl PhaseAxis {
    /// `ahead` is the number of blocks of the output, with those that the low padding removes, less the elements of the input.
    fn of(window: &Window, i: usize, ahead: Option<i64>) -> Option<PhaseAxis> {
        let (stride, dilation) = (window.strides[i], window.dilations[i]);
        if stride > 1 && dilation > 1 {
            return None;
        }
        let (size, low) = (window.kernel[i].known()?, window.low[i].known()?);
        let kernel = (size + stride - 1) / stride;
        let reach = (kernel - 1) * dilation;
        let skipped = (low / stride).min(reach);
        let pads = [reach - skipped, ahead?.max(0)];
        (low >= 0).then_some(PhaseAxis {
            stride,
            dilation,
            kernel,
            skipped,
            start: low - skipped * stride,
            pads,
        })
    }
}

/// A transposed convolution as a convolution of stride 1. The elements of the output whose positions leave the same remainder when
/// divided by the stride are one *phase*; for each phase, an element of the input is multiplied with each `stride`-th element of
/// the kernel. So the convolution has an output for each output and phase, and these are interleaved:
/// `y[stride * a + r - low] = sum of x[a - j] * w[stride * j + r] over j`.
///
/// `None` if the kernel or the pads are not known, or an axis has both a stride and a dilation.
fn by_phases<'c>(
    node: &Node<'_, 'c>,
    (x, w): (&Tensor<'c>, &Tensor<'c>),
    count: i64,
    window: &Window<'c>,
    ahead: &[Option<i64>],
) -> Result<Option<Tensor<'c>>, Refusal> {
    let axes: Option<Vec<PhaseAxis>> =
        ahead.iter().enumerate().map(|(i, ahead)| PhaseAxis::of(window, i, *ahead)).collect();
    let (Some(axes), Some(_)) = (axes, known_product(w.sizes())) else { return Ok(None) };
    if window.input.iter().chain(&window.output).any(|size| *size == Size::Known(0)) {
        return Ok(None);
    }
    let known = |values: Vec<i64>| values.into_iter().map(Size::Known).collect::<Vec<Size>>();
    let of_axes = |value: &dyn Fn(&PhaseAxis) -> i64| known(axes.iter().map(value).collect());
    let (group, outputs) = (Size::Known(count), w.size(1));
    let channels = node.size_div(w.size(0), group);
    let phases = of_axes(&|axis| axis.stride);
    let kernel = of_axes(&|axis| axis.kernel);
    let all = node.size_mul(node.size_mul(group, outputs), node.size_product(&phases));

    // The kernel of each phase, from the last element to the first.
    let none = known(vec![0; 2]);
    let missing: Vec<Size> = axes
        .iter()
        .zip(&window.kernel)
        .map(|(axis, size)| node.size_sub(Size::Known(axis.stride * axis.kernel), *size))
        .collect();
    let whole = node.pad(
        w,
        &[&none[..], &known(vec![0; axes.len()])].concat(),
        &[&none[..], &missing].concat(),
        node.scalar(w.element(), 0.0),
    );
    let sizes = [&[all, channels][..], &kernel].concat();
    let rows = [&[group, outputs][..], &phases].concat();
    let weights = node.generate(&sizes, w.element(), |b, indices| {
        let row = indices_of(b, indices[0], &rows);
        let channel = b.add(b.mul(row[0], b.size_scalar(channels)), indices[1]);
        let mut at = vec![channel, row[1]];
        for (i, axis) in axes.iter().enumerate() {
            let from_end = b.sub(b.index_scalar(axis.kernel - 1), indices[2 + i]);
            at.push(b.add(b.mul(from_end, b.index_scalar(axis.stride)), row[2 + i]));
        }
        b.extract(&whole, &at)
    });

    let sized = |(axis, size): (&PhaseAxis, &Size<'c>)| {
        node.size_add(*size, Size::Known(axis.pads[1] - axis.skipped))
    };
    let blocks: Vec<Size> = axes.iter().zip(&window.output).map(sized).collect();
    let unit = Window {
        kernel: kernel.clone(),
        strides: vec![1; axes.len()],
        dilations: axes.iter().map(|axis| axis.dilation).collect(),
        low: of_axes(&|axis| axis.pads[0]),
        high: of_axes(&|axis| axis.pads[1]),
        input: window.output.clone(),
        output: blocks.clone(),
    };
    let padded = unit.pad(node, x, node.scalar(x.element(), 0.0));
    let of_group = node.size_div(all, group);
    let groups = Groups { count, weights: [&[group, of_group, channels][..], &kernel].concat() };
    let sums = convolve(node, &padded, &weights, &groups, &unit, accumulator(x.element()))?;

    // Batch, output, phases, blocks; then each phase behind its block.
    let outer = [x.size(0), node.size_mul(group, outputs)];
    let split = node.reshape(&sums, &[&outer[..], &phases, &blocks].concat())?;
    let (first, count) = (2, axes.len());
    let order = (0..count).flat_map(|i| [first + count + i, first + i]);
    let interleaved = node.transpose(&split, &[0, 1].into_iter().chain(order).collect::<Vec<_>>());
    let whole: Vec<Size> =
        blocks.iter().zip(&phases).map(|(blocks, phase)| node.size_mul(*blocks, *phase)).collect();
    let joined = node.reshape(&interleaved, &[&outer[..], &whole].concat())?;
    let all_of = |size: &Size<'c>| Slice { start: Size::Known(0), size: *size, step: 1 };
    let kept = axes.iter().zip(&window.input);
    let kept =
        kept.map(|(axis, size)| Slice { start: Size::Known(axis.start), size: *size, step: 1 });
    Ok(Some(node.slice(&joined, &outer.iter().map(all_of).chain(kept).collect::<Vec<_>>())))
}

/// The window over the output whose positions are the elements of the input. For each axis, also the number of blocks of
/// `stride` elements of the output, with those that the low padding removes, less the elements of the input, if it is known.
fn transposed_window<'c>(
    node: &Node<'_, 'c>,
    x: &Tensor<'c>,
    w: &Tensor<'c>,
) -> Result<(Window<'c>, Vec<Option<i64>>), Refusal> {
    let axes = spatial_rank(x)?;
    let kernel = kernel_of(node, w)?;
    let strides = spatial_ints(node, "strides", axes, 1, 1)?;
    let dilations = spatial_ints(node, "dilations", axes, 1, 1)?;
    let output_padding = spatial_ints(node, "output_padding", axes, 0, 0)?;
    let auto_pad = node.string_or("auto_pad", "NOTSET")?;
    let stated = match node.ints("output_shape")? {
        // It may have the batch and the channels, too.
        Some(shape) if shape.len() == axes + 2 => Some(shape[2..].to_vec()),
        Some(_) => Some(spatial_ints(node, "output_shape", axes, 1, 1)?),
        None => None,
    };
    let is_same = matches!(auto_pad.as_str(), "SAME_UPPER" | "SAME_LOWER");
    if !is_same && !matches!(auto_pad.as_str(), "NOTSET" | "VALID") {
        let expected = "NOTSET, SAME_UPPER, SAME_LOWER or VALID";
        return Err(node.refuse_attribute("auto_pad", &auto_pad, expected));
    }
    let stated_pads = pads(node, axes)?;
    let (mut low, mut high) = match auto_pad.as_str() {
        "NOTSET" => stated_pads,
        _ => (vec![Size::Known(0); axes], vec![Size::Known(0); axes]),
    };
    let (mut output, mut ahead) = (vec![], vec![]);
    for i in 0..axes {
        let (size, stride) = (x.size(2 + i), Size::Known(strides[i]));
        let covered = node.size_mul(node.size_sub(size, Size::Known(1)), stride);
        let covered = node.size_add(covered, Size::Known(output_padding[i]));
        let covered = node.size_add(covered, extent(node, kernel[i], dilations[i]));
        let found = match &stated {
            Some(shape) => Some(Size::Known(shape[i])),
            None => is_same.then(|| node.size_mul(size, stride)),
        };
        let found = match found {
            Some(found) => {
                // The padding is what is left.
                let total = node.size_sub(covered, found);
                let less = node.size_div(total, Size::Known(2));
                let more = node.size_sub(total, less);
                let is_upper = auto_pad == "SAME_UPPER";
                (low[i], high[i]) = if is_upper { (less, more) } else { (more, less) };
                found
            }
            None => node.size_sub(node.size_sub(covered, low[i]), high[i]),
        };
        let blocks = |elements: i64| (elements + strides[i] - 1).div_euclid(strides[i]);
        ahead.push(match (size, found, low[i], high[i], kernel[i]) {
            (Size::Known(size), Size::Known(found), Size::Known(low), ..) => {
                Some(blocks(found + low) - size)
            }
            // The elements of the output are `stride` for each one of the input, and these.
            (.., Size::Known(high), Size::Known(kernel)) if stated.is_none() && !is_same => {
                let more = output_padding[i] + (kernel - 1) * dilations[i] + 1 - high - strides[i];
                Some(blocks(more))
            }
            _ => None,
        });
        if let Some(found) = found.known().filter(|it| *it < 0) {
            return Err(Refusal::new(format!("has an output of the size {found} along axis {i}")));
        }
        output.push(found);
    }
    let positions = x.sizes()[2..].to_vec();
    Ok((Window { kernel, strides, dilations, low, high, input: output, output: positions }, ahead))
}

/// The elements of a list of sizes, which are read at run time if they depend on data.
fn sizes_or_data<'c>(
    node: &Node<'_, 'c>,
    i: usize,
    count: usize,
) -> Result<Vec<Size<'c>>, Refusal> {
    let list = node.input(i)?;
    let sizes = list.elements().unwrap_or_else(|| {
        let read = |at: usize| {
            let read = node.extract(list, &[node.index_scalar(at as i64)]);
            Size::Dynamic(node.cast(read, Element::Index).value)
        };
        (0..count).map(read).collect()
    });
    let is_list = list.rank() == 1 && list.known_len() == Some(count as i64);
    match is_list && sizes.iter().all(|size| size.known().is_none_or(|it| it > 0)) {
        true => Ok(sizes),
        false => {
            Err(Refusal::new(format!("has an input {i} that is no list of {count} positive sizes")))
        }
    }
}

/// Adds up columns, which are blocks of an image.
pub fn col2im<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let x = node.input(0)?;
    let axes = node.input(1)?.known_len().unwrap_or(0) as usize;
    if x.rank() != 3 || axes == 0 {
        return Err(Refusal::new(format!(
            "has an operand of rank {} and an image of rank {axes}, expected 3 and at least 1",
            x.rank()
        )));
    }
    let kernel = sizes_or_data(node, 2, axes)?;
    let (image, channels) = match node.input(1)?.elements() {
        Some(_) => {
            (sizes_or_data(node, 1, axes)?, node.size_div(x.size(1), node.size_product(&kernel)))
        }
        None => match node.sizes_from_model("an image")?.split_at_checked(2) {
            Some((head, image)) if image.len() == axes => (image.to_vec(), head[1]),
            _ => return Err(Refusal::new("has an output of another rank than the image")),
        },
    };
    let window = Window::new(node, &image, kernel, Rounding::Floor)?;
    if let (Some(positions), Size::Known(found)) = (known_product(&window.output), x.size(2))
        && positions != found
    {
        return Err(Refusal::new(format!("has {found} columns of {positions} blocks")));
    }
    let wide = accumulator(x.element());
    let count = node.size_div(x.size(1), channels);
    let sums = add_columns(node, &[x.size(0), channels], &window, count, wide, |b, indices| {
        let row = b.add(b.mul(indices[1], b.size_scalar(count)), indices[2]);
        b.extract(x, &[indices[0], row, position_of(b, &indices[3..], &window.output)])
    });
    Ok(vec![node.convert(&sums, x.element())])
}
