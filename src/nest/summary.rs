//! What checks see of a function: its nest as plain data, without any handle to IR.
//!
//! A node is a loop, a schedule block, a `loop.if`, a barrier, or an op at function level with effects of
//! its own; node 0 is the function. Loop variables
//! and block iters are numbered through the function: [`Expr::Dim`] is a number of that kind, and
//! [`Expr::Symbol`] one of a size. Nodes are in the order of the text, so a lower number comes first.

use crate::analysis::digits::Variables;
use crate::dialect::allocation::Room;
use crate::dialect::contract::Contract;
use crate::dialect::loop_enums::{Combiner, IterRole, LoopKind, Scope, ThreadAxis};
use crate::dialect::loop_op::Axis;
use crate::ir::affine::{Constraint, Expr};
use crate::nest::shared::Shared;
use std::collections::BTreeSet;

/// The number of a node of a [`Summary`].
pub type NodeId = usize;
/// The number of a loop variable or block iter.
pub type VariableId = usize;
/// The number of a buffer.
pub type BufferId = usize;

/// A function as checks see it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// The name of the function.
    pub function: String,
    /// What may be done to floats.
    pub contract: Contract,
    pub nodes: Vec<Node>,
    pub variables: Vec<Variable>,
    pub buffers: Vec<Shared<Buffer>>,
    /// What each size is, where that is a known number.
    pub sizes: Vec<Option<i64>>,
    /// How messages call each size.
    pub size_names: Vec<String>,
    /// The nodes that stand in the `else` branch of the `loop.if` around them.
    pub otherwise: BTreeSet<NodeId>,
}

/// A node and its place in the nest.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// `None` for the function.
    pub parent: Option<NodeId>,
    pub children: Vec<NodeId>,
    pub kind: NodeKind,
}

/// What a node is.
#[derive(Clone, Debug, PartialEq)]
pub enum NodeKind {
    Function,
    Loop(Shared<Loop>),
    Block(Shared<Block>),
    /// A `loop.if` between loops and blocks.
    If(Vec<Constraint>),
    Sync,
    /// An op at function level that does more than compute; its name.
    Effects(String),
}

/// A loop.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    pub name: String,
    pub kind: LoopKind,
    pub thread: Option<ThreadAxis>,
    /// The extent is the minimum of these.
    pub extent: Vec<Expr>,
    pub variable: VariableId,
    pub axis: Option<Axis>,
    /// The keys of its annotations.
    pub annotations: Vec<String>,
}

/// A schedule block.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    pub name: String,
    pub iters: Vec<Iter>,
    /// One expression an iter, over what surrounds the block.
    pub binding: Vec<Expr>,
    pub predicate: Vec<Constraint>,
    /// The combiners of a reduction.
    pub reducer: Option<Vec<Combiner>>,
    /// The combiner whose stated identity changes values, if there is one.
    pub without_identity: Option<Combiner>,
    /// How an extreme value and its index are found, if that is what it reduces to.
    pub extreme: Option<Extreme>,
    /// Over the block's iters: where the leaf reads buffers, if that is in one branch. Elsewhere, in the other
    /// branch, it computes what it stores from nothing.
    pub padding: Option<Vec<Constraint>>,
    pub has_init: bool,
    /// The iters of schedule blocks around it that a leaf uses otherwise than to bind its own.
    pub outer_iters: Vec<VariableId>,
    pub body: Body,
    /// The keys of its annotations.
    pub annotations: Vec<String>,
    /// What each update of a cell does, by the buffer, if the block is said to do them atomically and can. All
    /// its accesses of these buffers are of them. See [`atomic`](crate::schedule::legality::atomic).
    pub atomic: Vec<(BufferId, Combiner)>,
}

/// How a reduction finds an extreme value and its index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extreme {
    /// Values are taken by a comparison alone, which no NaN fulfils.
    pub by_comparison: bool,
    /// Of equal values that of the least index stays; otherwise the first one.
    pub breaks_ties: bool,
    /// The values are floats.
    pub of_floats: bool,
    /// The index of an instance over the block's iters and sizes, if it is such an expression.
    pub index: Option<Expr>,
    /// The buffer it is read from, if that is so.
    pub index_from: Option<BufferId>,
    /// The bits of an index.
    pub index_bits: u32,
    /// The number that it starts from, if it is one.
    pub start: Option<i64>,
    /// The value starts from the identity.
    pub starts_at_identity: bool,
}

/// A block iter.
#[derive(Clone, Debug, PartialEq)]
pub struct Iter {
    pub name: String,
    pub role: IterRole,
    /// The domain is `[0, d)` for the minimum `d` of these.
    pub domain: Vec<Expr>,
    pub variable: VariableId,
}

/// What the body of a block does.
#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    /// Loops and nested blocks.
    Nest,
    Leaf {
        accesses: Vec<Access>,
        /// Holds a call.
        calls: bool,
        /// Divides integers, which must not be by 0.
        divides: bool,
        /// How many operations of arithmetic, but for that of indices.
        operations: usize,
        /// How many of them are functions that take many, such as `exp`.
        functions: usize,
        /// How many of them give a number as one of a wider type.
        widenings: usize,
    },
}

/// A load or store of a leaf body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    pub buffer: BufferId,
    pub is_write: bool,
    pub in_init: bool,
    pub is_conditional: bool,
    /// Over the block's iters and sizes; `None` where the index depends on data.
    pub indices: Vec<Option<Expr>>,
}

/// A buffer.
#[derive(Clone, Debug, PartialEq)]
pub struct Buffer {
    pub name: String,
    /// `None` for an argument of the function.
    pub scope: Option<Scope>,
    /// Over the sizes; `None` for a dynamic dimension of an argument that is none of them.
    pub shape: Vec<Option<Expr>>,
    /// The dimensions of what is allocated: with the room between rows.
    pub allocated: Vec<Option<Expr>>,
    /// The room between rows, for whatever dimensions it gets.
    pub room: Room,
    /// The size of an element; `None` where it is no number.
    pub element_bytes: Option<i64>,
    /// Something else than loads, stores and regions of schedule blocks uses it.
    pub escapes: bool,
    pub is_float: bool,
}

impl Buffer {
    /// Is there room between its rows?
    pub fn is_padded(&self) -> bool {
        self.scope.is_some() && self.allocated != self.shape
    }
}

/// What a number of [`Expr::Dim`] stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variable {
    /// The variable of a loop.
    Loop(NodeId),
    /// The iter of a block with that place.
    Iter(NodeId, usize),
}

impl Summary {
    /// The loop at a node, if it is one.
    pub fn as_loop(&self, node: NodeId) -> Option<&Loop> {
        match &self.nodes[node].kind {
            NodeKind::Loop(this) => Some(this),
            _ => None,
        }
    }

    /// The schedule block at a node, if it is one.
    pub fn as_block(&self, node: NodeId) -> Option<&Block> {
        match &self.nodes[node].kind {
            NodeKind::Block(this) => Some(this),
            _ => None,
        }
    }

    /// The nodes around a node, innermost first, without the function.
    pub fn ancestors(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.nodes[node].parent, |n| self.nodes[*n].parent)
            .filter(|n| *n != 0)
    }

    /// The loops around a node, innermost first.
    pub fn loops_around(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        self.ancestors(node).filter(|n| self.as_loop(*n).is_some())
    }

    /// A node and all that is under it, in the order of the text.
    pub fn under(&self, node: NodeId) -> Vec<NodeId> {
        let mut found = vec![node];
        for child in &self.nodes[node].children {
            found.extend(self.under(*child));
        }
        found
    }

    /// The schedule blocks under a node, with those inside of blocks.
    pub fn blocks_under(&self, node: NodeId) -> Vec<NodeId> {
        self.under(node).into_iter().filter(|n| self.as_block(*n).is_some()).collect()
    }

    /// All schedule blocks.
    pub fn blocks(&self) -> impl Iterator<Item = (NodeId, &Block)> {
        (0..self.nodes.len()).filter_map(|n| Some((n, self.as_block(n)?)))
    }

    /// Puts expressions in the place of variables in what a node says of itself.
    pub fn substitute(&mut self, node: NodeId, by: &impl Fn(VariableId) -> Expr) {
        let replaced = |e: &Expr| e.substitute(by, &Expr::Symbol).simplified();
        match &mut self.nodes[node].kind {
            NodeKind::Loop(this) => this.extent.iter_mut().for_each(|e| *e = replaced(e)),
            NodeKind::Block(this) => {
                this.binding.iter_mut().for_each(|e| *e = replaced(e));
                this.predicate.iter_mut().for_each(|c| *c = c.on(replaced(c.expr())));
            }
            NodeKind::If(conditions) => {
                conditions.iter_mut().for_each(|c| *c = c.on(replaced(c.expr())));
            }
            NodeKind::Function | NodeKind::Sync | NodeKind::Effects(_) => {}
        }
    }

    /// With nodes numbered in the order of the text, after some have moved. Variables keep their numbers.
    pub fn in_text_order(self) -> Summary {
        let order = self.under(0);
        let mut places = vec![0; self.nodes.len()];
        for (place, node) in order.iter().enumerate() {
            places[*node] = place;
        }
        let renumbered = |node: &NodeId| {
            let old = &self.nodes[*node];
            Node {
                parent: old.parent.map(|parent| places[parent]),
                children: old.children.iter().map(|child| places[*child]).collect(),
                kind: old.kind.clone(),
            }
        };
        let nodes = order.iter().map(renumbered).collect();
        let variables = self.variables.iter().map(|variable| match *variable {
            Variable::Loop(node) => Variable::Loop(places[node]),
            Variable::Iter(node, i) => Variable::Iter(places[node], i),
        });
        let variables = variables.collect();
        let otherwise = self.otherwise.iter().map(|node| places[*node]).collect();
        Summary { nodes, variables, otherwise, ..self }
    }

    /// The values a variable can take (both ends included), where its extent or domain is a number.
    pub fn interval(&self, leaf: &Expr) -> Option<(i64, i64)> {
        let least = |bounds: &[Expr]| bounds.iter().filter_map(Expr::constant).min();
        match leaf {
            Expr::Dim(variable) => {
                let extent = match self.variables[*variable] {
                    Variable::Loop(node) => least(&self.as_loop(node)?.extent),
                    Variable::Iter(node, i) => least(&self.as_block(node)?.iters[i].domain),
                };
                extent.map(|extent| (0, extent.max(1) - 1))
            }
            Expr::Symbol(size) => self.sizes.get(*size).copied().flatten().map(|size| (size, size)),
            _ => None,
        }
    }

    /// Is an expression over sizes and iters of schedule blocks only? Loops in such a block can step by it.
    pub fn is_size(&self, expr: &Expr) -> bool {
        let mut is_size = true;
        expr.visit_leaves(&mut |leaf| {
            if let Expr::Dim(variable) = leaf {
                is_size &= matches!(self.variables[*variable], Variable::Iter(..));
            }
        });
        is_size
    }

    /// An expression in its shortest form within the extents of loops and domains of iters.
    pub fn simplified(&self, expr: &Expr) -> Expr {
        expr.simplified_within(&|leaf| self.interval(leaf))
    }

    /// `block:loop`, for the first block under the loop, or the name of a block.
    pub fn name(&self, node: NodeId) -> String {
        match &self.nodes[node].kind {
            NodeKind::Loop(this) => match self.blocks_under(node).first() {
                Some(block) => format!("{}:{}", self.name(*block), this.name),
                None => format!(":{}", this.name),
            },
            NodeKind::Block(this) => this.name.clone(),
            NodeKind::Function => self.function.clone(),
            NodeKind::If(_) => "loop.if".into(),
            NodeKind::Sync => "loop.sync".into(),
            NodeKind::Effects(name) => name.clone(),
        }
    }
}

impl Variables for Summary {
    fn interval(&self, variable: &Expr) -> Option<(i64, i64)> {
        Summary::interval(self, variable)
    }

    fn extent(&self, variable: usize) -> Option<Expr> {
        match self.variables[variable] {
            Variable::Loop(node) => self.as_loop(node)?.extent.first().cloned(),
            Variable::Iter(node, i) => self.as_block(node)?.iters[i].domain.first().cloned(),
        }
    }
}

impl Loop {
    /// The extent, if it is one known number.
    pub fn constant_extent(&self) -> Option<i64> {
        let values: Option<Vec<i64>> = self.extent.iter().map(Expr::constant).collect();
        values?.into_iter().min()
    }

    /// Whatever the sizes are?
    pub fn runs_at_most_once(&self) -> bool {
        self.extent.iter().filter_map(Expr::constant).any(|extent| extent <= 1)
    }
}

impl Shared<Block> {
    /// Leaves out the accesses of a leaf that are not to be kept. What keeps all of them stays shared.
    pub fn retain_accesses(&mut self, keep: impl Fn(&Access) -> bool) {
        if self.accesses().iter().all(&keep) {
            return;
        }
        if let Body::Leaf { accesses, .. } = &mut self.body {
            accesses.retain(keep);
        }
    }
}

impl Block {
    /// The loads and stores of a leaf; none of a nest.
    pub fn accesses(&self) -> &[Access] {
        match &self.body {
            Body::Leaf { accesses, .. } => accesses,
            Body::Nest => &[],
        }
    }

    pub fn stores(&self) -> impl Iterator<Item = &Access> {
        self.accesses().iter().filter(|a| a.is_write)
    }

    pub fn loads(&self) -> impl Iterator<Item = &Access> {
        self.accesses().iter().filter(|a| !a.is_write)
    }

    /// The buffers that are written.
    pub fn written(&self) -> BTreeSet<BufferId> {
        self.stores().map(|store| store.buffer).collect()
    }
}

/// Does an expression mention a variable?
pub fn mentions(expr: &Expr, variable: VariableId) -> bool {
    let mut found = false;
    expr.visit_leaves(&mut |leaf| found |= *leaf == Expr::Dim(variable));
    found
}
