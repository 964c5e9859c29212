//! `sample_categorical`: sample one of several numbers.
//!
//! ```text
//! {}
//!   ->  sample_categorical "width" candidates [4, 8, 16] weights [1, 2, 1]
//! {width = 8}, for vectorize "C:j" factor "$width"
//! ```
//! The probability of a candidate is proportional to its weight; without weights the distribution is uniform. If a
//! `decision` is given, the step uses it and draws nothing. The decision is recorded in the trace: see
//! [`src/schedule/primitive/sampling/decision.rs`](super::decision).
//!
//! Requires
//! - (C1) the name consists of letters, digits, `_` and `.`, and no other decision has it
//! - (C2) the candidates are all different; there are no weights, or as many as candidates, none negative and not all 0
//! - (C3) a decision, if given, is a candidate with a positive weight

use crate::nest::summary::NodeId;
use crate::schedule::error::{SamplingReason, ScheduleError};
use crate::schedule::primitive::declaration::primitive;
use crate::schedule::primitive::sampling::decision;
use crate::schedule::primitive::sampling::decision::{Decision, NAME, SEED_TEXT};

primitive! {
    "Draw one of several numbers"
    sample_categorical(
        r#as: Word = NAME,
        candidates: Integers = "The numbers, one of which is drawn",
        weights: OptionalIntegers = "The relative probability of each number; equal by default",
        decision: OptionalInteger = "The number; it is drawn by default",
        seed: OptionalInteger = SEED_TEXT
    ) -> ();
    near_atomic;
    |state| {
        let taken = decision::taken(state.function, r#as);
        let space = check(r#as, &taken, candidates, weights, decision)?;
        let number = decision.unwrap_or_else(|| {
            let mut random = decision::random(r#as, seed);
            space.at(random.between(0, space.total() - 1))
        });
        decision::keep(state.function, r#as, &Decision::Number(number));
        Ok(())
    }
}

/// The candidates and their weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Categories(pub Vec<(i64, u64)>);

/// Checks the arguments and returns the distribution; `taken` are the names of existing decisions.
pub fn check(
    name: &str,
    taken: &[String],
    candidates: &[i64],
    weights: &[i64],
    decided: Option<i64>,
) -> Result<Categories, ScheduleError> {
    decision::check_name(name, taken, 1)?;
    let refuse = |why: &'static str| Err(SamplingReason::NoCandidates(why).at(NodeId::FUNCTION, 2));
    if candidates.is_empty() {
        return refuse("there are no candidates");
    }
    if candidates.iter().enumerate().any(|(i, c)| candidates[..i].contains(c)) {
        return refuse("a candidate is given twice");
    }
    let weights = match weights {
        [] => vec![1; candidates.len()],
        weights => weights.to_vec(),
    };
    if weights.len() != candidates.len() {
        return refuse("the numbers of weights and candidates differ");
    }
    let Ok(weights) = weights.iter().map(|w| u64::try_from(*w)).collect::<Result<Vec<_>, _>>()
    else {
        return refuse("a weight is negative");
    };
    let space = Categories(candidates.iter().copied().zip(weights).collect());
    let sum = space.0.iter().try_fold(0u64, |sum, (_, weight)| sum.checked_add(*weight));
    match sum {
        None => return refuse("the weights are too large"),
        Some(0) => return refuse("all weights are 0"),
        Some(_) => {}
    }
    match decided.filter(|number| !space.has(*number)) {
        Some(decided) => {
            let candidates = space.to_string();
            Err(SamplingReason::NoSuchCandidate { decided, candidates }.at(NodeId::FUNCTION, 3))
        }
        None => Ok(space),
    }
}

impl Categories {
    fn total(&self) -> u64 {
        self.0.iter().map(|(_, weight)| weight).sum()
    }

    fn has(&self, number: i64) -> bool {
        self.0.iter().any(|(candidate, weight)| *candidate == number && *weight > 0)
    }

    /// The candidate at an index, where each candidate covers as many indices as its weight.
    fn at(&self, mut place: u64) -> i64 {
        for (candidate, weight) in &self.0 {
            match place.checked_sub(*weight) {
                None => return *candidate,
                Some(rest) => place = rest,
            }
        }
        self.0[self.0.len() - 1].0
    }
}

impl std::fmt::Display for Categories {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let possible: Vec<_> = self.0.iter().filter(|(_, weight)| *weight > 0).collect();
        let list = |items: Vec<String>| items.join(", ");
        f.write_str(&list(possible.iter().map(|(number, _)| number.to_string()).collect()))?;
        if possible.iter().any(|(_, weight)| *weight != possible[0].1) {
            let weights = possible.iter().map(|(_, weight)| weight.to_string());
            write!(f, " with weights {}", list(weights.collect()))?;
        }
        Ok(())
    }
}
