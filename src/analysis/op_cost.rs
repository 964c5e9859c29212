//! What one op and one element count: operations and bytes; and which values are cheaper to compute again than to store.

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

/// True if an op computes a value other than an index.
pub fn is_arithmetic(op: Op) -> bool {
    let name = op.name();
    let is_of_dialect = name.starts_with("arith.") || name.starts_with("math.");
    is_of_dialect && name != "arith.constant" && !op.result(0).ty().is_index()
}

/// True if an op is a math function that expands to many instructions.
pub fn is_function(op: Op) -> bool {
    let is_short = |name: &str| {
        matches!(
            name,
            "absf" | "absi" | "fma" | "sqrt" | "rsqrt" | "floor" | "ceil" | "clampf" | "copysign"
        )
    };
    op.name().strip_prefix("math.").is_some_and(|name| !is_short(name))
}

/// True if an op extends a value to a wider type.
pub fn widens(op: Op) -> bool {
    matches!(op.name(), "arith.extf" | "arith.extsi" | "arith.extui")
}

/// A value of at most so many operations costs less to compute again than to store and load, for each of several readers.
pub const FEW_OPERATIONS: usize = 3;

/// A value is computed at most so many times instead of stored, so that code does not grow without a limit along a chain
/// of values that are read at several indices.
pub const MOST_COPIES: usize = 8;

/// The bytes of an element in memory. Booleans are bytes there: the dialect refuses elements of less than a byte.
pub fn bytes_of(element: Type) -> u64 {
    match element.kind() {
        TypeKind::Integer(bits) => u64::from(bits.div_ceil(8)),
        TypeKind::Float(FloatKind::F16 | FloatKind::BF16) => 2,
        TypeKind::Float(FloatKind::F32) => 4,
        _ => 8,
    }
}
