//! Incremental update of a summary: nests at function level that have not changed are reused.
//!
//! A step changes one nest or two of maybe hundreds. The others are recognized by a hash of their content
//! and are only renumbered. Sizes and buffers may get other numbers. If the relative order of a nest's
//! sizes changes, the nest is read again, because the order of terms in a normal form is that of the
//! numbers.

use crate::ir::affine::{Constraint, Expr};
use crate::ir::{Op, Value};
use crate::nest::shared::Shared;
use crate::nest::summary::{
    Body, Buffer, BufferId, Node, NodeId, NodeKind, Summary, Variable, VariableId,
};
use cranelift_entity::PrimaryMap;
use std::collections::HashMap;
use std::ops::Range;

/// A value that a nest uses and that is defined outside of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OuterValue<'c> {
    Size(Value<'c>),
    Buffer(Value<'c>),
}

/// A nest at function level, and its parts of a summary.
#[derive(Debug)]
pub(crate) struct KnownNest<'c> {
    pub op: Op<'c>,
    /// See [`Op::fingerprint`].
    pub fingerprint: u64,
    pub nodes: Range<NodeId>,
    pub variables: Range<VariableId>,
    /// The outer values that the nest uses, in program order, each once.
    pub met: Vec<OuterValue<'c>>,
    /// The arguments that something other than an access uses, if the state is of a part of the function.
    pub escaping: Vec<Value<'c>>,
}

/// A summary of a former state of the function, and the values of its numbers.
#[derive(Default)]
pub(crate) struct Former<'c> {
    pub summary: Summary,
    pub ops: PrimaryMap<NodeId, Op<'c>>,
    pub variables: PrimaryMap<VariableId, Value<'c>>,
    pub sizes: Vec<Value<'c>>,
    pub buffer_numbers: HashMap<Value<'c>, BufferId>,
    pub nests: HashMap<Op<'c>, KnownNest<'c>>,
    /// The only nest that has changed, if that is known.
    pub changed: Option<Op<'c>>,
}

impl KnownNest<'_> {
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + use<> {
        (self.nodes.start.index()..self.nodes.end.index()).map(NodeId::new)
    }

    pub fn variables(&self) -> impl Iterator<Item = VariableId> + use<> {
        (self.variables.start.index()..self.variables.end.index()).map(VariableId::new)
    }
}

impl<'c> Former<'c> {
    /// The former nest of this op, if it has not changed.
    pub fn take(&mut self, op: Op<'c>, fingerprint: u64) -> Option<KnownNest<'c>> {
        self.nests.remove(&op).filter(|nest| nest.fingerprint == fingerprint)
    }

    /// The fingerprint of a nest, if it is known not to have changed.
    pub fn known(&self, op: Op<'c>) -> Option<u64> {
        let changed = self.changed?;
        self.nests.get(&op).filter(|_| op != changed).map(|nest| nest.fingerprint)
    }

    /// A buffer, if it is known not to have changed and its dimensions are constants.
    pub fn known_buffer(&self, value: Value<'c>) -> Option<Shared<Buffer>> {
        self.changed?;
        let buffer = &self.summary.buffers[*self.buffer_numbers.get(&value)?];
        let is_number = |dim: &Option<Expr>| dim.as_ref().is_some_and(|d| d.constant().is_some());
        let is_static = buffer.shape.iter().chain(&buffer.allocated).all(is_number);
        is_static.then(|| buffer.clone())
    }

    /// Moves a node out of the former summary.
    pub fn node(&mut self, id: NodeId) -> Node {
        let gone = Node { parent: None, children: vec![], kind: NodeKind::Sync };
        std::mem::replace(&mut self.summary.nodes[id], gone)
    }
}

/// The old and new numbers of a nest.
pub(crate) struct NestNumbers {
    /// The first node and variable: old, then new.
    pub nodes: (NodeId, NodeId),
    pub variables: (VariableId, VariableId),
    pub sizes: HashMap<usize, usize>,
    pub buffers: HashMap<BufferId, BufferId>,
}

impl NestNumbers {
    /// True if the relative order of the sizes is the same.
    pub fn keep_order(&self) -> bool {
        let mut sizes: Vec<_> = self.sizes.iter().collect();
        sizes.sort_unstable();
        sizes.is_sorted_by_key(|(_, now)| **now)
    }

    /// True if all numbers are the same, so that no node or expression changes.
    fn are_same(&self) -> bool {
        self.nodes.0 == self.nodes.1
            && self.variables.0 == self.variables.1
            && self.sizes.iter().all(|(then, now)| then == now)
            && self.buffers.iter().all(|(then, now)| then == now)
    }

    pub fn node(&self, node: NodeId) -> NodeId {
        match node {
            NodeId::FUNCTION => node,
            node => NodeId::new(node.index() - self.nodes.0.index() + self.nodes.1.index()),
        }
    }

    fn variable(&self, variable: VariableId) -> VariableId {
        let (then, now) = self.variables;
        VariableId::new(variable.index() - then.index() + now.index())
    }

    pub fn meaning(&self, variable: Variable) -> Variable {
        match variable {
            Variable::Loop(node) => Variable::Loop(self.node(node)),
            Variable::Iter(node, i) => Variable::Iter(self.node(node), i),
        }
    }

    /// Renumbers a node and its expressions.
    pub fn renumber(&self, node: &mut Node) {
        if self.are_same() {
            return;
        }
        node.parent = node.parent.map(|parent| self.node(parent));
        node.children.iter_mut().for_each(|child| *child = self.node(*child));
        match &mut node.kind {
            NodeKind::Function | NodeKind::Sync | NodeKind::Effects(_) => {}
            NodeKind::If(condition) => self.constraints(condition),
            NodeKind::Loop(this) => {
                this.variable = self.variable(this.variable);
                self.exprs(&mut this.extent);
            }
            NodeKind::Block(this) => {
                for iter in &mut this.iters {
                    iter.variable = self.variable(iter.variable);
                    self.exprs(&mut iter.domain);
                }
                self.exprs(&mut this.binding);
                self.constraints(&mut this.predicate);
                this.padding.iter_mut().for_each(|padding| self.constraints(padding));
                this.outer_iters.iter_mut().for_each(|iter| *iter = self.variable(*iter));
                if let Some(update) = &mut this.arg_reduction {
                    update.index.iter_mut().for_each(|index| self.expr(index));
                    update.index_from.iter_mut().for_each(|from| *from = self.buffers[from]);
                }
                this.atomic.iter_mut().for_each(|(buffer, _)| *buffer = self.buffers[buffer]);
                let Body::Leaf { accesses, .. } = &mut this.body else { return };
                for access in accesses {
                    access.buffer = self.buffers[&access.buffer];
                    access.indices.iter_mut().flatten().for_each(|index| self.expr(index));
                }
            }
        }
    }

    fn constraints(&self, constraints: &mut [Constraint]) {
        for constraint in constraints {
            let (Constraint::Zero(expr) | Constraint::NonNegative(expr)) = constraint;
            self.expr(expr);
        }
    }

    fn exprs(&self, exprs: &mut [Expr]) {
        exprs.iter_mut().for_each(|expr| self.expr(expr));
    }

    fn expr(&self, expr: &mut Expr) {
        match expr {
            Expr::Dim(dim) => *dim = self.variable(VariableId::of_dim(*dim)).index(),
            Expr::Symbol(size) => *size = self.sizes[size],
            Expr::Constant(_) => {}
            Expr::Binary(_, left, right) => {
                self.expr(left);
                self.expr(right);
            }
        }
    }
}
