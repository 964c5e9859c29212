//! Measures run time by repetition.
//!
//! ```text
//! warm up | batch | batch | ... | batch     each batch: iterations_per_sample runs between two looks at the clock
//! ```
//! A run may be too short for the clock's resolution, so runs are timed in batches of 50 us or more. Each batch gives
//! one sample: its time divided by its number of runs. The result is quantiles of the samples; a mean would include
//! every interruption by the system.

use crate::ffi::clock;
use std::cell::OnceCell;
use std::time::{Duration, Instant};

/// The minimum duration of a batch: the clock then adds less than a thousandth.
const BATCH: Duration = Duration::from_micros(50);

/// The budget divided by this is the time of the warm-up runs before the first sample, in which caches, pages and clock
/// rates settle.
const WARM_UP: u32 = 10;

/// The minimum number of samples, however long they take.
const LEAST_SAMPLES: usize = 3;

/// The time of one run. Quantiles are over samples, each the mean of one batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// Half of the samples were at most this long.
    pub median: Duration,
    /// A tenth of the samples were at most this long.
    pub p10: Duration,
    /// Nine tenths of the samples were at most this long.
    pub p90: Duration,
    /// The shortest sample.
    pub min: Duration,
    /// The number of timed batches.
    pub samples: usize,
    /// The number of runs of a batch.
    pub iterations_per_sample: u64,
}

/// A source of time; tests use a fake one.
pub trait Clock {
    /// The time since a moment that is the same for all calls.
    fn now(&self) -> Duration;
}

/// The system's monotonic clock; it starts when it is first read.
#[derive(Default)]
pub struct SystemClock {
    start: OnceCell<Instant>,
}

impl Clock for SystemClock {
    fn now(&self) -> Duration {
        self.start.get_or_init(Instant::now).elapsed()
    }
}

/// The times of batches, in execution order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Samples {
    batches: Vec<Duration>,
    iterations_per_sample: u64,
}

impl Samples {
    /// The seconds of one run, batch by batch.
    pub fn seconds(&self) -> impl Iterator<Item = f64> {
        self.batches.iter().map(|batch| batch.as_secs_f64() / self.iterations_per_sample as f64)
    }

    /// The quantiles of the samples.
    pub fn timing(&self) -> Timing {
        let (mut sorted, iterations) = (self.batches.clone(), self.iterations_per_sample);
        sorted.sort();
        Timing {
            median: a_run(quantile(&sorted, 5), iterations),
            p10: a_run(quantile(&sorted, 1), iterations),
            p90: a_run(quantile(&sorted, 9), iterations),
            min: a_run(sorted[0], iterations),
            samples: sorted.len(),
            iterations_per_sample: iterations,
        }
    }
}

/// The processor time that all threads of this process have used; `None` if the system does not report it.
pub fn process_time() -> Option<Duration> {
    clock::process_time()
}

/// Runs a function repeatedly for about `budget`, warm-up included; four or five times if that takes longer.
pub fn measure(budget: Duration, run: impl FnMut()) -> Timing {
    sample(budget, run).timing()
}

/// [`measure`], but returns each sample: three or more.
pub fn sample(budget: Duration, run: impl FnMut()) -> Samples {
    sample_by(&SystemClock::default(), budget, run)
}

/// [`measure`] with another clock.
pub fn measure_by(clock: &impl Clock, budget: Duration, run: impl FnMut()) -> Timing {
    sample_by(clock, budget, run).timing()
}

/// [`sample`] with another clock.
pub fn sample_by(clock: &impl Clock, budget: Duration, mut run: impl FnMut()) -> Samples {
    let start = clock.now();
    let end = start.saturating_add(budget);
    let mut time = |iterations| {
        let start = clock.now();
        (0..iterations).for_each(|_| run());
        clock.now().saturating_sub(start)
    };
    // The first run may take much longer than the others, so it does not determine the batch size, unless there is no
    // time for another run.
    let iterations = match time(1) < budget {
        true => warm_up(clock, start.saturating_add(budget / WARM_UP), &mut time),
        false => 1,
    };
    let mut batches = vec![];
    while batches.len() < LEAST_SAMPLES || clock.now() < end {
        batches.push(time(iterations));
    }
    Samples { batches, iterations_per_sample: iterations }
}

/// Runs batches until one is long enough and the warm-up time is over; returns the batch size.
fn warm_up(clock: &impl Clock, end: Duration, time: &mut impl FnMut(u64) -> Duration) -> u64 {
    let mut iterations = 1;
    loop {
        let taken = time(iterations);
        if taken < BATCH {
            iterations = longer(iterations, taken);
        } else if clock.now() >= end {
            return iterations;
        }
    }
}

/// The batch size to try after one that was too short. It is a little larger than the measurement suggests, since a
/// warm run may be faster, and at most ten times as large, since the time of a first run is unreliable.
fn longer(iterations: u64, taken: Duration) -> u64 {
    let needed = BATCH.as_nanos() * 5 / 4 * u128::from(iterations) / taken.as_nanos().max(1);
    let most = iterations.saturating_mul(10);
    u64::try_from(needed).unwrap_or(most).clamp(iterations.saturating_add(1), most)
}

/// The time that this many tenths of the sorted samples do not exceed, interpolated linearly between two samples.
fn quantile(samples: &[Duration], tenths: usize) -> Duration {
    let place = (samples.len() - 1) * tenths;
    let (below, rest) = (samples[place / 10], place % 10);
    let above = samples[place.div_ceil(10)];
    below + (above - below) * rest as u32 / 10
}

/// The time of one run, to the nanosecond.
fn a_run(batch: Duration, iterations: u64) -> Duration {
    let nanoseconds = (batch.as_nanos() + u128::from(iterations / 2)) / u128::from(iterations);
    Duration::from_nanos(u64::try_from(nanoseconds).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::hint;

    /// A clock that advances only when a test sets it.
    #[derive(Default)]
    struct FakeClock(Cell<Duration>);

    impl Clock for FakeClock {
        fn now(&self) -> Duration {
            self.0.get()
        }
    }

    /// Measures a function whose run number n takes `time(n)` nanoseconds. Also returns the total time and the number
    /// of runs.
    fn fake(budget: Duration, time: impl Fn(u64) -> u64) -> (Timing, Duration, u64) {
        let clock = FakeClock::default();
        let mut runs = 0;
        let timing = measure_by(&clock, budget, || {
            clock.0.set(clock.now() + Duration::from_nanos(time(runs)));
            runs += 1;
        });
        (timing, clock.now(), runs)
    }

    fn micros(micros: u64) -> Duration {
        Duration::from_micros(micros)
    }

    #[test]
    fn long_runs_are_samples() {
        let (timing, all, runs) = fake(micros(100_000), |_| 1_000_000);
        // A tenth of the budget is warm-up.
        assert_eq!((timing.samples, timing.iterations_per_sample, runs), (90, 1, 100));
        assert_eq!(all, micros(100_000));
        for time in [timing.median, timing.p10, timing.p90, timing.min] {
            assert_eq!(time, micros(1000));
        }
    }

    #[test]
    fn short_runs_are_timed_in_batches() {
        let (timing, all, _) = fake(micros(10_000), |_| 130);
        assert_eq!(
            (timing.median, timing.min),
            (Duration::from_nanos(130), Duration::from_nanos(130))
        );
        let batch = Duration::from_nanos(130 * timing.iterations_per_sample);
        assert!(batch >= BATCH && batch < 2 * BATCH, "{batch:?}");
        assert!(timing.samples > 100 && all < micros(10_000) + 2 * BATCH);
    }

    #[test]
    fn a_small_budget_still_gives_three_samples() {
        for budget in [0, 1, 1000] {
            let (timing, _, runs) = fake(micros(budget), |_| 1_000_000);
            assert_eq!((timing.samples, runs, timing.median), (3, 4, micros(1000)));
        }
        let (timing, all, _) = fake(Duration::ZERO, |_| 7);
        assert_eq!((timing.samples, timing.median), (3, Duration::from_nanos(7)));
        assert!(all < 6 * BATCH);
    }

    #[test]
    fn a_slow_first_run_does_not_count() {
        let (timing, _, _) = fake(micros(10_000), |run| if run == 0 { 5_000_000 } else { 1000 });
        assert_eq!((timing.median, timing.p90), (micros(1), micros(1)));
        assert!(timing.iterations_per_sample >= 50);
    }

    #[test]
    fn quantiles_show_the_spread() {
        // Two runs of warm-up, then 1, 2, ..., 10 ms, and again.
        let (timing, _, _) = fake(micros(610_000), |run| match run {
            0 => 61_000_000,
            _ => (run.saturating_sub(2) % 10 + 1) * 1_000_000,
        });
        assert_eq!((timing.min, timing.median), (micros(1000), micros(5500)));
        assert_eq!((timing.p10, timing.p90), (micros(1900), micros(9100)));
        let samples = [micros(10), micros(20), micros(40)];
        let quantiles = [0, 1, 5, 9, 10].map(|tenths| quantile(&samples, tenths).as_micros());
        assert_eq!(quantiles, [10, 12, 20, 36, 40]);
    }

    #[test]
    fn runs_that_take_no_time_end() {
        // The clock advances only in every 1000th run.
        let (timing, _, _) = fake(micros(1000), |run| if run % 1000 == 999 { 100 } else { 0 });
        assert!(timing.iterations_per_sample >= 500_000, "{timing:?}");
    }

    #[test]
    fn samples_keep_their_order() {
        let clock = FakeClock::default();
        let mut runs = 0;
        let samples = sample_by(&clock, micros(10_000), || {
            clock.0.set(clock.now() + micros(4000 - runs * 500));
            runs += 1;
        });
        assert_eq!(samples.seconds().collect::<Vec<_>>(), [3.0e-3, 2.5e-3, 2.0e-3]);
        assert_eq!((samples.timing().median, samples.timing().min), (micros(2500), micros(2000)));
    }

    #[test]
    fn work_uses_processor_time() {
        let before = process_time().expect("Linux reports it");
        let (start, mut sum) = (Instant::now(), 0u64);
        while start.elapsed() < micros(20_000) {
            (0..1000).for_each(|i| sum = hint::black_box(sum + i));
        }
        assert!(process_time().expect("Linux reports it") - before > micros(1000));
    }

    #[test]
    fn the_real_clock_measures() {
        let mut sum = 0u64;
        let budget = Duration::from_millis(20);
        let timing = measure(budget, || (0..1000).for_each(|i| sum = hint::black_box(sum + i)));
        assert!(timing.samples >= LEAST_SAMPLES && timing.min > Duration::ZERO, "{timing:?}");
        assert!(timing.min <= timing.p10 && timing.p10 <= timing.median, "{timing:?}");
        assert!(timing.median <= timing.p90 && timing.p90 < budget, "{timing:?}");
    }
}
