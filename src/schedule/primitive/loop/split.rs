//! `split`: divide a loop into a nest of consecutive loops.
//!
//! ```text
//! loop.for serial %i in 30 { .. = (%i) }
//!   ->  split "B:i" factors [4, 8]
//! loop.for serial %i.0 in 4 {
//!   loop.for serial %i.1 in 8 { .. = (%i.0 * 8 + %i.1) where(-(%i.0 * 8 + %i.1) + 29 >= 0) }
//! }
//! ```
//! Where it is not proved that the parts divide the extent, `tail` says what becomes of the rest. The files
//! in `split` say more of each.
//! - `guard`, the default: a predicate on the schedule blocks.
//! - `peel`: the parts take what they divide, without a predicate; a loop `i.tail` after them, with a copy of
//!   what is inside, takes the rest.
//! - `shift_inwards`: the last tile starts earlier, so that it ends with the loop; some iterations run twice.
//! - `pad`: the tiles are filled up; the iterations that are too many write into room that buffers get.
//!
//! Requires
//! - (C1) a loop
//! - (C2) that is serial and has no annotations
//! - (C3) two or more factors, all positive but at most one -1, which is inferred: the extent divided by
//!   the others, rounded up, with `peel` down; and a tail of the four
//! - (C4) factors whose product, where none is inferred, is at least the extent (with `peel` at most), which
//!   must be known and not 0; and where a factor but the first is inferred, an extent that is a number, or
//!   one expression over sizes and iters of schedule blocks
//! - (C5) a product that fits an index
//! - (C6) names for the parts, `i.0`, `i.1` .., that no loop around or inside has; with `peel` also `i.tail`
//! - (C7) with `peel` and a rest, an extent that is one expression; and not one that is known to be smaller
//!   than a tile
//! - (C8) with `peel` and a rest, reductions in it that start as they did: see [`peel`]
//! - (C9) with `shift_inwards` and a rest, an extent that is a number or a size, not smaller than a tile, and
//!   only one tile that goes beyond it
//! - (C10) with `shift_inwards` and a rest, iterations that may run again: see [`shift`]
//! - (C11) with `pad` and a rest, room for what the added iterations write: see [`pad`]
//! - (C12) with `pad` and a rest, values for what the added iterations read: see [`pad`]
//!
//! The order of the instances stays. The first part takes the place of the loop in handles; its axis is
//! `tile_outer`, that of the others `tile_inner`, that of the rest `tail`.

pub mod pad;
pub mod peel;
pub mod shift;

use crate::dialect::loop_enums::{AxisType, keyword_enum};
use crate::dialect::loop_op::{Axis, For, ForSpec};
use crate::ir::Op;
use crate::ir::affine::{BinaryKind, Constraint, Expr, Map};
use crate::nest::edit::{
    Bound, Conditions, add_predicate, move_ops, replace_variable, widen_regions,
};
use crate::nest::state::State;
use crate::nest::summary::{Loop, NodeId, Summary};
use crate::schedule::error::{Reason, ScheduleError};
use crate::schedule::legality::proof::{PROOF, Proofs};
use crate::schedule::name;
use crate::schedule::primitive::{not_annotated, serial};
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
        Parameter {
            name: "tail",
            kind: ParameterKind::OptionalWord,
            summary: "What becomes of the rest: guard (default), peel, shift_inwards, pad",
        },
        PROOF,
    ],
    apply: |state, arguments| {
        let mut proofs = Proofs::of(state, &arguments[3]);
        let tail = arguments[2].optional_text();
        split(state, arguments[0].text(), arguments[1].integers(), tail, &mut proofs)
    },
};

keyword_enum! {
    /// What becomes of iterations that do not fill a tile.
    Tail {
        Guard = 0, "guard";
        Peel = 1, "peel";
        ShiftInwards = 2, "shift_inwards";
        Pad = 3, "pad";
    }
}

/// What the check has found: the parts, outermost first.
pub struct Plan {
    node: NodeId,
    /// Extents over the numbers of the summary: one number each, but where inferred.
    extents: Vec<Vec<Expr>>,
    /// What one step of each part is in steps of the loop.
    steps: Vec<Expr>,
    rest: Rest,
}

/// What becomes of the rest.
enum Rest {
    /// There is none.
    None,
    Guard,
    Peel(peel::Plan),
    Shift(shift::Plan),
    Pad(pad::Plan),
}

/// What a split has made.
pub struct Parts<'c> {
    pub names: Vec<String>,
    pub innermost: Op<'c>,
}

/// Splits `target`; gives the names of the parts, and of the rest if it is a loop of its own. On an error the
/// IR is unchanged.
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

pub fn check(
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
    Ok(Plan { node, extents, steps, rest })
}

/// (C3)
fn check_words(node: NodeId, factors: &[i64], tail: Option<&str>) -> Result<Tail, ScheduleError> {
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
    let Some(word) = tail else { return Ok(Tail::Guard) };
    Tail::ALL.iter().copied().find(|tail| tail.word() == word).ok_or_else(|| {
        let words: Vec<_> = Tail::ALL.iter().map(|tail| tail.word()).collect();
        Reason::NoTail(word.to_owned(), words.join(", ")).at(node, 3)
    })
}

/// Is it proved that the parts have as many iterations as the loop? (C4)
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
            Err(Reason::LargeProduct { product, extent }.at(node, 4))
        }
        (Some(extent), false) if product < extent && tail != Tail::Peel => {
            Err(Reason::SmallProduct { product, extent }.at(node, 4))
        }
        (Some(0), false) => Err(Reason::NoIterations(this.name.clone()).at(node, 4)),
        (None, false) => Err(Reason::UnknownExtent(product).at(node, 4)),
        (Some(extent), false) => Ok(product == extent),
        (Some(extent), true) => Ok(extent % product == 0),
        (None, true) => Ok(this.extent.iter().all(|expr| {
            let rest = expr.clone().modulo(product.into());
            this.extent.len() == 1 && summary.simplified(&rest) == Expr::Constant(0)
        })),
    }
}

/// The extent, if it is a number or one expression over sizes, so that loops can step by it.
fn size_of(this: &Loop) -> Option<Expr> {
    match (&this.extent[..], this.constant_extent()) {
        (_, Some(extent)) => Some(extent.into()),
        ([one], None) if !one.has_dims() => Some(one.clone()),
        _ => None,
    }
}

pub fn rewrite<'c>(state: &mut State<'c>, plan: &Plan) -> Parts<'c> {
    let op = state.op(plan.node);
    let old = For::of(op).expect("the node is a loop");
    let from = old.name.to_owned();
    let mut names: Vec<_> = (0..plan.extents.len()).map(|i| name::part(&from, i)).collect();

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
    replace_variable(old.variable(), &Bound { expr: sum.simplified(), variables, sizes: symbols });
    move_ops(old.body, parts.last().expect("there are parts").body);
    state.rewriter.replaced(op, parts[0].op);
    state.rewriter.erase(op);
    widen_regions(parts[0].op);
    Parts { names, innermost: parts.last().expect("there are parts").op }
}

/// Gives the blocks in a loop a predicate on its variable, in the place of which the parts come later.
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
    let conditions = Conditions { constraints, variables, sizes: state.sizes().to_vec() };
    for block in outermost_blocks(state.summary(), node) {
        add_predicate(state.op(block), &conditions);
    }
}

/// The blocks under a node that are in no other block under it.
pub fn outermost_blocks(summary: &Summary, node: NodeId) -> Vec<NodeId> {
    let is_outermost = |id: &NodeId| {
        !summary.ancestors(*id).take_while(|n| *n != node).any(|n| summary.as_block(n).is_some())
    };
    summary.blocks_under(node).into_iter().filter(is_outermost).collect()
}
