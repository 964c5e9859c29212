//! Does a step keep the meaning of a function? Decided on two summaries: as it is, and as it would be.
//!
//! A check makes the second one of the first by moving nodes and changing kinds, plain data; nothing of
//! the IR is touched before the verdict.

use super::proof::Verdict;
use super::summary::{Body, NodeId, Summary};

/// Do all instances that touch one cell, at least one of them writing it, come in the same order in both
/// summaries? `moved` are the names of the schedule blocks whose place among the others, or whose loops'
/// order, has changed; all others are known to keep their order. A block is the same one if it has the same
/// name, an instance if its iters are the same.
pub fn check_order(before: &Summary, after: &Summary, moved: &[&str]) -> Verdict {
    let _ = after;
    let shares = |a: NodeId, b: NodeId| {
        let accesses = |n: NodeId| before.as_block(n).expect("a block").accesses();
        accesses(a)
            .iter()
            .any(|x| accesses(b).iter().any(|y| x.buffer == y.buffer && (x.is_write || y.is_write)))
    };
    for (id, block) in before.blocks() {
        if !moved.contains(&block.name.as_str()) {
            continue;
        }
        let others = before.blocks().filter(|(other, _)| *other != id);
        for (other, of) in others {
            if matches!(of.body, Body::Nest) || shares(id, other) {
                return Verdict::Unknown(format!("\"{}\" and \"{}\"", block.name, of.name));
            }
        }
    }
    Verdict::Proved
}
