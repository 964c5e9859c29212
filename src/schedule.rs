//! Schedule primitives: steps that reshape a loop nest and leave its meaning.
//!
//! A step is `check -> Plan -> rewrite`. The check sees a [`summary`] of the function, plain data, and
//! proves that the step is legal, or refuses; the rewrite edits the IR. Each primitive is a file in
//! [`primitive`], a row of the [`table`], and thereby a method here, a pass and a transform op.
//!
//! Must not know: strategies, lowering, targets beyond the limits of thread axes.

pub mod across;
mod apply;
pub mod barriers;
pub mod boxes;
pub(crate) mod copy;
pub mod cover;
pub(crate) mod edit;
pub mod error;
mod execution;
mod face;
pub(crate) mod flow;
pub mod fp;
pub mod fusable;
mod guard;
mod history;
pub(crate) mod index_form;
mod kept;
pub mod lanes;
pub mod legality;
pub mod machine;
pub mod name;
pub(crate) mod partial;
mod place_check;
mod placement;
pub mod primitive;
pub mod proof;
pub mod query;
pub(crate) mod quotient;
pub(crate) mod reduction;
pub mod region_cover;
mod render;
pub mod rewriter;
pub mod role;
mod size_order;
mod state;
pub mod storage;
pub mod summary;
pub mod table;
pub mod trace;
pub mod verify;
pub mod watch;

pub use error::{Reason, ScheduleError};
pub use face::{apply_in_script, passes};
pub use state::State;
pub use table::{Argument, Instruction, Literal, Primitive};
pub use trace::Trace;

use crate::ir::{Error, Op};
use history::{History, names};
use primitive::*;
use rewriter::Direct;
use verify::Verifier;

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

    /// See [`split`](split::split).
    pub fn split(
        &mut self,
        target: &str,
        factors: &[i64],
        tail: Option<&str>,
    ) -> Result<Vec<String>, ScheduleError> {
        let factors = Argument::Integers(factors.to_vec());
        let (tail, proof) = (optional_text(tail), self.proof());
        self.run(&split::PRIMITIVE, vec![text(target), factors, tail, proof])
    }

    /// See [`fuse`](fuse::fuse).
    pub fn fuse(&mut self, loops: &[&str]) -> Result<String, ScheduleError> {
        let mut names = self.run(&fuse::PRIMITIVE, vec![texts(loops)])?;
        Ok(names.pop().expect("fuse makes a loop"))
    }

    /// See [`merge`](merge::merge).
    pub fn merge(&mut self, loops: &[&str]) -> Result<(), ScheduleError> {
        let arguments = vec![texts(loops), self.proof()];
        self.run(&merge::PRIMITIVE, arguments).map(drop)
    }

    /// See [`fission`](fission::fission).
    pub fn fission(&mut self, target: &str, levels: Option<i64>) -> Result<(), ScheduleError> {
        let arguments = vec![text(target), Argument::OptionalInteger(levels), self.proof()];
        self.run(&fission::PRIMITIVE, arguments).map(drop)
    }

    /// See [`add_unit_loop`](add_unit_loop::add_unit_loop).
    pub fn add_unit_loop(&mut self, target: &str) -> Result<String, ScheduleError> {
        let mut names = self.run(&add_unit_loop::PRIMITIVE, vec![text(target)])?;
        Ok(names.pop().expect("add_unit_loop makes a loop"))
    }

    /// See [`reorder`](reorder::reorder).
    pub fn reorder(&mut self, loops: &[&str]) -> Result<(), ScheduleError> {
        let proof = self.proof();
        self.run(&reorder::PRIMITIVE, vec![texts(loops), proof]).map(|_| ())
    }

    /// See [`unroll`](unroll::unroll).
    pub fn unroll(
        &mut self,
        target: &str,
        factor: Option<i64>,
    ) -> Result<Vec<String>, ScheduleError> {
        self.run(&unroll::PRIMITIVE, vec![text(target), Argument::OptionalInteger(factor)])
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
        let proof = self.proof();
        self.run(&compute_inline::PRIMITIVE, vec![text(target), proof]).map(|_| ())
    }

    /// See [`cache_read`](cache_read::cache_read); without `consumers`, all that read the same values.
    /// Gives the name of the schedule block that copies.
    pub fn cache_read(
        &mut self,
        target: &str,
        buffer: &str,
        scope: &str,
        consumers: &[&str],
    ) -> Result<String, ScheduleError> {
        let arguments =
            vec![text(target), text(buffer), text(scope), texts(consumers), self.proof()];
        let mut names = self.run(&cache_read::PRIMITIVE, arguments)?;
        Ok(names.pop().expect("cache_read makes a schedule block"))
    }

    /// See [`cache_write`](cache_write::cache_write). Gives the new name of the schedule block that
    /// computes; the one that copies has its old name.
    pub fn cache_write(
        &mut self,
        target: &str,
        buffer: &str,
        scope: &str,
    ) -> Result<String, ScheduleError> {
        let arguments = vec![text(target), text(buffer), text(scope), self.proof()];
        let mut names = self.run(&cache_write::PRIMITIVE, arguments)?;
        Ok(names.pop().expect("cache_write makes a schedule block"))
    }

    /// See [`set_scope`](set_scope::set_scope).
    pub fn set_scope(&mut self, buffer: &str, scope: &str) -> Result<(), ScheduleError> {
        let proof = self.proof();
        self.run(&set_scope::PRIMITIVE, vec![text(buffer), text(scope), proof]).map(|_| ())
    }

    /// See [`sync_threads`](sync_threads::sync_threads); `place` is `before` (default) or `after`.
    pub fn sync_threads(&mut self, target: &str, place: Option<&str>) -> Result<(), ScheduleError> {
        let place = Argument::OptionalText(place.map(str::to_owned));
        self.run(&sync_threads::PRIMITIVE, vec![text(target), place]).map(|_| ())
    }

    /// See [`annotate`](annotate::annotate).
    pub fn annotate(
        &mut self,
        target: &str,
        key: &str,
        value: impl Into<Literal>,
    ) -> Result<(), ScheduleError> {
        let arguments = vec![text(target), text(key), Argument::Literal(value.into())];
        self.run(&annotate::PRIMITIVE, arguments).map(|_| ())
    }

    /// See [`unannotate`](unannotate::unannotate).
    pub fn unannotate(&mut self, target: &str, key: &str) -> Result<(), ScheduleError> {
        self.run(&unannotate::PRIMITIVE, vec![text(target), text(key)]).map(|_| ())
    }

    /// See [`rfactor`](rfactor::rfactor).
    pub fn rfactor(
        &mut self,
        target: &str,
        factor_axis: Option<i64>,
    ) -> Result<String, ScheduleError> {
        let (axis, proof) = (Argument::OptionalInteger(factor_axis), self.proof());
        let mut names = self.run(&rfactor::PRIMITIVE, vec![text(target), axis, proof])?;
        Ok(names.pop().expect("rfactor makes a block"))
    }

    /// See [`decompose_reduction`](decompose_reduction::decompose_reduction).
    pub fn decompose_reduction(
        &mut self,
        block: &str,
        before: &str,
    ) -> Result<Vec<String>, ScheduleError> {
        let arguments = vec![text(block), text(before), self.proof()];
        self.run(&decompose_reduction::PRIMITIVE, arguments)
    }

    /// See [`compute_at`](compute_at::compute_at).
    pub fn compute_at(&mut self, target: &str, under: &str) -> Result<Vec<String>, ScheduleError> {
        let proof = self.proof();
        self.run(&compute_at::PRIMITIVE, vec![text(target), text(under), proof])
    }

    /// See [`query`](query::query): the answers are remarks. The methods below give them as values.
    pub fn query(&mut self, pattern: &str, what: &str) -> Result<(), ScheduleError> {
        let arguments = vec![text(pattern), text(what)];
        self.run(&primitive::query::PRIMITIVE, arguments).map(|_| ())
    }

    /// The names of the schedule blocks, in the order of the text.
    pub fn blocks(&self) -> Vec<String> {
        query::blocks(self.summary())
    }

    /// The schedule block of a name.
    pub fn block(&self, name: &str) -> Result<&summary::Block, ScheduleError> {
        let node = name::block(self.summary(), name)?;
        Ok(self.summary().as_block(node).expect("a block"))
    }

    /// The loops around a block, outermost first.
    pub fn loops(&self, block: &str) -> Result<Vec<String>, ScheduleError> {
        query::loops(self.summary(), block)
    }

    /// The schedule blocks under a loop or block that are in no other block under it.
    pub fn children(&self, target: &str) -> Result<Vec<String>, ScheduleError> {
        query::children(self.summary(), target)
    }

    /// The other blocks that write what a block reads.
    pub fn producers(&self, block: &str) -> Result<Vec<String>, ScheduleError> {
        query::producers(self.summary(), block)
    }

    /// The other blocks that read what a block writes.
    pub fn consumers(&self, block: &str) -> Result<Vec<String>, ScheduleError> {
        query::consumers(self.summary(), block)
    }

    /// The blocks that write arguments of the function.
    pub fn outputs(&self) -> Vec<String> {
        query::outputs(self.summary())
    }

    /// The names of all buffers that are accessed.
    pub fn buffers(&self) -> Vec<String> {
        query::buffers(self.summary())
    }

    /// The names of blocks, or with `:` of loops, that a pattern such as `C*:j*` matches.
    pub fn find(&self, pattern: &str) -> Vec<String> {
        query::find(self.summary(), pattern)
    }

    /// What a loop or block stands in.
    pub fn parent(&self, target: &str) -> Result<Option<String>, ScheduleError> {
        query::parent(self.summary(), target)
    }

    /// The loop or block after one, in the same place.
    pub fn next(&self, target: &str) -> Result<Option<String>, ScheduleError> {
        query::beside(self.summary(), target, true)
    }

    /// The loop or block before one, in the same place.
    pub fn previous(&self, target: &str) -> Result<Option<String>, ScheduleError> {
        query::beside(self.summary(), target, false)
    }

    /// The nest as text.
    pub fn show(&self) -> String {
        query::show(self.summary())
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
        let step = Instruction { primitive, arguments };
        if let Some(verifier) = &mut self.verifier {
            let function = self.state.function;
            verifier.add_factors(function, &verify::factors(&step)).map_err(cannot_verify)?;
        }
        let (hash, before) = (watch::before(self.state.function), names(self.summary()));
        let made = primitive
            .run(&mut self.state, &step.arguments)
            .map_err(|error| self.history.explained(error))?;
        watch::done(self.state.function, hash, &step);
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
fn wrong_result(number: usize, step: &Instruction, mismatch: verify::Mismatch) -> ScheduleError {
    let (step, found) = (step.script(), mismatch.to_string());
    Reason::WrongResult { number, step, found }.at(0, 0)
}

fn text(text: &str) -> Argument {
    Argument::Text(text.to_owned())
}

fn optional_text(text: Option<&str>) -> Argument {
    Argument::OptionalText(text.map(str::to_owned))
}

fn texts(texts: &[&str]) -> Argument {
    Argument::Texts(texts.iter().map(|text| (*text).to_owned()).collect())
}
