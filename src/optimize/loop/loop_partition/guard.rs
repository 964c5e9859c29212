//! The guards in a loop, and the iteration before which, or from which on, each provably holds.

use crate::analysis::span;
use crate::dialect::loop_enums::LoopKind;
use crate::dialect::loop_op::If;
use crate::ir::affine::{BinaryKind, Constraint, Expr, Linear};
use crate::ir::{Op, Value, constant_integer, walk};
use crate::nest::summary::VariableId;
use crate::nest::summary::{NodeId, NodeKind, Summary, Variable, mentions};
use crate::schedule::State;
use std::collections::HashMap;

/// On which side of an iteration a guard provably holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GuardSide {
    Before,
    From,
}

/// A condition that is evaluated in each iteration of a loop.
#[derive(Clone, Debug)]
pub struct Guard {
    /// The index of its op among all ops of the loop, in program order.
    pub place: usize,
    /// Its loop, schedule block or branch; `None` for a branch in a body.
    pub node: Option<NodeId>,
    /// The same node, or the schedule block with that body.
    pub within: NodeId,
    /// The index among the conditions, or extents, of its op.
    pub index: usize,
    pub side: GuardSide,
    /// The guard holds in the iterations before this one, or from this one on.
    pub at: Expr,
    /// The guarded statement runs in no other iteration.
    pub fails_beyond: bool,
}

/// The numbers that the summary has for ops and values.
pub struct SummaryNumbers<'c> {
    nodes: HashMap<Op<'c>, NodeId>,
    values: HashMap<Value<'c>, Expr>,
}

impl<'c> SummaryNumbers<'c> {
    pub fn of(state: &State<'c>) -> Self {
        let nodes = state.summary().nodes.keys().map(|node| (state.op(node), node)).collect();
        let sizes = state.sizes().iter().enumerate().map(|(i, v)| (*v, Expr::Symbol(i)));
        let variables = state.variables().iter().enumerate().map(|(i, v)| (*v, Expr::Dim(i)));
        SummaryNumbers { nodes, values: sizes.chain(variables).collect() }
    }

    fn value(&self, value: Value<'c>) -> Option<Expr> {
        let constant = || constant_integer(value).map(Expr::Constant);
        self.values.get(&value).cloned().or_else(constant)
    }

    /// The conditions of a branch, over the variables and sizes of the summary.
    fn conditions(&self, op: Op<'c>) -> Option<Vec<Constraint>> {
        let view = If::of(op).ok()?;
        let values: Option<Vec<Expr>> = view.operands.iter().map(|v| self.value(*v)).collect();
        let (values, dims) = (values?, view.condition.dims);
        let moved = |e: &Expr| e.substitute(&|i| values[i].clone(), &|i| values[dims + i].clone());
        Some(view.condition.constraints.iter().map(|c| c.on(moved(c.expr()))).collect())
    }
}

/// The guards in a loop that can partition it.
pub fn of_loop<'c>(state: &State<'c>, places: &SummaryNumbers<'c>, node: NodeId) -> Vec<Guard> {
    let summary = state.summary();
    let variable = summary.as_loop(node).expect("a loop").variable;
    let mut guards = vec![];
    let mut within = node;
    for (place, op) in walk(state.op(node)).into_iter().enumerate().skip(1) {
        let known = places.nodes.get(&op).copied();
        within = known.unwrap_or(within);
        if is_decided(summary, node, within, variable) {
            continue;
        }
        let conditions = match known.map(|n| &summary.nodes[n].kind) {
            Some(NodeKind::Loop(inner)) => lower_extents(&inner.extent),
            Some(NodeKind::If(conditions)) => numbered(conditions),
            Some(NodeKind::Block(block)) => numbered(&block.predicate),
            _ if op.is(If::NAME) => numbered(&places.conditions(op).unwrap_or_default()),
            _ => continue,
        };
        let is_extent = known.is_some_and(|n| summary.as_loop(n).is_some());
        for (index, expr) in conditions {
            let expr = summary.over_loops_under(node, &expr);
            if let Some((side, at, is_all)) = place_of(summary, node, &expr) {
                let fails_beyond = is_all && !is_extent;
                guards.push(Guard { place, node: known, within, index, side, at, fails_beyond });
            }
        }
    }
    guards
}

fn numbered(conditions: &[Constraint]) -> Vec<(usize, Expr)> {
    let one = |(i, condition): (usize, &Constraint)| match condition {
        Constraint::NonNegative(expr) => Some((i, expr.clone())),
        Constraint::Zero(_) => None,
    };
    conditions.iter().enumerate().filter_map(one).collect()
}

/// The extents that are redundant if they are not less than the constant one.
fn lower_extents(extent: &[Expr]) -> Vec<(usize, Expr)> {
    let Some(number) = extent.iter().filter_map(Expr::constant).min() else { return vec![] };
    let one = |(i, expr): (usize, &Expr)| {
        expr.constant().is_none().then(|| (i, expr.clone() - number.into()))
    };
    extent.iter().enumerate().filter_map(one).collect()
}

/// True if a node is nested in the `else` of a branch on the loop variable: an earlier partition has left its guards
/// there.
fn is_decided(summary: &Summary, of: NodeId, node: NodeId, variable: VariableId) -> bool {
    let path: Vec<NodeId> = std::iter::once(node).chain(summary.ancestors(node)).collect();
    path.windows(2).take_while(|pair| pair[0] != of).any(|pair| {
        let NodeKind::If(conditions) = &summary.nodes[pair[1]].kind else { return false };
        let of_variable =
            |c: &Constraint| mentions(&summary.over_loops_under(of, c.expr()), variable);
        summary.otherwise.contains(&pair[0]) && conditions.iter().any(of_variable)
    })
}

/// (C1), (C2): The side and the iteration at which an expression is non-negative for all values of the nested loops.
/// The flag is true if the expression is negative in all other iterations.
fn place_of(summary: &Summary, node: NodeId, expr: &Expr) -> Option<(GuardSide, Expr, bool)> {
    let variable = summary.as_loop(node).expect("a loop").variable;
    let mut rest = Linear::of(expr);
    let coefficient = rest.terms.remove(&variable.expr())?;
    let rest = rest.to_expr();
    if mentions(&rest, variable) {
        return None;
    }
    let inside = |v: usize| match summary.variables[VariableId::of_dim(v)] {
        Variable::Loop(inner) => summary.is_under(inner, node) || runs_at_once(summary, inner),
        Variable::Iter(block, _) => summary.is_under(block, node),
    };
    let span = span::hull(&rest, &inside, &|v| summary.bounds(VariableId::of_dim(v)))?;
    // A schedule block around the loop hides outer loops, and its iters may not be dims of an extent.
    let is_loop = |v: usize| matches!(summary.variables[VariableId::of_dim(v)], Variable::Loop(_));
    let mut escapes = false;
    span.low.visit_leaves(&mut |leaf| {
        escapes |= matches!(leaf, Expr::Dim(v) if inside(*v) || !is_loop(*v));
    });
    // For an empty nested loop the span covers no values, but the start of a reduction runs all the same, at other
    // values.
    let is_sure = span.width.constant().is_some() || !starts_inside(summary, node);
    if escapes || !is_sure {
        return None;
    }
    let by = i64::try_from(coefficient.unsigned_abs()).ok()?;
    let is_all = span.width.constant() == Some(0);
    if coefficient.is_negative() {
        let is_natural = summary.never_negative(&(span.low.clone() + by.into()));
        let at = summary.simplified(&(span.low.floor_div(by.into()) + 1.into()));
        return is_natural.then_some((GuardSide::Before, at, is_all));
    }
    let least = (Expr::Constant(0) - span.low).simplified();
    let is_natural = summary.never_negative(&(least.clone() + (by - 1).into()));
    let at = summary.simplified(&Expr::binary(BinaryKind::CeilDiv, least, by.into()));
    // If the cut is below 0, the guard always holds.
    match at.constant() {
        Some(at) => Some((GuardSide::From, at.max(0).into(), is_all)),
        None => is_natural.then_some((GuardSide::From, at, is_all)),
    }
}

/// (C4): True if the iterations of a node are threads of a block, or lanes.
fn runs_at_once(summary: &Summary, node: NodeId) -> bool {
    summary.as_loop(node).is_some_and(|this| match this.thread {
        Some(axis) => !axis.is_block(),
        None => this.kind == LoopKind::Vectorize,
    })
}

fn starts_inside(summary: &Summary, node: NodeId) -> bool {
    let starts = |id: NodeId| summary.as_block(id).is_some_and(|block| block.has_init);
    summary.blocks_under(node).into_iter().any(starts)
}
