//! Loops of any kind: the choice of how the iterations of a loop run.

use super::bound::bound_loop;
use super::counted_loop::{counted_loop, starts_parallel};
use super::cursor::loops::SizedLoop;
use super::cursor::{Cursor, EmitBody};
use super::plan::EmissionPlan;
use super::vector::vector_loop;
use crate::dialect::loop_enums::{LoopKind, ThreadAxis};
use crate::dialect::loop_op::For;
use crate::ir::{Builder, Error};

/// The most copies of a body that nested unrolled loops may make; beyond it, a loop is not unrolled.
pub const MAX_COPIES: i64 = 1024;

/// Lowers a loop of any kind; `body` emits its body.
pub(crate) fn any_loop<'c>(
    plan: &EmissionPlan<'c>,
    cursor: &mut Cursor<'c>,
    view: &For<'c>,
    at: Builder<'c>,
    body: EmitBody<'_, 'c>,
) -> Result<(), Error<'c>> {
    let this = SizedLoop::new(view, cursor);
    if cursor.threads.is_some() && view.thread.is_some_and(|axis| axis != ThreadAxis::VThread) {
        return bound_loop(plan, cursor, &this, at, body);
    }
    match (view.kind, this.constant()) {
        (_, Some(extent)) if extent <= 0 => Ok(()),
        (_, Some(1)) if !starts_parallel(cursor, view) => {
            cursor.indices.insert(view.variable(), 0.into());
            body(cursor, at)
        }
        (LoopKind::Vectorize, _) => vector_loop(plan, cursor, &this, at, body),
        (LoopKind::Unroll, Some(extent)) if cursor.copies.saturating_mul(extent) <= MAX_COPIES => {
            cursor.copies *= extent;
            for i in 0..extent {
                cursor.indices.insert(view.variable(), i.into());
                body(cursor, at)?;
            }
            cursor.copies /= extent;
            Ok(())
        }
        (LoopKind::Unroll, constant) => {
            let why = match constant {
                Some(extent) => {
                    let copies = cursor.copies.saturating_mul(extent);
                    format!("{copies} copies, expected at most {MAX_COPIES}")
                }
                None => "its extent is not constant".into(),
            };
            cursor.remark_once(view.op, &format!("not unrolled: {why}"));
            counted_loop(plan, cursor, &this, at, body)
        }
        _ => counted_loop(plan, cursor, &this, at, body),
    }
}
