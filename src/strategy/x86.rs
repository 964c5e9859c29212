//! The default schedules for x86 processors.
//!
//! Tile sizes follow from the processor: its vectors, number of registers, caches and cores.

mod columns;
mod dot;
mod elementwise;
mod pair;
mod product;
mod rows;
mod share;
mod tile;
mod total;
mod transpose;
pub(crate) mod transposed;

use super::group::{NestGroup, alone};
use super::nest::{Nest, order};
use super::space::{Space, registers, what};
use super::{StrategyRow, StrategyTable};
use crate::dialect::annotation::NONTEMPORAL;
use crate::machine::x86::Processor;
use crate::schedule::{Schedule, ScheduleError};
use std::collections::BTreeMap;

/// The strategies of the package; nests that no strategy schedules stay unchanged.
pub fn table() -> StrategyTable<Processor> {
    let mut table = StrategyTable::of(ROWS, |_, _| ());
    table.strategies.push(Box::new(pair::ProductPair));
    table
}

const ROWS: &[&StrategyRow<Processor>] = &[
    &tile::ROWS[0],
    &tile::ROWS[1],
    &dot::ROWS[0],
    &dot::ROWS[1],
    &dot::ROWS[2],
    &product::PACKED,
    &product::TILED,
    &transposed::ROW,
    &product::VECTOR_MATRIX,
    &rows::ROW,
    &total::ROW,
    &transpose::ROW,
    &columns::ROW,
    &elementwise::ROW,
];

/// The independent vectors of a loop iteration: enough to hide the latency of an operation.
const VECTORS: i64 = 4;

/// The elements of a nest that a vector holds.
pub(super) fn lanes(nest: &Nest, processor: &Processor) -> i64 {
    (i64::from(processor.vectors.bits) / 8 / nest.element_bytes()).max(1)
}

/// The vector width of a loop in lanes: a few vectors, fewer if the loop is short.
fn width(extent: Option<i64>, lanes: i64, most_vectors: i64) -> i64 {
    let mut vectors = most_vectors;
    while vectors > 1 && extent.is_some_and(|extent| extent < lanes * vectors) {
        vectors /= 2;
    }
    lanes * vectors
}

/// Adds to a space the width of the vectors of a nest along a loop. The default is a few vectors, fewer if the loop is short, or if
/// there are several `copies` of them in unrolled loops.
fn add_width(space: &mut Space, nest: &Nest, axis: usize, processor: &Processor, copies: i64) {
    let (lanes, extent) = (lanes(nest, processor), nest.loops[axis].extent);
    let vectors = |most: i64| (most / copies).max(1);
    let widths = [1, 2, VECTORS, 2 * VECTORS].into_iter().filter(|it| *it <= vectors(2 * VECTORS));
    let widths = widths.map(|vectors| vectors * lanes);
    let widths = widths.filter(|width| extent.is_none_or(|extent| *width <= extent));
    let default = width(extent, lanes, vectors(VECTORS));
    let width = space.number(&nest.block, what::WIDTH, widths, default);
    let needed = registers(nest, &[(axis, width)], (axis, lanes), processor.vectors.has_fma);
    space.at_most_or_default(VECTOR_REGISTERS, needed, processor.vectors.registers.into());
}

/// The name of what limits the vectors of a loop iteration.
const VECTOR_REGISTERS: &str = "vector registers";

/// Stores results of a nest with streaming (non-temporal) stores if the nests of its group read and write so much that they are
/// faster: the caches would evict the results before they are read.
fn stream(
    schedule: &mut Schedule,
    (group, nest): (&NestGroup, &Nest),
    axis: usize,
    processor: &Processor,
) -> Result<(), ScheduleError> {
    let is_result = nest.stores.iter().all(|store| store.is_argument);
    let extent = nest.loops[axis].extent;
    let is_aligned = extent.is_some_and(|extent| extent % lanes(nest, processor) == 0);
    match is_result && is_aligned && is_beyond_caches(group, processor) {
        true => schedule.annotate(&nest.block, NONTEMPORAL, true),
        false => Ok(()),
    }
}

/// True if what the nests of a group read and write is provably so much that streaming stores are faster.
fn is_beyond_caches(group: &NestGroup, processor: &Processor) -> bool {
    let accesses = group.nests.iter().flat_map(|nest| nest.loads.iter().chain(&nest.stores));
    let all = accesses.filter(|access| access.is_argument);
    let buffers: BTreeMap<&str, Option<i64>> =
        all.map(|access| (access.buffer.as_str(), access.bytes)).collect();
    let bytes: Option<i64> = buffers.into_values().sum();
    let from = i64::try_from(processor.streaming_from).unwrap_or(i64::MAX);
    bytes.is_some_and(|bytes| bytes >= from)
}
