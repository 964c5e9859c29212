//! Observers of schedule steps.
//!
//! An [`Observer`] is passed to all that applies steps: [`Schedule::observed`](crate::schedule::Schedule::observed),
//! [`replay`](crate::schedule::trace::replay), strategies. By default there is none. Passes and transform ops are
//! called by MLIR; they use the observer that is [attached](crate::ffi::attached) to their context.
//!
//! Each duty is a flag of the command line of `lw-opt`:
//! - `--sched-verify`: each step is [verified](crate::verify)
//! - `--sched-print-trace`: each step is recorded, so that a [`Trace`] can be printed at the end. A step of
//!   a script is recorded with the names behind its handles, so any script becomes a plain trace.
//! - `--loop-cost=delta`: prints what each step, and each pass of this package, changes in the [cost ledger](delta)
//! - `--pass-report`: each run of a pass of this package is reported

use crate::analysis::loop_cost::delta;
use crate::ffi::attached::{Attached, ContextObserver, attach, attached};
use crate::ffi::pass::PassRow;
use crate::ffi::pass_report::Runs;
use crate::ir::{Context, Op, remark};
use crate::schedule::instruction::Instruction;
use crate::schedule::trace::{Trace, structural_hash};
use std::any::Any;
use std::sync::{Arc, Mutex, PoisonError};

/// What an observer does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Duties {
    /// Verifies each step.
    pub verifies: bool,
    /// Records each step.
    pub records: bool,
    /// Prints the changes of the cost ledger.
    pub prints_costs: bool,
    /// Reports each run of a pass.
    pub reports_passes: bool,
}

/// An observer; the default observes nothing. Clones share what they have recorded.
#[derive(Clone, Debug, Default)]
pub struct Observer(Option<Arc<ObserverState>>);

#[derive(Debug, Default)]
struct ObserverState {
    verifies: bool,
    recorded: Option<Mutex<Vec<Recorded>>>,
    costs: Option<delta::Changes>,
    runs: Option<Runs>,
}

/// The recorded trace of a function.
#[derive(Debug)]
struct Recorded {
    trace: Trace,
    /// The hashes of the function before the first step and after each step.
    hashes: Vec<String>,
}

impl Observer {
    /// An observer with these duties. Without duties it does nothing.
    pub fn new(duties: Duties) -> Observer {
        if duties == Duties::default() {
            return Observer::default();
        }
        let state = ObserverState {
            verifies: duties.verifies,
            recorded: duties.records.then(Mutex::default),
            costs: duties.prints_costs.then(delta::Changes::default),
            runs: duties.reports_passes.then(Runs::default),
        };
        Observer(Some(Arc::new(state)))
    }

    /// True if it observes something.
    pub fn is_on(&self) -> bool {
        self.0.is_some()
    }

    /// The observer that is attached to a context.
    pub(crate) fn of(context: Context) -> Observer {
        let object = attached(context).map(|object| object as Arc<dyn Any + Send + Sync>);
        Observer(object.and_then(|object| object.downcast().ok()))
    }

    /// Attaches this observer to a context, for the passes and transform ops that run in it. Without an observer,
    /// nothing changes.
    pub fn attach<'c>(&self, context: Context<'c>) -> Option<Attached<'c>> {
        self.0.clone().map(|state| attach(context, state))
    }

    pub(crate) fn verifies(&self) -> bool {
        self.0.as_ref().is_some_and(|state| state.verifies)
    }

    /// The recorded traces, one for each function, in the order of their first steps.
    pub fn recorded(&self) -> Vec<Trace> {
        let Some(recorded) = self.0.as_ref().and_then(|it| it.recorded.as_ref()) else {
            return vec![];
        };
        let recorded = recorded.lock().unwrap_or_else(PoisonError::into_inner);
        recorded.iter().map(|recorded| recorded.trace.clone()).collect()
    }

    /// The reported runs of passes.
    pub fn runs(&self) -> Option<&Runs> {
        self.0.as_ref()?.runs.as_ref()
    }

    /// The hash of a function before a step, if steps are recorded.
    pub(crate) fn before(&self, function: Op) -> Option<String> {
        let state = self.0.as_ref()?;
        if let Some(costs) = &state.costs {
            costs.before(function);
        }
        state.recorded.as_ref().map(|_| structural_hash(function))
    }

    /// Records a step that was applied to a function with that hash.
    pub(crate) fn done(&self, function: Op, before: Option<String>, step: &Instruction) {
        let Some(state) = &self.0 else { return };
        if let Some(costs) = &state.costs {
            costs.after(function, &step.script());
        }
        if let Some((recorded, before)) = state.recorded.as_ref().zip(before) {
            let mut recorded = recorded.lock().unwrap_or_else(PoisonError::into_inner);
            record(&mut recorded, function, before, step);
        }
    }
}

impl ContextObserver for ObserverState {
    fn before_pass(&self, op: Op, _: &PassRow) {
        if let Some(costs) = &self.costs {
            costs.before(op);
        }
    }

    fn after_pass(&self, op: Op, row: &PassRow) {
        if let Some(costs) = &self.costs {
            costs.after(op, row.argument);
        }
    }

    fn runs(&self) -> Option<&Runs> {
        self.runs.as_ref()
    }
}

fn record(all: &mut Vec<Recorded>, function: Op, before: String, step: &Instruction) {
    let start = Trace::start(function);
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
