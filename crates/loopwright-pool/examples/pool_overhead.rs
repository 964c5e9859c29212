//! Measures the overhead of a parallel loop in microseconds: `pool_overhead [threads]`. With the feature `rayon`, also on the
//! threads of rayon, called from one of them (inside) and from another thread (outside).

use loopwright_pool::{ParallelFor, Pool};
use std::num::NonZeroUsize;
use std::thread;
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let threads = match std::env::args().nth(1) {
        Some(threads) => threads.parse()?,
        None => thread::available_parallelism()?,
    };
    let pool = Pool::new(threads)?;
    println!(
        "{threads} threads, an iteration a thread: median, p90 of 1000 loops, and of 10000 hot ones"
    );
    measure(&pool, "", threads);
    #[cfg(feature = "rayon")]
    {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.get()).build()?;
        pool.install(|| measure(&pool, "rayon, inside: ", threads));
        measure(&pool, "rayon, outside: ", threads);
    }
    Ok(())
}

fn measure(pool: &dyn ParallelFor, on: &str, threads: NonZeroUsize) {
    for (what, work) in [("empty", 0), ("10 us each", 10), ("100 us each", 100)] {
        let run = || run(pool, threads, Duration::from_micros(work));
        let hot = quantiles((0..10_000).map(|_| run()).collect());
        let idle = |pause| {
            quantiles(
                (0..1000)
                    .map(|_| {
                        thread::sleep(Duration::from_micros(pause));
                        run()
                    })
                    .collect(),
            )
        };
        println!("{on}{what:>12}: hot {hot}; after 2 ms idle {}", idle(2000));
    }
}

fn run(pool: &dyn ParallelFor, threads: NonZeroUsize, work: Duration) -> Duration {
    let start = Instant::now();
    pool.parallel_for(threads.get() as i64, 1, &|range| {
        for _ in range {
            let start = Instant::now();
            while !work.is_zero() && start.elapsed() < work {}
        }
    });
    start.elapsed()
}

fn quantiles(mut times: Vec<Duration>) -> String {
    times.sort();
    let at = |part: usize| times[times.len() * part / 10].as_nanos() as f64 / 1000.0;
    format!("{:.2}, {:.2}", at(5), at(9))
}
