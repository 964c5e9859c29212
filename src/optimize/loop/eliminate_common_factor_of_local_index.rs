//! `eliminate-common-factor-of-local-index`: divide the indices of local and shared buffers by their common factor,
//! which removes elements that no index reaches.
//!
//! ```text
//! %T = loop.buffer "T" scope(local) : memref<32xf32>         memref<8xf32>
//! T[i * 4] = ..    .. = T[j * 4 + 8]                    ->   T[i] = ..    .. = T[j + 2]
//! T[i * n] = ..    .. = T[j * n + n]                    ->   T[i] = ..    .. = T[j + 1]
//! ```
//! Each dimension of a buffer is handled separately, for all accesses of the function, in three steps. First, the
//! remainder that all indices have in common is subtracted, and the indices are divided by their greatest common
//! divisor. Second, they are divided by a size that is a factor of all of them. Third, the smallest index is
//! subtracted. Indices are analysed over loops, so an iter bound to `%i * 4` counts as a multiple of 4.
//!
//! Requires
//! - (C1) the buffer is `local` or `shared`, has no padding, and is used only by loads, stores and access regions of
//!   schedule blocks, with affine indices. A schedule block that stores to it stores to no other buffer, because a
//!   block stores to all its buffers at the same indices
//! - (C2) the buffer has at least two accesses
//! - (C3) a size is divided out only if it is a factor of each term of all indices, and of the size of the dimension.
//!   Then a size of 0 is harmless, because the buffer is empty
//!
//! Distinct elements remain distinct, so the order of accesses does not matter.

use crate::dialect::loop_enums::Scope;
use crate::ir::affine::{Expr, Linear, greatest_divisor};
use crate::ir::{Error, Op};
use crate::nest::buffer_remap;
use crate::nest::buffer_remap::{AccessId, BufferRemap, NewIters};
use crate::nest::facts::boxes;
use crate::nest::rewriter::Direct;
use crate::nest::summary::NodeId;
use crate::nest::summary::{Access, BufferId, Summary};
use crate::optimize::kind::{Counts, FunctionPass};
use crate::schedule::State;

/// The indices of the statistics in the row.
const FACTORS: usize = 0;
const OFFSETS: usize = 1;

/// See the head of the file.
#[derive(Debug, Default)]
pub struct EliminateCommonFactorOfLocalIndex;

impl FunctionPass for EliminateCommonFactorOfLocalIndex {
    fn run<'c>(&mut self, function: Op<'c>, counts: &mut Counts) -> Result<(), Error<'c>> {
        let mut state = State::new(function, Box::new(Direct))?;
        for buffer in state.summary().buffers.keys() {
            let scope = state.summary().buffers[buffer].scope;
            let is_own = matches!(scope, Some(Scope::Local | Scope::Shared));
            if !is_own || !buffer_remap::is_packed(state.buffer(buffer)) {
                continue;
            }
            let Some((new, factors, offsets)) = divided(state.summary(), buffer) else { continue };
            if factors + offsets > 0 && buffer_remap::apply_alone(&mut state, &new)?.is_some() {
                counts.add(FACTORS, factors);
                counts.add(OFFSETS, offsets);
            }
        }
        Ok(())
    }
}

/// The buffer without common factors and offsets, and how many of each were removed.
fn divided(summary: &Summary, buffer: BufferId) -> Option<(BufferRemap, u64, u64)> {
    let accesses = buffer_remap::accesses(summary, buffer)?;
    // (C2)
    if accesses.len() < 2 {
        return None;
    }
    let mut indices: Vec<(AccessId, Vec<Expr>)> =
        accesses.iter().map(|(place, _)| (*place, vec![])).collect();
    let mut shape = vec![];
    let (mut factors, mut offsets) = (0, 0);
    for (dim, size) in summary.buffers[buffer].shape.iter().enumerate() {
        let mut all = Dimension::of(summary, &accesses, dim, size.as_ref()?)?;
        factors += u64::from(all.divide_by_number()) + u64::from(all.divide_by_size());
        offsets += u64::from(all.subtract_lowest(summary));
        shape.push(all.size);
        indices.iter_mut().zip(all.indices).for_each(|((_, new), index)| new.push(index.index));
    }
    Some((BufferRemap { buffer, shape, iters: NewIters::of(summary), indices }, factors, offsets))
}

/// One dimension of a buffer, with its index in each access.
struct Dimension {
    size: Expr,
    indices: Vec<LeafIndex>,
}

/// An index over the iters of a leaf, and the same index over loops.
struct LeafIndex {
    index: Expr,
    over_loops: Expr,
}

impl Dimension {
    fn of(
        summary: &Summary,
        accesses: &[(AccessId, &Access)],
        dim: usize,
        size: &Expr,
    ) -> Option<Dimension> {
        let mut indices = vec![];
        for (_, access) in accesses {
            let index = access.indices[dim].clone()?;
            let over_loops = summary.over_loops_under(NodeId::FUNCTION, &index);
            indices.push(LeafIndex { index, over_loops });
        }
        Some(Dimension { size: size.simplified(), indices })
    }

    /// Divides by the greatest number that divides all differences of indices.
    fn divide_by_number(&mut self) -> bool {
        let all: Vec<Linear> = self.indices.iter().map(|i| Linear::of(&i.over_loops)).collect();
        let first = all[0].constant;
        let mut factor = 0;
        for linear in &all {
            factor = linear.terms.values().fold(factor, |gcd, n| greatest_divisor(gcd, *n));
            factor = greatest_divisor(factor, linear.constant.wrapping_sub(first));
        }
        if factor <= 1 {
            return false;
        }
        let rest = first.rem_euclid(factor);
        for LeafIndex { index, over_loops } in &mut self.indices {
            *over_loops = quotient(over_loops, rest, factor);
            *index = quotient(index, rest, factor);
        }
        // The number of elements up to the last one that an index may reach.
        let last = self.size.clone() - (1 + rest).into();
        self.size = (last.floor_div(factor.into()) + 1.into()).simplified();
        true
    }

    /// (C3)
    fn divide_by_size(&mut self) -> bool {
        let mut sizes = vec![];
        self.size.visit_leaves(&mut |leaf| sizes.push(leaf.clone()));
        for by in sizes {
            let parts = |index: &LeafIndex| {
                let over_loops = index.over_loops.exact_quotient(&by)?;
                Some(LeafIndex { index: index.index.exact_quotient(&by)?, over_loops })
            };
            let all: Option<Vec<LeafIndex>> = self.indices.iter().map(parts).collect();
            if let (Some(indices), Some(size)) = (all, self.size.exact_quotient(&by)) {
                *self = Dimension { size, indices };
                return true;
            }
        }
        false
    }

    /// Removes the elements before the first one that an index can reach.
    fn subtract_lowest(&mut self, summary: &Summary) -> bool {
        let lowest = |index: &LeafIndex| {
            let range = boxes::inside(summary, NodeId::FUNCTION, &index.over_loops);
            range.and_then(|range| range.low.constant())
        };
        let all: Option<Vec<i64>> = self.indices.iter().map(lowest).collect();
        let low = all.and_then(|all| all.into_iter().min()).unwrap_or(0);
        // A buffer of unknown size may have fewer elements than that.
        if low <= 0 || self.size.constant().is_none_or(|size| size <= low) {
            return false;
        }
        self.size = (self.size.clone() - low.into()).simplified();
        for LeafIndex { index, over_loops } in &mut self.indices {
            *index = (index.clone() - low.into()).simplified();
            *over_loops = (over_loops.clone() - low.into()).simplified();
        }
        true
    }
}

/// `(expr - rest) / factor`, which is an integer.
fn quotient(expr: &Expr, rest: i64, factor: i64) -> Expr {
    let less = (expr.clone() - rest.into()).simplified();
    less.exact_quotient(&factor.into())
        .unwrap_or_else(|| less.floor_div(factor.into()).simplified())
}
