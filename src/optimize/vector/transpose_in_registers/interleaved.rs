//! Gathers of the elements of a few rows in turn: contiguous loads of the rows, and shuffles that interleave them.
//!
//! ```text
//! rows a and b, lanes a0 b0 a1 b1     load a0 a1     load b0 b1     shuffle [0, 2, 1, 3]
//! ```
//! The loads read only elements that are read in any case.

use super::{GatheredVector, LaneRow, LaneRows};
use crate::ir::{Attribute, Builder, Type, Value};

/// The most rows: a vector of as many bytes has lanes of 32 bits, as products of bytes have.
const MOST: usize = 4;

/// Replaces a gather, if its lanes are from a few rows in turn; returns whether it has.
pub(super) fn replace<'c>(rows: &LaneRows<'c>, gather: GatheredVector<'c>) -> bool {
    let lanes = rows.rows.len();
    let counts = [2, MOST].into_iter().filter(|count| count * 2 <= lanes);
    let Some(count) = counts.rev().find(|count| is_in_turn(&rows.rows, *count)) else {
        return false;
    };
    let at = Builder::before(gather.op, gather.op.location());
    let ty = Type::vector(lanes / count, rows.element);
    let first = gather.lanes().into_iter().take(count);
    let loads = first.map(|first| at.op("vector.load", &first.operands(), ty));
    gather.replace_by(interleaved(&loads.collect::<Vec<_>>(), rows.element, at));
    true
}

/// True if lane i is element i / count of row i mod count, no element is loaded under a condition, and the rows are
/// different.
fn is_in_turn(lanes: &[LaneRow], count: usize) -> bool {
    let is_apart = |row: &LaneRow, other: &LaneRow| row.outer != other.outer;
    let is_next = |(lane, row): (usize, &LaneRow)| {
        let first = &lanes[lane % count];
        row.guard.is_none()
            && row.outer == first.outer
            && row.last.0 == first.last.0
            && row.last.1 == first.last.1.wrapping_add((lane / count) as i64)
    };
    is_apart(&lanes[0], &lanes[1]) && lanes.iter().enumerate().all(is_next)
}

/// The elements of vectors in turn. The number of vectors is a power of two.
fn interleaved<'c>(vectors: &[Value<'c>], element: Type<'c>, at: Builder<'c>) -> Value<'c> {
    if let [one] = vectors {
        return *one;
    }
    let every_second = |first: usize| {
        let chosen: Vec<Value> = vectors.iter().skip(first).step_by(2).copied().collect();
        interleaved(&chosen, element, at)
    };
    let (even, odd) = (every_second(0), every_second(1));
    let half = even.ty().lanes().map_or(0, |(lanes, _)| lanes);
    let mask: Vec<i64> = (0..2 * half).map(|i| (i / 2 + i % 2 * half) as i64).collect();
    let spec = at.spec("vector.shuffle").operands(&[even, odd]);
    let spec = spec.attribute("mask", Attribute::dense_i64(at.context(), &mask));
    at.value(spec.results(&[Type::vector(2 * half, element)]))
}
