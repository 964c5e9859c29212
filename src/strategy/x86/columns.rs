//! Column reductions: the loop along which results are written is vectorized, and results stay in registers during the
//! reduction.

use super::product::follow;
use super::share::share;
use super::{VECTORS, lanes, order, width};
use crate::machine::x86::Processor;
use crate::schedule::{Schedule, ScheduleError};
use crate::strategy::Strategy;
use crate::strategy::group::NestGroup;
use crate::strategy::nest::{AccessStride, Nest, at};

/// The fewest results of a row that are worth a vector: the smallest vectors have so many lanes of f32.
const FEWEST: i64 = 4;

pub static ROW: Strategy<Processor> = Strategy {
    name: "x86.columns",
    summary: "Keeps vectors of results in registers during the reduction; distributes the other \
              loops over threads",
    priority: 10,
    applies,
    schedule,
};

fn applies(group: &NestGroup, processor: &Processor) -> Result<(), String> {
    let nest = &group.nests[0];
    if group.nests.len() > 1 && !nest.reduces_windows() {
        return Err(format!("the group has {} nests, expected one", group.nests.len()));
    }
    if !nest.is_reduction() {
        return Err("it has no reduction".into());
    }
    let axis =
        axis(nest).ok_or("no loop stores to consecutive elements and loads with small strides")?;
    match nest.loops[axis].extent {
        Some(extent) if extent < lanes(nest, processor).min(FEWEST) => {
            Err(format!("rows have only {extent} results"))
        }
        _ => Ok(()),
    }
}

/// The loop along which results are contiguous, if all loads along it have a small stride.
pub fn axis(nest: &Nest) -> Option<usize> {
    let axis = nest.store_axis()?;
    nest.loads.iter().all(|load| load.steps[axis] != AccessStride::Far).then_some(axis)
}

fn schedule(
    schedule: &mut Schedule,
    group: &NestGroup,
    processor: &Processor,
) -> Result<(), ScheduleError> {
    let nest = &group.nests[0];
    let axis = axis(nest).expect("it applies where there is one");
    let (block, name) = (&nest.block, &nest.loops[axis].name);
    let lanes = lanes(nest, processor);
    let extent = nest.loops[axis].extent;
    let width = width(extent, lanes, VECTORS);
    let is_cut = extent.is_none_or(|extent| extent > width);
    let mut outer = nest.spatial_but(&[axis]);
    let lane = match is_cut {
        true => {
            schedule.split(&nest.at(axis), &[-1, width], None)?;
            outer.push((format!("{name}.0"), extent.map(|extent| extent / width + 1)));
            format!("{name}.1")
        }
        false => name.clone(),
    };
    let reductions = nest.reductions().into_iter().map(|i| nest.loops[i].name.clone());
    let around = outer.iter().map(|(name, _)| name.clone());
    order(schedule, block, around.chain(reductions).chain([lane.clone()]))?;
    schedule.vectorize(&at(block, &lane), None)?;
    if let Some((innermost, _)) = outer.last() {
        follow(schedule, group, (&at(block, innermost), outer.len()), false, processor)?;
    }
    let cycles = nest.all_cycles(lanes);
    share(schedule, (group, block), &outer, cycles, processor)
}
