//! Runs a compiled function on a device: this machine's processor, a GPU, or the emulator.

use crate::arguments::Passed;
use crate::options::Options;
use crate::profile::{self, Profile, Profiled};
use loopwright::analysis::work::Work;
use loopwright_runtime::device::{Device, DeviceError, Program};
use loopwright_runtime::tensor::Tensor;
use loopwright_runtime::timing::Timing;
use serde::Serialize;
use std::time::{Duration, Instant};

/// The result of a measurement, per call.
#[derive(Clone, Debug, Serialize)]
pub struct Measurement {
    /// Only for the cpu.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<usize>,
    pub median_ms: f64,
    pub p10_ms: f64,
    pub p90_ms: f64,
    pub min_ms: f64,
    /// The number of samples; each covers several calls.
    pub samples: usize,
    pub calls_per_sample: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gflops: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gigabytes_per_second: Option<f64>,
}

/// A call: its results and its times.
pub struct Outcome {
    pub outputs: Vec<Tensor>,
    pub milliseconds: f64,
    pub measurement: Option<Measurement>,
    /// The profiles of GPU kernels: the name of each, and a table.
    pub profiles: Vec<(String, String)>,
    /// The profile of the kernels of a cpu.
    pub kernels: Option<Profile>,
}

/// Calls the function once, and then, if requested, repeatedly for the time in the options.
pub fn run(
    program: Program,
    device: &Device,
    options: &Options,
    mut passed: Passed,
    work: Option<Work>,
    profiled: Option<&Profiled>,
) -> Result<Outcome, String> {
    let path = options.model().display();
    let error = |error: DeviceError| format!("{path}: error: {error}");
    let mut loaded = device.load(program).map_err(error)?;
    let signature = loaded.signature(options.entry()).map_err(error)?.clone();
    let mut arguments = passed.arguments(&signature);
    let mut call = loaded.prepare(options.entry(), &mut arguments).map_err(error)?;
    let start = Instant::now();
    call.run().and_then(|()| call.wait()).map_err(error)?;
    let milliseconds = start.elapsed().as_secs_f64() * 1e3;
    call.results().map_err(error)?;
    drop(call);
    drop(arguments);
    let profiles = device.take_profiles();
    // The results are copied before the measurement, because a function may change its arguments.
    let outputs = passed.outputs().map_err(|e| format!("lw-run: error: {e}"))?;
    let measurement = match options.time {
        None => None,
        Some(budget) => {
            let mut arguments = passed.arguments(&signature);
            let mut call = loaded.prepare(options.entry(), &mut arguments).map_err(error)?;
            let timing = call.measure(Duration::from_secs_f64(budget)).map_err(error)?;
            let threads = device.threads().map(|threads| threads.get());
            Some(Measurement::new(&timing, threads, work))
        }
    };
    let kernels = match profiled {
        None => None,
        Some(profiled) => {
            let sizes = passed.sizes();
            let mut arguments = passed.arguments(&signature);
            let mut call = loaded.prepare(options.entry(), &mut arguments).map_err(error)?;
            let threads = device.threads().map_or(1, |threads| threads.get());
            let budget = options.time.map_or(profile::TIME, Duration::from_secs_f64);
            let run = || call.run().map_err(error);
            Some(profiled.measure(options.entry(), &sizes, threads, budget, run)?)
        }
    };
    Ok(Outcome { outputs, milliseconds, measurement, profiles, kernels })
}

impl Measurement {
    pub fn new(timing: &Timing, threads: Option<usize>, work: Option<Work>) -> Measurement {
        let ms = |duration: Duration| duration.as_secs_f64() * 1e3;
        let seconds = timing.median.as_secs_f64();
        let rate =
            |amount: u64| (amount > 0 && seconds > 0.0).then(|| amount as f64 / seconds / 1e9);
        Measurement {
            threads,
            median_ms: ms(timing.median),
            p10_ms: ms(timing.p10),
            p90_ms: ms(timing.p90),
            min_ms: ms(timing.min),
            samples: timing.samples,
            calls_per_sample: timing.iterations_per_sample,
            gflops: work.and_then(|work| rate(work.operations)),
            gigabytes_per_second: work.and_then(|work| rate(work.bytes)),
        }
    }
}

impl std::fmt::Display for Measurement {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let (unit, per_ms) = match self.median_ms {
            1.0.. => ("ms", 1.0),
            1e-3.. => ("us", 1e3),
            _ => ("ns", 1e6),
        };
        let [median, p10, p90, min] =
            [self.median_ms, self.p10_ms, self.p90_ms, self.min_ms].map(|ms| ms * per_ms);
        let samples = self.samples;
        write!(
            f,
            "{median:.3} {unit} a call (median of {samples}; p10 {p10:.3}, p90 {p90:.3}, min {min:.3})"
        )?;
        if let Some(threads) = self.threads {
            write!(f, " on {threads} thread{}", if threads == 1 { "" } else { "s" })?;
        }
        if let Some(gflops) = self.gflops {
            write!(f, ", {gflops:.2} GFLOP/s")?;
        }
        if let Some(rate) = self.gigabytes_per_second {
            write!(f, ", {rate:.2} GB/s")?;
        }
        Ok(())
    }
}
