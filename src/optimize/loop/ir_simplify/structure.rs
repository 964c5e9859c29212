//! Removes loops, branches and conditions that are redundant.

use super::{BRANCHES, CONDITIONS, LOOPS};
use crate::dialect::annotation;
use crate::dialect::loop_enums::LoopKind;
use crate::dialect::loop_op::{For, If, ScheduleBlock};
use crate::ir::affine::{Constraint, Expr};
use crate::ir::{Error, Op, Value, walk};
use crate::nest::edit;
use crate::optimize::kind::{Counts, StmtPass, interval, is_kernel};

#[derive(Debug, Default)]
pub struct Structure;

impl StmtPass for Structure {
    fn run<'c>(&mut self, statement: Op<'c>, counts: &mut Counts) -> Result<(), Error<'c>> {
        match statement.name() {
            For::NAME => simplify_loop(statement, counts),
            If::NAME => simplify_branch(statement, counts),
            ScheduleBlock::NAME => simplify_predicate(statement, counts),
            _ => Ok(()),
        }
    }
}

fn simplify_loop<'c>(op: Op<'c>, counts: &mut Counts) -> Result<(), Error<'c>> {
    let view = For::of(op)?;
    let operands = view.operands.split_at(view.extent.dims);
    let bounds = &view.extent.results;
    let is_needed = |i: usize| {
        // Of equal extents the first one stays.
        !(0..bounds.len()).any(|j| {
            let never_above = is_never_negative(&bounds[i], &bounds[j], operands);
            i != j && never_above && (j < i || !is_never_negative(&bounds[j], &bounds[i], operands))
        })
    };
    let needed: Vec<Expr> =
        (0..bounds.len()).filter(|i| is_needed(*i)).map(|i| bounds[i].clone()).collect();
    if needed.len() < bounds.len() {
        counts.add(CONDITIONS, (bounds.len() - needed.len()) as u64);
        edit::set_loop_extent(op, &needed, operands);
    }
    let view = For::of(op)?;
    let Some(extent) = view.constant_extent().filter(|extent| *extent <= 1) else { return Ok(()) };
    let stays = view.kind == LoopKind::ThreadBind
        || !annotation::keys(op).is_empty()
        || view.body.ops().len() > 2 && is_kernel(op);
    if stays || extent < 1 && has_start(op) {
        return Ok(());
    }
    counts.add(LOOPS, 1);
    if extent < 1 {
        op.erase();
    } else {
        unwrap_loop(&view);
    }
    Ok(())
}

/// Replaces a loop of one iteration by its body.
fn unwrap_loop(view: &For) {
    let zero = edit::BoundExpr { expr: 0.into(), variables: vec![], sizes: vec![] };
    edit::replace_variable(view.variable(), &zero);
    edit::move_ops_before(view.body, view.op);
    view.op.erase();
}

/// True if a reduction starts in the loop. Its start values are stored even if nothing is reduced.
fn has_start(op: Op) -> bool {
    walk(op).into_iter().any(|inner| inner.is("loop.init"))
}

fn simplify_branch<'c>(op: Op<'c>, counts: &mut Counts) -> Result<(), Error<'c>> {
    let view = If::of(op)?;
    let operands = view.operands.split_at(view.condition.dims);
    let body = match needed(&view.condition.constraints, operands) {
        Some(needed) if needed == view.condition.constraints => return Ok(()),
        Some(needed) if !needed.is_empty() => {
            counts.add(CONDITIONS, changed(&view.condition.constraints, &needed));
            edit::set_condition_of(op, &needed, operands);
            return Ok(());
        }
        Some(_) => Some(view.then_body),
        None => view.else_body,
    };
    if body.is_some_and(|body| body.ops().len() > 2) && is_kernel(op) {
        return Ok(());
    }
    counts.add(BRANCHES, 1);
    if let Some(body) = body {
        edit::move_ops_before(body, op);
    }
    op.erase();
    Ok(())
}

fn simplify_predicate<'c>(op: Op<'c>, counts: &mut Counts) -> Result<(), Error<'c>> {
    let view = ScheduleBlock::of(op)?;
    let Some(set) = &view.predicate else { return Ok(()) };
    let operands = (&view.binds[..], &view.sizes[..]);
    match needed(&set.constraints, operands) {
        Some(needed) if needed != set.constraints => {
            counts.add(CONDITIONS, changed(&set.constraints, &needed));
            edit::set_binding_of(op, &view.binding, &needed, operands);
        }
        Some(_) => {}
        None => {
            counts.add(BRANCHES, 1);
            op.erase();
        }
    }
    Ok(())
}

/// The conditions that neither always nor never hold, without duplicates; `None` if one never holds.
fn needed<'c>(
    conditions: &[Constraint],
    operands: (&[Value<'c>], &[Value<'c>]),
) -> Option<Vec<Constraint>> {
    let mut needed: Vec<Constraint> = vec![];
    for condition in conditions {
        let range = range(condition.expr(), operands);
        let (holds, fails) = match condition {
            Constraint::Zero(_) => {
                (range == Some((0, 0)), range.is_some_and(|(low, high)| low > 0 || high < 0))
            }
            Constraint::NonNegative(_) => {
                (range.is_some_and(|(low, _)| low >= 0), range.is_some_and(|(_, high)| high < 0))
            }
        };
        if fails {
            return None;
        }
        let condition = condition
            .coarse(&|leaf| leaf_range(leaf, operands))
            .unwrap_or_else(|| condition.clone());
        if !holds && !needed.contains(&condition) {
            needed.push(condition);
        }
    }
    Some(needed)
}

/// How many conditions were dropped or replaced.
fn changed(before: &[Constraint], after: &[Constraint]) -> u64 {
    before.iter().filter(|condition| !after.contains(condition)).count() as u64
}

/// True if `a - b` is proved never to be below 0.
fn is_never_negative(a: &Expr, b: &Expr, operands: (&[Value], &[Value])) -> bool {
    range(&(a.clone() - b.clone()).simplified(), operands).is_some_and(|(low, _)| low >= 0)
}

fn range(expr: &Expr, operands: (&[Value], &[Value])) -> Option<(i64, i64)> {
    expr.interval(&|leaf| leaf_range(leaf, operands))
}

fn leaf_range(leaf: &Expr, (dims, symbols): (&[Value], &[Value])) -> Option<(i64, i64)> {
    match leaf {
        Expr::Dim(i) => interval(dims[*i]),
        Expr::Symbol(i) => interval(symbols[*i]),
        _ => None,
    }
}
