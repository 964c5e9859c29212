//! What one op and one element count: operations and bytes.

use crate::ir::{FloatKind, Op, Type, TypeKind};

/// The operations of an op: one for an op of `arith` or `math`, two for a fused multiply-add. Constants, selections
/// and index arithmetic do not count; index arithmetic is each op that has an index as an operand or result.
pub fn operations(op: Op) -> u64 {
    match op.name() {
        "arith.constant" | "arith.select" => 0,
        "math.fma" => 2,
        name if name.starts_with("arith.") || name.starts_with("math.") => {
            let mut values = op.operands().into_iter().chain(op.results());
            u64::from(!values.any(|value| value.ty().is_index()))
        }
        _ => 0,
    }
}

/// The bytes of an element in memory. Booleans are bytes there: the dialect refuses elements of less than a byte.
pub fn bytes_of(element: Type) -> u64 {
    match element.kind() {
        TypeKind::Integer(bits) => u64::from(bits.div_ceil(8)),
        TypeKind::Float(FloatKind::F16 | FloatKind::BF16) => 2,
        TypeKind::Float(FloatKind::F32) => 4,
        _ => 8,
    }
}
