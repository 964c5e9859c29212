//! Placement of reduction inits: the start values are hoisted before the reduction loops if possible.
//!
//! They are written before the outermost loop that a reduce iter is bound to, for all points in that loop. Then
//! no iteration tests whether it is the first one, and a reduction without iterations still leaves the start
//! values.
//!
//! ```text
//! for i { for k { for j { if k == 0 { C[i, j] = 0 }  C[i, j] += .. } } }
//!   ->
//! for i { for j { C[i, j] = 0 }  for k { for j { C[i, j] += .. } } }
//! ```
//! The start values are not hoisted in these cases:
//! - a loop is bound to both a spatial and a reduce iter
//! - an extent or branch inside the outermost reduction loop depends on a reduction loop
//! - before the reduction starts, another block in that loop may access an element that is reduced into, or may
//!   write an element that the start values depend on
//!
//! In these cases the start values are written in place, at the first instance. If the reduction may have no
//! iterations, they are also written before the whole nest under that condition.

use crate::dialect::loop_enums::IterRole;
use crate::dialect::loop_op::ScheduleBlock;
use crate::ir::affine::Expr;
use crate::ir::{Error, Op, Value, walk};
use crate::nest::summary::{Access, NodeId, NodeKind, Summary, Variable, VariableId, mentions};
use crate::schedule::State;
use crate::schedule::legality::exact;
use crate::schedule::verdict::Verdict;

/// A block whose start values are written before a loop.
#[derive(Clone, Debug)]
pub(crate) struct Hoisted<'c> {
    pub block: Op<'c>,
    pub before: Op<'c>,
    /// The loops and branches from that loop to the block.
    pub path: Vec<Op<'c>>,
    /// The variables of the reduction loops.
    pub reduces: Vec<Value<'c>>,
}

/// The placement of the start values of all reductions of a function.
#[derive(Debug, Default)]
pub(crate) struct Inits<'c> {
    pub hoisted: Vec<Hoisted<'c>>,
    in_place: Vec<Op<'c>>,
}

impl<'c> Inits<'c> {
    pub fn of(state: &State<'c>) -> Self {
        let summary = state.summary();
        let mut inits = Inits::default();
        for (id, block) in summary.blocks() {
            if !block.has_init {
                continue;
            }
            match hoisting(summary, id) {
                Some((path, reduces)) => inits.hoisted.push(Hoisted {
                    block: state.op(id),
                    before: state.op(path[0]),
                    path: path.iter().map(|node| state.op(*node)).collect(),
                    reduces: reduces
                        .iter()
                        .map(|v| state.variable(VariableId::of_dim(v.index())))
                        .collect(),
                }),
                None => inits.in_place.push(state.op(id)),
            }
        }
        inits
    }

    pub fn is_hoisted(&self, block: Op<'c>) -> bool {
        self.hoisted.iter().any(|hoisted| hoisted.block == block)
    }

    /// The blocks in a nest whose start values are written in place and that may reduce over no elements.
    pub fn maybe_empty(&self, nest: Op<'c>) -> Result<Vec<ScheduleBlock<'c>>, Error<'c>> {
        let in_place = walk(nest).into_iter().filter(|op| self.in_place.contains(op));
        let mut found = vec![];
        for op in in_place {
            let view = ScheduleBlock::of(op)?;
            let mut reduce = view.iters.iter().filter(|iter| iter.role == IterRole::Reduce);
            if !reduce.all(|iter| runs(&iter.domain)) {
                found.push(view);
            }
        }
        Ok(found)
    }
}

/// The loops and branches from the outermost reduction loop to the block, and the variables of the reduction
/// loops. `None` if the start values must be written in place.
fn hoisting(summary: &Summary, id: NodeId) -> Option<(Vec<NodeId>, Vec<VariableId>)> {
    let block = summary.as_block(id)?;
    let bound_to = |variable, role: &dyn Fn(IterRole) -> bool| {
        let mut iters = block.iters.iter().zip(&block.binding);
        iters.any(|(iter, bound)| role(iter.role) && mentions(bound, variable))
    };
    let is_reduce = |role| role == IterRole::Reduce;
    let reduces = |node: &NodeId| {
        summary.as_loop(*node).is_some_and(|this| bound_to(this.variable, &is_reduce))
    };
    // The path below does not show which loops an iter of an enclosing schedule block is bound to.
    let iters = block.iters.iter().zip(&block.binding);
    let mut reduced = iters.filter(|(iter, _)| is_reduce(iter.role)).map(|(_, bound)| bound);
    if reduced.any(|bound| mentions_outer_iter(summary, bound)) {
        return None;
    }
    let around: Vec<NodeId> = summary.ancestors(id).collect();
    let outermost = around.iter().rposition(&reduces)?;
    let path: Vec<NodeId> = around[..=outermost].iter().rev().copied().collect();
    let variables: Vec<VariableId> = path
        .iter()
        .filter(|node| reduces(node))
        .filter_map(|node| summary.as_loop(*node).map(|this| this.variable))
        .collect();
    for node in &path {
        let mentions_any = |e: &Expr| variables.iter().any(|v| mentions(e, *v));
        if let NodeKind::If(conditions) = &summary.nodes[*node].kind {
            if conditions.iter().any(|c| mentions_any(c.expr())) {
                return None;
            }
            continue;
        }
        let this = summary.as_loop(*node)?;
        let is_mixed = reduces(node) && bound_to(this.variable, &|role| !is_reduce(role));
        let depends = this.extent.iter().any(mentions_any);
        if is_mixed || depends && !reduces(node) {
            return None;
        }
    }
    let written: Vec<_> = block.stores().map(|store| store.buffer).collect();
    let others = summary.blocks_under(path[0]).into_iter().filter(|other| *other != id);
    let read: Vec<_> = block.loads().filter(|load| load.in_init).map(|load| load.buffer).collect();
    for node in others {
        let other = summary.as_block(node)?;
        let shares = |access: &Access| {
            written.contains(&access.buffer) || access.is_write && read.contains(&access.buffer)
        };
        let comes_later = || exact::check_start(summary, path[0], id, node) == Verdict::Proved;
        if other.accesses().iter().any(shares) && !comes_later() {
            return None;
        }
    }
    Some((path, variables))
}

/// True if an expression contains an iter of a schedule block.
fn mentions_outer_iter(summary: &Summary, expr: &Expr) -> bool {
    let mut found = false;
    expr.visit_leaves(&mut |leaf| {
        if let Expr::Dim(variable) = leaf {
            found |= matches!(summary.variables[VariableId::of_dim(*variable)], Variable::Iter(..));
        }
    });
    found
}

/// True if a domain is proved to be nonempty.
pub(crate) fn runs(domain: &[Expr]) -> bool {
    domain.iter().all(|e| e.constant().is_some_and(|d| d > 0))
}
