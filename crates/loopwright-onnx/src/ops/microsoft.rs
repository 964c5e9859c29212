//! Ops of the domain `com.microsoft`, which ONNX Runtime's optimizers write: activations, normalizations, products, and ops
//! that the standard domain has, too.

use super::Row;
use super::heads::{Heads, Order};
use super::indexing::{gather_nd, trilu};
use super::normalization::{layer_normalization, rms_normalization};
use super::rotary::Rotation;
use super::shape::pad;
use crate::builder::Builder;
use crate::compute::accumulator;
use crate::element::Element;
use crate::error::Refusal;
use crate::node::Node;
use crate::scalar::{Compare, Scalar};
use crate::size::Size;
use crate::tensor::Tensor;

type Outputs<'c> = Result<Vec<Tensor<'c>>, Refusal>;

pub const OPS: &[Row] = &[
    ("BiasGelu", |node| with_bias(node, |b, x| b.gelu(x))),
    ("EmbedLayerNormalization", embed_layer_normalization),
    ("FastGelu", |node| with_bias(node, |b, x| b.gelu_by_tanh(x))),
    ("FusedMatMul", fused_matmul),
    ("GatherND", gather_nd),
    ("Gelu", |node| with_bias(node, |b, x| b.gelu(x))),
    ("LayerNormalization", layer_normalization),
    ("Pad", pad),
    ("QuickGelu", |node| {
        let alpha = node.float_or("alpha", 1.702)?;
        with_bias(node, |b, x| b.mul(x, b.sigmoid(b.mul(x, b.like(x, alpha)))))
    }),
    ("RotaryEmbedding", rotary_embedding),
    ("SimplifiedLayerNormalization", rms_normalization),
    ("SkipLayerNormalization", skip_layer_normalization),
    ("SkipSimplifiedLayerNormalization", skip_simplified_layer_normalization),
    ("Trilu", trilu),
];

/// The default of the attribute `epsilon`.
const EPSILON: f64 = 1e-12;

/// The default of the attribute `epsilon` of normalizations without a mean.
const RMS_EPSILON: f64 = 1e-5;

/// A function of a float plus a bias, if there is one. Shorter floats are computed in f32, and rounded once.
fn with_bias<'c>(
    node: &Node<'_, 'c>,
    body: impl FnOnce(&Builder<'c>, Scalar<'c>) -> Scalar<'c>,
) -> Outputs<'c> {
    let x = node.input(0)?;
    let (element, wide) = (x.element(), accumulator(x.element()));
    if !element.is_float() {
        return Err(Refusal::new(format!("has an operand of {}, expected floats", element.word())));
    }
    let mut operands = vec![x];
    operands.extend(node.optional(1));
    for operand in &operands[1..] {
        node.check_broadcast(operand, x.sizes())?;
    }
    Ok(vec![node.map_to(x.sizes(), &operands, element, |b, v| {
        let wide: Vec<_> = v.iter().map(|it| b.cast(*it, wide)).collect();
        let sum = wide[1..].iter().fold(wide[0], |sum, bias| b.add(sum, *bias));
        b.cast(body(b, sum), element)
    })])
}

/// The sum of the input, the skipped input and, if there is one, a bias: in the accumulator's type.
fn skip_sum<'c>(node: &Node<'_, 'c>, bias: usize) -> Result<Tensor<'c>, Refusal> {
    let (x, skip) = (node.input(0)?, node.input(1)?);
    let wide = accumulator(x.element());
    if !x.element().is_float() || x.rank() == 0 {
        return Err(Refusal::new(format!(
            "has an operand of {} of rank {}, expected floats of at least rank 1",
            x.element().word(),
            x.rank()
        )));
    }
    let mut operands = vec![x, skip];
    operands.extend(node.optional(bias));
    for operand in &operands[1..] {
        node.check_broadcast(operand, x.sizes())?;
    }
    Ok(node.map_to(x.sizes(), &operands, wide, |b, v| {
        let first = b.cast(v[0], wide);
        v[1..].iter().fold(first, |sum, it| b.add(sum, b.cast(*it, wide)))
    }))
}

/// The result, the mean, the inverse of the standard deviation, and the sum.
fn skip_layer_normalization<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let element = node.input(0)?.element();
    let sum = skip_sum(node, 4)?;
    let epsilon = node.float_or("epsilon", EPSILON)?;
    let statistics = node.statistics(&sum, &[sum.rank() - 1], epsilon, sum.element())?;
    let scale = Some(node.input(2)?);
    let result = node.standardized(&sum, &statistics, scale, node.optional(3), element)?;
    let sum = node.convert(&sum, element);
    Ok(vec![result, statistics.mean, statistics.inverse, sum])
}

/// The result, an output that is not used, the inverse of the root of the mean square, and the sum.
fn skip_simplified_layer_normalization<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let element = node.input(0)?.element();
    let sum = skip_sum(node, 3)?;
    if node.has_output(1) {
        return Err(Refusal::new("has a mean as output, which it does not compute"));
    }
    let epsilon = node.float_or("epsilon", RMS_EPSILON)?;
    let axes = [sum.rank() - 1];
    let (result, inverse) =
        node.rms_normalized(&sum, node.input(2)?, &axes, epsilon, sum.element())?;
    let result = node.convert(&result, element);
    Ok(vec![result.clone(), result, inverse, node.convert(&sum, element)])
}

/// A row of a table at an index of the tensor, which is taken within the table.
fn table_element<'c>(
    b: &Builder<'c>,
    table: &Tensor<'c>,
    row: Scalar<'c>,
    column: Scalar<'c>,
) -> Scalar<'c> {
    let rows = b.size_scalar(table.size(0));
    let last = b.sub(rows, b.index_scalar(1));
    let row = b.max(b.min(b.cast(row, Element::Index), last), b.index_scalar(0));
    b.extract(table, &[row, column])
}

/// The normalized sums of embeddings of words, positions and segments; the number of words that the mask uses; the sums.
fn embed_layer_normalization<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let ids = node.input(0)?;
    let (words, positions) = (node.input(2)?, node.input(3)?);
    let segments =
        node.optional(1).map(|ids| Ok::<_, Refusal>((ids, node.input(4)?))).transpose()?;
    let tables = [Some(words), Some(positions), segments.map(|(_, table)| table)];
    let lists = [Some(ids), segments.map(|(ids, _)| ids), node.optional(8), node.optional(7)];
    let is_integer = |it: &Tensor<'c>| matches!(it.element(), Element::I32 | Element::I64);
    if lists.iter().flatten().any(|it| it.rank() != 2 || !is_integer(it)) {
        return Err(Refusal::new("has ids, positions or a mask that are not integers of rank 2"));
    }
    let element = words.element();
    let bad = |it: &&Tensor<'c>| it.rank() != 2 || it.element() != element || !element.is_float();
    if tables.iter().flatten().any(bad) {
        return Err(Refusal::new("has embeddings that are not floats of one type, of rank 2"));
    }
    let (wide, width) = (accumulator(element), words.size(1));
    for table in tables.iter().flatten() {
        node.check_broadcast(table, &[table.size(0), width])?;
    }
    for list in lists.iter().flatten() {
        node.check_broadcast(list, ids.sizes())?;
    }
    let sizes = [ids.size(0), ids.size(1), width];
    let sum = node.generate(&sizes, wide, |b, v| {
        let read = |list: &Tensor<'c>| {
            let at = |i: usize| match list.size(i) {
                Size::Known(1) => b.index_scalar(0),
                _ => v[i],
            };
            b.extract(list, &[at(0), at(1)])
        };
        let word = b.cast(table_element(b, words, read(ids), v[2]), wide);
        let position = node.optional(8).map_or(v[1], read);
        let sum = b.add(word, b.cast(table_element(b, positions, position, v[2]), wide));
        match segments {
            Some((ids, table)) => {
                b.add(sum, b.cast(table_element(b, table, read(ids), v[2]), wide))
            }
            None => sum,
        }
    });
    let epsilon = node.float_or("epsilon", EPSILON)?;
    let statistics = node.statistics(&sum, &[2], epsilon, wide)?;
    let (scale, bias) = (Some(node.input(5)?), Some(node.input(6)?));
    let result = node.standardized(&sum, &statistics, scale, bias, element)?;
    if node.int_or("mask_index_type", 0)? != 0 {
        return Err(node.refuse_attribute("mask_index_type", "a type", "0"));
    }
    let used = match node.optional(7) {
        Some(mask) => {
            let zero = node.scalar(Element::I32, 0.0);
            let count = node.reduce(mask, &[1], zero, |b, count, mask| {
                let is_used = b.compare(Compare::Equal, mask, b.like(mask, 1.0));
                b.add(count, b.cast(is_used, Element::I32))
            })?;
            node.squeeze(&count, &[1])?
        }
        None => node.filled(&[ids.size(0)], node.scalar(Element::I32, 0.0)),
    };
    Ok(vec![result, used, node.convert(&sum, element)])
}

/// `alpha * A * B` of matrices, each transposed or not. With `transBatch` the rows of all batches are the first dimension.
fn fused_matmul<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let element = node.input(0)?.element();
    let operand = |i: usize, batches: &str, swaps: &str| {
        let x = node.input(i)?;
        let rank = x.rank();
        let mut order: Vec<_> = (0..rank).collect();
        if node.flag(batches, false)? && rank >= 3 {
            let first = order.remove(0);
            order.insert(rank - 2, first);
        }
        if node.flag(swaps, false)? && rank >= 2 {
            order.swap(rank - 2, rank - 1);
        }
        Ok::<_, Refusal>(node.transpose(x, &order))
    };
    let a = operand(0, "transBatchA", "transA")?;
    let b = operand(1, "transBatchB", "transB")?;
    let alpha = node.float_or("alpha", 1.0)?;
    let product = node.matmul(&a, &b, accumulator(element))?;
    Ok(vec![match alpha == 1.0 {
        true => node.convert(&product, element),
        false => node.map_to(product.sizes(), &[&product], element, |b, v| {
            b.cast(b.mul(v[0], b.like(v[0], alpha)), element)
        }),
    }])
}

/// Rotary positions, whose positions are an input before the caches.
fn rotary_embedding<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let (x, positions) = (node.input(0)?, node.input(1)?);
    let (cos, sin) = (node.input(2)?, node.input(3)?);
    if node.flag("is_packed_batching", false)? {
        return Err(node.refuse_attribute("is_packed_batching", "1", "0"));
    }
    let count = node.int_or("num_heads", 0)?;
    let heads = match x.rank() {
        4 => Heads::new(x.clone(), Order::HeadsFirst),
        _ => {
            let count = match (count, x.sizes().last(), cos.sizes().last()) {
                // The caches have a column for each pair of a head.
                (0, Some(Size::Known(all)), Some(Size::Known(half))) if *half > 0 => all / half / 2,
                (count, ..) => count,
            };
            node.split_heads(x, count)?
        }
    };
    let rotation = Rotation {
        width: node.int_or("rotary_embedding_dim", 0)?,
        interleaved: node.int_or("interleaved", 0)?,
        scale: node.float_or("scale", 1.0)?,
    };
    let result = node.rotated(&heads, [cos, sin], Some(positions), &rotation)?;
    Ok(vec![node.reshape(&result.tensor, x.sizes())?])
}
