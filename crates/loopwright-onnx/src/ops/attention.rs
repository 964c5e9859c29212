//! Attention: products of queries and keys, softmax, and sums of values.

use super::Row;
use super::heads::{Heads, Order, indices};
use crate::builder::Builder;
use crate::compute::{Loop, Operand, accumulator, d};
use crate::element::Element;
use crate::error::Refusal;
use crate::node::Node;
use crate::scalar::{Compare, Scalar};
use crate::size::Size;
use crate::tensor::Tensor;

type Outputs<'c> = Result<Vec<Tensor<'c>>, Refusal>;

pub const OPS: &[Row] = &[("Attention", attention), ("SwiGLU", swiglu)];

/// The positions of queries less those of the keys that they belong to.
#[derive(Clone)]
pub enum Offset<'c> {
    Same(Size<'c>),
    /// One of each batch, of sizes Bx1x1x1.
    Each(Tensor<'c>),
}

/// What attention computes with its queries, keys and values.
pub struct Settings<'c> {
    pub scale: f64,
    /// Zero: no cap.
    pub softcap: f64,
    /// The greatest distance of a key before and behind a query. None: any.
    pub left: Option<i64>,
    pub right: Option<i64>,
    pub offset: Offset<'c>,
    /// Tensors that broadcast to the scores: conditions to use a key, or numbers that are added.
    pub masks: Vec<Tensor<'c>>,
    /// The number of keys of each batch, of sizes Bx1x1x1.
    pub lengths: Option<Tensor<'c>>,
    /// The type of softmax.
    pub precision: Element,
    /// The order of the result.
    pub order: Order,
}

/// The stages of attention.
pub struct Stages<'c> {
    /// The products of queries and keys without the scale.
    products: Tensor<'c>,
    /// The scaled and masked products.
    pub scores: Tensor<'c>,
    pub weights: Tensor<'c>,
    pub result: Tensor<'c>,
}

impl<'c> Builder<'c> {
    /// `softmax(q * k' * scale + masks) * v`, by heads. Each key head serves a group of query heads. A query without keys
    /// has the result zero.
    ///
    /// # Errors
    /// If the sizes do not match.
    pub fn attend(
        &self,
        q: &Heads<'c>,
        k: &Heads<'c>,
        v: &Heads<'c>,
        settings: &Settings<'c>,
    ) -> Result<Stages<'c>, Refusal> {
        let group = head_group(q, k, v)?;
        let element = q.tensor.element();
        let wide = accumulator(element);
        let groups = k.heads();
        // Loops: batch, head, member of the group, query, and then key and element.
        let head: Vec<_> = if group == 1 { vec![d(1)] } else { vec![d(1), d(2)] };
        let n = head.len() + 1;
        let (query, inner, outer) = (d(n), d(n + 1), d(n + 2));
        let mut loops = vec![Loop::Parallel; n + 2];
        loops.push(Loop::Reduction);
        let grouped = q.grouped(self, groups, group)?;
        let mut sizes = vec![q.batch(), groups];
        sizes.extend((group != 1).then_some(Size::Known(group)));
        sizes.push(q.positions());
        let with = |last: Size<'c>| sizes.iter().copied().chain([last]).collect::<Vec<_>>();
        let products = self.contract(
            &loops,
            Operand::new(&grouped, indices(q.order, "d0", &head, &query, &outer)),
            Operand::new(&k.tensor, indices(k.order, "d0", &head[..1], &inner, &outer)),
            &with(k.positions()),
            indices(Order::HeadsFirst, "d0", &head, &query, &inner),
            wide,
        );
        let whole = [q.batch(), q.heads(), q.positions(), k.positions()];
        let products = self.reshape(&products, &whole)?;
        let scores = self.scores(&products, settings)?;
        let weights = self.attention_weights(&self.convert(&scores, settings.precision))?;
        let grouped = self.reshape(&self.convert(&weights, wide), &with(k.positions()))?;
        // The sizes of the result in its order.
        let mut sizes = with(v.width());
        if settings.order == Order::PositionsFirst {
            let positions = sizes.remove(n);
            sizes.insert(1, positions);
        }
        let result = self.contract(
            &loops,
            Operand::new(&grouped, indices(Order::HeadsFirst, "d0", &head, &query, &outer)),
            Operand::new(&v.tensor, indices(v.order, "d0", &head[..1], &outer, &inner)),
            &sizes,
            indices(settings.order, "d0", &head, &query, &inner),
            wide,
        );
        let whole = match settings.order {
            Order::HeadsFirst => [q.batch(), q.heads(), q.positions(), v.width()],
            Order::PositionsFirst => [q.batch(), q.positions(), q.heads(), v.width()],
        };
        let result = self.convert(&self.reshape(&result, &whole)?, element);
        Ok(Stages { products, scores, weights, result })
    }

    /// The products with the scale and the masks: minus infinity where a key is not used.
    fn scores(
        &self,
        products: &Tensor<'c>,
        settings: &Settings<'c>,
    ) -> Result<Tensor<'c>, Refusal> {
        let wide = products.element();
        let mut operands = vec![products];
        operands.extend(&settings.masks);
        let masks = operands.len();
        operands.extend(&settings.lengths);
        let each = operands.len();
        if let Offset::Each(offset) = &settings.offset {
            operands.push(offset);
        }
        for operand in &operands[1..] {
            self.check_broadcast(operand, products.sizes())?;
        }
        Ok(self.map_to(products.sizes(), &operands, wide, |b, v| {
            let key = b.loop_index(3);
            let mut score = capped(b, v[0], settings);
            let mut conditions = vec![];
            for mask in &v[1..masks] {
                if mask.element == Element::Bool {
                    conditions.push(*mask);
                } else {
                    score = b.add(score, b.cast(*mask, wide));
                    let least = b.like(*mask, f64::NEG_INFINITY);
                    conditions.push(b.compare(Compare::Different, *mask, least));
                }
            }
            if settings.lengths.is_some() {
                let length = b.cast(v[masks], Element::Index);
                conditions.push(b.compare(Compare::Less, key, length));
            }
            if settings.left.is_some() || settings.right.is_some() {
                let offset = match &settings.offset {
                    Offset::Same(size) => b.size_scalar(*size),
                    Offset::Each(_) => b.cast(v[each], Element::Index),
                };
                let position = b.add(b.loop_index(2), offset);
                if let Some(left) = settings.left {
                    let first = b.sub(position, b.index_scalar(left));
                    conditions.push(b.compare(Compare::GreaterOrEqual, key, first));
                }
                if let Some(right) = settings.right {
                    let last = b.add(position, b.index_scalar(right));
                    conditions.push(b.compare(Compare::LessOrEqual, key, last));
                }
            }
            match conditions.into_iter().reduce(|x, y| b.and(x, y)) {
                Some(used) => b.select(used, score, b.like(score, f64::NEG_INFINITY)),
                None => score,
            }
        }))
    }

    /// Softmax over the last axis. A row of minus infinity gives zeros.
    fn attention_weights(&self, scores: &Tensor<'c>) -> Result<Tensor<'c>, Refusal> {
        let (axes, element) = ([scores.rank() - 1], scores.element());
        let greatest = self.max_over(scores, &axes)?;
        let exp = self.map(&[scores, &greatest], element, |b, v| {
            let (zero, least) = (b.like(v[1], 0.0), b.like(v[1], f64::NEG_INFINITY));
            let is_empty = b.compare(Compare::Equal, v[1], least);
            b.exp(b.sub(v[0], b.select(is_empty, zero, v[1])))
        })?;
        let sum = self.sum_over(&exp, &axes)?;
        self.map(&[&exp, &sum], element, |b, v| {
            let (zero, one) = (b.like(v[1], 0.0), b.like(v[1], 1.0));
            b.div(v[0], b.select(b.compare(Compare::Equal, v[1], zero), one, v[1]))
        })
    }
}

/// A product with the scale and the cap.
fn capped<'c>(b: &Builder<'c>, product: Scalar<'c>, settings: &Settings<'c>) -> Scalar<'c> {
    let scaled = b.mul(product, b.like(product, settings.scale));
    match settings.softcap > 0.0 {
        true => {
            let cap = b.like(scaled, settings.softcap);
            b.mul(cap, b.math("math.tanh", b.div(scaled, cap)))
        }
        false => scaled,
    }
}

/// The number of query heads of each key head.
fn head_group(q: &Heads, k: &Heads, v: &Heads) -> Result<i64, Refusal> {
    let pairs = [
        ("batches", q.batch(), k.batch()),
        ("batches", k.batch(), v.batch()),
        ("batches", q.batch(), v.batch()),
        ("heads", k.heads(), v.heads()),
        ("positions", k.positions(), v.positions()),
        ("elements of a head", q.width(), k.width()),
    ];
    for (what, x, y) in pairs {
        if let (Some(x), Some(y)) = (x.known(), y.known())
            && x != y
        {
            return Err(Refusal::new(format!("has operands of {x} and {y} {what}")));
        }
    }
    match (q.heads(), k.heads()) {
        (Size::Known(q), Size::Known(k)) if k > 0 && q > 0 && q % k == 0 => Ok(q / k),
        (Size::Dynamic(q), Size::Dynamic(k)) if q == k => Ok(1),
        (q, k) => Err(Refusal::new(format!(
            "has {} query heads and {} key heads, expected a multiple that is known",
            q.known().map_or("?".to_owned(), |it| it.to_string()),
            k.known().map_or("?".to_owned(), |it| it.to_string())
        ))),
    }
}

/// Queries, keys or values: of rank 4, or of rank 3 with the number of heads in an attribute.
pub fn heads_input<'c>(
    node: &Node<'_, 'c>,
    i: usize,
    attribute: &str,
) -> Result<Heads<'c>, Refusal> {
    let x = node.input(i)?;
    if !x.element().is_float() {
        return Err(Refusal::new(format!(
            "has an operand of {}, expected floats",
            x.element().word()
        )));
    }
    let heads = node.int_or(attribute, 0)?;
    match x.rank() {
        4 => Ok(Heads::new(x.clone(), Order::HeadsFirst)),
        _ => node.split_heads(x, heads),
    }
}

/// The default scale: `1 / sqrt(width)`.
pub fn default_scale(node: &Node<'_, '_>, width: Size) -> Result<f64, Refusal> {
    match (node.float("scale")?.filter(|scale| *scale != 0.0), width) {
        (Some(scale), _) => Ok(scale),
        (None, Size::Known(width)) => Ok(1.0 / (width as f64).sqrt()),
        (None, Size::Dynamic(_)) => {
            Err(Refusal::new("has heads of a size that is not known, expected the attribute scale"))
        }
    }
}

/// The numbers of a list of one number for each batch, as a tensor of rank 4.
pub fn each_batch<'c>(node: &Node<'_, 'c>, list: &Tensor<'c>) -> Result<Tensor<'c>, Refusal> {
    match list.rank() {
        1 => {
            let one = Size::Known(1);
            node.reshape(list, &[list.size(0), one, one, one])
        }
        rank => Err(Refusal::new(format!("has lengths of rank {rank}, expected a list"))),
    }
}

fn attention<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let q = heads_input(node, 0, "q_num_heads")?;
    let mut k = heads_input(node, 1, "kv_num_heads")?;
    let mut v = heads_input(node, 2, "kv_num_heads")?;
    let mut offset = Offset::Same(Size::Known(0));
    match (node.optional(4), node.optional(5)) {
        (Some(key), Some(value)) => {
            (k, v) = (node.extended(key, &k)?, node.extended(value, &v)?);
            offset = Offset::Same(key.size(2));
        }
        (None, None) => {}
        _ => return Err(Refusal::new("has past keys or past values only, expected both")),
    }
    let lengths = node.optional(6).map(|list| each_batch(node, list)).transpose()?;
    if let (Some(lengths), None) = (&lengths, node.optional(4)) {
        let queries = q.positions();
        offset = Offset::Each(node.map_to(lengths.sizes(), &[lengths], Element::I64, |b, v| {
            let queries = b.size_scalar(queries);
            b.sub(b.cast(v[0], Element::I64), b.cast(queries, Element::I64))
        }));
    }
    let bound = |name: &str| match node.int_or(name, -1)? {
        found @ 0.. => Ok(Some(found)),
        -1 => Ok(None),
        found => Err(node.refuse_attribute(name, &found.to_string(), "-1 or more")),
    };
    let (left, mut right) = (bound("left_window_size")?, bound("right_window_size")?);
    if node.flag("is_causal", false)? {
        right = Some(0);
    }
    let element = q.tensor.element();
    let is_double = node.int_or("softmax_precision", 1)? == i64::from(Element::F64.number());
    let settings = Settings {
        scale: default_scale(node, q.width())?,
        softcap: node.float_or("softcap", 0.0)?,
        left,
        right,
        offset,
        masks: node
            .optional(3)
            .map(|mask| padded(node, mask, k.positions()))
            .transpose()?
            .into_iter()
            .collect(),
        lengths,
        precision: if is_double { Element::F64 } else { accumulator(element) },
        order: q.order,
    };
    let stages = node.attend(&q, &k, &v, &settings)?;
    let mut outputs = vec![match q.order {
        Order::HeadsFirst => stages.result.clone(),
        Order::PositionsFirst => node.merged(&stages.result)?,
    }];
    if (1..4).any(|i| node.has_output(i)) {
        outputs.extend([k.heads_first(node), v.heads_first(node)]);
    }
    let mode = node.int_or("qk_matmul_output_mode", 0)?;
    if node.has_output(3) {
        outputs.push(node.convert(&stage(node, &stages, &settings, mode)?, element));
    }
    Ok(outputs)
}

/// A mask of at most rank 4 whose last size is the number of keys: it is padded with keys that are not used.
pub fn padded<'c>(
    node: &Node<'_, 'c>,
    mask: &Tensor<'c>,
    keys: Size<'c>,
) -> Result<Tensor<'c>, Refusal> {
    let Some(last) = mask.sizes().last().filter(|_| mask.rank() <= 4) else {
        return Err(Refusal::new(format!("has a mask of rank {}, expected 1 to 4", mask.rank())));
    };
    let missing = node.size_sub(keys, *last);
    if missing.known().is_some_and(|missing| missing < 0) {
        return Err(Refusal::new("has a mask of more keys than there are"));
    }
    let low = vec![Size::Known(0); mask.rank()];
    let mut high = low.clone();
    high[mask.rank() - 1] = missing;
    let unused = match mask.element() {
        Element::Bool => 0.0,
        element if element.is_float() => f64::NEG_INFINITY,
        found => {
            return Err(Refusal::new(format!(
                "has a mask of {}, expected bool or floats",
                found.word()
            )));
        }
    };
    Ok(node.pad(mask, &low, &high, node.scalar(mask.element(), unused)))
}

/// The stage of attention that the attribute `qk_matmul_output_mode` chooses.
fn stage<'c>(
    node: &Node<'_, 'c>,
    stages: &Stages<'c>,
    settings: &Settings<'c>,
    mode: i64,
) -> Result<Tensor<'c>, Refusal> {
    let products = &stages.products;
    match mode {
        0 => node
            .map(&[products], products.element(), |b, v| b.mul(v[0], b.like(v[0], settings.scale))),
        1 => node.map(&[products], products.element(), |b, v| capped(b, v[0], settings)),
        2 => Ok(stages.scores.clone()),
        3 => Ok(stages.weights.clone()),
        found => Err(node.refuse_attribute("qk_matmul_output_mode", &found.to_string(), "0 to 3")),
    }
}

/// `a * sigmoid(alpha * a) * b`.
fn swiglu<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let (a, gate) = (node.input(0)?, node.input(1)?);
    let (element, wide) = (a.element(), accumulator(a.element()));
    if !element.is_float() || gate.element() != element {
        return Err(Refusal::new("has operands that are not floats of one type"));
    }
    let alpha = node.float_or("alpha", 1.0)?;
    Ok(vec![node.map(&[a, gate], element, |b, v| {
        let (a, gate) = (b.cast(v[0], wide), b.cast(v[1], wide));
        let swish = b.mul(a, b.sigmoid(b.mul(a, b.like(a, alpha))));
        b.cast(b.mul(swish, gate), element)
    })?])
}
