//! Schedules in the words of other compilers: TVM's [`te`], [`cinn`] and [`halide`].
//!
//! Each method is a step or a few of [`Schedule`](crate::schedule::Schedule), which does the work and judges it; so
//! what is said here can be traced, printed and replayed as any schedule. Arguments come in the order that those
//! compilers have them in, and what they let users name is named here too. `docs/coming-from.md` says what is other.
//!
//! Must not know: how a step is done.

pub mod cinn;
pub mod halide;
pub mod te;

use crate::dialect::loop_enums::IterRole;
use crate::ir::affine::Expr;
use crate::schedule::{Reason, Schedule, ScheduleError};

/// The loop that an iter of a schedule block is bound to: the `i`th one that is of the reduction, or is not.
fn axis(
    schedule: &Schedule,
    block: &str,
    i: usize,
    reduces: bool,
) -> Result<String, ScheduleError> {
    let (of, summary) = (schedule.block(block)?, schedule.summary());
    let iters = of.iters.iter().zip(&of.binding);
    let mut iters = iters.filter(|(iter, _)| (iter.role == IterRole::Reduce) == reduces);
    let bound = iters.nth(i).and_then(|(_, bound)| match bound {
        Expr::Dim(variable) => (0..summary.nodes.len())
            .filter_map(|node| summary.as_loop(node))
            .find(|this| this.variable == *variable),
        _ => None,
    });
    match bound {
        Some(this) => Ok(format!("{block}:{}", this.name)),
        None => {
            let what = if reduces { "reduce_axis" } else { "axis" };
            let present = schedule.loops(block)?.join(", ");
            Err(Reason::NoLoop { block: block.into(), name: format!("{what}[{i}]"), present }
                .at(0, 0))
        }
    }
}

/// Brings a schedule block out of the loops that it shares with others.
fn to_the_root(schedule: &mut Schedule, block: &str) -> Result<(), ScheduleError> {
    while let Some((first, levels)) = shared(schedule, block)? {
        schedule.fission(&first, Some(levels))?;
    }
    Ok(())
}

/// What the loops around a schedule block are to be divided at, so that fewer of them hold something else; and how many.
fn shared(schedule: &Schedule, block: &str) -> Result<Option<(String, i64)>, ScheduleError> {
    let loops = schedule.loops(block)?;
    let inside = loops.iter().skip(1).cloned().chain([block.to_owned()]);
    for (levels, within) in (1..).zip(inside.take(loops.len())) {
        if schedule.previous(&within)?.is_some() {
            return Ok(Some((within, levels)));
        }
        if let Some(next) = schedule.next(&within)? {
            return Ok(Some((next, levels)));
        }
    }
    Ok(None)
}

/// The `i`th of the buffers that a schedule block reads and does not write.
fn read(schedule: &Schedule, block: &str, i: usize) -> Result<String, ScheduleError> {
    let of = schedule.block(block)?;
    let written = of.written();
    let mut names = vec![];
    for load in of.loads().filter(|load| !written.contains(&load.buffer)) {
        let name = &schedule.summary().buffers[load.buffer].name;
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    nth(names, i, "input")
}

/// The `i`th of the buffers that a schedule block writes.
fn written(schedule: &Schedule, block: &str, i: usize) -> Result<String, ScheduleError> {
    let mut names = vec![];
    for store in schedule.block(block)?.stores() {
        let name = &schedule.summary().buffers[store.buffer].name;
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    nth(names, i, "output")
}

fn nth(names: Vec<String>, i: usize, what: &str) -> Result<String, ScheduleError> {
    let present = names.join(", ");
    let missing = || Reason::NoBuffer { name: format!("{what}[{i}]"), present }.at(0, 0);
    names.into_iter().nth(i).ok_or_else(missing)
}

/// The `i`th of the loops around a schedule block, outermost first.
fn nth_loop(schedule: &Schedule, block: &str, i: usize) -> Result<String, ScheduleError> {
    let loops = schedule.loops(block)?;
    loops.get(i).cloned().ok_or_else(|| {
        let (block, present) = (block.to_owned(), loops.join(", "));
        Reason::NoLoop { block, name: format!("loops[{i}]"), present }.at(0, 0)
    })
}

/// `split` for those who go on with what it gives: loops by their whole names.
fn split(
    schedule: &mut Schedule,
    target: &str,
    factors: &[i64],
    tail: Option<&str>,
) -> Result<Vec<String>, ScheduleError> {
    let made = schedule.split(target, factors, tail)?;
    Ok(made.iter().map(|name| beside(target, name)).collect())
}

/// `split` in an outer and an inner loop.
fn split_in_two(
    schedule: &mut Schedule,
    target: &str,
    factors: [i64; 2],
    tail: Option<&str>,
) -> Result<[String; 2], ScheduleError> {
    let made = split(schedule, target, &factors, tail)?;
    Ok(made.try_into().expect("two factors make two loops"))
}

/// `fuse`, as above.
fn fuse(schedule: &mut Schedule, loops: &[&str]) -> Result<String, ScheduleError> {
    let made = schedule.fuse(loops)?;
    Ok(beside(loops.first().copied().unwrap_or_default(), &made))
}

/// The whole name of a loop around the same schedule block.
fn beside(target: &str, name: &str) -> String {
    let block = target.split_once(':').map_or(target, |(block, _)| block);
    format!("{block}:{name}")
}
