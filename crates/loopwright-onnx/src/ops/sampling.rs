//! Reads between the elements of a tensor: sums of the elements around a coordinate, by axis.

use crate::builder::Builder;
use crate::element::Element;
use crate::scalar::{Compare, Scalar};
use crate::size::Size;

/// What is read outside of an axis.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Outside {
    Zero,
    /// The first or last element.
    Border,
    /// Mirrored at the centres of the first and last element.
    ReflectCentres,
    /// Mirrored at the outer edges of the first and last element.
    ReflectEdges,
}

/// An element that a coordinate is read from, along one axis.
pub struct Tap<'c> {
    /// An index of the axis.
    pub index: Scalar<'c>,
    pub weight: Scalar<'c>,
    /// A condition without which the element counts as 0.
    pub is_inside: Option<Scalar<'c>>,
}

/// The factor of the cubic weights.
const CUBIC: f64 = -0.75;

/// The index of a coordinate that is an integer, of an axis of a size.
fn index<'c>(
    b: &Builder<'c>,
    coordinate: Scalar<'c>,
    size: Size<'c>,
    outside: Outside,
) -> (Scalar<'c>, Option<Scalar<'c>>) {
    let coordinate = match outside {
        Outside::Zero | Outside::Border => coordinate,
        Outside::ReflectCentres | Outside::ReflectEdges => reflect(b, coordinate, size, outside),
    };
    let last = b.cast(b.sub(b.size_scalar(size), b.index_scalar(1)), coordinate.element);
    let clamped = b.max(b.min(coordinate, last), b.like(coordinate, 0.0));
    // A NaN is not an index.
    let is_number = b.compare(Compare::Equal, clamped, clamped);
    let clamped = b.select(is_number, clamped, b.like(clamped, 0.0));
    let is_inside =
        (outside == Outside::Zero).then(|| b.compare(Compare::Equal, coordinate, clamped));
    (b.cast(clamped, Element::Index), is_inside)
}

/// A coordinate mirrored into the axis.
pub fn reflect<'c>(
    b: &Builder<'c>,
    coordinate: Scalar<'c>,
    size: Size<'c>,
    outside: Outside,
) -> Scalar<'c> {
    let size = b.cast(b.size_scalar(size), coordinate.element);
    let (least, range) = match outside {
        Outside::ReflectCentres => (0.0, b.sub(size, b.like(size, 1.0))),
        _ => (-0.5, size),
    };
    // The distance repeats with twice the range. A range of 0 has one element.
    let range = b.max(range, b.like(size, 0.5));
    let period = b.mul(range, b.like(size, 2.0));
    let distance = b.abs(b.sub(coordinate, b.like(coordinate, least)));
    let turns = b.math("math.floor", b.div(distance, period));
    let distance = b.sub(distance, b.mul(turns, period));
    let mirrored = b.min(distance, b.sub(period, distance));
    b.add(mirrored, b.like(coordinate, least))
}

/// The nearest element; of two, the one with an even index.
pub fn nearest_tap<'c>(
    b: &Builder<'c>,
    coordinate: Scalar<'c>,
    size: Size<'c>,
    outside: Outside,
) -> Vec<Tap<'c>> {
    let rounded = b.math("math.roundeven", coordinate);
    let (index, is_inside) = index(b, rounded, size, outside);
    vec![Tap { index, weight: b.like(coordinate, 1.0), is_inside }]
}

/// The two elements around a coordinate.
pub fn linear_taps<'c>(
    b: &Builder<'c>,
    coordinate: Scalar<'c>,
    size: Size<'c>,
    outside: Outside,
) -> Vec<Tap<'c>> {
    let floor = b.math("math.floor", coordinate);
    let ratio = b.sub(coordinate, floor);
    let weights = [b.sub(b.like(ratio, 1.0), ratio), ratio];
    taps(b, floor, size, outside, 0, &weights)
}

/// The four elements around a coordinate, with the weights of a cubic convolution.
pub fn cubic_taps<'c>(
    b: &Builder<'c>,
    coordinate: Scalar<'c>,
    size: Size<'c>,
    outside: Outside,
) -> Vec<Tap<'c>> {
    let floor = b.math("math.floor", coordinate);
    let ratio = b.sub(coordinate, floor);
    let one = b.like(ratio, 1.0);
    let rest = b.sub(one, ratio);
    let distances = [b.add(ratio, one), ratio, rest, b.add(rest, one)];
    let weights = distances.map(|distance| cubic_weight(b, distance, CUBIC));
    taps(b, floor, size, outside, -1, &weights)
}

fn taps<'c>(
    b: &Builder<'c>,
    floor: Scalar<'c>,
    size: Size<'c>,
    outside: Outside,
    first: i64,
    weights: &[Scalar<'c>],
) -> Vec<Tap<'c>> {
    let tap = |(i, weight): (usize, &Scalar<'c>)| {
        let at = b.add(floor, b.like(floor, (first + i as i64) as f64));
        let (index, is_inside) = index(b, at, size, outside);
        Tap { index, weight: *weight, is_inside }
    };
    weights.iter().enumerate().map(tap).collect()
}

/// The weight of an element at a distance, which is not negative, in a cubic convolution with the factor `a`; 0 from 2 on.
pub fn cubic_weight<'c>(b: &Builder<'c>, distance: Scalar<'c>, a: f64) -> Scalar<'c> {
    let number = |value: f64| b.like(distance, value);
    let times = |x, y| b.mul(x, y);
    // ((a + 2) x - (a + 3)) x x + 1
    let near = b.sub(times(number(a + 2.0), distance), number(a + 3.0));
    let near = b.add(times(times(near, distance), distance), number(1.0));
    // ((a x - 5 a) x + 8 a) x - 4 a
    let far = b.sub(times(number(a), distance), number(5.0 * a));
    let far = b.add(times(far, distance), number(8.0 * a));
    let far = b.sub(times(far, distance), number(4.0 * a));
    let is_near = b.compare(Compare::LessOrEqual, distance, number(1.0));
    let is_far = b.compare(Compare::Less, distance, number(2.0));
    b.select(is_near, near, b.select(is_far, far, number(0.0)))
}

/// The sum of the elements at all combinations of taps, one of each axis, by the product of their weights.
pub fn blend<'c>(
    b: &Builder<'c>,
    axes: &[Vec<Tap<'c>>],
    read: &impl Fn(&[Scalar<'c>]) -> Scalar<'c>,
) -> Scalar<'c> {
    blend_from(b, axes, &mut vec![], None, read)
}

fn blend_from<'c>(
    b: &Builder<'c>,
    axes: &[Vec<Tap<'c>>],
    indices: &mut Vec<Scalar<'c>>,
    is_inside: Option<Scalar<'c>>,
    read: &impl Fn(&[Scalar<'c>]) -> Scalar<'c>,
) -> Scalar<'c> {
    let Some((taps, rest)) = axes.split_first() else {
        let value = read(indices);
        return match is_inside {
            Some(is_inside) => b.select(is_inside, value, b.like(value, 0.0)),
            None => value,
        };
    };
    let mut sum = None;
    for tap in taps {
        let is_inside = match (is_inside, tap.is_inside) {
            (Some(x), Some(y)) => Some(b.and(x, y)),
            (x, y) => x.or(y),
        };
        indices.push(tap.index);
        let value = blend_from(b, rest, indices, is_inside, read);
        indices.pop();
        let term = if taps.len() == 1 { value } else { b.mul(tap.weight, value) };
        sum = Some(sum.map_or(term, |sum| b.add(sum, term)));
    }
    sum.unwrap_or_else(|| read(indices))
}
