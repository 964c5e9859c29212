//! The view of a function that checks read: its loop nest as plain data, without handles to the IR.
//!
//! A node is a loop, a schedule block, a `loop.if`, a barrier, or an op at function level that has side
//! effects; node 0 is the function. Loop variables and block iters share one numbering within the function:
//! [`Expr::Dim`] holds such a number, and [`Expr::Symbol`] holds the number of a size. Nodes are numbered
//! in program order, so a node with a lower number precedes one with a higher number.

mod binding;
mod id;
mod tree;

pub use id::{BufferId, NodeId, VariableId};

use crate::analysis::digits::Variables;
use crate::dialect::allocation::Room;
use crate::dialect::contract::Contract;
use crate::dialect::loop_enums::{Combiner, IterRole, LoopKind, Scope, ThreadAxis};
pub use crate::dialect::loop_op::AxisOrigin;
use crate::ir::affine::{Constraint, Expr};
use crate::nest::shared::Shared;
use cranelift_entity::{PrimaryMap, SecondaryMap};
use std::collections::{BTreeSet, HashMap, HashSet};

/// The view of a function that checks read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// The name of the function.
    pub function: String,
    /// The floating-point contract: which rewrites of float arithmetic are allowed.
    pub contract: Contract,
    /// The function, its loops, schedule blocks and other statements.
    pub nodes: PrimaryMap<NodeId, Node>,
    /// The loop variables and iters.
    pub variables: PrimaryMap<VariableId, Variable>,
    /// The memrefs.
    pub buffers: PrimaryMap<BufferId, Shared<Buffer>>,
    /// The value of each size, if it is a constant.
    pub sizes: Vec<Option<i64>>,
    /// The name of each size in messages.
    pub size_names: Vec<String>,
    /// The nodes that are children of the `else` branch of a `loop.if`.
    pub otherwise: BTreeSet<NodeId>,
    /// What else the function has, if the summary is of a part of it.
    pub elsewhere: Shared<Elsewhere>,
}

/// The names in the rest of a function, of which the summary shows a part. New names must differ from them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Elsewhere {
    /// The schedule blocks.
    pub blocks: HashSet<String>,
    /// The buffers, with the number of buffers of each name.
    pub buffers: HashMap<String, usize>,
}

/// A node and its position in the nest.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// `None` for the function.
    pub parent: Option<NodeId>,
    /// The statements in it, in order.
    pub children: Vec<NodeId>,
    /// What the node is.
    pub kind: NodeKind,
}

/// The kind of a node.
#[derive(Clone, Debug, PartialEq)]
pub enum NodeKind {
    /// The root.
    Function,
    /// A loop.
    Loop(Shared<Loop>),
    /// A schedule block.
    Block(Shared<Block>),
    /// A `loop.if` that encloses loops or schedule blocks.
    If(Vec<Constraint>),
    /// A `loop.sync`: a barrier of a thread block.
    Sync,
    /// The name of an op at function level that has side effects.
    Effects(String),
}

/// A loop.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    /// The name, without that of a block.
    pub name: String,
    /// How its iterations execute.
    pub kind: LoopKind,
    /// The thread axis, if the loop is bound.
    pub thread: Option<ThreadAxis>,
    /// The extent is the minimum of these expressions.
    pub extent: Vec<Expr>,
    /// Its variable.
    pub variable: VariableId,
    /// Its provenance, if a primitive has created it.
    pub axis: Option<AxisOrigin>,
    /// The keys of its annotations.
    pub annotations: Vec<String>,
}

/// A schedule block.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// The name, unique in the function.
    pub name: String,
    /// The iters, in order.
    pub iters: Vec<Iter>,
    /// One expression for each iter, over the loops and iters that enclose the block.
    pub binding: Vec<Expr>,
    /// The instances run only where all of these hold.
    pub predicate: Vec<Constraint>,
    /// The combiners of the block, if it is a reduction.
    pub reducer: Option<Vec<Combiner>>,
    /// The combiner whose stated identity changes values, if there is one.
    pub without_identity: Option<Combiner>,
    /// The form of the argmax-style reduction, if the block is one.
    pub arg_reduction: Option<ArgReduction>,
    /// The condition, over the block's iters, under which the leaf reads buffers, if all its reads are in
    /// one branch of a `loop.if`. Where the condition is false, the other branch computes the stored value
    /// without loads.
    pub padding: Option<Vec<Constraint>>,
    /// True if the block has a `loop.init`.
    pub has_init: bool,
    /// The iters of enclosing schedule blocks that a leaf uses in its body, not only in its bindings.
    pub outer_iters: Vec<VariableId>,
    /// What the block has in it.
    pub body: Body,
    /// The keys of its annotations.
    pub annotations: Vec<String>,
    /// The combiner of the atomic updates of each buffer, if the block is annotated as atomic and its form
    /// allows it. All accesses of the block to these buffers belong to atomic updates.
    pub atomic: Vec<(BufferId, Combiner)>,
}

/// How an argmax-style reduction finds the best value and its index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgReduction {
    /// A comparison alone selects the new value; it is false for NaN.
    pub by_comparison: bool,
    /// Of equal values, the one with the least index is kept. If false, the first one is kept.
    pub breaks_ties: bool,
    /// The values are floats.
    pub of_floats: bool,
    /// The index of an instance over the block's iters and sizes, if it is an affine expression of them.
    pub index: Option<Expr>,
    /// The buffer that the index is loaded from, if it is loaded.
    pub index_from: Option<BufferId>,
    /// The bit width of the index.
    pub index_bits: u32,
    /// The initial value of the index, if it is a constant.
    pub start: Option<i64>,
    /// The initial value is the identity.
    pub starts_at_identity: bool,
}

/// A block iter.
#[derive(Clone, Debug, PartialEq)]
pub struct Iter {
    /// The name.
    pub name: String,
    /// The role.
    pub role: IterRole,
    /// The domain is `[0, d)`, where `d` is the minimum of these expressions.
    pub domain: Vec<Expr>,
    /// Its variable.
    pub variable: VariableId,
}

/// The body of a schedule block.
#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    /// Loops and nested blocks.
    Nest,
    /// Ops on values, and no loops.
    Leaf {
        /// The loads and stores, in textual order.
        accesses: Vec<Access>,
        /// The body contains a call.
        calls: bool,
        /// The body divides integers, so the divisor must not be 0.
        divides: bool,
        /// The number of arithmetic operations, without index arithmetic.
        operations: usize,
        /// The number of those operations that are functions which expand to many instructions, such as
        /// `exp`.
        functions: usize,
        /// The number of those operations that extend a value to a wider type.
        widenings: usize,
    },
}

/// A load or store of a leaf body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// The buffer.
    pub buffer: BufferId,
    /// True for a store.
    pub is_write: bool,
    /// True for an access in the `loop.init`.
    pub in_init: bool,
    /// True if it runs only under a condition of the body.
    pub is_conditional: bool,
    /// Over the block's iters and sizes; `None` for an index that depends on data.
    pub indices: Vec<Option<Expr>>,
}

impl Access {
    /// An expression over the indices, where [`Expr::Dim`] d is index d. `None` if it uses one that is not known.
    pub fn over_indices(&self, expr: &Expr) -> Option<Expr> {
        let mut is_known = true;
        expr.visit_leaves(&mut |leaf| {
            is_known &= !matches!(leaf, Expr::Dim(d) if self.indices[*d].is_none());
        });
        let index = |d: usize| self.indices[d].clone().unwrap_or(Expr::Constant(0));
        is_known.then(|| expr.substitute(&index, &Expr::Symbol).simplified())
    }
}

/// A buffer.
#[derive(Clone, Debug, PartialEq)]
pub struct Buffer {
    /// The name in messages.
    pub name: String,
    /// `None` for an argument of the function.
    pub scope: Option<Scope>,
    /// Over the sizes; `None` for a dynamic dimension of an argument that is no size.
    pub shape: Vec<Option<Expr>>,
    /// The allocated dimensions, which include the padding between rows.
    pub allocated: Vec<Option<Expr>>,
    /// The padding between rows, stated independently of the dimensions.
    pub room: Room,
    /// The size of an element in bytes; `None` if it is not a constant.
    pub element_bytes: Option<i64>,
    /// The buffer is used by something other than loads, stores and regions of schedule blocks.
    pub escapes: bool,
    /// True if the elements are floats.
    pub is_float: bool,
    /// True for a weight whose transforms are lifted out of the function, so that a copy of it costs nothing in a call.
    pub has_lifted_transforms: bool,
    /// True for an argument of a fusion group: a value between groups, which is no argument of the whole model.
    pub is_between_groups: bool,
}

impl Buffer {
    /// True if the rows are padded.
    pub fn is_padded(&self) -> bool {
        self.scope.is_some() && self.allocated != self.shape
    }
}

/// The meaning of the number in an [`Expr::Dim`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variable {
    /// The variable of a loop.
    Loop(NodeId),
    /// An iter of a schedule block, by its index in the block.
    Iter(NodeId, usize),
}

impl Elsewhere {
    /// True if the summary shows the whole function.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty() && self.buffers.is_empty()
    }
}

impl Summary {
    /// The loop at a node; `None` if the node is not a loop.
    pub fn as_loop(&self, node: NodeId) -> Option<&Loop> {
        match &self.nodes[node].kind {
            NodeKind::Loop(this) => Some(this),
            _ => None,
        }
    }

    /// The schedule block at a node; `None` if the node is not a schedule block.
    pub fn as_block(&self, node: NodeId) -> Option<&Block> {
        match &self.nodes[node].kind {
            NodeKind::Block(this) => Some(this),
            _ => None,
        }
    }

    /// True if a schedule block of the function has the name.
    pub fn has_block(&self, name: &str) -> bool {
        self.blocks().any(|(_, block)| block.name == name) || self.elsewhere.blocks.contains(name)
    }

    /// True if a buffer of the function has the name.
    pub fn has_buffer(&self, name: &str) -> bool {
        self.buffers.values().any(|buffer| buffer.name == name)
            || self.elsewhere.buffers.contains_key(name)
    }

    /// All schedule blocks.
    pub fn blocks(&self) -> impl Iterator<Item = (NodeId, &Block)> {
        self.nodes.keys().filter_map(|n| Some((n, self.as_block(n)?)))
    }

    /// Replaces variables by expressions in the extents, bindings and conditions of a node.
    pub fn substitute(&mut self, node: NodeId, by: &impl Fn(VariableId) -> Expr) {
        let dim = |number| by(VariableId::of_dim(number));
        let replaced = |e: &Expr| e.substitute(&dim, &Expr::Symbol).simplified();
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

    /// Renumbers the nodes in program order, after some have moved. Variables keep their numbers.
    pub fn in_text_order(self) -> Summary {
        let order = self.under(NodeId::FUNCTION);
        let mut places: SecondaryMap<NodeId, NodeId> = SecondaryMap::new();
        for (place, node) in order.iter().enumerate() {
            places[*node] = NodeId::new(place);
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
        let variables = self.variables.values().map(|variable| match *variable {
            Variable::Loop(node) => Variable::Loop(places[node]),
            Variable::Iter(node, i) => Variable::Iter(places[node], i),
        });
        let variables = variables.collect();
        let otherwise = self.otherwise.iter().map(|node| places[*node]).collect();
        Summary { nodes, variables, otherwise, ..self }
    }

    /// The range of a variable, both ends included, if its extent or domain is bounded by a constant.
    pub fn interval(&self, leaf: &Expr) -> Option<(i64, i64)> {
        let least = |bounds: &[Expr]| bounds.iter().filter_map(Expr::constant).min();
        match leaf {
            Expr::Dim(variable) => {
                let extent = match self.variables[VariableId::of_dim(*variable)] {
                    Variable::Loop(node) => least(&self.as_loop(node)?.extent),
                    Variable::Iter(node, i) => least(&self.as_block(node)?.iters[i].domain),
                };
                extent.map(|extent| (0, extent.max(1) - 1))
            }
            Expr::Symbol(size) => self.sizes.get(*size).copied().flatten().map(|size| (size, size)),
            _ => None,
        }
    }

    /// True if an expression is over sizes and block iters only. Within such a block, its value is
    /// loop-invariant and can be the coefficient of a loop variable.
    pub fn is_size(&self, expr: &Expr) -> bool {
        let mut is_size = true;
        expr.visit_leaves(&mut |leaf| {
            if let Expr::Dim(variable) = leaf {
                is_size &=
                    matches!(self.variables[VariableId::of_dim(*variable)], Variable::Iter(..));
            }
        });
        is_size
    }

    /// The expression simplified under the extents of loops and the domains of iters.
    pub fn simplified(&self, expr: &Expr) -> Expr {
        expr.simplified_within(&|leaf| self.interval(leaf))
    }

    /// For a loop `block:loop`, with the first schedule block in the loop; for a schedule block its name.
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
        match self.variables[VariableId::of_dim(variable)] {
            Variable::Loop(node) => self.as_loop(node)?.extent.first().cloned(),
            Variable::Iter(node, i) => self.as_block(node)?.iters[i].domain.first().cloned(),
        }
    }
}

impl Loop {
    /// The extent, if all its bounds are constants.
    pub fn constant_extent(&self) -> Option<i64> {
        let values: Option<Vec<i64>> = self.extent.iter().map(Expr::constant).collect();
        values?.into_iter().min()
    }

    /// True if the extent is at most 1 for all sizes.
    pub fn runs_at_most_once(&self) -> bool {
        self.extent.iter().filter_map(Expr::constant).any(|extent| extent <= 1)
    }
}

impl Shared<Block> {
    /// Gives accesses of a leaf other indices, by their number.
    pub fn replace_indices(&mut self, indices: Vec<Option<Vec<Option<Expr>>>>) {
        if let Body::Leaf { accesses, .. } = &mut self.body {
            for (access, indices) in accesses.iter_mut().zip(indices) {
                access.indices = indices.unwrap_or_else(|| std::mem::take(&mut access.indices));
            }
        }
    }

    /// Removes the accesses of a leaf for which `keep` is false. A block that keeps all of them stays
    /// shared.
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
    /// The loads and stores of a leaf; empty for a nest.
    pub fn accesses(&self) -> &[Access] {
        match &self.body {
            Body::Leaf { accesses, .. } => accesses,
            Body::Nest => &[],
        }
    }

    /// The stores of the body.
    pub fn stores(&self) -> impl Iterator<Item = &Access> {
        self.accesses().iter().filter(|a| a.is_write)
    }

    /// The loads of the body.
    pub fn loads(&self) -> impl Iterator<Item = &Access> {
        self.accesses().iter().filter(|a| !a.is_write)
    }

    /// The buffers that the block stores to.
    pub fn written(&self) -> BTreeSet<BufferId> {
        self.stores().map(|store| store.buffer).collect()
    }
}

/// `0 <= variable < extent` for each of several extents, whose minimum bounds the variable.
pub fn bounds(variable: VariableId, extents: &[Expr]) -> impl Iterator<Item = Constraint> {
    let variable = variable.expr();
    let below = |extent: &Expr| (extent.clone() - variable.clone() - 1.into()).simplified();
    let below: Vec<Expr> = extents.iter().map(below).collect();
    std::iter::once(variable).chain(below).map(Constraint::NonNegative)
}

/// True if an expression contains a variable.
pub fn mentions(expr: &Expr, variable: VariableId) -> bool {
    let mut found = false;
    expr.visit_leaves(&mut |leaf| found |= *leaf == variable.expr());
    found
}
