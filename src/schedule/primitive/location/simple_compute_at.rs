//! `simple_compute_at`: move a block into a loop of another nest with the same loops.
//!
//! ```text
//! loop.for %i in 32 { loop.for %j in 32 { loop.block "C" .. = (%i, %j) { C[vi, vj] = A[vj, vi] * 2 } } }
//! loop.for %i in 32 { loop.for %j in 32 { loop.block "B" .. = (%i, %j) { B[vi, vj] = A[vi, vj] + 1 } } }
//!   ->  simple_compute_at "B" loop "C:j"
//! loop.for %i in 32 {
//!   loop.for %j in 32 {
//!     loop.block "B" .. = (%i, %j) { B[vi, vj] = A[vi, vj] + 1 }
//!     loop.block "C" .. = (%i, %j) { C[vi, vj] = A[vj, vi] * 2 }
//!   }
//! }
//! ```
//! The outermost loops of the block are matched one to one with the loops of the other nest, down to the given loop,
//! and disappear. Loops of the block that are nested in them are moved with the block. The two blocks need not be
//! producer and consumer. The block is placed at the first position in the loop for which dependences are proved to be
//! preserved.
//!
//! Requires
//! - (C1) the arguments are a schedule block and a loop
//! - (C2) the same schedule block encloses both, or none does; the loop and the block are not in different branches of
//!   one `loop.if`; the loop does not already enclose the block
//! - (C3) let n be the number of loops from the innermost op that encloses both places down to the given loop. There is
//!   no branch among them, and directly inside that op at least n nested loops enclose the block. The moved statement
//!   contains no other schedule block
//! - (C4) the extent of each of these loops is proved equal to that of its counterpart
//! - (C5) the loops around the block are serial or unrolled, or of the kind of their counterpart
//! - (C6) there is a position in the loop at which instances that access the same element keep their order, also if
//!   iterations are concurrent. There is no call between the nests, and no barrier in either nest. The lanes of
//!   vectorized loops can still run as one vector: see (C8) of `vectorize`
//! - (C7) the block accesses the same instances of buffers as before; if this block and another block of the new nest
//!   access the same buffer, and one of them writes it, the same loops over threads enclose both. If this block reads
//!   elements that the other block writes, no loop over threads encloses them
//!
//! Nested loops whose names are taken get a name that includes the name of the block. Handles to removed loops become
//! handles to their counterparts.

use crate::dialect::loop_enums::LoopKind;
use crate::dialect::loop_op::For;
use crate::ir::affine::Expr;
use crate::ir::{Attribute, Op, walk};
use crate::nest::derived_name;
use crate::nest::edit;
use crate::nest::edit::BoundExpr;

use crate::nest::state::State;
use crate::nest::summary::{Block, Body, NodeId, NodeKind, Summary, VariableId};
use crate::schedule::error::{LocationReason, Reason, ScheduleError};
use crate::schedule::legality::proof::Proofs;
use crate::schedule::legality::{compute_location, exact, lanes};
use crate::schedule::name;
use crate::schedule::primitive::declaration::primitive;
use crate::schedule::verdict::Verdict;
use std::collections::BTreeSet;

primitive! {
    "Move a schedule block into a loop nest of the same shape"
    simple_compute_at(block: Block, r#loop: Loop; proof) -> ();
    |state| simple_compute_at(state, block, r#loop, proof)
}

/// The result of the check.
pub struct Plan {
    /// The block, or the outermost of the loops that move along.
    root: NodeId,
    target: NodeId,
    /// The position among the children of the target.
    position: usize,
    /// The loops that the block leaves, outermost first, with their counterparts.
    pairs: Vec<(NodeId, NodeId)>,
    /// The loops that move along and get new names.
    names: Vec<(NodeId, String)>,
}

/// Moves schedule block `target` into loop `under`. On an error the IR is unchanged.
pub fn simple_compute_at(
    state: &mut State,
    target: &str,
    under: &str,
    proofs: &mut Proofs,
) -> Result<(), ScheduleError> {
    let plan = check(state.summary(), target, under, proofs)?;
    rewrite(state, &plan);
    Ok(())
}

pub fn check(
    summary: &Summary,
    target: &str,
    under: &str,
    proofs: &mut Proofs,
) -> Result<Plan, ScheduleError> {
    let node = name::block(summary, target)?;
    let at = name::loop_of(summary, under)?;
    compute_location::check_scope(summary, node, at, 2)?;
    let both = summary.lca(node, at);
    let mut plan = check_shape(summary, node, at, both)?;
    for (own, other) in &plan.pairs {
        check_pair(summary, &plan.pairs, *own, *other)?;
    }
    check_between(summary, node, at, both, proofs)?;
    let block = summary.as_block(node).expect("a block");
    let places = summary.nodes[at].children.len();
    let at_place = |position| {
        let after = plan.after(summary, position);
        let verdict = exact::check_order(summary, &after, &[&block.name]);
        (position, after, verdict)
    };
    // The textual order, if no position is proved.
    let natural = if node < at { 0 } else { places };
    let is_proved = |(_, _, verdict): &(usize, Summary, Verdict)| *verdict == Verdict::Proved;
    let proved = (0..=places).map(at_place).find(is_proved);
    let (position, after, verdict) = proved.unwrap_or_else(|| at_place(natural));
    proofs.require(&verdict, || {
        let (block, name) = (block.name.clone(), summary.name(at));
        LocationReason::NoPlaceInOrder { block, name }.at(node, 6).note(at, "the loop is here")
    })?;
    plan.position = position;
    compute_location::check_inits(&after, node, 6)?;
    let (moved, _) = after.blocks().find(|(_, b)| b.name == block.name).expect("it is there");
    lanes::check_around_in_after(&after, moved, node, 6)?;
    check_buffers(summary, &after, node, block, proofs)?;
    Ok(plan)
}

/// (C3)
fn check_shape(
    summary: &Summary,
    node: NodeId,
    at: NodeId,
    both: NodeId,
) -> Result<Plan, ScheduleError> {
    let down = |node: NodeId| -> Vec<NodeId> {
        let mut path: Vec<NodeId> = summary.ancestors(node).take_while(|n| *n != both).collect();
        path.reverse();
        path
    };
    let (own, mut others) = (down(node), down(at));
    others.push(at);
    let is_loop = |n: &NodeId| summary.as_loop(*n).is_some();
    let wanted = others.len();
    let found = own.iter().take_while(|n| is_loop(n)).count();
    if let Some(branch) = others.iter().find(|n| !is_loop(n)) {
        let (block, name) = (summary.name(node), summary.name(at));
        return Err(LocationReason::BranchBetween { block, name }
            .at(node, 3)
            .note(*branch, "it is here"));
    }
    if found < wanted {
        let reason = LocationReason::FewLoopsAround { block: summary.name(node), found, wanted };
        return Err(reason.at(node, 3).note(at, "the loop is here"));
    }
    let root = own.get(wanted).copied().unwrap_or(node);
    if let Some(other) = summary
        .blocks_under(root)
        .into_iter()
        .find(|other| *other != node && !summary.ancestors(*other).any(|n| n == node))
    {
        let (block, other_name) = (summary.name(node), summary.name(other));
        let reason = LocationReason::ComesAlong { block, other: other_name };
        return Err(reason.at(node, 3).note(other, "the other one is here"));
    }
    let pairs = own.into_iter().zip(others).collect();
    let mut plan = Plan { root, target: at, position: 0, pairs, names: vec![] };
    plan.name_loops(summary, node);
    Ok(plan)
}

/// (C4), (C5)
fn check_pair(
    summary: &Summary,
    pairs: &[(NodeId, NodeId)],
    own: NodeId,
    other: NodeId,
) -> Result<(), ScheduleError> {
    let this = |n: NodeId| summary.as_loop(n).expect("a loop");
    let (mine, theirs) = (this(own), this(other));
    let counterpart = counterparts(summary, pairs);
    let set = |extent: &[Expr]| {
        let dim = |dim| counterpart(VariableId::of_dim(dim));
        let replaced = |e: &Expr| summary.simplified(&e.substitute(&dim, &Expr::Symbol));
        extent.iter().map(replaced).collect::<BTreeSet<_>>()
    };
    let constant = mine.constant_extent().is_some();
    let same = match constant {
        true => mine.constant_extent() == theirs.constant_extent(),
        false => set(&mine.extent) == set(&theirs.extent),
    };
    if !same {
        let (first, second) = (summary.name(own), summary.name(other));
        return Err(LocationReason::OtherExtent { first, second }
            .at(own, 4)
            .note(other, "the other loop is here"));
    }
    let is_plain = matches!(mine.kind, LoopKind::Serial | LoopKind::Unroll);
    if !is_plain && (mine.kind, mine.thread) != (theirs.kind, theirs.thread) {
        let (name, kind) = (mine.name.clone(), mine.kind);
        return Err(Reason::NotSerial { name, kind }
            .at(own, 5)
            .note(other, "the other loop is here"));
    }
    Ok(())
}

/// Maps the variables of the loops that are left to those of their counterparts.
fn counterparts<'a>(
    summary: &'a Summary,
    pairs: &'a [(NodeId, NodeId)],
) -> impl Fn(VariableId) -> Expr + 'a {
    let variable = |n: NodeId| summary.as_loop(n).expect("a loop").variable;
    move |v| {
        let pair = pairs.iter().find(|(own, _)| variable(*own) == v);
        Expr::Dim(pair.map_or(v.index(), |(_, other)| variable(*other).index()))
    }
}

/// Part of (C6): no call and no barrier
fn check_between(
    summary: &Summary,
    node: NodeId,
    at: NodeId,
    both: NodeId,
    proofs: &mut Proofs,
) -> Result<(), ScheduleError> {
    let mut ends = [summary.child_towards(both, node), summary.child_towards(both, at)];
    ends.sort_unstable();
    let inside = summary.nodes[both].children.iter().filter(|n| (ends[0]..=ends[1]).contains(n));
    for other in inside.flat_map(|child| summary.under(*child)) {
        let is_end = ends.iter().any(|end| summary.under(*end).contains(&other));
        let what = match &summary.nodes[other].kind {
            NodeKind::Effects(name) => format!("'{name}'"),
            NodeKind::Block(block) if matches!(block.body, Body::Leaf { calls: true, .. }) => {
                format!("the call in schedule block \"{}\"", block.name)
            }
            NodeKind::Sync if is_end => "'loop.sync'".to_owned(),
            _ => continue,
        };
        let reason = LocationReason::Passes { block: summary.name(node), what };
        let verdict = Verdict::Unknown("it is not known what it orders".into());
        proofs.require(&verdict, || reason.at(node, 6).note(other, "it is here"))?;
    }
    Ok(())
}

/// (C7)
fn check_buffers(
    summary: &Summary,
    after: &Summary,
    node: NodeId,
    block: &Block,
    proofs: &mut Proofs,
) -> Result<(), ScheduleError> {
    let buffers: Vec<_> = block.accesses().iter().map(|access| access.buffer).collect();
    compute_location::check_instances_of_buffers(summary, after, (node, &buffers), 7, proofs)?;
    compute_location::check_threads(after, (&block.name, node), &[], 7, proofs)
}

impl Plan {
    fn name_loops(&mut self, summary: &Summary, node: NodeId) {
        let around: Vec<NodeId> =
            std::iter::once(self.target).chain(summary.loops_around(self.target)).collect();
        let name = |n: NodeId| summary.as_loop(n).map(|this| this.name.clone());
        let mut taken: Vec<String> = around.into_iter().filter_map(name).collect();
        let along: Vec<NodeId> = summary
            .ancestors(node)
            .take_while(|n| *n != self.pairs.last().expect("a loop").0)
            .collect();
        for id in along.into_iter().rev() {
            let Some(wanted) = name(id) else { continue };
            let free = derived_name::fresh(&wanted, &|name| taken.iter().any(|t| t == name));
            if free != wanted {
                self.names.push((id, free.clone()));
            }
            taken.push(free);
        }
    }

    /// The summary after the step. Loops that the block leaves empty are kept.
    fn after(&self, summary: &Summary, position: usize) -> Summary {
        let mut after = summary.clone();
        let counterpart = counterparts(summary, &self.pairs);
        for id in summary.under(self.root) {
            after.substitute(id, &counterpart);
        }
        for (id, name) in &self.names {
            if let NodeKind::Loop(this) = &mut after.nodes[*id].kind {
                this.name.clone_from(name);
            }
        }
        let old = summary.nodes[self.root].parent.expect("it stands in a loop");
        after.nodes[old].children.retain(|child| *child != self.root);
        after.nodes[self.target].children.insert(position, self.root);
        after.nodes[self.root].parent = Some(self.target);
        after.in_text_order()
    }
}

fn rewrite(state: &mut State, plan: &Plan) {
    let root = state.op(plan.root);
    let loop_of = |node: NodeId| For::of(state.op(node)).expect("the node is a loop");
    let old = root.parent().expect("it stands in a loop");
    let target = loop_of(plan.target);
    let children = &state.summary().nodes[plan.target].children;
    let next = children.get(plan.position).map(|node| state.op(*node));
    let next = next.or_else(|| target.body.terminator()).expect("a body ends in a yield");
    root.detach();
    target.body.insert_before(next, root);
    for (own, other) in &plan.pairs {
        let by = BoundExpr {
            expr: Expr::Dim(0),
            variables: vec![loop_of(*other).variable()],
            sizes: vec![],
        };
        edit::replace_variable_in(root, loop_of(*own).variable(), &by);
    }
    for (node, name) in &plan.names {
        let op = state.op(*node);
        op.set_attribute("name", Attribute::string(op.context(), name));
    }
    let pairs: Vec<(Op, Op)> =
        plan.pairs.iter().map(|(own, other)| (state.op(*own), state.op(*other))).collect();
    for (own, other) in pairs {
        let is_empty =
            !walk(own).iter().skip(1).any(|op| !op.is(For::NAME) && !op.is("loop.yield"));
        if is_empty {
            state.rewriter.replaced(own, other);
        }
    }
    edit::erase_emptied(old, state.rewriter.as_mut());
    edit::widen_regions(root);
}
