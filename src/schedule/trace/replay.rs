//! Replays a trace on a module.

use super::{TraceSource, remark_other_hash};
use crate::ir::{Error, ModuleMut, Op, op_of, walk};
use crate::schedule::Schedule;
use crate::schedule::trace::observer::Observer;

/// Applies a trace to the function with its name. A different hash is reported as a remark. With `explain`, an error
/// shows the nest.
///
/// # Errors
/// At the op that a step is refused for, with a note that names the step; the steps before it remain applied.
pub fn replay<'c>(
    module: impl ModuleMut<'c>,
    source: &TraceSource<'c>,
    explain: bool,
) -> Result<(), Error<'c>> {
    replay_observed(module, source, explain, &Observer::default())
}

/// As [`replay`], with an observer of the steps.
///
/// # Errors
/// As [`replay`].
pub fn replay_observed<'c>(
    module: impl ModuleMut<'c>,
    source: &TraceSource<'c>,
    explain: bool,
    observer: &Observer,
) -> Result<(), Error<'c>> {
    let function = function(op_of(module), &source.trace.function)?;
    remark_other_hash(function, "trace", source.trace.hash.as_deref());
    let mut schedule = Schedule::observed(function, observer)?;
    if observer.verifies() {
        schedule.verify()?;
    }
    for (i, step) in source.trace.instructions.iter().enumerate() {
        schedule.apply(step).map_err(|error| {
            let note = format!("in step {} of the trace: {}", i + 1, step.script());
            schedule.located(&error, step.primitive, explain).note(source.places[i], note)
        })?;
    }
    Ok(())
}

/// The function with that name.
pub(in crate::schedule) fn function<'c>(root: Op<'c>, name: &str) -> Result<Op<'c>, Error<'c>> {
    let is_wanted = |op: &Op<'c>| op.is("func.func") && op.symbol_name() == Some(name);
    let found = walk(root).into_iter().find(is_wanted);
    found.ok_or_else(|| Error::on(root, format!("has no function @{name}")))
}
