//! Reductions to one value: each thread reduces some parts of the data, and each part is reduced like a row in
//! [`rows`](super::rows). If several loops reduce, a part is an iteration of the outermost one.

use super::rows::{self, add_partial_results, by_lanes};
use super::share::{share, tasks};
use super::{alone, lanes};
use crate::machine::x86::Processor;
use crate::schedule::{Schedule, ScheduleError, query};
use crate::strategy::group::NestGroup;
use crate::strategy::nest::{AccessStride, Nest, at};
use crate::strategy::space::{ChosenNumbers, REST, Space, factors, what};
use crate::strategy::{StrategyRow, all_sizes};

/// The fewest values of a part.
const LEAST: i64 = 1 << 14;

pub const ROW: StrategyRow<Processor> = StrategyRow {
    name: "x86.total",
    summary: "Each thread reduces a part of the data by vector lanes",
    priority: 30,
    applies,
    sizes: all_sizes,
    space,
    schedule,
};

fn applies(group: &NestGroup, processor: &Processor) -> Result<(), String> {
    let nest = alone(group)?;
    let Some(last) = nest.reductions().last().copied() else {
        return Err("it has no reduction".into());
    };
    if !nest.spatial().is_empty() {
        return Err("it has loops over rows".into());
    }
    if nest.loops.len() > 1 && !nest.may_reorder {
        return Err("several loops reduce, in an order that may not be changed".into());
    }
    if nest.loops.len() > 1 && rows::is_short(nest, processor) {
        return Err(
            "several loops reduce, and the innermost one is shorter than two vectors".into()
        );
    }
    match nest.loads.iter().all(|load| load.steps[last] != AccessStride::Far) {
        true => Ok(()),
        false => Err("it does not read consecutive elements".into()),
    }
}

/// The number of parts, if there is more than one, and how many elements of a part are added together.
fn space(group: &NestGroup, processor: &Processor) -> Space {
    let mut space = Space::default();
    let nest = group.alone().expect("it applies to one nest");
    if let [_, .., last] = &nest.loops[..] {
        add_partial_results(&mut space, nest, last.extent, processor);
        return space;
    }
    let mut length = nest.loops[0].extent;
    let parts = length.map_or(1, |extent| (extent / LEAST).min(4 * tasks(processor)));
    if let (Some(extent), 2..) = (length, parts) {
        // Whole vectors of partial results are combined by vector operations.
        let lanes = lanes(nest, processor);
        let whole = |parts: i64| (parts + lanes - 1) / lanes * lanes;
        let parts = whole(parts);
        let others = [tasks(processor), 2 * tasks(processor), 4 * tasks(processor)].map(whole);
        let is_whole = |parts: i64| extent % parts == 0;
        let others = others.into_iter().filter(|it| is_whole(*it) == is_whole(parts));
        space.number(&nest.block, what::PARTS, others.filter(|parts| *parts <= extent), parts);
        if !is_whole(parts) {
            // The elements of the last part depend on a condition.
            return space;
        }
        length = Some(extent / parts);
    }
    add_partial_results(&mut space, nest, length, processor);
    space
}

fn schedule(
    schedule: &mut Schedule,
    group: &NestGroup,
    processor: &Processor,
    numbers: &ChosenNumbers,
) -> Result<(), ScheduleError> {
    let nest = group.alone().expect("it applies to one nest");
    let axis = &nest.loops[0];
    let width = numbers.of(&nest.block, what::WIDTH);
    let (outer, parts) = match (numbers.of(&nest.block, what::PARTS), nest.loops.len()) {
        (Some(parts), _) => {
            schedule.split(&nest.at(0), factors(&[parts, &REST]), None)?;
            (format!("{}.0", axis.name), Some(parts.value))
        }
        (None, 2..) => (axis.name.clone(), axis.extent),
        (None, _) => {
            return width.map_or(Ok(()), |width| by_lanes(schedule, nest, width).map(drop));
        }
    };
    let partial = schedule.rfactor(&at(&nest.block, &outer), 0)?;
    let summary = schedule.summary();
    let part = query::node(summary, &partial).ok().and_then(|node| Nest::of(summary, node));
    let row = format!("rf_{outer}");
    let mut shared = partial.clone();
    if let (Some(part), Some(width)) = (part, width) {
        let inner = by_lanes(schedule, &part, width)?;
        schedule.merge(&[&at(&inner, &row), &at(&partial, &row)])?;
        shared = inner;
    }
    let cycles = nest.all_cycles(lanes(nest, processor));
    share(schedule, (group, &shared), &[(row, parts)], cycles, processor)
}
