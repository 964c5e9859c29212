//! Calls among functions.

use super::{Op, walk};
use std::collections::{HashMap, HashSet};

/// The name of the function that an op such as `func.call` calls.
pub fn callee<'c>(call: Op<'c>) -> Option<&'c str> {
    call.attribute("callee")?.as_symbol()
}

/// True for a call that is not inlined. In programs for GPUs, the host executes it.
pub fn is_kept_call(op: Op) -> bool {
    op.is("func.call") && op.attribute("no_inline").is_some()
}

/// Functions, each after those of them that it calls.
pub struct CalleesFirst<'c> {
    /// All functions. Those that call each other are in any order.
    pub order: Vec<Op<'c>>,
    /// A function that calls itself, directly or indirectly.
    pub recursive: Option<Op<'c>>,
}

impl<'c> CalleesFirst<'c> {
    /// Sorts functions.
    pub fn of(functions: &[Op<'c>]) -> CalleesFirst<'c> {
        let named = functions.iter().filter_map(|op| Some((op.symbol_name()?, *op))).collect();
        let sorted = CalleesFirst { order: vec![], recursive: None };
        let (open, done) = (HashSet::new(), HashSet::new());
        let mut visit = CallVisit { named, sorted, open, done };
        functions.iter().for_each(|op| visit.add(*op));
        visit.sorted
    }
}

struct CallVisit<'c> {
    named: HashMap<&'c str, Op<'c>>,
    sorted: CalleesFirst<'c>,
    /// The functions whose callees are being added.
    open: HashSet<Op<'c>>,
    done: HashSet<Op<'c>>,
}

impl<'c> CallVisit<'c> {
    fn add(&mut self, function: Op<'c>) {
        if self.done.contains(&function) {
            return;
        }
        if !self.open.insert(function) {
            self.sorted.recursive.get_or_insert(function);
            return;
        }
        let callees = walk(function).into_iter().filter(|op| op.is("func.call"));
        let callees = callees.filter_map(|op| self.named.get(callee(op)?).copied());
        callees.collect::<Vec<_>>().into_iter().for_each(|op| self.add(op));
        self.open.remove(&function);
        self.done.insert(function);
        self.sorted.order.push(function);
    }
}
