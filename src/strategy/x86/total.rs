//! Reductions to one value: each thread reduces some parts of the data, and each part is reduced like a row in
//! [`rows`](super::rows).

use super::rows::by_lanes;
use super::share::{share, tasks};
use super::{alone, lanes};
use crate::machine::x86::Processor;
use crate::schedule::{Schedule, ScheduleError, query};
use crate::strategy::group::NestGroup;
use crate::strategy::nest::{AccessStride, Nest, at};
use crate::strategy::{StrategyRow, all_sizes, no_space};

/// The fewest values of a part.
const LEAST: i64 = 1 << 14;

pub const ROW: StrategyRow<Processor> = StrategyRow {
    name: "x86.total",
    summary: "Each thread reduces a part of the data by vector lanes",
    priority: 30,
    applies,
    sizes: all_sizes,
    space: no_space,
    schedule,
};

fn applies(group: &NestGroup, _: &Processor) -> Result<(), String> {
    let nest = alone(group)?;
    let [axis] = nest.reductions()[..] else {
        return Err("it does not have exactly one reduction loop".into());
    };
    if nest.loops.len() != 1 {
        return Err("it has loops over rows".into());
    }
    match nest.loads.iter().all(|load| load.steps[axis] != AccessStride::Far) {
        true => Ok(()),
        false => Err("it does not read consecutive elements".into()),
    }
}

fn schedule(
    schedule: &mut Schedule,
    group: &NestGroup,
    processor: &Processor,
) -> Result<(), ScheduleError> {
    let nest = group.alone().expect("it applies to one nest");
    let axis = &nest.loops[0];
    let parts = axis.extent.map_or(1, |extent| (extent / LEAST).min(4 * tasks(processor)));
    if parts < 2 {
        by_lanes(schedule, nest, processor)?;
        return Ok(());
    }
    // Whole vectors of partial results are combined by vector operations.
    let lanes = lanes(nest, processor);
    let parts = (parts + lanes - 1) / lanes * lanes;
    schedule.split(&nest.at(0), &[parts, -1], None)?;
    let partial = schedule.rfactor(&at(&nest.block, &format!("{}.0", axis.name)), 0)?;
    let summary = schedule.summary();
    let part = query::node(summary, &partial).ok().and_then(|node| Nest::of(summary, node));
    let row = format!("rf_{}.0", axis.name);
    let mut shared = partial.clone();
    if let Some(part) = part
        && let Some(inner) = by_lanes(schedule, &part, processor)?
    {
        schedule.merge(&[&at(&inner, &row), &at(&partial, &row)])?;
        shared = inner;
    }
    let cycles = nest.all_cycles(lanes);
    share(schedule, (group, &shared), &[(row, Some(parts))], cycles, processor)
}
