//! `hint-graph`: the blocks of a function that is not scheduled, over one list of axes.
//!
//! ```text
//! hint-graph @main
//!   axis  size  is
//!   z0    128   row_max:vi, exp:vi
//!   z1    64    row_max:vj, exp:vj
//!   node "row_max": axis [z0], reduces [z1]
//!     reads "X" at [z0, z1]
//!     writes "row_max" at [z0], keeps [z1]
//!   node "exp": axis [z0, z1]
//!     reads "X" at [z0, z1]
//!     reads "row_max" at [z0], broadcasts [z1]
//!     writes "exp" at [z0, z1]
//! ```
//! Iters of two blocks are one axis if one block writes a dimension of a buffer at the one, the other block reads it at the
//! other, and their sizes are equal; or if both read the same dimension of an input. Two iters of one block are never one
//! axis, so a block that reads a matrix by rows and by columns has two. An access *broadcasts* the axes of the node on
//! which its position does not depend. A reduction *keeps* the axes that it reduces, as dimensions of one element.
//!
//! Requires
//! - (C1) the function is not scheduled: each iter of a block is bound to a loop of its own that is serial, and the block
//!   has no predicate

use super::axis::loop_print_axes::size_text;
use crate::dialect::loop_enums::{IterRole, LoopKind};
use crate::ir::affine::Expr;
use crate::ir::{Error, Op, functions};
use crate::nest::rewriter::Direct;
use crate::nest::state::State;
use crate::nest::summary::{
    Access, Block, BufferId, Iter, NodeId, Summary, Variable, VariableId, mentions,
};
use loopwright_runtime::stderr;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

/// The axes of a function that is not scheduled, and its blocks over them.
#[derive(Clone, Debug, PartialEq)]
pub struct HintGraph {
    pub axes: Vec<HintAxis>,
    pub nodes: Vec<HintNode>,
}

/// An axis: one iter of each of some blocks.
#[derive(Clone, Debug, PartialEq)]
pub struct HintAxis {
    /// Over the sizes of the function.
    pub size: Expr,
    /// Each as `block:iter`, in program order.
    pub iters: Vec<String>,
}

/// A schedule block.
#[derive(Clone, Debug, PartialEq)]
pub struct HintNode {
    pub block: String,
    /// The axes of its spatial iters, and those of its reduce iters; each by its index in the list of axes, in the order of
    /// the iters.
    pub spatial: Vec<usize>,
    pub reduce: Vec<usize>,
    pub accesses: Vec<HintAccess>,
}

/// A buffer that a block reads or writes.
#[derive(Clone, Debug, PartialEq)]
pub struct HintAccess {
    pub buffer: BufferId,
    pub is_write: bool,
    /// The axes of the node on which the position in the buffer depends, and those on which it does not.
    pub at: Vec<usize>,
    pub others: Vec<usize>,
}

impl HintGraph {
    /// The graph of a function that is not scheduled.
    ///
    /// # Errors
    /// If (C1) does not hold, where and why.
    pub fn of(summary: &Summary) -> Result<HintGraph, (NodeId, String)> {
        let leaves = summary.leaves(NodeId::FUNCTION);
        for leaf in &leaves {
            check(summary, *leaf)?;
        }
        let axis_of = axes_of(summary, &leaves);
        // In the order in which iters have them first.
        let mut places: HashMap<VariableId, usize> = HashMap::new();
        let mut axes: Vec<HintAxis> = vec![];
        for (block, iter) in iters(summary, &leaves) {
            let place = *places.entry(axis_of[&iter.variable]).or_insert_with(|| {
                axes.push(HintAxis { size: iter.domain[0].simplified(), iters: vec![] });
                axes.len() - 1
            });
            axes[place].iters.push(format!("{}:{}", block.name, iter.name));
        }
        let place = |variable: VariableId| places[&axis_of[&variable]];
        let nodes = leaves.iter().map(|leaf| {
            let block = summary.as_block(*leaf).expect("a block");
            node(block, &place)
        });
        let nodes = nodes.collect();
        Ok(HintGraph { axes, nodes })
    }

    /// The text for a function.
    pub fn text(&self, summary: &Summary) -> String {
        let mut text = format!("hint-graph @{}\n", summary.function);
        let sizes: Vec<String> =
            self.axes.iter().map(|axis| size_text(summary, &axis.size)).collect();
        let width = sizes.iter().map(String::len).max().unwrap_or(0).max("size".len());
        let names = format!("z{}", self.axes.len().saturating_sub(1)).len().max("axis".len());
        let _ = writeln!(text, "  {:<names$}  {:<width$}  is", "axis", "size");
        for (i, (axis, size)) in self.axes.iter().zip(&sizes).enumerate() {
            let name = format!("z{i}");
            let _ = writeln!(text, "  {name:<names$}  {size:<width$}  {}", axis.iters.join(", "));
        }
        for node in &self.nodes {
            let reduces = match node.reduce.is_empty() {
                true => String::new(),
                false => format!(", reduces {}", list(&node.reduce)),
            };
            let _ =
                writeln!(text, "  node \"{}\": axis {}{reduces}", node.block, list(&node.spatial));
            for access in &node.accesses {
                let (verb, others) = match access.is_write {
                    true => ("writes", "keeps"),
                    false => ("reads", "broadcasts"),
                };
                let buffer = &summary.buffers[access.buffer].name;
                let _ = write!(text, "    {verb} \"{buffer}\" at {}", list(&access.at));
                if !access.others.is_empty() {
                    let _ = write!(text, ", {others} {}", list(&access.others));
                }
                text.push('\n');
            }
        }
        text
    }
}

/// Prints the graphs of the functions of a module that have schedule blocks to stderr.
///
/// # Errors
/// If a function is scheduled; nothing is printed then.
pub fn print(module: Op) -> Result<(), Error> {
    let mut texts = vec![];
    for function in functions(module) {
        let state = State::new(function, Box::new(Direct))?;
        if state.summary().leaves(NodeId::FUNCTION).is_empty() {
            continue;
        }
        let graph = HintGraph::of(state.summary());
        let graph = graph.map_err(|(node, why)| Error::on(state.op(node), why))?;
        texts.push(graph.text(state.summary()));
    }
    stderr::print(format_args!("{}", texts.concat()));
    Ok(())
}

fn list(axes: &[usize]) -> String {
    let names: Vec<String> = axes.iter().map(|axis| format!("z{axis}")).collect();
    format!("[{}]", names.join(", "))
}

/// (C1)
fn check(summary: &Summary, leaf: NodeId) -> Result<(), (NodeId, String)> {
    let block = summary.as_block(leaf).expect("a block");
    if !block.predicate.is_empty() {
        return Err((leaf, "(C1) is scheduled: it has a predicate".into()));
    }
    let mut left: Vec<NodeId> = summary.loops_around(leaf).collect();
    for (iter, binding) in block.iters.iter().zip(&block.binding) {
        // A domain of one element needs no loop.
        if binding.constant() == Some(0) && iter.domain.iter().any(|it| it.constant() == Some(1)) {
            continue;
        }
        let node = match binding {
            Expr::Dim(v) => match summary.variables[VariableId::of_dim(*v)] {
                Variable::Loop(node) => Some(node),
                Variable::Iter(..) => None,
            },
            _ => None,
        };
        let place = node.and_then(|node| left.iter().position(|it| *it == node));
        let (Some(place), [_]) = (place, &iter.domain[..]) else {
            let why =
                format!("(C1) is scheduled: iter '{}' is bound to no loop of its own", iter.name);
            return Err((leaf, why));
        };
        left.remove(place);
    }
    let is_scheduled =
        |node: &NodeId| summary.as_loop(*node).is_some_and(|it| it.kind != LoopKind::Serial);
    if let Some(node) = summary.loops_around(leaf).find(is_scheduled) {
        let kind = summary.as_loop(node).expect("a loop").kind;
        return Err((node, format!("(C1) is scheduled: it is {kind}, expected a serial loop")));
    }
    match left.first() {
        Some(node) => Err((*node, "(C1) is scheduled: no iter is bound to it".into())),
        None => Ok(()),
    }
}

/// The iters of blocks in program order, without those that have one value.
fn iters<'s>(
    summary: &'s Summary,
    leaves: &'s [NodeId],
) -> impl Iterator<Item = (&'s Block, &'s Iter)> {
    leaves.iter().flat_map(|leaf| {
        let block = summary.as_block(*leaf).expect("a block");
        let bound = block.iters.iter().zip(&block.binding);
        bound.filter(|(_, binding)| binding.has_dims()).map(move |(iter, _)| (block, iter))
    })
}

/// The first iter of the axis of each iter.
fn axes_of(summary: &Summary, leaves: &[NodeId]) -> HashMap<VariableId, VariableId> {
    let mut axis_of: HashMap<VariableId, VariableId> =
        iters(summary, leaves).map(|(_, iter)| (iter.variable, iter.variable)).collect();
    let block_of: HashMap<VariableId, usize> = leaves
        .iter()
        .enumerate()
        .flat_map(|(i, leaf)| {
            let block = summary.as_block(*leaf).expect("a block");
            block.iters.iter().map(move |iter| (iter.variable, i))
        })
        .collect();
    let size: HashMap<VariableId, Expr> = iters(summary, leaves)
        .map(|(_, iter)| (iter.variable, iter.domain[0].simplified()))
        .collect();
    // The iters at which a dimension of a buffer is accessed.
    let mut met: BTreeMap<(BufferId, usize), Vec<VariableId>> = BTreeMap::new();
    for leaf in leaves {
        let block = summary.as_block(*leaf).expect("a block");
        for access in block.accesses().iter().filter(|access| !access.in_init) {
            for (dim, index) in access.indices.iter().enumerate() {
                let Some(Expr::Dim(v)) = index else { continue };
                let variable = VariableId::of_dim(*v);
                if !axis_of.contains_key(&variable) {
                    continue;
                }
                let earlier = met.entry((access.buffer, dim)).or_default();
                for other in earlier.iter() {
                    if size[other] == size[&variable] {
                        unite(&mut axis_of, &block_of, *other, variable);
                    }
                }
                earlier.push(variable);
            }
        }
    }
    axis_of
}

/// Makes one axis of those of two iters, unless it would have two iters of one block.
fn unite(
    axis_of: &mut HashMap<VariableId, VariableId>,
    block_of: &HashMap<VariableId, usize>,
    one: VariableId,
    other: VariableId,
) {
    let (first, second) = (axis_of[&one].min(axis_of[&other]), axis_of[&one].max(axis_of[&other]));
    let blocks = |axis: VariableId| {
        let of_axis = axis_of.iter().filter(move |(_, it)| **it == axis);
        of_axis.map(|(iter, _)| block_of[iter]).collect::<Vec<_>>()
    };
    let of_second = blocks(second);
    if first == second || blocks(first).iter().any(|block| of_second.contains(block)) {
        return;
    }
    axis_of.values_mut().filter(|axis| **axis == second).for_each(|axis| *axis = first);
}

fn node(block: &Block, place: &dyn Fn(VariableId) -> usize) -> HintNode {
    let bound = || block.iters.iter().zip(&block.binding).filter(|(_, it)| it.has_dims());
    let with_role = |is_reduce: bool| {
        let of_role = bound().filter(|(iter, _)| (iter.role == IterRole::Reduce) == is_reduce);
        of_role.map(|(iter, _)| place(iter.variable)).collect::<Vec<usize>>()
    };
    let mut accesses: Vec<HintAccess> = vec![];
    let body = block.accesses().iter().filter(|access| !access.in_init);
    // A reduction reads what it writes.
    let is_own = |access: &Access| {
        !access.is_write && block.has_init && block.stores().any(|it| it.buffer == access.buffer)
    };
    for access in body.filter(|access| !is_own(access)) {
        let depends = |variable: VariableId| {
            access
                .indices
                .iter()
                .any(|index| index.as_ref().is_none_or(|it| mentions(it, variable)))
        };
        let (at, others): (Vec<_>, Vec<_>) = bound().partition(|(iter, _)| depends(iter.variable));
        let places = |iters: Vec<(&Iter, &Expr)>| {
            iters.into_iter().map(|(iter, _)| place(iter.variable)).collect()
        };
        let (buffer, is_write) = (access.buffer, access.is_write);
        let new = HintAccess { buffer, is_write, at: places(at), others: places(others) };
        if !accesses.contains(&new) {
            accesses.push(new);
        }
    }
    HintNode {
        block: block.name.clone(),
        spatial: with_role(false),
        reduce: with_role(true),
        accesses,
    }
}
