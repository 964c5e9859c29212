//! Executions of leaf schedule blocks, as integer constraints over the loops around them.
//!
//! An execution is one iteration of each loop around a block. Block iters, also those of enclosing schedule
//! blocks, are replaced by their bindings, so all constraints are over loops and sizes.

use crate::analysis::dependence::{All, ExecutionOrder, Level, LoopOrder};
use crate::analysis::digits;
use crate::dialect::loop_enums::{IterRole, LoopKind, ThreadAxis};
use crate::ir::affine::{Constraint, Expr};
use crate::nest::facts::cross_thread_reduction;
use crate::nest::facts::reduction::Roles;
use crate::nest::summary::{Access, Loop, NodeId, NodeKind, Summary, VariableId, mentions};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// An execution of a block. Each loop around the block has a dim number in the dependence question.
#[derive(Clone)]
pub struct Execution<'a> {
    pub summary: &'a Summary,
    pub block: NodeId,
    dims: BTreeMap<VariableId, usize>,
    lanes: Option<LaneLoop>,
    /// Bound loops that the execution is outside of: it is one statement for all their threads.
    outside: Vec<NodeId>,
}

/// A loop whose iterations are treated as lanes, although it is of another kind.
#[derive(Clone, Copy)]
pub struct LaneLoop {
    pub node: NodeId,
    /// The number of lanes that run at a time, group after group; `None` if all run at once.
    pub width: Option<i64>,
}

impl<'a> Execution<'a> {
    /// Numbers the loops from `next` on, except those that have a number in `shared`.
    pub fn new(
        summary: &'a Summary,
        block: NodeId,
        next: &mut usize,
        shared: &BTreeMap<VariableId, usize>,
    ) -> Self {
        let mut dims = BTreeMap::new();
        for node in summary.loops_around(block) {
            let variable = summary.as_loop(node).expect("a loop").variable;
            let number = shared.get(&variable).copied().unwrap_or_else(|| {
                *next += 1;
                *next - 1
            });
            dims.insert(variable, number);
        }
        Execution { summary, block, dims, lanes: None, outside: vec![] }
    }

    /// The same execution, with the iterations of a loop as lanes.
    pub fn in_lanes(&self, lanes: LaneLoop) -> Self {
        Execution { lanes: Some(lanes), ..self.clone() }
    }

    /// True if the iterations of a loop are treated as lanes.
    pub fn is_in_lanes(&self) -> bool {
        self.lanes.is_some()
    }

    /// The execution as one access sees it: the update of a cross-thread reduction is outside of the
    /// reduction's thread loops.
    pub fn accessing(&self, access: &Access) -> Cow<'_, Self> {
        match cross_thread_reduction::is_update(self.summary, self.block, access) {
            true => {
                let outside = cross_thread_reduction::loops(self.summary, self.block);
                Cow::Owned(Execution { outside, ..self.clone() })
            }
            false => Cow::Borrowed(self),
        }
    }

    /// True if the execution is outside of a bound loop, as one statement for all its threads.
    pub fn is_outside(&self, node: NodeId) -> bool {
        self.outside.contains(&node)
    }

    /// The dim numbers of the loops.
    pub fn dims(&self) -> &BTreeMap<VariableId, usize> {
        &self.dims
    }

    /// The dim of a loop that encloses the block.
    pub fn variable(&self, node: NodeId) -> Expr {
        Expr::Dim(self.dims[&self.summary.as_loop(node).expect("a loop").variable])
    }

    /// Rewrites an expression over loops and iters to one over dims.
    pub fn expr(&self, expr: &Expr) -> Expr {
        let dim = |dim| match self.dims.get(&VariableId::of_dim(dim)) {
            Some(number) => Expr::Dim(*number),
            // Only loops around the block occur in the expression.
            None => Expr::Constant(0),
        };
        self.summary.over_loops(expr).substitute(&dim, &|size| self.size(size)).simplified()
    }

    fn size(&self, size: usize) -> Expr {
        match self.summary.sizes.get(size).copied().flatten() {
            Some(value) => Expr::Constant(value),
            None => Expr::Symbol(size),
        }
    }

    /// The loops around the block, outermost first.
    pub fn loops(&self) -> Vec<NodeId> {
        let mut loops: Vec<_> = self.summary.loops_around(self.block).collect();
        loops.reverse();
        loops
    }

    /// The values of the block's iters.
    pub fn iters(&self) -> Vec<Expr> {
        let block = self.summary.as_block(self.block).expect("a block");
        block.binding.iter().map(|bound| self.expr(bound)).collect()
    }

    /// The conditions under which the block is executed or, with `starts`, under which it stores initial
    /// values. The second result is `Err` with a reason if the conditions are weaker than the exact ones.
    pub fn conditions(&self, starts: bool) -> (All, Result<(), String>) {
        let (summary, mut all, mut exact) = (self.summary, vec![], Ok(()));
        let own = summary.as_block(self.block).expect("a block");
        let is_reduce = |i: &usize| own.iters[*i].role == IterRole::Reduce;
        let reduces: Vec<usize> = (0..own.iters.len()).filter(is_reduce).collect();
        let roles = Roles::of(summary, self.block);
        if starts {
            all.extend(reduces.iter().map(|i| Constraint::Zero(self.expr(&own.binding[*i]))));
        }
        let mut below = self.block;
        let path = std::iter::once(self.block).chain(summary.ancestors(self.block));
        for node in path {
            match &summary.nodes[node].kind {
                NodeKind::Loop(this) => {
                    let variable = Expr::Dim(self.dims[&this.variable]);
                    all.push(Constraint::NonNegative(variable.clone()));
                    // An empty reduction still stores initial values.
                    let bound_to = |i: &usize| mentions(&own.binding[*i], this.variable);
                    let only_reduces = reduces.iter().any(bound_to)
                        && (0..own.iters.len()).filter(bound_to).all(|i| reduces.contains(&i));
                    if starts && only_reduces && roles.starts_first(&[node]) {
                        all.push(Constraint::Zero(variable));
                    } else if starts && only_reduces && !roles.never_empty() {
                        exact = Err(
                            "the reduction of a point is not known to start in a first iteration"
                                .into(),
                        );
                    } else {
                        let less = |e: &Expr| self.expr(e) - variable.clone() - 1.into();
                        all.extend(this.extent.iter().map(|e| Constraint::NonNegative(less(e))));
                    }
                }
                NodeKind::Block(this) => {
                    all.extend(this.predicate.iter().map(|c| c.on(self.expr(c.expr()))));
                    for (iter, bound) in this.iters.iter().zip(&this.binding) {
                        let value = self.expr(bound);
                        all.push(Constraint::NonNegative(value.clone()));
                        let empty = starts && node == self.block && iter.role == IterRole::Reduce;
                        if !empty {
                            let less = |d: &Expr| self.expr(d) - value.clone() - 1.into();
                            all.extend(
                                iter.domain.iter().map(|d| Constraint::NonNegative(less(d))),
                            );
                        }
                    }
                }
                NodeKind::If(conditions) if summary.otherwise.contains(&below) => {
                    match &conditions[..] {
                        [Constraint::NonNegative(e)] => {
                            let not = Expr::Constant(-1) - self.expr(e);
                            all.push(Constraint::NonNegative(not));
                        }
                        _ => exact = Err("an 'else' negates several conditions".to_owned()),
                    }
                }
                NodeKind::If(conditions) => {
                    all.extend(conditions.iter().map(|c| c.on(self.expr(c.expr()))));
                }
                NodeKind::Function | NodeKind::Sync | NodeKind::Effects(_) => {}
            }
            below = node;
        }
        (all, exact)
    }

    /// The indices of an access of the block; `None` for an index that depends on data.
    pub fn cell(&self, access: &Access) -> Vec<Option<Expr>> {
        access.indices.iter().map(|index| index.as_ref().map(|e| self.expr(e))).collect()
    }

    /// The axes of threads and thread blocks that the block runs on, and the index on each.
    pub fn threads(&self) -> BTreeMap<&'static str, Expr> {
        let axis = |node: &NodeId| {
            let this = self.summary.as_loop(*node).expect("a loop");
            let axis = this.thread.filter(|_| order_of(this).is_none())?;
            Some((axis.word(), self.variable(*node)))
        };
        let loops = self.summary.loops_around(self.block);
        loops.filter(|node| !self.outside.contains(node)).filter_map(|node| axis(&node)).collect()
    }
}

/// The path from the outermost ancestor of a node down to the node.
fn path(summary: &Summary, node: NodeId) -> Vec<NodeId> {
    let mut path: Vec<_> = std::iter::once(node).chain(summary.ancestors(node)).collect();
    path.reverse();
    path
}

/// The index of a node among its siblings.
fn place(summary: &Summary, node: NodeId) -> Option<usize> {
    let parent = summary.nodes[node].parent?;
    summary.nodes[parent].children.iter().position(|child| *child == node)
}

/// True if two nodes are in different branches of one `loop.if` whose conditions are over sizes, so that
/// only one of them is executed.
pub fn are_exclusive(summary: &Summary, first: NodeId, second: NodeId) -> bool {
    let (a, b) = (path(summary, first), path(summary, second));
    let common = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let (Some(x), Some(y)) = (a.get(common), b.get(common)) else { return false };
    let parent = summary.nodes[*x].parent.map(|parent| &summary.nodes[parent].kind);
    let Some(NodeKind::If(conditions)) = parent else { return false };
    conditions.iter().all(|c| !c.expr().has_dims())
        && summary.otherwise.contains(x) != summary.otherwise.contains(y)
}

/// True if the nest of a node contains a barrier.
pub fn has_barrier(summary: &Summary, node: NodeId) -> bool {
    let nest = summary.ancestors(node).last().unwrap_or(node);
    summary.under(nest).iter().any(|n| matches!(summary.nodes[*n].kind, NodeKind::Sync))
}

/// The execution order of the iterations of a loop; `None` if they are threads or thread blocks. Those of a
/// `vthread` loop are interleaved in one thread.
pub fn order_of(this: &Loop) -> Option<LoopOrder> {
    match (this.kind, this.thread) {
        (LoopKind::ThreadBind, Some(ThreadAxis::VThread)) => Some(LoopOrder::Parallel),
        (LoopKind::ThreadBind, _) => None,
        (LoopKind::Parallel, _) => Some(LoopOrder::Parallel),
        (LoopKind::Vectorize, _) => Some(LoopOrder::Lanes),
        (LoopKind::Serial | LoopKind::Unroll, _) => Some(LoopOrder::Serial),
    }
}

/// The order of two executions in one summary. `lockstep` is true if, in one statement of two lanes, the
/// first execution's access precedes that of the second.
pub fn order(first: &Execution, second: &Execution, lockstep: bool) -> ExecutionOrder {
    let summary = first.summary;
    let (a, b) = (path(summary, first.block), path(summary, second.block));
    let common = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let text = match (a.get(common), b.get(common)) {
        (Some(x), Some(y)) => place(summary, *x).cmp(&place(summary, *y)),
        _ => Ordering::Equal,
    };
    let levels = |node: &NodeId| {
        let this = summary.as_loop(*node)?;
        let (x, y) = (first.variable(*node), second.variable(*node));
        let level = |kind, first, second| Level { kind, first, second };
        if let Some(lanes) = first.lanes.filter(|lanes| lanes.node == *node) {
            let group = |v: &Expr, width: i64| v.clone().floor_div(width.into());
            let groups = lanes.width.map(|w| level(LoopOrder::Serial, group(&x, w), group(&y, w)));
            return Some(groups.into_iter().chain([level(LoopOrder::Lanes, x, y)]).collect());
        }
        // The thread order is in `threads`, below.
        order_of(this).map(|order| vec![level(order, x, y)])
    };
    let levels = a[..common].iter().filter_map(levels).flatten().collect();
    // Nests at function level run one after the other, whatever threads they run on.
    let (threads, barrier) = match common {
        0 => (Some(vec![]), false),
        _ => {
            let both: Vec<_> = a[..common].iter().map(|node| (*node, *node)).collect();
            (threads(first, second, &both), has_barrier(summary, first.block))
        }
    };
    ExecutionOrder { levels, threads, barrier, text, lockstep }
}

/// The thread indices of two executions, axis by axis. `both` are pairs of nodes around the two executions
/// that are, or are assumed to be, the same node. `None` if one execution runs in all threads of an axis
/// and the other in only one of them.
pub fn threads(
    first: &Execution,
    second: &Execution,
    both: &[(NodeId, NodeId)],
) -> Option<Vec<(Expr, Expr)>> {
    let (of_first, of_second) = (first.threads(), second.threads());
    // Two blocks in a loop over which one of them does a cross-thread reduction run one after the other.
    let is_outside = |(x, y): &(NodeId, NodeId)| first.is_outside(*x) || second.is_outside(*y);
    let take_turns = first.block != second.block && both.iter().any(is_outside);
    let same_axes = of_first.keys().eq(of_second.keys()) && !take_turns;
    same_axes.then(|| of_first.into_values().zip(of_second.into_values()).collect())
}

/// True if the loops, enclosing blocks and branches around a block have the same meaning for it in both
/// summaries, up to loop order.
pub fn same_surroundings(before: &Summary, old: NodeId, after: &Summary, new: NodeId) -> bool {
    let loops = |summary: &Summary, block| -> BTreeMap<VariableId, Vec<Expr>> {
        let extent = |node| {
            let this = summary.as_loop(node).expect("a loop");
            (this.variable, this.extent.iter().map(Expr::simplified).collect())
        };
        summary.loops_around(block).map(extent).collect()
    };
    let blocks = |summary: &Summary, block| -> Vec<_> {
        let of = |node| {
            let this = summary.as_block(node)?;
            let binding: Vec<_> = this.binding.iter().map(Expr::simplified).collect();
            let predicate: Vec<_> =
                this.predicate.iter().map(|c| c.on(c.expr().simplified())).collect();
            Some((this.name.clone(), binding, predicate))
        };
        std::iter::once(block).chain(summary.ancestors(block)).filter_map(of).collect()
    };
    let branches = |summary: &Summary, block| -> Vec<(Vec<Constraint>, bool)> {
        let path: Vec<_> = std::iter::once(block).chain(summary.ancestors(block)).collect();
        let of = |pair: &[NodeId]| match &summary.nodes[pair[1]].kind {
            NodeKind::If(conditions) => {
                Some((conditions.clone(), summary.otherwise.contains(&pair[0])))
            }
            _ => None,
        };
        path.windows(2).filter_map(of).collect()
    };
    loops(before, old) == loops(after, new)
        && blocks(before, old) == blocks(after, new)
        && branches(before, old) == branches(after, new)
}

/// The loops around a block, the same in both summaries, that nothing about the block depends on: each of
/// their iterations executes the same instances.
pub fn repeating(before: &Summary, old: NodeId, after: &Summary, new: NodeId) -> Vec<VariableId> {
    let extent = |summary: &Summary, block, variable| {
        let mut loops = summary.loops_around(block).filter_map(|node| summary.as_loop(node));
        let this = loops.find(|this| this.variable == variable)?;
        Some(this.extent.iter().map(Expr::simplified).collect::<Vec<_>>())
    };
    let is_used = |summary: &Summary, block: NodeId, variable| {
        let uses = |expr: &Expr| mentions(&summary.over_loops(expr), variable);
        std::iter::once(block).chain(summary.ancestors(block)).any(|node| {
            match &summary.nodes[node].kind {
                NodeKind::Loop(this) => this.extent.iter().any(uses),
                NodeKind::If(conditions) => conditions.iter().any(|c| uses(c.expr())),
                NodeKind::Block(this) => {
                    this.binding.iter().any(uses) || this.predicate.iter().any(|c| uses(c.expr()))
                }
                _ => false,
            }
        })
    };
    let variables = before.loops_around(old).filter_map(|node| before.as_loop(node));
    variables
        .map(|this| this.variable)
        .filter(|v| {
            let of = extent(before, old, *v);
            of == extent(after, new, *v) && !is_used(before, old, *v) && !is_used(after, new, *v)
        })
        .collect()
}

/// True if each instance of a block is executed once within one iteration of the loops `but`.
pub fn executes_once(summary: &Summary, id: NodeId, but: &[VariableId]) -> bool {
    let block = summary.as_block(id).expect("a block");
    let binding: Vec<Expr> = block.binding.iter().map(|e| summary.over_loops(e)).collect();
    let predicate: Vec<_> =
        block.predicate.iter().map(|c| c.on(summary.over_loops(c.expr()))).collect();
    summary.loops_around(id).all(|node| {
        let this = summary.as_loop(node).expect("a loop");
        but.contains(&this.variable)
            || digits::determines(&binding, this.variable.index(), summary, &predicate)
    })
}
