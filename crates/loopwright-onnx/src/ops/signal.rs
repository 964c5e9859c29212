//! Fourier transforms, and windows and weights for them.

use super::Row;
use crate::builder::Builder;
use crate::compute::{Loop, Operand, accumulator, d};
use crate::element::Element;
use crate::error::Refusal;
use crate::node::Node;
use crate::scalar::{Compare, Scalar};
use crate::size::Size;
use crate::tensor::Tensor;
use std::f64::consts::PI;

type Outputs<'c> = Result<Vec<Tensor<'c>>, Refusal>;

pub const OPS: &[Row] = &[
    ("BlackmanWindow", |node| {
        window(node, |b, turn| {
            let (first, second) = (cosine(b, turn, 2.0), cosine(b, turn, 4.0));
            let sum = b.sub(b.like(turn, 0.42), b.mul(b.like(turn, 0.5), first));
            b.add(sum, b.mul(b.like(turn, 0.08), second))
        })
    }),
    ("DFT", dft),
    ("HammingWindow", |node| {
        let alpha = 25.0 / 46.0;
        window(node, |b, turn| {
            b.sub(b.like(turn, alpha), b.mul(b.like(turn, 1.0 - alpha), cosine(b, turn, 2.0)))
        })
    }),
    ("HannWindow", |node| {
        window(node, |b, turn| {
            let sine = b.math("math.sin", b.mul(turn, b.like(turn, PI)));
            b.mul(sine, sine)
        })
    }),
    ("MelWeightMatrix", mel_weight_matrix),
    ("STFT", stft),
];

/// `cos(factor * PI * x)`.
fn cosine<'c>(b: &Builder<'c>, x: Scalar<'c>, factor: f64) -> Scalar<'c> {
    b.math("math.cos", b.mul(x, b.like(x, factor * PI)))
}

/// The attribute `output_datatype`.
fn output_element(node: &Node) -> Result<Element, Refusal> {
    let number = node.int_or("output_datatype", i64::from(Element::F32.number()))?;
    Element::of_number(i32::try_from(number).unwrap_or(0))
}

/// An integer that an input holds; `default` if the input is left out, and None if it depends on data.
fn integer<'c>(
    node: &Node<'_, 'c>,
    input: usize,
    default: Size<'c>,
) -> Result<Option<Size<'c>>, Refusal> {
    let Some(tensor) = node.optional(input) else { return Ok(Some(default)) };
    match tensor.elements().as_deref() {
        Some([size]) => Ok(Some(*size)),
        Some(_) => {
            Err(Refusal::new(format!("has a list as the input {input}, expected one number")))
        }
        None => Ok(None),
    }
}

/// An input of one element, as a tensor of rank 0.
fn single<'c>(node: &Node<'_, 'c>, input: usize) -> Result<Tensor<'c>, Refusal> {
    node.reshape(node.input(input)?, &[])
}

/// The number in a tensor of rank 0.
fn number<'c>(b: &Builder<'c>, tensor: &Tensor<'c>, element: Element) -> Scalar<'c> {
    b.cast(b.extract(tensor, &[]), element)
}

/// `body(i / (size - 1))` for each element of a symmetric window, and `body(i / size)` for one that is periodic.
fn window<'c>(
    node: &Node<'_, 'c>,
    body: impl Fn(&Builder<'c>, Scalar<'c>) -> Scalar<'c>,
) -> Outputs<'c> {
    let element = output_element(node)?;
    let size = match integer(node, 0, Size::Known(0))? {
        Some(size) => size,
        None => *node
            .sizes_from_model("a size")?
            .first()
            .ok_or_else(|| Refusal::new("has an output of rank 0 by the model, expected a list"))?,
    };
    let period = match node.flag("periodic", true)? {
        true => size,
        false => node.size_sub(size, Size::Known(1)),
    };
    Ok(vec![node.generate(&[size], element, |b, loops| {
        let place = b.cast(loops[0], Element::F64);
        let period = b.cast(b.size_scalar(period), Element::F64);
        b.cast(body(b, b.div(place, period)), element)
    })])
}

/// The direction of a transform, and the half of the frequencies that it leaves out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// To all frequencies.
    Forward,
    /// To the frequencies up to the half; the others are their conjugates.
    ForwardOneSided,
    /// From all frequencies.
    Inverse,
    /// From the frequencies up to the half, to real numbers.
    InverseOneSided,
}

impl Kind {
    fn of(node: &Node, one_sided: i64) -> Result<Kind, Refusal> {
        let one_sided = node.int_or("onesided", one_sided)? != 0;
        Ok(match (node.flag("inverse", false)?, one_sided) {
            (false, false) => Kind::Forward,
            (false, true) => Kind::ForwardOneSided,
            (true, false) => Kind::Inverse,
            (true, true) => Kind::InverseOneSided,
        })
    }

    fn is_inverse(self) -> bool {
        matches!(self, Kind::Inverse | Kind::InverseOneSided)
    }
}

/// The length of a transform.
#[derive(Clone)]
struct Length<'c> {
    /// The length, or the greatest one that is possible if it depends on data.
    most: Size<'c>,
    data: Option<Tensor<'c>>,
}

impl<'c> Length<'c> {
    /// The length that input `input` holds. The model states the size of the result.
    fn of(
        node: &Node<'_, 'c>,
        input: usize,
        default: Size<'c>,
        kind: Kind,
        stated: impl FnOnce() -> Result<Size<'c>, Refusal>,
    ) -> Result<Length<'c>, Refusal> {
        Ok(match integer(node, input, default)? {
            Some(size) if size.known().is_some_and(|size| size < 1) => {
                return Err(Refusal::new("transforms a signal without elements"));
            }
            Some(most) => Length { most, data: None },
            None => {
                let stated = stated()?;
                let most = match kind {
                    // `length / 2 + 1` frequencies.
                    Kind::ForwardOneSided => {
                        node.size_sub(node.size_mul(stated, Size::Known(2)), Size::Known(1))
                    }
                    _ => stated,
                };
                Length { most, data: Some(single(node, input)?) }
            }
        })
    }

    fn scalar(&self, b: &Builder<'c>) -> Scalar<'c> {
        let most = b.size_scalar(self.most);
        match &self.data {
            Some(data) => b.max(b.min(number(b, data, Element::Index), most), b.index_scalar(1)),
            None => most,
        }
    }

    /// The number of results.
    fn results(&self, b: &Builder<'c>, kind: Kind) -> Size<'c> {
        match kind {
            Kind::ForwardOneSided => half(b, self.most),
            _ => self.most,
        }
    }
}

/// `length / 2 + 1`.
fn half<'c>(b: &Builder<'c>, length: Size<'c>) -> Size<'c> {
    b.size_add(b.size_div(length, Size::Known(2)), Size::Known(1))
}

impl<'c> Builder<'c> {
    /// The Fourier transform along an axis of a tensor whose last dimension is the real and the imaginary part, or the real
    /// part alone: the sum of the products with a matrix of cosines and sines.
    ///
    /// # Errors
    /// If the last dimension has another size.
    fn transform(
        &self,
        x: &Tensor<'c>,
        axis: usize,
        length: &Length<'c>,
        kind: Kind,
    ) -> Result<Tensor<'c>, Refusal> {
        let element = x.element();
        let wide = accumulator(element);
        let last = x.rank().saturating_sub(1);
        let (Some(parts @ (1 | 2)), true, true) =
            (x.sizes().last().and_then(|size| size.known()), axis < last, element.is_float())
        else {
            return Err(Refusal::new(format!(
                "transforms axis {axis} of a tensor of rank {} and type {}, expected floats in a last dimension of size 1 or 2 behind the axis",
                x.rank(),
                element.word()
            )));
        };
        let used = match kind {
            Kind::InverseOneSided => half(self, length.most),
            _ => length.most,
        };
        let (x, used) = match (x.size(axis), used) {
            (size, used) if size == used => (x.clone(), used),
            (Size::Known(size), Size::Known(used)) => {
                let used = Size::Known(size.min(used));
                (self.slice_axis(x, axis, Size::Known(0), used), used)
            }
            _ => (self.padded_to(x, axis, used), used),
        };
        let table = self.generate(&[length.most, Size::Known(2)], wide, |b, loops| {
            let turn = b.cast(loops[0], Element::F64);
            let angle =
                b.div(b.mul(turn, b.like(turn, 2.0 * PI)), b.cast(length.scalar(b), Element::F64));
            let is_cosine = b.compare(Compare::Equal, loops[1], b.index_scalar(0));
            let [cosine, sine] = ["math.cos", "math.sin"].map(|name| b.math(name, angle));
            b.cast(b.select(is_cosine, cosine, sine), wide)
        });
        let results = length.results(self, kind);
        let result_parts = if kind == Kind::InverseOneSided { 1 } else { 2 };
        let sizes = [results, used, Size::Known(parts), Size::Known(result_parts)];
        let weights = self.generate(&sizes, wide, |b, loops| {
            let [to, from, part, result_part] = [0, 1, 2, 3].map(|i: usize| loops[i]);
            let count = length.scalar(b);
            let (zero, one) = (b.index_scalar(0), b.index_scalar(1));
            let at = b.rem(b.mul(to, from), count);
            let (cosine, sine) = (b.extract(&table, &[at, zero]), b.extract(&table, &[at, one]));
            // exp(-it) has the parts cos(t) and -sin(t); it is multiplied with complex numbers.
            let is_same = b.compare(Compare::Equal, part, result_part);
            let is_real = b.compare(Compare::Less, part, result_part);
            let (of_real, of_imaginary) = match kind.is_inverse() {
                true => (sine, b.neg(sine)),
                false => (b.neg(sine), sine),
            };
            let weight = b.select(is_same, cosine, b.select(is_real, of_real, of_imaginary));
            let weight = match kind.is_inverse() {
                true => b.div(weight, b.cast(count, wide)),
                false => weight,
            };
            // A frequency that has a conjugate counts twice.
            let weight = match kind {
                Kind::InverseOneSided => {
                    let is_single = b.or(
                        b.compare(Compare::Equal, from, zero),
                        b.compare(Compare::Equal, b.add(from, from), count),
                    );
                    b.select(is_single, weight, b.add(weight, weight))
                }
                _ => weight,
            };
            if length.data.is_none() {
                return weight;
            }
            let end = match kind {
                Kind::InverseOneSided => b.add(b.div(count, b.index_scalar(2)), one),
                _ => count,
            };
            b.select(b.compare(Compare::Less, from, end), weight, b.like(weight, 0.0))
        });
        let rank = x.rank();
        let mut sizes = x.sizes().to_vec();
        (sizes[axis], sizes[last]) = (results, Size::Known(result_parts));
        let mut indices: Vec<_> = (0..rank).map(d).collect();
        let output = indices.clone();
        (indices[axis], indices[last]) = (d(rank), d(rank + 1));
        let mut loops = vec![Loop::Parallel; rank];
        loops.extend([Loop::Reduction; 2]);
        let result = self.contract(
            &loops,
            Operand::new(&x, indices),
            Operand::new(&weights, vec![d(axis), d(rank), d(rank + 1), d(last)]),
            &sizes,
            output,
            wide,
        );
        Ok(self.convert(&result, element))
    }
}

impl<'c> Builder<'c> {
    /// The first elements of an axis, and zeros where there are fewer.
    fn padded_to(&self, x: &Tensor<'c>, axis: usize, size: Size<'c>) -> Tensor<'c> {
        let mut sizes = x.sizes().to_vec();
        sizes[axis] = size;
        self.generate(&sizes, x.element(), |b, loops| {
            let last = b.sub(b.size_scalar(x.size(axis)), b.index_scalar(1));
            let mut source = loops.to_vec();
            source[axis] = b.max(b.min(loops[axis], last), b.index_scalar(0));
            let is_inside = b.compare(Compare::LessOrEqual, loops[axis], last);
            let value = b.extract(x, &source);
            b.select(is_inside, value, b.like(value, 0.0))
        })
    }
}

fn dft<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let x = node.input(0)?;
    let rank = x.rank();
    let kind = Kind::of(node, 0)?;
    let axes = if node.opset < 20 {
        vec![node.axis(1, rank)?]
    } else {
        match node.optional(2).map(Tensor::integers) {
            None => vec![node.axis_of(-2, rank)?],
            Some(Some(axis)) if axis.len() == 1 => vec![node.axis_of(axis[0], rank)?],
            Some(Some(_)) => return Err(Refusal::new("has a list of axes, expected one axis")),
            Some(None) => (0..rank.saturating_sub(1)).collect(),
        }
    };
    let along = |axis: usize| {
        let default = match kind {
            Kind::InverseOneSided => {
                let others = node.size_sub(x.size(axis), Size::Known(1));
                node.size_mul(others, Size::Known(2))
            }
            _ => x.size(axis),
        };
        let stated = || {
            let sizes = node.sizes_from_model("a length")?;
            sizes.get(axis).copied().ok_or_else(|| Refusal::new("has no such axis by the model"))
        };
        let length = Length::of(node, 1, default, kind, stated)?;
        node.transform(x, axis, &length, kind)
    };
    if let [axis] = axes[..] {
        return Ok(vec![along(axis)?]);
    }
    // The axis depends on data: it is one of those that give the sizes that the model states.
    let stated = node.sizes_from_model("an axis")?;
    let results: Vec<_> = axes
        .iter()
        .filter_map(|axis| Some((*axis, along(*axis).ok()?)))
        .filter(|(_, result)| result.sizes() == stated)
        .collect();
    let axis = node.input(2)?;
    Ok(vec![node.chosen_by_axis(axis, rank, &results)?])
}

/// Transforms of the frames of a signal, which begin at multiples of a step.
fn stft<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let (x, step, window) = (node.input(0)?, single(node, 1)?, node.optional(2));
    if x.rank() != 3 || window.is_some_and(|window| window.rank() != 1) {
        return Err(Refusal::new(format!(
            "has a signal of rank {}, expected sizes [batch, length, 1 or 2], and a window of rank 1",
            x.rank()
        )));
    }
    let size = x.size(1);
    let kind = Kind::of(node, 1)?;
    let default = window.map_or(size, |window| window.size(0));
    let stated = |i: usize| {
        let sizes = node.sizes_from_model("a length or step")?;
        sizes
            .get(i)
            .copied()
            .ok_or_else(|| Refusal::new("has an output of a lower rank by the model"))
    };
    let length = match window {
        // The length of the frames is that of the window.
        Some(_) => Length { most: default, data: None },
        None => Length::of(node, 3, default, kind, || stated(2))?,
    };
    let frames = match (integer(node, 1, Size::Known(1))?, &length.data) {
        (Some(Size::Known(step)), _) if step < 1 => {
            return Err(Refusal::new(format!(
                "has the frame_step {step}, expected a positive one"
            )));
        }
        (Some(step), None) => {
            let span = node.size_sub(size, length.most);
            node.size_add(node.size_div(span, step), Size::Known(1))
        }
        _ => stated(1)?,
    };
    let sizes = [x.size(0), frames, length.most, x.size(2)];
    let framed = node.generate(&sizes, x.element(), |b, loops| {
        let start = b.mul(loops[1], number(b, &step, Element::Index));
        let (zero, one) = (b.index_scalar(0), b.index_scalar(1));
        let last = b.sub(b.size_scalar(size), one);
        let at = b.max(b.min(b.add(start, loops[2]), last), zero);
        let value = b.extract(x, &[loops[0], at, loops[3]]);
        match window {
            Some(window) => {
                let weight = b.extract(window, &loops[2..3]);
                b.mul(value, b.cast(weight, value.element))
            }
            None => value,
        }
    });
    Ok(vec![node.transform(&framed, 2, &length, kind)?])
}

/// Triangles over the frequencies of a one-sided transform, whose corners are equidistant in the mel scale.
fn mel_weight_matrix<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let element = output_element(node)?;
    let length = single(node, 1)?;
    let inputs: Result<Vec<_>, _> = (2..5).map(|i| single(node, i)).collect();
    let [rate, low, high] = &inputs?[..] else {
        return Err(Refusal::new("has too few inputs, expected 5"));
    };
    let zero = Size::Known(0);
    let (bands, bins) = match (integer(node, 0, zero)?, integer(node, 1, zero)?) {
        (Some(bands), Some(length)) => (bands, half(node, length)),
        _ => match node.sizes_from_model("a number of bands or a length")?[..] {
            [bins, bands] => (bands, bins),
            _ => return Err(Refusal::new("has an output by the model that is not a matrix")),
        },
    };
    let corners = node.size_add(bands, Size::Known(2));
    let corners = node.generate(&[corners], Element::I64, |b, loops| {
        let constant = |value: f64| b.scalar(Element::F64, value);
        // mel(f) = 2595 * log10(1 + f / 700).
        let mel = |hertz: &Tensor<'c>| {
            let ratio = b.div(number(b, hertz, Element::F64), constant(700.0));
            b.mul(constant(2595.0), b.math("math.log10", b.add(ratio, constant(1.0))))
        };
        let (low, high) = (mel(low), mel(high));
        let count = b.cast(b.size_scalar(corners), Element::F64);
        let step = b.div(b.sub(high, low), count);
        let place = b.add(b.mul(b.cast(loops[0], Element::F64), step), low);
        let power = b.powf(constant(10.0), b.div(place, constant(2595.0)));
        let hertz = b.mul(constant(700.0), b.sub(power, constant(1.0)));
        let length = b.add(number(b, &length, Element::F64), constant(1.0));
        let bin = b.div(b.mul(length, hertz), number(b, rate, Element::F64));
        b.cast(b.math("math.floor", bin), Element::I64)
    });
    Ok(vec![node.generate(&[bins, bands], element, |b, loops| {
        let one = b.index_scalar(1);
        let next = b.add(loops[1], one);
        let [low, center, high] =
            [loops[1], next, b.add(next, one)].map(|at| b.extract(&corners, &[at]));
        let bin = b.cast(loops[0], Element::I64);
        let part = |of: Scalar<'c>, whole: Scalar<'c>| {
            b.div(b.cast(of, Element::F64), b.cast(whole, Element::F64))
        };
        let below = |x, y| b.compare(Compare::Less, x, y);
        let is_center = b.compare(Compare::Equal, bin, center);
        let (none, all) = (b.scalar(Element::F64, 0.0), b.scalar(Element::F64, 1.0));
        let rising = part(b.sub(bin, low), b.sub(center, low));
        let falling = part(b.sub(high, bin), b.sub(high, center));
        let is_rising = b.and(b.not(below(bin, low)), below(bin, center));
        let is_falling = b.and(below(center, bin), below(bin, high));
        let side = b.select(is_rising, rising, b.select(is_falling, falling, none));
        b.cast(b.select(is_center, all, side), element)
    })])
}
