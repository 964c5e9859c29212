//! `split`: divide a loop into a nest of consecutive loops.
//!
//! ```text
//! loop.for serial %i in 30 { .. = (%i) }
//!   ->  split "B:i" factors [4, 8]
//! loop.for serial %i.0 in 4 {
//!   loop.for serial %i.1 in 8 { .. = (%i.0 * 8 + %i.1) where(-(%i.0 * 8 + %i.1) + 29 >= 0) }
//! }
//! ```
//! Requires
//! - (C1) a loop
//! - (C2) that is serial and has no annotations
//! - (C3) two or more factors, all positive but at most one -1, which is inferred: the extent divided by
//!   the others, rounded up
//! - (C4) factors whose product, where none is inferred, is at least the extent, which must be known and
//!   not 0; and where a factor but the first is inferred, an extent that is a number or a size
//! - (C5) a product that fits an index
//! - (C6) names for the parts, `i.0`, `i.1` .., that no loop around or inside has
//!
//! The order of the instances stays. Schedule blocks get a predicate where the product is not proved to
//! be the extent. The first part takes the place of the loop in handles; its axis is `tile_outer`, that of
//! the others `tile_inner`.

use crate::dialect::loop_enums::AxisType;
use crate::dialect::loop_op::{Axis, For, ForSpec};
use crate::ir::Op;
use crate::ir::affine::{BinaryKind, Constraint, Expr, Map};
use crate::schedule::edit::{
    Bound, Conditions, add_predicate, move_ops, replace_variable, widen_regions,
};
use crate::schedule::error::{Reason, ScheduleError};
use crate::schedule::name;
use crate::schedule::primitive::{not_annotated, serial};
use crate::schedule::state::State;
use crate::schedule::summary::{NodeId, Summary};
use crate::schedule::table::{LOOP, Parameter, ParameterKind, Primitive};

pub const PRIMITIVE: Primitive = Primitive {
    name: "split",
    pass: "sched-split",
    summary: "Divide a loop into a nest of consecutive loops",
    parameters: &[
        LOOP,
        Parameter {
            name: "factors",
            kind: ParameterKind::Integers,
            summary: "The extents of the new loops, outermost first; one may be -1, to be inferred",
        },
    ],
    apply: |state, arguments| split(state, arguments[0].text(), arguments[1].integers()),
};

/// What the check has found: the parts, outermost first.
pub struct Plan {
    node: NodeId,
    /// Extents over the numbers of the summary: one number each, but where inferred.
    extents: Vec<Vec<Expr>>,
    /// What one step of each part is in steps of the loop.
    steps: Vec<Expr>,
    /// Does the product of the parts go beyond the extent, as far as is known?
    needs_predicate: bool,
}

/// What a split has made.
pub struct Parts<'c> {
    pub names: Vec<String>,
    pub innermost: Op<'c>,
}

/// Splits `target`; gives the names of the parts. On an error the IR is unchanged.
pub fn split(
    state: &mut State,
    target: &str,
    factors: &[i64],
) -> Result<Vec<String>, ScheduleError> {
    let plan = check(state.summary(), target, factors)?;
    Ok(rewrite(state, &plan).names)
}

pub fn check(summary: &Summary, target: &str, factors: &[i64]) -> Result<Plan, ScheduleError> {
    let node = name::loop_of(summary, target)?;
    let this = serial(summary, node, 2)?;
    not_annotated(this, node, 2)?;
    let inferred = factors.iter().filter(|factor| **factor == -1).count();
    if factors.len() < 2 {
        return Err(Reason::FewFactors(factors.len()).at(node, 3));
    }
    if inferred > 1 {
        return Err(Reason::ManyInferred(inferred).at(node, 3));
    }
    if let Some(bad) = factors.iter().find(|factor| **factor < 1 && **factor != -1) {
        return Err(Reason::BadFactor(*bad).at(node, 3));
    }
    let overflow = || Reason::Overflow(format!("factors {factors:?}")).at(node, 5);
    let known = factors.iter().filter(|factor| **factor != -1);
    let product = known.copied().try_fold(1i64, i64::checked_mul).ok_or_else(overflow)?;

    let extent = this.constant_extent();
    let quotient = |expr: &Expr| {
        let parts = Expr::binary(BinaryKind::CeilDiv, expr.clone(), product.into());
        summary.simplified(&parts)
    };
    let needs_predicate = match (extent, inferred) {
        (Some(extent), 0) if product < extent => {
            return Err(Reason::SmallProduct { product, extent }.at(node, 4));
        }
        (Some(0), 0) => return Err(Reason::NoIterations(this.name.clone()).at(node, 4)),
        (None, 0) => return Err(Reason::UnknownExtent(product).at(node, 4)),
        (Some(extent), 0) => product != extent,
        (_, _) => !this.extent.iter().all(|expr| {
            let rest = expr.clone().modulo(product.into());
            this.extent.len() == 1 && summary.simplified(&rest) == Expr::Constant(0)
        }),
    };
    let extents: Vec<Vec<Expr>> = factors
        .iter()
        .map(|factor| match (factor, extent) {
            (-1, Some(extent)) => vec![quotient(&extent.into())],
            (-1, None) => this.extent.iter().map(quotient).collect(),
            (factor, _) => vec![Expr::Constant(*factor)],
        })
        .collect();
    let inferred_inside = factors[1..].contains(&-1) && extent.is_none();
    if inferred_inside && !is_size(&this.extent) {
        return Err(Reason::InferredInside(this.name.clone()).at(node, 4));
    }
    let mut steps = vec![];
    let mut step = Expr::Constant(1);
    for extent in extents.iter().rev() {
        steps.push(step.clone());
        let next = step.constant().zip(extent[0].constant());
        step = match next {
            Some((step, extent)) => step.checked_mul(extent).ok_or_else(overflow)?.into(),
            None => (step * extent[0].clone()).simplified(),
        };
    }
    steps.reverse();
    for i in 0..factors.len() {
        name::check_free(summary, &name::part(&this.name, i), &[node], 6)?;
    }
    Ok(Plan { node, extents, steps, needs_predicate })
}

/// Is an extent one expression over sizes, so that loops can step by it?
fn is_size(extent: &[Expr]) -> bool {
    matches!(extent, [one] if !one.has_dims())
}

pub fn rewrite<'c>(state: &mut State<'c>, plan: &Plan) -> Parts<'c> {
    let op = state.op(plan.node);
    let old = For::of(op).expect("the node is a loop");
    let from = old.name.to_owned();
    let extent = state.summary().as_loop(plan.node).expect("a loop").extent.clone();
    let names: Vec<_> = (0..plan.extents.len()).map(|i| name::part(&from, i)).collect();

    // The parts, each in the one before.
    let (dims, sizes) = (state.variables().to_vec(), state.sizes().to_vec());
    let mut parts: Vec<For> = vec![];
    for (i, results) in plan.extents.iter().enumerate() {
        let extent = Map { dims: dims.len(), symbols: sizes.len(), results: results.clone() };
        let (ty, pair) = match i {
            0 => (AxisType::TileOuter, names[1].clone()),
            i => (AxisType::TileInner, names[i - 1].clone()),
        };
        let axis = Some(Axis { ty, from: vec![from.clone()], pair: Some(pair) });
        let spec = ForSpec { name: &names[i], extent: &extent, dims: &dims, sizes: &sizes, axis };
        let part = spec.create(op.location());
        match parts.last() {
            None => op.block().expect("a loop stands in a block").insert_before(op, part),
            Some(outer) => outer.body.insert_before(end_of(outer), part),
        }
        parts.push(For::of(part).expect("just made"));
    }
    let variables: Vec<_> = parts.iter().map(For::variable).collect();
    let terms = plan.steps.iter().enumerate().map(|(i, step)| Expr::Dim(i) * step.clone());
    let sum = terms.reduce(|sum, term| sum + term).expect("there are parts").simplified();

    let blocks: Vec<_> = outermost_blocks(state.summary(), plan.node);
    if plan.needs_predicate {
        // In the place of the old variable, so that it is replaced with all others.
        let within = |bound: &Expr| {
            let last = bound.clone() - 1.into() - Expr::Dim(dims.len());
            Constraint::NonNegative(last.simplified())
        };
        let mut variables = dims.clone();
        variables.push(old.variable());
        let constraints = extent.iter().map(within).collect();
        let conditions = Conditions { constraints, variables, sizes: sizes.clone() };
        blocks.iter().for_each(|block| add_predicate(state.op(*block), &conditions));
    }
    replace_variable(old.variable(), &Bound { expr: sum, variables, sizes });
    move_ops(old.body, parts.last().expect("there are parts").body);
    state.rewriter.replaced(op, parts[0].op);
    state.rewriter.erase(op);
    widen_regions(parts[0].op);
    Parts { names, innermost: parts.last().expect("there are parts").op }
}

fn end_of<'c>(this: &For<'c>) -> Op<'c> {
    this.body.terminator().expect("a loop's body ends in a yield")
}

/// The blocks under a node that are in no other block under it.
fn outermost_blocks(summary: &Summary, node: NodeId) -> Vec<NodeId> {
    let is_outermost = |id: &NodeId| {
        !summary.ancestors(*id).take_while(|n| *n != node).any(|n| summary.as_block(n).is_some())
    };
    summary.blocks_under(node).into_iter().filter(is_outermost).collect()
}
