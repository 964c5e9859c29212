//! The four kinds of passes on the loop dialect, and their drivers.
//!
//! A pass has the smallest kind whose scope suffices:
//! - [`FunctionPass`]: a function;
//! - [`BlockPass`]: a block, which is the list of statements between two braces;
//! - [`StmtPass`]: a statement, which is an op with an effect: a loop, a schedule block, a `loop.if` without results,
//!   `loop.init`, `loop.sync`, `loop.buffer`, a store, a call;
//! - [`ExprPass`]: an affine expression of a statement: an extent, a binding, a condition, an index.
//!
//! Blocks and statements are visited after those nested in them, statements in program order. So a pass sees the
//! changes that it has made to nested ones. A pass may change or erase the op that it is given and the ops nested in
//! it, and may insert statements before that op. It may change nothing else.

use crate::dialect::block_axes;
use crate::dialect::loop_enums::LoopKind;
use crate::dialect::loop_op::{For, If, ScheduleBlock};
use crate::dialect::region;
use crate::ffi::pass::PassRun;
use crate::ir::affine::{Constraint, Expr};
use crate::ir::{Block, Builder, Error, Op, Value, parents, scope_of, walk};
use crate::nest::edit;
use std::iter::once;

/// The statistics of a pass run: one counter per statistic of its row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts(Vec<u64>);

impl Counts {
    /// Adds to the statistic with this index in the row.
    pub fn add(&mut self, statistic: usize, n: u64) {
        if self.0.len() <= statistic {
            self.0.resize(statistic + 1, 0);
        }
        self.0[statistic] += n;
    }

    /// The value of the statistic with this index in the row.
    pub fn of(&self, statistic: usize) -> u64 {
        self.0.get(statistic).copied().unwrap_or(0)
    }

    /// Adds the counters of another run.
    pub fn join(&mut self, other: &Counts) {
        other.0.iter().enumerate().for_each(|(i, n)| self.add(i, *n));
    }

    /// True if all counters are zero.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|n| *n == 0)
    }

    fn report(&self, run: &PassRun) {
        self.0.iter().enumerate().for_each(|(i, n)| run.count(i, *n));
    }
}

/// A pass that needs a whole function.
pub trait FunctionPass {
    /// # Errors
    /// At the op that the pass cannot handle; the function may have been changed.
    fn run<'c>(&mut self, function: Op<'c>, counts: &mut Counts) -> Result<(), Error<'c>>;
}

/// A pass that handles each block of a function separately.
pub trait BlockPass: Default {
    /// # Errors
    /// See [`FunctionPass::run`].
    fn run<'c>(&mut self, block: Block<'c>, counts: &mut Counts) -> Result<(), Error<'c>>;
}

/// A pass that handles each statement of a function separately.
pub trait StmtPass: Default {
    /// # Errors
    /// See [`FunctionPass::run`].
    fn run<'c>(&mut self, statement: Op<'c>, counts: &mut Counts) -> Result<(), Error<'c>>;
}

/// A pass that handles each expression of a function separately.
pub trait ExprPass: Default {
    /// The replacement of an expression; `None` keeps it. `interval` gives the value interval of a dim or symbol,
    /// where it is known.
    fn run(
        &mut self,
        expr: &Expr,
        interval: &dyn Fn(&Expr) -> Option<(i64, i64)>,
        counts: &mut Counts,
    ) -> Option<Expr>;
}

/// The `run` function in the table row of a [`FunctionPass`].
#[expect(clippy::result_unit_err, reason = "the errors are diagnostics")]
pub fn run_function<P: FunctionPass + Default>(op: Op, run: &PassRun) -> Result<(), ()> {
    run_with(P::default(), op, run)
}

/// The `run` function in the table row of a [`FunctionPass`] with options.
#[expect(clippy::result_unit_err, reason = "the errors are diagnostics")]
pub fn run_with(mut pass: impl FunctionPass, op: Op, run: &PassRun) -> Result<(), ()> {
    block_axes::forget(op);
    reported(run, |counts| pass.run(op, counts))
}

/// The `run` function in the table row of a [`BlockPass`].
#[expect(clippy::result_unit_err, reason = "the errors are diagnostics")]
pub fn run_blocks<P: BlockPass>(op: Op, run: &PassRun) -> Result<(), ()> {
    block_axes::forget(op);
    reported(run, |counts| on_blocks(&mut P::default(), op, counts))
}

/// The `run` function in the table row of a [`StmtPass`].
#[expect(clippy::result_unit_err, reason = "the errors are diagnostics")]
pub fn run_statements<P: StmtPass>(op: Op, run: &PassRun) -> Result<(), ()> {
    block_axes::forget(op);
    reported(run, |counts| on_statements(&mut P::default(), op, counts))
}

/// Runs a pass, and reports its statistics and its error.
#[expect(clippy::result_unit_err, reason = "the errors are diagnostics")]
pub fn reported<'c>(
    run: &PassRun,
    work: impl FnOnce(&mut Counts) -> Result<(), Error<'c>>,
) -> Result<(), ()> {
    let mut counts = Counts::default();
    let outcome = work(&mut counts);
    counts.report(run);
    outcome.map_err(|error| error.emit())
}

/// Visits an op and all statements nested in it. Calls `before` on a statement ahead of its nested statements, and
/// `after` behind them.
pub fn visit<'c>(
    op: Op<'c>,
    before: &mut dyn FnMut(Op<'c>) -> Result<(), Error<'c>>,
    after: &mut dyn FnMut(Op<'c>) -> Result<(), Error<'c>>,
) -> Result<(), Error<'c>> {
    if is_statement(op) {
        before(op)?;
    }
    for block in op.regions().into_iter().flat_map(|region| region.blocks()) {
        for inner in block.ops() {
            visit(inner, before, after)?;
        }
    }
    if is_statement(op) { after(op) } else { Ok(()) }
}

/// Runs a pass on all blocks of a function.
///
/// # Errors
/// The first error of the pass.
pub fn on_blocks<'c>(
    pass: &mut impl BlockPass,
    function: Op<'c>,
    counts: &mut Counts,
) -> Result<(), Error<'c>> {
    let mut blocks = vec![];
    for op in walk(function) {
        blocks.extend(op.regions().into_iter().flat_map(|region| region.blocks()));
    }
    // An enclosing block precedes the blocks nested in it.
    blocks.into_iter().rev().try_for_each(|block| pass.run(block, counts))
}

/// Runs a pass on all statements of a function.
///
/// # Errors
/// The first error of the pass.
pub fn on_statements<'c>(
    pass: &mut impl StmtPass,
    function: Op<'c>,
    counts: &mut Counts,
) -> Result<(), Error<'c>> {
    visit(function, &mut |_| Ok(()), &mut |op| match op == function {
        true => Ok(()),
        false => pass.run(op, counts),
    })
}

/// Runs a pass on all expressions of a function.
///
/// # Errors
/// If an op of the dialect is not valid.
pub fn on_expressions<'c>(
    pass: &mut impl ExprPass,
    function: Op<'c>,
    counts: &mut Counts,
) -> Result<(), Error<'c>> {
    // The schedule blocks that enclose a changed op.
    let mut changed: Vec<Op<'c>> = vec![];
    for op in walk(function) {
        let parent = op.parent();
        let is_changed = match op.name() {
            For::NAME => {
                let view = For::of(op)?;
                let at = Operands::new(&view.operands, view.extent.dims);
                let extent = at.replaced(pass, &view.extent.results, counts);
                if let Some(extent) = &extent {
                    edit::set_loop_extent(op, extent, (at.dims, at.symbols));
                }
                extent.is_some()
            }
            If::NAME => {
                let view = If::of(op)?;
                let at = Operands::new(&view.operands, view.condition.dims);
                let new = at.conditions(pass, &view.condition.constraints, counts);
                if let Some(new) = &new {
                    edit::set_condition_of(op, new, (at.dims, at.symbols));
                }
                new.is_some()
            }
            ScheduleBlock::NAME => {
                let view = ScheduleBlock::of(op)?;
                let at = Operands { dims: &view.binds, symbols: &view.sizes };
                let predicate = view.predicate.clone().map(|set| set.constraints);
                let predicate = predicate.unwrap_or_default();
                let binding = at.replaced(pass, &view.binding, counts);
                let conditions = at.conditions(pass, &predicate, counts);
                let is_changed = binding.is_some() || conditions.is_some();
                if is_changed {
                    let binding = binding.unwrap_or(view.binding.clone());
                    let conditions = conditions.unwrap_or(predicate);
                    edit::set_binding_of(op, &binding, &conditions, (at.dims, at.symbols));
                }
                is_changed
            }
            "affine.apply" => index(pass, op, counts),
            _ => false,
        };
        if is_changed {
            let around = parent.into_iter().flat_map(|outer| once(outer).chain(parents(outer)));
            changed.extend(around.filter(|outer| outer.is(ScheduleBlock::NAME)));
        }
    }
    // Derive the access regions again where the declared ones do not provably contain the new indices. Inner blocks
    // first.
    for op in walk(function).into_iter().rev().filter(|op| changed.contains(op)) {
        if !region::are_declared(&ScheduleBlock::of(op)?) {
            edit::derive_regions(op);
        }
    }
    Ok(())
}

/// Replaces an index that is computed in the body of a schedule block. Returns true if it changed.
fn index<'c>(pass: &mut impl ExprPass, op: Op<'c>, counts: &mut Counts) -> bool {
    let Some(map) = op.attribute("map").and_then(|map| map.as_map()) else { return false };
    let operands = op.operands();
    let at = Operands::new(&operands, map.dims);
    let Some(new) = at.replaced(pass, &map.results, counts) else { return false };
    let value = Builder::before(op, op.location()).apply(&new[0], at.dims, at.symbols);
    op.result(0).replace_all_uses_with(value);
    op.erase();
    true
}

/// The operands of expressions.
#[derive(Clone, Copy, Debug)]
struct Operands<'c, 'a> {
    dims: &'a [Value<'c>],
    symbols: &'a [Value<'c>],
}

impl<'c, 'a> Operands<'c, 'a> {
    fn new(operands: &'a [Value<'c>], dims: usize) -> Self {
        let (dims, symbols) = operands.split_at(dims);
        Operands { dims, symbols }
    }

    /// All expressions, old and new, if the pass changes at least one of them.
    fn replaced(
        &self,
        pass: &mut impl ExprPass,
        exprs: &[Expr],
        counts: &mut Counts,
    ) -> Option<Vec<Expr>> {
        let mut is_changed = false;
        let mut replaced = vec![];
        for expr in exprs {
            let new = pass.run(expr, &|leaf| self.interval(leaf), counts);
            is_changed |= new.is_some();
            replaced.push(new.unwrap_or(expr.clone()));
        }
        is_changed.then_some(replaced)
    }

    fn conditions(
        &self,
        pass: &mut impl ExprPass,
        conditions: &[Constraint],
        counts: &mut Counts,
    ) -> Option<Vec<Constraint>> {
        let exprs: Vec<Expr> = conditions.iter().map(|c| c.expr().clone()).collect();
        let new = self.replaced(pass, &exprs, counts)?;
        Some(conditions.iter().zip(new).map(|(condition, expr)| condition.on(expr)).collect())
    }

    fn interval(&self, leaf: &Expr) -> Option<(i64, i64)> {
        match leaf {
            Expr::Dim(i) => interval(self.dims[*i]),
            Expr::Symbol(i) => interval(self.symbols[*i]),
            _ => None,
        }
    }
}

/// The value interval, inclusive at both ends, of a loop variable, a block iter or a size, where constant bounds
/// determine one. The interval of the variable of a loop without iterations is `(0, 0)`.
pub fn interval(value: Value) -> Option<(i64, i64)> {
    if let Some(op) = value.defining_op() {
        return match op.name() {
            "arith.constant" => op.attribute("value")?.as_i64().map(|number| (number, number)),
            "memref.dim" => Some((0, i64::MAX)),
            _ => None,
        };
    }
    let scope = scope_of(value)?;
    // Read one attribute, not the whole view of the op: this runs for each leaf of each expression.
    let bounds = match scope.name() {
        For::NAME => scope.attribute("extent")?.as_map()?,
        ScheduleBlock::NAME => {
            scope.attribute("domains")?.as_array()?.get(value.index())?.as_map()?
        }
        _ => return None,
    };
    let numbers: Option<Vec<i64>> = bounds.results.iter().map(Expr::constant).collect();
    let highest = numbers.and_then(|numbers| numbers.into_iter().min()).or_else(|| {
        // The operands of a loop begin with its dims and sizes, those of a schedule block with its sizes.
        let operands = scope.operands();
        let at = Operands::new(&operands, bounds.dims);
        let of = |e: &Expr| e.interval(&|leaf| at.interval(leaf)).map(|(_, high)| high);
        bounds.results.iter().filter_map(of).min()
    })?;
    Some((0, highest.max(1) - 1))
}

/// True if `op` is a kernel. In a function with [kernels](has_kernels), each statement at function level is one. Its
/// shared buffers and the order of its thread blocks depend on it, because only the end of a kernel waits for all
/// thread blocks.
pub fn is_kernel(op: Op) -> bool {
    op.parent().is_some_and(|function| function.is("func.func") && has_kernels(function))
}

/// True if a function has loops that are bound to threads.
pub fn has_kernels(function: Op) -> bool {
    let is_bound = |inner: &Op| {
        inner.is(For::NAME) && For::of(*inner).is_ok_and(|this| this.kind == LoopKind::ThreadBind)
    };
    walk(function).iter().any(is_bound)
}

/// True if `op` has an effect; false if it only computes a value.
pub fn is_statement(op: Op) -> bool {
    match op.name() {
        "loop.yield" | "func.return" | "memref.load" => false,
        // A branch that yields values is an expression.
        If::NAME => op.results().is_empty(),
        "func.call" => true,
        _ => !op.regions().is_empty() || !op.has_no_effects(),
    }
}
