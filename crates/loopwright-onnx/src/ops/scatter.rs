//! Updates of a tensor at positions that are data.

use super::Row;
use super::indexing::position;
use crate::builder::Builder;
use crate::element::Element;
use crate::error::Refusal;
use crate::node::Node;
use crate::scalar::{Compare, Scalar};
use crate::size::Size;
use crate::tensor::Tensor;
use crate::tm_tensor::Indices;

type Outputs<'c> = Result<Vec<Tensor<'c>>, Refusal>;

pub const OPS: &[Row] = &[
    ("Scatter", scatter_elements),
    ("ScatterElements", scatter_elements),
    ("ScatterND", scatter_nd),
    ("TensorScatter", tensor_scatter),
];

/// How an update and the element that it replaces are combined.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reduction {
    None,
    Add,
    Mul,
    Min,
    Max,
}

impl Reduction {
    fn of(node: &Node) -> Result<Reduction, Refusal> {
        Ok(match node.string_or("reduction", "none")?.as_str() {
            "none" => Reduction::None,
            "add" => Reduction::Add,
            "mul" => Reduction::Mul,
            "min" => Reduction::Min,
            "max" => Reduction::Max,
            found => {
                return Err(node.refuse_attribute(
                    "reduction",
                    found,
                    "none, add, mul, min or max",
                ));
            }
        })
    }

    fn combine<'c>(self, b: &Builder<'c>, update: Scalar<'c>, old: Scalar<'c>) -> Scalar<'c> {
        match self {
            Reduction::None => update,
            Reduction::Add if old.element == Element::Bool => b.or(old, update),
            Reduction::Add => b.add(old, update),
            Reduction::Mul => b.mul(old, update),
            Reduction::Min => b.min(old, update),
            Reduction::Max => b.max(old, update),
        }
    }

    /// Without a reduction ONNX forbids equal indices.
    fn indices(self) -> Indices {
        if self == Reduction::None { Indices::Unique } else { Indices::InOrder }
    }
}

/// An index that is written to. One beyond the dimension, which ONNX forbids, is moved into it.
fn target<'c>(b: &Builder<'c>, read: Scalar<'c>, size: Size<'c>) -> Scalar<'c> {
    let last = b.sub(b.size_scalar(size), b.index_scalar(1));
    let inside = b.max(b.min(position(b, read, size), last), b.index_scalar(0));
    b.cast(inside, Element::I64)
}

fn same_element(data: &Tensor, updates: &Tensor) -> Result<(), Refusal> {
    match data.element() == updates.element() {
        true => Ok(()),
        false => Err(Refusal::new(format!(
            "updates elements of type {} with those of type {}",
            data.element().word(),
            updates.element().word()
        ))),
    }
}

/// Replaces elements of a list that is known during the import, such as a shape.
fn scatter_known<'c>(
    mut list: Vec<Size<'c>>,
    at: &[i64],
    new: &[Size<'c>],
    element: Element,
) -> Outputs<'c> {
    let count = list.len() as i64;
    for (at, new) in at.iter().zip(new) {
        let place = if *at < 0 { at + count } else { *at };
        let place = usize::try_from(place).ok().and_then(|place| list.get_mut(place));
        *place.ok_or_else(|| Refusal::new(format!("writes element {at} of {count}")))? = *new;
    }
    Ok(vec![Tensor::list(list, element)])
}

/// Element `u` of the updates has the position `u`, but `indices[u]` along the axis.
fn scatter_elements<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let (data, indices, updates) = (node.input(0)?, node.input(1)?, node.input(2)?);
    let rank = data.rank();
    let axis = node.axis(0, rank)?;
    let reduction = Reduction::of(node)?;
    same_element(data, updates)?;
    if indices.rank() != rank || updates.rank() != rank {
        return Err(Refusal::new(format!(
            "has indices and updates of rank {} and {}, expected {rank}",
            indices.rank(),
            updates.rank()
        )));
    }
    for i in (0..rank).filter(|i| *i != axis) {
        if let (Size::Known(size), Size::Known(found)) = (data.size(i), indices.size(i))
            && found > size
        {
            return Err(Refusal::new(format!(
                "has {found} indices along axis {i}, which has {size} elements"
            )));
        }
    }
    if let (Some(list), Some(at), Some(new), 1, Reduction::None) =
        (data.elements(), indices.integers(), updates.elements(), rank, reduction)
        && at.len() == new.len()
    {
        return scatter_known(list, &at, &new, data.element());
    }
    let mut sizes = indices.sizes().to_vec();
    sizes.push(Size::Known(rank as i64));
    // The last loop goes over the dimensions of a position.
    let positions = node.generate(&sizes, Element::I64, |b, loops| {
        let Some((dimension, loops)) = loops.split_last() else {
            return b.scalar(Element::I64, 0.0);
        };
        let along = target(b, b.extract(indices, loops), data.size(axis));
        (0..rank).fold(along, |found, i| match i == axis {
            true => found,
            false => {
                let is_here = b.compare(Compare::Equal, *dimension, b.index_scalar(i as i64));
                b.select(is_here, target(b, loops[i], data.size(i)), found)
            }
        })
    });
    let count = node.size_product(indices.sizes());
    let positions = node.reshape(&positions, &[count, Size::Known(rank as i64)])?;
    let updates = node.reshape(updates, &[count])?;
    let combine = |b: &Builder<'c>, update, old| reduction.combine(b, update, old);
    Ok(vec![node.scatter(&updates, &positions, data, reduction.indices(), combine)])
}

/// The last dimension of the indices has the first part of the position of a slice.
fn scatter_nd<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let (data, indices, updates) = (node.input(0)?, node.input(1)?, node.input(2)?);
    let reduction = Reduction::of(node)?;
    same_element(data, updates)?;
    let outer = indices.rank().checked_sub(1);
    let depth = outer.and_then(|last| indices.size(last).known());
    let depth = depth.and_then(|depth| usize::try_from(depth).ok());
    let (Some(outer), Some(depth)) = (outer, depth.filter(|it| (1..=data.rank()).contains(it)))
    else {
        return Err(Refusal::new(format!(
            "has indices whose last dimension is not known, or not between 1 and {}",
            data.rank()
        )));
    };
    if updates.rank() != outer + data.rank() - depth {
        return Err(Refusal::new(format!(
            "has updates of rank {}, expected {}",
            updates.rank(),
            outer + data.rank() - depth
        )));
    }
    let positions = node.map_to(indices.sizes(), &[indices], Element::I64, |b, v| {
        let dimension = b.loop_index(outer);
        let size = (1..depth).fold(b.size_scalar(data.size(0)), |found, i| {
            let is_here = b.compare(Compare::Equal, dimension, b.index_scalar(i as i64));
            b.select(is_here, b.size_scalar(data.size(i)), found)
        });
        target(b, v[0], Size::Dynamic(size.value))
    });
    let count = node.size_product(&indices.sizes()[..outer]);
    let positions = node.reshape(&positions, &[count, Size::Known(depth as i64)])?;
    let mut sizes = vec![count];
    sizes.extend(&data.sizes()[depth..]);
    let updates = node.reshape(updates, &sizes)?;
    let combine = |b: &Builder<'c>, update, old| reduction.combine(b, update, old);
    Ok(vec![node.scatter(&updates, &positions, data, reduction.indices(), combine)])
}

/// `update` takes the place of the elements from `write_indices[batch]` on, along an axis.
fn tensor_scatter<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let (cache, update) = (node.input(0)?, node.input(1)?);
    let rank = cache.rank();
    let axis = node.axis(-2, rank)?;
    let is_circular = match node.string_or("mode", "linear")?.as_str() {
        "linear" => false,
        "circular" => true,
        found => return Err(node.refuse_attribute("mode", found, "linear or circular")),
    };
    same_element(cache, update)?;
    let differs = |x: Size<'c>, y: Size<'c>| x.known().zip(y.known()).is_some_and(|(x, y)| x != y);
    let misfits = |i: usize| i != axis && differs(cache.size(i), update.size(i));
    if axis == 0 || update.rank() != rank || (0..rank).any(misfits) {
        return Err(Refusal::new(format!(
            "updates axis {axis} of a tensor of rank {rank} with one of rank {}, expected the same sizes but along an axis above 0",
            update.rank()
        )));
    }
    if update.known_len() == Some(0) {
        return Ok(vec![cache.clone()]);
    }
    let starts = node.optional(2);
    if starts.is_some_and(|it| it.rank() != 1 || differs(it.size(0), cache.size(0))) {
        return Err(Refusal::new("has write_indices of other sizes, expected one for each batch"));
    }
    Ok(vec![node.map_to(cache.sizes(), &[cache], cache.element(), |b, v| {
        let mut source: Vec<_> = (0..rank).map(|i| b.loop_index(i)).collect();
        let zero = b.index_scalar(0);
        let start = starts.map(|it| b.cast(b.extract(it, &source[..1]), Element::Index));
        let distance = b.sub(source[axis], start.unwrap_or(zero));
        let distance = match is_circular {
            true => b.floor_rem(distance, b.size_scalar(cache.size(axis))),
            false => distance,
        };
        let last = b.sub(b.size_scalar(update.size(axis)), b.index_scalar(1));
        source[axis] = b.max(b.min(distance, last), zero);
        let is_new = b.compare(Compare::Equal, distance, source[axis]);
        b.select(is_new, b.extract(update, &source), v[0])
    })])
}
