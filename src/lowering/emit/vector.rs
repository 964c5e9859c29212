//! Vectorized loops: chunks of lanes, and the tail.

use super::bound::needs_masks;
use super::counted_loop::counted_loop;
use super::cursor::loops::SizedLoop;
use super::cursor::{Cursor, EmitBody, IndexAtom, VectorLanes};
use super::plan::EmissionPlan;
use crate::analysis::system::{Answer, System};
use crate::dialect::loop_enums::LoopKind;
use crate::dialect::loop_op::{BufferView, For, If, ScheduleBlock};
use crate::ir::affine::{Constraint, Expr, Linear};
use crate::ir::{Builder, Error, Type, TypeKind, walk};
use crate::nest::summary::{NodeId, bounds, mentions};
use crate::schedule::legality::lanes::MAX_DEPENDENT;
use crate::schedule::legality::quick;

/// The most full vectors of a loop that are unrolled; more become a loop.
const MAX_CHUNKS: i64 = 8;
/// The most lanes of a vector whose lanes depend on each other.
const MAX_LANES: i64 = MAX_DEPENDENT;

/// Lowers a vectorized loop; `body` emits its body.
pub(crate) fn vector_loop<'c>(
    plan: &EmissionPlan<'c>,
    cursor: &mut Cursor<'c>,
    this: &SizedLoop<'_, 'c>,
    at: Builder<'c>,
    body: EmitBody<'_, 'c>,
) -> Result<(), Error<'c>> {
    let (view, extent) = (this.view, this.constant());
    refuse_reduction(plan, view)?;
    let independent = plan.are_lanes_independent(view.op, &cursor.one_by_one);
    let obstacle = match extent {
        None => Some("its extent is not constant".to_owned()),
        Some(extent) if !independent && extent > MAX_LANES => {
            Some(format!("its lanes depend on each other, and there are more than {MAX_LANES}"))
        }
        Some(_) => obstacle(plan, cursor, view, independent),
    };
    let (extent, obstacle) = match (extent, obstacle) {
        (Some(extent), None) => (extent, None),
        (extent, obstacle) => (extent.unwrap_or(0), obstacle),
    };
    if let Some(why) = obstacle {
        if plan.options.require_vector || !independent {
            let message = format!("\"{}\" cannot be vectorized: {why} (C3)", view.name);
            return Err(Error::on(view.op, message));
        }
        cursor.remark_once(view.op, &format!("\"{}\" is not vectorized: {why}", view.name));
        cursor.one_by_one.push(view.op);
        let result = counted_loop(plan, cursor, this, at, body);
        cursor.one_by_one.pop();
        return result;
    }
    let width = match independent {
        true => {
            let enough = extent.unsigned_abs().next_power_of_two();
            machine_lanes(plan, view).min(i64::try_from(enough).unwrap_or(i64::MAX))
        }
        false => extent,
    };
    let variable = view.variable();
    let (full, rest) = (extent / width, extent % width);
    let has_first = has_first(plan, view);
    let mut chunk = |cursor: &mut Cursor<'c>, start: Expr, on: Option<i64>, at: Builder<'c>| {
        let is_first = start.constant() == Some(0);
        let outer = (cursor.lane.take(), cursor.mask.take());
        let start = start * width.into();
        cursor.atoms.push(IndexAtom {
            value: None,
            range: Some((0, width - 1)),
            is_natural: true,
            varies: false,
        });
        let atom = cursor.atoms.len() - 1;
        let lane = cursor.simplified(&(start + Expr::Dim(atom)));
        cursor.indices.insert(variable, lane);
        cursor.lane = Some(VectorLanes { atom, width: width as usize, has_first, is_first });
        cursor.mask = on.map(|on| cursor.first_lanes(on as usize, at));
        let result = body(cursor, at);
        (cursor.lane, cursor.mask) = outer;
        result
    };
    if full <= MAX_CHUNKS {
        for i in 0..full {
            chunk(cursor, i.into(), None, at)?;
        }
    } else {
        cursor.plain_loop(full, at, &mut |cursor, i, at| chunk(cursor, i, None, at))?;
    }
    if rest > 0 && cursor.threads.is_some() {
        // A GPU has no masks, so the tail is scalar.
        for i in full * width..extent {
            cursor.indices.insert(variable, i.into());
            body(cursor, at)?;
        }
    } else if rest > 0 {
        chunk(cursor, full.into(), Some(rest), at)?;
    }
    Ok(())
}

/// True if the first iteration of a loop fulfils all predicates in it, later ones fulfil them only if the ones before do,
/// and each access is at the same element in all iterations, or at a different one in each. Then code for lanes of which
/// none is active may make the accesses that are the same for all: the first iteration makes them. False if nothing in the
/// loop is reduced: then a branch that skips such code does not keep results in memory, and is faster.
fn has_first<'c>(plan: &EmissionPlan<'c>, view: &For<'c>) -> bool {
    let summary = plan.state.summary();
    let Some(node) = plan.node_of(view.op) else { return false };
    let Some(variable) = summary.as_loop(node).map(|this| this.variable) else { return false };
    let blocks = summary.blocks_under(node).into_iter();
    let blocks: Vec<_> = blocks.filter_map(|node| Some((node, summary.as_block(node)?))).collect();
    if blocks.iter().all(|(_, block)| block.reducer.is_none()) {
        return false;
    }
    let factor = |expr: &Expr| {
        let mut rest = Linear::of(expr);
        let factor = rest.terms.remove(&variable.expr()).unwrap_or(0);
        (!mentions(&rest.to_expr(), variable)).then_some(factor)
    };
    let is_separate = |index: &Option<Expr>| {
        index
            .as_ref()
            .is_some_and(|index| factor(&summary.over_loops(index).simplified()).is_some())
    };
    blocks.into_iter().all(|(node, block)| {
        let known: Vec<Constraint> = summary
            .loops_around(node)
            .filter_map(|around| summary.as_loop(around))
            .flat_map(|this| bounds(this.variable, &this.extent))
            .collect();
        let starts_and_falls = |condition: &Constraint| {
            let expr = summary.over_loops(condition.expr()).simplified();
            match (condition, factor(&expr)) {
                (_, Some(0)) => true,
                (Constraint::NonNegative(_), Some(factor)) if factor < 0 => {
                    let at_start = |dim: usize| match dim == variable.index() {
                        true => 0.into(),
                        false => Expr::Dim(dim),
                    };
                    let first =
                        condition.on(expr.substitute(&at_start, &Expr::Symbol).simplified());
                    first.opposites().into_iter().all(|opposite| {
                        let conditions = [&known[..], &[opposite]].concat();
                        let (dims, sizes) = (summary.variables.len(), summary.sizes.len());
                        System { dims, sizes, conditions }.solve() == Answer::Empty
                    })
                }
                _ => false,
            }
        };
        block.accesses().iter().all(|access| access.indices.iter().all(is_separate))
            && block.predicate.iter().all(starts_and_falls)
    })
}

/// (C2)
fn refuse_reduction<'c>(plan: &EmissionPlan<'c>, view: &For<'c>) -> Result<(), Error<'c>> {
    let reduces =
        |node: NodeId| quick::reduces_over(plan.state.summary(), node).map(|(_, b, i)| (b, i));
    match plan.node_of(view.op).and_then(reduces) {
        None => Ok(()),
        Some((block, iter)) => {
            let message = format!(
                "\"{}\" cannot be vectorized: its lanes would reduce into one cell, because iter \
                 \"{}\" of schedule block \"{}\" is bound to it (C2)",
                view.name, iter.name, block.name
            );
            Err(Error::on(view.op, message))
        }
    }
}

/// The reason why a loop has no vector form. Of two nested vectorized loops the inner one is vectorized,
/// unless the lanes of the outer one depend on each other.
fn obstacle<'c>(
    plan: &EmissionPlan<'c>,
    cursor: &Cursor<'c>,
    view: &For<'c>,
    independent: bool,
) -> Option<String> {
    if cursor.lane.is_some() {
        return Some("it is in a vectorized loop".into());
    }
    if let Some(buffer) = plan.private.in_loop_inside(view.op) {
        let name = BufferView::of(buffer).map(|view| view.name).unwrap_or_default();
        return Some(format!("each iteration of a parallel loop in it has its own \"{name}\""));
    }
    if let Some(why) = cursor.threads.as_ref().and_then(|_| needs_masks(view)) {
        return Some(why);
    }
    for op in walk(view.op).into_iter().skip(1) {
        let why = match op.name() {
            For::NAME => {
                let inner = For::of(op).ok()?;
                let is_outermost =
                    || !independent && plan.are_lanes_independent(inner.op, &cursor.one_by_one);
                if inner.kind == LoopKind::Vectorize && !is_outermost() {
                    format!("loop \"{}\" in it is vectorized", inner.name)
                } else if inner.operands.contains(&view.variable()) {
                    format!("the extent of loop \"{}\" differs between lanes", inner.name)
                } else {
                    continue;
                }
            }
            If::NAME if op.operands().contains(&view.variable()) => {
                "a 'loop.if' between loops differs between lanes".into()
            }
            ScheduleBlock::NAME if plan.block(op).is_ok_and(|b| b.is_nest()) => {
                "it contains a schedule block with a nest as its body".into()
            }
            "func.call" => "it calls a function".into(),
            name if name.starts_with("loop.") || name.starts_with("memref.") => continue,
            "affine.apply" => continue,
            name if name.starts_with("arith.") || name.starts_with("math.") => continue,
            name => format!("'{name}' has no vector form"),
        };
        return Some(why);
    }
    None
}

/// The number of the widest accessed elements that fit in a vector register.
fn machine_lanes<'c>(plan: &EmissionPlan<'c>, view: &For<'c>) -> i64 {
    let bits = walk(view.op).into_iter().filter_map(|op| {
        let ty = match op.name() {
            "memref.load" => op.result(0).ty(),
            "memref.store" => op.operand(0).ty(),
            _ => return None,
        };
        Some(bits_of(ty))
    });
    i64::from((plan.options.vector_bits / bits.max().unwrap_or(32)).max(1))
}

fn bits_of(ty: Type) -> u32 {
    use crate::ir::FloatKind::*;
    match ty.kind() {
        TypeKind::Integer(bits) => bits.max(8),
        TypeKind::Float(F16 | BF16) => 16,
        TypeKind::Float(F32) => 32,
        _ => 64,
    }
}
