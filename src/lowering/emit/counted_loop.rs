//! Loops that stay loops: `scf.for` and `scf.parallel`.

use super::buffer::private_buffers;
use super::cursor::loops::SizedLoop;
use super::cursor::{Cursor, EmitBody};
use super::plan::EmissionPlan;
use super::plan::parallel::runs_parallel;
use crate::dialect::loop_op::For;
use crate::ir::{Builder, Error};

/// True if the loop is parallel and not nested in a parallel loop.
pub(crate) fn starts_parallel(cursor: &Cursor, view: &For) -> bool {
    runs_parallel(view) && !cursor.is_parallel && cursor.lane.is_none() && cursor.threads.is_none()
}

/// Emits `scf.for` or `scf.parallel`.
pub(crate) fn counted_loop<'c>(
    plan: &EmissionPlan<'c>,
    cursor: &mut Cursor<'c>,
    this: &SizedLoop<'_, 'c>,
    at: Builder<'c>,
    body: EmitBody<'_, 'c>,
) -> Result<(), Error<'c>> {
    let view = this.view;
    let is_parallel = starts_parallel(cursor, view);
    let upper = cursor.emit_minimum(&this.extent, at);
    let range = this.least().map(|extent| (0, extent.max(1) - 1));
    let (variable, inner) = cursor.open_loop(range, at);
    cursor.indices.insert(view.variable(), variable);
    let diverges = cursor.enter_if_divergent(&this.extent);
    if is_parallel {
        cursor.is_parallel = true;
        let outside = private_buffers(plan, cursor, view.op, inner)?;
        body(cursor, inner)?;
        cursor.values.extend(outside);
        cursor.is_parallel = false;
    } else {
        body(cursor, inner)?;
    }
    cursor.leave_if_divergent(diverges);
    cursor.close_loop(upper, is_parallel, inner, at);
    Ok(())
}
