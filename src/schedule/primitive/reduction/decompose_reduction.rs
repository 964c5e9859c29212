//! `decompose_reduction`: write the start values of a reduction in a schedule block of their own.
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
//! The new block stands before the loop, in copies of the loops from there on that spatial iters are bound
//! to, or that its predicate needs. It is named after the block; where that name is taken, with a number. A
//! reducer of several values has a block for the start of each.
//!
//! Requires
//! - (C1) a schedule block and a loop
//! - (C2) a reduction with `loop.init`
//! - (C3) the loop standing around the block, with only loops between
//! - (C4) no loop further out that reduce iters are bound to, and no iter of a schedule block around
//! - (C5) loops from there on that no thread axis is bound to, and whose iterations have no buffers of their own of
//!   the scope that is reduced into; extents of those that are copied that do not depend on the others
//! - (C6) a predicate that says for which points the reduction starts: conditions on reduce loops alone
//!   hold at the first instance of each point; and where a loop is bound to both reduce and spatial iters,
//!   no condition on it, and domains of reduce iters that are not empty; and no spatial iter without values that
//!   no loop is bound to
//! - (C7) where points come to stand between the start of one and its updates: instances told apart by the
//!   loops, and cells told apart by the spatial iters
//! - (C8) no other block under the loop that accesses what is reduced into, or writes what the start reads
//!
//! The updates stay, in their order; a reduction over nothing keeps its start values. All handles stay.

use crate::dialect::loop_enums::{IterRole, LoopKind};
use crate::dialect::loop_op::{ScheduleBlock, yield_op};
use crate::ir::affine::{Constraint, Expr};
use crate::ir::{Block, Builder, Op, Region, Value, walk};
use crate::nest::builder::Nest;
use crate::nest::edit;
use crate::nest::edit::{NewBlock, NewIter};
use crate::nest::index_form;
use crate::nest::state::State;
use crate::nest::summary::{Access, BufferId, Iter, NodeId, Summary, mentions};
use crate::schedule::error::{Reason, ScheduleError};
use crate::schedule::legality::proof::{PROOF, Proofs};
use crate::schedule::legality::reduction;
use crate::schedule::legality::reduction::Roles;
use crate::schedule::name;
use crate::schedule::table::{BLOCK, Parameter, ParameterKind, Primitive};

pub const PRIMITIVE: Primitive = Primitive {
    name: "decompose_reduction",
    pass: "sched-decompose-reduction",
    summary: "Write the start values of a reduction in a schedule block of their own",
    parameters: &[
        BLOCK,
        Parameter {
            name: "loop",
            kind: ParameterKind::Loop,
            summary: "The loop that it comes to stand before, as block:loop",
        },
        PROOF,
    ],
    apply: |state, arguments| {
        let mut proofs = Proofs::of(state, &arguments[2]);
        decompose_reduction(state, arguments[0].text(), arguments[1].text(), &mut proofs)
    },
};

/// What the check has found.
pub struct Plan {
    block: NodeId,
    /// The loop before which the start comes to stand.
    place: NodeId,
    /// The loops that are copied, outermost first.
    copied: Vec<NodeId>,
    /// Of the new blocks, and what each starts.
    starts: Vec<(String, BufferId)>,
    predicate: Vec<Constraint>,
}

/// Takes the start of block `target` before loop `before`; gives the names of the new blocks, one a value. On
/// an error the IR is unchanged.
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
        return Err(Reason::NoInit(target.to_owned()).at(block, 2));
    }
    if !summary.ancestors(block).any(|node| node == place) {
        let (block_name, name) = (target.to_owned(), roles.loop_name(place));
        return Err(Reason::NotAround { block: block_name, name }.at(place, 3));
    }
    let path = reduction::path(summary, place, block);
    if let Some((other, what)) = reduction::between(summary, &path) {
        let (block_name, name) = (target.to_owned(), roles.loop_name(place));
        let reason = Reason::StandsBetween { block: block_name, name, what };
        return Err(reason.at(block, 3).note(other, "it is here"));
    }
    let reduces = |node: &NodeId| roles.reduces(roles.variable(*node));
    if let Some(outer) = summary.loops_around(place).find(reduces) {
        let reason = Reason::ReducesOutside {
            block: target.to_owned(),
            name: roles.loop_name(place),
            outer: roles.loop_name(outer),
        };
        return Err(reason.at(place, 4).note(outer, "the outer loop is here"));
    }
    check_outer_iters(&roles)?;
    roles.check_no_threads(&path, 5)?;
    roles.check_not_owned(&path, 5)?;
    // Where there are no points, the loop that says so may be one that the binding, as simplified, does not mention.
    let is_empty = |(iter, bound): (&Iter, &Expr)| {
        let mut sizes = iter.domain.iter().filter_map(Expr::constant);
        iter.role == IterRole::Spatial && bound.constant().is_some() && sizes.any(|size| size <= 0)
    };
    if roles.block.iters.iter().zip(&roles.block.binding).any(is_empty) {
        return Err(Reason::StartUnknown(target.to_owned()).at(block, 6));
    }
    let predicate = roles.start_conditions(6)?;
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
    roles.require_told(proofs, &path, 7)?;
    check_others(&roles, place, proofs)?;
    let mut starts: Vec<(String, BufferId)> = vec![];
    for store in roles.block.stores().filter(|store| store.in_init) {
        if !starts.iter().any(|(_, buffer)| *buffer == store.buffer) {
            let is_taken = |name: &str| {
                summary.blocks().any(|(_, block)| block.name == name)
                    || starts.iter().any(|(other, _)| other == name)
            };
            let name = name::fresh(&format!("{target}__reduce_init"), &is_taken);
            starts.push((name, store.buffer));
        }
    }
    Ok(Plan { block, place, copied, starts, predicate })
}

/// Of (C4) what concerns the iters of schedule blocks around.
fn check_outer_iters(roles: &Roles) -> Result<(), ScheduleError> {
    let summary = roles.summary;
    for outer in summary.ancestors(roles.id) {
        let Some(around) = summary.as_block(outer) else { continue };
        if let Some(iter) = around.iters.iter().find(|iter| roles.reduces(iter.variable)) {
            let (block, outer_block) = (roles.block.name.clone(), around.name.clone());
            let reason =
                Reason::ReducesAround { block, iter: iter.name.clone(), outer: outer_block };
            return Err(reason.at(roles.id, 4).note(outer, "the outer schedule block is here"));
        }
    }
    Ok(())
}

/// Of (C6) what concerns loops that are bound to both reduce and spatial iters: the copy starts a point at
/// all of its iterations.
fn check_mixed(roles: &Roles, copied: &[NodeId]) -> Result<(), ScheduleError> {
    let Some(mixed) = copied.iter().find(|node| roles.reduces(roles.variable(**node))) else {
        return Ok(());
    };
    let variable = roles.variable(*mixed);
    let is_conditional = roles.block.predicate.iter().any(|c| mentions(c.expr(), variable));
    match is_conditional || !roles.never_empty() {
        true => {
            let (block, name) = (roles.block.name.clone(), roles.loop_name(*mixed));
            Err(Reason::MixedLoop { block, name }.at(*mixed, 6))
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
    // The updates must not change what later starts read.
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

    let mut nest = Nest::before(state, place);
    for node in &plan.copied {
        let this = summary.as_loop(*node).expect("a loop");
        // A loop that reduces, too, or that no iter is bound to, starts a point more than once.
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

/// The start of one value, which is in `buffer`.
fn fill<'c>(op: Op<'c>, old: &ScheduleBlock<'c>, init: Op<'c>, buffer: Value<'c>) {
    fill_all(op, old, init);
    let of_another = |op: &Op<'c>| op.is("memref.store") && op.operands()[1] != buffer;
    walk(op).into_iter().filter(of_another).for_each(Op::erase);
}

/// Puts all start values of a reduction into a block with its spatial iters that does nothing yet.
pub fn fill_all<'c>(op: Op<'c>, old: &ScheduleBlock<'c>, init: Op<'c>) {
    let start = ScheduleBlock::of(op).expect("just made");
    let builder = Builder::before(start.body.end(), op.location());
    let mut mapping: Vec<(Value, Value)> = vec![];
    for iter in &old.iters {
        let new = start.iters.iter().find(|new| new.name == iter.name);
        // The start runs where all reduce iters are 0.
        mapping.push((iter.variable, new.map_or_else(|| builder.index(0), |new| new.variable)));
    }
    copy_start(old, init, builder, &mut mapping);
}

/// Copies the constants before a `loop.init`, and what is in it.
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

/// Puts the `loop.init` of a reduction in a new block of the same points. It runs where all reduce iters are 0.
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
