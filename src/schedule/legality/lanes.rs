//! Vectorization legality: whether the iterations of a loop can be lanes.
//!
//! Independent lanes may also run one after the other, so the loop may contain anything. Dependent lanes
//! become one vector, so everything in the loop must have a vector form. A vectorized loop inside it must
//! then have independent lanes.

use crate::dialect::loop_enums::LoopKind;
use crate::ir::affine::Expr;
use crate::nest::summary::{Body, NodeId, NodeKind, Summary, mentions};
use crate::schedule::error::{Reason, ScheduleError};
use crate::schedule::legality::{exact, quick};
use crate::schedule::verdict::Verdict;

/// The maximal number of elements of a vector whose lanes are dependent.
pub const MAX_DEPENDENT: i64 = 1024;

/// Checks that loop `node` can be vectorized with `width` lanes.
pub fn check(
    summary: &Summary,
    node: NodeId,
    width: Option<i64>,
    condition: u8,
) -> Result<(), ScheduleError> {
    if let Some(refusal) = never(summary, node) {
        return Err(refusal.error(summary, node, condition));
    }
    let too_wide = width.filter(|width| *width > MAX_DEPENDENT).map(|_| VectorObstacle {
        at: node,
        why: format!("there are more than {MAX_DEPENDENT} lanes"),
    });
    if let Some(obstacle) = too_wide.or_else(|| no_vector_form(summary, node))
        && !are_independent(summary, node)
    {
        return Err(obstacle.of_dependent().error(summary, node, condition));
    }
    let inner = &summary.as_loop(node).expect("a loop").name;
    let mut around = summary.loops_around(node).filter(|outer| is_vectorized(summary, *outer));
    match around.find(|outer| !are_independent(summary, *outer)) {
        Some(outer) if !are_independent(summary, node) => {
            let why = format!("so do those of loop \"{inner}\" in it, which would be vectorized");
            let obstacle = VectorObstacle { at: node, why };
            Err(obstacle.of_dependent().error(summary, outer, condition))
        }
        _ => Ok(()),
    }
}

/// Checks that the vectorized loops among `inside` and the loops around it may stay vectorized. Nodes of
/// the summary must have the numbers of the IR.
pub fn check_around(after: &Summary, inside: NodeId, condition: u8) -> Result<(), ScheduleError> {
    match refused_around(after, inside) {
        Some((node, obstacle)) => Err(obstacle.error(after, node, condition)),
        None => Ok(()),
    }
}

/// As [`check_around`], for a summary whose nodes may have other numbers; a refusal is reported at `at`.
pub fn check_around_in_after(
    after: &Summary,
    inside: NodeId,
    at: NodeId,
    condition: u8,
) -> Result<(), ScheduleError> {
    match refused_around(after, inside) {
        Some((node, obstacle)) => Err(obstacle.reason(after, node).at(at, condition)),
        None => Ok(()),
    }
}

fn refused_around(after: &Summary, inside: NodeId) -> Option<(NodeId, VectorObstacle)> {
    let around = std::iter::once(inside).chain(after.loops_around(inside));
    around.filter(|node| is_vectorized(after, *node)).find_map(|node| {
        let dependent = || {
            let obstacle = no_vector_form(after, node)?;
            (!are_independent(after, node)).then(|| obstacle.of_dependent())
        };
        never(after, node).or_else(dependent).map(|obstacle| (node, obstacle))
    })
}

/// True if `inside`, or a loop around it, is vectorized.
pub fn is_in_vectorized(summary: &Summary, inside: NodeId) -> bool {
    is_vectorized(summary, inside)
        || summary.loops_around(inside).any(|n| is_vectorized(summary, n))
}

/// True if the node is a vectorized loop.
pub fn is_vectorized(summary: &Summary, node: NodeId) -> bool {
    summary.as_loop(node).is_some_and(|this| this.kind == LoopKind::Vectorize)
}

/// True if the lanes of a loop are independent, so that they may run one after the other, or in parts.
pub fn are_independent(summary: &Summary, node: NodeId) -> bool {
    quick::check_unordered_within(summary, node, 0).is_ok()
        || exact::check_concurrent(summary, node) == Verdict::Proved
}

/// A node that prevents vectorization, and why.
struct VectorObstacle {
    at: NodeId,
    why: String,
}

impl VectorObstacle {
    fn of_dependent(self) -> VectorObstacle {
        VectorObstacle { why: format!("they depend on each other, and {}", self.why), ..self }
    }

    fn reason(self, summary: &Summary, node: NodeId) -> Reason {
        let name = summary.as_loop(node).expect("a loop").name.clone();
        Reason::NoLanes { name, why: self.why }
    }

    fn error(self, summary: &Summary, node: NodeId, condition: u8) -> ScheduleError {
        let at = self.at;
        let error = self.reason(summary, node).at(node, condition);
        if at == node { error } else { error.note(at, "this prevents it") }
    }
}

/// True if an expression differs between the iterations of the loop.
fn differs(summary: &Summary, node: NodeId, expr: &Expr) -> bool {
    let variable = summary.as_loop(node).expect("a loop").variable;
    mentions(&summary.over_loops(expr), variable)
}

/// The obstacle for any lanes: an inner loop whose iterations run concurrently and whose extent differs
/// between lanes.
fn never(summary: &Summary, node: NodeId) -> Option<VectorObstacle> {
    summary.under(node).into_iter().skip(1).find_map(|inner| {
        let this = summary.as_loop(inner)?;
        let at_once = matches!(this.kind, LoopKind::Parallel | LoopKind::ThreadBind);
        let varies = || this.extent.iter().any(|expr| differs(summary, node, expr));
        (at_once && varies()).then(|| {
            let (kind, name) = (this.kind, &this.name);
            let why = format!("the extent of {kind} loop \"{name}\" differs between lanes");
            VectorObstacle { at: inner, why }
        })
    })
}

/// The first node in the loop that has no vector form.
fn no_vector_form(summary: &Summary, node: NodeId) -> Option<VectorObstacle> {
    summary.under(node).into_iter().skip(1).find_map(|inner| {
        let why = match &summary.nodes[inner].kind {
            NodeKind::Loop(this) => {
                let name = &this.name;
                match this.kind {
                    _ if this.extent.iter().any(|expr| differs(summary, node, expr)) => {
                        format!("the extent of loop \"{name}\" differs between lanes")
                    }
                    LoopKind::Vectorize if are_independent(summary, inner) => return None,
                    LoopKind::Vectorize => {
                        format!("so do those of loop \"{name}\" in it, which is vectorized")
                    }
                    LoopKind::Parallel | LoopKind::ThreadBind => {
                        format!("the iterations of loop \"{name}\" in it run concurrently")
                    }
                    _ => return None,
                }
            }
            NodeKind::If(conditions)
                if conditions.iter().any(|c| differs(summary, node, c.expr())) =>
            {
                "the condition of a 'loop.if' between loops differs between lanes".into()
            }
            NodeKind::Block(block) if matches!(block.body, Body::Nest) => {
                format!("schedule block \"{}\" has a nest as its body", block.name)
            }
            _ => return None,
        };
        Some(VectorObstacle { at: inner, why })
    })
}
