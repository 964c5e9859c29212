//! `plan-allocation-location`: narrow the scope of a buffer to the thread or thread block that uses it.
//!
//! ```text
//! %T = loop.buffer "T" scope(global) : memref<64x96xf32>    %T = loop.buffer "T" scope(local) : memref<1x96xf32>
//! for parallel %i { T[%i, ..] = ..    .. = T[%i, ..] }  ->  for parallel %i { T[0, ..] = ..    .. = T[0, ..] }
//! ```
//! All buffers of the loop dialect are declared at the entry of the function. The scope of a buffer states whether each
//! thread, each thread block or the function has an instance of it. The pass makes the scope as narrow as possible: it
//! tries `local` first, then `shared`. Lowering then allocates the buffer in the loop whose iterations have the
//! instances. A thread often needs only a part of the buffer, so the pass shrinks its type too, as `compact-buffers`
//! does.
//!
//! The primitive `specialize` makes branches that use the same buffers. Only one branch runs in a call, so no value
//! passes from one branch to another. Each branch gets its own buffer if at least one of these buffers then gets a
//! narrower scope.
//!
//! Requires
//! - (C1) the buffer is no argument of the function, has no padding, and is used only by schedule blocks
//! - (C2) the innermost loop whose iterations would have their own instances is the same around all accesses, and each
//!   of its iterations reads only elements that it has written before: (C4) and (C5) of [`set_scope`]
//! - (C3) the size is known. Together the `local` buffers of the function have at most 640 KiB, or 1020 bytes in a
//!   function with bound loops (255 registers); the `shared` buffers together have at most 48 KiB
//! - (C4) for `local` in a function with bound loops: no index depends on the thread, because registers cannot be
//!   indexed

mod branches;

use super::compact_buffers::compacted;
use crate::dialect::loop_enums::Scope;
use crate::ir::affine::Expr;
use crate::ir::{Attribute, Error, Op, Type};
use crate::machine::cuda::STATIC_SHARED;
use crate::nest::buffer_remap;
use crate::nest::buffer_remap::BufferRemap;
use crate::nest::facts::scope;
use crate::nest::rewriter::Direct;
use crate::nest::summary::{Block, Buffer, BufferId, NodeId, Summary, Variable, VariableId};
use crate::optimize::kind::{Counts, FunctionPass};
use crate::schedule::State;
use crate::schedule::legality::proof::Proofs;
use crate::schedule::primitive::layout::set_scope;

/// The most bytes of local buffers on the stack of a CPU thread: a panel in its second-level cache, and tiles in the
/// first.
pub const STACK_BYTES: i64 = 640 * 1024;
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
        let split = branches::split(function);
        let mut state = State::new(function, Box::new(Direct))?;
        let mut used = ScopeMemory::of(state.summary());
        let mut candidates = state.own_buffers();
        candidates.retain(|(buffer, _)| !scopes(state.summary(), *buffer).is_empty());
        for (_, own) in candidates {
            let Some(buffer) = state.focus_on(&own)? else { continue };
            let old = state.buffer(buffer);
            if !buffer_remap::is_packed(old) {
                continue;
            }
            let Some(plan) = narrowed(state.summary(), buffer, &used) else { continue };
            let new = match &plan.smaller {
                Some(smaller) => buffer_remap::apply_alone(&mut state, smaller)?,
                None => old.defining_op(),
            };
            let Some(new) = new else { continue };
            let number = Type::integer(state.context(), 32);
            new.set_attribute("scope", Attribute::integer(number, plan.scope as i64));
            used = plan.used;
            counts.add(if plan.scope == Scope::Local { LOCAL } else { SHARED }, 1);
            state.outdate();
        }
        branches::join(function, &split);
        Ok(())
    }
}

/// The change of a buffer.
struct BufferMove {
    scope: Scope,
    /// The smaller buffer, if one instance needs less than the whole buffer.
    smaller: Option<BufferRemap>,
    /// The memory that is then used.
    used: ScopeMemory,
}

/// The schedule blocks that access a buffer.
fn users(summary: &Summary, buffer: BufferId) -> Vec<NodeId> {
    let uses = |block: &Block| block.accesses().iter().any(|access| access.buffer == buffer);
    summary.blocks().filter(|(_, block)| uses(block)).map(|(node, _)| node).collect()
}

/// The scopes of which each user of a buffer is in a loop whose iterations have instances of their own; part of (C1).
fn scopes(summary: &Summary, buffer: BufferId) -> Vec<Scope> {
    let narrower: &[Scope] = match summary.buffers[buffer].scope {
        Some(Scope::Global) => &[Scope::Local, Scope::Shared],
        Some(Scope::Shared) => &[Scope::Local],
        Some(Scope::Local) | None => &[],
    };
    let users = users(summary, buffer);
    let owns = |scope: &Scope| users.iter().all(|n| scope::owner(summary, *scope, *n).is_some());
    narrower.iter().copied().filter(|scope| !users.is_empty() && owns(scope)).collect()
}

fn narrowed(summary: &Summary, buffer: BufferId, used: &ScopeMemory) -> Option<BufferMove> {
    let old = summary.buffers[buffer].scope?;
    let users = users(summary, buffer);
    scopes(summary, buffer).into_iter().find_map(|scope| {
        // (C1), (C2)
        let mut proofs = Proofs::default();
        let check = set_scope::check_instances(summary, buffer, (old, scope), &users, &mut proofs);
        check.is_ok().then_some(())?;
        // (C3)
        let mut of_scope = summary.clone();
        of_scope.buffers[buffer].scope = Some(scope);
        let smaller = compacted(&of_scope, buffer).map(|(smaller, _)| smaller);
        if let Some(smaller) = &smaller {
            let shape: Vec<_> = smaller.shape.iter().cloned().map(Some).collect();
            of_scope.buffers[buffer].allocated = shape.clone();
            of_scope.buffers[buffer].shape = shape;
        }
        let is_placed = scope != Scope::Local || is_in_registers(summary, buffer, smaller.as_ref());
        let used = used.with(&summary.buffers[buffer], -1).with(&of_scope.buffers[buffer], 1);
        let is_placed = is_placed && used.has_room(scope);
        is_placed.then_some(BufferMove { scope, smaller, used })
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

/// The memory that the buffers of a function take.
#[derive(Clone, Copy, Debug, Default)]
struct ScopeMemory {
    local: Total,
    shared: Total,
    /// True if loops are bound to threads: the memory of a thread is then its registers.
    has_threads: bool,
}

/// The bytes of some buffers, and the number of those whose size is not known.
#[derive(Clone, Copy, Debug, Default)]
struct Total {
    bytes: i64,
    unknown: i64,
}

impl ScopeMemory {
    fn of(summary: &Summary) -> Self {
        let mut loops = summary.nodes.keys().filter_map(|node| summary.as_loop(node));
        let has_threads = loops.any(|this| this.thread.is_some());
        let none = ScopeMemory { has_threads, ..ScopeMemory::default() };
        summary.buffers.values().fold(none, |sum, buffer| sum.with(buffer, 1))
    }

    /// With a buffer `count` times, which is -1 to leave it out.
    fn with(mut self, buffer: &Buffer, count: i64) -> Self {
        let total = match buffer.scope {
            Some(Scope::Local) => &mut self.local,
            Some(Scope::Shared) => &mut self.shared,
            _ => return self,
        };
        match set_scope::bytes(buffer) {
            Some(bytes) => total.bytes = total.bytes.saturating_add(bytes.saturating_mul(count)),
            None => total.unknown += count,
        }
        self
    }

    /// True if the buffers of a scope fit into its memory.
    fn has_room(self, scope: Scope) -> bool {
        let (total, most) = match scope {
            // More would reduce the number of resident thread blocks, and exceed the limit of some devices.
            Scope::Shared => (self.shared, STATIC_SHARED),
            _ if self.has_threads => (self.local, REGISTER_BYTES),
            _ => (self.local, STACK_BYTES),
        };
        total.unknown == 0 && total.bytes <= most
    }
}
