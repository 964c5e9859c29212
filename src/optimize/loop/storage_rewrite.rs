//! `storage-rewrite`: share memory between buffers that are not live together.
//!
//! ```text
//! %a = memref.alloc() : memref<64xf32>               %0 = memref.alloc() : memref<512xi8>
//! %b = memref.alloc() : memref<64xf32>               %a = memref.view %0[0] : memref<64xf32>
//! %c = memref.alloc() : memref<32xf64>          ->   %b = memref.view %0[256] : memref<64xf32>
//! fill(%a)   %b = f(%a)   %c = g(%b)                 %c = memref.view %0[0] : memref<32xf64>
//! ```
//! A buffer is live from the first statement of the function that mentions it to the last. A loop with its body is one
//! statement. The largest buffers get their offsets first.
//!
//! If the size of a buffer is dynamic, the offsets are computed when the function is called. Each buffer begins where the
//! last one of the buffers below it ends. Which ones these are is decided for a few assumed sizes, and the decision is
//! taken for which the worst ratio of the memory to the bytes that are live at once is the lowest.
//!
//! The pass runs last in phase `vector`, because other passes assume that two memrefs do not alias.
//!
//! Requires
//! - (C1) the buffer is a `memref.alloc` at the top level of a function. Its dynamic sizes are defined before the first use of any
//!   such buffer. Neither its number of bytes nor that of all buffers together overflows, if they are static
//! - (C2) the buffer is used only by loads, stores and calls. It is not stored itself, and no memref or pointer is
//!   derived from it
//! - (C3) all buffers together need less memory afterwards

use super::storage_plan::{self, LiveBuffer, StackingOrder, StorageLayout, round_up};
use crate::ir::{
    Attribute, Builder, Error, FloatKind, Op, Type, TypeKind, Value, parents, saturating,
};
use crate::optimize::kind::{Counts, FunctionPass};
use std::collections::HashMap;
use std::ops::RangeInclusive;

/// The alignment of each buffer: a cache line.
const ALIGNMENT: i64 = 64;

/// The dynamic sizes for which orders of buffers are compared.
const ASSUMED_SIZES: [i64; 4] = [1, 16, 128, 1024];

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
        let mut buffers: Vec<PlannedBuffer> =
            ops.iter().filter_map(|op| PlannedBuffer::of(*op, &positions)).collect();
        let Some(first) = buffers.iter().map(|buffer| *buffer.live.start()).min() else {
            return Ok(());
        };
        buffers
            .retain(|buffer| buffer.sizes.iter().all(|size| is_before(*size, first, &positions)));
        let saved = match buffers.iter().all(|buffer| buffer.sizes.is_empty()) {
            true => share(&buffers),
            false => share_dynamic(&buffers, ops[first]),
        };
        if let Some(bytes) = saved {
            counts.add(BUFFERS, buffers.len() as u64);
            counts.add(BYTES, bytes);
        }
        Ok(())
    }
}

/// A buffer that may share memory.
struct PlannedBuffer<'c> {
    op: Op<'c>,
    /// The bytes of an element times the static sizes.
    known: i64,
    /// The dynamic sizes.
    sizes: Vec<Value<'c>>,
    live: RangeInclusive<usize>,
}

impl<'c> PlannedBuffer<'c> {
    /// (C1)
    fn of(op: Op<'c>, positions: &Positions<'c>) -> Option<PlannedBuffer<'c>> {
        if !op.is("memref.alloc") {
            return None;
        }
        let (dims, element) = op.result(0).ty().in_any_space()?;
        let known = bytes_of(dims.into_iter().flatten(), element)?;
        Some(PlannedBuffer { op, known, sizes: op.operands(), live: in_use(op, positions)? })
    }

    /// The buffer, if all dynamic sizes are `size`.
    fn at(&self, size: i64) -> LiveBuffer {
        let bytes = self.sizes.iter().fold(self.known, |bytes, _| bytes.saturating_mul(size));
        LiveBuffer { bytes, live: self.live.clone() }
    }
}

/// True if a value is defined before a statement of the function.
fn is_before<'c>(value: Value<'c>, statement: usize, positions: &Positions<'c>) -> bool {
    value.defining_op().is_none_or(|op| positions.get(&op).is_some_and(|at| *at < statement))
}

/// The position of each statement of a function.
type Positions<'c> = HashMap<Op<'c>, usize>;

fn positions<'c>(ops: &[Op<'c>]) -> Positions<'c> {
    ops.iter().enumerate().map(|(i, op)| (*op, i)).collect()
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
    bytes_of(dims.into_iter().collect::<Option<Vec<_>>>()?, element)
}

/// The bytes of so many elements, if they can be in memory.
fn bytes_of(sizes: impl IntoIterator<Item = i64>, element: Type) -> Option<i64> {
    let element = match element.kind() {
        TypeKind::Integer(bits) => i64::from(bits).checked_div(8).filter(|bytes| *bytes > 0)?,
        TypeKind::Float(FloatKind::F16 | FloatKind::BF16) => 2,
        TypeKind::Float(FloatKind::F32) => 4,
        TypeKind::Float(FloatKind::F64) => 8,
        _ => return None,
    };
    sizes.into_iter().try_fold(element, i64::checked_mul)
}

/// Lets buffers of static size share memory; returns the bytes that this saves.
fn share(buffers: &[PlannedBuffer]) -> Option<u64> {
    let items: Vec<LiveBuffer> = buffers.iter().map(|buffer| buffer.at(1)).collect();
    let before = storage_plan::without_reuse(&items, ALIGNMENT)?;
    let layout = storage_plan::lay_out(&items, ALIGNMENT);
    // (C3)
    let saved = before.checked_sub(layout.bytes).filter(|saved| *saved > 0)?;
    rewrite(buffers, &layout);
    saved.try_into().ok()
}

/// Lets buffers share memory, of which some have dynamic sizes, before the statement that uses one of them first. How many bytes
/// this saves is not known.
fn share_dynamic<'c>(buffers: &[PlannedBuffer<'c>], first: Op<'c>) -> Option<u64> {
    let order = stacking_order(buffers)?;
    let at = Builder::before(first, first.location());
    let (index, i64) = (Type::index(at.context()), Type::integer(at.context(), 64));
    let cast = |value: Value<'c>, to| at.op("arith.index_cast", &[value], to);
    // The bytes of a buffer of these sizes, and the sizes as numbers that are not negative.
    let mut known_bytes: HashMap<(i64, &[Value]), Value> = HashMap::new();
    let mut not_negative: HashMap<Value, Value> = HashMap::new();
    let mut bytes = vec![];
    for PlannedBuffer { known, sizes, .. } in buffers {
        bytes.push(*known_bytes.entry((*known, sizes)).or_insert_with(|| {
            if sizes.is_empty() {
                return at.number(i64, round_up(*known, ALIGNMENT));
            }
            let bytes = sizes.iter().fold(at.number(i64, *known), |bytes, size| {
                let size = *not_negative.entry(*size).or_insert_with(|| {
                    cast(at.op("arith.maxsi", &[*size, at.index(0)], index), i64)
                });
                saturating::product(&at, bytes, size)
            });
            match known % ALIGNMENT {
                0 => bytes,
                _ => saturating::round_up(&at, bytes, ALIGNMENT),
            }
        }));
    }
    let sum = |a, b| saturating::sum(&at, a, b);
    let max = |a, b| if a == b { a } else { at.op("arith.maxsi", &[a, b], i64) };
    let (offsets, total) = order.place(&bytes, at.number(i64, 0), sum, max);
    let base = allocation(&at, None, &[cast(total, index)]);
    for (buffer, offset) in buffers.iter().zip(offsets) {
        let operands = [vec![base, cast(offset, index)], buffer.sizes.clone()].concat();
        let view = at.op("memref.view", &operands, buffer.op.result(0).ty());
        buffer.op.result(0).replace_all_uses_with(view);
        buffer.op.erase();
    }
    Some(0)
}

/// The best of the orders for some assumed sizes, if it saves memory (C3).
fn stacking_order(buffers: &[PlannedBuffer]) -> Option<StackingOrder> {
    let assumed = ASSUMED_SIZES.map(|size| {
        // No buffer is empty, so that the order of two of them follows from their offsets.
        let at = |buffer: &PlannedBuffer| LiveBuffer {
            bytes: buffer.at(size).bytes.max(1),
            live: buffer.live.clone(),
        };
        buffers.iter().map(at).collect::<Vec<LiveBuffer>>()
    });
    let assumed: Vec<(Vec<LiveBuffer>, i64)> = assumed
        .into_iter()
        .filter_map(|items| {
            let before = storage_plan::without_reuse(&items, ALIGNMENT)?;
            Some((items, before))
        })
        .collect();
    let bytes = |order: &StackingOrder, items: &[LiveBuffer]| {
        let bytes: Vec<i64> = items.iter().map(|item| round_up(item.bytes, ALIGNMENT)).collect();
        order.place(&bytes, 0, |a, b| a + b, i64::max).1
    };
    // In thousandths of the bytes that are live at once.
    let worst = |order: &StackingOrder| {
        let ratio = |items: &[LiveBuffer]| {
            let least = i128::from(storage_plan::peak(items, ALIGNMENT));
            i128::from(bytes(order, items)) * 1000 / least
        };
        assumed.iter().map(|(items, _)| ratio(items)).max()
    };
    let orders = assumed
        .iter()
        .map(|(items, _)| StackingOrder::of(items, &storage_plan::lay_out(items, ALIGNMENT)));
    let best = orders.min_by_key(worst)?;
    let saves = |(items, before): &(Vec<LiveBuffer>, i64)| bytes(&best, items) < *before;
    assumed.iter().any(saves).then_some(best)
}

fn rewrite(buffers: &[PlannedBuffer], layout: &StorageLayout) {
    let Some(first) = buffers.first() else { return };
    let base = allocation(&Builder::before(first.op, first.op.location()), Some(layout.bytes), &[]);
    for (PlannedBuffer { op, .. }, offset) in buffers.iter().zip(&layout.offsets) {
        let at = Builder::before(*op, op.location());
        let view = at.op("memref.view", &[base, at.index(*offset)], op.result(0).ty());
        op.result(0).replace_all_uses_with(view);
        op.erase();
    }
}

/// Allocates bytes: a static number, or the one that the operand is.
fn allocation<'c>(at: &Builder<'c>, bytes: Option<i64>, operands: &[Value<'c>]) -> Value<'c> {
    let ty = Type::memref(&[bytes], Type::integer(at.context(), 8));
    let alignment = Attribute::integer(Type::integer(at.context(), 64), ALIGNMENT);
    let spec = at.spec("memref.alloc").operands(operands).segments(&[operands.len(), 0]);
    at.value(spec.attribute("alignment", alignment).results(&[ty]))
}
