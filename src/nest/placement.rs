//! Placement of a schedule block at another position of the nest, under new loops of its own.
//!
//! [`Placement::after`] gives the resulting summary to the checks; [`Placement::rewrite`] changes the IR.

use crate::analysis::span::IntegerSpan;
use crate::dialect::loop_enums::LoopKind;
use crate::dialect::loop_op::{For, ForSpec};
use crate::ir::affine::{Constraint, Expr, Map};
use crate::nest::derived_name;
use crate::nest::edit;
use crate::nest::facts::boxes;
use crate::nest::facts::quotient;
use crate::nest::facts::run_condition;
use crate::nest::state::State;
use crate::nest::summary::{Loop, Node, NodeId, NodeKind, Summary, Variable, VariableId, mentions};

/// The target position of a block and its new binding. Variable numbers from the summary's variable count
/// on are those of the new loops.
#[derive(Clone, Debug)]
pub struct Placement {
    pub block: NodeId,
    /// The loop that the block moves into.
    pub target: NodeId,
    /// The index among the children of that loop.
    pub position: usize,
    /// The new loops, outermost first.
    pub loops: Vec<NewLoop>,
    pub binding: Vec<Expr>,
    pub predicate: Vec<Constraint>,
}

/// A new loop for a block.
#[derive(Clone, Debug)]
pub struct NewLoop {
    pub name: String,
    pub extent: Vec<Expr>,
    pub variable: VariableId,
}

impl Placement {
    /// Places the block in `target`, with a loop for each iter whose span there has more than one point. An
    /// iter without a span gets its whole domain. `order` lists the iters, that of the outermost loop
    /// first. The predicate consists of the `conditions`, which are over iters, and excludes values that are not proved
    /// to be in the domain.
    pub fn of(
        summary: &Summary,
        (block, target, position): (NodeId, NodeId, usize),
        spans: &[Option<IntegerSpan>],
        order: &[usize],
        conditions: &[Constraint],
    ) -> Placement {
        let this = summary.as_block(block).expect("a block");
        let mut placement = Placement {
            block,
            target,
            position,
            loops: vec![],
            binding: vec![Expr::Constant(0); this.iters.len()],
            predicate: vec![],
        };
        for i in order {
            let domain = &this.iters[*i].domain;
            let one_point = domain.iter().any(|e| e.constant() == Some(1));
            let is_defined = |span: &&IntegerSpan| {
                let parts = [&span.low, &span.width];
                parts.into_iter().all(|part| quotient::is_defined(summary, target, part))
            };
            let (low, extent) = match spans[*i].as_ref().filter(is_defined) {
                // The span is a proper part of the domain.
                Some(span) if !is_all(summary, span, domain) => clipped(summary, span, domain),
                _ if one_point => (0.into(), vec![1.into()]),
                _ => (0.into(), domain.clone()),
            };
            let is_point = extent == [Expr::Constant(1)];
            placement.binding[*i] = match is_point {
                true => low,
                false => {
                    let variable = VariableId::new(summary.variables.len() + placement.loops.len());
                    let name = placement.free_name(summary, *i);
                    placement.loops.push(NewLoop { name, extent, variable });
                    (low + variable.expr()).simplified()
                }
            };
        }
        placement.keep_in_domain(summary);
        placement.keep_conditions(summary, conditions);
        placement
    }

    /// Adds the conditions on iters that are not proved at their new values.
    fn keep_conditions(&mut self, summary: &Summary, conditions: &[Constraint]) {
        let after = self.with_loops(summary);
        for condition in conditions {
            let new = run_condition::at_binding(summary, self.block, condition, &self.binding);
            let is_implied = match &new {
                Constraint::NonNegative(expr) => after.never_negative(expr),
                Constraint::Zero(expr) => *expr == Expr::Constant(0),
            };
            if !is_implied && !self.predicate.contains(&new) {
                self.predicate.push(new);
            }
        }
    }

    /// Adds a predicate for each iter that is not proved to be in its domain.
    fn keep_in_domain(&mut self, summary: &Summary) {
        let after = self.with_loops(summary);
        let block = summary.as_block(self.block).expect("a block");
        for (iter, bound) in block.iters.iter().zip(&self.binding) {
            let last = |extent: &Expr| (extent.clone() - 1.into() - bound.clone()).simplified();
            let least = std::iter::once(bound.clone());
            for expr in least.chain(iter.domain.iter().map(last)) {
                if !after.never_negative(&expr) {
                    self.predicate.push(Constraint::NonNegative(expr));
                }
            }
        }
    }

    /// The name for an iter's new loop: that of the loop it was bound to, or of the loop that this one was
    /// derived from, or that of the iter. If it is taken, the block's name is appended.
    fn free_name(&self, summary: &Summary, i: usize) -> String {
        let block = summary.as_block(self.block).expect("a block");
        let bound: Vec<&Loop> = summary
            .loops_around(self.block)
            .filter_map(|node| summary.as_loop(node))
            .filter(|this| mentions(&block.binding[i], this.variable))
            .collect();
        let origin = |this: &Loop| match &this.axis {
            Some(axis) if axis.from.len() == 1 && bound.len() > 1 => axis.from[0].clone(),
            _ => this.name.clone(),
        };
        let wanted = match &bound[..] {
            [] => block.iters[i].name.clone(),
            [first, rest @ ..] => match rest.iter().all(|other| origin(other) == origin(first)) {
                true => origin(first),
                false => block.iters[i].name.clone(),
            },
        };
        let around = std::iter::once(self.target).chain(summary.loops_around(self.target));
        let around: Vec<&str> =
            around.filter_map(|n| summary.as_loop(n)).map(|this| this.name.as_str()).collect();
        let is_taken = |name: &str| {
            around.contains(&name) || self.loops.iter().any(|other| other.name == name)
        };
        derived_name::fresh(&wanted, &is_taken)
    }

    /// The summary with the new loops, which are still empty and detached.
    fn with_loops(&self, summary: &Summary) -> Summary {
        let mut after = summary.clone();
        for new in &self.loops {
            let node = after.nodes.next_key();
            let new = Loop {
                name: new.name.clone(),
                kind: LoopKind::Serial,
                thread: None,
                extent: new.extent.clone(),
                variable: new.variable,
                axis: None,
                annotations: vec![],
            };
            let kind = NodeKind::Loop(new.into());
            after.nodes.push(Node { parent: None, children: vec![], kind });
            after.variables.push(Variable::Loop(node));
        }
        after
    }

    /// The summary after the move. Loops that become empty stay.
    pub fn after(&self, summary: &Summary) -> Summary {
        let mut after = self.with_loops(summary);
        let mut chain: Vec<NodeId> =
            summary.nodes.next_key().up_to(after.nodes.next_key()).collect();
        chain.push(self.block);
        // Insert first and remove then, because the position counts the present children.
        let old = after.nodes[self.block].parent.expect("a block stands in something");
        let place = after.nodes[old].children.iter().position(|n| *n == self.block);
        let place = place.expect("it is a child of its parent");
        after.nodes[self.target].children.insert(self.position, chain[0]);
        let moved = old == self.target && self.position <= place;
        after.nodes[old].children.remove(place + usize::from(moved));
        after.nodes[chain[0]].parent = Some(self.target);
        for pair in chain.windows(2) {
            after.nodes[pair[0]].children.push(pair[1]);
            after.nodes[pair[1]].parent = Some(pair[0]);
        }
        if let NodeKind::Block(block) = &mut after.nodes[self.block].kind {
            block.binding.clone_from(&self.binding);
            block.predicate.clone_from(&self.predicate);
        }
        after.in_text_order()
    }

    /// Moves the block in the IR.
    pub fn rewrite(&self, state: &mut State) {
        let op = state.op(self.block);
        let target = For::of(state.op(self.target)).expect("the node is a loop");
        let (mut dims, sizes) = (state.variables().to_vec(), state.sizes().to_vec());
        let children = &state.summary().nodes[self.target].children;
        let next = children.get(self.position).map(|node| state.op(*node));
        let mut place = target.body;
        let mut next = next.or_else(|| place.terminator());
        let old = op.parent().expect("a block stands in something");
        op.detach();
        for new in &self.loops {
            let extent =
                Map { dims: dims.len(), symbols: sizes.len(), results: new.extent.clone() };
            let spec = ForSpec {
                name: &new.name,
                extent: &extent,
                dims: &dims,
                sizes: &sizes,
                axis: None,
            };
            let made = spec.create(op.location());
            place.insert_before(next.expect("a body ends in a yield"), made);
            let made = For::of(made).expect("just made");
            dims.push(made.variable());
            (place, next) = (made.body, made.body.terminator());
        }
        place.insert_before(next.expect("a body ends in a yield"), op);
        edit::set_binding_of(op, &self.binding, &self.predicate, (&dims, &sizes));
        edit::erase_emptied(old, state.rewriter.as_mut());
        edit::widen_regions(op);
    }
}

/// The start and the extent of a span, without the part that is provably before the domain. An empty
/// reduction then starts in the first of zero iterations, and not in one that a predicate excludes.
fn clipped(summary: &Summary, span: &IntegerSpan, domain: &[Expr]) -> (Expr, Vec<Expr>) {
    let count = span.width.clone() + 1.into();
    let Some(low) = span.low.constant().filter(|low| *low < 0) else {
        return (span.low.clone(), vec![count.simplified()]);
    };
    let inside = (count + low.into()).simplified();
    let is_more = domain.iter().any(|extent| boxes::at_least(summary, &inside, extent));
    let extent = domain.iter().cloned().chain((!is_more).then_some(inside));
    (0.into(), extent.collect())
}

/// True if a span provably covers a whole domain, so that the domain can replace it.
fn is_all(summary: &Summary, span: &IntegerSpan, domain: &[Expr]) -> bool {
    let count = span.width.clone() + 1.into();
    domain.iter().any(|extent| {
        let is_constant = |expr: &Expr| expr.constant().is_some();
        if is_constant(&count) && is_constant(extent) {
            return count.constant() >= extent.constant();
        }
        summary.simplified(&(count.clone() - extent.clone())) == Expr::Constant(0)
    })
}
