//! `decompose_padding`: split a padded copy into a block that fills the buffer with the padding value, and a block that
//! copies the data.
//!
//! ```text
//! loop.for %i in 34 {
//!   loop.block "pad" [%v: spatial 34] = (%i) { T[v] = loop.if (%v - 1 >= 0, -%v + 32 >= 0) A[v - 1] else 0 }
//! }
//!   ->  decompose_padding "pad" loop "pad:i"
//! loop.for %i in 34 { loop.block "pad__fill" [%v: spatial 34] = (%i) { T[v] = 0 } }
//! loop.for %i in 32 { loop.block "pad" [%v: spatial 34] = (%i + 1) { T[v] = A[v - 1] } }
//! ```
//! The new block stores the value of the `else` branch everywhere. It is placed before the loop, in copies of that loop
//! and of the loops nested in it. The old block runs only where the condition of the branch holds: the range of a loop
//! is reduced accordingly, if the loop is serial or parallel, contains nothing else, and has no axis attribute (such as
//! `split` and `fuse` give to loops). The remaining conditions become the predicate of the block.
//!
//! Requires
//! - (C1) the arguments are a schedule block and a loop
//! - (C2) the block is a leaf without a reduction, with one store and one `loop.if` with a result; all its loads are
//!   where the conditions of that `loop.if` hold
//! - (C3) the loop encloses the block, with only loops between
//! - (C4) neither this loop nor a loop between it and the block is bound to a thread axis, or has iterations with their
//!   own instances of the buffer that is stored to
//! - (C5) the stored element is an injective function of the iters, and the block reads no element of that buffer
//! - (C6) no other block in the loop accesses the buffer that is stored to
//!
//! All handles stay valid.

use crate::dialect::loop_enums::LoopKind;
use crate::dialect::loop_op::{For, ScheduleBlock};
use crate::ir::affine::{Constraint, Expr, Linear};
use crate::ir::{Builder, Op, Value};
use crate::nest::builder::OpenLoops;
use crate::nest::derived_name;
use crate::nest::edit;
use crate::nest::edit::{BoundConditions, BoundExpr, NewBlock, NewIter};
use crate::nest::facts::reduction;
use crate::nest::facts::reduction::Roles;
use crate::nest::index_form;
use crate::nest::state::{State, padding_branch};
use crate::nest::summary::VariableId;
use crate::nest::summary::{Block, Body, Loop, NodeId, Summary};
use crate::schedule::error::{LocationReason, Reason, ReductionReason, ScheduleError};
use crate::schedule::legality::proof::Proofs;
use crate::schedule::name;
use crate::schedule::primitive::declaration::primitive;

primitive! {
    "Split a padded copy: a new schedule block writes the padding"
    /// Returns the name of the schedule block that stores the padding.
    decompose_padding(
        block: Block,
        r#loop: Loop = "The loop before which it is inserted, as block:loop";
        proof
    ) -> String;
    |state| decompose_padding(state, block, r#loop, proof)
}

/// The result of the check.
pub struct Plan {
    block: NodeId,
    /// The loops from the one before which the new block is placed, outermost first.
    path: Vec<NodeId>,
    /// The name of the new block.
    fill: String,
    cuts: Vec<DataRange>,
    /// The conditions under which the block reads data, without those that the cuts imply.
    conditions: Vec<Constraint>,
}

/// A loop that is cut to the range of the data.
#[derive(Clone, Debug)]
struct DataRange {
    node: NodeId,
    /// The first value of the range, and its extent.
    low: i64,
    extent: Expr,
}

/// Stores the padding of block `target` in a new block before loop `before`; returns the name of the new block. On an
/// error the IR is unchanged.
pub fn decompose_padding(
    state: &mut State,
    target: &str,
    before: &str,
    proofs: &mut Proofs,
) -> Result<String, ScheduleError> {
    let plan = check(state.summary(), target, before, proofs)?;
    rewrite(state, &plan);
    Ok(plan.fill)
}

pub fn check(
    summary: &Summary,
    target: &str,
    before: &str,
    proofs: &mut Proofs,
) -> Result<Plan, ScheduleError> {
    let id = name::block(summary, target)?;
    let place = name::loop_of(summary, before)?;
    let roles = Roles::of(summary, id);
    let block = roles.block;
    let Some(padding) = padding(block) else {
        return Err(LocationReason::NoPadding(target.to_owned()).at(id, 2));
    };
    if !summary.ancestors(id).any(|node| node == place) {
        let (block, name) = (target.to_owned(), roles.loop_name(place));
        return Err(ReductionReason::NotAround { block, name }.at(place, 3));
    }
    let path = reduction::path(summary, place, id);
    if let Some((other, what)) = reduction::between(summary, &path) {
        let (block, name) = (target.to_owned(), roles.loop_name(place));
        let error = ReductionReason::StandsBetween { block, name, what }.at(id, 3);
        return Err(error.note(other, "it is here"));
    }
    roles.check_no_threads(&path, 4)?;
    roles.check_not_owned(&path, 4)?;
    roles.require_own_cells(proofs, 5)?;
    let stored = block.stores().next().expect("it has one").buffer;
    if block.loads().any(|load| load.buffer == stored) {
        let buffer = summary.buffers[stored].name.clone();
        return Err(Reason::ReadsOwnResult { block: target.to_owned(), buffer }.at(id, 5));
    }
    let mut others = summary.blocks_under(place);
    others.retain(|other| *other != id);
    roles.require_no_access(proofs, &others, &|access| access.buffer == stored, 6)?;
    let fill = derived_name::block_name(summary, &format!("{target}__fill"));
    let mut conditions = vec![];
    let bound = |v: usize| {
        let place = block.iters.iter().position(|iter| iter.variable == VariableId::of_dim(v));
        place.map_or(Expr::Dim(v), |i| block.binding[i].clone())
    };
    for condition in padding {
        let expr = condition.expr().substitute(&bound, &Expr::Symbol);
        conditions.push(condition.on(summary.simplified(&expr)));
    }
    let mut plan = Plan { block: id, path, fill, cuts: vec![], conditions };
    plan.find_cuts(summary);
    Ok(plan)
}

/// The conditions under which a block reads data, if its padding can be decomposed.
fn padding(block: &Block) -> Option<&[Constraint]> {
    let Body::Leaf { calls: false, .. } = block.body else { return None };
    let mut stores = block.stores();
    let is_one =
        matches!((stores.next(), stores.next()), (Some(store), None) if !store.is_conditional);
    block.padding.as_deref().filter(|_| is_one && block.reducer.is_none())
}

impl Plan {
    /// Turns conditions on a single loop into cuts, and removes them from the conditions.
    fn find_cuts(&mut self, summary: &Summary) {
        for node in self.path.clone() {
            let this = summary.as_loop(node).expect("the check has seen it");
            let is_plain = matches!(this.kind, LoopKind::Serial | LoopKind::Parallel)
                && this.axis.is_none()
                && summary.blocks_under(node) == [self.block];
            let [extent] = &this.extent[..] else { continue };
            if !is_plain {
                continue;
            }
            let (mut low, mut high) = (0, extent.clone());
            self.conditions.retain(|condition| match bound_of(condition, this) {
                Some(End::Low(value)) => {
                    low = low.max(value);
                    false
                }
                Some(End::High(value)) => match less(summary, &value, &high) {
                    Some(is_less) => {
                        high = if is_less { value } else { high.clone() };
                        false
                    }
                    None => true,
                },
                None => true,
            });
            let rest = summary.simplified(&(high - low.into()));
            let rest = rest.constant().map_or(rest, |rest| rest.max(0).into());
            if rest != *extent {
                self.cuts.push(DataRange { node, low, extent: rest });
            }
        }
    }
}

/// A bound that a condition implies for a loop variable.
enum End {
    /// The variable is at least this.
    Low(i64),
    /// The variable is less than this.
    High(Expr),
}

/// The bound that a condition implies for the variable of this loop, if it mentions no other variable.
fn bound_of(condition: &Constraint, this: &Loop) -> Option<End> {
    let Constraint::NonNegative(expr) = condition else { return None };
    let variable = this.variable.expr();
    let terms = Linear::of(expr).terms;
    let (_, factor) = terms.into_iter().find(|(leaf, _)| *leaf == variable)?;
    let rest = match factor {
        1 => expr.clone() - variable,
        -1 => expr.clone() + variable,
        _ => return None,
    };
    let rest = rest.simplified();
    let mut is_size = true;
    rest.visit_leaves(&mut |leaf| is_size &= !matches!(leaf, Expr::Dim(_)));
    match factor {
        1 => rest.constant().map(|rest| End::Low(-rest)),
        _ => is_size.then(|| End::High((rest + 1.into()).simplified())),
    }
}

/// True or false if `a < b` is decided for all sizes; none if it depends on them.
fn less(summary: &Summary, a: &Expr, b: &Expr) -> Option<bool> {
    summary.simplified(&(a.clone() - b.clone())).constant().map(|difference| difference < 0)
}

fn rewrite(state: &mut State, plan: &Plan) {
    let old = ScheduleBlock::of(state.op(plan.block)).expect("the node is a schedule block");
    place_fill(state, plan, &old);

    let branch = padding_branch(&old).expect("the check has seen it");
    edit::move_ops_before(branch.then_body, branch.op);
    let values = branch.then_body.end().operands();
    for (result, value) in branch.op.results().into_iter().zip(values) {
        result.replace_all_uses_with(value);
    }
    state.rewriter.erase(branch.op);
    let (variables, sizes) = (state.variables().to_vec(), state.sizes().to_vec());
    let constraints = plan.conditions.clone();
    edit::add_predicate(old.op, &BoundConditions { constraints, variables, sizes });
    for cut in &plan.cuts {
        let op = state.op(cut.node);
        let extent = [cut.extent.clone()];
        edit::set_loop_extent(op, &extent, (state.variables(), state.sizes()));
        let variable = For::of(op).expect("the node is a loop").variable();
        let expr = Expr::Dim(0) + cut.low.into();
        edit::replace_variable(
            variable,
            &BoundExpr { expr, variables: vec![variable], sizes: vec![] },
        );
    }
    index_form::restore(old.op, state.rewriter.as_mut());
    edit::derive_regions(old.op);
    edit::widen_regions(old.op);
}

/// Builds the nest that stores the padding value.
fn place_fill<'c>(state: &mut State<'c>, plan: &Plan, old: &ScheduleBlock<'c>) {
    let summary = state.summary();
    let block = summary.as_block(plan.block).expect("a block");
    let place = state.op(plan.path[0]);
    let mut nest = OpenLoops::before(state, place);
    for node in &plan.path {
        nest.open(summary.as_loop(*node).expect("a loop"), place.location());
    }
    let new = NewBlock {
        name: plan.fill.clone(),
        iters: block.iters.iter().zip(&block.binding).map(NewIter::of).collect(),
        predicate: block.predicate.clone(),
        reducer: None,
    };
    let op = new.create(old.op.location(), nest.values(), &old.sizes);
    nest.put(op);
    let fill = ScheduleBlock::of(op).expect("just made");
    let at = Builder::before(fill.body.end(), op.location());
    let olds = old.iters.iter().map(|iter| iter.variable);
    let news = fill.iters.iter().map(|iter| iter.variable);
    copy_padding(old, &at, olds.zip(news).collect());
    index_form::restore(op, state.rewriter.as_mut());
    edit::derive_regions(op);
    edit::widen_regions(op);
}

/// Copies a body, with the value of the `else` branch in place of the branch.
fn copy_padding<'c>(
    old: &ScheduleBlock<'c>,
    at: &Builder<'c>,
    mut mapping: Vec<(Value<'c>, Value<'c>)>,
) {
    let branch = padding_branch(old).expect("the check has seen it");
    let otherwise = branch.else_body.expect("a branch with a value has two bodies");
    let copy = |op: Op<'c>, mapping: &mut Vec<(Value<'c>, Value<'c>)>| {
        let copy = op.clone_mapped(mapping);
        at.place(copy);
        mapping.extend(op.results().into_iter().zip(copy.results()));
    };
    for op in old.body.ops().into_iter().filter(|op| !op.is("loop.yield")) {
        if op != branch.op {
            copy(op, &mut mapping);
            continue;
        }
        for inner in otherwise.ops().into_iter().filter(|op| !op.is("loop.yield")) {
            copy(inner, &mut mapping);
        }
        let given = otherwise.end().operands();
        for (result, value) in branch.op.results().into_iter().zip(given) {
            let new = mapping.iter().find(|(from, _)| *from == value).map_or(value, |(_, to)| *to);
            mapping.push((result, new));
        }
    }
}
