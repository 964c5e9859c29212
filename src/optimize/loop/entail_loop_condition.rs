//! `entail-loop-condition`: fold a condition on the whole body of a loop into the loop's extent, or move the condition
//! out of the loop.
//!
//! ```text
//! for %i in 8 { loop.if (-%i + %n - 1 >= 0) { s(%i) } }    ->    for %i in min(8, %n) { s(%i) }
//! for %i in 32 { loop.if (%i mod 4 == 0) { s(%i) } }       ->    for %i in 8 { s(%i * 4) }
//! for %i in 8 { loop.if (%n - %j - 1 >= 0) { s(%i) } }     ->    loop.if (%n - %j - 1 >= 0) { for %i in 8 { s(%i) } }
//! ```
//! The only statement of the loop is a branch without `else`, or a schedule block with a predicate. The condition of
//! the branch or the predicate has one of three forms. It bounds the loop variable by values from outside of the loop.
//! Or it requires that the variable be a multiple of a number. Or it does not depend on the variable. In the last case
//! a serial loop that is nested in other loops is moved under the condition, so that the accumulator of the loop can be
//! a register.
//!
//! Requires a serial or parallel loop. If a reduction with start values (`loop.init`) runs over the loop, the first
//! iteration must meet the condition. The reason is that a reduction without iterations still stores its start values,
//! but a reduction under a false condition stores nothing. The bound must be the same for all lanes of an enclosing
//! vectorized loop, because all lanes are in the same iteration. Other loops are unchanged.

use crate::dialect::loop_enums::{IterRole, LoopKind};
use crate::dialect::loop_op::{For, If, ScheduleBlock, yield_op};
use crate::ir::affine::{BinaryKind, Constraint, Expr, IntegerSet, Linear, Map};
use crate::ir::{Block, Error, Op, Value, scope_of, walk};
use crate::nest::edit;
use crate::optimize::kind::{Counts, StmtPass, interval};

/// The indices of the statistics in the row.
const BOUNDS: usize = 0;
const STRIDES: usize = 1;
const INVARIANTS: usize = 2;

/// See the head of the file.
#[derive(Debug, Default)]
pub struct EntailLoopCondition;

impl StmtPass for EntailLoopCondition {
    fn run<'c>(&mut self, statement: Op<'c>, counts: &mut Counts) -> Result<(), Error<'c>> {
        if !statement.is(For::NAME) {
            return Ok(());
        }
        while let Some(guarded) = Guarded::of(For::of(statement)?)? {
            let Some((i, found)) = guarded.entailed() else { break };
            match found {
                Entailed::Bound(extent) => {
                    guarded.bound(extent);
                    counts.add(BOUNDS, 1);
                }
                Entailed::Stride(stride) => {
                    guarded.stretch(stride);
                    counts.add(STRIDES, 1);
                }
            }
            guarded.drop_condition(i)?;
            edit::widen_regions(statement);
        }
        if let Some(chain) = PerfectLoops::of(For::of(statement)?)? {
            let invariant = chain.invariant();
            if !invariant.is_empty() {
                counts.add(INVARIANTS, invariant.len() as u64);
                chain.ask_before(&invariant)?;
            }
        }
        Ok(())
    }
}

/// What a condition implies for a loop.
enum Entailed {
    /// The loop variable is less than this, over the operands of the condition.
    Bound(Expr),
    /// The loop variable is a multiple of this number.
    Stride(i64),
}

/// A loop, and the conditions of the only statement in it.
struct Guarded<'c> {
    view: For<'c>,
    inner: Op<'c>,
    conditions: Vec<Constraint>,
    dims: Vec<Value<'c>>,
    symbols: Vec<Value<'c>>,
}

impl<'c> Guarded<'c> {
    fn of(view: For<'c>) -> Result<Option<Self>, Error<'c>> {
        let ops = view.body.ops();
        let [inner, _] = ops[..] else { return Ok(None) };
        if !matches!(view.kind, LoopKind::Serial | LoopKind::Parallel) {
            return Ok(None);
        }
        let (set, dims, symbols) = match inner.name() {
            If::NAME => {
                let branch = If::of(inner)?;
                if branch.else_body.is_some() || !inner.results().is_empty() {
                    return Ok(None);
                }
                let (dims, symbols) = branch.operands.split_at(branch.condition.dims);
                (Some(branch.condition), dims.to_vec(), symbols.to_vec())
            }
            ScheduleBlock::NAME => {
                let block = ScheduleBlock::of(inner)?;
                (block.predicate, block.binds, block.sizes)
            }
            _ => return Ok(None),
        };
        let conditions = set.map(|set| set.constraints).unwrap_or_default();
        Ok(Some(Guarded { view, inner, conditions, dims, symbols }))
    }

    /// True if dim `i` is the variable of a vectorized loop.
    fn is_lane(&self, i: usize) -> bool {
        let around = scope_of(self.dims[i]).and_then(|op| For::of(op).ok());
        around.is_some_and(|around| around.kind == LoopKind::Vectorize)
    }

    /// The first condition that can be folded into the loop.
    fn entailed(&self) -> Option<(usize, Entailed)> {
        let own = self.dims.iter().position(|value| *value == self.view.variable())?;
        self.conditions.iter().enumerate().find_map(|(i, condition)| match condition {
            Constraint::NonNegative(expr) => Some((i, self.upper_bound(expr, own)?)),
            Constraint::Zero(Expr::Binary(BinaryKind::Mod, x, stride)) => {
                let stride = stride.constant().filter(|stride| *stride > 1)?;
                (**x == Expr::Dim(own)).then_some((i, Entailed::Stride(stride)))
            }
            Constraint::Zero(_) => None,
        })
    }

    /// `rest - c * v >= 0` is `v < rest floordiv c + 1`.
    fn upper_bound(&self, expr: &Expr, own: usize) -> Option<Entailed> {
        let mut rest = Linear::of(expr);
        let coefficient = rest.terms.remove(&Expr::Dim(own))?;
        let by = coefficient.checked_neg().filter(|by| by.is_positive())?;
        let rest = rest.to_expr();
        let mut is_open = false;
        rest.visit_leaves(&mut |leaf| {
            is_open |= matches!(leaf, Expr::Dim(i) if *i == own || self.is_lane(*i));
        });
        let range = |leaf: &Expr| match leaf {
            Expr::Dim(i) => interval(self.dims[*i]),
            Expr::Symbol(i) => interval(self.symbols[*i]),
            _ => None,
        };
        let first_holds = rest.interval(&range).is_some_and(|(low, _)| low >= 0);
        let is_allowed = !is_open && (first_holds || !self.has_start_over_loop());
        is_allowed.then(|| Entailed::Bound((rest.floor_div(by.into()) + 1.into()).simplified()))
    }

    /// True if a reduction that starts in the loop runs over it.
    fn has_start_over_loop(&self) -> bool {
        starts_over(self.inner, |value| value == self.view.variable())
    }

    /// Adds an expression to the extent of the loop.
    fn bound(&self, extent: Expr) {
        let For { extent: old, operands, .. } = &self.view;
        let (dims, symbols) = operands.split_at(old.dims);
        let is_variable = |value: &Value| scope_of(*value).is_some_and(|op| op.is(For::NAME));
        // Sizes may be dims of a branch, but are symbols of a loop.
        let dim = |i: usize| match is_variable(&self.dims[i]) {
            true => Expr::Dim(dims.len() + i),
            false => Expr::Symbol(symbols.len() + self.symbols.len() + i),
        };
        let moved = extent.substitute(&dim, &|i| Expr::Symbol(symbols.len() + i)).simplified();
        let extents = [&old.results[..], &[moved]].concat();
        let symbols = [symbols, &self.symbols, &self.dims].concat();
        let dims = [dims, &self.dims].concat();
        edit::set_loop_extent(self.view.op, &extents, (&dims, &symbols));
    }

    /// Restricts the loop to the multiples of a number.
    fn stretch(&self, stride: i64) {
        let For { extent, operands, .. } = &self.view;
        let fewer =
            |e: &Expr| Expr::binary(BinaryKind::CeilDiv, e.clone(), stride.into()).simplified();
        let extents: Vec<Expr> = extent.results.iter().map(fewer).collect();
        edit::set_loop_extent(self.view.op, &extents, operands.split_at(extent.dims));
        let variable = self.view.variable();
        let multiple = edit::BoundExpr {
            expr: Expr::Dim(0) * stride.into(),
            variables: vec![variable],
            sizes: vec![],
        };
        edit::replace_variable(variable, &multiple);
    }

    /// Removes a condition of the statement. A branch without conditions is replaced by its body.
    fn drop_condition(&self, i: usize) -> Result<(), Error<'c>> {
        let op = self.inner;
        if op.is(If::NAME) {
            let branch = If::of(op)?;
            let mut left = branch.condition.constraints;
            left.remove(i);
            if left.is_empty() {
                edit::move_ops_before(branch.then_body, op);
                op.erase();
            } else {
                edit::set_condition_of(op, &left, branch.operands.split_at(branch.condition.dims));
            }
            return Ok(());
        }
        let block = ScheduleBlock::of(op)?;
        let mut left = block.predicate.map(|set| set.constraints).unwrap_or_default();
        left.remove(i);
        edit::set_binding_of(op, &block.binding, &left, (&block.binds, &block.sizes));
        Ok(())
    }
}

/// Perfectly nested serial loops, and the conditions of the only statement in the innermost one.
struct PerfectLoops<'c> {
    /// Outermost first.
    loops: Vec<Op<'c>>,
    guarded: Guarded<'c>,
}

impl<'c> PerfectLoops<'c> {
    /// The chain from a loop on, if the loop may be moved into a branch. A loop at function level is a kernel, or a
    /// statement of the host.
    fn of(outer: For<'c>) -> Result<Option<Self>, Error<'c>> {
        if outer.op.parent().is_none_or(|op| op.is("func.func")) {
            return Ok(None);
        }
        let (mut loops, mut view) = (vec![], outer);
        loop {
            if view.kind != LoopKind::Serial {
                return Ok(None);
            }
            loops.push(view.op);
            match view.body.ops()[..] {
                [only, _] if only.is(For::NAME) => view = For::of(only)?,
                _ => break,
            }
        }
        let chain = Guarded::of(view)?.map(|guarded| PerfectLoops { loops, guarded });
        Ok(chain.filter(|chain| !chain.starts_outside()))
    }

    fn has(&self, variable: Value<'c>) -> bool {
        scope_of(variable).is_some_and(|op| self.loops.contains(&op))
    }

    /// The conditions that are the same in all iterations and for all lanes.
    fn invariant(&self) -> Vec<usize> {
        let Guarded { conditions, dims, .. } = &self.guarded;
        let is_fixed = |condition: &Constraint| {
            let mut is_fixed = true;
            condition.expr().visit_leaves(&mut |leaf| {
                is_fixed &= !matches!(leaf, Expr::Dim(i) if self.has(dims[*i]) || self.guarded.is_lane(*i));
            });
            is_fixed
        };
        (0..conditions.len()).filter(|i| is_fixed(&conditions[*i])).collect()
    }

    /// True if a reduction that starts in the loops runs over others around them. If those have no iterations, it
    /// still starts; in a branch it would not.
    fn starts_outside(&self) -> bool {
        starts_over(self.guarded.inner, |value| !self.has(value))
    }

    /// Moves the loops under some of the conditions.
    fn ask_before(&self, asked: &[usize]) -> Result<(), Error<'c>> {
        let Guarded { conditions, dims, symbols, .. } = &self.guarded;
        let asked_of = || asked.iter().map(|i| &conditions[*i]);
        let results = asked_of().map(|condition| condition.expr().clone()).collect();
        let map = Map { dims: dims.len(), symbols: symbols.len(), results };
        let (map, operands) = map.compressed(dims, symbols);
        let constraints = asked_of().zip(map.results).map(|(it, expr)| it.on(expr)).collect();
        let condition = IntegerSet { dims: map.dims, symbols: map.symbols, constraints };
        for i in asked.iter().rev() {
            self.guarded.drop_condition(*i)?;
        }
        let op = self.loops[0];
        let next = op.next().expect("a terminator comes after it");
        let place = op.block().expect("it stands in a loop");
        op.detach();
        let body = Block::new(&[]);
        body.append(op);
        body.append(yield_op(op.location(), &[]));
        place
            .insert_before(next, If::create(op.location(), &condition, &operands, &[], body, None));
        edit::widen_regions(op);
        Ok(())
    }
}

/// True if a reduction that starts in a statement runs over a value for which `is_over` holds.
fn starts_over<'c>(inner: Op<'c>, is_over: impl Fn(Value<'c>) -> bool) -> bool {
    let blocks = walk(inner).into_iter().filter(|op| op.is(ScheduleBlock::NAME));
    blocks.into_iter().any(|op| {
        let Ok(block) = ScheduleBlock::of(op) else { return true };
        let starts = walk(op).into_iter().any(|inner| inner.is("loop.init"));
        let mentions = |expr: &Expr| {
            let mut found = false;
            expr.visit_leaves(&mut |leaf| {
                found |= matches!(leaf, Expr::Dim(i) if is_over(block.binds[*i]));
            });
            found
        };
        let mut iters = block.iters.iter().zip(&block.binding);
        // In a schedule block with nested ones, a nested one may reduce over what this iter is bound to.
        starts
            && iters.any(|(iter, bound)| {
                (iter.role != IterRole::Spatial || block.is_nest()) && mentions(bound)
            })
    })
}
