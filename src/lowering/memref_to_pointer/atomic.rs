//! `memref.atomic_rmw`: one instruction for integers where x86 has it, else a loop of compare and exchange.
//!
//! ```text
//! %first = llvm.load %p atomic monotonic : i32
//! scf.while (%bits = %first) {
//!   %new = bitcast(arith.addf bitcast(%bits), %x) : i32
//!   %found, %done = llvm.cmpxchg %p, %bits, %new monotonic monotonic
//!   scf.condition(not %done) %found
//! } do { scf.yield }
//! ```
//! LLVM would make the same loop of `atomicrmw fadd`, but one that rounds bf16 otherwise than
//! `expand-small-floats` does, and it has no product. Updates order nothing but each other: `monotonic`.

use super::buffer::element_bytes;
use crate::ir::{Attribute, Block, Builder, Op, Region, Type, Value};

/// LLVM's `AtomicOrdering` of that name.
const MONOTONIC: i64 = 2;

/// What an update does with the old value and the new one, by the number of MLIR's `AtomicRMWKind`: the op of `arith`,
/// and LLVM's `AtomicBinOp` where that is for integers, or any value.
const KINDS: &[(&str, Option<i64>)] = &[
    ("arith.addf", None),
    ("arith.addi", Some(1)),
    ("arith.andi", Some(3)),
    ("", Some(0)),
    ("arith.maximumf", None),
    ("arith.maxnumf", None),
    ("arith.maxsi", Some(7)),
    ("arith.maxui", Some(9)),
    ("arith.minimumf", None),
    ("arith.minnumf", None),
    ("arith.minsi", Some(8)),
    ("arith.minui", Some(10)),
    ("arith.mulf", None),
    ("arith.muli", None),
    ("arith.ori", Some(5)),
    ("arith.xori", Some(6)),
];

/// Puts the update of the cell at `address` before an op; gives the old value.
pub(super) fn update<'c>(op: Op<'c>, address: Value<'c>, at: Builder<'c>) -> Value<'c> {
    let kind = op.attribute("kind").and_then(Attribute::as_i64).unwrap_or_default() as usize;
    let (name, instruction) = KINDS[kind];
    let value = op.operands()[0];
    match instruction {
        Some(instruction) => {
            let spec = at.spec("llvm.atomicrmw").operands(&[address, value]);
            let spec = spec.attribute("bin_op", number(at, instruction));
            at.value(spec.attribute("ordering", number(at, MONOTONIC)).results(&[value.ty()]))
        }
        None => exchange(name, value, address, at),
    }
}

fn exchange<'c>(name: &str, value: Value<'c>, address: Value<'c>, at: Builder<'c>) -> Value<'c> {
    let element = value.ty();
    let bytes = element_bytes(element).expect("elements were checked (C2)");
    let bits = Type::integer(at.context(), 8 * bytes as u32);
    let cast = |value: Value<'c>, ty: Type<'c>, at: Builder<'c>| {
        if value.ty() == ty { value } else { at.op("arith.bitcast", &[value], ty) }
    };
    let load = at.spec("llvm.load").operands(&[address]).results(&[bits]);
    let load = load.attribute("ordering", number(at, MONOTONIC));
    let first = at.value(load.attribute("alignment", number(at, bytes)));

    let (before, after) =
        (Block::new(&[(bits, at.location())]), Block::new(&[(bits, at.location())]));
    let inner = Builder::at_end(before, at.location());
    let old = before.arguments()[0];
    let new = inner.op(name, &[cast(old, element, inner), value], element);
    let bit = Type::integer(at.context(), 1);
    let pair = Type::llvm_struct(at.context(), &[bits, bit]);
    let spec = inner.spec("llvm.cmpxchg").operands(&[address, old, cast(new, bits, inner)]);
    let spec = spec.attribute("success_ordering", number(at, MONOTONIC));
    let pair =
        inner.value(spec.attribute("failure_ordering", number(at, MONOTONIC)).results(&[pair]));
    let part = |i: i64, ty| {
        let position = Attribute::dense_i64(inner.context(), &[i]);
        let spec = inner.spec("llvm.extractvalue").operands(&[pair]);
        inner.value(spec.attribute("position", position).results(&[ty]))
    };
    let (found, done) = (part(0, bits), part(1, bit));
    let yes = inner.number(bit, 1);
    let again = inner.op("arith.xori", &[done, yes], bit);
    inner.insert(inner.spec("scf.condition").operands(&[again, found]));
    let end = Builder::at_end(after, at.location());
    end.insert(end.spec("scf.yield").operands(&after.arguments()));

    let spec = at.spec("scf.while").operands(&[first]).results(&[bits]);
    let found = at.value(spec.region(Region::of(before)).region(Region::of(after)));
    cast(found, element, at)
}

fn number(at: Builder<'_>, value: i64) -> Attribute<'_> {
    Attribute::integer(Type::integer(at.context(), 64), value)
}
