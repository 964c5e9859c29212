//! The definitions of `graph.quantize` and `graph.dequantize`.

use super::super::linalg_builder::{element_of, sizes_of};
use super::builder::{Read, map_elements};
use super::scalar::Scalars;
use crate::ir::{Attribute, Builder, Op, Type, Value};

/// The elements, and the scale and zero point of each.
fn reads<'c>(op: Op<'c>) -> [Read<'c>; 3] {
    let [x, scale, zero_point] = op.operands()[..] else { unreachable!("ODS demands three") };
    // Without a dimension, they have rank 0.
    let dim = op.attribute("dim").and_then(Attribute::as_i64).map(|dim| dim as usize);
    [Read::same(x), Read::at(scale, dim), Read::at(zero_point, dim)]
}

pub(super) fn quantize<'c>(b: &Builder<'c>, op: Op<'c>) -> Value<'c> {
    let is_unsigned = op.attribute("is_unsigned").is_some();
    let to = element_of(op.result(0));
    map_elements(b, op.result(0).ty(), &sizes_of(op.operand(0)), &reads(op), |s, v| {
        let quotient = s.div(s.widened(v[0]), s.widened(v[1]));
        let rounded = s.op("math.roundeven", &[quotient]);
        let sum = s.add(rounded, s.cast(v[2], rounded.ty(), is_unsigned));
        s.cast(sum, to, is_unsigned)
    })
}

pub(super) fn dequantize<'c>(b: &Builder<'c>, op: Op<'c>) -> Value<'c> {
    let is_unsigned = op.attribute("is_unsigned").is_some();
    let to = element_of(op.result(0));
    map_elements(b, op.result(0).ty(), &sizes_of(op.operand(0)), &reads(op), |s, v| {
        let [x, zero_point] = [v[0], v[2]].map(|number| lengthened(s, number, is_unsigned));
        let scale = s.widened(v[1]);
        s.cast(s.mul(s.cast(s.sub(x, zero_point), scale.ty(), false), scale), to, false)
    })
}

/// The integer in a type that holds all differences.
fn lengthened<'c>(s: &Scalars<'_, 'c>, x: Value<'c>, is_unsigned: bool) -> Value<'c> {
    let bits = if x.ty().integer_bits() == Some(32) { 64 } else { 32 };
    s.cast(x, Type::integer(x.ty().context(), bits), is_unsigned)
}
