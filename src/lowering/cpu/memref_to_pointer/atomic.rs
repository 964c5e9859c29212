//! `memref.atomic_rmw`: one instruction for integers if x86 has one, else a [loop](compare_exchange).

use crate::ir::{Attribute, Builder, Op, Value};
use crate::lowering::cpu::compare_exchange;
use crate::lowering::cpu::compare_exchange::{ConcurrentThreads, MONOTONIC, number};

/// The arith op that combines the old and the new value, by the number of MLIR's `AtomicRMWKind`; and LLVM's
/// `AtomicBinOp` if it is one for integers, or for any value.
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

/// Inserts the update of the element at `address` before an op; returns the old element.
pub(crate) fn update<'c>(op: Op<'c>, address: Value<'c>, at: Builder<'c>) -> Value<'c> {
    let kind = op.attribute("kind").and_then(Attribute::as_i64).unwrap_or_default() as usize;
    let (name, instruction) = KINDS[kind];
    let value = op.operand(0);
    match instruction {
        Some(instruction) => {
            let spec = at.spec("llvm.atomicrmw").operands(&[address, value]);
            let spec = spec.attribute("bin_op", number(at, instruction));
            at.value(spec.attribute("ordering", number(at, MONOTONIC)).results(&[value.ty()]))
        }
        None => compare_exchange::update(name, value, address, ConcurrentThreads::Process, at),
    }
}
