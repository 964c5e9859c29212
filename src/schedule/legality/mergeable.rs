//! Loop fusion legality: whether two consecutive loop nests may be fused.
//!
//! ```text
//! for i in 32 { for j in 64 { A[i, j] = .. } }          for i in 32 { for j in 64 {
//! for i in 32 { for j in 64 { B[i, j] = A[i, j] } }  ->   A[i, j] = ..  B[i, j] = A[i, j]
//!                                                       } }
//! ```
//! Their outermost loops may be fused, to a given depth, if
//! - the second nest is the next sibling of the first,
//! - loop by loop, extents and kinds are equal, and each inner loop is the only child of the outer one,
//! - for conflicting accesses, no iteration of the second nest precedes that of the first; if iterations
//!   run concurrently, both must be in the same one,
//! - no buffer of which each iteration owns an instance is used by both, and neither contains a barrier.

use crate::dialect::loop_enums::Scope;
use crate::ir::affine::Expr;
use crate::nest::facts::scope;
use crate::nest::render;
use crate::nest::summary::VariableId;
use crate::nest::summary::{BufferId, NodeId, NodeKind, Summary};
use crate::schedule::legality::exact;
use crate::schedule::verdict::{Verdict, Witness};
use std::collections::BTreeSet;
use std::fmt;

/// The result of a fusion test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fusable {
    /// The nests may be fused.
    Proved,
    /// The loops do not match; the text says why.
    Mismatch(String),
    /// Two instances would change their order.
    Refuted(Box<Witness>),
    /// The test could not be decided; the text says why.
    Unknown(String),
}

impl fmt::Display for Fusable {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Fusable::Proved => f.write_str("proved"),
            Fusable::Mismatch(why) => f.write_str(why),
            Fusable::Refuted(witness) => write!(f, "refuted: {witness}"),
            Fusable::Unknown(why) => write!(f, "unknown: {why}"),
        }
    }
}

/// Tests whether the `depth` outer loops of two nests may be fused; a depth of 0 counts as 1.
pub fn are_fusable(summary: &Summary, first: NodeId, second: NodeId, depth: usize) -> Fusable {
    let levels = match levels(summary, first, second, depth.max(1)) {
        Ok(levels) => levels,
        Err(why) => return Fusable::Mismatch(why),
    };
    let loops: Vec<NodeId> = levels.iter().map(|(node, _)| *node).collect();
    if let Some(why) = obstacle(summary, (first, second), &loops) {
        return Fusable::Unknown(why);
    }
    match exact::check_fused(summary, &levels) {
        Verdict::Proved => Fusable::Proved,
        Verdict::Refuted(witness) => Fusable::Refuted(witness),
        Verdict::Unknown(why) => Fusable::Unknown(why),
    }
}

/// What prevents a proof of the order, if `loops` of the first nest become the fused loops.
pub fn obstacle(
    summary: &Summary,
    (first, second): (NodeId, NodeId),
    loops: &[NodeId],
) -> Option<String> {
    let under = [first, second].map(|node| summary.under(node));
    let is_barrier = |node: &NodeId| matches!(summary.nodes[*node].kind, NodeKind::Sync);
    if under.iter().flatten().any(is_barrier) {
        return Some("they contain a barrier".into());
    }
    let buffer = private(summary, (&under[0], &under[1]), loops)?;
    Some(format!("each iteration has its own \"{}\"", summary.buffers[buffer].name))
}

/// The `depth` pairs of loops to fuse, outermost first; or why they do not match.
pub fn levels(
    summary: &Summary,
    first: NodeId,
    second: NodeId,
    depth: usize,
) -> Result<Vec<(NodeId, NodeId)>, String> {
    let parent = summary.nodes[first].parent;
    let siblings = parent.map(|parent| &summary.nodes[parent].children[..]).unwrap_or_default();
    let is_otherwise = |node: NodeId| summary.otherwise.contains(&node);
    if !siblings.windows(2).any(|pair| pair == [first, second])
        || is_otherwise(first) != is_otherwise(second)
    {
        return Err("they are not consecutive".into());
    }
    let mut levels = vec![(first, second)];
    loop {
        let (a, b) = levels[levels.len() - 1];
        check_alike(summary, &levels, a, b)?;
        if levels.len() == depth {
            return Ok(levels);
        }
        match (&summary.nodes[a].children[..], &summary.nodes[b].children[..]) {
            ([a], [b]) => levels.push((*a, *b)),
            _ => {
                return Err(format!("at depth {}, there is more than one statement", levels.len()));
            }
        }
    }
}

/// Checks that two loops have the same kind and extent.
fn check_alike(
    summary: &Summary,
    levels: &[(NodeId, NodeId)],
    a: NodeId,
    b: NodeId,
) -> Result<(), String> {
    let (Some(x), Some(y)) = (summary.as_loop(a), summary.as_loop(b)) else {
        let other = if summary.as_loop(a).is_some() { b } else { a };
        return Err(format!("\"{}\" is not a loop", summary.name(other)));
    };
    if (x.kind, x.thread) != (y.kind, y.thread) {
        return Err(format!("loop \"{}\" is {}, \"{}\" is {}", x.name, x.kind, y.name, y.kind));
    }
    // Over the variables of the first nest.
    let renamed = |variable: usize| {
        let of = |node: NodeId| summary.as_loop(node).map(|this| this.variable);
        let same =
            levels.iter().find(|(_, second)| of(*second) == Some(VariableId::of_dim(variable)));
        same.and_then(|(first, _)| of(*first)).unwrap_or(VariableId::of_dim(variable)).expr()
    };
    let extent = |exprs: &[Expr]| -> BTreeSet<String> {
        let exprs = exprs.iter().map(|e| e.substitute(&renamed, &Expr::Symbol).simplified());
        exprs.map(|e| format!("{e:?}")).collect()
    };
    match extent(&x.extent) == extent(&y.extent) {
        true => Ok(()),
        false => {
            let shown = |extents: &[Expr]| -> String {
                let all: Vec<_> = extents.iter().map(|e| render::expr(summary, e)).collect();
                if let [one] = &all[..] { one.clone() } else { format!("min({})", all.join(", ")) }
            };
            Err(format!(
                "loops \"{}\" and \"{}\" have the extents {} and {}",
                x.name,
                y.name,
                shown(&x.extent),
                shown(&y.extent)
            ))
        }
    }
}

/// A buffer that the blocks of both groups use and of which each iteration of one of `loops` owns an
/// instance.
pub fn private(
    summary: &Summary,
    (first, second): (&[NodeId], &[NodeId]),
    loops: &[NodeId],
) -> Option<BufferId> {
    let used = |nodes: &[NodeId]| -> BTreeSet<BufferId> {
        let blocks = nodes.iter().filter_map(|n| summary.as_block(*n));
        blocks.flat_map(|block| block.accesses()).map(|access| access.buffer).collect()
    };
    let owns = |scope: Scope| {
        let mut loops = loops.iter().filter_map(|node| summary.as_loop(*node));
        loops.any(|this| scope::is_owner(scope, this))
    };
    let both = used(first).intersection(&used(second)).copied().collect::<Vec<_>>();
    both.into_iter().find(|buffer| summary.buffers[*buffer].scope.is_some_and(owns))
}
