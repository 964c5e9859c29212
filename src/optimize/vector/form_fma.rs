//! `form-fma`: replace a product and a sum by one fused multiply-add, if the function's floating-point contract permits
//! it.
//!
//! ```text
//! %p = arith.mulf %a, %b   %s = arith.addf %p, %c   ->   %s = math.fma %a, %b, %c
//! %p = arith.mulf %a, %b   %s = arith.subf %p, %c   ->   %s = math.fma %a, %b, (arith.negf %c)
//! %p = arith.mulf %a, %b   %s = arith.subf %c, %p   ->   %s = math.fma (arith.negf %a), %b, %c
//! ```
//! Applies to scalars and vectors of f32 and f64 whose product has one use, in functions with the attribute
//! `loop.fp = "fast"`. No other pass contracts products and sums, and neither does code generation.

use crate::dialect::contract::Contract;
use crate::ir::{Builder, Error, Op, Value, is_f32_or_f64, walk};

/// Forms the fused ops of a function.
///
/// # Errors
/// If the contract is none of `strict`, `reassoc` and `fast`.
pub fn run<'c>(function: Op<'c>) -> Result<(), Error<'c>> {
    if Contract::of(function)? == Contract::Fast {
        walk(function).into_iter().for_each(fuse);
    }
    Ok(())
}

fn fuse<'c>(op: Op<'c>) {
    let is_sum = op.is("arith.addf");
    if !is_sum && !op.is("arith.subf") || !is_f32_or_f64(op.result(0).ty()) {
        return;
    }
    let operands = op.operands();
    let product = |i: usize| product_used_once(operands[i]).map(|factors| (i, factors));
    let Some((i, (product, [a, b]))) = product(0).or_else(|| product(1)) else { return };
    let build = Builder::before(op, op.location());
    let negated = |value: Value<'c>| build.op("arith.negf", &[value], value.ty());
    let rest = operands[1 - i];
    let (a, rest) = match (is_sum, i) {
        (true, _) => (a, rest),
        (false, 0) => (a, negated(rest)),
        (false, _) => (negated(a), rest),
    };
    let fused = build.op("math.fma", &[a, b, rest], op.result(0).ty());
    op.result(0).replace_all_uses_with(fused);
    op.erase();
    product.erase();
}

/// The multiplication that defines a value and its factors, if the value has one use.
fn product_used_once<'c>(value: Value<'c>) -> Option<(Op<'c>, [Value<'c>; 2])> {
    let op = value.defining_op().filter(|op| op.is("arith.mulf"))?;
    let [a, b] = op.operands()[..] else { return None };
    (value.uses().len() == 1).then_some((op, [a, b]))
}
