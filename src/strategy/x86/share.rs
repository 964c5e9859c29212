//! Distributes the iterations of outer loops over threads. As many outer loops of a nest are fused to one parallel loop
//! as give eight iterations for each core. A nest that takes less time than waking a thread stays on one thread.

use crate::machine::table::{NOMINAL_GHZ, WAKE_NS};
use crate::machine::x86::Processor;
use crate::nest::summary::mentions;
use crate::schedule::{Schedule, ScheduleError, query};
use crate::strategy::group::NestGroup;
use crate::strategy::nest::at;

/// The fewest cycles that are worth a second thread: the time to wake one.
const LEAST_CYCLES: i64 = (WAKE_NS * NOMINAL_GHZ) as i64;

/// Iterations per core, so that a late core does not delay the others.
const TASKS: i64 = 8;

/// Parallelises the outer loops of a block, which are perfectly nested: as many of
/// them, fused, as give enough tasks. A split loop with a partial last iteration is not fused, because after fusion the
/// partial iteration could not be separated. Such a loop is chosen if it has at least as many iterations as the loops
/// around it together. A loop of unknown extent may have one iteration, so the next one is fused with it, too. `cycles` is the cost of
/// the whole nest.
pub fn share(
    schedule: &mut Schedule,
    (group, block): (&NestGroup, &str),
    outer: &[(String, Option<i64>)],
    cycles: Option<i64>,
    processor: &Processor,
) -> Result<(), ScheduleError> {
    if !group.may_share || cycles.is_some_and(|cycles| cycles < LEAST_CYCLES) {
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
        if product >= enough || extent.is_some_and(|extent| extent < others) {
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

/// True if the predicate of the block depends on the loop.
fn has_rest(schedule: &Schedule, block: &str, name: &str) -> Result<bool, ScheduleError> {
    let summary = schedule.summary();
    let this = summary.as_loop(query::node(summary, name)?).expect("a loop was named");
    let block = summary.as_block(query::node(summary, block)?).expect("a schedule block was named");
    Ok(block.predicate.iter().any(|asked| mentions(asked.expr(), this.variable)))
}

/// The number of iterations that a parallel loop should have.
pub fn tasks(processor: &Processor) -> i64 {
    TASKS.saturating_mul(i64::try_from(processor.cores).unwrap_or(1).max(2))
}
