//! Pools of regions of an image.

use super::sampling::{Outside, blend, linear_taps};
use crate::compute::{Loop, Operand, accumulator, d};
use crate::element::Element;
use crate::error::Refusal;
use crate::node::Node;
use crate::scalar::{Compare, Scalar};
use crate::size::Size;
use crate::tensor::Tensor;

/// How the samples of a bin are reduced.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pool {
    Average,
    /// The greatest product of an element around a sample and its weight.
    Max,
}

/// A positive integer of an attribute.
fn positive(node: &Node, name: &str) -> Result<i64, Refusal> {
    let found = node.int_or(name, 1)?;
    match (1..=i64::from(i32::MAX)).contains(&found) {
        true => Ok(found),
        false => Err(node.refuse_attribute(name, &found.to_string(), "a positive integer")),
    }
}

/// Samples each bin of each region in a grid of `sampling_ratio` by `sampling_ratio` points.
pub fn roi_align<'c>(node: &Node<'_, 'c>) -> Result<Vec<Tensor<'c>>, Refusal> {
    let (x, rois, batches) = (node.input(0)?, node.input(1)?, node.input(2)?);
    if x.rank() != 4 || rois.rank() != 2 || batches.rank() != 1 {
        return Err(Refusal::new(format!(
            "has operands of rank {}, {} and {}, expected 4, 2 and 1",
            x.rank(),
            rois.rank(),
            batches.rank()
        )));
    }
    if rois.size(1).known().is_some_and(|it| it != 4) {
        return Err(Refusal::new("has regions that are not four numbers"));
    }
    let (height, width) = (positive(node, "output_height")?, positive(node, "output_width")?);
    let ratio = node.int_or("sampling_ratio", 0)?;
    if !(1..=i64::from(i32::MAX)).contains(&ratio) {
        let expected = "a positive integer: the number of samples must not depend on data";
        return Err(node.refuse_attribute("sampling_ratio", &ratio.to_string(), expected));
    }
    let scale = node.float_or("spatial_scale", 1.0)?;
    let default = if node.opset < 16 { "output_half_pixel" } else { "half_pixel" };
    let transform = node.string_or("coordinate_transformation_mode", default)?;
    let shift = match transform.as_str() {
        "half_pixel" => 0.5,
        "output_half_pixel" => 0.0,
        found => {
            let expected = "half_pixel or output_half_pixel";
            return Err(node.refuse_attribute("coordinate_transformation_mode", found, expected));
        }
    };
    let pool = match node.string_or("mode", "avg")?.as_str() {
        "avg" => Pool::Average,
        "max" => Pool::Max,
        found => return Err(node.refuse_attribute("mode", found, "avg or max")),
    };
    let wide = accumulator(x.element());
    let bins = [height, width];
    let sizes = [rois.size(0), x.size(1), Size::Known(height), Size::Known(width)];
    let start = match pool {
        Pool::Average => node.scalar(wide, 0.0),
        Pool::Max => node.limit(wide, true),
    };
    let output = node.filled(&sizes, start);
    let samples = [Size::Known(ratio); 2];
    let samples = Tensor::new(node.empty(&samples, wide), wide, samples.to_vec());
    let mut loops = vec![Loop::Parallel; 4];
    loops.extend([Loop::Reduction; 2]);
    let operand = Operand::new(&samples, vec![d(4), d(5)]);
    let output = Operand::new(&output, (0..4).map(d).collect());
    let results = node.generic(&loops, &[operand], &[output], |b, v| {
        let region = b.loop_index(0);
        let number = |value: f64| b.scalar(wide, value);
        let mut is_inside = b.scalar(Element::Bool, 1.0);
        let mut taps = vec![];
        for (i, bins) in bins.iter().enumerate() {
            // A region is x, y of its start, and x, y of its end.
            let bound = |at: usize| {
                let read = b.extract(rois, &[region, b.index_scalar(at as i64)]);
                b.sub(b.mul(b.cast(read, wide), number(scale)), number(shift))
            };
            let (start, end) = (bound(1 - i), bound(3 - i));
            let extent = b.sub(end, start);
            let extent = if shift == 0.0 { b.max(extent, number(1.0)) } else { extent };
            let bin = b.div(extent, number(*bins as f64));
            let sample = b.add(b.cast(b.loop_index(4 + i), wide), number(0.5));
            let inner = b.div(b.mul(sample, bin), number(ratio as f64));
            let outer = b.mul(b.cast(b.loop_index(2 + i), wide), bin);
            let coordinate = b.add(b.add(start, outer), inner);
            // Samples far outside count as 0, those near the border have its value.
            let size = b.cast(b.size_scalar(x.size(2 + i)), wide);
            let above = b.compare(Compare::GreaterOrEqual, coordinate, number(-1.0));
            let below = b.compare(Compare::LessOrEqual, coordinate, size);
            is_inside = b.and(is_inside, b.and(above, below));
            let last = b.sub(size, number(1.0));
            let clamped = b.max(b.min(coordinate, last), number(0.0));
            taps.push(linear_taps(b, clamped, x.size(2 + i), Outside::Border));
        }
        let batch = b.cast(b.extract(batches, &[region]), Element::Index);
        let read = |indices: &[Scalar<'c>]| {
            let indices = [&[batch, b.loop_index(1)], indices].concat();
            b.cast(b.extract(x, &indices), wide)
        };
        let value = match pool {
            Pool::Average => blend(b, &taps, &read),
            Pool::Max => {
                let mut greatest = None;
                for (y, x) in taps[0].iter().flat_map(|y| taps[1].iter().map(move |x| (y, x))) {
                    let term = b.mul(b.mul(y.weight, x.weight), read(&[y.index, x.index]));
                    greatest = Some(greatest.map_or(term, |it| b.max(it, term)));
                }
                greatest.unwrap_or_else(|| number(0.0))
            }
        };
        let value = b.select(is_inside, value, number(0.0));
        vec![match pool {
            Pool::Average => b.add(v[1], value),
            Pool::Max => b.max(v[1], value),
        }]
    });
    Ok(vec![node.map_to(&sizes, &[&results[0]], x.element(), |b, v| {
        let value = match pool {
            Pool::Average => b.div(v[0], b.like(v[0], (ratio * ratio) as f64)),
            Pool::Max => v[0],
        };
        b.cast(value, x.element())
    })])
}
