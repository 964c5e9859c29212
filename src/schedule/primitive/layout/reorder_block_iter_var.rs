//! `reorder_block_iter_var`: reorder the iters of a schedule block.
//!
//! ```text
//! loop.block "B" [%v: spatial 32, %w: spatial 64, %k: reduce 16] = (%i, %j, %l) ..
//!   ->  reorder_block_iter_var "B" order [2, 0, 1]
//! loop.block "B" [%k: reduce 16, %v: spatial 32, %w: spatial 64] = (%l, %i, %j) ..
//! ```
//! The number at position p is the present index of the iter that moves to position p. The loops determine the
//! instances and their order, so these do not change. The order of the iters matters for the printed IR, and for later
//! steps that derive something from it, such as one loop for each iter.
//!
//! Requires
//! - (C1) the target is a schedule block
//! - (C2) the order lists the indices of all its iters, from 0, each once
//! - (C3) the order differs from the present one
//!
//! All handles stay valid.

use crate::dialect::loop_op::ScheduleBlock;
use crate::ir::{Attribute, Op, Type};
use crate::nest::edit;
use crate::nest::state::State;
use crate::nest::summary::{NodeId, Summary};
use crate::schedule::error::loops::LoopsReason;
use crate::schedule::error::{Reason, ScheduleError};
use crate::schedule::name;
use crate::schedule::primitive::declaration::primitive;

primitive! {
    "Permute the iters of a schedule block"
    reorder_block_iter_var(
        block: Block,
        order: Integers = "The numbers of the present iters, from 0 on, in their new order"
    ) -> ();
    near_atomic;
    |state| reorder_block_iter_var(state, block, order)
}

/// The result of the check.
pub struct Plan {
    block: NodeId,
    /// The present index of each iter, in the new order.
    order: Vec<usize>,
}

/// Reorders the iters of `target`. On an error the IR is unchanged.
pub fn reorder_block_iter_var(
    state: &mut State,
    target: &str,
    order: &[i64],
) -> Result<(), ScheduleError> {
    let plan = check(state.summary(), target, order)?;
    rewrite(state.op(plan.block), &plan);
    // The regions of enclosing nests are derived from those of the blocks in them.
    for nest in state.nests_around([&plan.block]) {
        edit::derive_regions(nest);
    }
    Ok(())
}

pub fn check(summary: &Summary, target: &str, order: &[i64]) -> Result<Plan, ScheduleError> {
    let block = name::block(summary, target)?;
    let iters = summary.as_block(block).expect("a block").iters.len();
    let places: Vec<usize> =
        order.iter().filter_map(|i| usize::try_from(*i).ok()).filter(|i| *i < iters).collect();
    let all_once = (0..iters).all(|i| places.contains(&i));
    if order.len() != iters || !all_once {
        let reason =
            LoopsReason::NoIterOrder { block: target.to_owned(), iters, order: order.to_vec() };
        return Err(Reason::from(reason).at(block, 2));
    }
    if places.is_sorted() {
        return Err(Reason::from(LoopsReason::SameIterOrder(target.to_owned())).at(block, 3));
    }
    Ok(Plan { block, order: places })
}

fn rewrite(op: Op, plan: &Plan) {
    let view = ScheduleBlock::of(op).expect("a verified schedule block");
    let context = op.context();
    // Appends new arguments and removes the old ones.
    let old = view.body.arguments();
    let new: Vec<_> = (0..old.len())
        .map(|i| view.body.insert_argument(old.len() + i, Type::index(context), op.location()))
        .collect();
    for (place, from) in plan.order.iter().enumerate() {
        old[*from].replace_all_uses_with(new[place]);
    }
    (0..old.len()).for_each(|_| view.body.remove_argument(0));
    let names: Vec<&str> = plan.order.iter().map(|i| view.iters[*i].name.as_str()).collect();
    let roles: Vec<i32> = plan.order.iter().map(|i| view.iters[*i].role as i32).collect();
    let domains = op.attribute("domains").and_then(Attribute::as_array).unwrap_or_default();
    let domains: Vec<_> =
        plan.order.iter().map(|i| domains[*i].as_map().expect("a verified block")).collect();
    op.set_attribute("iter_names", Attribute::strings(context, &names));
    op.set_attribute("roles", Attribute::dense_i32(context, &roles));
    op.set_attribute("domains", Attribute::maps(context, &domains));
    let binding: Vec<_> = plan.order.iter().map(|i| view.binding[*i].clone()).collect();
    let predicate = view.predicate.as_ref().map(|set| set.constraints.clone()).unwrap_or_default();
    edit::set_binding_of(op, &binding, &predicate, (&view.binds, &view.sizes));
    edit::derive_regions(op);
}
