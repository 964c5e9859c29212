//! `sample_compute_location`: sample a loop at which a schedule block can be computed.
//!
//! ```text
//! for %i in 4 { for %j in 8 { block "P" { T[vi, vj] = .. } } }
//! for %i in 4 { for %j in 8 { block "C" { .. T[vi, vj] .. } } }
//!   ->  sample_compute_location "P" as "at"
//! at = "C:i", for compute_at "P" loop "$at"; the nest stays
//! ```
//! The distribution is uniform over all loops to which [`compute_at`] would move the block. If a `decision` is given,
//! the step uses it and draws nothing. The decision is recorded in the trace: see
//! [`src/schedule/primitive/sampling/decision.rs`](super::decision).
//!
//! Requires
//! - (C1) the target is a schedule block
//! - (C2) the name consists of letters, digits, `_` and `.`, and no other decision has it
//! - (C3) there is a loop to which `compute_at` can move the block
//! - (C4) a decision, if given, is such a loop

use crate::nest::summary::Summary;
use crate::schedule::error::{SamplingReason, ScheduleError};
use crate::schedule::name;
use crate::schedule::primitive::declaration::primitive;
use crate::schedule::primitive::location::compute_at;
use crate::schedule::primitive::sampling::decision;
use crate::schedule::primitive::sampling::decision::{Decision, NAME, SEED_TEXT};

primitive! {
    "Draw a loop at which a schedule block may be computed"
    sample_compute_location(
        block: Block,
        r#as: Word = NAME,
        decision: OptionalWord = "The loop, as block:loop; it is drawn by default",
        seed: OptionalInteger = SEED_TEXT
    ) -> ();
    |state| {
        let taken = decision::taken(state.function, r#as);
        let places = check(state.summary(), &taken, block, r#as, decision)?;
        let place = decision.map_or_else(
            || {
                let mut random = decision::random(r#as, seed);
                places[random.between(0, places.len() as u64 - 1) as usize].clone()
            },
            str::to_owned,
        );
        decision::keep(state.function, r#as, &Decision::Text(place));
        Ok(())
    }
}

/// The loops that are sampled from; `taken` are the names of existing decisions.
pub fn check(
    summary: &Summary,
    taken: &[String],
    target: &str,
    name: &str,
    decided: Option<&str>,
) -> Result<Vec<String>, ScheduleError> {
    let id = name::block(summary, target)?;
    decision::check_name(name, taken, 2)?;
    // A block that cannot move at all has no such loop.
    let loops = compute_at::legal_loops(summary, target).unwrap_or_default();
    let places: Vec<String> = loops.into_iter().map(|node| summary.name(node)).collect();
    if places.is_empty() {
        return Err(SamplingReason::NoComputeLocation(target.to_owned()).at(id, 3));
    }
    let is_place = |decided: &&str| match name::loop_of(summary, decided) {
        // A loop has one name for each schedule block in it.
        Ok(node) => places.contains(&summary.name(node)),
        Err(_) => false,
    };
    match decided.filter(|decided| !is_place(decided)) {
        Some(decided) => {
            let (decided, places) = (decided.to_owned(), places.join(", "));
            Err(SamplingReason::NotAComputeLocation { decided, places }.at(id, 4))
        }
        None => Ok(places),
    }
}
