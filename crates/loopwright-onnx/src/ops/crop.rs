//! Crops and pads to given sizes.

use super::Row;
use crate::builder::Builder;
use crate::element::Element;
use crate::error::Refusal;
use crate::node::Node;
use crate::scalar::Compare;
use crate::size::Size;
use crate::tensor::Tensor;

pub const OPS: &[Row] = &[("CenterCropPad", center_crop_pad)];

/// Cuts off elements at both ends of an axis, or adds zeros: half of them, rounded to the floor, at the lower end.
fn center_crop_pad<'c>(node: &Node<'_, 'c>) -> Result<Vec<Tensor<'c>>, Refusal> {
    let (x, shape) = (node.input(0)?, node.input(1)?);
    let rank = x.rank();
    let axes = node.ints("axes")?.unwrap_or_else(|| (0..rank as i64).collect());
    let axes: Result<Vec<_>, _> = axes.iter().map(|axis| node.axis_of(*axis, rank)).collect();
    let axes = axes?;
    let mut sizes = x.sizes().to_vec();
    match shape.elements() {
        Some(shape) if shape.len() == axes.len() => {
            axes.iter().zip(shape).for_each(|(axis, size)| sizes[*axis] = size);
        }
        Some(shape) => {
            return Err(Refusal::new(format!("has {} sizes for {} axes", shape.len(), axes.len())));
        }
        None => {
            let stated = node.sizes_from_model("a shape")?;
            if stated.len() != rank {
                return Err(Refusal::new(format!(
                    "has an output of rank {} by the model, expected {rank}",
                    stated.len()
                )));
            }
            axes.iter().for_each(|axis| sizes[*axis] = stated[*axis]);
        }
    }
    if sizes.iter().any(|size| size.known().is_some_and(|size| size < 0)) {
        return Err(Refusal::new("has a negative size in its shape"));
    }
    let half = |b: &Builder<'c>, size| b.size_max(b.size_div(size, Size::Known(2)), Size::Known(0));
    Ok(vec![node.generate(&sizes, x.element(), |b, loops| {
        let (zero, one) = (b.index_scalar(0), b.index_scalar(1));
        let mut is_inside = b.scalar(Element::Bool, 1.0);
        let mut source = loops.to_vec();
        for (i, (from, to)) in
            x.sizes().iter().zip(&sizes).enumerate().filter(|(_, it)| it.0 != it.1)
        {
            let cut = b.size_scalar(half(b, b.size_sub(*from, *to)));
            let added = b.size_scalar(half(b, b.size_sub(*to, *from)));
            let at = b.add(loops[i], b.sub(cut, added));
            source[i] = b.max(b.min(at, b.sub(b.size_scalar(*from), one)), zero);
            is_inside = b.and(is_inside, b.compare(Compare::Equal, at, source[i]));
        }
        let value = b.extract(x, &source);
        b.select(is_inside, value, b.like(value, 0.0))
    })])
}
