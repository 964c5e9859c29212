//! Buffers that both branches of a condition use.
//!
//! ```text
//! loop.if (n >= 6) { T = ..  .. = T } else { T = ..  .. = T }
//!   ->  loop.if (n >= 6) { T = ..  .. = T } else { T_1 = ..  .. = T_1 }
//! ```

use crate::compute::names::Names;
use crate::dialect::loop_enums::Scope;
use crate::dialect::loop_op::{BufferView, If, ScheduleBlock};
use crate::ir::{Attribute, Block, Builder, Op, Value, is_inside, parents};

/// The names of a buffer and of that which has taken its place in the second branch.
pub(super) type SplitBuffer = (String, String);

/// Makes a second buffer of each buffer of global scope that only the branches of one condition use, for the second branch.
/// Only one of the branches runs in a call, so no value goes from one to the other.
pub(super) fn split(function: Op) -> Vec<SplitBuffer> {
    let mut left = buffers(function);
    let mut names = Names::default();
    left.iter().for_each(|op| names.insert(name_of(*op)));
    let mut done = vec![];
    while let Some(op) = left.pop() {
        let Some((branch, second)) = branches(function, op) else { continue };
        let name = names.fresh(name_of(op));
        let copy = op.clone_mapped(&[]);
        copy.set_attribute("name", Attribute::string(op.context(), &name));
        Builder::before(op, op.location()).place(copy);
        replace(op.result(0), copy.result(0), |user| is_in(user, branch, second));
        done.push((name_of(op).to_owned(), name));
        left.extend([op, copy]);
    }
    done
}

/// Undoes a split if neither buffer has got a narrower scope. Buffers are declared before all nests, so the first one can stand for
/// the second one.
pub(super) fn join(function: Op, split: &[SplitBuffer]) {
    for (first, second) in split.iter().rev() {
        let buffers = buffers(function);
        let named = |name: &String| buffers.iter().copied().find(|op| name_of(*op) == name);
        if let (Some(first), Some(second)) = (named(first), named(second))
            && first.result(0).ty() == second.result(0).ty()
        {
            replace(second.result(0), first.result(0), |_| true);
            second.erase();
        }
    }
}

/// The buffers of global scope that a function declares.
fn buffers(function: Op) -> Vec<Op> {
    let ops = function.body(0).map(Block::ops).unwrap_or_default();
    let is_global = |op: &Op| BufferView::of(*op).is_ok_and(|buffer| buffer.scope == Scope::Global);
    ops.into_iter().filter(|op| op.is(BufferView::NAME) && is_global(op)).collect()
}

fn name_of(buffer: Op<'_>) -> &str {
    buffer.attribute("name").and_then(Attribute::as_str).unwrap_or_default()
}

/// The innermost condition whose two branches have all users of a buffer, and the block of the second branch. Schedule blocks
/// alone use the buffer, and no loop is around the condition.
fn branches<'c>(function: Op<'c>, buffer: Op<'c>) -> Option<(Op<'c>, Block<'c>)> {
    let users: Vec<Op> = buffer.result(0).uses().into_iter().map(|(user, _)| user).collect();
    let is_block = |op: Op<'c>| op.is(ScheduleBlock::NAME);
    if !users.iter().all(|user| is_block(*user) || parents(*user).any(is_block)) {
        return None;
    }
    let around = |op: Op<'c>| parents(op).take_while(|it| *it != function).collect::<Vec<Op>>();
    let has_all = |op: &Op<'c>| users.iter().all(|user| is_inside(*user, *op));
    let common = around(*users.first()?).into_iter().find(has_all)?;
    let is_condition = |op: &Op| op.is(If::NAME);
    if !is_condition(&common) || !around(common).iter().all(is_condition) {
        return None;
    }
    let second = common.body(1)?;
    let in_second = users.iter().filter(|user| is_in(**user, common, second)).count();
    (in_second > 0 && in_second < users.len()).then_some((common, second))
}

/// True if an op is in a block of `outer`.
fn is_in<'c>(op: Op<'c>, outer: Op<'c>, block: Block<'c>) -> bool {
    let inner = std::iter::once(op).chain(parents(op)).take_while(|it| *it != outer).last();
    inner.is_some_and(|op| op.block() == Some(block))
}

/// Replaces a value in the ops for which `is_replaced` holds.
fn replace<'c>(old: Value<'c>, new: Value<'c>, is_replaced: impl Fn(Op<'c>) -> bool) {
    for (user, place) in old.uses().into_iter().filter(|(user, _)| is_replaced(*user)) {
        user.set_operand(place, new);
    }
}
