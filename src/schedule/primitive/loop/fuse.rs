//! `fuse`: fuse perfectly nested loops into one loop.
//!
//! ```text
//! loop.for serial %i in 32 { loop.for serial %j in 64 { .. = (%i, %j) } }
//!   ->  fuse ["B:i", "B:j"]
//! loop.for serial %i_j_fused in 2048 { .. = (%i_j_fused floordiv 64, %i_j_fused mod 64) }
//! ```
//! Requires
//! - (C1) two or more different loops
//! - (C2) the loops are serial and have no annotations
//! - (C3) each loop but the first is directly nested in the preceding loop, and is the only statement in it
//! - (C4) the extents do not depend on the loops that are fused
//! - (C5) the extent of each loop but the first is one expression over sizes and iters of schedule blocks, and not 0;
//!   all extents, except for at most one, are proved to be 0 or more (sizes always are)
//! - (C6) the product of the constant extents fits in an `index` (64 bits)
//! - (C7) if spatial iters of a block with `loop.init` are bound to the loops, each of the loops to which its reduce
//!   iters are bound has a constant extent of 1 or more. Otherwise the fused loop might have no iterations, and would
//!   then set no start values
//!
//! The order of the instances stays the same. Handles to each of the loops become handles to the new loop, whose axis
//! attribute is `merged`.

use crate::dialect::loop_enums::{AxisType, IterRole};
use crate::dialect::loop_op::{AxisOrigin, For, ForSpec};
use crate::ir::affine::{Expr, Map};
use crate::nest::derived_name;
use crate::nest::edit::{BoundExpr, move_ops, replace_variable, widen_regions};
use crate::nest::state::State;
use crate::nest::summary::{Loop, NodeId, Summary, mentions};
use crate::schedule::error::{Reason, ScheduleError};
use crate::schedule::legality::form::{never_negative, not_annotated, serial, several};
use crate::schedule::primitive::declaration::primitive;

primitive! {
    "Fuse perfectly nested loops into one"
    /// Returns the name of the loop.
    fuse(loops: Loops) -> String;
    near_atomic;
    |state| fuse(state, loops)
}

/// The result of the check.
pub struct Plan {
    /// Outermost first.
    nodes: Vec<NodeId>,
    name: String,
    /// The extent of the new loop, over the numbers of the summary.
    extent: Vec<Expr>,
    /// The extents of all loops but the first.
    inner: Vec<Expr>,
}

/// Fuses `loops`, given outermost first; returns the name of the new loop. On an error the IR is unchanged.
pub fn fuse(state: &mut State, loops: &[String]) -> Result<String, ScheduleError> {
    let plan = check(state.summary(), loops)?;
    Ok(rewrite(state, &plan))
}

pub fn check(summary: &Summary, loops: &[String]) -> Result<Plan, ScheduleError> {
    let nodes = several(summary, loops)?;
    let this = |node: NodeId| summary.as_loop(node).expect("a loop");
    for node in &nodes {
        let this = serial(summary, *node, 2)?;
        not_annotated(this, *node, 2)?;
    }
    for pair in nodes.windows(2) {
        let (outer, inner) = (this(pair[0]).name.clone(), this(pair[1]).name.clone());
        if summary.nodes[pair[1]].parent != Some(pair[0]) {
            return Err(Reason::NotAdjacent { outer, inner }.at(pair[1], 3));
        }
        if summary.nodes[pair[0]].children.len() != 1 {
            return Err(Reason::NotOnlyChild { outer, inner }.at(pair[1], 3));
        }
    }
    for (i, node) in nodes.iter().enumerate() {
        let depends = |outer: &&NodeId| {
            this(*node).extent.iter().any(|e| mentions(e, this(**outer).variable))
        };
        if let Some(outer) = nodes[..i].iter().find(depends) {
            let (inner, outer) = (this(*node).name.clone(), this(*outer).name.clone());
            return Err(Reason::DependentExtent { inner, outer }.at(*node, 4));
        }
    }
    let mut inner = vec![];
    for node in &nodes[1..] {
        let [extent] = &this(*node).extent[..] else {
            return Err(Reason::MinimumExtent(this(*node).name.clone()).at(*node, 5));
        };
        if extent.constant() == Some(0) {
            return Err(Reason::NoIterations(this(*node).name.clone()).at(*node, 5));
        }
        if !summary.is_size(extent) {
            return Err(Reason::NotSize(this(*node).name.clone()).at(*node, 5));
        }
        inner.push(extent.clone());
    }
    let may_be_negative =
        |node: &&NodeId| !this(**node).extent.iter().all(|e| never_negative(&e.simplified()));
    let mut negative = nodes.iter().filter(may_be_negative);
    if let (Some(first), Some(second)) = (negative.next(), negative.next()) {
        let (first, second) = (this(*first).name.clone(), this(*second).name.clone());
        return Err(Reason::NegativeExtents(first, second).at(nodes[0], 5));
    }
    let names: Vec<&str> = nodes.iter().map(|node| this(*node).name.as_str()).collect();
    let overflow = || {
        Reason::Overflow(format!("the product of the extents of {}", names.join(", ")))
            .at(nodes[0], 6)
    };
    let constants = nodes.iter().filter_map(|node| this(*node).constant_extent());
    constants.into_iter().try_fold(1i64, i64::checked_mul).ok_or_else(overflow)?;
    let product = |first: &Expr| {
        inner.iter().fold(first.clone(), |product, e| product * e.clone()).simplified()
    };
    let extent = this(nodes[0]).extent.iter().map(product).collect();
    let name = derived_name::new_loop(summary, &derived_name::fused(&names), &nodes);
    check_inits(summary, &nodes)?;
    Ok(Plan { nodes, name, extent, inner })
}

/// (C7)
fn check_inits(summary: &Summary, nodes: &[NodeId]) -> Result<(), ScheduleError> {
    for id in summary.blocks_under(nodes[0]) {
        let block = summary.as_block(id).expect("a block");
        let binds = |node: NodeId, wanted: IterRole| {
            let variable = summary.as_loop(node).expect("a loop").variable;
            let mut bound = block.iters.iter().zip(&block.binding);
            bound.any(|(iter, expr)| iter.role == wanted && mentions(expr, variable))
        };
        let is_spatial = nodes.iter().any(|node| binds(*node, IterRole::Spatial));
        if !block.has_init || !is_spatial {
            continue;
        }
        let may_be_empty = |node: &&NodeId| {
            let extent = summary.as_loop(**node).and_then(Loop::constant_extent);
            binds(**node, IterRole::Reduce) && extent.is_none_or(|extent| extent < 1)
        };
        if let Some(node) = nodes.iter().find(may_be_empty) {
            let name = summary.as_loop(*node).expect("a loop").name.clone();
            let reason = Reason::EmptyReduction { block: block.name.clone(), name };
            return Err(reason.at(*node, 7).note(id, "the schedule block is here"));
        }
    }
    Ok(())
}

fn rewrite(state: &mut State, plan: &Plan) -> String {
    let view = |node: &NodeId| For::of(state.op(*node)).expect("the node is a loop");
    let old: Vec<For> = plan.nodes.iter().map(view).collect();
    // Divisors and factors are symbols here.
    let inner = plan.inner.len();
    let mut exprs = plan.inner.clone();
    exprs.extend(plan.extent.iter().cloned());
    let (mut exprs, sizes) = state.with_iters_as_symbols(&exprs);
    let (results, divisors) = (exprs.split_off(inner), exprs);
    let dims = state.variables().to_vec();
    let is_plain = plan.extent.iter().all(Expr::is_semi_affine);
    let results = if is_plain { plan.extent.clone() } else { results };
    let extent = Map { dims: dims.len(), symbols: sizes.len(), results };
    let from = old.iter().map(|this| this.name.to_owned()).collect();
    let axis = Some(AxisOrigin { ty: AxisType::Merged, from, pair: None });
    let spec = ForSpec { name: &plan.name, extent: &extent, dims: &dims, sizes: &sizes, axis };
    let fused = spec.create(old[0].op.location());
    old[0].op.block().expect("a loop stands in a block").insert_before(old[0].op, fused);
    let fused = For::of(fused).expect("just made");

    // f is ((i * J) + j) * K + k: from the innermost loop outwards, the remainder is one loop's variable and the
    // quotient is the rest. The first extent may depend on loops further out, which are dims here.
    let mut rest = Expr::Dim(dims.len());
    let mut variables = dims;
    variables.push(fused.variable());
    for (i, this) in old.iter().enumerate().rev() {
        let expr = match i {
            0 => rest.clone(),
            i => {
                let extent = &divisors[i - 1];
                let expr = rest.clone().modulo(extent.clone());
                rest = rest.floor_div(extent.clone()).simplified();
                expr
            }
        };
        let (variables, sizes) = (variables.clone(), sizes.clone());
        replace_variable(this.variable(), &BoundExpr { expr, variables, sizes });
    }
    move_ops(old.last().expect("two or more").body, fused.body);
    for this in old.iter().rev() {
        state.rewriter.replaced(this.op, fused.op);
        state.rewriter.erase(this.op);
    }
    widen_regions(fused.op);
    plan.name.clone()
}
