//! `sample_perfect_tile`: sample tile factors whose product is the extent of a loop.
//!
//! ```text
//! loop.for serial %j in 64 { .. }
//!   ->  sample_perfect_tile "C:j" as "tile" parts 3
//! tile = [4, 2, 8], for split "C:j" factors "$tile"; the loop stays
//! ```
//! The distribution is uniform over all ways to write the extent as a product of that many factors, the last of which
//! is at most `max_innermost`. If a `decision` is given, the step uses it and draws nothing. The decision is recorded
//! in the trace: see [`src/schedule/primitive/sampling/decision.rs`](super::decision).
//!
//! Requires
//! - (C1) the target is a loop
//! - (C2) its extent is one constant, 1 or more
//! - (C3) the name consists of letters, digits, `_` and `.`, and no other decision has it
//! - (C4) `parts` and `max_innermost` are 1 or more, and the extent is a product of such factors
//! - (C5) a decision, if given, has such factors

use crate::interpreter::random::Random;
use crate::nest::state::State;
use crate::nest::summary::Summary;
use crate::schedule::error::{Reason, SamplingReason, ScheduleError};
use crate::schedule::name;
use crate::schedule::primitive::declaration::primitive;
use crate::schedule::primitive::sampling::decision;
use crate::schedule::primitive::sampling::decision::{Decision, NAME, SEED_TEXT};
use std::collections::HashMap;

/// The default number of parts.
const PARTS: i64 = 2;
const INNERMOST: i64 = 16;

primitive! {
    "Draw factors whose product is the extent of a loop"
    /// Later steps take the factors as `"$name"`. If `decision` is empty, it is sampled.
    sample_perfect_tile(
        r#loop: Loop,
        r#as: Word = NAME,
        parts: OptionalInteger = "The number of factors (default: 2)",
        max_innermost: OptionalInteger = "The largest last factor (default: 16)",
        decision: OptionalIntegers = "The factors; they are drawn by default",
        seed: OptionalInteger = SEED_TEXT
    ) -> ();
    near_atomic;
    |state| {
        let taken = decision::taken(state.function, r#as);
        let space =
            check((state.summary(), &taken), (r#loop, r#as), (parts, max_innermost), decision)?;
        let factors = match decision {
            [] => space.drawn(&mut decision::random(r#as, seed)),
            decided => decided.to_vec(),
        };
        keep(state, r#as, factors);
        Ok(())
    }
}

/// All products of `parts` factors whose last factor is at most `innermost`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TileSpace {
    pub extent: i64,
    pub parts: u32,
    pub innermost: i64,
}

fn keep(state: &State, name: &str, factors: Vec<i64>) {
    decision::keep(state.function, name, &Decision::Numbers(factors));
}

/// The products that are sampled from; `taken` are the names of existing decisions.
pub fn check(
    (summary, taken): (&Summary, &[String]),
    (target, name): (&str, &str),
    (parts, innermost): (Option<i64>, Option<i64>),
    decided: &[i64],
) -> Result<TileSpace, ScheduleError> {
    let node = name::loop_of(summary, target)?;
    let this = summary.as_loop(node).expect("a loop");
    let extent = this.constant_extent().filter(|extent| *extent >= 1);
    let extent = extent.ok_or_else(|| Reason::NotConstant(this.name.clone()).at(node, 2))?;
    decision::check_name(name, taken, 3)?;
    let (parts, innermost) = (parts.unwrap_or(PARTS), innermost.unwrap_or(INNERMOST));
    let none = || SamplingReason::NoTiles { extent, parts, innermost }.at(node, 4);
    let space = TileSpace {
        extent,
        parts: u32::try_from(parts)
            .ok()
            .filter(|parts| (1..=32).contains(parts))
            .ok_or_else(none)?,
        innermost,
    };
    if space.ways() == 0 {
        return Err(none());
    }
    if !decided.is_empty() && !space.has(decided) {
        let decided = decided.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
        return Err(SamplingReason::NoSuchTile { decided, extent, parts, innermost }.at(node, 5));
    }
    Ok(space)
}

impl TileSpace {
    /// The number of products.
    pub fn ways(&self) -> u64 {
        let all = divisors(self.extent);
        let last = all.iter().filter(|last| **last <= self.innermost);
        let mut known = HashMap::new();
        last.fold(0, |sum: u64, last| {
            sum.saturating_add(products(self.extent / last, self.parts - 1, &all, &mut known))
        })
    }

    /// True if the factors are one of these products.
    pub fn has(&self, factors: &[i64]) -> bool {
        let product = factors.iter().try_fold(1i64, |product, f| product.checked_mul(*f));
        factors.len() as u64 == u64::from(self.parts)
            && factors.iter().all(|factor| *factor >= 1)
            && product == Some(self.extent)
            && factors.last().is_some_and(|last| *last <= self.innermost)
    }

    /// Samples one product uniformly; the factors are drawn from the last to the first.
    fn drawn(&self, random: &mut Random) -> Vec<i64> {
        let all = divisors(self.extent);
        let mut known = HashMap::new();
        let (mut rest, mut factors) = (self.extent, vec![]);
        for left in (0..self.parts).rev() {
            let most = if factors.is_empty() { self.innermost } else { i64::MAX };
            let fits = |d: &&i64| rest % **d == 0 && **d <= most;
            let mut choices: Vec<(i64, u64)> = vec![];
            for factor in all.iter().filter(fits) {
                choices.push((*factor, products(rest / factor, left, &all, &mut known)));
            }
            let total = choices.iter().fold(0u64, |sum, (_, ways)| sum.saturating_add(*ways));
            let mut at = random.between(0, total.max(1) - 1);
            let factor = choices.iter().find(|(_, ways)| match at.checked_sub(*ways) {
                None => true,
                Some(rest) => {
                    at = rest;
                    false
                }
            });
            let factor = factor.map_or(1, |(factor, _)| *factor);
            factors.push(factor);
            rest /= factor;
        }
        factors.reverse();
        factors
    }
}

impl std::fmt::Display for TileSpace {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let TileSpace { extent, parts, innermost } = self;
        let ways = self.ways();
        write!(f, "{parts} factors of {extent}, the last at most {innermost}: {ways} ways")
    }
}

/// The number of ways to write a number as a product of `parts` factors.
fn products(number: i64, parts: u32, all: &[i64], known: &mut HashMap<(i64, u32), u64>) -> u64 {
    match (parts, number) {
        (0, 1) | (1, _) => return 1,
        (0, _) => return 0,
        _ => {}
    }
    if let Some(ways) = known.get(&(number, parts)) {
        return *ways;
    }
    let mut sum = 0u64;
    for factor in all.iter().filter(|d| number % **d == 0) {
        sum = sum.saturating_add(products(number / factor, parts - 1, all, known));
    }
    known.insert((number, parts), sum);
    sum
}

/// The divisors of a number, in ascending order.
pub fn divisors(number: i64) -> Vec<i64> {
    let small = (1..).take_while(|d| *d <= number / d).filter(|d| number % d == 0);
    let mut all: Vec<i64> = small.flat_map(|d| [d, number / d]).collect();
    all.sort_unstable();
    all.dedup();
    all
}
