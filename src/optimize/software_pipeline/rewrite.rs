//! Writes prologue, body and epilogue.

use super::model::Clashes;
use super::{Stages, statements};
use crate::dialect::loop_op::{For, ForSpec, If, ScheduleBlock, yield_op};
use crate::ir::affine::{Constraint, Expr, Map, Set};
use crate::ir::{Attribute, Block, Error, Op, OpSpec, walk};
use crate::schedule::State;
use crate::schedule::edit::{self, Bound};
use crate::schedule::name;
use crate::schedule::summary::NodeId;

/// A loop while it becomes a pipeline.
struct Writer<'s, 'c> {
    state: &'s State<'c>,
    node: NodeId,
    stages: &'s Stages,
    started: &'s [NodeId],
    clashes: &'s Clashes,
    statements: Vec<NodeId>,
    /// The names of schedule blocks that have been given.
    taken: Vec<String>,
}

pub fn apply<'c>(
    state: &State<'c>,
    node: NodeId,
    stages: &Stages,
    started: &[NodeId],
    clashes: &Clashes,
) -> Result<(), Error<'c>> {
    let op = state.op(node);
    let this = state.summary().as_loop(node).expect("a loop");
    let statements = statements(state.summary(), node);
    let taken = vec![];
    let mut writer = Writer { state, node, stages, started, clashes, statements, taken };
    if this.constant_extent().is_some() {
        writer.write(op)?;
        op.erase();
        return Ok(());
    }
    // Enough iterations, or the loop as it was.
    let location = op.location();
    let (dims, symbols) = (state.variables().len(), state.sizes().len());
    // What starts a reduction in the last stage does so in the new loop, which must run then.
    let is_of_last = |i: usize| stages.stage[i] == stages.last();
    let starts_in_loop = started.iter().any(|id| {
        let holds = |statement: &NodeId| state.summary().under(*statement).contains(id);
        writer.statements.iter().position(holds).is_some_and(is_of_last)
    });
    let least = stages.last() + i64::from(starts_in_loop);
    let enough = (this.extent[0].clone() - least.into()).simplified();
    let map = Map { dims, symbols, results: vec![enough] };
    let (map, operands) = map.compressed(state.variables(), state.sizes());
    let constraints = map.results.into_iter().map(Constraint::NonNegative).collect();
    let condition = Set { dims: map.dims, symbols: map.symbols, constraints };
    let bodies = [Block::new(&[]), Block::new(&[])];
    bodies.iter().for_each(|body| body.append(yield_op(location, &[])));
    let branch = If::create(location, &condition, &operands, &[], bodies[0], bodies[1]);
    op.block().expect("a loop stands in a block").insert_before(op, branch);
    op.move_before(bodies[1].terminator().expect("a branch ends in a yield"));
    writer.write(bodies[0].terminator().expect("a branch ends in a yield"))
}

impl<'c> Writer<'_, 'c> {
    /// Writes all before an op.
    fn write(&mut self, place: Op<'c>) -> Result<(), Error<'c>> {
        let this = self.state.summary().as_loop(self.node).expect("a loop");
        let (extent, last) = (this.extent[0].clone(), self.stages.last());
        if self.clashes.starts_with_barrier {
            barrier(place);
        }
        for time in 0..last {
            let at = |stage: i64| Expr::Constant(time - stage);
            let runs = |stage: i64| stage <= time;
            let first = |stage: i64| stage == time;
            self.section(place, (&at, &[], &runs, &first))?;
        }
        // Of as many iterations as stages the new loop would have none.
        if last == 0 || this.constant_extent() != Some(last) {
            self.body(place)?;
        }
        for time in 0..last {
            let at = |stage: i64| extent.clone() + (time - stage).into();
            let runs = |stage: i64| stage > time;
            let first = |stage: i64| at(stage).simplified().constant() == Some(0);
            self.section(place, (&at, &[], &runs, &first))?;
        }
        Ok(())
    }

    /// The new loop.
    fn body(&mut self, place: Op<'c>) -> Result<(), Error<'c>> {
        let op = self.state.op(self.node);
        let this = self.state.summary().as_loop(self.node).expect("a loop");
        let (variables, sizes) = (self.state.variables(), self.state.sizes());
        let last = self.stages.last();
        let fewer = (this.extent[0].clone() - last.into()).simplified();
        let map = Map { dims: variables.len(), symbols: sizes.len(), results: vec![fewer] };
        let spec = ForSpec {
            name: &this.name,
            extent: &map,
            dims: variables,
            sizes,
            axis: this.axis.clone(),
        };
        let body = spec.create(op.location());
        for (name, value) in op.discardable_attributes() {
            body.set_attribute(name, value);
        }
        place.block().expect("it stands in a block").insert_before(place, body);
        let view = For::of(body)?;
        let own = variables.len();
        let at = |stage: i64| Expr::Dim(own) + (last - stage).into();
        let first = |stage: i64| stage == last;
        let end = view.body.terminator().expect("a loop's body ends in a yield");
        self.section(end, (&at, &[view.variable()], &|_| true, &first))?;
        edit::widen_regions(body);
        Ok(())
    }

    /// The statements of which `runs` says so of their stage, each in the iteration that `at` tells; `first`: is
    /// that the first one of a statement?
    #[expect(clippy::type_complexity, reason = "what a section is")]
    fn section(
        &mut self,
        place: Op<'c>,
        (at, more, runs, first): (
            &dyn Fn(i64) -> Expr,
            &[crate::ir::Value<'c>],
            &dyn Fn(i64) -> bool,
            &dyn Fn(i64) -> bool,
        ),
    ) -> Result<(), Error<'c>> {
        let view = For::of(self.state.op(self.node))?;
        let mut open: Vec<usize> = vec![];
        for i in self.stages.order.iter().copied() {
            let stage = self.stages.stage[i];
            if !runs(stage) {
                continue;
            }
            let clash = |j: &usize| self.clashes.are(*j, i, self.stages.stage[*j] - stage);
            if self.clashes.has_barriers && open.iter().any(clash) {
                barrier(place);
                open.clear();
            }
            open.push(i);
            let old = self.state.op(self.statements[i]);
            let copy = old.clone_mapped(&[]);
            place.block().expect("it stands in a block").insert_before(place, copy);
            self.rename(copy);
            if !first(stage) {
                self.go_on(old, copy)?;
            }
            let variables = [self.state.variables(), more].concat();
            let expr = at(stage).simplified();
            let by = Bound { expr, variables, sizes: self.state.sizes().to_vec() };
            edit::replace_variable_in(copy, view.variable(), &by);
            edit::widen_regions(copy);
        }
        if self.clashes.has_barriers {
            barrier(place);
        }
        Ok(())
    }

    fn rename(&mut self, copy: Op<'c>) {
        let summary = self.state.summary();
        for block in walk(copy).into_iter().filter(|op| op.is(ScheduleBlock::NAME)) {
            let old = block.attribute("name").and_then(Attribute::as_str).unwrap_or_default();
            let new = name::new_block(summary, &self.taken, format!("{old}.stage"));
            block.set_attribute("name", Attribute::string(block.context(), &new));
            self.taken.push(new);
        }
    }

    /// What another copy has started goes on.
    fn go_on(&self, old: Op<'c>, copy: Op<'c>) -> Result<(), Error<'c>> {
        for (old, copy) in walk(old).into_iter().zip(walk(copy)).rev() {
            if self.started.iter().any(|id| self.state.op(*id) == old) {
                let init = ScheduleBlock::of(copy)?.init().expect("the block has one");
                init.erase();
                edit::derive_regions(copy);
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
