//! Block iters replaced by their bindings, and bounds of the variables that remain.
//!
//! | variant | which iters are replaced | simplified |
//! |---|---|---|
//! | [`over_loops`](Summary::over_loops) | all | no |
//! | [`over_loops_under`](Summary::over_loops_under) | those of blocks under a node; others stay | under the extents and domains |

use super::{NodeId, Summary, Variable, VariableId};
use crate::analysis::span;
use crate::ir::affine::Expr;

impl Summary {
    /// Replaces all block iters in an expression by their bindings, recursively. Not simplified.
    pub fn over_loops(&self, expr: &Expr) -> Expr {
        let mut has_iters = false;
        expr.visit_leaves(&mut |leaf| {
            if let Expr::Dim(variable) = leaf {
                has_iters |=
                    matches!(self.variables[VariableId::of_dim(*variable)], Variable::Iter(..));
            }
        });
        if !has_iters {
            return expr.clone();
        }
        let dim = |variable: usize| match self.variables[VariableId::of_dim(variable)] {
            Variable::Loop(_) => Expr::Dim(variable),
            Variable::Iter(node, i) => {
                self.over_loops(&self.as_block(node).expect("a block").binding[i])
            }
        };
        expr.substitute(&dim, &Expr::Symbol)
    }

    /// Replaces the iters of blocks under `root` by their bindings, recursively, and simplifies the result.
    pub fn over_loops_under(&self, root: NodeId, expr: &Expr) -> Expr {
        let dim = |variable: usize| match self.variables.get(VariableId::of_dim(variable)) {
            Some(Variable::Iter(node, i)) if self.is_under(*node, root) => {
                self.over_loops_under(root, &self.as_block(*node).expect("a block").binding[*i])
            }
            _ => Expr::Dim(variable),
        };
        self.simplified(&expr.substitute(&dim, &Expr::Symbol))
    }

    /// The upper bounds of a variable: the extent of a loop, or the domain of an iter.
    pub fn bounds(&self, variable: VariableId) -> Vec<Expr> {
        match self.variables.get(variable) {
            Some(Variable::Loop(node)) => {
                self.as_loop(*node).map(|this| this.extent.clone()).unwrap_or_default()
            }
            Some(Variable::Iter(node, i)) => {
                self.as_block(*node).map(|b| b.iters[*i].domain.clone()).unwrap_or_default()
            }
            None => vec![],
        }
    }

    /// True if an expression is proved to be never negative.
    pub fn never_negative(&self, expr: &Expr) -> bool {
        span::never_negative(&self.simplified(expr), &|variable| {
            self.bounds(VariableId::of_dim(variable))
        })
    }
}
