//! Replaces expressions by their normal form where it is shorter.

use super::EXPRESSIONS;
use crate::ir::affine::Expr;
use crate::optimize::kind::{Counts, ExprPass};

#[derive(Debug, Default)]
pub struct Expressions;

impl ExprPass for Expressions {
    fn run(
        &mut self,
        expr: &Expr,
        interval: &dyn Fn(&Expr) -> Option<(i64, i64)>,
        counts: &mut Counts,
    ) -> Option<Expr> {
        let new = expr.simplified_within(&interval);
        // The terms keep the order of the source: another order is not shorter.
        if length(&new) >= length(expr) || !new.is_semi_affine() {
            return None;
        }
        counts.add(EXPRESSIONS, 1);
        Some(new)
    }
}

fn length(expr: &Expr) -> usize {
    match expr {
        Expr::Binary(_, left, right) => 1 + length(left) + length(right),
        _ => 1,
    }
}
