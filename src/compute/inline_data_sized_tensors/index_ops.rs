//! Arithmetic on index values, which folds constants.

use crate::ir::{Builder, Type, Value, constant_integer};

pub fn sum<'c>(at: &Builder<'c>, left: Value<'c>, right: Value<'c>) -> Value<'c> {
    match (constant_integer(left), constant_integer(right)) {
        (Some(0), _) => right,
        (_, Some(0)) => left,
        _ => folded(at, "arith.addi", left, right, i64::checked_add),
    }
}

pub fn difference<'c>(at: &Builder<'c>, left: Value<'c>, right: Value<'c>) -> Value<'c> {
    match constant_integer(right) {
        Some(0) => left,
        _ => folded(at, "arith.subi", left, right, i64::checked_sub),
    }
}

pub fn product<'c>(at: &Builder<'c>, left: Value<'c>, right: Value<'c>) -> Value<'c> {
    match (constant_integer(left), constant_integer(right)) {
        (Some(1), _) | (_, Some(0)) => right,
        (_, Some(1)) | (Some(0), _) => left,
        _ => folded(at, "arith.muli", left, right, i64::checked_mul),
    }
}

/// Rounds towards zero. The divisor is 1 or more.
pub fn quotient<'c>(at: &Builder<'c>, left: Value<'c>, right: Value<'c>) -> Value<'c> {
    folded(at, "arith.divsi", left, right, i64::checked_div)
}

/// The remainder of [`quotient`].
pub fn remainder<'c>(at: &Builder<'c>, left: Value<'c>, right: Value<'c>) -> Value<'c> {
    folded(at, "arith.remsi", left, right, i64::checked_rem)
}

/// Rounds down. The divisor is a positive number.
pub fn floor_quotient<'c>(at: &Builder<'c>, left: Value<'c>, right: Value<'c>) -> Value<'c> {
    folded(at, "arith.floordivsi", left, right, i64::checked_div_euclid)
}

/// A divisor that is a size: a size of 0 becomes 1.
pub fn at_least_one<'c>(at: &Builder<'c>, size: Value<'c>) -> Value<'c> {
    folded(at, "arith.maxsi", size, at.index(1), |size, one| Some(size.max(one)))
}

/// The index, or the nearest one that is 0 or more and less than `end`.
pub fn clamped<'c>(at: &Builder<'c>, index: Value<'c>, end: i64) -> Value<'c> {
    if end == 1 {
        return at.index(0);
    }
    let least = folded(at, "arith.minsi", index, at.index(end - 1), |a, b| Some(a.min(b)));
    folded(at, "arith.maxsi", least, at.index(0), |a, b| Some(a.max(b)))
}

pub fn compared<'c>(
    at: &Builder<'c>,
    predicate: i64,
    left: Value<'c>,
    right: Value<'c>,
) -> Value<'c> {
    at.compare(predicate, left, right)
}

/// True if all conditions are; `None` if there are none.
pub fn all_of<'c>(at: &Builder<'c>, conditions: &[Value<'c>]) -> Option<Value<'c>> {
    let boolean = Type::integer(at.context(), 1);
    let both = |left, right| at.op("arith.andi", &[left, right], boolean);
    conditions.iter().copied().reduce(both)
}

fn folded<'c>(
    at: &Builder<'c>,
    name: &str,
    left: Value<'c>,
    right: Value<'c>,
    compute: impl FnOnce(i64, i64) -> Option<i64>,
) -> Value<'c> {
    let number = constant_integer(left)
        .zip(constant_integer(right))
        .and_then(|(left, right)| compute(left, right));
    match number {
        Some(number) => at.index(number),
        None => at.op(name, &[left, right], Type::index(at.context())),
    }
}
