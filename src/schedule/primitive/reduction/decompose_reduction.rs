//! `decompose_reduction`: move the initialization of a reduction into a schedule block of its own.
//!
//! ```text
//! loop.for %i in 32 { loop.for %k in 16 {
//!   loop.block "B" [%vi: spatial 32, %vk: reduce 16] = (%i, %k) { loop.init { B[vi] = 0 } B[vi] += .. }
//! } }
//!   ->  decompose_reduction "B" loop "B:k"
//! loop.for %i in 32 {
//!   loop.block "B__reduce_init" [%vi: spatial 32] = (%i) { B[vi] = 0 }
//!   loop.for %k in 16 { loop.block "B" [%vi: spatial 32, %vk: reduce 16] = (%i, %k) { B[vi] += .. } }
//! }
//! ```
//! The new block is placed before the loop. From that loop inwards, loops to which spatial iters are bound are copied
//! around the new block, and also loops that its predicate needs. The new block is named after the old one, with a
//! number if that name is taken. A reducer of several values gets one init block per value.
//!
//! Requires
//! - (C1) the arguments are a schedule block and a loop
//! - (C2) the block is a reduction with a `loop.init`
//! - (C3) the loop encloses the block, with only loops between
//! - (C4) no reduce iter of the block is bound to a loop further out, or to an iter of an enclosing schedule block
//! - (C5) neither this loop nor a loop between it and the block is bound to a thread axis, or has iterations with their
//!   own instances of the buffer that is reduced into. The extents of the copied loops do not depend on the loops that
//!   are not copied
//! - (C6) a predicate can state for which points (values of the spatial iters) the reduction sets start values. If a
//!   condition of the block's predicate depends on no other loops than reduction loops, it holds at the first instance
//!   of each point. If both reduce and spatial iters are bound to a loop, there is no condition on it and the domains
//!   of the reduce iters are not empty. If a spatial iter is bound to no loop, its domain is not empty
//! - (C7) if instances of other points run between the initialization of a point and its updates, the iters are an
//!   injective function of the loops, and the stored element is an injective function of the spatial iters
//! - (C8) no other block in the loop accesses the elements that are reduced into, or writes elements that the start
//!   values depend on
//!
//! If the block has a predicate, the new block has the conditions on the points. It has none, and runs for all points, if
//! the elements that it stores in addition are undefined otherwise: nothing else writes the buffer, which is one of the function, and
//! the loops around determine which element is stored, so that each is initialized once.
//!
//! The updates keep their order. A reduction over an empty domain still stores its start values. All handles stay
//! valid.

use crate::dialect::loop_enums::{IterRole, LoopKind};
use crate::dialect::loop_op::{ScheduleBlock, yield_op};
use crate::ir::affine::{Constraint, Expr};
use crate::ir::{Block, Builder, Op, Region, Value, walk};
use crate::nest::builder::OpenLoops;
use crate::nest::derived_name;
use crate::nest::edit;
use crate::nest::edit::{NewBlock, NewIter};
use crate::nest::facts::reduction;
use crate::nest::facts::reduction::Roles;
use crate::nest::index_form;
use crate::nest::state::State;
use crate::nest::summary::{Access, BufferId, Iter, NodeId, Summary, mentions};
use crate::schedule::error::{ReductionReason, ScheduleError};
use crate::schedule::legality::proof::Proofs;
use crate::schedule::name;
use crate::schedule::primitive::declaration::primitive;

primitive! {
    "Initialize a reduction in a schedule block of its own"
    decompose_reduction(
        block: Block,
        r#loop: Loop = "The loop before which it is inserted, as block:loop";
        proof
    ) -> Vec<String>;
    |state| decompose_reduction(state, block, r#loop, proof)
}

/// The result of the check.
pub struct Plan {
    block: NodeId,
    /// The loop before which the init block is placed.
    place: NodeId,
    /// The loops that are copied, outermost first.
    copied: Vec<NodeId>,
    /// The name of each new block, and the buffer that it initializes.
    starts: Vec<(String, BufferId)>,
    predicate: Vec<Constraint>,
}

/// Moves the start values of block `target` before loop `before`; returns the names of the new blocks, one per value.
/// On an error the IR is unchanged.
pub fn decompose_reduction(
    state: &mut State,
    target: &str,
    before: &str,
    proofs: &mut Proofs,
) -> Result<Vec<String>, ScheduleError> {
    let plan = check(state.summary(), target, before, proofs)?;
    rewrite(state, &plan);
    Ok(plan.starts.into_iter().map(|(name, _)| name).collect())
}

pub fn check(
    summary: &Summary,
    target: &str,
    before: &str,
    proofs: &mut Proofs,
) -> Result<Plan, ScheduleError> {
    let block = name::block(summary, target)?;
    let place = name::loop_of(summary, before)?;
    let roles = Roles::of(summary, block);
    if !roles.block.has_init {
        return Err(ReductionReason::NoInit(target.to_owned()).at(block, 2));
    }
    if !summary.ancestors(block).any(|node| node == place) {
        let (block_name, name) = (target.to_owned(), roles.loop_name(place));
        return Err(ReductionReason::NotAround { block: block_name, name }.at(place, 3));
    }
    let path = reduction::path(summary, place, block);
    if let Some((other, what)) = reduction::between(summary, &path) {
        let (block_name, name) = (target.to_owned(), roles.loop_name(place));
        let reason = ReductionReason::StandsBetween { block: block_name, name, what };
        return Err(reason.at(block, 3).note(other, "it is here"));
    }
    let reduces = |node: &NodeId| roles.reduces(roles.variable(*node));
    if let Some(outer) = summary.loops_around(place).find(reduces) {
        let reason = ReductionReason::ReducesOutside {
            block: target.to_owned(),
            name: roles.loop_name(place),
            outer: roles.loop_name(outer),
        };
        return Err(reason.at(place, 4).note(outer, "the outer loop is here"));
    }
    check_outer_iters(&roles)?;
    roles.check_no_threads(&path, 5)?;
    roles.check_not_owned(&path, 5)?;
    // If there are no points, the simplified binding may not mention the loop that implies this.
    let is_empty = |(iter, bound): (&Iter, &Expr)| {
        let mut sizes = iter.domain.iter().filter_map(Expr::constant);
        iter.role == IterRole::Spatial && bound.constant().is_some() && sizes.any(|size| size <= 0)
    };
    if roles.block.iters.iter().zip(&roles.block.binding).any(is_empty) {
        return Err(ReductionReason::StartUnknown(target.to_owned()).at(block, 6));
    }
    let predicate = match may_start_everywhere(&roles, place) {
        true => vec![],
        false => roles.start_conditions(6)?,
    };
    let places = |node: &NodeId| {
        let variable = roles.variable(*node);
        roles.places(variable) || predicate.iter().any(|c| mentions(c.expr(), variable))
    };
    let copied: Vec<NodeId> = path.iter().copied().filter(places).collect();
    roles.check_extents(&copied, &|node| path.contains(&node) && !places(&node), 5)?;
    check_mixed(&roles, &copied)?;
    if !copied.is_empty() {
        roles.require_own_cells(proofs, 7)?;
    }
    roles.require_injective(proofs, &path, 7)?;
    check_others(&roles, place, proofs)?;
    let mut starts: Vec<(String, BufferId)> = vec![];
    for store in roles.block.stores().filter(|store| store.in_init) {
        if !starts.iter().any(|(_, buffer)| *buffer == store.buffer) {
            let is_taken = |name: &str| {
                summary.has_block(name) || starts.iter().any(|(other, _)| other == name)
            };
            let name = derived_name::fresh(&format!("{target}__reduce_init"), &is_taken);
            starts.push((name, store.buffer));
        }
    }
    Ok(Plan { block, place, copied, starts, predicate })
}

/// True if start values may be stored in all elements of the buffers, whatever the predicate of the block is.
fn may_start_everywhere(roles: &Roles, place: NodeId) -> bool {
    let Roles { summary, block, .. } = roles;
    // The iter that an index is, and the loop that it is bound to, if this loop runs over its whole domain.
    let iter_of = |index: &Expr| {
        let mut iters = block.iters.iter().zip(&block.binding);
        let (iter, bound) = iters.find(|(iter, _)| iter.variable.expr() == *index)?;
        let node =
            summary.loops_around(roles.id).find(|it| roles.variable(*it).expr() == *bound)?;
        let is_whole = summary.as_loop(node)?.extent == iter.domain;
        (is_whole && iter.role == IterRole::Spatial).then_some((node, iter))
    };
    let is_own = |store: &Access| {
        let buffer = &summary.buffers[store.buffer];
        let mut others = summary.blocks().filter(|(id, _)| *id != roles.id);
        let mut dims = store.indices.iter().zip(&buffer.shape);
        let mut loops = vec![];
        let is_whole = dims.all(|(index, size)| {
            let Some((node, iter)) = index.as_ref().and_then(iter_of) else { return false };
            loops.push(node);
            matches!((&iter.domain[..], size), ([domain], Some(size)) if domain == size)
        });
        let is_written = others.any(|(_, it)| it.stores().any(|it| it.buffer == store.buffer));
        buffer.scope.is_some()
            && !buffer.escapes
            && !is_written
            && is_whole
            && summary.loops_around(place).all(|node| loops.contains(&node))
    };
    block.stores().filter(|store| store.in_init).all(is_own)
        && !block.loads().any(|load| load.in_init)
}

/// Part of (C4): the iters of enclosing schedule blocks.
fn check_outer_iters(roles: &Roles) -> Result<(), ScheduleError> {
    let summary = roles.summary;
    for outer in summary.ancestors(roles.id) {
        let Some(around) = summary.as_block(outer) else { continue };
        if let Some(iter) = around.iters.iter().find(|iter| roles.reduces(iter.variable)) {
            let (block, outer_block) = (roles.block.name.clone(), around.name.clone());
            let reason = ReductionReason::ReducesAround {
                block,
                iter: iter.name.clone(),
                outer: outer_block,
            };
            return Err(reason.at(roles.id, 4).note(outer, "the outer schedule block is here"));
        }
    }
    Ok(())
}

/// Part of (C6): loops that are bound to both reduce and spatial iters. The copied loop initializes a point in all of
/// its iterations.
fn check_mixed(roles: &Roles, copied: &[NodeId]) -> Result<(), ScheduleError> {
    let Some(mixed) = copied.iter().find(|node| roles.reduces(roles.variable(**node))) else {
        return Ok(());
    };
    let variable = roles.variable(*mixed);
    let is_conditional = roles.block.predicate.iter().any(|c| mentions(c.expr(), variable));
    match is_conditional || !roles.never_empty() {
        true => {
            let (block, name) = (roles.block.name.clone(), roles.loop_name(*mixed));
            Err(ReductionReason::MixedLoop { block, name }.at(*mixed, 6))
        }
        false => Ok(()),
    }
}

/// (C8)
fn check_others(roles: &Roles, place: NodeId, proofs: &mut Proofs) -> Result<(), ScheduleError> {
    let summary = roles.summary;
    let written: Vec<_> = roles.block.stores().map(|store| store.buffer).collect();
    let read: Vec<_> =
        roles.block.loads().filter(|load| load.in_init).map(|load| load.buffer).collect();
    let mut others = summary.blocks_under(place);
    others.retain(|other| *other != roles.id);
    let clashes = |access: &Access| {
        written.contains(&access.buffer) || access.is_write && read.contains(&access.buffer)
    };
    roles.require_no_access(proofs, &others, &clashes, 8)?;
    // The updates must not change what later start values read.
    roles.require_no_access(
        proofs,
        &[roles.id],
        &|access| access.is_write && read.contains(&access.buffer),
        8,
    )
}

fn rewrite(state: &mut State, plan: &Plan) {
    let summary = state.summary();
    let place = state.op(plan.place);
    let old = ScheduleBlock::of(state.op(plan.block)).expect("the node is a schedule block");
    let init = old.init().expect("the check has seen it");
    let block = summary.as_block(plan.block).expect("a block");
    let location = old.op.location();

    let mut nest = OpenLoops::before(state, place);
    for node in &plan.copied {
        let this = summary.as_loop(*node).expect("a loop");
        // A loop that also reduces, or that no iter is bound to, initializes a point more than once.
        let bound_to = |is_reduce: bool| {
            let mut iters = block.iters.iter().zip(&block.binding);
            iters.any(|(iter, bound)| {
                (iter.role == IterRole::Reduce) == is_reduce && mentions(bound, this.variable)
            })
        };
        let mut this = this.clone();
        if !bound_to(false) || bound_to(true) {
            (this.kind, this.thread) = (LoopKind::Serial, None);
        }
        nest.open(&this, place.location());
    }
    let iters = block.iters.iter().zip(&block.binding);
    let spatial = iters.filter(|(iter, _)| iter.role != IterRole::Reduce);
    let iters: Vec<NewIter> = spatial.map(NewIter::of).collect();
    for (name, buffer) in &plan.starts {
        let (name, predicate) = (name.clone(), plan.predicate.clone());
        let new = NewBlock { name, iters: iters.clone(), predicate, reducer: None };
        let op = new.create(location, nest.values(), &old.sizes);
        nest.put(op);
        fill(op, &old, init, state.buffer(*buffer));
        index_form::restore(op, state.rewriter.as_mut());
        edit::derive_regions(op);
    }

    state.rewriter.erase(init);
    index_form::restore(old.op, state.rewriter.as_mut());
    edit::derive_regions(old.op);
    edit::widen_regions(old.op);
}

/// Fills in the start of one value, which is in `buffer`.
fn fill<'c>(op: Op<'c>, old: &ScheduleBlock<'c>, init: Op<'c>, buffer: Value<'c>) {
    fill_all(op, old, init);
    let of_another = |op: &Op<'c>| op.is("memref.store") && op.operand(1) != buffer;
    walk(op).into_iter().filter(of_another).for_each(Op::erase);
}

/// Copies all start values of a reduction into an empty block over its spatial iters.
pub fn fill_all<'c>(op: Op<'c>, old: &ScheduleBlock<'c>, init: Op<'c>) {
    let start = ScheduleBlock::of(op).expect("just made");
    let builder = Builder::before(start.body.end(), op.location());
    let mut mapping: Vec<(Value, Value)> = vec![];
    for iter in &old.iters {
        let new = start.iters.iter().find(|new| new.name == iter.name);
        // The start values are set where all reduce iters are 0.
        mapping.push((iter.variable, new.map_or_else(|| builder.index(0), |new| new.variable)));
    }
    copy_start(old, init, builder, &mut mapping);
}

/// Copies the constants before a `loop.init`, and its body.
pub fn copy_start<'c>(
    old: &ScheduleBlock<'c>,
    init: Op<'c>,
    to: Builder<'c>,
    mapping: &mut Vec<(Value<'c>, Value<'c>)>,
) {
    let constants = old.body.ops().into_iter().take_while(|op| *op != init);
    let inner = init.body(0).map(|body| body.ops()).unwrap_or_default();
    for op in constants.chain(inner).filter(|op| !op.is("loop.yield")) {
        let copy = op.clone_mapped(mapping);
        to.place(copy);
        mapping.extend(op.results().into_iter().zip(copy.results()));
    }
}

/// Copies the `loop.init` of a reduction into a new block over the same points. It runs where all reduce iters are 0.
pub fn copy_init<'c>(
    new: &ScheduleBlock<'c>,
    old: &ScheduleBlock<'c>,
    init: Op<'c>,
    at: Builder<'c>,
) {
    let body = Block::new(&[]);
    let inner = Builder::at_end(body, at.location());
    let mut mapping: Vec<(Value, Value)> = vec![];
    for iter in &old.iters {
        let same = new.iters.iter().find(|new| new.name == iter.name && new.role == iter.role);
        mapping.push((iter.variable, same.map_or_else(|| inner.index(0), |new| new.variable)));
    }
    copy_start(old, init, inner, &mut mapping);
    inner.place(yield_op(at.location(), &[]));
    at.insert(at.spec("loop.init").region(Region::of(body)));
}
