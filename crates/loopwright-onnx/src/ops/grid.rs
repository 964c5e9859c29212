//! Reads of an image at the coordinates of a grid.

use super::Row;
use super::sampling::{Outside, blend, cubic_taps, linear_taps, nearest_tap, reflect};
use super::window::spatial_rank;
use crate::builder::Builder;
use crate::compute::accumulator;
use crate::error::Refusal;
use crate::node::Node;
use crate::scalar::{Compare, Scalar};
use crate::size::Size;
use crate::tensor::Tensor;

type Outputs<'c> = Result<Vec<Tensor<'c>>, Refusal>;

pub const OPS: &[Row] = &[("AffineGrid", affine_grid), ("GridSample", grid_sample)];

/// What the coordinates -1 and 1 stand for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ends {
    /// The centres of the first and last element.
    Centres,
    /// The outer edges of the first and last element.
    Edges,
}

fn ends(node: &Node) -> Result<Ends, Refusal> {
    Ok(if node.flag("align_corners", false)? { Ends::Centres } else { Ends::Edges })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Nearest,
    Linear,
    Cubic,
}

/// The coordinates of a grid: `theta` times the coordinates of each element from -1 to 1, and 1.
fn affine_grid<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let (theta, size) = (node.input(0)?, node.input(1)?);
    let ends = ends(node)?;
    let axes = match (theta.rank(), theta.sizes().last().and_then(|it| it.known())) {
        (3, Some(columns @ (3 | 4))) => columns as usize - 1,
        _ => return Err(Refusal::new("has matrices that are neither 2x3 nor 3x4")),
    };
    let sizes = match size.elements() {
        Some(size) if size.len() == axes + 2 => {
            let mut sizes = vec![theta.size(0)];
            sizes.extend(&size[2..]);
            sizes.push(Size::Known(axes as i64));
            sizes
        }
        Some(size) => {
            return Err(Refusal::new(format!("has {} sizes, expected {}", size.len(), axes + 2)));
        }
        None => node.sizes_from_model("a size")?,
    };
    if sizes.len() != axes + 2 {
        return Err(Refusal::new(format!(
            "has an output of rank {}, expected {}",
            sizes.len(),
            axes + 2
        )));
    }
    let element = theta.element();
    let wide = accumulator(element);
    Ok(vec![node.generate(&sizes, element, |b, loops| {
        let row = loops[axes + 1];
        let factor =
            |i: usize| b.cast(b.extract(theta, &[loops[0], row, b.index_scalar(i as i64)]), wide);
        let number = |value: f64| b.scalar(wide, value);
        // The last axis comes first.
        let term = |i: usize| {
            let axis = axes - i;
            let (at, size) = (b.cast(loops[axis], wide), b.cast(b.size_scalar(sizes[axis]), wide));
            let twice = b.mul(at, number(2.0));
            let coordinate = match ends {
                // One element is at -1.
                Ends::Centres => b.div(twice, b.max(b.sub(size, number(1.0)), number(1.0))),
                Ends::Edges => b.div(b.add(twice, number(1.0)), size),
            };
            b.mul(factor(i), b.sub(coordinate, number(1.0)))
        };
        let sum = (0..axes).fold(factor(axes), |sum, i| b.add(sum, term(i)));
        b.cast(sum, element)
    })])
}

/// The coordinate in elements of a coordinate from -1 to 1.
fn denormalized<'c>(
    b: &Builder<'c>,
    coordinate: Scalar<'c>,
    size: Size<'c>,
    ends: Ends,
) -> Scalar<'c> {
    let size = b.cast(b.size_scalar(size), coordinate.element);
    let (one, half) = (b.like(size, 1.0), b.like(size, 0.5));
    let shifted = b.add(coordinate, one);
    match ends {
        Ends::Centres => b.mul(b.mul(shifted, half), b.sub(size, one)),
        Ends::Edges => b.mul(b.sub(b.mul(shifted, size), one), half),
    }
}

/// A coordinate that is outside of the axis, moved into it.
fn moved_inside<'c>(
    b: &Builder<'c>,
    coordinate: Scalar<'c>,
    size: Size<'c>,
    outside: Outside,
    ends: Ends,
) -> Scalar<'c> {
    let last = b.sub(b.size_scalar(size), b.index_scalar(1));
    let (zero, last) = (b.like(coordinate, 0.0), b.cast(last, coordinate.element));
    let margin = b.like(coordinate, if ends == Ends::Edges { 0.5 } else { 0.0 });
    let inner = match outside {
        Outside::Zero => return coordinate,
        Outside::Border => b.max(b.min(coordinate, last), zero),
        Outside::ReflectCentres | Outside::ReflectEdges => reflect(b, coordinate, size, outside),
    };
    let below = b.compare(Compare::Less, coordinate, b.neg(margin));
    let above = b.compare(Compare::Greater, coordinate, b.add(last, margin));
    let is_outside = b.or(below, above);
    b.select(is_outside, inner, coordinate)
}

/// The elements of an image around the coordinates of a grid, whose last axis has the coordinates of the last axis first.
fn grid_sample<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let (x, grid) = (node.input(0)?, node.input(1)?);
    let axes = spatial_rank(x)?;
    if grid.rank() != x.rank() || grid.size(axes + 1).known().is_some_and(|it| it != axes as i64) {
        return Err(Refusal::new(format!(
            "has a grid that does not fit the operand, expected rank {} and {axes} coordinates",
            x.rank()
        )));
    }
    let ends = ends(node)?;
    let mode = match node.string_or("mode", "linear")?.as_str() {
        "nearest" => Mode::Nearest,
        "linear" | "bilinear" => Mode::Linear,
        "cubic" | "bicubic" => Mode::Cubic,
        found => return Err(node.refuse_attribute("mode", found, "nearest, linear or cubic")),
    };
    let outside = match node.string_or("padding_mode", "zeros")?.as_str() {
        "zeros" => Outside::Zero,
        "border" => Outside::Border,
        "reflection" if ends == Ends::Centres => Outside::ReflectCentres,
        "reflection" => Outside::ReflectEdges,
        found => {
            return Err(node.refuse_attribute(
                "padding_mode",
                found,
                "zeros, border or reflection",
            ));
        }
    };
    if x.sizes()[2..].contains(&Size::Known(0)) {
        return Err(Refusal::new("reads an image without elements"));
    }
    let element = x.element();
    let wide = accumulator(if element.is_float() { element } else { grid.element() });
    let mut sizes = vec![x.size(0), x.size(1)];
    sizes.extend(&grid.sizes()[1..=axes]);
    Ok(vec![node.generate(&sizes, element, |b, loops| {
        let taps = (0..axes).map(|i| {
            let mut at = vec![loops[0]];
            at.extend(&loops[2..]);
            at.push(b.index_scalar((axes - 1 - i) as i64));
            let size = x.size(2 + i);
            let coordinate = b.cast(b.extract(grid, &at), wide);
            let coordinate = denormalized(b, coordinate, size, ends);
            let inside = |coordinate| moved_inside(b, coordinate, size, outside, ends);
            match mode {
                Mode::Nearest => {
                    let rounded = inside(b.math("math.roundeven", coordinate));
                    nearest_tap(b, rounded, size, outside)
                }
                Mode::Linear => linear_taps(b, inside(coordinate), size, outside),
                // Each of the elements is moved inside by itself.
                Mode::Cubic if outside == Outside::Border => {
                    cubic_taps(b, coordinate, size, outside)
                }
                Mode::Cubic => cubic_taps(b, inside(coordinate), size, outside),
            }
        });
        let taps: Vec<_> = taps.collect();
        let read = |indices: &[Scalar<'c>]| {
            let indices = [&loops[..2], indices].concat();
            b.extract(x, &indices)
        };
        match mode {
            // One element, which is not converted.
            Mode::Nearest => blend(b, &taps, &read),
            _ => b.cast(blend(b, &taps, &|at: &[Scalar<'c>]| b.cast(read(at), wide)), element),
        }
    })])
}
