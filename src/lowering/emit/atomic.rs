//! Emission of atomic updates.

use super::cursor::Cursor;
use crate::dialect::loop_enums::Combiner;
use crate::dialect::reducer::update::Update;
use crate::ir::{Attribute, Builder, Type, TypeKind, Value};

/// The value that an update combines with the element, in its memory representation.
pub(crate) fn joined_value<'c>(
    cursor: &mut Cursor<'c>,
    update: &Update<'c>,
    at: Builder<'c>,
) -> Value<'c> {
    let value = cursor.value_of(update.value, at);
    let element = update.store.operand(0).ty();
    match update.value.ty() == element {
        true => value,
        // A boolean.
        false => {
            let ty = value.ty().lanes().map_or(element, |(n, _)| Type::vector(n, element));
            at.op("arith.extui", &[value], ty)
        }
    }
}

/// Atomically combines a value with an element.
pub(crate) fn update<'c>(
    combiner: Combiner,
    value: Value<'c>,
    buffer: Value<'c>,
    indices: &[Value<'c>],
    at: Builder<'c>,
) {
    let mut operands = vec![value, buffer];
    operands.extend(indices);
    let kind = Attribute::integer(Type::integer(at.context(), 64), kind(combiner, value.ty()));
    let spec = at.spec("memref.atomic_rmw").operands(&operands).attribute("kind", kind);
    at.insert(spec.results(&[value.ty()]));
}

/// The number of MLIR's `AtomicRMWKind`.
fn kind(combiner: Combiner, ty: Type) -> i64 {
    let is_float = matches!(ty.kind(), TypeKind::Float(_));
    match combiner {
        Combiner::Add if is_float => 0,
        Combiner::Add => 1,
        Combiner::And => 2,
        Combiner::Max if is_float => 4,
        Combiner::MaxNum => 5,
        Combiner::Max => 6,
        Combiner::MaxU => 7,
        Combiner::Min if is_float => 8,
        Combiner::MinNum => 9,
        Combiner::Min => 10,
        Combiner::MinU => 11,
        Combiner::Mul if is_float => 12,
        Combiner::Mul => 13,
        Combiner::Or => 14,
        Combiner::Xor => 15,
        Combiner::Ordered | Combiner::ArgMax | Combiner::ArgMin | Combiner::Welford => {
            unreachable!("these do not update single cells")
        }
    }
}
