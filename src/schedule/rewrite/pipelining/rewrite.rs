//! Emits the prologue and epilogue of a pipelined loop, and rewrites the loop's body.

use super::{Plan, statements, tile, versions};
use crate::dialect::loop_op::{For, If, ScheduleBlock, yield_op};
use crate::ir::affine::{Constraint, Expr, IntegerSet, Map};
use crate::ir::{Attribute, Block, Error, Op, walk};
use crate::nest::buffer_remap;
use crate::nest::derived_name;
use crate::nest::edit;
use crate::nest::edit::BoundExpr;
use crate::nest::facts::boxes;
use crate::nest::summary::NodeId;
use crate::schedule::State;

/// The state of the rewrite of one loop.
struct Writer<'s, 'c> {
    state: &'s mut State<'c>,
    plan: &'s Plan,
    statements: Vec<NodeId>,
    /// The names that new schedule blocks have got.
    taken: Vec<String>,
}

/// The statements of a prologue or epilogue section, selected by stage.
struct Section<'s> {
    /// The suffix of the names of their schedule blocks.
    suffix: &'s str,
    /// The iteration that statements of a stage work on.
    at: &'s dyn Fn(i64) -> Expr,
    runs: &'s dyn Fn(i64) -> bool,
    /// True if that is the first iteration of a statement.
    first: &'s dyn Fn(i64) -> bool,
}

/// Rewrites a loop into a pipeline. The loop's op is kept, and so are its statements.
pub fn apply<'c>(state: &mut State<'c>, plan: &Plan) -> Result<(), Error<'c>> {
    for buffer in &plan.fitted {
        if let Some(new) = tile::of(state.summary(), plan.node, *buffer) {
            buffer_remap::apply(state, &new)?;
        }
    }
    for version in &plan.versions {
        versions::give(state, plan.node, version)?;
    }
    let statements = statements(state.summary(), plan.node);
    let mut writer = Writer { state, plan, statements, taken: vec![] };
    writer.leave_for_few()?;
    writer.write()
}

impl<'c> Writer<'_, 'c> {
    fn op(&self) -> Op<'c> {
        self.state.op(self.plan.node)
    }

    fn extent(&self) -> Expr {
        self.state.summary().as_loop(self.plan.node).expect("a loop").extent[0].clone()
    }

    /// Emits a branch if needed: the pipeline for enough iterations, otherwise a copy of the original loop.
    fn leave_for_few(&mut self) -> Result<(), Error<'c>> {
        let stages = &self.plan.stages;
        // The new loop starts a reduction that is in the last stage, so the loop must have an iteration.
        let is_of_last = |i: usize| stages.stage[i] == stages.last();
        let starts_in_loop = self.plan.started.iter().any(|id| {
            let holds = |statement: &NodeId| self.state.summary().under(*statement).contains(id);
            self.statements.iter().position(holds).is_some_and(is_of_last)
        });
        let least = stages.last() + i64::from(starts_in_loop);
        // Without a prologue no statement runs too early.
        let is_enough = least == 0 || self.extent().constant().is_some();
        if is_enough || boxes::at_least(self.state.summary(), &self.extent(), &least.into()) {
            return Ok(());
        }
        let (op, location) = (self.op(), self.op().location());
        let (dims, symbols) = (self.state.variables().len(), self.state.sizes().len());
        let enough = (self.extent() - least.into()).simplified();
        let map = Map { dims, symbols, results: vec![enough] };
        let (map, operands) = map.compressed(self.state.variables(), self.state.sizes());
        let constraints = map.results.into_iter().map(Constraint::NonNegative).collect();
        let condition = IntegerSet { dims: map.dims, symbols: map.symbols, constraints };
        let bodies = [Block::new(&[]), Block::new(&[])];
        bodies.iter().for_each(|body| body.append(yield_op(location, &[])));
        let branch = If::create(location, &condition, &operands, &[], bodies[0], bodies[1]);
        op.block().expect("a loop stands in a block").insert_before(op, branch);
        let [enough, few] = bodies.map(|body| body.end());
        let copy = op.clone_mapped(&[]);
        bodies[1].insert_before(few, copy);
        self.rename(copy, "fallback");
        op.move_before(enough);
        Ok(())
    }

    fn write(&mut self) -> Result<(), Error<'c>> {
        let (op, extent) = (self.op(), self.extent());
        let last = self.plan.stages.last();
        let behind = op.next().expect("a terminator comes after a loop");
        if self.plan.clashes.starts_with_barrier {
            edit::insert_barrier(op, op.location());
        }
        for time in 0..last {
            let section = Section {
                suffix: "prologue",
                at: &|stage| Expr::Constant(time - stage),
                runs: &|stage| stage <= time,
                first: &|stage| stage == time,
            };
            self.section(op, &section)?;
        }
        for time in 0..last {
            let at = |stage: i64| (extent.clone() + (time - stage).into()).simplified();
            let section = Section {
                suffix: "epilogue",
                at: &at,
                runs: &|stage| stage > time,
                first: &|stage| at(stage).constant() == Some(0),
            };
            self.section(behind, &section)?;
        }
        // If the extent equals the last stage, no iterations remain for the new loop.
        if last > 0 && extent.constant() == Some(last) {
            self.state.rewriter.erase(op);
            return Ok(());
        }
        self.body()
    }

    /// Rewrites the loop's body.
    fn body(&mut self) -> Result<(), Error<'c>> {
        let op = self.op();
        let view = For::of(op)?;
        let last = self.plan.stages.last();
        let fewer = (self.extent() - last.into()).simplified();
        let barriers: Vec<Op> =
            view.body.ops().into_iter().filter(|op| op.is("loop.sync")).collect();
        barriers.into_iter().for_each(|op| self.state.rewriter.erase(op));
        edit::set_loop_extent(op, &[fewer], (self.state.variables(), self.state.sizes()));
        let end = view.body.end();
        let mut open: Vec<usize> = vec![];
        for i in self.plan.stages.order.iter().copied() {
            let stage = self.plan.stages.stage[i];
            self.separate(&mut open, i, end);
            let statement = self.state.op(self.statements[i]);
            statement.move_before(end);
            if stage != last {
                self.go_on(statement, statement)?;
                let expr = Expr::Dim(0) + (last - stage).into();
                let by = BoundExpr { expr, variables: vec![view.variable()], sizes: vec![] };
                edit::replace_variable_in(statement, view.variable(), &by);
            }
            edit::widen_regions(statement);
        }
        if self.plan.clashes.has_barriers {
            edit::insert_barrier(end, end.location());
        }
        edit::widen_regions(op);
        Ok(())
    }

    /// Emits copies of the statements of a section before an op.
    fn section(&mut self, place: Op<'c>, section: &Section) -> Result<(), Error<'c>> {
        let view = For::of(self.op())?;
        let mut open: Vec<usize> = vec![];
        for i in self.plan.stages.order.iter().copied() {
            let stage = self.plan.stages.stage[i];
            if !(section.runs)(stage) {
                continue;
            }
            self.separate(&mut open, i, place);
            let old = self.state.op(self.statements[i]);
            let copy = old.clone_mapped(&[]);
            place.block().expect("it stands in a block").insert_before(place, copy);
            self.rename(copy, section.suffix);
            if !(section.first)(stage) {
                self.go_on(old, copy)?;
            }
            let variables = self.state.variables().to_vec();
            let expr = (section.at)(stage);
            let by = BoundExpr { expr, variables, sizes: self.state.sizes().to_vec() };
            edit::replace_variable_in(copy, view.variable(), &by);
            edit::widen_regions(copy);
        }
        if self.plan.clashes.has_barriers {
            edit::insert_barrier(place, place.location());
        }
        Ok(())
    }

    /// Emits a barrier before an op if the next statement conflicts with one since the last barrier.
    fn separate(&self, open: &mut Vec<usize>, i: usize, place: Op<'c>) {
        let stage = |i: usize| self.plan.stages.stage[i];
        let clash = |j: &usize| self.plan.clashes.are(*j, i, stage(*j) - stage(i));
        if self.plan.clashes.has_barriers && open.iter().any(clash) {
            edit::insert_barrier(place, place.location());
            open.clear();
        }
        open.push(i);
    }

    fn rename(&mut self, copy: Op<'c>, suffix: &str) {
        let summary = self.state.summary();
        for block in walk(copy).into_iter().filter(|op| op.is(ScheduleBlock::NAME)) {
            let old = block.attribute("name").and_then(Attribute::as_str).unwrap_or_default();
            let new = derived_name::new_block(summary, &self.taken, format!("{old}.{suffix}"));
            block.set_attribute("name", Attribute::string(block.context(), &new));
            self.taken.push(new);
        }
    }

    /// Removes the `loop.init` of reductions that another copy has started.
    fn go_on(&self, old: Op<'c>, copy: Op<'c>) -> Result<(), Error<'c>> {
        for (old, copy) in walk(old).into_iter().zip(walk(copy)).rev() {
            if self.plan.started.iter().any(|id| self.state.op(*id) == old) {
                let init = ScheduleBlock::of(copy)?.init().expect("the block has one");
                init.erase();
                edit::derive_regions(copy);
                edit::widen_regions(copy);
            }
        }
        Ok(())
    }
}
