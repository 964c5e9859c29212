//! Runs a function whose nests are kernels, on a GPU or on the emulator.

use crate::arguments::Passed;
use crate::native::{Measurement, Outcome, bind};
use crate::options::{Device, Options};
use loopwright::analysis::work::Work;
use loopwright_runtime::gpu::{self, Cuda, Emulator, Executable, GpuError, Program};
use loopwright_runtime::timing::{Clock, Timing, measure_by};
use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

/// The device that the options name, if it runs kernels.
pub fn open(options: &Options) -> Result<Option<Box<dyn gpu::Device>>, String> {
    match options.device() {
        Device::Interpreter | Device::Cpu => Ok(None),
        Device::Emulator => Ok(Some(Box::new(Emulator::new(options.seed)))),
        Device::Cuda(ordinal) => match Cuda::open(ordinal) {
            Ok(device) => Ok(Some(Box::new(device))),
            Err(reason) => Err(format!(
                "lw-run: error: {reason}; kernels can run on the cpu, with --device emulator"
            )),
        },
    }
}

/// Calls the function once, and then, if asked, for the time that the options say.
pub fn run(
    program: &Program,
    device: &dyn gpu::Device,
    options: &Options,
    mut passed: Passed,
    work: Option<Work>,
) -> Result<Outcome, String> {
    let path = options.model.display();
    let error = |error: GpuError| format!("{path}: error: {error}");
    let function = program.function(&options.entry);
    let function = function.ok_or_else(|| error(GpuError::NoFunction(options.entry.clone())))?;
    let executable = Executable::load(program, device).map_err(error)?;
    let mut arguments = bind(&function.signature, &mut passed);
    let mut call = executable.prepare(&options.entry, &mut arguments).map_err(error)?;
    let start = Instant::now();
    call.run().and_then(|()| device.finish()).map_err(error)?;
    let milliseconds = start.elapsed().as_secs_f64() * 1e3;
    call.results(&mut arguments).map_err(error)?;
    let profiles = device.take_profiles();
    let measurement = match options.time {
        None => None,
        Some(budget) => {
            call.record().map_err(error)?;
            let timing = measure(Duration::from_secs_f64(budget), || call.time());
            Some(Measurement::new(&timing.map_err(error)?, None, work))
        }
    };
    drop(arguments);
    let outputs = passed.outputs().map_err(|e| format!("lw-run: error: {e}"))?;
    Ok(Outcome { outputs, milliseconds, measurement, profiles })
}

/// The time that a device has worked, which is what its budget is of.
#[derive(Default)]
struct Worked(Cell<Duration>);

impl Clock for Worked {
    fn now(&self) -> Duration {
        self.0.get()
    }
}

/// Runs something for some time of the device, or until it fails.
fn measure(
    budget: Duration,
    run: impl Fn() -> Result<Duration, GpuError>,
) -> Result<Timing, GpuError> {
    let (clock, failed) = (Worked::default(), RefCell::new(None));
    let timing = measure_by(&clock, budget, || {
        // What has failed would never use up the budget.
        let took = match failed.borrow().is_some() {
            true => Ok(budget),
            false => run(),
        };
        let took = took.unwrap_or_else(|error| {
            failed.replace(Some(error));
            budget
        });
        clock.0.set(clock.0.get() + took.max(Duration::from_nanos(1)));
    });
    match failed.into_inner() {
        None => Ok(timing),
        Some(error) => Err(error),
    }
}
