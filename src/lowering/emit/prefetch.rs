//! Prefetches that a loop is annotated with, at the start of each iteration.

use super::cursor::Cursor;
use super::plan::EmissionPlan;
use crate::dialect::annotation;
use crate::ir::affine::{BinaryKind, Expr};
use crate::ir::{Attribute, Builder, Error, Op, Type, Value};
use crate::nest::facts::boxes::Range;
use crate::nest::summary::{BufferId, NodeId, NodeKind, VariableId};
use crate::schedule::legality::prefetch;
use crate::schedule::legality::prefetch::{KEY, POSITION_KEY, read_buffers};

/// The size of a cache line in bytes.
const LINE: i64 = 64;

/// The bytes of a small first-level cache. What is prefetched further ahead goes to the second-level cache only: it would be gone
/// from the first again, after it has displaced what is used before it.
const NEAR_BYTES: i64 = 32 * 1024;

/// The most prefetches of a box that are unrolled; more become a loop.
const MAX_PREFETCHES: i64 = 4;

/// The `localityHint` of a prefetch to the first-level cache, and to the second-level cache.
const FIRST_LEVEL: i64 = 3;
const SECOND_LEVEL: i64 = 2;

/// The boxes of a buffer that a loop prefetches. Their ranges are those of a later iteration.
pub(crate) struct Prefetch<'c> {
    buffer: Value<'c>,
    shape: Vec<Option<Expr>>,
    bytes: i64,
    distance: i64,
    boxes: Vec<Vec<Range>>,
}

/// True if the key is that of a prefetch annotation.
pub(crate) fn is_key(key: &str) -> bool {
    key.starts_with(KEY) || key.starts_with(POSITION_KEY)
}

/// The prefetches that a loop is annotated with. A prefetch that is not possible gets a remark.
pub(crate) fn prefetches_of<'c>(
    plan: &EmissionPlan<'c>,
    cursor: &mut Cursor<'c>,
    op: Op<'c>,
) -> Vec<Prefetch<'c>> {
    let mut found = vec![];
    if cursor.threads.is_some() {
        return found;
    }
    let summary = plan.state.summary();
    for (key, value) in annotation::entries(op) {
        let (name, buffer) = match (key.strip_prefix(KEY), key.strip_prefix(POSITION_KEY)) {
            (Some(name), _) => {
                let is_named = |id: &BufferId| summary.buffers[*id].name == name;
                (format!("\"{name}\""), summary.buffers.keys().find(is_named))
            }
            (None, Some(position)) => {
                let value =
                    position.parse().ok().and_then(|i: usize| read_buffers(op).get(i).copied());
                let is_read = |id: &BufferId| Some(plan.state.buffer(*id)) == value;
                let name = format!("buffer {position} of those that the loop reads");
                (name, summary.buffers.keys().find(is_read))
            }
            (None, None) => continue,
        };
        match prefetch_of(plan, op, buffer, value) {
            Ok(prefetch) => found.push(prefetch),
            Err(why) => cursor.remark_once(op, &format!("no prefetch of {name}: {why}")),
        }
    }
    found
}

fn prefetch_of<'c>(
    plan: &EmissionPlan<'c>,
    op: Op<'c>,
    buffer: Option<BufferId>,
    distance: Attribute<'c>,
) -> Result<Prefetch<'c>, String> {
    let summary = plan.state.summary();
    let is_this = |node: &NodeId| plan.state.op(*node) == op;
    let is_loop = |node: &NodeId| matches!(summary.nodes[*node].kind, NodeKind::Loop(_));
    let node = summary.nodes.keys().skip(1).filter(is_loop).find(is_this);
    let node = node.ok_or("the annotation is not on a loop")?;
    let this = summary.as_loop(node).expect("a loop");
    let buffer = buffer.ok_or("there is no such buffer")?;
    let distance = distance.as_i64().ok_or("its distance is not a number")?;
    let boxes = prefetch::boxes(summary, node, buffer).map_err(|why| why.to_string())?;
    let later = |dim| match VariableId::of_dim(dim) == this.variable {
        true => Expr::Dim(dim) + distance.into(),
        false => Expr::Dim(dim),
    };
    let later = |expr: &Expr| expr.substitute(&later, &Expr::Symbol).simplified();
    let later = |range: &Range| Range { low: later(&range.low), high: later(&range.high) };
    let this = &summary.buffers[buffer];
    Ok(Prefetch {
        buffer: plan.state.buffer(buffer),
        shape: this.shape.clone(),
        bytes: this.element_bytes.ok_or("the size of its elements is not known")?,
        distance,
        boxes: boxes.iter().map(|ranges| ranges.iter().map(later).collect()).collect(),
    })
}

/// Emits the prefetches of a loop, in one of its iterations.
pub(crate) fn emit_prefetches<'c>(
    plan: &EmissionPlan<'c>,
    cursor: &mut Cursor<'c>,
    prefetches: &[Prefetch<'c>],
    at: Builder<'c>,
) -> Result<(), Error<'c>> {
    for prefetch in prefetches {
        for ranges in &prefetch.boxes {
            prefetch_box(plan, cursor, prefetch, ranges, at)?;
        }
    }
    Ok(())
}

/// Emits the prefetches of one box: one for each [`LINE`] from its first element on. Rows that are not
/// proved to be contiguous are prefetched separately.
fn prefetch_box<'c>(
    plan: &EmissionPlan<'c>,
    cursor: &mut Cursor<'c>,
    prefetch: &Prefetch<'c>,
    ranges: &[Range],
    at: Builder<'c>,
) -> Result<(), Error<'c>> {
    let mut left = (LINE / prefetch.bytes).max(1);
    let mut steps = vec![1; ranges.len()];
    for (i, range) in ranges.iter().enumerate().rev() {
        let extent = range.extent();
        steps[i] = left;
        // Whole rows are contiguous.
        let is_whole = range.low == 0.into() && prefetch.shape[i].as_ref() == Some(&extent);
        let row = extent.constant().filter(|row| is_whole && *row > 0 && left % row == 0);
        match row {
            Some(row) => {
                steps[i] = row;
                left /= row;
            }
            None => left = 1,
        }
    }
    let mut dims = vec![];
    for (range, step) in ranges.iter().zip(steps) {
        let low = put_in(plan, cursor, &range.low);
        let count =
            put_in(plan, cursor, &Expr::binary(BinaryKind::CeilDiv, range.extent(), step.into()));
        dims.push((low, count, step));
    }
    let mut counts = dims.iter().map(|(_, count, _)| count.constant());
    let total = counts.try_fold(1i64, |product, count| product.checked_mul(count?));
    let is_short = total.is_some_and(|total| total <= MAX_PREFETCHES);
    let is_near = total.is_none_or(|total| {
        total.saturating_mul(prefetch.distance).saturating_mul(LINE) <= NEAR_BYTES
    });
    let level = if is_near { FIRST_LEVEL } else { SECOND_LEVEL };
    let buffer = cursor.values.get(&prefetch.buffer).copied().unwrap_or(prefetch.buffer);
    prefetch_cells(cursor, buffer, (&dims, is_short, level), &mut vec![], at)
}

/// Emits all combinations of the dimensions from `indices.len()` on.
fn prefetch_cells<'c>(
    cursor: &mut Cursor<'c>,
    buffer: Value<'c>,
    (dims, is_short, level): (&[(Expr, Expr, i64)], bool, i64),
    indices: &mut Vec<Expr>,
    at: Builder<'c>,
) -> Result<(), Error<'c>> {
    let Some((low, count, step)) = dims.get(indices.len()) else {
        let mut operands = vec![buffer];
        operands.extend(indices.iter().map(|index| cursor.emit_index(index, at)));
        let bit = |value| Attribute::integer(Type::integer(at.context(), 1), value);
        let level = Attribute::integer(Type::integer(at.context(), 32), level);
        let spec = at.spec("memref.prefetch").operands(&operands);
        let spec = spec.attribute("isWrite", bit(0)).attribute("isDataCache", bit(1));
        at.insert(spec.attribute("localityHint", level));
        return Ok(());
    };
    let mut one = |cursor: &mut Cursor<'c>, i: Expr, at| {
        let index = cursor.simplified(&(low.clone() + i * (*step).into()));
        indices.push(index);
        let result = prefetch_cells(cursor, buffer, (dims, is_short, level), indices, at);
        indices.pop();
        result
    };
    match count.constant() {
        Some(count) if is_short || count == 1 => {
            (0..count).try_for_each(|i| one(cursor, i.into(), at))
        }
        constant => {
            let upper = cursor.emit_index(count, at);
            let range = constant.map(|count| (0, count.max(1) - 1));
            cursor.dynamic_loop(upper, range, at, &mut one)
        }
    }
}

/// Substitutes the current values for the variables and sizes of the summary.
fn put_in<'c>(plan: &EmissionPlan<'c>, cursor: &mut Cursor<'c>, expr: &Expr) -> Expr {
    let (variables, sizes) = (plan.state.variables(), plan.state.sizes());
    let mut dims = vec![];
    expr.visit_leaves(&mut |leaf| dims.push(leaf.clone()));
    let mut known: Vec<(Expr, Expr)> = vec![];
    for leaf in dims {
        let value = match leaf {
            Expr::Dim(i) => cursor.index_of(variables[i]),
            Expr::Symbol(i) => cursor.index_of(sizes[i]),
            _ => continue,
        };
        known.push((leaf, value));
    }
    let of = |leaf: Expr| {
        let place = known.iter().find(|(key, _)| *key == leaf);
        place.map_or(leaf, |(_, value)| value.clone())
    };
    cursor.simplified(&expr.substitute(&|i| of(Expr::Dim(i)), &|i| of(Expr::Symbol(i))))
}
