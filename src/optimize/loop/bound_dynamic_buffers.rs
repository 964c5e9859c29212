//! `bound-dynamic-buffers`: buffers of threads and thread blocks get a static size that is enough.
//!
//! ```text
//! %T = loop.buffer "T" scope(shared) (%n) : memref<?xf32>       %T = loop.buffer "T" scope(shared) : memref<128xf32>
//! loop.if (-symbol(%n) + 128 >= 0) {                            loop.if (-symbol(%n) + 128 >= 0) {
//!   for blockIdx { for %k in %n { T[k] = .. } .. }         ->     for blockIdx { for %k in %n { T[k] = .. } .. }
//! }                                                             }
//! ```
//! Memory of threads and thread blocks has a size that is known before a kernel runs. What is known where a buffer is
//! accessed bounds its dimensions: conditions and predicates around the accesses, and extents of loops, which may be
//! minima with numbers. Whether a device has that much memory is for lowering to say.
//!
//! Requires
//! - (C1) a `local` or `shared` buffer of which nothing but loads, stores and regions of schedule blocks makes
//!   use, with affine indices
//! - (C2) loops around all accesses that own it: elsewhere there is one of the exact size
//! - (C3) at each access a number that the index, or the size of the dimension, is known not to exceed

use crate::dialect::loop_enums::Scope;
use crate::ir::affine::{BinaryKind, Constraint, Expr, Linear};
use crate::ir::{Error, Op};
use crate::nest::buffer_remap;
use crate::nest::buffer_remap::{NewIters, Reindexed};
use crate::nest::facts::boxes;
use crate::nest::rewriter::Direct;
use crate::nest::summary::{BufferId, NodeId, NodeKind, Summary, Variable};
use crate::optimize::kind::{Counts, FunctionPass};
use crate::schedule::State;
use crate::schedule::legality::scope;

/// The place of the statistic in the row.
const BUFFERS: usize = 0;

/// See the head of the file.
#[derive(Debug, Default)]
pub struct BoundDynamicBuffers;

impl FunctionPass for BoundDynamicBuffers {
    fn run<'c>(&mut self, function: Op<'c>, counts: &mut Counts) -> Result<(), Error<'c>> {
        let mut state = State::new(function, Box::new(Direct))?;
        for buffer in 0..state.summary().buffers.len() {
            let scope = state.summary().buffers[buffer].scope;
            let is_own = matches!(scope, Some(Scope::Local | Scope::Shared));
            if !is_own {
                continue;
            }
            let Some(new) = bounded(state.summary(), buffer) else { continue };
            if buffer_remap::apply(&mut state, &new)? {
                counts.add(BUFFERS, 1);
            }
        }
        Ok(())
    }
}

/// The buffer with numbers as dimensions, if it has not and can have.
fn bounded(summary: &Summary, buffer: BufferId) -> Option<Reindexed> {
    let this = &summary.buffers[buffer];
    let (scope, accesses) = (this.scope?, buffer_remap::accesses(summary, buffer)?);
    let is_owned = |node: NodeId| scope::owner(summary, scope, node).is_some();
    if !accesses.iter().all(|(place, _)| is_owned(place.node)) {
        return None;
    }
    let facts: Vec<Facts> =
        accesses.iter().map(|(place, _)| Facts::at(summary, place.node)).collect();
    let mut shape = vec![];
    let mut is_new = false;
    for (dim, size) in this.shape.iter().enumerate() {
        let size = size.clone()?;
        if size.constant().is_some() {
            shape.push(size);
            continue;
        }
        is_new = true;
        let mut most = 1;
        for ((_, access), facts) in accesses.iter().zip(&facts) {
            let index = access.indices[dim].as_ref()?;
            let cells = facts.highest(index).and_then(|last| last.checked_add(1));
            let all = facts.highest(&size);
            let here = match (cells, all) {
                (Some(cells), Some(all)) => cells.min(all),
                (one, other) => one.or(other)?,
            };
            most = most.max(here);
        }
        shape.push(most.into());
    }
    let indices = accesses.into_iter().map(|(place, access)| {
        let all: Option<Vec<Expr>> = access.indices.iter().cloned().collect();
        Some((place, all?))
    });
    let indices = indices.collect::<Option<Vec<_>>>()?;
    is_new.then_some(Reindexed { buffer, shape, iters: NewIters::of(summary), indices })
}

/// What holds where a schedule block runs.
struct Facts<'s> {
    summary: &'s Summary,
    /// Over loops; none of these is negative.
    not_negative: Vec<Expr>,
}

impl<'s> Facts<'s> {
    fn at(summary: &'s Summary, node: NodeId) -> Self {
        let mut facts = Facts { summary, not_negative: vec![] };
        let mut inner = node;
        for outer in std::iter::once(node).chain(summary.ancestors(node)) {
            match &summary.nodes[outer].kind {
                // In the other branch one of them does not hold.
                NodeKind::If(conditions) if !summary.otherwise.contains(&inner) => {
                    facts.add(conditions);
                }
                NodeKind::Block(block) => facts.add(&block.predicate),
                _ => {}
            }
            inner = outer;
        }
        facts
    }

    fn add(&mut self, conditions: &[Constraint]) {
        for condition in conditions {
            let expr = boxes::over_loops(self.summary, 0, condition.expr());
            if let Constraint::Zero(_) = condition {
                self.not_negative.push((Expr::Constant(0) - expr.clone()).simplified());
            }
            self.not_negative.push(expr);
        }
    }

    /// A number that an expression is known not to exceed: it does not exceed its sum with what is not negative.
    fn highest(&self, expr: &Expr) -> Option<i64> {
        let expr = boxes::over_loops(self.summary, 0, expr);
        let sums = self.not_negative.iter().map(|fact| (expr.clone() + fact.clone()).simplified());
        let all = std::iter::once(expr.clone()).chain(sums);
        all.filter_map(|sum| self.end_of(&sum, self.summary.nodes.len())).min()
    }

    /// A number that a sum does not exceed, as extents of loops and single sizes tell. Loops inside of `depth` others
    /// have extents over those.
    fn end_of(&self, expr: &Expr, depth: usize) -> Option<i64> {
        let depth = depth.checked_sub(1)?;
        let linear = Linear::of(expr);
        let mut sum = linear.constant;
        for (atom, coefficient) in &linear.terms {
            // Loops, and what is made of them, run from 0; of sizes no least number is known.
            let end = match coefficient.is_positive() {
                true => self.end_of_atom(atom, depth)?,
                false if matches!(atom, Expr::Dim(_)) => 0,
                false => return None,
            };
            sum = sum.checked_add(end.checked_mul(*coefficient)?)?;
        }
        Some(sum)
    }

    fn end_of_atom(&self, atom: &Expr, depth: usize) -> Option<i64> {
        match atom {
            Expr::Dim(variable) => {
                let bounds = match self.summary.variables[*variable] {
                    Variable::Loop(node) => &self.summary.as_loop(node)?.extent,
                    Variable::Iter(node, i) => &self.summary.as_block(node)?.iters[i].domain,
                };
                let ends = bounds.iter().filter_map(|bound| self.end_of(bound, depth));
                Some(ends.min()?.max(1) - 1)
            }
            Expr::Symbol(size) => {
                let known = self.summary.sizes[*size];
                known.or_else(|| {
                    self.not_negative.iter().filter_map(|fact| end_in(fact, atom)).min()
                })
            }
            Expr::Binary(BinaryKind::Mod, _, n) => n.constant().map(|n| n - 1),
            Expr::Binary(BinaryKind::FloorDiv, x, n) => {
                let n = n.constant().filter(|n| n.is_positive())?;
                Some(self.end_of(x, depth)?.div_euclid(n))
            }
            _ => None,
        }
    }
}

/// A number that a size does not exceed, if `fact` says that: `-a * size + b` is not negative.
fn end_in(fact: &Expr, size: &Expr) -> Option<i64> {
    let linear = Linear::of(fact);
    let coefficient = *linear.terms.get(size)?;
    (linear.terms.len() == 1 && coefficient.is_negative())
        .then(|| linear.constant.div_euclid(coefficient.checked_neg().unwrap_or(1)))
}
