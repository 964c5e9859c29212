//! Loads and stores: scalar, of vectors, or lane by lane.

use super::atomic::{self, joined_value};
use super::cursor::Cursor;
use super::cursor::lane::Pattern;
use super::ops::{broadcast, extracted, scf_if, vector_reduction};
use super::plan::EmissionPlan;
use crate::dialect::annotation::{self, ASYNC_COPY, NONTEMPORAL};
use crate::dialect::loop_op::ScheduleBlock;
use crate::ir::affine::Expr;
use crate::ir::{Attribute, Block, Builder, Op, Type, Value, parents};
use crate::lowering::cuda::inject_async_copy;
use std::iter::once;

/// The buffer and the indices of a load or store.
fn cell<'c>(
    cursor: &mut Cursor<'c>,
    op: Op<'c>,
    first: usize,
    at: Builder<'c>,
) -> (Value<'c>, Vec<Expr>) {
    let operands = op.operands();
    let buffer = cursor.value_of(operands[first - 1], at);
    let indices = operands[first..].iter().map(|v| cursor.index_of(*v)).collect();
    (buffer, indices)
}

/// Emits a load.
pub(crate) fn load<'c>(cursor: &mut Cursor<'c>, op: Op<'c>, at: Builder<'c>) {
    let (buffer, indices) = cell(cursor, op, 1, at);
    let element = op.result(0).ty();
    let value = match cursor.pattern(&indices) {
        Pattern::Uniform => uniform_load(cursor, buffer, &indices, element, at),
        Pattern::Contiguous => {
            let ty = Type::vector(cursor.width(), element);
            let aligned = cursor.alignment(buffer, &indices, ty);
            let mut operands = vec![buffer];
            operands.extend(cursor.at_lane(&indices, 0, at));
            match cursor.mask {
                None => {
                    let spec = at.spec("vector.load").operands(&operands).results(&[ty]);
                    at.value(aligned.into_iter().fold(spec, |s, a| s.attribute("alignment", a)))
                }
                Some(mask) => {
                    operands.extend([mask.value, at.constant_vector(ty, 0)]);
                    at.op("vector.maskedload", &operands, ty)
                }
            }
        }
        Pattern::Scattered => {
            let zero = at.number(element, 0);
            let lanes: Vec<_> = (0..cursor.width())
                .map(|lane| {
                    cursor
                        .in_lane(lane, Some(zero), at, &|cursor, at| {
                            let indices = cursor.at_lane(&indices, lane, at);
                            Some(at.load(buffer, &indices))
                        })
                        .unwrap_or(zero)
                })
                .collect();
            at.op("vector.from_elements", &lanes, Type::vector(cursor.width(), element))
        }
    };
    cursor.define(op.result(0), value);
}

/// A scalar load for all lanes, which must not run if no lane is active.
fn uniform_load<'c>(
    cursor: &Cursor<'c>,
    buffer: Value<'c>,
    indices: &[Expr],
    element: Type<'c>,
    at: Builder<'c>,
) -> Value<'c> {
    let aligned = cursor.alignment_of_copy(buffer, indices);
    let load = |at: Builder<'c>| {
        let operands: Vec<_> =
            once(buffer).chain(indices.iter().map(|e| cursor.emit_index(e, at))).collect();
        let spec = at.spec("memref.load").operands(&operands).results(&[element]);
        at.value(aligned.into_iter().fold(spec, |s, a| s.attribute("alignment", a)))
    };
    let Some(mask) = cursor.mask.filter(|mask| !mask.may_access) else { return load(at) };
    let any = vector_reduction(at, "or", mask.value, Type::integer(at.context(), 1));
    let blocks = [Block::new(&[]), Block::new(&[])];
    let [yes, no] = blocks.map(|block| Builder::at_end(block, at.location()));
    let loaded = load(yes);
    yes.insert(yes.spec("scf.yield").operands(&[loaded]));
    let zero = no.number(element, 0);
    no.insert(no.spec("scf.yield").operands(&[zero]));
    at.insert(scf_if(at, any, &[element], blocks)).result(0)
}

/// Emits a store.
pub(crate) fn store<'c>(
    plan: &EmissionPlan<'c>,
    cursor: &mut Cursor<'c>,
    op: Op<'c>,
    at: Builder<'c>,
) {
    let (buffer, indices) = cell(cursor, op, 2, at);
    let update = plan.atomics.of_store(op).cloned();
    let value = match &update {
        Some(update) => joined_value(cursor, update, at),
        None => cursor.value_of(op.operand(0), at),
    };
    let is_async = is_async(cursor, op);
    let aligned = cursor.alignment_of_copy(buffer, &indices);
    let one = |value, indices: &[Value<'c>], at: Builder<'c>| match &update {
        Some(update) => atomic::update(update.combiner, value, buffer, indices, at),
        None => {
            let operands = [&[value, buffer], indices].concat();
            let spec = at.spec("memref.store").operands(&operands);
            let spec = aligned.into_iter().fold(spec, |s, a| s.attribute("alignment", a));
            mark(at.insert(spec), is_async);
        }
    };
    let Some(width) = cursor.lane.as_ref().map(|lane| lane.width) else {
        let indices: Vec<_> = indices.iter().map(|e| cursor.emit_index(e, at)).collect();
        return one(value, &indices, at);
    };
    if update.is_none() && matches!(cursor.pattern(&indices), Pattern::Contiguous) {
        let value = broadcast(value, width, at);
        let proved = cursor.proved_alignment(buffer, &indices, value.ty());
        let streams = streams(plan, cursor, op, proved);
        let aligned = cursor.alignment(buffer, &indices, value.ty()).or(streams);
        let indices = cursor.at_lane(&indices, 0, at);
        let mut operands = match cursor.mask {
            None => vec![value, buffer],
            Some(_) => vec![buffer],
        };
        operands.extend(indices);
        match cursor.mask {
            None => {
                let spec = at.spec("vector.store").operands(&operands);
                let spec = aligned.into_iter().fold(spec, |s, a| s.attribute("alignment", a));
                let store = at.insert(match streams {
                    None => spec,
                    Some(_) => {
                        let bit = Type::integer(at.context(), 1);
                        spec.attribute("nontemporal", Attribute::integer(bit, 1))
                    }
                });
                mark(store, is_async)
            }
            Some(mask) => {
                operands.extend([mask.value, value]);
                mark(at.insert(at.spec("vector.maskedstore").operands(&operands)), is_async)
            }
        };
        return;
    }
    // Lane by lane; if several lanes store to one element, the last one takes effect.
    for lane in 0..width {
        cursor.in_lane(lane, None, at, &|cursor, at| {
            let indices = cursor.at_lane(&indices, lane, at);
            let element = match value.ty().lanes() {
                Some((_, element)) => extracted(value, lane, element, at),
                None => value,
            };
            one(element, &indices, at);
            None
        });
    }
}

/// True if the schedule block of a store copies asynchronously. On a CPU all copies are synchronous.
fn is_async<'c>(cursor: &Cursor<'c>, op: Op<'c>) -> bool {
    let mut around = parents(op);
    let block = around.find(|outer| outer.is(ScheduleBlock::NAME));
    cursor.threads.is_some() && block.is_some_and(|block| annotation::is_set(block, ASYNC_COPY))
}

/// The alignment of a non-temporal store, if its schedule block requests one; a remark if it is not
/// possible. `proved` is the alignment of the store in bytes, if it is proved.
fn streams<'c>(
    plan: &EmissionPlan<'c>,
    cursor: &mut Cursor<'c>,
    op: Op<'c>,
    proved: Option<i64>,
) -> Option<Attribute<'c>> {
    let block = parents(op).find(|outer| outer.is(ScheduleBlock::NAME))?;
    if cursor.threads.is_some() || !annotation::is_set(block, NONTEMPORAL) {
        return None;
    }
    // A store of less than a cache line must read the line to merge it.
    let whole = i64::from(plan.options.vector_bits / 8);
    match proved.filter(|bytes| *bytes == whole) {
        Some(bytes) => Some(Attribute::integer(Type::integer(op.context(), 64), bytes)),
        None => {
            let why = "stores are not non-temporal: they are not proved to be aligned full vectors";
            cursor.remark_once(block, why);
            None
        }
    }
}

/// Marks a store of an asynchronous copy, for `inject-async-copy`.
fn mark(store: Op, is_async: bool) {
    if is_async {
        store.set_attribute(inject_async_copy::MARK, Attribute::unit(store.context()));
    }
}
