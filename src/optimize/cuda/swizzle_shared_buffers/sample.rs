//! Samples the elements that the lanes of warps access, by evaluating the index computations.

use super::bank::LANES;
use super::lanes::Evaluator;
use crate::ir::{Op, Value, parents, scope_of};
use std::collections::{HashMap, HashSet};

/// Executions of an access by the warps of a thread block, as far as thread numbers and loops determine them.
pub struct AccessSample<'c> {
    /// The distinct executions, and how often each was sampled.
    pub executions: Vec<(WarpExecution, u64)>,
    /// The ratio of all executions to the sampled ones.
    pub share: (u128, u128),
    /// Loops and branches that are unknown before the kernel runs, each with its region: how often the access runs
    /// also depends on them. Of such a loop a few iterations are sampled; in such a branch all lanes are on.
    pub unknown: Vec<(Op<'c>, usize)>,
}

/// One execution of the access by a warp.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct WarpExecution {
    /// The lanes that are on.
    pub lanes: Vec<usize>,
    /// The indices of each of these lanes, one per dimension.
    pub indices: Vec<i64>,
}

/// The most executions of an access that are evaluated.
const MOST: u64 = 512;
/// The sampled iterations of a loop with an unknown number of iterations.
const OF_UNKNOWN: u64 = 8;

/// A loop or branch around an access.
enum OuterOp<'c> {
    Loop { variable: Value<'c>, from: Value<'c>, to: Value<'c>, step: Value<'c>, count: u64 },
    Branch { condition: Value<'c>, holds: bool },
}

/// The sample of an access with these indices; `None` if an index does not follow from thread numbers and loops.
pub fn sample<'c>(
    kernel: Op<'c>,
    block: [i64; 3],
    access: Op<'c>,
    indices: &[Value<'c>],
) -> Option<AccessSample<'c>> {
    let mut evaluator = Evaluator::new(block);
    let (mut around, mut unknown, mut loops) = (vec![], vec![], HashSet::new());
    let mut inside = access;
    let mut path: Vec<(Op<'c>, usize)> = vec![];
    for op in parents(access).take_while(|op| *op != kernel) {
        let regions = op.regions();
        let region = regions
            .iter()
            .position(|region| region.blocks().iter().any(|block| inside.block() == Some(*block)));
        path.push((op, region?));
        inside = op;
    }
    for (op, region) in path.into_iter().rev() {
        match op.name() {
            "scf.for" => {
                let [from, to, step] = op.operands()[..].first_chunk().copied()?;
                let variable = *op.body(0)?.arguments().first()?;
                let count = evaluator.constant(from).zip(evaluator.constant(to));
                let count = count.zip(evaluator.constant(step).filter(|step| *step > 0));
                let count = count.map(|((from, to), step)| {
                    let span = to.saturating_sub(from).max(0);
                    span.unsigned_abs().div_ceil(step.unsigned_abs())
                });
                if count.is_none() {
                    unknown.push((op, region));
                }
                let first = evaluator.of(from);
                evaluator.set(variable, first);
                loops.insert(op);
                let count = count.unwrap_or(OF_UNKNOWN);
                around.push((op, OuterOp::Loop { variable, from, to, step, count }));
            }
            "scf.if" => {
                let condition = *op.operands().first()?;
                match evaluator.of(condition) {
                    None => unknown.push((op, region)),
                    Some(_) => {
                        around.push((op, OuterOp::Branch { condition, holds: region == 0 }));
                    }
                }
            }
            _ => unknown.push((op, region)),
        }
    }
    indices.iter().try_for_each(|index| evaluator.of(*index).map(|_| ()))?;
    let wanted = used_loops(indices, &around, &loops);

    let threads = block.iter().product::<i64>().unsigned_abs();
    let warps = threads.div_ceil(LANES as u64);
    let (mut axes, mut times) = (vec![warps], 1_u128);
    for (op, it) in &around {
        let OuterOp::Loop { count, .. } = it else { continue };
        if wanted.contains(op) {
            axes.push(*count);
        } else if !unknown.iter().any(|(other, _)| other == op) {
            times = times.saturating_mul((*count).into());
        }
    }
    let all = axes.iter().fold(1_u64, |all, count| all.saturating_mul(*count));
    let taken = all.min(MOST);
    let (mut executions, mut places) = (vec![], HashMap::new());
    for n in 0..taken {
        let point = digits(spread(n, all, taken), &axes);
        evaluator.start(point[0]);
        let mut is_on: [bool; LANES] =
            std::array::from_fn(|lane| point[0] * LANES as u64 + (lane as u64) < threads);
        let mut rest = point[1..].iter();
        for (op, it) in &around {
            match it {
                OuterOp::Loop { variable, from, to, step, .. } if wanted.contains(op) => {
                    let n = *rest.next()? as i64;
                    let ends = evaluator.of(*from).zip(evaluator.of(*step));
                    let now = ends.map(|(from, step)| {
                        std::array::from_fn(|l| from[l].wrapping_add(step[l].wrapping_mul(n)))
                    });
                    evaluator.set(*variable, now);
                    if let (Some(now), Some(to)) = (now, evaluator.of(*to)) {
                        (0..LANES).for_each(|lane| is_on[lane] &= now[lane] < to[lane]);
                    }
                }
                OuterOp::Loop { .. } => {}
                OuterOp::Branch { condition, holds } => {
                    let Some(value) = evaluator.of(*condition) else { continue };
                    (0..LANES).for_each(|lane| is_on[lane] &= (value[lane] != 0) == *holds);
                }
            }
        }
        let values: Option<Vec<_>> = indices.iter().map(|index| evaluator.of(*index)).collect();
        let values = values?;
        let lanes: Vec<usize> = (0..LANES).filter(|lane| is_on[*lane]).collect();
        let indices = lanes.iter().flat_map(|lane| values.iter().map(|value| value[*lane]));
        let indices = indices.collect();
        let execution = WarpExecution { lanes, indices };
        let place = *places.entry(execution.clone()).or_insert(executions.len());
        match executions.get_mut(place) {
            Some((_, count)) => *count += 1,
            None => executions.push((execution, 1)),
        }
    }
    let share = (times.saturating_mul(all.into()), taken.max(1).into());
    Some(AccessSample { executions, share, unknown })
}

/// The loops that the indices or the conditions depend on.
fn used_loops<'c>(
    indices: &[Value<'c>],
    around: &[(Op<'c>, OuterOp<'c>)],
    loops: &HashSet<Op<'c>>,
) -> HashSet<Op<'c>> {
    let conditions = around.iter().filter_map(|(_, it)| match it {
        OuterOp::Branch { condition, .. } => Some(*condition),
        OuterOp::Loop { .. } => None,
    });
    let mut open: Vec<Value> = indices.iter().copied().chain(conditions).collect();
    let (mut seen, mut used) = (HashSet::new(), HashSet::new());
    while let Some(value) = open.pop() {
        if !seen.insert(value) {
            continue;
        }
        let of = value.defining_op().or_else(|| scope_of(value).filter(|op| loops.contains(op)));
        let Some(op) = of else { continue };
        if value.defining_op().is_none() {
            used.insert(op);
        }
        open.extend(op.operands());
    }
    used
}

/// Number `n` of `taken` different numbers that are spread over `all`. A step of about the golden section reaches all
/// values of each digit.
fn spread(n: u64, all: u64, taken: u64) -> u64 {
    if taken == all {
        return n;
    }
    let is_coprime = |step: &u64| {
        let (mut a, mut b) = (*step, all);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a == 1
    };
    let about = (all as f64 * 0.618) as u64;
    let step = (about.max(1)..all).find(is_coprime).unwrap_or(1);
    (u128::from(n) * u128::from(step) % u128::from(all)) as u64
}

/// The mixed-radix digits of a number; the last axis changes fastest.
fn digits(number: u64, axes: &[u64]) -> Vec<u64> {
    let mut rest = number;
    let mut digits: Vec<u64> = axes
        .iter()
        .rev()
        .map(|extent| {
            let digit = rest % extent;
            rest /= extent;
            digit
        })
        .collect();
    digits.reverse();
    digits
}
