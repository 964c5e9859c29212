//! `rolling_buffer`: keep the overlap of consecutive windows in a circular buffer, and compute only the new rows.
//!
//! ```text
//! loop.for %i in 64 {
//!   loop.for %k in 3 { loop.block "T" .. = (%i + %k) { T[v] = f(v) } }
//!   loop.block "C" .. = (%i) { C[v] = T[v] + T[v + 1] + T[v + 2] }
//! }
//!   ->  rolling_buffer "T" loop "T:i"
//! loop.for %k in 2 { loop.block "T.first" .. = (%k) { T[v mod 3] = f(v) } }
//! loop.for %i in 64 {
//!   loop.for %k in 1 { loop.block "T" .. = (%i + %k + 2) { T[v mod 3] = f(v) } }
//!   loop.block "C" .. = (%i) { C[v] = T[v mod 3] + T[(v + 1) mod 3] + T[(v + 2) mod 3] }
//! }
//! ```
//! The step is for a block that `compute_at` has moved into a loop, if the rows that consecutive iterations need (the
//! *windows*) overlap. If the window has `w` rows and moves by `c` rows in each iteration, its first `w - c` rows are
//! the last rows of the previous iteration's window. These rows are kept in the buffer, whose dimension becomes
//! circular, with `w` rows. The rows that the first iteration would reuse are computed before the loop, so each row is
//! computed once.
//!
//! Requires
//! - (C1) the arguments are a schedule block that is a leaf without calls, and a loop
//! - (C2) the loop is serial and encloses the block; the loops between the two contain nothing else
//! - (C3) the block writes one buffer of the function, which meets the conditions of `transform_layout`
//! - (C4) the buffer is used only in the loop. In each iteration no other block writes the buffer, and every read of a
//!   value follows its write. All iterations use one instance of the buffer
//! - (C5) exactly one iter depends on the loop. It is spatial and bound to `c * i + k`, where `c` is a constant and `k`
//!   is a serial or unrolled loop of `w` iterations, and `w` is a constant above `c`. No other iter is bound to `k`;
//!   nothing else depends on the loop
//! - (C6) exactly one dimension of the buffer is indexed by this iter `v`, as `v` plus a constant, such as `v` or
//!   `v + 1`
//! - (C7) values that are kept do not change: nothing in the loop writes what the block reads
//!
//! A chain of windows, in which the block reads what another block of the loop writes, does not meet (C7). Such a chain
//! needs no `compute_at`: `shift` the consumer's loop by `w - 1` (in a longer chain by the sum of `w - 1` over all
//! windows before it), `merge` it with the loop of the producer, and `fold_storage` the buffer.
//!
//! The block before the loop is named `T.first`, with a number if that name is taken. All handles stay valid.

use crate::dialect::loop_enums::{IterRole, LoopKind};
use crate::ir::affine::{Constraint, Expr, Linear};
use crate::ir::{Attribute, Op, walk};
use crate::nest::derived_name;
use crate::nest::edit;
use crate::nest::edit::{BoundConditions, BoundExpr};
use crate::nest::facts::scope;
use crate::nest::state::State;
use crate::nest::summary::VariableId;
use crate::nest::summary::{Block, Body, BufferId, NodeId, NodeKind, Summary, mentions};
use crate::schedule::error::{LayoutReason, Reason, ReductionReason, ScheduleError};
use crate::schedule::legality::form::serial;
use crate::schedule::legality::proof::Proofs;
use crate::schedule::name;
use crate::schedule::primitive::declaration::primitive;
use crate::schedule::primitive::layout::transform_layout;
use crate::schedule::rewrite::layout;
use crate::schedule::rewrite::layout::BufferLayout;
use crate::schedule::verdict::Verdict;

primitive! {
    "Keep the elements that the next iteration of a loop reads again, and compute only the new ones"
    /// Returns the name of the schedule block before the loop.
    rolling_buffer(block: Block, r#loop: Loop; proof) -> String;
    |state| rolling_buffer(state, block, r#loop, proof)
}

/// The result of the check.
pub struct Plan {
    block: NodeId,
    around: NodeId,
    /// The child of the loop that contains the block.
    child: NodeId,
    /// The loop over the rows of a window, the number of its rows, and the number of new ones.
    rows: NodeId,
    width: i64,
    step: i64,
    buffer: BufferId,
    layout: BufferLayout,
    /// The name of the block before the loop.
    name: String,
}

/// Keeps in the buffer of `block` the rows that the next iteration of loop `around` needs; returns the name of the
/// block before the loop. On an error the IR is unchanged.
pub fn rolling_buffer(
    state: &mut State,
    block: &str,
    around: &str,
    proofs: &mut Proofs,
) -> Result<String, ScheduleError> {
    let plan = check(state.summary(), block, around, proofs)?;
    rewrite(state, &plan);
    Ok(plan.name)
}

pub fn check(
    summary: &Summary,
    target: &str,
    around: &str,
    proofs: &mut Proofs,
) -> Result<Plan, ScheduleError> {
    let node = name::block(summary, target)?;
    let block = summary.as_block(node).expect("a block");
    match block.body {
        Body::Nest => return Err(Reason::NestBody(block.name.clone()).at(node, 1)),
        Body::Leaf { calls: true, .. } => return Err(Reason::Calls(block.name.clone()).at(node, 1)),
        Body::Leaf { .. } => {}
    }
    let around = name::loop_of(summary, around)?;
    let inside = chain(summary, node, around)?;
    let child = inside.last().copied().unwrap_or(node);
    let refuse = |why: &'static str, condition: u8| {
        let (block, name) =
            (block.name.clone(), summary.as_loop(around).expect("a loop").name.clone());
        LayoutReason::NotRolling { block, name, why }.at(node, condition)
    };
    let mut written = block.written().into_iter();
    let (Some(buffer), None) = (written.next(), written.next()) else {
        return Err(refuse("it writes several buffers", 3));
    };
    let buffer_name = summary.buffers[buffer].name.clone();
    transform_layout::own(summary, &buffer_name)
        .and_then(|(buffer, at)| transform_layout::check_use(summary, buffer, at))
        .map_err(|error| ScheduleError { condition: 3, ..error })?;
    check_use(summary, (node, around), buffer, proofs, &refuse)?;
    let window = window(summary, (node, around), &inside).map_err(|why| refuse(why, 5))?;
    let dim = dimension(block, buffer, window.iter)
        .ok_or_else(|| refuse("no dimension of its buffer is indexed by the rows", 6))?;
    for load in block.loads().filter(|load| load.buffer != buffer) {
        let writes = |id: &NodeId| {
            let other = summary.as_block(*id).expect("a block");
            other.stores().any(|store| store.buffer == load.buffer)
        };
        if let Some(writer) = summary.blocks_under(around).into_iter().find(writes) {
            let error = refuse("a buffer that it reads is written in the loop", 7);
            let hint = "the writer is here: for a chain of windows use shift, merge and fold_storage \
                        in the place of compute_at";
            return Err(error.note(writer, hint));
        }
    }
    let shape = &summary.buffers[buffer].shape;
    let shape = shape.iter().cloned().map(|dim| dim.expect("sizes of own buffers are known"));
    let mut shape: Vec<Expr> = shape.collect();
    let mut map: Vec<Expr> = (0..shape.len()).map(Expr::Dim).collect();
    if shape[dim].constant().is_none_or(|extent| extent > window.width) {
        shape[dim] = window.width.into();
        map[dim] = Expr::Dim(dim).modulo(window.width.into());
    }
    let name = derived_name::new_block(summary, &[], format!("{}.first", block.name));
    let Window { rows, width, step, .. } = window;
    let layout = BufferLayout { map, shape };
    Ok(Plan { block: node, around, child, rows, width, step, buffer, layout, name })
}

/// (C2): the loops between a block and a loop, innermost first; they must contain nothing else.
fn chain(summary: &Summary, node: NodeId, around: NodeId) -> Result<Vec<NodeId>, ScheduleError> {
    serial(summary, around, 2)?;
    if !summary.loops_around(node).any(|outer| outer == around) {
        let name = summary.as_loop(around).expect("a loop").name.clone();
        return Err(ReductionReason::NotAround { block: summary.name(node), name }.at(node, 2));
    }
    let inside: Vec<NodeId> = summary.ancestors(node).take_while(|n| *n != around).collect();
    for outer in &inside {
        let is_loop = matches!(summary.nodes[*outer].kind, NodeKind::Loop(_));
        if !is_loop || summary.nodes[*outer].children.len() > 1 {
            let (inner, outer_name) = (summary.name(node), summary.name(*outer));
            return Err(Reason::NotAlone { inner, outer: outer_name }.at(*outer, 2));
        }
    }
    Ok(inside)
}

/// (C4)
fn check_use(
    summary: &Summary,
    (node, around): (NodeId, NodeId),
    buffer: BufferId,
    proofs: &mut Proofs,
    refuse: &dyn Fn(&'static str, u8) -> ScheduleError,
) -> Result<(), ScheduleError> {
    let scope = summary.buffers[buffer].scope.expect("the buffer is no argument");
    if scope::owner(summary, scope, node) != scope::owner(summary, scope, around) {
        return Err(refuse("each iteration has its own buffer", 4));
    }
    let writes = |(id, other): &(NodeId, &Block)| {
        *id != node && other.stores().any(|store| store.buffer == buffer)
    };
    if let Some((writer, _)) = summary.blocks().find(writes) {
        let error = refuse("its buffer has another writer", 4);
        return Err(error.note(writer, "the writer is here"));
    }
    let is_own = scope::is_used_within(summary, around, buffer);
    proofs.require(&Verdict::of(is_own), || {
        refuse("its buffer may be read elsewhere than after it in the same iteration", 4)
    })
}

/// The window of rows that an iteration needs.
struct Window {
    /// The iter over the rows.
    iter: usize,
    rows: NodeId,
    width: i64,
    step: i64,
}

/// (C5)
fn window(
    summary: &Summary,
    (node, around): (NodeId, NodeId),
    inside: &[NodeId],
) -> Result<Window, &'static str> {
    let block = summary.as_block(node).expect("a block");
    let outer = summary.as_loop(around).expect("a loop").variable;
    let depends = |expr: &Expr| mentions(expr, outer);
    let bound: Vec<usize> =
        (0..block.iters.len()).filter(|i| depends(&block.binding[*i])).collect();
    let [iter] = bound[..] else {
        return Err("the loop does not advance exactly one of its iters");
    };
    if block.iters[iter].role != IterRole::Spatial {
        return Err("the iter that the loop advances is not spatial");
    }
    for inner in inside {
        if summary.as_loop(*inner).expect("a loop").extent.iter().any(depends) {
            return Err("the extent of an inner loop depends on the loop");
        }
    }
    let mut linear = Linear::of(&block.binding[iter]);
    let step = linear.terms.remove(&outer.expr()).unwrap_or(0);
    let is_rows = |n: &&NodeId| {
        let variable = summary.as_loop(**n).expect("a loop").variable;
        linear.terms.get(&variable.expr()) == Some(&1)
    };
    let Some(rows) = inside.iter().find(is_rows) else {
        return Err("no inner loop runs over the rows of an iteration");
    };
    let this = summary.as_loop(*rows).expect("a loop");
    let rest = (linear.to_expr() - this.variable.expr()).simplified();
    let moves = |inner: &NodeId| mentions(&rest, summary.as_loop(*inner).expect("a loop").variable);
    let (Some(width), false) = (this.constant_extent(), inside.iter().any(moves)) else {
        return Err("the number of rows in an iteration is not known");
    };
    if !matches!(this.kind, LoopKind::Serial | LoopKind::Unroll) {
        return Err("the loop over its rows is not serial");
    }
    if step < 1 || step >= width {
        return Err("the rows of one iteration and the next do not overlap");
    }
    let others = block.binding.iter().enumerate().filter(|(i, _)| *i != iter);
    if others.into_iter().any(|(_, bound)| mentions(bound, this.variable)) {
        return Err("the loop over its rows is bound to another iter too");
    }
    // The predicate must exclude a row in all iterations or in none.
    let row = this.variable.expr() - outer.expr() * step.into();
    let in_rows = |variable: usize| {
        if VariableId::of_dim(variable) == this.variable {
            row.clone()
        } else {
            Expr::Dim(variable)
        }
    };
    let is_of_row = |condition: &Constraint| {
        !depends(&condition.expr().substitute(&in_rows, &Expr::Symbol).simplified())
    };
    match block.predicate.iter().all(is_of_row) {
        true => Ok(Window { iter, rows: *rows, width, step }),
        false => Err("a predicate depends on the loop in other ways than by the row"),
    }
}

/// (C6): the dimension that an iter indexes, in all stores.
fn dimension(block: &Block, buffer: BufferId, iter: usize) -> Option<usize> {
    let row = block.iters[iter].variable;
    let mut found = None;
    for store in block.stores().filter(|store| store.buffer == buffer) {
        let mentioning = |(_, index): &(usize, &Option<Expr>)| {
            index.as_ref().is_none_or(|index| mentions(index, row))
        };
        let mut indices = store.indices.iter().enumerate().filter(mentioning);
        let (Some((dim, Some(index))), None) = (indices.next(), indices.next()) else {
            return None;
        };
        let rest = (index.clone() - row.expr()).simplified();
        if rest.constant().is_none() || found.is_some_and(|known| known != dim) {
            return None;
        }
        found = Some(dim);
    }
    found
}

fn rewrite(state: &mut State, plan: &Plan) {
    let sizes = state.sizes().to_vec();
    let summary = state.summary();
    let (around, child) = (state.op(plan.around), state.op(plan.child));
    let this = summary.as_loop(plan.around).expect("a loop");
    let rows = summary.as_loop(plan.rows).expect("a loop").variable;
    let nests = state.nests_around([&plan.block]);

    let first = child.clone_mapped(&[]);
    around.block().expect("a loop stands in a block").insert_before(around, first);
    let same = |op: Op| walk(child).into_iter().zip(walk(first)).find(|(old, _)| *old == op);
    let [(_, rows_of_first), (_, block)] = [plan.rows, plan.block]
        .map(|node| same(state.op(node)).expect("it stands in what was copied"));
    block.set_attribute("name", Attribute::string(state.context(), &plan.name));
    let kept = plan.width - plan.step;
    edit::set_loop_extent(rows_of_first, &[kept.into()], (&[], &[]));
    let start = BoundExpr { expr: 0.into(), variables: vec![], sizes: vec![] };
    edit::replace_variable_in(first, state.variable(this.variable), &start);
    if this.constant_extent().is_none_or(|extent| extent < 1) {
        let runs = |extent: &Expr| Constraint::NonNegative(extent.clone() - 1.into());
        let constraints = this.extent.iter().map(runs).collect();
        let variables = state.variables().to_vec();
        edit::add_predicate(
            block,
            &BoundConditions { constraints, variables, sizes: sizes.clone() },
        );
    }
    edit::set_loop_extent(state.op(plan.rows), &[plan.step.into()], (&[], &[]));
    let rows = state.variable(rows);
    let next = BoundExpr { expr: Expr::Dim(0) + kept.into(), variables: vec![rows], sizes: vec![] };
    edit::replace_variable_in(child, rows, &next);
    nests.into_iter().for_each(edit::derive_regions);

    let buffer = summary.buffers[plan.buffer].name.clone();
    state.refresh().expect("a loop and a copy of what stands in it are of the dialect");
    let id = name::buffer(state.summary(), &buffer, 0).expect("the buffer is there");
    layout::rewrite(state, id, &plan.layout, &sizes);
}
