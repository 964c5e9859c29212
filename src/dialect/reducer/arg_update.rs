//! Arg reductions: the extreme value of some values and its index (`argmax` and `argmin`).
//!
//! ```text
//! more = x > value                              lower = k < index
//! value' = more ? x : value                     take  = more or (x == value and lower)
//! index' = more ? k : index                     value' = take ? x : value    index' = take ? k : index
//! ```
//! The comparison alone, on the left, keeps the first of equal values. The form on the right keeps the one of the
//! least index, in any order: its pairs are totally ordered, and the greatest is found. [`break_ties`] rewrites the
//! left form to the right form. They compute the same if the index increases from each value to the next and is never
//! below its start value.
//!
//! A NaN fulfils no ordered comparison, so it is never taken. If values are taken otherwise, as by `maximumf` or by
//! an unordered comparison, the result depends on the positions of NaNs.

use super::{depends, old_value, updates};
use crate::dialect::loop_enums::Combiner;
use crate::dialect::loop_op::ScheduleBlock;
use crate::ir::predicate::{self, float};
use crate::ir::{Attribute, Block, Builder, Op, Type, TypeKind, Value};

/// The update of `(value, index)` to `(x, k)` if x is beyond the old value.
#[derive(Clone, Copy, Debug)]
pub struct ArgUpdate<'c> {
    pub combiner: Combiner,
    /// The value that is compared with the old value.
    pub x: Value<'c>,
    /// The index of `x`.
    pub k: Value<'c>,
    /// True if the least index wins among equal values.
    pub breaks_ties: bool,
    /// True if values are taken by the comparison alone, which no NaN fulfils.
    pub by_comparison: bool,
    /// `more`: x is beyond the old value. `condition`: the pair is taken.
    more: Value<'c>,
    condition: Value<'c>,
}

/// Matches the new `value` and `index`: `old` returns the number of the old value that a value is.
pub fn of<'c>(
    value: Value<'c>,
    index: Value<'c>,
    old: &dyn Fn(Value<'c>) -> Option<usize>,
) -> Option<ArgUpdate<'c>> {
    let [condition, k, kept] = operands(index, "arith.select")?;
    let tie = operands(condition, "arith.ori");
    let ways = match tie {
        Some([a, b]) => [(a, Some(b)), (b, Some(a))],
        None => [(condition, None); 2],
    };
    let (more, tie, (combiner, x, is_ordered)) =
        ways.into_iter().find_map(|(more, tie)| Some((more, tie, comparison(more, old)?)))?;
    let is_tie = |tie: Value<'c>| is_tie(tie, (x, k), old);
    if old(kept) != Some(1) || depends(k, old) || depends(x, old) || !tie.is_none_or(is_tie) {
        return None;
    }
    let op = value.defining_op()?;
    let sources = op.operands();
    let is_of_both = sources.contains(&x) && sources.iter().any(|v| old(*v) == Some(0));
    let by_select = op.is("arith.select")
        && sources[0] == condition
        && sources[1] == x
        && old(sources[2]) == Some(0);
    let is_arg_reduction = match (op.name(), combiner) {
        ("arith.maximumf" | "arith.maxnumf" | "arith.maxsi", Combiner::ArgMax)
        | ("arith.minimumf" | "arith.minnumf" | "arith.minsi", Combiner::ArgMin) => is_of_both,
        _ => by_select,
    };
    let is_integer = matches!(x.ty().kind(), TypeKind::Integer(_));
    is_arg_reduction.then_some(ArgUpdate {
        combiner,
        x,
        k,
        breaks_ties: tie.is_some(),
        by_comparison: is_ordered && (by_select || is_integer),
        more,
        condition,
    })
}

/// The arg reduction of a schedule block, if it is one.
pub fn of_block<'c>(block: &ScheduleBlock<'c>) -> Option<ArgUpdate<'c>> {
    let combiners = &block.reducer.as_ref()?.combiners;
    if !matches!(combiners[..], [Combiner::ArgMax | Combiner::ArgMin]) {
        return None;
    }
    let stores = updates(block);
    let [value, index] = stores[..] else { return None };
    let old = |v: Value<'c>| old_value(block, &stores, v);
    of(value.operand(0), index.operand(0), &old)
}

/// The combiner of a comparison of some x with the old value, the x, and whether the comparison is false for NaN.
fn comparison<'c>(
    compare: Value<'c>,
    old: &dyn Fn(Value<'c>) -> Option<usize>,
) -> Option<(Combiner, Value<'c>, bool)> {
    let op = compare.defining_op()?;
    let [left, right] = op.operands()[..] else { return None };
    let number = predicate_of(op)?;
    let (greater, is_ordered) = match (op.name(), number) {
        ("arith.cmpf", float::OGT) | ("arith.cmpi", predicate::SGT) => (true, true),
        ("arith.cmpf", float::OLT) | ("arith.cmpi", predicate::SLT) => (false, true),
        ("arith.cmpf", float::UGT) => (true, false),
        ("arith.cmpf", float::ULT) => (false, false),
        _ => return None,
    };
    let (x, greater) = match (old(left), old(right)) {
        (None, Some(0)) => (left, greater),
        (Some(0), None) => (right, !greater),
        _ => return None,
    };
    let combiner = if greater { Combiner::ArgMax } else { Combiner::ArgMin };
    Some((combiner, x, is_ordered))
}

/// True if `tie` is the condition that x equals the old value and k is below the old index.
fn is_tie<'c>(
    tie: Value<'c>,
    (x, k): (Value<'c>, Value<'c>),
    old: &dyn Fn(Value<'c>) -> Option<usize>,
) -> bool {
    let Some([a, b]) = operands(tie, "arith.andi") else { return false };
    let is_same = |value: Value<'c>| {
        let Some(op) = value.defining_op() else { return false };
        let is_equal = matches!(
            (op.name(), predicate_of(op)),
            ("arith.cmpf", Some(float::OEQ)) | ("arith.cmpi", Some(predicate::EQ))
        );
        is_equal
            && match op.operands()[..] {
                [l, r] => l == x && old(r) == Some(0) || r == x && old(l) == Some(0),
                _ => false,
            }
    };
    let is_lower = |value: Value<'c>| {
        let Some([l, r]) = operands(value, "arith.cmpi") else { return false };
        match value.defining_op().and_then(predicate_of) {
            Some(predicate::SLT) => l == k && old(r) == Some(1),
            Some(predicate::SGT) => r == k && old(l) == Some(1),
            _ => false,
        }
    };
    is_same(a) && is_lower(b) || is_same(b) && is_lower(a)
}

/// Rewrites the body so that the least index wins among equal values. A body that already does so is unchanged.
pub fn break_ties<'c>(block: &ScheduleBlock<'c>) {
    let Some(update) = of_block(block).filter(|update| !update.breaks_ties) else { return };
    let stores = updates(block);
    let news: Vec<Value<'c>> = stores.iter().map(|store| store.operand(0)).collect();
    let [value, index] = news[..] else { return };
    // The new ops are inserted after the ops that compute both values; the stores are moved behind them.
    let end = block.body.end();
    for store in &stores {
        store.move_before(end);
    }
    let at = Builder::before(stores[0], stores[0].location());
    let old = |value: Value<'c>| value.defining_op().map(|op| op.operands());
    let (Some(of_more), Some(of_index)) = (old(update.more), old(index)) else { return };
    let against = if of_more[0] == update.x { of_more[1] } else { of_more[0] };
    let is_float = matches!(update.x.ty().kind(), TypeKind::Float(_));
    let same = match is_float {
        true => compare(at, "arith.cmpf", float::OEQ, [update.x, against]),
        false => compare(at, "arith.cmpi", predicate::EQ, [update.x, against]),
    };
    let lower = compare(at, "arith.cmpi", predicate::SLT, [update.k, of_index[2]]);
    let bool_type = same.ty();
    let tie = at.op("arith.andi", &[same, lower], bool_type);
    let take = at.op("arith.ori", &[update.more, tie], bool_type);
    for new in [value, index] {
        let Some(op) = new.defining_op().filter(|op| op.is("arith.select")) else { continue };
        let sources = op.operands();
        if sources[0] == update.condition {
            let chosen = at.op("arith.select", &[take, sources[1], sources[2]], new.ty());
            new.replace_all_uses_with(chosen);
            op.erase();
        }
    }
}

/// The start value of the value (0) or the index (1) of a reduction, if it is constant.
pub fn start<'c>(block: &ScheduleBlock<'c>, i: usize) -> Option<Attribute<'c>> {
    let stores = updates(block);
    let buffer = stores.get(i)?.operand(1);
    let body: Block<'c> = block.init()?.body(0)?;
    let start =
        body.ops().into_iter().rfind(|op| op.is("memref.store") && op.operand(1) == buffer)?;
    let constant = start.operand(0).defining_op().filter(|op| op.is_constant())?;
    constant.attribute("value")
}

/// The largest number of an index type; it loses every tie.
pub fn last_index(ty: Type) -> Attribute {
    super::limit_of_type(ty, false)
}

fn compare<'c>(at: Builder<'c>, name: &str, number: i64, values: [Value<'c>; 2]) -> Value<'c> {
    let context = at.context();
    let number = Attribute::integer(Type::integer(context, 64), number);
    let spec = at.spec(name).operands(&values).attribute("predicate", number);
    at.value(spec.results(&[Type::integer(context, 1)]))
}

fn predicate_of(op: Op) -> Option<i64> {
    op.attribute("predicate").and_then(Attribute::as_i64)
}

fn operands<'c, const N: usize>(value: Value<'c>, name: &str) -> Option<[Value<'c>; N]> {
    value.defining_op().filter(|op| op.is(name))?.operands().try_into().ok()
}
