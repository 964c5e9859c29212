//! Allocation of buffers: once for the function, or in each iteration of a parallel loop.
//! [`Buffers`](super::plan::buffer::Buffers) has decided which.

use super::cursor::Cursor;
use super::plan::EmissionPlan;
use crate::dialect::loop_op::BufferView;
use crate::ir::{Attribute, Builder, Error, Op, Type, Value};

/// Replaces a buffer by `memref.alloc`.
pub(crate) fn allocate<'c>(cursor: &mut Cursor<'c>, view: &BufferView<'c>) {
    let op = view.op;
    let at = Builder::before(op, op.location());
    let (ty, dynamic) = view.allocated();
    let sizes = cursor.bounds(&dynamic, &view.sizes, 0);
    let sizes: Vec<_> = sizes.iter().map(|size| cursor.emit_index(size, at)).collect();
    let spec = at.spec("memref.alloc").operands(&sizes).segments(&[sizes.len(), 0]);
    let spec = spec.attribute("alignment", alignment(view)).results(&[ty]);
    let new = at.value(spec);
    cursor.values.insert(op.result(0), new);
}

/// Allocates the private buffers of a parallel loop; returns the values that represent them outside of the
/// loop.
pub(crate) fn private_buffers<'c>(
    plan: &EmissionPlan<'c>,
    cursor: &mut Cursor<'c>,
    parallel: Op<'c>,
    at: Builder<'c>,
) -> Result<Vec<(Value<'c>, Value<'c>)>, Error<'c>> {
    let mut outside = vec![];
    for op in plan.private.of_loop(parallel) {
        let view = BufferView::of(*op)?;
        let spec = at.spec("memref.alloca").segments(&[0, 0]);
        let spec = spec.attribute("alignment", alignment(&view));
        let new = at.value(spec.results(&[view.allocated().0]));
        let old = cursor.values.insert(op.result(0), new);
        outside.extend(old.map(|old| (op.result(0), old)));
    }
    Ok(outside)
}

/// Erases the buffers after the nests are erased; remaining uses refer to the new buffers.
pub(crate) fn erase_buffers<'c>(cursor: &Cursor<'c>, buffers: &[Op<'c>]) {
    for op in buffers {
        if let Some(new) = cursor.values.get(&op.result(0)) {
            op.result(0).replace_all_uses_with(*new);
        }
        op.erase();
    }
}

fn alignment<'c>(view: &BufferView<'c>) -> Attribute<'c> {
    // At least a cache line.
    let bytes = view.alignment.unwrap_or(64).max(64);
    Attribute::integer(Type::integer(view.op.context(), 64), bytes)
}
