//! The synchronisation primitives of the thread pool: those of std, or those of loom, which runs `model.rs` in
//! every order of threads.

#[cfg(not(loom))]
pub(crate) use std::{
    sync::{
        Mutex, MutexGuard,
        atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering},
    },
    thread,
};

#[cfg(loom)]
pub(crate) use loom::{
    sync::{
        Mutex, MutexGuard,
        atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering},
    },
    thread,
};

/// A fence between a store and a load that are both SeqCst. loom has SeqCst fences, but treats SeqCst stores and loads
/// as release and acquire: it needs the fence, and the machine does not.
pub(crate) fn between_seq_cst() {
    #[cfg(loom)]
    loom::sync::atomic::fence(Ordering::SeqCst);
}
