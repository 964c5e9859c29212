//! May two loop nests, one behind the other, become one?
//!
//! ```text
//! for i in 32 { for j in 64 { A[i, j] = .. } }          for i in 32 { for j in 64 {
//! for i in 32 { for j in 64 { B[i, j] = A[i, j] } }  ->   A[i, j] = ..  B[i, j] = A[i, j]
//!                                                       } }
//! ```
//! They may, so many loops deep, if
//! - the second one stands next to the first one, in the same place,
//! - loop by loop, extents and kinds are equal, and nothing else stands beside an inner one,
//! - no cell is touched by the second nest in an earlier iteration than by the first one, where one of them writes
//!   it; in iterations that run at once: in another one,
//! - no buffer that each iteration has of its own is used by both, and no barrier stands in them.

use super::proof::{Verdict, Witness};
use crate::dialect::loop_enums::Scope;
use crate::ir::affine::Expr;
use crate::nest::summary::{BufferId, NodeId, NodeKind, Summary};
use crate::schedule::legality::exact;
use crate::schedule::legality::scope;
use std::collections::BTreeSet;
use std::fmt;

/// What is known of two nests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fusable {
    /// They may become one.
    Proved,
    /// Their loops do not match: why.
    Mismatch(String),
    /// Two instances would change their order.
    Refuted(Box<Witness>),
    /// Why it could not be decided.
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

/// May the `depth` outer loops of two nests be the same loops? At least one.
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

/// What of two nests is beyond a proof of order, if `loops` of the first one become theirs together.
pub fn obstacle(
    summary: &Summary,
    (first, second): (NodeId, NodeId),
    loops: &[NodeId],
) -> Option<String> {
    let under = [first, second].map(|node| summary.under(node));
    let is_barrier = |node: &NodeId| matches!(summary.nodes[*node].kind, NodeKind::Sync);
    if under.iter().flatten().any(is_barrier) {
        return Some("a barrier stands in them".into());
    }
    let buffer = private(summary, (&under[0], &under[1]), loops)?;
    Some(format!("each iteration has a \"{}\" of its own", summary.buffers[buffer].name))
}

/// The pairs of loops that would be one, `depth` of them; or why they do not match.
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
        return Err("they do not follow each other".into());
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
                return Err(format!("{} loops in, there is more than one statement", levels.len()));
            }
        }
    }
}

/// Are two loops of the same kind and extent?
fn check_alike(
    summary: &Summary,
    levels: &[(NodeId, NodeId)],
    a: NodeId,
    b: NodeId,
) -> Result<(), String> {
    let (Some(x), Some(y)) = (summary.as_loop(a), summary.as_loop(b)) else {
        let other = if summary.as_loop(a).is_some() { b } else { a };
        return Err(format!("\"{}\" is no loop", summary.name(other)));
    };
    if (x.kind, x.thread) != (y.kind, y.thread) {
        return Err(format!("loop \"{}\" is {}, \"{}\" is {}", x.name, x.kind, y.name, y.kind));
    }
    // In terms of the first nest's loops.
    let renamed = |variable: usize| {
        let of = |node: NodeId| summary.as_loop(node).map(|this| this.variable);
        let same = levels.iter().find(|(_, second)| of(*second) == Some(variable));
        Expr::Dim(same.and_then(|(first, _)| of(*first)).unwrap_or(variable))
    };
    let extent = |exprs: &[Expr]| -> BTreeSet<String> {
        let exprs = exprs.iter().map(|e| e.substitute(&renamed, &Expr::Symbol).simplified());
        exprs.map(|e| format!("{e:?}")).collect()
    };
    match extent(&x.extent) == extent(&y.extent) {
        true => Ok(()),
        false => Err(format!("loops \"{}\" and \"{}\" have different extents", x.name, y.name)),
    }
}

/// A buffer of which each iteration of one of `loops` has its own, and that schedule blocks of both groups use.
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
