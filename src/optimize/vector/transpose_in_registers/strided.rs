//! Gathers of every second to fourth element of a row: contiguous loads of the row, and shuffles that choose elements.
//!
//! ```text
//! elements 0 2 4 6 of a row     load 0 1 2 3     load 3 4 5 6     shuffle [0, 2, 5, 7]
//! ```
//! The last load is moved back so that it ends at the last element: the loads read only what is between two elements that
//! are read in any case, so they are in bounds.

use super::{GatheredVector, LaneRow, LaneRows};
use crate::ir::{Attribute, Builder, Op, Type, Value, is_inside, parents};

/// The largest distance of elements. For a larger one, an SSE register of f32 would need more loads than it has elements.
const MOST: i64 = 4;

/// Replaces a gather, if it is of one row, at a constant distance.
pub(super) fn replace<'c>(rows: &LaneRows<'c>, gather: GatheredVector<'c>) {
    let Some(stride) = stride(rows) else { return };
    let Some(first) = gather.op.operand(0).defining_op() else { return };
    if may_be_written_by_others(rows.buffer, gather.op) {
        return;
    }
    let width = rows.rows.len() as i64;
    let ty = Type::vector(rows.rows.len(), rows.element);
    let at = Builder::before(first, gather.op.location());
    let load = |offset: i64| {
        let mut operands = first.operands();
        if let Some(last) = operands.last_mut().filter(|_| offset != 0) {
            *last = at.op("arith.addi", &[*last, at.index(offset)], last.ty());
        }
        at.op("vector.load", &operands, ty)
    };
    let end = stride * (width - 1);
    let mut chosen = load(0);
    // Lanes that are not yet loaded are those of another element.
    for part in 1..stride {
        let start = (part * width).min(end - (width - 1));
        let next = load(start);
        let lane = |lane: i64| match lane * stride {
            element if part == 1 && element < width => element,
            element if (part * width..start + width).contains(&element) => width + element - start,
            _ => lane,
        };
        let mask: Vec<i64> = (0..width).map(lane).collect();
        let mask = Attribute::dense_i64(at.context(), &mask);
        chosen = at.value(
            at.spec("vector.shuffle")
                .operands(&[chosen, next])
                .attribute("mask", mask)
                .results(&[ty]),
        );
    }
    let elements: Vec<Op> =
        gather.op.operands().into_iter().filter_map(|lane| lane.defining_op()).collect();
    gather.op.result(0).replace_all_uses_with(chosen);
    gather.op.erase();
    elements.into_iter().filter(|op| op.result(0).is_unused()).for_each(Op::erase);
}

/// The distance of the elements of a gather, if it is constant, and no element is loaded under a condition.
fn stride(rows: &LaneRows) -> Option<i64> {
    let first = rows.rows.first()?;
    let stride = rows.rows.get(1)?.last.1;
    let is_next = |(lane, row): (usize, &LaneRow)| {
        row.guard.is_none()
            && row.outer == first.outer
            && row.last.0 == first.last.0
            && row.last.1 == stride * lane as i64
    };
    ((2..=MOST).contains(&stride) && rows.rows.iter().enumerate().all(is_next)).then_some(stride)
}

/// True if other iterations of a parallel loop around the gather may write the elements in between, which it reads now.
fn may_be_written_by_others<'c>(buffer: Value<'c>, gather: Op<'c>) -> bool {
    let is_shared = |op: &Op<'c>| {
        op.is("scf.parallel") && !buffer.defining_op().is_some_and(|from| is_inside(from, *op))
    };
    let Some(around) = parents(gather).filter(is_shared).last() else { return false };
    let is_read = |op: Op| {
        matches!(op.name(), "memref.load" | "vector.load" | "vector.maskedload" | "memref.dim")
    };
    buffer.uses().into_iter().any(|(user, _)| is_inside(user, around) && !is_read(user))
}
