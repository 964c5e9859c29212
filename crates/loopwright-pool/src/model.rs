//! Model checking of the thread pool with loom: every order of its threads, and every value that a load may return,
//! with up to one to three preemptions, as each test states.
//!
//! ```text
//! RUSTFLAGS="--cfg loom" CARGO_TARGET_DIR=target/loom cargo test -p loopwright-pool --lib
//! ```
//! loom ends a run with an error if all threads wait (a lost wake-up), or if an access to an `UnsafeCell` is not
//! ordered with another one (a caller that returned too early). loom has no time: instead of spinning, a thread looks
//! once.

use super::*;
use crate::ffi::board::model::Visits as Cell;
use loom::sync::{Condvar, Mutex};
use std::panic::{self, AssertUnwindSafe};

fn check(preemptions: usize, model: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(preemptions);
    builder.max_branches = 10_000;
    builder.check(model);
}

fn pool(threads: usize) -> Pool {
    Pool::new(NonZeroUsize::new(threads).expect("at least one")).expect("loom gives a few")
}

/// One cell per chunk; loom tracks accesses to it.
struct Visits(Vec<Cell>);

impl Visits {
    fn new(chunks: usize) -> Visits {
        Visits((0..chunks).map(|_| Cell::default()).collect())
    }

    fn visit(&self, chunk: i64) {
        self.0[chunk as usize].add_one();
    }

    fn all_are(&self, expected: usize) {
        assert!(self.0.iter().all(|cell| cell.count() == expected));
    }
}

#[test]
fn each_chunk_is_run_once_before_the_caller_returns() {
    check(2, || {
        let pool = pool(2);
        let visits = Visits::new(2);
        for round in 1..=2 {
            pool.parallel_for(2, 1, &|range| range.for_each(|i| visits.visit(i)));
            visits.all_are(round);
        }
    });
}

#[test]
fn two_workers_and_the_caller() {
    check(1, || {
        let pool = pool(3);
        let visits = Visits::new(3);
        pool.parallel_for(3, 1, &|range| range.for_each(|i| visits.visit(i)));
        visits.all_are(1);
    });
}

#[test]
fn a_worker_that_sleeps_is_woken() {
    check(3, || {
        let pool = pool(2);
        let (begun, more) = (Mutex::new(0), Condvar::new());
        // Each of the two chunks waits for the other one to begin.
        pool.parallel_for(2, 1, &|_| {
            let mut begun = begun.lock().expect("no panic");
            *begun += 1;
            more.notify_all();
            while *begun < 2 {
                begun = more.wait(begun).expect("no panic");
            }
        });
    });
}

#[test]
fn a_second_caller_runs_alone() {
    check(2, || {
        let pool = Arc::new(pool(2));
        let other = {
            let pool = Arc::clone(&pool);
            thread::spawn(move || {
                let visits = Visits::new(2);
                pool.parallel_for(2, 1, &|range| range.for_each(|i| visits.visit(i)));
                visits.all_are(1);
            })
        };
        let visits = Visits::new(2);
        pool.parallel_for(2, 1, &|range| range.for_each(|i| visits.visit(i)));
        visits.all_are(1);
        other.join().expect("no panic");
    });
}

#[test]
fn a_panic_arrives_after_all_chunks() {
    check(2, || {
        let pool = pool(2);
        let visits = Visits::new(2);
        let outcome = panic::catch_unwind(AssertUnwindSafe(|| {
            pool.parallel_for(2, 1, &|range| {
                range.clone().for_each(|i| visits.visit(i));
                if range.start == 0 {
                    panic::resume_unwind(Box::new("chunk 0"));
                }
            });
        }));
        let payload = outcome.expect_err("it panics");
        assert_eq!(payload.downcast_ref(), Some(&"chunk 0"));
        visits.all_are(1);
    });
}

#[test]
fn a_pool_ends_wherever_its_workers_are() {
    check(3, || drop(pool(2)));
    check(2, || drop(pool(3)));
}
