//! How the loops and the predicate of a reduction relate to its initialization.

use crate::analysis::digits;
use crate::dialect::loop_enums::IterRole;
use crate::ir::affine::{Constraint, Expr};
use crate::nest::facts::known_sizes::never_below;
use crate::nest::summary::{Block, Iter, NodeId, NodeKind, Summary, VariableId, mentions};

/// The bindings of a block's iters, by role.
#[derive(Clone, Copy, Debug)]
pub struct Roles<'s> {
    pub summary: &'s Summary,
    pub id: NodeId,
    pub block: &'s Block,
}

impl<'s> Roles<'s> {
    pub fn of(summary: &'s Summary, id: NodeId) -> Self {
        Roles { summary, id, block: summary.as_block(id).expect("a block") }
    }

    fn binds(&self, variable: VariableId, wanted: impl Fn(IterRole) -> bool) -> bool {
        let mut iters = self.block.iters.iter().zip(&self.block.binding);
        iters.any(|(iter, bound)| wanted(iter.role) && mentions(bound, variable))
    }

    /// True if a reduce iter is bound to the variable.
    pub fn reduces(&self, variable: VariableId) -> bool {
        self.binds(variable, |role| role == IterRole::Reduce)
    }

    /// True if an iter other than a reduce iter is bound to the variable.
    pub fn places(&self, variable: VariableId) -> bool {
        self.binds(variable, |role| role != IterRole::Reduce)
    }

    /// True if only reduce iters are bound to the variable.
    pub fn only_reduces(&self, variable: VariableId) -> bool {
        self.reduces(variable) && !self.places(variable)
    }

    /// The loops around the block, outermost first.
    pub fn loops(&self) -> Vec<NodeId> {
        let mut loops: Vec<_> = self.summary.loops_around(self.id).collect();
        loops.reverse();
        loops
    }

    pub fn variable(&self, node: NodeId) -> VariableId {
        self.summary.as_loop(node).expect("a loop").variable
    }

    pub fn loop_name(&self, node: NodeId) -> String {
        self.summary.as_loop(node).expect("a loop").name.clone()
    }

    /// The expression with the variables for which `are_zero` holds replaced by 0.
    pub fn at_zero(&self, expr: &Expr, are_zero: &dyn Fn(VariableId) -> bool) -> Expr {
        let dim = |v: usize| if are_zero(VariableId::of_dim(v)) { 0.into() } else { Expr::Dim(v) };
        self.summary.simplified(&expr.substitute(&dim, &Expr::Symbol))
    }

    /// True if the expression has variables, and `wanted` holds for all of them.
    fn is_over(&self, expr: &Expr, wanted: &dyn Fn(VariableId) -> bool) -> bool {
        let (mut some, mut all) = (false, true);
        expr.visit_leaves(&mut |leaf| {
            if let Expr::Dim(v) = leaf {
                some |= wanted(VariableId::of_dim(*v));
                all &= wanted(VariableId::of_dim(*v));
            }
        });
        some && all
    }

    /// True if a condition is over pure reduction loops only.
    pub fn is_of_reduction(&self, condition: &Constraint) -> bool {
        self.is_over(condition.expr(), &|v| self.only_reduces(v))
    }

    /// For a condition over pure reduction loops: true if the first instance of a point fulfils it whenever
    /// the point has an instance.
    pub fn holds_at_start(&self, condition: &Constraint) -> bool {
        let first = self.at_zero(condition.expr(), &|_| true);
        let always = match (condition, first.constant()) {
            (Constraint::Zero(_), Some(value)) => value == 0,
            (Constraint::NonNegative(_), Some(value)) => value >= 0,
            (_, None) => false,
        };
        always || self.implies_domain(condition)
    }

    /// True if the condition keeps a reduce iter within its domain.
    fn implies_domain(&self, condition: &Constraint) -> bool {
        let Constraint::NonNegative(expr) = condition else { return false };
        let expr = self.summary.simplified(expr);
        self.block.iters.iter().zip(&self.block.binding).any(|(iter, bound)| {
            let is_last = |domain: &Expr| {
                let last = domain.clone() - 1.into() - bound.clone();
                self.summary.simplified(&last) == expr
            };
            iter.role == IterRole::Reduce && iter.domain.iter().any(is_last)
        })
    }

    /// True if the reduction has an instance at each spatial point for all sizes.
    pub fn never_empty(&self) -> bool {
        let mut reduce = self.block.iters.iter().filter(|iter| iter.role == IterRole::Reduce);
        let has_values = |domain: &Expr| never_below(self.summary, self.id, domain, 1);
        reduce.all(|iter| iter.domain.iter().all(has_values))
    }

    /// True if a point that starts at all provably starts in the first iteration of `loops`, which are pure
    /// reduction loops. This holds if its reduce iters are 0 where all pure reduction loops are at 0, and
    /// no other iteration of `loops` executes that instance.
    pub fn starts_first(&self, loops: &[NodeId]) -> bool {
        let reduces = |v: VariableId| self.only_reduces(v);
        let mut iters = self.block.iters.iter().zip(&self.block.binding);
        let is_zero = |(iter, bound): (&Iter, &Expr)| {
            iter.role != IterRole::Reduce || self.at_zero(bound, &reduces).constant() == Some(0)
        };
        // Two instances that fulfil the same conditions are easier to distinguish.
        let holds = |c: &&Constraint| self.lets_start(c);
        let conditions: Vec<Constraint> =
            self.block.predicate.iter().filter(holds).cloned().collect();
        let is_injective = |node: &NodeId| {
            digits::determines(
                &self.block.binding,
                self.variable(*node).index(),
                self.summary,
                &conditions,
            )
        };
        iters.all(is_zero) && loops.iter().all(is_injective)
    }

    /// True if the start of a point fulfils the condition whenever any instance of the point does.
    pub fn lets_start(&self, condition: &Constraint) -> bool {
        let mut mentions_reduction = false;
        condition.expr().visit_leaves(&mut |leaf| {
            mentions_reduction |=
                matches!(leaf, Expr::Dim(v) if self.only_reduces(VariableId::of_dim(*v)));
        });
        !mentions_reduction || self.is_of_reduction(condition) && self.holds_at_start(condition)
    }
}

/// True if each point of a reduction over a loop that starts at all provably starts in the loop's first
/// iteration. The block may be nested in other blocks inside the loop.
pub fn starts_first_in(summary: &Summary, node: NodeId, id: NodeId) -> bool {
    let mut block = summary.as_block(id).expect("a block").clone();
    block.binding.iter_mut().for_each(|bound| *bound = summary.over_loops_under(node, bound));
    for condition in &mut block.predicate {
        *condition = condition.on(summary.over_loops_under(node, condition.expr()));
    }
    Roles { summary, id, block: &block }.starts_first(&[node])
}

/// The nodes from `top` down to the parent of `inside`.
pub fn path(summary: &Summary, top: NodeId, inside: NodeId) -> Vec<NodeId> {
    let mut path: Vec<_> = summary.ancestors(inside).take_while(|node| *node != top).collect();
    path.push(top);
    path.reverse();
    path
}

/// The first of these nodes that is not a loop, and its description.
pub fn between(summary: &Summary, path: &[NodeId]) -> Option<(NodeId, &'static str)> {
    path.iter().find_map(|node| match summary.nodes[*node].kind {
        NodeKind::Loop(_) => None,
        NodeKind::If(_) => Some((*node, "a 'loop.if'")),
        _ => Some((*node, "a schedule block")),
    })
}
