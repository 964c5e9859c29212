//! Attention of the domain `com.microsoft`.

use super::Row;
use super::attention::{Offset, Settings, Stages, default_scale};
use super::heads::{Heads, Order};
use crate::compute::accumulator;
use crate::element::Element;
use crate::error::Refusal;
use crate::layout::Slice;
use crate::node::Node;
use crate::scalar::{Compare, Scalar};
use crate::size::Size;
use crate::tensor::Tensor;

type Outputs<'c> = Result<Vec<Tensor<'c>>, Refusal>;

pub const OPS: &[Row] = &[("Attention", attention), ("MultiHeadAttention", multi_head_attention)];

/// The default of `mask_filter_value`, which is added to the scores of keys that are not used.
const FILTER: f64 = -10000.0;

/// A mask of integers as numbers that are added to the scores: of rank 1 the numbers of keys, or their ends and then their
/// starts; of rank 2 or 3 a positive number for each key that is used.
fn mask<'c>(
    node: &Node<'_, 'c>,
    given: &Tensor<'c>,
    [batch, keys]: [Size<'c>; 2],
    filter: f64,
) -> Result<Tensor<'c>, Refusal> {
    if !matches!(given.element(), Element::I32 | Element::I64) {
        return Err(Refusal::new(format!(
            "has a mask of {}, expected int32",
            given.element().word()
        )));
    }
    let one = Size::Known(1);
    let by_keys = |sizes: &[Size<'c>]| {
        let given = node.reshape(given, sizes)?;
        node.map(&[&given], Element::F32, |b, v| {
            let is_used = b.compare(Compare::Greater, v[0], b.like(v[0], 0.0));
            b.select(is_used, b.scalar(Element::F32, 0.0), b.scalar(Element::F32, filter))
        })
    };
    match given.sizes() {
        [count] => {
            let has_starts = match (count.known(), batch.known()) {
                (Some(count), Some(batch)) if count == batch => false,
                (Some(count), Some(batch)) if batch.checked_mul(2) == Some(count) => true,
                (None, None) if *count == batch => false,
                _ => {
                    return Err(Refusal::new(
                        "has a list as mask, expected the numbers of keys of all batches, or their ends and starts",
                    ));
                }
            };
            Ok(node.generate(&[batch, one, one, keys], Element::F32, |b, v| {
                let key = v[3];
                let read = |at: Scalar<'c>| b.cast(b.extract(given, &[at]), Element::Index);
                let mut is_used = b.compare(Compare::Less, key, read(v[0]));
                if has_starts {
                    let batch = b.size_scalar(batch);
                    let start = read(b.add(v[0], batch));
                    is_used = b.and(is_used, b.compare(Compare::GreaterOrEqual, key, start));
                }
                b.select(is_used, b.scalar(Element::F32, 0.0), b.scalar(Element::F32, filter))
            }))
        }
        [batch, keys] => by_keys(&[*batch, one, one, *keys]),
        [batch, queries, keys] => by_keys(&[*batch, one, *queries, *keys]),
        other => Err(Refusal::new(format!("has a mask of rank {}, expected 1 to 3", other.len()))),
    }
}

/// Attention with a mask, a bias of the scores, and a number of keys before the first query.
fn attend<'c>(
    node: &Node<'_, 'c>,
    [q, k, v]: [&Heads<'c>; 3],
    [given, bias]: [Option<&Tensor<'c>>; 2],
    past: Size<'c>,
) -> Result<Stages<'c>, Refusal> {
    let filter = node.float_or("mask_filter_value", FILTER)?;
    let mut masks = vec![];
    if let Some(given) = given {
        masks.push(mask(node, given, [q.batch(), k.positions()], filter)?);
    }
    if let Some(found) = bias.filter(|bias| !bias.element().is_float()) {
        return Err(Refusal::new(format!(
            "has a bias of the scores of {}, expected floats",
            found.element().word()
        )));
    }
    masks.extend(bias.cloned());
    let is_causal = node.flag("unidirectional", false)?;
    node.attend(
        q,
        k,
        v,
        &Settings {
            scale: default_scale(node, q.width())?,
            softcap: 0.0,
            left: None,
            right: is_causal.then_some(0),
            offset: Offset::Same(past),
            masks,
            lengths: None,
            precision: accumulator(q.tensor.element()),
            order: Order::PositionsFirst,
        },
    )
}

/// The number of heads.
fn head_count(node: &Node<'_, '_>) -> Result<i64, Refusal> {
    match node.int_or("num_heads", 0)? {
        count @ 1.. => Ok(count),
        count => Err(node.refuse_attribute("num_heads", &count.to_string(), "a positive number")),
    }
}

/// Attention of an input that is multiplied with the weights of queries, keys and values: the result, and the keys and
/// values.
fn attention<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let (x, weights) = (node.input(0)?, node.input(1)?);
    let (element, heads) = (x.element(), head_count(node)?);
    if x.rank() != 3 || weights.rank() != 2 || !element.is_float() {
        return Err(Refusal::new(format!(
            "has an operand of {} of rank {} and weights of rank {}, expected floats of rank 3 and 2",
            element.word(),
            x.rank(),
            weights.rank()
        )));
    }
    if node.flag("do_rotary", false)? || node.flag("past_present_share_buffer", false)? {
        return Err(Refusal::new("has do_rotary or past_present_share_buffer, expected neither"));
    }
    // It is of rotations only.
    node.int("rotary_embedding_dim")?;
    let Size::Known(all) = weights.size(1) else {
        return Err(Refusal::new("has weights of sizes that are not known"));
    };
    let parts = match node.ints("qkv_hidden_sizes")?.filter(|sizes| !sizes.is_empty()) {
        Some(parts) => parts,
        None => vec![all / 3; 3],
    };
    let sum = parts.iter().try_fold(0i64, |sum, part| sum.checked_add(*part));
    if parts.len() != 3 || parts.iter().any(|part| *part < 1) || sum != Some(all) {
        return Err(Refusal::new(format!(
            "has weights of {all} columns for queries, keys and values of {parts:?}"
        )));
    }
    let wide = accumulator(element);
    let product = node.matmul(x, weights, wide)?;
    let mut operands = vec![&product];
    if let Some(bias) = node.optional(2) {
        node.check_broadcast(bias, product.sizes())?;
        operands.push(bias);
    }
    let product = node.map_to(product.sizes(), &operands, element, |b, v| {
        let sum = v.get(1).map_or(v[0], |bias| b.add(v[0], b.cast(*bias, wide)));
        b.cast(sum, element)
    });
    let part = |start: i64, size: i64| {
        let columns = node.slice_axis(&product, 2, Size::Known(start), Size::Known(size));
        node.split_heads(&columns, heads)
    };
    let q = part(0, parts[0])?;
    let mut k = part(parts[0], parts[1])?;
    let mut v = part(parts[0] + parts[1], parts[2])?;
    let mut past = Size::Known(0);
    if let Some(given) = node.optional(4) {
        if given.rank() != 5 || given.size(0) != Size::Known(2) {
            return Err(Refusal::new(
                "has past keys and values that are not two tensors of rank 4",
            ));
        }
        let half =
            |i: i64| node.squeeze(&node.slice_axis(given, 0, Size::Known(i), Size::Known(1)), &[0]);
        past = given.size(3);
        (k, v) = (node.extended(&half(0)?, &k)?, node.extended(&half(1)?, &v)?);
    }
    let masks = [node.optional(3), node.optional(5)];
    let stages = attend(node, [&q, &k, &v], masks, past)?;
    let mut outputs = vec![node.merged(&stages.result)?];
    if node.has_output(1) {
        if k.width() != v.width() {
            return Err(Refusal::new("joins keys and values of different sizes"));
        }
        let parts = [k.heads_first(node), v.heads_first(node)];
        let parts = [node.unsqueeze(&parts[0], &[0])?, node.unsqueeze(&parts[1], &[0])?];
        outputs.push(node.concat(&parts, 0));
    }
    Ok(outputs)
}

/// Queries, keys or values of rank 3, or of rank 4 with the heads first, plus their part of the bias.
fn projected<'c>(
    node: &Node<'_, 'c>,
    x: &Tensor<'c>,
    heads: i64,
    start: Size<'c>,
) -> Result<Heads<'c>, Refusal> {
    let (Some(bias), 3) = (node.optional(3), x.rank()) else {
        return match x.rank() {
            4 => Ok(Heads::new(x.clone(), Order::HeadsFirst)),
            _ => node.split_heads(x, heads),
        };
    };
    if bias.rank() != 1 {
        return Err(Refusal::new(format!("has a bias of rank {}, expected 1", bias.rank())));
    }
    let end = node.size_add(start, x.size(2));
    if let (Some(end), Some(size)) = (end.known(), bias.size(0).known())
        && end > size
    {
        return Err(Refusal::new(format!(
            "has a bias of {size} elements, expected at least {end}"
        )));
    }
    let bias = node.slice_axis(bias, 0, start, x.size(2));
    let element = x.element();
    let sum = node.map(&[x, &bias], element, |b, v| b.add(v[0], b.cast(v[1], element)))?;
    node.split_heads(&sum, heads)
}

/// One of the `count` tensors that dimension 3 of a tensor of rank 5 has.
fn packed<'c>(
    node: &Node<'_, 'c>,
    x: &Tensor<'c>,
    i: i64,
    count: i64,
) -> Result<Tensor<'c>, Refusal> {
    if x.rank() != 5 || x.size(3) != Size::Known(count) {
        return Err(Refusal::new(format!(
            "has packed inputs of rank {}, expected rank 5 with {count} tensors in dimension 3",
            x.rank()
        )));
    }
    let slice = |(axis, size): (usize, &Size<'c>)| match axis {
        3 => Slice { start: Size::Known(i), size: Size::Known(1), step: 1 },
        _ => Slice { start: Size::Known(0), size: *size, step: 1 },
    };
    let slices: Vec<_> = x.sizes().iter().enumerate().map(slice).collect();
    let heads = node.squeeze(&node.slice(x, &slices), &[3])?;
    node.merged(&heads)
}

/// The result, and the keys and values.
fn multi_head_attention<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let (query, heads) = (node.input(0)?, head_count(node)?);
    if !query.element().is_float() {
        return Err(Refusal::new(format!(
            "has an operand of {}, expected floats",
            query.element().word()
        )));
    }
    if node.optional(8).is_some() || node.optional(9).is_some() {
        return Err(Refusal::new(
            "has a shared buffer or an indirection of the cache, expected none",
        ));
    }
    let (query, key, value) = match (node.optional(1), node.optional(2)) {
        (Some(key), Some(value)) => (query.clone(), key.clone(), value.clone()),
        (Some(key), None) => (query.clone(), packed(node, key, 0, 2)?, packed(node, key, 1, 2)?),
        _ => (packed(node, query, 0, 3)?, packed(node, query, 1, 3)?, packed(node, query, 2, 3)?),
    };
    let hidden = |x: &Tensor<'c>| match x.sizes() {
        &[_, heads, _, width] => node.size_mul(heads, width),
        sizes => sizes.last().copied().unwrap_or(Size::Known(0)),
    };
    let keys = hidden(&query);
    let values = node.size_add(keys, hidden(&key));
    let q = projected(node, &query, heads, Size::Known(0))?;
    let mut k = projected(node, &key, heads, keys)?;
    let mut v = projected(node, &value, heads, values)?;
    let mut past = Size::Known(0);
    match (node.optional(6), node.optional(7)) {
        (Some(key), Some(value)) => {
            (k, v) = (node.extended(key, &k)?, node.extended(value, &v)?);
            past = key.size(2);
        }
        (None, None) => {}
        _ => return Err(Refusal::new("has past keys or past values only, expected both")),
    }
    let stages = attend(node, [&q, &k, &v], [node.optional(4), node.optional(5)], past)?;
    Ok(vec![node.merged(&stages.result)?, k.heads_first(node), v.heads_first(node)])
}
