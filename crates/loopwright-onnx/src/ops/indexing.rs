//! Ops that choose elements by position: gathers, scatters, masks, ranges.

use super::Row;
use crate::builder::Builder;
use crate::element::Element;
use crate::error::Refusal;
use crate::node::Node;
use crate::scalar::{Compare, Scalar};
use crate::size::Size;
use crate::tensor::{MOST_SIZES, Tensor};

type Outputs<'c> = Result<Vec<Tensor<'c>>, Refusal>;

pub const OPS: &[Row] = &[
    ("EyeLike", eye_like),
    ("Gather", gather),
    ("GatherElements", gather_elements),
    ("GatherND", gather_nd),
    ("OneHot", one_hot),
    ("Range", range),
    ("ReverseSequence", reverse_sequence),
    ("Trilu", trilu),
];

/// An index that was read from a tensor; a negative one counts from the end.
pub fn position<'c>(b: &Builder<'c>, read: Scalar<'c>, size: Size<'c>) -> Scalar<'c> {
    let index = b.cast(read, Element::Index);
    let size = b.size_scalar(size);
    let is_negative = b.compare(Compare::Less, index, b.index_scalar(0));
    b.select(is_negative, b.add(index, size), index)
}

fn gather<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let (x, indices) = (node.input(0)?, node.input(1)?);
    let axis = node.axis(0, x.rank())?;
    // Of known elements: those of a shape.
    if let (Some(elements), Some(at), 1, 0 | 1) =
        (x.elements(), indices.integers(), x.rank(), indices.rank())
    {
        let pick =
            |at: i64| {
                let i = if at < 0 { at + elements.len() as i64 } else { at };
                usize::try_from(i).ok().and_then(|i| elements.get(i)).copied().ok_or_else(|| {
                    Refusal::new(format!("reads element {at} of {}", elements.len()))
                })
            };
        let picked: Result<Vec<_>, _> = at.iter().map(|at| pick(*at)).collect();
        return Ok(vec![match indices.rank() {
            0 => Tensor::integer(picked?[0], x.element()),
            _ => Tensor::list(picked?, x.element()),
        }]);
    }
    check_known(indices, x, &[axis])?;
    // One known index is a slice.
    if let (Some([at]), Size::Known(size)) = (indices.integers().as_deref(), x.size(axis)) {
        let at = if *at < 0 { at + size } else { *at };
        let slice = node.slice_axis(x, axis, Size::Known(at), Size::Known(1));
        if indices.rank() == 0 {
            return Ok(vec![node.squeeze(&slice, &[axis])?]);
        }
    }
    let mut sizes = x.sizes()[..axis].to_vec();
    sizes.extend(indices.sizes());
    sizes.extend(&x.sizes()[axis + 1..]);
    let rank = indices.rank();
    Ok(vec![node.generate(&sizes, x.element(), |b, loops| {
        let at = b.extract(indices, &loops[axis..axis + rank]);
        let at = position(b, at, x.size(axis));
        let mut source = loops[..axis].to_vec();
        source.push(at);
        source.extend(&loops[axis + rank..]);
        b.extract(x, &source)
    })])
}

/// Checks that known indices are within the axes that they are for, in turn. A negative index counts from the end.
fn check_known(indices: &Tensor, x: &Tensor, axes: &[usize]) -> Result<(), Refusal> {
    let known = match indices.data() {
        Some(data) => data.i64s(),
        None => indices.integers(),
    };
    for (at, axis) in known.into_iter().flatten().zip(axes.iter().cycle()) {
        if let Size::Known(size) = x.size(*axis)
            && !(-size..size).contains(&at)
        {
            return Err(Refusal::new(format!("reads element {at} of {size} along axis {axis}")));
        }
    }
    Ok(())
}

fn gather_elements<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let (x, indices) = (node.input(0)?, node.input(1)?);
    let axis = node.axis(0, x.rank())?;
    if indices.rank() != x.rank() {
        return Err(Refusal::new("has indices of another rank than the operand"));
    }
    check_known(indices, x, &[axis])?;
    Ok(vec![node.generate(indices.sizes(), x.element(), |b, loops| {
        let mut source = loops.to_vec();
        source[axis] = position(b, b.extract(indices, loops), x.size(axis));
        b.extract(x, &source)
    })])
}

pub fn gather_nd<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let (x, indices) = (node.input(0)?, node.input(1)?);
    let batch = usize::try_from(node.int_or("batch_dims", 0)?).unwrap_or(usize::MAX);
    let q = indices.rank();
    let depth = q.checked_sub(1).and_then(|last| indices.size(last).known());
    let depth =
        depth.filter(|depth| batch < q && batch.saturating_add(*depth as usize) <= x.rank());
    let depth = depth.ok_or_else(|| {
        Refusal::new(
            "has indices whose last dimension is not known or longer than the operand's rank",
        )
    })? as usize;
    check_known(indices, x, &(batch..batch + depth).collect::<Vec<_>>())?;
    let mut sizes = indices.sizes()[..q - 1].to_vec();
    sizes.extend(&x.sizes()[batch + depth..]);
    Ok(vec![node.generate(&sizes, x.element(), |b, loops| {
        let (outer, inner) = loops.split_at(q - 1);
        let mut source = outer[..batch].to_vec();
        for i in 0..depth {
            let mut at = outer.to_vec();
            at.push(b.index_scalar(i as i64));
            source.push(position(b, b.extract(indices, &at), x.size(batch + i)));
        }
        source.extend(inner);
        b.extract(x, &source)
    })])
}

fn one_hot<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let (indices, values) = (node.input(0)?, node.list(2)?);
    let depth = node.number(1)?;
    let axis = node.axis_of(node.int_or("axis", -1)?, indices.rank() + 1)?;
    let size = match (depth.elements(), depth.floats()) {
        (Some(elements), _) => elements[0],
        (None, Some(floats)) => Size::Known(floats[0] as i64),
        (None, None) => node.sizes_of_rank(indices.rank() + 1, "a depth")?[axis],
    };
    let mut sizes = indices.sizes().to_vec();
    sizes.insert(axis, size);
    Ok(vec![node.generate(&sizes, values.element(), |b, loops| {
        let mut at = loops.to_vec();
        let class = at.remove(axis);
        let found = b.cast(b.extract(indices, &at), Element::I64);
        let found = position(b, found, size);
        let is_class = b.compare(Compare::Equal, found, class);
        let value = |i: i64| b.extract(values, &[b.index_scalar(i)]);
        b.select(is_class, value(1), value(0))
    })])
}

fn range<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let (start, limit, delta) = (node.number(0)?, node.number(1)?, node.number(2)?);
    node.check_one_type(&start, &limit)?;
    node.check_one_type(&start, &delta)?;
    let element = start.element();
    if let (Some(start), Some(limit), Some([Size::Known(1)])) =
        (start.elements(), limit.elements(), delta.elements().as_deref())
    {
        let count = node.size_sub(limit[0], start[0]);
        if let (Size::Known(first), Size::Known(count)) = (start[0], count)
            && count <= MOST_SIZES as i64
        {
            let values = (0..count.max(0)).map(|i| Size::Known(first + i));
            return Ok(vec![Tensor::list(values.collect(), element)]);
        }
        return Ok(vec![node.generate(&[count], element, |b, loops| {
            let start = b.size_scalar(start[0]);
            b.cast(b.add(loops[0], start), element)
        })]);
    }
    let known = |tensor: &Tensor<'c>| tensor.floats().and_then(|it| it.first().copied());
    let size = match (known(&start), known(&limit), known(&delta)) {
        (Some(start), Some(limit), Some(delta)) => {
            Size::Known(((limit - start) / delta).ceil().max(0.0) as i64)
        }
        _ => node.sizes_of_rank(1, "a number of elements")?[0],
    };
    Ok(vec![node.generate(&[size], element, |b, loops| {
        let (start, delta) = (b.extract(&start, &[]), b.extract(&delta, &[]));
        b.add(start, b.mul(b.cast(loops[0], element), delta))
    })])
}

fn reverse_sequence<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let (x, lengths) = (node.input(0)?, node.list(1)?);
    let time = node.axis_of(node.int_or("time_axis", 0)?, x.rank())?;
    let batch = node.axis_of(node.int_or("batch_axis", 1)?, x.rank())?;
    Ok(vec![node.generate(x.sizes(), x.element(), |b, loops| {
        let length = b.cast(b.extract(lengths, &[loops[batch]]), Element::Index);
        let mirrored = b.sub(b.sub(length, b.index_scalar(1)), loops[time]);
        let is_inside = b.compare(Compare::Less, loops[time], length);
        let mut source = loops.to_vec();
        source[time] = b.select(is_inside, mirrored, loops[time]);
        b.extract(x, &source)
    })])
}

pub fn trilu<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let x = node.input(0)?;
    let rank = x.rank();
    if rank < 2 {
        return Err(Refusal::new("has an operand of a rank below 2, expected matrices"));
    }
    let upper = node.flag("upper", true)?;
    let k = node.optional(1).map(|k| node.reshape(k, &[])).transpose()?;
    Ok(vec![node.map_to(x.sizes(), &[x], x.element(), |b, v| {
        let index = |i| b.cast(b.loop_index(i), Element::I64);
        let distance = b.sub(index(rank - 1), index(rank - 2));
        let k = k.as_ref().map(|k| b.cast(b.extract(k, &[]), Element::I64));
        let k = k.unwrap_or_else(|| b.scalar(Element::I64, 0.0));
        let how = if upper { Compare::GreaterOrEqual } else { Compare::LessOrEqual };
        b.select(b.compare(how, distance, k), v[0], b.like(v[0], 0.0))
    })])
}

fn eye_like<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let x = node.input(0)?;
    if x.rank() != 2 {
        return Err(Refusal::new(format!(
            "has an operand of rank {}, expected a matrix",
            x.rank()
        )));
    }
    let element = match node.int("dtype")? {
        Some(number) => Element::of_number(number as i32)?,
        None => x.element(),
    };
    let k = node.int_or("k", 0)?;
    Ok(vec![node.generate(x.sizes(), element, |b, loops| {
        let shifted = b.add(loops[0], b.index_scalar(k));
        b.cast(b.compare(Compare::Equal, shifted, loops[1]), element)
    })])
}
