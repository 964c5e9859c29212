//! `unswitch-loops`: copy a loop for each number of its conditions that hold, so that no iteration evaluates them.
//!
//! ```text
//! scf.for %k {                                  scf.if %rows >= 2 {
//!   scf.if %rows >= 1 { c[0] += a[0, k] }         scf.for %k { c[0] += a[0, k]  c[1] += a[1, k] }
//!   scf.if %rows >= 2 { c[1] += a[1, k] }   ->  } else { scf.if %rows >= 1 {
//! }                                               scf.for %k { c[0] += a[0, k] }
//!                                               } }
//! ```
//! The last tile of a product whose number of rows is known only at run time has such loops. Without conditions,
//! `promote-buffers` keeps the sums in registers, instead of loading and storing them in each iteration.
//!
//! Requires
//! - (C1) the loop has no results, and contains no other loop
//! - (C2) each of its conditions is that of an `scf.if` without results and without a second branch, at the top level of the loop. It
//!   compares the same index, plus a constant, with 0: so of two conditions, one implies the other. (Index arithmetic does not
//!   overflow.) Index and conditions are computed before the loop
//! - (C3) there are at least 2 and at most 8 different conditions: the copies have more ops the more conditions there are
//!
//! An op of a branch that has no effect, and whose operands are computed before the loop, is moved before the loop. Equal ones
//! become one, so that `promote-buffers` sees which indices are equal.

use crate::ir::predicate;
use crate::ir::{
    Attribute, Block, Builder, Op, Region, Value, constant_integer, is_defined_outside,
    is_scf_loop, walk,
};
use std::collections::BTreeSet;

/// The most conditions of a loop.
const MOST_CONDITIONS: usize = 8;

/// Copies the loops of a function. Returns how many loops were copied.
pub fn run(function: Op) -> usize {
    let loops: Vec<Op> = walk(function).into_iter().filter(|op| op.is("scf.for")).collect();
    loops.into_iter().filter_map(SwitchingLoop::of).map(|found| found.unswitch()).count()
}

/// A loop with conditions.
struct SwitchingLoop<'c> {
    op: Op<'c>,
    /// For each constant, the condition that the index and this constant together are 0 or more.
    conditions: Vec<(i64, Value<'c>)>,
}

impl<'c> SwitchingLoop<'c> {
    fn of(op: Op<'c>) -> Option<SwitchingLoop<'c>> {
        let has_loops = || walk(op).into_iter().skip(1).any(is_scf_loop);
        let body = op.body(0)?;
        if !op.results().is_empty() || has_loops() {
            return None;
        }
        let mut base = None;
        let mut conditions: Vec<(i64, Value)> = vec![];
        for branch in body.ops().into_iter().filter(|inner| inner.is("scf.if")) {
            let (index, constant) = threshold(branch.operand(0))?;
            let is_plain = branch.results().is_empty() && branch.body(1).is_none();
            let is_same = *base.get_or_insert(index) == index;
            (is_plain && is_same && is_defined_outside(branch.operand(0), op)).then_some(())?;
            conditions.push((constant, branch.operand(0)));
        }
        conditions.sort_by_key(|(constant, _)| *constant);
        conditions.dedup_by_key(|(constant, _)| *constant);
        (2..=MOST_CONDITIONS)
            .contains(&conditions.len())
            .then_some(SwitchingLoop { op, conditions })
    }

    fn unswitch(&self) {
        let at = Builder::before(self.op, self.op.location());
        self.copy(at, 0);
        self.op.erase();
    }

    /// Inserts the copies for which the conditions before condition `i` do not hold.
    fn copy(&self, at: Builder<'c>, i: usize) {
        let Some((_, condition)) = self.conditions.get(i) else {
            return self.flattened(at, i);
        };
        let branches = [i, i + 1].map(|first| {
            let block = Block::new(&[]);
            let inner = Builder::at_end(block, at.location());
            match first == i {
                true => self.flattened(inner, first),
                false => self.copy(inner, first),
            }
            if block.first_op().is_none() {
                return Region::new();
            }
            inner.insert(inner.spec("scf.yield"));
            Region::of(block)
        });
        let [then, otherwise] = branches;
        at.insert(at.spec("scf.if").operands(&[*condition]).region(then).region(otherwise));
    }

    /// Inserts a copy of the loop for which the conditions hold from condition `first` on, and no others.
    fn flattened(&self, at: Builder<'c>, first: usize) {
        let holding: BTreeSet<i64> = self.conditions[first..].iter().map(|it| it.0).collect();
        let copy = self.op.clone_mapped(&[]);
        at.place(copy);
        let body = copy.body(0).expect("a loop has a body");
        let mut moved: Vec<Op> = vec![];
        for branch in body.ops().into_iter().filter(|op| op.is("scf.if")) {
            let holds = threshold(branch.operand(0)).is_some_and(|it| holding.contains(&it.1));
            let then = branch.body(0).filter(|_| holds).map(|block| block.ops());
            for op in then.unwrap_or_default().into_iter().filter(|op| !op.is("scf.yield")) {
                let is_invariant =
                    op.is_pure() && op.operands().iter().all(|it| is_defined_outside(*it, copy));
                match moved.iter().find(|other| is_invariant && are_equal(op, **other)) {
                    Some(other) => {
                        let results = op.results().into_iter().zip(other.results());
                        results.for_each(|(old, new)| old.replace_all_uses_with(new));
                        op.erase();
                    }
                    None if is_invariant => {
                        op.move_before(copy);
                        moved.push(op);
                    }
                    None => op.move_before(branch),
                }
            }
            branch.erase();
        }
        if body.ops().iter().all(|op| op.is_pure() || op.is("scf.yield")) {
            copy.erase();
        }
    }
}

/// The index and the constant of a condition `index + constant >= 0`.
fn threshold(condition: Value<'_>) -> Option<(Value<'_>, i64)> {
    let compare = condition.defining_op().filter(|op| op.is("arith.cmpi"))?;
    let is_comparison = compare.attribute("predicate").and_then(Attribute::as_i64)
        == Some(predicate::SGE)
        && constant_integer(compare.operand(1)) == Some(0);
    is_comparison.then_some(())?;
    let left = compare.operand(0);
    let sum = left.defining_op().filter(|op| op.is("arith.addi"));
    let parts = sum.and_then(|sum| Some((sum.operand(0), constant_integer(sum.operand(1))?)));
    Some(parts.unwrap_or((left, 0)))
}

/// True if two ops without regions compute the same.
fn are_equal(one: Op, other: Op) -> bool {
    one.name() == other.name()
        && one.regions().is_empty()
        && one.operands() == other.operands()
        && one.attributes() == other.attributes()
        && one.results().iter().zip(other.results()).all(|(a, b)| a.ty() == b.ty())
}
