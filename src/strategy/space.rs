//! The space of a strategy: numbers that its schedule chooses, and the constraints on them.
//!
//! ```text
//! C.columns in {16, 32, 48, 64}, C.rows in {1, .., 30}
//! vector registers: C.rows * (C.columns div 16) + C.columns div 16 + 1 <= 32
//! ```
//! One object has several uses. The strategy takes the member that its own formula finds to be the best. The schedule
//! records the numbers as decisions, and its steps refer to them by name, so that a trace with other decisions is
//! another member of the space. `auto-schedule` prints the numbers as knobs with their constraints.
//!
//! Constraints are not written by hand for each strategy: they follow from the accesses of the nest, by the numbers of
//! iterations that a tile has of each loop ([`registers`], [`bytes`]).

use super::nest::{AccessStride, Nest, NestAccess};
use crate::analysis::finite_domain::{Choice, Choices, Condition, NamedCondition, Term};
use crate::schedule::primitive::sampling::decision;
use crate::schedule::{Argument, Instruction, NumberList, Schedule, ScheduleError};

/// The numbers that a schedule chooses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Space {
    /// The numbers and their constraints.
    pub choices: Choices,
    /// The default: one value of each number.
    pub values: Vec<i64>,
}

impl Space {
    /// Adds a number that the schedule of a block chooses, and returns it.
    pub fn knob(&mut self, block: &str, what: &str, domain: Vec<i64>) -> Term {
        let letters = block.chars().map(|c| if decision::is_letter(c) { c } else { '_' });
        let block: String = letters.collect();
        self.choices.choices.push(Choice { name: format!("{block}.{what}"), domain });
        Term::Variable(self.choices.choices.len() - 1)
    }

    /// Adds the constraint that there is enough of something.
    pub fn at_most(&mut self, what: &str, needed: Term, available: i64) {
        let condition = Condition::at_most(needed, available);
        self.choices.constraints.push(NamedCondition { name: what.to_owned(), condition });
    }

    /// The solution of the lowest cost, and its cost; the first of several. `None` if there is no solution.
    pub fn cheapest(&self, mut cost: impl FnMut(&[i64]) -> i64) -> Option<(Vec<i64>, i64)> {
        let mut best: Option<(Vec<i64>, i64)> = None;
        self.choices.search(&mut |values| {
            let found = cost(values);
            if best.as_ref().is_none_or(|(_, least)| found < *least) {
                best = Some((values.to_vec(), found));
            }
            true
        });
        best
    }

    /// Removes values that no solution has.
    pub fn tighten(&mut self) {
        let mut used: Vec<Vec<i64>> = vec![vec![]; self.choices.choices.len()];
        self.choices.search(&mut |values| {
            used.iter_mut().zip(values).for_each(|(used, value)| used.push(*value));
            true
        });
        for (choice, used) in self.choices.choices.iter_mut().zip(used) {
            choice.domain.retain(|value| used.contains(value));
        }
    }

    /// The members that differ from the default by the next smaller or the next larger value of one number.
    pub fn neighbours(&self) -> Vec<Space> {
        let all = self.choices.choices.iter().zip(&self.values).enumerate();
        let values = all.flat_map(|(place, (choice, value))| {
            let domain = choice.domain.iter().copied();
            let smaller = domain.clone().filter(|it| it < value).max();
            let larger = domain.filter(|it| it > value).min();
            [smaller, larger].into_iter().flatten().map(move |value| (place, value))
        });
        let changed = values.map(|(place, value)| {
            let mut space = self.clone();
            space.values[place] = value;
            space
        });
        changed.filter(Space::has_default).collect()
    }

    /// The steps of a schedule of this space with the default values: its decisions are made anew. `None` if some number is no
    /// decision of the steps.
    pub fn decided(&self, steps: &[Instruction]) -> Option<Vec<Instruction>> {
        let mut steps = steps.to_vec();
        let mut decisions = steps.iter_mut().filter_map(Instruction::chosen);
        let all = self.choices.choices.iter().zip(&self.values);
        for (_, value) in all.filter(|(choice, _)| choice.domain.len() > 1) {
            *decisions.next()? = Argument::OptionalInteger(Some(*value));
        }
        Some(steps)
    }

    /// True if the default is a member of the space.
    pub fn has_default(&self) -> bool {
        let all = self.choices.choices.iter().zip(&self.values);
        self.values.len() == self.choices.choices.len()
            && all.clone().all(|(choice, value)| choice.domain.contains(value))
            && self.choices.violated(&self.values).is_none()
    }

    /// Records the default as decisions, in order. Returns the texts by which steps refer to them; a number that has no other
    /// value is no decision.
    ///
    /// # Errors
    /// That of the first refused step.
    pub fn decide(&self, schedule: &mut Schedule) -> Result<Vec<String>, ScheduleError> {
        debug_assert!(self.has_default(), "the default is no member: {self:?}");
        let mut texts = vec![];
        for (choice, value) in self.choices.choices.iter().zip(&self.values) {
            if choice.domain.len() == 1 {
                texts.push(value.to_string());
                continue;
            }
            let mut name = choice.name.clone();
            while schedule.has_decision(&name) {
                name.push('_');
            }
            schedule.sample_categorical(&name, &choice.domain, &[], Some(*value), None)?;
            texts.push(format!("${name}"));
        }
        Ok(texts)
    }
}

/// The factors of a split whose inner part is a number or a decision: `[-1, 8]`, `"-1, $C.rows"`.
pub fn factors(inner: &str) -> NumberList {
    match inner.parse() {
        Ok(number) => [-1, number].as_slice().into(),
        Err(_) => format!("-1, {inner}").as_str().into(),
    }
}

/// The vector registers of a tile that a reduction keeps in registers, with so many iterations of some loops, of which
/// the one `along` is vectorized: all results, what a row of the tile reads along the lanes, one value of each other load, and
/// a product if it is not added by the same instruction.
pub fn registers(
    nest: &Nest,
    tile: &[(usize, Term)],
    (along, lanes): (usize, i64),
    has_fma: bool,
) -> Term {
    let vectors = |(axis, size): &(usize, Term)| match *axis == along {
        true => Term::Quotient(Box::new(size.clone()), Box::new(constant(lanes))),
        false => size.clone(),
    };
    let moved = |access: &NestAccess, axes: &mut dyn Iterator<Item = &(usize, Term)>| {
        let moved = axes.filter(|(axis, _)| access.steps[*axis] != AccessStride::None);
        Term::Product(moved.map(vectors).collect())
    };
    let results = nest.stores.iter().map(|store| moved(store, &mut tile.iter()));
    let along_lanes = || tile.iter().filter(|(axis, _)| *axis == along);
    let loads = nest.loads.iter().map(|load| moved(load, &mut along_lanes()));
    let products = (!has_fma).then(|| constant(1));
    Term::Sum(results.chain(loads).chain(products).collect())
}

/// The bytes of a buffer that are accessed in so many iterations of some loops, if the access moves by an element along each.
pub fn bytes(access: &NestAccess, tile: &[(usize, Term)]) -> Term {
    let moved = tile.iter().filter(|(axis, _)| access.steps[*axis] != AccessStride::None);
    let sizes = moved.map(|(_, size)| size.clone());
    Term::Product(sizes.chain([constant(access.element_bytes)]).collect())
}

fn constant(number: i64) -> Term {
    Term::Constant(i128::from(number))
}
