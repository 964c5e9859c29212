//! Emission of reduction inits: before the reduction loops, or in place.
//! [`Inits`](super::plan::init::Inits) has decided which.

use super::any_loop::any_loop;
use super::cursor::Cursor;
use super::leaf::emit_init;
use super::plan::EmissionPlan;
use super::plan::init::{Hoisted, runs};
use crate::dialect::loop_enums::IterRole;
use crate::dialect::loop_op::{For, If, ScheduleBlock};
use crate::ir::affine::{Constraint, Expr};
use crate::ir::{Block, Builder, Error, Op, Region, Value, is_inside};

/// Emits the start values that are written before this loop.
pub(crate) fn hoisted_inits<'c>(
    plan: &EmissionPlan<'c>,
    cursor: &mut Cursor<'c>,
    before: Op<'c>,
    at: Builder<'c>,
) -> Result<(), Error<'c>> {
    let mut here = plan.inits.hoisted.iter().filter(|h| h.before == before);
    here.try_for_each(|hoisted| init_nest(plan, cursor, hoisted, 0, at))
}

/// Emits the loops of the path from index `i` on, without the reduction loops.
fn init_nest<'c>(
    plan: &EmissionPlan<'c>,
    cursor: &mut Cursor<'c>,
    hoisted: &Hoisted<'c>,
    i: usize,
    at: Builder<'c>,
) -> Result<(), Error<'c>> {
    let Some(op) = hoisted.path.get(i) else { return init_instance(plan, cursor, hoisted, at) };
    if op.is(If::NAME) {
        let view = If::of(*op)?;
        let inner = hoisted.path.get(i + 1).unwrap_or(&hoisted.block);
        let mut here = |cursor: &mut Cursor<'c>, at| init_nest(plan, cursor, hoisted, i + 1, at);
        return match inner.block() == Some(view.then_body) {
            true => cursor.either(&view, at, &mut here, None),
            false => cursor.either(&view, at, &mut |_, _| Ok(()), Some(&mut here)),
        };
    }
    let view = For::of(*op)?;
    if hoisted.reduces.contains(&view.variable()) {
        cursor.indices.insert(view.variable(), 0.into());
        return init_nest(plan, cursor, hoisted, i + 1, at);
    }
    any_loop(plan, cursor, &view, at, &mut |cursor, at| init_nest(plan, cursor, hoisted, i + 1, at))
}

fn init_instance<'c>(
    plan: &EmissionPlan<'c>,
    cursor: &mut Cursor<'c>,
    hoisted: &Hoisted<'c>,
    at: Builder<'c>,
) -> Result<(), Error<'c>> {
    let view = plan.block(hoisted.block)?;
    let Some(init) = view.init() else { return Ok(()) };
    cursor.bind_iters(&view);
    // Conditions on reduction loops alone restrict which part of the reduction runs, not the start values.
    let spatial =
        |over: &[Value<'c>]| over.is_empty() || !over.iter().all(|v| hoisted.reduces.contains(v));
    let mut predicate = cursor.predicate(&view, &spatial);
    predicate.extend(cursor.thread_conditions());
    cursor.under(predicate, at, &mut |cursor, at| emit_init(plan, cursor, init, at))
}

/// Before a nest: emits the start values of its reductions that are written in place, if the reductions
/// have no iterations.
pub(crate) fn init_empty<'c>(
    plan: &EmissionPlan<'c>,
    cursor: &mut Cursor<'c>,
    nest: Op<'c>,
    at: Builder<'c>,
) -> Result<(), Error<'c>> {
    for view in plan.inits.maybe_empty(nest)? {
        let op = view.op;
        let Some(init) = view.init() else { continue };
        let in_nest = |size: &Value<'c>| {
            size.owner().and_then(Block::parent).is_some_and(|p| is_inside(p, nest))
        };
        if view.sizes.iter().any(in_nest) {
            return Err(Error::on(
                op,
                format!(
                    "\"{}\" may reduce over no elements and uses iters of an enclosing block, so its \
                     start values cannot be written before its loops",
                    view.name
                ),
            ));
        }
        let domains = view.iters.iter().map(|iter| cursor.bounds(&iter.domain, &view.sizes, 0));
        let domains: Vec<Vec<Expr>> = domains.collect();
        // A reduction has no iterations if a reduce iter has a domain of 0.
        let mut is_empty: Option<Value<'c>> = None;
        for (iter, domain) in view.iters.iter().zip(&domains) {
            if iter.role != IterRole::Reduce || runs(domain) {
                continue;
            }
            let smallest = cursor.emit_minimum(domain, at);
            let zero = at.index(0);
            // The value of `sle` in the predicates of `arith.cmpi`.
            let none = cursor.compare(3, smallest, zero, at);
            is_empty = Some(match is_empty {
                None => none,
                Some(other) => cursor.elementwise("arith.ori", &[other, none], at),
            });
        }
        let Some(is_empty) = is_empty else { continue };
        let block = Block::new(&[]);
        let inner = Builder::at_end(block, at.location());
        let domain = Domain { view: &view, extents: &domains, init };
        domain_nest(plan, cursor, &domain, 0, inner)?;
        inner.insert(inner.spec("scf.yield"));
        let spec = at.spec("scf.if").operands(&[is_empty]).region(Region::of(block));
        at.insert(spec.region(Region::new()));
    }
    Ok(())
}

/// The domain of a block, over which its init is emitted.
struct Domain<'a, 'c> {
    view: &'a ScheduleBlock<'c>,
    /// The extents of its iters.
    extents: &'a [Vec<Expr>],
    init: Op<'c>,
}

/// Emits the init for all points of the spatial domain; `i` is the index of the next iter.
fn domain_nest<'c>(
    plan: &EmissionPlan<'c>,
    cursor: &mut Cursor<'c>,
    domain: &Domain<'_, 'c>,
    i: usize,
    at: Builder<'c>,
) -> Result<(), Error<'c>> {
    let Some(iter) = domain.view.iters.get(i) else {
        return emit_init(plan, cursor, domain.init, at);
    };
    if iter.role == IterRole::Reduce {
        cursor.indices.insert(iter.variable, 0.into());
        return domain_nest(plan, cursor, domain, i + 1, at);
    }
    let upper = cursor.emit_minimum(&domain.extents[i], at);
    let variable = iter.variable;
    cursor.dynamic_loop(upper, None, at, &mut |cursor, value, at| {
        cursor.indices.insert(variable, value);
        domain_nest(plan, cursor, domain, i + 1, at)
    })
}

/// The constraints under which a reduction starts: all its reduce iters are 0.
pub(crate) fn is_first<'c>(cursor: &Cursor<'c>, view: &ScheduleBlock<'c>) -> Vec<Constraint> {
    let reduce = view.iters.iter().filter(|iter| iter.role == IterRole::Reduce);
    reduce
        .map(|iter| Constraint::Zero(cursor.indices[&iter.variable].clone()))
        .filter(|constraint| constraint.expr().constant() != Some(0))
        .collect()
}
