//! `gpu.shuffle`: the lanes of a warp exchange values. Each 32 consecutive threads of a block are a warp.
//!
//! Exactly the first `width` lanes take part. It is an error to read a lane beyond them, a lane that took another
//! branch, or a lane that the thread block does not have, because no device defines the result. An op that contains a
//! shuffle but no barrier runs warp by warp, in an order that the seed decides. A branch splits the lanes of a warp.

use super::RunningModule;
use super::launch::LaunchedThread;
use crate::interpreter::function::step::DecodedOp;
use crate::interpreter::scalar::Scalar;
use crate::interpreter::value::Datum;
use crate::ir::{Error, Op};

/// The threads of a warp.
const LANES: u32 = 32;

impl<'c> RunningModule<'c> {
    /// Runs a shuffle, or an op that contains one, warp by warp.
    pub(super) fn by_warps(
        &mut self,
        step: &DecodedOp<'c>,
        threads: &mut [LaunchedThread<'c>],
    ) -> Result<(), Error<'c>> {
        threads.sort_by_key(|thread| thread.number);
        let mut warps: Vec<&mut [LaunchedThread]> =
            threads.chunk_by_mut(|a, b| a.number / LANES == b.number / LANES).collect();
        for i in self.random.order(warps.len()) {
            self.alike(step, warps[i])?;
        }
        Ok(())
    }

    /// Runs a branch that contains a shuffle: first the lanes that take one branch, then the others.
    pub(super) fn branch_apart(
        &mut self,
        step: &DecodedOp<'c>,
        threads: &mut [LaunchedThread<'c>],
    ) -> Result<(), Error<'c>> {
        let op = step.op;
        let condition = op.operands().first().copied();
        let condition = condition.ok_or_else(|| Error::on(op, "has no condition"))?;
        let mut taken = vec![];
        for thread in threads.iter() {
            if thread.env.index(op, condition)? != 0 {
                taken.push(thread.number);
            }
        }
        threads.sort_by_key(|thread| (taken.contains(&thread.number), thread.number));
        let (not_taken, taken) = threads.split_at_mut(threads.len() - taken.len());
        for (threads, i) in [(taken, 0), (not_taken, 1)] {
            let Some(body) = op.body(i).filter(|_| !threads.is_empty()) else { continue };
            let steps = self.steps(op, body)?;
            self.together(&steps, threads)?;
            for thread in threads {
                step.set(steps.yielded(&thread.env)?, &mut thread.env);
            }
        }
        Ok(())
    }
}

/// Runs a shuffle in the lanes of a warp that reach it.
pub(super) fn exchange<'c>(
    step: &DecodedOp<'c>,
    threads: &mut [LaunchedThread<'c>],
) -> Result<(), Error<'c>> {
    let op = step.op;
    let [value, offset, width] = op.operands()[..] else {
        return Err(Error::on(op, "does not have a value, an offset and a width"));
    };
    let mode = op.attribute("mode").map(|mode| mode.to_string()).unwrap_or_default();
    let Some(first) = threads.first() else { return Ok(()) };
    let warp = first.number / LANES;
    let block: i64 = first.place.block.iter().product();
    let there = (block - i64::from(warp * LANES)).min(LANES.into());
    let lanes = first.env.index(op, width)?;
    if !(1..=i64::from(LANES)).contains(&lanes) {
        let message = format!("has width {lanes}, expected a width from 1 to {LANES}");
        return Err(Error::on(op, message));
    }
    let mut values = vec![None; lanes as usize];
    for thread in threads.iter() {
        let lane = i64::from(thread.number % LANES);
        let of_lane = thread.env.index(op, width)?;
        if of_lane != lanes {
            let message = format!(
                "has widths {lanes} and {of_lane} in lanes of one warp, expected equal \
                 widths"
            );
            return Err(Error::on(op, message));
        }
        let Datum::Scalar(scalar) = thread.env.get(op, value)? else {
            return Err(Error::beyond(
                op,
                "shuffles vectors, which the interpreter does not support",
            ));
        };
        match values.get_mut(lane as usize) {
            Some(place) => *place = Some(*scalar),
            None => {
                let message = format!(
                    "shuffle divergence: lane {lane} of a warp reaches it, expected only the first \
                     {lanes} lanes"
                );
                return Err(Error::on(op, message));
            }
        }
    }
    if let Some(lane) = values.iter().position(Option::is_none) {
        let why = if (lane as i64) < there { "does not reach it" } else { "does not exist" };
        let message = format!(
            "shuffle divergence: lane {lane} of warp {warp} {why}, expected the first {lanes} lanes to \
             take part"
        );
        return Err(Error::on(op, message));
    }
    for thread in threads.iter_mut() {
        let lane = i64::from(thread.number % LANES);
        let from = source(op, &mode, lane, thread.env.index(op, offset)?)?;
        let found = usize::try_from(from).ok().and_then(|from| values.get(from).copied().flatten());
        let is_valid = Scalar::Int(found.is_some().into());
        let results = [found.unwrap_or(Scalar::Undefined), is_valid];
        step.set(results.map(Datum::Scalar), &mut thread.env);
    }
    Ok(())
}

/// The lane that lane `lane` reads.
fn source<'c>(op: Op<'c>, mode: &str, lane: i64, offset: i64) -> Result<i64, Error<'c>> {
    let of = |word: &str| mode.ends_with(&format!("{word}>"));
    match () {
        () if of("xor") => Ok(lane ^ offset),
        () if of("down") => Ok(lane + offset),
        () if of("up") => Ok(lane - offset),
        () if of("idx") => Ok(offset),
        () => Err(Error::beyond(
            op,
            format!("has mode {mode}, which the interpreter does not support"),
        )),
    }
}
