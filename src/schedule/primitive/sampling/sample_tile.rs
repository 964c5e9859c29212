//! `sample_tile`: sample sizes of tiles that need not divide the extent of a loop, which may be known only at run time.
//!
//! ```text
//! loop.for serial %j in %n { .. }
//!   ->  sample_tile "C:j" as "tile" parts 3
//! tile = [-1, 6, 8], for split "C:j" factors "$tile"; the loop stays
//! ```
//! The first factor is -1: `split` computes it, and handles a last tile that is not whole by its `tail`. The others are sampled
//! uniformly from all lists of sizes whose product is at most the extent and at most 4096, and the last of which is at most
//! `max_innermost`. Sizes are the numbers 2^n and 3 * 2^n, and the divisors of a constant extent; so a prime extent has
//! as many tiles as others. If a `decision` is given, the step uses it and draws nothing. The decision is recorded in
//! the trace: see [`src/schedule/primitive/sampling/decision.rs`](super::decision).
//!
//! Requires
//! - (C1) the target is a loop
//! - (C2) the name consists of letters, digits, `_` and `.`, and no other decision has it
//! - (C3) `parts` is 2 to 16, and `max_innermost` is 1 or more
//! - (C4) a decision, if given, is -1, followed by factors of 1 or more within these limits

use crate::interpreter::random::Random;
use crate::nest::summary::{NodeId, Summary};
use crate::schedule::error::{SamplingReason, ScheduleError};
use crate::schedule::name;
use crate::schedule::primitive::declaration::primitive;
use crate::schedule::primitive::sampling::decision;
use crate::schedule::primitive::sampling::decision::{Decision, NAME, SEED_TEXT};
use crate::schedule::primitive::sampling::sample_perfect_tile::divisors;
use std::collections::HashMap;

const PARTS: i64 = 2;
const MOST_PARTS: i64 = 16;
const INNERMOST: i64 = 64;
/// The most iterations of a tile.
const TILE: i64 = 4096;

primitive! {
    "Draw sizes of tiles that need not divide the extent of a loop"
    /// Later steps take the factors as `"$name"`. If `decision` is empty, it is sampled.
    sample_tile(
        r#loop: Loop,
        r#as: Word = NAME,
        parts: OptionalInteger = "The number of factors, with the first one, which is -1 (default: 2)",
        max_innermost: OptionalInteger = "The largest last factor (default: 64)",
        decision: OptionalIntegers = "The factors; they are drawn by default",
        seed: OptionalInteger = SEED_TEXT
    ) -> ();
    near_atomic;
    |state| {
        let taken = decision::taken(state.function, r#as);
        let limits = [parts, max_innermost];
        let space = check((state.summary(), &taken), (r#loop, r#as), limits, decision)?;
        let factors = match decision {
            [] => space.drawn(&mut decision::random(r#as, seed)),
            decided => decided.to_vec(),
        };
        decision::keep(state.function, r#as, &Decision::Numbers(factors));
        Ok(())
    }
}

/// Lists of `parts - 1` sizes with a product of at most `most`, the last of at most `innermost`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TailedTileSpace {
    parts: usize,
    innermost: i64,
    most: i64,
    /// The extent, if it is constant.
    extent: Option<i64>,
    /// The sizes to sample from, in ascending order.
    sizes: Vec<i64>,
}

/// The lists that are sampled from; `taken` are the names of existing decisions. The limits are those of the parameters of the step.
pub fn check(
    (summary, taken): (&Summary, &[String]),
    (target, name): (&str, &str),
    [parts, innermost]: [Option<i64>; 2],
    decided: &[i64],
) -> Result<TailedTileSpace, ScheduleError> {
    let node = name::loop_of(summary, target)?;
    let extent = summary.as_loop(node).expect("a loop").constant_extent();
    decision::check_name(name, taken, 2)?;
    let parts = parts.unwrap_or(PARTS);
    let innermost = innermost.unwrap_or(INNERMOST);
    if !(2..=MOST_PARTS).contains(&parts) || innermost < 1 {
        let reason = SamplingReason::NoTileLimits { parts, innermost };
        return Err(reason.at(NodeId::FUNCTION, 3));
    }
    let most = extent.map_or(TILE, |extent| TILE.min(extent.max(1)));
    let mut sizes: Vec<i64> = (0..62).flat_map(|n| [1 << n, 3 << n]).collect();
    sizes.extend(extent.filter(|extent| *extent > 0).map(divisors).unwrap_or_default());
    sizes.retain(|size| (1..=most).contains(size));
    sizes.sort_unstable();
    sizes.dedup();
    let parts = usize::try_from(parts).unwrap_or_default();
    let space = TailedTileSpace { parts, innermost, most, extent, sizes };
    if !decided.is_empty() && !space.has(decided) {
        let decided = decided.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
        let expected = space.limits();
        return Err(SamplingReason::NoSuchTailedTile { decided, expected }.at(node, 4));
    }
    Ok(space)
}

impl TailedTileSpace {
    /// The number of lists.
    fn ways(&self) -> u64 {
        self.ways_of(self.parts - 1, self.most, &mut HashMap::new())
    }

    /// True if the factors are -1 and sizes within the limits.
    fn has(&self, factors: &[i64]) -> bool {
        let Some((-1, sizes)) = factors.split_first() else { return false };
        let product = sizes.iter().try_fold(1i64, |product, size| product.checked_mul(*size));
        factors.len() == self.parts
            && sizes.iter().all(|size| *size >= 1)
            && product.is_some_and(|product| product <= self.most)
            && sizes.last().is_some_and(|last| *last <= self.innermost)
    }

    /// The sizes that may be the first of `left` ones, the last of which is the innermost, with a product of at most `most`.
    fn fitting(&self, left: usize, most: i64) -> impl Iterator<Item = i64> {
        let most = if left == 1 { most.min(self.innermost) } else { most };
        self.sizes.iter().copied().take_while(move |size| *size <= most)
    }

    /// The number of lists of `left` sizes with a product of at most `most`.
    fn ways_of(&self, left: usize, most: i64, known: &mut HashMap<(usize, i64), u64>) -> u64 {
        if left == 0 {
            return 1;
        }
        if let Some(ways) = known.get(&(left, most)) {
            return *ways;
        }
        let mut ways = 0u64;
        for size in self.fitting(left, most) {
            ways = ways.saturating_add(self.ways_of(left - 1, most / size, known));
        }
        known.insert((left, most), ways);
        ways
    }

    /// Samples one list uniformly, and puts -1 before it.
    fn drawn(&self, random: &mut Random) -> Vec<i64> {
        let mut known = HashMap::new();
        let (mut factors, mut most) = (vec![-1], self.most);
        for left in (1..self.parts).rev() {
            let mut at = random.between(0, self.ways_of(left, most, &mut known).max(1) - 1);
            let mut drawn = 1;
            for size in self.fitting(left, most) {
                drawn = size;
                match at.checked_sub(self.ways_of(left - 1, most / size, &mut known)) {
                    None => break,
                    Some(rest) => at = rest,
                }
            }
            factors.push(drawn);
            most /= drawn;
        }
        factors
    }

    fn limits(&self) -> String {
        let TailedTileSpace { parts, innermost, most, .. } = self;
        let sizes = parts - 1;
        format!(
            "-1 and {sizes} factors with a product of at most {most}, the last at most {innermost}"
        )
    }
}

impl std::fmt::Display for TailedTileSpace {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let extent = self.extent.map_or("unknown".to_owned(), |extent| extent.to_string());
        write!(f, "{} for extent {extent}: {} ways", self.limits(), self.ways())
    }
}
