//! Atomic updates of schedule blocks whose concurrent iterations update one element: see
//! [`atomic`](crate::schedule::legality::atomic).

use super::emitter::Emitter;
use crate::dialect::loop_enums::Combiner;
use crate::dialect::loop_op::ScheduleBlock;
use crate::dialect::reducer::update::Update;
use crate::ir::{Attribute, Builder, Op, Type, TypeKind, Value};
use crate::schedule::State;
use crate::schedule::legality::atomic::meets;

/// The updates of a function that must be atomic.
#[derive(Default)]
pub(crate) struct Atomics<'c> {
    updates: Vec<Update<'c>>,
}

impl<'c> Atomics<'c> {
    pub fn plan(state: &State<'c>) -> Self {
        let summary = state.summary();
        let blocks = summary.blocks().filter(|(id, _)| meets(summary, *id));
        let views = blocks.filter_map(|(id, _)| ScheduleBlock::of(state.op(id)).ok());
        let updates = views.flat_map(|view| Update::atomic(&view));
        Atomics { updates: updates.collect() }
    }

    /// The update that ends with this store.
    pub fn of_store(&self, op: Op<'c>) -> Option<&Update<'c>> {
        self.updates.iter().find(|update| update.store == op)
    }

    /// True if the op is part of an update, but not its final store.
    pub fn holds(&self, op: Op<'c>) -> bool {
        self.updates.iter().any(|update| update.ops.contains(&op))
    }
}

impl<'c> Emitter<'c> {
    /// The value that an update combines with the element, in its memory representation.
    pub fn joined_value(&mut self, update: &Update<'c>, at: Builder<'c>) -> Value<'c> {
        let value = self.value_of(update.value, at);
        let element = update.store.operands()[0].ty();
        match update.value.ty() == element {
            true => value,
            // A boolean.
            false => {
                let ty = value.ty().lanes().map_or(element, |(n, _)| Type::vector(n, element));
                at.op("arith.extui", &[value], ty)
            }
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
