//! `merge`: fuse adjacent loop nests into one nest (loop fusion of siblings).
//!
//! ```text
//! loop.for %i in 32 { loop.for %j in 64 { loop.block "P" .. = (%i, %j) { T[vi, vj] = A[vi, vj] + 1 } } }
//! loop.for %i in 32 { loop.for %j in 64 { loop.block "C" .. = (%i, %j) { C[vi, vj] = T[vi, vj] * 2 } } }
//!   ->  merge ["P:j", "C:j"]
//! loop.for %i in 32 { loop.for %j in 64 {
//!   loop.block "P" .. = (%i, %j) { T[vi, vj] = A[vi, vj] + 1 }
//!   loop.block "C" .. = (%i, %j) { C[vi, vj] = T[vi, vj] * 2 }
//! } }
//! ```
//! The given loops are the innermost loops to merge, one of each nest, in the order of the program text. The loops that
//! enclose them, up to the common parent of all nests, are merged too. The merged nest has the loops of the first nest,
//! and contains the bodies in the given order.
//!
//! Requires
//! - (C1) two or more different loops
//! - (C2) the loops that are removed have no annotations
//! - (C3) the nests are adjacent and have the same number of loops; corresponding loops have the same extent and kind
//!   and are not vectorized; all but the innermost contain nothing else
//! - (C4) if two nests access one element, and one of the two accesses writes, the access of the earlier nest is still
//!   first: see [`src/schedule/legality/exact.rs`](crate::schedule::legality::exact). If two kernels become one, the
//!   accesses of different threads must not conflict, because no barrier is between the bodies
//! - (C5) the nests contain no barrier, and no two of them access a buffer of which each iteration of a merged loop has
//!   its own instance
//!
//! Nested loops whose names are taken get a name that includes the name of a schedule block in them. Handles to removed
//! loops become handles to their counterparts.

use crate::dialect::loop_op::For;
use crate::ir::Attribute;
use crate::ir::affine::Expr;
use crate::nest::derived_name;
use crate::nest::edit;
use crate::nest::edit::BoundExpr;
use crate::nest::state::State;
use crate::nest::summary::{NodeId, Summary};
use crate::schedule::error::{Reason, ScheduleError};
use crate::schedule::legality::form::{not_annotated, several};
use crate::schedule::legality::mergeable;
use crate::schedule::legality::proof::Proofs;

use crate::schedule::legality::{exact, lanes};
use crate::schedule::primitive::declaration::primitive;

primitive! {
    "Merge consecutive nests into one"
    merge(loops: Loops; proof) -> ();
    |state| merge(state, loops, proof)
}

/// The result of the check.
pub struct Plan {
    /// For each nest but the first: pairs of a loop of the first nest and its counterpart in this nest, outermost
    /// first.
    nests: Vec<Vec<(NodeId, NodeId)>>,
    /// Nested loops that get new names.
    names: Vec<(NodeId, String)>,
}

/// Merges the nests of `loops`, given in textual order. On an error the IR is unchanged.
pub fn merge(
    state: &mut State,
    loops: &[String],
    proofs: &mut Proofs,
) -> Result<(), ScheduleError> {
    let plan = check(state.summary(), loops, proofs)?;
    rewrite(state, &plan);
    Ok(())
}

pub fn check(
    summary: &Summary,
    loops: &[String],
    proofs: &mut Proofs,
) -> Result<Plan, ScheduleError> {
    let nodes = several(summary, loops)?;
    let nests = matched(summary, &nodes)?;
    for (_, own) in nests.iter().flatten() {
        not_annotated(summary.as_loop(*own).expect("a loop"), *own, 2)?;
    }
    let first: Vec<NodeId> = nests[0].iter().map(|(first, _)| *first).collect();
    let mut roots = vec![first[0]];
    for nest in &nests {
        let root = nest[0].1;
        for other in &roots {
            if let Some(why) = mergeable::obstacle(summary, (*other, root), &first) {
                return Err(not_mergeable(summary, (*other, root), why, 5));
            }
        }
        roots.push(root);
    }
    check_order(summary, &nests, proofs)?;
    Ok(Plan { names: names(summary, &nests), nests })
}

/// (C4)
fn check_order(
    summary: &Summary,
    nests: &[Vec<(NodeId, NodeId)>],
    proofs: &mut Proofs,
) -> Result<(), ScheduleError> {
    let mut all: Vec<Vec<NodeId>> = vec![nests[0].iter().map(|(first, _)| *first).collect()];
    all.extend(nests.iter().map(|nest| nest.iter().map(|(_, own)| *own).collect()));
    for (i, one) in all.iter().enumerate() {
        for other in &all[i + 1..] {
            let levels: Vec<(NodeId, NodeId)> =
                one.iter().copied().zip(other.iter().copied()).collect();
            proofs.require(&exact::check_fused(summary, &levels), || {
                let (first, second) = (summary.name(one[0]), summary.name(other[0]));
                let error = Reason::OrderOfNests { first, second }.at(other[0], 4);
                error.note(one[0], "the first one is here")
            })?;
        }
    }
    Ok(())
}

fn not_mergeable(
    summary: &Summary,
    (one, other): (NodeId, NodeId),
    why: String,
    condition: u8,
) -> ScheduleError {
    let (first, second) = (summary.name(one), summary.name(other));
    let error = Reason::NotMergeable { first, second, why }.at(other, condition);
    error.note(one, "the first one is here")
}

/// (C3): for each nest but the first, its loops paired with those of the first nest.
fn matched(
    summary: &Summary,
    nodes: &[NodeId],
) -> Result<Vec<Vec<(NodeId, NodeId)>>, ScheduleError> {
    let parent = summary.lca(nodes[0], nodes[1]);
    // The loops of a nest, outermost first.
    let path = |node: NodeId| -> Vec<NodeId> {
        let around = summary.ancestors(node).take_while(|outer| *outer != parent);
        let mut path: Vec<NodeId> = std::iter::once(node).chain(around).collect();
        path.reverse();
        path
    };
    let first = path(nodes[0]);
    let is_beside = |node: NodeId| {
        let root = path(node)[0];
        root != parent && summary.nodes[root].parent == Some(parent)
    };
    let mut nests = vec![];
    for pair in nodes.windows(2) {
        let refused = |why: String| not_mergeable(summary, (pair[0], pair[1]), why, 3);
        let (one, other) = (path(pair[0]), path(pair[1]));
        if one[0] == other[0] || !pair.iter().all(|node| is_beside(*node)) {
            let why = "one is nested in the other, or they are in different loops";
            return Err(refused(why.into()));
        }
        if other.len() != first.len() {
            return Err(refused(format!("found {} loops, expected {}", other.len(), first.len())));
        }
        mergeable::levels(summary, one[0], other[0], first.len()).map_err(refused)?;
        if let Some(lanes) = other.iter().find(|node| lanes::is_vectorized(summary, **node)) {
            return Err(refused(format!(
                "the lanes of \"{}\" would be merged",
                summary.name(*lanes)
            )));
        }
        nests.push(first.iter().copied().zip(other).collect());
    }
    Ok(nests)
}

/// New names for nested loops that have the name of a loop that will enclose them.
fn names(summary: &Summary, nests: &[Vec<(NodeId, NodeId)>]) -> Vec<(NodeId, String)> {
    let name = |node: NodeId| summary.as_loop(node).map(|this| this.name.as_str());
    let outer = nests[0].iter().map(|(first, _)| *first).chain(summary.loops_around(nests[0][0].0));
    let around: Vec<&str> = outer.filter_map(name).collect();
    let mut renamed = vec![];
    for nest in nests {
        let innermost = nest.last().expect("a nest has a loop").1;
        let inside = summary.under(innermost);
        for node in inside.iter().copied().filter(|node| *node != innermost) {
            let Some(wanted) = name(node).filter(|name| around.contains(name)) else { continue };
            let is_taken = |name: &str| {
                around.contains(&name)
                    || inside.iter().any(|n| summary.as_loop(*n).is_some_and(|l| l.name == name))
            };
            let new = derived_name::fresh(wanted, &is_taken);
            renamed.push((node, new));
        }
    }
    renamed
}

fn rewrite(state: &mut State, plan: &Plan) {
    let view = |node: NodeId| For::of(state.op(node)).expect("the node is a loop");
    for (node, name) in &plan.names {
        let op = state.op(*node);
        op.set_attribute("name", Attribute::string(op.context(), name));
    }
    let mut gone = vec![];
    for nest in &plan.nests {
        for (first, own) in nest {
            let variables = vec![view(*first).variable()];
            let by = BoundExpr { expr: Expr::Dim(0), variables, sizes: vec![] };
            edit::replace_variable(view(*own).variable(), &by);
            gone.push((view(*own).op, view(*first).op));
        }
        let (target, innermost) = *nest.last().expect("a nest has a loop");
        edit::move_ops(view(innermost).body, view(target).body);
    }
    for (own, first) in gone.into_iter().rev() {
        state.rewriter.replaced(own, first);
        state.rewriter.erase(own);
    }
    edit::widen_regions(state.op(plan.nests[0].last().expect("a nest has a loop").0));
}
