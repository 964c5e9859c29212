//! Minimizes a trace: removes steps that do not affect the result.
//!
//! ```text
//! reorder ["C:k", "C:j"]; unroll "C:i"; reorder ["C:j", "C:k"]
//!   -> unroll "C:i"
//! ```
//! Groups of consecutive steps are removed, long groups first, then pairs of any two steps, until none can be removed.
//! The resulting function, with all names and axes, must stay the same, as its structural hash shows. (A split that is
//! fused again leaves a loop of another name, so it has an effect.) An attempt fails if a step no longer applies. The
//! result is minimal: no group and no pair of its steps can be removed. A shorter schedule of other steps may exist.

use super::{Trace, TraceSource, function, structural_hash};
use crate::ir::{CopiedOp, Error, ModuleRef, Op, op_of};
use crate::schedule::Schedule;
use crate::schedule::instruction::Instruction;

/// The trace without the steps that have no effect on the function with its name; the module is not changed.
///
/// # Errors
/// If the complete trace does not apply.
pub fn minimize<'c>(
    module: impl ModuleRef<'c>,
    source: &TraceSource<'c>,
) -> Result<Trace, Error<'c>> {
    let module = op_of(module);
    let copy = CopiedOp::of(module);
    super::replay(copy.op(), source, false)?;
    let name = &source.trace.function;
    let expected = structural_hash(function(copy.op(), name)?);
    let same = |steps: &[Instruction]| result(module, name, steps) == Some(expected.clone());
    let instructions = minimal(source.trace.instructions.clone(), &same);
    Ok(Trace { instructions, ..source.trace.clone() })
}

/// The hash of a function after steps; none if they do not apply.
fn result(module: Op, name: &str, steps: &[Instruction]) -> Option<String> {
    let copy = CopiedOp::of(module);
    let function = function(copy.op(), name).ok()?;
    let mut schedule = Schedule::new(function).ok()?;
    steps.iter().all(|step| schedule.apply(step).is_ok()).then(|| structural_hash(function))
}

/// Removes steps as long as `same` holds for the rest.
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

/// Removes groups of `length` consecutive steps.
fn without_groups<S: Clone>(steps: &mut Vec<S>, length: usize, same: &dyn Fn(&[S]) -> bool) {
    let mut first = 0;
    while first + length <= steps.len() {
        let fewer = [&steps[..first], &steps[first + length..]].concat();
        if same(&fewer) { *steps = fewer } else { first += 1 }
    }
}

/// Removes pairs of steps.
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
        // Steps are numbers, and the sum must stay the same: 0 has no effect, a number and its negative cancel out.
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
