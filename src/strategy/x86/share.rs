//! Which loops threads share.

use crate::machine::x86::Processor;
use crate::nest::summary::mentions;
use crate::schedule::{Schedule, ScheduleError, query};
use crate::strategy::group::Group;
use crate::strategy::nest::at;

/// Cycles that are not worth a second thread: about what it takes to wake one.
const LEAST_CYCLES: i64 = 60_000;

/// Iterations a core, so that a core that is late does not delay the others.
const TASKS: i64 = 8;

/// Lets threads share the outer loops of a block, each of which is the only thing in the one before: as many of
/// them, fused, as make enough tasks. One that cuts a loop whose last part is not whole is not fused: the last part could
/// not be told from the others any more. It is taken if it has more iterations than those around it together. `cycles` are
/// those of the whole nest.
pub fn share(
    schedule: &mut Schedule,
    (group, block): (&Group, &str),
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
        product = product.saturating_mul(extent.unwrap_or(enough));
        if is_apart {
            break;
        }
    }
    match &taken[..] {
        [] => Ok(()),
        _ if product < 2 => Ok(()),
        [one] => schedule.parallel(one),
        several => {
            let loops: Vec<&str> = several.iter().map(String::as_str).collect();
            let fused = schedule.fuse(&loops)?;
            schedule.parallel(&at(block, &fused))
        }
    }
}

/// Does what a block asks for depend on a loop around it?
fn has_rest(schedule: &Schedule, block: &str, name: &str) -> Result<bool, ScheduleError> {
    let summary = schedule.summary();
    let this = summary.as_loop(query::node(summary, name)?).expect("a loop was named");
    let block = summary.as_block(query::node(summary, block)?).expect("a schedule block was named");
    Ok(block.predicate.iter().any(|asked| mentions(asked.expr(), this.variable)))
}

/// How many iterations a shared loop should have.
pub fn tasks(processor: &Processor) -> i64 {
    TASKS.saturating_mul(i64::try_from(processor.cores).unwrap_or(1).max(2))
}
