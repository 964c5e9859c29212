//! What the thread pool is made of: of std, or of loom, which runs `pool/model.rs` in every order of threads.

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

/// Between a store and a load that are both SeqCst. loom has SeqCst fences, but takes such stores and loads for
/// release and acquire: it needs the fence to see what the machine does without.
pub(crate) fn between_seq_cst() {
    #[cfg(loom)]
    loom::sync::atomic::fence(Ordering::SeqCst);
}
