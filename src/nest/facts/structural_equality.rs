//! Structural equality of two nests, up to the names of loops, schedule blocks and values.
//!
//! The second nest is in a loop whose variable `w` continues where `v`, that of the first, ends: `v = w +
//! start`. The expressions of the first nest's loops, branches and schedule blocks are compared at `w +
//! start`, simplified within the range of `w`. Bodies are compared op by op.

use crate::dialect::loop_op::{For, If, ScheduleBlock};
use crate::ir::affine::{Constraint, Expr};
use crate::ir::{Block as Braces, Op, Value};
use crate::nest::state::State;
use crate::nest::summary::{Block, Body, NodeId, NodeKind, Summary, VariableId};

/// The attributes that define a reduction, apart from its initialization.
const REDUCER: [&str; 2] = ["combiners", "identities"];

/// The compared nodes, and the expressions that replace the variables of the first nest.
pub struct Same<'s> {
    summary: &'s Summary,
    variables: Vec<(VariableId, Expr)>,
    /// The nodes of the first nest, each with the corresponding one of the second.
    pub pairs: Vec<(NodeId, NodeId)>,
}

impl<'s> Same<'s> {
    /// Compares the bodies of two loops.
    ///
    /// # Errors
    /// With two nodes that differ.
    pub fn of(
        summary: &'s Summary,
        (first, second): (NodeId, NodeId),
        start: &Expr,
    ) -> Result<Self, (NodeId, NodeId)> {
        let [v, w] = [first, second].map(|node| summary.as_loop(node).expect("a loop").variable);
        let variables = vec![(v, (w.expr() + start.clone()).simplified())];
        let mut same = Same { summary, variables, pairs: vec![] };
        same.children(first, second)?;
        Ok(same)
    }

    fn children(&mut self, first: NodeId, second: NodeId) -> Result<(), (NodeId, NodeId)> {
        let summary = self.summary;
        let [ours, others] = [first, second].map(|node| &summary.nodes[node].children);
        if ours.len() != others.len() {
            return Err((first, second));
        }
        for pair in ours.iter().copied().zip(others.iter().copied()) {
            let branches = [pair.0, pair.1].map(|node| summary.otherwise.contains(&node));
            if branches[0] != branches[1] || !self.nodes(pair) {
                return Err(pair);
            }
            self.pairs.push(pair);
            self.children(pair.0, pair.1)?;
        }
        Ok(())
    }

    /// True if two nodes are equal, apart from their children.
    fn nodes(&mut self, (first, second): (NodeId, NodeId)) -> bool {
        let [one, other] = [first, second].map(|node| &self.summary.nodes[node].kind);
        match (one, other) {
            (NodeKind::Loop(one), NodeKind::Loop(other)) => {
                let is_same = (one.kind, one.thread) == (other.kind, other.thread)
                    && self.all(&one.extent, &other.extent);
                self.variables.push((one.variable, other.variable.expr()));
                is_same
            }
            (NodeKind::Block(one), NodeKind::Block(other)) => {
                let is_same = self.all(&one.binding, &other.binding)
                    && self.conditions(&one.predicate, &other.predicate);
                for (iter, same) in one.iters.iter().zip(&other.iters) {
                    self.variables.push((iter.variable, same.variable.expr()));
                }
                is_same && are_alike(one, other)
            }
            (NodeKind::If(one), NodeKind::If(other)) => self.conditions(one, other),
            (NodeKind::Sync, NodeKind::Sync) => true,
            _ => false,
        }
    }

    fn conditions(&self, one: &[Constraint], other: &[Constraint]) -> bool {
        let exprs = |list: &[Constraint]| list.iter().map(|c| c.expr().clone()).collect::<Vec<_>>();
        let is_zero = |c: &Constraint| matches!(c, Constraint::Zero(_));
        self.all(&exprs(one), &exprs(other))
            && one.iter().map(is_zero).eq(other.iter().map(is_zero))
    }

    fn all(&self, one: &[Expr], other: &[Expr]) -> bool {
        let summary = self.summary;
        let of_second = |e: &Expr| {
            let known = |v: VariableId| self.variables.iter().find(|(first, _)| *first == v);
            let variable = |dim| {
                let variable = VariableId::of_dim(dim);
                known(variable).map_or(variable.expr(), |(_, by)| by.clone())
            };
            summary.simplified(&e.substitute(&variable, &Expr::Symbol))
        };
        one.len() == other.len()
            && one.iter().zip(other).all(|(a, b)| of_second(a) == summary.simplified(b))
    }

    /// The children of a node.
    fn inside(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        self.summary.nodes[node].children.iter().copied()
    }

    /// Two corresponding nodes whose ops differ, apart from a `loop.init` that only the first has.
    pub fn other_ops(&self, state: &State) -> Option<(NodeId, NodeId)> {
        let mut values: Vec<(Value, Value)> = vec![];
        self.pairs.iter().copied().find(|(first, second)| {
            let ops = [*first, *second].map(|node| state.op(node));
            let [own, others] = ops.map(|op| match op.name() {
                For::NAME | If::NAME | ScheduleBlock::NAME => op.discardable_attributes(),
                _ => op.attributes(),
            });
            let [Some(one), Some(other)] =
                [*first, *second].map(|node| self.summary.as_block(node))
            else {
                return own != others;
            };
            for (iter, same) in one.iters.iter().zip(&other.iters) {
                values.push((state.variable(iter.variable), state.variable(same.variable)));
            }
            let views = ops.map(|op| ScheduleBlock::of(op).expect("a verified schedule block"));
            let nodes: Vec<Op> =
                self.inside(*first).chain(self.inside(*second)).map(|n| state.op(n)).collect();
            let bodies = views.map(|view| {
                let mut ops = view.body.ops();
                ops.retain(|op| !nodes.contains(op) && (other.has_init || !op.is("loop.init")));
                ops
            });
            let reducers = ops.map(|op| REDUCER.map(|name| op.attribute(name)));
            own != others
                || reducers[0] != reducers[1]
                || !are_same(&bodies[0], &bodies[1], &mut values)
        })
    }
}

/// True if two blocks are equal apart from bindings and predicates.
fn are_alike(one: &Block, other: &Block) -> bool {
    let roles = |block: &Block| block.iters.iter().map(|iter| iter.role).collect::<Vec<_>>();
    let is_nest = |block: &Block| matches!(block.body, Body::Nest);
    roles(one) == roles(other)
        && one.reducer == other.reducer
        && is_nest(one) == is_nest(other)
        && (one.has_init || !other.has_init)
}

fn are_same<'c>(
    one: &[Op<'c>],
    other: &[Op<'c>],
    values: &mut Vec<(Value<'c>, Value<'c>)>,
) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(a, b)| is_same(*a, *b, values))
}

fn is_same<'c>(one: Op<'c>, other: Op<'c>, values: &mut Vec<(Value<'c>, Value<'c>)>) -> bool {
    let known = |value: &Value<'c>| values.iter().rev().find(|(first, _)| first == value);
    let in_second = |value: Value<'c>| known(&value).map_or(value, |(_, same)| *same);
    let operands: Vec<Value> = one.operands().into_iter().map(in_second).collect();
    let [results, same_results] = [one, other].map(Op::results);
    let [regions, same_regions] = [one, other].map(Op::regions);
    let types = |values: &[Value<'c>]| values.iter().map(|value| value.ty()).collect::<Vec<_>>();
    if one.name() != other.name()
        || one.attributes() != other.attributes()
        || operands != other.operands()
        || types(&results) != types(&same_results)
        || regions.len() != same_regions.len()
    {
        return false;
    }
    values.extend(results.into_iter().zip(same_results));
    regions.into_iter().zip(same_regions).all(|(region, same)| {
        match (&region.blocks()[..], &same.blocks()[..]) {
            ([], []) => true,
            ([block], [same]) => are_same_bodies(*block, *same, values),
            _ => false,
        }
    })
}

fn are_same_bodies<'c>(
    one: Braces<'c>,
    other: Braces<'c>,
    values: &mut Vec<(Value<'c>, Value<'c>)>,
) -> bool {
    let [arguments, same] = [one, other].map(Braces::arguments);
    if arguments.len() != same.len() || arguments.iter().zip(&same).any(|(a, b)| a.ty() != b.ty()) {
        return false;
    }
    values.extend(arguments.into_iter().zip(same));
    are_same(&one.ops(), &other.ops(), values)
}
