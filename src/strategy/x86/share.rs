//! Distributes the iterations of outer loops over threads. As many outer loops of a nest are fused to one parallel loop
//! as give eight iterations for each core. A nest that takes less time than waking a thread stays on one thread, unless
//! threads are awake anyway: then a fifth of this time is enough, and the time to move what other nests wrote to another core.

use crate::machine::table::L3_BYTES_PER_CYCLE;
use crate::machine::x86::Processor;
use crate::nest::summary::{NodeId, Summary, mentions};
use crate::schedule::{Schedule, ScheduleError, query};
use crate::strategy::group::NestGroup;
use crate::strategy::nest::at;
use crate::strategy::sharing::{Sharing, WAKE_CYCLES};
use std::collections::BTreeSet;

/// The fewest cycles that are worth a second thread that is awake: more than it costs to wake it, if it sleeps after all, for
/// the thread that does so.
const AWAKE_CYCLES: i64 = WAKE_CYCLES / 5;

/// Iterations per core, so that a late core does not delay the others.
const TASKS: i64 = 8;

/// Parallelises the outer loops of a block, which are perfectly nested: as many of
/// them, fused, as give enough tasks. A split loop with a partial last iteration is not fused, because after fusion the
/// partial iteration could not be separated. Such a loop is chosen if it has at least as many iterations as the loops
/// around it together, and these are too few or not about equally many for each core: threads would wait for each other in each
/// iteration around it. A loop of unknown extent may have one iteration, so the next one is fused with it, too. `cycles` is the cost of
/// the whole nest.
pub fn share(
    schedule: &mut Schedule,
    (group, block): (&NestGroup, &str),
    outer: &[(String, Option<i64>)],
    cycles: Option<i64>,
    processor: &Processor,
) -> Result<(), ScheduleError> {
    let least = match group.sharing {
        Sharing::Never => return Ok(()),
        Sharing::Asleep => WAKE_CYCLES,
        Sharing::Awake => {
            let moved = moved_cycles(schedule.summary(), block).unwrap_or(i64::MAX);
            AWAKE_CYCLES.saturating_add(moved).min(WAKE_CYCLES)
        }
    };
    if cycles.is_some_and(|cycles| cycles < least) {
        return Ok(());
    }
    let enough = tasks(processor);
    let mut product = 1i64;
    let mut taken = vec![];
    let mut is_known = true;
    for (name, extent) in outer {
        let name = at(block, name);
        let is_apart = has_rest(schedule, block, &name)?;
        let others = if is_apart { product } else { 1 };
        let is_even = is_known && 2 * product >= enough && is_even(product, processor);
        let is_enough = product >= enough || is_apart && is_even;
        if is_enough || extent.is_some_and(|extent| extent < others) {
            break;
        }
        if is_apart {
            (taken, product) = (vec![], 1);
        }
        taken.push(name);
        product = product.saturating_mul(extent.unwrap_or(1));
        is_known &= extent.is_some();
        if is_apart {
            break;
        }
    }
    match &taken[..] {
        [] => Ok(()),
        _ if product < 2 && is_known => Ok(()),
        [one] => schedule.parallel(one),
        several => {
            let loops: Vec<&str> = several.iter().map(String::as_str).collect();
            let fused = schedule.fuse(&loops)?;
            schedule.parallel(&at(block, &fused))
        }
    }
}

/// The cycles in which all that the nest of a block reads, and other nests wrote, moves from one core to another. `None` if
/// sizes are unknown.
fn moved_cycles(summary: &Summary, block: &str) -> Option<i64> {
    let (node, _) = summary.blocks().find(|(_, other)| other.name == block)?;
    let nest = summary.under(summary.child_towards(NodeId::FUNCTION, node));
    let nest: BTreeSet<NodeId> = nest.into_iter().collect();
    let (mut read, mut stored) = (BTreeSet::new(), BTreeSet::new());
    let mut stored_elsewhere = BTreeSet::new();
    for (node, block) in summary.blocks() {
        let is_here = nest.contains(&node);
        for access in block.accesses() {
            match (is_here, access.is_write) {
                (true, false) => read.insert(access.buffer),
                (true, true) => stored.insert(access.buffer),
                (false, true) => stored_elsewhere.insert(access.buffer),
                (false, false) => false,
            };
        }
    }
    let mut bytes = 0i64;
    for id in read.difference(&stored) {
        let buffer = &summary.buffers[*id];
        // Threads keep their parts of weights and of the model's arguments in their caches from call to call.
        let is_of_other_group = buffer.is_between_groups && !buffer.has_lifted_transforms;
        if !is_of_other_group && !stored_elsewhere.contains(id) {
            continue;
        }
        let sizes = buffer.shape.iter().map(|size| size.as_ref()?.constant());
        let size = sizes
            .into_iter()
            .try_fold(buffer.element_bytes?, |product, size| Some(product.saturating_mul(size?)));
        bytes = bytes.saturating_add(size?);
    }
    Some((bytes as f64 / L3_BYTES_PER_CYCLE) as i64)
}

/// True if the predicate of the block depends on the loop.
fn has_rest(schedule: &Schedule, block: &str, name: &str) -> Result<bool, ScheduleError> {
    let summary = schedule.summary();
    let this = summary.as_loop(query::node(summary, name)?).expect("a loop was named");
    let block = summary.as_block(query::node(summary, block)?).expect("a schedule block was named");
    Ok(block.predicate.iter().any(|asked| mentions(asked.expr(), this.variable)))
}

/// True if no core gets many more of so many iterations than others: at most a tenth more than the average.
pub fn is_even(iterations: i64, processor: &Processor) -> bool {
    let cores = i64::try_from(processor.cores).unwrap_or(1).max(1);
    let most = iterations.saturating_add(cores - 1) / cores * cores;
    most.saturating_mul(10) <= iterations.saturating_mul(11)
}

/// The number of iterations that a parallel loop should have.
pub fn tasks(processor: &Processor) -> i64 {
    TASKS.saturating_mul(i64::try_from(processor.cores).unwrap_or(1).max(2))
}
