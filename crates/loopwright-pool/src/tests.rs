//! Each loop visits every index exactly once, whatever else happens at the same time.

use super::*;
use proptest::prelude::*;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicI64, AtomicUsize};
use std::sync::{Barrier, Mutex};
use std::time::Instant;

fn pool(threads: usize) -> Pool {
    Pool::new(NonZeroUsize::new(threads).expect("at least one")).expect("a few threads")
}

/// The ranges that a loop is divided into, in order. Checks that together they are `0..n`, and that none is shorter
/// than the grain.
fn ranges(pool: &Pool, n: i64, grain: i64) -> Vec<Range<i64>> {
    let ranges = Mutex::new(vec![]);
    pool.parallel_for(n, grain, &|range| ranges.lock().expect("no panic").push(range));
    let mut ranges = ranges.into_inner().expect("no panic");
    ranges.sort_by_key(|range| range.start);
    let mut next = 0;
    for range in &ranges {
        assert_eq!(range.start, next, "n = {n}, grain = {grain}");
        let length = range.end - range.start;
        assert!(length >= grain.max(1) || ranges.len() == 1, "n = {n}, grain = {grain}");
        next = range.end;
    }
    assert_eq!(next, n.max(0));
    ranges
}

/// Runs a loop that counts the visits of each index, and checks that each count is 1.
fn visit_each(pool: &Pool, n: usize, grain: i64) {
    let visits: Vec<_> = (0..n).map(|_| AtomicUsize::new(0)).collect();
    pool.parallel_for(n as i64, grain, &|range| {
        for i in range {
            visits[i as usize].fetch_add(1, Ordering::Relaxed);
        }
    });
    assert!(visits.iter().all(|count| count.load(Ordering::Relaxed) == 1), "n = {n}");
}

/// Pseudo-random numbers, by xorshift.
fn numbers(mut state: u64) -> impl FnMut(usize) -> usize {
    move |limit| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % limit as u64) as usize
    }
}

/// Neither thread goes on before the other one has its first chunk.
#[test]
fn each_thread_begins_with_its_half() {
    let pool = pool(2);
    let caller = std::thread::current().id();
    for _ in 0..20 {
        let both = Barrier::new(2);
        let firsts = Mutex::new(vec![]);
        // 16 chunks of equal size.
        pool.parallel_for(160, 1, &|range| {
            let this = std::thread::current().id();
            let is_first = {
                let mut firsts = firsts.lock().expect("no panic");
                let is_first = firsts.iter().all(|(thread, _)| *thread != this);
                if is_first {
                    firsts.push((this, range));
                }
                is_first
            };
            if is_first {
                both.wait();
            }
        });
        for (thread, range) in firsts.into_inner().expect("no panic") {
            assert_eq!(range.start, if thread == caller { 0 } else { 80 });
        }
    }
}

#[test]
fn thousands_of_loops_visit_each_index_once() {
    for threads in [1, 2, 3, 5, 16] {
        let pool = pool(threads);
        let mut number = numbers(threads as u64);
        for _ in 0..3000 {
            visit_each(&pool, number(400), number(30) as i64);
        }
    }
}

#[test]
fn loops_after_a_pause_are_as_correct() {
    let pool = pool(3);
    for pause in [0, 20, 49, 50, 51, 60, 100, 300] {
        for _ in 0..30 {
            let start = Instant::now();
            while start.elapsed() < Duration::from_micros(pause) {}
            visit_each(&pool, 100, 1);
        }
        thread::sleep(Duration::from_millis(1));
    }
}

proptest! {
    #[test]
    fn chunks_cover_the_loop(n in any::<i64>(), grain in any::<i64>(), threads in 1..5usize) {
        let pool = pool(threads);
        ranges(&pool, n, grain);
        ranges(&pool, n, 1);
        ranges(&pool, n, n / 3);
        ranges(&pool, n % 100, grain % 10);
    }
}

#[test]
fn the_extremes_do_not_overflow() {
    let pool = pool(3);
    let (min, max) = (i64::MIN, i64::MAX);
    for n in [max, max - 1, max / 2 + 1] {
        for grain in [min, -1, 0, 1, 2, max / 24, max / 24 + 1, max / 2, max - 1, max] {
            ranges(&pool, n, grain);
        }
    }
    for n in [min, min + 1, -1, 0] {
        for grain in [min, -1, 0, 1, max] {
            assert!(ranges(&pool, n, grain).is_empty());
        }
    }
}

#[test]
fn the_number_of_chunks_follows_grain_and_threads() {
    let count = |pool: &Pool, n, grain| ranges(pool, n, grain).len();
    let one = pool(1);
    assert_eq!(count(&one, 1000, 1), 1);
    let three = pool(3);
    assert_eq!((three.threads().get(), count(&three, 1_000_000, 1)), (3, 24));
    assert_eq!(count(&three, 24, 1), 24);
    assert_eq!(count(&three, 23, 1), 23);
    assert_eq!(count(&three, 100, 10), 10);
    assert_eq!((count(&three, 29, 10), count(&three, 20, 10), count(&three, 19, 10)), (2, 2, 1));
    assert_eq!((count(&three, 10, 10), count(&three, 5, 10), count(&three, 1, 1)), (1, 1, 1));
}

#[test]
fn workers_take_part() {
    let pool = pool(2);
    // Each of the two chunks waits for the other one: a single thread would never end.
    let both = Barrier::new(2);
    for _ in 0..100 {
        pool.parallel_for(2, 1, &|_| {
            both.wait();
        });
    }
}

#[test]
fn the_caller_waits_for_what_a_worker_began() {
    let pool = pool(2);
    for pause in [1, 60, 3000] {
        let ended = AtomicUsize::new(0);
        let both = Barrier::new(2);
        let caller = thread::current().id();
        pool.parallel_for(2, 1, &|_| {
            both.wait();
            if thread::current().id() != caller {
                thread::sleep(Duration::from_micros(pause));
            }
            ended.fetch_add(1, Ordering::Relaxed);
        });
        assert_eq!(ended.load(Ordering::Relaxed), 2);
    }
}

#[test]
fn nested_loops_visit_each_pair_once() {
    for threads in [1, 2, 4] {
        let (pool, other) = (pool(threads), pool(2));
        for _ in 0..50 {
            let visits: Vec<_> = (0..20 * 30).map(|_| AtomicUsize::new(0)).collect();
            pool.parallel_for(20, 1, &|rows| {
                for row in rows {
                    // An inner loop in the same pool, or in another pool.
                    let inner = if row % 2 == 0 { &pool } else { &other };
                    inner.parallel_for(30, 1, &|columns| {
                        for column in columns {
                            visits[(row * 30 + column) as usize].fetch_add(1, Ordering::Relaxed);
                        }
                    });
                }
            });
            assert!(visits.iter().all(|count| count.load(Ordering::Relaxed) == 1));
        }
    }
}

#[test]
fn several_callers_share_a_pool() {
    let pool = pool(3);
    thread::scope(|scope| {
        for caller in 0..4 {
            let pool = &pool;
            scope.spawn(move || {
                let mut number = numbers(99 + caller);
                for _ in 0..2000 {
                    visit_each(pool, number(300), number(20) as i64);
                }
            });
        }
    });
}

#[test]
fn a_caller_that_finds_the_pool_at_work_runs_alone() {
    let pool = pool(2);
    let sum = AtomicI64::new(0);
    let calls = AtomicUsize::new(0);
    pool.parallel_for(2, 1, &|_| {
        thread::scope(|scope| {
            scope.spawn(|| {
                pool.parallel_for(100, 1, &|range| {
                    calls.fetch_add(1, Ordering::Relaxed);
                    sum.fetch_add(range.sum(), Ordering::Relaxed);
                });
            });
        });
    });
    assert_eq!((sum.into_inner(), calls.into_inner()), (2 * 4950, 2));
}

/// Panics without the message that `panic!` prints.
fn raise(message: String) {
    panic::resume_unwind(Box::new(message))
}

fn panic_of(pool: &Pool, n: i64, body: &(dyn Fn(Range<i64>) + Sync)) -> String {
    let outcome = panic::catch_unwind(AssertUnwindSafe(|| pool.parallel_for(n, 1, body)));
    let payload = outcome.expect_err("it panics");
    payload.downcast_ref::<String>().expect("a formatted message").clone()
}

#[test]
fn a_panic_reaches_the_caller_after_all_chunks() {
    for threads in [1, 2, 4] {
        let pool = pool(threads);
        for at in 0..40 {
            let visited = AtomicUsize::new(0);
            let message = panic_of(&pool, 40, &|range| {
                visited.fetch_add((range.end - range.start) as usize, Ordering::Relaxed);
                if range.contains(&at) {
                    raise(format!("at {at}"));
                }
            });
            assert_eq!((message, visited.into_inner()), (format!("at {at}"), 40));
            visit_each(&pool, 40, 1);
        }
    }
}

#[test]
fn of_many_panics_one_arrives() {
    let pool = pool(3);
    for _ in 0..20 {
        let message = panic_of(&pool, 100, &|range| raise(format!("chunk {range:?}")));
        assert!(message.starts_with("chunk "), "{message}");
        // A panic propagates from the inner loop through the outer one.
        let message = panic_of(&pool, 9, &|_| pool.parallel_for(9, 1, &|_| raise("inner".into())));
        assert_eq!(message, "inner");
        visit_each(&pool, 100, 1);
    }
}

#[test]
fn pools_end_whether_their_workers_sleep_or_not() {
    for round in 0..200 {
        let pool = pool(1 + round % 4);
        if round % 2 == 0 {
            visit_each(&pool, 50, 1);
        }
        if round % 20 == 0 {
            thread::sleep(Duration::from_millis(1));
        }
    }
}

#[test]
fn a_refused_thread_is_named() {
    // Not triggered for real: a system may start thousands of threads before it refuses one.
    let error = PoolError::Thread {
        started: 3,
        expected: NonZeroUsize::MAX,
        source: io::ErrorKind::WouldBlock.into(),
    };
    let text = format!("cannot start thread 3 of {} of a pool: operation would block", usize::MAX);
    assert_eq!(error.to_string(), text);
}

#[test]
fn ten_thousand_regions_nested_on_several_pools_from_several_callers() {
    const CALLERS: usize = 4;
    const LOOPS: usize = 500;
    const OUTER: i64 = 4;
    let pools = [pool(2), pool(3), pool(5)];
    let visits = AtomicUsize::new(0);
    let regions = AtomicUsize::new(0);
    let run = |pool: &Pool, n: i64, body: &(dyn Fn(Range<i64>) + Sync)| {
        regions.fetch_add(1, Ordering::Relaxed);
        pool.parallel_for(n, 1, body);
    };
    thread::scope(|scope| {
        for caller in 0..CALLERS {
            let (pools, visits, run) = (&pools, &visits, &run);
            scope.spawn(move || {
                for i in 0..LOOPS {
                    // Each caller uses all pools, in a different order than the other callers, as outer and as inner
                    // pool.
                    let (outer, inner) = (&pools[(caller + i) % 3], &pools[i / 3 % 3]);
                    run(outer, OUTER, &|range| {
                        for row in range {
                            run(inner, 5 + row, &|range| {
                                visits.fetch_add(range.count(), Ordering::Relaxed);
                            });
                        }
                    });
                }
            });
        }
    });
    assert_eq!(regions.into_inner(), CALLERS * LOOPS * (1 + OUTER as usize));
    assert_eq!(visits.into_inner(), CALLERS * LOOPS * (5 + 6 + 7 + 8));
}
