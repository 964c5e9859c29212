//! Numbers that are chosen from finite domains so that conditions hold.
//!
//! ```text
//! rows in {1, 2, 4, 8}, columns in {16, 32}      rows * columns / 16 + 3 <= 16
//!   ->  rows = 1, columns = 16; rows = 1, columns = 32; ..
//! ```
//! [`Choices::first`] assigns the variables one after the other, each in the order of its domain. After each assignment
//! it computes the interval of every condition: a condition that is false for all values of the open variables ends the branch. So
//! a condition that grows in all variables, such as a number of bytes that must fit in a cache, cuts off the larger tiles
//! without enumerating them. The order of the solutions is that of the domains, and does not depend on anything else.
//!
//! Must not depend on: what is chosen.

mod condition;
mod smt_lib;
mod smt_ops;
#[cfg(test)]
pub(crate) mod tests;

pub use condition::{Comparison, Condition, Term};

use condition::ValueRange;
use std::fmt;

/// Assignments that [`Choices`] tries before it gives up.
pub const MOST_ASSIGNMENTS: usize = 1 << 20;

/// A number to choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The name, in messages.
    pub name: String,
    /// The values, of which the first one is preferred.
    pub domain: Vec<i64>,
}

/// A condition with the words that name it in messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedCondition {
    /// What it limits, such as "vector registers".
    pub name: String,
    /// What must hold. Its variables are indices of [`Choices::choices`].
    pub condition: Condition,
}

/// Numbers to choose, and the constraints on them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    /// The variables.
    pub choices: Vec<Choice>,
    /// What must hold.
    pub constraints: Vec<NamedCondition>,
}

/// Why there is no solution.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoSolution {
    /// These constraints, by index, hold for no values together; without any of them there is a solution.
    #[error("no values meet the constraints")]
    Conflict(Vec<usize>),
    /// The search was given up.
    #[error("no values were found after {MOST_ASSIGNMENTS} assignments")]
    TooMany,
}

impl Choices {
    /// The first solution: a value of each variable.
    ///
    /// # Errors
    /// If there is none, or none is found.
    pub fn first(&self) -> Result<Vec<i64>, NoSolution> {
        let mut found = None;
        let whole = self.search(&mut |solution| {
            found = Some(solution.to_vec());
            false
        });
        match found {
            Some(found) => Ok(found),
            None if whole => Err(NoSolution::Conflict(self.conflict())),
            None => Err(NoSolution::TooMany),
        }
    }

    /// Calls `each` with the solutions, in order, until it returns false. Returns false if the search was given up before the end.
    pub fn search(&self, each: &mut dyn FnMut(&[i64]) -> bool) -> bool {
        let hulls = self.choices.iter().map(|choice| ValueRange::hull(&choice.domain));
        let Some(mut intervals) = hulls.collect::<Option<Vec<_>>>() else { return true };
        let mut left = MOST_ASSIGNMENTS;
        let mut values = vec![];
        self.extend(&mut values, &mut intervals, &mut left, each);
        left > 0
    }

    /// Tries the values of the next variable; false if the search ends.
    fn extend(
        &self,
        values: &mut Vec<i64>,
        intervals: &mut [ValueRange],
        left: &mut usize,
        each: &mut dyn FnMut(&[i64]) -> bool,
    ) -> bool {
        if !self.may_hold(intervals) {
            return true;
        }
        let place = values.len();
        let Some(choice) = self.choices.get(place) else {
            return self.violated(values).is_some() || each(values);
        };
        let open = intervals[place];
        for value in &choice.domain {
            if *left == 0 {
                return false;
            }
            *left -= 1;
            values.push(*value);
            intervals[place] = ValueRange::point(*value);
            let goes_on = self.extend(values, intervals, left, each);
            values.pop();
            if !goes_on {
                return false;
            }
        }
        intervals[place] = open;
        true
    }

    /// False if some constraint holds for no values in the intervals.
    fn may_hold(&self, intervals: &[ValueRange]) -> bool {
        self.constraints.iter().all(|it| it.condition.truth(intervals) != Some(false))
    }

    /// The first constraint that values do not meet. None is met in which a number is divided by 0, or exceeds 128 bits.
    pub fn violated(&self, values: &[i64]) -> Option<&NamedCondition> {
        let points: Vec<ValueRange> = values.iter().copied().map(ValueRange::point).collect();
        self.constraints.iter().find(|it| it.condition.truth(&points) != Some(true))
    }

    /// The least number that a constraint compares, and the largest one that it allows, if it is a comparison that holds for no
    /// values.
    pub fn missing(&self, constraint: usize) -> Option<(i128, i128)> {
        let hulls = self.choices.iter().map(|choice| ValueRange::hull(&choice.domain));
        self.constraints[constraint].condition.missing(&hulls.collect::<Option<Vec<_>>>()?)
    }

    /// Constraints that have no solution together, of which none can be left out.
    fn conflict(&self) -> Vec<usize> {
        let mut kept: Vec<usize> = (0..self.constraints.len()).collect();
        for constraint in 0..self.constraints.len() {
            let rest: Vec<usize> = kept.iter().copied().filter(|it| *it != constraint).collect();
            let constraints = rest.iter().map(|it| self.constraints[*it].clone()).collect();
            let without = Choices { choices: self.choices.clone(), constraints };
            let mut is_solved = false;
            let whole = without.search(&mut |_| {
                is_solved = true;
                false
            });
            if whole && !is_solved {
                kept = rest;
            }
        }
        kept
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let values: Vec<String> = self.domain.iter().map(i64::to_string).collect();
        write!(f, "{} in {{{}}}", self.name, values.join(", "))
    }
}
