//! Allocation of buffers: once for the function, or in each iteration of a parallel loop.

use super::bound::element_bytes;
use super::emitter::{Emitter, parallel_around};
use crate::dialect::loop_enums::Scope;
use crate::dialect::loop_op::{Buffer, For, ScheduleBlock};
use crate::ir::{Attribute, Builder, Error, Op, Type, Value, is_inside, parents};
use crate::nest::facts::scope;

impl<'c> Emitter<'c> {
    /// Allocates a `loop.buffer`, or defers the allocation to the parallel loops that use it. It is deferred if
    /// the buffer belongs to a thread or thread block and all its uses are there. Uses outside of parallel
    /// loops share one buffer.
    pub fn plan_buffer(&mut self, op: Op<'c>) -> Result<(), Error<'c>> {
        let view = Buffer::of(op)?;
        check_padding(&view)?;
        let users = accesses(op);
        let are_own = users.iter().all(|user| is_in_owner(view.scope, *user));
        let at_once = users.iter().filter(|user| of_its_own(view.scope, **user).is_some()).count();
        if !are_own || at_once == 0 {
            self.allocate(&view);
            return Ok(());
        }
        let bytes = bytes(view.allocated().0).unwrap_or(0);
        if bytes > PRIVATE_BYTES {
            let message = format!(
                "\"{}\" takes {bytes} bytes of stack in each iteration of a parallel loop, expected at \
                 most {PRIVATE_BYTES} (C4)",
                view.name
            );
            return Err(Error::on(op, message));
        }
        if !view.dynamic_dims.is_empty() {
            return Err(Error::on(
                op,
                format!(
                    "\"{}\" is of dynamic size, expected a static size, because each iteration of a \
                     parallel loop needs its own (C4)",
                    view.name
                ),
            ));
        }
        self.private.push(op);
        if at_once < users.len() {
            self.allocate(&view);
        }
        Ok(())
    }

    /// Replaces a buffer by `memref.alloc`.
    pub fn allocate(&mut self, view: &Buffer<'c>) {
        let op = view.op;
        let at = Builder::before(op, op.location());
        let (ty, dynamic) = view.allocated();
        let sizes = self.bounds(&dynamic, &view.sizes, 0);
        let sizes: Vec<_> = sizes.iter().map(|size| self.emit_index(size, at)).collect();
        let spec = at.spec("memref.alloc").operands(&sizes).segments(&[sizes.len(), 0]);
        let spec = spec.attribute("alignment", alignment(view)).results(&[ty]);
        let new = at.value(spec);
        self.values.insert(op.result(0), new);
    }

    /// Allocates the private buffers of a parallel loop; returns the values that represent them outside of the
    /// loop.
    pub fn private_buffers(
        &mut self,
        parallel: Op<'c>,
        at: Builder<'c>,
    ) -> Result<Vec<(Value<'c>, Value<'c>)>, Error<'c>> {
        let mut outside = vec![];
        for op in self.private.clone() {
            let view = Buffer::of(op)?;
            let is_own = |user: Op| of_its_own(view.scope, user) == Some(parallel);
            if accesses(op).into_iter().any(is_own) {
                let spec = at.spec("memref.alloca").segments(&[0, 0]);
                let spec = spec.attribute("alignment", alignment(&view));
                let new = at.value(spec.results(&[view.allocated().0]));
                let old = self.values.insert(op.result(0), new);
                outside.extend(old.map(|old| (op.result(0), old)));
            }
        }
        Ok(outside)
    }

    /// Erases the buffers after the nests are erased; remaining uses refer to the new buffers.
    pub fn erase_buffers(&self, buffers: &[Op<'c>]) {
        for op in buffers {
            if let Some(new) = self.values.get(&op.result(0)) {
                op.result(0).replace_all_uses_with(*new);
            }
            op.erase();
        }
    }
}

/// A padded buffer has a different type once it is allocated, which only loads and stores accept: (C4)
pub(crate) fn check_padding<'c>(view: &Buffer<'c>) -> Result<(), Error<'c>> {
    let is_access = |op: &Op<'c>| {
        op.is(ScheduleBlock::NAME)
            || matches!(op.name(), "memref.load" | "memref.store")
                && parents(*op).any(|parent| parent.is(ScheduleBlock::NAME))
    };
    let mut users = view.op.result(0).uses().into_iter().map(|(user, _)| user);
    match users.find(|user| view.is_padded() && !is_access(user)) {
        Some(user) => Err(Error::on(
            view.op,
            format!(
                "\"{}\" is padded, but '{}' uses it without the padding (C4)",
                view.name,
                user.name()
            ),
        )),
        None => Ok(()),
    }
}

/// The users of a buffer except schedule blocks, because a block may enclose a loop with private buffers.
pub(crate) fn accesses(buffer: Op) -> Vec<Op> {
    let users = buffer.result(0).uses().into_iter().map(|(user, _)| user);
    users.filter(|user| !user.is(ScheduleBlock::NAME)).collect()
}

/// The size in bytes of the largest private buffer in each iteration of a parallel loop; it is on the stack of
/// its thread.
const PRIVATE_BYTES: i64 = 512 * 1024;

/// True if the op is nested in a loop whose iterations have private buffers of the scope.
fn is_in_owner(scope: Scope, op: Op) -> bool {
    owner(scope, op).is_some()
}

/// The innermost enclosing loop whose iterations have private buffers of the scope.
fn owner<'c>(scope: Scope, op: Op<'c>) -> Option<Op<'c>> {
    let owns = |this: &For| scope::owns(scope, this.kind, this.thread);
    let mut loops = parents(op).filter(|parent| parent.is(For::NAME));
    loops.find(|parent| For::of(*parent).is_ok_and(|this| owns(&this)))
}

/// The parallel loop whose iterations have a private buffer where an op uses it: the outermost enclosing one.
/// None if all its iterations are in one iteration of the owner of the buffer, as in a thread block.
fn of_its_own<'c>(scope: Scope, op: Op<'c>) -> Option<Op<'c>> {
    let parallel = parallel_around(op)?;
    let owner = owner(scope, op)?;
    (owner == parallel || is_inside(owner, parallel)).then_some(parallel)
}

/// The size of a static buffer in bytes.
pub(crate) fn bytes(ty: Type) -> Option<i64> {
    let (dims, element) = ty.shaped()?;
    let element = element_bytes(element);
    dims.into_iter().try_fold(element, |bytes, dim| Some(bytes.saturating_mul(dim?)))
}

fn alignment<'c>(view: &Buffer<'c>) -> Attribute<'c> {
    // At least a cache line.
    let bytes = view.alignment.unwrap_or(64).max(64);
    Attribute::integer(Type::integer(view.op.context(), 64), bytes)
}
