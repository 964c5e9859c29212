//! `reindex`: copy a buffer so that a schedule block accesses it directly at its own iters.
//!
//! ```text
//! loop.for %i .. { loop.for %k .. { loop.block "B" .. { B[vi] = B[vi] + A[vi * 2 + vk] * W[vk] } } }
//!   ->  reindex "B" buffer "A" scope "global"
//! %A_global_temp_buffer = loop.buffer "A_global_temp_buffer" scope(global) : memref<64x3xf32>
//! loop.for serial %cache_ax0 in 64 {
//!   loop.for serial %cache_ax1 in 3 {
//!     loop.block "A_global_temp_buffer" [%v0: spatial 64, %v1: spatial 3] = (%cache_ax0, %cache_ax1)
//!       { A_global_temp_buffer[v0, v1] = A[v0 * 2 + v1] }
//!   }
//! }
//! loop.for %i .. { loop.for %k .. { loop.block "B" .. { B[vi] = B[vi] + A_global_temp_buffer[vi, vk] * W[vk] } } }
//! ```
//! For a convolution this makes a matrix whose rows are the windows (im2col), so the block becomes a matmul, for
//! example for `tensorize`. The new buffer has one dimension for each iter on which the index in the old buffer
//! depends, in the order of the iters. If the block reads the buffer, the elements are gathered before the block, at
//! the place where `cache_read` would copy. If the block writes the buffer, the elements are scattered after the block,
//! as by `cache_write`. The blocks are named as by these primitives.
//!
//! Requires
//! - (C1) the target is a leaf
//! - (C2) the block accesses the buffer
//! - (C3) the scope is `global`, `shared` or `local`
//! - (C4) all accesses to the buffer use the same indices, which depend only on iters of the block itself, and the
//!   domain of each of these iters is one expression; no access is conditional or depends on data. A buffer that is
//!   written has no other writer, only schedule blocks use it, and the block writes no other buffer
//! - (C5) the block reads the buffer, or writes it. A buffer that it writes is read only as the accumulator of a
//!   reduction that starts in a `loop.init`; if the iterations of a loop have their own instances of the new buffer,
//!   the whole reduction is in one iteration of that loop
//! - (C6) there is a place for the copying nest, as for `cache_read` and `cache_write`
//! - (C7) nothing overwrites the gathered elements before they are read; for a scatter, it is proved that the values of
//!   the iters form a box, and that an instance runs for each of them
//! - (C8) if the copying nest is not at function level, no loop over threads in the body that contains it encloses the
//!   block, as for `cache_read` and `cache_write`
//! - (C9) for a gather, the iterations of each concurrent loop around the copying nest write distinct elements of the
//!   new buffer, unless each iteration has its own instance of it; for a scatter, iterations that have their own
//!   instances of the old buffer, but not of the new one, write distinct elements
//! - (C10) start values of a reduction are not read from the copy if the reduction may have an empty domain
//! - (C11) for a gather, all values of the iters have indices within the buffer; for a scatter, distinct values of the
//!   iters have distinct indices

use super::cache_read::{self, CacheArguments, SCOPE};
use super::cache_write;
use crate::ir::affine::Expr;
use crate::nest::facts::boxes;
use crate::nest::facts::boxes::at_least;
use crate::nest::facts::cover;
use crate::nest::state::State;
use crate::nest::summary::VariableId;
use crate::nest::summary::{
    Access, Block, Body, Buffer, BufferId, NodeId, NodeKind, Summary, mentions,
};
use crate::schedule::error::{LayoutReason, ScheduleError};
use crate::schedule::legality::proof::Proofs;
use crate::schedule::name;
use crate::schedule::primitive::declaration::primitive;
use crate::schedule::rewrite::copy;
use crate::schedule::rewrite::copy::{BufferCopy, Gather};
use crate::schedule::rewrite::layout;
use crate::schedule::rewrite::layout::MappedElements;
use crate::schedule::verdict::Verdict;

primitive! {
    "Access a buffer through a copy that is indexed by the iters of a schedule block"
    /// Returns the name of the new buffer.
    reindex(block: Block, buffer: Buffer, scope: Word = SCOPE; proof) -> String;
    |state| reindex(state, CacheArguments { target: block, buffer, scope, map: None }, proof)
}

/// Gives the target a buffer that is indexed by its iters; returns the buffer's name. On an error the IR is unchanged.
pub fn reindex(
    state: &mut State,
    cache: CacheArguments,
    proofs: &mut Proofs,
) -> Result<String, ScheduleError> {
    let plan = check(state.summary(), cache, proofs)?;
    copy::make(state, &plan);
    Ok(plan.name)
}

pub fn check(
    summary: &Summary,
    cache: CacheArguments,
    proofs: &mut Proofs,
) -> Result<BufferCopy, ScheduleError> {
    let (node, block, buffer) = name::leaf_and_buffer(summary, cache.target, cache.buffer)?;
    let accesses = || block.accesses().iter().filter(|access| access.buffer == buffer);
    let Some(first) = accesses().next() else {
        let (block, buffer) = (block.name.clone(), cache.buffer.to_owned());
        return Err(LayoutReason::NotAccessed { block, buffer }.at(node, 2));
    };
    name::scope_of(cache.scope, node, 3)?;
    let not_one_place = || {
        let (block, buffer) = (block.name.clone(), cache.buffer.to_owned());
        LayoutReason::NotOnePlace { block, buffer }.at(node, 4)
    };
    let is_same = |access: &Access| access.indices == first.indices && !access.is_conditional;
    let indices: Option<Vec<Expr>> = first.indices.iter().cloned().collect();
    let indices = indices.filter(|_| accesses().all(is_same)).ok_or_else(not_one_place)?;
    let gather = gather(block, &indices).ok_or_else(not_one_place)?;
    let is_written = accesses().any(|access| access.is_write);
    if is_written && block.written().len() > 1 {
        return Err(not_one_place());
    }
    let (view, new) = by_iters(summary, (node, buffer), &gather.iters);
    let name = cache.buffer;
    if is_written {
        let domains: Vec<Expr> =
            gather.iters.iter().map(|i| block.iters[*i].domain[0].clone()).collect();
        let cells = MappedElements { name, shape: &domains, at: node };
        layout::check_injective(summary, cells, &gather.indices, 11, proofs)?;
        let copy = cache_write::check_by(summary, cache, Some((&view, new)), proofs)?;
        return Ok(BufferCopy { gather: Some(gather), ..copy });
    }
    let is_inside = |(i, index): (usize, &Expr)| {
        let range = boxes::over_domains(summary, index);
        let size = summary.buffers[buffer].shape[i].as_ref();
        range.zip(size).is_some_and(|(range, size)| {
            at_least(summary, &range.low, &0.into())
                && at_least(summary, size, &(range.high + 1.into()))
        })
    };
    let fits = cover::is_whole(summary, NodeId::FUNCTION, node)
        || indices.iter().enumerate().all(is_inside);
    proofs.require(&Verdict::of(fits), || {
        LayoutReason::Outside { buffer: name.to_owned() }.at(node, 11)
    })?;
    let consumers = [block.name.clone()];
    let copy = cache_read::check_by(summary, cache, &consumers, Some((&view, new)), proofs)?;
    Ok(BufferCopy { gather: Some(gather), ..copy })
}

/// The iters that the indices depend on, and the indices over these; none if they depend on something else.
fn gather(block: &Block, indices: &[Expr]) -> Option<Gather> {
    let is_used = |i: &usize| indices.iter().any(|index| mentions(index, block.iters[*i].variable));
    let iters: Vec<usize> = (0..block.iters.len()).filter(is_used).collect();
    let mut is_own = iters.iter().all(|i| block.iters[*i].domain.len() == 1);
    let place = |variable| iters.iter().position(|i| block.iters[*i].variable == variable);
    for index in indices {
        index.visit_leaves(&mut |leaf| {
            if let Expr::Dim(variable) = leaf {
                is_own &= place(VariableId::of_dim(*variable)).is_some();
            }
        });
    }
    let over_places = |index: &Expr| {
        index.substitute(
            &|variable| Expr::Dim(place(VariableId::of_dim(variable)).expect("seen above")),
            &Expr::Symbol,
        )
    };
    is_own.then(|| Gather {
        indices: indices.iter().map(over_places).collect(),
        iters: iters.clone(),
    })
}

/// The summary with an additional buffer, which the block accesses at its iters in place of the old one.
fn by_iters(
    summary: &Summary,
    (node, buffer): (NodeId, BufferId),
    iters: &[usize],
) -> (Summary, BufferId) {
    let (mut view, new) = (summary.clone(), summary.buffers.next_key());
    let NodeKind::Block(block) = &mut view.nodes[node].kind else {
        unreachable!("the node is a schedule block")
    };
    let variables: Vec<Option<Expr>> =
        iters.iter().map(|i| Some(block.iters[*i].variable.expr())).collect();
    let shape: Vec<Option<Expr>> =
        iters.iter().map(|i| Some(block.iters[*i].domain[0].clone())).collect();
    if let Body::Leaf { accesses, .. } = &mut block.body {
        for access in accesses.iter_mut().filter(|access| access.buffer == buffer) {
            access.buffer = new;
            access.indices = variables.clone();
        }
    }
    let old = (*summary.buffers[buffer]).clone();
    view.buffers
        .push(Buffer { allocated: shape.clone(), room: Default::default(), shape, ..old }.into());
    (view, new)
}
