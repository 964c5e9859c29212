//! Buffer scopes: each iteration of a scope's *owner* loops has its own instance of a buffer. The owners
//! are thread block loops for `shared`, and loops over threads of any kind for `local`.

use crate::nest::facts::scope::owner;
use crate::nest::summary::{NodeId, Summary};
use crate::schedule::error::{BufferReason, ScheduleError};

/// Checks that block `node` would access the same buffer instances at the position of `other`, given that
/// each iteration of a scope's owner loops has its own.
pub fn check_same_instances(
    summary: &Summary,
    node: NodeId,
    other: NodeId,
    condition: u8,
) -> Result<(), ScheduleError> {
    let block = summary.as_block(node).expect("a block");
    for access in block.accesses() {
        let buffer = &summary.buffers[access.buffer];
        let Some(scope) = buffer.scope else { continue };
        let (here, there) = (owner(summary, scope, node), owner(summary, scope, other));
        if let Some(loop_node) = here.or(there).filter(|_| here != there) {
            let name = summary.as_loop(loop_node).expect("a loop").name.clone();
            let (buffer, block) = (buffer.name.clone(), block.name.clone());
            let reason = BufferReason::OtherInstance { buffer, name, block };
            return Err(reason.at(node, condition).note(loop_node, "the loop is here"));
        }
    }
    Ok(())
}
