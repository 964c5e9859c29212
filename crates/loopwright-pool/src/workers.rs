//! Parallel loops on threads that the caller owns.
//!
//! ```text
//! parallel_for(n, grain, body)  ->  workers.run(calls, work)   work: claim a chunk a..b, body(a..b), until none is left
//! ```
//! - (C1) Each chunk is claimed once, by an atomic counter, whatever [`Workers::run`] does. If it makes too few calls, or
//!   panics, the caller runs the remaining chunks itself. So an implementation needs no `unsafe` and cannot break a loop.
//! - (C2) `work` borrows from the caller's stack. Safe code cannot keep it after [`Workers::run`] has returned, so no
//!   chunk runs later than that.
//! - A loop inside a body runs serially on the thread of the body, as in a [`Pool`].

use crate::{Pool, chunks, range_of};
use std::any::Any;
use std::cell::Cell;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Threads of a program on which the loops of kernels can run, such as those of a rayon pool.
///
/// ```
/// use loopwright_pool::{ParallelFor, Workers};
/// use std::num::NonZeroUsize;
/// use std::sync::atomic::{AtomicI64, Ordering};
/// use std::thread;
///
/// /// Starts a thread for each call.
/// struct Scoped(NonZeroUsize);
///
/// impl Workers for Scoped {
///     fn threads(&self) -> NonZeroUsize {
///         self.0
///     }
///     fn run(&self, calls: usize, work: &(dyn Fn() + Sync)) {
///         thread::scope(|scope| {
///             for _ in 1..calls {
///                 scope.spawn(work);
///             }
///             work();
///         });
///     }
/// }
///
/// let sum = AtomicI64::new(0);
/// let workers = Scoped(NonZeroUsize::new(3).expect("not 0"));
/// workers.parallel_for(1000, 10, &|range| {
///     sum.fetch_add(range.sum(), Ordering::Relaxed);
/// });
/// assert_eq!(sum.into_inner(), 499_500);
/// ```
pub trait Workers: Sync {
    /// The number of threads that a loop can run on, including its caller.
    fn threads(&self) -> NonZeroUsize;

    /// Calls `work` up to `calls` times, on several threads at the same time, and returns when all calls have returned.
    /// More or fewer calls are correct too: a call without work returns at once. `calls` is at most
    /// [`threads`](Workers::threads), and at least 2. `work` does not panic. A thread needs a stack of 2 MiB.
    fn run(&self, calls: usize, work: &(dyn Fn() + Sync));
}

/// What runs the parallel loops of a kernel: a [`Pool`], or [`Workers`] of the caller. Programs implement [`Workers`], and
/// not this trait: kernels rely on its contract for memory safety.
pub trait ParallelFor: Sync + sealed::Sealed {
    /// The number of threads that a loop can run on, including its caller.
    fn threads(&self) -> NonZeroUsize;

    /// Calls `body` for consecutive ranges that together are `0..n`: see [`Pool::parallel_for`], whose contract this is.
    ///
    /// # Panics
    /// If `body` panics, with the payload of the first panic, after all other calls have returned. If
    /// [`Workers::run`] panics, with its payload, after the whole loop.
    fn parallel_for(&self, n: i64, grain: i64, body: &(dyn Fn(Range<i64>) + Sync));
}

impl<W: Workers + Send + ?Sized> Workers for Arc<W> {
    fn threads(&self) -> NonZeroUsize {
        (**self).threads()
    }

    fn run(&self, calls: usize, work: &(dyn Fn() + Sync)) {
        (**self).run(calls, work);
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Pool {}
    impl<W: super::Workers + ?Sized> Sealed for W {}
}

impl ParallelFor for Pool {
    fn threads(&self) -> NonZeroUsize {
        Pool::threads(self)
    }

    fn parallel_for(&self, n: i64, grain: i64, body: &(dyn Fn(Range<i64>) + Sync)) {
        Pool::parallel_for(self, n, grain, body);
    }
}

impl<W: Workers + ?Sized> ParallelFor for W {
    fn threads(&self) -> NonZeroUsize {
        Workers::threads(self)
    }

    fn parallel_for(&self, n: i64, grain: i64, body: &(dyn Fn(Range<i64>) + Sync)) {
        if n < 1 {
            return;
        }
        let threads = match IS_IN_BODY.get() {
            true => NonZeroUsize::MIN,
            false => Workers::threads(self),
        };
        let chunks = chunks(threads, n, grain);
        if chunks < 2 {
            body(0..n);
            return;
        }
        let queue = Queue { n, chunks, next: AtomicUsize::new(0), panic: Mutex::default(), body };
        let work = || queue.work();
        let ran = panic::catch_unwind(AssertUnwindSafe(|| {
            Workers::run(self, chunks.min(threads.get()), &work);
        }));
        // (C1)
        work();
        let of_body = queue.panic.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(payload) = of_body.or(ran.err()) {
            panic::resume_unwind(payload);
        }
    }
}

thread_local! {
    /// True while this thread runs a chunk.
    static IS_IN_BODY: Cell<bool> = const { Cell::new(false) };
}

/// The chunks of a loop.
struct Queue<'a> {
    n: i64,
    chunks: usize,
    /// The number of the next chunk; beyond the last one if all are claimed.
    next: AtomicUsize,
    /// The payload of the first panic of the body.
    panic: Mutex<Option<Box<dyn Any + Send>>>,
    body: &'a (dyn Fn(Range<i64>) + Sync),
}

impl Queue<'_> {
    /// Runs chunks until none is left to claim. Does not panic.
    fn work(&self) {
        let was_in_body = IS_IN_BODY.replace(true);
        loop {
            // A thread that finds no chunk adds 1 too, which cannot reach the end of usize.
            let chunk = self.next.fetch_add(1, Ordering::Relaxed);
            if chunk >= self.chunks {
                break;
            }
            let run = || (self.body)(range_of(chunk, self.chunks, self.n));
            if let Err(payload) = panic::catch_unwind(AssertUnwindSafe(run)) {
                let mut first = self.panic.lock().unwrap_or_else(PoisonError::into_inner);
                first.get_or_insert(payload);
            }
        }
        IS_IN_BODY.set(was_in_body);
    }
}

#[cfg(all(test, not(loom)))]
mod tests;
