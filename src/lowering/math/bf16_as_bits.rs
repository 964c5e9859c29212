//! `bf16-as-bits`: represent bf16 values as 16-bit integers.
//!
//! ```text
//! %x = llvm.load %p : !llvm.ptr -> vector<33xbf16>
//! llvm.store %x, %q : vector<33xbf16>, !llvm.ptr
//!   ->
//! %x = llvm.load %p : !llvm.ptr -> vector<33xi16>
//! llvm.store %x, %q : vector<33xi16>, !llvm.ptr
//! ```
//! After `expand-small-floats` no op computes in bf16: values are only loaded, moved, selected and stored. On a
//! processor with bf16 instructions, LLVM 22 cannot select code for some of these ops and aborts the process
//! ("Do not know how to soft promote this operator's operand", if the number of lanes is not a power of two).
//! It selects code for all of them on integers, with the same instructions.
//!
//! Ops that only move values get the integer type. Other ops with bf16 operands or results are wrapped in
//! `arith.bitcast`. This includes constants, whose bits `canonicalize` then folds. The signatures of functions
//! without a body do not change.

use crate::ir::{
    Attribute, Block, Builder, FloatKind, Op, Region, Type, TypeKind, Value, callee, walk,
};
use crate::lowering::symbol;

/// Ops that move values without interpreting them, by the prefix of their names.
const MOVES: &[&str] = &[
    "arith.select",
    "cf.",
    "func.call",
    "func.func",
    "func.return",
    "llvm.intr.masked.",
    "llvm.load",
    "llvm.mlir.poison",
    "llvm.mlir.undef",
    "llvm.mlir.zero",
    "llvm.store",
    "scf.",
    "ub.poison",
    "vector.broadcast",
    "vector.deinterleave",
    "vector.extract",
    "vector.from_elements",
    "vector.insert",
    "vector.interleave",
    "vector.shape_cast",
    "vector.shuffle",
    "vector.to_elements",
    "vector.transpose",
];

/// Converts the ops nested in `root`.
pub fn convert(root: Op) {
    let ops = walk(root);
    let is_bf16 = |value: Value| bits(value.ty()).is_some();
    if !ops.iter().any(|op| defined_in(*op).any(is_bf16)) {
        return;
    }
    let declared: Vec<&str> = ops
        .iter()
        .filter(|op| op.is("func.func") && op.body(0).is_none())
        .map(|op| symbol(*op))
        .collect();
    let (movers, others): (Vec<Op>, Vec<Op>) =
        ops.into_iter().partition(|op| moves(*op, &declared));
    // Collect all bf16 operands and results before the types change.
    let taken: Vec<(Op, usize)> = others.iter().flat_map(|op| bf16_operands(*op)).collect();
    let given: Vec<Value> = others.iter().flat_map(|op| op.results()).collect();
    let used: Vec<(Value, Vec<(Op, usize)>)> = given
        .into_iter()
        .filter(|value| bits(value.ty()).is_some())
        .map(|value| (value, value.uses()))
        .collect();
    for op in movers.iter().copied() {
        defined_in(op).for_each(retype);
        if op.is("func.func") {
            retype_signature(op);
        }
    }
    for (op, i) in taken {
        let value = op.operand(i);
        let Some(ty) = number(value.ty()) else { continue };
        let at = Builder::before(op, op.location());
        op.set_operand(i, at.op("arith.bitcast", &[value], ty));
    }
    for (value, uses) in used {
        let (Some(ty), Some(op)) = (bits(value.ty()), value.defining_op()) else { continue };
        let uses = uses.into_iter().filter(|(user, _)| moves(*user, &declared));
        let uses: Vec<_> = uses.collect();
        let Some(next) = op.next().filter(|_| !uses.is_empty()) else { continue };
        let held = Builder::before(next, op.location()).op("arith.bitcast", &[value], ty);
        uses.into_iter().for_each(|(user, i)| user.set_operand(i, held));
    }
}

/// The results of an op, and the arguments of its blocks.
fn defined_in<'c>(op: Op<'c>) -> impl Iterator<Item = Value<'c>> {
    let blocks = op.regions().into_iter().flat_map(Region::blocks);
    op.results().into_iter().chain(blocks.flat_map(Block::arguments))
}

/// True if an op only moves values, so that it can move their bits. False for declarations and calls of
/// declared functions.
fn moves(op: Op, declared: &[&str]) -> bool {
    let is_declared = match op.name() {
        "func.func" => declared.contains(&symbol(op)),
        "func.call" => callee(op).is_some_and(|name| declared.contains(&name)),
        _ => false,
    };
    !is_declared && MOVES.iter().any(|name| op.name().starts_with(name))
}

fn bf16_operands<'c>(op: Op<'c>) -> impl Iterator<Item = (Op<'c>, usize)> {
    let operands = op.operands().into_iter().enumerate();
    operands.filter(|(_, value)| bits(value.ty()).is_some()).map(move |(i, _)| (op, i))
}

/// The integer type that holds the bits of a bf16, or of a vector of bf16.
fn bits<'c>(ty: Type<'c>) -> Option<Type<'c>> {
    let to = Type::integer(ty.context(), 16);
    exchanged(ty, TypeKind::Float(FloatKind::BF16), to)
}

/// The bf16 type whose bits an integer type holds.
fn number<'c>(ty: Type<'c>) -> Option<Type<'c>> {
    exchanged(ty, TypeKind::Integer(16), Type::float(ty.context(), FloatKind::BF16))
}

/// A scalar or vector type with element type `to` in place of `from`.
fn exchanged<'c>(ty: Type<'c>, from: TypeKind, to: Type<'c>) -> Option<Type<'c>> {
    match ty.elements() {
        None => (ty.kind() == from).then_some(to),
        Some(element) => (element.kind() == from).then(|| ty.with_elements(to)).flatten(),
    }
}

fn retype(value: Value) {
    if let Some(bits) = bits(value.ty()) {
        value.set_type(bits);
    }
}

fn retype_signature(function: Op) {
    let Some(ty) = function.attribute("function_type").and_then(Attribute::as_type) else { return };
    let Some((inputs, results)) = ty.signature() else { return };
    let retyped =
        |types: Vec<_>| -> Vec<_> { types.into_iter().map(|ty| bits(ty).unwrap_or(ty)).collect() };
    let ty = Type::function(function.context(), &retyped(inputs), &retyped(results));
    function.set_attribute("function_type", ty.to_attribute());
}
