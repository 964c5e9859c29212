//! Whether the iterations of a vectorized loop can be lanes.
//!
//! Lanes that have nothing to do with each other may also run one after the other, whatever is in the loop.
//! Lanes that depend on each other become one vector, so that all in the loop must have a vector form; of a
//! vectorized loop in it the lanes must be such that they may run one after the other.

use super::execution;
use super::proof::Verdict;
use crate::dialect::loop_enums::LoopKind;
use crate::ir::affine::Expr;
use crate::nest::summary::{Body, NodeId, NodeKind, Summary, mentions};
use crate::schedule::error::{Reason, ScheduleError};
use crate::schedule::legality::{exact, quick};

/// Lanes that depend on each other are one vector, of not more elements than this.
pub const MOST_DEPENDENT: i64 = 1024;

/// Loop `node` can be vectorized, with so many lanes.
pub fn check(
    summary: &Summary,
    node: NodeId,
    width: Option<i64>,
    condition: u8,
) -> Result<(), ScheduleError> {
    if let Some(refusal) = never(summary, node) {
        return Err(refusal.error(summary, node, condition));
    }
    let too_wide = width
        .filter(|width| *width > MOST_DEPENDENT)
        .map(|_| Obstacle { at: node, why: format!("the lanes are more than {MOST_DEPENDENT}") });
    if let Some(obstacle) = too_wide.or_else(|| no_vector_form(summary, node))
        && !are_independent(summary, node)
    {
        return Err(obstacle.of_dependent().error(summary, node, condition));
    }
    let inner = &summary.as_loop(node).expect("a loop").name;
    let mut around = summary.loops_around(node).filter(|outer| is_vectorized(summary, *outer));
    match around.find(|outer| !are_independent(summary, *outer)) {
        Some(outer) if !are_independent(summary, node) => {
            let why = format!("so would those of loop \"{inner}\" in it");
            let obstacle = Obstacle { at: node, why };
            Err(obstacle.of_dependent().error(summary, outer, condition))
        }
        _ => Ok(()),
    }
}

/// The vectorized ones of loop or block `inside` and the loops around it can stay so, in a summary where nodes
/// have the numbers of the IR.
pub fn check_around(after: &Summary, inside: NodeId, condition: u8) -> Result<(), ScheduleError> {
    match refused_around(after, inside) {
        Some((node, obstacle)) => Err(obstacle.error(after, node, condition)),
        None => Ok(()),
    }
}

/// The same in a summary where nodes may have other numbers; a refusal is at `at`.
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

fn refused_around(after: &Summary, inside: NodeId) -> Option<(NodeId, Obstacle)> {
    let around = std::iter::once(inside).chain(after.loops_around(inside));
    around.filter(|node| is_vectorized(after, *node)).find_map(|node| {
        let dependent = || {
            let obstacle = no_vector_form(after, node)?;
            (!are_independent(after, node)).then(|| obstacle.of_dependent())
        };
        never(after, node).or_else(dependent).map(|obstacle| (node, obstacle))
    })
}

/// Is `inside`, or a loop around it, vectorized?
pub fn are_around(summary: &Summary, inside: NodeId) -> bool {
    is_vectorized(summary, inside)
        || summary.loops_around(inside).any(|n| is_vectorized(summary, n))
}

/// Is it a vectorized loop?
pub fn is_vectorized(summary: &Summary, node: NodeId) -> bool {
    summary.as_loop(node).is_some_and(|this| this.kind == LoopKind::Vectorize)
}

/// May the lanes of a loop run one after the other, or in parts?
pub fn are_independent(summary: &Summary, node: NodeId) -> bool {
    quick::check_unordered_within(summary, node, 0).is_ok()
        || exact::check_concurrent(summary, node) == Verdict::Proved
}

/// What is in the way, and why.
struct Obstacle {
    at: NodeId,
    why: String,
}

impl Obstacle {
    fn of_dependent(self) -> Obstacle {
        Obstacle { why: format!("they depend on each other, and {}", self.why), ..self }
    }

    fn reason(self, summary: &Summary, node: NodeId) -> Reason {
        let name = summary.as_loop(node).expect("a loop").name.clone();
        Reason::NoLanes { name, why: self.why }
    }

    fn error(self, summary: &Summary, node: NodeId, condition: u8) -> ScheduleError {
        let at = self.at;
        let error = self.reason(summary, node).at(node, condition);
        if at == node { error } else { error.note(at, "this is in the way") }
    }
}

/// Does it differ between the iterations of the loop?
fn differs(summary: &Summary, node: NodeId, expr: &Expr) -> bool {
    let variable = summary.as_loop(node).expect("a loop").variable;
    mentions(&execution::resolved(summary, expr), variable)
}

/// What no lanes can do: start loops of different length whose iterations run at once.
fn never(summary: &Summary, node: NodeId) -> Option<Obstacle> {
    summary.under(node).into_iter().skip(1).find_map(|inner| {
        let this = summary.as_loop(inner)?;
        let at_once = matches!(this.kind, LoopKind::Parallel | LoopKind::ThreadBind);
        let varies = || this.extent.iter().any(|expr| differs(summary, node, expr));
        (at_once && varies()).then(|| {
            let (kind, name) = (this.kind, &this.name);
            let why = format!("the extent of {kind} loop \"{name}\" differs between lanes");
            Obstacle { at: inner, why }
        })
    })
}

/// What in the loop has no vector form.
fn no_vector_form(summary: &Summary, node: NodeId) -> Option<Obstacle> {
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
                        format!("the iterations of loop \"{name}\" in it run at once")
                    }
                    _ => return None,
                }
            }
            NodeKind::If(conditions)
                if conditions.iter().any(|c| differs(summary, node, c.expr())) =>
            {
                "a 'loop.if' between loops differs between lanes".into()
            }
            NodeKind::Block(block) if matches!(block.body, Body::Nest) => {
                format!("schedule block \"{}\" has a nest as its body", block.name)
            }
            _ => return None,
        };
        Some(Obstacle { at: inner, why })
    })
}
