//! A board from which threads claim chunks of a parallel loop; one thread at a time owns it and offers chunks.
//!
//! ```text
//! owner:   is_taken = true; region = &on its stack; unfinished = n; unclaimed = 0..n   (the region is open)
//! owner:   unclaimed a..b -> a+1..b, run chunk a, unfinished - 1, until unclaimed is empty
//! others:  unclaimed a..b -> a..b-1, read `region`, run chunk b - 1, unfinished - 1
//! owner:   waits until unfinished = 0                                                  (the region is over)
//! ```
//! The owner begins with the first chunks and others begin with the last ones. So a thread has about the same part of loops that
//! follow each other, and finds in its own caches what it wrote before.
//!
//! A region lives on the owner's stack and its body borrows from the stack, so its address must never be used after the
//! owner has returned. Three conditions guarantee this:
//! - (C1) Nothing of a region is read before a chunk of it is claimed, and the claim is one compare-exchange of
//!   `unclaimed`. A thread that slept through any number of regions either claims a chunk of the open region or finds
//!   none. So there is no stale state that an epoch would have to detect. It is harmless if `unclaimed` changed and went back to the
//!   same range between a thread's load and its exchange, because the range alone tells the chunk.
//! - (C2) The owner returns only when `unfinished` is 0, that is, when each claimed chunk has ended. It waits for
//!   chunks, not for threads: it does not wait for a thread that claimed nothing.
//! - (C3) The region of a chunk is not accessed after the chunk was subtracted from `unfinished`.
//!
//! The memory ordering:
//! - The owner writes `region` and `unfinished`, then stores `unclaimed` (release). A claim reads that store or a later
//!   claim (compare-exchanges continue its release sequence), and acquires: it sees the `region` of its chunk, or a
//!   later one. A later `region` is stored only after (C2), which happens after this chunk's end.
//! - `unfinished` is subtracted with release, and all subtractions are one release sequence; the owner reads its end
//!   with acquire. So all writes of chunks, and their last use of the region, happen before the owner's return.
//! - The store to `unclaimed` and [`Board::has_work`] are SeqCst. A thread stores that it is about to sleep (SeqCst)
//!   and then looks for work. If it finds none, an owner that opens a region and then checks for sleepers sees it: if
//!   two threads each store a value and then load the value that the other one stores, at least one of them sees the
//!   other's store.

use crate::sync::{
    AtomicBool, AtomicPtr, AtomicUsize, Mutex, MutexGuard, Ordering, between_seq_cst, thread,
};
use std::any::Any;
#[cfg(not(loom))]
use std::hint;
use std::panic::{self, AssertUnwindSafe};
use std::ptr;
use std::sync::PoisonError;
use std::time::Duration;
#[cfg(not(loom))]
use std::time::Instant;

/// A value that shares no cache line with another value, nor the adjacent line, which is fetched with it.
#[derive(Default)]
#[repr(align(128))]
pub(crate) struct Padded<T>(pub T);

/// The bit of `unfinished` that means: the owner sleeps, and the thread that finishes the last chunk must wake it.
const OWNER_SLEEPS: usize = 1 << (usize::BITS - 1);

/// Offers the chunks of one region at a time.
#[derive(Default)]
pub(crate) struct Board {
    /// The unclaimed chunks of the open region, as [`Unclaimed`].
    unclaimed: Padded<AtomicUsize>,
    /// The number of chunks of the open region that have not ended, and the bit [`OWNER_SLEEPS`].
    unfinished: Padded<AtomicUsize>,
    /// The region that was opened last; dangling after it is over.
    region: Padded<AtomicPtr<Region<'static>>>,
    /// True while a thread owns the board.
    is_taken: AtomicBool,
    /// The last owner that set [`OWNER_SLEEPS`]. The handle is never removed: a needless wake-up is harmless, but the
    /// handle might belong to a later owner.
    owner: Mutex<Option<thread::Thread>>,
}

/// A range of chunks in one word: the number of the first one in the upper half, their number in the lower half.
#[derive(Clone, Copy)]
struct Unclaimed(usize);

impl Unclaimed {
    const HALF: u32 = usize::BITS / 2;

    /// # Panics
    /// If the number needs more than half a word.
    fn all(chunks: usize) -> Self {
        assert!(chunks >> Self::HALF == 0, "{chunks} are too many chunks");
        Self(chunks)
    }

    fn count(self) -> usize {
        self.0 & ((1 << Self::HALF) - 1)
    }

    /// Takes the chunk at an end, of a range that is not empty.
    fn take(self, end: End) -> (usize, Self) {
        let first = self.0 >> Self::HALF;
        match end {
            End::First => (first, Self(self.0 + (1 << Self::HALF) - 1)),
            End::Last => (first + self.count() - 1, Self(self.0 - 1)),
        }
    }
}

/// The end of a region at which a thread claims chunks.
#[derive(Clone, Copy)]
pub(crate) enum End {
    First,
    Last,
}

struct Region<'a> {
    body: &'a (dyn Fn(usize) + Sync),
    /// A std mutex under loom too: loom's threads do not run at the same time, and none stops while it holds the mutex.
    panics: std::sync::Mutex<Vec<Box<dyn Any + Send>>>,
}

impl Board {
    /// Runs `body` for each of 0..`chunks` and returns true. Returns false and does nothing if the board is taken by
    /// another thread's region or by an outer region of this thread. `wake` is called when the region is open and
    /// [`Board::has_work`] holds. The owner works too; afterwards it waits for other threads' chunks, spinning for
    /// `spin` before it sleeps.
    ///
    /// # Panics
    /// With the payload of a chunk that panicked, after all chunks ended.
    pub fn try_run(
        &self,
        chunks: usize,
        body: &(dyn Fn(usize) + Sync),
        spin: Duration,
        wake: impl FnOnce(),
    ) -> bool {
        // The load comes first so that nested calls, of which there may be many, do not contend for the cache line.
        if self.is_taken.load(Ordering::Relaxed) || self.is_taken.swap(true, Ordering::Acquire) {
            return false;
        }
        let unclaimed = Unclaimed::all(chunks);
        let region = Region { body, panics: std::sync::Mutex::default() };
        {
            let _close = Close { board: self, spin };
            self.region.0.store(ptr::from_ref(&region).cast_mut().cast(), Ordering::Relaxed);
            self.unfinished.0.store(chunks, Ordering::Relaxed);
            self.unclaimed.0.store(unclaimed.0, Ordering::SeqCst);
            between_seq_cst();
            wake();
            // Dropping `_close` works and waits here.
        }
        let mut panics = region.panics.into_inner().unwrap_or_else(PoisonError::into_inner);
        if !panics.is_empty() {
            let first = panics.swap_remove(0);
            drop(panics);
            panic::resume_unwind(first);
        }
        true
    }

    /// True if there is a chunk to claim.
    pub fn has_work(&self) -> bool {
        Unclaimed(self.unclaimed.0.load(Ordering::SeqCst)).count() > 0
    }

    /// Runs chunks until none is left to claim. Does not panic.
    pub fn help(&self, end: End) {
        while let Some(chunk) = self.claim(end) {
            let region: *const Region<'static> = self.region.0.load(Ordering::Relaxed);
            // SAFETY: (C1) a chunk of the open region is claimed, and `region` is its address, as argued at the head of
            // the file; (C2) it lives, with all that its body borrows, until this chunk is finished; (C3) the reference
            // ends with the statement. `Region` is only read, its fields are Sync.
            unsafe { (*region).run(chunk) };
            self.finish();
        }
    }

    /// Claims a chunk.
    fn claim(&self, end: End) -> Option<usize> {
        let mut before = Unclaimed(self.unclaimed.0.load(Ordering::Relaxed));
        while before.count() > 0 {
            let (chunk, after) = before.take(end);
            let claimed = self.unclaimed.0.compare_exchange_weak(
                before.0,
                after.0,
                Ordering::Acquire,
                Ordering::Relaxed,
            );
            match claimed {
                Ok(_) => return Some(chunk),
                Err(now) => before = Unclaimed(now),
            }
        }
        None
    }

    fn finish(&self) {
        // Acquire makes the owner's handle visible: it was stored before the bit was set.
        if self.unfinished.0.fetch_sub(1, Ordering::AcqRel) == OWNER_SLEEPS + 1
            && let Some(owner) = &*self.owner()
        {
            owner.unpark();
        }
    }

    /// Waits for the chunks that other threads have claimed.
    fn wait(&self, spin: Duration) {
        let is_over = || self.unfinished.0.load(Ordering::Acquire) == 0;
        if spin_until(spin, is_over) {
            return;
        }
        *self.owner() = Some(thread::current());
        if self.unfinished.0.fetch_or(OWNER_SLEEPS, Ordering::AcqRel) == 0 {
            return;
        }
        while self.unfinished.0.load(Ordering::Acquire) != OWNER_SLEEPS {
            thread::park();
        }
    }

    fn owner(&self) -> MutexGuard<'_, Option<thread::Thread>> {
        self.owner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Region<'_> {
    fn run(&self, chunk: usize) {
        // The owner resumes the panic; the caller then sees any state that the body left broken.
        if let Err(payload) = panic::catch_unwind(AssertUnwindSafe(|| (self.body)(chunk))) {
            self.panics.lock().unwrap_or_else(PoisonError::into_inner).push(payload);
        }
    }
}

/// Ends the region when dropped. It is a guard because (C2) must hold even if `wake` panics.
struct Close<'a> {
    board: &'a Board,
    spin: Duration,
}

impl Drop for Close<'_> {
    fn drop(&mut self) {
        self.board.help(End::First);
        self.board.wait(self.spin);
        self.board.is_taken.store(false, Ordering::Release);
    }
}

/// Spins until `is_done` or for about `limit`; returns true if it is done.
///
/// It yields periodically: the thread that it waits for may have been scheduled on the same processor. Systems do that
/// if an idle virtual processor is slow to wake.
#[cfg(not(loom))]
pub(crate) fn spin_until(limit: Duration, is_done: impl Fn() -> bool) -> bool {
    // Reading the clock takes as long as a few spins, and yielding as long as a hundred.
    const SPINS_A_LOOK: usize = 16;
    const LOOKS_A_YIELD: usize = 32;
    if is_done() {
        return true;
    }
    let start = Instant::now();
    loop {
        for _ in 0..LOOKS_A_YIELD {
            for _ in 0..SPINS_A_LOOK {
                hint::spin_loop();
                if is_done() {
                    return true;
                }
            }
            if start.elapsed() > limit {
                return false;
            }
        }
        thread::yield_now();
    }
}

/// loom has no time: if it is not done at once, the limit is exceeded.
#[cfg(loom)]
pub(crate) fn spin_until(_: Duration, is_done: impl Fn() -> bool) -> bool {
    is_done()
}

/// Access to cells for `pool/model.rs`, checked by loom.
#[cfg(all(test, loom))]
pub(crate) mod model {
    use loom::cell::UnsafeCell;

    /// A cell that chunks write and the caller reads.
    #[derive(Default)]
    pub(crate) struct Visits(UnsafeCell<usize>);

    // SAFETY: loom reports accesses that are not ordered.
    unsafe impl Sync for Visits {}

    impl Visits {
        pub fn add_one(&self) {
            // SAFETY: as above; called before the region is over.
            self.0.with_mut(|count| unsafe { *count += 1 });
        }

        pub fn count(&self) -> usize {
            // SAFETY: as above.
            self.0.with(|count| unsafe { *count })
        }
    }
}
