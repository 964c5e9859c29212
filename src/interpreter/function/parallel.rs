//! Loops of a function whose iterations are unordered: `scf.parallel` and `loop.parallel_call`. Iterations
//! and chunks run one after the other, in an order that the seed decides. Two of them must not access the same
//! element if one of them writes it.

use super::{RunningModule, span};
use crate::interpreter::env::Env;
use crate::interpreter::race::{self, RaceUnits};
use crate::interpreter::scalar::Scalar;
use crate::interpreter::value::Datum;
use crate::ir::{Error, Op};

/// More iterations or chunks are refused, because their order is kept in memory.
const MAX_AT_ONCE: u64 = 1 << 22;

impl<'c> RunningModule<'c> {
    /// `scf.parallel` of one dimension.
    pub(super) fn parallel(&mut self, op: Op<'c>, env: &mut Env<'c>) -> Result<(), Error<'c>> {
        let body = op.body(0).ok_or_else(|| Error::on(op, "has no body"))?;
        let rank = body.arguments().len();
        if rank != 1 {
            let message =
                format!("has {rank} dimensions, expected one, which the interpreter supports");
            return Err(Error::beyond(op, message));
        }
        let [from, to, step] = op.operands()[..] else {
            return Err(Error::beyond(
                op,
                "reduces values, which the interpreter does not support",
            ));
        };
        let [from, to, step] = span(op, env, [from, to, step])?;
        let count = (i128::from(to) - i128::from(from) + i128::from(step) - 1) / i128::from(step);
        let count = self.limited(op, count)?;
        check_count(op, count)?;
        let steps = self.steps(op, body)?;
        let order = self.random.order(count as usize);
        self.races.borrow_mut().enter(RaceUnits::Iterations { from, step });
        for number in order {
            let number = number as u32;
            self.races.borrow_mut().start(number);
            let counter = Datum::Scalar(Scalar::Int(race::counter(from, step, number)));
            env.set(steps.arguments[0], counter);
            self.run_steps(op, &steps, env)?;
        }
        self.races.borrow_mut().leave();
        Ok(())
    }

    /// `loop.parallel_call`: splits the range at random positions.
    pub(super) fn parallel_call(&mut self, op: Op<'c>, env: &Env<'c>) -> Result<(), Error<'c>> {
        let callee = op.attribute("callee").and_then(|callee| callee.as_symbol());
        let function = self.function(op, callee.unwrap_or_default())?;
        let grain = op.attribute("grain").and_then(|grain| grain.as_i64());
        let grain = grain.and_then(|grain| u64::try_from(grain).ok()).filter(|grain| *grain > 0);
        let grain = grain.ok_or_else(|| Error::on(op, "has a grain that is not positive"))?;
        let operands = op.operands();
        let [extent, captured @ ..] = &operands[..] else {
            return Err(Error::on(op, "has no extent"));
        };
        let extent = self.limited(op, env.index(op, *extent)?.into())?;
        check_count(op, extent.div_ceil(grain))?;
        let captured = captured.iter().map(|value| env.get(op, *value).cloned());
        let captured = captured.collect::<Result<Vec<_>, _>>()?;

        // Chunks as small as allowed, a few chunks, or chunks of any length.
        let longest = [grain, extent.div_ceil(3), extent][self.random.between(0, 2) as usize];
        let mut chunks = vec![];
        let mut begin = 0;
        while begin < extent {
            let length = self.random.between(grain, longest).min(extent - begin);
            chunks.push(begin..begin + length);
            begin += length;
        }
        let order = self.random.order(chunks.len());
        self.races.borrow_mut().enter(RaceUnits::Chunks(chunks.clone()));
        for number in order {
            self.races.borrow_mut().start(number as u32);
            let bounds = [chunks[number].start, chunks[number].end];
            let bounds = bounds.map(|bound| Datum::Scalar(Scalar::Int(bound as i64)));
            let arguments = bounds.into_iter().chain(captured.iter().cloned()).collect();
            self.call(function, arguments)
                .map_err(|error| error.note(op.location(), "called from here"))?;
        }
        self.races.borrow_mut().leave();
        Ok(())
    }

    /// The number of iterations, or 0 if `count` is negative.
    fn limited(&self, op: Op<'c>, count: i128) -> Result<u64, Error<'c>> {
        let count = u64::try_from(count.max(0)).ok();
        let count = count.filter(|count| *count <= self.options.max_iterations);
        count.ok_or_else(|| Error::on(op, "runs more iterations than the limit allows"))
    }
}

/// An error if there are too many iterations or chunks.
fn check_count(op: Op<'_>, count: u64) -> Result<(), Error<'_>> {
    match count <= MAX_AT_ONCE {
        true => Ok(()),
        false => Err(Error::beyond(op, "has too many iterations for a random order")),
    }
}

#[cfg(test)]
#[path = "../../../test/interpreter/function/parallel.rs"]
mod tests;
