//! `scf.if`, `scf.for` and `scf.while` in functions that a leaf body calls: decoded, and run in lanes that take different
//! branches and leave a loop one by one.

use super::decode::NestDecoder;
use super::execute::{ExecutionResult, Machine};
use super::program::*;
use super::thread::{LockstepThread, int, scalar, set};
use crate::interpreter::scalar::Scalar;
use crate::ir::{Error, Op};

impl<'c> NestDecoder<'_, 'c> {
    pub(super) fn control_flow(&mut self, op: Op<'c>) -> Result<LeafControlFlow<'c>, Error<'c>> {
        if op.attribute("unsignedCmp").is_some() {
            let message = "compares unsigned, which the interpreter does not support";
            return Err(Error::beyond(op, message));
        }
        let operands = self.operands(op, &op.operands())?;
        let mut regions = vec![];
        for body in op.regions().into_iter().flat_map(|region| region.blocks()) {
            let arguments = body.arguments().into_iter().map(|value| self.new_scalar(value));
            let arguments = arguments.collect();
            let steps = self.steps(body)?;
            let yields = body.terminator().map(|end| end.operands()).unwrap_or_default();
            let yields = self.operands(op, &yields)?;
            regions.push(LeafRegion { arguments, steps, yields });
        }
        let results = op.results().into_iter().map(|value| self.new_scalar(value)).collect();
        Ok(LeafControlFlow { op, operands, regions, results })
    }
}

impl<'c> Machine<'_, 'c> {
    /// Runs control flow in the active lanes.
    pub(super) fn control_flow(
        &mut self,
        block: &ProgramBlock<'c>,
        step: &LeafControlFlow<'c>,
        thread: &mut LockstepThread,
        active: &[usize],
    ) -> ExecutionResult<'c> {
        match step.op.name() {
            "scf.for" => self.count_in_lanes(block, step, thread, active),
            "scf.while" => self.repeat_in_lanes(block, step, thread, active),
            _ => {
                let (then, otherwise) = split(step, step.operands[0], thread, active)?;
                for (i, lanes) in [then, otherwise].into_iter().enumerate() {
                    // Without an else region, there are no results.
                    if let Some(region) = step.regions.get(i).filter(|_| !lanes.is_empty()) {
                        self.steps(block, &region.steps, thread, &lanes)?;
                        pass(thread, &lanes, &region.yields, &step.results);
                    }
                }
                Ok(())
            }
        }
    }

    fn count_in_lanes(
        &mut self,
        block: &ProgramBlock<'c>,
        step: &LeafControlFlow<'c>,
        thread: &mut LockstepThread,
        active: &[usize],
    ) -> ExecutionResult<'c> {
        let ([body], [from, to, by, carried @ ..]) = (&step.regions[..], &step.operands[..]) else {
            return Err(Error::on(step.op, "does not have a body and three bounds"));
        };
        let (variable, arguments) =
            body.arguments.split_first().ok_or_else(|| Error::on(step.op, "has no variable"))?;
        let mut counters = vec![];
        for lane in active {
            let bound = |operand| {
                let value = int(&thread.lanes[*lane], operand);
                value.ok_or_else(|| Error::on(step.op, "has an undefined bound"))
            };
            let (from, to, by) = (bound(*from)?, bound(*to)?, bound(*by)?);
            if by <= 0 {
                let message = format!("has step {by}, expected a positive step");
                return Err(Error::on(step.op, message));
            }
            counters.push((*lane, from, to, by));
        }
        pass(thread, active, carried, arguments);
        loop {
            counters.retain(|(_, now, to, _)| now < to);
            if counters.is_empty() {
                break;
            }
            let mut running = vec![];
            for (lane, now, _, by) in &mut counters {
                self.count(step.op)?;
                set(&mut thread.lanes[*lane], *variable, Scalar::Int(*now));
                *now = now.saturating_add(*by);
                running.push(*lane);
            }
            self.steps(block, &body.steps, thread, &running)?;
            pass(thread, &running, &body.yields, arguments);
        }
        pass(thread, active, arguments, &step.results);
        Ok(())
    }

    fn repeat_in_lanes(
        &mut self,
        block: &ProgramBlock<'c>,
        step: &LeafControlFlow<'c>,
        thread: &mut LockstepThread,
        active: &[usize],
    ) -> ExecutionResult<'c> {
        let [before, after] = &step.regions[..] else {
            return Err(Error::on(step.op, "does not have two regions"));
        };
        let (condition, forwarded) =
            before.yields.split_first().ok_or_else(|| Error::on(step.op, "has no condition"))?;
        pass(thread, active, &step.operands, &before.arguments);
        let mut running = active.to_vec();
        while !running.is_empty() {
            running.iter().try_for_each(|_| self.count(step.op))?;
            self.steps(block, &before.steps, thread, &running)?;
            let (going_on, done) = split(step, *condition, thread, &running)?;
            pass(thread, &done, forwarded, &step.results);
            if !going_on.is_empty() {
                pass(thread, &going_on, forwarded, &after.arguments);
                self.steps(block, &after.steps, thread, &going_on)?;
                pass(thread, &going_on, &after.yields, &before.arguments);
            }
            running = going_on;
        }
        Ok(())
    }
}

/// Copies values in some lanes. The targets may be among the sources, in another order.
fn pass(thread: &mut LockstepThread, lanes: &[usize], from: &[ProgramOperand], to: &[ResultSlot]) {
    for lane in lanes {
        let state = &mut thread.lanes[*lane];
        let values: Vec<Scalar> = from.iter().map(|operand| scalar(state, *operand)).collect();
        to.iter().zip(values).for_each(|(to, value)| set(state, *to, value));
    }
}

/// The lanes in which a condition holds, and the others.
fn split<'c>(
    step: &LeafControlFlow<'c>,
    condition: ProgramOperand,
    thread: &LockstepThread,
    lanes: &[usize],
) -> Result<(Vec<usize>, Vec<usize>), Error<'c>> {
    let (mut yes, mut no) = (vec![], vec![]);
    for lane in lanes {
        match int(&thread.lanes[*lane], condition) {
            Some(0) => no.push(*lane),
            Some(_) => yes.push(*lane),
            None => return Err(Error::on(step.op, "has an undefined condition")),
        }
    }
    Ok((yes, no))
}
