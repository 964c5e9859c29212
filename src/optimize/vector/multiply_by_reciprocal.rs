//! `multiply-by-reciprocal`: replace divisions by one number by products with its reciprocal, if the function's
//! floating-point contract permits it.
//!
//! ```text
//! scf.for %i .. {                                       %c = 2^64 if |%s| < 2^-64, 2^-64 if |%s| > 2^64, else 1
//!                                                       %r = 1 / (%s * %c)
//!   %s' = vector.broadcast %s                           scf.for %i .. {
//!   %q = arith.divf %x, %s' : vector<16xf32>     ->       %x' = arith.mulf %x, broadcast of %c
//! }                                                       %q = arith.mulf %x', broadcast of %r : vector<16xf32>
//!                                                       }
//! ```
//! A division takes a processor 8 to 32 times as long as a product. Applies to scalars and vectors of f32 and f64, in functions
//! with the attribute `loop.fp = "fast"`, if at least one of these holds:
//! - The divisor is computed outside of the innermost loop around the division.
//! - All lanes of the divisor are one number.
//!
//! The quotient has two rounding errors instead of one. The factor `%c`, a power of two, which is exact, keeps the reciprocal
//! of very small and very large numbers from becoming infinite or inexact; for f64 its exponent is 512 instead of 64. A constant
//! divisor between these bounds needs no factor, and the division by another constant stays.

use crate::dialect::contract::Contract;
use crate::ir::{
    Attribute, Builder, Error, FloatKind, Op, TypeKind, Value, constant_number, constant_value,
    is_defined_outside, is_f32_or_f64, is_scf_loop, parents, predicate::float, walk,
};
use std::collections::HashMap;

/// Replaces the divisions of a function.
///
/// # Errors
/// If the contract is none of `strict`, `reassoc` and `fast`.
pub fn run<'c>(function: Op<'c>) -> Result<(), Error<'c>> {
    if Contract::of(function)? == Contract::Fast {
        let mut known = HashMap::new();
        for op in walk(function) {
            replace(op, &mut known);
        }
    }
    Ok(())
}

/// What replaces the division by a number: the factors of the dividend, or `None` if the division stays.
type Factors<'c> = Option<Vec<Value<'c>>>;

/// Replaces a division, if that pays. `known` has the factors for the divisors of earlier divisions.
fn replace<'c>(op: Op<'c>, known: &mut HashMap<Value<'c>, Factors<'c>>) {
    if !op.is("arith.divf") || !is_f32_or_f64(op.result(0).ty()) {
        return;
    }
    let ty = op.result(0).ty();
    let [dividend, divisor] = [op.operand(0), op.operand(1)];
    let number = broadcast_from(divisor);
    let is_invariant = || {
        let inner = parents(op).find(|parent| is_scf_loop(*parent));
        inner.is_some_and(|inner| is_defined_outside(number, inner))
    };
    if number.ty() == ty && constant_value(number).is_none() && !is_invariant() {
        return;
    }
    let Some(factors) = known.entry(number).or_insert_with(|| factors(number)) else { return };
    let at = Builder::before(op, op.location());
    let quotient = factors.iter().fold(dividend, |product, factor| {
        let is_whole = factor.ty() == ty;
        let factor = if is_whole { *factor } else { at.op("vector.broadcast", &[*factor], ty) };
        at.op("arith.mulf", &[product, factor], ty)
    });
    op.result(0).replace_all_uses_with(quotient);
    op.erase();
}

/// The number whose broadcast a value is, or the value itself.
fn broadcast_from(mut value: Value) -> Value {
    while let Some(op) = value.defining_op().filter(|op| op.is("vector.broadcast")) {
        value = op.operand(0);
    }
    value
}

/// The factors that replace a division by a number, computed right after it.
fn factors<'c>(number: Value<'c>) -> Factors<'c> {
    let after = match number.defining_op() {
        Some(op) => op.next(),
        None => number.owner().and_then(|block| block.first_op()),
    };
    let at = Builder::before(after?, after?.location());
    let ty = number.ty();
    let element = ty.lanes().map_or(ty, |(_, element)| element);
    let bound = match element.kind() {
        TypeKind::Float(FloatKind::F32) => f64::powi(2.0, 64),
        _ => f64::powi(2.0, 512),
    };
    let constant = |value: f64| {
        let value = Attribute::float(element, value);
        at.constant(ty.lanes().map_or(value, |_| Attribute::splat(ty, value)))
    };
    let reciprocal = |of: Value<'c>| at.op("arith.divf", &[constant(1.0), of], ty);
    if constant_value(number).is_some() {
        let is_plain = constant_number(number)?.abs() >= 1.0 / bound
            && constant_number(number)?.abs() <= bound;
        return is_plain.then(|| vec![reciprocal(number)]);
    }
    let size = at.op("math.absf", &[number], ty);
    let one_of = |is_beyond: i64, limit: f64, factor: f64, other: Value<'c>| {
        let is_beyond = at.compare(is_beyond, size, constant(limit));
        at.op("arith.select", &[is_beyond, constant(factor), other], ty)
    };
    let large = one_of(float::OGT, bound, 1.0 / bound, constant(1.0));
    let scale = one_of(float::OLT, 1.0 / bound, bound, large);
    let scaled = at.op("arith.mulf", &[number, scale], ty);
    Some(vec![scale, reciprocal(scaled)])
}
