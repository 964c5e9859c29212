//! The observer that is attached to an MLIR context, for passes and transform ops.
//!
//! MLIR calls passes and transform ops without an argument of this package. What they all have is the context of their
//! op, so an observer for them is attached to the context. This slot of a context is the only handle that crosses the
//! boundary; all other code passes observers as arguments. The loop dialect owns the slot, so it lives as long as the
//! context. A context that has not loaded the dialect has no observer.

use super::pass::PassRow;
use super::pass_report::Runs;
use super::{Context, Op};
use mlir_sys::*;
use std::any::Any;
use std::ffi::c_void;
use std::sync::{Arc, PoisonError, RwLock};

/// An observer of a context. Passes may call it on several threads at once.
pub trait ContextObserver: Any + Send + Sync {
    /// Called before a pass of this package.
    fn before_pass(&self, op: Op, row: &PassRow);

    /// Called after a pass of this package that did not fail.
    fn after_pass(&self, op: Op, row: &PassRow);

    /// The list to which runs of passes are added.
    fn runs(&self) -> Option<&Runs>;
}

type AttachedObject = Arc<dyn ContextObserver>;
type AttachedSlot = RwLock<Option<AttachedObject>>;

/// An observer is attached while this lives.
#[must_use]
pub struct Attached<'c> {
    context: Context<'c>,
    before: Option<AttachedObject>,
}

/// Attaches an observer to a context. The one that was attached before is attached again afterwards.
pub fn attach<'c>(context: Context<'c>, observer: AttachedObject) -> Attached<'c> {
    // SAFETY: the context is live.
    let slot = unsafe { lwContextSlot(context.to_raw(), true) };
    Attached { context, before: exchange(slot, Some(observer)) }
}

impl Attached<'_> {
    /// Leaves the observer attached as long as the context lives.
    pub fn keep(self) {
        std::mem::forget(self);
    }
}

impl Drop for Attached<'_> {
    fn drop(&mut self) {
        // SAFETY: the context is live.
        let slot = unsafe { lwContextSlot(self.context.to_raw(), false) };
        exchange(slot, self.before.take());
    }
}

/// The observer that is attached to a context.
pub fn attached(context: Context) -> Option<AttachedObject> {
    // SAFETY: the context is live.
    let slot = unsafe { lwContextSlot(context.to_raw(), false) };
    // SAFETY: a slot that is not null is that of the loop dialect, which lives as long as its context.
    let slot = unsafe { slot.cast::<AttachedSlot>().as_ref() }?;
    slot.read().unwrap_or_else(PoisonError::into_inner).clone()
}

fn exchange(slot: *const c_void, observer: Option<AttachedObject>) -> Option<AttachedObject> {
    // SAFETY: a slot that is not null is that of the loop dialect, which lives as long as its context.
    let slot = unsafe { slot.cast::<AttachedSlot>().as_ref() }?;
    let mut slot = slot.write().unwrap_or_else(PoisonError::into_inner);
    std::mem::replace(&mut *slot, observer)
}

#[unsafe(no_mangle)]
extern "C" fn lwRustMakeSlot() -> *mut c_void {
    Box::into_raw(Box::new(AttachedSlot::default())).cast()
}

#[unsafe(no_mangle)]
extern "C" fn lwRustDropSlot(slot: *mut c_void) {
    // SAFETY: made by `lwRustMakeSlot`; the dialect drops it once.
    drop(unsafe { Box::from_raw(slot.cast::<AttachedSlot>()) });
}

unsafe extern "C" {
    fn lwContextSlot(context: MlirContext, load: bool) -> *const c_void;
}
