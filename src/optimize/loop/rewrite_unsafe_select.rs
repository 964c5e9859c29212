//! `rewrite-unsafe-select`: replace a select by a branch if one of its values may be an out-of-bounds load or a
//! division by zero.
//!
//! ```text
//! %p = arith.cmpi sge, %i, %c1 : index           %s = loop.if (%i - 1 >= 0) -> f32 {
//! %j = affine.apply (%i - 1)                       %j = affine.apply (%i - 1)
//! %a = memref.load %A[%j]                    ->    %a = memref.load %A[%j]
//! %s = arith.select %p, %a, %zero : f32            loop.yield %a
//!                                                } else { loop.yield %zero }
//! ```
//! A select evaluates both of its values. A load out of bounds, a division by zero, or a division of the least number
//! by -1, is an error even if the select does not choose the value. A branch evaluates only the chosen value, also in
//! vectors: loads are masked, and inactive lanes divide by 1.
//!
//! The conditions apply to a select in the body of a schedule block.
//!
//! Requires
//! - (C1) the condition compares indices over iters and sizes, or joins several such comparisons by `arith.andi`
//! - (C2) a value is computed by a load that is not proved to be in bounds, or by an integer division whose divisor may
//!   be 0 or -1
//! - (C3) the result of the load or division has no other use
//! - (C4) there is no store or call between the load or division and the select
//!
//! Other selects are unchanged: if neither value can trap, it is correct to evaluate both.

use crate::dialect::loop_op::{If, ScheduleBlock, yield_op};
use crate::dialect::region;
use crate::ir::affine::{Constraint, Expr, IntegerSet};
use crate::ir::{Attribute, Block as Braces, Error, Op, Value};
use crate::nest::edit;
use crate::optimize::kind::{Counts, StmtPass, interval};

/// The index of the statistic in the row.
const SELECTS: usize = 0;

/// See the head of the file.
#[derive(Debug, Default)]
pub struct RewriteUnsafeSelect;

impl StmtPass for RewriteUnsafeSelect {
    fn run<'c>(&mut self, statement: Op<'c>, counts: &mut Counts) -> Result<(), Error<'c>> {
        if !statement.is(ScheduleBlock::NAME) || ScheduleBlock::of(statement)?.is_nest() {
            return Ok(());
        }
        let mut is_changed = false;
        while let Some(unsafe_select) = find(statement)? {
            unsafe_select.rewrite();
            counts.add(SELECTS, 1);
            is_changed = true;
        }
        if is_changed {
            edit::derive_regions(statement);
        }
        Ok(())
    }
}

/// A select that is replaced by a branch.
struct UnsafeSelect<'c> {
    op: Op<'c>,
    condition: IntegerSet,
    operands: Vec<Value<'c>>,
    /// For a condition that holds, and for one that does not: the ops that only this value needs, in order, and the
    /// value.
    arms: [(Vec<Op<'c>>, Value<'c>); 2],
}

/// The first unsafe select of a schedule block.
fn find<'c>(statement: Op<'c>) -> Result<Option<UnsafeSelect<'c>>, Error<'c>> {
    let view = ScheduleBlock::of(statement)?;
    let iters: Vec<Value> = view.iters.iter().map(|iter| iter.variable).collect();
    for op in crate::ir::walk(statement).into_iter().filter(|op| op.is("arith.select")) {
        let [condition, yes, no] = op.operands()[..] else { continue };
        // (C1)
        let Some((constraints, is_negated)) = conditions(&view, condition) else { continue };
        if condition.ty().lanes().is_some() {
            continue;
        }
        let (yes, no) = if is_negated { (no, yes) } else { (yes, no) };
        let arms = [yes, no].map(|value| (needed_by(op, value), value));
        let is_unsafe =
            |(ops, _): &(Vec<Op<'c>>, Value<'c>)| ops.iter().any(|op| traps(&view, *op));
        if !arms.iter().any(is_unsafe) {
            continue;
        }
        let (dims, symbols) = (iters.len(), view.sizes.len());
        let operands = iters.iter().chain(&view.sizes).copied().collect();
        let condition = IntegerSet { dims, symbols, constraints };
        return Ok(Some(UnsafeSelect { op, condition, operands, arms }));
    }
    Ok(None)
}

/// A condition as constraints of a branch. The flag is true if they state its negation.
fn conditions<'c>(
    view: &ScheduleBlock<'c>,
    condition: Value<'c>,
) -> Option<(Vec<Constraint>, bool)> {
    let op = condition.defining_op()?;
    if op.is("arith.andi") {
        let mut all = vec![];
        for operand in op.operands() {
            let (more, false) = conditions(view, operand)? else { return None };
            all.extend(more);
        }
        return Some((all, false));
    }
    if !op.is("arith.cmpi") {
        return None;
    }
    let [a, b] = op.operands()[..] else { return None };
    if !a.ty().is_index() {
        return None;
    }
    let (a, b) = (region::index_expr(view, a)?, region::index_expr(view, b)?);
    let at_least = |a: Expr, b: Expr| Constraint::NonNegative((a - b).simplified());
    let one = || Expr::Constant(1);
    let equal = || Constraint::Zero((a.clone() - b.clone()).simplified());
    let (constraint, is_negated) = match op.attribute("predicate")?.as_i64()? {
        0 => (equal(), false),
        1 => (equal(), true),
        2 => (at_least(b, a + one()), false), // less
        3 => (at_least(b, a), false),
        4 => (at_least(a, b + one()), false), // greater
        5 => (at_least(a, b), false),
        _ => return None,
    };
    Some((vec![constraint], is_negated))
}

/// The ops before a select that only one of its values needs, in order: (C3), (C4).
fn needed_by<'c>(select: Op<'c>, value: Value<'c>) -> Vec<Op<'c>> {
    let Some(block) = select.block() else { return vec![] };
    let before: Vec<Op> = block.ops().into_iter().take_while(|op| *op != select).collect();
    let may_write = |op: &Op| !op.has_no_effects() && !op.is("memref.load");
    let first = before.iter().rposition(may_write).map_or(0, |last| last + 1);
    let mut needed: Vec<Op> = vec![];
    // From the end, so that the users of an op are known before the op.
    for op in before[first..].iter().rev() {
        let mut users = op.results().into_iter().flat_map(|result| result.uses()).peekable();
        let is_used = users.peek().is_some();
        let is_own = |(user, place): (Op<'c>, usize)| {
            let is_value = user == select && select.operand(place) == value && place > 0;
            let is_once = select.operands().iter().filter(|other| **other == value).count() == 1;
            needed.contains(&user) || is_value && is_once
        };
        if op.regions().is_empty() && is_used && users.all(is_own) {
            needed.push(*op);
        }
    }
    needed.reverse();
    needed
}

/// True if an op may read out of bounds, or may trap as a division.
fn traps<'c>(view: &ScheduleBlock<'c>, op: Op<'c>) -> bool {
    let operands = op.operands();
    if op.is("memref.load") {
        let Some((dims, _)) = operands[0].ty().shaped() else { return true };
        let mut indices = operands[1..].iter().enumerate();
        return !indices.all(|(d, index)| is_in_bounds(view, operands[0], (d, dims[d]), *index));
    }
    let divides = op.name().strip_prefix("arith.").is_some_and(|name| {
        let words = ["divsi", "divui", "ceildivsi", "ceildivui", "floordivsi", "remsi", "remui"];
        words.contains(&name)
    });
    let divisor = operands.get(1).and_then(|value| value.defining_op());
    let constant = divisor.and_then(|op| op.attribute("value")).and_then(Attribute::as_i64);
    divides && constant.is_none_or(|number| matches!(number, 0 | -1))
}

/// True if an index is within dimension `d` of a buffer for all values of the iters.
fn is_in_bounds<'c>(
    view: &ScheduleBlock<'c>,
    buffer: Value<'c>,
    (d, size): (usize, Option<i64>),
    index: Value<'c>,
) -> bool {
    let Some(expr) = region::index_expr(view, index) else { return false };
    let of_leaf = |leaf: &Expr| match leaf {
        Expr::Dim(i) => interval(view.iters[*i].variable),
        Expr::Symbol(i) => interval(view.sizes[*i]),
        _ => None,
    };
    let is_dimension = |size: Value<'c>| {
        size.defining_op().filter(|op| op.is("memref.dim")).is_some_and(|op| {
            let number = op.operand(1).defining_op().and_then(|op| op.attribute("value"));
            op.operand(0) == buffer && number.and_then(Attribute::as_i64) == Some(d as i64)
        })
    };
    if let (Expr::Dim(i), None) = (&expr, size) {
        let mut domain = view.iters[*i].domain.iter();
        return domain.any(|d| matches!(d, Expr::Symbol(s) if is_dimension(view.sizes[*s])));
    }
    let range = expr.interval(&of_leaf);
    range.zip(size).is_some_and(|((low, high), size)| low >= 0 && high < size)
}

impl UnsafeSelect<'_> {
    fn rewrite(&self) {
        let location = self.op.location();
        let ty = self.op.result(0).ty();
        let branches = [Braces::new(&[]), Braces::new(&[])];
        for (branch, (ops, value)) in branches.into_iter().zip(&self.arms) {
            for op in ops {
                op.detach();
                branch.append(*op);
            }
            branch.append(yield_op(location, &[*value]));
        }
        let [then_body, else_body] = branches;
        let branch =
            If::create(location, &self.condition, &self.operands, &[ty], then_body, else_body);
        self.op.block().expect("it stands in a body").insert_before(self.op, branch);
        self.op.result(0).replace_all_uses_with(branch.result(0));
        self.op.erase();
    }
}
