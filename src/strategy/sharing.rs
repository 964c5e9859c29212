//! Whether threads share the loops of a function.

use crate::dialect::loop_op::{For, ScheduleBlock};
use crate::ir::{Attribute, Op, Type, callee, parents, walk};
use crate::machine::table::{NOMINAL_GHZ, WAKE_NS};
use std::collections::HashMap;

/// Whether threads may share the loops of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// No: the function returns something, or a thread calls it.
    Never,
    /// Yes. They may be asleep: the program computes little in a call.
    Asleep,
    /// Yes. They are awake: the program computes so much in a call that they share other loops, and threads that find no work
    /// spin for a while before they sleep.
    Awake,
}

/// The cycles in which a thread could be woken.
pub const WAKE_CYCLES: i64 = (WAKE_NS * NOMINAL_GHZ) as i64;

/// Instances of a statement that a core computes at a time: the floats of the widest vector.
const LANES: i64 = 16;

/// The functions of a module that is not scheduled yet.
pub struct Program<'c> {
    functions: HashMap<&'c str, Op<'c>>,
    /// The calls of each function.
    calls: HashMap<&'c str, Vec<Op<'c>>>,
}

impl<'c> Program<'c> {
    /// The functions of a module of the loop dialect.
    pub fn of(module: Op<'c>) -> Self {
        let mut program = Program { functions: HashMap::new(), calls: HashMap::new() };
        for op in walk(module) {
            if let Some(to) = callee(op).filter(|_| op.is("func.call")) {
                program.calls.entry(to).or_default().push(op);
            }
            if let Some(name) = op.symbol_name().filter(|_| op.is("func.func")) {
                program.functions.insert(name, op);
            }
        }
        program
    }

    /// Whether threads may share the loops of each function.
    pub fn sharing(&self, functions: &[Op<'c>]) -> Vec<Sharing> {
        let mut known = HashMap::new();
        let mut is_much = |function: &Op<'c>| {
            self.cycles(*function, &mut known).is_none_or(|cycles| cycles >= 2 * WAKE_CYCLES)
        };
        let sharing = |function: &Op<'c>| match self.entries(*function) {
            None => Sharing::Never,
            Some(entries) if entries.iter().any(&mut is_much) => Sharing::Awake,
            Some(_) => Sharing::Asleep,
        };
        functions.iter().map(sharing).collect()
    }

    /// About the cycles of a call of a function on one core, with those of the functions that it calls; `None` if sizes are
    /// unknown.
    fn cycles(&self, function: Op<'c>, known: &mut HashMap<Op<'c>, Option<i64>>) -> Option<i64> {
        if let Some(known) = known.get(&function) {
            return *known;
        }
        // So that a recursion ends.
        known.insert(function, Some(0));
        let ops = walk(function).into_iter();
        let callees = ops.filter(|op| op.is("func.call")).filter_map(|call| callee(call));
        let callees: Vec<Op> =
            callees.filter_map(|name| self.functions.get(name).copied()).collect();
        let mut callees = callees.into_iter();
        let sum = own_cycles(function).and_then(|own| {
            callees.try_fold(own, |sum, to| Some(sum.saturating_add(self.cycles(to, known)?)))
        });
        known.insert(function, sum);
        sum
    }

    /// The functions through which a program gets to this one, if threads may share its loops: it returns nothing, and no thread of
    /// a loop calls it. The calls of other functions, if there are any, are outside of nests, and in functions of which that is
    /// true, too.
    fn entries(&self, function: Op<'c>) -> Option<Vec<Op<'c>>> {
        let (mut left, mut seen, mut entries) = (vec![function], vec![], vec![]);
        while let Some(function) = left.pop() {
            if seen.contains(&function) {
                continue;
            }
            seen.push(function);
            let ty = function.attribute("function_type").and_then(Attribute::as_type);
            let returns =
                ty.and_then(Type::signature).is_none_or(|(_, results)| !results.is_empty());
            let called = function.symbol_name().and_then(|name| self.calls.get(name));
            let called = called.map(Vec::as_slice).unwrap_or_default();
            let visibility = function.attribute("sym_visibility").and_then(Attribute::as_str);
            if returns || visibility == Some("private") && called.is_empty() {
                return None;
            }
            if called.is_empty() {
                entries.push(function);
            }
            for call in called {
                let is_nest = |op: &Op| op.is(For::NAME) || op.is(ScheduleBlock::NAME);
                match parents(*call).find(|op| is_nest(op) || op.is("func.func")) {
                    Some(caller) if caller.is("func.func") => left.push(caller),
                    _ => return None,
                }
            }
        }
        Some(entries)
    }
}

/// About the cycles of the nests of a function on one core; `None` if sizes are unknown.
fn own_cycles(function: Op) -> Option<i64> {
    let blocks = walk(function).into_iter().filter_map(|op| ScheduleBlock::of(op).ok());
    let leaves = blocks.filter(|block| !block.is_nest());
    let all = leaves.map(|block| {
        let computes = |op: &Op| op.name().starts_with("arith.") || op.name().starts_with("math.");
        let ops = block.body.ops().into_iter().filter(computes).count().max(1);
        let ops = i64::try_from(ops).unwrap_or(i64::MAX);
        let instances = block.iters.iter().try_fold(1i64, |product, iter| {
            Some(product.saturating_mul(iter.domain.first()?.constant()?))
        });
        Some(instances?.saturating_mul(ops) / LANES)
    });
    all.into_iter().try_fold(0i64, |sum, cycles| Some(sum.saturating_add(cycles?)))
}
