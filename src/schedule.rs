//! Schedule primitives: steps that reshape a loop nest and leave its meaning.
//!
//! A step is `check -> Plan -> rewrite`. The check sees a [`summary`] of the function, plain data, and
//! proves that the step is legal, or refuses; the rewrite edits the IR. Each primitive is a file in
//! [`primitive`], a row of the [`table`], and thereby a method here, a pass and a transform op.
//!
//! Must not know: strategies, lowering, targets beyond the limits of thread axes.

mod edit;
pub mod error;
mod execution;
mod face;
mod index_form;
pub mod legality;
pub mod name;
mod place_check;
mod placement;
pub mod primitive;
pub mod proof;
pub mod region_cover;
mod render;
pub mod rewriter;
pub mod role;
mod state;
pub mod summary;
pub mod table;
pub mod trace;

pub use error::{Reason, ScheduleError};
pub use face::{apply_in_script, passes};
pub use state::State;
pub use table::{Argument, Instruction, Primitive};
pub use trace::Trace;

use crate::ir::{Error, Op};
use primitive::*;
use rewriter::Direct;
use std::collections::HashMap;

/// A function while it is scheduled from Rust.
///
/// Loops are named `block:loop`. A method that returns an error has left the IR unchanged.
pub struct Schedule<'c> {
    state: State<'c>,
    trace: Trace,
    /// What the next step says of obligations that cannot be decided.
    proof: Option<String>,
    /// The number of the step that has removed a name.
    removed: HashMap<String, usize>,
}

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
            removed: HashMap::new(),
        })
    }

    /// The function as checks see it.
    pub fn summary(&self) -> &summary::Summary {
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

    /// All steps take their obligations as fulfilled, even refuted ones. For tests, which compare results.
    pub fn force(&mut self) {
        self.state.force = true;
    }

    fn proof(&mut self) -> Argument {
        Argument::OptionalText(self.proof.take())
    }

    /// See [`split`](split::split).
    pub fn split(&mut self, target: &str, factors: &[i64]) -> Result<Vec<String>, ScheduleError> {
        self.run(&split::PRIMITIVE, vec![text(target), Argument::Integers(factors.to_vec())])
    }

    /// See [`fuse`](fuse::fuse).
    pub fn fuse(&mut self, loops: &[&str]) -> Result<String, ScheduleError> {
        let mut names = self.run(&fuse::PRIMITIVE, vec![texts(loops)])?;
        Ok(names.pop().expect("fuse makes a loop"))
    }

    /// See [`reorder`](reorder::reorder).
    pub fn reorder(&mut self, loops: &[&str]) -> Result<(), ScheduleError> {
        let proof = self.proof();
        self.run(&reorder::PRIMITIVE, vec![texts(loops), proof]).map(|_| ())
    }

    /// See [`unroll`](unroll::unroll).
    pub fn unroll(&mut self, target: &str) -> Result<(), ScheduleError> {
        self.run(&unroll::PRIMITIVE, vec![text(target)]).map(|_| ())
    }

    /// See [`vectorize`](vectorize::vectorize).
    pub fn vectorize(
        &mut self,
        target: &str,
        factor: Option<i64>,
    ) -> Result<Vec<String>, ScheduleError> {
        let (factor, proof) = (Argument::OptionalInteger(factor), self.proof());
        self.run(&vectorize::PRIMITIVE, vec![text(target), factor, proof])
    }

    /// See [`parallel`](parallel::parallel).
    pub fn parallel(&mut self, target: &str) -> Result<(), ScheduleError> {
        let proof = self.proof();
        self.run(&parallel::PRIMITIVE, vec![text(target), proof]).map(|_| ())
    }

    /// See [`bind`](bind::bind).
    pub fn bind(&mut self, target: &str, thread: &str) -> Result<(), ScheduleError> {
        let proof = self.proof();
        self.run(&bind::PRIMITIVE, vec![text(target), text(thread), proof]).map(|_| ())
    }

    /// See [`compute_inline`](compute_inline::compute_inline).
    pub fn compute_inline(&mut self, target: &str) -> Result<(), ScheduleError> {
        self.run(&compute_inline::PRIMITIVE, vec![text(target)]).map(|_| ())
    }

    /// See [`compute_at`](compute_at::compute_at).
    pub fn compute_at(&mut self, target: &str, under: &str) -> Result<Vec<String>, ScheduleError> {
        let proof = self.proof();
        self.run(&compute_at::PRIMITIVE, vec![text(target), text(under), proof])
    }

    /// See [`reverse_compute_at`](reverse_compute_at::reverse_compute_at).
    pub fn reverse_compute_at(
        &mut self,
        target: &str,
        under: &str,
    ) -> Result<Vec<String>, ScheduleError> {
        let proof = self.proof();
        self.run(&reverse_compute_at::PRIMITIVE, vec![text(target), text(under), proof])
    }

    /// See [`reverse_compute_inline`](reverse_compute_inline::reverse_compute_inline).
    pub fn reverse_compute_inline(&mut self, target: &str) -> Result<(), ScheduleError> {
        let proof = self.proof();
        self.run(&reverse_compute_inline::PRIMITIVE, vec![text(target), proof]).map(|_| ())
    }

    /// See [`simple_compute_at`](simple_compute_at::simple_compute_at).
    pub fn simple_compute_at(&mut self, target: &str, under: &str) -> Result<(), ScheduleError> {
        let proof = self.proof();
        let arguments = vec![text(target), text(under), proof];
        self.run(&simple_compute_at::PRIMITIVE, arguments).map(|_| ())
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
        let before = names(self.summary());
        let made = (primitive.apply)(&mut self.state, &arguments)
            .map_err(|error| self.with_removed(error))?;
        self.trace.instructions.push(Instruction { primitive, arguments });
        self.state.refresh().expect("a primitive leaves a valid nest");
        let step = self.trace.instructions.len();
        let after = names(self.summary());
        for name in &after {
            self.removed.remove(name);
        }
        for name in before.into_iter().filter(|name| !after.contains(name)) {
            self.removed.insert(name, step);
        }
        Ok(made)
    }

    /// A name that a step has removed gets that as the reason.
    fn with_removed(&self, error: ScheduleError) -> ScheduleError {
        let name = match &*error.reason {
            Reason::NoBlock { name, .. } => name.clone(),
            Reason::NoLoop { block, name, .. } => format!("{block}:{name}"),
            _ => return error,
        };
        match self.removed.get(&name) {
            Some(step) => {
                let by = self.trace.instructions[step - 1].script();
                ScheduleError {
                    reason: Box::new(Reason::Removed { name, step: *step, by }),
                    ..error
                }
            }
            None => error,
        }
    }
}

/// All names that loops and blocks go by.
fn names(summary: &summary::Summary) -> Vec<String> {
    let mut names = vec![];
    for (node, block) in summary.blocks() {
        names.push(block.name.clone());
        let loops = summary.loops_around(node).filter_map(|l| summary.as_loop(l));
        names.extend(loops.map(|this| format!("{}:{}", block.name, this.name)));
    }
    names
}

fn text(text: &str) -> Argument {
    Argument::Text(text.to_owned())
}

fn texts(texts: &[&str]) -> Argument {
    Argument::Texts(texts.iter().map(|text| (*text).to_owned()).collect())
}
