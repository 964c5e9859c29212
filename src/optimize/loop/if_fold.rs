//! `if-fold`: merge nested conditions, and conditions on the quotient and the remainder of one number.
//!
//! ```text
//! loop.if (%i floordiv 4 == 0) {
//!   loop.if (%i mod 4 == 0) { s }      ->    loop.if (%i == 0) { s }
//! }
//! ```
//! - Two nested branches become one branch on the conditions of both, if the inner branch is the only statement in the
//!   outer one and neither has an `else`.
//! - The quotient and the remainder of a number are both 0 if and only if the number is 0. So a condition that the
//!   quotient is 0 and a condition that the remainder is 0 become the one condition that the number is 0. This applies
//!   to branches and to predicates of schedule blocks.

use crate::dialect::loop_op::{If, ScheduleBlock};
use crate::ir::affine::{BinaryKind, Constraint, Expr};
use crate::ir::{Error, Op};
use crate::nest::edit;
use crate::optimize::kind::{Counts, StmtPass};

/// The indices of the statistics in the row.
const BRANCHES: usize = 0;
const CONDITIONS: usize = 1;

/// See the head of the file.
#[derive(Debug, Default)]
pub struct IfFold;

impl StmtPass for IfFold {
    fn run<'c>(&mut self, statement: Op<'c>, counts: &mut Counts) -> Result<(), Error<'c>> {
        match statement.name() {
            If::NAME => {
                let statement = match merged(statement)? {
                    Some(inner) => {
                        counts.add(BRANCHES, 1);
                        inner
                    }
                    None => statement,
                };
                let view = If::of(statement)?;
                if let Some(folded) = folded(&view.condition.constraints, counts) {
                    let operands = view.operands.split_at(view.condition.dims);
                    edit::set_condition_of(statement, &folded, operands);
                }
            }
            ScheduleBlock::NAME => {
                let view = ScheduleBlock::of(statement)?;
                let Some(set) = &view.predicate else { return Ok(()) };
                if let Some(folded) = folded(&set.constraints, counts) {
                    let operands = (&view.binds[..], &view.sizes[..]);
                    edit::set_binding_of(statement, &view.binding, &folded, operands);
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// Adds the conditions of a branch to those of the branch that is its only statement. The inner branch replaces the
/// outer one.
fn merged<'c>(outer: Op<'c>) -> Result<Option<Op<'c>>, Error<'c>> {
    let view = If::of(outer)?;
    let ops = view.then_body.ops();
    let [inner, _] = ops[..] else { return Ok(None) };
    let are_plain = |op: Op| op.is(If::NAME) && op.results().is_empty() && op.body(1).is_none();
    if !are_plain(outer) || !are_plain(inner) {
        return Ok(None);
    }
    let within = If::of(inner)?;
    let dims = [
        view.operands.split_at(view.condition.dims).0,
        within.operands.split_at(within.condition.dims).0,
    ]
    .concat();
    let symbols = [
        view.operands.split_at(view.condition.dims).1,
        within.operands.split_at(within.condition.dims).1,
    ]
    .concat();
    let dim = |i: usize| Expr::Dim(view.condition.dims + i);
    let symbol = |i: usize| Expr::Symbol(view.condition.symbols + i);
    let moved = |c: &Constraint| c.on(c.expr().substitute(&dim, &symbol));
    let mut all = view.condition.constraints.clone();
    all.extend(within.condition.constraints.iter().map(moved));
    edit::set_condition_of(inner, &all, (&dims, &symbols));
    inner.move_before(outer);
    outer.erase();
    Ok(Some(inner))
}

/// The conditions with each pair of quotient and remainder joined; `None` if there is no such pair.
fn folded(conditions: &[Constraint], counts: &mut Counts) -> Option<Vec<Constraint>> {
    let mut left = conditions.to_vec();
    let mut is_folded = false;
    while let Some((i, j, whole)) = digits(&left) {
        left[i] = Constraint::Zero(whole);
        left.remove(j);
        counts.add(CONDITIONS, 1);
        is_folded = true;
    }
    is_folded.then_some(left)
}

/// The indices of two conditions that a quotient and its remainder are 0, and the number that is divided.
fn digits(conditions: &[Constraint]) -> Option<(usize, usize, Expr)> {
    for (i, first) in conditions.iter().enumerate() {
        let Constraint::Zero(Expr::Binary(BinaryKind::FloorDiv, x, divisor)) = first else {
            continue;
        };
        if divisor.constant().is_none_or(|divisor| divisor < 1) {
            continue;
        }
        let rest = (**x).clone().modulo((**divisor).clone()).simplified();
        let is_rest = |c: &Constraint| matches!(c, Constraint::Zero(e) if e.simplified() == rest);
        if let Some(j) = conditions.iter().position(is_rest) {
            return Some((i, j, (**x).clone()));
        }
    }
    None
}
