//! Attention whose keys and values serve groups of queries, with a cache: `GroupQueryAttention` of `com.microsoft`.
//!
//! Each batch has its own number of positions before the first query: the number of its keys less the queries. The first
//! prompt, which has as many queries as keys, begins at position 0.

use super::Row;
use super::attention::{Offset, Settings, default_scale, padded};
use super::heads::{Heads, Order};
use super::rotary::Rotation;
use crate::compute::accumulator;
use crate::element::Element;
use crate::error::Refusal;
use crate::node::Node;
use crate::scalar::Compare;
use crate::size::Size;
use crate::tensor::Tensor;

pub const OPS: &[Row] = &[("GroupQueryAttention", group_query_attention)];

/// The attributes of other forms: their names, and the numbers that mean none.
const OTHERS: &[(&str, i64)] =
    &[("qk_output", 0), ("sliding_window_cache", 0), ("smooth_softmax", 0)];

/// The queries, keys and values: three inputs, or the parts of one.
fn projections<'c>(
    node: &Node<'_, 'c>,
    heads: i64,
    groups: i64,
) -> Result<[Heads<'c>; 3], Refusal> {
    let query = node.input(0)?;
    node.check_element(query, "floats", Element::is_float)?;
    let parts = match (node.optional(1), node.optional(2)) {
        (Some(key), Some(value)) => [query.clone(), key.clone(), value.clone()],
        (None, None) => {
            let (rank, count) = (query.rank(), heads + 2 * groups);
            let whole = query.sizes().last().and_then(|size| size.known());
            let Some(width) = whole.filter(|it| rank == 3 && it % count == 0).map(|it| it / count)
            else {
                return Err(Refusal::new(format!(
                    "has queries, keys and values in one input of rank {rank}, expected rank 3 with {count} heads"
                )));
            };
            let part = |start: i64, count: i64| {
                node.slice_axis(query, 2, Size::Known(start * width), Size::Known(count * width))
            };
            [part(0, heads), part(heads, groups), part(heads + groups, groups)]
        }
        _ => return Err(Refusal::new("has keys or values only, expected both or neither")),
    };
    let [query, key, value] = &parts;
    Ok([
        node.split_heads(query, heads)?,
        node.split_heads(key, groups)?,
        node.split_heads(value, groups)?,
    ])
}

/// The number of positions of each batch before its first query, of sizes Bx1x1x1.
fn past_positions<'c>(
    node: &Node<'_, 'c>,
    batch: Size<'c>,
    queries: Size<'c>,
    total: &Tensor<'c>,
) -> Result<Tensor<'c>, Refusal> {
    let lengths = node.input(5)?;
    let is_integer = |it: Element| matches!(it, Element::I32 | Element::I64);
    node.check_element(lengths, "int32 as lengths", is_integer)?;
    node.check_element(total, "int32 as a length", is_integer)?;
    let one = Size::Known(1);
    let lengths = node.reshape(lengths, &[lengths.size(0), one, one, one])?;
    let sizes = [batch, one, one, one];
    node.check_broadcast(&lengths, &sizes)?;
    Ok(node.map_to(&sizes, &[&lengths, total], Element::I64, |b, v| {
        let [last, total] = [v[0], v[1]].map(|it| b.cast(it, Element::I64));
        let queries = b.cast(b.size_scalar(queries), Element::I64);
        let before = b.sub(b.add(last, b.like(last, 1.0)), queries);
        let is_first = b.compare(Compare::Equal, total, queries);
        b.select(is_first, b.like(last, 0.0), before)
    }))
}

/// The keys or values of all positions: the new ones are behind those of before, or in the places of a longer buffer.
fn present<'c>(
    node: &Node<'_, 'c>,
    past: Option<&Tensor<'c>>,
    new: &Heads<'c>,
    before: &Tensor<'c>,
    total: &Tensor<'c>,
) -> Result<Heads<'c>, Refusal> {
    let new = new.heads_first(node);
    let (none, queries) = (Size::Known(0), new.size(2));
    let element = new.element();
    if let Some(past) = past {
        let fits = |i: usize| {
            let (past, new) = (past.size(i).known(), new.size(i).known());
            past.is_none() || new.is_none() || past == new
        };
        if past.rank() != 4 || past.element() != element || ![0, 1, 3].into_iter().all(fits) {
            return Err(Refusal::new("has past keys or values of other sizes than the new ones"));
        }
    }
    let length = past.map_or(none, |past| past.size(2));
    let count = match total.elements().as_deref() {
        Some([total]) if *total == queries && length == none => queries,
        Some([total]) => node.size_max(length, *total),
        // The total is data: there is no longer buffer.
        _ => node.size_add(length, queries),
    };
    if count == queries && length == none {
        return Ok(Heads::new(new, Order::HeadsFirst));
    }
    let sizes = [new.size(0), new.size(1), count, new.size(3)];
    let result = node.generate(&sizes, element, |b, v| {
        let zero = b.index_scalar(0);
        let start = b.cast(b.extract(before, &[v[0], zero, zero, zero]), Element::Index);
        let place = b.sub(v[2], start);
        let within = |index, size| {
            let last = b.sub(b.size_scalar(size), b.index_scalar(1));
            b.max(b.min(index, last), zero)
        };
        let new_value = b.extract(&new, &[v[0], v[1], within(place, queries), v[3]]);
        let is_new = b.and(
            b.compare(Compare::GreaterOrEqual, place, zero),
            b.compare(Compare::Less, place, b.size_scalar(queries)),
        );
        let old = match past.filter(|_| length != none) {
            Some(past) => {
                let old = b.extract(past, &[v[0], v[1], within(v[2], length), v[3]]);
                let is_old = b.compare(Compare::Less, v[2], b.size_scalar(length));
                b.select(is_old, old, b.scalar(element, 0.0))
            }
            None => b.scalar(element, 0.0),
        };
        b.select(is_new, new_value, old)
    });
    Ok(Heads::new(result, Order::HeadsFirst))
}

/// Queries or keys with rotated positions.
fn rotated<'c>(
    node: &Node<'_, 'c>,
    heads: &Heads<'c>,
    before: &Tensor<'c>,
) -> Result<Heads<'c>, Refusal> {
    let caches = [node.input(7)?, node.input(8)?];
    let positions = match node.optional(9) {
        Some(given) => given.clone(),
        None => node.generate(&[heads.batch(), heads.positions()], Element::I64, |b, v| {
            let zero = b.index_scalar(0);
            let start = b.extract(before, &[v[0], zero, zero, zero]);
            b.add(start, b.cast(v[1], Element::I64))
        }),
    };
    let width = caches[0].sizes().last().and_then(|size| size.known()).unwrap_or(0);
    let rotation = Rotation {
        width: width.saturating_mul(2),
        interleaved: node.int_or("rotary_interleaved", 0)?,
        scale: 1.0,
    };
    node.rotated(heads, caches, Some(&positions), &rotation)
}

/// The result, and the keys and values of all positions.
fn group_query_attention<'c>(node: &Node<'_, 'c>) -> Result<Vec<Tensor<'c>>, Refusal> {
    let positive = |name: &str| match node.int_or(name, 0)? {
        count @ 1..=0xffff => Ok(count),
        count => Err(node.refuse_attribute(name, &count.to_string(), "a positive number")),
    };
    let (heads, groups) = (positive("num_heads")?, positive("kv_num_heads")?);
    for (name, none) in OTHERS {
        let found = node.int_or(name, *none)?;
        if found != *none {
            return Err(node.refuse_attribute(name, &found.to_string(), &none.to_string()));
        }
    }
    // They do not count without a quantized cache, and without norms.
    node.int("kv_cache_bit_width")?;
    node.float("qk_norm_epsilon")?;
    for name in ["k_quant_type", "v_quant_type"] {
        let found = node.string_or(name, "NONE")?;
        if found != "NONE" {
            return Err(node.refuse_attribute(name, &found, "NONE: keys and values are floats"));
        }
    }
    if (11..16).any(|i| node.optional(i).is_some()) || node.has_output(3) {
        return Err(Refusal::new(
            "has sinks, scales, norms of queries and keys, or products as output, expected none of them",
        ));
    }
    let [mut q, mut k, v] = projections(node, heads, groups)?;
    let total = node.number(6)?;
    let before = past_positions(node, q.batch(), q.positions(), &total)?;
    if node.flag("do_rotary", false)? {
        (q, k) = (rotated(node, &q, &before)?, rotated(node, &k, &before)?);
    }
    let (past_key, past_value) = (node.optional(3), node.optional(4));
    if past_key.is_some() != past_value.is_some() {
        return Err(Refusal::new("has past keys or past values only, expected both"));
    }
    let key = present(node, past_key, &k, &before, &total)?;
    let value = present(node, past_value, &v, &before, &total)?;
    let window = match node.int_or("local_window_size", -1)? {
        -1 => None,
        found @ 1.. => Some(found - 1),
        found => {
            let expected = "-1 or a positive number";
            return Err(node.refuse_attribute("local_window_size", &found.to_string(), expected));
        }
    };
    let bias = node.optional(10).map(|bias| padded(node, bias, key.positions())).transpose()?;
    if !node.flag("causal", true)? {
        return Err(node.refuse_attribute("causal", "0", "1"));
    }
    let settings = Settings {
        scale: default_scale(node, q.width())?,
        softcap: node.float_or("softcap", 0.0)?,
        left: window,
        right: Some(0),
        offset: Offset::Each(before.clone()),
        masks: bias.into_iter().collect(),
        lengths: None,
        precision: accumulator(q.tensor.element()),
        order: Order::PositionsFirst,
    };
    let stages = node.attend(&q, &key, &value, &settings)?;
    Ok(vec![node.merged(&stages.result)?, key.tensor, value.tensor])
}
