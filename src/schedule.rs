//! Schedule primitives: steps that reshape a loop nest and leave its meaning.
//!
//! A step is `check -> Plan -> rewrite`. The check sees a [`summary`] of the function, plain data, and
//! proves that the step is legal, or refuses; the rewrite edits the IR. Each primitive is a file in
//! [`primitive`], a row of the [`table`], and thereby a method here, a pass and a transform op.
//!
//! Must not know: strategies, lowering, targets beyond the limits of thread axes.

pub mod error;
mod face;
pub mod instruction;
pub mod legality;
pub mod library;
pub mod name;
pub mod primitive;
pub mod query;
pub mod rewrite;
pub mod step;
pub mod table;
pub mod trace;

pub use crate::nest::state::State;
pub use error::{Reason, ScheduleError};
pub use face::{apply_in_script, passes};
pub use instruction::{Argument, Instruction, Literal, Numbers, OptionalNumber, Primitive};
pub use trace::Trace;

use crate::ir::{Error, Op};
use crate::nest::rewriter::Direct;
use crate::verify::Verifier;
use step::history::{History, names};

/// A function while it is scheduled from Rust.
///
/// Loops are named `block:loop`. A method that returns an error has left the IR unchanged.
pub struct Schedule<'c> {
    state: State<'c>,
    trace: Trace,
    /// What the next step says of obligations that cannot be decided.
    proof: Option<String>,
    history: History,
    verifier: Option<Verifier<'c>>,
    hook: Option<Hook<'c>>,
}

/// Is given the number of a step that was done, and the function.
type Hook<'c> = Box<dyn FnMut(usize, Op<'c>) + 'c>;

impl<'c> Schedule<'c> {
    /// Starts to schedule a `func.func` of the loop dialect.
    ///
    /// # Errors
    /// If an op of the dialect in it is not valid.
    pub fn new(function: Op<'c>) -> Result<Self, Error<'c>> {
        Ok(Schedule {
            state: State::new(function, Box::new(Direct))?,
            trace: Trace::start(function),
            proof: None,
            history: History::default(),
            verifier: None,
            hook: None,
        })
    }

    /// The function as checks see it.
    pub fn summary(&self) -> &crate::nest::summary::Summary {
        self.state.summary()
    }

    /// What has been done so far.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// The diagnostic of a refusal of the last step, at the op it is about. With `explain` a note shows
    /// the nest.
    pub fn located(&self, error: &ScheduleError, of: &Primitive, explain: bool) -> Error<'c> {
        error.located(&self.state, of, explain)
    }

    /// The next step takes as true what cannot be decided; the trace says so.
    pub fn assume(&mut self) -> &mut Self {
        self.proof = Some("assume".into());
        self
    }

    /// The next step is done only for sizes for which it is legal, by a test at run time.
    pub fn guard(&mut self) -> &mut Self {
        self.proof = Some("guard".into());
        self
    }

    /// All steps take their obligations as fulfilled, even refuted ones. For tests, which compare results.
    pub fn force(&mut self) {
        self.state.force = true;
    }

    /// From here on the interpreter runs the function after each step, and compares with what it computes
    /// now. A step that changes that is an error, although it is done: the schedule is then of no use.
    ///
    /// # Errors
    /// If the interpreter cannot run the function.
    pub fn verify(&mut self) -> Result<(), Error<'c>> {
        self.verifier = Some(Verifier::new(self.state.function, &[])?);
        Ok(())
    }

    /// Calls `hook` after each step, before it is verified. For tests, which plant mistakes.
    #[doc(hidden)]
    pub fn after_each_step(&mut self, hook: impl FnMut(usize, Op<'c>) + 'c) {
        self.hook = Some(Box::new(hook));
    }

    fn proof(&mut self) -> Argument {
        Argument::OptionalText(self.proof.take())
    }

    /// Calls a schedule that comes with the package, `schedules/`: all its steps are done, or none. See
    /// [`library`].
    ///
    /// # Errors
    /// If there is no such schedule, its parameters are others, what it requires does not hold, or a step is
    /// refused.
    pub fn call(&mut self, name: &str, values: &[(&str, Literal)]) -> Result<(), Error<'c>> {
        self.call_in(None, name, values)
    }

    /// The same, looked for in a module of one's own first.
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

    /// Does one step of a trace; gives the names of what it has made.
    pub fn apply(&mut self, instruction: &Instruction) -> Result<Vec<String>, ScheduleError> {
        self.run(instruction.primitive, instruction.arguments.clone())
    }

    fn run(
        &mut self,
        primitive: &'static Primitive,
        arguments: Vec<Argument>,
    ) -> Result<Vec<String>, ScheduleError> {
        let step = Instruction { primitive, arguments };
        let resolved = primitive::sampling::decision::resolved(self.state.function, &step)?;
        if let Some(verifier) = &mut self.verifier {
            let function = self.state.function;
            verifier
                .add_factors(function, &crate::verify::factors(&resolved))
                .map_err(cannot_verify)?;
        }
        let (hash, before) = (step::observer::before(self.state.function), names(self.summary()));
        let made = primitive
            .run(&mut self.state, &resolved.arguments)
            .map_err(|error| self.history.explained(error))?;
        let step = primitive::sampling::decision::recorded(self.state.function, step);
        step::observer::done(self.state.function, hash, &step);
        self.trace.instructions.push(step.clone());
        if let Some(hook) = &mut self.hook {
            hook(self.trace.instructions.len(), self.state.function);
        }
        if let Some(verifier) = &self.verifier {
            let outcome = verifier.check(self.state.function);
            outcome.map_err(|mismatch| wrong_result(self.history.next(), &step, *mismatch))?;
        }
        self.state.refresh().expect("a primitive leaves a valid nest");
        self.history.done(step, before);
        Ok(made)
    }
}

fn cannot_verify(error: Error) -> ScheduleError {
    Reason::NotVerified(error.message).at(0, 0)
}

/// What a step that has changed the results says.
fn wrong_result(
    number: usize,
    step: &Instruction,
    mismatch: crate::verify::Mismatch,
) -> ScheduleError {
    let (step, found) = (step.script(), mismatch.to_string());
    Reason::WrongResult { number, step, found }.at(0, 0)
}
