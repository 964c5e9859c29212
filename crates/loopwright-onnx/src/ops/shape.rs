//! Shapes, and ops that move elements.

use super::Row;
use crate::element::{Data, Element};
use crate::error::Refusal;
use crate::layout::Slice;
use crate::node::Node;
use crate::scalar::{Compare, Scalar};
use crate::size::Size;
use crate::tensor::{MOST_SIZES, Tensor};

type Outputs<'c> = Result<Vec<Tensor<'c>>, Refusal>;

pub const OPS: &[Row] = &[
    ("Concat", |node| {
        let tensors = node.all_inputs()?;
        let axis = node.axis(1, tensors[0].rank())?;
        if tensors.iter().any(|tensor| tensor.rank() != tensors[0].rank()) {
            return Err(Refusal::new("joins tensors of different ranks"));
        }
        Ok(vec![node.concat(&tensors, axis)])
    }),
    ("Constant", constant),
    ("ConstantOfShape", constant_of_shape),
    ("DepthToSpace", depth_to_space),
    ("Expand", expand),
    ("Flatten", |node| {
        let x = node.input(0)?;
        let axis = node.int_or("axis", 1)?;
        let axis = if axis < 0 { axis + x.rank() as i64 } else { axis };
        let axis = usize::try_from(axis).ok().filter(|axis| *axis <= x.rank());
        let axis =
            axis.ok_or_else(|| Refusal::new("has an axis that the operand does not have"))?;
        let (rows, columns) = x.sizes().split_at(axis);
        let sizes = [node.size_product(rows), node.size_product(columns)];
        Ok(vec![node.reshape(x, &sizes)?])
    }),
    ("Pad", pad),
    ("Reshape", reshape),
    ("Shape", |node| {
        let x = node.input(0)?;
        let rank = x.rank() as i64;
        let bound = |at: i64| (if at < 0 { at + rank } else { at }).clamp(0, rank) as usize;
        let (start, end) = (bound(node.int_or("start", 0)?), bound(node.int_or("end", rank)?));
        Ok(vec![Tensor::list(x.sizes()[start..end.max(start)].to_vec(), Element::I64)])
    }),
    ("Size", |node| {
        Ok(vec![Tensor::integer(node.size_product(node.input(0)?.sizes()), Element::I64)])
    }),
    ("Slice", slice),
    ("SpaceToDepth", space_to_depth),
    ("Split", split),
    ("Squeeze", squeeze),
    ("Tile", tile),
    ("Transpose", |node| {
        let x = node.input(0)?;
        let order = match node.ints("perm")? {
            Some(order) => order,
            None => (0..x.rank() as i64).rev().collect(),
        };
        let order: Result<Vec<_>, _> =
            order.iter().map(|axis| node.axis_of(*axis, x.rank())).collect();
        let order = order?;
        if order.len() != x.rank() || (0..x.rank()).any(|axis| !order.contains(&axis)) {
            return Err(Refusal::new("has an attribute perm that is no permutation of the axes"));
        }
        Ok(vec![node.transpose(x, &order)])
    }),
    ("Unsqueeze", |node| {
        let x = node.input(0)?;
        let axes = match (node.ints_of("axes", 1), node.declared_sizes(0)) {
            (Ok(axes), _) => axes.unwrap_or_default(),
            (Err(_), Some(sizes)) => return Ok(vec![node.reshape(x, &sizes)?]),
            (Err(refusal), None) => return Err(refusal),
        };
        let rank = x.rank() + axes.len();
        let axes = node.axes_of(&axes, rank)?;
        if x.rank() + axes.len() != rank {
            return Err(Refusal::new("inserts a dimension at an axis twice"));
        }
        Ok(vec![node.unsqueeze(x, &axes)?])
    }),
];

fn constant<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    if let Some(tensor) = node.tensor("value")? {
        return Ok(vec![tensor]);
    }
    let of_bytes = |element, dims: Vec<u64>, bytes: Vec<u8>| {
        Ok(vec![Tensor::constant(Data { element, dims, bytes: bytes.into() }, &node.name)])
    };
    if let Some(value) = node.int("value_int")? {
        return of_bytes(Element::I64, vec![], value.to_le_bytes().to_vec());
    }
    if let Some(values) = node.ints("value_ints")? {
        return Ok(vec![node.integer_list(&values)]);
    }
    if let Some(value) = node.float("value_float")? {
        return of_bytes(Element::F32, vec![], (value as f32).to_le_bytes().to_vec());
    }
    if let Some(values) = node.floats("value_floats")? {
        let bytes = values.iter().flat_map(|it| (*it as f32).to_le_bytes()).collect();
        return of_bytes(Element::F32, vec![values.len() as u64], bytes);
    }
    Err(Refusal::new("has no value that is a tensor of numbers"))
}

/// The elements of an input that are sizes, or the sizes of the output that the model states.
fn sizes_of_input<'c>(node: &Node<'_, 'c>, i: usize) -> Result<Vec<Size<'c>>, Refusal> {
    match node.input(i)?.elements() {
        Some(sizes) => Ok(sizes),
        None => node.sizes_from_model("a shape"),
    }
}

fn constant_of_shape<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let sizes = sizes_of_input(node, 0)?;
    let value = match node.tensor("value")? {
        Some(value) => value,
        None => node.number_tensor(Element::F32, 0.0),
    };
    let element = value.element();
    let value_is_integer = !element.is_float() && element != Element::Bool;
    if let (Some([value]), [Size::Known(count)]) = (value.elements().as_deref(), sizes.as_slice())
        && value_is_integer
        && *count <= MOST_SIZES as i64
    {
        return Ok(vec![Tensor::list(vec![*value; (*count).max(0) as usize], element)]);
    }
    let scalar = node.reshape(&value, &[])?;
    Ok(vec![node.broadcast(&scalar, &sizes)])
}

fn reshape<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let x = node.input(0)?;
    let shape = match node.ints("shape")? {
        Some(shape) => Some(shape.into_iter().map(Size::Known).collect()),
        None => node.input(1)?.elements(),
    };
    let copies_zeros = !node.flag("allowzero", false)?;
    let Some(mut sizes) = shape else {
        return Ok(vec![node.reshape(x, &node.sizes_from_model("a shape")?)?]);
    };
    if copies_zeros {
        for (i, size) in sizes.iter_mut().enumerate().filter(|(_, size)| **size == Size::Known(0)) {
            *size = *x.sizes().get(i).ok_or_else(|| {
                Refusal::new(format!("copies dimension {i}, which the operand does not have"))
            })?;
        }
    }
    if let Some(inferred) = sizes.iter().position(|size| *size == Size::Known(-1)) {
        sizes[inferred] = quotient(node, x.sizes(), &sizes, inferred)?;
    }
    Ok(vec![node.reshape(x, &sizes)?])
}

/// The size that is left for one dimension: the elements of `from` by those of the others.
fn quotient<'c>(
    node: &Node<'_, 'c>,
    from: &[Size<'c>],
    to: &[Size<'c>],
    inferred: usize,
) -> Result<Size<'c>, Refusal> {
    let mut left = from.to_vec();
    let mut divisors = vec![];
    for size in to.iter().enumerate().filter(|(i, _)| *i != inferred).map(|(_, size)| *size) {
        match left.iter().position(|it| *it == size) {
            Some(equal) => {
                left.swap_remove(equal);
            }
            None => divisors.push(size),
        }
    }
    let (product, divisor) = (node.size_product(&left), node.size_product(&divisors));
    if let (Size::Known(product), Size::Known(divisor)) = (product, divisor) {
        return match product.checked_rem(divisor) {
            Some(0) => Ok(Size::Known(product / divisor)),
            _ => Err(Refusal::new(format!("reshapes {product} elements to rows of {divisor}"))),
        };
    }
    Ok(node.size_div(product, divisor))
}

fn expand<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let x = node.input(0)?;
    let shape = sizes_of_input(node, 1)?;
    let sizes = crate::compute::broadcast_sizes(&[x.sizes(), &shape])?;
    Ok(vec![node.broadcast(x, &sizes)])
}

fn squeeze<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let x = node.input(0)?;
    let axes = match node.ints_of("axes", 1) {
        Ok(Some(axes)) => node.axes_of(&axes, x.rank())?,
        Ok(None) => (0..x.rank()).filter(|i| x.size(*i) == Size::Known(1)).collect(),
        Err(refusal) => match node.declared_sizes(0) {
            Some(sizes) => return Ok(vec![node.reshape(x, &sizes)?]),
            None => return Err(refusal),
        },
    };
    if let Some(axis) = axes.iter().find(|axis| x.size(**axis).known().is_some_and(|it| it != 1)) {
        return Err(Refusal::new(format!("removes dimension {axis}, whose size is not 1")));
    }
    Ok(vec![node.squeeze(x, &axes)?])
}

/// The first element and the size of a slice of an axis, as NumPy defines them for bounds beyond the axis.
fn bounds<'c>(
    node: &Node<'_, 'c>,
    size: Size<'c>,
    start: Size<'c>,
    end: Size<'c>,
    step: i64,
) -> Result<Slice<'c>, Refusal> {
    if step == 0 {
        return Err(Refusal::new("has a slice with the step 0"));
    }
    if let (Size::Known(size), Size::Known(start), Size::Known(end)) = (size, start, end) {
        let from_end = |at: i64| if at < 0 { at.saturating_add(size) } else { at };
        let (low, high) = if step > 0 { (0, size) } else { (-1, size - 1) };
        let start = from_end(start).clamp(low.max(0), high.max(0));
        let end = from_end(end).clamp(low, high);
        let start = if step < 0 { start.min(size - 1).max(0) } else { start };
        let span = if step > 0 { end - start } else { start - end };
        let count = if span > 0 { (span - 1) / step.abs() + 1 } else { 0 };
        return Ok(Slice { start: Size::Known(start), size: Size::Known(count), step });
    }
    if step < 0 {
        let whole = matches!((start, end), (Size::Known(-1), Size::Known(end)) if end <= i64::from(i32::MIN) + 1);
        if whole && step == -1 {
            let last = node.size_sub(size, Size::Known(1));
            return Ok(Slice { start: last, size, step });
        }
        return Err(Refusal::new("has a slice backwards whose size is not known"));
    }
    let bound = |at: Size<'c>| match at {
        Size::Known(0) => at,
        Size::Known(at) if at >= i64::from(i32::MAX) => size,
        Size::Known(at) if at < 0 => {
            node.size_max(node.size_add(size, Size::Known(at)), Size::Known(0))
        }
        at if at == size => size,
        at => node.size_min(at, size),
    };
    let (start, end) = (bound(start), bound(end));
    let span = node.size_sub(end, start);
    let span = match (start, end) {
        (Size::Known(0), _) => span,
        _ if end == size => span,
        _ => node.size_max(span, Size::Known(0)),
    };
    let count = match step {
        1 => span,
        _ => node.size_div(node.size_add(span, Size::Known(step - 1)), Size::Known(step)),
    };
    Ok(Slice { start, size: count, step })
}

fn slice<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let x = node.input(0)?;
    let list = |attribute: &str, i: usize| -> Result<Option<Vec<Size<'c>>>, Refusal> {
        Ok(match node.ints(attribute)? {
            Some(ints) => Some(ints.into_iter().map(Size::Known).collect()),
            None => node.optional(i).and_then(Tensor::elements),
        })
    };
    let (Some(starts), Some(ends)) = (list("starts", 1)?, list("ends", 2)?) else {
        return slice_at_data(node);
    };
    let rank = x.rank();
    let axes = match node.ints_of("axes", 3) {
        Ok(axes) => axes.unwrap_or_else(|| (0..starts.len() as i64).collect()),
        Err(_) => return slice_at_data(node),
    };
    let steps = match node.optional(4).map(|steps| steps.integers()) {
        Some(Some(steps)) => steps,
        Some(None) => return slice_at_data(node),
        None => vec![1; starts.len()],
    };
    if starts.len() != ends.len() || axes.len() != starts.len() || steps.len() != starts.len() {
        return Err(Refusal::new("has starts, ends, axes and steps of different lengths"));
    }
    let mut slices: Vec<_> = x
        .sizes()
        .iter()
        .map(|size| Slice { start: Size::Known(0), size: *size, step: 1 })
        .collect();
    for (i, axis) in axes.iter().enumerate() {
        let axis = node.axis_of(*axis, rank)?;
        slices[axis] = bounds(node, x.size(axis), starts[i], ends[i], steps[i])?;
    }
    Ok(vec![node.slice(x, &slices)])
}

/// A slice whose bounds depend on data; the model states the sizes of the output.
fn slice_at_data<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let x = node.input(0)?;
    let sizes = node.sizes_of_rank(x.rank(), "a slice")?;
    let starts = node.list(1)?;
    let steps = node.optional(4).map(|_| node.list(4)).transpose()?;
    let count =
        starts.known_len().ok_or_else(|| Refusal::new("has starts of an unknown number"))?;
    let axes = node.ints_of("axes", 3);
    let axes = match axes {
        Ok(axes) => axes.unwrap_or_else(|| (0..count).collect()),
        // The axes depend on data too: all of them, in order, if there are so many starts.
        Err(_) if count == x.rank() as i64 => (0..count).collect(),
        // Those whose sizes change.
        Err(_) => {
            let changed = (0..x.rank()).filter(|i| x.size(*i) != sizes[*i]);
            let changed: Vec<_> = changed.map(|i| i as i64).collect();
            if changed.len() as i64 != count {
                return Err(Refusal::new("has axes that depend on data, expected constants"));
            }
            changed
        }
    };
    let axes: Result<Vec<_>, _> = axes.iter().map(|axis| node.axis_of(*axis, x.rank())).collect();
    let axes = axes?;
    Ok(vec![node.generate(&sizes, x.element(), |b, indices| {
        let index = |(axis, index): (usize, &Scalar<'c>)| {
            let Some(i) = axes.iter().position(|it| *it == axis) else { return *index };
            let at = [b.index_scalar(i as i64)];
            let read = |tensor: &Tensor<'c>| b.cast(b.extract(tensor, &at), Element::Index);
            let size = b.size_scalar(x.size(axis));
            let (zero, one) = (b.index_scalar(0), b.index_scalar(1));
            let step = steps.map_or(one, read);
            let start = read(starts);
            let is_negative = b.compare(Compare::Less, start, zero);
            let start = b.select(is_negative, b.add(start, size), start);
            // A slice backwards begins at the last element, at most; one forwards ends before its size does.
            let start = b.max(b.min(start, b.sub(size, one)), zero);
            b.add(start, b.mul(*index, step))
        };
        let indices: Vec<_> = indices.iter().enumerate().map(index).collect();
        b.extract(x, &indices)
    })])
}

fn split<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let x = node.input(0)?;
    let axis = node.axis(0, x.rank())?;
    let count = node.outputs.len() as i64;
    if node.int("num_outputs")?.is_some_and(|it| it != count) {
        return Err(Refusal::new(format!("has {count} outputs, expected num_outputs")));
    }
    let size = x.size(axis);
    let parts = match node.ints("split")? {
        Some(parts) => Some(parts.into_iter().map(Size::Known).collect()),
        None => match node.optional(1) {
            Some(split) => {
                let stated = || {
                    (0..node.outputs.len())
                        .map(|i| node.declared_sizes(i)?.get(axis).copied())
                        .collect::<Option<Vec<_>>>()
                };
                Some(split.elements().or_else(stated).ok_or_else(|| {
                    Refusal::new("has parts whose sizes depend on data, expected constants")
                })?)
            }
            None => None,
        },
    };
    let parts: Vec<Size<'c>> = match parts {
        Some(parts) => parts,
        None => {
            let part = node.size_add(size, Size::Known(count - 1));
            let part = node.size_div(part, Size::Known(count));
            let rest = node.size_mul(part, Size::Known(count - 1));
            let mut parts = vec![part; count as usize - 1];
            parts.push(node.size_sub(size, rest));
            parts
        }
    };
    let mut start = Size::Known(0);
    let mut results = vec![];
    for part in parts {
        results.push(node.slice_axis(x, axis, start, part));
        start = node.size_add(start, part);
    }
    if let (Size::Known(end), Size::Known(size)) = (start, size)
        && end != size
    {
        return Err(Refusal::new(format!("splits {size} elements into parts of {end} elements")));
    }
    Ok(results)
}

fn tile<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let x = node.input(0)?;
    let sizes = match node.input(1)?.elements() {
        Some(repeats) if repeats.len() == x.rank() => {
            let pairs = x.sizes().iter().zip(&repeats);
            pairs.map(|(size, repeat)| node.size_mul(*size, *repeat)).collect()
        }
        Some(repeats) => {
            return Err(Refusal::new(format!(
                "has {} repeats of a tensor of rank {}",
                repeats.len(),
                x.rank()
            )));
        }
        None => node.sizes_of_rank(x.rank(), "a number of repeats")?,
    };
    Ok(vec![node.generate(&sizes, x.element(), |b, indices| {
        let index = |(i, index): (usize, &Scalar<'c>)| {
            let size = b.size_scalar(x.size(i));
            if x.size(i) == sizes[i] { *index } else { b.rem(*index, size) }
        };
        let indices: Vec<_> = indices.iter().enumerate().map(index).collect();
        b.extract(x, &indices)
    })])
}

/// Blocks of channels become blocks of pixels.
fn depth_to_space<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let (x, block) = blocks(node)?;
    let (n, c, h, w) = (x.size(0), x.size(1), x.size(2), x.size(3));
    let b = Size::Known(block);
    let channels = node.size_div(c, Size::Known(block * block));
    let (first, order): ([Size<'c>; 3], [usize; 6]) = match node.string_or("mode", "DCR")?.as_str()
    {
        "DCR" => ([b, b, channels], [0, 3, 4, 1, 5, 2]),
        "CRD" => ([channels, b, b], [0, 1, 4, 2, 5, 3]),
        found => return Err(node.refuse_attribute("mode", found, "DCR or CRD")),
    };
    let split = node.reshape(x, &[n, first[0], first[1], first[2], h, w])?;
    let moved = node.transpose(&split, &order);
    let sizes = [n, channels, node.size_mul(h, b), node.size_mul(w, b)];
    Ok(vec![node.reshape(&moved, &sizes)?])
}

/// Blocks of pixels become blocks of channels.
fn space_to_depth<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let (x, block) = blocks(node)?;
    let (n, c) = (x.size(0), x.size(1));
    let b = Size::Known(block);
    let (h, w) = (node.size_div(x.size(2), b), node.size_div(x.size(3), b));
    let order = match node.string_or("mode", "DCR")?.as_str() {
        "DCR" => [0, 3, 5, 1, 2, 4],
        "CRD" => [0, 1, 3, 5, 2, 4],
        found => return Err(node.refuse_attribute("mode", found, "DCR or CRD")),
    };
    let split = node.reshape(x, &[n, c, h, b, w, b])?;
    let moved = node.transpose(&split, &order);
    let channels = node.size_mul(c, Size::Known(block * block));
    Ok(vec![node.reshape(&moved, &[n, channels, h, w])?])
}

/// The operand, of rank 4, and the attribute `blocksize`.
fn blocks<'n, 'c>(node: &'n Node<'_, 'c>) -> Result<(&'n Tensor<'c>, i64), Refusal> {
    let x = node.input(0)?;
    let block = node.int_or("blocksize", 0)?;
    match x.rank() == 4 && block > 0 {
        true => Ok((x, block)),
        false => Err(Refusal::new("needs an operand of rank 4 and a positive blocksize")),
    }
}

pub fn pad<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let x = node.input(0)?;
    let rank = x.rank();
    let mode = node.string_or("mode", "constant")?;
    let axes = match node.ints_of("axes", 3) {
        Err(_) => return pad_axes_of_data(node, &mode),
        Ok(axes) => axes.map(|axes| axes.iter().map(|axis| node.axis_of(*axis, rank)).collect()),
    };
    let axes: Vec<usize> = axes.unwrap_or_else(|| Ok((0..rank).collect()))?;
    let given = match node.ints("pads")?.or(node.ints("paddings")?) {
        Some(ints) => Some(ints.into_iter().map(Size::Known).collect()),
        None => node.input(1)?.elements(),
    };
    let zeros = vec![Size::Known(0); rank];
    let (mut low, mut high) = (zeros.clone(), zeros);
    let mut sizes = x.sizes().to_vec();
    match &given {
        Some(pads) if pads.len() == 2 * axes.len() => {
            for (i, axis) in axes.iter().enumerate() {
                (low[*axis], high[*axis]) = (pads[i], pads[axes.len() + i]);
                let sum = node.size_add(sizes[*axis], low[*axis]);
                sizes[*axis] = node.size_add(sum, high[*axis]);
            }
        }
        Some(pads) => {
            return Err(Refusal::new(format!(
                "has {} pads, expected two for each of {} axes",
                pads.len(),
                axes.len()
            )));
        }
        None => {
            sizes = node.sizes_of_rank(rank, "a padding")?;
            let pads = node.list(1)?;
            for (i, axis) in axes.iter().enumerate() {
                let read = node.extract(pads, &[node.index_scalar(i as i64)]);
                low[*axis] = Size::Dynamic(node.cast(read, Element::Index).value);
            }
        }
    }
    let is_negative = |size: &Size| size.known().is_none_or(|it| it < 0);
    if mode == "constant" && !low.iter().chain(&high).any(is_negative) {
        let value = match node.optional(2) {
            Some(value) => node.extract(&node.reshape(value, &[])?, &[]),
            None => node.scalar(x.element(), node.float_or("value", 0.0)?),
        };
        return Ok(vec![node.pad(x, &low, &high, value)]);
    }
    padded(node, &mode, &sizes, &low)
}

/// A padding of axes that depend on data: the model states the sizes of the output.
fn pad_axes_of_data<'c>(node: &Node<'_, 'c>, mode: &str) -> Outputs<'c> {
    let (x, pads, axes) = (node.input(0)?, node.list(1)?, node.list(3)?);
    let sizes = node.sizes_of_rank(x.rank(), "a padding")?;
    let count = axes.known_len().ok_or_else(|| Refusal::new("has axes of an unknown number"))?;
    let rank = x.rank() as i64;
    let mut low = vec![];
    for axis in 0..rank {
        // The pad of the entry of `axes` that is this axis, or no pad.
        let mut pad = node.index_scalar(0);
        for i in 0..count {
            let read =
                |tensor| node.cast(node.extract(tensor, &[node.index_scalar(i)]), Element::Index);
            let found = read(axes);
            let is = |value| node.compare(Compare::Equal, found, node.index_scalar(value));
            pad = node.select(node.or(is(axis), is(axis - rank)), read(pads), pad);
        }
        low.push(Size::Dynamic(pad.value));
    }
    padded(node, mode, &sizes, &low)
}

/// A padding whose elements are computed from their positions.
fn padded<'c>(
    node: &Node<'_, 'c>,
    mode: &str,
    sizes: &[Size<'c>],
    low: &[Size<'c>],
) -> Outputs<'c> {
    let x = node.input(0)?;
    if !matches!(mode, "constant" | "edge" | "reflect" | "wrap") {
        return Err(node.refuse_attribute("mode", mode, "constant, edge, reflect or wrap"));
    }
    let value = node.optional(2).map(|value| node.reshape(value, &[])).transpose()?;
    let default = node.float_or("value", 0.0)?;
    Ok(vec![node.generate(sizes, x.element(), |b, indices| {
        let index = |size: Size<'c>| b.size_scalar(size);
        let (zero, one) = (b.index_scalar(0), b.index_scalar(1));
        let mut is_inside = b.scalar(Element::Bool, 1.0);
        let mut found = vec![];
        for (i, at) in indices.iter().enumerate() {
            let (size, at) = (index(x.size(i)), b.sub(*at, index(low[i])));
            let last = b.sub(size, one);
            let clamped = b.max(b.min(at, last), zero);
            found.push(match mode {
                "wrap" => b.floor_rem(at, size),
                "reflect" => {
                    // Positions repeat with twice the distance of the first and last element.
                    let period = b.max(b.mul(last, b.index_scalar(2)), one);
                    let at = b.floor_rem(at, period);
                    b.min(at, b.sub(period, at))
                }
                _ => clamped,
            });
            if mode == "constant" {
                let same = b.compare(Compare::Equal, at, clamped);
                is_inside = b.and(is_inside, same);
            }
        }
        let read = b.extract(x, &found);
        if mode != "constant" {
            return read;
        }
        let outside = match &value {
            Some(value) => b.extract(value, &[]),
            None => b.like(read, default),
        };
        b.select(is_inside, read, outside)
    })])
}
