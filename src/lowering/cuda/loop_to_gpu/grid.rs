//! Grid and thread block sizes of a nest.

use crate::dialect::loop_enums::ThreadAxis;
use crate::dialect::loop_op::For;
use crate::ir::affine::Expr;
use crate::ir::{Builder, Error, Op, Value, is_defined_outside, walk};
use crate::lowering::cuda::verify_gpu_code::known_extent;
use crate::lowering::emit::cursor::Cursor;
use crate::lowering::emit::cursor::threads::ThreadExtent;

/// Sizes, indexed by axis number; `None` for an axis that no loop is bound to. Computed sizes are emitted at
/// `at`, before the launch.
pub type Dims<'c> = [Option<ThreadExtent<'c>>; 6];

/// The sizes of a nest. (C7)
pub fn of<'c>(
    cursor: &mut Cursor<'c>,
    nest: Op<'c>,
    at: Builder<'c>,
) -> Result<Dims<'c>, Error<'c>> {
    let mut dims: Dims = [None; 6];
    for op in walk(nest).into_iter().filter(|op| op.is(For::NAME)) {
        let view = For::of(op)?;
        let Some(axis) = view.thread.filter(|axis| *axis != ThreadAxis::VThread) else { continue };
        let dim = dim_of(cursor, nest, &view, axis, at)?;
        let place = &mut dims[axis as usize];
        *place = Some(match *place {
            None => dim,
            Some(other) => larger(other, dim, at),
        });
    }
    // A grid has at least one block.
    for dim in dims.iter_mut().flatten() {
        if let ThreadExtent::Computed(value) = dim {
            *value = at.op("arith.maxsi", &[*value, at.index(1)], value.ty());
        }
    }
    Ok(dims)
}

fn dim_of<'c>(
    cursor: &mut Cursor<'c>,
    nest: Op<'c>,
    view: &For<'c>,
    axis: ThreadAxis,
    at: Builder<'c>,
) -> Result<ThreadExtent<'c>, Error<'c>> {
    if let Some(n) = known_extent(view, axis) {
        return Ok(ThreadExtent::Known(n.max(1)));
    }
    let is_outside = |value: Value<'c>| is_defined_outside(value, nest);
    let is_before = |expr: &&Expr| {
        let mut is_before = true;
        expr.visit_leaves(&mut |leaf| {
            is_before &= match leaf {
                Expr::Dim(i) => is_outside(view.operands[*i]),
                Expr::Symbol(i) => is_outside(view.operands[view.extent.dims + *i]),
                _ => true,
            };
        });
        is_before
    };
    let before: Vec<Expr> = view.extent.results.iter().filter(is_before).cloned().collect();
    if before.is_empty() {
        let message = format!(
            "\"{}\" is bound to {axis} and its extent depends on enclosing loops, expected an extent \
             that is known before the launch (C7)",
            view.name
        );
        return Err(Error::on(view.op, message));
    }
    // Operands that these results do not use are defined inside the nest.
    let operands: Vec<Value> = view
        .operands
        .iter()
        .map(|value| if is_outside(*value) { *value } else { at.index(0) })
        .collect();
    let bounds = cursor.bounds(&before, &operands, view.extent.dims);
    Ok(ThreadExtent::Computed(cursor.emit_minimum(&bounds, at)))
}

fn larger<'c>(a: ThreadExtent<'c>, b: ThreadExtent<'c>, at: Builder<'c>) -> ThreadExtent<'c> {
    if let (ThreadExtent::Known(a), ThreadExtent::Known(b)) = (a, b) {
        return ThreadExtent::Known(a.max(b));
    }
    let [a, b] = [a, b].map(|dim| dim.value(at));
    ThreadExtent::Computed(at.op("arith.maxsi", &[a, b], a.ty()))
}

impl<'c> ThreadExtent<'c> {
    /// The size as an index value.
    pub fn value(self, at: Builder<'c>) -> Value<'c> {
        match self {
            ThreadExtent::Known(n) => at.index(n),
            ThreadExtent::Computed(value) => value,
        }
    }
}
