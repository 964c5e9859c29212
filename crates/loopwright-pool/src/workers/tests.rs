//! Loops on the threads of a caller: the same ranges as those of a pool of this crate, whatever the threads do.

use super::*;
use crate::rayon::CurrentRayon;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::Barrier;
use std::thread;

/// Starts a thread for each call.
struct Scoped(usize);

impl Workers for Scoped {
    fn threads(&self) -> NonZeroUsize {
        NonZeroUsize::new(self.0).expect("at least one")
    }

    fn run(&self, calls: usize, work: &(dyn Fn() + Sync)) {
        thread::scope(|scope| {
            (1..calls).for_each(|_| drop(scope.spawn(work)));
            work();
        });
    }
}

/// How workers run work.
type RunWork = fn(usize, &(dyn Fn() + Sync));

/// Workers of two threads that run work in a wrong way.
struct Wrong(RunWork);

impl Workers for Wrong {
    fn threads(&self) -> NonZeroUsize {
        NonZeroUsize::new(2).expect("not 0")
    }

    fn run(&self, calls: usize, work: &(dyn Fn() + Sync)) {
        (self.0)(calls, work);
    }
}

fn rayon(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(threads).build().expect("a few threads")
}

fn pool(threads: usize) -> Pool {
    Pool::new(NonZeroUsize::new(threads).expect("at least one")).expect("a few threads")
}

/// Each kind of threads, with so many.
fn all(threads: usize) -> [Box<dyn ParallelFor>; 3] {
    [Box::new(pool(threads)), Box::new(rayon(threads)), Box::new(Scoped(threads))]
}

/// The ranges that a loop is divided into, in order.
fn ranges(threads: &dyn ParallelFor, n: i64, grain: i64) -> Vec<Range<i64>> {
    let ranges = Mutex::new(vec![]);
    threads.parallel_for(n, grain, &|range| ranges.lock().expect("no panic").push(range));
    let mut ranges = ranges.into_inner().expect("no panic");
    ranges.sort_by_key(|range| range.start);
    ranges
}

#[test]
fn ranges_are_those_of_a_pool() {
    for threads in [1, 2, 3, 5] {
        let [pool, rayon, scoped] = all(threads);
        for n in [i64::MIN, -1, 0, 1, 2, 7, 40, 41, 1000, i64::MAX] {
            for grain in [i64::MIN, 0, 1, 2, 7, 20, 41, i64::MAX] {
                let expected = ranges(&*pool, n, grain);
                let is_whole = |range: &Range<i64>| *range == (0..n);
                let length = |range: &Range<i64>| range.end - range.start;
                assert!(expected.iter().all(|it| length(it) >= grain || is_whole(it)));
                for other in [&rayon, &scoped] {
                    assert_eq!(ranges(&**other, n, grain), expected, "{threads} {n} {grain}");
                }
            }
        }
    }
}

#[test]
fn one_thread_runs_a_loop_at_once() {
    let caller = thread::current().id();
    for threads in all(1) {
        assert_eq!(threads.threads().get(), 1);
        threads.parallel_for(100, 1, &|range| {
            assert_eq!((range, thread::current().id()), (0..100, caller));
        });
    }
}

#[test]
fn several_threads_take_part() {
    // Each of the two chunks waits for the other one: a single thread would never end.
    let both = Barrier::new(2);
    for threads in all(2) {
        for _ in 0..50 {
            threads.parallel_for(2, 1, &|_| {
                both.wait();
            });
        }
    }
}

#[test]
fn nested_loops_run_on_the_thread_of_the_body() {
    for threads in all(3) {
        let visits: Vec<_> = (0..20 * 30).map(|_| AtomicUsize::new(0)).collect();
        for _ in 0..50 {
            threads.parallel_for(20, 1, &|rows| {
                for row in rows {
                    let outer = thread::current().id();
                    threads.parallel_for(30, 1, &|columns| {
                        assert_eq!((columns.clone(), thread::current().id()), (0..30, outer));
                        for column in columns {
                            visits[(row * 30 + column) as usize].fetch_add(1, Ordering::Relaxed);
                        }
                    });
                }
            });
        }
        assert!(visits.iter().all(|count| count.load(Ordering::Relaxed) == 50));
        // Afterwards the caller's loops are parallel again.
        assert!(ranges(&*threads, 20, 1).len() > 1);
    }
}

#[test]
fn the_caller_may_be_a_thread_of_rayon() {
    let rayon = rayon(2);
    rayon.install(|| {
        assert_eq!(ParallelFor::threads(&CurrentRayon).get(), 2);
        for threads in [&rayon as &dyn ParallelFor, &CurrentRayon] {
            assert_eq!(ranges(threads, 100, 1), ranges(&pool(2), 100, 1));
        }
    });
    assert_eq!(ranges(&CurrentRayon, 100, 100), ranges(&pool(1), 100, 1));
}

/// Panics without the message that `panic!` prints.
fn raise(message: &'static str) {
    panic::resume_unwind(Box::new(message))
}

fn panic_of(threads: &dyn ParallelFor, body: &(dyn Fn(Range<i64>) + Sync)) -> &'static str {
    let run = || threads.parallel_for(40, 1, body);
    let payload = panic::catch_unwind(AssertUnwindSafe(run)).expect_err("it panics");
    payload.downcast_ref::<&'static str>().expect("a message")
}

#[test]
fn a_panic_reaches_the_caller_after_all_chunks() {
    for threads in [1, 2, 4].into_iter().flat_map(all) {
        for at in 0..40 {
            let visited = AtomicUsize::new(0);
            let message = panic_of(&*threads, &|range| {
                visited.fetch_add((range.end - range.start) as usize, Ordering::Relaxed);
                if range.contains(&at) {
                    raise("a body");
                }
            });
            assert_eq!((message, visited.into_inner()), ("a body", 40));
            assert_eq!(ranges(&*threads, 40, 40), ranges(&pool(1), 40, 1));
        }
    }
}

#[test]
fn whatever_the_workers_do_each_index_is_visited_once() {
    let wrong: [RunWork; 3] = [
        |_, _| {},
        |calls, work| (0..calls * 10).for_each(|_| work()),
        |_, work| thread::scope(|scope| (0..9).for_each(|_| drop(scope.spawn(work)))),
    ];
    for workers in wrong.map(Wrong) {
        assert_eq!(ranges(&workers, 100, 1), ranges(&pool(2), 100, 1));
    }
    let visited = AtomicUsize::new(0);
    let message = panic_of(&Wrong(|_, _| raise("the workers")), &|range| {
        visited.fetch_add(range.count(), Ordering::Relaxed);
    });
    assert_eq!((message, visited.into_inner()), ("the workers", 40));
}
