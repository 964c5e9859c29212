//! Builds saturating arithmetic on numbers of bytes, which are nonnegative i64: a result that does not fit becomes `i64::MAX`.

use super::predicate::{EQ, SGE};
use super::{Builder, Type, Value};

/// The product of two nonnegative numbers.
pub(crate) fn product<'c>(at: &Builder<'c>, a: Value<'c>, b: Value<'c>) -> Value<'c> {
    let spec = at.spec("arith.mului_extended").operands(&[a, b]).results(&[a.ty(), a.ty()]);
    let [low, high] = at.insert(spec).results()[..] else {
        unreachable!("the op was made with two results")
    };
    let fits = at.compare(EQ, high, zero(at));
    let is_positive = at.compare(SGE, low, zero(at));
    let fits = at.op("arith.andi", &[fits, is_positive], fits.ty());
    or_maximum(at, fits, low)
}

/// The sum of two nonnegative numbers.
pub(crate) fn sum<'c>(at: &Builder<'c>, a: Value<'c>, b: Value<'c>) -> Value<'c> {
    let sum = at.op("arith.addi", &[a, b], a.ty());
    let fits = at.compare(SGE, sum, zero(at));
    or_maximum(at, fits, sum)
}

/// A nonnegative number, rounded up to a multiple of a power of two. If it does not fit, the result is the largest multiple.
pub(crate) fn round_up<'c>(at: &Builder<'c>, value: Value<'c>, multiple: i64) -> Value<'c> {
    let value = sum(at, value, number(at, multiple - 1));
    at.op("arith.andi", &[value, number(at, -multiple)], value.ty())
}

/// The value, or the largest number if it does not fit.
pub(crate) fn or_maximum<'c>(at: &Builder<'c>, fits: Value<'c>, value: Value<'c>) -> Value<'c> {
    at.op("arith.select", &[fits, value, number(at, i64::MAX)], value.ty())
}

fn number<'c>(at: &Builder<'c>, value: i64) -> Value<'c> {
    at.number(Type::integer(at.context(), 64), value)
}

fn zero<'c>(at: &Builder<'c>) -> Value<'c> {
    number(at, 0)
}
