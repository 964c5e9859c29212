//! The order of a block that moves among the other blocks.

use super::check_instances_of_buffers;

use crate::nest::summary::{Access, Block, Body, BufferId, NodeId, NodeKind, Summary};
use crate::schedule::error::{LocationReason, ScheduleError};
use crate::schedule::legality::exact;
use crate::schedule::legality::proof::Proofs;
use crate::schedule::verdict::Verdict;

/// Checks that the inputs of the block, except the buffers `own`, have the same content at its new position
/// as at the old one.
pub fn check_inputs(
    summary: &Summary,
    after: &Summary,
    (node, at): (NodeId, NodeId),
    own: &[BufferId],
    condition: u8,
    proofs: &mut Proofs,
) -> Result<(), ScheduleError> {
    let block = summary.as_block(node).expect("a block");
    let both = summary.lca(node, at);
    let (from, to) = (summary.child_towards(both, node), summary.child_towards(both, at));
    let inputs: Vec<BufferId> =
        block.loads().map(|load| load.buffer).filter(|buffer| !own.contains(buffer)).collect();
    let Some(input) = inputs.first() else { return Ok(()) };
    check_instances_of_buffers(summary, after, (node, &inputs), condition, proofs)?;
    let reader = summary.name(to);
    for (other, writer) in summary.blocks() {
        let calls = matches!(writer.body, Body::Leaf { calls: true, .. });
        let written = writer.stores().find(|store| inputs.contains(&store.buffer));
        if other == node || !calls && written.is_none() {
            continue;
        }
        // A block keeps its order if it is outside of the common ancestor, before the old position or after
        // the new one.
        let stands = summary.child_towards(both, other);
        if !summary.is_under(other, both) || stands < from || stands > to {
            continue;
        }
        let verdict = match calls {
            true => Verdict::Unknown("the effects of its calls are not known".into()),
            false => order_of_others(summary, after, own, &block.name),
        };
        let buffer = written.map_or(*input, |store| store.buffer);
        let buffer = summary.buffers[buffer].name.clone();
        let (writer, reader) = (writer.name.clone(), reader.clone());
        let reason = LocationReason::Overwritten { buffer, writer, reader };
        proofs
            .require(&verdict, || reason.at(node, condition).note(other, "the writer is here"))?;
    }
    for other in node.up_to(at) {
        let NodeKind::Effects(name) = &summary.nodes[other].kind else { continue };
        let buffer = summary.buffers[*input].name.clone();
        let (by, reader) = (format!("'{name}'"), reader.clone());
        let reason = LocationReason::MayBeOverwritten { buffer, by, reader };
        let verdict = Verdict::Unknown("its effects are not known".into());
        proofs.require(&verdict, || reason.at(node, condition).note(other, "it is here"))?;
    }
    Ok(())
}

/// Checks that a block that moves up, to a loop of its producers, keeps its order among all blocks that it
/// shares a buffer with. The flow from these producers through the buffers `own` is checked elsewhere.
pub fn check_moved_up(
    summary: &Summary,
    after: &Summary,
    (node, at): (NodeId, NodeId),
    own: &[BufferId],
    condition: u8,
    proofs: &mut Proofs,
) -> Result<(), ScheduleError> {
    let without = |summary: &Summary, at: NodeId| {
        let mut rest = summary.clone();
        for id in summary.blocks_under(at) {
            let NodeKind::Block(block) = &mut rest.nodes[id].kind else { continue };
            let stores: Vec<Access> = block.stores().cloned().collect();
            let is_own = |access: &Access| {
                own.contains(&access.buffer)
                    && stores
                        .iter()
                        .any(|s| s.buffer == access.buffer && s.indices == access.indices)
            };
            if block.name != summary.name(node) {
                block.retain_accesses(|access| !is_own(access));
            }
        }
        rest
    };
    let before = without(summary, at);
    let moved = summary.name(node);
    let both = summary.lca(node, at);
    let (from, to) = (summary.child_towards(both, at), summary.child_towards(both, node));
    let block = before.as_block(node).expect("a block");
    let mut verdict = None;
    for (other, of) in before.blocks() {
        let calls = matches!(of.body, Body::Leaf { calls: true, .. });
        let written = |block: &Block, buffer| block.stores().any(|store| store.buffer == buffer);
        let clash = block
            .accesses()
            .iter()
            .find(|access| written(of, access.buffer))
            .or_else(|| of.accesses().iter().find(|access| written(block, access.buffer)));
        let stands = summary.child_towards(both, other);
        if other == node
            || !calls && clash.is_none()
            || !summary.is_under(other, both)
            || stands < from
            || stands > to
        {
            continue;
        }
        let verdict = verdict.get_or_insert_with(|| match calls {
            true => Verdict::Unknown("the effects of its calls are not known".into()),
            false => {
                let rest = without_in_after(summary, after, &before);
                exact::check_order(&before, &rest, &[&moved])
            }
        });
        let reason = LocationReason::Passes {
            block: moved.clone(),
            what: format!("schedule block \"{}\"", of.name),
        };
        proofs.require(verdict, || reason.at(node, condition).note(other, "it is here"))?;
        if calls {
            break;
        }
    }
    for other in at.up_to(node) {
        let NodeKind::Effects(name) = &summary.nodes[other].kind else { continue };
        let reason = LocationReason::Passes { block: moved.clone(), what: format!("'{name}'") };
        let verdict = Verdict::Unknown("its effects are not known".into());
        proofs.require(&verdict, || reason.at(node, condition).note(other, "it is here"))?;
    }
    Ok(())
}

/// `after` with only those accesses of each block that `before` still has.
fn without_in_after(summary: &Summary, after: &Summary, before: &Summary) -> Summary {
    let mut rest = after.clone();
    for node in rest.nodes.values_mut() {
        let NodeKind::Block(block) = &mut node.kind else { continue };
        let old = summary.blocks().find(|(_, old)| old.name == block.name);
        if let Some(kept) = old.and_then(|(id, _)| before.as_block(id)) {
            block.body.clone_from(&kept.body);
        }
    }
    rest
}

/// The verdict on the order of a block among others, without the buffers `own`: for those, the regions that
/// their readers need are checked.
fn order_of_others(summary: &Summary, after: &Summary, own: &[BufferId], moved: &str) -> Verdict {
    let without = |summary: &Summary| {
        let mut rest = summary.clone();
        for node in rest.nodes.values_mut() {
            if let NodeKind::Block(block) = &mut node.kind {
                block.retain_accesses(|access| !own.contains(&access.buffer));
            }
        }
        rest
    };
    exact::check_order(&without(summary), &without(after), &[moved])
}
