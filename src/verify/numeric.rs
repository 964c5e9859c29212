//! Numerics at each pass: which pass is the first after which a function computes something else?
//!
//! [`Checker`] is called around each pass of a pipeline, ours or MLIR's. Before the first pass it runs the
//! public functions of the module on inputs that it makes, and after each pass that has changed one of them it
//! runs that again. A pass is guilty
//! - if a result or a buffer is another than before the pipeline, beyond what the contract of the function
//!   allows (see [`rounding`]): each pass is compared with the same reference, so errors do not add up, and the
//!   first that is too far off is the guilty one, as the one before it was not;
//! - if the function does not run any more: conflicts of iterations without order, accesses out of bounds, uses
//!   of undefined values.
//!
//! The pipeline then stops, with the smallest sizes of those tried that show it. What the interpreter does not
//! know is not judged: a remark names the pass after which a function cannot be run, once, and it is run
//! again after each later pass, until it can be. A function that cannot be run at the beginning is checked
//! from the first pass before which it can; one that a pass has made, too, if it can.
//!
//! A pass that runs others inside it is judged when it is done: what is between is its own affair.
//!
//! This is no proof. One check of all functions takes a bounded number of steps of the interpreter, unless the
//! sizes of a function are fixed: then it is run once, however large it is up to a limit.

pub mod reference;
pub mod rounding;
mod signature;
mod sizes;

use crate::ffi::instrument::{Instrumentation, Manager};
use crate::ir::{Attribute, Error, Location, Op, parents, remark, walk};
use reference::{Reference, Verdict};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The functions of a module while passes run on it.
#[derive(Default)]
pub struct Checker {
    functions: BTreeMap<String, Watched>,
    /// Numbers around which sizes matter.
    factors: Vec<i64>,
    /// How many passes are running, each inside the one before.
    depth: usize,
    before: Option<Before>,
    /// The first pass has come: functions that are new from then on were made by passes.
    has_begun: bool,
    remarks: Vec<String>,
}

/// What is known of a function.
enum Watched {
    /// It cannot be run yet; whether to try again.
    Unknown { again: bool },
    Known {
        reference: Reference,
        /// The pass since which it cannot be run.
        blind: Option<String>,
    },
}

/// What the running pass has found.
struct Before {
    fingerprint: u64,
    /// Of each function how many ops have no exactly defined result.
    inexact: BTreeMap<String, usize>,
}

impl Checker {
    /// A checker for a pipeline, whose numbers tell which sizes matter.
    pub fn new(pipeline: &str) -> Checker {
        let mut checker = Checker::default();
        checker.expect(pipeline);
        checker
    }

    /// The numbers in a further pipeline tell sizes, too: tile sizes, factors, widths.
    pub fn expect(&mut self, pipeline: &str) {
        /// The lanes of a vector of f32 or f64, if the text does not say how wide one is.
        const LANES: [i64; 2] = [4, 16];
        let numbers = pipeline.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse().ok());
        let all: BTreeSet<i64> = numbers.chain(LANES).chain(self.factors.drain(..)).collect();
        self.factors = all.into_iter().filter(|n| (2..=64).contains(n)).collect();
    }

    /// Checks each pass that a manager of MLIR's driver runs.
    pub fn install(manager: Manager) {
        let checker = Checker::new(&manager.pipeline());
        manager.instrument(Box::new(Shared(Rc::new(RefCell::new(checker)))));
    }

    /// What could not be checked, and since which pass, since this was last asked; it was reported as remarks,
    /// too.
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
        let module = parents(op).last().unwrap_or(op);
        for function in public_functions(module) {
            self.start(pass, module, function);
        }
        self.has_begun = true;
        let known = |(name, watched): (&String, &Watched)| match watched {
            Watched::Known { .. } => {
                Some((name.clone(), rounding::inexact(&reached(module, name))))
            }
            Watched::Unknown { .. } => None,
        };
        let inexact = self.functions.iter().filter_map(known).collect();
        self.before = Some(Before { fingerprint: op.fingerprint(), inexact });
    }

    /// Runs a function that is not known yet.
    fn start(&mut self, pass: &str, module: Op, function: Op) {
        let name = symbol(function);
        match self.functions.get(name) {
            Some(Watched::Known { .. } | Watched::Unknown { again: false }) => return,
            Some(Watched::Unknown { again: true }) | None => {}
        }
        let is_new = !self.functions.contains_key(name);
        let watched = match Reference::new(module, function, &self.factors) {
            Ok(reference) => Watched::Known { reference, blind: None },
            Err(refusal) => {
                if is_new && !self.has_begun {
                    let why = refusal.message;
                    let message = format!("@{name} cannot be checked before pass '{pass}': {why}");
                    self.remark(function.location(), message);
                }
                Watched::Unknown { again: !refusal.is_final }
            }
        };
        self.functions.insert(name.to_owned(), watched);
    }

    /// On `Err` what is wrong was reported.
    fn end(&mut self, pass: &str, op: Op) -> Result<(), ()> {
        self.depth -= 1;
        if self.depth > 0 {
            return Ok(());
        }
        let Some(before) = self.before.take() else { return Ok(()) };
        if op.fingerprint() == before.fingerprint {
            return Ok(());
        }
        let module = parents(op).last().unwrap_or(op);
        let changed = std::iter::once(op).chain(parents(op)).find(|op| op.is("func.func"));
        let mut outcome = Ok(());
        let mut remarks = vec![];
        for (name, watched) in &mut self.functions {
            let Watched::Known { reference, blind } = watched else { continue };
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
                None => Verdict::Beyond("there is no such function any more".into()),
            };
            let at = functions.first().map_or(op.location(), |function| function.location());
            match verdict {
                Verdict::Same => *blind = None,
                Verdict::Beyond(why) if blind.is_none() => {
                    let message = format!("after pass '{pass}' @{name} cannot be checked: {why}");
                    remarks.push((at, message));
                    *blind = Some(pass.to_owned());
                }
                Verdict::Beyond(_) => {}
                Verdict::Other(mismatch) => {
                    let passes = match blind {
                        Some(first) => format!("one of the passes from '{first}' to '{pass}'"),
                        None => format!("pass '{pass}'"),
                    };
                    Error::at(at, format!("after {passes} @{name} {mismatch}")).emit();
                    outcome = Err(());
                }
            }
        }
        remarks.into_iter().for_each(|(at, message)| self.remark(at, message));
        outcome
    }
}

/// A checker that several pass managers call, one after the other.
#[derive(Clone, Default)]
pub struct Shared(pub Rc<RefCell<Checker>>);

impl Shared {
    /// Checks what is done to a module by something that is no pass of a manager; `name` stands for it. On
    /// `Err` what is wrong was reported.
    #[expect(clippy::result_unit_err, reason = "the errors are diagnostics")]
    pub fn around(&self, name: &str, module: Op, run: impl FnOnce() -> bool) -> Result<(), ()> {
        self.0.borrow_mut().begin(name, module);
        if run() {
            return self.0.borrow_mut().end(name, module);
        }
        self.0.borrow_mut().depth -= 1;
        Err(())
    }
}

impl Instrumentation for Shared {
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

/// The functions that others may call.
fn public_functions(module: Op) -> Vec<Op> {
    let ops = module.body(0).map(|body| body.ops()).unwrap_or_default();
    let is_public = |op: &Op| {
        let visibility = op.attribute("sym_visibility").and_then(Attribute::as_str);
        op.is("func.func") && op.body(0).is_some() && visibility.is_none_or(|it| it == "public")
    };
    ops.into_iter().filter(is_public).collect()
}

/// The function of that name, and all that it calls.
fn reached<'c>(module: Op<'c>, name: &str) -> Vec<Op<'c>> {
    let ops = module.body(0).map(|body| body.ops()).unwrap_or_default();
    let find =
        |name: &str| ops.iter().copied().find(|op| op.is("func.func") && symbol(*op) == name);
    let mut found: Vec<Op> = find(name).into_iter().collect();
    let mut next = 0;
    while let Some(function) = found.get(next).copied() {
        let callees =
            walk(function).into_iter().filter_map(|op| op.attribute("callee")?.as_symbol());
        for callee in callees.filter_map(find) {
            if !found.contains(&callee) {
                found.push(callee);
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
#[path = "../../test/pass/numeric.rs"]
mod tests;
