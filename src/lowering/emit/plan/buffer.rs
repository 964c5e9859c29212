//! Buffers on a CPU: allocated once for the function, or private to each iteration of a parallel loop.

use super::parallel::parallel_around;
use crate::dialect::loop_enums::Scope;
use crate::dialect::loop_op::{BufferView, For, ScheduleBlock};
use crate::ir::{Error, Op, Type, is_inside, parents};
use crate::lowering::element_bytes;
use crate::nest::facts::scope;
use std::collections::{HashMap, HashSet};

/// The buffers of a function by their allocation. A buffer is in both lists if it is used in parallel loops and
/// outside of them.
pub(crate) struct Buffers<'c> {
    pub once: Vec<Op<'c>>,
    pub private: Vec<Op<'c>>,
}

/// The buffers that are private to the iterations of a parallel loop, by loop.
#[derive(Debug, Default)]
pub(crate) struct PrivateBuffers<'c> {
    /// The buffers of which each iteration of a loop has its own.
    own: HashMap<Op<'c>, Vec<Op<'c>>>,
    /// The outermost parallel loops in which one of the buffers is used, each with the first such buffer.
    users: Vec<(Op<'c>, Op<'c>)>,
}

impl<'c> PrivateBuffers<'c> {
    /// Finds the loops in which these buffers are private.
    ///
    /// # Errors
    /// If one is no valid buffer.
    pub fn of(buffers: &[Op<'c>]) -> Result<Self, Error<'c>> {
        let mut known = HashSet::new();
        let mut found = PrivateBuffers::default();
        for buffer in buffers {
            let scope = BufferView::of(*buffer)?.scope;
            for parallel in accesses(*buffer).into_iter().filter_map(|user| of_its_own(scope, user))
            {
                let own = found.own.entry(parallel).or_default();
                if own.last() != Some(buffer) {
                    own.push(*buffer);
                }
            }
            let uses = buffer.result(0).uses().into_iter();
            let around = uses.filter_map(|(user, _)| parallel_around(user));
            found.users.extend(around.filter(|of| known.insert(*of)).map(|of| (of, *buffer)));
        }
        Ok(found)
    }

    /// The buffers of which each iteration of this loop has its own.
    pub fn of_loop(&self, parallel: Op<'c>) -> &[Op<'c>] {
        self.own.get(&parallel).map(Vec::as_slice).unwrap_or_default()
    }

    /// A buffer that is private to the iterations of a parallel loop inside `outer`.
    pub fn in_loop_inside(&self, outer: Op<'c>) -> Option<Op<'c>> {
        self.users.iter().find(|(parallel, _)| is_inside(*parallel, outer)).map(|it| it.1)
    }
}

impl<'c> Buffers<'c> {
    pub fn of(buffers: &[Op<'c>]) -> Result<Self, Error<'c>> {
        let mut found = Buffers { once: vec![], private: vec![] };
        buffers.iter().try_for_each(|op| found.add(*op))?;
        Ok(found)
    }

    /// Allocates a `loop.buffer` once, or defers the allocation to the parallel loops that use it. It is deferred
    /// if the buffer belongs to a thread or thread block and all its uses are there. Uses outside of parallel
    /// loops share one buffer.
    fn add(&mut self, op: Op<'c>) -> Result<(), Error<'c>> {
        let view = BufferView::of(op)?;
        check_padding(&view)?;
        let users = accesses(op);
        let are_own = users.iter().all(|user| is_in_owner(view.scope, *user));
        let at_once = users.iter().filter(|user| of_its_own(view.scope, **user).is_some()).count();
        if !are_own || at_once == 0 {
            self.once.push(op);
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
            self.once.push(op);
        }
        Ok(())
    }
}

/// A padded buffer has a different type once it is allocated, which only loads and stores accept: (C4)
pub(crate) fn check_padding<'c>(view: &BufferView<'c>) -> Result<(), Error<'c>> {
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
