//! Reads the properties of a leaf block's ops for the summary.

use super::SummaryReader;
use crate::analysis::op_cost::{is_arithmetic, is_function, widens};
use crate::dialect::loop_enums::Combiner;
use crate::dialect::loop_op::{If, ScheduleBlock};
use crate::dialect::reducer::update::Update;
use crate::dialect::region;
use crate::ir::affine::Constraint;
use crate::ir::{Op, is_inside, walk};
use crate::nest::summary::{Access, Body, BufferId};

impl<'c> SummaryReader<'c> {
    /// See [`Block::padding`](crate::nest::summary::Block::padding).
    pub(crate) fn padding(&mut self, view: &ScheduleBlock<'c>) -> Option<Vec<Constraint>> {
        if view.is_nest() {
            return None;
        }
        let branch = padding_branch(view)?;
        let (dims, symbols) = branch.operands.split_at(branch.condition.dims);
        let index = |value| region::index_expr(view, value);
        let dims: Vec<_> = dims.iter().map(|v| index(*v)).collect::<Option<_>>()?;
        let symbols: Vec<_> = symbols.iter().map(|v| index(*v)).collect::<Option<_>>()?;
        let over_iters = |c: &Constraint| {
            c.on(c.expr().substitute(&|i| dims[i].clone(), &|i| symbols[i].clone()).simplified())
        };
        let conditions: Vec<_> = branch.condition.constraints.iter().map(over_iters).collect();
        let iters: Vec<_> = view.iters.iter().map(|iter| iter.variable).collect();
        Some(self.constraints(&conditions, &iters, &view.sizes))
    }

    /// See [`Block::atomic`](crate::nest::summary::Block::atomic).
    pub(crate) fn atomic(&mut self, view: &ScheduleBlock<'c>) -> Vec<(BufferId, Combiner)> {
        let updates = Update::atomic(view).into_iter();
        updates.map(|it| (self.buffer(it.store.operand(1)), it.combiner)).collect()
    }
}

/// The only `loop.if` of a leaf, if it has results and its `then` branch contains all loads of the leaf.
pub fn padding_branch<'c>(view: &ScheduleBlock<'c>) -> Option<If<'c>> {
    let inside = walk(view.op);
    let mut branches = inside.iter().filter(|op| op.is(If::NAME));
    let (Some(branch), None) = (branches.next(), branches.next()) else { return None };
    let branch = If::of(*branch).ok()?;
    let in_first = |op: &Op<'c>| {
        op.block() == Some(branch.then_body)
            || branch.then_body.ops().iter().any(|of_it| is_inside(*op, *of_it))
    };
    let is_padding = branch.op.block() == Some(view.body)
        && !branch.op.results().is_empty()
        && inside.iter().filter(|op| op.is("memref.load")).all(in_first);
    is_padding.then_some(branch)
}

/// The properties of a leaf body with the given accesses.
pub(crate) fn body(leaf: Op, accesses: Vec<Access>) -> Body {
    let inside = walk(leaf);
    let count = |is: fn(Op) -> bool| inside.iter().filter(|op| is(**op)).count();
    Body::Leaf {
        accesses,
        calls: count(|op| op.is("func.call")) > 0,
        divides: count(divides) > 0,
        operations: count(is_arithmetic),
        functions: count(is_function),
        widenings: count(widens),
    }
}

/// True if an op is an integer division or remainder.
fn divides(op: Op) -> bool {
    op.name().strip_prefix("arith.").is_some_and(|name| {
        matches!(
            name,
            "divsi" | "divui" | "ceildivsi" | "ceildivui" | "floordivsi" | "remsi" | "remui"
        )
    })
}
