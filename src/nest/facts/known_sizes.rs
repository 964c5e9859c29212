//! What is known about sizes where a node runs: the conditions of the branches around it.
//!
//! ```text
//! loop.if (symbol(%n) - 8 >= 0) { for %i in %n { .. } }        // %n is at least 8 in the loop
//! ```

use crate::analysis::{implication, span};
use crate::ir::affine::{Constraint, Expr};
use crate::nest::summary::{NodeId, NodeKind, Summary};

/// True if an expression is never below a constant where a node runs. Variables and sizes are never negative, and the
/// conditions on sizes under which the node runs hold, such as those of `specialize` and of `proof "guard"`.
pub fn never_below(summary: &Summary, node: NodeId, expr: &Expr, least: i64) -> bool {
    let rest = expr.clone() - least.into();
    let is_not_negative = |expr: &Expr| span::never_negative(expr, &|_| vec![]);
    implication::follows(&rest.simplified(), &facts_at(summary, node), &is_not_negative)
}

/// What the branches around a node state about sizes: expressions that are 0 or more.
fn facts_at(summary: &Summary, node: NodeId) -> Vec<Expr> {
    let negative = |expr: &Expr| Expr::Constant(-1) * expr.clone();
    let (mut facts, mut below) = (vec![], node);
    for outer in summary.ancestors(node) {
        if let NodeKind::If(conditions) = &summary.nodes[outer].kind {
            match (summary.otherwise.contains(&below), &conditions[..]) {
                (false, conditions) => facts.extend(conditions.iter().flat_map(|it| match it {
                    Constraint::NonNegative(expr) => vec![expr.clone()],
                    Constraint::Zero(expr) => vec![expr.clone(), negative(expr)],
                })),
                (true, [Constraint::NonNegative(expr)]) => facts.push(negative(expr) - 1.into()),
                (true, _) => {}
            }
        }
        below = outer;
    }
    facts.retain(|fact| !fact.has_dims());
    facts.iter().map(Expr::simplified).collect()
}
