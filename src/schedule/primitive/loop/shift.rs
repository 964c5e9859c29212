//! `shift`: shift the range of a loop, or round its end up to a multiple of a number.
//!
//! ```text
//! loop.for serial %i in 30 { loop.block "B" [..] = (%i) .. }
//!   ->  shift "B:i" by 2 align 8
//! loop.for serial %i in 32 { loop.block "B" [..] = (%i - 2) where(%i - 2 >= 0) .. }
//! ```
//! All loops start at 0, so the loop gets additional iterations before its range. A predicate excludes these, and also
//! the iterations that `align` adds at the end. The schedule blocks run for the same values of their iters. The step is
//! used to give two loops the same range, so that `merge` accepts them, or to make an extent a multiple of a vector
//! length.
//!
//! Requires
//! - (C1) the target is a loop
//! - (C2) the loop is serial
//! - (C3) the shift is 0 or more, the alignment is 1 or more, and at least one of the two changes the loop
//! - (C4) the extent is one expression if it is aligned; the new extent fits in an `index` (64 bits)
//! - (C5) if the loop is shifted, and a reduction in it sets its own start values: at least one spatial iter and no
//!   reduce iter of it is bound to the loop. Or the loop has iterations and the domain of the reduction is not empty,
//!   because with an empty domain the predicate would exclude the start values
//! - (C6) the loop contains no barrier, because the added iterations would reach it too
//! - (C7) the loop contains no division by a size that may be 0. For that size the loop had no iterations before the
//!   step, but the added iterations would divide by 0
//!
//! The order of the instances stays the same, and all handles stay valid.

use crate::dialect::loop_op::For;
use crate::ir::affine::{BinaryKind, Constraint, Expr};
use crate::nest::edit;
use crate::nest::edit::{BoundConditions, BoundExpr};
use crate::nest::facts::known_sizes::never_below;
use crate::nest::facts::quotient;
use crate::nest::facts::reduction::Roles;
use crate::nest::state::State;
use crate::nest::summary::{NodeId, NodeKind, Summary};
use crate::schedule::error::loops::LoopsReason;
use crate::schedule::error::{Reason, ScheduleError};
use crate::schedule::legality::form::serial;
use crate::schedule::legality::proof::Proofs;
use crate::schedule::legality::quick;
use crate::schedule::name;
use crate::schedule::primitive::declaration::primitive;
use crate::schedule::primitive::r#loop::split::outermost_blocks;
use crate::schedule::verdict::Verdict;

primitive! {
    "Offset the range of a loop, or extend it to a multiple of a number"
    shift(
        r#loop: Loop,
        by: OptionalInteger = "The number of iterations by which the start moves (default: 0)",
        align: OptionalInteger = "The number of which the extent becomes a multiple (default: 1)";
        proof
    ) -> ();
    |state| shift(state, r#loop, by, align, proof)
}

/// The result of the check.
pub struct Plan {
    node: NodeId,
    by: i64,
    extent: Vec<Expr>,
    /// The conditions that exclude the added iterations, over the loop variable before the shift.
    conditions: Vec<Constraint>,
}

/// Shifts the range of `target`, and rounds its end up. On an error the IR is unchanged.
pub fn shift(
    state: &mut State,
    target: &str,
    by: Option<i64>,
    align: Option<i64>,
    proofs: &mut Proofs,
) -> Result<(), ScheduleError> {
    let plan = check(state.summary(), target, (by.unwrap_or(0), align.unwrap_or(1)), proofs)?;
    rewrite(state, &plan);
    Ok(())
}

pub fn check(
    summary: &Summary,
    target: &str,
    (by, align): (i64, i64),
    proofs: &mut Proofs,
) -> Result<Plan, ScheduleError> {
    let node = name::loop_of(summary, target)?;
    let this = serial(summary, node, 2)?;
    let refused = |reason: LoopsReason, condition| Reason::from(reason).at(node, condition);
    if by < 0 || align < 1 || by == 0 && align == 1 {
        return Err(refused(LoopsReason::NoShift { by, align }, 3));
    }
    let old: Vec<Expr> = match this.constant_extent() {
        Some(extent) => vec![extent.max(0).into()],
        None => this.extent.clone(),
    };
    let overflow = || Reason::Overflow(format!("the new extent, shifted by {by},")).at(node, 4);
    let later = |extent: &Expr| match extent.constant() {
        Some(extent) => extent.checked_add(by).map(Expr::from).ok_or_else(overflow),
        None => Ok((extent.clone() + by.into()).simplified()),
    };
    let mut extent: Vec<Expr> = old.iter().map(later).collect::<Result<_, _>>()?;
    let variable = this.variable.expr();
    let mut conditions = vec![];
    if by > 0 {
        conditions.push(Constraint::NonNegative(variable.clone()));
    }
    if align > 1 {
        let ([one], [old]) = (&extent[..], &old[..]) else {
            return Err(Reason::MinimumExtent(this.name.clone()).at(node, 4));
        };
        let up = match one.constant() {
            Some(extent) => {
                let up = extent.checked_add(align - 1).map(|sum| sum / align);
                up.and_then(|tiles| tiles.checked_mul(align))
                    .map(Expr::from)
                    .ok_or_else(overflow)?
            }
            None => {
                let tiles = Expr::binary(BinaryKind::CeilDiv, one.clone(), align.into());
                summary.simplified(&(tiles * align.into()))
            }
        };
        if up != *one {
            let last = old.clone() - 1.into() - variable;
            conditions.push(Constraint::NonNegative(last.simplified()));
            extent = vec![up];
        }
    }
    if by > 0 {
        check_starts(summary, node, &old, proofs)?;
    }
    quick::check_no_barrier(summary, node, 6)?;
    check_divisions(summary, node, &extent)?;
    Ok(Plan { node, by, extent, conditions })
}

/// (C5)
fn check_starts(
    summary: &Summary,
    node: NodeId,
    old: &[Expr],
    proofs: &mut Proofs,
) -> Result<(), ScheduleError> {
    let this = summary.as_loop(node).expect("a loop");
    let has_iterations = old.iter().all(|extent| never_below(summary, node, extent, 1));
    for id in summary.blocks_under(node) {
        let roles = Roles::of(summary, id);
        let block = roles.block;
        // Over an empty domain, the start values are set in the first iteration of all loops that index no point.
        let is_asked = roles.reduces(this.variable) || !roles.places(this.variable);
        if block.has_init && is_asked && !(has_iterations && roles.never_empty()) {
            let (block, name) = (block.name.clone(), this.name.clone());
            let verdict = Verdict::Unknown("its reduction may be empty".into());
            let lost = LoopsReason::StartKeptOut { block, name };
            proofs.require(&verdict, || Reason::from(lost).at(node, 5))?;
        }
    }
    Ok(())
}

/// (C7)
fn check_divisions(summary: &Summary, node: NodeId, extent: &[Expr]) -> Result<(), ScheduleError> {
    let mut after = summary.clone();
    if let NodeKind::Loop(this) = &mut after.nodes[node].kind {
        this.extent = extent.to_vec();
    }
    for id in after.under(node) {
        let exprs: Vec<&Expr> = match &after.nodes[id].kind {
            NodeKind::Loop(this) => this.extent.iter().collect(),
            NodeKind::Block(block) => {
                block.binding.iter().chain(block.predicate.iter().map(Constraint::expr)).collect()
            }
            NodeKind::If(conditions) => conditions.iter().map(Constraint::expr).collect(),
            NodeKind::Function | NodeKind::Sync | NodeKind::Effects(_) => continue,
        };
        let around = after.nodes[id].parent.unwrap_or(node);
        if !exprs.into_iter().all(|expr| quotient::is_defined(&after, around, expr)) {
            let name = summary.as_loop(node).expect("a loop").name.clone();
            let reason = Reason::from(LoopsReason::DividesByNothing(name));
            return Err(reason.at(id, 7));
        }
    }
    Ok(())
}

fn rewrite(state: &mut State, plan: &Plan) {
    let op = state.op(plan.node);
    let variable = For::of(op).expect("the node is a loop").variable();
    let (variables, sizes) = (state.variables().to_vec(), state.sizes().to_vec());
    // Before the replacement, because the replacing expression is simplified for the range of the variable.
    edit::set_loop_extent(op, &plan.extent, (&variables, &sizes));
    if !plan.conditions.is_empty() {
        let constraints = plan.conditions.clone();
        let conditions = BoundConditions { constraints, variables, sizes };
        for block in outermost_blocks(state.summary(), plan.node) {
            edit::add_predicate(state.op(block), &conditions);
        }
    }
    if plan.by > 0 {
        let expr = Expr::Dim(0) - plan.by.into();
        edit::replace_variable(
            variable,
            &BoundExpr { expr, variables: vec![variable], sizes: vec![] },
        );
    }
    edit::widen_regions(op);
}
