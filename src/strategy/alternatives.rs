//! The alternatives of a group: each applicable strategy is tried on a copy of the function, and its time is predicted.
//!
//! The strategy of the highest priority is the first alternative. Another one is chosen if it is predicted to be faster by
//! more than predictions are wrong ([`MARGIN`]). For a group of several nests there is one more alternative: to schedule
//! each of them as a group of its own.
//!
//! If a strategy has a [space](super::space), its numbers are improved. If there are many numbers, the fastest of some random members
//! is the start. Then one step is done at a time: of the next smaller and the next larger value of each number, the one
//! that is predicted to be the fastest is taken, until none gains more than [`STEP`]. The result
//! replaces the numbers of the strategy if it is faster by [`NUMBERS_MARGIN`]. If what no numbers shorten takes too long for that
//! (the operations in whole vectors, and moving arguments and results once), or the strategy [keeps its default](Space::keeps_default),
//! nothing is tried.

use super::choose::{Alternative, CandidateStatus, Predict, Row};
use super::group::NestGroup;
use super::space::Space;
use super::{MAX_PACKAGE_PRIORITY, Strategy, StrategyTable};
use crate::interpreter::random::Random;
use crate::ir::{CopiedOp, Error, Op};
use crate::nest::summary::{NodeId, Summary};
use crate::schedule::trace::observer::Observer;
use crate::schedule::{Schedule, ScheduleError};
use std::collections::BTreeSet;

/// Another alternative than the first is chosen if its predicted time is at most this part of the first one's: predictions
/// are often wrong by so much, as docs/design/predicted-times.md shows.
pub const MARGIN: f64 = 0.7;

/// As [`MARGIN`], for other numbers of the same strategy, whose times are predicted better relative to each other.
const NUMBERS_MARGIN: f64 = 0.9;

/// The most numbers that are tried for a strategy: each try schedules a copy of the group.
const MOST_TRIES: usize = 16;

/// Before that, so many members are tried of a space of at least so many numbers.
const DRAWN: usize = 24;
const MANY_NUMBERS: usize = 4;

/// The next numbers must take at most this part of the time of those before.
const STEP: f64 = 0.97;

/// In functions of more groups, strategies are chosen by priority: each alternative copies the function.
pub const MAX_GROUPS: usize = 64;

/// Tries the strategies that may be chosen for all sizes, and predicts their times. Rows that another one beats get the
/// status [`CandidateStatus::Slower`]. Returns the schedule of the nests one by one, and whether that is chosen.
pub(super) fn rank<'c, M: 'static>(
    function: Op<'c>,
    group: &NestGroup,
    rows: &mut [Row<M>],
    (table, machine): (&StrategyTable<M>, &M),
    predict: Predict,
) -> Result<Option<(Alternative, bool)>, Error<'c>> {
    // Which strategy is for which sizes is decided by priority, and strategies from outside the package may know what times do not
    // show.
    let is_open = |row: &&Row<M>| row.candidate.status == CandidateStatus::LowerPriority;
    let is_from_outside = |row: &Row<M>| row.strategy.priority() > MAX_PACKAGE_PRIORITY;
    let is_fixed = rows.iter().find(is_open).is_some_and(is_from_outside);
    if is_fixed || rows.iter().any(|row| row.sizes.is_some()) {
        return Ok(None);
    }
    for row in rows.iter_mut().filter(|row| row.candidate.status == CandidateStatus::LowerPriority)
    {
        let member = |space: Space| {
            let steps =
                |schedule: &mut Schedule| row.strategy.schedule(schedule, group, machine, &space);
            let tried = tried(function, group, &steps, predict)?;
            Ok(tried.map(|tried| Alternative { space, ..tried }))
        };
        match member(row.strategy.space(group, machine))? {
            Ok(first) => row.candidate.alternative = Some(improved(first, &member)?),
            Err(refused) => row.candidate.status = CandidateStatus::Undone(refused),
        }
    }
    let apart = apart(function, group, (table, machine), predict)?;
    let predicted = |row: &Row<M>| row.candidate.alternative.as_ref().map(|it| it.predicted.ns);
    let Some(first) = rows.iter().find_map(predicted) else {
        return Ok(apart.map(|apart| (apart, true)));
    };
    let fastest = rows.iter().filter_map(predicted).fold(f64::INFINITY, f64::min);
    let is_apart = apart
        .as_ref()
        .is_some_and(|apart| apart.predicted.ns < fastest && apart.predicted.ns <= MARGIN * first);
    let chosen = match fastest <= MARGIN * first {
        true => fastest,
        false => first,
    };
    let mut is_left = !is_apart;
    for row in rows.iter_mut() {
        let Some(ns) = predicted(row) else { continue };
        match is_left && ns <= chosen {
            true => is_left = false,
            false => row.candidate.status = CandidateStatus::Slower,
        }
    }
    Ok(apart.map(|apart| (apart, is_apart)))
}

/// The schedule if each nest of a group is scheduled alone, by the strategy of the highest priority; `None` if there
/// is only one nest, or none for one of them.
fn apart<'c, M: 'static>(
    function: Op<'c>,
    group: &NestGroup,
    (table, machine): (&StrategyTable<M>, &M),
    predict: Predict,
) -> Result<Option<Alternative>, Error<'c>> {
    let alone = group.clone().split();
    let first = |group: &NestGroup| {
        let applies = |it: &&dyn Strategy<M>| {
            super::choose::why_not(*it, group, machine).is_ok()
                && it.sizes(group, machine).is_none()
        };
        table.strategies().filter(applies).max_by_key(|it| it.priority())
    };
    let chosen: Option<Vec<_>> = alone.iter().map(|group| Some((first(group)?, group))).collect();
    match chosen {
        Some(chosen) if !chosen.is_empty() => {
            let one_by_one = |schedule: &mut Schedule| {
                chosen.iter().try_for_each(|(strategy, group)| {
                    let space = strategy.space(group, machine);
                    strategy.schedule(schedule, group, machine, &space)
                })
            };
            Ok(tried(function, group, &one_by_one, predict)?.ok())
        }
        _ => Ok(None),
    }
}

/// The alternative with better numbers, if some are predicted to be faster by more than predictions are wrong. `member` tries
/// other numbers.
fn improved<'c>(
    first: Alternative,
    member: &dyn Fn(Space) -> Result<Result<Alternative, String>, Error<'c>>,
) -> Result<Alternative, Error<'c>> {
    let enough = NUMBERS_MARGIN * first.predicted.ns;
    if first.predicted.fixed_ns > enough || first.space.keeps_default {
        return Ok(first);
    }
    let mut best = first.clone();
    let mut known = BTreeSet::from([first.space.values.clone()]);
    // Of many numbers, several have to change together.
    let open = first.space.choices.choices.iter().filter(|choice| choice.domain.len() > 1);
    if open.count() >= MANY_NUMBERS {
        let mut random = Random::new(0);
        let drawn = (0..DRAWN).filter_map(|_| first.space.member(&mut random));
        let new = drawn.filter(|it| known.insert(it.values.clone()));
        for space in new.collect::<Vec<_>>() {
            let Ok(found) = member(space)? else { continue };
            if found.predicted.ns < best.predicted.ns {
                best = Alternative { is_changed: true, ..found };
            }
        }
    }
    let mut left = MOST_TRIES;
    loop {
        let mut faster: Option<Alternative> = None;
        let neighbours = best.space.neighbours().into_iter();
        let new = neighbours.filter(|it| known.insert(it.values.clone())).take(left);
        for space in new {
            left -= 1;
            // Numbers for which a step is refused are no alternative.
            let Ok(found) = member(space)? else { continue };
            let least = faster.as_ref().map_or(STEP * best.predicted.ns, |it| it.predicted.ns);
            if found.predicted.ns < least {
                faster = Some(Alternative { is_changed: true, ..found });
            }
        }
        match faster {
            Some(faster) => best = faster,
            None => break,
        }
    }
    Ok(if best.predicted.ns <= enough { best } else { first })
}

/// The schedule of the nests of a group by some steps, in a copy of the function, or the refused step.
fn tried<'c>(
    function: Op<'c>,
    group: &NestGroup,
    steps: &dyn Fn(&mut Schedule) -> Result<(), ScheduleError>,
    predict: Predict,
) -> Result<Result<Alternative, String>, Error<'c>> {
    let copy = CopiedOp::of(function);
    let mut schedule = Schedule::observed(copy.op(), &Observer::default())?;
    let others: BTreeSet<String> = leaves(schedule.summary())
        .map(|(_, name)| name.to_owned())
        .filter(|name| !group.blocks().contains(&name.as_str()))
        .collect();
    schedule.focus(&group.blocks());
    if let Err(error) = steps(&mut schedule) {
        let steps = schedule.trace().instructions.len();
        return Ok(Err(format!("after {steps} steps: {}", error.reason)));
    }
    schedule.widen();
    let summary = schedule.summary();
    let own: BTreeSet<NodeId> = leaves(summary)
        .filter(|(_, name)| !others.contains(*name))
        .map(|(leaf, _)| summary.child_towards(NodeId::FUNCTION, leaf))
        .collect();
    let counted: Vec<NodeId> =
        own.into_iter().filter(|root| !is_of_weights(summary, *root)).collect();
    let predicted = predict(summary, &counted);
    let steps = schedule.trace().instructions.clone();
    Ok(Ok(Alternative { predicted, steps, space: Space::default(), is_changed: false }))
}

/// True if a nest transforms weights, which costs nothing in a call.
fn is_of_weights(summary: &Summary, root: NodeId) -> bool {
    let blocks = summary.leaves(root).into_iter().filter_map(|leaf| summary.as_block(leaf));
    let mut loads = blocks.flat_map(|block| block.loads()).peekable();
    loads.peek().is_some() && loads.all(|load| summary.buffers[load.buffer].has_lifted_transforms)
}

/// The leaves of a function with their names.
fn leaves(summary: &Summary) -> impl Iterator<Item = (NodeId, &str)> {
    let leaves = summary.leaves(NodeId::FUNCTION).into_iter();
    leaves.filter_map(|leaf| Some((leaf, summary.as_block(leaf)?.name.as_str())))
}
