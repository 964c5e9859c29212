//! Nests: loops, schedule blocks, and the branches between them.

use super::any_loop::any_loop;
use super::bound::barrier;
use super::collective::emit_collective;
use super::cursor::Cursor;
use super::init::{hoisted_inits, is_first};
use super::intrinsic::emit_intrinsic;
use super::leaf::{emit_init, emit_leaf};
use super::plan::EmissionPlan;
use super::prefetch::{self, emit_prefetches, prefetches_of};
use crate::dialect::annotation::{self, ASYNC_COPY, NONTEMPORAL};
use crate::dialect::loop_op::{For, If, ScheduleBlock};
use crate::dialect::reducer::update::ATOMIC;
use crate::ir::{Attribute, Builder, Error, Op};
use crate::machine::intrinsic::ANNOTATION;

/// Lowers loops, schedule blocks and the branches between them.
pub(crate) fn emit_nest<'c>(
    plan: &EmissionPlan<'c>,
    cursor: &mut Cursor<'c>,
    ops: Vec<Op<'c>>,
    at: Builder<'c>,
) -> Result<(), Error<'c>> {
    for op in ops {
        let at = cursor.located(at, op);
        remark_unknown(cursor, op);
        match op.name() {
            For::NAME => {
                let view = For::of(op)?;
                if let Some(i) = plan.collectives.iter().position(|c| c.first == op) {
                    emit_collective(plan, cursor, i, at)?;
                    continue;
                }
                hoisted_inits(plan, cursor, op, at)?;
                let ops = view.body.ops();
                let ahead = prefetches_of(plan, cursor, op);
                any_loop(plan, cursor, &view, at, &mut |cursor, at| {
                    emit_prefetches(plan, cursor, &ahead, at)?;
                    emit_nest(plan, cursor, ops.clone(), at)
                })?;
            }
            ScheduleBlock::NAME => block(plan, cursor, op, at)?,
            If::NAME => branch(plan, cursor, &If::of(op)?, at)?,
            "loop.sync" if cursor.threads.is_some() => barrier(cursor, op, at)?,
            "loop.sync" => {
                return Err(Error::on(
                    op,
                    "is a barrier of GPU threads, which a CPU does not have (C1)",
                ));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Emits a remark for each annotation that the lowering does not know.
fn remark_unknown<'c>(cursor: &mut Cursor<'c>, op: Op<'c>) {
    let is_known = |key: &str, value: Attribute| {
        let is_stream = key == NONTEMPORAL && value.as_i64().is_some();
        let is_of_cpu = key == ANNOTATION || is_stream || prefetch::is_key(key);
        let is_of_gpu = key == ASYNC_COPY && op.is(ScheduleBlock::NAME);
        key == ATOMIC || if cursor.threads.is_some() { is_of_gpu } else { is_of_cpu }
    };
    let entries = annotation::entries(op).into_iter();
    let unknown: Vec<&str> =
        entries.filter(|(key, value)| !is_known(key, *value)).map(|(key, _)| key).collect();
    for key in unknown {
        let machine = if cursor.threads.is_some() { "GPU" } else { "CPU" };
        let message =
            format!("annotation \"{key}\" has no effect in the lowering for the {machine}");
        cursor.remark_once(op, &message);
    }
}

/// Lowers the instances of a schedule block at this point.
fn block<'c>(
    plan: &EmissionPlan<'c>,
    cursor: &mut Cursor<'c>,
    op: Op<'c>,
    at: Builder<'c>,
) -> Result<(), Error<'c>> {
    let view = plan.block(op)?;
    cursor.bind_iters(&view);
    let mut predicate = cursor.predicate(&view, &|_| true);
    if !view.is_nest() {
        predicate.extend(cursor.thread_conditions());
    }
    let init = view.init().filter(|_| !plan.inits.is_hoisted(op));
    cursor.under(predicate, at, &mut |cursor, at| {
        if let Some(init) = init {
            let first = is_first(cursor, &view);
            cursor.under(first, at, &mut |cursor, at| emit_init(plan, cursor, init, at))?;
        }
        if cursor.threads.is_none() && view.is_nest() && emit_intrinsic(plan, cursor, op, at)? {
            return Ok(());
        }
        let ops = view.body.ops().into_iter().filter(|op| !op.is("loop.init")).collect();
        match view.is_nest() {
            true => emit_nest(plan, cursor, ops, at),
            false => emit_leaf(plan, cursor, ops, at).map(|_| ()),
        }
    })
}

/// Lowers a branch between loops and blocks.
fn branch<'c>(
    plan: &EmissionPlan<'c>,
    cursor: &mut Cursor<'c>,
    view: &If<'c>,
    at: Builder<'c>,
) -> Result<(), Error<'c>> {
    let (then_body, else_body) = (view.then_body, view.else_body);
    let mut then = |cursor: &mut Cursor<'c>, at| emit_nest(plan, cursor, then_body.ops(), at);
    match else_body {
        None => cursor.either(view, at, &mut then, None),
        Some(other) => {
            let mut otherwise =
                |cursor: &mut Cursor<'c>, at| emit_nest(plan, cursor, other.ops(), at);
            cursor.either(view, at, &mut then, Some(&mut otherwise))
        }
    }
}
