//! Compatibility layers: the schedule APIs of other compilers, TVM's [`te`], [`cinn`] and [`halide`].
//!
//! Each method is one or a few steps of [`Schedule`], which checks and does the work. So
//! these schedules can be traced, printed and replayed like any other schedule. Arguments have the order of the
//! original APIs, and what users name there, they name here too. `docs/coming-from.md` lists the differences.
//!
//! Must not depend on: how a step is done.

pub mod cinn;
pub mod halide;
pub mod te;

use loopwright::dialect::loop_enums::IterRole;
use loopwright::ir::affine::Expr;
use loopwright::nest::summary::{NodeId, VariableId, mentions};
use loopwright::schedule::{NumberList, Reason, Schedule, ScheduleError, name};

/// The loop that the `i`th reduction iter, or the `i`th other iter, of a schedule block is bound to.
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
        Expr::Dim(variable) => summary
            .nodes
            .keys()
            .filter_map(|node| summary.as_loop(node))
            .find(|this| this.variable == VariableId::of_dim(*variable)),
        _ => None,
    });
    match bound {
        Some(this) => Ok(format!("{block}:{}", this.name)),
        None => {
            let what = if reduces { "reduce_axis" } else { "axis" };
            let present = schedule.loops(block)?.join(", ");
            Err(Reason::NoLoop { block: block.into(), name: format!("{what}[{i}]"), present }
                .at(NodeId::FUNCTION, 0))
        }
    }
}

/// Moves a schedule block out of the loops that it shares with other blocks.
fn to_the_root(schedule: &mut Schedule, block: &str) -> Result<(), ScheduleError> {
    while let Some((first, levels)) = shared(schedule, block)? {
        schedule.fission(&first, Some(levels))?;
    }
    Ok(())
}

/// The point at which to split the loops around a schedule block so that fewer of them hold other ops, and the number
/// of loops to split.
fn shared(schedule: &Schedule, block: &str) -> Result<Option<(String, i64)>, ScheduleError> {
    for (levels, within) in (1..).zip(within_loops(schedule, block)?) {
        if schedule.previous(&within)?.is_some() {
            return Ok(Some((within, levels)));
        }
        if let Some(next) = schedule.next(&within)? {
            return Ok(Some((next, levels)));
        }
    }
    Ok(None)
}

/// The child of each loop around a schedule block, outermost first: the next loop, and last the block.
fn within_loops(schedule: &Schedule, block: &str) -> Result<Vec<String>, ScheduleError> {
    let loops = schedule.loops(block)?;
    let inside = loops.iter().skip(1).cloned().chain([block.to_owned()]);
    Ok(inside.take(loops.len()).collect())
}

/// The loop that a schedule block is computed at: the innermost loop that holds other ops too.
fn attached(schedule: &Schedule, block: &str) -> Result<String, ScheduleError> {
    let loops = schedule.loops(block)?;
    for (target, within) in loops.iter().zip(within_loops(schedule, block)?).rev() {
        if schedule.previous(&within)?.is_some() || schedule.next(&within)?.is_some() {
            return Ok(target.clone());
        }
    }
    let (block, present) = (block.to_owned(), loops.join(", "));
    Err(Reason::NoLoop { block, name: "compute_at".into(), present }.at(NodeId::FUNCTION, 0))
}

/// The iter of a schedule block that a loop belongs to, if it belongs to exactly one.
fn iter_of(schedule: &Schedule, block: &str, target: &str) -> Result<Option<usize>, ScheduleError> {
    let (of, summary) = (schedule.block(block)?, schedule.summary());
    let variable = summary.as_loop(name::loop_of(summary, target)?).expect("a loop").variable;
    let mut iters = (0..of.binding.len()).filter(|i| mentions(&of.binding[*i], variable));
    Ok(iters.next().filter(|_| iters.next().is_none()))
}

/// The buffer that a schedule block writes, and the dimension that an iter of the block indexes.
fn dimension(
    schedule: &Schedule,
    block: &str,
    iter: Option<usize>,
    what: &str,
) -> Result<(String, usize), ScheduleError> {
    let of = schedule.block(block)?;
    let buffer = written(schedule, block, 0)?;
    let found = iter.and_then(|iter| {
        let index = of.iters[iter].variable.expr();
        let store = of.stores().find(|s| schedule.summary().buffers[s.buffer].name == buffer)?;
        store.indices.iter().position(|i| i.as_ref() == Some(&index))
    });
    match found {
        Some(found) => Ok((buffer, found)),
        None => {
            let (block, present) = (block.to_owned(), schedule.loops(block)?.join(", "));
            let name = format!("{what}, which counts a dimension of \"{buffer}\"");
            Err(Reason::NoLoop { block, name, present }.at(NodeId::FUNCTION, 0))
        }
    }
}

/// The rank of a buffer.
fn rank(schedule: &Schedule, buffer: &str) -> usize {
    let buffers = &schedule.summary().buffers;
    buffers.values().find(|of| of.name == buffer).map_or(0, |of| of.shape.len())
}

/// The `i`th buffer that a schedule block reads and does not write.
fn read(schedule: &Schedule, block: &str, i: usize) -> Result<String, ScheduleError> {
    nth(schedule.reads(block)?, i, "input")
}

/// The `i`th buffer that a schedule block writes.
fn written(schedule: &Schedule, block: &str, i: usize) -> Result<String, ScheduleError> {
    nth(schedule.writes(block)?, i, "output")
}

fn nth(names: Vec<String>, i: usize, what: &str) -> Result<String, ScheduleError> {
    let present = names.join(", ");
    let missing =
        || Reason::NoBuffer { name: format!("{what}[{i}]"), present }.at(NodeId::FUNCTION, 0);
    names.into_iter().nth(i).ok_or_else(missing)
}

/// The `i`th loop around a schedule block, outermost first.
fn nth_loop(schedule: &Schedule, block: &str, i: usize) -> Result<String, ScheduleError> {
    let loops = schedule.loops(block)?;
    loops.get(i).cloned().ok_or_else(|| {
        let (block, present) = (block.to_owned(), loops.join(", "));
        Reason::NoLoop { block, name: format!("loops[{i}]"), present }.at(NodeId::FUNCTION, 0)
    })
}

/// `split`, but returns full loop names, which later steps take.
fn split(
    schedule: &mut Schedule,
    target: &str,
    factors: impl Into<NumberList>,
    tail: Option<&str>,
) -> Result<Vec<String>, ScheduleError> {
    let made = schedule.split(target, factors, tail)?;
    Ok(made.iter().map(|name| beside(target, name)).collect())
}

/// `split` into an outer and an inner loop.
fn split_in_two(
    schedule: &mut Schedule,
    target: &str,
    factors: [i64; 2],
    tail: Option<&str>,
) -> Result<[String; 2], ScheduleError> {
    let made = split(schedule, target, &factors, tail)?;
    Ok(made.try_into().expect("two factors make two loops"))
}

/// `fuse`, but returns the full loop name.
fn fuse(schedule: &mut Schedule, loops: &[&str]) -> Result<String, ScheduleError> {
    let made = schedule.fuse(loops)?;
    Ok(beside(loops.first().copied().unwrap_or_default(), &made))
}

/// The full name of a loop around the same schedule block.
fn beside(target: &str, name: &str) -> String {
    let block = target.split_once(':').map_or(target, |(block, _)| block);
    format!("{block}:{name}")
}
