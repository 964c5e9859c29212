//! Canonical form of indices in a leaf body, restored after a rewrite.
//!
//! ```text
//! %0 = affine.apply (%vi + 1)  %1 = affine.apply (%0 * 2)  memref.load %A[%1]
//!   ->
//! %0 = affine.apply (%vi * 2 + 2)  memref.load %A[%0]
//! ```
//! The index of a load or store, and the operand of a `loop.if`, is an iter, a constant, or one
//! `affine.apply` over iters and sizes, if it is an affine expression of them. Unused ops are then erased.

use crate::dialect::loop_op::{If, ScheduleBlock};
use crate::dialect::region;
use crate::ir::affine::{Constraint, Expr, IntegerSet, Map};
use crate::ir::{Builder, Op, Value, walk};
use crate::nest::rewriter::Rewriter;

/// Restores the canonical form in the body of a leaf block.
pub fn restore<'c>(op: Op<'c>, rewriter: &mut dyn Rewriter<'c>) {
    let block = ScheduleBlock::of(op).expect("a verified schedule block");
    let iters: Vec<_> = block.iters.iter().map(|iter| iter.variable).collect();
    for inner in walk(op) {
        match inner.name() {
            "memref.load" => restore_indices(&block, &iters, inner, 1),
            "memref.store" => restore_indices(&block, &iters, inner, 2),
            If::NAME => restore_condition(&block, &iters, inner),
            _ => {}
        }
    }
    erase_unused(op, rewriter);
}

fn restore_indices<'c>(block: &ScheduleBlock<'c>, iters: &[Value<'c>], op: Op<'c>, first: usize) {
    for (i, operand) in op.operands().into_iter().enumerate().skip(first) {
        let Some(expr) = region::index_expr(block, operand) else { continue };
        if is_in_form(operand, &expr, iters, &block.sizes) {
            continue;
        }
        let builder = Builder::before(op, op.location());
        op.set_operand(i, builder.apply(&expr, iters, &block.sizes));
    }
}

/// True if the value is in canonical form for the expression: the iter, the constant, or one `affine.apply`
/// over iters and sizes.
fn is_in_form<'c>(value: Value<'c>, expr: &Expr, iters: &[Value<'c>], sizes: &[Value<'c>]) -> bool {
    match (expr, value.defining_op()) {
        (Expr::Constant(_), Some(op)) => op.is("arith.constant"),
        (Expr::Dim(_) | Expr::Symbol(_), defining) => {
            defining.is_none_or(|op| !op.is("affine.apply"))
        }
        (_, Some(op)) => {
            op.is("affine.apply")
                && op.operands().iter().all(|v| iters.contains(v) || sizes.contains(v))
        }
        (_, None) => false,
    }
}

fn restore_condition<'c>(block: &ScheduleBlock<'c>, iters: &[Value<'c>], op: Op<'c>) {
    let view = If::of(op).expect("a verified 'loop.if'");
    let exprs: Option<Vec<Expr>> =
        view.operands.iter().map(|v| region::index_expr(block, *v)).collect();
    let Some(exprs) = exprs else { return };
    let (dims, symbols) = exprs.split_at(view.condition.dims);
    let over_iters = |constraint: &Constraint| {
        let expr = constraint.expr().substitute(&|i| dims[i].clone(), &|i| symbols[i].clone());
        expr.simplified()
    };
    let results = view.condition.constraints.iter().map(over_iters).collect();
    let map = Map { dims: iters.len(), symbols: block.sizes.len(), results };
    let (map, operands) = map.compressed(iters, &block.sizes);
    let constraints = view
        .condition
        .constraints
        .iter()
        .zip(map.results)
        .map(|(old, expr)| old.on(expr))
        .collect();
    let set = IntegerSet { dims: map.dims, symbols: map.symbols, constraints };
    op.set_operands(&operands);
    op.set_attribute("condition", set.to_attribute(op.context()));
}

/// Erases ops without side effects whose results have no uses.
fn erase_unused<'c>(root: Op<'c>, rewriter: &mut dyn Rewriter<'c>) {
    for op in walk(root).into_iter().skip(1).rev() {
        let unused = !op.results().is_empty() && op.results().iter().all(|v| v.uses().is_empty());
        if unused && op.regions().is_empty() && op.has_no_effects() {
            rewriter.erase(op);
        }
    }
}
