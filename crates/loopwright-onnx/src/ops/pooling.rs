//! Pools: reductions of the elements under a window.

use super::Row;
use super::window::{Rounding, Window, kernel_shape, pads, spatial_ints, spatial_rank};
use crate::builder::Builder;
use crate::compute::{Loop, Operand, accumulator, d};
use crate::element::Element;
use crate::error::Refusal;
use crate::node::Node;
use crate::scalar::{Compare, Scalar};
use crate::size::Size;
use crate::tensor::Tensor;

type Outputs<'c> = Result<Vec<Tensor<'c>>, Refusal>;

pub const OPS: &[Row] = &[
    ("AveragePool", average_pool),
    ("GlobalAveragePool", |node| {
        let x = node.input(0)?;
        let axes: Vec<_> = (2..2 + spatial_rank(x)?).collect();
        let mean = node.mean(x, &axes, accumulator(x.element()))?;
        Ok(vec![node.convert(&mean, x.element())])
    }),
    ("GlobalLpPool", |node| {
        let x = node.input(0)?;
        let (p, wide) = (node.int_or("p", 2)?, accumulator(x.element()));
        let axes: Vec<_> = (2..2 + spatial_rank(x)?).collect();
        let sum = node.reduce(x, &axes, node.scalar(wide, 0.0), |b, sum, x| {
            b.add(sum, power(b, b.cast(x, wide), p))
        })?;
        Ok(vec![root(node, &sum, p, x.element())])
    }),
    ("GlobalMaxPool", |node| {
        let x = node.input(0)?;
        let axes: Vec<_> = (2..2 + spatial_rank(x)?).collect();
        Ok(vec![node.max_over(x, &axes)?])
    }),
    ("LRN", lrn),
    ("LpPool", |node| {
        let x = node.input(0)?;
        let (p, wide) = (node.int_or("p", 2)?, accumulator(x.element()));
        let window = pool_window(node, x)?;
        let padded = window.pad(node, x, node.scalar(x.element(), 0.0));
        let sums = window.reduce(node, &padded, &[node.scalar(wide, 0.0)], |b, sums, x| {
            vec![b.add(sums[0], power(b, b.cast(x, wide), p))]
        });
        Ok(vec![root(node, &sums[0], p, x.element())])
    }),
    ("MaxPool", max_pool),
    ("MaxUnpool", max_unpool),
    ("RoiAlign", super::region::roi_align),
];

/// The window of a pool.
fn pool_window<'c>(node: &Node<'_, 'c>, x: &Tensor<'c>) -> Result<Window<'c>, Refusal> {
    let kernel = kernel_shape(node, spatial_rank(x)?)?;
    let ceil = node.flag("ceil_mode", false)?;
    let rounding = if ceil { Rounding::Ceil } else { Rounding::Floor };
    Window::new(node, &x.sizes()[2..], kernel, rounding)
}

/// `|x|` to the power of `p`.
fn power<'c>(b: &Builder<'c>, x: Scalar<'c>, p: i64) -> Scalar<'c> {
    match p {
        1 => b.abs(x),
        2 => b.mul(x, x),
        _ => b.powf(b.abs(x), b.like(x, p as f64)),
    }
}

/// The root of degree `p` of each element, converted to `element`.
fn root<'c>(b: &Builder<'c>, sums: &Tensor<'c>, p: i64, element: Element) -> Tensor<'c> {
    b.map_to(sums.sizes(), &[sums], element, |b, v| {
        let root = match p {
            1 => v[0],
            2 => b.sqrt(v[0]),
            _ => b.powf(v[0], b.like(v[0], 1.0 / p as f64)),
        };
        b.cast(root, element)
    })
}

fn average_pool<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    Ok(vec![average_pooled(node, node.input(0)?)?])
}

/// The averages of the elements under the window of the node.
pub fn average_pooled<'c>(node: &Node<'_, 'c>, x: &Tensor<'c>) -> Result<Tensor<'c>, Refusal> {
    let wide = accumulator(x.element());
    let window = pool_window(node, x)?;
    let includes_padding = node.flag("count_include_pad", false)?;
    let padded = window.pad(node, x, node.scalar(x.element(), 0.0));
    let sums = window.reduce(node, &padded, &[node.scalar(wide, 0.0)], |b, sums, x| {
        vec![b.add(sums[0], b.cast(x, wide))]
    });
    let (stated_low, stated_high) = match node.string_or("auto_pad", "NOTSET")?.as_str() {
        "NOTSET" => pads(node, window.axes())?,
        _ => (window.low.clone(), window.high.clone()),
    };
    Ok(node.map_to(sums[0].sizes(), &[&sums[0]], x.element(), |b, v| {
        let mut count = b.index_scalar(1);
        for i in 0..window.axes() {
            // The elements that count are from `first` up to `end`, without padding that only ceil_mode adds.
            let (first, end) = match includes_padding {
                true => (
                    b.neg(b.size_scalar(stated_low[i])),
                    b.add(b.size_scalar(window.input[i]), b.size_scalar(stated_high[i])),
                ),
                false => (b.index_scalar(0), b.size_scalar(window.input[i])),
            };
            let none = Size::Known(0);
            let is_whole = match includes_padding {
                true => stated_high[i] == window.high[i],
                false => window.low[i] == none && window.high[i] == none,
            };
            let inside = match is_whole {
                true => b.size_scalar(window.kernel[i]),
                false => count_inside(b, &window, i, first, end),
            };
            count = b.mul(count, inside);
        }
        b.cast(b.div(v[0], b.cast(count, wide)), x.element())
    }))
}

/// How many elements of the window at a position lie from `first` up to `end`, along an axis, in the body of an op.
fn count_inside<'c>(
    b: &Builder<'c>,
    window: &Window<'c>,
    i: usize,
    first: Scalar<'c>,
    end: Scalar<'c>,
) -> Scalar<'c> {
    let zero = b.index_scalar(0);
    let start = window.coordinate(b, i, b.loop_index(2 + i), zero);
    let kernel = b.size_scalar(window.kernel[i]);
    // The elements of the window before a coordinate.
    let before = |coordinate| {
        let distance = b.sub(coordinate, start);
        let dilation = window.dilations[i];
        let count = match dilation {
            1 => distance,
            _ => {
                let distance = b.add(distance, b.index_scalar(dilation - 1));
                b.floor_div(distance, b.index_scalar(dilation))
            }
        };
        b.max(b.min(count, kernel), zero)
    };
    b.sub(before(end), before(first))
}

fn max_pool<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let x = node.input(0)?;
    let window = pool_window(node, x)?;
    let axes = window.axes();
    let least = node.limit(x.element(), true);
    let padded = window.pad(node, x, least);
    let is_column_major = match node.int_or("storage_order", 0)? {
        0 => false,
        1 => true,
        found => return Err(node.refuse_attribute("storage_order", &found.to_string(), "0 or 1")),
    };
    if !node.has_output(1) {
        return Ok(window.reduce(node, &padded, &[least], |b, v, x| vec![b.max(v[0], x)]));
    }
    let starts = [least, node.scalar(Element::I64, 0.0)];
    Ok(window.reduce(node, &padded, &starts, |b, v, x| {
        // The position in the whole tensor; columns are those of the spatial axes.
        let mut order: Vec<_> = (0..axes).collect();
        if is_column_major {
            order.reverse();
        }
        let channels = b.mul(b.loop_index(0), b.size_scalar(padded.size(1)));
        let mut position = b.add(channels, b.loop_index(1));
        for i in order {
            let (at, kernel) = (b.loop_index(2 + i), b.loop_index(2 + axes + i));
            let coordinate = window.coordinate(b, i, at, kernel);
            position = b.add(b.mul(position, b.size_scalar(window.input[i])), coordinate);
        }
        // A NaN is greater than all numbers.
        let is_greater = b.compare(Compare::Greater, x, v[0]);
        let is_greater = match x.element.is_float() {
            true => b.and(b.or(is_greater, b.is_nan(x)), b.not(b.is_nan(v[0]))),
            false => is_greater,
        };
        let position = b.cast(position, Element::I64);
        vec![b.select(is_greater, x, v[0]), b.select(is_greater, position, v[1])]
    }))
}

/// The elements of a pool at the positions that they came from, and 0 elsewhere. Each position of a channel is compared with
/// each index of the channel; the last equal one counts.
fn max_unpool<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let (x, indices) = (node.input(0)?, node.input(1)?);
    let axes = spatial_rank(x)?;
    if indices.sizes() != x.sizes() {
        return Err(Refusal::new("has indices of other sizes than the operand"));
    }
    let kernel = kernel_shape(node, axes)?;
    let strides = spatial_ints(node, "strides", axes, 1, 1)?;
    let (low, high) = pads(node, axes)?;
    let (n, channels) = (x.size(0), x.size(1));
    let mut sizes = vec![n, channels];
    for i in 0..axes {
        let covered = node.size_sub(x.size(2 + i), Size::Known(1));
        let covered = node.size_mul(covered, Size::Known(strides[i]));
        let covered = node.size_add(covered, kernel[i]);
        let size = node.size_sub(node.size_sub(covered, low[i]), high[i]);
        if size.known().is_some_and(|it| it < 0) {
            return Err(Refusal::new(format!("has pads that leave nothing of axis {i}")));
        }
        sizes.push(size);
    }
    let (from, to) = (node.size_product(&x.sizes()[2..]), node.size_product(&sizes[2..]));
    let flat = |tensor: &Tensor<'c>| node.reshape(tensor, &[n, channels, from]);
    let (values, indices) = (flat(x)?, flat(indices)?);
    let zeros = node.filled(&[n, channels, to], node.scalar(x.element(), 0.0));
    let operand = |tensor| Operand::new(tensor, vec![d(0), d(1), d(3)]);
    let loops = [Loop::Parallel, Loop::Parallel, Loop::Parallel, Loop::Reduction];
    let results = node.generic(
        &loops,
        &[operand(&values), operand(&indices)],
        &[Operand::new(&zeros, vec![d(0), d(1), d(2)])],
        |b, v| {
            let channel = b.mul(b.loop_index(0), b.size_scalar(channels));
            let channel = b.add(channel, b.loop_index(1));
            let position = b.add(b.mul(channel, b.size_scalar(to)), b.loop_index(2));
            let is_here = b.compare(Compare::Equal, b.cast(position, Element::I64), v[1]);
            vec![b.select(is_here, v[0], v[2])]
        },
    );
    let unpooled = node.reshape(&results[0], &sizes)?;
    let Some(shape) = node.optional(2) else { return Ok(vec![unpooled]) };
    // A larger output has zeros behind.
    let shape = match shape.elements() {
        Some(shape) => shape,
        None => node.sizes_from_model("an output shape")?,
    };
    if shape.len() != sizes.len() {
        return Err(Refusal::new(format!("has an output shape of {} sizes", shape.len())));
    }
    let more: Vec<_> =
        shape.iter().zip(&sizes).map(|(to, from)| node.size_sub(*to, *from)).collect();
    if more.iter().any(|size| size.known().is_some_and(|it| it < 0)) {
        return Err(Refusal::new(
            "has an output shape that is smaller than what the windows cover",
        ));
    }
    let none = vec![Size::Known(0); sizes.len()];
    Ok(vec![node.pad(&unpooled, &none, &more, node.scalar(x.element(), 0.0))])
}

/// `x / (bias + alpha / size * sum) ^ beta`, with the sum of the squares of the channels around.
fn lrn<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let x = node.input(0)?;
    let element = x.element();
    let wide = accumulator(element);
    let (alpha, beta) = (node.float_or("alpha", 1e-4)?, node.float_or("beta", 0.75)?);
    let bias = node.float_or("bias", 1.0)?;
    let size = node.int_or("size", 0)?;
    let rank = x.rank();
    if rank < 2 || !(1..=i64::from(i32::MAX)).contains(&size) {
        let expected = "a positive integer, and an operand of rank 2 or more";
        return Err(node.refuse_attribute("size", &size.to_string(), expected));
    }
    let before = (size - 1) / 2;
    let (mut low, mut high) = (vec![Size::Known(0); rank], vec![Size::Known(0); rank]);
    (low[1], high[1]) = (Size::Known(before), Size::Known(size - 1 - before));
    let padded = node.pad(x, &low, &high, node.scalar(element, 0.0));
    let around = vec![Size::Known(size)];
    let around = Tensor::new(node.empty(&around, element), element, around);
    let sums = node.filled(x.sizes(), node.scalar(wide, 0.0));
    let mut loops = vec![Loop::Parallel; rank];
    loops.push(Loop::Reduction);
    let plain: Vec<_> = (0..rank).map(d).collect();
    let mut shifted = plain.clone();
    shifted[1] = format!("d1 + d{rank}");
    let operands = [Operand::new(&padded, shifted), Operand::new(&around, vec![d(rank)])];
    let sums = node.generic(&loops, &operands, &[Operand::new(&sums, plain)], |b, v| {
        let x = b.cast(v[0], wide);
        vec![b.add(v[2], b.mul(x, x))]
    });
    Ok(vec![node.map_to(x.sizes(), &[x, &sums[0]], element, |b, v| {
        let scaled = b.mul(v[1], b.like(v[1], alpha / size as f64));
        let norm = b.powf(b.add(scaled, b.like(v[1], bias)), b.like(v[1], beta));
        b.cast(b.div(b.cast(v[0], wide), norm), element)
    })])
}
