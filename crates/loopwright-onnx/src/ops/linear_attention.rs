//! Linear attention: a state of keys and values is updated at each position. The positions are unrolled.

use super::Row;
use super::attention::default_scale;
use super::heads::Heads;
use super::recurrent::MOST_STEPS;
use crate::builder::Builder;
use crate::compute::{Loop, Operand, accumulator, d};
use crate::error::Refusal;
use crate::node::Node;
use crate::size::Size;
use crate::tensor::Tensor;

pub const OPS: &[Row] = &[("LinearAttention", linear_attention)];

/// The inputs at one position, each of rank 3: batch, head, element.
struct Step<'c> {
    query: Tensor<'c>,
    key: Tensor<'c>,
    value: Tensor<'c>,
    /// The logarithm of the factor of the state.
    decay: Option<Tensor<'c>>,
    /// The factor of the correction of the value by what the state has of its key.
    beta: Option<Tensor<'c>>,
}

/// A position of heads, of rank 3.
fn at<'c>(b: &Builder<'c>, heads: &Heads<'c>, position: i64) -> Result<Tensor<'c>, Refusal> {
    b.squeeze(&b.slice_axis(&heads.tensor, 1, Size::Known(position), Size::Known(1)), &[1])
}

/// The sum of a state's rows with factors of `key`, in groups of heads: loops are batch, head, member of the group, column.
fn read<'c>(b: &Builder<'c>, state: &Tensor<'c>, key: &Tensor<'c>) -> Tensor<'c> {
    let (groups, columns) = (key.rank() == 4, state.size(3));
    let n = if groups { 3 } else { 2 };
    let (column, row) = (d(n), d(n + 1));
    let mut loops = vec![Loop::Parallel; n + 1];
    loops.push(Loop::Reduction);
    let outer: Vec<_> = (0..n).map(d).collect();
    let with = |last: &String| outer.iter().chain([last]).cloned().collect::<Vec<_>>();
    let mut sizes = key.sizes()[..n].to_vec();
    sizes.push(columns);
    b.contract(
        &loops,
        Operand::new(key, with(&row)),
        Operand::new(state, vec![d(0), d(1), row.clone(), column.clone()]),
        &sizes,
        with(&column),
        state.element(),
    )
}

/// The state after a position.
fn update<'c>(b: &Builder<'c>, state: &Tensor<'c>, step: &Step<'c>) -> Result<Tensor<'c>, Refusal> {
    let wide = state.element();
    let state = match &step.decay {
        Some(decay) => {
            let decay = b.unsqueeze(decay, &[3])?;
            b.map(&[state, &decay], wide, |b, v| b.mul(v[0], b.exp(b.cast(v[1], wide))))?
        }
        None => state.clone(),
    };
    let value = match &step.beta {
        Some(beta) => {
            let found = read(b, &state, &step.key);
            b.map(&[&step.value, &found, beta], wide, |b, v| {
                b.mul(b.cast(v[2], wide), b.sub(b.cast(v[0], wide), v[1]))
            })?
        }
        None => step.value.clone(),
    };
    let (key, value) = (b.unsqueeze(&step.key, &[3])?, b.unsqueeze(&value, &[2])?);
    b.map(&[&state, &key, &value], wide, |b, v| {
        b.add(v[0], b.mul(b.cast(v[1], wide), b.cast(v[2], wide)))
    })
}

fn linear_attention<'c>(node: &Node<'_, 'c>) -> Result<Vec<Tensor<'c>>, Refusal> {
    let rule = node.string_or("update_rule", "gated_delta")?;
    let (decays, corrects) = match rule.as_str() {
        "linear" => (false, false),
        "gated" => (true, false),
        "delta" => (false, true),
        "gated_delta" => (true, true),
        found => {
            return Err(node.refuse_attribute(
                "update_rule",
                found,
                "linear, gated, delta or gated_delta",
            ));
        }
    };
    if decays != node.optional(4).is_some() || corrects != node.optional(5).is_some() {
        return Err(Refusal::new(format!(
            "has the update rule {rule} with other inputs than decay and beta of this rule"
        )));
    }
    // A hint of the size of parts that are computed at once.
    node.int("chunk_size")?;
    let (heads, groups) = (node.int_or("q_num_heads", 0)?, node.int_or("kv_num_heads", 0)?);
    let query = node.split_heads(node.input(0)?, heads)?;
    let key = node.split_heads(node.input(1)?, groups)?;
    let value = node.split_heads(node.input(2)?, groups)?;
    let element = query.tensor.element();
    if !element.is_float() || heads % groups != 0 {
        return Err(Refusal::new(format!(
            "has {heads} query heads of {} and {groups} key heads, expected floats and a multiple",
            element.word()
        )));
    }
    let Some(steps) = query.positions().known().filter(|it| (1..=MOST_STEPS).contains(it)) else {
        return Err(Refusal::new(format!(
            "has a number of positions that is not 1 to {MOST_STEPS}: they are unrolled"
        )));
    };
    let pairs = [
        (key.positions(), query.positions()),
        (value.positions(), query.positions()),
        (key.width(), query.width()),
        (key.batch(), query.batch()),
        (value.batch(), query.batch()),
    ];
    if pairs.iter().any(|(x, y)| x.known().is_some() && y.known().is_some() && x != y) {
        return Err(Refusal::new("has queries, keys and values whose sizes do not match"));
    }
    // One number for each head, or for each element of a key.
    let decay = node.optional(4).map(|decay| node.split_heads(decay, groups)).transpose()?;
    let beta = node.optional(5).map(|beta| {
        let is_one = beta.rank() == 3 && beta.size(2) == Size::Known(1);
        node.split_heads(beta, if is_one { 1 } else { groups })
    });
    let beta = beta.transpose()?;
    let wide = accumulator(element);
    let sizes = [query.batch(), Size::Known(groups), key.width(), value.width()];
    let past = node.optional(3);
    let mut state = match past {
        Some(past) => {
            node.check_broadcast(past, &sizes)?;
            node.broadcast(&node.convert(past, wide), &sizes)
        }
        None => node.filled(&sizes, node.scalar(wide, 0.0)),
    };
    for (heads, width) in [(&decay, key.width()), (&beta, Size::Known(1))] {
        let Some(heads) = heads else { continue };
        let expected = [query.batch(), query.positions(), Size::Known(groups), width];
        node.check_broadcast(&heads.tensor, &expected)?;
        if heads.positions() != query.positions() {
            return Err(Refusal::new("has a decay or beta of other positions than the queries"));
        }
    }
    let scale = default_scale(node, query.width())?;
    let mut results = vec![];
    for position in 0..steps {
        let of = |heads: &Heads<'c>| at(node, heads, position);
        let step = Step {
            query: of(&query)?,
            key: of(&key)?,
            value: of(&value)?,
            decay: decay.as_ref().map(of).transpose()?,
            beta: beta.as_ref().map(of).transpose()?,
        };
        state = update(node, &state, &step)?;
        let grouped =
            [query.batch(), Size::Known(groups), Size::Known(heads / groups), query.width()];
        let grouped = node.reshape(&step.query, &grouped)?;
        let result = read(node, &state, &grouped);
        let result = node.map_to(result.sizes(), &[&result], element, |b, v| {
            b.cast(b.mul(v[0], b.like(v[0], scale)), element)
        });
        let width = node.size_mul(Size::Known(heads), value.width());
        results.push(node.reshape(&result, &[query.batch(), Size::Known(1), width])?);
    }
    let state_element = past.map_or(element, Tensor::element);
    Ok(vec![node.concat(&results, 1), node.convert(&state, state_element)])
}
