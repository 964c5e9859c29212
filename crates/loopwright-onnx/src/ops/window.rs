//! Windows that slide over the spatial dimensions of convolutions and pools: their positions, padding and loops.

use crate::builder::Builder;
use crate::compute::{Loop, Operand, d};
use crate::element::Element;
use crate::error::Refusal;
use crate::node::Node;
use crate::scalar::Scalar;
use crate::size::Size;
use crate::tensor::Tensor;

/// Strides, dilations, kernels and pads are at most this.
const MOST: i64 = i32::MAX as i64;

/// How the number of positions of a window is rounded.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Rounding {
    Floor,
    Ceil,
}

/// A window, by spatial axis. Position `o` of the window covers the elements `o * stride + k * dilation - low`.
pub struct Window<'c> {
    pub kernel: Vec<Size<'c>>,
    pub strides: Vec<i64>,
    pub dilations: Vec<i64>,
    pub low: Vec<Size<'c>>,
    pub high: Vec<Size<'c>>,
    /// The sizes of what it slides over, without padding.
    pub input: Vec<Size<'c>>,
    /// The numbers of its positions.
    pub output: Vec<Size<'c>>,
}

/// Integers of each spatial axis.
///
/// # Errors
/// If there are more or fewer than axes, or one is below `least`.
pub fn spatial_ints(
    node: &Node,
    name: &str,
    axes: usize,
    default: i64,
    least: i64,
) -> Result<Vec<i64>, Refusal> {
    let Some(ints) = node.ints(name)? else { return Ok(vec![default; axes]) };
    match ints.len() == axes && ints.iter().all(|it| (least..=MOST).contains(it)) {
        true => Ok(ints),
        false => {
            let expected = format!("{axes} integers from {least}");
            Err(node.refuse_attribute(name, &format!("{ints:?}"), &expected))
        }
    }
}

/// The number of spatial axes of a tensor whose first two dimensions are the batch and the channels.
pub fn spatial_rank(tensor: &Tensor) -> Result<usize, Refusal> {
    tensor.rank().checked_sub(2).filter(|rank| *rank > 0).ok_or_else(|| {
        Refusal::new(format!("has an operand of rank {}, expected at least 3", tensor.rank()))
    })
}

/// The sizes of the attribute `kernel_shape`.
pub fn kernel_shape<'c>(node: &Node<'_, 'c>, axes: usize) -> Result<Vec<Size<'c>>, Refusal> {
    if node.attribute("kernel_shape").is_none() {
        return Err(Refusal::new("has no attribute 'kernel_shape'"));
    }
    let kernel = spatial_ints(node, "kernel_shape", axes, 1, 1)?;
    Ok(kernel.into_iter().map(Size::Known).collect())
}

/// The kernel of weights, of which the attribute `kernel_shape` repeats the sizes.
///
/// # Errors
/// If it states others.
pub fn kernel_of<'c>(node: &Node<'_, 'c>, weights: &Tensor<'c>) -> Result<Vec<Size<'c>>, Refusal> {
    let kernel = weights.sizes()[weights.rank() - spatial_rank(weights)?..].to_vec();
    let Some(stated) = node.ints("kernel_shape")? else { return Ok(kernel) };
    let fits = |(size, stated): (&Size, &i64)| size.known().is_none_or(|it| it == *stated);
    match stated.len() == kernel.len() && kernel.iter().zip(&stated).all(fits) {
        true => Ok(kernel),
        false => {
            let expected = "the sizes of the weights";
            Err(node.refuse_attribute("kernel_shape", &format!("{stated:?}"), expected))
        }
    }
}

/// The padding before and behind each spatial axis that the attribute `pads` states. It does not count with an `auto_pad`.
pub fn pads<'c>(
    node: &Node<'_, 'c>,
    axes: usize,
) -> Result<(Vec<Size<'c>>, Vec<Size<'c>>), Refusal> {
    let pads = spatial_ints(node, "pads", 2 * axes, 0, 0)?;
    let sizes = |pads: &[i64]| pads.iter().map(|it| Size::Known(*it)).collect();
    Ok((sizes(&pads[..axes]), sizes(&pads[axes..])))
}

/// The elements that a window covers, from its first to its last: `(kernel - 1) * dilation + 1`.
pub fn extent<'c>(b: &Builder<'c>, kernel: Size<'c>, dilation: i64) -> Size<'c> {
    let last = b.size_sub(kernel, Size::Known(1));
    b.size_add(b.size_mul(last, Size::Known(dilation)), Size::Known(1))
}

impl<'c> Window<'c> {
    /// The window of a node over an input with these spatial sizes.
    ///
    /// # Errors
    /// If the attributes do not fit, or the window is larger than the input.
    pub fn new(
        node: &Node<'_, 'c>,
        input: &[Size<'c>],
        kernel: Vec<Size<'c>>,
        rounding: Rounding,
    ) -> Result<Window<'c>, Refusal> {
        let axes = input.len();
        let strides = spatial_ints(node, "strides", axes, 1, 1)?;
        let dilations = spatial_ints(node, "dilations", axes, 1, 1)?;
        let auto_pad = node.string_or("auto_pad", "NOTSET")?;
        let stated = pads(node, axes)?;
        let (mut low, mut high) = match auto_pad.as_str() {
            "NOTSET" => stated,
            _ => (vec![Size::Known(0); axes], vec![Size::Known(0); axes]),
        };
        let one = Size::Known(1);
        let mut output = vec![];
        for i in 0..axes {
            let (size, stride) = (input[i], Size::Known(strides[i]));
            let extent = extent(node, kernel[i], dilations[i]);
            // The elements that a number of positions covers.
            let covered = |positions| {
                node.size_add(node.size_mul(node.size_sub(positions, one), stride), extent)
            };
            let rounded_up =
                |size| node.size_div(node.size_add(size, Size::Known(strides[i] - 1)), stride);
            match auto_pad.as_str() {
                "NOTSET" | "VALID" => {
                    let padded = node.size_add(node.size_add(size, low[i]), high[i]);
                    let rest = node.size_sub(padded, extent);
                    if let (Some(rest), Some(extent)) = (rest.known(), extent.known())
                        && rest < 0
                    {
                        return Err(Refusal::new(format!(
                            "has a window over {extent} elements of the padded axis {i}, which has {}",
                            rest + extent
                        )));
                    }
                    if rounding == Rounding::Floor {
                        output.push(node.size_add(node.size_div(rest, stride), one));
                        continue;
                    }
                    let before = node.size_add(size, low[i]);
                    let mut positions = node.size_add(rounded_up(rest), one);
                    // The last position begins in the input or the padding before it, which it does anyway if the window is
                    // longer than the padding behind and a step.
                    let step = high[i].known().map(|high| high + strides[i]);
                    if step.is_none_or(|step| extent.known().is_none_or(|extent| step > extent)) {
                        positions = node.size_min(positions, rounded_up(before));
                    }
                    // The last position ends less than a step behind the padding.
                    let missing = node.size_sub(covered(positions), before);
                    high[i] = match (high[i], missing) {
                        (Size::Known(high), Size::Known(missing)) => Size::Known(high.max(missing)),
                        (high, _) => node.size_add(high, Size::Known(strides[i] - 1)),
                    };
                    output.push(positions);
                }
                "SAME_UPPER" | "SAME_LOWER" => {
                    let positions = rounded_up(size);
                    let missing = node.size_sub(covered(positions), size);
                    // A window that is not shorter than a step covers the input.
                    let covers = extent.known().is_some_and(|extent| extent >= strides[i]);
                    let total = match (missing, covers) {
                        (Size::Dynamic(_), true) => missing,
                        _ => node.size_max(missing, Size::Known(0)),
                    };
                    let less = node.size_div(total, Size::Known(2));
                    let more = node.size_sub(total, less);
                    let is_upper = auto_pad == "SAME_UPPER";
                    (low[i], high[i]) = if is_upper { (less, more) } else { (more, less) };
                    output.push(positions);
                }
                found => {
                    let expected = "NOTSET, SAME_UPPER, SAME_LOWER or VALID";
                    return Err(node.refuse_attribute("auto_pad", found, expected));
                }
            }
        }
        Ok(Window { kernel, strides, dilations, low, high, input: input.to_vec(), output })
    }

    pub fn axes(&self) -> usize {
        self.strides.len()
    }

    /// A tensor of batches and channels with the padding around its spatial axes.
    pub fn pad(&self, b: &Builder<'c>, tensor: &Tensor<'c>, value: Scalar<'c>) -> Tensor<'c> {
        let all = |pads: &[Size<'c>]| [&[Size::Known(0); 2], pads].concat();
        b.pad(tensor, &all(&self.low), &all(&self.high), value)
    }

    /// The indices in the padded input, of the loops from `positions` over positions and from `kernel` over the kernel.
    pub fn indices(&self, positions: usize, kernel: usize) -> Vec<String> {
        let scaled = |i: usize, factor: i64| match factor {
            1 => d(i),
            _ => format!("{} * {factor}", d(i)),
        };
        let index = |i: usize| {
            let (position, offset) =
                (scaled(positions + i, self.strides[i]), scaled(kernel + i, self.dilations[i]));
            format!("{position} + {offset}")
        };
        (0..self.axes()).map(index).collect()
    }

    /// A tensor without elements that gives the loops over the kernel their sizes.
    pub fn shape_of_kernel(&self, b: &Builder<'c>, element: Element) -> Tensor<'c> {
        Tensor::new(b.empty(&self.kernel, element), element, self.kernel.clone())
    }

    /// The coordinate along a spatial axis of a position and an index in the kernel, which is negative in the padding.
    pub fn coordinate(
        &self,
        b: &Builder<'c>,
        i: usize,
        position: Scalar<'c>,
        kernel: Scalar<'c>,
    ) -> Scalar<'c> {
        let start = b.mul(position, b.index_scalar(self.strides[i]));
        let offset = b.mul(kernel, b.index_scalar(self.dilations[i]));
        b.sub(b.add(start, offset), b.size_scalar(self.low[i]))
    }

    /// Reduces the elements under each position, of a tensor that is padded. The accumulators begin as `starts`; `body` gets
    /// them, an element, and the builder, and returns the new accumulators. The loops are batches, channels, positions,
    /// and then the kernel.
    pub fn reduce(
        &self,
        b: &Builder<'c>,
        padded: &Tensor<'c>,
        starts: &[Scalar<'c>],
        body: impl FnOnce(&Builder<'c>, &[Scalar<'c>], Scalar<'c>) -> Vec<Scalar<'c>>,
    ) -> Vec<Tensor<'c>> {
        let axes = self.axes();
        let sizes = [&padded.sizes()[..2], &self.output].concat();
        let outputs: Vec<_> = starts.iter().map(|start| b.filled(&sizes, *start)).collect();
        let output_indices: Vec<_> = (0..2 + axes).map(d).collect();
        let outputs: Vec<_> =
            outputs.iter().map(|it| Operand::new(it, output_indices.clone())).collect();
        let kernel = self.shape_of_kernel(b, padded.element());
        let mut indices = vec![d(0), d(1)];
        indices.extend(self.indices(2, 2 + axes));
        let operands = [
            Operand::new(padded, indices),
            Operand::new(&kernel, (2 + axes..2 + 2 * axes).map(d).collect()),
        ];
        let mut loops = vec![Loop::Parallel; 2 + axes];
        loops.extend(vec![Loop::Reduction; axes]);
        b.generic(&loops, &operands, &outputs, |inner, v| body(inner, &v[2..], v[0]))
    }
}
