//! Row reductions and other nests over the same rows: one loop over rows, which contains the vectorized loops of each
//! row.
//!
//! ```text
//! for i { max of row i, by lanes; over the lanes; exp(row i - max); its sum, by lanes; over the lanes; quotients }
//! ```

use super::share::share;
use super::{VECTOR_REGISTERS, add_width, lanes, order, stream};
use crate::analysis::finite_domain::Term;
use crate::machine::x86::Processor;
use crate::schedule::legality::prefetch;
use crate::schedule::{Schedule, ScheduleError};
use crate::strategy::group::{NestGroup, is_product};
use crate::strategy::nest::{AccessStride, Nest, NestAccess, at};
use crate::strategy::space::{ChosenNumber, ChosenNumbers, REST, Space, factors, registers, what};
use crate::strategy::{StrategyRow, all_sizes};

/// Independent partial results of a row: enough to hide the latency of an addition.
const ACCUMULATORS: i64 = 8;

/// Fewer vectors for each partial result are not worth twice as many results, which have to be combined.
const FEWEST: i64 = 8;

pub const ROW: StrategyRow<Processor> = StrategyRow {
    name: "x86.rows",
    summary: "Computes all ops on a row in one loop over rows; vector lanes reduce each row",
    priority: 30,
    applies,
    sizes: all_sizes,
    space,
    schedule: |schedule, group, processor, numbers| in_rows(schedule, group, processor, numbers),
};

fn applies(group: &NestGroup, processor: &Processor) -> Result<(), String> {
    if group.rows == 0 {
        return Err("it has no common loop over rows".into());
    }
    if !group.nests.iter().any(Nest::is_reduction) && group.nests.len() == 1 {
        return Err("it has no reduction".into());
    }
    if let Some(nest) = group.nests.iter().find(|nest| is_product(nest) && !nest.reduces_rows()) {
        return Err(format!("{} is a product", nest.block));
    }
    if let Some(nest) = group.nests.iter().find(|nest| nest.reduces_windows()) {
        return Err(format!("{} reduces windows", nest.block));
    }
    match group.nests.iter().find(|nest| nest.is_reduction() && !nest.reduces_rows()) {
        Some(nest) => Err(format!("{} does not reduce along rows", nest.block)),
        None => match group.alone() {
            Some(nest) if is_short(nest, processor) && super::columns::axis(nest).is_some() => {
                Err("rows are shorter than two vectors, and results are contiguous".into())
            }
            _ => Ok(()),
        },
    }
}

/// True if rows are too short for vectors.
pub fn is_short(nest: &Nest, processor: &Processor) -> bool {
    let last = nest.reductions().last().and_then(|axis| nest.loops[*axis].extent);
    last.is_some_and(|extent| extent < 2 * lanes(nest, processor))
}

/// Prefetches the next row of the loaded buffers while functions are computed, if the buffers exceed the
/// second-level cache.
fn fetch_next_row(
    schedule: &mut Schedule,
    nest: &Nest,
    axis: usize,
    width: i64,
    processor: &Processor,
) -> Result<(), ScheduleError> {
    let Some(extent) = nest.loops[axis].extent else { return Ok(()) };
    let cached = i64::try_from(processor.caches.l2).unwrap_or(i64::MAX);
    let is_far = |access: &&NestAccess| {
        access.is_argument
            && access.steps[axis] == AccessStride::Unit
            && access.steps[..axis].iter().any(|step| *step != AccessStride::None)
            && access.bytes.is_some_and(|bytes| bytes > cached)
    };
    // The next row follows the end of a row.
    let is_whole = extent % width == 0 && extent > width;
    let distance = extent / width;
    match nest.loads.iter().find(is_far) {
        Some(row) if nest.functions > 0 && is_whole && distance <= prefetch::MOST => {
            schedule.prefetch(&format!("{}.0", nest.at(axis)), &row.buffer, distance)
        }
        _ => Ok(()),
    }
}

/// The elements of a row that each nest computes together.
pub fn space(group: &NestGroup, processor: &Processor) -> Space {
    let mut space = Space::default();
    for nest in &group.nests {
        if nest.is_reduction() {
            let last = *nest.reductions().last().expect("it reduces");
            add_partial_results(&mut space, nest, nest.loops[last].extent, processor);
        } else if let Some(axis) = vectorised(nest, group.rows)
            && nest.loops[axis].extent.is_none_or(|extent| extent > 1)
        {
            add_width(&mut space, nest, axis, processor, 1);
        }
    }
    space
}

/// The loop along the rows of a nest that reduces nothing, if it stores rows.
fn vectorised(nest: &Nest, rows: usize) -> Option<usize> {
    nest.store_axis().filter(|axis| *axis + 1 == nest.loops.len() && *axis >= rows)
}

/// Schedules the nests of a group with these numbers.
pub fn in_rows(
    schedule: &mut Schedule,
    group: &NestGroup,
    processor: &Processor,
    numbers: &ChosenNumbers,
) -> Result<(), ScheduleError> {
    // Schedules each nest, and collects the handles of the row loops to merge.
    let mut merged: Vec<String> = vec![];
    for nest in &group.nests {
        let row = &nest.loops[group.rows - 1].name;
        if let Some(width) = numbers.of(&nest.block, what::WIDTH).filter(|_| nest.is_reduction()) {
            let partial = by_lanes(schedule, nest, width)?;
            merged.push(at(&partial, row));
        }
        merged.push(at(&nest.block, row));
    }
    if merged.len() > 1 {
        schedule.merge(&merged.iter().map(String::as_str).collect::<Vec<_>>())?;
    }
    for nest in group.nests.iter().filter(|nest| !nest.is_reduction()) {
        let Some(axis) = vectorised(nest, group.rows) else { continue };
        if let Some(width) = numbers.of(&nest.block, what::WIDTH) {
            schedule.vectorize(&nest.at(axis), width)?;
            fetch_next_row(schedule, nest, axis, width.value, processor)?;
        }
        stream(schedule, (group, nest), axis, processor)?;
    }
    // The handle uses the last block: after the merge, all rows are those of the first nest.
    let last = group.nests.last().expect("a group has nests");
    let first = &group.nests[0];
    let rows = &first.loops[..group.rows];
    let outer: Vec<_> = rows.iter().map(|axis| (axis.name.clone(), axis.extent)).collect();
    let cycles = group.nests.iter().map(|nest| nest.all_cycles(lanes(nest, processor)));
    let cycles = cycles.sum();
    share(schedule, (group, &last.block), &outer, cycles, processor)
}

/// Adds to a space how many elements of a row are added to as many partial results, if the order may be changed and rows are long
/// enough. `length` is the number of elements that are reduced, if it is known.
pub fn add_partial_results(
    space: &mut Space,
    nest: &Nest,
    length: Option<i64>,
    processor: &Processor,
) {
    let last = *nest.reductions().last().expect("it reduces");
    let lanes = lanes(nest, processor);
    if lanes < 2 || length.is_some_and(|length| length < 2 * lanes) || !nest.may_reorder {
        return;
    }
    let mut accumulators = ACCUMULATORS;
    let is_few = |count: i64| length.is_some_and(|length| length < FEWEST * lanes * count);
    while accumulators > 1 && is_few(accumulators) {
        accumulators /= 2;
    }
    let counts = [1, 2, 4, ACCUMULATORS, 2 * ACCUMULATORS].map(|count| count * lanes);
    let counts = counts.into_iter().filter(|count| length.is_none_or(|length| *count <= length));
    let width = space.number(&nest.block, what::WIDTH, counts, accumulators * lanes);
    let results = Term::Quotient(Box::new(width.clone()), Box::new(lanes.into()));
    let others = registers(nest, &[(last, width)], (last, lanes), processor.vectors.has_fma);
    let needed = Term::Sum(vec![results, others]);
    space.at_most_or_default(VECTOR_REGISTERS, needed, processor.vectors.registers.into());
}

/// Reduces the rows of a nest by so many partial results; returns their block.
pub fn by_lanes(
    schedule: &mut Schedule,
    nest: &Nest,
    width: &ChosenNumber,
) -> Result<String, ScheduleError> {
    let last = *nest.reductions().last().expect("it reduces");
    let name = &nest.loops[last].name;
    schedule.split(&nest.at(last), factors(&[&REST, width]), None)?;
    let spatial = i64::try_from(nest.spatial().len()).unwrap_or(0);
    let partial = schedule.rfactor(&at(&nest.block, &format!("{name}.1")), spatial)?;
    let lane = format!("rf_{name}.1");
    let around = nest.loops[..last].iter().map(|axis| axis.name.clone());
    order(schedule, &partial, around.chain([format!("{name}.0"), lane.clone()]))?;
    schedule.vectorize(&at(&partial, &lane), None)?;
    if nest.loops[last].extent.is_none() {
        // The loop can then be divided into full vectors and the rest, of which each may have no iterations.
        schedule.decompose_reduction(&partial, &at(&partial, &format!("{name}.0")))?;
    }
    Ok(partial)
}
