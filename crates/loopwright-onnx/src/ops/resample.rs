//! The elements of a resized image: coordinates in the operand, and what is read there.

use crate::builder::Builder;
use crate::compute::{Loop, Operand, accumulator, d};
use crate::element::Element;
use crate::error::Refusal;
use crate::node::Node;
use crate::scalar::{Compare, Scalar};
use crate::size::Size;
use crate::tensor::Tensor;

/// A number that is computed during the import or at run time.
#[derive(Clone)]
pub enum Number<'c> {
    Known(f64),
    Size(Size<'c>),
    /// A quotient of sizes.
    Ratio(Size<'c>, Size<'c>),
    /// A product of a number of a tensor and a size.
    Scaled(Tensor<'c>, usize, Size<'c>),
    /// An element of a tensor.
    Element(Tensor<'c>, usize),
}

impl<'c> Number<'c> {
    pub fn known(&self) -> Option<f64> {
        match self {
            Number::Known(value) => Some(*value),
            Number::Size(size) => size.known().map(|it| it as f64),
            Number::Ratio(x, y) => Some(x.known()? as f64 / y.known()? as f64),
            Number::Scaled(..) | Number::Element(..) => None,
        }
    }

    /// The number in double precision.
    fn scalar(&self, b: &Builder<'c>) -> Scalar<'c> {
        let size = |size: Size<'c>| b.cast(b.size_scalar(size), Element::F64);
        let element = |tensor: &Tensor<'c>, i: usize| {
            b.cast(b.extract(tensor, &[b.index_scalar(i as i64)]), Element::F64)
        };
        if let Some(value) = self.known() {
            return b.scalar(Element::F64, value);
        }
        match self {
            Number::Known(value) => b.scalar(Element::F64, *value),
            Number::Size(it) => size(*it),
            Number::Ratio(x, y) => b.div(size(*x), size(*y)),
            Number::Scaled(tensor, i, it) => b.mul(element(tensor, *i), size(*it)),
            Number::Element(tensor, i) => element(tensor, *i),
        }
    }
}

/// An axis that is resized.
pub struct Axis<'c> {
    pub axis: usize,
    pub from: Size<'c>,
    pub to: Size<'c>,
    pub scale: Number<'c>,
    /// The size of the result before it is rounded.
    pub length: Number<'c>,
    /// The start and the end of the region, in parts of the axis.
    pub roi: [Number<'c>; 2],
}

/// How positions of the result are mapped to coordinates of the operand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Transform {
    HalfPixel,
    HalfPixelSymmetric,
    PytorchHalfPixel,
    TfHalfPixelForNn,
    AlignCorners,
    Asymmetric,
    TfCropAndResize,
}

/// How a coordinate is rounded to an element.
#[derive(Clone, Copy)]
pub enum Nearest {
    RoundPreferFloor,
    RoundPreferCeil,
    Floor,
    Ceil,
}

/// How elements are weighed.
pub struct Weights {
    pub antialias: bool,
    pub exclude_outside: bool,
    pub transform: Transform,
    /// The result outside of the operand, for regions.
    pub extrapolation: f64,
}

/// The coordinate in the operand of a position in the result.
fn coordinate<'c>(
    b: &Builder<'c>,
    axis: &Axis<'c>,
    transform: Transform,
    position: Scalar<'c>,
) -> Scalar<'c> {
    let number = |value: f64| b.scalar(Element::F64, value);
    let position = b.cast(position, Element::F64);
    let (half, one) = (number(0.5), number(1.0));
    let from = Number::Size(axis.from).scalar(b);
    let (scale, length) = (axis.scale.scalar(b), axis.length.scalar(b));
    let last = b.sub(from, one);
    // A result of one element has no distance between its elements.
    let is_one = b.compare(Compare::Equal, length, one);
    let steps = b.select(is_one, one, b.sub(length, one));
    let centre = || b.div(b.add(position, half), scale);
    match transform {
        Transform::HalfPixel => b.sub(centre(), half),
        Transform::TfHalfPixelForNn => centre(),
        Transform::PytorchHalfPixel => b.select(is_one, number(-0.5), b.sub(centre(), half)),
        Transform::Asymmetric => b.div(position, scale),
        Transform::AlignCorners => {
            b.select(is_one, number(0.0), b.div(b.mul(position, last), steps))
        }
        Transform::HalfPixelSymmetric => {
            let adjustment = b.div(Number::Size(axis.to).scalar(b), length);
            let offset = b.mul(b.mul(from, half), b.sub(one, adjustment));
            b.sub(b.add(offset, centre()), half)
        }
        Transform::TfCropAndResize => {
            let (start, end) = (axis.roi[0].scalar(b), axis.roi[1].scalar(b));
            let extent = b.mul(b.sub(end, start), last);
            let inner =
                b.select(is_one, b.mul(extent, half), b.div(b.mul(position, extent), steps));
            b.add(inner, b.mul(start, last))
        }
    }
}

/// True if a coordinate is in the operand.
fn is_inside<'c>(b: &Builder<'c>, axis: &Axis<'c>, coordinate: Scalar<'c>) -> Scalar<'c> {
    let last = b.sub(Number::Size(axis.from).scalar(b), b.like(coordinate, 1.0));
    let above = b.compare(Compare::GreaterOrEqual, coordinate, b.like(coordinate, 0.0));
    b.and(above, b.compare(Compare::LessOrEqual, coordinate, last))
}

/// An integer in double precision as an index of the axis, at the border if it is outside.
fn clamped<'c>(b: &Builder<'c>, axis: &Axis<'c>, at: Scalar<'c>) -> Scalar<'c> {
    let last = b.sub(Number::Size(axis.from).scalar(b), b.like(at, 1.0));
    b.cast(b.max(b.min(at, last), b.like(at, 0.0)), Element::I64)
}

/// The element that is nearest, by tables of indices of each axis.
pub fn take_nearest<'c>(
    node: &Node<'_, 'c>,
    x: &Tensor<'c>,
    axes: &[Axis<'c>],
    nearest: Nearest,
    weights: &Weights,
) -> Tensor<'c> {
    let mut sizes = x.sizes().to_vec();
    axes.iter().for_each(|axis| sizes[axis.axis] = axis.to);
    let table = |axis: &Axis<'c>| {
        node.generate(&[axis.to], Element::I64, |b, loops| {
            let at = coordinate(b, axis, weights.transform, loops[0]);
            let half = b.like(at, 0.5);
            let rounded = match nearest {
                Nearest::RoundPreferFloor => b.math("math.ceil", b.sub(at, half)),
                Nearest::RoundPreferCeil => b.math("math.floor", b.add(at, half)),
                Nearest::Floor => b.math("math.floor", at),
                Nearest::Ceil => b.math("math.ceil", at),
            };
            clamped(b, axis, rounded)
        })
    };
    let tables: Vec<_> = axes.iter().map(table).collect();
    node.generate(&sizes, x.element(), |b, loops| {
        let mut indices = loops.to_vec();
        let mut inside = None;
        for (axis, table) in axes.iter().zip(&tables) {
            let read = b.extract(table, &[loops[axis.axis]]);
            indices[axis.axis] = b.cast(read, Element::Index);
            if weights.transform == Transform::TfCropAndResize {
                let at = coordinate(b, axis, weights.transform, loops[axis.axis]);
                let found = is_inside(b, axis, at);
                inside = Some(inside.map_or(found, |inside| b.and(inside, found)));
            }
        }
        let value = b.extract(x, &indices);
        match inside {
            Some(inside) => b.select(inside, value, b.like(value, weights.extrapolation)),
            None => value,
        }
    })
}

/// Sums of the elements around a coordinate, one axis after the other. `kernel` is the weight at a distance; it is 0 from
/// `reach` on.
pub fn interpolate<'c>(
    node: &Node<'_, 'c>,
    x: &Tensor<'c>,
    axes: &[Axis<'c>],
    weights: &Weights,
    reach: i64,
    kernel: impl Fn(&Builder<'c>, Scalar<'c>) -> Scalar<'c>,
) -> Result<Tensor<'c>, Refusal> {
    let element = x.element();
    let wide = if element.is_float() { accumulator(element) } else { Element::F32 };
    let mut result = node.convert(x, wide);
    for axis in axes {
        result = interpolate_axis(node, &result, axis, weights, reach, &kernel)?;
    }
    Ok(match element.is_float() {
        true => node.convert(&result, element),
        false => node.map_to(result.sizes(), &[&result], element, |b, v| {
            let (least, greatest) = element.range();
            b.cast(b.clamp(v[0], least as f64, greatest as f64), element)
        }),
    })
}

/// The elements on each side of a coordinate that have weights: `ceil(reach / min(scale, 1))` of a smoothed result, else
/// `reach`.
fn elements_around<'c>(
    b: &Builder<'c>,
    axis: &Axis<'c>,
    weights: &Weights,
    reach: i64,
) -> Size<'c> {
    if !weights.antialias {
        return Size::Known(reach);
    }
    if let Some(scale) = axis.scale.known() {
        return Size::Known((reach as f64 / scale.min(1.0)).ceil().min(f64::from(i32::MAX)) as i64);
    }
    // The size of the result is at most 1/2 more than that of the operand times the scale.
    let double = |size: Size<'c>| b.size_mul(size, Size::Known(2));
    let divisor = b.size_max(b.size_sub(double(axis.to), Size::Known(1)), Size::Known(1));
    let dividend = b.size_mul(double(axis.from), Size::Known(reach));
    let rounded = b.size_add(dividend, b.size_sub(divisor, Size::Known(1)));
    b.size_max(b.size_div(rounded, divisor), Size::Known(reach))
}

/// Sums of the elements around a coordinate along one axis, by tables of indices and weights.
fn interpolate_axis<'c>(
    node: &Node<'_, 'c>,
    x: &Tensor<'c>,
    axis: &Axis<'c>,
    weights: &Weights,
    reach: i64,
    kernel: &impl Fn(&Builder<'c>, Scalar<'c>) -> Scalar<'c>,
) -> Result<Tensor<'c>, Refusal> {
    let around = elements_around(node, axis, weights, reach);
    let table = [axis.to, node.size_mul(around, Size::Known(2))];
    // The elements are `first`, `first + 1`, ..: as many before the coordinate, or at it, as behind.
    let element_at = |b: &Builder<'c>, loops: &[Scalar<'c>]| {
        let at = coordinate(b, axis, weights.transform, loops[0]);
        let before = b.math("math.ceil", at);
        let tap = b.sub(loops[1], b.size_scalar(around));
        (at, b.add(before, b.cast(tap, Element::F64)))
    };
    let indices = node.generate(&table, Element::I64, |b, loops| {
        let (_, element) = element_at(b, loops);
        clamped(b, axis, element)
    });
    let mut factors = node.generate(&table, Element::F64, |b, loops| {
        let (at, element) = element_at(b, loops);
        let distance = b.abs(b.sub(element, at));
        let distance = match weights.antialias {
            true => b.mul(distance, b.min(axis.scale.scalar(b), b.like(at, 1.0))),
            false => distance,
        };
        let weight = kernel(b, distance);
        match weights.exclude_outside {
            true => b.select(is_inside(b, axis, element), weight, b.like(weight, 0.0)),
            false => weight,
        }
    });
    if weights.antialias || weights.exclude_outside {
        let sums = node.sum_over(&factors, &[1])?;
        factors = node.map(&[&factors, &sums], Element::F64, |b, v| {
            let is_zero = b.compare(Compare::Equal, v[1], b.like(v[1], 0.0));
            b.div(v[0], b.select(is_zero, b.like(v[1], 1.0), v[1]))
        })?;
    }
    let element = x.element();
    let factors = node.convert(&factors, element);
    let rank = x.rank();
    let mut sizes = x.sizes().to_vec();
    sizes[axis.axis] = axis.to;
    let zeros = node.filled(&sizes, node.scalar(element, 0.0));
    let mut loops = vec![Loop::Parallel; rank];
    loops.push(Loop::Reduction);
    let of_table = |tensor| Operand::new(tensor, vec![d(axis.axis), d(rank)]);
    let output = Operand::new(&zeros, (0..rank).map(d).collect());
    let results =
        node.generic(&loops, &[of_table(&factors), of_table(&indices)], &[output], |b, v| {
            let mut at: Vec<_> = (0..rank).map(|i| b.loop_index(i)).collect();
            at[axis.axis] = b.cast(v[1], Element::Index);
            vec![b.add(v[2], b.mul(v[0], b.extract(x, &at)))]
        });
    let sums = &results[0];
    if weights.transform != Transform::TfCropAndResize {
        return Ok(sums.clone());
    }
    node.map(&[sums], element, |b, v| {
        let at = coordinate(b, axis, weights.transform, b.loop_index(axis.axis));
        b.select(is_inside(b, axis, at), v[0], b.like(v[0], weights.extrapolation))
    })
}
