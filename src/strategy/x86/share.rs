//! Which loops threads share.

use crate::machine::x86::Processor;
use crate::schedule::{Schedule, ScheduleError};
use crate::strategy::group::Group;
use crate::strategy::nest::at;

/// Cycles that are not worth a second thread: about what it takes to wake one.
const LEAST_CYCLES: i64 = 60_000;

/// Iterations a core, so that a core that is late does not delay the others.
const TASKS: i64 = 8;

/// Lets threads share the outer loops of a block, each of which is the only thing in the one before: as many of
/// them, fused, as make enough tasks. `cycles` are those of the whole nest.
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
        if product >= enough {
            break;
        }
        taken.push(at(block, name));
        product = product.saturating_mul(extent.unwrap_or(enough));
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

/// How many iterations a shared loop should have.
pub fn tasks(processor: &Processor) -> i64 {
    TASKS.saturating_mul(i64::try_from(processor.cores).unwrap_or(1).max(2))
}
