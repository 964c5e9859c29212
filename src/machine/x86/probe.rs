//! Measures this machine.
//!
//! A virtual machine reports the caches of the whole socket, which it shares with others. So the reported size of the
//! last-level cache does not tell from which size of data on streaming stores are faster than stores through the caches.
//! A measurement does:
//!
//! ```text
//! MiB read and written     2    3   ..   8   12   16   24
//! cached      GB/s        54   55        55   46   17   17
//! streaming   GB/s        43   45        44   44   39   30      faster from 16 MiB on
//! ```

use super::file::{CopyRate, Description, MultiplyAdd, Rates, ReadRate};
use super::{Caches, CpuTarget};
use crate::ffi::probe::{self, LINE, STEP, Store};
use loopwright_runtime::tensor::{ElementType, Tensor};
use std::sync::Barrier;
use std::thread;
use std::time::Instant;

/// The least and the most bytes that a copy reads and writes.
const COPIES: [usize; 2] = [2 << 20, 64 << 20];

/// Streaming stores count as faster if their rate is this many times the rate of cached stores: the result of a cached
/// store may be read again soon.
const MARGIN: f64 = 1.1;

/// The least bytes of all repetitions of a measurement.
const LEAST_BYTES: usize = 24 << 20;

/// The least number of repetitions; the fastest counts, because all else is slower than the machine.
const REPETITIONS: usize = 3;

/// Steps of the chains of multiply-adds: about a millisecond.
const STEPS: usize = 500_000;

/// Describes this machine by what the system reports and by measurements, in about 0.1 to 0.2 s.
///
/// # Errors
/// If there is no memory for two arrays of 32 MiB.
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
    let levels = caches.map(|Caches { l1, l2, l3 }| [l1, l2, l3]).into_iter().flatten();
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

    /// The rates of a copy that reads and writes this many bytes. Both kinds of stores take turns, so that disturbances
    /// meet both.
    fn copy(&mut self, bytes: usize) -> CopyRate {
        let length = bytes / 2 / LINE * LINE;
        let (from, to) = (&self.from.bytes()[..length], &mut self.to.bytes_mut()[..length]);
        let mut best = [f64::INFINITY; 2];
        for _ in 0..repetitions(bytes) {
            for (best, store) in best.iter_mut().zip([Store::Cached, Store::Streaming]) {
                // The first of two leaves the caches as its kind of stores does.
                for _ in 0..2 {
                    *best = best.min(seconds(|| probe::copy(from, to, store)));
                }
            }
        }
        let [cached, streaming] = best.map(|seconds| rounded(bytes as f64 / seconds / 1e9));
        CopyRate { bytes: bytes as u64, cached_gb_per_s: cached, streaming_gb_per_s: streaming }
    }

    /// The rate of reading this many bytes again and again.
    fn read(&self, bytes: usize) -> ReadRate {
        let array = &self.from.bytes()[..bytes / STEP * STEP];
        let passes = (1usize << 20).div_ceil(bytes);
        let best = (0..repetitions(bytes))
            .map(|_| seconds(|| (0..passes).for_each(|_| probe::read(array))));
        let best = best.fold(f64::INFINITY, f64::min);
        ReadRate { bytes: bytes as u64, gb_per_s: rounded((bytes * passes) as f64 / best / 1e9) }
    }
}

/// The rates of copies, in steps of a half and a third of the size. It stops after two sizes in a row for which streaming
/// stores are faster: larger sizes are further beyond the caches.
fn copies(mut copy: impl FnMut(usize) -> CopyRate) -> Vec<CopyRate> {
    let [least, most] = COPIES;
    let powers = std::iter::successors(Some(least), |size| Some(size * 2));
    let sizes = powers.flat_map(|size| [size, size / 2 * 3]).take_while(|size| *size <= most);
    let mut rates: Vec<CopyRate> = vec![];
    for size in sizes {
        rates.push(copy(size));
        if rates.len() > 1 && rates[rates.len() - 2..].iter().all(is_streamed) {
            break;
        }
    }
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

    #[test]
    fn the_threshold_is_the_first_of_the_sizes_that_stream() {
        let copies = rates(|bytes| bytes >= 12 << 20);
        assert_eq!(streaming_from(&copies), Some(12 << 20));
        assert_eq!(copies.last().map(|it| it.bytes), Some(16 << 20), "two are enough");
    }

    #[test]
    fn one_disturbed_size_is_no_threshold() {
        let copies = rates(|bytes| bytes == 4 << 20 || bytes >= 24 << 20);
        assert_eq!(streaming_from(&copies), Some(24 << 20));
    }

    #[test]
    fn without_a_faster_size_all_are_measured() {
        let copies = rates(|_| false);
        assert_eq!(streaming_from(&copies), None);
        let ends = [copies.first(), copies.last()].map(|it| it.map(|it| it.bytes as usize));
        assert_eq!(ends, COPIES.map(Some));
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
