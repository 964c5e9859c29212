//! `plan-allocation-location`: narrow the scope of a buffer to the thread or thread block that uses it.
//!
//! ```text
//! %T = loop.buffer "T" scope(global) : memref<64x96xf32>    %T = loop.buffer "T" scope(local) : memref<1x96xf32>
//! for parallel %i { T[%i, ..] = ..    .. = T[%i, ..] }  ->  for parallel %i { T[0, ..] = ..    .. = T[0, ..] }
//! ```
//! All buffers of the loop dialect are declared at the entry of the function. The scope of a buffer states whether each
//! thread, each thread block or the function has an instance of it. The pass makes the scope as narrow as possible: it
//! tries `local` first, then `shared`. Lowering then allocates the buffer in the loop whose iterations have the
//! instances. A thread often needs only a part of the buffer, so the pass shrinks its type too, as
//! [`compact_buffers`](super::compact_buffers).
//!
//! Requires
//! - (C1) a buffer of the function, without padding, that only schedule blocks use
//! - (C2) accesses that are all nested in the same one of the loops whose iterations own buffers of the scope, and
//!   that read in an iteration only what it has written before: (C4) and (C5) of
//!   [`set_scope`]
//! - (C3) a size that is known and small. The `local` buffers together have up to [`STACK_BYTES`], and in a function
//!   with bound loops up to [`REGISTER_BYTES`]; the `shared` buffers together have up to [`STATIC_SHARED`]
//! - (C4) for `local` in a function with bound loops: indices that do not depend on the thread, because registers
//!   have no indices

use super::compact_buffers::compacted;
use crate::dialect::loop_enums::Scope;
use crate::ir::affine::Expr;
use crate::ir::{Attribute, Error, Op, Type};
use crate::machine::cuda::STATIC_SHARED;
use crate::nest::buffer_remap;
use crate::nest::buffer_remap::BufferRemap;
use crate::nest::facts::scope;
use crate::nest::rewriter::Direct;
use crate::nest::summary::{BufferId, NodeId, Summary, Variable, VariableId};
use crate::optimize::kind::{Counts, FunctionPass};
use crate::schedule::State;
use crate::schedule::legality::proof::Proofs;
use crate::schedule::primitive::layout::set_scope;

/// The most bytes of local buffers on the stack of a CPU thread: a panel in its second-level cache, and tiles in the
/// first.
pub const STACK_BYTES: i64 = 320 * 1024;
/// The bytes of the registers of a GPU thread.
pub const REGISTER_BYTES: i64 = 255 * 4;

/// The indices of the statistics in the row.
const LOCAL: usize = 0;
const SHARED: usize = 1;

/// See the head of the file.
#[derive(Debug, Default)]
pub struct PlanAllocationLocation;

impl FunctionPass for PlanAllocationLocation {
    fn run<'c>(&mut self, function: Op<'c>, counts: &mut Counts) -> Result<(), Error<'c>> {
        let mut state = State::new(function, Box::new(Direct))?;
        for buffer in state.summary().buffers.keys() {
            if !buffer_remap::is_packed(state.buffer(buffer)) {
                continue;
            }
            let Some(plan) = narrowed(state.summary(), buffer) else { continue };
            let set_scope = |state: &State<'c>| {
                let op = state.buffer(buffer).defining_op().expect("the buffer is no argument");
                let value = Type::integer(state.context(), 32);
                op.set_attribute("scope", Attribute::integer(value, plan.scope as i64));
            };
            match &plan.smaller {
                Some(smaller) if !buffer_remap::apply(&mut state, smaller)? => continue,
                _ => set_scope(&state),
            }
            counts.add(if plan.scope == Scope::Local { LOCAL } else { SHARED }, 1);
            state.refresh()?;
        }
        Ok(())
    }
}

/// The change of a buffer.
struct BufferMove {
    scope: Scope,
    /// The smaller buffer, if one instance needs less than the whole buffer.
    smaller: Option<BufferRemap>,
}

fn narrowed(summary: &Summary, buffer: BufferId) -> Option<BufferMove> {
    let old = summary.buffers[buffer].scope?;
    let candidates: &[Scope] = match old {
        Scope::Global => &[Scope::Local, Scope::Shared],
        Scope::Shared => &[Scope::Local],
        Scope::Local => &[],
    };
    let is_user = |node: &NodeId| {
        let block = summary.as_block(*node).expect("a block");
        block.accesses().iter().any(|access| access.buffer == buffer)
    };
    let users: Vec<NodeId> =
        summary.blocks_under(NodeId::FUNCTION).into_iter().filter(is_user).collect();
    candidates.iter().find_map(|scope| {
        // (C1), (C2)
        let is_owned = users.iter().all(|n| scope::owner(summary, *scope, *n).is_some());
        let mut proofs = Proofs::default();
        let check = set_scope::check_instances(summary, buffer, (old, *scope), &users, &mut proofs);
        (is_owned && !users.is_empty() && check.is_ok()).then_some(())?;
        // (C3)
        let mut of_scope = summary.clone();
        of_scope.buffers[buffer].scope = Some(*scope);
        let smaller = compacted(&of_scope, buffer).map(|(smaller, _)| smaller);
        if let Some(smaller) = &smaller {
            let shape: Vec<_> = smaller.shape.iter().cloned().map(Some).collect();
            of_scope.buffers[buffer].allocated = shape.clone();
            of_scope.buffers[buffer].shape = shape;
        }
        let is_placed =
            *scope != Scope::Local || is_in_registers(summary, buffer, smaller.as_ref());
        (is_placed && has_room(&of_scope, *scope)).then_some(BufferMove { scope: *scope, smaller })
    })
}

/// (C4): True if no index depends on the thread, after the buffer shrinks.
fn is_in_registers(summary: &Summary, buffer: BufferId, smaller: Option<&BufferRemap>) -> bool {
    let is_thread = |variable: VariableId| match summary.variables[variable] {
        Variable::Loop(node) => summary.as_loop(node).is_some_and(|this| this.thread.is_some()),
        Variable::Iter(..) => false,
    };
    let depends = |index: &Expr| {
        // The binding of a new iter varies within a thread only.
        let is_known = |dim: usize| dim < summary.variables.len();
        let known = |dim| if is_known(dim) { Expr::Dim(dim) } else { 0.into() };
        let over_loops =
            summary.over_loops_under(NodeId::FUNCTION, &index.substitute(&known, &Expr::Symbol));
        let mut found = false;
        over_loops.visit_leaves(&mut |leaf| {
            if let Expr::Dim(variable) = leaf {
                found |= is_thread(VariableId::of_dim(*variable));
            }
        });
        found
    };
    match smaller {
        Some(smaller) => !smaller.indices.iter().flat_map(|(_, all)| all).any(depends),
        None => {
            let accesses = buffer_remap::accesses(summary, buffer).unwrap_or_default();
            !accesses.iter().flat_map(|(_, access)| access.indices.iter().flatten()).any(depends)
        }
    }
}

/// True if all buffers of a scope fit into its memory.
fn has_room(summary: &Summary, scope: Scope) -> bool {
    let mut loops = summary.nodes.keys().filter_map(|node| summary.as_loop(node));
    let most = match scope {
        // More would reduce the number of resident thread blocks, and exceed the limit of some devices.
        Scope::Shared => STATIC_SHARED,
        _ if loops.any(|this| this.thread.is_some()) => REGISTER_BYTES,
        _ => STACK_BYTES,
    };
    let mut of_scope = summary.buffers.values().filter(|buffer| buffer.scope == Some(scope));
    let sum =
        of_scope.try_fold(0_i64, |sum, buffer| Some(sum.saturating_add(set_scope::bytes(buffer)?)));
    sum.is_some_and(|sum| sum <= most)
}
