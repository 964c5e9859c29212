//! Fewer steps with the same result.
//!
//! ```text
//! reorder ["C:k", "C:j"]; unroll "C:i"; reorder ["C:j", "C:k"]
//!   -> unroll "C:i"
//! ```
//! Steps are left out in groups that follow one another, long ones first, then in pairs wherever they stand,
//! until none can go: the function, with all names and axes, must become the same, which its structural hash
//! says. (A split that is fused again leaves a loop of another name, so it matters.) An attempt in which a step
//! does not apply any more has failed. The result is minimal in that no group and no pair of its
//! steps can go; a shorter schedule of other steps may exist.

use super::{Source, Trace, function, structural_hash};
use crate::ir::{Copied, Error, Op};
use crate::schedule::Schedule;
use crate::schedule::table::Instruction;

/// The trace without the steps that do not matter for the function of its name, which stays as it is.
///
/// # Errors
/// If the trace does not apply as it is.
pub fn minimize<'c>(module: Op<'c>, source: &Source<'c>) -> Result<Trace, Error<'c>> {
    let copy = Copied::of(module);
    super::replay(copy.op(), source, false).map_err(Error::without_op)?;
    let name = &source.trace.function;
    let expected = structural_hash(function(copy.op(), name).map_err(Error::without_op)?);
    let same = |steps: &[Instruction]| result(module, name, steps) == Some(expected.clone());
    let instructions = minimal(source.trace.instructions.clone(), &same);
    Ok(Trace { instructions, ..source.trace.clone() })
}

/// The hash of a function after steps; nothing if they do not apply.
fn result(module: Op, name: &str, steps: &[Instruction]) -> Option<String> {
    let copy = Copied::of(module);
    let function = function(copy.op(), name).ok()?;
    let mut schedule = Schedule::new(function).ok()?;
    steps.iter().all(|step| schedule.apply(step).is_ok()).then(|| structural_hash(function))
}

/// Leaves out what can go as long as `same` holds of the rest.
fn minimal<S: Clone>(mut steps: Vec<S>, same: &dyn Fn(&[S]) -> bool) -> Vec<S> {
    loop {
        let before = steps.len();
        let mut length = before;
        while length > 0 {
            without_groups(&mut steps, length, same);
            length = length.min(steps.len() + 1) - 1;
        }
        without_pairs(&mut steps, same);
        if steps.len() == before {
            return steps;
        }
    }
}

/// Leaves out groups of so many steps that follow one another.
fn without_groups<S: Clone>(steps: &mut Vec<S>, length: usize, same: &dyn Fn(&[S]) -> bool) {
    let mut first = 0;
    while first + length <= steps.len() {
        let fewer = [&steps[..first], &steps[first + length..]].concat();
        if same(&fewer) { *steps = fewer } else { first += 1 }
    }
}

/// Leaves out pairs of steps.
fn without_pairs<S: Clone>(steps: &mut Vec<S>, same: &dyn Fn(&[S]) -> bool) {
    let mut first = 0;
    'first: while first < steps.len() {
        for second in first + 1..steps.len() {
            let mut fewer = steps.clone();
            fewer.remove(second);
            fewer.remove(first);
            if same(&fewer) {
                *steps = fewer;
                continue 'first;
            }
        }
        first += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::minimal;

    #[test]
    fn what_cancels_out_goes() {
        // Numbers that add up to the same; 0 does not matter, a number and its negative cancel out.
        let sum = |steps: &[i64]| steps.iter().sum::<i64>();
        for (steps, expected) in [
            (vec![], vec![]),
            (vec![0, 0], vec![]),
            (vec![7, 0], vec![7]),
            (vec![3, 5, -3, 9], vec![5, 9]),
            (vec![1, 2, 3, -6, 4], vec![4]),
            (vec![1, 2, 4], vec![1, 2, 4]),
        ] {
            let all = sum(&steps);
            assert_eq!(minimal(steps.clone(), &|fewer| sum(fewer) == all), expected, "{steps:?}");
        }
    }
}
