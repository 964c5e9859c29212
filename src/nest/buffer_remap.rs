//! Buffer remap: a new shape for a buffer, and new indices for all its accesses.
//!
//! ```text
//! %T = loop.buffer "T" : memref<64xf32>     T[v]
//!   ->
//! %T = loop.buffer "T" : memref<16xf32>     T[v mod 16]
//! ```
//! Steps and passes compute the new indices from the summary; this module rewrites the IR.

use crate::dialect::loop_op::{BufferView, ScheduleBlock};
use crate::dialect::region;
use crate::ir::affine::Expr;
use crate::ir::{Builder, Error, Op, Type, Value, parents};
use crate::nest::edit::BoundExpr;
use crate::nest::state::State;
use crate::nest::summary::{Access, BufferId, NodeId, Summary};
use crate::nest::{edit, index_form};

/// An access of a leaf: its node, and its index among the leaf's accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccessId {
    pub node: NodeId,
    pub access: usize,
}

/// A new spatial iter of a leaf, for a value that is not an affine expression of its iters.
#[derive(Clone, Debug, PartialEq)]
pub struct RemapIter {
    pub node: NodeId,
    pub name: String,
    /// The domain is `[0, domain)`.
    pub domain: i64,
    /// The binding, over loops.
    pub binding: Expr,
}

/// The new iters of a function: iter number `i` is [`Expr::Dim`] `first + i` in indices.
#[derive(Clone, Debug, PartialEq)]
pub struct NewIters {
    pub first: usize,
    pub list: Vec<RemapIter>,
}

impl NewIters {
    pub fn of(summary: &Summary) -> Self {
        NewIters { first: summary.variables.len(), list: vec![] }
    }

    /// The number of an iter; an iter with the same binding is reused.
    pub fn number(&mut self, iter: RemapIter) -> usize {
        let same = |other: &RemapIter| other.node == iter.node && other.binding == iter.binding;
        let place = self.list.iter().position(same).unwrap_or_else(|| {
            self.list.push(iter);
            self.list.len() - 1
        });
        self.first + place
    }
}

/// The new form of a buffer. Expressions use the summary's numbers: indices are over the iters of their
/// leaf and sizes, the shape is over sizes.
#[derive(Clone, Debug, PartialEq)]
pub struct BufferRemap {
    pub buffer: BufferId,
    pub shape: Vec<Expr>,
    pub iters: NewIters,
    /// The new indices of all accesses of the buffer.
    pub indices: Vec<(AccessId, Vec<Expr>)>,
}

/// All accesses of a buffer. `None` if an index is not known, or if something other than loads, stores and
/// regions uses the buffer. Also `None` if an accessing leaf uses iters of enclosing schedule blocks, or if
/// one stores to several buffers, because those stores share their indices.
pub fn accesses(summary: &Summary, buffer: BufferId) -> Option<Vec<(AccessId, &Access)>> {
    let known = &summary.buffers[buffer];
    if known.scope.is_none() || known.escapes || known.shape.iter().any(Option::is_none) {
        return None;
    }
    let mut found = vec![];
    for (node, block) in summary.blocks() {
        let of_buffer = block.accesses().iter().enumerate().filter(|(_, a)| a.buffer == buffer);
        for (access, this) in of_buffer {
            let is_alone = !this.is_write || block.written().len() == 1;
            let is_known = block.outer_iters.is_empty() && this.indices.iter().all(Option::is_some);
            let is_known = is_known && is_alone;
            is_known.then_some(())?;
            found.push((AccessId { node, access }, this));
        }
    }
    (!found.is_empty()).then_some(found)
}

/// True if the buffer is a `loop.buffer` without padding between its rows.
pub fn is_packed(buffer: Value) -> bool {
    let view = buffer.defining_op().and_then(|op| BufferView::of(op).ok());
    view.is_some_and(|view| !view.is_padded())
}

/// Replaces the old buffer by the new one, and returns it. Changes nothing and returns `None` if the new size is not
/// defined yet at the position of the buffer.
///
/// # Errors
/// If an op of the dialect is not valid.
pub fn apply<'c>(state: &mut State<'c>, new: &BufferRemap) -> Result<Option<Op<'c>>, Error<'c>> {
    let created = rewrite(state, new)?;
    if created.is_some() {
        state.refresh()?;
    }
    Ok(created)
}

/// As [`apply`], for passes that remap each buffer at most once: the summary is read again only if schedule blocks get new
/// iters. Otherwise it stays right for the other buffers, but keeps the former shape and indices of this one.
///
/// # Errors
/// As [`apply`].
pub fn apply_alone<'c>(
    state: &mut State<'c>,
    new: &BufferRemap,
) -> Result<Option<Op<'c>>, Error<'c>> {
    if !new.iters.list.is_empty() {
        return apply(state, new);
    }
    let created = rewrite(state, new)?;
    if created.is_some() {
        state.outdate();
    }
    Ok(created)
}

/// As [`apply`], without a change of the summary.
fn rewrite<'c>(state: &mut State<'c>, new: &BufferRemap) -> Result<Option<Op<'c>>, Error<'c>> {
    let old = state.buffer(new.buffer);
    let Some(op) = old.defining_op() else { return Ok(None) };
    let view = BufferView::of(op)?;
    let is_known = |size: &Value| size.defining_op().is_none() || view.sizes.contains(size);
    if !used_sizes(state, new.shape.iter()).iter().all(is_known) {
        return Ok(None);
    }
    let (_, element) = old.ty().shaped().expect("buffers are row-major memrefs");
    let dims: Vec<Option<i64>> = new.shape.iter().map(Expr::constant).collect();
    let dynamic = new.shape.iter().filter(|size| size.constant().is_none());
    let dynamic: Vec<Expr> = dynamic.map(Expr::simplified).collect();
    let ty = Type::memref(&dims, element);
    let created =
        BufferView::create(op.location(), view.name, view.scope, ty, &dynamic, state.sizes());
    // Padding is stated by remainders of strides, which apply to the new shape as well.
    for name in ["alignment", "padding", "rounding"] {
        if let Some(value) = op.attribute(name) {
            created.set_attribute(name, value);
        }
    }
    op.block().expect("a buffer stands in a function").insert_before(op, created);

    let mut leaves: Vec<NodeId> = new.indices.iter().map(|(place, _)| place.node).collect();
    leaves.dedup();
    let nests = state.nests_around(&leaves);
    let mut variables = state.variables().to_vec();
    for iter in &new.iters.list {
        let (variables_of, sizes) = (state.variables().to_vec(), state.sizes().to_vec());
        let bound = BoundExpr { expr: iter.binding.clone(), variables: variables_of, sizes };
        let block = state.op(iter.node);
        variables.push(edit::add_iter(block, &iter.name, iter.domain, &bound));
    }
    for leaf in leaves {
        let block = state.op(leaf);
        let of_leaf: Vec<&(AccessId, Vec<Expr>)> =
            new.indices.iter().filter(|(place, _)| place.node == leaf).collect();
        let sizes = used_sizes(state, of_leaf.iter().flat_map(|(_, indices)| indices));
        edit::add_sizes(block, &sizes);
        let cells = region::cells(&ScheduleBlock::of(block)?)?;
        for (place, indices) in of_leaf {
            let inner = cells[place.access].op;
            let first = if cells[place.access].is_write { 2 } else { 1 };
            let at = Builder::before(inner, inner.location());
            for (i, index) in indices.iter().enumerate() {
                inner.set_operand(first + i, at.apply(index, &variables, state.sizes()));
            }
            inner.set_operand(first - 1, created.result(0));
        }
        index_form::restore(block, state.rewriter.as_mut());
        edit::derive_regions(block);
    }
    nests.into_iter().for_each(edit::derive_regions);
    // Schedule blocks that state a region of the buffer, but do not access it; inner ones first.
    let mut stating: Vec<_> = old.uses().into_iter().map(|(user, _)| user).collect();
    stating.sort_by_key(|user| std::cmp::Reverse(parents(*user).count()));
    stating.dedup();
    stating.into_iter().for_each(edit::derive_regions);
    state.rewriter.replaced(op, created);
    state.rewriter.erase(op);
    Ok(Some(created))
}

/// The values of the sizes in some expressions.
fn used_sizes<'c, 'e>(state: &State<'c>, exprs: impl Iterator<Item = &'e Expr>) -> Vec<Value<'c>> {
    let mut used = vec![];
    for expr in exprs {
        expr.visit_leaves(&mut |leaf| {
            if let Expr::Symbol(size) = leaf
                && !used.contains(&state.sizes()[*size])
            {
                used.push(state.sizes()[*size]);
            }
        });
    }
    used
}
