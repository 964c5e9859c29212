//! Applies the partition of a loop to the IR.

use super::guard::{Guard, GuardSide};
use super::{LoopCut, PartitionForm};
use crate::dialect::loop_enums::AxisType;
use crate::dialect::loop_op::{AxisOrigin, For, ForSpec, If, ScheduleBlock, yield_op};
use crate::ir::affine::{Constraint, Expr, IntegerSet, Map};
use crate::ir::{Attribute, Block, Error, Op, Type, walk};
use crate::nest::derived_name;
use crate::nest::edit;
use crate::nest::edit::BoundExpr;
use crate::nest::summary::Loop;
use crate::schedule::State;
use std::collections::{BTreeMap, BTreeSet};

/// The names of schedule blocks, each with the name of its copy.
type Copies = Vec<(String, String)>;

/// Partitions the loop; returns the schedule blocks that were copied.
pub fn apply<'c>(state: &State<'c>, cut: &LoopCut) -> Result<Copies, Error<'c>> {
    let op = state.op(cut.node);
    match cut.form {
        PartitionForm::Whole => {
            drop_guards(&walk(op), &cut.guards)?;
            edit::widen_regions(op);
            Ok(vec![])
        }
        PartitionForm::Parts => parts(state, cut, op),
        PartitionForm::Branch => branch(state, cut, op),
    }
}

/// Makes two consecutive loops.
fn parts<'c>(state: &State<'c>, cut: &LoopCut, op: Op<'c>) -> Result<Copies, Error<'c>> {
    let summary = state.summary();
    let this = summary.as_loop(cut.node).expect("a loop");
    let view = For::of(op)?;
    let next = op.next().expect("a terminator comes after a loop");
    let place = op.block().expect("a loop stands in a block");
    let copy = op.clone_mapped(&[]);
    place.insert_before(next, copy);
    let (first, second) = (walk(op), walk(copy));
    let copies = rename(state, cut, &second);
    for id in &cut.started {
        let i = first.iter().position(|op| *op == state.op(*id)).expect("it is in the loop");
        let init = ScheduleBlock::of(second[i])?.init().expect("the block has one");
        init.erase();
        edit::derive_regions(second[i]);
        edit::widen_regions(second[i]);
    }

    let (variables, sizes) = (state.variables(), state.sizes());
    let mut before = this.extent.clone();
    before.push(cut.at.clone());
    edit::set_loop_extent(op, &least(before), (variables, sizes));
    let after = |extent: &Expr| (extent.clone() - cut.at.clone()).simplified();
    let after: Vec<Expr> = this.extent.iter().map(after).collect();
    let extent = Map { dims: variables.len(), symbols: sizes.len(), results: least(after) };
    let is_taken = |name: &str| {
        let inside = summary.under(cut.node).into_iter();
        let mut loops = inside.chain(summary.loops_around(cut.node));
        loops.any(|n| summary.as_loop(n).is_some_and(|l| l.name == name))
    };
    let name = derived_name::fresh(&derived_name::tail(&this.name), &is_taken);
    let rest = Some(AxisOrigin { ty: AxisType::Tail, from: vec![this.name.clone()], pair: None });
    let axis = if cut.side == GuardSide::Before { rest } else { this.axis.clone() };
    let spec = ForSpec { name: &name, extent: &extent, dims: variables, sizes, axis };
    let second_loop = spec.create(op.location());
    place.insert_before(copy, second_loop);
    For::set_kind(second_loop, view.kind, view.thread);
    if cut.side == GuardSide::From {
        mark_as_rest(op, &this.name);
    }
    let (copied, new) = (For::of(copy)?, For::of(second_loop)?);
    let mut dims = variables.to_vec();
    dims.push(new.variable());
    let expr = cut.at.clone() + Expr::Dim(variables.len());
    let by = BoundExpr { expr, variables: dims, sizes: sizes.to_vec() };
    edit::replace_variable(copied.variable(), &by);
    edit::move_ops(copied.body, new.body);
    copy.erase();

    let (without, with) = match cut.side {
        GuardSide::Before => (&first, &second),
        GuardSide::From => (&second, &first),
    };
    drop_guards(without, &cut.guards)?;
    leave_out(with, &cut.guards)?;
    edit::widen_regions(op);
    edit::widen_regions(second_loop);
    [op, second_loop].into_iter().for_each(prune);
    Ok(copies)
}

/// Merges the numbers of a minimum into one, and removes duplicates.
fn least(mut exprs: Vec<Expr>) -> Vec<Expr> {
    let number = exprs.iter().filter_map(Expr::constant).min();
    exprs.retain(|expr| expr.constant().is_none());
    exprs.extend(number.map(Expr::Constant));
    let mut once: Vec<Expr> = vec![];
    for expr in exprs {
        if !once.contains(&expr) {
            once.push(expr);
        }
    }
    once
}

fn mark_as_rest(op: Op, from: &str) {
    let context = op.context();
    let ty = Attribute::integer(Type::integer(context, 32), AxisType::Tail as i64);
    op.set_attribute("axis_type", ty);
    op.set_attribute("axis_from", Attribute::strings(context, &[from]));
    op.remove_attribute("axis_pair");
}

/// Makes a branch in the loop: the body without the guards, and the body with them.
fn branch<'c>(state: &State<'c>, cut: &LoopCut, op: Op<'c>) -> Result<Copies, Error<'c>> {
    let this = state.summary().as_loop(cut.node).expect("a loop");
    let view = For::of(op)?;
    let copy = op.clone_mapped(&[]);
    let (first, second) = (walk(op), walk(copy));
    let copies = rename(state, cut, &second);
    let copied = For::of(copy)?;
    if let Some(only) = only_with_guards(this, cut) {
        let (variables, sizes) = (state.variables().to_vec(), state.sizes().to_vec());
        let by = BoundExpr { expr: Expr::Constant(only), variables, sizes };
        edit::replace_variable(copied.variable(), &by);
        for inner in second.iter().filter(|op| op.is(For::NAME)) {
            let view = For::of(*inner)?;
            let operands = view.operands.split_at(view.extent.dims);
            edit::set_loop_extent(*inner, &least(view.extent.results.clone()), operands);
        }
    }
    copied.variable().replace_all_uses_with(view.variable());
    let [without, with] = [view.body, copied.body].map(|body| {
        let branch = Block::new(&[]);
        branch.append(yield_op(op.location(), &[]));
        edit::move_ops(body, branch);
        branch
    });
    copy.erase();
    let own = this.variable.expr();
    let holds = match cut.side {
        GuardSide::Before => cut.at.clone() - own - 1.into(),
        GuardSide::From => own - cut.at.clone(),
    };
    let (dims, symbols) = (state.variables().len(), state.sizes().len());
    let map = Map { dims, symbols, results: vec![holds.simplified()] };
    let (map, operands) = map.compressed(state.variables(), state.sizes());
    let constraints = map.results.into_iter().map(Constraint::NonNegative).collect();
    let condition = IntegerSet { dims: map.dims, symbols: map.symbols, constraints };
    let branch = If::create(op.location(), &condition, &operands, &[], without, with);
    let end = view.body.end();
    view.body.insert_before(end, branch);
    drop_guards(&first, &cut.guards)?;
    leave_out(&second, &cut.guards)?;
    edit::widen_regions(op);
    prune(branch);
    Ok(copies)
}

/// The iteration with the guards, if there is exactly one: the loop variable is then a number, and partial tiles have
/// a static size.
fn only_with_guards(this: &Loop, cut: &LoopCut) -> Option<i64> {
    let at = cut.at.constant()?;
    match cut.side {
        GuardSide::Before => (this.constant_extent()? == at + 1).then_some(at),
        GuardSide::From => (at == 1).then_some(0),
    }
}

/// Gives the schedule blocks among these ops new names.
fn rename(state: &State, cut: &LoopCut, ops: &[Op]) -> Copies {
    let summary = state.summary();
    let mut copies: Copies = vec![];
    let mut taken = vec![];
    let blocks = ops.iter().filter(|op| op.is(ScheduleBlock::NAME));
    for (op, node) in blocks.zip(summary.blocks_under(cut.node)) {
        let old = summary.as_block(node).expect("a block").name.clone();
        let new = derived_name::new_block(summary, &taken, derived_name::tail(&old));
        op.set_attribute("name", Attribute::string(op.context(), &new));
        taken.push(new.clone());
        copies.push((old, new));
    }
    copies
}

/// The guards of each op of a part, inner ops first.
fn by_op<'c>(
    ops: &[Op<'c>],
    guards: impl Iterator<Item = Guard>,
) -> Vec<(Op<'c>, BTreeSet<usize>)> {
    let mut found: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for guard in guards {
        found.entry(guard.place).or_default().insert(guard.index);
    }
    found.into_iter().rev().map(|(place, indices)| (ops[place], indices)).collect()
}

/// Removes the guards that hold.
fn drop_guards<'c>(ops: &[Op<'c>], guards: &[Guard]) -> Result<(), Error<'c>> {
    for (op, dropped) in by_op(ops, guards.iter().cloned()) {
        let left = |all: Vec<Constraint>| -> Vec<Constraint> {
            let stays = |(i, c): (usize, Constraint)| (!dropped.contains(&i)).then_some(c);
            all.into_iter().enumerate().filter_map(stays).collect()
        };
        match op.name() {
            For::NAME => {
                let view = For::of(op)?;
                let extents = view.extent.results.iter().enumerate();
                let extents = extents.filter(|(i, _)| !dropped.contains(i)).map(|(_, e)| e.clone());
                let extents: Vec<Expr> = extents.collect();
                edit::set_loop_extent(op, &extents, view.operands.split_at(view.extent.dims));
            }
            If::NAME => {
                let view = If::of(op)?;
                let conditions = left(view.condition.constraints.clone());
                if conditions.is_empty() {
                    keep_branch(&view, Some(view.then_body));
                } else {
                    let operands = view.operands.split_at(view.condition.dims);
                    edit::set_condition_of(op, &conditions, operands);
                }
            }
            _ => {
                let view = ScheduleBlock::of(op)?;
                let conditions = view.predicate.as_ref().map(|set| set.constraints.clone());
                let conditions = left(conditions.unwrap_or_default());
                let operands = (&view.binds[..], &view.sizes[..]);
                edit::set_binding_of(op, &view.binding, &conditions, operands);
            }
        }
    }
    Ok(())
}

/// Erases the statements that a guard excludes from the whole part.
fn leave_out<'c>(ops: &[Op<'c>], guards: &[Guard]) -> Result<(), Error<'c>> {
    let failing = guards.iter().filter(|guard| guard.fails_beyond).cloned();
    for (op, _) in by_op(ops, failing) {
        match op.name() {
            If::NAME => {
                let view = If::of(op)?;
                keep_branch(&view, view.else_body);
            }
            _ => op.erase(),
        }
    }
    Ok(())
}

/// Replaces a `loop.if` by the ops of one of its branches.
fn keep_branch<'c>(view: &If<'c>, body: Option<Block<'c>>) {
    let op = view.op;
    let around = op.parent().filter(|_| !op.results().is_empty());
    if let Some(body) = body {
        let values = body.terminator().map(Op::operands).unwrap_or_default();
        edit::move_ops_before(body, op);
        for (result, value) in op.results().into_iter().zip(values) {
            result.replace_all_uses_with(value);
        }
    }
    op.erase();
    // If it was in the body of a schedule block, the accesses of that block have changed.
    let mut around = around;
    while let Some(op) = around {
        if op.is(ScheduleBlock::NAME) {
            edit::derive_regions(op);
            break;
        }
        around = op.parent();
    }
}

/// Erases empty loops and branches in a part, and the part itself if it is empty.
fn prune(part: Op) {
    for op in walk(part).into_iter().rev() {
        let is_nest = op.is(For::NAME) || op.is(If::NAME) && op.results().is_empty();
        let bodies = || op.regions().into_iter().flat_map(|region| region.blocks());
        if is_nest && bodies().all(|body| body.ops().len() <= 1) {
            op.erase();
        }
    }
}
