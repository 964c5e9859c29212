//! Writes what comes before the loop and behind it, and makes the loop the body of the pipeline.

use super::{Plan, statements, tile, versions};
use crate::dialect::loop_op::{For, If, ScheduleBlock, yield_op};
use crate::ir::affine::{Constraint, Expr, Map, Set};
use crate::ir::{Attribute, Block, Error, Op, OpSpec, walk};
use crate::nest::buffer_remap;
use crate::nest::edit;
use crate::nest::edit::Bound;
use crate::nest::facts::boxes;
use crate::nest::summary::NodeId;
use crate::schedule::State;
use crate::schedule::name;

/// A loop while it becomes a pipeline.
struct Writer<'s, 'c> {
    state: &'s mut State<'c>,
    plan: &'s Plan,
    statements: Vec<NodeId>,
    /// The names of schedule blocks that have been given.
    taken: Vec<String>,
}

/// Statements that stand beside the loop, by what is said of their stages.
struct Section<'s> {
    /// What is added to the names of their schedule blocks.
    suffix: &'s str,
    /// The iteration that they work on.
    at: &'s dyn Fn(i64) -> Expr,
    runs: &'s dyn Fn(i64) -> bool,
    /// Is that the first one of a statement?
    first: &'s dyn Fn(i64) -> bool,
}

/// Makes a loop a pipeline. Its op stays, and so do the statements in it.
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

    /// Enough iterations, or the loop as it was.
    fn leave_for_few(&mut self) -> Result<(), Error<'c>> {
        let stages = &self.plan.stages;
        // What starts a reduction in the last stage does so in the new loop, which must run then.
        let is_of_last = |i: usize| stages.stage[i] == stages.last();
        let starts_in_loop = self.plan.started.iter().any(|id| {
            let holds = |statement: &NodeId| self.state.summary().under(*statement).contains(id);
            self.statements.iter().position(holds).is_some_and(is_of_last)
        });
        let least = stages.last() + i64::from(starts_in_loop);
        // Without a prologue nothing runs too early.
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
        let condition = Set { dims: map.dims, symbols: map.symbols, constraints };
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
            barrier(op);
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
        // Of as many iterations as stages the new loop would have none.
        if last > 0 && extent.constant() == Some(last) {
            self.state.rewriter.erase(op);
            return Ok(());
        }
        self.body()
    }

    /// Makes the loop the new one.
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
                let by = Bound { expr, variables: vec![view.variable()], sizes: vec![] };
                edit::replace_variable_in(statement, view.variable(), &by);
            }
            edit::widen_regions(statement);
        }
        if self.plan.clashes.has_barriers {
            barrier(end);
        }
        edit::widen_regions(op);
        Ok(())
    }

    /// Copies of the statements of a section, before an op.
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
            let by = Bound { expr, variables, sizes: self.state.sizes().to_vec() };
            edit::replace_variable_in(copy, view.variable(), &by);
            edit::widen_regions(copy);
        }
        if self.plan.clashes.has_barriers {
            barrier(place);
        }
        Ok(())
    }

    /// A barrier before a place if what comes there clashes with what stands since the last one.
    fn separate(&self, open: &mut Vec<usize>, i: usize, place: Op<'c>) {
        let stage = |i: usize| self.plan.stages.stage[i];
        let clash = |j: &usize| self.plan.clashes.are(*j, i, stage(*j) - stage(i));
        if self.plan.clashes.has_barriers && open.iter().any(clash) {
            barrier(place);
            open.clear();
        }
        open.push(i);
    }

    fn rename(&mut self, copy: Op<'c>, suffix: &str) {
        let summary = self.state.summary();
        for block in walk(copy).into_iter().filter(|op| op.is(ScheduleBlock::NAME)) {
            let old = block.attribute("name").and_then(Attribute::as_str).unwrap_or_default();
            let new = name::new_block(summary, &self.taken, format!("{old}.{suffix}"));
            block.set_attribute("name", Attribute::string(block.context(), &new));
            self.taken.push(new);
        }
    }

    /// What another copy has started goes on.
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

fn barrier(place: Op) {
    let sync = OpSpec::new("loop.sync", place.location());
    let op = sync.create().expect("the loop dialect is loaded");
    place.block().expect("it stands in a block").insert_before(place, op);
}
