//! A thread pool that distributes the iterations of a parallel loop.
//!
//! ```text
//! parallel_for(n, grain, body)  ->  body(0..a) on the caller, body(a..b) on a worker, ..., body(z..n)
//! ```
//! - The caller works too, and waits only for chunks that a worker has begun. A worker that is still asleep when the
//!   work is done costs only its wake-up call (`src/ffi/board.rs` has the argument).
//! - The caller begins with the first half of the iterations and workers with the second, so that a thread has about the same part
//!   of consecutive loops, and finds in its caches what it wrote.
//! - A pool runs one loop at a time. A loop that starts while another one runs, on another thread or inside a body,
//!   runs serially on its caller. This is correct, and no thread ever waits for a waiting thread.
//! - `model.rs` checks it in every order of two and three threads.
//! - There is no global state: the creator of a pool chooses its threads, and dropping the pool joins them.
//! - A program that has threads of its own implements [`Workers`] for them: the same loops run there. The feature `rayon`
//!   has an implementation for rayon's pools.
//!
//! A worker that finds no work spins for 50 us, so that consecutive loops cost no system call, then sleeps.
//! `examples/pool_overhead.rs` measures the overhead of a loop: with two threads, 0.1 us if workers spin, 2 to 4 us if
//! one must be woken. A woken worker arrives 25 us later or more. On a virtual machine it was often scheduled on the
//! caller's own processor, and did no work for the first millisecond.

mod ffi;
#[cfg(any(feature = "rayon", all(test, not(loom))))]
pub mod rayon;
mod sync;
mod workers;

pub use workers::{ParallelFor, Workers};

use crate::ffi::board::{Board, End, Padded, spin_until};
use crate::sync::{AtomicBool, Ordering, between_seq_cst, thread};
use std::io;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;
use thread::JoinHandle;

/// How long a thread without work spins before it sleeps.
const SPIN: Duration = Duration::from_micros(50);

/// Chunks per thread, if the grain permits: with 8 chunks, a late or slow thread delays the end by about an eighth of
/// its share.
const CHUNKS_PER_THREAD: usize = 8;

/// Why a pool cannot be created.
#[derive(Debug, thiserror::Error)]
pub enum PoolError {
    /// The system cannot start more threads; the threads that were started have been joined.
    #[error("cannot start thread {started} of {expected} of a pool: {source}")]
    Thread {
        /// The number of the thread that cannot be started, from 0.
        started: usize,
        /// The number of threads of the pool.
        expected: NonZeroUsize,
        /// The system error.
        source: io::Error,
    },
}

/// Threads that run loops in parallel. Shared by reference; dropping it joins its threads.
pub struct Pool {
    shared: Arc<Shared>,
    workers: Vec<JoinHandle<()>>,
}

struct Shared {
    board: Board,
    /// For each worker, true if it sleeps or is about to.
    sleeps: Vec<Padded<AtomicBool>>,
    is_ending: AtomicBool,
}

impl Pool {
    /// Creates a pool that runs loops on `threads` threads: the caller's thread and `threads - 1` workers.
    ///
    /// # Errors
    /// If the system cannot start that many threads.
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

    /// The number of threads that a loop can run on, including its caller.
    pub fn threads(&self) -> NonZeroUsize {
        NonZeroUsize::MIN.saturating_add(self.workers.len())
    }

    /// Calls `body` for consecutive ranges that together are `0..n`, in any order, on any threads; returns when all
    /// calls have returned. No range has fewer than `grain` indices (less than 1 counts as 1), unless the whole loop is
    /// shorter. `body` is not called for `n` below 1.
    ///
    /// A loop of few iterations is one call on this thread; so is one that finds the pool busy.
    ///
    /// # Panics
    /// If `body` panics, with the payload of the first panic, after all other calls have returned. The pool stays
    /// usable.
    pub fn parallel_for(&self, n: i64, grain: i64, body: &(dyn Fn(Range<i64>) + Sync)) {
        if n < 1 {
            return;
        }
        let chunks = chunks(self.threads(), n, grain);
        let run_chunk = |chunk| body(range_of(in_order(chunk, chunks), chunks, n));
        let wake = || self.wake(chunks - 1);
        if chunks < 2 || !self.shared.board.try_run(chunks, &run_chunk, SPIN, wake) {
            body(0..n);
        }
    }

    /// Wakes at most this many of the sleeping workers.
    fn wake(&self, at_most: usize) {
        let sleeping = self.shared.sleeps.iter().zip(&self.workers).filter(|(sleeps, _)| {
            // SeqCst for the reason that `board` gives. The load first avoids the more expensive swap.
            sleeps.0.load(Ordering::SeqCst) && sleeps.0.swap(false, Ordering::SeqCst)
        });
        sleeping.take(at_most).for_each(|(_, worker)| worker.thread().unpark());
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.is_ending.store(true, Ordering::SeqCst);
        for worker in self.workers.drain(..) {
            // This also works for a worker that is not asleep yet: its next `park` returns at once.
            worker.thread().unpark();
            worker.join().expect("a worker catches the panics of bodies");
        }
    }
}

impl Shared {
    /// The main loop of a worker.
    fn work(&self, worker: usize) {
        let is_wanted = || self.board.has_work() || self.is_ending.load(Ordering::SeqCst);
        while !self.is_ending.load(Ordering::SeqCst) {
            self.board.help(End::Last);
            if spin_until(SPIN, is_wanted) {
                continue;
            }
            let sleeps = &self.sleeps[worker].0;
            sleeps.store(true, Ordering::SeqCst);
            between_seq_cst();
            if !is_wanted() {
                // It may return spuriously: then the worker spins once more.
                thread::park();
            }
            sleeps.store(false, Ordering::SeqCst);
        }
    }
}

/// The place of the chunk that is claimed as number `chunk`: the second half is in reverse order, so that threads that claim from the
/// end run through it forwards, as processors prefetch.
fn in_order(chunk: usize, chunks: usize) -> usize {
    let middle = chunks / 2;
    match chunk < middle {
        true => chunk,
        false => middle + (chunks - 1 - chunk),
    }
}

/// The number of chunks of a loop on so many threads.
fn chunks(threads: NonZeroUsize, n: i64, grain: i64) -> usize {
    if threads == NonZeroUsize::MIN {
        return 1;
    }
    let allowed = usize::try_from(n / grain.max(1)).unwrap_or(usize::MAX);
    allowed.clamp(1, threads.get().saturating_mul(CHUNKS_PER_THREAD))
}

/// Chunk number `chunk` of `0..n`; the first few chunks have one index more. Requires 1 <= `chunks` <= `n`.
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
