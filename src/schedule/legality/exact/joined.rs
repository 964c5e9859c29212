//! Accesses that belong to atomic updates: see [`atomic`](crate::schedule::legality::atomic).

use crate::dialect::loop_enums::Combiner;
use crate::nest::summary::{Access, NodeId, Summary};
use crate::schedule::legality::fp;

/// The combiner of two accesses of one buffer, if both belong to atomic updates with the same combiner.
pub(crate) fn joined_by(
    summary: &Summary,
    (first, x): (NodeId, &Access),
    (second, y): (NodeId, &Access),
) -> Option<Combiner> {
    let combiner = |id: NodeId, access: &Access| {
        let updates = &summary.as_block(id)?.atomic;
        updates.iter().find(|(buffer, _)| *buffer == access.buffer).map(|(_, combiner)| *combiner)
    };
    let is_free = |id: NodeId| fp::may_reorder_updates(summary, id).is_ok();
    let (one, other) = (combiner(first, x)?, combiner(second, y)?);
    (one == other && is_free(first) && (first == second || is_free(second))).then_some(one)
}
