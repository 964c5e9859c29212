//! Conditions shared by primitives that move a block to another loop.

mod at_once;
mod order;
mod reduction;

use super::proof::Proofs;
use crate::analysis::digits;
use crate::dialect::loop_enums::{IterRole, LoopKind};
use crate::ir::affine::{Constraint, Expr};
use crate::schedule::verdict::Verdict;

use crate::nest::facts::run_condition;
use crate::nest::placement::Placement;
use crate::nest::render;
use crate::nest::summary::{Block, BufferId, NodeId, Summary, Variable, mentions};
use crate::schedule::error::{LocationReason, Reason, ScheduleError};
pub use at_once::{check_instances_of_buffers, check_races, check_threads};
pub use order::{check_inputs, check_moved_up};
pub use reduction::{check_inits, check_reduction, may_reduce_nothing};
use std::collections::BTreeSet;

/// Why two iterations may be one instance.
pub const NOT_INJECTIVE: &str = "its bindings are not proved to be injective in the loop";

/// Checks that the buffer is local to the function, that only schedule blocks use it, and that no other
/// block writes it.
pub fn check_only_writer(
    summary: &Summary,
    node: NodeId,
    id: BufferId,
    condition: u8,
) -> Result<(), ScheduleError> {
    let buffer = &summary.buffers[id];
    let name = || buffer.name.clone();
    if buffer.scope.is_none() {
        let block = summary.name(node);
        return Err(LocationReason::WritesArgument { block, buffer: name() }.at(node, condition));
    }
    if buffer.escapes {
        return Err(LocationReason::Escapes { buffer: name() }.at(node, condition));
    }
    let writes = |block: &Block| block.stores().any(|store| store.buffer == id);
    match summary.blocks().find(|(other, block)| *other != node && writes(block)) {
        Some((other, block)) => {
            let reason = LocationReason::SecondWriter { buffer: name(), other: block.name.clone() };
            Err(reason.at(node, condition).note(other, "the other writer is here"))
        }
        None => Ok(()),
    }
}

/// The conditions of a block on loops inside `at`, over its iters, which it keeps if it moves to other loops.
pub fn run_conditions(
    summary: &Summary,
    node: NodeId,
    at: NodeId,
    condition: u8,
) -> Result<Vec<Constraint>, ScheduleError> {
    run_condition::over_iters(summary, node, at).map_err(|lost| {
        let block = summary.name(node);
        let text = render::condition(summary, &lost.condition);
        let lost = if lost.is_negated { format!("not ({text})") } else { text };
        LocationReason::LostCondition { block, lost }.at(node, condition)
    })
}

/// Checks that instances of the block that differ in spatial iters write different elements.
pub fn check_injective_stores(
    summary: &Summary,
    node: NodeId,
    block: &Block,
    condition: u8,
    proofs: &mut Proofs,
) -> Result<(), ScheduleError> {
    let Some(store) = block.stores().next() else { return Ok(()) };
    let verdict = match has_injective_stores(summary, block) {
        true => Verdict::Proved,
        false => {
            Verdict::Unknown("its indices are not proved to be injective in all its iters".into())
        }
    };
    let (block, buffer) = (block.name.clone(), summary.buffers[store.buffer].name.clone());
    proofs.require(&verdict, || Reason::SharedCell { block, buffer }.at(node, condition))
}

/// True if the indices of each store determine all spatial iters.
pub fn has_injective_stores(summary: &Summary, block: &Block) -> bool {
    block.stores().all(|store| {
        let indices: Option<Vec<Expr>> = store.indices.iter().cloned().collect();
        block.iters.iter().all(|iter| {
            iter.role != IterRole::Spatial
                || iter.domain.iter().any(|extent| extent.constant() == Some(1))
                || indices.as_ref().is_some_and(|indices| {
                    digits::determines(indices, iter.variable.index(), summary, &[])
                })
        })
    })
}

/// The index, among a block's loops, of the outermost loop that an iter is bound to.
pub fn outermost(
    summary: &Summary,
    block: &Block,
    own_loops: &[NodeId],
    i: usize,
) -> Option<usize> {
    let variable = |node: &NodeId| summary.as_loop(*node).expect("a loop").variable;
    own_loops.iter().position(|node| mentions(&block.binding[i], variable(node)))
}

/// Adds a note to a refusal: which of the loops around some blocks are legal.
pub fn with_legal_loops(
    summary: &Summary,
    primitive: &str,
    around: impl Iterator<Item = NodeId>,
    check: &dyn Fn(NodeId) -> Result<Placement, ScheduleError>,
    error: ScheduleError,
) -> ScheduleError {
    let legal = legal_loops(summary, around, check);
    let names: Vec<String> = legal.into_iter().map(|node| summary.name(node)).collect();
    let text = match names.is_empty() {
        true => format!("no loop is legal for {primitive}"),
        false => format!("legal loops for {primitive}: {}", names.join(", ")),
    };
    let at = error.at;
    error.note(at, text)
}

/// The legal ones of the loops around some blocks, in program order.
pub fn legal_loops(
    summary: &Summary,
    around: impl Iterator<Item = NodeId>,
    check: &dyn Fn(NodeId) -> Result<Placement, ScheduleError>,
) -> Vec<NodeId> {
    let loops: BTreeSet<NodeId> = around.flat_map(|node| summary.loops_around(node)).collect();
    loops.into_iter().filter(|node| check(*node).is_ok()).collect()
}

/// Checks that a block and a loop are nested in the same schedule block, if any, and not in different
/// branches, and that the loop does not enclose the block.
pub fn check_scope(
    summary: &Summary,
    node: NodeId,
    at: NodeId,
    condition: u8,
) -> Result<(), ScheduleError> {
    let scope = |n: NodeId| summary.ancestors(n).find(|n| summary.as_block(*n).is_some());
    let (block, name) = (summary.name(node), summary.name(at));
    if scope(node) != scope(at) {
        return Err(LocationReason::OtherScope { block, kind: "loop", name }
            .at(node, condition)
            .note(at, "the loop is here"));
    }
    if summary.is_under(node, at) {
        return Err(LocationReason::AlreadyThere { block, name }.at(node, condition));
    }
    let both = summary.lca(node, at);
    let otherwise = |n: NodeId| summary.otherwise.contains(&summary.child_towards(both, n));
    if otherwise(node) != otherwise(at) {
        let error = LocationReason::OtherBranch { block, name }.at(node, condition);
        return Err(error.note(both, "the 'loop.if' is here"));
    }
    Ok(())
}

/// The loops around a block and inside `both`, outermost first. Those that contain nothing else will be
/// erased, so they must be serial or unrolled.
pub fn check_erased_loops(
    summary: &Summary,
    node: NodeId,
    both: NodeId,
    condition: u8,
) -> Result<Vec<NodeId>, ScheduleError> {
    let below: Vec<NodeId> = summary.ancestors(node).take_while(|n| *n != both).collect();
    for id in &below {
        if summary.nodes[*id].children.len() != 1 {
            break;
        }
        let Some(this) = summary.as_loop(*id) else { continue };
        if !matches!(this.kind, LoopKind::Serial | LoopKind::Unroll) {
            let (name, kind) = (this.name.clone(), this.kind);
            return Err(Reason::NotSerial { name, kind }.at(*id, condition));
        }
    }
    Ok(below.into_iter().rev().filter(|n| summary.as_loop(*n).is_some()).collect())
}

/// The node of `after` for node `both`, which is loop `at`, encloses it or is the function.
pub fn same_node(summary: &Summary, after: &Summary, at: NodeId, both: NodeId) -> NodeId {
    let variable = summary.as_loop(at).expect("a loop").variable;
    let Variable::Loop(at_after) = after.variables[variable] else { return NodeId::FUNCTION };
    if both == at {
        return at_after;
    }
    match summary.ancestors(at).position(|n| n == both) {
        Some(up) => after.ancestors(at_after).nth(up).unwrap_or(NodeId::FUNCTION),
        None => NodeId::FUNCTION,
    }
}
