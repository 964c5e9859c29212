//! Builders of single ops that the lowerings share.

use crate::ir::{Attribute, Block, Builder, OpSpec, Region, Type, Value};

/// `scf.if` with both branches; each must end in a yield.
pub(crate) fn scf_if<'c>(
    at: Builder<'c>,
    condition: Value<'c>,
    results: &[Type<'c>],
    [then_block, else_block]: [Block<'c>; 2],
) -> OpSpec<'c> {
    at.spec("scf.if")
        .operands(&[condition])
        .results(results)
        .region(Region::of(then_block))
        .region(Region::of(else_block))
}

/// `vector.reduction`.
pub(crate) fn vector_reduction<'c>(
    at: Builder<'c>,
    kind: &str,
    value: Value<'c>,
    ty: Type<'c>,
) -> Value<'c> {
    let kind = Attribute::parse(at.context(), &format!("#vector.kind<{kind}>"));
    let kind = kind.expect("the vector dialect is loaded");
    at.value(at.spec("vector.reduction").operands(&[value]).attribute("kind", kind).results(&[ty]))
}

/// Broadcasts a value to a vector.
pub(crate) fn broadcast<'c>(value: Value<'c>, lanes: usize, at: Builder<'c>) -> Value<'c> {
    match value.ty().lanes() {
        Some(_) => value,
        None => at.op("vector.broadcast", &[value], Type::vector(lanes, value.ty())),
    }
}

/// The element of a lane.
pub(crate) fn extracted<'c>(
    vector: Value<'c>,
    lane: usize,
    element: Type<'c>,
    at: Builder<'c>,
) -> Value<'c> {
    let position = Attribute::dense_i64(at.context(), &[lane as i64]);
    let spec = at.spec("vector.extract").operands(&[vector]).attribute("static_position", position);
    at.value(spec.results(&[element]))
}
