//! Schedule primitives: steps that transform a loop nest and preserve its semantics.
//!
//! A step is `check -> Plan -> rewrite`. The check reads a [`summary`](crate::nest::summary) of the function, which is
//! plain data. It proves that the step is legal, or refuses. The rewrite then edits the IR. Each primitive has a file
//! in [`primitive`], which declares it: as a row of the table, a method here, a pass and a transform op.
//!
//! Must not depend on: strategies, lowering, targets, except the limits on GPU thread axes.

pub mod error;
pub mod instruction;
mod interface;
mod knobs;
pub mod legality;
pub(crate) mod library;
pub mod name;
pub mod primitive;
pub mod query;
pub mod rewrite;
pub(crate) mod step;
pub mod trace;
pub mod verdict;

pub use crate::nest::state::State;
pub use error::{Reason, ScheduleError};
pub use instruction::{Argument, Instruction, Literal, NumberList, OptionalNumber, Primitive};
pub use interface::{apply_in_script, apply_script, passes};
pub use trace::Trace;

use crate::analysis::loop_cost::Ledger;
use crate::dialect::block_axes;
use crate::ir::{Context, Error, Op, op_of};
use crate::nest::rewriter::Direct;
use crate::nest::summary::NodeId;
use crate::verify::Verifier;
use melior::ir::Module;
use step::history::{History, names};
use trace::observer::Observer;

/// A function that is being scheduled from Rust.
///
/// Loops are named `block:loop`. A method that returns an error leaves the IR unchanged.
pub struct Schedule<'c> {
    state: State<'c>,
    trace: Trace,
    /// The `proof` argument of the next step: the policy for obligations that cannot be decided.
    proof: Option<String>,
    history: History,
    verifier: Option<Verifier<'c>>,
    observer: Observer,
    /// True while a step runs, and after one that panicked.
    is_in_step: bool,
    focuses: Vec<Focused>,
}

/// What a schedule shows from a step on.
#[derive(Clone, Debug)]
pub(crate) struct Focused {
    pub first_step: usize,
    /// The schedule blocks that it is limited to; `None` for the whole function.
    pub blocks: Option<Vec<String>>,
}

impl<'c> Schedule<'c> {
    /// Creates a schedule of a function of a module. The function holds ops of the loop dialect.
    ///
    /// # Errors
    /// If there is no such function, or an op of the loop dialect in it is not valid.
    pub fn of(module: &'c mut Module, function: &str) -> Result<Self, Error<'c>> {
        Schedule::new(trace::function(op_of(module), function)?)
    }

    /// Creates a schedule of a `func.func` that holds ops of the loop dialect.
    ///
    /// # Errors
    /// If an op of the loop dialect in the function is not valid.
    pub fn new(function: Op<'c>) -> Result<Self, Error<'c>> {
        Schedule::observed(function, &Observer::default())
    }

    /// As [`new`](Schedule::new), with an observer of the steps.
    ///
    /// # Errors
    /// As [`new`](Schedule::new).
    pub fn observed(function: Op<'c>, observer: &Observer) -> Result<Self, Error<'c>> {
        block_axes::forget(function);
        Ok(Schedule {
            state: State::new(function, Box::new(Direct))?,
            trace: Trace::start(function),
            proof: None,
            history: History::default(),
            verifier: None,
            observer: observer.clone(),
            is_in_step: false,
            focuses: vec![],
        })
    }

    /// Limits the summary to the nests of some schedule blocks and to those that they depend on, so that the cost of a
    /// step does not depend on the size of the function. Steps may name only these, and are done as with a summary of
    /// the whole function.
    pub(crate) fn focus(&mut self, blocks: &[&str]) {
        self.state.focus(blocks).expect("a primitive leaves a valid nest");
        self.note_focus(Some(blocks.iter().map(|name| (*name).to_owned()).collect()));
    }

    /// Shows the whole function again.
    pub(crate) fn widen(&mut self) {
        self.state.widen().expect("a primitive leaves a valid nest");
        self.note_focus(None);
    }

    fn note_focus(&mut self, blocks: Option<Vec<String>>) {
        let first_step = self.trace.instructions.len();
        // Without a step in between, only the last one has an effect.
        self.focuses.pop_if(|last| last.first_step == first_step);
        self.focuses.push(Focused { first_step, blocks });
    }

    /// Each [`focus`](Schedule::focus) and [`widen`](Schedule::widen) so far.
    pub(crate) fn focuses(&self) -> &[Focused] {
        &self.focuses
    }

    /// The summary of the function, which the checks read.
    pub fn summary(&self) -> &crate::nest::summary::Summary {
        self.state.summary()
    }

    pub(crate) fn context(&self) -> Context<'c> {
        self.state.function.context()
    }

    /// The costs of the function in its present state: its [ledger](crate::analysis::loop_cost).
    ///
    /// # Errors
    /// At an op of the loop dialect that is not valid.
    pub fn cost(&self) -> Result<Ledger, Error<'c>> {
        self.check_usable();
        Ledger::of(self.state.function)
    }

    /// The steps applied so far.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// The diagnostic for a refusal of the last step, located at the op that the refusal is about. With
    /// `explain`, a note shows the nest.
    pub fn located(&self, error: &ScheduleError, of: &Primitive, explain: bool) -> Error<'c> {
        self.check_usable();
        error.located(&self.state, of.name, explain)
    }

    /// The next step assumes every obligation that cannot be decided. The trace records this.
    pub fn assume(&mut self) -> &mut Self {
        self.proof = Some("assume".into());
        self
    }

    /// The next step is guarded by a run-time test, so that it applies only to sizes for which it is legal.
    pub fn guard(&mut self) -> &mut Self {
        self.proof = Some("guard".into());
        self
    }

    /// All steps assume their obligations, even refuted ones. Only for tests that compare results.
    pub fn force(&mut self) {
        self.state.force = true;
    }

    /// Verifies each step from here on: the interpreter runs the function and compares its results with the
    /// present ones. A step that changes the results returns an error, although it has been applied; the
    /// schedule must then be discarded.
    ///
    /// # Errors
    /// If the interpreter cannot run the function.
    pub fn verify(&mut self) -> Result<(), Error<'c>> {
        self.verifier = Some(Verifier::new(self.state.function, &[])?);
        Ok(())
    }

    fn proof(&mut self) -> Argument {
        Argument::OptionalText(self.proof.take())
    }

    /// Calls a schedule from `schedules/`, which is part of the package. Either all its steps are applied
    /// or none. See [`library`].
    ///
    /// # Errors
    /// If there is no such schedule, its parameters differ from `values`, a condition that it requires does
    /// not hold, or a step is refused.
    pub fn call(&mut self, name: &str, values: &[(&str, Literal)]) -> Result<(), Error<'c>> {
        self.call_in(None, name, values)
    }

    /// As [`call`](Schedule::call), but searches `library` and its enclosing ops first.
    ///
    /// # Errors
    /// As [`call`](Schedule::call).
    pub fn call_in(
        &mut self,
        library: Option<Op<'c>>,
        name: &str,
        values: &[(&str, Literal)],
    ) -> Result<(), Error<'c>> {
        let function = self.state.function;
        let values = values.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
        let events = library::expand(library, function.context(), name, &values.collect())
            .map_err(|refusal| refusal.located(function))?;
        library::tried(function, &events, false)?;
        for step in library::steps(&events) {
            self.apply(step).map_err(|error| self.located(&error, step.primitive, false))?;
        }
        Ok(())
    }

    /// As [`call_in`](Schedule::call_in), but stops at the first step that is refused, and keeps the steps before it.
    pub(crate) fn call_unchecked(
        &mut self,
        library: Op,
        name: &str,
        values: &library::ParameterValues,
    ) -> Result<(), ScheduleError> {
        let context = self.state.function.context();
        let events = library::expand(Some(library), context, name, values)
            .map_err(|refusal| refusal.reason.at(NodeId::FUNCTION, 0))?;
        for event in &events {
            match event {
                library::Event::Check { check, .. } => check.holds(self.summary())?,
                library::Event::Step { step, .. } => drop(self.apply(step)?),
            }
        }
        Ok(())
    }

    /// Applies one step of a trace and returns the names of what the step created.
    pub fn apply(&mut self, instruction: &Instruction) -> Result<Vec<String>, ScheduleError> {
        self.run(instruction.primitive, instruction.arguments.clone())
    }

    fn run(
        &mut self,
        primitive: &'static Primitive,
        arguments: Vec<Argument>,
    ) -> Result<Vec<String>, ScheduleError> {
        self.check_usable();
        self.is_in_step = true;
        let outcome = self.step(Instruction { primitive, arguments });
        self.is_in_step = false;
        outcome
    }

    /// Panics if an earlier step panicked: the state may then have handles to erased ops.
    fn check_usable(&self) {
        assert!(!self.is_in_step, "a step of this schedule panicked: discard the schedule");
    }

    fn step(&mut self, step: Instruction) -> Result<Vec<String>, ScheduleError> {
        let primitive = step.primitive;
        let _span = step.span(self.state.function).entered();
        let resolved = primitive::sampling::decision::resolved(self.state.function, &step)?;
        if let Some(verifier) = &mut self.verifier {
            let function = self.state.function;
            verifier.add_factors(function, &resolved.factors()).map_err(cannot_verify)?;
        }
        let (hash, before) = (self.observer.before(self.state.function), names(self.summary()));
        let made = primitive
            .run(&mut self.state, &resolved.arguments)
            .map_err(|error| self.history.explained(error))?;
        let step = primitive::sampling::decision::recorded(self.state.function, step);
        self.observer.done(self.state.function, hash, &step);
        self.trace.instructions.push(step.clone());
        self.state.refresh().expect("a primitive leaves a valid nest");
        if let Some(verifier) = &self.verifier {
            let outcome = verifier.check(self.state.function);
            outcome.map_err(|mismatch| wrong_result(self.history.next(), &step, *mismatch))?;
        }
        self.history.done(step, before);
        Ok(made)
    }
}

fn cannot_verify(error: Error) -> ScheduleError {
    Reason::NotVerified(error.message).at(NodeId::FUNCTION, 0)
}

/// The error for a step that changed the results.
fn wrong_result(
    number: usize,
    step: &Instruction,
    mismatch: crate::verify::Mismatch,
) -> ScheduleError {
    let (step, found) = (step.script(), mismatch.to_string());
    Reason::WrongResult { number, step, found }.at(NodeId::FUNCTION, 0)
}
