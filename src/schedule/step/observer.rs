//! Observers of all steps of the process, set by the command line, for passes, scripts and traces alike.
//!
//! - `--sched-verify`: each step is [verified](crate::verify)
//! - `--sched-print-trace`: each step is recorded, so that a [`Trace`] can be printed at the end. A step of
//!   a script is recorded with the names behind its handles, so any script becomes a plain trace.
//! - `--loop-cost=delta`: prints what each step changes in the [cost ledger](delta)

use crate::analysis::loop_cost::delta;
use crate::ir::{Op, remark};
use crate::schedule::instruction::Instruction;
use crate::schedule::trace::{Trace, structural_hash};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

static VERIFIES: AtomicBool = AtomicBool::new(false);
static RECORDS: AtomicBool = AtomicBool::new(false);
static RECORDED: Mutex<Vec<Recorded>> = Mutex::new(vec![]);

/// The recorded trace of a function.
struct Recorded {
    trace: Trace,
    /// The hashes of the function before the first step and after each step.
    hashes: Vec<String>,
}

/// Verifies all steps from here on.
pub fn verify_all() {
    VERIFIES.store(true, Ordering::Relaxed);
}

pub(crate) fn verifies() -> bool {
    VERIFIES.load(Ordering::Relaxed)
}

/// Records all steps from here on.
pub fn record_all() {
    RECORDS.store(true, Ordering::Relaxed);
}

/// The recorded traces, one for each function, in the order of their first steps.
pub fn recorded() -> Vec<Trace> {
    let recorded = RECORDED.lock().unwrap_or_else(PoisonError::into_inner);
    recorded.iter().map(|recorded| recorded.trace.clone()).collect()
}

/// The hash of a function before a step, if steps are recorded.
pub(crate) fn before(function: Op) -> Option<String> {
    delta::before(function);
    RECORDS.load(Ordering::Relaxed).then(|| structural_hash(function))
}

/// Records a step that was applied to a function with that hash.
pub(crate) fn done(function: Op, before: Option<String>, step: &Instruction) {
    if delta::is_on() {
        delta::after(function, &step.script());
    }
    let Some(before) = before else { return };
    let start = Trace::start(function);
    let mut all = RECORDED.lock().unwrap_or_else(PoisonError::into_inner);
    let same = |recorded: &Recorded| recorded.trace.function == start.function;
    let after = start.hash.clone().unwrap_or_default();
    let i = all.iter().position(same).unwrap_or_else(|| {
        all.push(Recorded { trace: start, hashes: vec![] });
        all.len() - 1
    });
    let Recorded { trace, hashes } = &mut all[i];
    match hashes.iter().rposition(|hash| *hash == before) {
        // The steps after that one were undone: an alternative of the script failed.
        Some(last) => {
            hashes.truncate(last + 1);
            trace.instructions.truncate(last);
        }
        None => {
            if !hashes.is_empty() {
                let message =
                    "something other than a step has changed this function: its trace starts again";
                remark(function.location(), message);
            }
            trace.instructions.clear();
            trace.hash = Some(before.clone());
            *hashes = vec![before];
        }
    }
    trace.instructions.push(step.clone());
    hashes.push(after);
}
