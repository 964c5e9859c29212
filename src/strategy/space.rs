//! The space of a strategy: numbers that its schedule chooses, and the constraints on them.
//!
//! ```text
//! C.columns in {16, 32, 48, 64}, C.rows in {1, .., 30}
//! vector registers: C.rows * (C.columns div 16) + C.columns div 16 + 1 <= 32
//! ```
//! One object has several uses. Its default is the member that the formula of the strategy finds to be the best, and a strategy can
//! schedule a group with any other member. The schedule records the numbers as decisions, and its steps refer to them by name, so
//! that a trace with other decisions is another member of the space. `auto-schedule` prints the numbers as knobs with
//! their constraints. The exception are numbers of *structure*, on which it depends which steps there are, such as the number of
//! parts of a reduction, where one part needs no loop. Only the strategy itself can take another value of these.
//!
//! Constraints are not written by hand for each strategy: they follow from the accesses of the nest, by the numbers of
//! iterations that a tile has of each loop ([`registers`], [`bytes`]).

use super::nest::{AccessStride, Nest, NestAccess};
use crate::analysis::finite_domain::{Choice, Choices, Condition, NamedCondition, Term};
use crate::interpreter::random::Random;
use crate::schedule::primitive::sampling::decision;
use crate::schedule::{NumberList, OptionalNumber, Schedule, ScheduleError};
use std::collections::BTreeSet;
use std::fmt;

/// The numbers that a schedule chooses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Space {
    /// The numbers and their constraints.
    pub choices: Choices,
    /// The default: one value of each number.
    pub values: Vec<i64>,
    /// The indices of the numbers of structure.
    structure: BTreeSet<usize>,
    /// True if the default stays whatever times are predicted for other members.
    pub keeps_default: bool,
}

impl Space {
    /// A space whose default stays whatever times are predicted for other members: predictions do not know what the schedule
    /// uses. They count an intrinsic as one operation on vectors.
    pub fn that_keeps_its_default() -> Self {
        Self { keeps_default: true, ..Self::default() }
    }

    /// Adds a number that the schedule of a block chooses, and returns it. Its default is the first value of the domain until
    /// another one is set.
    pub fn knob(&mut self, block: &str, what: &str, domain: Vec<i64>) -> Term {
        self.values.push(domain.first().copied().unwrap_or(0));
        self.choices.choices.push(Choice { name: name_of(block, what), domain });
        Term::Variable(self.choices.choices.len() - 1)
    }

    /// As [`knob`](Self::knob), with a default, which is added to the domain if it is missing there. The values are in ascending order.
    pub fn number(
        &mut self,
        block: &str,
        what: &str,
        domain: impl IntoIterator<Item = i64>,
        default: i64,
    ) -> Term {
        let domain: BTreeSet<i64> = domain.into_iter().chain([default]).collect();
        let term = self.knob(block, what, domain.into_iter().collect());
        *self.values.last_mut().expect("there is a number") = default;
        term
    }

    /// As [`number`](Self::number), for a number on which it depends which steps there are.
    pub fn structure(
        &mut self,
        block: &str,
        what: &str,
        domain: impl IntoIterator<Item = i64>,
        default: i64,
    ) -> Term {
        self.structure.insert(self.choices.choices.len());
        self.number(block, what, domain, default)
    }

    /// The value of the number that a block chooses by this name; `None` if it chooses none.
    pub fn value(&self, block: &str, what: &str) -> Option<i64> {
        let name = name_of(block, what);
        let place = self.choices.choices.iter().position(|choice| choice.name == name)?;
        Some(self.values[place])
    }

    /// True if a number is a decision of the schedule: it has several values, and the steps are the same for all.
    pub fn is_decision(&self, number: usize) -> bool {
        self.choices.choices[number].domain.len() > 1 && !self.structure.contains(&number)
    }

    /// Adds the constraint that there is enough of something.
    pub fn at_most(&mut self, what: &str, needed: Term, available: i64) {
        let condition = Condition::at_most(needed, available);
        self.choices.constraints.push(NamedCondition { name: what.to_owned(), condition });
    }

    /// As [`at_most`](Self::at_most), but the default is allowed on any machine.
    pub fn at_most_or_default(&mut self, what: &str, needed: Term, available: i64) {
        let least = needed.value(&self.values).unwrap_or(0);
        self.at_most(what, needed, available.max(least));
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

    /// Any member, by a random number; `None` if the space has none.
    pub fn member(&self, random: &mut Random) -> Option<Space> {
        let mut choices = self.choices.clone();
        choices.choices.iter_mut().for_each(|choice| random.shuffle(&mut choice.domain));
        let values = choices.first().ok()?;
        Some(Space { values, ..self.clone() })
    }

    /// True if the default is a member of the space.
    pub fn has_default(&self) -> bool {
        let all = self.choices.choices.iter().zip(&self.values);
        self.values.len() == self.choices.choices.len()
            && all.clone().all(|(choice, value)| choice.domain.contains(value))
            && self.choices.violated(&self.values).is_none()
    }

    /// The default as constants, which are not recorded.
    pub fn constants(&self) -> ChosenNumbers {
        let all = self.choices.choices.iter().zip(&self.values);
        ChosenNumbers(
            all.map(|(choice, value)| (choice.name.clone(), ChosenNumber::from(*value))).collect(),
        )
    }

    /// Records the default as decisions, in order.
    ///
    /// # Errors
    /// That of the first refused step.
    pub fn decide(&self, schedule: &mut Schedule) -> Result<ChosenNumbers, ScheduleError> {
        debug_assert!(self.has_default(), "the default is no member: {self:?}");
        let ChosenNumbers(mut numbers) = self.constants();
        for (place, choice) in self.choices.choices.iter().enumerate() {
            if self.is_decision(place) {
                let mut name = choice.name.clone();
                while schedule.has_decision(&name) {
                    name.push('_');
                }
                let (_, number) = &mut numbers[place];
                schedule.sample_categorical(
                    &name,
                    &choice.domain,
                    &[],
                    Some(number.value),
                    None,
                )?;
                number.decision = Some(name);
            }
        }
        Ok(ChosenNumbers(numbers))
    }
}

/// The name of a number that the schedule of a block chooses.
fn name_of(block: &str, what: &str) -> String {
    let letters = block.chars().map(|c| if decision::is_letter(c) { c } else { '_' });
    format!("{}.{what}", letters.collect::<String>())
}

/// The names of numbers, after that of the block.
pub mod what {
    /// Rows of a tile, or of a thread block.
    pub const ROWS: &str = "rows";
    /// Columns of a tile.
    pub const COLUMNS: &str = "columns";
    /// Lines of a tile of several of them; in a transpose, the lines that are written one after the other.
    pub const LINES: &str = "lines";
    /// Reduced elements of a panel, or of a tile.
    pub const DEPTH: &str = "depth";
    /// Elements that are computed together along a loop.
    pub const WIDTH: &str = "width";
    /// Elements or tiles of a task of a thread.
    pub const PIECE: &str = "piece";
    /// Parts of a reduction.
    pub const PARTS: &str = "parts";
    /// Tiles of rows of a block that stays in a cache.
    pub const BLOCK: &str = "block";
    /// 1 if the outermost loop is over blocks of rows, 0 if it is over columns.
    pub const BY_ROWS: &str = "by_rows";
    /// Threads of a thread block, or those of a row of it.
    pub const THREADS: &str = "threads";
    /// Threads that share the reduction of a column.
    pub const SHARING: &str = "sharing";
    /// Elements of a side of a tile.
    pub const SIDE: &str = "side";
}

/// A number of a schedule: a constant, or a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChosenNumber {
    /// The value.
    pub value: i64,
    decision: Option<String>,
}

impl From<i64> for ChosenNumber {
    fn from(value: i64) -> ChosenNumber {
        ChosenNumber { value, decision: None }
    }
}

impl From<&ChosenNumber> for OptionalNumber {
    fn from(number: &ChosenNumber) -> OptionalNumber {
        match number.decision {
            None => number.value.into(),
            Some(_) => number.to_string().as_str().into(),
        }
    }
}

/// The text by which steps refer to it: `8`, `$C.rows`.
impl fmt::Display for ChosenNumber {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match &self.decision {
            None => write!(f, "{}", self.value),
            Some(name) => write!(f, "${name}"),
        }
    }
}

/// The numbers of a space, which a schedule has recorded as decisions.
#[derive(Clone, Debug)]
pub struct ChosenNumbers(Vec<(String, ChosenNumber)>);

impl ChosenNumbers {
    /// The number that a block chooses by this name, if it chooses one.
    pub fn of(&self, block: &str, what: &str) -> Option<&ChosenNumber> {
        let name = name_of(block, what);
        self.0.iter().find(|(other, _)| *other == name).map(|(_, number)| number)
    }
}

/// The factors of a split: `[-1, 8]`, `"-1, $C.rows"`. All iterations that the others leave are at `-1`.
pub fn factors(numbers: &[&ChosenNumber]) -> NumberList {
    match numbers.iter().all(|number| number.decision.is_none()) {
        true => (&numbers.iter().map(|number| number.value).collect::<Vec<_>>()).into(),
        false => {
            let texts: Vec<String> = numbers.iter().map(|number| number.to_string()).collect();
            texts.join(", ").as_str().into()
        }
    }
}

/// What a split leaves to the first loop.
pub const REST: ChosenNumber = ChosenNumber { value: -1, decision: None };

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
        true => Term::Quotient(Box::new(size.clone()), Box::new(lanes.into())),
        false => size.clone(),
    };
    let moved = |access: &NestAccess, axes: &mut dyn Iterator<Item = &(usize, Term)>| {
        let moved = axes.filter(|(axis, _)| access.steps[*axis] != AccessStride::None);
        Term::Product(moved.map(vectors).collect())
    };
    let results = nest.stores.iter().map(|store| moved(store, &mut tile.iter()));
    let along_lanes = || tile.iter().filter(|(axis, _)| *axis == along);
    let loads = nest.loads.iter().map(|load| moved(load, &mut along_lanes()));
    let products = (!has_fma).then(|| Term::from(1));
    Term::Sum(results.chain(loads).chain(products).collect())
}

/// The bytes of a buffer that are accessed in so many iterations of some loops, if the access moves by an element along each.
pub fn bytes(access: &NestAccess, tile: &[(usize, Term)]) -> Term {
    let moved = tile.iter().filter(|(axis, _)| access.steps[*axis] != AccessStride::None);
    let sizes = moved.map(|(_, size)| size.clone());
    Term::Product(sizes.chain([access.element_bytes.into()]).collect())
}
