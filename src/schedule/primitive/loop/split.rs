//! `split`: split a loop into nested loops by tile factors.
//!
//! ```text
//! loop.for serial %i in 30 { .. = (%i) }
//!   ->  split "B:i" factors [4, 8]
//! loop.for serial %i.0 in 4 {
//!   loop.for serial %i.1 in 8 { .. = (%i.0 * 8 + %i.1) where(-(%i.0 * 8 + %i.1) + 29 >= 0) }
//! }
//! ```
//! If it is not proved that the factors divide the extent, `tail` selects how the remaining iterations are handled. The
//! comments at the top of the files in `src/schedule/primitive/loop/split` describe the tails other than `guard`.
//! - `guard`, the default: the last tile is partial, by a predicate on the schedule blocks. In a branch of `specialize`
//!   for multiples of the tile, none is.
//! - `peel`: the new loops run whole tiles, without a predicate; a loop `i.tail` after them, with a copy of the body,
//!   runs the remaining iterations.
//! - `shift_inwards`: the last tile starts earlier, so that it ends with the loop; some iterations run twice.
//! - `pad`: the last tile is full; buffers are enlarged for the elements that the surplus iterations write.
//!
//! Requires
//! - (C1) the target is a loop
//! - (C2) the loop is serial and has no annotations
//! - (C3) there are two or more factors; all are positive, except for at most one -1. The -1 is inferred: the extent
//!   divided by the product of the other factors, rounded up, or rounded down with `peel`. The tail is one of the four
//! - (C4) if no factor is inferred, the extent is constant and not 0, and the product of the factors is at least the
//!   extent. With `peel` it is at most the extent. If a factor other than the first is inferred, the extent is a
//!   constant, or one affine expression over sizes and iters of schedule blocks
//! - (C5) the product of the factors fits in an `index` (64 bits)
//! - (C6) with `pad` and a remainder, the elements that the added iterations read have been written: see
//!   [`src/schedule/primitive/loop/split/pad.rs`](pad)
//! - (C7) with `peel` and a remainder, the extent is one affine expression, and is not a constant smaller than a tile
//! - (C8) with `peel` and a remainder, each reduction in the loop still sets its start values once: see
//!   [`src/schedule/primitive/loop/split/peel.rs`](peel)
//! - (C9) with `shift_inwards` and a remainder, the extent is a constant or one expression over sizes, it is at least
//!   one tile, and only the last tile extends past it
//! - (C10) with `shift_inwards` and a remainder, it is legal to run iterations twice: see
//!   [`src/schedule/primitive/loop/split/shift.rs`](shift)
//! - (C11) with `pad` and a remainder, buffers can be enlarged for the elements that the added iterations write: see
//!   [`src/schedule/primitive/loop/split/pad.rs`](pad)
//!
//! The parts are named `i.0`, `i.1`, and so on. With `peel`, the remainder loop is named `i.tail`, and the copy of
//! schedule block `C` in it `C.tail`. The order of the instances stays the same, except that some run twice with
//! `shift_inwards`. Handles to the loop become handles to the first part. The axis attribute of the first part is
//! `tile_outer`, that of the other parts `tile_inner`, and that of the remainder loop `tail`.

pub(crate) mod pad;
pub(crate) mod peel;
pub(crate) mod shift;

use crate::dialect::loop_enums::{AxisType, keyword_enum};
use crate::dialect::loop_op::{AxisOrigin, For, ForSpec};
use crate::ir::Op;
use crate::ir::affine::{BinaryKind, Constraint, Expr, Map};
use crate::nest::derived_name;
use crate::nest::edit::{
    BoundConditions, BoundExpr, add_predicate, move_ops, replace_variable, widen_regions,
};
use crate::nest::facts::known_sizes;
use crate::nest::state::State;
use crate::nest::summary::{Loop, NodeId, Summary};
use crate::schedule::error::{Reason, ScheduleError, SplitReason};
use crate::schedule::legality::form::{not_annotated, serial};
use crate::schedule::legality::proof::Proofs;
use crate::schedule::name;
use crate::schedule::primitive::declaration::primitive;

primitive! {
    "Split a loop into nested loops by factors; a remainder is guarded, peeled, shifted or padded"
    /// Returns the names of the parts, and of the remainder if it is a separate loop.
    split(
        r#loop: Loop,
        factors: Integers = "The extents of the new loops, outermost first; one may be -1, to be inferred",
        tail: OptionalWord = TAIL;
        proof
    ) -> Vec<String>;
    near_atomic;
    |state| split(state, r#loop, factors, tail, proof)
}

/// The summary of a parameter `tail`.
pub(crate) const TAIL: &str =
    "How remaining iterations are handled: guard (default), peel, shift_inwards, pad";

keyword_enum! {
    /// How iterations that do not fill a tile are handled.
    Tail {
        /// The last tile is partial: a condition skips the iterations beyond the extent.
        Guard = 0, "guard";
        /// The iterations that fill no tile run in a nest of their own.
        Peel = 1, "peel";
        /// The last tile starts earlier, so that it ends at the extent; it repeats some iterations.
        ShiftInwards = 2, "shift_inwards";
        /// The last tile is full: the blocks run for values beyond the extent, too.
        Pad = 3, "pad";
    }
}

/// The result of the check: the parts, outermost first.
pub struct Plan {
    node: NodeId,
    /// The name of each part.
    names: Vec<String>,
    /// The extent of each part, over the numbers of the summary: one constant each, except for an inferred one.
    extents: Vec<Vec<Expr>>,
    /// The number of iterations of the loop that one iteration of each part covers.
    steps: Vec<Expr>,
    rest: Rest,
}

/// How the remaining iterations are handled.
enum Rest {
    /// The factors divide the extent.
    None,
    Guard,
    Peel(peel::Plan),
    Shift(shift::Plan),
    Pad(pad::Plan),
}

/// The result of a split.
pub(crate) struct SplitParts<'c> {
    pub names: Vec<String>,
    pub innermost: Op<'c>,
}

/// Splits `target`; returns the names of the parts, and of the remainder if it is a separate loop. On an error the IR
/// is unchanged.
pub fn split(
    state: &mut State,
    target: &str,
    factors: &[i64],
    tail: Option<&str>,
    proofs: &mut Proofs,
) -> Result<Vec<String>, ScheduleError> {
    let plan = check(state.summary(), target, factors, tail, proofs)?;
    Ok(rewrite(state, &plan).names)
}

pub(crate) fn check(
    summary: &Summary,
    target: &str,
    factors: &[i64],
    tail: Option<&str>,
    proofs: &mut Proofs,
) -> Result<Plan, ScheduleError> {
    let node = name::loop_of(summary, target)?;
    let this = serial(summary, node, 2)?;
    not_annotated(this, node, 2)?;
    let tail = check_words(node, factors, tail)?;
    let overflow = || Reason::Overflow(format!("the product of factors {factors:?}")).at(node, 5);
    let known = factors.iter().filter(|factor| **factor != -1);
    let product = known.copied().try_fold(1i64, i64::checked_mul).ok_or_else(overflow)?;
    let is_exact = divides(summary, node, this, factors, product, tail)?;

    let extent = this.constant_extent();
    let rounding = if tail == Tail::Peel { BinaryKind::FloorDiv } else { BinaryKind::CeilDiv };
    let quotient =
        |expr: &Expr| summary.simplified(&Expr::binary(rounding, expr.clone(), product.into()));
    let extents: Vec<Vec<Expr>> = factors
        .iter()
        .map(|factor| match (factor, extent) {
            (-1, Some(extent)) => vec![quotient(&extent.into())],
            (-1, None) => this.extent.iter().map(quotient).collect(),
            (factor, _) => vec![Expr::Constant(*factor)],
        })
        .collect();
    let inferred_inside = factors[1..].contains(&-1) && extent.is_none();
    let has_size = matches!(&this.extent[..], [one] if summary.is_size(one));
    if inferred_inside && !has_size {
        return Err(SplitReason::InferredInside(this.name.clone()).at(node, 4));
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
    let part = |i| derived_name::new_loop(summary, &derived_name::part(&this.name, i), &[node]);
    let names = (0..factors.len()).map(part).collect();
    let rest = match tail {
        _ if is_exact => Rest::None,
        Tail::Guard => Rest::Guard,
        Tail::Peel => {
            let is_inferred = factors.contains(&-1);
            Rest::Peel(peel::check(summary, node, this, product, is_inferred, proofs)?)
        }
        Tail::ShiftInwards => {
            Rest::Shift(shift::check(summary, node, this, (&extents[0], &steps[0]), proofs)?)
        }
        Tail::Pad => Rest::Pad(pad::check(summary, node, this, product, proofs)?),
    };
    Ok(Plan { node, names, extents, steps, rest })
}

/// (C3)
fn check_words(node: NodeId, factors: &[i64], tail: Option<&str>) -> Result<Tail, ScheduleError> {
    let inferred = factors.iter().filter(|factor| **factor == -1).count();
    if factors.len() < 2 {
        return Err(SplitReason::FewFactors(factors.len()).at(node, 3));
    }
    if inferred > 1 {
        return Err(SplitReason::ManyInferred(inferred).at(node, 3));
    }
    if let Some(bad) = factors.iter().find(|factor| **factor < 1 && **factor != -1) {
        return Err(SplitReason::BadFactor(*bad).at(node, 3));
    }
    let Some(word) = tail else { return Ok(Tail::Guard) };
    Tail::ALL.iter().copied().find(|tail| tail.word() == word).ok_or_else(|| {
        let words: Vec<_> = Tail::ALL.iter().map(|tail| tail.word()).collect();
        SplitReason::NoTail(word.to_owned(), words.join(", ")).at(node, 3)
    })
}

/// (C4): true if the parts are proved to have exactly as many iterations as the loop.
fn divides(
    summary: &Summary,
    node: NodeId,
    this: &Loop,
    factors: &[i64],
    product: i64,
    tail: Tail,
) -> Result<bool, ScheduleError> {
    match (this.constant_extent(), factors.contains(&-1)) {
        (Some(extent), false) if product > extent && extent.is_positive() && tail == Tail::Peel => {
            Err(SplitReason::LargeProduct { product, extent }.at(node, 4))
        }
        (Some(extent), false) if product < extent && tail != Tail::Peel => {
            Err(SplitReason::SmallProduct { product, extent }.at(node, 4))
        }
        (Some(0), false) => Err(Reason::NoIterations(this.name.clone()).at(node, 4)),
        (None, false) => Err(SplitReason::UnknownExtent(product).at(node, 4)),
        (Some(extent), false) => Ok(product == extent),
        (Some(extent), true) => Ok(extent % product == 0),
        (None, true) => Ok(this.extent.iter().all(|expr| {
            let rest = expr.clone().modulo(product.into());
            // A branch around the loop may be for multiples only.
            let is_none =
                || known_sizes::never_below(summary, node, &(Expr::Constant(-1) * rest.clone()), 0);
            this.extent.len() == 1 && (summary.simplified(&rest) == Expr::Constant(0) || is_none())
        })),
    }
}

/// The extent, if it is constant or one expression over sizes, so that it can be the step of a loop.
fn size_of(this: &Loop) -> Option<Expr> {
    match (&this.extent[..], this.constant_extent()) {
        (_, Some(extent)) => Some(extent.into()),
        ([one], None) if !one.has_dims() => Some(one.clone()),
        _ => None,
    }
}

pub(crate) fn rewrite<'c>(state: &mut State<'c>, plan: &Plan) -> SplitParts<'c> {
    let op = state.op(plan.node);
    let old = For::of(op).expect("the node is a loop");
    let from = old.name.to_owned();
    let mut names = plan.names.clone();

    // The parts, each nested in the previous one.
    let (dims, sizes) = (state.variables().to_vec(), state.sizes().to_vec());
    let mut parts: Vec<For> = vec![];
    for (i, results) in plan.extents.iter().enumerate() {
        let extent = Map { dims: dims.len(), symbols: sizes.len(), results: results.clone() };
        let (ty, pair) = match i {
            0 => (AxisType::TileOuter, names[1].clone()),
            i => (AxisType::TileInner, names[i - 1].clone()),
        };
        let axis = Some(AxisOrigin { ty, from: vec![from.clone()], pair: Some(pair) });
        let spec = ForSpec { name: &names[i], extent: &extent, dims: &dims, sizes: &sizes, axis };
        let part = spec.create(op.location());
        match parts.last() {
            None => op.block().expect("a loop stands in a block").insert_before(op, part),
            Some(outer) => outer.body.insert_before(outer.body.end(), part),
        }
        parts.push(For::of(part).expect("just made"));
    }
    match &plan.rest {
        Rest::None | Rest::Shift(_) => {}
        Rest::Guard => guard(state, plan.node),
        Rest::Peel(peel) => names.push(peel::rewrite(state, plan.node, peel)),
        Rest::Pad(pad) => pad::rewrite(state, pad),
    }
    let variables: Vec<_> = parts.iter().map(For::variable).collect();
    let (steps, symbols) = state.with_iters_as_symbols(&plan.steps);
    let terms = steps.iter().enumerate().map(|(i, step)| Expr::Dim(i) * step.clone());
    let mut sum = terms.reduce(|sum, term| sum + term).expect("there are parts");
    if let Rest::Shift(shift) = &plan.rest {
        sum = sum - shift.by(Expr::Dim(0));
    }
    replace_variable(
        old.variable(),
        &BoundExpr { expr: sum.simplified(), variables, sizes: symbols },
    );
    move_ops(old.body, parts.last().expect("there are parts").body);
    state.rewriter.replaced(op, parts[0].op);
    state.rewriter.erase(op);
    widen_regions(parts[0].op);
    SplitParts { names, innermost: parts.last().expect("there are parts").op }
}

/// Adds to the blocks in a loop a predicate on its variable; the parts replace the variable later.
fn guard(state: &State, node: NodeId) {
    let old = For::of(state.op(node)).expect("the node is a loop");
    let this = state.summary().as_loop(node).expect("a loop");
    let mut variables = state.variables().to_vec();
    let within = |bound: &Expr| {
        let last = bound.clone() - 1.into() - Expr::Dim(variables.len());
        Constraint::NonNegative(last.simplified())
    };
    let constraints = this.extent.iter().map(within).collect();
    variables.push(old.variable());
    let conditions = BoundConditions { constraints, variables, sizes: state.sizes().to_vec() };
    for block in outermost_blocks(state.summary(), node) {
        add_predicate(state.op(block), &conditions);
    }
}

/// The blocks under a node that are not nested in another block under it.
pub fn outermost_blocks(summary: &Summary, node: NodeId) -> Vec<NodeId> {
    let is_outermost = |id: &NodeId| {
        !summary.ancestors(*id).take_while(|n| *n != node).any(|n| summary.as_block(n).is_some())
    };
    summary.blocks_under(node).into_iter().filter(is_outermost).collect()
}
