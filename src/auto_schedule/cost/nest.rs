//! A nest as numbers: extents of loops, and the ranges of the indices of accesses.

use crate::dialect::annotation::NONTEMPORAL;
use crate::dialect::loop_enums::{LoopKind, Scope, ThreadAxis};
use crate::ir::affine::Expr;
use crate::machine::intrinsic::ANNOTATION;
use crate::nest::summary::{
    Access, Block, Body, BufferId, Iter, NodeId, NodeKind, Summary, VariableId, mentions,
};
use std::collections::BTreeSet;

/// What a size that is known only at run time is taken for.
pub const UNKNOWN_SIZE: i64 = 256;

/// A nest.
pub struct NestModel {
    pub items: Vec<Item>,
    /// The leaves, in program order.
    pub leaves: Vec<Leaf>,
    pub buffers: Vec<ModelBuffer>,
}

/// A loop or a leaf of a nest.
pub enum Item {
    Loop(ModelLoop, Vec<Item>),
    /// The number of a leaf.
    Leaf(usize),
}

/// A loop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ModelLoop {
    pub variable: VariableId,
    pub extent: i64,
    pub kind: LoopKind,
    pub thread: Option<ThreadAxis>,
}

/// A schedule block that is a leaf.
pub struct Leaf {
    /// Outermost first.
    pub loops: Vec<ModelLoop>,
    pub accesses: Vec<ModelAccess>,
    /// Operations of an instance, of which `functions` are functions such as `exp`.
    pub operations: i64,
    pub functions: i64,
    /// It is a reduction with one combiner.
    pub is_reduction: bool,
    /// The operations are a multiplication whose product is added.
    pub is_multiply_add: bool,
    /// The iters whose last tile is partial.
    pub partial: Vec<PartialIter>,
    /// Its stores go around the caches.
    pub is_streaming: bool,
    /// The bytes of the widest element.
    pub element_bytes: i64,
    /// One instruction does all iterations of the innermost loops, which are vectorized here.
    pub is_intrinsic: bool,
}

/// An iter whose extent is no multiple of its tile.
pub struct PartialIter {
    /// The variables of the loops that decide its value.
    loops: Vec<VariableId>,
    /// The part of the iterations of these loops that are instances.
    share: f64,
    /// True if the tile is unrolled: the code of a partial tile is executed as often as that of a whole one, but has
    /// fewer copies of what varies in the tile.
    is_expanded: bool,
}

/// An access of a leaf.
#[derive(Clone)]
pub struct ModelAccess {
    /// The number of its buffer.
    pub buffer: usize,
    pub is_write: bool,
    /// Over loops; `None` for an index that depends on data.
    pub indices: Vec<Option<Expr>>,
}

/// A buffer.
pub struct ModelBuffer {
    pub id: BufferId,
    pub scope: Option<Scope>,
    pub element_bytes: i64,
    pub sizes: Vec<i64>,
    /// The variables of loops whose iterations use the same memory, because `compact-buffers` keeps what one of them accesses.
    pub reused_by: Vec<VariableId>,
}

impl NestModel {
    /// The nest at a node.
    pub fn of(summary: &Summary, root: NodeId) -> NestModel {
        let mut model = NestModel { items: vec![], leaves: vec![], buffers: vec![] };
        model.items = model.items_of(summary, root, &mut vec![]);
        let elsewhere = accessed_elsewhere(summary, root);
        for buffer in 0..model.buffers.len() {
            let ModelBuffer { id, scope, .. } = model.buffers[buffer];
            let around = model.loops_around(buffer);
            let is_compacted = match scope {
                None => false,
                Some(Scope::Global) => {
                    !elsewhere.contains(&id) && around.iter().all(|it| it.thread.is_none())
                }
                Some(Scope::Shared | Scope::Local) => true,
            };
            if is_compacted {
                let reused_by = around.iter().map(|it| it.variable).collect();
                let sizes = model.compact(buffer);
                let buffer = &mut model.buffers[buffer];
                (buffer.sizes, buffer.reused_by) = (sizes, reused_by);
            }
        }
        model
    }

    /// The sizes of a buffer of the nest after lowering: what is accessed while the loops around all accesses stay in one iteration,
    /// except that all threads of a thread block have their elements in shared memory.
    fn compact(&self, buffer: usize) -> Vec<i64> {
        let ModelBuffer { scope, sizes, .. } = &self.buffers[buffer];
        let around = self.loops_around(buffer);
        let mut hull: Vec<(i64, i64)> = vec![(i64::MAX, i64::MIN); sizes.len()];
        for (loops, access) in self.accesses_of(buffer) {
            let is_of_block = |it: &&ModelLoop| {
                *scope == Some(Scope::Shared) && it.thread.is_some_and(ThreadAxis::is_thread)
            };
            let threads = around.iter().filter(is_of_block);
            let inside: Vec<ModelLoop> = threads.chain(&loops[around.len()..]).copied().collect();
            for (hull, (low, high)) in hull.iter_mut().zip(access.ranges(&inside, sizes)) {
                *hull = (hull.0.min(low), hull.1.max(high));
            }
        }
        let width = |((low, high), size): ((i64, i64), &i64)| {
            high.saturating_sub(low).saturating_add(1).clamp(1, (*size).max(1))
        };
        hull.into_iter().zip(sizes).map(width).collect()
    }

    /// The accesses of a buffer, with the loops around them.
    fn accesses_of(&self, buffer: usize) -> impl Iterator<Item = (&[ModelLoop], &ModelAccess)> {
        self.leaves.iter().flat_map(move |leaf| {
            let accesses = leaf.accesses.iter().filter(move |access| access.buffer == buffer);
            accesses.map(|access| (&leaf.loops[..], access))
        })
    }

    /// The loops around all accesses of a buffer.
    fn loops_around(&self, buffer: usize) -> &[ModelLoop] {
        let common = self.accesses_of(buffer).map(|(loops, _)| loops).reduce(|one, other| {
            let same = one.iter().zip(other).take_while(|(a, b)| a.variable == b.variable);
            &one[..same.count()]
        });
        common.unwrap_or_default()
    }

    fn items_of(
        &mut self,
        summary: &Summary,
        node: NodeId,
        around: &mut Vec<ModelLoop>,
    ) -> Vec<Item> {
        let children = &summary.nodes[node].children;
        match &summary.nodes[node].kind {
            NodeKind::Loop(this) => {
                let bounds = this.extent.iter().filter_map(|bound| {
                    let of_loop = |variable| extent_around(around, variable).map(|e| e - 1);
                    largest(summary, bound, &of_loop)
                });
                let found = ModelLoop {
                    variable: this.variable,
                    extent: bounds.min().unwrap_or(UNKNOWN_SIZE).max(1),
                    kind: this.kind,
                    thread: this.thread,
                };
                around.push(found);
                let items = children.iter().flat_map(|it| self.items_of(summary, *it, around));
                let items = items.collect();
                around.pop();
                vec![Item::Loop(found, items)]
            }
            NodeKind::Block(block) if !matches!(block.body, Body::Nest) => {
                let leaf = self.leaf(summary, block, around);
                self.leaves.push(leaf);
                vec![Item::Leaf(self.leaves.len() - 1)]
            }
            NodeKind::Block(block) if block.annotations.iter().any(|key| key == ANNOTATION) => {
                let first = self.leaves.len();
                let items = children.iter().flat_map(|it| self.items_of(summary, *it, around));
                let items = items.collect();
                for leaf in &mut self.leaves[first..] {
                    leaf.is_intrinsic = true;
                    leaf.loops[around.len()..]
                        .iter_mut()
                        .for_each(|it| it.kind = LoopKind::Vectorize);
                }
                items
            }
            _ => children.iter().flat_map(|it| self.items_of(summary, *it, around)).collect(),
        }
    }

    fn leaf(&mut self, summary: &Summary, block: &Block, around: &[ModelLoop]) -> Leaf {
        let counted = block.accesses().iter().filter(|access| !access.in_init);
        let accesses: Vec<ModelAccess> = counted
            .map(|access| ModelAccess {
                buffer: self.buffer(summary, access.buffer),
                is_write: access.is_write,
                indices: indices(summary, access),
            })
            .collect();
        let Body::Leaf { operations, functions, widenings, .. } = block.body else {
            unreachable!("the block is a leaf")
        };
        let count = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
        let is_reduction = block.reducer.as_ref().is_some_and(|reducer| reducer.len() == 1);
        let element_bytes =
            accesses.iter().map(|access| self.buffers[access.buffer].element_bytes).max();
        Leaf {
            loops: around.to_vec(),
            operations: count(operations),
            functions: count(functions),
            is_reduction,
            is_multiply_add: is_reduction && operations - widenings == 2,
            partial: partial_iters(summary, block, around),
            is_streaming: block.annotations.iter().any(|key| key == NONTEMPORAL),
            element_bytes: element_bytes.unwrap_or(4),
            is_intrinsic: false,
            accesses,
        }
    }

    fn buffer(&mut self, summary: &Summary, id: BufferId) -> usize {
        if let Some(known) = self.buffers.iter().position(|buffer| buffer.id == id) {
            return known;
        }
        let buffer = &summary.buffers[id];
        let size = |size: &Option<Expr>| {
            size.as_ref().and_then(|size| largest(summary, size, &|_| None)).unwrap_or(UNKNOWN_SIZE)
        };
        self.buffers.push(ModelBuffer {
            id,
            scope: buffer.scope,
            element_bytes: buffer.element_bytes.unwrap_or(1).max(1),
            sizes: buffer.shape.iter().map(size).collect(),
            reused_by: vec![],
        });
        self.buffers.len() - 1
    }
}

/// The buffers that other nests than that at a node access, or something other than schedule blocks.
fn accessed_elsewhere(summary: &Summary, root: NodeId) -> BTreeSet<BufferId> {
    let roots = summary.nodes[NodeId::FUNCTION].children.iter().filter(|it| **it != root);
    let leaves = roots.flat_map(|it| summary.leaves(*it));
    let blocks = leaves.filter_map(|leaf| summary.as_block(leaf));
    let buffers = blocks.flat_map(|block| block.accesses()).map(|access| access.buffer);
    let escaping = summary.buffers.iter().filter(|(_, buffer)| buffer.escapes);
    buffers.chain(escaping.map(|(id, _)| id)).collect()
}

/// The indices of an access over loops.
fn indices(summary: &Summary, access: &Access) -> Vec<Option<Expr>> {
    let over_loops = |index: &Expr| summary.simplified(&summary.over_loops(index));
    access.indices.iter().map(|index| index.as_ref().map(over_loops)).collect()
}

/// The iters of a block whose last tiles are partial. A partial vector takes as long as a whole one.
fn partial_iters(summary: &Summary, block: &Block, around: &[ModelLoop]) -> Vec<PartialIter> {
    if block.predicate.is_empty() {
        return vec![];
    }
    let bound_by = |bound: &Expr| {
        around.iter().filter(|it| mentions(bound, it.variable)).collect::<Vec<&ModelLoop>>()
    };
    let loops: Vec<Vec<&ModelLoop>> = block.binding.iter().map(bound_by).collect();
    let domain = |iter: &Iter| {
        let bounds = iter.domain.iter().filter_map(|bound| largest(summary, bound, &|_| None));
        bounds.min().unwrap_or(UNKNOWN_SIZE).max(1) as f64
    };
    // Loops that decide several iters are not attributed to one of them.
    if loops.iter().map(Vec::len).sum::<usize>() > around.len() {
        let instances: f64 = block.iters.iter().map(domain).product();
        let share = (instances / product(around.iter())).min(1.0);
        let loops = around.iter().map(|it| it.variable).collect();
        return vec![PartialIter { loops, share, is_expanded: false }];
    }
    let of_iter = |(iter, loops): (&Iter, Vec<&ModelLoop>)| {
        let iterations = product(loops.iter().copied());
        let is_vector = loops.iter().any(|it| it.kind == LoopKind::Vectorize);
        PartialIter {
            share: if is_vector { 1.0 } else { domain(iter) / iterations },
            is_expanded: loops.last().is_some_and(|it| it.kind == LoopKind::Unroll),
            loops: loops.iter().map(|it| it.variable).collect(),
        }
    };
    let iters = block.iters.iter().zip(loops).map(of_iter);
    iters.filter(|it| it.share < 1.0).collect()
}

fn extent_around(around: &[ModelLoop], variable: VariableId) -> Option<i64> {
    around.iter().find(|it| it.variable == variable).map(|it| it.extent)
}

/// The largest value of an expression, if each loop variable has at most the value that `last` gives, and unknown sizes
/// are [`UNKNOWN_SIZE`].
fn largest(
    summary: &Summary,
    expr: &Expr,
    last: &impl Fn(VariableId) -> Option<i64>,
) -> Option<i64> {
    let leaf = |leaf: &Expr| match leaf {
        Expr::Symbol(size) => {
            let size = summary.sizes.get(*size).copied().flatten().unwrap_or(UNKNOWN_SIZE);
            Some((size, size))
        }
        Expr::Dim(v) => match last(VariableId::of_dim(*v)) {
            Some(last) => Some((0, last)),
            None => summary.interval(leaf),
        },
        _ => None,
    };
    expr.interval(&leaf).map(|(_, high)| high)
}

/// By how much an index moves from the first iteration of a loop to the second; `None` if that is no constant.
pub fn step(index: &Expr, variable: VariableId) -> Option<i64> {
    let at = |value: i64| {
        let with = |v: usize| match VariableId::of_dim(v) == variable {
            true => Expr::Constant(value),
            false => Expr::Constant(0),
        };
        index.substitute(&with, &|_| Expr::Constant(UNKNOWN_SIZE)).simplified().constant()
    };
    at(1)?.checked_sub(at(0)?)
}

/// The iterations of some loops together.
pub fn product<'l>(loops: impl Iterator<Item = &'l ModelLoop>) -> f64 {
    loops.map(|it| it.extent as f64).product()
}

impl Leaf {
    /// What an instance starts on units that multiply and add: a multiplication whose product is added is one operation if
    /// there is an instruction for both, and so is an intrinsic. A function such as `exp` takes `of_function` operations.
    pub fn unit_operations(&self, has_fma: bool, of_function: i64) -> f64 {
        if self.is_intrinsic {
            return 1.0;
        }
        let fused = i64::from(self.is_multiply_add && has_fma);
        let simple = self.operations - self.functions - fused;
        (simple + of_function * self.functions).max(0) as f64
    }

    /// The part of the iterations of all loops that are instances.
    pub fn share(&self) -> f64 {
        self.partial.iter().map(|it| it.share).product()
    }

    /// The part of the iterations of the loops around the register tile in which its code is executed.
    pub fn share_of_tiles(&self) -> f64 {
        self.partial.iter().filter(|it| !it.is_expanded).map(|it| it.share).product()
    }

    /// The part of the executions of an access that are done: what does not vary in a register tile is accessed as often in a
    /// partial tile as in a whole one.
    pub fn share_of(&self, access: &ModelAccess) -> f64 {
        let is_less = |it: &&PartialIter| {
            !it.is_expanded || it.loops.iter().any(|v| Leaf::varies(access, *v))
        };
        self.partial.iter().filter(is_less).map(|it| it.share).product()
    }

    /// True if an access may be to another element in another iteration of a loop.
    pub fn varies(access: &ModelAccess, variable: VariableId) -> bool {
        access.indices.iter().any(|index| match index {
            None => true,
            Some(index) => mentions(index, variable),
        })
    }
}

impl ModelAccess {
    /// How often the access is done in some loops, in vectors of `width` elements. In unrolled copies of the body and in the
    /// innermost loops, an access to the same element is done once.
    pub fn executions(&self, loops: &[&ModelLoop], width: i64) -> f64 {
        let mut count = 1.0;
        let mut is_same = true;
        for this in loops.iter().rev() {
            let varies = Leaf::varies(self, this.variable);
            match this.kind {
                LoopKind::Vectorize | LoopKind::Unroll if !varies => {}
                LoopKind::Vectorize => count *= (this.extent / width).max(1) as f64,
                LoopKind::Unroll => count *= this.extent as f64,
                _ => {
                    is_same &= !varies;
                    if !is_same {
                        count *= this.extent as f64;
                    }
                }
            }
        }
        count
    }

    /// The range of each index while the loops run that are `inside`, and the others are in their first iteration.
    pub fn ranges(&self, inside: &[ModelLoop], sizes: &[i64]) -> Vec<(i64, i64)> {
        let leaf = |leaf: &Expr| match leaf {
            Expr::Symbol(_) => Some((UNKNOWN_SIZE, UNKNOWN_SIZE)),
            Expr::Dim(v) => {
                let extent = extent_around(inside, VariableId::of_dim(*v)).unwrap_or(1);
                Some((0, extent - 1))
            }
            _ => None,
        };
        let all = |d: usize| (0, sizes.get(d).copied().unwrap_or(1).max(1) - 1);
        let range = |(d, index): (usize, &Option<Expr>)| {
            index.as_ref().and_then(|index| index.interval(&leaf)).unwrap_or_else(|| all(d))
        };
        self.indices.iter().enumerate().map(range).collect()
    }

    /// The elements by which the access moves from an iteration of a loop to the next, 0 if it does not move; `None` if
    /// that is no constant.
    pub fn stride(&self, variable: VariableId, sizes: &[i64]) -> Option<i64> {
        let mut stride = 0i64;
        let mut row = 1i64;
        for (d, index) in self.indices.iter().enumerate().rev() {
            stride = stride.checked_add(step(index.as_ref()?, variable)?.checked_mul(row)?)?;
            row = row.checked_mul(sizes.get(d).copied().unwrap_or(1).max(1))?;
        }
        Some(stride)
    }
}
