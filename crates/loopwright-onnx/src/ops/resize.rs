//! Resizes of images.

use super::Row;
use super::resample::{Axis, Nearest, Number, Transform, Weights, interpolate, take_nearest};
use super::sampling::cubic_weight;
use crate::element::Element;
use crate::error::Refusal;
use crate::node::Node;
use crate::size::Size;
use crate::tensor::Tensor;

type Outputs<'c> = Result<Vec<Tensor<'c>>, Refusal>;

pub const OPS: &[Row] = &[("Resize", resize), ("Upsample", resize)];

const TRANSFORMS: &[(&str, Transform)] = &[
    ("half_pixel", Transform::HalfPixel),
    ("half_pixel_symmetric", Transform::HalfPixelSymmetric),
    ("pytorch_half_pixel", Transform::PytorchHalfPixel),
    ("tf_half_pixel_for_nn", Transform::TfHalfPixelForNn),
    ("align_corners", Transform::AlignCorners),
    ("asymmetric", Transform::Asymmetric),
    ("tf_crop_and_resize", Transform::TfCropAndResize),
];

const NEAREST: &[(&str, Nearest)] = &[
    ("round_prefer_floor", Nearest::RoundPreferFloor),
    ("round_prefer_ceil", Nearest::RoundPreferCeil),
    ("floor", Nearest::Floor),
    ("ceil", Nearest::Ceil),
];

#[derive(Clone, Copy)]
enum Mode {
    Nearest(Nearest),
    Linear,
    /// With the factor of the weights.
    Cubic(f64),
}

/// How the sizes keep the ratio of the axes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Policy {
    Stretch,
    NotLarger,
    NotSmaller,
}

const POLICIES: &[(&str, Policy)] = &[
    ("stretch", Policy::Stretch),
    ("not_larger", Policy::NotLarger),
    ("not_smaller", Policy::NotSmaller),
];

/// The choice that an attribute names.
fn choice<T: Copy>(
    node: &Node,
    name: &str,
    default: &str,
    choices: &[(&str, T)],
) -> Result<T, Refusal> {
    let found = node.string_or(name, default)?;
    choices.iter().find(|(it, _)| *it == found).map(|(_, choice)| *choice).ok_or_else(|| {
        let words: Vec<_> = choices.iter().map(|(word, _)| *word).collect();
        node.refuse_attribute(name, &found, &words.join(", "))
    })
}

/// True before version 11: there is one transform, elements are rounded down, and the second input has the scales.
fn has_one_transform(node: &Node) -> bool {
    node.opset < 11
}

fn resize<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let x = node.input(0)?;
    let is_old = has_one_transform(node);
    let (transform, nearest) =
        if is_old { ("asymmetric", "floor") } else { ("half_pixel", "round_prefer_floor") };
    let nearest = choice(node, "nearest_mode", nearest, NEAREST)?;
    let factor = node.float_or("cubic_coeff_a", -0.75)?;
    let mode = match node.string_or("mode", "nearest")?.as_str() {
        "nearest" => Mode::Nearest(nearest),
        "linear" => Mode::Linear,
        "cubic" => Mode::Cubic(factor),
        found => return Err(node.refuse_attribute("mode", found, "nearest, linear or cubic")),
    };
    let weights = Weights {
        antialias: node.flag("antialias", false)?,
        exclude_outside: node.flag("exclude_outside", false)?,
        transform: choice(node, "coordinate_transformation_mode", transform, TRANSFORMS)?,
        extrapolation: node.float_or("extrapolation_value", 0.0)?,
    };
    let axes = resized_axes(node, x, weights.transform)?;
    if axes.iter().any(|axis| axis.from == Size::Known(0) && axis.to != Size::Known(0)) {
        return Err(Refusal::new("resizes an axis without elements"));
    }
    Ok(vec![match mode {
        Mode::Nearest(nearest) => take_nearest(node, x, &axes, nearest, &weights),
        Mode::Linear => interpolate(node, x, &axes, &weights, 1, |b, distance| {
            let one = b.like(distance, 1.0);
            b.max(b.sub(one, distance), b.like(distance, 0.0))
        })?,
        Mode::Cubic(a) => {
            interpolate(node, x, &axes, &weights, 2, |b, distance| cubic_weight(b, distance, a))?
        }
    }])
}

/// An input that has elements.
fn filled_input<'n, 'c>(node: &'n Node<'_, 'c>, i: usize) -> Option<&'n Tensor<'c>> {
    node.optional(i).filter(|it| it.known_len() != Some(0))
}

/// The axes that a node resizes.
fn resized_axes<'c>(
    node: &Node<'_, 'c>,
    x: &Tensor<'c>,
    transform: Transform,
) -> Result<Vec<Axis<'c>>, Refusal> {
    let rank = x.rank();
    let positions: Vec<usize> = match node.ints("axes")? {
        Some(axes) => {
            axes.iter().map(|axis| node.axis_of(*axis, rank)).collect::<Result<_, _>>()?
        }
        None => (0..rank).collect(),
    };
    if (1..positions.len()).any(|i| positions[..i].contains(&positions[i])) {
        return Err(Refusal::new("has an attribute axes with an axis twice"));
    }
    let checked = |list: &Tensor<'c>, count: usize, what: &str| match list.rank() == 1
        && list.known_len() == Some(count as i64)
    {
        true => Ok(list.clone()),
        false => Err(Refusal::new(format!("has {what} that are no list of {count} numbers"))),
    };
    let count = positions.len();
    let (scales_input, sizes_input) =
        if has_one_transform(node) { (1, None) } else { (2, Some(3)) };
    let sizes = sizes_input.and_then(|i| filled_input(node, i));
    let sizes = sizes.map(|it| checked(it, count, "sizes")).transpose()?;
    // Version 7 of Upsample has scales as an attribute.
    let stated = node.floats("scales")?;
    let scales = filled_input(node, scales_input).filter(|_| stated.is_none());
    let scales = scales.map(|it| checked(it, count, "scales")).transpose()?;
    let known = stated.or_else(|| scales.as_ref().and_then(Tensor::floats));
    if known
        .as_ref()
        .is_some_and(|it| it.len() != count || it.iter().any(|it| it.is_nan() || *it <= 0.0))
    {
        return Err(Refusal::new(format!("has scales that are not {count} positive numbers")));
    }
    let roi = filled_input(node, 1).filter(|_| transform == Transform::TfCropAndResize);
    let roi = roi.map(|it| checked(it, 2 * count, "bounds of the region")).transpose()?;
    let policy = choice(node, "keep_aspect_ratio_policy", "stretch", POLICIES)?;
    let from: Vec<_> = positions.iter().map(|axis| x.size(*axis)).collect();
    let targets: Vec<(Size<'c>, Number<'c>, Number<'c>)> = match (&sizes, known, &scales) {
        (Some(sizes), ..) => sized(node, sizes, &positions, &from, policy)?,
        (None, Some(scales), _) => {
            let target = |(size, scale): (&Size<'c>, &f64)| {
                let length = match size.known() {
                    Some(size) => Number::Known(size as f64 * scale),
                    None => Number::Size(scaled_size(node, *size, *scale)?),
                };
                Ok((scaled_size(node, *size, *scale)?, Number::Known(*scale), length))
            };
            from.iter().zip(&scales).map(target).collect::<Result<_, Refusal>>()?
        }
        (None, None, Some(scales)) => {
            let stated = stated_sizes(node, rank)?;
            let target = |(i, axis): (usize, &usize)| {
                let length = Number::Scaled(scales.clone(), i, from[i]);
                (stated[*axis], Number::Element(scales.clone(), i), length)
            };
            positions.iter().enumerate().map(target).collect()
        }
        (None, None, None) => return Err(Refusal::new("has neither scales nor sizes")),
    };
    let is_region = transform == Transform::TfCropAndResize;
    let axis = |(i, (to, scale, length)): (usize, (Size<'c>, Number<'c>, Number<'c>))| {
        let bound = |at: usize, default: f64| match &roi {
            Some(roi) => match roi.floats() {
                Some(bounds) => Number::Known(bounds[at]),
                None => Number::Element(roi.clone(), at),
            },
            None => Number::Known(default),
        };
        let roi = [bound(i, 0.0), bound(count + i, 1.0)];
        Axis { axis: positions[i], from: from[i], to, scale, length, roi }
    };
    let changes = |axis: &Axis<'c>| {
        let is_same = match &axis.scale {
            Number::Ratio(..) => axis.from == axis.to,
            scale => scale.known() == Some(1.0),
        };
        let is_whole = axis.roi[0].known() == Some(0.0) && axis.roi[1].known() == Some(1.0);
        !is_same || (is_region && !is_whole)
    };
    Ok(targets.into_iter().enumerate().map(axis).filter(changes).collect())
}

/// The sizes that the model states for the output.
fn stated_sizes<'c>(node: &Node<'_, 'c>, rank: usize) -> Result<Vec<Size<'c>>, Refusal> {
    let sizes = node.sizes_from_model("a size")?;
    match sizes.len() == rank {
        true => Ok(sizes),
        false => {
            Err(Refusal::new(format!("has an output of rank {}, expected {rank}", sizes.len())))
        }
    }
}

/// The size times a scale, rounded down in single precision.
///
/// # Errors
/// If the size is not known, and the scale no quotient of small integers.
fn scaled_size<'c>(node: &Node<'_, 'c>, size: Size<'c>, scale: f64) -> Result<Size<'c>, Refusal> {
    if let Size::Known(size) = size {
        return Ok(Size::Known((size as f32 * scale as f32).floor() as i64));
    }
    let divisor = (1..=64).find(|q| (scale * f64::from(*q)).fract() == 0.0);
    let divisor = divisor.filter(|_| scale < f64::from(i32::MAX)).ok_or_else(|| {
        Refusal::new(format!(
            "scales a size that is not known by {scale}, expected a quotient of small integers"
        ))
    })?;
    let product = node.size_mul(size, Size::Known((scale * f64::from(divisor)) as i64));
    Ok(node.size_div(product, Size::Known(divisor.into())))
}

/// The sizes of the axes of the result, their scales, and their lengths, of a list of sizes.
fn sized<'c>(
    node: &Node<'_, 'c>,
    sizes: &Tensor<'c>,
    positions: &[usize],
    from: &[Size<'c>],
    policy: Policy,
) -> Result<Vec<(Size<'c>, Number<'c>, Number<'c>)>, Refusal> {
    let rank = node.input(0)?.rank();
    let known = sizes.elements();
    let targets = match &known {
        Some(sizes) => sizes.clone(),
        None => {
            let stated = stated_sizes(node, rank)?;
            positions.iter().map(|axis| stated[*axis]).collect()
        }
    };
    if targets.iter().any(|size| size.known().is_some_and(|it| it < 0)) {
        return Err(Refusal::new("has a negative size"));
    }
    let pairs = || targets.iter().zip(from);
    if policy == Policy::Stretch {
        let target = |(to, from): (&Size<'c>, &Size<'c>)| {
            (*to, Number::Ratio(*to, *from), Number::Size(*to))
        };
        return Ok(pairs().map(target).collect());
    }
    let is_least = policy == Policy::NotLarger;
    let better = |x: f64, y: f64| if is_least { x.min(y) } else { x.max(y) };
    let ratio =
        |(to, from): (&Size<'c>, &Size<'c>)| Some(to.known()? as f64 / from.known()? as f64);
    let ratios: Option<Vec<f64>> = pairs().map(ratio).collect();
    if let (Some(_), Some(ratios)) = (&known, ratios) {
        let scale = ratios.into_iter().reduce(better).unwrap_or(1.0);
        let target = |from: &Size<'c>| {
            let length = from.known().unwrap_or(0) as f64 * scale;
            let to = Size::Known((length + 0.5).floor() as i64);
            (to, Number::Known(scale), Number::Known(length))
        };
        return Ok(from.iter().map(target).collect());
    }
    if known.is_some() {
        return Err(Refusal::new(
            "keeps the ratio of axes whose sizes are not known, expected known sizes",
        ));
    }
    let scale = node.generate(&[Size::Known(1)], Element::F64, |b, _| {
        let ratio = |(i, from): (usize, &Size<'c>)| {
            let to = b.extract(sizes, &[b.index_scalar(i as i64)]);
            b.div(b.cast(to, Element::F64), b.cast(b.size_scalar(*from), Element::F64))
        };
        let better = |x, y| if is_least { b.min(x, y) } else { b.max(x, y) };
        let ratios = from.iter().enumerate().map(ratio);
        ratios.reduce(better).unwrap_or_else(|| b.scalar(Element::F64, 1.0))
    });
    let target = |(to, from): (&Size<'c>, &Size<'c>)| {
        let length = Number::Scaled(scale.clone(), 0, *from);
        (*to, Number::Element(scale.clone(), 0), length)
    };
    Ok(pairs().map(target).collect())
}
