//! Fallback: each result is computed by one thread, which reduces sequentially. This also schedules nests that are in
//! no group.

use super::{add_threads, elementwise, fused, spread, threads_of};
use crate::machine::cuda::Gpu;
use crate::nest::summary::{NodeId, NodeKind, Summary};
use crate::schedule::legality::quick;
use crate::schedule::{Schedule, ScheduleError, query};
use crate::strategy::group::NestGroup;
use crate::strategy::nest::{Nest, at, order, product};
use crate::strategy::space::{ChosenNumbers, Space};
use crate::strategy::{StrategyRow, all_sizes};

pub const ROW: StrategyRow<Gpu> = StrategyRow {
    name: "nvptx.serial",
    summary: "Each thread computes results one by one, with sequential reductions",
    priority: 1,
    applies: |_, _| Ok(()),
    sizes: all_sizes,
    space: |group: &NestGroup, gpu| {
        let mut space = Space::default();
        for nest in &group.nests {
            match nest.is_reduction() {
                true => add_threads(&mut space, nest, results(nest), gpu),
                false => elementwise::add_numbers(&mut space, nest, gpu),
            }
        }
        space
    },
    schedule: |schedule, group: &NestGroup, gpu, numbers| {
        group.nests.iter().try_for_each(|nest| one(schedule, nest, gpu, numbers))
    },
};

/// The number of results of a reduction, if it is known.
pub fn results(nest: &Nest) -> Option<i64> {
    product(nest.spatial().into_iter().map(|axis| nest.loops[axis].extent))
}

fn one(
    schedule: &mut Schedule,
    nest: &Nest,
    gpu: &Gpu,
    numbers: &ChosenNumbers,
) -> Result<(), ScheduleError> {
    if !nest.is_reduction() {
        return elementwise::map(schedule, nest, gpu, numbers);
    }
    let block = &nest.block;
    // The loop of contiguous results is innermost, so that consecutive threads have them.
    let mut spatial = nest.spatial();
    spatial.sort_by_key(|axis| Some(*axis) == nest.store_axis());
    let name = |axis: usize| nest.loops[axis].name.clone();
    let results: Vec<String> = spatial.into_iter().map(name).collect();
    let reductions = nest.reductions().into_iter().map(name);
    order(schedule, block, results.iter().cloned().chain(reductions))?;
    match fused(schedule, block, &results)? {
        Some(all) => spread(schedule, block, &all, &threads_of(numbers, nest, gpu)),
        None => alone(schedule, &nest.at(0)),
    }
}

/// Binds a target that is in no loop of threads to one thread.
pub fn alone(schedule: &mut Schedule, target: &str) -> Result<(), ScheduleError> {
    let unit = schedule.add_unit_loop(target)?;
    let block = target.split(':').next().unwrap_or(target);
    schedule.bind(&at(block, &unit), "threadIdx.x")
}

/// Binds what is unbound: the outermost loop whose iterations may be threads; if there is none, one thread runs the
/// nest.
pub fn rest(schedule: &mut Schedule, gpu: &Gpu) {
    for block in unbound(schedule.summary()) {
        let loops = schedule.loops(&block).unwrap_or_default();
        let is_spread = loops.iter().any(|name| {
            let summary = schedule.summary();
            let reduces = query::node(summary, name)
                .is_ok_and(|node| quick::reducing(summary, node).next().is_some());
            let name = name.rsplit(':').next().unwrap_or(name);
            !reduces && spread(schedule, &block, name, &gpu.threads.into()).is_ok()
        });
        let outermost = schedule.loops(&block).ok().and_then(|loops| loops.first().cloned());
        if !is_spread {
            // If not even a unit loop can be added, lowering refuses the nest and reports why.
            let _ = alone(schedule, outermost.as_ref().unwrap_or(&block));
        }
    }
}

/// A schedule block of each nest of a function in which no loop is bound.
fn unbound(summary: &Summary) -> Vec<String> {
    let is_bound = |node: &NodeId| match &summary.nodes[*node].kind {
        NodeKind::Loop(this) => this.thread.is_some(),
        _ => false,
    };
    let tops = summary.nodes[NodeId::FUNCTION].children.iter();
    let free = tops.filter(|top| !summary.under(**top).iter().any(is_bound) && !is_bound(top));
    free.filter_map(|top| {
        let block = *summary.blocks_under(*top).first()?;
        Some(summary.as_block(block)?.name.clone())
    })
    .collect()
}
