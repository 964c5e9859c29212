//! Runs leaf bodies: each step in all active lanes before the next step.

use super::execute::Machine;
use super::program::*;
use super::shadow::OrderedInstance;
use super::thread::{LockstepThread, ThreadLane, condition, describe, evaluate, int, scalar, set};
use crate::interpreter::race::Use;
use crate::interpreter::scalar::Scalar;
use crate::interpreter::structured::assertion;
use crate::ir::affine::Expr;
use crate::ir::{Attribute, Error, Op};
use std::rc::Rc;

/// What the accesses of the running instances of a block are checked against; reused for each set of instances.
#[derive(Default)]
pub struct LeafFrame {
    /// The bounds of all dimensions of all regions, lane by lane: first index, and one past the last.
    bounds: Vec<(i64, i64)>,
    per_lane: usize,
    /// The instance of each lane; only in nests with unordered loops.
    pub instances: Vec<Option<Rc<OrderedInstance>>>,
    /// The instance of each lane for updates of a cross-thread reduction.
    pub together: Vec<Option<Rc<OrderedInstance>>>,
}

impl LeafFrame {
    pub fn clear(&mut self, lanes: usize, block: &ProgramBlock) {
        self.per_lane = block.regions.iter().map(|region| region.spans.len()).sum();
        self.bounds.clear();
        self.bounds.resize(lanes * self.per_lane, (0, 0));
        self.instances.clear();
        self.instances.resize(lanes, None);
        self.together.clear();
        self.together.resize(lanes, None);
    }

    /// The spans of all regions with their entries in `bounds`.
    pub fn spans<'a>(
        &'a mut self,
        lane: usize,
        block: &'a ProgramBlock,
    ) -> impl Iterator<Item = (&'a Option<(Expr, Expr)>, &'a mut (i64, i64))> {
        let from = lane * self.per_lane;
        let spans = block.regions.iter().flat_map(|region| &region.spans);
        spans.zip(&mut self.bounds[from..from + self.per_lane])
    }

    /// True if an element is in a declared region. A read may also be in a written region, that of an accumulator.
    fn allows(&self, lane: usize, block: &ProgramBlock, access: &LaneAccess) -> bool {
        let mut at = lane * self.per_lane;
        for region in &block.regions {
            let bounds = &self.bounds[at..at + region.spans.len()];
            at += region.spans.len();
            if region.buffer == access.buffer
                && (region.is_write || !access.is_write)
                && access.indices.iter().zip(bounds).all(|(i, (from, to))| from <= i && i < to)
            {
                return true;
            }
        }
        false
    }
}

/// A load or store of one lane.
struct LaneAccess<'a, 'c> {
    op: Op<'c>,
    buffer: usize,
    indices: &'a [i64],
    is_write: bool,
}

type LeafResult<'c> = Result<(), Error<'c>>;

impl<'c> Machine<'_, 'c> {
    /// Runs steps in the active lanes.
    pub(super) fn steps(
        &mut self,
        block: &ProgramBlock<'c>,
        steps: &[LeafStep<'c>],
        thread: &mut LockstepThread,
        active: &[usize],
    ) -> LeafResult<'c> {
        for step in steps {
            if let LeafStep::If(branch) = step {
                self.branch_in_leaf(block, branch, thread, active)?;
            } else if let LeafStep::ControlFlow(inner) = step {
                self.control_flow(block, inner, thread, active)?;
            } else if let [lane] = active {
                self.step(block, step, thread, *lane)?;
            } else {
                for lane in self.lane_order(active) {
                    self.step(block, step, thread, lane)?;
                }
            }
        }
        Ok(())
    }

    fn branch_in_leaf(
        &mut self,
        block: &ProgramBlock<'c>,
        branch: &ProgramBranch<'c, Vec<LeafStep<'c>>>,
        thread: &mut LockstepThread,
        active: &[usize],
    ) -> LeafResult<'c> {
        let (mut taken, mut others) = (vec![], vec![]);
        for lane in active {
            match condition(branch, &thread.lanes[*lane])? {
                true => taken.push(*lane),
                false => others.push(*lane),
            }
        }
        for (body, lanes) in [(&branch.then_body, taken), (&branch.else_body, others)] {
            if !lanes.is_empty() {
                self.steps(block, body, thread, &lanes)?;
            }
        }
        Ok(())
    }

    fn step(
        &mut self,
        block: &ProgramBlock<'c>,
        step: &LeafStep<'c>,
        thread: &mut LockstepThread,
        lane: usize,
    ) -> LeafResult<'c> {
        match step {
            LeafStep::Scalar { op, action, operands, to } => {
                if let Some(counter) = &mut self.counter {
                    counter.operation(action);
                }
                let state = &mut thread.lanes[lane];
                // Few ops have more than four operands; none of these has none.
                let mut values = [Scalar::Undefined; 4];
                for (value, operand) in values.iter_mut().zip(operands) {
                    *value = scalar(state, *operand);
                }
                let result = action.apply(&values[..operands.len().min(4)]).map_err(|message| {
                    let at = describe(block, &state.ints);
                    Error::on(*op, format!("{message}, in \"{}\" at {at}", block.name))
                })?;
                set(state, *to, result);
            }
            LeafStep::Apply { op, expr, operands, to } => {
                let state = &mut thread.lanes[lane];
                let dims: Option<Vec<i64>> = operands.iter().map(|o| int(state, *o)).collect();
                let value = dims.and_then(|dims| evaluate(expr, &dims)).ok_or_else(|| {
                    Error::on(*op, "overflows, or computes with an undefined value")
                })?;
                set(state, *to, Scalar::Int(value));
            }
            LeafStep::Copy { from, to } => {
                let state = &mut thread.lanes[lane];
                let value = scalar(state, *from);
                set(state, *to, value);
            }
            LeafStep::Load { op, buffer, indices, to } => {
                let offset = self.check(block, thread, lane, *op, *buffer, indices, false)?;
                let value = self.memory.array(*buffer, thread).borrow().cells[offset];
                set(&mut thread.lanes[lane], *to, value);
            }
            LeafStep::Store { op, value, buffer, indices } => {
                let offset = self.check(block, thread, lane, *op, *buffer, indices, true)?;
                let value = scalar(&thread.lanes[lane], *value);
                self.memory.array(*buffer, thread).borrow_mut().cells[offset] = value;
            }
            LeafStep::Assert { op, condition } => {
                let state = &thread.lanes[lane];
                let message = op.attribute("msg").and_then(Attribute::as_str).unwrap_or_default();
                assertion(scalar(state, *condition), message).map_err(|message| {
                    let at = describe(block, &state.ints);
                    Error::on(*op, format!("{message}, in \"{}\" at {at}", block.name))
                })?;
            }
            // These run in all lanes at once.
            LeafStep::If(_) | LeafStep::ControlFlow(_) => {}
        }
        Ok(())
    }

    /// The row-major offset of the accessed element, after all checks.
    #[expect(clippy::too_many_arguments, reason = "one load or store, taken apart by its caller")]
    fn check(
        &mut self,
        block: &ProgramBlock<'c>,
        thread: &LockstepThread,
        lane: usize,
        op: Op<'c>,
        buffer: usize,
        operands: &[ProgramOperand],
        is_write: bool,
    ) -> Result<usize, Error<'c>> {
        let state = &thread.lanes[lane];
        let mut places = [0i64; 8];
        let mut many = vec![];
        let indices: &[i64] = if operands.len() <= places.len() {
            for (place, operand) in places.iter_mut().zip(operands) {
                *place = int(state, *operand)
                    .ok_or_else(|| Error::on(op, "has an index that is undefined"))?;
            }
            &places[..operands.len()]
        } else {
            for operand in operands {
                let index = int(state, *operand);
                many.push(index.ok_or_else(|| Error::on(op, "has an index that is undefined"))?);
            }
            &many
        };
        let access = LaneAccess { op, buffer, indices, is_write };
        let array = self.memory.array(buffer, thread);
        let offset = array
            .borrow()
            .offset(indices)
            .ok_or_else(|| self.refusal(block, state, &access, "out of bounds"))?;
        if !self.frame.allows(lane, block, &access) {
            return Err(self.refusal(block, state, &access, "outside of its declared region"));
        }
        let is_update = block.across.as_ref().is_some_and(|across| across.into.contains(&buffer));
        let instances = if is_update { &self.frame.together } else { &self.frame.instances };
        let how = match (block.atomic.contains(&buffer), is_write) {
            // The load is recorded with the store, as one update.
            (true, false) => None,
            (true, true) => Some(Use::Update),
            (false, true) => Some(Use::Write),
            (false, false) => Some(Use::Read),
        };
        if let (Some(instance), Some(how)) = (instances[lane].clone(), how)
            && let Some((other, wrote)) = self.memory.record(buffer, thread, offset, &instance, how)
        {
            let word = |wrote| if wrote { "written" } else { "read" };
            let message = format!(
                "conflict on {}{indices:?}: {} by {} and {} by {}, which are unordered",
                self.buffer_name(buffer),
                word(wrote),
                self.place(&other),
                word(is_write),
                self.place(&instance),
            );
            return Err(Error::on(op, message));
        }
        if let Some(counter) = &mut self.counter {
            counter.access(&self.program.buffers[buffer], offset, is_write);
        }
        Ok(offset)
    }

    fn refusal(
        &self,
        block: &ProgramBlock<'c>,
        state: &ThreadLane,
        access: &LaneAccess<'_, 'c>,
        what: &str,
    ) -> Error<'c> {
        let verb = if access.is_write { "writes" } else { "reads" };
        let buffer = self.buffer_name(access.buffer);
        let at = describe(block, &state.ints);
        let indices = access.indices;
        Error::on(
            access.op,
            format!("{verb} {buffer}{indices:?}, {what}, in \"{}\" at {at}", block.name),
        )
    }
}
