//! Nests that read along one dimension and write along another: square tiles, whose lines stay in the first cache until
//! all of them is read and written.

use super::share::share;
use super::{alone, lanes, order, stream};
use crate::machine::x86::Processor;
use crate::schedule::{Schedule, ScheduleError};
use crate::strategy::Strategy;
use crate::strategy::group::Group;
use crate::strategy::nest::{Nest, Step, at};

/// Tiles of a row of tiles that are read together, so that of each line that is read all is used.
const TILES: i64 = 4;

pub static ROW: Strategy = Strategy {
    name: "x86.transpose",
    summary: "Square tiles, so that all of a line is used while it is near",
    priority: 20,
    applies,
    schedule,
};

fn applies(group: &Group, processor: &Processor) -> Result<(), String> {
    let nest = alone(group)?;
    if nest.is_reduction() {
        return Err("it reduces".into());
    }
    let lanes = lanes(nest, processor);
    let [write, read] = axes(nest).ok_or("all is read along what is written")?;
    let is_long = |axis: usize| nest.loops[axis].extent.is_none_or(|extent| extent >= lanes);
    match is_long(write) && is_long(read) {
        true => Ok(()),
        false => Err(format!("a dimension is shorter than a vector of {lanes} elements")),
    }
}

/// The loop along which it writes, and the one along which it reads.
fn axes(nest: &Nest) -> Option<[usize; 2]> {
    let write = nest.store_axis()?;
    let turned = nest.loads.iter().find(|load| load.steps[write] == Step::Far)?;
    let read = turned.steps.iter().position(|step| *step == Step::Unit)?;
    Some([write, read])
}

fn schedule(
    schedule: &mut Schedule,
    group: &Group,
    processor: &Processor,
) -> Result<(), ScheduleError> {
    let nest = group.alone().expect("it applies to one nest");
    let [write, read] = axes(nest).expect("it applies where there are two");
    let (block, lanes) = (&nest.block, lanes(nest, processor));
    let (wide, high) = (&nest.loops[write].name, &nest.loops[read].name);
    schedule.split(&nest.at(write), &[-1, lanes], None)?;
    schedule.split(&nest.at(read), &[-1, TILES, lanes], None)?;
    let mut outer = nest.spatial_but(&[write, read]);
    let parts = [(high, "0"), (wide, "0"), (high, "1"), (high, "2"), (wide, "1")];
    let parts = parts.map(|(name, part)| format!("{name}.{part}"));
    order(schedule, block, outer.iter().map(|(name, _)| name.clone()).chain(parts))?;
    schedule.unroll(&at(block, &format!("{high}.2")), None)?;
    schedule.vectorize(&at(block, &format!("{wide}.1")), None)?;
    stream(schedule, nest, write, processor)?;
    let tiles = nest.loops[read].extent.map(|extent| extent / (lanes * TILES) + 1);
    outer.push((format!("{high}.0"), tiles));
    let cycles = nest.all_cycles(1);
    share(schedule, (group, block), &outer, cycles, processor)
}
