//! `--verify-each=numeric`: finds the first pass after which a function computes something else.
//!
//! [`Checker`] is called around each pass of a pipeline, ours or MLIR's. Before the first pass, it runs the
//! public functions of the module on inputs that it generates. After each pass that has changed one of them, it
//! runs that function again. A pass is reported
//! - if a result or a buffer differs from that before the pipeline by more than the contract of the function
//!   allows (see [`rounding`]). Each pass is compared with the same reference, so errors do not add up. The
//!   first pass beyond the tolerance is reported, because the result before it was within;
//! - if the function no longer runs: conflicts of unordered iterations, accesses out of bounds, uses
//!   of undefined values.
//!
//! The pipeline then stops, and the smallest tried sizes that show the error are reported. Code that the interpreter
//! does not support is not judged: a remark names the pass after which a function cannot be run, once. The function
//! is tried again after each later pass until it runs. A function that cannot be run at the beginning is checked from
//! the first pass before which it runs; so is a function that a pass has created.
//!
//! A pass that runs nested passes is judged when it has finished; intermediate states are not checked.
//!
//! This is no proof. One check of all functions takes a bounded number of interpreter steps. Exception: a function
//! of fixed sizes is run once, whatever its size, up to a limit.

pub(crate) mod reference;
pub(crate) mod rounding;

use crate::ffi::instrument::{Instrumentation, Manager};
use crate::ir::{Attribute, Error, Location, Op, callee, parents, remark, walk};
use reference::{CheckResult, Reference};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use tracing::{Span, debug_span};

/// The state of the functions of a module while passes run on it.
#[derive(Default)]
pub struct Checker {
    functions: BTreeMap<String, Tracked>,
    /// Numbers of the pipeline; sizes around them are tried.
    factors: Vec<i64>,
    /// The nesting depth of the running passes.
    depth: usize,
    before: Option<Before>,
    /// True after the first pass has started: functions that are new from then on were created by passes.
    has_begun: bool,
    remarks: Vec<String>,
}

/// The state of a function.
enum Tracked {
    /// It cannot be run yet; `again` states whether to try again.
    Unknown { again: bool },
    Known {
        reference: Reference,
        /// The pass since which it cannot be run.
        blind: Option<String>,
    },
}

/// The state before the running pass.
struct Before {
    fingerprint: u64,
    /// For each function, the number of ops whose results are not exactly defined.
    inexact: BTreeMap<String, usize>,
}

impl Checker {
    /// A checker for a pipeline; the numbers in its text determine the sizes to try.
    pub fn new(pipeline: &str) -> Checker {
        let mut checker = Checker::default();
        checker.expect(pipeline);
        checker
    }

    /// Adds the numbers in the text of a further pipeline: tile sizes, factors, widths.
    pub fn expect(&mut self, pipeline: &str) {
        /// The lanes of a vector of f32 or f64, if the text does not state the vector width.
        const LANES: [i64; 2] = [4, 16];
        let numbers = pipeline.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse().ok());
        let all: BTreeSet<i64> = numbers.chain(LANES).chain(self.factors.drain(..)).collect();
        self.factors = all.into_iter().filter(|n| (2..=64).contains(n)).collect();
    }

    /// Checks each pass that a pass manager of MLIR's driver runs.
    pub fn install(manager: Manager) {
        let checker = Checker::new(&manager.pipeline());
        manager.instrument(Box::new(SharedChecker(Rc::new(RefCell::new(checker)))));
    }

    /// Takes the remarks about functions that could not be checked and since which pass. They were also emitted as
    /// remarks.
    pub fn take_remarks(&mut self) -> Vec<String> {
        std::mem::take(&mut self.remarks)
    }

    fn remark(&mut self, at: Location, message: String) {
        remark(at, &message);
        self.remarks.push(message);
    }

    fn begin(&mut self, pass: &str, op: Op) {
        self.depth += 1;
        if self.depth > 1 {
            return;
        }
        let _span = span("before", pass).entered();
        let module = parents(op).last().unwrap_or(op);
        for function in public_functions(module) {
            self.start(pass, module, function);
        }
        self.has_begun = true;
        let known = |(name, tracked): (&String, &Tracked)| match tracked {
            Tracked::Known { .. } => {
                Some((name.clone(), rounding::inexact(&reached(module, name))))
            }
            Tracked::Unknown { .. } => None,
        };
        let inexact = self.functions.iter().filter_map(known).collect();
        self.before = Some(Before { fingerprint: op.fingerprint(), inexact });
    }

    /// Runs a function that has no reference yet.
    fn start(&mut self, pass: &str, module: Op, function: Op) {
        let name = symbol(function);
        match self.functions.get(name) {
            Some(Tracked::Known { .. } | Tracked::Unknown { again: false }) => return,
            Some(Tracked::Unknown { again: true }) | None => {}
        }
        let is_new = !self.functions.contains_key(name);
        let tracked = match Reference::new(module, function, &self.factors) {
            Ok(reference) => Tracked::Known { reference, blind: None },
            Err(refusal) => {
                if is_new && !self.has_begun {
                    let why = refusal.message;
                    let message = format!("@{name} cannot be checked before pass '{pass}': {why}");
                    self.remark(function.location(), message);
                }
                Tracked::Unknown { again: !refusal.is_final }
            }
        };
        self.functions.insert(name.to_owned(), tracked);
    }

    /// Checks the functions after a pass. On `Err`, the error has been reported.
    fn end(&mut self, pass: &str, op: Op) -> Result<(), ()> {
        self.depth -= 1;
        if self.depth > 0 {
            return Ok(());
        }
        let Some(before) = self.before.take() else { return Ok(()) };
        let _span = span("after", pass).entered();
        if op.fingerprint() == before.fingerprint {
            return Ok(());
        }
        let module = parents(op).last().unwrap_or(op);
        let changed = std::iter::once(op).chain(parents(op)).find(|op| op.is("func.func"));
        let mut outcome = Ok(());
        let mut remarks = vec![];
        for (name, tracked) in &mut self.functions {
            let Tracked::Known { reference, blind } = tracked else { continue };
            let functions = reached(module, name);
            if changed.is_some_and(|changed| !functions.contains(&changed)) {
                continue;
            }
            let verdict = match functions.first() {
                Some(function) => {
                    let lost = before.inexact.get(name).copied().unwrap_or(0)
                        > rounding::inexact(&functions);
                    reference.check(module, *function, lost)
                }
                None => CheckResult::Beyond("the function no longer exists".into()),
            };
            let at = functions.first().map_or(op.location(), |function| function.location());
            match verdict {
                CheckResult::Same => *blind = None,
                CheckResult::Beyond(why) if blind.is_none() => {
                    let message = format!("after pass '{pass}' @{name} cannot be checked: {why}");
                    remarks.push((at, message));
                    *blind = Some(pass.to_owned());
                }
                CheckResult::Beyond(_) => {}
                CheckResult::Other(mismatch) => {
                    let passes = match blind {
                        Some(first) => format!("one of the passes from '{first}' to '{pass}'"),
                        None => format!("pass '{pass}'"),
                    };
                    let why = mismatch.text("computes something else: ", "no longer runs: ");
                    Error::at(at, format!("after {passes} @{name} {why}")).emit();
                    outcome = Err(());
                }
            }
        }
        remarks.into_iter().for_each(|(at, message)| self.remark(at, message));
        outcome
    }
}

/// A checker that several pass managers call one after the other.
#[derive(Clone, Default)]
pub struct SharedChecker(pub Rc<RefCell<Checker>>);

impl SharedChecker {
    /// Checks a change of a module that is not made by a pass of a manager; `name` is reported in place of a pass. On
    /// `Err`, the error has been reported.
    #[expect(clippy::result_unit_err, reason = "the errors are diagnostics")]
    pub fn checked(&self, name: &str, module: Op, run: impl FnOnce() -> bool) -> Result<(), ()> {
        self.0.borrow_mut().begin(name, module);
        if run() {
            return self.0.borrow_mut().end(name, module);
        }
        self.0.borrow_mut().depth -= 1;
        Err(())
    }
}

impl Instrumentation for SharedChecker {
    fn before(&mut self, pass: &str, op: Op) {
        self.0.borrow_mut().begin(pass, op);
    }

    fn after(&mut self, pass: &str, op: Op) -> Result<(), ()> {
        self.0.borrow_mut().end(pass, op)
    }

    fn failed(&mut self, _: &str, _: Op) {
        self.0.borrow_mut().depth -= 1;
    }
}

/// The span of a check before or after a pass.
fn span(name: &'static str, pass: &str) -> Span {
    debug_span!(target: "loopwright::verify", "numeric", name = %name, pass = %pass)
}

/// The public functions that have a body.
fn public_functions(module: Op) -> Vec<Op> {
    let ops = module.body(0).map(|body| body.ops()).unwrap_or_default();
    let is_public = |op: &Op| {
        let visibility = op.attribute("sym_visibility").and_then(Attribute::as_str);
        op.is("func.func") && op.body(0).is_some() && visibility.is_none_or(|it| it == "public")
    };
    ops.into_iter().filter(is_public).collect()
}

/// The function of that name, and all functions that it calls, directly or indirectly.
fn reached<'c>(module: Op<'c>, name: &str) -> Vec<Op<'c>> {
    let ops = module.body(0).map(|body| body.ops()).unwrap_or_default();
    let find =
        |name: &str| ops.iter().copied().find(|op| op.is("func.func") && symbol(*op) == name);
    let kernels = |function: Op<'c>| {
        let launched = walk(function).into_iter().filter(|op| op.is("gpu.launch_func"));
        launched.filter_map(|op| {
            let (outer, inner) = op.attribute("kernel")?.as_nested_symbol()?;
            let kernels = ops.iter().find(|op| op.is("gpu.module") && symbol(**op) == outer)?;
            kernels.body(0)?.ops().into_iter().find(|op| symbol(*op) == inner)
        })
    };
    let mut found: Vec<Op> = find(name).into_iter().collect();
    let mut next = 0;
    while let Some(function) = found.get(next).copied() {
        let callees = walk(function).into_iter().filter_map(callee).filter_map(find);
        for reached in callees.chain(kernels(function)) {
            if !found.contains(&reached) {
                found.push(reached);
            }
        }
        next += 1;
    }
    found
}

fn symbol(op: Op<'_>) -> &str {
    op.symbol_name().unwrap_or_default()
}

#[cfg(test)]
#[path = "../../test/verify/numeric.rs"]
mod tests;
