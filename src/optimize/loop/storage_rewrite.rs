//! `storage-rewrite`: share memory between buffers that are not live together.
//!
//! ```text
//! %a = memref.alloc() : memref<64xf32>               %0 = memref.alloc() : memref<512xi8>
//! %b = memref.alloc() : memref<64xf32>               %a = memref.view %0[0] : memref<64xf32>
//! %c = memref.alloc() : memref<32xf64>          ->   %b = memref.view %0[256] : memref<64xf32>
//! fill(%a)   %b = f(%a)   %c = g(%b)                 %c = memref.view %0[0] : memref<32xf64>
//! ```
//! A buffer is live from the first statement of the function that mentions it to the last. A loop with its body is one
//! statement. The largest buffers get their offsets first. A buffer of dynamic size is replaced by another buffer of
//! the same type and the same sizes that is no longer live. The pass runs last in phase `vector`, because other passes
//! assume that two memrefs do not alias.
//!
//! Requires
//! - (C1) the buffer is a `memref.alloc` at the top level of a function. It has a static size, and neither its number
//!   of bytes nor that of all buffers together overflows. Or its size is dynamic, and another buffer has the same type
//!   and the same SSA values as sizes
//! - (C2) the buffer is used only by loads, stores and calls. It is not stored itself, and no memref or pointer is
//!   derived from it
//! - (C3) all buffers together need less memory afterwards

use super::storage_plan::{self, LiveBuffer, StorageLayout};
use crate::ir::{Attribute, Builder, Error, FloatKind, Op, Type, TypeKind, parents};
use crate::optimize::kind::{Counts, FunctionPass};
use std::collections::HashMap;
use std::ops::RangeInclusive;

/// The alignment of each buffer: a cache line.
const ALIGNMENT: i64 = 64;

/// The indices of the statistics in the row.
const BUFFERS: usize = 0;
const BYTES: usize = 1;

/// See the head of the file.
#[derive(Debug, Default)]
pub struct StorageRewrite;

impl FunctionPass for StorageRewrite {
    fn run<'c>(&mut self, function: Op<'c>, counts: &mut Counts) -> Result<(), Error<'c>> {
        let Some(body) = function.body(0) else { return Ok(()) };
        let ops = body.ops();
        let positions = positions(&ops);
        let buffers: Vec<(Op, LiveBuffer)> =
            ops.iter().filter_map(|op| Some((*op, item(*op, &positions)?))).collect();
        let items: Vec<LiveBuffer> = buffers.iter().map(|(_, item)| item.clone()).collect();
        let Some(before) = storage_plan::without_reuse(&items, ALIGNMENT) else { return Ok(()) };
        let layout = storage_plan::lay_out(&items, ALIGNMENT);
        // (C3)
        if layout.bytes < before {
            let allocations: Vec<Op> = buffers.iter().map(|(op, _)| *op).collect();
            rewrite(&allocations, &layout);
            counts.add(BUFFERS, allocations.len() as u64);
            counts.add(BYTES, (before - layout.bytes) as u64);
        }
        // Read the ops again: the static buffers may have been replaced.
        counts.add(BUFFERS, share(&body.ops()));
        Ok(())
    }
}

/// The position of each statement of a function.
type Positions<'c> = HashMap<Op<'c>, usize>;

fn positions<'c>(ops: &[Op<'c>]) -> Positions<'c> {
    ops.iter().enumerate().map(|(i, op)| (*op, i)).collect()
}

/// (C1)
fn item<'c>(op: Op<'c>, positions: &Positions<'c>) -> Option<LiveBuffer> {
    if !op.is("memref.alloc") || !op.operands().is_empty() {
        return None;
    }
    let bytes = static_bytes(op.result(0).ty())?;
    Some(LiveBuffer { bytes, live: in_use(op, positions)? })
}

/// (C2): The positions of the statements in which a buffer is live.
fn in_use<'c>(op: Op<'c>, positions: &Positions<'c>) -> Option<RangeInclusive<usize>> {
    let mut live: Option<(usize, usize)> = None;
    for (user, place) in op.result(0).uses() {
        if !is_access(user, place) {
            return None;
        }
        let mut around = std::iter::once(user).chain(parents(user));
        let at = around.find_map(|op| positions.get(&op).copied())?;
        let (first, last) = live.unwrap_or((at, at));
        live = Some((first.min(at), last.max(at)));
    }
    let (first, last) = live?;
    Some(first..=last)
}

/// True if an op that has a memref as its operand `place` only loads from it, stores to it, or passes it to a call.
pub(crate) fn is_access(user: Op, place: usize) -> bool {
    let is_known = match user.name() {
        "memref.load" | "memref.copy" | "memref.dim" | "memref.prefetch" => true,
        "func.call" | "loop.parallel_call" => true,
        // Operand 0 is the value, which can be a memref.
        "memref.store" | "memref.atomic_rmw" => place > 0,
        name => name.starts_with("vector."),
    };
    is_known && !user.results().iter().any(|result| result.ty().is_memref())
}

/// The bytes of a memref of static shape, if its elements can be in memory.
pub(crate) fn static_bytes(ty: Type) -> Option<i64> {
    let (dims, element) = ty.in_any_space()?;
    let element = match element.kind() {
        TypeKind::Integer(bits) => i64::from(bits).checked_div(8).filter(|bytes| *bytes > 0)?,
        TypeKind::Float(FloatKind::F16 | FloatKind::BF16) => 2,
        TypeKind::Float(FloatKind::F32) => 4,
        TypeKind::Float(FloatKind::F64) => 8,
        _ => return None,
    };
    dims.into_iter().try_fold(element, |bytes, dim| bytes.checked_mul(dim?))
}

/// Replaces buffers of dynamic size by others that are no longer live; returns how many.
fn share(ops: &[Op]) -> u64 {
    let positions = positions(ops);
    let is_dynamic = |op: &Op| op.is("memref.alloc") && !op.operands().is_empty();
    let allocations = ops.iter().copied().filter(is_dynamic);
    let mut buffers: Vec<(Op, RangeInclusive<usize>)> =
        allocations.filter_map(|op| Some((op, in_use(op, &positions)?))).collect();
    // In the order of first uses, so that a buffer is defined when a later one is replaced by it.
    buffers.sort_by_key(|(_, live)| *live.start());
    let mut places: Vec<(Op, usize)> = vec![];
    let mut shared = 0;
    for (op, live) in buffers {
        let fits = |(place, last): &&mut (Op, usize)| {
            let is_alike = place.result(0).ty() == op.result(0).ty()
                && place.operands() == op.operands()
                && place.attribute("alignment") == op.attribute("alignment");
            is_alike && *last < *live.start()
        };
        match places.iter_mut().find(fits) {
            Some((place, last)) => {
                op.result(0).replace_all_uses_with(place.result(0));
                op.erase();
                *last = *live.end();
                shared += 1;
            }
            None => places.push((op, *live.end())),
        }
    }
    shared
}

fn rewrite(allocations: &[Op], layout: &StorageLayout) {
    let Some(first) = allocations.first() else { return };
    let context = first.context();
    let at = Builder::before(*first, first.location());
    let bytes = Type::memref(&[Some(layout.bytes)], Type::integer(context, 8));
    let alignment = Attribute::integer(Type::integer(context, 64), ALIGNMENT);
    let spec = at.spec("memref.alloc").segments(&[0, 0]).attribute("alignment", alignment);
    let base = at.value(spec.results(&[bytes]));
    for (op, offset) in allocations.iter().zip(&layout.offsets) {
        let at = Builder::before(*op, op.location());
        let view = at.op("memref.view", &[base, at.index(*offset)], op.result(0).ty());
        op.result(0).replace_all_uses_with(view);
        op.erase();
    }
}
