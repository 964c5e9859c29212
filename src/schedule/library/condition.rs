//! Conditions in `loop.requires` and `loop.ensures`: what a called schedule requires of a function and what
//! it ensures.
//!
//! ```text
//! "C is in loops i, j, k"      the enclosing loops, outermost first, and no others
//! "C is reduction"             a schedule block with a reducer
//! "C is spatial"               a schedule block that has only spatial iters, or a loop that only those are bound to
//! "C is alone"                 each loop around it has one child
//! "C is reassociable"          its updates may be reordered under the function's contract
//! "C:k is reduce"              a loop that only reduce iters are bound to
//! "C:j is serial"              or parallel, vectorize, unroll, thread_bind
//! "C:j is constant"            the extent is a constant
//! "C:j is multiple of 16"      the extent is proved to be one
//! ```

use crate::dialect::loop_enums::{IterRole, LoopKind};
use crate::ir::affine::{Expr, Linear};
use crate::nest::render;
use crate::nest::summary::{Block, Body, Loop, NodeId, Summary, mentions};
use crate::schedule::error::{LibraryReason, Reason, ScheduleError};
use crate::schedule::legality::fp;
use crate::schedule::name;

/// The property that a condition states.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Is {
    InLoops(Vec<String>),
    Reduction,
    Spatial,
    Alone,
    Reassociable,
    Reduce,
    Kind(LoopKind),
    Constant,
    MultipleOf(i64),
}

/// A condition on a loop or schedule block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LibraryCondition {
    target: String,
    is: Is,
}

const KINDS: [LoopKind; 5] = [
    LoopKind::Serial,
    LoopKind::Parallel,
    LoopKind::Vectorize,
    LoopKind::Unroll,
    LoopKind::ThreadBind,
];

impl LibraryCondition {
    /// Parses a condition; `None` if the text is not a condition.
    pub fn parse(text: &str) -> Option<LibraryCondition> {
        let (target, is) = text.split_once(" is ")?;
        let words = |rest: &str| rest.split(',').map(|word| word.trim().to_owned()).collect();
        let is = match is.trim() {
            "reduction" => Is::Reduction,
            "spatial" => Is::Spatial,
            "alone" => Is::Alone,
            "reassociable" => Is::Reassociable,
            "reduce" => Is::Reduce,
            "constant" => Is::Constant,
            other => {
                let kind = KINDS.into_iter().find(|kind| kind.word() == other).map(Is::Kind);
                let number = other.strip_prefix("multiple of ").and_then(|n| n.parse().ok());
                let multiple = number.filter(|n| *n > 0).map(Is::MultipleOf);
                let loops = other.strip_prefix("in loops ").map(|rest| Is::InLoops(words(rest)));
                kind.or(multiple).or(loops)?
            }
        };
        Some(LibraryCondition { target: target.trim().to_owned(), is })
    }

    /// Checks the condition. If it does not hold, returns where, and what holds instead.
    ///
    /// # Errors
    /// If the target does not exist, or is a loop where the condition is about blocks, or a block where it
    /// is about loops.
    pub fn check(&self, summary: &Summary) -> Result<Result<(), (NodeId, String)>, ScheduleError> {
        let node = match self.target.contains(':') {
            true => name::loop_of(summary, &self.target)?,
            false => name::block(summary, &self.target)?,
        };
        let found = match (summary.as_loop(node), summary.as_block(node)) {
            (Some(this), _) => self.of_loop(summary, node, this),
            (_, Some(block)) => self.of_block(summary, node, block),
            _ => None,
        };
        let found =
            found.ok_or_else(|| LibraryReason::NotAsked(self.target.clone()).at(node, 0))?;
        Ok(found.map_err(|found| (node, found)))
    }

    fn of_loop(&self, summary: &Summary, node: NodeId, this: &Loop) -> Option<Result<(), String>> {
        let extent = || {
            let exprs: Vec<String> = this.extent.iter().map(|e| render::expr(summary, e)).collect();
            format!("its extent is {}", exprs.join(" or "))
        };
        let roles = || roles_of(summary, node);
        let holds = |holds: bool, found: &dyn Fn() -> String| {
            Some(if holds { Ok(()) } else { Err(found()) })
        };
        match &self.is {
            Is::Kind(kind) => holds(this.kind == *kind, &|| format!("it is {}", this.kind)),
            Is::Constant => holds(this.constant_extent().is_some(), &extent),
            Is::MultipleOf(number) => {
                let divides = |e: &Expr| {
                    let linear = Linear::of(e);
                    linear.constant % number == 0 && linear.terms.values().all(|c| c % number == 0)
                };
                holds(this.extent.len() == 1 && divides(&this.extent[0]), &extent)
            }
            Is::Reduce | Is::Spatial => {
                let wanted =
                    if self.is == Is::Reduce { IterRole::Reduce } else { IterRole::Spatial };
                let roles = roles();
                let is_wanted = !roles.is_empty() && roles.iter().all(|role| *role == wanted);
                holds(is_wanted, &|| match &roles[..] {
                    [] => "no iter is bound to it".into(),
                    roles => {
                        let words: Vec<String> = roles.iter().map(IterRole::to_string).collect();
                        format!("the iters bound to it are {}", words.join(" and "))
                    }
                })
            }
            Is::Alone => {
                holds(is_alone(summary, node), &|| "its loops contain other statements".into())
            }
            Is::InLoops(_) | Is::Reduction | Is::Reassociable => None,
        }
    }

    fn of_block(
        &self,
        summary: &Summary,
        node: NodeId,
        block: &Block,
    ) -> Option<Result<(), String>> {
        let holds = |holds: bool, found: &dyn Fn() -> String| {
            Some(if holds { Ok(()) } else { Err(found()) })
        };
        match &self.is {
            Is::InLoops(wanted) => {
                let around = summary.loops_around(node).filter_map(|outer| summary.as_loop(outer));
                let mut names: Vec<&str> = around.map(|this| this.name.as_str()).collect();
                names.reverse();
                holds(names == *wanted, &|| format!("its loops are {}", names.join(", ")))
            }
            Is::Reduction => holds(block.reducer.is_some(), &|| "it has no reducer".into()),
            Is::Spatial => {
                let other = block.iters.iter().find(|iter| iter.role != IterRole::Spatial);
                holds(other.is_none(), &|| {
                    other.map_or_else(String::new, |iter| {
                        format!("its iter \"{}\" is {}", iter.name, iter.role)
                    })
                })
            }
            Is::Alone => {
                holds(is_alone(summary, node), &|| "its loops contain other statements".into())
            }
            Is::Reassociable => {
                let is_leaf = matches!(block.body, Body::Leaf { .. });
                let refused = fp::may_reorder_updates(summary, node).err();
                holds(is_leaf && refused.is_none(), &|| {
                    refused.as_ref().map_or_else(|| "its body is a nest".into(), Reason::to_string)
                })
            }
            Is::Reduce | Is::Kind(_) | Is::Constant | Is::MultipleOf(_) => None,
        }
    }
}

/// The roles of the iters that are bound to a loop, each once.
fn roles_of(summary: &Summary, node: NodeId) -> Vec<IterRole> {
    let variable = summary.as_loop(node).map(|this| this.variable);
    let mut found = vec![];
    for id in summary.blocks_under(node) {
        let block = summary.as_block(id).expect("a block");
        for (iter, bound) in block.iters.iter().zip(&block.binding) {
            let is_bound = variable.is_some_and(|variable| mentions(bound, variable));
            if is_bound && !found.contains(&iter.role) {
                found.push(iter.role);
            }
        }
    }
    found
}

/// True if each loop around a node has exactly one child.
fn is_alone(summary: &Summary, node: NodeId) -> bool {
    summary.loops_around(node).all(|outer| summary.nodes[outer].children.len() == 1)
}
