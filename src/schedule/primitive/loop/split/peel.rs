//! `split` with `tail "peel"`: a loop over whole tiles, then a loop for the remaining iterations.
//!
//! ```text
//! loop.for serial %i in 30 { loop.block "B" [..] = (%i) .. }
//!   ->  split "B:i" factors [-1, 8] tail "peel"
//! loop.for serial %i.0 in 3 {
//!   loop.for serial %i.1 in 8 { loop.block "B" [..] = (%i.0 * 8 + %i.1) .. }
//! }
//! loop.for serial %i.tail in 6 { loop.block "B.tail" [..] = (%i.tail + 24) .. }
//! ```
//! The copy contains new schedule blocks, `B.tail`. The instances and their order stay the same.
//!
//! A reduction over the loop starts in the tiles, and the copy has no `loop.init`. If there may be no whole tile, the
//! domain of the block in the tiles shrinks to what the tiles cover, which may be empty; the block then only sets start
//! values. That happens once for each spatial point only if no enclosing loop reduces as well.

use crate::dialect::loop_enums::{AxisType, IterRole};
use crate::dialect::loop_op::{AxisOrigin, For, ForSpec, ScheduleBlock};
use crate::ir::affine::{Expr, Map};
use crate::ir::{Attribute, Op, walk};
use crate::nest::derived_name;
use crate::nest::edit::{BoundExpr, derive_regions, move_ops, replace_variable, widen_regions};
use crate::nest::facts::known_sizes::never_below;
use crate::nest::facts::reduction::Roles;
use crate::nest::state::State;
use crate::nest::summary::VariableId;
use crate::nest::summary::{Block, Loop, NodeId, Summary, mentions};
use crate::schedule::error::{Reason, ScheduleError, SplitReason};
use crate::schedule::legality::form::never_negative;
use crate::schedule::legality::proof::Proofs;
use crate::schedule::verdict::Verdict;

/// The result of the check.
pub struct Plan {
    /// The number of iterations of a tile, or the number of tiles if that is given: it divides the range that the tiles
    /// cover.
    product: i64,
    rest: LoopCopy,
    starts: Starts,
}

/// A loop over some iterations of another one, with copies of its body.
pub struct LoopCopy {
    pub name: String,
    pub axis: Option<AxisOrigin>,
    /// The first of these iterations and their number, over the numbers of the summary.
    pub start: Expr,
    pub extent: Vec<Expr>,
    /// The new names of all blocks in the loop, in order.
    pub blocks: Vec<String>,
}

/// How reductions that start in a loop are changed.
#[derive(Default)]
pub struct Starts {
    /// The blocks whose copies have no `loop.init`.
    started: Vec<NodeId>,
    /// The iters whose domains shrink to what the first part covers.
    pub narrowed: Vec<(NodeId, usize)>,
}

impl Starts {
    /// True if the reduction starts in the first part only.
    pub fn are_in_first(&self, block: NodeId) -> bool {
        self.started.contains(&block)
    }
}

pub fn check(
    summary: &Summary,
    node: NodeId,
    this: &Loop,
    product: i64,
    is_inferred: bool,
    proofs: &mut Proofs,
) -> Result<Plan, ScheduleError> {
    let constant = this.constant_extent().map(Expr::Constant);
    let whole = match (&constant, &this.extent[..]) {
        (Some(extent), _) => extent,
        (None, [extent]) => extent,
        _ => return Err(Reason::MinimumExtent(this.name.clone()).at(node, 7)),
    };
    if let Some(extent) = whole.constant().filter(|extent| *extent < product) {
        return Err(
            SplitReason::NoTile { name: this.name.clone(), extent, tile: product }.at(node, 7)
        );
    }
    let tiles = if is_inferred { whole.clone().floor_div(product.into()) } else { 1.into() };
    let start = summary.simplified(&(tiles * product.into()));
    let rest = match is_inferred {
        true => summary.simplified(&whole.clone().modulo(product.into())),
        false => (whole.clone() - product.into()).simplified(),
    };
    // The remainder of a negative extent is not negative, but such a loop has no iterations.
    let mut extent = vec![rest];
    if !never_negative(&whole.simplified()) {
        extent.push(whole.clone());
    }
    let mut names = vec![];
    for id in summary.blocks_under(node) {
        let base = derived_name::tail(&summary.as_block(id).expect("a block").name);
        let new = derived_name::new_block(summary, &names, base);
        names.push(new);
    }
    let starts = starts(summary, node, never_below(summary, node, whole, product), 8, proofs)?;
    let axis = AxisOrigin { ty: AxisType::Tail, from: vec![this.name.clone()], pair: None };
    let name = derived_name::new_loop(summary, &derived_name::tail(&this.name), &[node]);
    let rest = LoopCopy { name, axis: Some(axis), start, extent, blocks: names };
    Ok(Plan { product, rest, starts })
}

/// How the reductions that start in a partitioned loop must change to start as before: (C`condition`). `has_first`: the
/// first part is known to contain the first iteration; otherwise it may have no iterations.
pub fn starts(
    summary: &Summary,
    node: NodeId,
    has_first: bool,
    condition: u8,
    proofs: &mut Proofs,
) -> Result<Starts, ScheduleError> {
    let this = summary.as_loop(node).expect("a loop");
    let mut starts = Starts::default();
    for id in summary.blocks_under(node) {
        let block = summary.as_block(id).expect("a block");
        if !block.has_init || !binds(summary, block, this.variable, IterRole::Reduce) {
            continue;
        }
        starts.started.push(id);
        let verdict = match check_start(summary, node, id, has_first) {
            Ok(iter) => {
                starts.narrowed.extend(iter.map(|iter| (id, iter)));
                Verdict::Proved
            }
            Err(why) => Verdict::Unknown(why.into()),
        };
        let why = || match &verdict {
            Verdict::Unknown(why) => why.clone(),
            _ => String::new(),
        };
        let reason = || SplitReason::StartsAnew { block: block.name.clone(), why: why() };
        proofs.require(&verdict, || {
            reason().at(node, condition).note(id, "the schedule block is here")
        })?;
    }
    Ok(starts)
}

/// Checks that a reduction that starts in the tiles starts as before. Returns the iter whose domain must shrink to what
/// the tiles cover, because there may be no tile.
fn check_start(
    summary: &Summary,
    node: NodeId,
    id: NodeId,
    has_tile: bool,
) -> Result<Option<usize>, &'static str> {
    let (this, block) =
        (summary.as_loop(node).expect("a loop"), summary.as_block(id).expect("a block"));
    if binds(summary, block, this.variable, IterRole::Spatial) {
        return Err("the loop is bound to a spatial iter too");
    }
    let roles = Roles::of(summary, id);
    if !roles.starts_first(&[node]) {
        return Err("it is not known to start in the first iteration of the loop");
    }
    if has_tile {
        return Ok(None);
    }
    if !block.predicate.iter().all(|condition| roles.lets_start(condition)) {
        return Err("there may be no whole tile, and a predicate may skip its initialization");
    }
    let reduces = |node: NodeId| {
        summary.as_loop(node).is_some_and(|l| binds(summary, block, l.variable, IterRole::Reduce))
    };
    if summary.ancestors(node).any(reduces) {
        return Err("there may be no whole tile, and an outer loop reduces too");
    }
    let written: Vec<_> = block.stores().map(|store| store.buffer).collect();
    let mut others = summary.blocks_under(node).into_iter().filter(|other| *other != id);
    let shares = |other: NodeId| {
        let other = summary.as_block(other).expect("a block");
        other.accesses().iter().any(|access| written.contains(&access.buffer))
    };
    if others.any(shares) {
        return Err(
            "there may be no whole tile, and another schedule block in it accesses the result",
        );
    }
    let plain = this.variable.expr();
    let bound = (0..block.iters.len()).find(|i| block.binding[*i] == plain);
    let mentioned = block.binding.iter().filter(|bound| mentions(bound, this.variable)).count();
    match bound.filter(|i| block.iters[*i].domain == this.extent && mentioned == 1) {
        Some(iter) => Ok(Some(iter)),
        None => Err("there may be no whole tile, and no iter is bound to the loop alone with its \
             extent as domain"),
    }
}

/// True if an iter of that role is bound to a loop, directly or through an iter of an enclosing schedule block.
fn binds(summary: &Summary, block: &Block, variable: VariableId, role: IterRole) -> bool {
    let mut iters = block.iters.iter().zip(&block.binding);
    iters.any(|(iter, bound)| iter.role == role && mentions(&summary.over_loops(bound), variable))
}

/// Emits the loop of the remaining iterations after the loop itself; returns its name.
pub fn rewrite(state: &State, node: NodeId, plan: &Plan) -> String {
    copy(state, node, &plan.rest, &plan.starts);
    for (id, iter) in &plan.starts.narrowed {
        set_domain(state.op(*id), *iter, |size| {
            size.floor_div(plan.product.into()) * plan.product.into()
        });
    }
    plan.rest.name.clone()
}

/// Emits a loop for other iterations of a loop, directly after it.
pub fn copy(state: &State, node: NodeId, part: &LoopCopy, starts: &Starts) {
    let op = state.op(node);
    let next = op.next().expect("a terminator comes after a loop");
    let place = op.block().expect("a loop stands in a block");

    let copy = op.clone_mapped(&[]);
    place.insert_before(next, copy);
    let context = state.context();
    let copies: Vec<(Op, Op)> = blocks_in(op).into_iter().zip(blocks_in(copy)).collect();
    for ((_, new), name) in copies.iter().zip(&part.blocks) {
        new.set_attribute("name", Attribute::string(context, name));
    }
    for id in &starts.started {
        let (_, new) = copies.iter().find(|(old, _)| *old == state.op(*id)).expect("it is in it");
        let init = ScheduleBlock::of(*new).expect("a copy of a schedule block").init();
        init.expect("the block has one").erase();
        derive_regions(*new);
        widen_regions(*new);
    }
    let (mut variables, sizes) = (state.variables().to_vec(), state.sizes().to_vec());
    let extent = Map { dims: variables.len(), symbols: sizes.len(), results: part.extent.clone() };
    let axis = part.axis.clone();
    let spec = ForSpec { name: &part.name, extent: &extent, dims: &variables, sizes: &sizes, axis };
    let rest = spec.create(op.location());
    place.insert_before(copy, rest);
    let (view, rest) =
        (For::of(copy).expect("a copy of a loop"), For::of(rest).expect("just made"));
    let expr = part.start.clone() + Expr::Dim(variables.len());
    variables.push(rest.variable());
    replace_variable(view.variable(), &BoundExpr { expr, variables, sizes });
    move_ops(view.body, rest.body);
    copy.erase();
    widen_regions(rest.op);
}

fn blocks_in<'c>(root: Op<'c>) -> Vec<Op<'c>> {
    walk(root).into_iter().filter(|op| op.is(ScheduleBlock::NAME)).collect()
}

/// Changes the domain of an iter of a schedule block.
pub fn set_domain(op: Op, iter: usize, change: impl Fn(Expr) -> Expr) {
    let domains = op.attribute("domains").and_then(Attribute::as_array).unwrap_or_default();
    let mut maps: Vec<Map> =
        domains.into_iter().map(|map| map.as_map().expect("a verified block")).collect();
    for size in &mut maps[iter].results {
        *size = change(size.clone()).simplified();
    }
    op.set_attribute("domains", Attribute::maps(op.context(), &maps));
}
