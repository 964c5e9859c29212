//! The conditions under which a schedule block runs its instances, over its iters.
//!
//! ```text
//! loop.for %a in 4 { loop.for %b in 16 { loop.block "B" [%v, %w] = (%a, %b) where (16 * %a + %b <= 48) } }
//!   ->  16 * %v + %w <= 48
//! ```
//! A move to other loops changes the binding of a block. It keeps these conditions, with the new values of the iters.
//! Conditions that only keep an iter in its domain are left out: each binding implies them anew.

use super::region_cover::only_bounds_domain;
use crate::ir::affine::{Constraint, Expr, Linear};
use crate::nest::summary::{Block, NodeId, NodeKind, Summary, Variable, VariableId, mentions};

/// A condition that cannot be stated over the iters of a block.
#[derive(Clone, Debug)]
pub struct LostCondition {
    pub condition: Constraint,
    /// True if the block runs where the condition does not hold.
    pub is_negated: bool,
}

/// The conditions on loops between a block and `at`: those of its predicate, and those of each `loop.if`, which are
/// negated in the branch `else`.
///
/// # Errors
/// A condition that is no expression over the iters of the block and the loops outside of `at`, or that belongs to an
/// `else` of other than one inequality.
pub fn over_iters(
    summary: &Summary,
    node: NodeId,
    at: NodeId,
) -> Result<Vec<Constraint>, LostCondition> {
    let block = summary.as_block(node).expect("a block");
    let mut conditions: Vec<Constraint> = block.predicate.clone();
    let mut below = node;
    for outer in summary.ancestors(node).take_while(|n| *n != at) {
        match &summary.nodes[outer].kind {
            NodeKind::If(of_branch) if !summary.otherwise.contains(&below) => {
                conditions.extend(of_branch.iter().cloned());
            }
            NodeKind::If(of_branch) => match &of_branch[..] {
                [Constraint::NonNegative(expr)] => {
                    let negated = Expr::Constant(-1) - expr.clone();
                    conditions.push(Constraint::NonNegative(negated.simplified()));
                }
                [] => {}
                // That one of several conditions does not hold is no list of conditions.
                [first, ..] => {
                    return Err(LostCondition { condition: first.clone(), is_negated: true });
                }
            },
            _ => {}
        }
        below = outer;
    }
    conditions.retain(|condition| !only_bounds_domain(summary, block, condition));
    let over_iters = |condition: Constraint| {
        let expr = expr_over_iters(summary, (node, block), at, condition.expr());
        let lost = || LostCondition { condition: condition.clone(), is_negated: false };
        expr.map(|expr| condition.on(expr)).ok_or_else(lost)
    };
    conditions.into_iter().map(over_iters).collect()
}

/// The summary in which these conditions hold always.
pub fn without(summary: &Summary, node: NodeId, at: NodeId) -> Summary {
    let mut free = summary.clone();
    for outer in summary.ancestors(node).take_while(|n| *n != at) {
        if let NodeKind::If(conditions) = &mut free.nodes[outer].kind {
            conditions.clear();
        }
    }
    let block = summary.as_block(node).expect("a block");
    if let NodeKind::Block(this) = &mut free.nodes[node].kind {
        this.predicate.retain(|condition| only_bounds_domain(summary, block, condition));
    }
    free
}

/// Replaces loops between a block and `at` by iters: a multiple of a binding by that multiple of its iter.
fn expr_over_iters(
    summary: &Summary,
    (node, block): (NodeId, &Block),
    at: NodeId,
    expr: &Expr,
) -> Option<Expr> {
    let replaced: Vec<VariableId> = summary
        .ancestors(node)
        .take_while(|n| *n != at)
        .filter_map(|n| Some(summary.as_loop(n)?.variable))
        .collect();
    let is_replaced = |expr: &Expr| replaced.iter().any(|variable| mentions(expr, *variable));
    let mut expr = expr.clone();
    for (iter, bound) in block.iters.iter().zip(&block.binding) {
        let (of, to) = (Linear::of(bound), Linear::of(&expr));
        let times =
            of.terms.iter().filter(|(atom, _)| is_replaced(atom)).find_map(|(atom, weight)| {
                let wanted = to.terms.get(atom)?;
                (wanted.checked_rem(*weight)? == 0).then(|| wanted.checked_div(*weight)).flatten()
            });
        if let Some(times) = times {
            let change = iter.variable.expr() - bound.clone();
            expr = (expr + Expr::Constant(times) * change).simplified();
        }
    }
    (!is_replaced(&expr)).then_some(expr)
}

/// A condition over the iters of a block, with other values for the iters.
pub fn at_binding(
    summary: &Summary,
    node: NodeId,
    condition: &Constraint,
    binding: &[Expr],
) -> Constraint {
    let value = |variable: usize| match summary.variables.get(VariableId::of_dim(variable)) {
        Some(Variable::Iter(of, i)) if *of == node => binding[*i].clone(),
        _ => Expr::Dim(variable),
    };
    condition.on(condition.expr().substitute(&value, &Expr::Symbol).simplified())
}
