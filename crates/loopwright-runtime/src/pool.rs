//! A pool of threads that share the iterations of a loop.
//!
//! ```text
//! parallel_for(n, grain, body)  ->  body(0..a) on the caller, body(a..b) on a worker, ..., body(z..n)
//! ```
//! - The caller works too, and waits only for chunks that a worker has begun: a worker that is still asleep when
//!   the work is done costs nothing but its wake-up call (`src/ffi/board.rs` has the argument).
//! - A pool serves one loop at a time. A loop that is met while another runs, by another thread or inside
//!   a body, runs serially on its caller: correct, and no thread ever waits for a thread that waits.
//! - `pool/model.rs` runs it in every order of two and three threads.
//! - Nothing is global: who makes a pool chooses its threads, and dropping it joins them.
//!
//! A worker that finds no work spins for 50 us, so that loops that follow one another cost no system call,
//! then sleeps. `examples/pool_overhead.rs` measures what a loop costs: with two threads, 0.1 us if workers spin,
//! 2 to 4 us if one has to be woken. That one arrives 25 us later or more; on a virtual machine it was often put
//! on the caller's own processor, where it was of no use for the first millisecond.

use crate::ffi::board::{Board, Padded, spin_until};
use crate::sync::{AtomicBool, Ordering, between_seq_cst, thread};
use std::io;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;
use thread::JoinHandle;

/// How long a thread without work spins before it sleeps.
const SPIN: Duration = Duration::from_micros(50);

/// Chunks a thread, where the grain allows: with this many, a thread that is late or slow delays the end by
/// about an eighth of its share.
const CHUNKS_PER_THREAD: usize = 8;

/// Why a pool cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum PoolError {
    /// The system gives no more threads; those that had been started are joined.
    #[error("cannot start thread {started} of {expected} of a pool: {source}")]
    Thread { started: usize, expected: NonZeroUsize, source: io::Error },
}

/// Threads that run loops in parallel. Shared by reference; dropping it joins its threads.
pub struct Pool {
    shared: Arc<Shared>,
    workers: Vec<JoinHandle<()>>,
}

struct Shared {
    board: Board,
    /// Of each worker, whether it sleeps or is about to.
    sleeps: Vec<Padded<AtomicBool>>,
    is_ending: AtomicBool,
}

impl Pool {
    /// A pool that runs loops on `threads` threads: the caller's own and as many as are missing.
    ///
    /// # Errors
    /// If the system does not give that many threads.
    pub fn new(threads: NonZeroUsize) -> Result<Pool, PoolError> {
        let shared = Arc::new(Shared {
            board: Board::default(),
            sleeps: (1..threads.get()).map(|_| Padded::default()).collect(),
            is_ending: AtomicBool::new(false),
        });
        let mut pool = Pool { shared, workers: vec![] };
        for worker in 0..threads.get() - 1 {
            let shared = Arc::clone(&pool.shared);
            let builder = thread::Builder::new().name(format!("loopwright-{}", worker + 1));
            let thread = builder.spawn(move || shared.work(worker)).map_err(|source| {
                PoolError::Thread { started: worker + 1, expected: threads, source }
            })?;
            pool.workers.push(thread);
        }
        Ok(pool)
    }

    /// The threads that a loop can run on, its caller among them.
    pub fn threads(&self) -> NonZeroUsize {
        NonZeroUsize::MIN.saturating_add(self.workers.len())
    }

    /// Calls `body` for consecutive ranges that together are `0..n`, in any order, on any threads; returns
    /// when all calls have. No range has fewer than `grain` indices (less than 1 counts as 1), save the one
    /// of a shorter loop. No call for an `n` below 1.
    ///
    /// A loop of few iterations is one call on this thread; so is one that finds the pool at work.
    ///
    /// # Panics
    /// If `body` does, with the payload of the first; first all other calls are made. The pool stays usable.
    pub fn parallel_for(&self, n: i64, grain: i64, body: &(dyn Fn(Range<i64>) + Sync)) {
        if n < 1 {
            return;
        }
        let chunks = self.chunks(n, grain);
        let run_chunk = |chunk| body(range_of(chunk, chunks, n));
        let wake = || self.wake(chunks - 1);
        if chunks < 2 || !self.shared.board.try_run(chunks, &run_chunk, SPIN, wake) {
            body(0..n);
        }
    }

    fn chunks(&self, n: i64, grain: i64) -> usize {
        if self.workers.is_empty() {
            return 1;
        }
        let allowed = usize::try_from(n / grain.max(1)).unwrap_or(usize::MAX);
        allowed.clamp(1, self.threads().get().saturating_mul(CHUNKS_PER_THREAD))
    }

    /// Wakes up to so many of the workers that sleep.
    fn wake(&self, at_most: usize) {
        let sleeping = self.shared.sleeps.iter().zip(&self.workers).filter(|(sleeps, _)| {
            // SeqCst for the reason that `board` gives; the swap only where it is worth its price.
            sleeps.0.load(Ordering::SeqCst) && sleeps.0.swap(false, Ordering::SeqCst)
        });
        sleeping.take(at_most).for_each(|(_, worker)| worker.thread().unpark());
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.is_ending.store(true, Ordering::SeqCst);
        for worker in self.workers.drain(..) {
            // Also one that is not asleep yet: its next `park` returns at once.
            worker.thread().unpark();
            worker.join().expect("a worker catches the panics of bodies");
        }
    }
}

impl Shared {
    /// The life of a worker.
    fn work(&self, worker: usize) {
        let is_wanted = || self.board.has_work() || self.is_ending.load(Ordering::SeqCst);
        while !self.is_ending.load(Ordering::SeqCst) {
            self.board.help();
            if spin_until(SPIN, is_wanted) {
                continue;
            }
            let sleeps = &self.sleeps[worker].0;
            sleeps.store(true, Ordering::SeqCst);
            between_seq_cst();
            if !is_wanted() {
                // It may return for no reason: then the worker spins once more.
                thread::park();
            }
            sleeps.store(false, Ordering::SeqCst);
        }
    }
}

/// Chunk number `chunk` of `0..n`; the first few have one index more. Needs 1 <= `chunks` <= `n`.
fn range_of(chunk: usize, chunks: usize, n: i64) -> Range<i64> {
    let (chunk, chunks) = (chunk as i64, chunks as i64);
    let (length, longer) = (n / chunks, n % chunks);
    let begin = |chunk: i64| chunk * length + chunk.min(longer);
    begin(chunk)..begin(chunk + 1)
}

#[cfg(all(test, not(loom)))]
mod tests;

#[cfg(all(test, loom))]
mod model;
