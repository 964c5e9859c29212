//! `transform_block_layout`: transform the iters of a schedule block, and its loops, by an index map.
//!
//! ```text
//! loop.for %i in 30 { loop.for %j in 64 {
//!   loop.block "B" [%v: spatial 30, %w: spatial 64] = (%i, %j) { .. A[%v, %w] .. } } }
//!   ->  transform_block_layout "B" index_map "(i, j) -> (i * 8 + j floordiv 8, j mod 8)"
//! loop.for %ax0 in 240 { loop.for %ax1 in 8 {
//!   loop.block "B" [%v0: spatial 240, %v1: spatial 8] = (%ax0, %ax1) { .. A[%v0 floordiv 8, (%v0 mod 8) * 8 + %v1] .. } } }
//! ```
//! The map is over the iters; names in brackets are their domains: `(i, j)[n, m] -> (i * m + j)` fuses two iters for
//! any sizes. Its results are the new iters and loops, from the outermost inwards. The step fuses, splits and reorders
//! iters and loops together, while `fuse`, `split` and `reorder` change loops only. So a block gets the form that
//! `tensorize` or a default schedule requires. The map must be a bijection from the values of the iters to a box, that
//! is to all index tuples from 0 up to a size in each dimension. Each iter is divided into digits by quotients and
//! remainders by constants, and each result is a mixed-radix number of such digits. So the inverse can be computed.
//!
//! Requires
//! - (C1) the target is a leaf
//! - (C2) each iter is bound to one loop of its own, from 0 to its domain. These loops are the innermost ones around
//!   the block, are serial, have no annotations, and contain nothing else. The block has no predicate
//! - (C3) the index map is as `transform_layout` requires, over the iters
//! - (C4) it is proved by mixed-radix digits that the map is injective and onto a box
//! - (C5) each domain is proved to be 0 or more, except for iters that the map does not change
//! - (C6) each result is made of spatial iters only or of reduce iters only, and never of an opaque iter together with
//!   others
//! - (C7) it is legal to run the instances in the order of the new loops
//!
//! An iter that the map does not change keeps its name, and so does its loop. Other iters are named `v0`, `v1`, .. and
//! other loops `ax0`, `ax1`, .. by position, with a number if that name is taken. Handles to a loop become handles to
//! the first loop made of it.

use crate::dialect::annotation;
use crate::dialect::loop_enums::{IterRole, LoopKind};
use crate::dialect::loop_op::{For, ForSpec, ScheduleBlock};
use crate::ir::affine::{Expr, Map};
use crate::ir::{Builder, Op};
use crate::nest::derived_name;
use crate::nest::edit;
use crate::nest::edit::{NewBlock, NewIter};
use crate::nest::facts::bijection;
use crate::nest::facts::bijection::Bijection;
use crate::nest::index_form;
use crate::nest::state::State;
use crate::nest::summary::VariableId;
use crate::nest::summary::{Body, Loop, Node, NodeId, NodeKind, Summary, Variable};
use crate::schedule::error::loops::LoopsReason;
use crate::schedule::error::{LayoutReason, Reason, ScheduleError};
use crate::schedule::legality::form::never_negative;
use crate::schedule::legality::proof::Proofs;
use crate::schedule::legality::{exact, fp, quick};
use crate::schedule::name;
use crate::schedule::primitive::declaration::primitive;
use crate::schedule::rewrite::layout;
use crate::schedule::rewrite::layout::MappedElements;

primitive! {
    "Replace the iters and loops of a schedule block by an invertible index map"
    /// Returns the names of the new loops.
    transform_block_layout(
        block: Block,
        index_map: Word = "The new iters: \"(i, j)[n, m] -> (i * m + j)\", over the iters and their domains";
        proof
    ) -> Vec<String>;
    |state| transform_block_layout(state, block, index_map, proof)
}

/// The result of the check.
pub struct Plan {
    block: NodeId,
    /// The loops, outermost first, and the loop that each iter is bound to.
    chain: Vec<NodeId>,
    loops: Vec<NodeId>,
    map: Bijection,
    /// The role of each new iter, its name, and the name of its loop.
    iters: Vec<(IterRole, String, String)>,
}

/// Transforms the iters of `target` by a map; returns the names of the new loops. On an error the IR is unchanged.
pub fn transform_block_layout(
    state: &mut State,
    target: &str,
    map: &str,
    proofs: &mut Proofs,
) -> Result<Vec<String>, ScheduleError> {
    let plan = check(state.summary(), target, map, proofs)?;
    rewrite(state, &plan);
    Ok(plan.iters.into_iter().map(|(_, _, name)| name).collect())
}

pub fn check(
    summary: &Summary,
    target: &str,
    text: &str,
    proofs: &mut Proofs,
) -> Result<Plan, ScheduleError> {
    let id = name::block(summary, target)?;
    let block = summary.as_block(id).expect("a block");
    if matches!(block.body, Body::Nest) {
        return Err(Reason::NestBody(block.name.clone()).at(id, 1));
    }
    let (chain, loops) = chain(summary, id)?;
    let domains: Vec<Expr> = block.iters.iter().map(|iter| iter.domain[0].simplified()).collect();
    let cells = MappedElements { name: &block.name, shape: &domains, at: id };
    let map = layout::read(cells, text).map_err(|reason| reason.at(id, 3))?;
    let order: Vec<usize> =
        chain.iter().filter_map(|node| loops.iter().position(|it| it == node)).collect();
    let is_in_order = keeps_order(&map, &domains, &order);
    let map = bijection::of(&map, &domains)
        .map_err(|obstacle| Reason::from(LoopsReason::from(obstacle)).at(id, 4))?;
    if !layout::fits(&map.shape) {
        return Err(LayoutReason::TooFar.at(id, 4));
    }
    for (place, from) in map.from.iter().enumerate() {
        let may_be_negative = |iter: &&usize| !never_negative(&domains[**iter]);
        if let Some(iter) = from.iter().find(may_be_negative).filter(|_| map.same[place].is_none())
        {
            let iter = block.iters[*iter].name.clone();
            return Err(Reason::from(LoopsReason::MaybeNegative { iter }).at(id, 5));
        }
    }
    let iters = new_iters(summary, (id, chain[0]), &loops, &map)?;
    let plan = Plan { block: id, chain, loops, map, iters };
    if is_in_order {
        return Ok(plan);
    }
    let by_roles = by_roles(summary, &plan);
    let after = plan.after(summary);
    proofs.settle(by_roles, || exact::check_order(summary, &after, &[&block.name]))?;
    Ok(plan)
}

/// (C2); returns the loops, outermost first, and the loop of each iter.
fn chain(summary: &Summary, id: NodeId) -> Result<(Vec<NodeId>, Vec<NodeId>), ScheduleError> {
    let block = summary.as_block(id).expect("a block");
    let refuse = |why: &str| {
        let reason = LoopsReason::NotPlain { block: block.name.clone(), why: why.to_owned() };
        Err(Reason::from(reason).at(id, 2))
    };
    if block.iters.is_empty() {
        return refuse("it has no iters");
    }
    if !block.predicate.is_empty() {
        return refuse("it has a predicate");
    }
    let mut loops = vec![];
    for (iter, bound) in block.iters.iter().zip(&block.binding) {
        let node = match bound {
            Expr::Dim(variable) => match summary.variables[VariableId::of_dim(*variable)] {
                Variable::Loop(node) if !loops.contains(&node) => Some(node),
                _ => None,
            },
            _ => None,
        };
        let Some(node) = node else {
            return refuse(&format!("iter \"{}\" is not bound to a loop of its own", iter.name));
        };
        let this = summary.as_loop(node).expect("a loop");
        let name = &this.name;
        let has_one = iter.domain.len() == 1 && this.extent.len() == 1;
        if !has_one || iter.domain[0].simplified() != this.extent[0].simplified() {
            let iter = &iter.name;
            return refuse(&format!("loop \"{name}\" has a different extent than iter \"{iter}\""));
        }
        if this.kind != LoopKind::Serial || !this.annotations.is_empty() {
            return refuse(&format!("loop \"{name}\" is not serial, or has annotations"));
        }
        loops.push(node);
    }
    let mut chain: Vec<NodeId> = summary.ancestors(id).take(loops.len()).collect();
    chain.reverse();
    if let Some(other) = loops.iter().find(|node| !chain.contains(node)) {
        let name = &summary.as_loop(*other).expect("a loop").name;
        return refuse(&format!("loop \"{name}\" is not one of the innermost loops around it"));
    }
    match chain.iter().find(|node| summary.nodes[**node].children.len() != 1) {
        Some(node) => {
            let name = &summary.as_loop(*node).expect("a loop").name;
            refuse(&format!("it is not the only statement in loop \"{name}\""))
        }
        None => Ok((chain, loops)),
    }
}

/// (C6): the roles and names of the new iters and loops.
fn new_iters(
    summary: &Summary,
    (id, outermost): (NodeId, NodeId),
    loops: &[NodeId],
    map: &Bijection,
) -> Result<Vec<(IterRole, String, String)>, ScheduleError> {
    let block = summary.as_block(id).expect("a block");
    let passed: Vec<usize> = map.same.iter().flatten().copied().collect();
    let loop_name = |iter: usize| &summary.as_loop(loops[iter]).expect("a loop").name;
    let mut known: Vec<(IterRole, String, String)> = vec![];
    for (place, from) in map.from.iter().enumerate() {
        let mut roles = from.iter().map(|iter| block.iters[*iter].role);
        let role = roles.next().unwrap_or(IterRole::Spatial);
        if roles.any(|other| other != role) || role == IterRole::Opaque && map.same[place].is_none()
        {
            let block = block.name.clone();
            return Err(Reason::from(LoopsReason::MixedRoles { block, place }).at(id, 6));
        }
        if let Some(iter) = map.same[place] {
            known.push((role, block.iters[iter].name.clone(), loop_name(iter).clone()));
            continue;
        }
        let iter = derived_name::fresh(&format!("v{place}"), &|name| {
            let mut kept = passed.iter().map(|iter| &block.iters[*iter].name);
            kept.any(|other| other == name) || known.iter().any(|(_, other, _)| other == name)
        });
        let this = derived_name::fresh(&format!("ax{place}"), &|name| {
            let mut kept = passed.iter().map(|iter| loop_name(*iter));
            let is_named = |n: NodeId| summary.as_loop(n).is_some_and(|outer| outer.name == name);
            kept.any(|other| other == name)
                || summary.loops_around(outermost).any(is_named)
                || known.iter().any(|(_, _, other)| other == name)
        });
        known.push((role, iter, this));
    }
    Ok(known)
}

/// (C7): True if each result of a map is the row-major number of consecutive iters, where `order` has the iters from the
/// outermost loop inwards. The instances then keep their order.
fn keeps_order(map: &[Expr], domains: &[Expr], order: &[usize]) -> bool {
    let mut rest = order.iter();
    let is_next = |result: &Expr| {
        let Some(first) = rest.next() else { return false };
        let (wanted, mut number) = (result.simplified(), Expr::Dim(*first));
        while number.simplified() != wanted {
            let Some(iter) = rest.next() else { return false };
            number = number * domains[*iter].clone() + Expr::Dim(*iter);
        }
        true
    };
    map.iter().all(is_next) && rest.next().is_none()
}

/// (C7), as far as iter roles decide it.
fn by_roles(summary: &Summary, plan: &Plan) -> Result<(), ScheduleError> {
    let (id, block) = (plan.block, summary.as_block(plan.block).expect("a block"));
    if plan.chain.iter().all(|node| quick::check_unordered(summary, *node, 7).is_ok()) {
        return Ok(());
    }
    if block.iters.iter().any(|iter| iter.role == IterRole::Reduce)
        && let Err(reason @ Reason::Strict { .. }) = fp::may_reorder_updates(summary, id)
    {
        return Err(reason.at(id, 7));
    }
    Err(Reason::from(LoopsReason::InstanceOrder(block.name.clone())).at(id, 7))
}

impl Plan {
    /// The summary after the step, except that the block keeps its iters, which identify its instances.
    fn after(&self, summary: &Summary) -> Summary {
        let mut after = summary.clone();
        let mut variables = vec![];
        let first = after.nodes.next_key();
        let parent = summary.nodes[self.chain[0]].parent.expect("a loop stands in something");
        let mut last = parent;
        for (place, (_, _, name)) in self.iters.iter().enumerate() {
            let (node, variable) = (after.nodes.next_key(), after.variables.next_key());
            let new = Loop {
                name: name.clone(),
                kind: LoopKind::Serial,
                thread: None,
                extent: vec![self.map.shape[place].clone()],
                variable,
                axis: None,
                annotations: vec![],
            };
            let kind = NodeKind::Loop(new.into());
            let outer = if place == 0 { parent } else { last };
            let is_last = place + 1 == self.iters.len();
            let children = vec![if is_last { self.block } else { NodeId::new(node.index() + 1) }];
            last = after.nodes.push(Node { parent: Some(outer), children, kind });
            after.variables.push(Variable::Loop(node));
            variables.push(variable.expr());
        }
        for child in &mut after.nodes[parent].children {
            if *child == self.chain[0] {
                *child = first;
            }
        }
        after.nodes[self.block].parent = Some(last);
        let NodeKind::Block(block) = &mut after.nodes[self.block].kind else {
            unreachable!("the node is a schedule block")
        };
        for (bound, expr) in block.binding.iter_mut().zip(&self.map.inverse) {
            *bound = expr.substitute(&|place| variables[place].clone(), &Expr::Symbol);
        }
        after.in_text_order()
    }
}

fn rewrite(state: &mut State, plan: &Plan) {
    let sizes = state.sizes().to_vec();
    let outermost = state.op(plan.chain[0]);
    let old = ScheduleBlock::of(state.op(plan.block)).expect("the node is a schedule block");
    let location = outermost.location();
    let mut builder = Builder::before(outermost, location);
    let (mut loops, mut variables) = (vec![], vec![]);
    for ((_, _, name), extent) in plan.iters.iter().zip(&plan.map.shape) {
        let extent = Map { dims: 0, symbols: sizes.len(), results: vec![extent.clone()] };
        let op = ForSpec { name, extent: &extent, dims: &[], sizes: &sizes, axis: None };
        let op = op.create(location);
        builder.place(op);
        let this = For::of(op).expect("just made");
        variables.push(this.variable());
        loops.push(op);
        builder = Builder::before(this.body.end(), location);
    }
    let iter = |(place, (role, name, _)): (usize, &(IterRole, String, String))| NewIter {
        name: name.clone(),
        role: *role,
        domain: vec![plan.map.shape[place].clone()],
        binding: Expr::Dim(place),
    };
    let iters: Vec<NewIter> = plan.iters.iter().enumerate().map(iter).collect();
    let new = NewBlock {
        name: old.name.to_owned(),
        iters,
        predicate: vec![],
        reducer: old.reducer.clone(),
    };
    let op = new.create(old.op.location(), (&variables, &sizes), &old.sizes);
    builder.place(op);
    for (key, value) in annotation::entries(old.op) {
        annotation::set(op, key, Some(value));
    }
    let view = ScheduleBlock::of(op).expect("just made");
    edit::move_ops(old.body, view.body);
    let values: Vec<_> = view.iters.iter().map(|iter| iter.variable).collect();
    for (iter, inverse) in old.iters.iter().zip(&plan.map.inverse) {
        let users: Vec<(Op, usize)> = iter.variable.uses();
        for (user, operand) in users {
            let at = Builder::before(user, user.location());
            user.set_operand(operand, at.apply(inverse, &values, &sizes));
        }
    }
    state.rewriter.replaced(old.op, op);
    for (iter, node) in plan.loops.iter().enumerate() {
        let made = plan.map.from.iter().position(|from| from.contains(&iter)).unwrap_or(0);
        state.rewriter.replaced(state.op(*node), loops[made]);
    }
    state.rewriter.erase(outermost);
    index_form::restore(op, state.rewriter.as_mut());
    edit::derive_regions(op);
    edit::widen_regions(op);
}
