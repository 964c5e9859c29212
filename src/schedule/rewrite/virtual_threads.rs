//! Local buffers of virtual threads in steps that copy loops: each copy of a loop gets buffers of its own.
//!
//! ```text
//! for %i in 8 { for thread_bind[vthread] %j in 4 { T[0] = A[%i, %j]; B[%i, %j] = T[0] } }
//!   ->  loop_partition "P:i" factors [3, -1]
//! for %i.0 in 3 { for thread_bind[vthread] %j in 4 { T[0] = A[%i.0, %j]; B[%i.0, %j] = T[0] } }
//! for %i.1 in 5 { for thread_bind[vthread] %j in 4 { T_1[0] = A[%i.1 + 3, %j]; B[%i.1 + 3, %j] = T_1[0] } }
//! ```
//! Each virtual thread has its own instance of a local buffer only if all accesses of the buffer are in one `vthread`
//! loop. If both copies used `T`, the virtual threads of each would share it.

use crate::dialect::loop_enums::{Scope, ThreadAxis};
use crate::ir::{Value, parents};
use crate::nest::edit;
use crate::nest::facts::scope;
use crate::nest::state::State;
use crate::nest::summary::{BufferId, NodeId, Summary};

/// Local buffers of which each virtual thread has its own instance.
pub struct OwnBuffers<'c> {
    /// The buffers, each with the number of `vthread` loops that are around all its accesses.
    buffers: Vec<(Value<'c>, usize)>,
}

/// The `vthread` loops around a node, outermost first.
fn virtual_loops(summary: &Summary, node: NodeId) -> Vec<NodeId> {
    let is_virtual = |n: &NodeId| {
        summary.as_loop(*n).is_some_and(|this| this.thread == Some(ThreadAxis::VThread))
    };
    let mut loops: Vec<NodeId> = summary.loops_around(node).filter(is_virtual).collect();
    loops.reverse();
    loops
}

fn users(summary: &Summary, buffer: BufferId) -> Vec<NodeId> {
    let uses = |id: &NodeId| {
        let accesses = summary.as_block(*id).into_iter().flat_map(|block| block.accesses());
        accesses.into_iter().any(|access| access.buffer == buffer)
    };
    summary.blocks().map(|(id, _)| id).filter(uses).collect()
}

impl<'c> OwnBuffers<'c> {
    pub fn of(state: &State<'c>) -> Self {
        let summary = state.summary();
        let has_virtual = summary
            .nodes
            .keys()
            .any(|n| summary.as_loop(n).is_some_and(|it| it.thread == Some(ThreadAxis::VThread)));
        let locals = summary.buffers.iter().filter(|(_, buffer)| {
            has_virtual && buffer.scope == Some(Scope::Local) && !buffer.escapes
        });
        let owned = |id: BufferId| {
            let users = users(summary, id);
            let (first, others) = users.split_first()?;
            let mut common = virtual_loops(summary, *first);
            for other in others {
                let theirs = virtual_loops(summary, *other);
                let same = common.iter().zip(&theirs).take_while(|(a, b)| a == b).count();
                common.truncate(same);
            }
            (!common.is_empty()).then(|| (state.buffer(id), common.len()))
        };
        OwnBuffers { buffers: locals.filter_map(|(id, _)| owned(id)).collect() }
    }

    pub fn is_empty(&self) -> bool {
        self.buffers.is_empty()
    }

    /// After a step: gives each copy of the loops its own buffers. A loop whose reads are not all preceded by writes in
    /// the same iteration is no such copy; it keeps the buffer.
    pub fn separate(&self, state: &mut State<'c>) {
        let (mut changes, mut around) = (vec![], vec![]);
        let summary = state.summary();
        for (buffer, depth) in &self.buffers {
            let Some((id, _)) = summary.buffers.iter().find(|(id, _)| state.buffer(*id) == *buffer)
            else {
                continue;
            };
            let mut copies: Vec<NodeId> = vec![];
            let mut is_split = true;
            for user in users(summary, id) {
                match virtual_loops(summary, user).get(depth - 1) {
                    Some(innermost) if copies.contains(innermost) => {}
                    Some(innermost) => copies.push(*innermost),
                    None => is_split = false,
                }
            }
            let is_whole = |node: &NodeId| scope::uncovered_reader(summary, *node, id).is_none();
            if is_split && copies.len() > 1 && copies.iter().all(is_whole) {
                around.extend(&copies);
                changes.extend(copies[1..].iter().map(|node| (*buffer, state.op(*node))));
            }
        }
        let nests = state.nests_around(&around);
        for (number, (buffer, around)) in changes.iter().enumerate() {
            let copy = edit::copy_buffer(state.function, *buffer, number + 1);
            for (user, place) in buffer.uses() {
                if parents(user).any(|outer| outer == *around) {
                    user.set_operand(place, copy);
                }
            }
        }
        nests.into_iter().for_each(edit::derive_regions);
        if !changes.is_empty() {
            state.refresh().expect("a function with a copy of a buffer is one of the dialect");
        }
    }
}
