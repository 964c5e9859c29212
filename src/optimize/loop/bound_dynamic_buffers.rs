//! `bound-dynamic-buffers`: give local and shared buffers of dynamic size a static upper bound as size.
//!
//! ```text
//! %T = loop.buffer "T" scope(shared) (%n) : memref<?xf32>       %T = loop.buffer "T" scope(shared) : memref<128xf32>
//! loop.if (-symbol(%n) + 128 >= 0) {                            loop.if (-symbol(%n) + 128 >= 0) {
//!   for blockIdx { for %k in %n { T[k] = .. } .. }         ->     for blockIdx { for %k in %n { T[k] = .. } .. }
//! }                                                             }
//! ```
//! The sizes of local and shared memory must be known before a kernel runs. The pass derives an upper bound of each
//! dimension from the accesses of the buffer: from the conditions and predicates around them, and from the extents of
//! loops, for example `min(128, %n)`. Lowering checks whether the device has enough memory.
//!
//! Requires
//! - (C1) the scope is `local` or `shared`, and the buffer is used only by loads, stores and access regions of schedule
//!   blocks, with affine indices
//! - (C2) each access is in a loop whose iterations have their own instances of the buffer. Other buffers are allocated
//!   with their exact size
//! - (C3) at each access, the index or the size of the dimension has a constant upper bound

use crate::dialect::loop_enums::Scope;
use crate::ir::affine::{BinaryKind, Constraint, Expr, Linear};
use crate::ir::{Error, Op};
use crate::nest::buffer_remap;
use crate::nest::buffer_remap::{BufferRemap, NewIters};
use crate::nest::facts::scope;
use crate::nest::rewriter::Direct;
use crate::nest::summary::VariableId;
use crate::nest::summary::{BufferId, NodeId, NodeKind, Summary, Variable};
use crate::optimize::kind::{Counts, FunctionPass};
use crate::schedule::State;

/// The index of the statistic in the row.
const BUFFERS: usize = 0;

/// See the head of the file.
#[derive(Debug, Default)]
pub struct BoundDynamicBuffers;

impl FunctionPass for BoundDynamicBuffers {
    fn run<'c>(&mut self, function: Op<'c>, counts: &mut Counts) -> Result<(), Error<'c>> {
        let mut state = State::new(function, Box::new(Direct))?;
        for buffer in state.summary().buffers.keys() {
            let scope = state.summary().buffers[buffer].scope;
            let is_own = matches!(scope, Some(Scope::Local | Scope::Shared));
            if !is_own {
                continue;
            }
            let Some(new) = bounded(state.summary(), buffer) else { continue };
            if buffer_remap::apply_alone(&mut state, &new)?.is_some() {
                counts.add(BUFFERS, 1);
            }
        }
        Ok(())
    }
}

/// The buffer with constant dimensions, if some are dynamic and all can be bounded.
fn bounded(summary: &Summary, buffer: BufferId) -> Option<BufferRemap> {
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
    is_new.then_some(BufferRemap { buffer, shape, iters: NewIters::of(summary), indices })
}

/// Facts that hold where a schedule block runs.
struct Facts<'s> {
    summary: &'s Summary,
    /// Expressions over loop variables that are never negative.
    not_negative: Vec<Expr>,
}

impl<'s> Facts<'s> {
    fn at(summary: &'s Summary, node: NodeId) -> Self {
        let mut facts = Facts { summary, not_negative: vec![] };
        let mut inner = node;
        for outer in std::iter::once(node).chain(summary.ancestors(node)) {
            match &summary.nodes[outer].kind {
                // In the other branch one of the conditions does not hold, and it is unknown which.
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
            let expr = self.summary.over_loops_under(NodeId::FUNCTION, condition.expr());
            if let Constraint::Zero(_) = condition {
                self.not_negative.push((Expr::Constant(0) - expr.clone()).simplified());
            }
            self.not_negative.push(expr);
        }
    }

    /// A constant upper bound of an expression: the expression is at most its sum with a non-negative fact.
    fn highest(&self, expr: &Expr) -> Option<i64> {
        let expr = self.summary.over_loops_under(NodeId::FUNCTION, expr);
        let sums = self.not_negative.iter().map(|fact| (expr.clone() + fact.clone()).simplified());
        let all = std::iter::once(expr.clone()).chain(sums);
        all.filter_map(|sum| self.end_of(&sum, self.summary.nodes.len())).min()
    }

    /// A constant upper bound of a sum, from extents of loops and bounds of single sizes. `depth` limits the
    /// recursion: extents of a loop are over the loops around it.
    fn end_of(&self, expr: &Expr, depth: usize) -> Option<i64> {
        let depth = depth.checked_sub(1)?;
        let linear = Linear::of(expr);
        let mut sum = linear.constant;
        for (atom, coefficient) in &linear.terms {
            // Loops, and quotients and remainders of them, start at 0; no lower bound of a size is known.
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
                let bounds = match self.summary.variables[VariableId::of_dim(*variable)] {
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

/// An upper bound of a size, if `fact` has the form `-a * size + b`, which is not negative.
fn end_in(fact: &Expr, size: &Expr) -> Option<i64> {
    let linear = Linear::of(fact);
    let coefficient = *linear.terms.get(size)?;
    (linear.terms.len() == 1 && coefficient.is_negative())
        .then(|| linear.constant.div_euclid(coefficient.checked_neg().unwrap_or(1)))
}
