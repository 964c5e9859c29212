//! Legality of moving a reduction.

use super::{NOT_INJECTIVE, outermost};
use crate::analysis::digits;
use crate::dialect::loop_enums::IterRole;
use crate::ir::affine::{Expr, Linear};
use crate::nest::summary::VariableId;

use crate::nest::facts::reduction::Roles;
use crate::nest::placement::Placement;
use crate::nest::summary::{Block, Loop, NodeId, Summary, Variable, mentions};
use crate::schedule::error::{LocationReason, Reason, ScheduleError};
use crate::schedule::legality::fp;
use crate::schedule::legality::proof::Proofs;
use crate::schedule::verdict::Verdict;

/// Checks that a reduction combines the same values at its new position, each once, in an equivalent order,
/// and that it starts with the first.
pub fn check_reduction(
    summary: &Summary,
    (node, block): (NodeId, &Block),
    own_loops: &[NodeId],
    placement: &Placement,
    condition: u8,
    proofs: &mut Proofs,
) -> Result<(), ScheduleError> {
    let is_reduce = |i: &usize| block.iters[*i].role == IterRole::Reduce;
    let mut reduce: Vec<usize> = (0..block.iters.len()).filter(is_reduce).collect();
    if reduce.is_empty() {
        return Ok(());
    }
    // A value that runs twice would be combined twice.
    for id in own_loops {
        let this = summary.as_loop(*id).expect("a loop");
        let verdict = match digits::determines(
            &block.binding,
            this.variable.index(),
            summary,
            &block.predicate,
        ) {
            true => Verdict::Proved,
            false => Verdict::Unknown(NOT_INJECTIVE.into()),
        };
        let (block, name) = (block.name.clone(), this.name.clone());
        proofs.require(&verdict, || Reason::NotInjective { block, name }.at(node, condition))?;
    }
    reduce.sort_by_key(|i| outermost(summary, block, own_loops, *i));
    let is_loop = |i: &usize| {
        let variable = |node: &NodeId| summary.as_loop(*node).expect("a loop").variable;
        let bound = &block.binding[*i];
        own_loops.iter().any(|node| *bound == variable(node).expr())
            || !own_loops.iter().any(|node| mentions(bound, variable(node)))
    };
    let parts = outer_parts(summary, placement, &reduce);
    // The order is kept if each iter was bound to one loop, and only the outermost may continue over
    // enclosing loops.
    let keeps_order = reduce.iter().all(is_loop)
        && parts
            .iter()
            .enumerate()
            .all(|(n, parts)| parts.is_empty() || n == 0 && parts.len() == 1);
    let starts = !block.has_init || starts_first(summary, block, placement, &parts);
    let in_order = match fp::may_reorder_updates(summary, node) {
        Err(_) if keeps_order => Ok(()),
        free => free,
    };
    let in_order = in_order.and_then(|()| match starts {
        true => Ok(()),
        false => {
            let block = block.name.clone();
            Err(Reason::UpdateOrder { block, why: "the first one sets the start value" })
        }
    });
    proofs.require_by_roles(in_order.map_err(|reason| reason.at(node, condition)))
}

/// Checks the inputs of `loop.init`. A reduction that may be empty is initialized all the same, so what its
/// `loop.init` reads must not be written inside of its reduction loops, which may not run.
pub fn check_inits(after: &Summary, node: NodeId, condition: u8) -> Result<(), ScheduleError> {
    for (reader, block) in after.blocks() {
        let Some(outermost) = may_reduce_nothing(after, reader) else { continue };
        for load in block.loads().filter(|load| load.in_init) {
            let writes = |(id, other): &(NodeId, &Block)| {
                *id != reader
                    && after.is_under(*id, outermost)
                    && other.stores().any(|store| store.buffer == load.buffer)
            };
            if let Some((_, writer)) = after.blocks().find(writes) {
                let reason = LocationReason::WrittenAfterStart {
                    block: block.name.clone(),
                    buffer: after.buffers[load.buffer].name.clone(),
                    writer: writer.name.clone(),
                    name: after.as_loop(outermost).expect("a loop").name.clone(),
                };
                return Err(reason.at(node, condition));
            }
        }
    }
    Ok(())
}

/// The outermost reduction loop of a schedule block, if the reduction may be empty.
pub fn may_reduce_nothing(summary: &Summary, id: NodeId) -> Option<NodeId> {
    let roles = Roles::of(summary, id);
    if roles.never_empty() {
        return None;
    }
    summary.loops_around(id).filter(|around| roles.reduces(roles.variable(*around))).last()
}

/// For each of these iters the variables of loops around the new position that it is bound to.
fn outer_parts(summary: &Summary, placement: &Placement, iters: &[usize]) -> Vec<Vec<VariableId>> {
    let mut around: Vec<NodeId> = vec![placement.target];
    around.extend(summary.loops_around(placement.target));
    let variables: Vec<VariableId> =
        around.iter().filter_map(|n| summary.as_loop(*n)).map(|this| this.variable).collect();
    let parts = |i: &usize| {
        let bound = |v: &VariableId| mentions(&placement.binding[*i], *v);
        variables.iter().copied().filter(bound).collect()
    };
    iters.iter().map(parts).collect()
}

/// True if all reduce iters are 0 when a spatial point runs first. This holds if they are increasing sums
/// of loops that run and that no spatial iter is bound to.
fn starts_first(
    summary: &Summary,
    block: &Block,
    placement: &Placement,
    parts: &[Vec<VariableId>],
) -> bool {
    let outer: Vec<VariableId> = parts.iter().flatten().copied().collect();
    if outer.is_empty() {
        return true;
    }
    let runs = |v: &VariableId| match summary.variables[*v] {
        Variable::Loop(node) => summary.as_loop(node).and_then(Loop::constant_extent) > Some(0),
        Variable::Iter(..) => false,
    };
    let mut iters = block.iters.iter().zip(&placement.binding);
    outer.iter().all(runs)
        && iters.all(|(iter, bound)| match iter.role {
            IterRole::Reduce => {
                let linear = Linear::of(bound);
                let rises =
                    |(atom, c): (&Expr, &i64)| c.is_positive() && matches!(atom, Expr::Dim(_));
                linear.constant == 0 && linear.terms.iter().all(rises)
            }
            _ => !outer.iter().any(|v| mentions(bound, *v)),
        })
}
