//! `simplify-maxnum`: a maximum of two numbers, one of which is never NaN, becomes a comparison and a selection.
//!
//! ```text
//! %r = scf.for .. iter_args(%m = %low) {                %r = scf.for .. iter_args(%m = %low) {
//!   %n = arith.maxnumf %x, %m                    ->       %g = arith.cmpf ogt, %x, %m    %n = arith.select %g, %x, %m
//!   scf.yield %n                                          scf.yield %n
//! }                                                     }
//! %t = vector.reduction <maxnumf>, %r                   %t = vector.reduction <maxnumf>, %r fastmath<nnan>
//! ```
//! The same for minima. If `%x` is NaN, the comparison is false, and the result is `%m`, as that of `maxnumf`. Of two zeros
//! `maxnumf` may give any. The comparison and the selection are one instruction of x86 (`maxps`), where `maxnumf` needs three.
//!
//! Applies to f32 and f64, scalars and vectors. Never NaN are constants that are not, results of `maxnumf` and `minnumf` with
//! an operand that is never NaN, and what loops, branches, selections and broadcasts make of numbers that are never NaN.

use crate::ir::{
    Attribute, Builder, Op, TypeKind, Value, constant_value, is_f32_or_f64, predicate::float, walk,
};
use std::collections::HashSet;

/// Changes the maxima and minima of a function.
pub fn run(function: Op) {
    let ops = walk(function);
    let is_bound = |op: &Op| matches!(op.name(), "arith.maxnumf" | "arith.minnumf");
    if !ops.iter().any(is_bound) {
        return;
    }
    let mut never = never_nan(&ops);
    for op in ops {
        match op.name() {
            "arith.maxnumf" | "arith.minnumf" if is_f32_or_f64(op.result(0).ty()) => {
                select(op, &mut never);
            }
            "vector.reduction" => assume_no_nan(op, &never),
            _ => {}
        }
    }
}

/// The numbers that are never NaN.
fn never_nan<'c>(ops: &[Op<'c>]) -> HashSet<Value<'c>> {
    // A loop carries a number that is never NaN if it is so in each iteration under the assumption that it is before it. So
    // all values are assumed to be numbers, until one of them is not known to be.
    let candidates = |op: &Op<'c>| match op.name() {
        "scf.for" => [op.results(), carried(*op)].concat(),
        _ => op.results(),
    };
    let is_float = |value: &Value| is_f32_or_f64(value.ty());
    let mut never: HashSet<Value> = ops.iter().flat_map(candidates).filter(is_float).collect();
    let mut count = never.len() + 1;
    while never.len() < count {
        count = never.len();
        for op in ops {
            let known = results(*op, &never);
            for (result, is_number) in op.results().into_iter().zip(&known) {
                if !is_number {
                    never.remove(&result);
                    if op.is("scf.for") {
                        let place = op.results().iter().position(|it| *it == result);
                        never.remove(&carried(*op)[place.expect("it is a result")]);
                    }
                }
            }
        }
    }
    never
}

/// The values that a loop carries, in its body.
fn carried<'c>(op: Op<'c>) -> Vec<Value<'c>> {
    let arguments = op.body(0).map(|body| body.arguments()).unwrap_or_default();
    arguments.into_iter().skip(1).collect()
}

/// For each result of an op, if it is never NaN when these values are not.
fn results<'c>(op: Op<'c>, never: &HashSet<Value<'c>>) -> Vec<bool> {
    let operands = op.operands();
    let is_number = |value: &Value<'c>| never.contains(value);
    let yields = |i: usize| {
        let blocks = op.regions().into_iter().flat_map(|region| region.blocks());
        blocks.filter_map(|block| block.terminator()).all(|end| is_number(&end.operand(i)))
    };
    match op.name() {
        "arith.constant" => vec![constant_value(op.result(0)).is_some_and(is_no_nan)],
        "arith.maxnumf" | "arith.minnumf" => vec![operands.iter().any(is_number)],
        "arith.select" => vec![operands[1..].iter().all(is_number)],
        "vector.broadcast" => vec![is_number(&operands[0])],
        "vector.reduction" if is_bound_of_lanes(op) => vec![operands.iter().any(is_number)],
        "scf.for" => {
            (0..op.results().len()).map(|i| is_number(&operands[i + 3]) && yields(i)).collect()
        }
        "scf.if" => (0..op.results().len()).map(yields).collect(),
        _ => vec![false; op.results().len()],
    }
}

/// True for a constant number, or a vector of equal ones.
fn is_no_nan(constant: Attribute) -> bool {
    let of_lanes = |bits: u64| match constant.ty().lanes().map(|(_, element)| element.kind()) {
        Some(TypeKind::Float(kind)) => kind.with_bits(bits).is_some_and(|number| !number.is_nan()),
        _ => false,
    };
    match (constant.as_f64(), constant.as_elements()) {
        (Some(number), _) => !number.is_nan(),
        (None, Some(lanes)) => (0..lanes.len()).all(|i| of_lanes(lanes.bits(i))),
        (None, None) => false,
    }
}

fn select<'c>(op: Op<'c>, never: &mut HashSet<Value<'c>>) {
    let [x, y] = [op.operand(0), op.operand(1)];
    let (other, number) = match [x, y].map(|value| never.contains(&value)) {
        [_, true] => (x, y),
        [true, _] => (y, x),
        _ => return,
    };
    let at = Builder::before(op, op.location());
    let predicate = if op.is("arith.maxnumf") { float::OGT } else { float::OLT };
    let is_beyond = at.compare(predicate, other, number);
    let new = at.op("arith.select", &[is_beyond, other, number], other.ty());
    never.insert(new);
    op.result(0).replace_all_uses_with(new);
    op.erase();
}

/// True for the maximum or minimum of the lanes of a vector.
fn is_bound_of_lanes(op: Op) -> bool {
    let kind = op.attribute("kind").map(|kind| kind.to_string()).unwrap_or_default();
    kind.contains("maxnumf") || kind.contains("minnumf")
}

fn assume_no_nan<'c>(op: Op<'c>, never: &HashSet<Value<'c>>) {
    if is_bound_of_lanes(op) && op.operands().iter().all(|value| never.contains(value)) {
        let flags = Attribute::parse(op.context(), "#arith.fastmath<nnan>");
        op.set_attribute("fastmath", flags.expect("the arith dialect is loaded"));
    }
}
