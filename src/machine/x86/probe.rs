//! Measures this machine.
//!
//! A virtual machine reports the caches of the whole socket, which it shares with others. So the reported size of the
//! last-level cache does not tell from which size of data on streaming stores are faster than stores through the caches.
//! A measurement does:
//!
//! ```text
//! MiB read and written     8   16   24   32   64  128
//! cached      GB/s        55   17   17   17   17   17
//! streaming   GB/s        44   39   30   30   30   30      faster from 16 MiB on
//! ```
//! Caches need some passes over the same data until they hold what they can. So a copy is repeated with one kind of stores, and not
//! with both in turn: streaming stores remove what they write from the caches.

use super::file::{CopyRate, Description, MultiplyAdd, Rates, ReadRate};
use super::{Caches, CpuTarget};
use crate::ffi::probe::{self, LINE, STEP, Store};
use loopwright_runtime::tensor::{ElementType, Tensor};
use std::sync::Barrier;
use std::thread;
use std::time::Instant;

/// The least and the most bytes that a copy reads and writes.
const COPIES: [usize; 2] = [2 << 20, 128 << 20];

/// Streaming stores count as faster if their rate is this many times the rate of cached stores: the result of a cached
/// store may be read again soon.
const MARGIN: f64 = 1.1;

/// The least bytes of all repetitions of a measurement.
const LEAST_BYTES: usize = 24 << 20;

/// The least lines that are read in a scattered order.
const SCATTERED: usize = 1 << 17;

/// The least number of repetitions; the fastest counts, because all else is slower than the machine.
const REPETITIONS: usize = 3;

/// The least number of repetitions of a copy: after some, the caches hold what they can.
const COPY_REPETITIONS: usize = 6;

/// Steps of the chains of multiply-adds: about a millisecond.
const STEPS: usize = 500_000;

/// Describes this machine by what the system reports and by measurements, in about 0.4 s.
///
/// # Errors
/// If there is no memory for two arrays of 64 MiB.
pub fn measure(
    host: &CpuTarget,
    caches: Option<Caches>,
    cores: usize,
) -> Result<Description, String> {
    let mut arrays = Arrays::new()?;
    let copies = copies(|bytes| arrays.copy(bytes));
    let streaming = streaming_from(&copies).unwrap_or_else(|| {
        // Beyond any measured size, and beyond what the system reports.
        caches.map_or(0, |caches| caches.l3 / 4 * 3).max(2 * COPIES[1] as u64)
    });
    let levels = caches.map(|Caches { l1, l2, l3 }| [l1, l2, l3.min(streaming)]);
    let levels = levels.into_iter().flatten();
    let sizes = levels.map(|bytes| bytes as usize / 2).chain([COPIES[1] / 2]);
    let mut sizes: Vec<_> = sizes.map(|bytes| bytes.min(COPIES[1] / 2)).collect();
    sizes.dedup();
    let reads = sizes.into_iter().map(|bytes| arrays.read(bytes)).collect();
    Ok(Description {
        cpu: Some(host.cpu.clone()),
        features: Some(host.features.clone()),
        // Not from the rates: other work that is here now may be gone later.
        cores,
        caches,
        streaming_from_bytes: Some(streaming),
        rates: Some(Rates { multiply_add: multiply_adds(cores), reads, copies }),
    })
}

/// Two arrays in which copies of all sizes have place.
struct Arrays {
    from: Tensor,
    to: Tensor,
}

impl Arrays {
    fn new() -> Result<Self, String> {
        let zeros = || Tensor::zeros(ElementType::I8, &[COPIES[1] / 2]);
        let error = |error| format!("the machine cannot be measured: {error}");
        let mut from = zeros().map_err(error)?;
        // Without a write, all pages are one page of zeros.
        from.bytes_mut().fill(1);
        Ok(Self { from, to: zeros().map_err(error)? })
    }

    /// The rates of a copy that reads and writes this many bytes, by kind of stores.
    fn copy(&mut self, bytes: usize) -> CopyRate {
        let length = bytes / 2 / LINE * LINE;
        let (from, to) = (&self.from.bytes()[..length], &mut self.to.bytes_mut()[..length]);
        let [cached, streaming] = [Store::Cached, Store::Streaming].map(|store| {
            let times = (0..repetitions(bytes).max(COPY_REPETITIONS))
                .map(|_| seconds(|| probe::copy(from, to, store)));
            rounded(bytes as f64 / times.fold(f64::INFINITY, f64::min) / 1e9)
        });
        CopyRate { bytes: bytes as u64, cached_gb_per_s: cached, streaming_gb_per_s: streaming }
    }

    /// The rate of reading this many bytes again and again.
    fn read(&self, bytes: usize) -> ReadRate {
        let array = &self.from.bytes()[..bytes / STEP * STEP];
        let passes = (1usize << 20).div_ceil(bytes);
        let best = (0..repetitions(bytes))
            .map(|_| seconds(|| (0..passes).for_each(|_| probe::read(array))));
        let best = best.fold(f64::INFINITY, f64::min);
        ReadRate {
            bytes: bytes as u64,
            gb_per_s: rounded((bytes * passes) as f64 / best / 1e9),
            scattered_line_ns: Some(self.scattered_line_ns(bytes)),
        }
    }

    /// The time of a line in ns if lines of the first so many bytes are read in an order that no prefetcher knows.
    fn scattered_line_ns(&self, bytes: usize) -> f64 {
        let lines = 1usize << (bytes / LINE).ilog2();
        let array = &self.from.bytes()[..lines * LINE];
        let read = SCATTERED.max(lines);
        let times = (0..REPETITIONS).map(|_| seconds(|| probe::read_scattered(array, read)));
        let best = times.fold(f64::INFINITY, f64::min);
        (best * 1e9 / read as f64 * 100.0).round() / 100.0
    }
}

/// The rates of copies, in increasing sizes. The largest is halved until streaming stores are not faster. Then a size in between is
/// measured.
fn copies(mut copy: impl FnMut(usize) -> CopyRate) -> Vec<CopyRate> {
    let [least, most] = COPIES;
    let mut rates: Vec<CopyRate> = vec![];
    let halves = std::iter::successors(Some(most), |size| Some(size / 2));
    for size in halves.take_while(|size| *size >= least) {
        let rate = copy(size);
        let is_last = !is_streamed(&rate);
        rates.push(rate);
        if is_last {
            if size < most {
                rates.insert(rates.len() - 1, copy(size / 2 * 3));
            }
            break;
        }
    }
    rates.reverse();
    rates
}

/// The bytes from which on streaming stores are faster for all measured sizes, if for any.
fn streaming_from(copies: &[CopyRate]) -> Option<u64> {
    copies.iter().rev().take_while(|rate| is_streamed(rate)).last().map(|rate| rate.bytes)
}

fn is_streamed(rate: &CopyRate) -> bool {
    rate.streaming_gb_per_s > MARGIN * rate.cached_gb_per_s
}

/// The rates of multiply-adds on one core and on all at the same time; each is the best of a few rounds.
fn multiply_adds(cores: usize) -> MultiplyAdd {
    let rate_of = |threads: usize| {
        let rounds = (0..REPETITIONS).map(|_| {
            let start = Barrier::new(threads);
            let rates = thread::scope(|scope| {
                let run = || {
                    start.wait();
                    let mut operations = 0;
                    let seconds = seconds(|| operations = probe::multiply_add(STEPS));
                    operations as f64 / seconds / 1e9
                };
                let threads: Vec<_> = (0..threads).map(|_| scope.spawn(run)).collect();
                threads.into_iter().filter_map(|it| it.join().ok()).collect::<Vec<f64>>()
            });
            rates.into_iter().sum::<f64>()
        });
        rounded(rounds.fold(0.0, f64::max))
    };
    MultiplyAdd { one_core_gflop_per_s: rate_of(1), all_cores_gflop_per_s: rate_of(cores) }
}

fn repetitions(bytes: usize) -> usize {
    LEAST_BYTES.div_ceil(bytes).clamp(REPETITIONS, 50)
}

fn seconds(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    // A clock of low resolution may not have moved.
    start.elapsed().as_secs_f64().max(1e-9)
}

/// Three digits are more than the measurement gives.
fn rounded(rate: f64) -> f64 {
    (rate * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rates of copies on a machine whose streaming stores are faster for sizes in `faster`.
    fn rates(faster: impl Fn(usize) -> bool) -> Vec<CopyRate> {
        copies(|bytes| CopyRate {
            bytes: bytes as u64,
            cached_gb_per_s: 10.0,
            streaming_gb_per_s: if faster(bytes) { 12.0 } else { 10.5 },
        })
    }

    fn sizes(rates: &[CopyRate]) -> Vec<u64> {
        rates.iter().map(|rate| rate.bytes >> 20).collect()
    }

    #[test]
    fn the_threshold_is_the_first_of_the_sizes_that_stream() {
        let copies = rates(|bytes| bytes >= 12 << 20);
        assert_eq!(sizes(&copies), [8, 12, 16, 32, 64, 128]);
        assert_eq!(streaming_from(&copies), Some(12 << 20));
        let copies = rates(|bytes| bytes >= 16 << 20);
        assert_eq!(streaming_from(&copies), Some(16 << 20));
    }

    /// A copy of 3 MiB is slower through a second-level cache of 2 MiB, but a large last-level cache makes up for it.
    #[test]
    fn small_sizes_that_stream_are_no_threshold() {
        let copies = rates(|bytes| bytes == 3 << 20 || bytes >= 96 << 20);
        assert_eq!(streaming_from(&copies), Some(96 << 20));
    }

    #[test]
    fn either_kind_may_always_be_faster() {
        let copies = rates(|_| false);
        assert_eq!(streaming_from(&copies), None);
        assert_eq!(sizes(&copies), [128]);
        let copies = rates(|_| true);
        assert_eq!(streaming_from(&copies), Some(2 << 20));
        assert_eq!(sizes(&copies), [2, 4, 8, 16, 32, 64, 128]);
    }

    #[test]
    fn this_machine_is_measured() {
        let described = measure(&CpuTarget::host(), None, 1).expect("there is memory");
        assert_eq!((described.cores, described.caches), (1, None));
        assert!(described.streaming_from_bytes.is_some_and(|bytes| bytes >= COPIES[0] as u64));
        let rates = described.rates.expect("they are measured");
        assert!(rates.reads.iter().all(|it| it.gb_per_s > 0.0) && !rates.reads.is_empty());
        assert!(rates.multiply_add.one_core_gflop_per_s > 0.0);
    }
}
